/* Version, machine, limits and variables, for people and for programs. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/config.h"
#include "info.h"
#include "net/start.h"
#include "node/machine.h"
#include "node/memory.h"
#include "node/topology.h"
#include "vis/layout.h"

/* Unit and team numbers have 16 bits in a global pointer. */
static const struct {
  const char *key, *text;
  int value;
} limits[] = {
  {"teams", "teams at the same time", INT16_MAX},
  {"segments_per_team", "allocations of one team at the same time", INT16_MAX},
  {"units_per_node", "units on one node", TSR_NODE_UNITS_MAX},
  {"layout_dims", "dimensions of a strided transfer", TSR_LAYOUT_DIMS},
};
enum { LIMITS_N = sizeof limits / sizeof *limits };

const char *info_mpi_version(void) {
  static char text[MPI_MAX_LIBRARY_VERSION_STRING + 1];
  int length = 0;
  MPI_Get_library_version(text, &length);
  text[strcspn(text, "\n")] = '\0';
  for (char *c = text; *c; c++) {
    if ((unsigned char)*c < ' ') *c = ' ';
  }
  return text;
}

/* The configuration must be loaded. */
static const char *topology(void) {
  static char text[1024];
  static struct tsr_cpu cpus[TSR_CPUS_MAX];
  struct tsr_machine machine;
  tsr_machine_read((enum tsr_machine_source)tsr_config.topology, &machine, cpus);
  tsr_machine_print(&machine, text, sizeof text);
  return text;
}

/* ---- for people ---- */

int info_version(void) {
  printf("Tessera %s for %s\n", tessera_version(), info_mpi_version());
  return EXIT_SUCCESS;
}

static void print_memory(const char *what, size_t bytes) {
  if (bytes)
    printf("%.1f GiB %s", (double)bytes / ((size_t)1 << 30), what);
  else
    printf("%s: unknown to the kernel", what);
}

static void print_variable(const char *name, const char *value, const char *standard, const char *help, void *arg) {
  (void)arg;
  printf("  %s=%s", name, value);
  if (strcmp(value, standard) == 0)
    printf(" (default)\n");
  else
    printf(" (default: %s)\n", *standard ? standard : "not set");
  printf("      %s\n", help);
}

int info_all(void) {
  tsr_config_load(true);
  printf("Tessera  %s\nMPI      %s\nhost     %s\nmemory   ", tessera_version(), info_mpi_version(), topology());
  print_memory("in total", tsr_topology_memory_total());
  printf(", ");
  print_memory("available", tsr_topology_memory_available());
  printf("\nnetwork  %s\n\nLimits\n", tsr_net_explain((char[120]){""}, 120));
  for (int i = 0; i < LIMITS_N; i++) printf("  %5d %s\n", limits[i].value, limits[i].text);
  printf("\nVariables\n");
  tsr_config_each(print_variable, NULL);
  return EXIT_SUCCESS;
}

/* ---- for programs ---- */

static void print_string(const char *text) {
  putchar('"');
  for (; *text; text++) {
    if ((unsigned char)*text < ' ')
      printf("\\u%04x", (unsigned)*text);
    else if (*text == '"' || *text == '\\')
      printf("\\%c", *text);
    else
      putchar(*text);
  }
  putchar('"');
}

static void print_member(const char *before, const char *key, const char *text) {
  printf("%s\"%s\": ", before, key);
  print_string(text);
}

static void print_json_variable(const char *name, const char *value, const char *standard, const char *help,
                                void *separator_) {
  const char **separator = separator_;
  print_member(*separator, "name", name);
  print_member(", ", "value", value);
  print_member(", ", "default", standard);
  print_member(", ", "help", help);
  printf("}");
  *separator = ",\n    {";
}

int info_json(void) {
  const char *separator = "\n    {";
  tsr_config_load(true);
  print_member("{\n  ", "version", tessera_version());
  print_member(",\n  ", "mpi", info_mpi_version());
  print_member(",\n  ", "topology", topology());
  printf(",\n  \"memory\": {\"total_bytes\": %zu, \"available_bytes\": %zu},\n  \"limits\": {",
         tsr_topology_memory_total(), tsr_topology_memory_available());
  for (int i = 0; i < LIMITS_N; i++) printf("%s\"%s\": %d", i ? ", " : "", limits[i].key, limits[i].value);
  printf("},\n  \"variables\": [");
  tsr_config_each(print_json_variable, &separator);
  printf("\n  ]\n}\n");
  return EXIT_SUCCESS;
}

static void print_roff(const char *text) {
  for (; *text; text++) {
    if (*text == '\\')
      printf("\\e");
    else if (*text == '-')
      printf("\\-");
    else
      putchar(*text);
  }
}

static void print_man_variable(const char *name, const char *value, const char *standard, const char *help, void *arg) {
  (void)value, (void)arg;
  printf(".TP\n\\fB%s\\fR (default: ", name);
  print_roff(*standard ? standard : "not set");
  printf(")\n\\&"); /* a line that begins with a dot would be a roff request */
  print_roff(help);
  printf(".\n");
}

int info_man(void) {
  printf(".SH ENVIRONMENT\n");
  tsr_config_each(print_man_variable, NULL);
  return EXIT_SUCCESS;
}

static void print_name(const char *name, const char *value, const char *standard, const char *help, void *arg) {
  (void)value, (void)standard, (void)help, (void)arg;
  puts(name);
}

int info_names(void) {
  tsr_config_each(print_name, NULL);
  return EXIT_SUCCESS;
}
