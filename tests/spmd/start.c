/* Starts that fail on one unit: all units get an error and may try again, or adapt to that unit. */
#include "check.h"

#include <fcntl.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "core/bootstrap.h"
#include "core/place.h"

static int self, units_n;

static rlim_t file_bytes(void) { return 1 << 16; }

static rlim_t open_files(void) {
  int next = open("/dev/null", O_RDONLY);
  close(next);
  return (rlim_t)next;
}

static rlim_t address_space_and_a_gigabyte(void) {
  long pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  CHECK(file && fscanf(file, "%ld", &pages) == 1);
  if (file) fclose(file);
  return ((rlim_t)pages * 4096) + (1 << 30);
}

/* Starts with a limit on one unit, which is set during the start only, as it also applies to MPI. */
static tessera_status_t start_with(int unit, int resource, rlim_t (*limit)(void)) {
  struct rlimit usual;
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK_EQ(getrlimit(resource, &usual), 0);
  if (self == unit) CHECK_EQ(setrlimit(resource, &(struct rlimit){limit(), usual.rlim_max}), 0);
  tessera_status_t status = tessera_init(NULL, NULL);
  CHECK_EQ(setrlimit(resource, &usual), 0);
  return status;
}

static void fails_everywhere(int unit, int resource, rlim_t (*limit)(void)) {
  int files = entries("/proc/self/fd");
  CHECK_EQ(start_with(unit, resource, limit), self == unit ? TESSERA_ERR_SYSTEM : TESSERA_ERR_PEER);
  CHECK_EQ(tessera_units(), -1);
  CHECK(entries("/proc/self/fd") <= files); /* MPI may have closed some */
}

static void heaps_are_halved(void) {
  if (start_with(0, RLIMIT_AS, address_space_and_a_gigabyte)) exit(EXIT_FAILURE);
  int64_t v[2] = {tsr_heap.slice_shift, -(int64_t)tsr_heap.slice_shift};
  tsr_bootstrap_max(tsr_team_world, v, 2);
  CHECK_EQ(v[0], -v[1]);
  CHECK(v[0] >= TSR_HEAP_SLICE_ORDER_MIN && v[0] < 30);
  CHECK_EQ(tessera_exit(), TESSERA_OK);
}

/* So that MPI has opened its descriptors before they are counted. */
static void meet_everybody(void) {
  for (int i = 1; i < units_n; i++) {
    int got, to = (self + i) % units_n, from = (self - i + units_n) % units_n;
    MPI_Sendrecv(&self, 1, MPI_INT, to, 0, &got, 1, MPI_INT, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK_EQ(got, from);
  }
}

int main(int argc, char **argv) {
  setenv("TESSERA_HEAP_SIZE", "4G", 1);
  signal(SIGXFSZ, SIG_IGN);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &self);
  MPI_Comm_size(MPI_COMM_WORLD, &units_n);
  meet_everybody();
  fails_everywhere(0, RLIMIT_FSIZE, file_bytes);
  fails_everywhere(units_n - 1, RLIMIT_NOFILE, open_files);
  heaps_are_halved();
  MPI_Finalize();
  return check_result();
}
