/* Uses the wire between nodes in the way that the first argument names.
 *
 * all: each unit writes to every other one; own-files, their-files: unit 3 writes to unit 0, and has no descriptor left for a
 * connection, or unit 0 has none; shorter, longer: a tagged message has another size than its receive; foreign, foreign-long,
 * foreign-acks: unit 1 sends what no build of Tessera sends; leave: after a job of all units the second half have one of their own,
 * and all end MPI; idle, busy: each unit writes to every other one, and again once there is
 * the file that the second argument names, which unit 0 looks for: meanwhile nothing is sent, or without a pause.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <mpi.h>

#include <tessera.h>
#include <tessera/mpi.h>

#include "core/bootstrap.h"
#include "core/place.h"
#include "core/progress.h"
#include "core/segment.h"
#include "net/common/wire.h"
#include "rma/rma.h"

static void barrier(void) { tsr_bootstrap_barrier(tsr_team_world); }

static void write_to_all(void) {
  tsr_segment *segment = NULL;
  int32_t value = tsr_place.self;
  if (tsr_segment_alloc(tsr_team_world, sizeof value * 64, &segment)) exit(EXIT_FAILURE);
  barrier();
  for (int32_t i = 1; i < tsr_place.units_n; i++) {
    int32_t unit = (tsr_place.self + i) % tsr_place.units_n;
    tsr_put_wait(tsr_segment_address(segment, TSR_MEMBER(unit), (uint64_t)tsr_place.self * sizeof value), &value, sizeof value);
  }
  barrier();
  const int32_t *here = tsr_place_pointer(tsr_segment_address(segment, TSR_MEMBER(tsr_place.self), 0));
  for (int32_t i = 0; i < tsr_place.units_n; i++) {
    if (i != tsr_place.self && here[i] != i) exit(EXIT_FAILURE);
  }
  if (tsr_segment_free(segment)) exit(EXIT_FAILURE);
}

/* The next descriptor that this process opens fails. */
static void take_files(void) {
  struct rlimit limit;
  int next = dup(STDIN_FILENO);
  if (next < 0 || getrlimit(RLIMIT_NOFILE, &limit)) exit(EXIT_FAILURE);
  close(next);
  limit.rlim_cur = (rlim_t)next;
  if (setrlimit(RLIMIT_NOFILE, &limit)) exit(EXIT_FAILURE);
}

/* What the other units read does not depend on their file systems. */
static bool there_is(const char *file, bool sends) {
  int64_t found = 0;
  if (tsr_place.self == 0) found = access(file, F_OK) == 0;
  while (tsr_place.self == 0 && !found && !sends) {
    usleep(20000);
    found = access(file, F_OK) == 0;
  }
  tsr_bootstrap_max(tsr_team_world, &found, 1);
  return found > 0;
}

/* Three units apart are no partners of a barrier. */
static void write_to_first(void) {
  tsr_segment *segment = NULL;
  int32_t value = 1;
  if (tsr_segment_alloc(tsr_team_world, sizeof value, &segment)) exit(EXIT_FAILURE);
  barrier();
  if (tsr_place.self == 3) tsr_put_wait(tsr_segment_address(segment, TSR_MEMBER(0), 0), &value, sizeof value);
  barrier();
}

static void poll_for_ever(void) {
  for (;;) tsr_progress();
}

static void exchange(size_t sent, size_t expected) {
  static char data[4096];
  const int self = tsr_place.self;
  if (self == 1) tsr_net->send(data, &(struct tsr_net_message){.rank = 0, .tag = TSR_NET_TAG_MAX, .bytes = sent});
  if (self == 0) tsr_net->receive(data, &(struct tsr_net_message){.rank = 1, .tag = TSR_NET_TAG_MAX, .bytes = expected});
  poll_for_ever();
}

static void send_garbage(const char *what) {
  static char garbage[1 << 20];
  memset(garbage, 0x5a, sizeof garbage);
  if (tsr_place.self == 1 && strcmp(what, "foreign") == 0) tsr_wire->send_request(0, garbage, 200);
  if (tsr_place.self == 1 && strcmp(what, "foreign-long") == 0) tsr_wire->send_request(0, garbage, sizeof garbage);
  if (tsr_place.self == 1 && strcmp(what, "foreign-acks") == 0) tsr_wire->send_acks(0, garbage, 20, NULL, NULL);
  poll_for_ever();
}

static int leave(int argc, char **argv) {
  int rank, n;
  MPI_Comm half;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &n);
  MPI_Comm_split(MPI_COMM_WORLD, rank < n / 2, rank, &half);
  if (tessera_init(&argc, &argv)) return EXIT_FAILURE;
  write_to_all();
  if (tessera_exit()) return EXIT_FAILURE;
  if (rank >= n / 2) {
    if (tessera_init_comm(half)) return EXIT_FAILURE;
    write_to_all();
    if (tessera_exit()) return EXIT_FAILURE;
  }
  MPI_Finalize();
  return EXIT_SUCCESS;
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "leave") == 0) return leave(argc, argv);
  const char *what = argc > 1 ? argv[1] : "all";
  tessera_status_t status = tessera_init(&argc, &argv);
  if (status) {
    printf("refused: %s\n", tessera_status_text(status));
    return EXIT_FAILURE;
  }
  if (tsr_place.self == (strcmp(what, "own-files") == 0 ? 3 : 0) && strstr(what, "-files")) take_files();
  if (strcmp(what, "shorter") == 0) exchange(8, 100);
  if (strcmp(what, "longer") == 0) exchange(100, 8);
  if (strncmp(what, "foreign", 7) == 0) send_garbage(what);
  if (strstr(what, "-files")) write_to_first();
  else write_to_all();
  if (tsr_place.self == 0) fprintf(stderr, "all have written\n");
  if (argc > 2) {
    while (!there_is(argv[2], strcmp(what, "busy") == 0)) write_to_all();
    write_to_all();
  }
  return tessera_exit() ? EXIT_FAILURE : EXIT_SUCCESS;
}
