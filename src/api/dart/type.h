/* Element types, derived types and operations of DART in the core's terms. */
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

/* A derived type. Once made it never changes, and it lives for as long as somebody holds it, whatever becomes of its
 * handle. One instance is a list of runs; more of them follow `extent_bytes` apart: a strided type's instance is a
 * block, a custom type's an element. */
enum tsr_dart_kind { TSR_DART_CUSTOM, TSR_DART_STRIDED, TSR_DART_INDEXED };
struct tsr_dart_type {
  _Atomic uint32_t holders_n;
  enum tsr_dart_kind kind;
  dart_datatype_t base; /* of its elements: basic or custom (by then perhaps destroyed); a custom type's own handle */
  size_t elem_bytes;
  size_t elems_n;         /* of one instance */
  size_t low_bytes;       /* from the pointer to the first instance's lowest byte, where offsets of `runs` begin */
  size_t high_bytes;      /* from the pointer to the end of the first instance */
  size_t extent_bytes;    /* from one instance to the next */
  tsr_iov iov;          /* one instance */
  bool regular;           /* runs of equal size, equally far apart: */
  ptrdiff_t apart_bytes;
  bool overlaps;          /* more than one instance cannot be written */
  tsr_blocks_fn kernel;   /* for runs of equal size with gaps; NULL: they are not so */
  size_t most_times;      /* the instances that memory can have, when there is a kernel */
  int8_t elems_log2;      /* of elems_n; -1: no power of two */
  ptrdiff_t lists[];      /* of `runs` */
};

/* NULL: no live derived type. Who gets one releases it. */
struct tsr_dart_type *tsr_dart_type_hold(dart_datatype_t type);
void tsr_dart_type_release(struct tsr_dart_type *type); /* NULL: nothing */

/* The same for a call that is over before its thread could destroy the type: then only other threads cost anything.
 * Without them, most transfers use the same type as the one before. */
struct tsr_dart_borrowed {
  dart_datatype_t handle; /* DART_TYPE_UNDEFINED: none, */
  struct tsr_dart_type *type; /* and NULL */
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

/* Bytes of an element when elements of the type lie end to end: of basic and of live custom types. Else 0. */
size_t tsr_dart_contiguous_bytes(dart_datatype_t type);

/* For messages. */
const char *tsr_dart_type_name(dart_datatype_t type);

/* What `nelem` elements of a type touch, from a pointer on. */
struct tsr_dart_shape {
  struct tsr_dart_type *type; /* held; NULL: basic */
  dart_datatype_t base;
  size_t elem_bytes;
  size_t bytes;               /* of all elements */
  size_t low_bytes, end_bytes; /* touched are [low_bytes, end_bytes) */
  size_t step_bytes;          /* to the place of the element that would follow: where another share begins */
  bool contiguous;
  tsr_iov iov;              /* from low_bytes on */
};

/* Any type. Errors, logged: no live type; nelem is not a whole number of blocks or instances; more bytes than memory
 * can have. After DART_OK the shape is released. */
dart_ret_t tsr_dart_shape_make(const char *call, dart_datatype_t type, size_t nelem, struct tsr_dart_shape *shape);
void tsr_dart_shape_release(struct tsr_dart_shape *shape);

/* Whether the layout engine can do it; stores the layout then, and returns the distance of its base from low_bytes. */
static inline bool tsr_dart_shape_is_regular(const struct tsr_dart_shape *shape) {
  return shape->contiguous || shape->type->regular;
}
ptrdiff_t tsr_dart_shape_layout(const struct tsr_dart_shape *shape, tsr_layout *layout);

/* Copies shape->bytes between the user's buffer, the pointer of the call, and one block of private memory. */
void tsr_dart_pack(const struct tsr_dart_shape *shape, void *packed, const void *buffer);
void tsr_dart_unpack(const struct tsr_dart_shape *shape, void *buffer, const void *packed);

struct tsr_dart_op {
  const char *name;
  int8_t arith; /* tsr_arith; -1: none */
};
extern const struct tsr_dart_op tsr_dart_ops[14];

/* The core's operation. False: not predefined, or MINMAX, which the core does not know. */
static inline bool tsr_dart_arith(dart_operation_t op, tsr_arith *out) {
  if (op >= DART_OP_LAST || tsr_dart_ops[op].arith < 0) return false;
  *out = (tsr_arith)tsr_dart_ops[op].arith;
  return true;
}

/* Say what is wrong with a type where a basic (or, for what needs no arithmetic, a contiguous) one is wanted, or with
 * an operation where a predefined one on that basic type is. */
dart_ret_t tsr_dart_refuse_type(const char *call, dart_datatype_t type) __attribute__((cold));
dart_ret_t tsr_dart_refuse_op(const char *call, dart_operation_t op, dart_datatype_t type) __attribute__((cold));

#endif
