/* The variables of the specification, also under their deprecated names. */
#include "api/shmem/shmem_api.h"

#include "base/config.h"
#include "base/log.h"

static const struct variable {
  const char *names[3]; /* the first that is set counts */
  const char *help;
} variables[] = {
    [TSR_SHMEM_VERSION] = {{"SHMEM_VERSION", "SMA_VERSION"}, "any value: PE 0 prints the version at the start"},
    [TSR_SHMEM_INFO] = {{"SHMEM_INFO", "SMA_INFO"}, "any value: PE 0 prints these variables at the start"},
    [TSR_SHMEM_SYMMETRIC_SIZE] =
        {{"SHMEM_SYMMETRIC_SIZE", "SMA_SYMMETRIC_SIZE", "SHMEM_SYMMETRIC_HEAP_SIZE"},
         "bytes that the blocks of the symmetric heap of a PE may have together, such as 512M or 1.5g; not "
         "set: what the node has (TESSERA_HEAP_SIZE, TESSERA_HEAP_LIMIT)"},
    [TSR_SHMEM_DEBUG] = {{"SHMEM_DEBUG", "SMA_DEBUG"}, "any value: each PE prints debugging messages; TESSERA_LOG has precedence"},
};
enum { VARIABLES_N = sizeof variables / sizeof *variables, NAMES_N = sizeof variables->names / sizeof *variables->names };

struct tsr_shmem_setting tsr_shmem_setting(enum tsr_shmem_variable which) {
  const char *const *names = variables[which].names;
  for (int i = 0; i < NAMES_N && names[i]; i++)
    if (tsr_config_is_set(names[i])) return (struct tsr_shmem_setting){names[i], tsr_config_foreign_text(names[i])};
  return (struct tsr_shmem_setting){names[0], NULL};
}

static bool is_set(enum tsr_shmem_variable which) { return tsr_shmem_setting(which).text; }

static void print_version(void) {
  tsr_log_write(TSR_LOG_INFO, "OpenSHMEM %d.%d on Tessera %s", SHMEM_MAJOR_VERSION, SHMEM_MINOR_VERSION, tessera_version());
}

static void print_variables(void) {
  for (int i = 0; i < VARIABLES_N; i++) {
    struct tsr_shmem_setting setting = tsr_shmem_setting((enum tsr_shmem_variable)i);
    tsr_log_write(TSR_LOG_INFO, "%s%s%.80s: %s", setting.name, setting.text ? "=" : " (not set)", setting.text ? setting.text : "",
                  variables[i].help);
  }
  tsr_log_write(TSR_LOG_INFO, "tessera-info prints the variables TESSERA_*");
}

void tsr_shmem_environment_start(void) {
  if (is_set(TSR_SHMEM_DEBUG) && !tsr_config_is_set("TESSERA_LOG")) tsr_log_level = TSR_LOG_DEBUG;
  if (tsr_place.self != 0) return;
  if (is_set(TSR_SHMEM_VERSION)) print_version();
  if (is_set(TSR_SHMEM_INFO)) print_variables();
}
