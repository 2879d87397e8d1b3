#include "net/mpi/eager.h"

#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/config.h"
#include "net/start.h"

/* The variables of the MPIs, and how to recognise those that read them. */
static const struct setting {
  const char *library, *variable;
  size_t header_bytes; /* counted by the MPI, too */
} settings[] = {{"ch4:ucx", "UCX_RNDV_THRESH", 1}, {"Open MPI", "OMPI_MCA_btl_tcp_eager_limit", 256}};

static size_t told_bytes;              /* 0: the MPI has a limit of its own */
static const struct setting *in_force; /* its variable is in the environment now, and was not before; NULL: none */

static const struct setting *find_setting(void) {
  char version[MPI_MAX_LIBRARY_VERSION_STRING + 1] = "";
  int length = 0;
  MPI_Get_library_version(version, &length); /* allowed before MPI has started */
  for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
    if (strstr(version, settings[i].library)) return &settings[i];
  }
  return NULL;
}

void tsr_mpi_eager_raise(void) {
  const struct setting *setting = tsr_config.mpi_eager_limit && !tsr_net_has_verbs() ? find_setting() : NULL;
  if (!setting || tsr_config_foreign_text(setting->variable)) return;
  char value[32];
  snprintf(value, sizeof value, "%zu", tsr_config.mpi_eager_limit + setting->header_bytes);
  if (setenv(setting->variable, value, true)) return;
  in_force = setting;
  told_bytes = tsr_config.mpi_eager_limit;
}

void tsr_mpi_eager_restore(void) {
  if (in_force) unsetenv(in_force->variable);
  in_force = NULL;
}

size_t tsr_mpi_eager_bytes(void) { return told_bytes; }
