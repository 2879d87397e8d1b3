#include <dash/dart/if/dart_communication.h>

#include "base/bits.h"
#include "base/stats.h"
#include "core/progress.h"
#include "faces/dart/face.h"
#include "faces/dart/type.h"
#include "rma/rma.h"
#include "vis/strided.h"

/* Two paths. Elements that follow one another on a unit of the own node are copied at once, in a few instructions and
 * without a call. All else, statistics and errors included, goes through `general` at the end. */
enum direction { PUT, GET };
enum completion { BY_FLUSH, AT_RETURN, BY_HANDLE };

struct transfer {
  const char *call;
  dart_gptr_t gptr;
  void *buffer; /* not written by a put */
  size_t nelem;
  dart_datatype_t src_type, dst_type;
  enum direction direction;
  enum completion completion;
  dart_handle_t *handle;
};
static dart_ret_t general(const struct transfer *transfer);

static __attribute__((noinline)) dart_ret_t general_put(dart_gptr_t gptr, const void *src, size_t nelem,
                                                              dart_datatype_t src_type, dart_datatype_t dst_type,
                                                              enum completion completion, dart_handle_t *handle) {
  static const char *const calls[] = {"dart_put", "dart_put_blocking", "dart_put_handle"};
  return general(&(struct transfer){calls[completion], gptr, (void *)src, nelem, src_type, dst_type, PUT, completion,
                                    handle});
}

static __attribute__((noinline)) dart_ret_t general_get(void *dest, dart_gptr_t gptr, size_t nelem,
                                                              dart_datatype_t src_type, dart_datatype_t dst_type,
                                                              enum completion completion, dart_handle_t *handle) {
  static const char *const calls[] = {"dart_get", "dart_get_blocking", "dart_get_handle"};
  return general(&(struct transfer){calls[completion], gptr, dest, nelem, src_type, dst_type, GET, completion, handle});
}

/* The global side, when the transfer is one copy; else NULL. */
static inline void *reach(dart_gptr_t gptr, const void *buffer, size_t nelem, dart_datatype_t src_type,
                          dart_datatype_t dst_type, size_t *bytes) {
  size_t elem_bytes = tsr_dart_basic_bytes(src_type);
  if (!TSR_LIKELY(src_type == dst_type && elem_bytes && buffer && !tsr_stats_on)) return NULL;
  return TSR_LIKELY(tsr_mul_size(nelem, elem_bytes, bytes)) ? tsr_dart_near(gptr, *bytes) : NULL;
}

dart_ret_t dart_put(dart_gptr_t gptr, const void *src, size_t nelem, dart_datatype_t src_type,
                    dart_datatype_t dst_type) {
  size_t bytes;
  void *there = reach(gptr, src, nelem, src_type, dst_type, &bytes);
  if (!TSR_LIKELY(there)) return general_put(gptr, src, nelem, src_type, dst_type, BY_FLUSH, NULL);
  tsr_copy(there, src, bytes);
  return DART_OK;
}

dart_ret_t dart_put_blocking(dart_gptr_t gptr, const void *src, size_t nelem, dart_datatype_t src_type,
                             dart_datatype_t dst_type) {
  size_t bytes;
  void *there = reach(gptr, src, nelem, src_type, dst_type, &bytes);
  if (!TSR_LIKELY(there)) return general_put(gptr, src, nelem, src_type, dst_type, AT_RETURN, NULL);
  tsr_copy(there, src, bytes);
  return DART_OK;
}

dart_ret_t dart_put_handle(dart_gptr_t gptr, const void *src, size_t nelem, dart_datatype_t src_type,
                           dart_datatype_t dst_type, dart_handle_t *handle) {
  size_t bytes;
  void *there = reach(gptr, src, nelem, src_type, dst_type, &bytes);
  if (!TSR_LIKELY(there && handle)) return general_put(gptr, src, nelem, src_type, dst_type, BY_HANDLE, handle);
  tsr_copy(there, src, bytes);
  *handle = DART_HANDLE_NULL;
  return DART_OK;
}

dart_ret_t dart_get(void *dest, dart_gptr_t gptr, size_t nelem, dart_datatype_t src_type, dart_datatype_t dst_type) {
  size_t bytes;
  const void *there = reach(gptr, dest, nelem, src_type, dst_type, &bytes);
  if (!TSR_LIKELY(there)) return general_get(dest, gptr, nelem, src_type, dst_type, BY_FLUSH, NULL);
  tsr_copy(dest, there, bytes);
  return DART_OK;
}

dart_ret_t dart_get_blocking(void *dest, dart_gptr_t gptr, size_t nelem, dart_datatype_t src_type,
                             dart_datatype_t dst_type) {
  size_t bytes;
  const void *there = reach(gptr, dest, nelem, src_type, dst_type, &bytes);
  if (!TSR_LIKELY(there)) return general_get(dest, gptr, nelem, src_type, dst_type, AT_RETURN, NULL);
  tsr_copy(dest, there, bytes);
  return DART_OK;
}

dart_ret_t dart_get_handle(void *dest, dart_gptr_t gptr, size_t nelem, dart_datatype_t src_type,
                           dart_datatype_t dst_type, dart_handle_t *handle) {
  size_t bytes;
  const void *there = reach(gptr, dest, nelem, src_type, dst_type, &bytes);
  if (!TSR_LIKELY(there && handle)) return general_get(dest, gptr, nelem, src_type, dst_type, BY_HANDLE, handle);
  tsr_copy(dest, there, bytes);
  *handle = DART_HANDLE_NULL;
  return DART_OK;
}

/* The general path. One side of a transfer: blocks of elements. */
struct side {
  size_t blocklen, stride, blocks_n; /* elements, elements, blocks */
  size_t extent_bytes;               /* from the first byte to behind the last */
  bool contiguous;
};
struct sides {
  size_t elem_bytes;
  struct side src, dst;
};

static dart_ret_t find_type(const struct transfer *t, dart_datatype_t type, struct tsr_dart_strided *out) {
  *out = (struct tsr_dart_strided){.base = type};
  if (tsr_dart_basic_bytes(type) || tsr_dart_strided_find(type, out)) return DART_OK;
  return tsr_dart_invalid("%s: %#lx is neither a basic type nor a live derived one; it may have been destroyed",
                          t->call, (unsigned long)type);
}

/* A basic type takes the other side's blocks, end to end, so that both sides count alike; two basic types make one
 * block. */
static dart_ret_t measure(const struct transfer *t, const struct tsr_dart_strided *type, size_t other_blocklen,
                          size_t elem_bytes, struct side *side) {
  size_t blocklen = type->blocklen ? type->blocklen : other_blocklen ? other_blocklen : t->nelem + !t->nelem;
  if (t->nelem % blocklen)
    return tsr_dart_invalid("%s: nelem %zu is not a multiple of the type's block length %zu; move whole blocks",
                            t->call, t->nelem, blocklen);
  *side = (struct side){.blocklen = blocklen, .stride = type->stride ? type->stride : blocklen,
                        .blocks_n = t->nelem / blocklen};
  if (!side->blocks_n) return DART_OK;
  side->contiguous = side->stride == blocklen || side->blocks_n == 1;
  size_t extent;
  bool fits = tsr_mul_size(side->blocks_n - 1, side->stride, &extent) &&
              !__builtin_add_overflow(extent, blocklen, &extent) && tsr_mul_size(extent, elem_bytes, &extent) &&
              extent <= PTRDIFF_MAX;
  if (!fits)
    return tsr_dart_invalid("%s: %zu elements are more bytes than memory can have; correct nelem or the type's stride",
                            t->call, t->nelem);
  side->extent_bytes = extent;
  return DART_OK;
}

/* Elements of one basic type, end to end on both sides, as most are. False: something else, or wrong. */
static bool describe_plain(const struct transfer *t, struct sides *sides) {
  size_t bytes;
  sides->elem_bytes = tsr_dart_basic_bytes(t->src_type);
  if (t->src_type != t->dst_type || !sides->elem_bytes) return false;
  if (!tsr_mul_size(t->nelem, sides->elem_bytes, &bytes) || bytes > PTRDIFF_MAX) return false;
  sides->src = sides->dst = (struct side){t->nelem, t->nelem, 1, bytes, true};
  return true;
}

static dart_ret_t describe(const struct transfer *t, struct sides *sides) {
  if (TSR_LIKELY(describe_plain(t, sides))) return DART_OK;
  struct tsr_dart_strided src, dst;
  dart_ret_t result = find_type(t, t->src_type, &src);
  if (result == DART_OK) result = find_type(t, t->dst_type, &dst);
  if (result != DART_OK) return result;
  if (src.base != dst.base)
    return tsr_dart_invalid("%s: the source has elements of %s, the destination of %s; nothing is converted, use one "
                            "basic type", t->call, tsr_dart_basics[src.base].name, tsr_dart_basics[dst.base].name);
  sides->elem_bytes = tsr_dart_basic_bytes(src.base);
  result = measure(t, &src, dst.blocklen, sides->elem_bytes, &sides->src);
  if (result == DART_OK) result = measure(t, &dst, src.blocklen, sides->elem_bytes, &sides->dst);
  if (result == DART_OK && sides->dst.stride < sides->dst.blocklen && sides->dst.blocks_n > 1)
    return tsr_dart_invalid("%s: blocks of %zu elements every %zu elements overlap in the destination; enlarge the "
                            "stride", t->call, sides->dst.blocklen, sides->dst.stride);
  return result;
}

static tsr_layout layout_of(const struct side *side, size_t elem_bytes) {
  return tsr_layout_strided(side->blocklen * elem_bytes, side->blocks_n, (ptrdiff_t)(side->stride * elem_bytes));
}

static tessera_status_t start(const struct transfer *t, const struct sides *sides, tsr_addr address, tsr_op *op) {
  if (sides->src.contiguous && sides->dst.contiguous) {
    size_t bytes = t->nelem * sides->elem_bytes;
    return t->direction == PUT ? tsr_put(address, t->buffer, bytes, op) : tsr_get(t->buffer, address, bytes, op);
  }
  tsr_layout src = layout_of(&sides->src, sides->elem_bytes), dst = layout_of(&sides->dst, sides->elem_bytes);
  return t->direction == PUT ? tsr_put_layout(address, &dst, t->buffer, &src, op)
                             : tsr_get_layout(t->buffer, &dst, address, &src, op);
}

/* What the unit can load and store is complete when it has started: only the rest needs a group or a handle. */
static tessera_status_t run_by_handle(const struct transfer *t, const struct sides *sides, tsr_addr address) {
  tsr_handle number;
  tsr_op *op;
  tessera_status_t status = tsr_handle_create(address.unit, &number, &op);
  if (status) return status;
  status = start(t, sides, address, op);
  bool done = tsr_op_remote_done(op);
  if (status || done) tsr_handle_release(number);
  if (!status) *t->handle = done ? DART_HANDLE_NULL : (dart_handle_t)(uintptr_t)number;
  return status;
}

static tessera_status_t run(const struct transfer *t, const struct sides *sides, tsr_addr address) {
  bool here = tsr_place_pointer(address) != NULL;
  /* A program may repeat this until others, whom we serve, have been there. */
  if (tsr_addr_is_outside(address)) tsr_progress_poke();
  if (!here && t->completion == BY_FLUSH) return start(t, sides, address, tsr_op_implicit(address.unit));
  if (!here && t->completion == BY_HANDLE) return run_by_handle(t, sides, address);
  tsr_op op = {0};
  tessera_status_t status = start(t, sides, address, &op);
  tsr_op_wait_remote(&op, address.unit); /* also after an error: parts may be under way */
  if (!status && t->handle) *t->handle = DART_HANDLE_NULL;
  return status;
}

static dart_ret_t general(const struct transfer *t) {
  uint64_t begun_ns = tsr_stats_begin();
  if (!tsr_dart_up) return tsr_dart_no_team(t->call, t->gptr.teamid);
  if (t->completion == BY_HANDLE && !t->handle)
    return tsr_dart_invalid("%s: handle is NULL; pass where to store the handle", t->call);
  struct sides sides;
  dart_ret_t result = describe(t, &sides);
  if (result != DART_OK) return result;
  const struct side *global = t->direction == PUT ? &sides.dst : &sides.src;
  tsr_addr address;
  if (!tsr_dart_address(t->gptr, global->extent_bytes, &address))
    return tsr_dart_refuse(t->call, t->gptr, global->extent_bytes);
  if (!t->nelem) {
    if (t->handle) *t->handle = DART_HANDLE_NULL;
    return DART_OK;
  }
  if (!t->buffer) return tsr_dart_invalid("%s: the buffer for %zu elements is NULL; pass one", t->call, t->nelem);
  result = tsr_dart_code(run(t, &sides, address));
  size_t bytes = t->nelem * sides.elem_bytes;
  tsr_stats_end(t->direction == PUT ? TSR_STAT_PUT : TSR_STAT_GET, begun_ns, bytes,
                tsr_place_is_here(address.unit) ? 0 : bytes);
  return result;
}
