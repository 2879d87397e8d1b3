/* Many lives of DART in one process. Each uses objects of all kinds and leaves half of them behind: memory, descriptors
 * and threads do not add up. The library starts MPI, or the program if OWN_MPI is defined. Soak includes this file for
 * more lives.
 */
#include "dart_check.h"

#include <unistd.h>

#include <dash/dart/if/dart_locality.h>
#include <tessera/mpi.h>

#ifndef LIVES
#define LIVES 30
#endif
#ifndef OWN_MPI
#define OWN_MPI false
#endif

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED true
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED true
#endif
#ifndef SANITIZED
#define SANITIZED false
#endif

enum { WARM_UP = LIVES / 5, PAGE_BYTES = 4096, GROWTH_BYTES = 1 << 18 };

/* Resources that must not grow in a process. Private memory: resident and not shared. */
struct usage {
  long mapped_bytes, private_bytes;
  int files_n, threads_n;
};

static struct usage usage_now(void) {
  struct usage usage = {0, 0, entries("/proc/self/fd"), entries("/proc/self/task")};
  long size = 0, resident = 0, common = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  CHECK(file && fscanf(file, "%ld %ld %ld", &size, &resident, &common) == 3);
  if (file) fclose(file);
  usage.mapped_bytes = size * PAGE_BYTES;
  usage.private_bytes = (resident - common) * PAGE_BYTES;
  return usage;
}

static void compare(const struct usage *before, const struct usage *after) {
  CHECK_EQ(after->files_n, before->files_n);
  CHECK_EQ(after->threads_n, before->threads_n);
  long grown = after->private_bytes - before->private_bytes, mapped = after->mapped_bytes - before->mapped_bytes;
  if (self == 0) printf("%d more lives: %ld more private bytes, %ld mapped\n", LIVES - WARM_UP, grown, mapped);
  if (SANITIZED) return; /* the library keeps freed memory for reuse */
  CHECK(grown < GROWTH_BYTES);
  CHECK(mapped < 16 * GROWTH_BYTES);
}

static dart_global_unit_t unit(int number) { return DART_GLOBAL_UNIT_ID((number + units_n) % units_n); }

static void transfers(dart_team_t team, bool tidy) {
  enum { N = 200 };
  int me = team_self(team), n = team_units_n(team), data[N], back[N] = {0};
  dart_datatype_t pairs = DART_TYPE_UNDEFINED;
  OK(dart_type_create_strided(DART_TYPE_INT, 4, 2, &pairs));
  for (int i = 0; i < N; i++) data[i] = 1000 * me + i;
  dart_gptr_t base = team_alloc(team, 2 * N, DART_TYPE_INT), there = at(base, (me + 1) % n, 0);
  dart_handle_t handle = DART_HANDLE_NULL, given_up = DART_HANDLE_NULL;
  OK(dart_put(there, data, N, DART_TYPE_INT, pairs));
  OK(dart_flush(there));
  OK(dart_get_handle(back, there, N, pairs, DART_TYPE_INT, &handle));
  OK(dart_wait(&handle));
  CHECK_EQ(memcmp(data, back, sizeof data), 0);
  OK(dart_put_handle(there, data, N, DART_TYPE_INT, pairs, &given_up));
  OK(dart_flush(there)); /* its handle stays */
  OK(dart_barrier(team));
  if (tidy) OK(dart_handle_free(&given_up));
  if (tidy) OK(dart_team_memfree(base));
  OK(dart_type_destroy(&pairs)); /* the library does not free types */
}

static void locks_and_atomics(dart_team_t team, bool tidy) {
  dart_lock_t lock = DART_LOCK_NULL;
  dart_gptr_t words = team_alloc(team, 1, DART_TYPE_LONG);
  int64_t one = 1, before = -1, *mine = own_part(words, team_self(team));
  *mine = 0;
  OK(dart_team_lock_init(team, &lock));
  OK(dart_lock_acquire(lock));
  OK(dart_lock_release(lock));
  OK(dart_fetch_and_op(at(words, 0, 0), &one, &before, DART_TYPE_LONG, DART_OP_SUM));
  OK(dart_flush(words));
  CHECK(before >= 0 && before < units_n);
  OK(dart_barrier(team));
  if (tidy) OK(dart_team_lock_destroy(&lock));
  if (tidy) OK(dart_team_memfree(words));
}

/* Memory of all kinds. */
static void allocations(dart_team_t team, bool tidy) {
  static unsigned char data[3000];
  dart_gptr_t registered = DART_GPTR_NULL, block = DART_GPTR_NULL, own = DART_GPTR_NULL;
  dart_allocator_t pool = DART_ALLOCATOR_NULL;
  int me = team_self(team), n = team_units_n(team);
  unsigned char byte = (unsigned char)me;
  OK(dart_team_memregister(team, sizeof data, DART_TYPE_BYTE, data, &registered));
  OK(dart_put_blocking(at(registered, (me + 1) % n, 7), &byte, 1, DART_TYPE_BYTE, DART_TYPE_BYTE));
  OK(dart_allocator_new(10000, team, &pool));
  OK(dart_allocator_alloc(10, DART_TYPE_DOUBLE, &block, pool));
  OK(dart_memalloc(1 << 16, DART_TYPE_BYTE, &own));
  memset(own_part(own, self), 1, 1 << 16);
  OK(dart_barrier(team));
  CHECK_EQ(data[7], (unsigned char)((me + n - 1) % n));
  OK(dart_barrier(team));
  if (!tidy) return;
  OK(dart_memfree(own));
  OK(dart_allocator_free(&block, pool));
  OK(dart_allocator_destroy(&pool));
  OK(dart_team_memderegister(registered));
}

/* The second message stays unreceived in lives that free nothing. */
static void messages(int life, bool tidy) {
  int got = -1;
  OK(dart_send(&life, 1, DART_TYPE_INT, 5, unit(self + 1)));
  OK(dart_send(&life, 1, DART_TYPE_INT, 6, unit(self + 1)));
  OK(dart_recv(&got, 1, DART_TYPE_INT, 5, unit(self - 1)));
  CHECK_EQ(got, life);
  if (tidy) OK(dart_recv(&got, 1, DART_TYPE_INT, 6, unit(self - 1)));
}

static void locality(dart_team_t team, bool tidy) {
  dart_domain_locality_t *root = NULL;
  dart_unit_locality_t *record = NULL;
  OK(dart_domain_team_locality(team, ".", &root));
  CHECK(root && root->num_units == team_units_n(team));
  OK(dart_unit_locality(team, DART_TEAM_UNIT_ID(0), &record));
  if (tidy) OK(dart_team_locality_finalize(team));
}

static void use(dart_team_t team, bool tidy) {
  int one = 1, sum = 0;
  transfers(team, tidy);
  locks_and_atomics(team, tidy);
  allocations(team, tidy);
  locality(team, tidy);
  OK(dart_allreduce(&one, &sum, 1, DART_TYPE_INT, DART_OP_SUM, team));
  CHECK_EQ(sum, team_units_n(team));
}

static void live(int life) {
  bool tidy = life % 2;
  MPI_Comm comm = MPI_COMM_NULL;
  dart_thread_support_level_t level = DART_THREAD_SINGLE;
  if (life % 3 == 2) OK(dart_init_thread(NULL, NULL, &level));
  else OK(dart_init(NULL, NULL));
  learn_units();
  unsigned even = EVEN_UNITS & ((1u << units_n) - 1), odd = ODD_UNITS & ((1u << units_n) - 1);
  dart_team_t first = team_of(even), second = odd ? team_of(odd) : DART_TEAM_NULL;
  dart_team_t half = first != DART_TEAM_NULL ? first : second;
  use(DART_TEAM_ALL, tidy);
  use(half, tidy);
  messages(life, tidy);
  CHECK_EQ(tessera_comm(&comm), TESSERA_OK);
  if (tidy) OK(dart_team_destroy(&half));
  OK(dart_exit());
}

int main(int argc, char **argv) {
  struct usage warm = {0}, end;
  int provided;
  if (OWN_MPI) MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  for (int life = 0; life < LIVES; life++) {
    live(life);
    if (life + 1 == WARM_UP) warm = usage_now();
  }
  end = usage_now();
  compare(&warm, &end);
  if (OWN_MPI) MPI_Finalize();
  return check_result();
}
