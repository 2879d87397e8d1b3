/* apis_no_exit INTERFACE END: a program that starts an interface, uses it, and never calls its exit function.
 *
 * INTERFACE: tessera; dart; armci; twice: ARMCI, started twice and ended once; half: the same on every second process, which
 * are the job, as a later Global Arrays does it on a communicator (END is finalize); gasnet; shmem; start_pes: OpenSHMEM, started
 * by that call; both: DART and ARMCI.
 * END: return; exit; exit3: with that code; finalize: it started MPI, and finalises it first; both: and calls shmem_finalize then;
 * own: it started MPI, and does not finalise it; mixed: some units return and some exit, at different times. In these cases all
 * units end in the same way. some: every second unit calls the exit function of OpenSHMEM, and is early or late; barrier: unit 0
 * does so, and the others are in a barrier; dies: unit 0 does so, and unit 1 dies when that waits. started: unit 0 has started a
 * collective that the others have not; started_finalize: the same, and all finalise MPI, which they started; waits: a thread of
 * unit 0 waits for a message that is not sent; puts: unit 0 returns with puts to the last unit outstanding, for whose data that one
 * waits; alone: the last unit returns while the others work and make no calls. */
#define GASNET_SEQ 1
#include <gasnetex.h>

#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <armci.h>
#include <dash/dart/if/dart.h>
#include <dash/dart/if/dart_ext.h>
#include <shmem.h>
#include <tessera.h>

#include "base/wait.h"
#include "node/heap.h"

static long brought[4];
static long in = 1, sum;

#define MUST(call) \
  if ((call) != 0) exit(3)

/* Leaves memory, a team, a lock and a message behind. */
static void use_dart(void) {
  dart_global_unit_t self;
  dart_gptr_t gptr, local, registered;
  dart_team_t team;
  dart_lock_t lock;
  MUST(dart_myid(&self));
  MUST(dart_team_clone(DART_TEAM_ALL, &team));
  MUST(dart_team_memalloc_aligned(team, 100, DART_TYPE_LONG, &gptr));
  MUST(dart_memalloc(100, DART_TYPE_LONG, &local));
  MUST(dart_team_memregister(DART_TEAM_ALL, 4, DART_TYPE_LONG, brought, &registered));
  MUST(dart_team_lock_init(DART_TEAM_ALL, &lock));
  MUST(dart_put_blocking(gptr, &in, 1, DART_TYPE_LONG, DART_TYPE_LONG));
  MUST(dart_put(registered, &in, 1, DART_TYPE_LONG, DART_TYPE_LONG));
  MUST(dart_send(&in, 1, DART_TYPE_LONG, 5, self)); /* never received */
  MUST(dart_barrier(DART_TEAM_ALL));
}

static void use_armci(void) {
  void *memory[64];
  MUST(ARMCI_Malloc(memory, 1000));
  MUST(ARMCI_Create_mutexes(2));
  ARMCI_Barrier();
}

static void use_half(void) {
  int rank;
  MPI_Comm half;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  if (rank % 2 == 0) {
    MUST(ARMCI_Init_mpi_comm(half) != 1);
    MUST(ARMCI_Init_mpi_comm(half) != 1);
    use_armci();
    MUST(ARMCI_Finalize());
  }
}

static void use_gasnet(void) {
  gex_Client_t client;
  gex_EP_t ep;
  gex_TM_t all;
  MUST(gex_Client_Init(&client, &ep, &all, "NO_EXIT", NULL, NULL, 0));
  gex_Event_Wait(gex_Coll_BarrierNB(all, 0));
}

/* Leaves a block, a team, a context and a static variable that others have changed behind. */
static void use_shmem(void) {
  shmem_team_t team;
  shmem_ctx_t ctx;
  shmem_init();
  MUST(!shmem_malloc(1000));
  MUST(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, shmem_n_pes(), NULL, 0, &team));
  MUST(shmem_team_create_ctx(team, 0, &ctx));
  shmem_ctx_long_p(ctx, &sum, 5, (shmem_my_pe() + 1) % shmem_n_pes());
}

static void use_start_pes(void) {
  start_pes(0);
  shmem_long_p(&sum, 5, (shmem_my_pe() + 1) % shmem_n_pes());
}

static void use(const char *interface) {
  bool both = !strcmp(interface, "both"), twice = !strcmp(interface, "twice");
  MUST(tessera_init(NULL, NULL)); /* so that the units are known with every interface */
  if (both || !strcmp(interface, "dart")) MUST(dart_init(NULL, NULL)), use_dart();
  if (both || twice || !strcmp(interface, "armci")) MUST(ARMCI_Init()), use_armci();
  if (twice) {
    MUST(ARMCI_Init());
    MUST(ARMCI_Finalize());
  }
  if (!strcmp(interface, "gasnet")) use_gasnet();
  if (!strcmp(interface, "shmem")) use_shmem();
  if (!strcmp(interface, "start_pes")) use_start_pes();
}

static void end_some(const char *end, int self) {
  if (!strcmp(end, "dies") && self) {
    while (tsr_wait_reason(&tsr_heap_unit(0)->why).kind != TSR_WAIT_END) usleep(1000);
    raise(SIGKILL);
  }
  if (!strcmp(end, "barrier") && self) shmem_barrier_all();
  if (self == 1 || self == 2) usleep(30000);
  if (self % 2 == 0) shmem_finalize();
}

static void *receive_nothing(void *arg) {
  long received;
  dart_recv(&received, 1, DART_TYPE_LONG, 77, (dart_global_unit_t){tessera_units() - 1});
  return arg;
}

/* Returns while the thread sleeps in its wait. */
static void wait_in_thread(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, receive_nothing, NULL);
  while (tsr_wait_reason(&tsr_heap_unit(0)->why).kind == TSR_WAIT_NONE) usleep(1000);
}

/* Unit 0 returns with its puts outstanding; the last unit when it has the data of all. */
static void put_and_leave(int self, int last) {
  enum { PUTS_N = 50, BYTES = 40000 };
  static char data[PUTS_N * BYTES];
  dart_gptr_t gptr;
  volatile char *mine;
  MUST(dart_team_memalloc_aligned(DART_TEAM_ALL, sizeof data, DART_TYPE_BYTE, &gptr));
  MUST(dart_gptr_setunit(&gptr, DART_TEAM_UNIT_ID(self)));
  MUST(dart_gptr_getaddr(gptr, (void **)(uintptr_t)&mine));
  memset((char *)(uintptr_t)mine, 0, sizeof data);
  MUST(dart_barrier(DART_TEAM_ALL));
  memset(data, 1, sizeof data);
  MUST(dart_gptr_setunit(&gptr, DART_TEAM_UNIT_ID(last)));
  for (int i = 0; i < PUTS_N && self == 0; i++) {
    MUST(dart_put(gptr, data + i * BYTES, BYTES, DART_TYPE_BYTE, DART_TYPE_BYTE));
    MUST(dart_gptr_incaddr(&gptr, BYTES));
  }
  for (int i = 0; i < PUTS_N * BYTES && self == last; i++) {
    while (!mine[i]) usleep(1000);
  }
}

int main(int argc, char **argv) {
  if (argc < 3) return 3;
  const char *end = argv[2];
  const bool finalizes = !strcmp(end, "finalize") || !strcmp(end, "started_finalize") || !strcmp(end, "both");
  if (finalizes || !strcmp(end, "own")) MPI_Init(&argc, &argv);
  if (!strcmp(argv[1], "half")) {
    use_half();
    MPI_Finalize();
    return 0;
  }
  use(argv[1]);
  int self = tessera_unit(), last = tessera_units() - 1;
  if (strcmp(argv[1], "tessera")) MUST(tessera_exit());
  if (!strcmp(end, "some") || !strcmp(end, "barrier") || !strcmp(end, "dies")) end_some(end, self);
  dart_handle_t handle;
  if (!strncmp(end, "started", 7) && self == 0)
    MUST(dart_iallreduce(&in, &sum, 1, DART_TYPE_LONG, DART_OP_SUM, DART_TEAM_ALL, &handle));
  if (!strcmp(end, "waits") && self == 0) wait_in_thread();
  if (!strcmp(end, "puts")) put_and_leave(self, last);
  if (finalizes) MPI_Finalize();
  if (!strcmp(end, "both")) shmem_finalize();
  if (!strcmp(end, "exit")) exit(0);
  if (!strcmp(end, "exit3")) exit(3);
  if (!strcmp(end, "mixed")) usleep(30000 * (unsigned)(self % 3));
  if (!strcmp(end, "mixed") && self % 2) exit(0);
  while (!strcmp(end, "alone") && self != last) usleep(1000);
  return 0;
}
