#include "api/dart/share.h"

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "coll/coll.h"
#include "core/coll_error.h"
#include "api/dart/dart_api.h"

/* ---- The call ---- */

/* Also checks that the shares of all units fit in the address space. */
static dart_ret_t measure_share(struct tsr_dart_share *share, size_t nelem, dart_datatype_t dtype) {
  struct tsr_dart_shape *shape = &share->shape;
  size_t all;
  dart_ret_t result = tsr_dart_shape_make(share->how.call, dtype, nelem, shape);
  if (result != DART_OK) return result;
  size_t widest = shape->step_bytes > shape->bytes ? shape->step_bytes : shape->bytes;
  if (tsr_mul_size(widest, (size_t)share->team->size, &all) && all <= PTRDIFF_MAX) return DART_OK;
  tsr_dart_shape_release(shape);
  return tsr_dart_invalid("TSR-2015 %s: %zu elements of %s for each of %d units exceed the address space; correct nelem",
                          share->how.call, nelem, tsr_dart_type_name(dtype), share->team->size);
}

/* Assigns the fields that every call uses: clearing all of them would cost as much as a small collective's copy. */
struct tsr_dart_share *tsr_dart_share_open(struct tsr_dart_share *own, const struct tsr_dart_how *how, dart_team_t team,
                                           size_t nelem, dart_datatype_t dtype, bool meets) {
  struct tsr_dart_share *share = how->mode == TSR_DART_STARTS ? tsr_coll_memory(sizeof *share) : own;
  share->how = *how;
  share->begun_ns = tsr_stats_begin();
  share->team = tsr_dart_team(team);
  share->meets = meets || tsr_config.check;
  share->send.copy = share->receive.copy = NULL;
  share->out.n = share->in.n = 0;
  share->result = share->team ? measure_share(share, nelem, dtype) : tsr_dart_no_team(how->call, team);
  if (share->result != DART_OK) {
    share->shape.type = NULL;
    share->shape.bytes = 0;
    share->meets = share->meets || nelem;
  } else if (how->mode == TSR_DART_STARTS && !how->handle) {
    share->result = tsr_dart_invalid("TSR-2133 %s: handle is NULL; pass where to store it", how->call);
  }
  return share;
}

bool tsr_dart_share_goes_on_slow(struct tsr_dart_share *share) {
  if (!share->team || (!share->shape.bytes && !share->meets)) return false;
  if (share->result == DART_OK && share->how.mode == TSR_DART_STARTS) /* last: the call cannot fail after this */
    share->result = tsr_dart_code(tsr_handle_create(TSR_UNIT(-1), &share->handle, &share->op));
  if (share->result == DART_OK) return true;
  if (share->how.mode == TSR_DART_WAITS) tsr_call_fail_others(share->team);
  else tsr_start_fail_others(share->team);
  return false;
}

static void drop_counted(struct tsr_dart_counted *counted) {
  if (!counted->n) return;
  for (int32_t i = 0; counted->shapes && i < counted->n; i++) tsr_dart_shape_release(&counted->shapes[i]);
  free(counted->shapes);
  free(counted->displs);
  free(counted->copy);
}

static void free_share(struct tsr_dart_share *share) {
  drop_counted(&share->out);
  drop_counted(&share->in);
  tsr_dart_shape_release(&share->shape);
  if (share->how.mode == TSR_DART_STARTS) free(share);
}

dart_ret_t tsr_dart_share_drop(struct tsr_dart_share *share) {
  dart_ret_t result = share->result;
  if (result == DART_OK && share->how.handle) *share->how.handle = DART_HANDLE_NULL;
  free_share(share);
  return result;
}

/* Unpacks what was received, unless the call failed. */
static void finish_share(void *arg) {
  struct tsr_dart_share *share = arg;
  const struct tsr_dart_shape *shape = &share->shape;
  const struct tsr_dart_block *to = &share->receive;
  const struct tsr_dart_counted *in = &share->in;
  bool good = share->result == DART_OK;
  for (int32_t i = 0; good && to->copy && i < to->members_n; i++)
    tsr_dart_unpack(shape, to->buffer + (size_t)i * shape->step_bytes, (char *)to->copy + (size_t)i * shape->bytes);
  for (int32_t i = 0; good && i < in->n && in->copy; i++)
    tsr_dart_unpack(&in->shapes[i], (char *)in->buffer + in->displs[i], (char *)in->copy + in->offs[i]);
  free(share->send.copy);
  free(to->copy);
  free_share(share);
}

static size_t bytes_of(const struct tsr_dart_share *share) { return share->in.n ? share->in.total : share->shape.bytes; }

dart_ret_t tsr_dart_share_end(struct tsr_dart_share *share, tessera_status_t status) {
  size_t bytes = bytes_of(share);
  dart_ret_t result = share->result = TSR_LIKELY(!status) ? DART_OK : tsr_dart_code(status);
  bool plain = !share->shape.type && !share->send.copy && !share->receive.copy && !share->in.n; /* nothing to free */
  if (!plain) finish_share(share);
  if (result == DART_OK && bytes) tsr_stats_end(share->how.stat, share->begun_ns, bytes);
  return result;
}

dart_ret_t tsr_dart_share_run(struct tsr_dart_share *share, tsr_schedule *schedule) {
  struct tsr_dart_how how = share->how;
  uint64_t begun_ns = share->begun_ns, bytes = bytes_of(share);
  if (how.mode == TSR_DART_RUNS) {
    (void)tsr_schedule_run(schedule, finish_share, share);
  } else {
    tsr_handle handle = share->handle;
    tsr_op *op = share->op;
    tsr_handle_explain(op, tsr_schedule_why(schedule));
    tsr_schedule_start(schedule, op, finish_share, share);
    tsr_dart_store_handle(handle, op, TESSERA_OK, how.handle);
  }
  tsr_stats_end(how.stat, begun_ns, bytes);
  return DART_OK;
}

/* ---- Checks ---- */

void tsr_dart_no_root(struct tsr_dart_share *share, dart_team_unit_t root) {
  share->result = tsr_dart_invalid("TSR-2016 %s: root %d is not in the team; name one of its units 0 to %d", share->how.call,
                                   root.id, share->team->size - 1);
}

void tsr_dart_no_buffer(struct tsr_dart_share *share, const char *which) {
  share->result = tsr_dart_invalid("TSR-2017 %s: %s is NULL; pass the buffer, or 0 elements", share->how.call, which);
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

static dart_ret_t make_counted(const struct tsr_dart_share *share, struct tsr_dart_counted *to, dart_datatype_t dtype,
                               const char *names, const size_t counts[], const size_t displs[]) {
  size_t n = (size_t)share->team->size;
  const char *call = share->how.call;
  if (!counts || !displs)
    return tsr_dart_invalid("TSR-2023 %s: %s is NULL; pass one number for each of the team's %zu units", call, names, n);
  to->n = share->team->size;
  to->total = 0;
  to->copy = NULL;
  to->all_blocks = !(share->in.n && to != &share->in && to->buffer == share->in.buffer);
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

void tsr_dart_count(struct tsr_dart_share *share, struct tsr_dart_counted *side, dart_datatype_t dtype, const void *buffer,
                    const char *buffer_name, const char *names, const size_t counts[], const size_t displs[]) {
  if (share->result != DART_OK) return;
  side->buffer = (void *)buffer;
  share->result = make_counted(share, side, dtype, names, counts, displs);
  tsr_dart_check_bytes(share, side->total, buffer, buffer_name);
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
