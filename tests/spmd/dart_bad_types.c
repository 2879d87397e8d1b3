/* Types where they are not allowed: destroyed ones everywhere, strided and indexed ones in atomics and allocations,
 * parts of their blocks, custom ones in arithmetic; operations likewise. Each call prints one line and has no effect.
 * Group: dart_calls
 */
#include "dart_says.h"

#include <dash/dart/if/dart_ext.h>

enum { BYTES = 1024 };

static dart_gptr_t segment;
static unsigned char out[BYTES];
static int64_t numbers[16] = {1, 2, 3, 4};
static dart_allocator_t pool;

static const dart_team_unit_t zero = {0};

static dart_datatype_t strided(void) {
  dart_datatype_t type = DART_TYPE_UNDEFINED;
  OK(dart_type_create_strided(DART_TYPE_LONG, 4, 2, &type));
  return type;
}
static dart_datatype_t indexed(void) {
  dart_datatype_t type = DART_TYPE_UNDEFINED;
  OK(dart_type_create_indexed(DART_TYPE_LONG, 2, (size_t[]){1, 1}, (size_t[]){3, 0}, &type));
  return type;
}
static dart_datatype_t custom(void) {
  dart_datatype_t type = DART_TYPE_UNDEFINED;
  OK(dart_type_create_custom(16, &type));
  return type;
}

static void no_transfer(dart_datatype_t type) {
  dart_gptr_t there = at(segment, units_n - 1, 0);
  dart_handle_t handle = DART_HANDLE_NULL;
  INVAL(dart_put(there, numbers, 2, type, DART_TYPE_LONG));
  INVAL(dart_put(there, numbers, 2, DART_TYPE_LONG, type));
  INVAL(dart_put_blocking(there, numbers, 2, type, type));
  INVAL(dart_put_handle(there, numbers, 2, DART_TYPE_LONG, type, &handle));
  INVAL(dart_get(out, there, 2, type, DART_TYPE_LONG));
  INVAL(dart_get(out, there, 2, DART_TYPE_LONG, type));
  INVAL(dart_get_blocking(out, there, 2, type, type));
  INVAL(dart_get_handle(out, there, 2, type, DART_TYPE_LONG, &handle));
  CHECK(handle == DART_HANDLE_NULL);
}

static void no_atomic(dart_datatype_t type) {
  dart_gptr_t there = at(segment, units_n - 1, 0);
  INVAL(dart_accumulate(there, numbers, 2, type, DART_OP_SUM));
  INVAL(dart_accumulate_blocking_local(there, numbers, 2, type, DART_OP_REPLACE));
  INVAL(dart_fetch_and_op(there, numbers, out, type, DART_OP_NO_OP));
  INVAL(dart_compare_and_swap(there, numbers, numbers, out, type));
}

static void no_collective(dart_datatype_t type) {
  size_t counts[64] = {0}, displs[64] = {0};
  counts[0] = 2;
  INVAL(dart_bcast(out, 2, type, zero, DART_TEAM_ALL));
  INVAL(dart_scatter(numbers, out, 2, type, zero, DART_TEAM_ALL));
  INVAL(dart_gather(numbers, out, 2, type, zero, DART_TEAM_ALL));
  INVAL(dart_allgather(numbers, out, 2, type, DART_TEAM_ALL));
  INVAL(dart_allgatherv(numbers, self == 0 ? 2 : 0, type, out, counts, displs, DART_TEAM_ALL));
  INVAL(dart_alltoall(numbers, out, 2, type, DART_TEAM_ALL));
}

static void no_reduction(dart_datatype_t type) {
  INVAL(dart_reduce(numbers, out, 2, type, DART_OP_SUM, zero, DART_TEAM_ALL));
  INVAL(dart_allreduce(numbers, out, 2, type, DART_OP_SUM, DART_TEAM_ALL));
  INVAL(dart_allreduce(numbers, out, 2, type, DART_OP_MINMAX, DART_TEAM_ALL));
}

static void no_message(dart_datatype_t type) {
  dart_global_unit_t me = {self};
  INVAL(dart_send(numbers, 2, type, 0, me));
  INVAL(dart_recv(out, 2, type, 0, me));
  INVAL(dart_sendrecv(numbers, 2, type, 0, me, out, 2, DART_TYPE_LONG, 0, me));
  INVAL(dart_sendrecv(numbers, 2, DART_TYPE_LONG, 0, me, out, 2, type, 0, me));
}

static void no_allocation(dart_datatype_t type) {
  dart_gptr_t made = segment;
  INVAL(dart_team_memalloc_aligned(DART_TEAM_ALL, 2, type, &made));
  CHECK(DART_GPTR_ISNULL(made));
  made = segment;
  INVAL(dart_team_memregister(DART_TEAM_ALL, 2, type, out, &made));
  CHECK(DART_GPTR_ISNULL(made));
  made = segment;
  INVAL(dart_team_memregister_aligned(DART_TEAM_ALL, 2, type, out, &made));
  CHECK(DART_GPTR_ISNULL(made));
  made = segment;
  INVAL(dart_memalloc(2, type, &made));
  CHECK(DART_GPTR_ISNULL(made));
  made = segment;
  INVAL(dart_allocator_alloc(2, type, &made, pool));
  CHECK(DART_GPTR_ISNULL(made));
}

static void combine(const void *in, void *inout, size_t n, void *user) { (void)in, (void)inout, (void)n, (void)user; }

static void no_base(dart_datatype_t type) {
  dart_datatype_t made = 77;
  dart_operation_t op = 77;
  INVAL(dart_type_create_strided(type, 2, 1, &made));
  CHECK_EQ(made, DART_TYPE_UNDEFINED);
  made = 77;
  INVAL(dart_type_create_indexed(type, 1, (size_t[]){1}, (size_t[]){0}, &made));
  INVAL(dart_op_create(combine, NULL, true, type, false, &op));
  CHECK(made == DART_TYPE_UNDEFINED && op == DART_OP_UNDEFINED);
}

static void destroyed(dart_datatype_t type) {
  dart_datatype_t gone = type;
  OK(dart_type_destroy(&type));
  CHECK_EQ(type, DART_TYPE_UNDEFINED);
  no_transfer(gone);
  no_atomic(gone);
  no_collective(gone);
  no_reduction(gone);
  no_message(gone);
  no_allocation(gone);
  no_base(gone);
  type = gone;
  INVAL(dart_type_destroy(&type));
  CHECK_EQ(type, gone);
}

static void scattered(dart_datatype_t type) {
  no_atomic(type);
  no_allocation(type);
  no_base(type);
  OK(dart_type_destroy(&type));
}

/* Half a block, or half an instance. */
static void in_halves(dart_datatype_t type) {
  dart_gptr_t there = at(segment, units_n - 1, 0);
  dart_handle_t handle = DART_HANDLE_NULL;
  dart_global_unit_t me = {self};
  size_t counts[64] = {3}, displs[64] = {0}, one[64] = {1};
  INVAL(dart_put_blocking(there, numbers, 3, DART_TYPE_LONG, type));
  INVAL(dart_get_handle(out, there, 3, type, DART_TYPE_LONG, &handle));
  INVAL(dart_bcast(out, 3, type, zero, DART_TEAM_ALL));
  INVAL(dart_scatter(numbers, out, 3, type, zero, DART_TEAM_ALL));
  INVAL(dart_gather(numbers, out, 3, type, zero, DART_TEAM_ALL));
  INVAL(dart_allgather(numbers, out, 3, type, DART_TEAM_ALL));
  INVAL(dart_allgatherv(NULL, 0, type, out, counts, displs, DART_TEAM_ALL));
  INVAL(dart_allgatherv(NULL, 0, type, out, displs, one, DART_TEAM_ALL));
  INVAL(dart_alltoall(numbers, out, 3, type, DART_TEAM_ALL));
  INVAL(dart_reduce(numbers, out, 3, type, DART_OP_SUM, zero, DART_TEAM_ALL));
  INVAL(dart_allreduce(numbers, out, 3, type, DART_OP_SUM, DART_TEAM_ALL));
  INVAL(dart_iallreduce(numbers, out, 3, type, DART_OP_SUM, DART_TEAM_ALL, &handle));
  INVAL(dart_scan(numbers, out, 3, type, DART_OP_SUM, DART_TEAM_ALL));
  INVAL(dart_iexscan(numbers, out, 3, type, DART_OP_SUM, DART_TEAM_ALL, &handle));
  INVAL(dart_reduce_scatter_block(numbers, out, 3, type, DART_OP_SUM, DART_TEAM_ALL));
  INVAL(dart_ireduce_scatter(numbers, out, counts, type, DART_OP_SUM, DART_TEAM_ALL, &handle));
  CHECK(handle == DART_HANDLE_NULL);
  INVAL(dart_send(numbers, 3, type, 0, me));
  INVAL(dart_recv(out, 3, type, 0, me));
  OK(dart_type_destroy(&type));
}

/* There is no arithmetic on elements of custom types; memory of them can be allocated. */
static void opaque(void) {
  dart_datatype_t type = custom();
  dart_gptr_t made = DART_GPTR_NULL;
  no_atomic(type);
  no_reduction(type);
  OK(dart_memalloc(3, type, &made));
  OK(dart_memfree(made));
  OK(dart_team_memfree(team_alloc(DART_TEAM_ALL, 3, type)));
  OK(dart_team_memregister(DART_TEAM_ALL, 3, type, numbers, &made));
  OK(dart_team_memderegister(made));
  OK(dart_allocator_alloc(3, type, &made, pool));
  OK(dart_allocator_free(&made, pool));
  OK(dart_type_destroy(&type));
}

/* An operation ends with its type, and works in reductions only. */
static void operations(void) {
  dart_datatype_t pairs = custom();
  dart_operation_t op = DART_OP_UNDEFINED, gone;
  dart_gptr_t there = at(segment, units_n - 1, 0);
  OK(dart_op_create(combine, NULL, true, pairs, false, &op));
  INVAL(dart_allreduce(numbers, out, 1, DART_TYPE_LONG, op, DART_TEAM_ALL));
  INVAL(dart_reduce(numbers, out, 1, DART_TYPE_BYTE, op, zero, DART_TEAM_ALL));
  INVAL(dart_accumulate(there, numbers, 1, DART_TYPE_LONG, op));
  INVAL(dart_accumulate_blocking_local(there, numbers, 1, DART_TYPE_LONG, op));
  INVAL(dart_fetch_and_op(there, numbers, out, DART_TYPE_LONG, op));
  gone = op;
  OK(dart_op_destroy(&op));
  CHECK_EQ(op, DART_OP_UNDEFINED);
  INVAL(dart_allreduce(numbers, out, 1, pairs, gone, DART_TEAM_ALL));
  INVAL(dart_reduce(numbers, out, 1, pairs, gone, zero, DART_TEAM_ALL));
  INVAL(dart_op_destroy(&gone));
  INVAL(dart_op_destroy(NULL));
  op = DART_OP_SUM;
  INVAL(dart_op_destroy(&op));
  INVAL(dart_op_create(NULL, NULL, true, DART_TYPE_LONG, false, &op));
  INVAL(dart_op_create(combine, NULL, true, DART_TYPE_LONG, false, NULL));
  CHECK_EQ(op, DART_OP_UNDEFINED);
  OK(dart_type_destroy(&pairs));
}

/* Invalid descriptions of types. */
static void creations(void) {
  dart_datatype_t made = 77;
  size_t ones[] = {1, 1}, far[] = {SIZE_MAX / 4, 0};
  INVAL(dart_type_create_strided(DART_TYPE_LONG, 0, 1, &made));
  INVAL(dart_type_create_strided(DART_TYPE_LONG, 1, 0, &made));
  INVAL(dart_type_create_strided(DART_TYPE_LONG, SIZE_MAX, 1, &made));
  INVAL(dart_type_create_strided(DART_TYPE_LONG, 2, 1, NULL));
  INVAL(dart_type_create_indexed(DART_TYPE_LONG, 2, ones, far, &made));
  INVAL(dart_type_create_indexed(DART_TYPE_LONG, 2, far, ones, &made));
  INVAL(dart_type_create_indexed(DART_TYPE_LONG, 2, NULL, ones, &made));
  INVAL(dart_type_create_indexed(DART_TYPE_LONG, 2, ones, NULL, &made));
  INVAL(dart_type_create_indexed(DART_TYPE_LONG, 2, ones, ones, NULL));
  CHECK_EQ(made, DART_TYPE_UNDEFINED);
  made = 77;
  INVAL(dart_type_create_custom(0, &made));
  INVAL(dart_type_create_custom(SIZE_MAX, &made));
  INVAL(dart_type_create_custom(8, NULL));
  CHECK_EQ(made, DART_TYPE_UNDEFINED);
  INVAL(dart_type_destroy(NULL));
  made = DART_TYPE_INT;
  INVAL(dart_type_destroy(&made));
  CHECK_EQ(made, DART_TYPE_INT);
}

int main(int argc, char **argv) {
  if (!open_ears()) return 77;
  start(&argc, &argv);
  segment = team_alloc(DART_TEAM_ALL, BYTES, DART_TYPE_BYTE);
  OK(dart_allocator_new(4096, DART_TEAM_ALL, &pool));
  memset(own_part(segment, self), GUARD, BYTES);
  memset(out, GUARD, BYTES);
  barrier();
  destroyed(strided());
  destroyed(indexed());
  destroyed(custom());
  scattered(strided());
  scattered(indexed());
  in_halves(strided());
  in_halves(indexed());
  opaque();
  operations();
  creations();
  barrier();
  CHECK_EQ(touched(own_part(segment, self), BYTES), 0);
  CHECK_EQ(touched(out, BYTES), 0);
  CHECK(numbers[0] == 1 && numbers[1] == 2 && numbers[2] == 3 && numbers[3] == 4);
  OK(dart_allocator_destroy(&pool));
  return finish();
}
