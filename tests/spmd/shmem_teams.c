/* OpenSHMEM: teams, their collectives of all types, scans, contexts on teams, and active sets. */
#include "shmem_check.h"

enum { N = 5, PES_MAX = 16 };

#define ROW(NAME, T) \
  static void moves_##NAME(shmem_team_t team) { \
    static T source[N * PES_MAX * 2], dest[N * PES_MAX * 2]; \
    const int n = shmem_team_n_pes(team), self = shmem_team_my_pe(team), root = n / 2; \
    for (int i = 0; i < N * n; i++) source[i] = (T)((self * 3 + i) % 100); \
    OK(shmem_##NAME##_broadcast(team, dest, source, N, root)); \
    for (int i = 0; i < N; i++) CHECK(dest[i] == (T)((root * 3 + i) % 100)); \
    OK(shmem_##NAME##_fcollect(team, dest, source, N)); \
    for (int pe = 0; pe < n; pe++) \
      for (int i = 0; i < N; i++) CHECK(dest[pe * N + i] == (T)((pe * 3 + i) % 100)); \
    OK(shmem_##NAME##_collect(team, dest, source, (size_t)(self % N))); \
    for (int pe = 0, at = 0; pe < n; at += pe++ % N) \
      for (int i = 0; i < pe % N; i++) CHECK(dest[at + i] == (T)((pe * 3 + i) % 100)); \
    OK(shmem_##NAME##_alltoall(team, dest, source, N)); \
    for (int pe = 0; pe < n; pe++) \
      for (int i = 0; i < N; i++) CHECK(dest[pe * N + i] == (T)((pe * 3 + self * N + i) % 100)); \
    OK(shmem_##NAME##_alltoalls(team, dest, source, 2, 1, N)); \
    for (int pe = 0; pe < n; pe++) \
      for (int i = 0; i < N; i++) CHECK(dest[2 * (pe * N + i)] == (T)((pe * 3 + self * N + i) % 100)); \
    OK(shmem_team_sync(team)); \
  }
SHMEMI_RMA_TYPES(ROW)
#undef ROW

#define ROW(NAME, T) \
  static void sums_##NAME(shmem_team_t team) { \
    static T source[N], dest[N]; \
    const int n = shmem_team_n_pes(team), self = shmem_team_my_pe(team); \
    for (int i = 0; i < N; i++) source[i] = (T)(self + 1); \
    OK(shmem_##NAME##_sum_reduce(team, dest, source, N)); \
    for (int i = 0; i < N; i++) CHECK(dest[i] == (T)(n * (n + 1) / 2)); \
    OK(shmem_##NAME##_sum_inscan(team, dest, source, N)); \
    for (int i = 0; i < N; i++) CHECK(dest[i] == (T)((self + 1) * (self + 2) / 2)); \
    OK(shmem_##NAME##_sum_exscan(team, dest, source, N)); \
    for (int i = 0; i < N; i++) CHECK(dest[i] == (T)(self * (self + 1) / 2)); \
    for (int i = 0; i < N; i++) source[i] = (T)(self == 0 ? 2 : 1); \
    OK(shmem_##NAME##_prod_reduce(team, source, source, N)); \
    for (int i = 0; i < N; i++) CHECK(source[i] == (T)2); \
    OK(shmem_team_sync(team)); \
  }
SHMEMI_REDUCE_SUM(ROW)
#undef ROW

#define ROW(NAME, T) \
  static void order_##NAME(shmem_team_t team) { \
    static T source[N], dest[N]; \
    const int n = shmem_team_n_pes(team), self = shmem_team_my_pe(team); \
    for (int i = 0; i < N; i++) source[i] = (T)(self == n - 1 ? (T)-1 : (T)(self + 2)); \
    OK(shmem_##NAME##_max_reduce(team, dest, source, N)); \
    CHECK(dest[0] == ((T)-1 < (T)1 && n > 1 ? (T)n : (T)-1)); \
    OK(shmem_##NAME##_min_reduce(team, dest, source, N)); \
    CHECK(dest[0] == ((T)-1 < (T)1 || n == 1 ? (T)-1 : (T)2)); \
    OK(shmem_team_sync(team)); \
  }
SHMEMI_REDUCE_ORDER(ROW)
#undef ROW

#define ROW(NAME, T) \
  static void bits_##NAME(shmem_team_t team) { \
    static T source[N], dest[N]; \
    const int n = shmem_team_n_pes(team), self = shmem_team_my_pe(team); \
    T all = 0, odd = 0; \
    for (int pe = 0; pe < n; pe++) all |= (T)(1 << pe % 7), odd ^= (T)(1 << pe % 7); \
    for (int i = 0; i < N; i++) source[i] = (T)(1 << self % 7); \
    OK(shmem_##NAME##_or_reduce(team, dest, source, N)); \
    CHECK(dest[N - 1] == all); \
    OK(shmem_##NAME##_xor_reduce(team, dest, source, N)); \
    CHECK(dest[N - 1] == odd); \
    OK(shmem_##NAME##_and_reduce(team, dest, source, N)); \
    CHECK(dest[N - 1] == (n == 1 ? all : (T)0)); \
    OK(shmem_team_sync(team)); \
  }
SHMEMI_REDUCE_BITS(ROW)
#undef ROW

static void all_of(shmem_team_t team) {
  if (team == SHMEM_TEAM_INVALID) return;
#define ROW(NAME, T) moves_##NAME(team);
  SHMEMI_RMA_TYPES(ROW)
#undef ROW
#define ROW(NAME, T) sums_##NAME(team);
  SHMEMI_REDUCE_SUM(ROW)
#undef ROW
#define ROW(NAME, T) order_##NAME(team);
  SHMEMI_REDUCE_ORDER(ROW)
#undef ROW
#define ROW(NAME, T) bits_##NAME(team);
  SHMEMI_REDUCE_BITS(ROW)
#undef ROW
}

static void splits(void) {
  shmem_team_t odd, back, x, y, wrong = SHMEM_TEAM_WORLD;
  shmem_team_config_t config = {3}, read = {0};
  OK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 2, (pes + 1) / 2, &config, SHMEM_TEAM_NUM_CONTEXTS, &odd));
  CHECK_EQ(odd != SHMEM_TEAM_INVALID, me % 2 == 0);
  if (odd != SHMEM_TEAM_INVALID) {
    CHECK_EQ(shmem_team_my_pe(odd), me / 2);
    OK(shmem_team_get_config(odd, SHMEM_TEAM_NUM_CONTEXTS, &read));
    CHECK_EQ(read.num_contexts, 3);
    CHECK_EQ(shmem_team_translate_pe(odd, me / 2, SHMEM_TEAM_WORLD), me);
    CHECK_EQ(shmem_team_translate_pe(SHMEM_TEAM_WORLD, 1, odd), -1);
  } else {
    CHECK_EQ(shmem_team_my_pe(odd), -1);
  }
  OK(shmem_team_split_strided(SHMEM_TEAM_WORLD, pes - 1, -1, pes, NULL, 0, &back));
  CHECK_EQ(shmem_team_my_pe(back), pes - 1 - me);
  OK(shmem_team_split_2d(SHMEM_TEAM_WORLD, 2, NULL, 0, &x, NULL, 0, &y));
  CHECK_EQ(shmem_team_my_pe(x), me % 2);
  CHECK_EQ(shmem_team_my_pe(y), me / 2);
  CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, pes + 1, NULL, 0, &wrong) != 0);
  CHECK(wrong == SHMEM_TEAM_INVALID);
  CHECK(shmem_team_split_strided(SHMEM_TEAM_INVALID, 0, 1, 1, NULL, 0, &wrong) != 0);
  all_of(SHMEM_TEAM_WORLD);
  all_of(SHMEM_TEAM_SHARED);
  all_of(odd);
  all_of(back);
  all_of(x);
  all_of(y);

  /* PE numbers on a context of a team are the team's. */
  static long word;
  shmem_ctx_t ctx = SHMEM_CTX_INVALID;
  shmem_team_t of = SHMEM_TEAM_INVALID;
  OK(shmem_team_create_ctx(back, SHMEM_CTX_SERIALIZED, &ctx));
  OK(shmem_ctx_get_team(ctx, &of));
  CHECK(of == back);
  shmem_barrier_all();
  shmem_ctx_long_p(ctx, &word, me + 1, me); /* PE pes - 1 - me of the world */
  shmem_ctx_quiet(ctx);
  shmem_barrier_all();
  CHECK_EQ(word, pes - me);
  shmem_ctx_destroy(ctx);
  shmem_team_destroy(odd);
  shmem_team_destroy(back);
  shmem_team_destroy(x);
  shmem_team_destroy(y);
  for (int i = 0; i < 50; i++) {
    OK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, pes, NULL, 0, &of));
    shmem_team_destroy(of);
  }
}

/* The set of every second PE, and that of all. */
static void active_sets(int log_stride) {
  static long sync[SHMEM_SYNC_SIZE], source[N * PES_MAX * 2], dest[N * PES_MAX * 2];
  static long work[N + SHMEM_REDUCE_MIN_WRKDATA_SIZE];
  const int stride = 1 << log_stride, n = (pes + stride - 1) / stride, self = me / stride;
  if (me % stride) return;
  for (int i = 0; i < SHMEM_SYNC_SIZE; i++) sync[i] = SHMEM_SYNC_VALUE;
  for (int i = 0; i < N * n; i++) source[i] = self * 10 + i, dest[i] = -1;
  shmem_barrier(0, log_stride, n, sync);
  shmem_broadcast64(dest, source, N, n - 1, 0, log_stride, n, sync);
  for (int i = 0; i < N; i++) CHECK_EQ(dest[i], self == n - 1 ? -1 : (n - 1) * 10 + i);
  shmem_sync(0, log_stride, n, sync);
  shmem_fcollect64(dest, source, N, 0, log_stride, n, sync);
  for (int i = 0; i < N * n; i++) CHECK_EQ(dest[i], i / N * 10 + i % N);
  shmem_collect32(dest, source, (size_t)(2 * (self % 2)), 0, log_stride, n, sync);
  if (n > 1) CHECK_EQ(dest[0], 10);
  shmem_alltoall64(dest, source, 1, 0, log_stride, n, sync);
  for (int pe = 0; pe < n; pe++) CHECK_EQ(dest[pe], pe * 10 + self);
  shmem_alltoalls64(dest, source, 2, 1, 1, 0, log_stride, n, sync);
  for (int pe = 0; pe < n; pe++) CHECK_EQ(dest[2 * pe], pe * 10 + self);
  shmem_long_sum_to_all(dest, source, N, 0, log_stride, n, work, sync);
  for (int i = 0; i < N; i++) CHECK_EQ(dest[i], 5 * n * (n - 1) + i * n);
  shmem_long_max_to_all(dest, source, 1, 0, log_stride, n, work, sync);
  CHECK_EQ(dest[0], (n - 1) * 10);
  shmem_long_xor_to_all(source, source, 1, 0, log_stride, n, work, sync);
}

int main(void) {
  start();
  splits();
  active_sets(0);
  active_sets(1);
  active_sets(1);
  return finish();
}
