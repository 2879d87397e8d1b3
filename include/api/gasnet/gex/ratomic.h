/* GASNet-EX: remote atomics. A domain has one type, and the operations that will be used on it. On the caller's node
 * the functions here change the numbers inline: integers by one CPU atomic, or by a compare-and-swap loop if the CPU
 * has none. For other nodes the library does it in the same way.
 *
 * Integers follow the rule of all interfaces of the library: operations of several domains, of DART and of ARMCI on
 * one number may be mixed. Floating-point numbers are different: a domain uses a compare-and-swap loop, while
 * dart_accumulate, dart_fetch_and_op and ARMCI_Acc* take a lock. While a domain is used on a floating-point number,
 * only domains (one or several) and OpenSHMEM's atomics may change it; GASNet-EX promises no more. After a barrier any
 * interface may be used next. */
#ifndef TSR_GASNET_GEX_RATOMIC_H
#define TSR_GASNET_GEX_RATOMIC_H

#include <gex/client.h>
#include <gex/event.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The part of a domain that the inline functions use. A private part of the library follows. */
struct gexi_ad {
  const struct gexi_tm *tm;
  gex_DT_t dt;
  gex_OP_t ops; /* 0: destroyed */
};
typedef struct gexi_ad *gex_AD_t;
#define GEX_AD_INVALID ((gex_AD_t)(uintptr_t)0)

/* Makes a domain. Collective over the team; all members pass the same dt, ops and flags. Hints
 * (GEX_FLAG_AD_FAVOR_...) have no effect, because the same method is always the fastest. Ends the job if an operation
 * is not defined for the type. */
void gex_AD_Create(gex_AD_t *ad_p, gex_TM_t tm, gex_DT_t dt, gex_OP_t ops, gex_Flags_t flags);
/* Destroys a domain. Collective over its team, but no barrier: all operations on it must be complete, and all members
 * must know that. */
void gex_AD_Destroy(gex_AD_t ad);

/* Return what gex_AD_Create got. */
gex_Flags_t gex_AD_QueryFlags(gex_AD_t ad);
gex_TM_t gex_AD_QueryTM(gex_AD_t ad);
gex_DT_t gex_AD_QueryDT(gex_AD_t ad);
gex_OP_t gex_AD_QueryOps(gex_AD_t ad);
/* Store and return a pointer of the program, which is NULL at first. The library does not use it. */
void gex_AD_SetCData(gex_AD_t ad, const void *value);
void *gex_AD_QueryCData(gex_AD_t ad);

/* Operations that are not done inline. Operands and result are of type `dt`. */
gex_Event_t gexi_ad_nb(gex_AD_t ad, gex_DT_t dt, void *result, gex_Rank_t rank, void *address, gex_OP_t op, const void *operand1,
                       const void *operand2, gex_Flags_t flags);
int gexi_ad_nbi(gex_AD_t ad, gex_DT_t dt, void *result, gex_Rank_t rank, void *address, gex_OP_t op, const void *operand1,
                const void *operand2, gex_Flags_t flags);

/* Returns the element if the operation can be done inline: an operation of the domain, on an aligned number on this
 * node. */
static inline void *gexi_ad_near(gex_AD_t ad, gex_DT_t dt, gex_Rank_t rank, void *address, size_t bytes, gex_OP_t op,
                                 gex_Flags_t flags) {
  if (!GEXI_LIKELY(ad && ad->dt == dt && (ad->ops & op) && !(op & (op - 1)))) return 0;
  if (flags & (GEX_FLAG_PEER_SEG_OFFSET | GEX_FLAG_SELF_SEG_OFFSET)) return 0;
  if (!GEXI_LIKELY(!(flags & GEX_FLAG_RANK_IS_JOBRANK) && !((uintptr_t)address & (bytes - 1)))) return 0;
  return gexi_near(ad->tm, rank, address, bytes);
}

/* Memory order: a read-modify-write acquires and releases. A read releases, and a write acquires, only if the flags
 * request it. Return 1 if the operation is done, 0 if the library has to do it. */
#define GEXI_AD_FETCH_(primitive) \
  old = primitive;                \
  break
/* For operations without an instruction: `expression` is the new value. */
#define GEXI_AD_LOOP_(expression)                                                                           \
  old = __atomic_load_n(there, __ATOMIC_RELAXED);                                                           \
  do desired = (expression);                                                                                \
  while (!__atomic_compare_exchange_n(there, &old, desired, 1, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)); \
  break
/* Operations that only move bits; `word` is an integer of the same width. */
#define GEXI_AD_MOVES_(op, there, old, operand1, operand2, flags)                                      \
  case GEX_OP_SWAP: GEXI_AD_FETCH_(__atomic_exchange_n(there, operand1, __ATOMIC_ACQ_REL));            \
  case GEX_OP_CAS: case GEX_OP_FCAS:                                                                   \
    old = operand1;                                                                                    \
    __atomic_compare_exchange_n(there, &old, operand2, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);         \
    break;                                                                                             \
  case GEX_OP_SET:                                                                                     \
    if (flags & GEX_FLAG_AD_ACQ) (void)__atomic_exchange_n(there, operand1, __ATOMIC_ACQ_REL);         \
    else __atomic_store_n(there, operand1, __ATOMIC_RELEASE);                                          \
    return 1;                                                                                          \
  case GEX_OP_GET:                                                                                     \
    if (flags & GEX_FLAG_AD_REL) __atomic_thread_fence(__ATOMIC_SEQ_CST);                              \
    GEXI_AD_FETCH_(__atomic_load_n(there, __ATOMIC_ACQUIRE));                                          \
  default: return 0;
#define GEXI_AD_INLINE_ static inline __attribute__((always_inline)) int
#define GEXI_AD_NOINLINE_ static __attribute__((noinline, unused)) int

/* `wide` is an unsigned type of the same width, so that products wrap. */
#define GEXI_AD_INTEGER_(name, type, wide)                                                                                  \
  GEXI_AD_INLINE_ gexi_ad_apply_##name(type *there, gex_OP_t op, type operand1, type operand2, gex_Flags_t flags,          \
                                       type *result) {                                                                      \
    type old, desired;                                                                                                      \
    switch (op) {                                                                                                           \
    case GEX_OP_ADD: case GEX_OP_FADD: GEXI_AD_FETCH_(__atomic_fetch_add(there, operand1, __ATOMIC_ACQ_REL));               \
    case GEX_OP_SUB: case GEX_OP_FSUB: GEXI_AD_FETCH_(__atomic_fetch_sub(there, operand1, __ATOMIC_ACQ_REL));               \
    case GEX_OP_INC: case GEX_OP_FINC: GEXI_AD_FETCH_(__atomic_fetch_add(there, 1, __ATOMIC_ACQ_REL));                      \
    case GEX_OP_DEC: case GEX_OP_FDEC: GEXI_AD_FETCH_(__atomic_fetch_sub(there, 1, __ATOMIC_ACQ_REL));                      \
    case GEX_OP_AND: case GEX_OP_FAND: GEXI_AD_FETCH_(__atomic_fetch_and(there, operand1, __ATOMIC_ACQ_REL));               \
    case GEX_OP_OR: case GEX_OP_FOR: GEXI_AD_FETCH_(__atomic_fetch_or(there, operand1, __ATOMIC_ACQ_REL));                  \
    case GEX_OP_XOR: case GEX_OP_FXOR: GEXI_AD_FETCH_(__atomic_fetch_xor(there, operand1, __ATOMIC_ACQ_REL));               \
    case GEX_OP_MULT: case GEX_OP_FMULT: GEXI_AD_LOOP_((type)((wide)old * (wide)operand1));                                 \
    case GEX_OP_MIN: case GEX_OP_FMIN: GEXI_AD_LOOP_(old < operand1 ? old : operand1);                                      \
    case GEX_OP_MAX: case GEX_OP_FMAX: GEXI_AD_LOOP_(old > operand1 ? old : operand1);                                      \
    GEXI_AD_MOVES_(op, there, old, operand1, operand2, flags)                                                               \
    }                                                                                                                       \
    if (op >= GEX_OP_FAND) *result = old;                                                                                   \
    return 1;                                                                                                               \
  }                                                                                                                         \
  GEXI_AD_NOINLINE_ gexi_ad_any_##name(type *there, gex_OP_t op, type operand1, type operand2, gex_Flags_t flags,             \
                                    type *result) {                                                                         \
    return gexi_ad_apply_##name(there, op, operand1, operand2, flags, result);                                              \
  }
GEXI_AD_INTEGER_(I32, int32_t, uint32_t)
GEXI_AD_INTEGER_(U32, uint32_t, uint32_t)
GEXI_AD_INTEGER_(I64, int64_t, uint64_t)
GEXI_AD_INTEGER_(U64, uint64_t, uint64_t)
#undef GEXI_AD_INTEGER_

/* Floating point, on the integer with the same bits. The bits are compared, too, so the two zeros differ, and a NaN
 * equals itself. In a minimum or maximum a NaN wins, and of the two zeros the old one stays. */
#define GEXI_AD_FLOATING_(name, type, word)                                                                                 \
  static inline word gexi_ad_bits_##name(type number) {                                                                     \
    word bits;                                                                                                              \
    memcpy(&bits, &number, sizeof bits);                                                                                    \
    return bits;                                                                                                            \
  }                                                                                                                         \
  static inline type gexi_ad_number_##name(word bits) {                                                                     \
    type number;                                                                                                            \
    memcpy(&number, &bits, sizeof number);                                                                                  \
    return number;                                                                                                          \
  }                                                                                                                         \
  static inline type gexi_ad_least_##name(type a, type b) { return ((b < a) | (b != b)) ? b : a; }                           \
  static inline type gexi_ad_most_##name(type a, type b) { return ((b > a) | (b != b)) ? b : a; }                            \
  GEXI_AD_INLINE_ gexi_ad_apply_##name(void *at, gex_OP_t op, type a, type b, gex_Flags_t flags, type *result) {           \
    typedef word __attribute__((may_alias)) bits_t;                                                                         \
    bits_t *there = (bits_t *)at;                                                                                           \
    word old, desired, operand1 = gexi_ad_bits_##name(a), operand2 = gexi_ad_bits_##name(b);                                \
    switch (op) {                                                                                                           \
    case GEX_OP_ADD: case GEX_OP_FADD: GEXI_AD_LOOP_(gexi_ad_bits_##name(gexi_ad_number_##name(old) + a));                  \
    case GEX_OP_SUB: case GEX_OP_FSUB: GEXI_AD_LOOP_(gexi_ad_bits_##name(gexi_ad_number_##name(old) - a));                  \
    case GEX_OP_INC: case GEX_OP_FINC: GEXI_AD_LOOP_(gexi_ad_bits_##name(gexi_ad_number_##name(old) + 1));                  \
    case GEX_OP_DEC: case GEX_OP_FDEC: GEXI_AD_LOOP_(gexi_ad_bits_##name(gexi_ad_number_##name(old) - 1));                  \
    case GEX_OP_MULT: case GEX_OP_FMULT: GEXI_AD_LOOP_(gexi_ad_bits_##name(gexi_ad_number_##name(old) * a));                \
    case GEX_OP_MIN: case GEX_OP_FMIN:                                                                                      \
      GEXI_AD_LOOP_(gexi_ad_bits_##name(gexi_ad_least_##name(gexi_ad_number_##name(old), a)));                              \
    case GEX_OP_MAX: case GEX_OP_FMAX:                                                                                      \
      GEXI_AD_LOOP_(gexi_ad_bits_##name(gexi_ad_most_##name(gexi_ad_number_##name(old), a)));                               \
    GEXI_AD_MOVES_(op, there, old, operand1, operand2, flags)                                                               \
    }                                                                                                                       \
    if (op >= GEX_OP_FAND) *result = gexi_ad_number_##name(old);                                                            \
    return 1;                                                                                                               \
  }                                                                                                                         \
  GEXI_AD_NOINLINE_ gexi_ad_any_##name(void *at, gex_OP_t op, type a, type b, gex_Flags_t flags, type *result) {              \
    return gexi_ad_apply_##name(at, op, a, b, flags, result);                                                               \
  }
GEXI_AD_FLOATING_(FLT, float, uint32_t)
GEXI_AD_FLOATING_(DBL, double, uint64_t)
#undef GEXI_AD_FLOATING_
#undef GEXI_AD_INLINE_
#undef GEXI_AD_NOINLINE_
#undef GEXI_AD_MOVES_
#undef GEXI_AD_LOOP_
#undef GEXI_AD_FETCH_

/* If the operation is a constant, this compiles to one instruction or a loop; otherwise to a call within the program.
 */
#define GEXI_AD_DONE_(name, type)                                                                                           \
  static inline int gexi_ad_done_##name(gex_AD_t ad, type *result, gex_Rank_t rank, void *address, gex_OP_t op,             \
                                        type operand1, type operand2, gex_Flags_t flags) {                                  \
    type *there;                                                                                                            \
    if (op >= GEX_OP_FAND && !GEXI_LIKELY(result != 0)) return 0;                                                           \
    there = (type *)gexi_ad_near(ad, GEX_DT_##name, rank, address, sizeof(type), op, flags);                                \
    if (!GEXI_LIKELY(there != 0)) return 0;                                                                                 \
    if (__builtin_constant_p(op)) return gexi_ad_apply_##name(there, op, operand1, operand2, flags, result);                \
    return gexi_ad_any_##name(there, op, operand1, operand2, flags, result);                                                \
  }
GEXI_AD_DONE_(I32, int32_t)
GEXI_AD_DONE_(U32, uint32_t)
GEXI_AD_DONE_(I64, int64_t)
GEXI_AD_DONE_(U64, uint64_t)
GEXI_AD_DONE_(FLT, float)
GEXI_AD_DONE_(DBL, double)
#undef GEXI_AD_DONE_

/* Apply an operation to the number at tgt_addr, in the member's bound segment. Operations that fetch store the old value
 * in *result_p. NB returns an event; gex_NBI_Wait completes NBI (GEX_EC_PUT for a SET, GEX_EC_GET
 * for a GET, else GEX_EC_RMW). A return value other than 0, or GEX_EVENT_NO_OP, occurs with GEX_FLAG_IMMEDIATE only:
 * the call then had no effect. */
#define GEXI_AD_OP_(name, type)                                                                                             \
  static inline gex_Event_t gex_AD_OpNB_##name(gex_AD_t ad, type *result_p, gex_Rank_t tgt_rank, void *tgt_addr,            \
                                               gex_OP_t opcode, type operand1, type operand2, gex_Flags_t flags) {          \
    if (GEXI_LIKELY(gexi_ad_done_##name(ad, result_p, tgt_rank, tgt_addr, opcode, operand1, operand2, flags)))              \
      return GEX_EVENT_INVALID;                                                                                             \
    return gexi_ad_nb(ad, GEX_DT_##name, result_p, tgt_rank, tgt_addr, opcode, &operand1, &operand2, flags);                \
  }                                                                                                                         \
  static inline int gex_AD_OpNBI_##name(gex_AD_t ad, type *result_p, gex_Rank_t tgt_rank, void *tgt_addr, gex_OP_t opcode,  \
                                        type operand1, type operand2, gex_Flags_t flags) {                                  \
    if (GEXI_LIKELY(gexi_ad_done_##name(ad, result_p, tgt_rank, tgt_addr, opcode, operand1, operand2, flags))) return 0;    \
    return gexi_ad_nbi(ad, GEX_DT_##name, result_p, tgt_rank, tgt_addr, opcode, &operand1, &operand2, flags);               \
  }
GEXI_AD_OP_(I32, int32_t)
GEXI_AD_OP_(U32, uint32_t)
GEXI_AD_OP_(I64, int64_t)
GEXI_AD_OP_(U64, uint64_t)
GEXI_AD_OP_(FLT, float)
GEXI_AD_OP_(DBL, double)
#undef GEXI_AD_OP_

#ifdef __cplusplus
}
#endif
#endif
