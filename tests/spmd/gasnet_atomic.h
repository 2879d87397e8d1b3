/* Shared by the tests of GASNet's atomics: each operation in the type's own C arithmetic. */
#ifndef GASNET_ATOMIC_TEST_H
#define GASNET_ATOMIC_TEST_H

#include "gasnet_am.h"

#include <gasnet_ratomic.h>

static const gex_OP_t arithmetic[] = {GEX_OP_ADD,  GEX_OP_SUB,  GEX_OP_MULT,  GEX_OP_MIN,  GEX_OP_MAX,  GEX_OP_INC,
                                      GEX_OP_DEC,  GEX_OP_FADD, GEX_OP_FSUB,  GEX_OP_FMULT, GEX_OP_FMIN, GEX_OP_FMAX,
                                      GEX_OP_FINC, GEX_OP_FDEC, GEX_OP_SET,   GEX_OP_GET,  GEX_OP_SWAP, GEX_OP_CAS,
                                      GEX_OP_FCAS};
static const gex_OP_t bitwise[] = {GEX_OP_AND, GEX_OP_OR, GEX_OP_XOR, GEX_OP_FAND, GEX_OP_FOR, GEX_OP_FXOR};

static inline gex_OP_t all_ops(bool integers) {
  gex_OP_t ops = 0;
  for (size_t i = 0; i < LENGTH(arithmetic); i++) ops |= arithmetic[i];
  for (size_t i = 0; integers && i < LENGTH(bitwise); i++) ops |= bitwise[i];
  return ops;
}

static inline gex_OP_t plain(gex_OP_t op) {
  return op == GEX_OP_SWAP || op == GEX_OP_FCAS || (op >= GEX_OP_FAND && op != GEX_OP_GET) ? GEX_OP_TO_NONFETCHING(op) : op;
}
static inline bool fetches(gex_OP_t op) { return op != plain(op) || op == GEX_OP_GET; }

/* The new value. `wide` is unsigned and of the same width, so that it wraps. */
#define MEANING(name, type, wide, BITS)                                        \
  static inline type after_##name(gex_OP_t op, type old, type a, type b) {     \
    switch (plain(op)) {                                                       \
      case GEX_OP_ADD: return (type)((wide)old + (wide)a);                     \
      case GEX_OP_SUB: return (type)((wide)old - (wide)a);                     \
      case GEX_OP_MULT: return (type)((wide)old * (wide)a);                    \
      case GEX_OP_MIN: return old < a ? old : a;                               \
      case GEX_OP_MAX: return old > a ? old : a;                               \
      case GEX_OP_INC: return (type)((wide)old + 1);                           \
      case GEX_OP_DEC: return (type)((wide)old - 1);                           \
      case GEX_OP_SET: return a;                                               \
      case GEX_OP_CAS: return old == a ? b : old;                              \
      BITS(type) default: return old;                                          \
    }                                                                          \
  }
#define WITH_BITS(type)                      \
  case GEX_OP_AND: return (type)(old & a);   \
  case GEX_OP_OR: return (type)(old | a);    \
  case GEX_OP_XOR: return (type)(old ^ a);
#define WITHOUT_BITS(type)
MEANING(I32, int32_t, uint32_t, WITH_BITS)
MEANING(U32, uint32_t, uint32_t, WITH_BITS)
MEANING(I64, int64_t, uint64_t, WITH_BITS)
MEANING(U64, uint64_t, uint64_t, WITH_BITS)
MEANING(FLT, float, float, WITHOUT_BITS)
MEANING(DBL, double, double, WITHOUT_BITS)

#define FOR_INTEGERS(F) F(I32, int32_t) F(U32, uint32_t) F(I64, int64_t) F(U64, uint64_t)
#define FOR_FLOATS(F) F(FLT, float) F(DBL, double)
#define FOR_TYPES(F) FOR_INTEGERS(F) FOR_FLOATS(F)

#endif
