#include <dash/dart/if/dart_communication.h>

#include "base/bits.h"
#include "core/conflict.h"
#include "core/progress.h"
#include "core/stats.h"
#include "api/dart/blocks.h"
#include "api/dart/dart_api.h"
#include "api/dart/type.h"
#include "rma/rma.h"
#include "vis/strided.h"
#include "vis/vector.h"

/* Three paths. Contiguous transfers within the node are one inline copy. Most strided and indexed transfers within the
 * node are one call of a kernel (api/dart/blocks). transfer_general() does the rest, including statistics and errors. */
enum direction { PUT, GET };
enum completion { BY_FLUSH, AT_RETURN, BY_HANDLE };

struct transfer {
  const char *call;
  dart_gptr_t gptr;
  void *buffer; /* a put only reads it */
  size_t nelem;
  dart_datatype_t src_type, dst_type;
  enum direction direction;
  enum completion completion;
  dart_handle_t *handle;
};
static dart_ret_t transfer_general(const struct transfer *transfer);

/* Out of line, and always tail calls, so that the fast paths need no stack frame. */
#define NOINLINE static __attribute__((noinline)) dart_ret_t
#define ALWAYS_INLINE static inline __attribute__((always_inline)) dart_ret_t

NOINLINE general_put(dart_gptr_t gptr, const void *src, size_t nelem, dart_datatype_t src_type,
                     dart_datatype_t dst_type, enum completion completion, dart_handle_t *handle) {
  static const char *const calls[] = {"dart_put", "dart_put_blocking", "dart_put_handle"};
  return transfer_general(&(struct transfer){calls[completion], gptr, (void *)src, nelem, src_type, dst_type, PUT, completion,
                                             handle});
}

NOINLINE general_get(void *dest, dart_gptr_t gptr, size_t nelem, dart_datatype_t src_type, dart_datatype_t dst_type,
                     enum completion completion, dart_handle_t *handle) {
  static const char *const calls[] = {"dart_get", "dart_get_blocking", "dart_get_handle"};
  return transfer_general(&(struct transfer){calls[completion], gptr, dest, nelem, src_type, dst_type, GET, completion,
                                             handle});
}

/* A pointer to the global memory if the transfer is one copy within the node, else NULL. */
static inline void *reach_local(dart_gptr_t gptr, const void *buffer, size_t nelem, dart_datatype_t src_type,
                                dart_datatype_t dst_type, size_t *bytes) {
  size_t elem_bytes = tsr_dart_basic_bytes(src_type);
  if (!TSR_LIKELY(src_type == dst_type && elem_bytes && buffer && !tsr_stats_are_wanted())) return NULL;
  return TSR_LIKELY(tsr_mul_size(nelem, elem_bytes, bytes)) ? tsr_dart_local(gptr, *bytes) : NULL;
}

/* Whether the transfer is one contiguous block of basic elements of another node, at `address`. */
static inline bool find_remote(dart_gptr_t gptr, const void *buffer, size_t nelem, dart_datatype_t src_type,
                               dart_datatype_t dst_type, size_t *bytes, tsr_addr *address) {
  size_t elem_bytes = tsr_dart_basic_bytes(src_type);
  return src_type == dst_type && elem_bytes && nelem && buffer && !tsr_stats_are_wanted() &&
         tsr_mul_size(nelem, elem_bytes, bytes) && tsr_dart_address(gptr, *bytes, address) && !tsr_place_is_local(address->unit);
}

/* A longer non-blocking copy may be offloaded to a progress agent. */
static inline bool is_at_once(size_t bytes) { return bytes < tsr_offload.local_bytes; }

/* The second and third path. */
ALWAYS_INLINE put_other(dart_gptr_t gptr, const void *src, size_t nelem, dart_datatype_t src_type,
                        dart_datatype_t dst_type, enum completion completion, dart_handle_t *handle) {
  bool may = completion != BY_HANDLE || handle;
  if (!may || !tsr_dart_copy_blocks(gptr, src, nelem, src_type, dst_type, true))
    return general_put(gptr, src, nelem, src_type, dst_type, completion, handle);
  if (handle) *handle = DART_HANDLE_NULL;
  return DART_OK;
}
NOINLINE put_flushed(dart_gptr_t gptr, const void *src, size_t nelem, dart_datatype_t src_type,
                     dart_datatype_t dst_type) {
  return put_other(gptr, src, nelem, src_type, dst_type, BY_FLUSH, NULL);
}
NOINLINE put_blocking(dart_gptr_t gptr, const void *src, size_t nelem, dart_datatype_t src_type,
                     dart_datatype_t dst_type) {
  size_t bytes;
  tsr_addr address;
  if (!find_remote(gptr, src, nelem, src_type, dst_type, &bytes, &address))
    return put_other(gptr, src, nelem, src_type, dst_type, AT_RETURN, NULL);
  tessera_status_t status = tsr_put_wait(address, src, bytes);
  return TSR_LIKELY(!status) ? DART_OK : tsr_dart_code(status);
}
NOINLINE put_handled(dart_gptr_t gptr, const void *src, size_t nelem, dart_datatype_t src_type,
                     dart_datatype_t dst_type, dart_handle_t *handle) {
  return put_other(gptr, src, nelem, src_type, dst_type, BY_HANDLE, handle);
}

ALWAYS_INLINE get_other(void *dest, dart_gptr_t gptr, size_t nelem, dart_datatype_t src_type, dart_datatype_t dst_type,
                        enum completion completion, dart_handle_t *handle) {
  bool may = completion != BY_HANDLE || handle;
  if (!may || !tsr_dart_copy_blocks(gptr, dest, nelem, src_type, dst_type, false))
    return general_get(dest, gptr, nelem, src_type, dst_type, completion, handle);
  if (handle) *handle = DART_HANDLE_NULL;
  return DART_OK;
}
NOINLINE get_flushed(void *dest, dart_gptr_t gptr, size_t nelem, dart_datatype_t src_type,
                     dart_datatype_t dst_type) {
  return get_other(dest, gptr, nelem, src_type, dst_type, BY_FLUSH, NULL);
}
NOINLINE get_blocking(void *dest, dart_gptr_t gptr, size_t nelem, dart_datatype_t src_type,
                     dart_datatype_t dst_type) {
  size_t bytes;
  tsr_addr address;
  if (!find_remote(gptr, dest, nelem, src_type, dst_type, &bytes, &address))
    return get_other(dest, gptr, nelem, src_type, dst_type, AT_RETURN, NULL);
  tessera_status_t status = tsr_get_wait(dest, address, bytes);
  return TSR_LIKELY(!status) ? DART_OK : tsr_dart_code(status);
}
NOINLINE get_handled(void *dest, dart_gptr_t gptr, size_t nelem, dart_datatype_t src_type,
                     dart_datatype_t dst_type, dart_handle_t *handle) {
  return get_other(dest, gptr, nelem, src_type, dst_type, BY_HANDLE, handle);
}

dart_ret_t dart_put(dart_gptr_t gptr, const void *src, size_t nelem, dart_datatype_t src_type,
                    dart_datatype_t dst_type) {
  size_t bytes;
  void *remote_addr = reach_local(gptr, src, nelem, src_type, dst_type, &bytes);
  if (!TSR_LIKELY(remote_addr && is_at_once(bytes))) return put_flushed(gptr, src, nelem, src_type, dst_type);
  tsr_copy(remote_addr, src, bytes);
  tsr_progress_throttled();
  return DART_OK;
}
dart_ret_t dart_put_blocking(dart_gptr_t gptr, const void *src, size_t nelem, dart_datatype_t src_type,
                             dart_datatype_t dst_type) {
  size_t bytes;
  void *remote_addr = reach_local(gptr, src, nelem, src_type, dst_type, &bytes);
  if (!TSR_LIKELY(remote_addr)) return put_blocking(gptr, src, nelem, src_type, dst_type);
  tsr_copy(remote_addr, src, bytes);
  tsr_progress_throttled();
  return DART_OK;
}
dart_ret_t dart_put_handle(dart_gptr_t gptr, const void *src, size_t nelem, dart_datatype_t src_type,
                           dart_datatype_t dst_type, dart_handle_t *handle) {
  size_t bytes;
  void *remote_addr = reach_local(gptr, src, nelem, src_type, dst_type, &bytes);
  if (!TSR_LIKELY(remote_addr && handle && is_at_once(bytes)))
    return put_handled(gptr, src, nelem, src_type, dst_type, handle);
  tsr_copy(remote_addr, src, bytes);
  *handle = DART_HANDLE_NULL;
  tsr_progress_throttled();
  return DART_OK;
}

dart_ret_t dart_get(void *dest, dart_gptr_t gptr, size_t nelem, dart_datatype_t src_type, dart_datatype_t dst_type) {
  size_t bytes;
  const void *remote_addr = reach_local(gptr, dest, nelem, src_type, dst_type, &bytes);
  if (!TSR_LIKELY(remote_addr && is_at_once(bytes))) return get_flushed(dest, gptr, nelem, src_type, dst_type);
  tsr_copy(dest, remote_addr, bytes);
  tsr_progress_throttled();
  return DART_OK;
}
dart_ret_t dart_get_blocking(void *dest, dart_gptr_t gptr, size_t nelem, dart_datatype_t src_type,
                             dart_datatype_t dst_type) {
  size_t bytes;
  const void *remote_addr = reach_local(gptr, dest, nelem, src_type, dst_type, &bytes);
  if (!TSR_LIKELY(remote_addr)) return get_blocking(dest, gptr, nelem, src_type, dst_type);
  tsr_copy(dest, remote_addr, bytes);
  tsr_progress_throttled();
  return DART_OK;
}
dart_ret_t dart_get_handle(void *dest, dart_gptr_t gptr, size_t nelem, dart_datatype_t src_type,
                           dart_datatype_t dst_type, dart_handle_t *handle) {
  size_t bytes;
  const void *remote_addr = reach_local(gptr, dest, nelem, src_type, dst_type, &bytes);
  if (!TSR_LIKELY(remote_addr && handle && is_at_once(bytes)))
    return get_handled(dest, gptr, nelem, src_type, dst_type, handle);
  tsr_copy(dest, remote_addr, bytes);
  *handle = DART_HANDLE_NULL;
  tsr_progress_throttled();
  return DART_OK;
}

/* The general path: the shapes of both sides. */
struct sides {
  struct tsr_dart_shape src, dst;
};

/* A custom type may have been destroyed before the types derived from it, and has no name then. */
static const char *base_name(dart_datatype_t base) {
  return tsr_dart_is_basic(base) ? tsr_dart_type_name(base) : "a custom type";
}

static dart_ret_t check_sides(const struct transfer *t, const struct sides *sides) {
  const struct tsr_dart_shape *src = &sides->src, *dst = &sides->dst;
  bool both_custom = !tsr_dart_is_basic(src->base) && !tsr_dart_is_basic(dst->base);
  if (src->base != dst->base)
    return tsr_dart_invalid("TSR-2141 %s: the source has elements of %s, the destination of %s; use the same type, elements "
                            "are not converted", t->call, base_name(src->base),
                            both_custom ? "another custom type" : base_name(dst->base));
  if (!dst->contiguous && dst->type->overlaps)
    return tsr_dart_invalid("TSR-2142 %s: blocks of %zu elements every %zu elements overlap in the destination; enlarge the "
                            "stride", t->call, dst->type->elems_n, dst->type->extent_bytes / dst->elem_bytes);
  return DART_OK;
}

static tessera_status_t start_layouts(const struct transfer *t, const struct sides *sides, tsr_addr address,
                                      char *buffer, tsr_op *op) {
  tsr_layout src, dst;
  ptrdiff_t src_off = tsr_dart_shape_layout(&sides->src, &src), dst_off = tsr_dart_shape_layout(&sides->dst, &dst);
  if (t->direction == PUT) {
    address.off += (uint64_t)dst_off;
    return tsr_put_layout(address, &dst, buffer + src_off, &src, op);
  }
  address.off += (uint64_t)src_off;
  return tsr_get_layout(buffer + dst_off, &dst, address, &src, op);
}

static tessera_status_t start_contiguous(const struct transfer *t, tsr_addr address, char *buffer, size_t bytes,
                                         tsr_op *op) {
  bool waits = t->completion == AT_RETURN;
  if (t->direction == PUT) return waits ? tsr_put(address, buffer, bytes, op) : tsr_put_nb(address, buffer, bytes, op);
  return waits ? tsr_get(buffer, address, bytes, op) : tsr_get_nb(buffer, address, bytes, op);
}

/* `address`: of the lowest byte accessed. */
static tessera_status_t start_transfer(const struct transfer *t, const struct sides *sides, tsr_addr address, tsr_op *op) {
  const struct tsr_dart_shape *src = &sides->src, *dst = &sides->dst;
  char *buffer = (char *)t->buffer + (t->direction == PUT ? src : dst)->low_bytes;
  if (src->contiguous && dst->contiguous) return start_contiguous(t, address, buffer, src->bytes, op);
  if (tsr_dart_shape_is_regular(src) && tsr_dart_shape_is_regular(dst))
    return start_layouts(t, sides, address, buffer, op);
  return t->direction == PUT ? tsr_put_iov(address, &dst->iov, buffer, &src->iov, op)
                             : tsr_get_iov(buffer, &dst->iov, address, &src->iov, op);
}

static tessera_status_t run_by_handle(const struct transfer *t, const struct sides *sides, tsr_addr address) {
  tsr_handle number;
  tsr_op *op;
  tessera_status_t status = tsr_handle_create(address.unit, &number, &op);
  if (status) return status;
  return tsr_dart_store_handle(number, op, start_transfer(t, sides, address, op), t->handle);
}

/* Transfers to memory that this unit has mapped complete in the call; others need a group of operations or a handle. */
static tessera_status_t run_transfer(const struct transfer *t, const struct sides *sides, tsr_addr address) {
  bool is_local = tsr_place_pointer(address) != NULL;
  if (!is_local && t->completion == BY_FLUSH) return start_transfer(t, sides, address, tsr_op_implicit(address.unit));
  if (!is_local && t->completion == BY_HANDLE) return run_by_handle(t, sides, address);
  tsr_op op = {0};
  tessera_status_t status = start_transfer(t, sides, address, &op);
  tsr_op_wait_remote(&op, address.unit); /* also after an error, since parts may have started */
  return status;
}

/* For a range that goes on into the parts of the next units: gets the bytes of the first part; the call fails all the same. DASH's
 * test of a blocking get over two blocks ignores the result and wants the elements of the first block. */
static void get_first_part(const struct transfer *t, uint64_t bytes) {
  const tsr_segment *segment = tsr_dart_segment(t->gptr);
  const tsr_member member = TSR_MEMBER(t->gptr.unitid);
  tsr_addr address;
  if (!segment || !t->buffer || !tsr_team_has(segment->team, member) || !tsr_segment_lasts(segment, member)) return;
  const uint64_t size = tsr_segment_bytes(segment, member), off = t->gptr.addr_or_offs.offset;
  const uint64_t parts_n = (uint64_t)(segment->team->size - member.id);
  if (off >= size || bytes > size * parts_n - off || !tsr_dart_address(t->gptr, size - off, &address)) return;
  tsr_get_wait(t->buffer, address, size - off);
}

static dart_ret_t transfer_sides(const struct transfer *t, const struct sides *sides) {
  uint64_t begun_ns = tsr_stats_begin();
  const struct tsr_dart_shape *global = t->direction == PUT ? &sides->dst : &sides->src;
  dart_gptr_t lowest = t->gptr;
  tsr_addr address;
  lowest.addr_or_offs.offset += global->low_bytes;
  if (!tsr_dart_address(lowest, global->end_bytes - global->low_bytes, &address)) {
    if (t->direction == GET && t->completion == AT_RETURN && sides->src.contiguous && sides->dst.contiguous)
      get_first_part(t, sides->src.bytes);
    return tsr_dart_report(t->call, DART_GPTR_ISNULL(t->gptr) ? t->gptr : lowest,
                           global->end_bytes - global->low_bytes);
  }
  if (!t->nelem) return DART_OK;
  if (global->contiguous) tsr_conflict_note(t->call, t->direction == PUT, address, global->bytes);
  if (!t->buffer) return tsr_dart_invalid("TSR-2143 %s: the buffer for %zu elements is NULL; pass one", t->call, t->nelem);
  dart_ret_t result = tsr_dart_code(run_transfer(t, sides, address));
  tsr_stats_end_at(t->direction == PUT ? TSR_STAT_PUT : TSR_STAT_GET, begun_ns, global->bytes, address.unit);
  return result;
}

static dart_ret_t transfer_general(const struct transfer *t) {
  struct sides sides;
  tsr_progress_throttled(); /* a program may repeat a transfer until another unit's request has changed the data */
  if (t->handle) *t->handle = DART_HANDLE_NULL;
  if (!tsr_dart_up) return tsr_dart_no_team(t->call, t->gptr.teamid);
  if (t->completion == BY_HANDLE && !t->handle)
    return tsr_dart_invalid("TSR-2144 %s: handle is NULL; pass where to store the handle", t->call);
  dart_ret_t result = tsr_dart_shape_make(t->call, t->src_type, t->nelem, &sides.src);
  if (result != DART_OK) return result;
  result = tsr_dart_shape_make(t->call, t->dst_type, t->nelem, &sides.dst);
  if (result != DART_OK) goto fail_dst;
  result = check_sides(t, &sides);
  if (result == DART_OK) result = transfer_sides(t, &sides);
  tsr_dart_shape_release(&sides.dst);
fail_dst:
  tsr_dart_shape_release(&sides.src);
  return result;
}
