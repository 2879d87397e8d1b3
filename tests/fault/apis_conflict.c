/* Unit 0 accesses 100 bytes of the last unit's memory, and then unit 1 does. The first argument is the interface, the second what
 * the units do, or what lies between the accesses. MPI makes the second access the later one, which Tessera does not see. */
#include <mpi.h>
#include <armci.h>
#include <dash/dart/if/dart.h>
#include <dash/dart/if/dart_ext.h>
#define GASNET_PAR 1
#include <gasnetex.h>
#include <shmem.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/memory.h>

enum { BYTES = 100, EACH = 128, MANY = 7, FLAG_OFF = MANY * EACH, ALL_BYTES = 1024 };
static const char *what;
static int me, last;
static char data[BYTES];
static dart_gptr_t gptr; /* of the memory */
static char *own, *theirs; /* its addresses here, and at the last unit */

#define MUST(call) \
  if (call) fprintf(stderr, "%s failed\n", #call), exit(EXIT_FAILURE)

static bool is(const char *name) { return strcmp(what, name) == 0; }

static dart_gptr_t place_of(size_t off) {
  dart_gptr_t place = gptr;
  dart_gptr_incaddr(&place, (int64_t)off);
  return place;
}
static void put_dart(size_t off) { MUST(dart_put_blocking(place_of(off), data, BYTES, DART_TYPE_BYTE, DART_TYPE_BYTE)); }
static void get_dart(size_t off) { MUST(dart_get_blocking(data, place_of(off), BYTES, DART_TYPE_BYTE, DART_TYPE_BYTE)); }

static void put_armci(size_t off) { MUST(ARMCI_Put(data, theirs + off, BYTES, last)); }
static void get_armci(size_t off) { MUST(ARMCI_Get(theirs + off, data, BYTES, last)); }

static void put_shmem(size_t off) { shmem_putmem(own + off, data, BYTES, last); }
static void get_shmem(size_t off) { shmem_getmem(data, own + off, BYTES, last); }

static gex_TM_t all;
static void put_gasnet(size_t off) { MUST(gex_RMA_PutBlocking(all, (gex_Rank_t)last, theirs + off, data, BYTES, 0)); }
static void get_gasnet(size_t off) { MUST(gex_RMA_GetBlocking(all, data, (gex_Rank_t)last, theirs + off, BYTES, 0)); }

static tessera_memory_t memory;
static void put_native(size_t off) { MUST(tessera_put(tessera_address(memory, last, off), data, BYTES)); }
static void get_native(size_t off) { MUST(tessera_get(data, tessera_address(memory, last, off), BYTES)); }

static const struct interface {
  const char *name;
  void (*put)(size_t off), (*get)(size_t off);
} interfaces[] = {{"dart", put_dart, get_dart},
                  {"armci", put_armci, get_armci},
                  {"shmem", put_shmem, get_shmem},
                  {"gasnet", put_gasnet, get_gasnet},
                  {"native", put_native, get_native}};

static void pass_turn(int from, int to) {
  int nothing = 0;
  if (me == from) MPI_Send(&nothing, 1, MPI_INT, to, 0, MPI_COMM_WORLD);
  if (me == to) MPI_Recv(&nothing, 1, MPI_INT, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Orders the accesses, if the second argument says so. */
static void come_between(dart_lock_t lock) {
  long one = 1, old;
  if (is("barrier")) MUST(dart_barrier(DART_TEAM_ALL));
  if (is("flag") && me == 0) MUST(dart_put_blocking(place_of(FLAG_OFF), &one, 1, DART_TYPE_LONG, DART_TYPE_LONG));
  if (is("atomic") && me == 0) MUST(dart_fetch_and_op(place_of(FLAG_OFF), &one, &old, DART_TYPE_LONG, DART_OP_SUM));
  if (is("message") && me == 0) MUST(dart_send(&one, 1, DART_TYPE_LONG, 1, DART_GLOBAL_UNIT_ID(1)));
  if (is("synchronous message") && me == 0) MUST(dart_ssend(&one, 1, DART_TYPE_LONG, 1, DART_GLOBAL_UNIT_ID(1)));
  if (strstr(what, "message") && me == 1) MUST(dart_recv(&old, 1, DART_TYPE_LONG, 1, DART_GLOBAL_UNIT_ID(0)));
  if (is("lock") && me == 0) MUST(dart_lock_release(lock));
  pass_turn(0, 1);
}

static void run(const struct interface *interface) {
  const int n = is("many") ? MANY : 1;
  const size_t second = is("apart") ? BYTES : is("overlap") ? BYTES - 1 : 0;
  const bool first_reads = is("get-put") || is("get-get"), second_reads = is("put-get") || is("get-get");
  dart_lock_t lock;
  MUST(dart_team_lock_init(DART_TEAM_ALL, &lock));
  if (is("lock") && me == 0) MUST(dart_lock_acquire(lock));
  for (int i = 0; me == 0 && i < n; i++) (first_reads ? interface->get : interface->put)((size_t)i * EACH);
  come_between(lock);
  for (int i = 0; me == 1 && i < n; i++) (second_reads ? interface->get : interface->put)((size_t)i * EACH + second);
  pass_turn(1, 0); /* until here unit 0 does not synchronise */
  MUST(dart_barrier(DART_TEAM_ALL));
  MUST(dart_team_lock_destroy(&lock));
}

static gex_Client_t client;
static void start_others(void) {
  gex_EP_t endpoint;
  MUST(ARMCI_Init());
  shmem_init();
  MUST(tessera_init(NULL, NULL));
  MUST(gex_Client_Init(&client, &endpoint, &all, "CONFLICT", NULL, NULL, 0));
  MUST(tessera_memory_allocate(tessera_team_world(), ALL_BYTES, &memory));
}

static void end_all(void) {
  MUST(tessera_memory_free(&memory));
  MUST(tessera_gex_finalize(client));
  MUST(tessera_exit());
  shmem_finalize();
  MUST(ARMCI_Finalize());
  dart_gptr_setunit(&gptr, DART_TEAM_UNIT_ID(0));
  MUST(dart_team_memfree(gptr));
  MUST(dart_exit());
}

int main(int argc, char **argv) {
  if (argc < 3) return 99;
  const struct interface *interface = interfaces;
  while (strcmp(interface->name, argv[1])) interface++;
  what = argv[2];
  MUST(dart_init(&argc, &argv));
  dart_global_unit_t self;
  size_t size;
  dart_myid(&self);
  dart_size(&size);
  me = self.id;
  last = (int)size - 1;
  MUST(dart_team_memalloc_aligned(DART_TEAM_ALL, ALL_BYTES, DART_TYPE_BYTE, &gptr));
  dart_gptr_setunit(&gptr, DART_TEAM_UNIT_ID(me));
  MUST(dart_gptr_getaddr(gptr, (void **)&own));
  theirs = own;
  MPI_Bcast(&theirs, sizeof theirs, MPI_BYTE, last, MPI_COMM_WORLD);
  dart_gptr_setunit(&gptr, DART_TEAM_UNIT_ID(last));
  start_others();
  run(interface);
  end_all();
  return 0;
}
