/* The rows of --check about the start of the job: the launcher, and the CPUs that it gives to units. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/config.h"
#include "check.h"
#include "core/place.h"
#include "node/heap.h"
#include "node/topology.h"

/* 0: not set, or no number. */
static long read_number(const char *variable) {
  const char *text = getenv(variable);
  return text ? strtol(text, NULL, 10) : 0;
}

static struct {
  const char *name; /* NULL: none */
  long size;        /* of the job; 0 where only PMIx tells */
} launcher;

/* By the variables that launchers set. Both MPICH's mpiexec and srun may set PMI_SIZE; only mpiexec sets MPI_LOCALNRANKS. A shell
 * in an allocation of Slurm has no SLURM_STEP_NUM_TASKS above 1. Open MPI sets PMIX_RANK itself when it starts without launcher. */
void info_find_launcher(void) {
  const long open_n = read_number("OMPI_COMM_WORLD_SIZE"), pmi_n = read_number("PMI_SIZE"),
             tasks_n = read_number("SLURM_STEP_NUM_TASKS");
  if (open_n > 0) launcher.name = "mpiexec of Open MPI", launcher.size = open_n;
  else if (pmi_n > 0 && read_number("MPI_LOCALNRANKS") > 0) launcher.name = "mpiexec of MPICH", launcher.size = pmi_n;
  else if (tasks_n > 1) launcher.name = "srun of Slurm", launcher.size = tasks_n;
  else if (pmi_n > 0) launcher.name = "a launcher that uses PMI", launcher.size = pmi_n;
  else if (getenv("PMIX_RANK")) launcher.name = "a launcher that uses PMIx";
}

void info_check_launcher(struct finding *f) {
  int world_n;
  MPI_Comm_size(MPI_COMM_WORLD, &world_n);
  if (!launcher.name) info_found(f, false, "none: one process, which was started directly");
  else if (launcher.size > world_n)
    info_found(f, true, "%s, %ld processes, each of which is a job of its own", launcher.name, launcher.size);
  else info_found(f, false, "%s, %d process%s", launcher.name, world_n, world_n == 1 ? "" : "es");
}

/* The CPUs of this node's units together, and the least and most that one unit has. */
static int count_cpus(int *least_n, int *most_n) {
  struct tsr_cpu_set all = {0};
  *least_n = TSR_CPUS_MAX, *most_n = 0;
  for (uint32_t local = 0; local < tsr_place_local_units(); local++) {
    const struct tsr_cpu_set *own = &tsr_heap_unit(local)->cpus;
    const int n = tsr_topology_count(own);
    for (int i = 0; i < TSR_CPUS_MAX / 64; i++) all.word[i] |= own->word[i];
    if (n < *least_n) *least_n = n;
    if (n > *most_n) *most_n = n;
  }
  return tsr_topology_count(&all);
}

void info_check_cores(struct finding *f) {
  const int units_n = (int)tsr_place_local_units(), online_n = (int)sysconf(_SC_NPROCESSORS_ONLN);
  int least_n, most_n;
  const int cpus_n = count_cpus(&least_n, &most_n);
  info_found(f, cpus_n < units_n && cpus_n < online_n, "%d unit%s on %d of %d CPUs%s", units_n, units_n == 1 ? "" : "s", cpus_n,
             online_n, cpus_n < units_n ? ": waiting units sleep at once" : "");
}

/* A progress thread runs on the CPUs of the node's units. If each of them has a unit, and the node has others, it takes time from a
 * unit without need. */
void info_check_binding(struct finding *f) {
  const int units_n = (int)tsr_place_local_units(), online_n = (int)sysconf(_SC_NPROCESSORS_ONLN);
  int least_n, most_n;
  const int cpus_n = count_cpus(&least_n, &most_n);
  const bool has_thread = tsr_place.nodes_n > 1 && !strcmp(tsr_config.progress, "thread");
  const bool is_tight = has_thread && cpus_n <= units_n && cpus_n < online_n;
  char range[32] = "";
  if (most_n > least_n) snprintf(range, sizeof range, " to %d", most_n);
  if (least_n == online_n) info_found(f, false, "units are not bound");
  else
    info_found(f, is_tight, "%d%s CPU%s for each unit%s", least_n, range, most_n == 1 ? "" : "s",
               is_tight ? ", none beside them for the progress thread" : "");
}
