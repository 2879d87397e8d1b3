/* OpenSHMEM: the names that select by type, with and without a context: by _Generic in C, by overloads in C++.
 * Group: shmem_calls
 */
#include "shmem_bodies.h"

#define CALL(NAME, verb, suffix) shmem_##verb##suffix

SHMEMI_BASE_TYPES(VALUES)

#define CTX
#define BODY(what, NAME) plain_##what##_##NAME
SHMEMI_BASE_TYPES(COPIES) SHMEMI_BASE_TYPES(STRIDED) SHMEMI_BASE_TYPES(SINGLE) SHMEMI_BASE_TYPES(MOVES)
SHMEMI_AMO_BASE(EXTENDED) SHMEMI_AMO_FLOATS(EXTENDED) SHMEMI_AMO_BASE(STANDARD) SHMEMI_WAIT_BASE(WAIT_SEVERAL)
SHMEMI_WAIT_BASE(WAIT_ONE) SHMEMI_WAIT_BASE(WAIT_NONE) SHMEMI_WAIT_BASE(WAIT_VOLATILE)
SHMEMI_REDUCE_SUM_BASE(SUMS) SHMEMI_REDUCE_ORDER_BASE(ORDER) SHMEMI_REDUCE_BITS_BASE(COMBINED_BITS)
#define SIGNED_BITS(ROW) ROW(schar, signed char) ROW(short, short) ROW(int, int) ROW(long, long) ROW(longlong, long long)
SHMEMI_AMO_BASE(BITWISE) SIGNED_BITS(COMBINED_BITS)
#undef BODY
#undef CTX

#define CTX ctx,
#define BODY(what, NAME) ctx_##what##_##NAME
SHMEMI_BASE_TYPES(COPIES) SHMEMI_BASE_TYPES(STRIDED) SHMEMI_BASE_TYPES(SINGLE)
SHMEMI_AMO_BASE(EXTENDED) SHMEMI_AMO_FLOATS(EXTENDED) SHMEMI_AMO_BASE(STANDARD) SHMEMI_AMO_BASE(BITWISE)

static void test_types(shmem_ctx_t ctx) {
#define ROW(NAME, T) \
  plain_copies_##NAME(SHMEM_CTX_DEFAULT, symmetric_##NAME), ctx_copies_##NAME(ctx, symmetric_##NAME); \
  plain_strided_##NAME(SHMEM_CTX_DEFAULT, symmetric_##NAME), ctx_strided_##NAME(ctx, symmetric_##NAME); \
  plain_single_##NAME(SHMEM_CTX_DEFAULT, symmetric_##NAME), ctx_single_##NAME(ctx, symmetric_##NAME); \
  plain_moves_##NAME(SHMEM_TEAM_WORLD);
  SHMEMI_BASE_TYPES(ROW)
#undef ROW
#define ROW(NAME, T) \
  plain_extended_##NAME(SHMEM_CTX_DEFAULT, symmetric_##NAME), ctx_extended_##NAME(ctx, symmetric_##NAME);
  SHMEMI_AMO_BASE(ROW) SHMEMI_AMO_FLOATS(ROW)
#undef ROW
#define ROW(NAME, T) \
  plain_standard_##NAME(SHMEM_CTX_DEFAULT, symmetric_##NAME), ctx_standard_##NAME(ctx, symmetric_##NAME);
  SHMEMI_AMO_BASE(ROW)
#undef ROW
#define ROW(NAME, T) \
  plain_wait_one_##NAME(symmetric_##NAME), plain_wait_several_##NAME(symmetric_##NAME); \
  plain_wait_none_##NAME(symmetric_##NAME), plain_wait_volatile_##NAME(symmetric_##NAME);
  SHMEMI_WAIT_BASE(ROW)
#undef ROW
#define ROW(NAME, T) plain_bitwise_##NAME(SHMEM_CTX_DEFAULT, symmetric_##NAME), ctx_bitwise_##NAME(ctx, symmetric_##NAME);
  SHMEMI_AMO_BASE(ROW)
#undef ROW
#define ROW(NAME, T) plain_sums_##NAME(SHMEM_TEAM_WORLD);
  SHMEMI_REDUCE_SUM_BASE(ROW)
#undef ROW
#define ROW(NAME, T) plain_order_##NAME(SHMEM_TEAM_WORLD);
  SHMEMI_REDUCE_ORDER_BASE(ROW)
#undef ROW
#define ROW(NAME, T) plain_combined_bits_##NAME(SHMEM_TEAM_WORLD);
  SHMEMI_REDUCE_BITS_BASE(ROW) SIGNED_BITS(ROW)
#undef ROW
}

/* What has no type: signals, and a team or an active set. */
static void test_others(shmem_ctx_t ctx) {
  static uint64_t signal;
  static long sync_set[SHMEM_BARRIER_SYNC_SIZE];
  for (int i = 0; i < SHMEM_BARRIER_SYNC_SIZE; i++) sync_set[i] = SHMEM_SYNC_VALUE;
  OK(shmem_sync(SHMEM_TEAM_WORLD));
  shmem_signal_set(&signal, 4, next);
  shmem_fence();
  shmem_signal_add(&signal, 1, next);
  CHECK_EQ(shmem_signal_wait_until(&signal, SHMEM_CMP_EQ, 5), 5);
  shmem_sync(0, 0, pes, sync_set);
  shmem_signal_set(ctx, &signal, 7, next);
  shmem_ctx_fence(ctx);
  shmem_signal_add(ctx, &signal, 1, next);
  CHECK_EQ(shmem_signal_wait_until(&signal, SHMEM_CMP_EQ, 8), 8);
}

#undef BODY
#define BODY(what, NAME) plain_##what##_##NAME
SHMEMI_AMO_BASE(OLD_EXTENDED) SHMEMI_AMO_FLOATS(OLD_EXTENDED) SHMEMI_AMO_BASE(OLD_STANDARD) SHMEMI_WAIT_BASE(OLD_WAIT)

#ifdef __cplusplus
#undef BODY
#undef CALL
#define BODY(what, NAME) typed_##what##_##NAME
#define CALL(NAME, verb, suffix) shmem_##NAME##_##verb##suffix
SHMEMI_WAIT_BASE(WAIT_VOLATILE)
#endif

/* In C++ the names with a type accept volatile variables, too, and NULL for variables of which there are none. */
static void test_volatile_names(void) {
#ifdef __cplusplus
#define ROW(NAME, T) \
  typed_wait_volatile_##NAME(symmetric_##NAME); \
  shmem_##NAME##_wait_until_all(NULL, 0, NULL, SHMEM_CMP_EQ, 0); \
  CHECK_EQ(shmem_##NAME##_test_any(NULL, 0, NULL, SHMEM_CMP_EQ, 0), SIZE_MAX);
  SHMEMI_WAIT_BASE(ROW)
#undef ROW
#endif
}

/* Deprecated names, qualified types, and an array. */
static void test_old(void) {
  static long list[4];
  volatile long *flag = &list[1];
#define ROW(NAME, T) plain_old_extended_##NAME(symmetric_##NAME);
  SHMEMI_AMO_BASE(ROW) SHMEMI_AMO_FLOATS(ROW)
#undef ROW
#define ROW(NAME, T) plain_old_standard_##NAME(symmetric_##NAME);
  SHMEMI_AMO_BASE(ROW)
#undef ROW
#define ROW(NAME, T) plain_old_wait_##NAME(symmetric_##NAME);
  SHMEMI_WAIT_BASE(ROW)
#undef ROW
  shmem_p(&list[1], me + 1, next);
  shmem_wait_until(flag, SHMEM_CMP_NE, 0);
  CHECK_EQ(shmem_test(flag, SHMEM_CMP_EQ, previous + 1), 1);
  shmem_barrier_all();
  CHECK_EQ(shmem_g((const long *)&list[1], next), me + 1);
  shmem_barrier_all();
  shmem_put(list, list + 1, 1, next);
  shmem_barrier_all();
  CHECK_EQ(list[0], (previous + pes - 1) % pes + 1);
}

int main(void) {
  shmem_ctx_t ctx;
  start();
  OK(shmem_ctx_create(0, &ctx));
  test_types(ctx);
  test_others(ctx);
  test_old();
  test_volatile_names();
  shmem_ctx_destroy(ctx);
  return finish();
}
