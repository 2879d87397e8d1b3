/* Atomics of all interfaces, and of the processor, change the same words at once, and no change is lost; floating point in
 * OpenSHMEM and in a GASNet domain likewise (docs/memory-model.md).
 * Group: apis_calls
 */
#include <armci.h>
#include <dash/dart/if/dart.h>

#define GASNET_PAR 1
#include <gasnetex.h>
#include <gasnet_ratomic.h>

#include "shmem_check.h"

enum { ROUNDS = 100, WAYS_N = 5, LEAST_MS = 200 };

struct words {
  long sum;
  float level;
  double level_of_double;
};
static struct words **of; /* each PE's own words, as it knows them */
static gex_Client_t client;
static gex_TM_t all;
static dart_gptr_t registered;

static void start_all(int *argc, char ***argv) {
  gex_EP_t endpoint;
  static struct words *mine;
  CHECK_EQ(dart_init(argc, argv), DART_OK);
  start();
  CHECK_EQ(ARMCI_Init(), 0);
  CHECK_EQ(gex_Client_Init(&client, &endpoint, &all, "ATOMIC", NULL, NULL, 0), GASNET_OK);
  mine = shmem_calloc(1, sizeof *mine);
  of = shmem_calloc((size_t)pes, sizeof *of);
  OK(shmem_fcollectmem(SHMEM_TEAM_WORLD, of, &mine, sizeof mine));
  CHECK_EQ(dart_team_memregister(DART_TEAM_ALL, sizeof *mine, DART_TYPE_BYTE, mine, &registered), DART_OK);
}

static void end_all(void) {
  CHECK_EQ(dart_team_memderegister(registered), DART_OK);
  CHECK_EQ(tessera_gex_finalize(client), GASNET_OK);
  CHECK_EQ(ARMCI_Finalize(), 0);
  shmem_finalize();
  CHECK_EQ(dart_exit(), DART_OK);
}

static int64_t milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* All PEs are at it for a while, so that they meet on a word, also if each round is short. */
static bool goes_on(int round, int64_t begun_ms) { return round < ROUNDS || milliseconds() < begun_ms + LEAST_MS; }

static long sum_of_all(long value) {
  static long mine, sum;
  mine = value;
  OK(shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &sum, &mine, 1));
  return sum;
}

/* Each round adds WAYS_N to the sum of each PE, and 1 to the caller's. */
static void add_to_sums(void) {
  gex_AD_t domain;
  int round = 0;
  gex_AD_Create(&domain, all, GEX_DT_I64, GEX_OP_ADD | GEX_OP_FADD, 0);
  shmem_barrier_all();
  for (int64_t begun_ms = milliseconds(); goes_on(round, begun_ms); round++) {
    for (int pe = 0; pe < pes; pe++) {
      const long one = 1;
      long old = -1;
      int64_t was = -1;
      dart_gptr_t there = registered;
      dart_gptr_setunit(&there, DART_TEAM_UNIT_ID(pe));
      shmem_long_atomic_add(&of[me]->sum, 1, pe);
      CHECK_EQ(ARMCI_Rmw(ARMCI_FETCH_AND_ADD_LONG, &old, &of[pe]->sum, 1, pe), 0);
      gex_Event_Wait(gex_AD_OpNB_I64(domain, NULL, (gex_Rank_t)pe, (int64_t *)&of[pe]->sum, GEX_OP_ADD, 1, 0, 0));
      gex_Event_Wait(gex_AD_OpNB_I64(domain, &was, (gex_Rank_t)pe, (int64_t *)&of[pe]->sum, GEX_OP_FADD, 1, 0, 0));
      CHECK_EQ(dart_accumulate(there, &one, 1, DART_TYPE_LONG, DART_OP_SUM), DART_OK);
      CHECK_EQ(dart_flush(there), DART_OK);
      CHECK(old >= 0 && was > old);
    }
    __atomic_fetch_add(&of[me]->sum, 1, __ATOMIC_RELAXED);
  }
  shmem_barrier_all();
  CHECK_EQ(of[me]->sum, WAYS_N * sum_of_all(round) + round);
  gex_AD_Destroy(domain);
}

/* GASNet adds 1 to the level of one PE after the other, OpenSHMEM takes what is there, and leaves 0. What all have taken, and what
 * is left, is what was added. All numbers are small whole ones, so that their sums are exact. */
static void exchange_levels(void) {
  gex_AD_t domain, domain_of_doubles;
  long taken = 0, taken_of_doubles = 0;
  int round = 0;
  gex_AD_Create(&domain, all, GEX_DT_FLT, GEX_OP_ADD, 0);
  gex_AD_Create(&domain_of_doubles, all, GEX_DT_DBL, GEX_OP_ADD, 0);
  shmem_barrier_all();
  for (int64_t begun_ms = milliseconds(); goes_on(round, begun_ms); round++) {
    const int pe = (me + round) % pes;
    gex_Event_Wait(gex_AD_OpNB_FLT(domain, NULL, (gex_Rank_t)pe, &of[pe]->level, GEX_OP_ADD, 1, 0, 0));
    gex_Event_Wait(gex_AD_OpNB_DBL(domain_of_doubles, NULL, (gex_Rank_t)pe, &of[pe]->level_of_double, GEX_OP_ADD, 1, 0, 0));
    taken += (long)shmem_float_atomic_swap(&of[me]->level, 0, (round / 2) % pes);
    taken_of_doubles += (long)shmem_double_atomic_swap(&of[me]->level_of_double, 0, (round / 2) % pes);
  }
  shmem_barrier_all();
  const long added = sum_of_all(round);
  CHECK_EQ(sum_of_all(taken + (long)of[me]->level), added);
  CHECK_EQ(sum_of_all(taken_of_doubles + (long)of[me]->level_of_double), added);
  gex_AD_Destroy(domain);
  gex_AD_Destroy(domain_of_doubles);
}

int main(int argc, char **argv) {
  start_all(&argc, &argv);
  add_to_sums();
  exchange_levels();
  end_all();
  return check_result();
}
