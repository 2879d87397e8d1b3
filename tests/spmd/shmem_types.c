/* OpenSHMEM: put, get, atomics, signals and waits of all types, by their own names, on static variables by the default context, and
 * on the heap by another one.
 * Group: shmem_calls
 */
#include "shmem_bodies.h"

SHMEMI_RMA_TYPES(VALUES)
VALUES(8, uint8_t) VALUES(16, uint16_t) VALUES(32, uint32_t) VALUES(64, uint64_t) VALUES(128, shmemi_complexd)
VALUES(mem, unsigned char)

/* ---- the default context ---- */

#define CTX
#define BODY(what, NAME) plain_##what##_##NAME
#define CALL(NAME, verb, suffix) shmem_##NAME##_##verb##suffix
SHMEMI_RMA_TYPES(COPIES) SHMEMI_RMA_TYPES(STRIDED) SHMEMI_RMA_TYPES(SINGLE)
SHMEMI_AMO_TYPES(EXTENDED) SHMEMI_AMO_FLOATS(EXTENDED) SHMEMI_AMO_TYPES(STANDARD) SHMEMI_AMO_BITS(BITWISE)
SHMEMI_WAIT_TYPES(WAIT_ONE) SHMEMI_WAIT_TYPES(WAIT_SEVERAL) SHMEMI_WAIT_TYPES(WAIT_NONE)
SHMEMI_OLD_AMO(OLD_EXTENDED) SHMEMI_AMO_FLOATS(OLD_EXTENDED) SHMEMI_OLD_AMO(OLD_STANDARD) SHMEMI_WAIT_TYPES(OLD_WAIT)
#undef CALL
#define CALL(SIZE, verb, suffix) shmem_##verb##SIZE##suffix
#define ROW(SIZE) COPIES(SIZE, __typeof__(symmetric_##SIZE[0])) STRIDED(SIZE, __typeof__(symmetric_##SIZE[0]))
SHMEMI_SIZES(ROW) COPIES(mem, unsigned char)
#undef ROW
#undef CALL
#undef BODY
#undef CTX

/* ---- another context ---- */

#define CTX ctx,
#define BODY(what, NAME) ctx_##what##_##NAME
#define CALL(NAME, verb, suffix) shmem_ctx_##NAME##_##verb##suffix
SHMEMI_RMA_TYPES(COPIES) SHMEMI_RMA_TYPES(STRIDED) SHMEMI_RMA_TYPES(SINGLE)
SHMEMI_AMO_TYPES(EXTENDED) SHMEMI_AMO_FLOATS(EXTENDED) SHMEMI_AMO_TYPES(STANDARD) SHMEMI_AMO_BITS(BITWISE)
#undef CALL
#define CALL(SIZE, verb, suffix) shmem_ctx_##verb##SIZE##suffix
#define ROW(SIZE) COPIES(SIZE, __typeof__(symmetric_##SIZE[0])) STRIDED(SIZE, __typeof__(symmetric_##SIZE[0]))
SHMEMI_SIZES(ROW) COPIES(mem, unsigned char)
#undef ROW
#undef CALL

static void test_types(shmem_ctx_t ctx, void *heap) {
#define ROW(NAME, T) plain_copies_##NAME(SHMEM_CTX_DEFAULT, symmetric_##NAME), ctx_copies_##NAME(ctx, (T *)heap);
  SHMEMI_RMA_TYPES(ROW) ROW(mem, unsigned char)
#undef ROW
#define ROW(NAME, T) \
  plain_strided_##NAME(SHMEM_CTX_DEFAULT, symmetric_##NAME), ctx_strided_##NAME(ctx, (T *)heap); \
  plain_single_##NAME(SHMEM_CTX_DEFAULT, symmetric_##NAME), ctx_single_##NAME(ctx, (T *)heap);
  SHMEMI_RMA_TYPES(ROW)
#undef ROW
#define ROW(SIZE) \
  plain_copies_##SIZE(SHMEM_CTX_DEFAULT, symmetric_##SIZE); \
  plain_strided_##SIZE(SHMEM_CTX_DEFAULT, symmetric_##SIZE); \
  ctx_copies_##SIZE(ctx, (__typeof__(symmetric_##SIZE[0]) *)heap); \
  ctx_strided_##SIZE(ctx, (__typeof__(symmetric_##SIZE[0]) *)heap);
  SHMEMI_SIZES(ROW)
#undef ROW
#define ROW(NAME, T) plain_extended_##NAME(SHMEM_CTX_DEFAULT, symmetric_##NAME), ctx_extended_##NAME(ctx, (T *)heap);
  SHMEMI_AMO_TYPES(ROW) SHMEMI_AMO_FLOATS(ROW)
#undef ROW
#define ROW(NAME, T) plain_standard_##NAME(SHMEM_CTX_DEFAULT, symmetric_##NAME), ctx_standard_##NAME(ctx, (T *)heap);
  SHMEMI_AMO_TYPES(ROW)
#undef ROW
#define ROW(NAME, T) plain_bitwise_##NAME(SHMEM_CTX_DEFAULT, symmetric_##NAME), ctx_bitwise_##NAME(ctx, (T *)heap);
  SHMEMI_AMO_BITS(ROW)
#undef ROW
#define ROW(NAME, T) plain_wait_several_##NAME((T *)heap), plain_wait_none_##NAME((T *)heap);
  SHMEMI_WAIT_TYPES(ROW)
#undef ROW
#define ROW(NAME, T) plain_wait_one_##NAME(symmetric_##NAME);
  SHMEMI_WAIT_TYPES(ROW)
#undef ROW
#define ROW(NAME, T) plain_old_extended_##NAME((T *)heap);
  SHMEMI_OLD_AMO(ROW) SHMEMI_AMO_FLOATS(ROW)
#undef ROW
#define ROW(NAME, T) plain_old_standard_##NAME(symmetric_##NAME);
  SHMEMI_OLD_AMO(ROW)
#undef ROW
#define ROW(NAME, T) plain_old_wait_##NAME((T *)heap);
  SHMEMI_WAIT_TYPES(ROW)
#undef ROW
}

/* Longer than a message. */
static void test_long(void) {
  enum { BYTES = 300000 };
  char *heap = (char *)shmem_malloc(BYTES), *mine = (char *)malloc(BYTES);
  for (int i = 0; i < BYTES; i++) mine[i] = (char)(i + me);
  memset(heap, 0, BYTES);
  shmem_barrier_all();
  shmem_putmem(heap, mine, BYTES, next);
  shmem_barrier_all();
  for (int i = 0; i < BYTES; i++) CHECK(heap[i] == (char)(i + previous));
  shmem_getmem_nbi(mine, heap, BYTES, next);
  shmem_quiet();
  for (int i = 0; i < BYTES; i++) CHECK(mine[i] == (char)(i + me));
  free(mine);
  shmem_free(heap);
}

static void test_signals(shmem_ctx_t ctx) {
  static uint64_t signal;
  signal = 0;
  shmem_barrier_all();
  CHECK_EQ(shmem_signal_fetch(&signal), 0);
  shmem_barrier_all();
  shmem_signal_set(&signal, 10, next);
  shmem_fence();
  shmem_signal_add(&signal, 2, next);
  CHECK_EQ(shmem_signal_wait_until(&signal, SHMEM_CMP_GE, 12), 12);
  shmem_barrier_all();
  shmem_ctx_signal_set(ctx, &signal, 20, next);
  shmem_ctx_fence(ctx);
  shmem_ctx_signal_add(ctx, &signal, 3, next);
  CHECK_EQ(shmem_signal_wait_until(&signal, SHMEM_CMP_GT, 20), 23);
  CHECK_EQ(shmem_signal_fetch(&signal), 23);
}

/* What orders and completes, on either context; sessions are hints. */
static void test_order(shmem_ctx_t ctx) {
  static int word, ctx_word;
  const shmem_ctx_session_config_t config = {8};
  shmem_team_t team = SHMEM_TEAM_INVALID;
  word = ctx_word = 0;
  shmem_barrier_all();
  shmem_ctx_session_start(ctx, SHMEM_CTX_SESSION_BATCH, &config, SHMEM_CTX_SESSION_TOTAL_OPS);
  shmem_int_put_nbi(&word, &me, 1, next);
  shmem_fence();
  shmem_int_p(&word, me + 1, next);
  shmem_ctx_int_p(ctx, &ctx_word, me + 1, next);
  shmem_pe_quiet(&next, 1);
  shmem_ctx_pe_quiet(ctx, &next, 1);
  shmem_ctx_session_stop(ctx);
  CHECK_EQ(shmem_int_g(&word, next), me + 1);
  CHECK_EQ(shmem_int_g(&ctx_word, next), me + 1);
  shmem_sync_all();
  CHECK(word == previous + 1 && ctx_word == previous + 1);
  OK(shmem_ctx_get_team(ctx, &team));
  CHECK(team == SHMEM_TEAM_WORLD);
  CHECK(shmem_ctx_get_team(SHMEM_CTX_INVALID, &team) != 0 && team == SHMEM_TEAM_INVALID);
  shmem_ctx_quiet(SHMEM_CTX_INVALID);
  shmem_ctx_fence(SHMEM_CTX_INVALID);
  shmem_ctx_destroy(SHMEM_CTX_INVALID);
}

/* Names without a type, which are functions for long. */
static void test_plain_waits(void) {
  static long word;
  word = 0;
  shmem_barrier_all();
  shmem_long_p(&word, 1, next);
  (shmem_wait)(&word, 0);
  (shmem_wait_until)(&word, SHMEM_CMP_EQ, 1);
  CHECK_EQ(word, 1);
  shmem_barrier_all();
}

int main(void) {
  shmem_ctx_t ctx;
  start();
  OK(shmem_ctx_create(0, &ctx));
  void *heap = shmem_malloc(ROOM * sizeof(shmemi_complexd));
  test_types(ctx, heap);
  test_long();
  test_signals(ctx);
  test_order(ctx);
  test_plain_waits();
  shmem_free(heap);
  shmem_ctx_destroy(ctx);
  return finish();
}
