/* ARMCI: while a thread waits for a handle, or for a buffer to send the operations of an aggregate handle, other
 * threads of the unit use their handles; the wait may depend on their calls.
 *
 * Unit 0 gets data of the last unit, which serves the request only after a message of MPI. Another thread of unit 0
 * sends this message, after calls with handles of its own. */
#include <armci.h>

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#include <tessera/mpi.h>

#include "check.h"
#include "pattern.h"

#include "base/wait.h"

#define OK(call) CHECK_EQ(call, 0)

enum { ROUNDS = 6, BYTES = 256, FLOOD_N = 2000 /* more than all send buffers hold */ };

static MPI_Comm units;
static char *memory[64];
static int self, units_n, last;
static enum { PLAIN, AGGREGATE, FLOOD } way; /* the waiting thread's handle; FLOOD: it waits for a buffer */
static _Atomic bool waited;
static char came[2 * BYTES], flood[BYTES];

static armci_hdl_t new_handle(bool aggregate) {
  armci_hdl_t handle;
  ARMCI_INIT_HANDLE(&handle);
  if (aggregate) ARMCI_SET_AGGREGATE_HANDLE(&handle);
  return handle;
}

static void *wait_for_data(void *unused) {
  armci_hdl_t handle = new_handle(way != PLAIN);
  for (int i = 0; way == FLOOD && i < FLOOD_N; i++) OK(ARMCI_NbPut(flood, memory[last] + 2 * BYTES, BYTES, last, &handle));
  OK(ARMCI_NbGet(memory[last], came, BYTES, last, &handle));
  OK(ARMCI_NbGet(memory[last] + BYTES, came + BYTES, BYTES, last, &handle));
  OK(ARMCI_Wait(&handle));
  waited = true;
  return unused;
}

/* Only the other thread can be the one that waits. */
static void use_handles(void) {
  armci_hdl_t near = new_handle(true), far = new_handle(false), both = new_handle(true);
  char data[BYTES], back[BYTES], collected[BYTES];
  while (!tsr_wait_goes_on() && !waited) sched_yield();
  fill(data, 3, BYTES);
  OK(ARMCI_NbPut(data, memory[0], BYTES, 0, &near));
  OK(ARMCI_Wait(&near));
  if (way != FLOOD) {
    OK(ARMCI_NbGet(memory[last], back, BYTES, last, &far));
    OK(ARMCI_NbGet(memory[last], collected, BYTES, last, &both));
    (void)ARMCI_Test(&far);
    (void)ARMCI_Test(&both);
  }
  for (int unit = 1; unit < units_n; unit++) MPI_Send(&unit, 1, MPI_INT, unit, 0, units);
  OK(ARMCI_Wait(&far));
  OK(ARMCI_Wait(&both));
  CHECK_EQ(wrong(memory[0], 3, BYTES), 0);
  if (way != FLOOD) CHECK_EQ(memcmp(back, collected, BYTES), 0);
}

static void ask(int round) {
  pthread_t waiting;
  way = round % 3;
  waited = false;
  if (pthread_create(&waiting, NULL, wait_for_data, NULL)) abort();
  use_handles();
  pthread_join(waiting, NULL);
  CHECK_EQ(wrong(came + BYTES, (unsigned)round, BYTES), 0);
}

/* Between the barrier of MPI and the message the others make no calls of the library, so they serve nothing. */
static void take_part(int round) {
  int nothing;
  fill(memory[self] + BYTES, (unsigned)round, BYTES);
  ARMCI_Barrier();
  MPI_Barrier(units);
  if (self == 0) ask(round);
  else MPI_Recv(&nothing, 1, MPI_INT, 0, 0, units, MPI_STATUS_IGNORE);
  ARMCI_Barrier();
}

int main(void) {
  setenv("TESSERA_PROGRESS", "none", 1);
  setenv("TESSERA_WIRE_BUFFERS", "8", 1);
  if (ARMCI_Init_thread(MPI_THREAD_MULTIPLE)) return 77;
  self = armci_msg_me();
  units_n = armci_msg_nproc();
  last = units_n - 1;
  OK(ARMCI_Malloc((void **)memory, 3 * BYTES));
  OK(tessera_comm(&units));
  for (int round = 0; round < ROUNDS; round++) take_part(round);
  OK(ARMCI_Free(memory[self]));
  OK(ARMCI_Finalize());
  return check_result();
}
