/* Element types, derived types and operations of DART, as the core describes them. */
#ifndef TSR_API_DART_TYPE_H
#define TSR_API_DART_TYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <dash/dart/if/dart_types.h>

#include "base/arith.h"
#include "core/runtime.h"
#include "api/dart/dart_api.h"
#include "vis/layout.h"
#include "vis/blocks.h"
#include "vis/iov.h"

struct tsr_dart_basic {
  const char *name;
  uint8_t bytes; /* 0: DART_TYPE_UNDEFINED */
  uint8_t type;  /* tsr_type */
};
extern const struct tsr_dart_basic tsr_dart_basics[12];

static inline bool tsr_dart_is_basic(dart_datatype_t type) {
  return (uintptr_t)type - 1 < (uintptr_t)DART_TYPE_LAST - 1;
}
/* 0: not a basic type. */
static inline size_t tsr_dart_basic_bytes(dart_datatype_t type) {
  return tsr_dart_is_basic(type) ? tsr_dart_basics[type].bytes : 0;
}

/* A derived type. It never changes after its creation and lives until the last holder releases it, even if its handle
 * was destroyed. An instance is a list of blocks; the next one begins `extent_bytes` later. An instance of a strided
 * type is one block, of a custom type one element. */
enum tsr_dart_kind { TSR_DART_CUSTOM, TSR_DART_STRIDED, TSR_DART_INDEXED };
struct tsr_dart_type {
  _Atomic uint32_t holders_n;
  enum tsr_dart_kind kind;
  dart_datatype_t base; /* type of the elements: basic, or custom and perhaps destroyed; a custom type's own handle */
  size_t elem_bytes;
  size_t elems_n;        /* in one instance */
  size_t low_bytes;      /* from the pointer to the lowest byte of the first instance, the base of offsets in `iov` */
  size_t high_bytes;     /* from the pointer to the end of the first instance */
  size_t extent_bytes;   /* from one instance to the next */
  tsr_iov iov;           /* one instance */
  bool regular;          /* blocks of equal size, each `apart_bytes` after the previous one */
  ptrdiff_t apart_bytes;
  bool overlaps;         /* only one instance at a time can be written */
  tsr_blocks_fn kernel;  /* copies blocks of equal size with gaps; NULL: the type has no such blocks */
  size_t most_times;     /* with a kernel: the number of instances that fit in the address space */
  int8_t elems_log2;     /* log2 of elems_n; -1: not a power of two */
  ptrdiff_t lists[];     /* of `iov` */
};

/* NULL: no live derived type. The caller releases the type. */
struct tsr_dart_type *tsr_dart_type_hold(dart_datatype_t type);
void tsr_dart_type_release(struct tsr_dart_type *type); /* NULL: nothing */

/* The same for a caller that calls tsr_dart_type_return before it returns to the program. In a program with one thread
 * the type then needs no holder. The last type is cached, since most transfers use the same type as the previous
 * one. */
struct tsr_dart_borrowed {
  dart_datatype_t handle; /* DART_TYPE_UNDEFINED: none */
  struct tsr_dart_type *type;
};
extern struct tsr_dart_borrowed tsr_dart_borrowed;
struct tsr_dart_type *tsr_dart_type_borrow_slow(dart_datatype_t type);
static inline struct tsr_dart_type *tsr_dart_type_borrow(dart_datatype_t type) {
  if (TSR_LIKELY(type == tsr_dart_borrowed.handle && !tsr_threads)) return tsr_dart_borrowed.type;
  return tsr_dart_type_borrow_slow(type);
}
static inline void tsr_dart_type_return(struct tsr_dart_type *type) {
  if (!TSR_LIKELY(!tsr_threads)) tsr_dart_type_release(type);
}

/* The size of an element of a basic or live custom type, whose elements are contiguous; 0: another type. */
size_t tsr_dart_contiguous_bytes(dart_datatype_t type);

/* For messages. */
const char *tsr_dart_type_name(dart_datatype_t type);

/* The memory that `nelem` elements of a type occupy, relative to a pointer. */
struct tsr_dart_shape {
  struct tsr_dart_type *type; /* held; NULL: basic */
  dart_datatype_t base;
  size_t elem_bytes;
  size_t bytes;               /* of all elements */
  size_t low_bytes, end_bytes; /* the elements lie in [low_bytes, end_bytes) */
  size_t step_bytes;          /* from the pointer to the next element, where the next block begins */
  bool contiguous;
  tsr_iov iov;                /* relative to low_bytes */
};

/* Errors, logged: no live type; nelem is not a whole number of blocks or instances; the elements exceed the address
 * space. After DART_OK the caller releases the shape. */
dart_ret_t tsr_dart_shape_make(const char *call, dart_datatype_t type, size_t nelem, struct tsr_dart_shape *shape);
void tsr_dart_shape_release(struct tsr_dart_shape *shape);

/* A regular shape has a layout, which _layout stores. It returns the distance of the layout's base from low_bytes. */
static inline bool tsr_dart_shape_is_regular(const struct tsr_dart_shape *shape) {
  return shape->contiguous || shape->type->regular;
}
ptrdiff_t tsr_dart_shape_layout(const struct tsr_dart_shape *shape, tsr_layout *layout);

/* Copy shape->bytes between the user's buffer, as passed to the call, and one block of private memory. */
void tsr_dart_pack(const struct tsr_dart_shape *shape, void *packed, const void *buffer);
void tsr_dart_unpack(const struct tsr_dart_shape *shape, void *buffer, const void *packed);

struct tsr_dart_op {
  const char *name;
  int8_t arith; /* tsr_arith; -1: none */
};
extern const struct tsr_dart_op tsr_dart_ops[14];

/* False: not predefined, or MINMAX, which the core does not have. */
static inline bool tsr_dart_arith(dart_operation_t op, tsr_arith *out) {
  if (op >= DART_OP_LAST || tsr_dart_ops[op].arith < 0) return false;
  *out = (tsr_arith)tsr_dart_ops[op].arith;
  return true;
}

/* Log the error and return the code. _type: the type is not basic; in calls without arithmetic, neither basic nor
 * custom. _op: the operation is not a predefined one on that basic type. */
dart_ret_t tsr_dart_report_type(const char *call, dart_datatype_t type) __attribute__((cold));
dart_ret_t tsr_dart_report_op(const char *call, dart_operation_t op, dart_datatype_t type) __attribute__((cold));

#endif
