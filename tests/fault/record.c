/* Every unit does the same operations with the next one, which statistics and timelines show. With "part" another put goes before
 * them and one after them, which are left out; with "nothing" there are none; with "twice" a job like that of "part" goes before;
 * with "halves" each half of the processes is a job. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tessera.h>
#include <tessera/am.h>
#include <tessera/coll.h>
#include <tessera/memory.h>
#include <tessera/message.h>
#include <tessera/mpi.h>

enum { PUTS_N = 10, GETS_N = 2, MESSAGES_N = 3, REQUESTS_N = 5, HANDLER = 4 };

static int requests_n;

static void need(tessera_status_t status) {
  if (status) exit(3);
}

static void on_request(const tessera_am_t *message, void *context) {
  (void)message;
  ++*(int *)context;
}

/* A job: a life of the library. */
static void run_job(const char *what, MPI_Comm comm, int *argc, char ***argv) {
  static char data[5000], got[5000];
  tessera_memory_t memory;
  requests_n = 0;
  need(comm == MPI_COMM_NULL ? tessera_init(argc, argv) : tessera_init_comm(comm));
  int32_t self = tessera_unit(), units_n = tessera_units(), next = (self + 1) % units_n, last = (self + units_n - 1) % units_n;
  need(tessera_am_register(HANDLER, on_request, &requests_n));
  need(tessera_memory_allocate(tessera_team_world(), sizeof data, &memory));
  tessera_address_t to = tessera_address(memory, next, 0);
  if (!strcmp(what, "part")) {
    need(tessera_record(0));
    need(tessera_put(to, data, 17));
    need(tessera_record(1));
  }
  for (int i = 0; i < PUTS_N && strcmp(what, "nothing"); i++) need(tessera_put(to, data, 8));
  for (int i = 0; i < GETS_N && strcmp(what, "nothing"); i++) need(tessera_get(got, to, sizeof data));
  for (int i = 0; i < MESSAGES_N && strcmp(what, "nothing"); i++) {
    need(tessera_send(data, 100, next, i));
    need(tessera_receive(got, sizeof got, last, i, NULL));
  }
  for (int i = 0; i < REQUESTS_N && strcmp(what, "nothing"); i++)
    need(tessera_am_request_medium(next, HANDLER, data, 64, NULL, 0, 0));
  while (requests_n < REQUESTS_N && strcmp(what, "nothing")) need(tessera_am_poll());
  if (!strcmp(what, "part")) {
    need(tessera_record(0));
    need(tessera_put(to, data, 19));
  }
  need(tessera_exit());
  if (tessera_record(1) != TESSERA_ERR_STATE) exit(4);
}

static MPI_Comm own_half(int *argc, char ***argv) {
  MPI_Comm half;
  int rank, size;
  MPI_Init(argc, argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_split(MPI_COMM_WORLD, rank < size / 2, rank, &half);
  return half;
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  MPI_Comm comm = strcmp(what, "halves") ? MPI_COMM_NULL : own_half(&argc, &argv);
  if (!strcmp(what, "twice")) run_job("part", comm, &argc, &argv);
  run_job(what, comm, &argc, &argv);
  if (comm == MPI_COMM_NULL) return EXIT_SUCCESS;
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return EXIT_SUCCESS;
}
