#include "api/gasnet/atomic.h"

#include <string.h>

#include "base/config.h"
#include "base/stats.h"
#include "core/place.h"
#include "core/progress.h"
#include "api/gasnet/gasnet_api.h"
#include "rma/atomic.h"
#include "rma/rma.h"

/* The core's equivalent of an operation, and the operand to use. */
struct rule {
  tsr_arith arith;
  enum { GIVEN, NEGATED, ONE, MINUS_ONE } operand;
};
static const struct rule rules[] = {
    [0] = {TSR_BAND, GIVEN},  [1] = {TSR_BOR, GIVEN},   [2] = {TSR_BXOR, GIVEN}, [3] = {TSR_SUM, GIVEN},
    [4] = {TSR_SUM, NEGATED}, [5] = {TSR_PROD, GIVEN},  [6] = {TSR_MIN, GIVEN},  [7] = {TSR_MAX, GIVEN},
    [8] = {TSR_SUM, ONE},     [9] = {TSR_SUM, MINUS_ONE}, [10] = {TSR_REPLACE, GIVEN}};
enum {
  FETCHING_BITS = 12, /* from the bit of an operation to that of its fetching variant */
  WIDEST_BYTES = 24   /* two operands and the old value */
};
_Static_assert(GEX_OP_TO_FETCHING(GEX_OP_ADD) == GEX_OP_ADD << FETCHING_BITS && GEX_OP_SET == 1u << 10,
               "rules[] is indexed by the bit of the operation");

static inline bool op_fetches(gex_OP_t op) { return op >= 1u << FETCHING_BITS; }

/* a - b equals a + -b, for floating point, too. */
static void make_operand(gex_DT_t dt, const struct rule *rule, const void *given, void *operand) {
  int64_t whole = 0;
  float f = 0;
  double d = 0;
  if (dt == GEX_DT_FLT) {
    if (rule->operand <= NEGATED) memcpy(&f, given, sizeof f);
    f = rule->operand == NEGATED ? -f : rule->operand == ONE ? 1 : rule->operand == MINUS_ONE ? -1 : f;
    memcpy(operand, &f, sizeof f);
  } else if (dt == GEX_DT_DBL) {
    if (rule->operand <= NEGATED) memcpy(&d, given, sizeof d);
    d = rule->operand == NEGATED ? -d : rule->operand == ONE ? 1 : rule->operand == MINUS_ONE ? -1 : d;
    memcpy(operand, &d, sizeof d);
  } else {
    size_t bytes = dt == GEX_DT_I64 || dt == GEX_DT_U64 ? 8 : 4;
    if (rule->operand <= NEGATED) memcpy(&whole, given, bytes); /* little-endian; sums wrap at any width */
    uint64_t value = (uint64_t)whole;
    value = rule->operand == NEGATED ? 0 - value : rule->operand == ONE ? 1 : rule->operand == MINUS_ONE ? UINT64_MAX : value;
    memcpy(operand, &value, bytes);
  }
}

/* The arguments of a call. */
struct call {
  const char *name;
  gex_AD_t ad;
  gex_DT_t dt;
  void *result;
  gex_Rank_t rank;
  void *address;
  gex_OP_t op;
  const void *operand1, *operand2;
  gex_Flags_t flags;
};

static void refuse_op(const struct call *c) {
  const char *name = tsr_gex_op_name(c->op);
  if (!name) tsr_gex_die("TSR-4049 %s: %#x is not one operation; pass a single GEX_OP_ constant", c->name, (unsigned)c->op);
  tsr_gex_die("TSR-4050 %s: GEX_OP_%s is not one of the operations that the domain was created for; add it to gex_AD_Create",
              c->name, name);
}

static void check_promise(const struct call *c, tsr_unit unit) {
  if ((c->flags & GEX_FLAG_AD_MY_RANK) && unit.id != tsr_place.self)
    tsr_gex_die("TSR-4051 %s: GEX_FLAG_AD_MY_RANK promises the own rank, but %u is another; omit the flag", c->name,
                (unsigned)c->rank);
  if ((c->flags & GEX_FLAG_AD_MY_NBRHD) && !tsr_place_is_local(unit))
    tsr_gex_die("TSR-4052 %s: GEX_FLAG_AD_MY_NBRHD promises a rank that shares memory, but %u does not; omit the flag", c->name,
                (unsigned)c->rank);
}

/* The address of the target. An error ends the job. */
static tsr_addr check_call(const struct call *c, size_t bytes) {
  const tsr_gex_ad *ad = tsr_gex_ad_of(c->name, c->ad);
  tsr_gex_check_context(c->name);
  if (!GEXI_LIKELY(ad->near.dt == c->dt))
    tsr_gex_die("TSR-4053 %s: the domain is for GEX_DT_%s; create one for this type", c->name, tsr_gex_dt_name(ad->near.dt));
  if (!GEXI_LIKELY((ad->near.ops & c->op) && !(c->op & (c->op - 1)))) refuse_op(c);
  if (!GEXI_LIKELY(!op_fetches(c->op) || c->result))
    tsr_gex_die("TSR-4054 %s: GEX_OP_%s gives the old value, but result_p is NULL; pass where to store it", c->name,
                tsr_gex_op_name(c->op));
  bool of_job = c->flags & GEX_FLAG_RANK_IS_JOBRANK;
  tsr_unit unit = tsr_gex_unit(c->name, of_job ? tsr_gex_tm0() : (gex_TM_t)ad->near.tm, c->rank);
  if (of_job && tsr_team_member(tsr_gex_team(c->name, (gex_TM_t)ad->near.tm), unit).id < 0)
    tsr_gex_die("TSR-4055 %s: job rank %u is not a member of the domain's team; pass a member", c->name, (unsigned)c->rank);
  void *address = tsr_gex_theirs(c->name, unit, c->address, bytes, c->flags);
  if (!GEXI_LIKELY(((uintptr_t)address & (bytes - 1)) == 0))
    tsr_gex_die("TSR-4056 %s: %p is not aligned to the %zu bytes of GEX_DT_%s; align it", c->name, address, bytes,
                tsr_gex_dt_name(c->dt));
  if (tsr_config.check) check_promise(c, unit);
  return tsr_gex_address(c->name, unit, address, bytes);
}

/* Operations that only move bits use the integer type of the same size. */
static tsr_type bits_of(tsr_type type) { return type == TSR_F32 ? TSR_U32 : type == TSR_F64 ? TSR_U64 : type; }

static tessera_status_t apply_operation(const struct call *c, tsr_addr target, tsr_type type, void *result, tsr_op *op) {
  const struct rule *rule = &rules[__builtin_ctz(c->op) % FETCHING_BITS];
  uint64_t operand;
  make_operand(c->dt, rule, c->operand1, &operand);
  if (rule->arith == TSR_REPLACE) return tsr_fetch(target, bits_of(type), TSR_REPLACE, &operand, result, op);
  return tsr_type_is_integer(type) ? tsr_fetch(target, type, rule->arith, &operand, result, op)
                                   : tsr_fetch_unlocked(target, type, rule->arith, &operand, result, op);
}

/* Consumes the operands. An operation on memory that this process has mapped is complete on return. */
static void start_atomic(const struct call *c, tsr_addr target, tsr_type type, tsr_op *op) {
  uint64_t begun_ns = tsr_stats_begin();
  bool swaps_if = c->op == GEX_OP_CAS || c->op == GEX_OP_FCAS;
  void *result = op_fetches(c->op) ? c->result : NULL;
  tessera_status_t status;
  if (swaps_if) status = tsr_swap_if(target, bits_of(type), c->operand1, c->operand2, result, op);
  else if (c->op == GEX_OP_GET) status = tsr_fetch(target, bits_of(type), TSR_NO_OP, NULL, result, op);
  else status = apply_operation(c, target, type, result, op);
  if (status) tsr_gex_die("TSR-4057 %s: the operation cannot be started; see the message above", c->name);
  if (c->flags & GEX_FLAG_IMMEDIATE) tsr_op_unreserve();
  size_t bytes = tsr_type_bytes(type);
  tsr_stats_end(swaps_if ? TSR_STAT_SWAP_IF : result ? TSR_STAT_FETCH : TSR_STAT_ACCUMULATE, begun_ns, bytes,
                tsr_place_is_local(target.unit) ? 0 : bytes);
}

static enum tsr_gex_category category_of(gex_OP_t op) {
  return op == GEX_OP_SET ? TSR_GEX_PUT : op == GEX_OP_GET ? TSR_GEX_GET : TSR_GEX_RMW;
}

/* False also for unregistered memory of another process of the node. */
static inline bool is_at_once(tsr_addr target) { return tsr_place_pointer(target) != NULL; }

static bool reserve_request(tsr_addr target) {
  struct tsr_op_need need = {0};
  if (is_at_once(target)) return true;
  tsr_op_need_request(&need, tsr_place_endpoint(target), 0, WIDEST_BYTES);
  return tsr_op_reserve(&need);
}

/* Where to store the old value; NULL: the operation does not fetch. */
static void *result_of(const char *name, gex_DT_t dt, void *given, gex_OP_t op, gex_Flags_t flags) {
  size_t bytes = dt & (GEX_DT_I64 | GEX_DT_U64 | GEX_DT_DBL) ? 8 : 4;
  return op_fetches(op) ? tsr_gex_ours(name, given, bytes, flags) : NULL;
}

/* Checks the call, stores target and type, and orders earlier accesses of the thread if the flags ask for it. False:
 * there is no room for a request, and the flags have GEX_FLAG_IMMEDIATE. */
static bool prepare_atomic(const struct call *c, tsr_type *type, tsr_addr *target) {
  tsr_gex_type(c->dt, type);
  *target = check_call(c, tsr_type_bytes(*type));
  if (c->flags & (GEX_FLAG_AD_REL | GEX_FLAG_AD_ACQ)) atomic_thread_fence(memory_order_seq_cst);
  tsr_progress_throttled();
  return !(c->flags & GEX_FLAG_IMMEDIATE) || reserve_request(*target);
}

static const char *const names_nb[] = {"gex_AD_OpNB_I32", "gex_AD_OpNB_U32", "gex_AD_OpNB_I64",
                                       "gex_AD_OpNB_U64", "gex_AD_OpNB_FLT", "gex_AD_OpNB_DBL"};
static const char *const names_nbi[] = {"gex_AD_OpNBI_I32", "gex_AD_OpNBI_U32", "gex_AD_OpNBI_I64",
                                        "gex_AD_OpNBI_U64", "gex_AD_OpNBI_FLT", "gex_AD_OpNBI_DBL"};

gex_Event_t gexi_ad_nb(gex_AD_t ad, gex_DT_t dt, void *result, gex_Rank_t rank, void *address, gex_OP_t op, const void *operand1,
                       const void *operand2, gex_Flags_t flags) {
  const char *name = names_nb[__builtin_ctz(dt)];
  struct call c = {name, ad, dt, result_of(name, dt, result, op, flags), rank, address, op, operand1, operand2, flags};
  tsr_type type;
  tsr_addr target;
  if (!prepare_atomic(&c, &type, &target)) return GEX_EVENT_NO_OP;
  if (is_at_once(target)) {
    start_atomic(&c, target, type, NULL);
    return GEX_EVENT_INVALID;
  }
  tsr_op *pending;
  gex_Event_t event = tsr_gex_event(&pending, category_of(op));
  start_atomic(&c, target, type, pending);
  return tsr_gex_event_from(event, target.unit);
}

int gexi_ad_nbi(gex_AD_t ad, gex_DT_t dt, void *result, gex_Rank_t rank, void *address, gex_OP_t op, const void *operand1,
                const void *operand2, gex_Flags_t flags) {
  const char *name = names_nbi[__builtin_ctz(dt)];
  struct call c = {name, ad, dt, result_of(name, dt, result, op, flags), rank, address, op, operand1, operand2, flags};
  tsr_type type;
  tsr_addr target;
  if (!prepare_atomic(&c, &type, &target)) return 1;
  start_atomic(&c, target, type, is_at_once(target) ? NULL : tsr_gex_nbi(category_of(op)));
  return 0;
}
