/* OpenSHMEM: put, get, atomics, signals and waits of all types, by their own names and by the generic ones, with and without a
 * context, on static variables and on the heap. */
#include "shmem_check.h"

enum { N = 37 };

/* Small numbers, which every type holds. */
static int number(int pe, int i) { return (pe * 7 + i) % 100; }

#define PLACES(T) \
  static T fixed[3 * N]; \
  T *heap = shmem_malloc(sizeof fixed), *mine = calloc(3 * N, sizeof(T)); \
  CHECK(heap && mine); \
  T *places[2] = {fixed, heap};

/* What the previous PE has put has come; what is fetched from the next one is its own. */
#define ROW(NAME, T) \
  static void rma_##NAME(shmem_ctx_t ctx) { \
    PLACES(T) \
    for (int p = 0; p < 2; p++) { \
      T *at = places[p]; \
      memset(at, 0, sizeof fixed); \
      for (int i = 0; i < N; i++) mine[i] = (T)number(me, i); \
      shmem_barrier_all(); \
      shmem_##NAME##_put(at, mine, N, next); \
      shmem_ctx_##NAME##_put_nbi(ctx, at + N, mine, N, next); \
      shmem_ctx_quiet(ctx); \
      shmem_barrier_all(); \
      for (int i = 0; i < N; i++) CHECK(at[i] == (T)number(previous, i) && at[N + i] == at[i]); \
      memset(mine, 0, sizeof fixed); \
      shmem_##NAME##_get(mine, at, N, next); \
      shmem_##NAME##_get_nbi(mine + N, at + N, N, next); \
      shmem_quiet(); \
      for (int i = 0; i < N; i++) CHECK(mine[i] == (T)number(me, i) && mine[N + i] == mine[i]); \
      CHECK(shmem_##NAME##_g(at + 3, next) == (T)number(me, 3)); \
      CHECK(shmem_ctx_##NAME##_g(ctx, at + 4, next) == (T)number(me, 4)); \
      shmem_barrier_all(); \
      shmem_##NAME##_p(at, (T)(me % 50), next); \
      shmem_##NAME##_iput(at + N, mine, 2, 1, N / 2, next); \
      shmem_barrier_all(); \
      CHECK(at[0] == (T)(previous % 50)); \
      for (int i = 0; i < N / 2; i++) CHECK(at[N + 2 * i] == (T)number(previous, i)); \
      shmem_##NAME##_iget(mine, at + N, 1, 2, N / 2, me); \
      for (int i = 0; i < N / 2; i++) CHECK(mine[i] == (T)number(previous, i)); \
      shmem_barrier_all(); \
      shmem_##NAME##_ibput(at, mine, 5, 3, 2, 4, next); \
      shmem_barrier_all(); \
      for (int b = 0; b < 4; b++) \
        for (int i = 0; i < 2; i++) CHECK(at[5 * b + i] == (T)number((previous + pes - 1) % pes, 3 * b + i)); \
      shmem_##NAME##_ibget(mine, at, 2, 5, 2, 4, me); \
      for (int i = 0; i < 8; i++) CHECK(mine[i] == at[i / 2 * 5 + i % 2]); \
      shmem_barrier_all(); \
    } \
    free(mine); \
    shmem_free(heap); \
  } \
  static void signal_##NAME(shmem_ctx_t ctx) { \
    static uint64_t signals[2]; \
    PLACES(T) \
    for (int p = 0; p < 2; p++) { \
      signals[0] = signals[1] = 0; \
      for (int i = 0; i < N; i++) mine[i] = (T)number(me, i); \
      shmem_barrier_all(); \
      shmem_##NAME##_put_signal(places[p], mine, N, &signals[0], 5, SHMEM_SIGNAL_SET, next); \
      shmem_ctx_##NAME##_put_signal_nbi(ctx, places[p] + N, mine, N, &signals[1], 3, SHMEM_SIGNAL_ADD, next); \
      CHECK_EQ(shmem_signal_wait_until(&signals[0], SHMEM_CMP_NE, 0), 5); \
      for (int i = 0; i < N; i++) CHECK(places[p][i] == (T)number(previous, i)); \
      CHECK_EQ(shmem_signal_wait_until(&signals[1], SHMEM_CMP_GE, 3), 3); \
      for (int i = 0; i < N; i++) CHECK(places[p][N + i] == (T)number(previous, i)); \
      shmem_ctx_quiet(ctx); \
      shmem_barrier_all(); \
    } \
    free(mine); \
    shmem_free(heap); \
  }
SHMEMI_RMA_TYPES(ROW)
#undef ROW

/* All PEs change one variable of each PE; then swaps, which are handed round. */
#define ROW(NAME, T) \
  static void atomic_##NAME(shmem_ctx_t ctx) { \
    static T fixed, seen; \
    enum { ROUNDS = 20 }; \
    T *heap = shmem_calloc(1, sizeof fixed), *places[2] = {&fixed, heap}; \
    for (int p = 0; p < 2; p++) { \
      T *at = places[p], all = (T)(ROUNDS * 4 * pes); \
      for (int pe = 0; pe < pes; pe++) { \
        for (int i = 0; i < ROUNDS; i++) { \
          shmem_##NAME##_atomic_inc(at, pe); \
          shmem_ctx_##NAME##_atomic_add(ctx, at, 1, pe); \
          CHECK(shmem_##NAME##_atomic_fetch_inc(at, pe) < all); \
          CHECK(shmem_ctx_##NAME##_atomic_fetch_add(ctx, at, 1, pe) < all); \
        } \
      } \
      shmem_ctx_quiet(ctx); \
      shmem_barrier_all(); \
      CHECK(*at == all && shmem_##NAME##_atomic_fetch(at, next) == all); \
      shmem_barrier_all(); \
      CHECK(shmem_##NAME##_atomic_swap(at, (T)3, next) == all); \
      shmem_ctx_##NAME##_atomic_swap_nbi(ctx, &seen, at, (T)4, next); \
      shmem_ctx_quiet(ctx); \
      CHECK(seen == (T)3); \
      CHECK(shmem_##NAME##_atomic_compare_swap(at, (T)3, (T)9, next) == (T)4); \
      CHECK(shmem_##NAME##_atomic_compare_swap(at, (T)4, (T)5, next) == (T)4); \
      shmem_##NAME##_atomic_compare_swap_nbi(&seen, at, (T)5, (T)6, next); \
      shmem_quiet(); \
      CHECK(seen == (T)5); \
      shmem_##NAME##_atomic_fetch_inc_nbi(&seen, at, next); \
      shmem_quiet(); \
      CHECK(seen == (T)6); \
      shmem_##NAME##_atomic_fetch_add_nbi(&seen, at, (T)2, next); \
      shmem_quiet(); \
      CHECK(seen == (T)7); \
      shmem_##NAME##_atomic_fetch_nbi(&seen, at, next); \
      shmem_quiet(); \
      CHECK(seen == (T)9); \
      shmem_##NAME##_atomic_set(at, (T)-1, next); \
      shmem_barrier_all(); \
      CHECK(*at == (T)-1); \
      CHECK_EQ(shmem_##NAME##_test(at, SHMEM_CMP_LT, 0), (T)-1 < (T)1); \
      CHECK_EQ(shmem_##NAME##_test(at, SHMEM_CMP_GT, 0), (T)-1 > (T)1); \
    } \
    shmem_free(heap); \
  } \
  static void wait_##NAME(void) { \
    static T flags[4]; \
    const int none[4] = {1, 1, 1, 1}, middle[4] = {1, 0, 0, 1}; \
    const T values[4] = {(T)1, (T)2, (T)3, (T)4}; \
    size_t some[4]; \
    for (int i = 0; i < 4; i++) flags[i] = 0; \
    shmem_barrier_all(); \
    CHECK_EQ(shmem_##NAME##_test_any(flags, 4, NULL, SHMEM_CMP_NE, 0), SIZE_MAX); \
    CHECK_EQ(shmem_##NAME##_test_some(flags, 4, some, NULL, SHMEM_CMP_NE, 0), 0); \
    CHECK_EQ(shmem_##NAME##_test_all(flags, 4, none, SHMEM_CMP_NE, 0), 1); \
    CHECK_EQ(shmem_##NAME##_wait_until_any(flags, 4, none, SHMEM_CMP_NE, 0), SIZE_MAX); \
    CHECK_EQ(shmem_##NAME##_wait_until_some(flags, 4, some, none, SHMEM_CMP_NE, 0), 0); \
    shmem_##NAME##_wait_until_all(flags, 4, none, SHMEM_CMP_NE, 0); \
    shmem_barrier_all(); \
    for (int i = 0; i < 4; i++) shmem_##NAME##_p(&flags[i], values[i], next); \
    shmem_##NAME##_wait_until(&flags[0], SHMEM_CMP_EQ, 1); \
    size_t any = shmem_##NAME##_wait_until_any(flags, 4, middle, SHMEM_CMP_GE, (T)2); \
    CHECK(any == 1 || any == 2); \
    CHECK(shmem_##NAME##_wait_until_some(flags, 4, some, middle, SHMEM_CMP_GE, (T)2) >= 1); \
    shmem_##NAME##_wait_until_all_vector(flags, 4, NULL, SHMEM_CMP_EQ, values); \
    CHECK_EQ(shmem_##NAME##_test_all_vector(flags, 4, NULL, SHMEM_CMP_EQ, values), 1); \
    CHECK(shmem_##NAME##_wait_until_any_vector(flags, 4, NULL, SHMEM_CMP_EQ, values) < 4); \
    CHECK_EQ(shmem_##NAME##_wait_until_some_vector(flags, 4, some, NULL, SHMEM_CMP_EQ, values), 4); \
    CHECK(shmem_##NAME##_test_any_vector(flags, 4, NULL, SHMEM_CMP_EQ, values) < 4); \
    CHECK_EQ(shmem_##NAME##_test_some_vector(flags, 4, some, middle, SHMEM_CMP_LE, values), 2); \
    CHECK_EQ(shmem_##NAME##_test_some(flags, 4, some, NULL, SHMEM_CMP_GT, (T)2), 2); \
    shmem_barrier_all(); \
  }
SHMEMI_AMO_TYPES(ROW)
#undef ROW

#define ROW(NAME, T) \
  static void bits_##NAME(shmem_ctx_t ctx) { \
    static T word, seen; \
    word = 0; \
    shmem_barrier_all(); \
    for (int pe = 0; pe < pes; pe++) shmem_##NAME##_atomic_or(&word, (T)1 << me % 30, pe); \
    shmem_barrier_all(); \
    T all = word; \
    CHECK(all >> me % 30 & 1); \
    shmem_barrier_all(); \
    CHECK(shmem_##NAME##_atomic_fetch_xor(&word, (T)0x40, next) == all); \
    CHECK(shmem_ctx_##NAME##_atomic_fetch_and(ctx, &word, (T)0x4f, next) == (T)(all ^ 0x40)); \
    CHECK(shmem_##NAME##_atomic_fetch_or(&word, (T)0x80, next) == (T)((all ^ 0x40) & 0x4f)); \
    shmem_##NAME##_atomic_and(&word, (T)0x80, next); \
    shmem_##NAME##_atomic_xor(&word, (T)0x81, next); \
    shmem_##NAME##_atomic_fetch_or_nbi(&seen, &word, (T)2, next); \
    shmem_quiet(); \
    CHECK(seen == (T)1); \
    shmem_##NAME##_atomic_fetch_xor_nbi(&seen, &word, (T)2, next); \
    shmem_##NAME##_atomic_fetch_and_nbi(&seen, &word, (T)1, next); \
    shmem_barrier_all(); \
    CHECK(word == (T)1 && seen == (T)1); \
    shmem_barrier_all(); \
  }
SHMEMI_AMO_BITS(ROW)
#undef ROW

/* The untyped ones, longer than a message, and of no elements. */
static void untyped(void) {
  enum { BYTES = 300000 };
  char *heap = shmem_malloc(BYTES), *mine = malloc(BYTES);
  for (int i = 0; i < BYTES; i++) mine[i] = (char)(i + me);
  memset(heap, 0, BYTES);
  shmem_barrier_all();
  shmem_putmem(heap, mine, BYTES, next);
  shmem_barrier_all();
  for (int i = 0; i < BYTES; i++) CHECK(heap[i] == (char)(i + previous));
  shmem_getmem_nbi(mine, heap, BYTES, next);
  shmem_quiet();
  for (int i = 0; i < BYTES; i++) CHECK(mine[i] == (char)(i + me));
  shmem_barrier_all();
  shmem_put128(heap, mine + 16, 2, next);
  shmem_putmem(heap, mine, 0, next);
  shmem_barrier_all();
  for (int i = 0; i < 32; i++) CHECK(heap[i] == (char)(i + 16 + previous));
  shmem_get32(mine, heap + 4, 3, me);
  for (int i = 0; i < 12; i++) CHECK(mine[i] == heap[i + 4]);
  shmem_barrier_all();
  free(mine);
  shmem_free(heap);
}

static void generic(shmem_ctx_t ctx) {
  static long word, list[4];
  static float real;
  volatile long *flag = &word;
  word = 0;
  shmem_barrier_all();
  shmem_p(&word, me + 1, next);
  shmem_wait_until(flag, SHMEM_CMP_NE, 0);
  CHECK_EQ(word, previous + 1);
  CHECK_EQ(shmem_g((const long *)&word, next), me + 1);
  shmem_barrier_all();
  shmem_put(ctx, list, &word, 1, next);
  shmem_ctx_quiet(ctx);
  shmem_barrier_all();
  CHECK_EQ(list[0], (previous + pes - 1) % pes + 1);
  CHECK_EQ(shmem_atomic_fetch_add(ctx, &list[1], 1, me), 0);
  shmem_atomic_set(&real, 1.5f, me);
  CHECK(shmem_atomic_swap(&real, 2.5f, me) == 1.5f);
  CHECK(shmem_atomic_fetch(ctx, &real, me) == 2.5f);
  CHECK_EQ(shmem_test(flag, SHMEM_CMP_EQ, word), 1);
  shmem_barrier_all();
}

int main(void) {
  shmem_ctx_t ctx;
  start();
  OK(shmem_ctx_create(0, &ctx));
#define ROW(NAME, T) rma_##NAME(ctx); signal_##NAME(ctx);
  SHMEMI_RMA_TYPES(ROW)
#undef ROW
#define ROW(NAME, T) atomic_##NAME(ctx); wait_##NAME();
  SHMEMI_AMO_TYPES(ROW)
#undef ROW
#define ROW(NAME, T) bits_##NAME(ctx);
  SHMEMI_AMO_BITS(ROW)
#undef ROW
  untyped();
  generic(ctx);
  shmem_ctx_destroy(ctx);
  return finish();
}
