#include "api/dart/coll_call.h"

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "coll/coll.h"
#include "core/coll_error.h"
#include "api/dart/dart_api.h"

/* ---- The call ---- */

/* Also checks that the blocks of all units fit in the address space. */
static dart_ret_t measure_own(struct tsr_dart_coll *coll, size_t nelem, dart_datatype_t dtype) {
  struct tsr_dart_shape *shape = &coll->shape;
  size_t all;
  dart_ret_t result = tsr_dart_shape_make(coll->how.call, dtype, nelem, shape);
  if (result != DART_OK) return result;
  size_t widest = shape->step_bytes > shape->bytes ? shape->step_bytes : shape->bytes;
  if (tsr_mul_size(widest, (size_t)coll->team->size, &all) && all <= PTRDIFF_MAX) return DART_OK;
  tsr_dart_shape_release(shape);
  return tsr_dart_invalid("TSR-2015 %s: %zu elements of %s for each of %d units exceed the address space; correct nelem",
                          coll->how.call, nelem, tsr_dart_type_name(dtype), coll->team->size);
}

/* Assigns the fields that every call uses: clearing all of them would cost as much as a small collective's copy. */
struct tsr_dart_coll *tsr_dart_coll_open(struct tsr_dart_coll *own, const struct tsr_dart_how *how, dart_team_t team,
                                         size_t nelem, dart_datatype_t dtype, bool takes_part) {
  struct tsr_dart_coll *coll = how->mode == TSR_DART_STARTS ? tsr_coll_memory(sizeof *coll) : own;
  coll->how = *how;
  coll->begun_ns = tsr_stats_begin();
  coll->team = tsr_dart_team(team);
  coll->takes_part = takes_part || tsr_config_check();
  coll->send.copy = coll->receive.copy = NULL;
  coll->out.n = coll->in.n = 0;
  coll->result = coll->team ? measure_own(coll, nelem, dtype) : tsr_dart_no_team(how->call, team);
  if (coll->result != DART_OK) {
    coll->shape.type = NULL;
    coll->shape.bytes = 0;
    coll->takes_part = coll->takes_part || nelem;
  } else if (how->mode == TSR_DART_STARTS && !how->handle) {
    coll->result = tsr_dart_invalid("TSR-2133 %s: handle is NULL; pass where to store it", how->call);
  }
  return coll;
}

bool tsr_dart_coll_goes_on_slow(struct tsr_dart_coll *coll) {
  if (!coll->team || (!coll->shape.bytes && !coll->takes_part)) return false;
  if (coll->result == DART_OK && coll->how.mode == TSR_DART_STARTS) /* last: the call cannot fail after this */
    coll->result = tsr_dart_code(tsr_handle_create(TSR_UNIT(-1), &coll->handle, &coll->op));
  if (coll->result == DART_OK) return true;
  if (coll->how.mode == TSR_DART_WAITS) tsr_call_fail_others(coll->team);
  else tsr_start_fail_others(coll->team);
  return false;
}

static void drop_counted(struct tsr_dart_counted *counted) {
  if (!counted->n) return;
  for (int32_t i = 0; counted->shapes && i < counted->n; i++) tsr_dart_shape_release(&counted->shapes[i]);
  free(counted->shapes);
  free(counted->displs);
  free(counted->copy);
}

static void free_call(struct tsr_dart_coll *coll) {
  drop_counted(&coll->out);
  drop_counted(&coll->in);
  tsr_dart_shape_release(&coll->shape);
  if (coll->how.mode == TSR_DART_STARTS) free(coll);
}

dart_ret_t tsr_dart_coll_drop(struct tsr_dart_coll *coll) {
  dart_ret_t result = coll->result;
  if (result == DART_OK && coll->how.handle) *coll->how.handle = DART_HANDLE_NULL;
  free_call(coll);
  return result;
}

/* Unpacks what was received, unless the call failed. */
static void finish_call(void *arg) {
  struct tsr_dart_coll *coll = arg;
  const struct tsr_dart_shape *shape = &coll->shape;
  const struct tsr_dart_block *to = &coll->receive;
  const struct tsr_dart_counted *in = &coll->in;
  bool good = coll->result == DART_OK;
  for (int32_t i = 0; good && to->copy && i < to->members_n; i++)
    tsr_dart_unpack(shape, to->buffer + (size_t)i * shape->step_bytes, (char *)to->copy + (size_t)i * shape->bytes);
  for (int32_t i = 0; good && i < in->n && in->copy; i++)
    tsr_dart_unpack(&in->shapes[i], (char *)in->buffer + in->displs[i], (char *)in->copy + in->offs[i]);
  free(coll->send.copy);
  free(to->copy);
  free_call(coll);
}

static size_t bytes_of(const struct tsr_dart_coll *coll) { return coll->in.n ? coll->in.total : coll->shape.bytes; }

dart_ret_t tsr_dart_coll_end(struct tsr_dart_coll *coll, tessera_status_t status) {
  size_t bytes = bytes_of(coll);
  dart_ret_t result = coll->result = TSR_LIKELY(!status) ? DART_OK : tsr_dart_code(status);
  bool plain = !coll->shape.type && !coll->send.copy && !coll->receive.copy && !coll->in.n; /* nothing to free */
  if (!plain) finish_call(coll);
  if (result == DART_OK && bytes) tsr_stats_end(coll->how.stat, coll->begun_ns, bytes);
  return result;
}

dart_ret_t tsr_dart_coll_run(struct tsr_dart_coll *coll, tsr_schedule *schedule) {
  struct tsr_dart_how how = coll->how;
  uint64_t begun_ns = coll->begun_ns, bytes = bytes_of(coll);
  if (how.mode == TSR_DART_RUNS) {
    tsr_schedule_run(schedule, finish_call, coll);
  } else {
    tsr_handle handle = coll->handle;
    tsr_op *op = coll->op;
    tsr_handle_explain(op, tsr_schedule_why(schedule));
    tsr_schedule_start(schedule, op, finish_call, coll);
    tsr_dart_store_handle(handle, op, TESSERA_OK, how.handle);
  }
  tsr_stats_end(how.stat, begun_ns, bytes);
  return DART_OK;
}

/* ---- Checks ---- */

void tsr_dart_no_root(struct tsr_dart_coll *coll, dart_team_unit_t root) {
  coll->result = tsr_dart_invalid("TSR-2016 %s: root %d is not in the team; name one of its units 0 to %d", coll->how.call,
                                  root.id, coll->team->size - 1);
}

void tsr_dart_no_buffer(struct tsr_dart_coll *coll, const char *which) {
  coll->result = tsr_dart_invalid("TSR-2017 %s: %s is NULL; pass the buffer, or 0 elements", coll->how.call, which);
}

/* ---- Shares of equal size ---- */

struct tsr_dart_block tsr_dart_block_for(const struct tsr_dart_shape *shape, const void *buffer, int32_t members_n) {
  struct tsr_dart_block block = {.buffer = (char *)buffer, .members_n = members_n};
  if (!buffer) return block;
  bool contiguous = shape->contiguous && (members_n == 1 || shape->step_bytes == shape->bytes);
  if (!contiguous) block.copy = tsr_coll_memory((size_t)members_n * shape->bytes);
  block.data = block.copy ? block.copy : block.buffer + shape->low_bytes;
  return block;
}

struct tsr_dart_block tsr_dart_block_to_send(const struct tsr_dart_shape *shape, const void *buffer, int32_t members_n) {
  struct tsr_dart_block block = tsr_dart_block_for(shape, buffer, members_n);
  for (int32_t i = 0; block.copy && i < members_n; i++)
    tsr_dart_pack(shape, (char *)block.copy + (size_t)i * shape->bytes, block.buffer + (size_t)i * shape->step_bytes);
  return block;
}

struct tsr_dart_block tsr_dart_block_in_place(const struct tsr_dart_shape *shape, const void *buffer, int32_t members_n) {
  struct tsr_dart_block block = tsr_dart_block_to_send(shape, buffer, members_n);
  if (block.copy) return block;
  size_t all = shape->bytes * (size_t)members_n;
  block.copy = tsr_coll_memory(all);
  block.data = memcpy(block.copy, block.data, all);
  return block;
}

/* ---- Shares of different sizes ---- */

/* A displacement, too, is a number of whole blocks or instances. In bytes it is their step_bytes: from the first one to
 * the place where the next one after them begins. */
static dart_ret_t measure_part(const char *call, struct tsr_dart_counted *to, int32_t i, dart_datatype_t dtype, size_t n,
                               size_t displ) {
  struct tsr_dart_shape before;
  size_t end;
  dart_ret_t result = tsr_dart_shape_make(call, dtype, displ, &before);
  if (result != DART_OK) return result;
  to->displs[i] = before.step_bytes;
  tsr_dart_shape_release(&before);
  result = tsr_dart_shape_make(call, dtype, n, &to->shapes[i]);
  if (result != DART_OK) return result;
  to->bytes[i] = to->shapes[i].bytes;
  to->offs[i] = to->total;
  to->all_blocks = to->all_blocks && to->shapes[i].contiguous;
  bool fits = !__builtin_add_overflow(to->displs[i], to->shapes[i].end_bytes, &end) && end <= PTRDIFF_MAX &&
              !__builtin_add_overflow(to->total, to->bytes[i], &to->total) && to->total <= PTRDIFF_MAX;
  if (fits) return DART_OK;
  return tsr_dart_invalid("TSR-2022 %s: %zu elements at displacement %zu for unit %d exceed the address space; correct the "
                          "tables", call, n, displ, i);
}

static dart_ret_t make_counted(const struct tsr_dart_coll *coll, struct tsr_dart_counted *to, dart_datatype_t dtype,
                               const char *names, const size_t counts[], const size_t displs[]) {
  size_t n = (size_t)coll->team->size;
  const char *call = coll->how.call;
  if (!counts || !displs)
    return tsr_dart_invalid("TSR-2023 %s: %s is NULL; pass one number for each of the team's %zu units", call, names, n);
  to->n = coll->team->size;
  to->total = 0;
  to->copy = NULL;
  to->all_blocks = !(coll->in.n && to != &coll->in && to->buffer == coll->in.buffer);
  to->shapes = calloc(n, sizeof *to->shapes);
  to->displs = malloc(3 * n * sizeof *to->displs);
  if (!to->shapes || !to->displs)
    return tsr_dart_fail(TESSERA_ERR_MEMORY, "TSR-2024 %s: no private memory for %zu units; free some", call, n);
  to->bytes = to->displs + n;
  to->offs = to->bytes + n;
  dart_ret_t result = DART_OK;
  for (int32_t i = 0; i < to->n && result == DART_OK; i++) result = measure_part(call, to, i, dtype, counts[i], displs[i]);
  for (int32_t i = 0; i < to->n && result == DART_OK && to->all_blocks; i++)
    to->offs[i] = to->displs[i] + to->shapes[i].low_bytes;
  return result;
}

void tsr_dart_count(struct tsr_dart_coll *coll, struct tsr_dart_counted *side, dart_datatype_t dtype, const void *buffer,
                    const char *buffer_name, const char *names, const size_t counts[], const size_t displs[]) {
  if (coll->result != DART_OK) return;
  side->buffer = (void *)buffer;
  coll->result = make_counted(coll, side, dtype, names, counts, displs);
  tsr_dart_check_bytes(coll, side->total, buffer, buffer_name);
}

void *tsr_dart_counted_data(struct tsr_dart_counted *counted) {
  if (!counted->all_blocks) counted->copy = tsr_coll_memory(counted->total);
  return counted->all_blocks ? counted->buffer : counted->copy;
}

void *tsr_dart_counted_packed(struct tsr_dart_counted *counted) {
  void *data = tsr_dart_counted_data(counted);
  for (int32_t i = 0; counted->copy && i < counted->n; i++)
    tsr_dart_pack(&counted->shapes[i], (char *)counted->copy + counted->offs[i],
                  (const char *)counted->buffer + counted->displs[i]);
  return data;
}

struct tsr_dart_block tsr_dart_counted_own(const struct tsr_dart_counted *counted, int32_t unit, const void *buffer) {
  const struct tsr_dart_shape *shape = &counted->shapes[unit];
  if (counted->all_blocks) return (struct tsr_dart_block){.data = (char *)buffer + shape->low_bytes};
  void *copy = tsr_coll_memory(shape->bytes);
  tsr_dart_pack(shape, copy, buffer);
  return (struct tsr_dart_block){.data = copy, .copy = copy};
}
