/* The memory that a number of elements of a type occupies, and copies between this memory and one contiguous block. */
#include <string.h>

#include "base/bits.h"
#include "api/dart/dart_api.h"
#include "api/dart/type.h"

/* Assigns the used fields one by one, as fill_shape() does: clearing the whole shape would cost as much as a small copy. */
static void shape_of_basic(dart_datatype_t type, size_t bytes, struct tsr_dart_shape *shape) {
  shape->type = NULL;
  shape->base = type;
  shape->elem_bytes = tsr_dart_basics[type].bytes;
  shape->bytes = shape->end_bytes = shape->step_bytes = bytes;
  shape->low_bytes = 0;
  shape->contiguous = true;
  tsr_iov_set_contiguous(&shape->iov, bytes);
}

static dart_ret_t too_large(const char *call, size_t nelem) {
  return tsr_dart_invalid("TSR-2129 %s: %zu elements exceed the address space; correct nelem or the type", call, nelem);
}

static dart_ret_t check_whole(const char *call, const struct tsr_dart_type *type, size_t nelem) {
  if (type->elems_n ? nelem % type->elems_n == 0 : nelem == 0) return DART_OK;
  if (type->kind == TSR_DART_STRIDED)
    return tsr_dart_invalid("TSR-2130 %s: nelem %zu is not a multiple of the type's block length %zu; move whole blocks", call,
                            nelem, type->elems_n);
  if (!type->elems_n)
    return tsr_dart_invalid("TSR-2131 %s: nelem is %zu, but the indexed type has no elements; pass 0", call, nelem);
  return tsr_dart_invalid("TSR-2132 %s: nelem %zu is not a multiple of the indexed type's %zu elements; move all its blocks",
                          call, nelem, type->elems_n);
}

/* False: the elements exceed the address space. */
static bool fill_shape(const struct tsr_dart_type *type, size_t nelem, struct tsr_dart_shape *shape) {
  size_t times = type->elems_n ? nelem / type->elems_n : 0, end = 0;
  shape->type = NULL;
  shape->base = type->base;
  shape->elem_bytes = type->elem_bytes;
  shape->bytes = shape->low_bytes = shape->end_bytes = shape->step_bytes = 0;
  shape->iov = type->iov;
  shape->iov.times = times;
  shape->iov.step = (ptrdiff_t)type->extent_bytes;
  shape->contiguous = times == 0 || (type->iov.n == 1 && (times == 1 || type->extent_bytes == type->iov.each));
  if (times == 0) {
    tsr_iov_set_contiguous(&shape->iov, 0);
    return true;
  }
  shape->low_bytes = type->low_bytes;
  bool fits = tsr_mul_size(nelem, type->elem_bytes, &shape->bytes) && shape->bytes <= PTRDIFF_MAX &&
              tsr_mul_size(times, type->extent_bytes, &shape->step_bytes) && shape->step_bytes <= PTRDIFF_MAX &&
              !__builtin_add_overflow(shape->step_bytes - type->extent_bytes, type->high_bytes, &end) &&
              end <= PTRDIFF_MAX;
  shape->end_bytes = fits ? end : 0;
  if (shape->contiguous) tsr_iov_set_contiguous(&shape->iov, shape->bytes);
  return fits;
}

dart_ret_t tsr_dart_shape_make(const char *call, dart_datatype_t type, size_t nelem, struct tsr_dart_shape *shape) {
  size_t bytes, elem_bytes = tsr_dart_basic_bytes(type);
  if (elem_bytes) {
    if (!tsr_mul_size(nelem, elem_bytes, &bytes) || bytes > PTRDIFF_MAX) return too_large(call, nelem);
    shape_of_basic(type, bytes, shape);
    return DART_OK;
  }
  struct tsr_dart_type *derived = tsr_dart_type_hold(type);
  if (!derived) return tsr_dart_report_type(call, type);
  dart_ret_t result = check_whole(call, derived, nelem);
  if (result == DART_OK && !fill_shape(derived, nelem, shape)) result = too_large(call, nelem);
  if (result != DART_OK) tsr_dart_type_release(derived);
  else shape->type = derived;
  return result;
}

void tsr_dart_shape_release(struct tsr_dart_shape *shape) {
  tsr_dart_type_release(shape->type);
  shape->type = NULL;
}

ptrdiff_t tsr_dart_shape_layout(const struct tsr_dart_shape *shape, tsr_layout *layout) {
  const tsr_iov *iov = &shape->iov;
  layout->elem_bytes = iov->each;
  layout->dims = 0;
  if (shape->contiguous) return tsr_iov_off_of(iov, 0);
  if (iov->n > 1) {
    layout->count[0] = iov->n;
    layout->stride[0] = shape->type->apart_bytes;
    layout->dims = 1;
  }
  layout->count[layout->dims] = iov->times;
  layout->stride[layout->dims++] = iov->step;
  return tsr_iov_off_of(iov, 0);
}

void tsr_dart_pack(const struct tsr_dart_shape *shape, void *packed, const void *buffer) {
  const char *from = (const char *)buffer + shape->low_bytes;
  if (tsr_dart_shape_is_regular(shape)) {
    tsr_layout layout, contiguous = tsr_layout_contiguous(shape->bytes);
    ptrdiff_t off = tsr_dart_shape_layout(shape, &layout);
    tsr_layout_copy(packed, &contiguous, from + off, &layout);
  } else {
    tsr_iov contiguous = tsr_iov_contiguous(shape->bytes);
    tsr_iov_copy(packed, &contiguous, from, &shape->iov);
  }
}

void tsr_dart_unpack(const struct tsr_dart_shape *shape, void *buffer, const void *packed) {
  char *to = (char *)buffer + shape->low_bytes;
  if (tsr_dart_shape_is_regular(shape)) {
    tsr_layout layout, contiguous = tsr_layout_contiguous(shape->bytes);
    ptrdiff_t off = tsr_dart_shape_layout(shape, &layout);
    tsr_layout_copy(to + off, &layout, packed, &contiguous);
  } else {
    tsr_iov contiguous = tsr_iov_contiguous(shape->bytes);
    tsr_iov_copy(to, &shape->iov, packed, &contiguous);
  }
}
