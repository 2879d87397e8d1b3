/* OpenSHMEM: reductions, scans and broadcasts whose dest is their source, of teams and of active sets, with data of one element up
 * to more than a message takes; and what a broadcast does to the root's dest.
 * Group: shmem_calls
 */
#include "shmem_check.h"

enum { LONG_N = 40000, GUARD = -77 };
static const size_t sizes[] = {1, 2, 100, 5000, LONG_N};
enum { SIZES_N = sizeof sizes / sizeof *sizes };

static long *data, *other;          /* heap: LONG_N words and one more */
static long in_program[LONG_N + 1]; /* the same as a static variable */

/* What member `self` has in element i. */
static long element(long self, size_t i) { return (self + 1) * 1000 + (long)(i % 997); }
static void fill(long *at, size_t n, int self) {
  for (size_t i = 0; i < n; i++) at[i] = element(self, i);
  at[n] = GUARD;
}

/* Whether each element is that of members `from` to `to` - 1 summed up. */
static bool holds_sum(const long *at, size_t n, long from, long to) {
  for (size_t i = 0; i < n; i++) {
    long sum = 0;
    for (long pe = from; pe < to; pe++) sum += element(pe, i);
    if (at[i] != sum) return false;
  }
  return at[n] == GUARD;
}

/* ---- teams ---- */

/* A collective may write a member's dest before that member calls it. */
static void fill_all(shmem_team_t team, long *at, size_t n) {
  fill(at, n, shmem_team_my_pe(team));
  OK(shmem_team_sync(team));
}

static void reduce_in_place(shmem_team_t team, long *at, size_t n) {
  const int members_n = shmem_team_n_pes(team), self = shmem_team_my_pe(team);
  fill_all(team, at, n);
  OK(shmem_long_sum_reduce(team, at, at, n));
  CHECK(holds_sum(at, n, 0, members_n));
  fill_all(team, at, n);
  OK(shmem_long_max_reduce(team, at, at, n));
  CHECK(holds_sum(at, n, members_n - 1, members_n));
  fill_all(team, at, n);
  OK(shmem_long_min_reduce(team, at, at, n));
  CHECK(holds_sum(at, n, 0, 1));
  for (size_t i = 0; i < n; i++) ((uint64_t *)at)[i] = UINT64_C(1) << (self + (int)i) % 60;
  OK(shmem_team_sync(team));
  OK(shmem_uint64_or_reduce(team, (uint64_t *)at, (const uint64_t *)at, n));
  for (size_t i = 0; i < n; i++) {
    uint64_t all = 0;
    for (int pe = 0; pe < members_n; pe++) all |= UINT64_C(1) << (pe + (int)i) % 60;
    CHECK(((uint64_t *)at)[i] == all);
  }
  CHECK_EQ(at[n], GUARD);
}

static void scan_in_place(shmem_team_t team, long *at, size_t n) {
  const int self = shmem_team_my_pe(team);
  fill_all(team, at, n);
  OK(shmem_long_sum_inscan(team, at, at, n));
  CHECK(holds_sum(at, n, 0, self + 1));
  fill_all(team, at, n);
  OK(shmem_long_sum_exscan(team, at, at, n));
  CHECK(holds_sum(at, n, 0, self));
}

/* Elements longer than a word. */
static void combine_complex(shmem_team_t team, size_t n) {
  const int members_n = shmem_team_n_pes(team), self = shmem_team_my_pe(team);
  shmemi_complexd *at = (shmemi_complexd *)(void *)data;
  const double numbers = members_n * (members_n + 1) / 2.0, up_to = (self + 1) * (self + 2) / 2.0;
  for (size_t i = 0; i < n; i++) at[i] = self + 1 + 2.0 * __extension__ 1.0i * (self + 1);
  OK(shmem_team_sync(team));
  OK(shmem_complexd_sum_reduce(team, at, at, n));
  for (size_t i = 0; i < n; i++) CHECK(at[i] == numbers + 2.0 * __extension__ 1.0i * numbers);
  for (size_t i = 0; i < n; i++) at[i] = self + 1 - __extension__ 1.0i * (self + 1);
  OK(shmem_team_sync(team));
  OK(shmem_complexd_sum_inscan(team, at, at, n));
  for (size_t i = 0; i < n; i++) CHECK(at[i] == up_to - __extension__ 1.0i * up_to);
}

/* The team's broadcast writes the root's dest, too. With dest == source, which the specification leaves open, the root keeps its
 * data, and the others get it. */
static void broadcast(shmem_team_t team, long *at, size_t n) {
  const int members_n = shmem_team_n_pes(team), self = shmem_team_my_pe(team);
  for (int root = 0; root < members_n; root += members_n > 1 ? members_n - 1 : 1) {
    fill_all(team, at, n);
    OK(shmem_long_broadcast(team, at, at, n, root));
    CHECK(holds_sum(at, n, root, root + 1));
    OK(shmem_team_sync(team));
    for (size_t i = 0; i <= n; i++) other[i] = GUARD;
    fill_all(team, at, n);
    OK(shmem_broadcastmem(team, other, at, n * sizeof *at, root));
    CHECK(holds_sum(other, n, root, root + 1));
    CHECK(holds_sum(at, n, self, self + 1)); /* no source changes */
    OK(shmem_team_sync(team));
  }
}

static void on_team(shmem_team_t team) {
  if (team == SHMEM_TEAM_INVALID) return;
  for (int k = 0; k < SIZES_N; k++) {
    long *const places[] = {data, in_program};
    for (int place = 0; place < 2; place++) {
      reduce_in_place(team, places[place], sizes[k]);
      scan_in_place(team, places[place], sizes[k]);
      broadcast(team, places[place], sizes[k]);
    }
    combine_complex(team, sizes[k] / 2);
  }
  if (team != SHMEM_TEAM_WORLD) shmem_team_destroy(team);
}

/* ---- active sets ---- */

/* Broadcasts leave the root's dest as it is. In place nothing changes on the root, and the others get its data. */
static void broadcast_set(int log_stride, int members_n, int self, size_t n, long *sync_words) {
  const int root = members_n - 1;
  fill(data, n, self);
  for (size_t i = 0; i <= n; i++) other[i] = GUARD;
  shmem_sync(0, log_stride, members_n, sync_words);
  shmem_broadcast64(other, data, n, root, 0, log_stride, members_n, sync_words);
  for (size_t i = 0; self == root && i <= n; i++) CHECK_EQ(other[i], GUARD);
  if (self != root) CHECK(holds_sum(other, n, root, root + 1));
  CHECK(holds_sum(data, n, self, self + 1));
  shmem_sync(0, log_stride, members_n, sync_words);
  shmem_broadcast64(data, data, n, root, 0, log_stride, members_n, sync_words);
  CHECK(holds_sum(data, n, root, root + 1));
  shmem_sync(0, log_stride, members_n, sync_words);
}

static void reduce_set(int log_stride, int members_n, int self, size_t n, long *sync_words) {
  static long work[LONG_N / 2 + 1 + SHMEM_REDUCE_MIN_WRKDATA_SIZE];
  fill(in_program, n, self);
  shmem_sync(0, log_stride, members_n, sync_words);
  shmem_long_sum_to_all(in_program, in_program, (int)n, 0, log_stride, members_n, work, sync_words);
  CHECK(holds_sum(in_program, n, 0, members_n));
  shmem_sync(0, log_stride, members_n, sync_words);
  fill(in_program, n, self);
  shmem_sync(0, log_stride, members_n, sync_words);
  shmem_long_min_to_all(in_program, in_program, (int)n, 0, log_stride, members_n, work, sync_words);
  CHECK(holds_sum(in_program, n, 0, 1));
  shmem_sync(0, log_stride, members_n, sync_words);
}

static void on_set(int log_stride) {
  static long sync_words[SHMEM_SYNC_SIZE];
  const int stride = 1 << log_stride, members_n = (pes + stride - 1) / stride;
  if (me % stride) return;
  for (int i = 0; i < SHMEM_SYNC_SIZE; i++) sync_words[i] = SHMEM_SYNC_VALUE;
  for (int k = 0; k < SIZES_N; k++) {
    broadcast_set(log_stride, members_n, me / stride, sizes[k], sync_words);
    reduce_set(log_stride, members_n, me / stride, sizes[k], sync_words);
  }
}

int main(void) {
  shmem_team_t back = SHMEM_TEAM_INVALID, odd = SHMEM_TEAM_INVALID;
  start();
  data = shmem_malloc((LONG_N + 1) * sizeof *data);
  other = shmem_malloc((LONG_N + 1) * sizeof *other);
  OK(shmem_team_split_strided(SHMEM_TEAM_WORLD, pes - 1, -1, pes, NULL, 0, &back));
  OK(shmem_team_split_strided(SHMEM_TEAM_WORLD, pes > 1, 2, pes > 1 ? pes / 2 : 1, NULL, 0, &odd));
  on_team(SHMEM_TEAM_WORLD);
  on_team(back);
  on_team(odd);
  shmem_barrier_all(); /* before each set: all buffers are ready */
  on_set(0);
  shmem_barrier_all();
  on_set(1);
  shmem_barrier_all();
  shmem_free(data);
  shmem_free(other);
  return finish();
}
