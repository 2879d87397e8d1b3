/* What the tests do with each type of a list, whatever form the calls have. A program sets the form before it names a list:
 *
 *   CALL(NAME, verb, suffix)   the function: shmem_NAME_verb, shmem_verb, ...
 *   CTX                        a context with its comma, or nothing
 *   BODY(what, NAME)           the name of a test of this form
 *
 * All PEs deal with the next one: what the previous one has put arrives, and what is fetched is the next one's. */
#ifndef SHMEM_BODIES_H
#define SHMEM_BODIES_H

#include "shmem_check.h"

enum { N = 12, PARTS_N = 4, PART = 3 * N, ROOM = PARTS_N * PART, ROUNDS = 5, PES_MAX = 16 };

/* Small numbers, none of them 0, which every type holds. */
static int number(int pe, int i) { return 1 + (pe * 7 + i) % 99; }

/* Per type, before the tests: VALUES(NAME, T). `n` elements in blocks that begin `stride` elements apart; those between are 0. */
#define VALUES(NAME, T) \
  static T symmetric_##NAME[ROOM]; \
  static void fill_##NAME(T *to, int pe) { \
    for (int i = 0; i < N; i++) to[i] = (T)number(pe, i); \
  } \
  static bool holds_##NAME(const T *at, int n, int block, int stride, int from_stride, int pe) { \
    for (int i = 0; i < n / block * stride; i++) { \
      const int within = i % stride, from = i / stride * from_stride + within; \
      if (at[i] != (within < block ? (T)number(pe, from) : (T)0)) return false; \
    } \
    return true; \
  } \
  static void clear_##NAME(T *at) { \
    shmem_barrier_all(); \
    memset(at, 0, ROOM * sizeof(T)); \
    shmem_barrier_all(); \
  }

#define COPIES(NAME, T) \
  static void BODY(copies, NAME)(shmem_ctx_t ctx, T *at) { \
    static uint64_t signals[2]; \
    T mine[N], got[N]; \
    signals[0] = signals[1] = 0; \
    fill_##NAME(mine, me); \
    clear_##NAME(at); \
    CALL(NAME, put, )(CTX at, mine, N, next); \
    CALL(NAME, put, _nbi)(CTX at + PART, mine, N, next); \
    CALL(NAME, put, )(CTX at, mine, 0, next); \
    CALL(NAME, put, _signal)(CTX at + 2 * PART, mine, N, &signals[0], 5, SHMEM_SIGNAL_SET, next); \
    CALL(NAME, put, _signal_nbi)(CTX at + 3 * PART, mine, N, &signals[1], 3, SHMEM_SIGNAL_ADD, next); \
    CHECK_EQ(shmem_signal_wait_until(&signals[0], SHMEM_CMP_NE, 0), 5); \
    CHECK(holds_##NAME(at + 2 * PART, N, N, N + 1, 0, previous)); \
    CHECK_EQ(shmem_signal_wait_until(&signals[1], SHMEM_CMP_GE, 3), 3); \
    CHECK(holds_##NAME(at + 3 * PART, N, N, N + 1, 0, previous)); \
    shmem_ctx_quiet(ctx); \
    shmem_barrier_all(); \
    CHECK(holds_##NAME(at, N, N, N + 1, 0, previous)); \
    CHECK(holds_##NAME(at + PART, N, N, N + 1, 0, previous)); \
    CALL(NAME, get, )(CTX got, at, N, next); \
    CHECK(holds_##NAME(got, N, N, N, 0, me)); \
    memset(got, 0, sizeof got); \
    CALL(NAME, get, _nbi)(CTX got, at + PART, N, next); \
    shmem_ctx_quiet(ctx); \
    CHECK(holds_##NAME(got, N, N, N, 0, me)); \
  }

#define STRIDED(NAME, T) \
  static void BODY(strided, NAME)(shmem_ctx_t ctx, T *at) { \
    T mine[N], got[N]; \
    fill_##NAME(mine, me); \
    clear_##NAME(at); \
    CALL(NAME, iput, )(CTX at, mine, 3, 2, N / 2, next); \
    CALL(NAME, ibput, )(CTX at + 2 * PART, mine, 5, 3, 2, N / 3, next); \
    shmem_ctx_quiet(ctx); \
    shmem_barrier_all(); \
    CHECK(holds_##NAME(at, N / 2, 1, 3, 2, previous)); \
    CHECK(holds_##NAME(at + 2 * PART, N / 3 * 2, 2, 5, 3, previous)); \
    memset(got, 0, sizeof got); \
    CALL(NAME, iget, )(CTX got, at, 2, 3, N / 2, next); \
    CHECK(holds_##NAME(got, N / 2, 1, 2, 2, me)); \
    memset(got, 0, sizeof got); \
    CALL(NAME, ibget, )(CTX got, at + 2 * PART, 3, 5, 2, N / 3, next); \
    CHECK(holds_##NAME(got, N / 3 * 2, 2, 3, 3, me)); \
  }

#define SINGLE(NAME, T) \
  static void BODY(single, NAME)(shmem_ctx_t ctx, T *at) { \
    clear_##NAME(at); \
    CALL(NAME, p, )(CTX at + 1, (T)number(me, 0), next); \
    shmem_ctx_quiet(ctx); \
    shmem_barrier_all(); \
    CHECK(at[0] == (T)0 && at[1] == (T)number(previous, 0) && at[2] == (T)0); \
    CHECK(CALL(NAME, g, )(CTX (const T *)at + 1, next) == (T)number(me, 0)); \
  }

/* ---- atomics ---- */

#define EXTENDED(NAME, T) \
  static void BODY(extended, NAME)(shmem_ctx_t ctx, T *at) { \
    static T seen; \
    clear_##NAME(at); \
    CALL(NAME, atomic_set, )(CTX at, (T)3, next); \
    shmem_ctx_fence(ctx); \
    CHECK(CALL(NAME, atomic_fetch, )(CTX (const T *)at, next) == (T)3); \
    CHECK(CALL(NAME, atomic_swap, )(CTX at, (T)4, next) == (T)3); \
    CALL(NAME, atomic_swap, _nbi)(CTX &seen, at, (T)5, next); \
    shmem_ctx_quiet(ctx); \
    CHECK(seen == (T)4); \
    CALL(NAME, atomic_fetch, _nbi)(CTX &seen, (const T *)at, next); \
    shmem_ctx_quiet(ctx); \
    CHECK(seen == (T)5 && at[1] == (T)0); \
  }

/* All PEs change a variable of each PE; then each PE one of the next one. */
#define STANDARD(NAME, T) \
  static void BODY(standard, NAME)(shmem_ctx_t ctx, T *at) { \
    static T seen; \
    const T all = (T)(ROUNDS * 4 * pes); \
    clear_##NAME(at); \
    for (int pe = 0; pe < pes; pe++) { \
      for (int i = 0; i < ROUNDS; i++) { \
        CALL(NAME, atomic_inc, )(CTX at, pe); \
        CALL(NAME, atomic_add, )(CTX at, 1, pe); \
        CHECK(CALL(NAME, atomic_fetch_inc, )(CTX at, pe) < all); \
        CHECK(CALL(NAME, atomic_fetch_add, )(CTX at, 1, pe) < all); \
      } \
    } \
    shmem_ctx_quiet(ctx); \
    shmem_barrier_all(); \
    CHECK(at[0] == all); \
    CHECK(CALL(NAME, atomic_compare_swap, )(CTX at + 1, (T)1, (T)9, next) == (T)0); \
    CHECK(CALL(NAME, atomic_compare_swap, )(CTX at + 1, (T)0, (T)5, next) == (T)0); \
    CALL(NAME, atomic_compare_swap, _nbi)(CTX &seen, at + 1, (T)5, (T)6, next); \
    shmem_ctx_quiet(ctx); \
    CHECK(seen == (T)5); \
    CALL(NAME, atomic_fetch_inc, _nbi)(CTX &seen, at + 1, next); \
    shmem_ctx_quiet(ctx); \
    CHECK(seen == (T)6); \
    CALL(NAME, atomic_fetch_add, _nbi)(CTX &seen, at + 1, (T)-8, next); \
    shmem_ctx_quiet(ctx); \
    CHECK(seen == (T)7); \
    shmem_barrier_all(); \
    CHECK(at[1] == (T)-1 && at[2] == 0); \
  }

#define BITWISE(NAME, T) \
  static void BODY(bitwise, NAME)(shmem_ctx_t ctx, T *at) { \
    static T seen[3]; \
    clear_##NAME(at); \
    for (int pe = 0; pe < pes; pe++) CALL(NAME, atomic_or, )(CTX at, (T)1 << me % 30, pe); \
    shmem_ctx_quiet(ctx); \
    shmem_barrier_all(); \
    CHECK(at[0] == (T)((1 << pes) - 1)); \
    CHECK(CALL(NAME, atomic_fetch_or, )(CTX at + 1, (T)0xc1, next) == 0); \
    CHECK(CALL(NAME, atomic_fetch_xor, )(CTX at + 1, (T)0x41, next) == (T)0xc1); \
    CHECK(CALL(NAME, atomic_fetch_and, )(CTX at + 1, (T)0x7f, next) == (T)0x80); \
    CALL(NAME, atomic_xor, )(CTX at + 1, (T)0x3f, next); \
    CALL(NAME, atomic_and, )(CTX at + 1, (T)0x1e, next); \
    shmem_ctx_fence(ctx); \
    CALL(NAME, atomic_fetch_or, _nbi)(CTX &seen[0], at + 1, (T)1, next); \
    shmem_ctx_quiet(ctx); \
    CALL(NAME, atomic_fetch_xor, _nbi)(CTX &seen[1], at + 1, (T)3, next); \
    shmem_ctx_quiet(ctx); \
    CALL(NAME, atomic_fetch_and, _nbi)(CTX &seen[2], at + 1, (T)6, next); \
    shmem_ctx_quiet(ctx); \
    CHECK(seen[0] == (T)0x1e && seen[1] == (T)0x1f && seen[2] == (T)0x1c); \
    shmem_barrier_all(); \
    CHECK(at[1] == (T)4 && at[2] == 0); \
  }

/* The names without "atomic". */
#define OLD_EXTENDED(NAME, T) \
  static void BODY(old_extended, NAME)(T *at) { \
    clear_##NAME(at); \
    CALL(NAME, set, )(at, (T)3, next); \
    shmem_fence(); \
    CHECK(CALL(NAME, fetch, )((const T *)at, next) == (T)3); \
    CHECK(CALL(NAME, swap, )(at, (T)4, next) == (T)3); \
    CHECK(CALL(NAME, fetch, )((const T *)at, next) == (T)4); \
  }
#define OLD_STANDARD(NAME, T) \
  static void BODY(old_standard, NAME)(T *at) { \
    clear_##NAME(at); \
    CALL(NAME, inc, )(at, next); \
    CALL(NAME, add, )(at, (T)-3, next); \
    shmem_fence(); \
    CHECK(CALL(NAME, finc, )(at, next) == (T)-2); \
    CHECK(CALL(NAME, fadd, )(at, (T)6, next) == (T)-1); \
    CHECK(CALL(NAME, cswap, )(at, (T)4, (T)9, next) == (T)5); \
    CHECK(CALL(NAME, cswap, )(at, (T)5, (T)9, next) == (T)5); \
    shmem_barrier_all(); \
    CHECK(at[0] == (T)9 && at[1] == 0); \
  }

/* ---- waits ---- */

#define WAIT_ONE(NAME, T) \
  static void BODY(wait_one, NAME)(T *at) { \
    clear_##NAME(at); \
    CHECK_EQ(CALL(NAME, test, )(at, SHMEM_CMP_NE, 0), 0); \
    CHECK_EQ(CALL(NAME, test, )(at, SHMEM_CMP_LE, 0), 1); \
    shmem_barrier_all(); \
    shmem_##NAME##_p(at, (T)-1, next); \
    CALL(NAME, wait_until, )(at, SHMEM_CMP_NE, 0); \
    CHECK_EQ(CALL(NAME, test, )(at, SHMEM_CMP_LT, 0), (T)-1 < (T)1); \
    CHECK_EQ(CALL(NAME, test, )(at, SHMEM_CMP_GT, 0), (T)-1 > (T)1); \
    CALL(NAME, wait_until, )(at, SHMEM_CMP_EQ, (T)-1); \
    CHECK_EQ(CALL(NAME, test, )(at, SHMEM_CMP_GE, (T)-1), 1); \
  }

#define OLD_WAIT(NAME, T) \
  static void BODY(old_wait, NAME)(T *at) { \
    clear_##NAME(at); \
    shmem_##NAME##_p(at, (T)7, next); \
    CALL(NAME, wait, )(at, 0); \
    CHECK(at[0] == (T)7); \
  }

#define WAIT_SEVERAL(NAME, T) \
  static void BODY(wait_several, NAME)(T *at) { \
    const int none[4] = {1, 1, 1, 1}, middle[4] = {1, 0, 0, 1}; \
    const T values[4] = {(T)1, (T)2, (T)3, (T)4}; \
    size_t some[4]; \
    clear_##NAME(at); \
    CHECK_EQ(CALL(NAME, test_any, )(at, 4, NULL, SHMEM_CMP_NE, 0), SIZE_MAX); \
    CHECK_EQ(CALL(NAME, test_some, )(at, 4, some, NULL, SHMEM_CMP_NE, 0), 0); \
    CHECK_EQ(CALL(NAME, test_all, )(at, 4, NULL, SHMEM_CMP_NE, 0), 0); \
    CHECK_EQ(CALL(NAME, test_all, )(at, 4, none, SHMEM_CMP_NE, 0), 1); \
    CHECK_EQ(CALL(NAME, test_all_vector, )(at, 4, NULL, SHMEM_CMP_EQ, values), 0); \
    CHECK_EQ(CALL(NAME, test_any_vector, )(at, 4, NULL, SHMEM_CMP_EQ, values), SIZE_MAX); \
    CHECK_EQ(CALL(NAME, test_some_vector, )(at, 4, some, NULL, SHMEM_CMP_EQ, values), 0); \
    CHECK_EQ(CALL(NAME, wait_until_any, )(at, 4, none, SHMEM_CMP_NE, 0), SIZE_MAX); \
    CHECK_EQ(CALL(NAME, wait_until_some, )(at, 4, some, none, SHMEM_CMP_NE, 0), 0); \
    CALL(NAME, wait_until_all, )(at, 4, none, SHMEM_CMP_NE, 0); \
    shmem_barrier_all(); \
    for (int i = 0; i < 4; i++) shmem_##NAME##_p(&at[i], values[i], next); \
    size_t any = CALL(NAME, wait_until_any, )(at, 4, middle, SHMEM_CMP_GE, (T)2); \
    CHECK(any == 1 || any == 2); \
    CHECK(CALL(NAME, wait_until_some, )(at, 4, some, middle, SHMEM_CMP_GE, (T)2) >= 1); \
    CHECK(some[0] == 1 || some[0] == 2); \
    CHECK(CALL(NAME, wait_until_any_vector, )(at, 4, NULL, SHMEM_CMP_EQ, values) < 4); \
    CALL(NAME, wait_until_all_vector, )(at, 4, NULL, SHMEM_CMP_EQ, values); \
    CALL(NAME, wait_until_all, )(at, 4, NULL, SHMEM_CMP_NE, 0); \
    CHECK_EQ(at[3], 4); \
    CHECK_EQ(CALL(NAME, wait_until_some_vector, )(at, 4, some, NULL, SHMEM_CMP_EQ, values), 4); \
    CHECK_EQ(CALL(NAME, test_all_vector, )(at, 4, NULL, SHMEM_CMP_EQ, values), 1); \
    CHECK(CALL(NAME, test_any_vector, )(at, 4, NULL, SHMEM_CMP_EQ, values) < 4); \
    CHECK_EQ(CALL(NAME, test_some_vector, )(at, 4, some, middle, SHMEM_CMP_LE, values), 2); \
    CHECK_EQ(CALL(NAME, test_some, )(at, 4, some, NULL, SHMEM_CMP_GT, (T)2), 2); \
    CHECK(some[0] + some[1] == 2 + 3); \
    any = CALL(NAME, test_any, )(at, 4, NULL, SHMEM_CMP_LT, (T)2); \
    CHECK_EQ(any, 0); \
  }

/* A status without a 0 leaves out all elements, and so does n = 0: no call waits, whether the conditions hold or not. */
#define WAIT_NONE(NAME, T) \
  static void BODY(wait_none, NAME)(T *at) { \
    const int out[4] = {1, -1, 2, 1 << 16}; \
    const T values[4] = {(T)0, (T)0, (T)0, (T)0}; \
    size_t some[4] = {7, 7, 7, 7}; \
    clear_##NAME(at); \
    for (int cmp = SHMEM_CMP_EQ; cmp <= SHMEM_CMP_GE; cmp++) { \
      for (size_t n = 0; n <= 4; n += 4) { \
        const int *status = n ? out : NULL; \
        CALL(NAME, wait_until_all, )(at, n, status, cmp, (T)0); \
        CALL(NAME, wait_until_all_vector, )(at, n, status, cmp, values); \
        CHECK_EQ(CALL(NAME, wait_until_any, )(at, n, status, cmp, (T)0), SIZE_MAX); \
        CHECK_EQ(CALL(NAME, wait_until_any_vector, )(at, n, status, cmp, values), SIZE_MAX); \
        CHECK_EQ(CALL(NAME, wait_until_some, )(at, n, some, status, cmp, (T)0), 0); \
        CHECK_EQ(CALL(NAME, wait_until_some_vector, )(at, n, some, status, cmp, values), 0); \
        CHECK_EQ(CALL(NAME, test_all, )(at, n, status, cmp, (T)0), 1); \
        CHECK_EQ(CALL(NAME, test_all_vector, )(at, n, status, cmp, values), 1); \
        CHECK_EQ(CALL(NAME, test_any, )(at, n, status, cmp, (T)0), SIZE_MAX); \
        CHECK_EQ(CALL(NAME, test_any_vector, )(at, n, status, cmp, values), SIZE_MAX); \
        CHECK_EQ(CALL(NAME, test_some, )(at, n, some, status, cmp, (T)0), 0); \
        CHECK_EQ(CALL(NAME, test_some_vector, )(at, n, some, status, cmp, values), 0); \
      } \
    } \
    CHECK(some[0] == 7 && some[3] == 7); \
  }

/* The variables may be volatile. */
#define WAIT_VOLATILE(NAME, T) \
  static void BODY(wait_volatile, NAME)(T *at) { \
    volatile T *const watched = at; \
    const T values[2] = {(T)1, (T)2}; \
    size_t some[2]; \
    clear_##NAME(at); \
    CHECK_EQ(CALL(NAME, test, )(watched, SHMEM_CMP_NE, 0), 0); \
    CHECK_EQ(CALL(NAME, test_all, )(watched, 2, NULL, SHMEM_CMP_NE, 0), 0); \
    CHECK_EQ(CALL(NAME, test_any_vector, )(watched, 2, NULL, SHMEM_CMP_EQ, values), SIZE_MAX); \
    CHECK_EQ(CALL(NAME, test_some, )(watched, 2, some, NULL, SHMEM_CMP_NE, 0), 0); \
    shmem_barrier_all(); \
    for (int i = 0; i < 2; i++) shmem_##NAME##_p(&at[i], values[i], next); \
    CALL(NAME, wait_until, )(watched, SHMEM_CMP_EQ, (T)1); \
    CHECK_EQ(CALL(NAME, wait_until_any, )(watched, 2, NULL, SHMEM_CMP_EQ, (T)2), 1); \
    CALL(NAME, wait_until_all, )(watched, 2, NULL, SHMEM_CMP_NE, 0); \
    CALL(NAME, wait_until_all_vector, )(watched, 2, NULL, SHMEM_CMP_EQ, values); \
    CHECK(CALL(NAME, wait_until_any_vector, )(watched, 2, NULL, SHMEM_CMP_EQ, values) < 2); \
    CHECK_EQ(CALL(NAME, wait_until_some, )(watched, 2, some, NULL, SHMEM_CMP_GT, (T)1), 1); \
    CHECK_EQ(some[0], 1); \
    CHECK_EQ(CALL(NAME, wait_until_some_vector, )(watched, 2, some, NULL, SHMEM_CMP_EQ, values), 2); \
    CHECK_EQ(CALL(NAME, test_all_vector, )(watched, 2, NULL, SHMEM_CMP_EQ, values), 1); \
    CHECK_EQ(CALL(NAME, test_any, )(watched, 2, NULL, SHMEM_CMP_LE, (T)1), 0); \
    CHECK_EQ(CALL(NAME, test_some_vector, )(watched, 2, some, NULL, SHMEM_CMP_GE, values), 2); \
  }

/* ---- collectives ---- */

/* Strides of alltoalls: of the destination and of the source. */
enum { STRIDE_PAIRS_N = 3 };
static const struct {
  ptrdiff_t dst, sst;
} stride_pairs[STRIDE_PAIRS_N] = {{2, 1}, {1, 2}, {2, 3}};

#define MOVES(NAME, T) \
  static void BODY(moves, NAME)(shmem_team_t team) { \
    enum { EACH = 5 }; \
    static T source[3 * EACH * PES_MAX], dest[2 * EACH * PES_MAX]; \
    const int n = shmem_team_n_pes(team), self = shmem_team_my_pe(team), root = n / 2; \
    for (int i = 0; i < 3 * EACH * n; i++) source[i] = (T)number(self, i); \
    OK(CALL(NAME, broadcast, )(team, dest, source, EACH, root)); \
    for (int i = 0; i < EACH; i++) CHECK(dest[i] == (T)number(root, i)); \
    OK(CALL(NAME, fcollect, )(team, dest, source, EACH)); \
    for (int i = 0; i < n * EACH; i++) CHECK(dest[i] == (T)number(i / EACH, i % EACH)); \
    OK(CALL(NAME, collect, )(team, dest, source, (size_t)(self % EACH))); \
    for (int pe = 0, at = 0; pe < n; at += pe++ % EACH) \
      for (int i = 0; i < pe % EACH; i++) CHECK(dest[at + i] == (T)number(pe, i)); \
    OK(CALL(NAME, alltoall, )(team, dest, source, EACH)); \
    for (int i = 0; i < n * EACH; i++) CHECK(dest[i] == (T)number(i / EACH, self * EACH + i % EACH)); \
    for (int pair = 0; pair < STRIDE_PAIRS_N; pair++) { \
      const int dst = (int)stride_pairs[pair].dst, sst = (int)stride_pairs[pair].sst; \
      for (int i = 0; i < 2 * EACH * n; i++) dest[i] = (T)100; \
      OK(CALL(NAME, alltoalls, )(team, dest, source, dst, sst, EACH)); \
      for (int i = 0; i < 2 * EACH * n; i++) { \
        const bool is_written = i % dst == 0 && i < dst * EACH * n; \
        const int from = i / dst / EACH, at = sst * (self * EACH + i / dst % EACH); \
        CHECK(dest[i] == (is_written ? (T)number(from, at) : (T)100)); \
      } \
    } \
    OK(shmem_team_sync(team)); \
  }

#define SUMS(NAME, T) \
  static void BODY(sums, NAME)(shmem_team_t team) { \
    static T source[N], dest[N]; \
    const int n = shmem_team_n_pes(team), self = shmem_team_my_pe(team); \
    for (int i = 0; i < N; i++) source[i] = (T)(self + 1); \
    OK(CALL(NAME, sum_reduce, )(team, dest, source, N)); \
    for (int i = 0; i < N; i++) CHECK(dest[i] == (T)(n * (n + 1) / 2)); \
    OK(CALL(NAME, sum_inscan, )(team, dest, source, N)); \
    for (int i = 0; i < N; i++) CHECK(dest[i] == (T)((self + 1) * (self + 2) / 2)); \
    OK(CALL(NAME, sum_exscan, )(team, dest, source, N)); \
    for (int i = 0; i < N; i++) CHECK(dest[i] == (T)(self * (self + 1) / 2)); \
    for (int i = 0; i < N; i++) source[i] = (T)(self == 0 ? 2 : 1); \
    OK(CALL(NAME, prod_reduce, )(team, source, source, N)); \
    for (int i = 0; i < N; i++) CHECK(source[i] == (T)2); \
    OK(shmem_team_sync(team)); \
  }

/* -1 is the largest value of types without sign. */
#define ORDER(NAME, T) \
  static void BODY(order, NAME)(shmem_team_t team) { \
    static T source[N], dest[N]; \
    const int n = shmem_team_n_pes(team), self = shmem_team_my_pe(team); \
    for (int i = 0; i < N; i++) source[i] = (T)(self == n - 1 ? (T)-1 : (T)(self + 2)); \
    OK(CALL(NAME, max_reduce, )(team, dest, source, N)); \
    CHECK(dest[N - 1] == ((T)-1 < (T)1 && n > 1 ? (T)n : (T)-1)); \
    OK(CALL(NAME, min_reduce, )(team, dest, source, N)); \
    CHECK(dest[N - 1] == ((T)-1 < (T)1 || n == 1 ? (T)-1 : (T)2)); \
    OK(shmem_team_sync(team)); \
  }

#define COMBINED_BITS(NAME, T) \
  static void BODY(combined_bits, NAME)(shmem_team_t team) { \
    static T source[N], dest[N]; \
    const int n = shmem_team_n_pes(team), self = shmem_team_my_pe(team); \
    T all = 0, odd = 0; \
    for (int pe = 0; pe < n; pe++) all |= (T)(1 << pe % 7), odd ^= (T)(1 << pe % 7); \
    for (int i = 0; i < N; i++) source[i] = (T)(1 << self % 7); \
    OK(CALL(NAME, or_reduce, )(team, dest, source, N)); \
    CHECK(dest[N - 1] == all); \
    OK(CALL(NAME, xor_reduce, )(team, dest, source, N)); \
    CHECK(dest[N - 1] == odd); \
    OK(CALL(NAME, and_reduce, )(team, dest, source, N)); \
    CHECK(dest[N - 1] == (n == 1 ? all : (T)0)); \
    OK(shmem_team_sync(team)); \
  }

#endif
