/* OpenSHMEM: teams, their collectives of all types, scans, contexts on teams, and active sets.
 * Group: shmem_calls
 */
#include "shmem_bodies.h"

#define BODY(what, NAME) what##_##NAME
#define CALL(NAME, verb, suffix) shmem_##NAME##_##verb##suffix
SHMEMI_RMA_TYPES(MOVES) SHMEMI_REDUCE_SUM(SUMS) SHMEMI_REDUCE_ORDER(ORDER) SHMEMI_REDUCE_BITS(COMBINED_BITS)
#undef CALL
#define CALL(NAME, verb, suffix) shmem_##verb##NAME##suffix
MOVES(mem, unsigned char)
#undef CALL

static void all_of(shmem_team_t team) {
  if (team == SHMEM_TEAM_INVALID) return;
#define ROW(NAME, T) moves_##NAME(team);
  SHMEMI_RMA_TYPES(ROW) ROW(mem, unsigned char)
#undef ROW
#define ROW(NAME, T) sums_##NAME(team);
  SHMEMI_REDUCE_SUM(ROW)
#undef ROW
#define ROW(NAME, T) order_##NAME(team);
  SHMEMI_REDUCE_ORDER(ROW)
#undef ROW
#define ROW(NAME, T) combined_bits_##NAME(team);
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
  shmem_team_t asked;
  OK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, pes, &config, 0, &asked));
  OK(shmem_team_get_config(asked, SHMEM_TEAM_NUM_CONTEXTS, &read)); /* the mask had left it out */
  CHECK_EQ(read.num_contexts, 0);
  OK(shmem_team_get_config(asked, 0, NULL));
  shmem_team_destroy(asked);
  OK(shmem_team_split_2d(SHMEM_TEAM_WORLD, 2, NULL, 0, &x, NULL, 0, &y));
  CHECK_EQ(shmem_team_my_pe(x), me % 2);
  CHECK_EQ(shmem_team_my_pe(y), me / 2);
  CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, pes + 1, NULL, 0, &wrong) != 0);
  CHECK(wrong == SHMEM_TEAM_INVALID);
  /* The arguments of one PE are wrong: the call fails on all of them. */
  CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, pes + (me == 0), NULL, 0, &wrong) != 0);
  CHECK(wrong == SHMEM_TEAM_INVALID);
  shmem_team_t none = SHMEM_TEAM_WORLD;
  CHECK(shmem_team_split_2d(SHMEM_TEAM_WORLD, me == pes - 1 ? 0 : 2, NULL, 0, &wrong, NULL, 0, &none) != 0);
  CHECK(wrong == SHMEM_TEAM_INVALID);
  CHECK(none == SHMEM_TEAM_INVALID);
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
  CHECK(shmem_team_ptr(back, &word, pes - 1 - me) == &word && shmem_team_ptr(back, &word, pes) == NULL);
  CHECK(shmem_team_ptr(SHMEM_TEAM_INVALID, &word, 0) == NULL);
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

/* ---- active sets ---- */

/* Every 2^log_stride-th PE. */
struct set {
  int log_stride, n, self;
  long *sync;
};
#define SET 0, set->log_stride, set->n

/* The root's destination of a broadcast stays as it is. */
#define ROW(SIZE) \
  static void set_moves_##SIZE(const struct set *set) { \
    enum { EACH = 5 }; \
    static uint##SIZE##_t source[3 * EACH * PES_MAX], dest[2 * EACH * PES_MAX]; \
    const int n = set->n, self = set->self, root = n - 1; \
    for (int i = 0; i < 3 * EACH * n; i++) source[i] = (uint##SIZE##_t)number(self, i); \
    for (int i = 0; i < EACH; i++) dest[i] = 100; \
    shmem_sync(SET, set->sync); \
    shmem_broadcast##SIZE(dest, source, EACH, root, SET, set->sync); \
    for (int i = 0; i < EACH; i++) CHECK_EQ(dest[i], self == root ? 100 : number(root, i)); \
    shmem_sync(SET, set->sync); \
    shmem_fcollect##SIZE(dest, source, EACH, SET, set->sync); \
    for (int i = 0; i < n * EACH; i++) CHECK_EQ(dest[i], number(i / EACH, i % EACH)); \
    shmem_sync(SET, set->sync); \
    shmem_collect##SIZE(dest, source, (size_t)(self % EACH), SET, set->sync); \
    for (int pe = 0, at = 0; pe < n; at += pe++ % EACH) \
      for (int i = 0; i < pe % EACH; i++) CHECK_EQ(dest[at + i], number(pe, i)); \
    shmem_sync(SET, set->sync); \
    shmem_alltoall##SIZE(dest, source, EACH, SET, set->sync); \
    for (int i = 0; i < n * EACH; i++) CHECK_EQ(dest[i], number(i / EACH, self * EACH + i % EACH)); \
    for (int pair = 0; pair < STRIDE_PAIRS_N; pair++) { \
      const int dst = (int)stride_pairs[pair].dst, sst = (int)stride_pairs[pair].sst; \
      for (int i = 0; i < 2 * EACH * n; i++) dest[i] = 100; \
      shmem_sync(SET, set->sync); \
      shmem_alltoalls##SIZE(dest, source, dst, sst, EACH, SET, set->sync); \
      for (int i = 0; i < 2 * EACH * n; i++) { \
        const bool is_written = i % dst == 0 && i < dst * EACH * n; \
        CHECK_EQ(dest[i], is_written ? number(i / dst / EACH, sst * (self * EACH + i / dst % EACH)) : 100); \
      } \
      shmem_sync(SET, set->sync); \
    } \
  }
SHMEMI_SET_SIZES(ROW)
#undef ROW

#define WORK N / 2 + 1 + SHMEM_REDUCE_MIN_WRKDATA_SIZE
#define ROW(NAME, T) \
  static void set_sums_##NAME(const struct set *set) { \
    static T source[N], dest[N], work[WORK]; \
    const int n = set->n; \
    for (int i = 0; i < N; i++) source[i] = (T)(set->self + 1); \
    shmem_##NAME##_sum_to_all(dest, source, N, SET, work, set->sync); \
    for (int i = 0; i < N; i++) CHECK(dest[i] == (T)(n * (n + 1) / 2)); \
    for (int i = 0; i < N; i++) source[i] = (T)(set->self == 0 ? 2 : 1); \
    shmem_##NAME##_prod_to_all(source, source, N, SET, work, set->sync); \
    for (int i = 0; i < N; i++) CHECK(source[i] == (T)2); \
  }
SHMEMI_SET_SUM(ROW)
#undef ROW
#define ROW(NAME, T) \
  static void set_order_##NAME(const struct set *set) { \
    static T source[N], dest[N], work[WORK]; \
    for (int i = 0; i < N; i++) source[i] = (T)(set->self - 3); \
    shmem_##NAME##_max_to_all(dest, source, N, SET, work, set->sync); \
    CHECK(dest[N - 1] == (T)(set->n - 4)); \
    shmem_##NAME##_min_to_all(dest, source, N, SET, work, set->sync); \
    CHECK(dest[N - 1] == (T)-3); \
  }
SHMEMI_SET_ORDER(ROW)
#undef ROW
#define ROW(NAME, T) \
  static void set_bits_##NAME(const struct set *set) { \
    static T source[N], dest[N], work[WORK]; \
    for (int i = 0; i < N; i++) source[i] = (T)(0x1001 + (2 << set->self)); \
    shmem_##NAME##_and_to_all(dest, source, N, SET, work, set->sync); \
    CHECK(dest[N - 1] == (T)(set->n == 1 ? 0x1003 : 0x1001)); \
    shmem_##NAME##_or_to_all(dest, source, N, SET, work, set->sync); \
    CHECK(dest[N - 1] == (T)(0x1001 + (2 << set->n) - 2)); \
    for (int i = 0; i < N; i++) source[i] = (T)1; \
    shmem_##NAME##_xor_to_all(dest, source, N, SET, work, set->sync); \
    CHECK(dest[N - 1] == (T)(set->n % 2)); \
  }
SHMEMI_SET_BITS(ROW)
#undef ROW

/* A barrier of the set completes puts. */
static void set_barrier(const struct set *set) {
  static int word;
  const int stride = 1 << set->log_stride, after = (set->self + 1) % set->n, before = (set->self + set->n - 1) % set->n;
  shmem_sync(SET, set->sync);
  shmem_int_p(&word, me + 1, after * stride);
  shmem_barrier(SET, set->sync);
  CHECK_EQ(word, before * stride + 1);
}

static void active_sets(int log_stride) {
  static long sync_words[SHMEM_SYNC_SIZE];
  const int stride = 1 << log_stride;
  const struct set set = {log_stride, (pes + stride - 1) / stride, me / stride, sync_words};
  if (me % stride) return;
  for (int i = 0; i < SHMEM_SYNC_SIZE; i++) sync_words[i] = SHMEM_SYNC_VALUE;
#define ROW(SIZE) set_moves_##SIZE(&set);
  SHMEMI_SET_SIZES(ROW)
#undef ROW
#define ROW(NAME, T) set_sums_##NAME(&set);
  SHMEMI_SET_SUM(ROW)
#undef ROW
#define ROW(NAME, T) set_order_##NAME(&set);
  SHMEMI_SET_ORDER(ROW)
#undef ROW
#define ROW(NAME, T) set_bits_##NAME(&set);
  SHMEMI_SET_BITS(ROW)
#undef ROW
  set_barrier(&set);
  for (int i = 0; i < SHMEM_SYNC_SIZE; i++) CHECK_EQ(sync_words[i], SHMEM_SYNC_VALUE);
}

static int largest(int i) {
  int most = 0;
  for (int pe = 0; pe < pes; pe++) most = number(pe, i) > most ? number(pe, i) : most;
  return most;
}

/* The sources of all PEs are private, or those of every second PE. They are overwritten when the call has returned. */
static void private_sources(size_t n, bool mixed) {
  const size_t all = n * (size_t)pes;
  long *own = (long *)malloc(all * sizeof *own), *dest = (long *)shmem_malloc(2 * all * sizeof *dest);
  long *source = mixed && me % 2 == 0 ? dest + all : own;
  CHECK(own && dest);
#define EACH_OF(count, call, expected) \
  for (size_t i = 0; i < all; i++) source[i] = number(me, (int)i), dest[i] = -1; \
  shmem_sync_all(); \
  CHECK_EQ(call, 0); \
  for (size_t i = 0; i < all; i++) source[i] = -2; \
  for (size_t i = 0; i < (count); i++) CHECK_EQ(dest[i], expected); \
  shmem_sync_all();
  const int root = pes - 1;
  EACH_OF(n, shmem_long_broadcast(SHMEM_TEAM_WORLD, dest, source, n, root), number(root, (int)i))
  EACH_OF(all, shmem_long_fcollect(SHMEM_TEAM_WORLD, dest, source, n), number((int)(i / n), (int)(i % n)))
  EACH_OF(all, shmem_long_collect(SHMEM_TEAM_WORLD, dest, source, n), number((int)(i / n), (int)(i % n)))
  EACH_OF(all, shmem_long_alltoall(SHMEM_TEAM_WORLD, dest, source, n), number((int)(i / n), me * (int)n + (int)(i % n)))
  EACH_OF(all, shmem_long_alltoalls(SHMEM_TEAM_WORLD, dest, source, 1, 1, n), number((int)(i / n), me * (int)n + (int)(i % n)))
  EACH_OF(all, shmem_long_max_reduce(SHMEM_TEAM_WORLD, dest, source, all), largest((int)i))
#undef EACH_OF
  free(own);
  shmem_free(dest);
}

int main(void) {
  start();
  splits();
  for (int mixed = 0; mixed < 2; mixed++) {
    private_sources(3, mixed);
    private_sources(5000, mixed);
  }
  active_sets(0);
  active_sets(1);
  active_sets(1);
  return finish();
}
