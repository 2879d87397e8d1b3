/* Put, get, atomics and notified puts of the native interface. Each function describes its operation; perform_operation() checks
 * it, starts it, and completes it as the function promises. */
#include <tessera/memory.h>

#include <string.h>

#include "api/native/native_api.h"
#include "base/bits.h"
#include "core/conflict.h"
#include "core/progress.h"
#include "core/segment.h"
#include "rma/atomic.h"
#include "rma/notify.h"
#include "rma/rma.h"
#include "vis/strided.h"

_Static_assert((int)TESSERA_MIN == (int)TSR_MIN && (int)TESSERA_NO_OP == (int)TSR_NO_OP, "operations have the core's numbers");
_Static_assert((int)TESSERA_I8 == (int)TSR_I8 && (int)TESSERA_C128 == (int)TSR_C128, "types have the core's numbers");

enum kind { PUT, GET, PUT_BLOCKS, GET_BLOCKS, FETCH, SWAP_IF, ACCUMULATE, NOTIFY };

struct operation {
  const char *name;
  enum kind kind;
  tessera_address_t address;
  const void *data; /* a get writes it; of an atomic the operand */
  size_t bytes;     /* of a put or get */
  const tessera_blocks_t *blocks;
  tessera_type_t type;
  tessera_op_t op;
  size_t n; /* elements */
  const void *expected;
  void *result;
  tessera_address_t counter;
  uint64_t increment;
  tsr_layout *remote, *local; /* of blocks: room for their layouts */
  /* set by the checks */
  tsr_addr place, counter_place;
};

/* ---- checks ---- */

static tessera_status_t null_buffer(const struct operation *o, const char *which) {
  return tsr_fail(TESSERA_ERR_ARG, "TSR-1072 %s: %s is NULL; pass its address", o->name, which);
}

static tessera_status_t check_contiguous(struct operation *o) {
  if (o->bytes && !o->data) return null_buffer(o, "the buffer");
  return tsr_native_address(o->name, o->address, o->bytes, &o->place);
}

static void make_layout(tsr_layout *layout, const tessera_blocks_t *blocks, const ptrdiff_t stride[]) {
  layout->elem_bytes = blocks->block_bytes;
  layout->dims = blocks->dims;
  for (int d = 0; d < blocks->dims; d++) {
    layout->count[d] = blocks->count[d];
    layout->stride[d] = stride[d];
  }
}

/* The address of the lowest byte is checked with all bytes up to the highest. */
static tessera_status_t check_extent(struct operation *o) {
  ptrdiff_t low, high, local_low, local_high;
  tsr_layout_extent(o->remote, &low, &high);
  tsr_layout_extent(o->local, &local_low, &local_high);
  o->bytes = tsr_layout_bytes(o->remote);
  if (o->bytes > PTRDIFF_MAX || low == PTRDIFF_MIN || local_low == PTRDIFF_MIN)
    return tsr_fail(TESSERA_ERR_ARG, "TSR-1073 %s: the blocks exceed the address space; correct counts or strides", o->name);
  if (o->bytes && !o->data) return null_buffer(o, "the buffer");
  tessera_status_t status =
      tsr_native_address(o->name, tessera_address_plus(o->address, low), (size_t)high - (size_t)low, &o->place);
  o->place.off -= (uint64_t)low;
  return status;
}

static tessera_status_t check_blocks(struct operation *o) {
  const tessera_blocks_t *blocks = o->blocks;
  if (!blocks) return null_buffer(o, "the description of the blocks");
  if (blocks->dims < 0 || blocks->dims > TSR_LAYOUT_DIMS)
    return tsr_fail(TESSERA_ERR_ARG, "TSR-1074 %s: blocks in %d dimensions; use 0 to %d", o->name, blocks->dims, TSR_LAYOUT_DIMS);
  if (blocks->dims && (!blocks->count || !blocks->global_stride || !blocks->local_stride))
    return null_buffer(o, "an array of counts or strides");
  make_layout(o->remote, blocks, blocks->global_stride);
  make_layout(o->local, blocks, blocks->local_stride);
  return check_extent(o);
}

static tessera_status_t check_atomic(struct operation *o) {
  tessera_status_t status = tsr_native_check_arith(o->name, o->type, o->op, TESSERA_NO_OP);
  if (status) return status;
  if (!tsr_mul_size(o->n, tsr_type_bytes((tsr_type)o->type), &o->bytes) || o->bytes > PTRDIFF_MAX)
    return tsr_fail(TESSERA_ERR_ARG, "TSR-1077 %s: %zu elements exceed the address space; correct n", o->name, o->n);
  if (!o->data && o->n && o->op != TESSERA_NO_OP) return null_buffer(o, "the operand");
  return tsr_native_address(o->name, o->address, o->bytes, &o->place);
}

static tessera_status_t check_swap(struct operation *o) {
  if (!o->expected) return null_buffer(o, "the expected value");
  if (o->type == TESSERA_F80)
    return tsr_fail(TESSERA_ERR_UNSUPPORTED,
                    "TSR-1078 %s: elements of TESSERA_F80 have padding, and cannot be compared; use another type", o->name);
  tessera_status_t status = check_atomic(o);
  if (status || o->place.off % o->bytes == 0) return status;
  return tsr_fail(TESSERA_ERR_ARG, "TSR-1079 %s: the target at offset %llu is not aligned to its %zu bytes; align it", o->name,
                  (unsigned long long)o->address.offset, o->bytes);
}

static tessera_status_t find_counter(const char *name, tessera_address_t address, tsr_addr *place) {
  tessera_status_t status = tsr_native_address(name, address, sizeof(uint64_t), place);
  if (status) return status;
  if (!tsr_addr_is_outside(*place) && place->off % sizeof(uint64_t) == 0) return TESSERA_OK;
  return tsr_fail(TESSERA_ERR_ARG,
                  "TSR-1080 %s: the counter at offset %llu is not aligned to 8 bytes, or in registered memory; use an "
                  "aligned one in allocated memory",
                  name, (unsigned long long)address.offset);
}

static tessera_status_t check_notify(struct operation *o) {
  tessera_status_t status = check_contiguous(o);
  if (!status) status = find_counter(o->name, o->counter, &o->counter_place);
  if (status || o->place.unit.id == o->counter_place.unit.id) return status;
  return tsr_fail(TESSERA_ERR_ARG, "TSR-1081 %s: the data is on unit %d, the counter on unit %d; both must be on the same unit",
                  o->name, o->place.unit.id, o->counter_place.unit.id);
}

static tessera_status_t check_operation(struct operation *o) {
  switch (o->kind) {
    case PUT:
    case GET: return check_contiguous(o);
    case PUT_BLOCKS:
    case GET_BLOCKS: return check_blocks(o);
    case FETCH:
    case ACCUMULATE: return check_atomic(o);
    case SWAP_IF: return check_swap(o);
    default: return check_notify(o);
  }
}

/* ---- the operation ---- */

static tessera_status_t start_operation(const struct operation *o, bool waits, tsr_op *op) {
  void *into = (void *)(uintptr_t)o->data;
  switch (o->kind) {
    case PUT: return waits ? tsr_put(o->place, o->data, o->bytes, op) : tsr_put_nb(o->place, o->data, o->bytes, op);
    case GET: return waits ? tsr_get(into, o->place, o->bytes, op) : tsr_get_nb(into, o->place, o->bytes, op);
    case PUT_BLOCKS: return tsr_put_layout(o->place, o->remote, o->data, o->local, op);
    case GET_BLOCKS: return tsr_get_layout(into, o->local, o->place, o->remote, op);
    case FETCH: return tsr_fetch(o->place, (tsr_type)o->type, (tsr_arith)o->op, o->data, o->result, op);
    case SWAP_IF: return tsr_swap_if(o->place, (tsr_type)o->type, o->expected, o->data, o->result, op);
    case ACCUMULATE: return tsr_accumulate(o->place, (tsr_type)o->type, (tsr_arith)o->op, o->data, o->n, op);
    default: return tsr_put_notify(o->place, o->data, o->bytes, o->counter_place, TSR_SIGNAL_ADD, o->increment, op);
  }
}

static bool does_nothing(const struct operation *o) {
  return o->kind != NOTIFY && (!o->bytes || (o->kind == ACCUMULATE && o->op == TESSERA_NO_OP));
}

/* Blocks may interleave with those of other units, and are left out. */
static void note_access(const struct operation *o) {
  if (o->kind == PUT || o->kind == GET) tsr_conflict_note(o->name, o->kind == PUT, o->place, o->bytes);
  else if (o->kind != PUT_BLOCKS && o->kind != GET_BLOCKS) tsr_conflict_sync();
}

static void count_operation(const struct operation *o, uint64_t begun_ns) {
  static const enum tsr_stat stats[] = {[PUT] = TSR_STAT_PUT, [GET] = TSR_STAT_GET, [PUT_BLOCKS] = TSR_STAT_PUT,
                                        [GET_BLOCKS] = TSR_STAT_GET, [FETCH] = TSR_STAT_FETCH, [SWAP_IF] = TSR_STAT_SWAP_IF,
                                        [ACCUMULATE] = TSR_STAT_ACCUMULATE, [NOTIFY] = TSR_STAT_PUT};
  tsr_stats_end_at(stats[o->kind], begun_ns, o->bytes, o->place.unit);
}

static tessera_status_t run_and_wait(const struct operation *o) {
  tsr_op op = {0};
  tessera_status_t status = start_operation(o, true, &op);
  tsr_op_wait_remote(&op, o->place.unit); /* also after an error, since parts may have started */
  return status;
}

static tessera_status_t run_by_request(const struct operation *o, tessera_request_t *request) {
  tsr_handle handle;
  tsr_op *op;
  tessera_status_t status = tsr_handle_create(o->place.unit, &handle, &op);
  if (status) return status;
  status = start_operation(o, false, op);
  if (!status) {
    tsr_native_store_request(handle, request);
    return TESSERA_OK;
  }
  tsr_handle_wait_remote(op); /* parts may have started */
  tsr_handle_release(handle);
  return status;
}

static tessera_status_t end_at_once(tessera_request_t *request) {
  if (request) request->id = 0;
  return TESSERA_OK;
}

enum completion { AT_RETURN, LATER /* by the request, or if that is NULL by a flush */ };

static tessera_status_t perform_operation(struct operation *o, enum completion completion, tessera_request_t *request) {
  uint64_t begun_ns = tsr_stats_begin();
  tsr_progress_throttled();
  tessera_status_t status = check_operation(o);
  if (status) return status;
  if (does_nothing(o)) return end_at_once(request);
  note_access(o);
  if (completion == AT_RETURN) status = run_and_wait(o);
  else if (request) status = run_by_request(o, request);
  else if ((status = start_operation(o, false, tsr_op_implicit(o->place.unit)))) tsr_op_flush(o->place.unit);
  if (!status) count_operation(o, begun_ns);
  return status;
}

/* ---- the frequent case: one copy within the node ---- */

/* NULL: take the general path. Without the sign bit, TESSERA_HEAP_ID is 0, the segment of the heaps, and the id of registered
 * memory is that of no segment. */
static inline void *reach_local(tessera_address_t address, const void *buffer, size_t bytes) {
  const bool is_plain = buffer && address.memory.id && !tsr_stats_are_wanted();
  const tsr_team *team = is_plain ? tsr_native_team((tessera_team_t){address.memory.team}) : NULL;
  return team ? tsr_segment_local(team, address.memory.id & INT32_MAX, TSR_MEMBER(address.member), address.offset, bytes) : NULL;
}

static inline bool put_local(tessera_address_t to, const void *from, size_t bytes) {
  void *local = reach_local(to, from, bytes);
  if (__builtin_expect(!local, 0)) return false;
  tsr_copy(local, from, bytes);
  tsr_progress_throttled();
  return true;
}

static inline bool get_local(void *to, tessera_address_t from, size_t bytes) {
  const void *local = reach_local(from, to, bytes);
  if (__builtin_expect(!local, 0)) return false;
  tsr_copy(to, local, bytes);
  tsr_progress_throttled();
  return true;
}

/* A longer non-blocking copy may be offloaded to a progress agent. */
static inline bool is_at_once(size_t bytes) { return bytes < tsr_offload.local_bytes; }

/* ---- the interface ---- */

#define OPERATION(...) (&(struct operation){.name = __func__, __VA_ARGS__})

tessera_status_t tessera_put(tessera_address_t to, const void *from, size_t bytes) {
  if (put_local(to, from, bytes)) return TESSERA_OK;
  return perform_operation(OPERATION(.kind = PUT, .address = to, .data = from, .bytes = bytes), AT_RETURN, NULL);
}
tessera_status_t tessera_put_nb(tessera_address_t to, const void *from, size_t bytes, tessera_request_t *request) {
  if (is_at_once(bytes) && put_local(to, from, bytes)) return end_at_once(request);
  return perform_operation(OPERATION(.kind = PUT, .address = to, .data = from, .bytes = bytes), LATER, request);
}
tessera_status_t tessera_get(void *to, tessera_address_t from, size_t bytes) {
  if (get_local(to, from, bytes)) return TESSERA_OK;
  return perform_operation(OPERATION(.kind = GET, .address = from, .data = to, .bytes = bytes), AT_RETURN, NULL);
}
tessera_status_t tessera_get_nb(void *to, tessera_address_t from, size_t bytes, tessera_request_t *request) {
  if (is_at_once(bytes) && get_local(to, from, bytes)) return end_at_once(request);
  return perform_operation(OPERATION(.kind = GET, .address = from, .data = to, .bytes = bytes), LATER, request);
}

#define BLOCKS(what, where, buffer) \
  OPERATION(.kind = what, .address = where, .data = buffer, .blocks = blocks, .remote = &remote, .local = &local)

tessera_status_t tessera_put_blocks(tessera_address_t to, const void *from, const tessera_blocks_t *blocks) {
  tsr_layout remote, local;
  return perform_operation(BLOCKS(PUT_BLOCKS, to, from), AT_RETURN, NULL);
}
tessera_status_t tessera_put_blocks_nb(tessera_address_t to, const void *from, const tessera_blocks_t *blocks,
                                       tessera_request_t *request) {
  tsr_layout remote, local;
  return perform_operation(BLOCKS(PUT_BLOCKS, to, from), LATER, request);
}
tessera_status_t tessera_get_blocks(void *to, tessera_address_t from, const tessera_blocks_t *blocks) {
  tsr_layout remote, local;
  return perform_operation(BLOCKS(GET_BLOCKS, from, to), AT_RETURN, NULL);
}
tessera_status_t tessera_get_blocks_nb(void *to, tessera_address_t from, const tessera_blocks_t *blocks,
                                       tessera_request_t *request) {
  tsr_layout remote, local;
  return perform_operation(BLOCKS(GET_BLOCKS, from, to), LATER, request);
}

#define ELEMENTS(what, count, ...) \
  OPERATION(.kind = what, .address = target, .type = type, .data = operand, .n = count, .op = op, __VA_ARGS__)

tessera_status_t tessera_fetch(tessera_address_t target, tessera_type_t type, tessera_op_t op, const void *operand, void *result) {
  return perform_operation(ELEMENTS(FETCH, 1, .result = result), AT_RETURN, NULL);
}
tessera_status_t tessera_fetch_nb(tessera_address_t target, tessera_type_t type, tessera_op_t op, const void *operand, void *result,
                                  tessera_request_t *request) {
  return perform_operation(ELEMENTS(FETCH, 1, .result = result), LATER, request);
}

tessera_status_t tessera_accumulate(tessera_address_t target, tessera_type_t type, tessera_op_t op, const void *operand, size_t n) {
  return perform_operation(ELEMENTS(ACCUMULATE, n, .result = NULL), AT_RETURN, NULL);
}
tessera_status_t tessera_accumulate_nb(tessera_address_t target, tessera_type_t type, tessera_op_t op, const void *operand,
                                       size_t n, tessera_request_t *request) {
  return perform_operation(ELEMENTS(ACCUMULATE, n, .result = NULL), LATER, request);
}

#define SWAP OPERATION(.kind = SWAP_IF, .address = target, .type = type, .op = TESSERA_REPLACE, .n = 1, .data = desired, \
                       .expected = expected, .result = result)

tessera_status_t tessera_compare_swap(tessera_address_t target, tessera_type_t type, const void *expected, const void *desired,
                                      void *result) {
  return perform_operation(SWAP, AT_RETURN, NULL);
}
tessera_status_t tessera_compare_swap_nb(tessera_address_t target, tessera_type_t type, const void *expected, const void *desired,
                                         void *result, tessera_request_t *request) {
  return perform_operation(SWAP, LATER, request);
}

#define NOTICE OPERATION(.kind = NOTIFY, .address = to, .data = from, .bytes = bytes, .counter = counter, .increment = increment)

tessera_status_t tessera_put_notify(tessera_address_t to, const void *from, size_t bytes, tessera_address_t counter,
                                    uint64_t increment) {
  return perform_operation(NOTICE, AT_RETURN, NULL);
}
tessera_status_t tessera_put_notify_nb(tessera_address_t to, const void *from, size_t bytes, tessera_address_t counter,
                                       uint64_t increment, tessera_request_t *request) {
  return perform_operation(NOTICE, LATER, request);
}

/* ---- the notified unit ---- */

static tessera_status_t find_own(const char *name, tessera_address_t counter, uint64_t least, struct tsr_notify_goal *goal) {
  tsr_addr place = {.off = 0};
  tessera_status_t status = find_counter(name, counter, &place);
  if (status) return status;
  if (place.unit.id != tsr_place.self)
    return tsr_fail(TESSERA_ERR_ARG,
                    "TSR-1082 %s: the counter belongs to unit %d, and only that unit may wait for it; other units read it "
                    "with tessera_fetch",
                    name, place.unit.id);
  *goal = (struct tsr_notify_goal){tsr_heap_at(tsr_heap.self, place.off), least};
  return TESSERA_OK;
}

tessera_status_t tessera_notify_wait(tessera_address_t counter, uint64_t least) {
  uint64_t begun_ns = tsr_stats_begin();
  struct tsr_notify_goal goal;
  tessera_status_t status = find_own(__func__, counter, least, &goal);
  if (status) return status;
  tsr_notify_wait_any(&goal, 1);
  tsr_stats_end(TSR_STAT_WAIT, begun_ns, 0);
  return TESSERA_OK;
}

tessera_status_t tessera_notify_test(tessera_address_t counter, uint64_t least, bool *reached) {
  struct tsr_notify_goal goal;
  if (!reached) return tsr_fail(TESSERA_ERR_ARG, "TSR-1083 %s: reached is NULL; pass where to store the answer", __func__);
  tessera_status_t status = find_own(__func__, counter, least, &goal);
  if (!status) *reached = tsr_notify_test(&goal, 1) == 0;
  return status;
}

/* ---- completion ---- */

static tessera_status_t check_up(const char *name) {
  return tsr_api_is_up[TSR_API_NATIVE] ? TESSERA_OK : tsr_native_no_team(name, tessera_team_world());
}

tessera_status_t tessera_flush(int32_t unit) {
  uint64_t begun_ns = tsr_stats_begin();
  tessera_status_t status = check_up(__func__);
  if (status) return status;
  if (!tsr_team_has(tsr_team_world, TSR_MEMBER(unit)))
    return tsr_fail(TESSERA_ERR_RANGE, "TSR-1084 %s: there is no unit %d; pass 0 to %d", __func__, unit, tsr_place.units_n - 1);
  if (!tsr_op_nothing_under_way()) tsr_op_flush(TSR_UNIT(unit));
  tsr_stats_end(TSR_STAT_FLUSH, begun_ns, 0);
  return TESSERA_OK;
}

tessera_status_t tessera_flush_all(void) {
  uint64_t begun_ns = tsr_stats_begin();
  tessera_status_t status = check_up(__func__);
  if (status) return status;
  if (!tsr_op_nothing_under_way()) tsr_op_flush_all();
  tsr_stats_end(TSR_STAT_FLUSH, begun_ns, 0);
  return TESSERA_OK;
}
