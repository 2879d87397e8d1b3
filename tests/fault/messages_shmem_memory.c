/* OpenSHMEM without private memory, a case for each message; see support/golden.h. */
#include "support/no_memory.h"

#include <shmem.h>

#include "support/golden.h"

enum { LOCKS_N = 16 };
static long locks[2][LOCKS_N], sync_[SHMEM_SYNC_SIZE];
static int me;

static bool start(int *argc, char ***argv) {
  (void)argc, (void)argv;
  shmem_init();
  me = shmem_my_pe();
  return true;
}

/* ---- start and end ---- */

static bool start_without(void) {
  no_memory.after_start = 0;
  shmem_init();
  return false;
}

static bool finalize_without(void) {
  no_memory_from(0, 4096);
  shmem_finalize();
  return false;
}

/* ---- sets, teams, blocks ---- */

static bool use_set(int after) {
  no_memory_after(after);
  shmem_sync(me, 0, 1, sync_);
  return false;
}
static bool list_set(void) { return use_set(0); }
static bool make_team_of_set(void) { return use_set(2); }

/* There is room for 16 sets. Of one PE they are the same team, but different sets. */
static bool keep_set(void) {
  enum { SETS_N = 16 };
  int allocations_n = 0;
  for (int i = 0; i < SETS_N; i++) {
    no_memory_count_begin();
    shmem_sync(me, i, 1, sync_);
    allocations_n = no_memory_count_end();
  }
  no_memory_after(allocations_n);
  shmem_sync(me, SETS_N, 1, sync_);
  return false;
}

/* The last allocation is the interface's own. */
static bool split_team(void) {
  shmem_team_t team;
  no_memory_count_begin();
  shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 1, NULL, 0, &team);
  no_memory_after(no_memory_count_end() - 1);
  shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 1, NULL, 0, &team);
  return false;
}

static bool align_block(void) {
  no_memory_after(0);
  void *block = shmem_align(1 << 20, 8);
  no_memory_end();
  return !block;
}

/* ---- locks ---- */

static bool use_lock(int after) {
  no_memory_after(after);
  shmem_set_lock(locks[0]);
  return false;
}
static bool make_table(void) { return use_lock(0); }
static bool make_lock(void) { return use_lock(1); }

/* ---- PE 1, with PE 0 of another node, which sleeps: requests wait ---- */

static void use_up_requests(void) {
  void *block = shmem_malloc(sizeof me);
  no_memory_unit_0_sleeps(me);
  no_memory_for_requests(0, block);
}

/* Some of the locks lie on the other node. */
static void change_locks(bool sets) {
  for (int i = 0; i < LOCKS_N; i++) sets ? shmem_set_lock(&locks[me][i]) : shmem_clear_lock(&locks[me][i]);
}

static bool set_lock(void) {
  change_locks(true);
  change_locks(false);
  use_up_requests();
  change_locks(true);
  return false;
}

static bool test_lock(void) {
  change_locks(true);
  change_locks(false);
  use_up_requests();
  for (int i = 0; i < LOCKS_N; i++) shmem_test_lock(&locks[me][i]);
  return false;
}

static bool clear_lock(void) {
  change_locks(true);
  use_up_requests();
  change_locks(false);
  return false;
}

static bool put_value(void) {
  use_up_requests();
  shmem_long_p(locks[me], 1, 0);
  return false;
}

static const struct golden_case cases[] = {
    {"5002", list_set, GOLDEN_OWN},
    {"5003", make_team_of_set, GOLDEN_OWN},
    {"5004", keep_set, GOLDEN_OWN},
    {"5007", finalize_without, GOLDEN_OWN},
    {"5022", start_without, GOLDEN_OWN | GOLDEN_EARLY},
    {"5025", make_lock, GOLDEN_OWN},
    {"5028", set_lock, GOLDEN_OWN | GOLDEN_ALL},
    {"5029", test_lock, GOLDEN_OWN | GOLDEN_ALL},
    {"5031", clear_lock, GOLDEN_OWN | GOLDEN_ALL},
    {"5052", put_value, GOLDEN_OWN | GOLDEN_ALL},
    {"5054", align_block, GOLDEN_ALL},
    {"5056", split_team, GOLDEN_OWN},
    {"5064", make_table, GOLDEN_OWN},
};

int main(int argc, char **argv) {
  size_t cases_n = NO_MEMORY_FAILS ? sizeof cases / sizeof cases[0] : 0;
  return golden_main(argc, argv, &(struct golden_program){cases, cases_n, start, shmem_finalize, shmem_my_pe,
                                                          shmem_barrier_all});
}
