/* The room of active messages comes back once they were taken: also from a unit that then computes, without a thread that polls
 * for it. Unit 0 fills all room with messages to unit 2, which takes them and leaves the library. Then it needs room for unit 3.
 * Over UCX the first acknowledgement to a unit needs further polls, which no thread makes here.
 * Units: 4
 * Wire: mpi
 */
#include "check.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <tessera.h>
#include <tessera/am.h>
#include <tessera/coll.h>

#define OK(call) CHECK_EQ(call, TESSERA_OK)

enum { TAKE, BYTES = 30000, TAG = 7 };

static int taken_n, wanted_n;

static void take(const tessera_am_t *message, void *context) {
  const unsigned char *data = message->data;
  (void)context;
  CHECK_EQ(message->bytes, BYTES);
  CHECK_EQ(data[BYTES - 1], message->args[0]);
  taken_n++;
}

static bool has_all(const void *unused) {
  (void)unused;
  return taken_n == wanted_n;
}

static tessera_status_t send_one(int32_t to, int32_t number, unsigned flags) {
  tessera_am_room_t room;
  tessera_status_t status = tessera_am_prepare_medium(&room, to, BYTES, BYTES, flags);
  if (status) return status;
  memset(room.data, number, BYTES);
  return tessera_am_commit(&room, TAKE, BYTES, &number, 1, 0);
}

static void send_all(void) {
  int n = 0;
  while (send_one(2, n % 100, TESSERA_AM_IMMEDIATE) == TESSERA_OK) n++;
  CHECK(n > 2);
  MPI_Send(&n, 1, MPI_INT, 2, TAG, MPI_COMM_WORLD);
  MPI_Recv(NULL, 0, MPI_INT, 2, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int i = 0; i < n; i++) OK(send_one(3, i % 100, 0));
  MPI_Send(NULL, 0, MPI_INT, 2, TAG, MPI_COMM_WORLD);
  MPI_Send(&n, 1, MPI_INT, 3, TAG, MPI_COMM_WORLD);
}

static void take_and_compute(void) {
  MPI_Recv(&wanted_n, 1, MPI_INT, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  OK(tessera_am_wait(has_all, NULL));
  MPI_Send(NULL, 0, MPI_INT, 0, TAG, MPI_COMM_WORLD);
  MPI_Recv(NULL, 0, MPI_INT, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* outside of the library */
}

static void take_in_time(void) {
  int has_come = 0;
  while (!has_come) {
    OK(tessera_am_poll());
    MPI_Iprobe(0, TAG, MPI_COMM_WORLD, &has_come, MPI_STATUS_IGNORE);
  }
  MPI_Recv(&wanted_n, 1, MPI_INT, 0, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  OK(tessera_am_wait(has_all, NULL));
}

int main(int argc, char **argv) {
  int level = 0;
  setenv("TESSERA_PROGRESS", "none", 1);
  setenv("TESSERA_AM_POOL", "256K", 1);
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  if (tessera_init(&argc, &argv)) return EXIT_FAILURE;
  OK(tessera_am_register(TAKE, take, NULL));
  OK(tessera_barrier(tessera_team_world()));
  if (tessera_unit() == 0) send_all();
  if (tessera_unit() == 2) take_and_compute();
  if (tessera_unit() == 3) take_in_time();
  OK(tessera_barrier(tessera_team_world()));
  OK(tessera_exit());
  MPI_Finalize();
  return check_result();
}
