/* OpenSHMEM: thousands of teams that live shortly; some reduce, have a context and synchronise their members. Private
 * memory does not grow.
 * Group: shmem_calls
 */
#include <malloc.h>

#include "shmem_check.h"

/* Their malloc tells nothing, and they make every call slow. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED true
#else
#define SANITIZED false
#endif

enum { TEAMS_N = 10000, TEAMS_BRIEF_N = 1000, STEP = 16, GROWTH_BYTES = 1 << 16 };

/* Shape i: all PEs, all in reverse, every other one, the PEs from one on. */
static shmem_team_t split(int i) {
  shmem_team_t team = SHMEM_TEAM_WORLD;
  const int from = i / 4 % pes;
  switch (i % 4) {
  case 0: OK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, pes, NULL, 0, &team)); break;
  case 1: OK(shmem_team_split_strided(SHMEM_TEAM_WORLD, pes - 1, -1, pes, NULL, 0, &team)); break;
  case 2: OK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 2, (pes + 1) / 2, NULL, 0, &team)); break;
  default: OK(shmem_team_split_strided(SHMEM_TEAM_WORLD, from, 1, pes - from, NULL, 0, &team)); break;
  }
  return team;
}

/* This PE's number in a team of shape i, -1 if it is none of its members. */
static int number_in(int i) {
  const int from = i / 4 % pes;
  switch (i % 4) {
  case 0: return me;
  case 1: return pes - 1 - me;
  case 2: return me % 2 ? -1 : me / 2;
  default: return me < from ? -1 : me - from;
  }
}

static void use(shmem_team_t team, int i) {
  static long number, sum, flag;
  const long n = shmem_team_n_pes(team);
  shmem_ctx_t ctx = SHMEM_CTX_INVALID;
  number = shmem_team_my_pe(team) + i;
  OK(shmem_long_sum_reduce(team, &sum, &number, 1));
  CHECK_EQ(sum, n * (n - 1) / 2 + n * i);
  OK(shmem_team_create_ctx(team, 0, &ctx));
  shmem_ctx_long_p(ctx, &flag, number, (shmem_team_my_pe(team) + 1) % (int)n);
  shmem_ctx_quiet(ctx);
  OK(shmem_team_sync(team));
  CHECK_EQ(flag, (shmem_team_my_pe(team) + n - 1) % n + i);
  OK(shmem_team_sync(team));
  if (i % 3) shmem_ctx_destroy(ctx); /* the others end with their team */
}

/* Teams `from` to `to` - 1. Two live at a time. */
static void live(int from, int to) {
  shmem_team_t held = SHMEM_TEAM_INVALID;
  for (int i = from; i < to; i++) {
    const shmem_team_t team = split(i);
    CHECK_EQ(team != SHMEM_TEAM_INVALID, number_in(i) >= 0);
    CHECK_EQ(shmem_team_my_pe(team), number_in(i));
    if (team != SHMEM_TEAM_INVALID && i % STEP < 4) use(team, i);
    if (i % STEP == 5) shmem_barrier_all();
    shmem_team_destroy(held);
    held = team;
  }
  shmem_team_destroy(held);
}

int main(void) {
  const int teams_n = check_is_brief() || SANITIZED ? TEAMS_BRIEF_N : TEAMS_N;
  start();
  live(0, teams_n / 10);
  const size_t before = mallinfo2().uordblks;
  live(teams_n / 10, teams_n);
  CHECK(mallinfo2().uordblks < before + GROWTH_BYTES);
  return finish();
}
