#include "net/mpi/launcher.h"

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/config.h"
#include "base/log.h"
#include "base/wait.h"

#ifdef OPEN_MPI
#define OWN_MPI "Open MPI"
#define OWN_SIZE "OMPI_COMM_WORLD_SIZE"
#define OWN_SRUN "srun --mpi=pmix"
#define OWN_MPIEXEC "mpiexec.openmpi"
#else
#define OWN_MPI "MPICH"
#define OWN_SIZE "PMI_SIZE"
#define OWN_SRUN "srun --mpi=pmi2"
#define OWN_MPIEXEC "mpiexec.mpich"
#endif

/* The variables that a launcher sets in each process. The first row with several processes counts: mpiexec under
 * Slurm starts its daemons by srun. A batch script, or a shell in an allocation, has no SLURM_STEP_NUM_TASKS above
 * 1. */
static const struct launcher {
  const char *name, *size, *rank;
} launchers[] = {
  {"Open MPI's mpiexec", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
  {"MPICH's mpiexec (or another launcher that uses PMI)", "PMI_SIZE", "PMI_RANK"},
  {"Slurm's srun", "SLURM_STEP_NUM_TASKS", "SLURM_PROCID"},
  {"a launcher that uses PMIx", NULL, "PMIX_RANK"}, /* the size is available by calls of PMIx only */
};
enum { LAUNCHERS_N = sizeof launchers / sizeof *launchers };

/* 0: not set, or no number. */
static long read_number(const char *variable) {
  const char *text = variable ? tsr_config_foreign_text(variable) : NULL;
  return text ? strtol(text, NULL, 10) : 0;
}

static const struct launcher *find_launcher(void) {
  for (int i = 0; i < LAUNCHERS_N; i++) {
    if (read_number(launchers[i].size) > 1 || (!launchers[i].size && read_number(launchers[i].rank) > 0)) return &launchers[i];
  }
  return NULL;
}

/* Chooses one process of the launcher on this node to print the message. The name lives as long as its owner. */
static bool is_spokesman(void) {
  struct sockaddr_un name = {.sun_family = AF_UNIX};
  int bytes = snprintf(name.sun_path + 1, sizeof name.sun_path - 1, "tessera launcher %ld", (long)getppid());
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  return fd < 0 || bind(fd, (struct sockaddr *)&name, (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + bytes)) == 0;
}

static void report_launcher(const struct launcher *by) {
  bool is_least = !by->size;
  const char *variable = is_least ? by->rank : by->size;
  tsr_error("TSR-0211 %s started %s%ld processes (%s=%ld), but Tessera was built for " OWN_MPI ", which finds this process "
            "alone. Start the "
            "program with the mpiexec of " OWN_MPI " (" OWN_MPIEXEC " on Debian) or " OWN_SRUN
            ", or use a Tessera that was built for "
            "the launcher's MPI; TESSERA_ALONE=1 makes each process a job of its own",
            by->name, is_least ? "at least " : "", read_number(variable) + is_least, variable, read_number(variable));
}

void tsr_net_mpi_check_launcher(int32_t world_n) {
  enum { OTHERS_COME_NS = 1000000000 };
  if (world_n > 1 || tsr_config.alone || read_number(OWN_SIZE) == 1) return;
  const struct launcher *by = find_launcher();
  if (!by) return;
  if (is_spokesman()) {
    report_launcher(by);
    tsr_wait_sleep_ns(OTHERS_COME_NS);
  }
  fflush(NULL);
  MPI_Finalize(); /* of this process alone */
  _exit(EXIT_FAILURE);
}
