/* Transfers within the node between blocks of a derived type and contiguous elements, by one call of a kernel. Inline,
 * since one more call would be measurable in a short transfer. */
#ifndef TSR_API_DART_BLOCKS_H
#define TSR_API_DART_BLOCKS_H

#include "core/progress.h"
#include "core/stats.h"
#include "api/dart/dart_api.h"
#include "api/dart/type.h"

/* The direction is a constant in each caller, so inlining removes the branches on it. */
#define TSR_DART_ALWAYS_INLINE static inline __attribute__((always_inline))

/* The number of instances. 0: no elements, a partial instance, or instances that the kernel cannot copy. */
TSR_DART_ALWAYS_INLINE size_t tsr_dart_blocks_times(const struct tsr_dart_type *type, size_t nelem, bool scatters) {
  size_t times = type->elems_log2 >= 0 ? nelem >> type->elems_log2 : nelem / type->elems_n;
  bool good = times * type->elems_n == nelem && times <= type->most_times &&
              !(scatters && times > 1 && type->overlaps);
  return good ? times : 0;
}

/* If an instance is one block, the kernel's inner loop goes over the instances. */
TSR_DART_ALWAYS_INLINE void tsr_dart_blocks_spread(const struct tsr_dart_type *type, size_t times, tsr_blocks *copies,
                                              tsr_places *blocks) {
  const bool lone = type->iov.n == 1;
  copies->bytes = type->iov.each;
  copies->n = lone ? times : type->iov.n;
  copies->times = lone ? 1 : times;
  blocks->offs = type->regular ? NULL : type->iov.offs;
  blocks->apart = lone ? (ptrdiff_t)type->extent_bytes : type->regular ? type->apart_bytes : 1;
  blocks->step = (ptrdiff_t)type->extent_bytes;
}

/* `blocks`: the lowest byte of the first instance. */
TSR_DART_ALWAYS_INLINE void tsr_dart_blocks_run(const struct tsr_dart_type *type, size_t times, bool scatters,
                                                char *blocks, char *packed) {
  tsr_blocks copies;
  tsr_places *apart = scatters ? &copies.to : &copies.from, *end_to_end = scatters ? &copies.from : &copies.to;
  tsr_dart_blocks_spread(type, times, &copies, apart);
  end_to_end->offs = NULL;
  end_to_end->apart = (ptrdiff_t)copies.bytes;
  end_to_end->step = (ptrdiff_t)(copies.n * copies.bytes);
  if (type->regular) blocks += tsr_iov_off_of(&type->iov, 0);
  if (scatters) type->kernel(&copies, blocks, packed);
  else type->kernel(&copies, packed, blocks);
}

TSR_DART_ALWAYS_INLINE bool tsr_dart_blocks_copy(const struct tsr_dart_type *type, dart_gptr_t gptr, char *buffer,
                                            size_t nelem, bool puts, bool scatters) {
  const size_t times = tsr_dart_blocks_times(type, nelem, scatters), low_bytes = type->low_bytes;
  const bool blocks_are_global = puts == scatters;
  const size_t instances_bytes = (times - 1) * type->extent_bytes + type->high_bytes - low_bytes;
  if (!times) return false;
  if (blocks_are_global) gptr.addr_or_offs.offset += low_bytes;
  char *global = tsr_dart_local(gptr, blocks_are_global ? instances_bytes : nelem * type->elem_bytes);
  if (!TSR_LIKELY(global)) return false;
  if (blocks_are_global) tsr_dart_blocks_run(type, times, scatters, global, buffer);
  else tsr_dart_blocks_run(type, times, scatters, buffer + low_bytes, global);
  return true;
}

TSR_DART_ALWAYS_INLINE bool tsr_dart_blocks_move(dart_gptr_t gptr, char *buffer, size_t nelem, dart_datatype_t basic,
                                                 dart_datatype_t blocks, bool puts, bool scatters) {
  struct tsr_dart_type *type = tsr_dart_type_borrow(blocks);
  if (!type) return false;
  bool done = type->kernel && type->base == basic && tsr_dart_blocks_copy(type, gptr, buffer, nelem, puts, scatters);
  tsr_dart_type_return(type);
  if (done) tsr_progress_throttled();
  return done;
}

/* False: nothing was copied; the transfer needs the general path or has an error. A put only reads `buffer`. */
TSR_DART_ALWAYS_INLINE bool tsr_dart_copy_blocks(dart_gptr_t gptr, const void *buffer, size_t nelem,
                                                 dart_datatype_t src_type, dart_datatype_t dst_type, bool puts) {
  if (tsr_stats_are_wanted() || !buffer) return false;
  if (tsr_dart_is_basic(dst_type))
    return tsr_dart_blocks_move(gptr, (char *)buffer, nelem, dst_type, src_type, puts, false);
  return tsr_dart_is_basic(src_type) &&
         tsr_dart_blocks_move(gptr, (char *)buffer, nelem, src_type, dst_type, puts, true);
}

#undef TSR_DART_ALWAYS_INLINE
#endif
