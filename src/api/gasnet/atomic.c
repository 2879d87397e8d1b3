/* Atomic domains, and operations on them. */
#include <pthread.h>
#include <string.h>

#include <gex/ratomic.h>

#include "core/check.h"
#include "core/conflict.h"
#include "core/place.h"
#include "core/progress.h"
#include "core/stats.h"
#include "api/gasnet/gasnet_api.h"
#include "rma/atomic.h"
#include "rma/rma.h"

/* ---- Types and operations ---- */

static const char *const op_names[] = {
    "AND", "OR", "XOR", "ADD", "SUB", "MULT", "MIN", "MAX", "INC", "DEC", "SET", "CAS", "FAND", "FOR",
    "FXOR", "FADD", "FSUB", "FMULT", "FMIN", "FMAX", "FINC", "FDEC", "SWAP", "FCAS", "GET", "USER", "USER_NC"};
static const char *const dt_names[] = {"I32", "U32", "I64", "U64", "FLT", "DBL", "USER"};
static const tsr_type types[] = {TSR_I32, TSR_U32, TSR_I64, TSR_U64, TSR_F32, TSR_F64};

/* The core's equivalent of an operation, and the operand to use. */
static const struct rule {
  tsr_arith arith;
  enum { GIVEN, NEGATED, ONE, MINUS_ONE } operand;
} rules[] = {
    [0] = {TSR_BAND, GIVEN},  [1] = {TSR_BOR, GIVEN},   [2] = {TSR_BXOR, GIVEN}, [3] = {TSR_SUM, GIVEN},
    [4] = {TSR_SUM, NEGATED}, [5] = {TSR_PROD, GIVEN},  [6] = {TSR_MIN, GIVEN},  [7] = {TSR_MAX, GIVEN},
    [8] = {TSR_SUM, ONE},     [9] = {TSR_SUM, MINUS_ONE}, [10] = {TSR_REPLACE, GIVEN}};
enum {
  OPS_N = sizeof op_names / sizeof op_names[0],
  DTS_N = sizeof dt_names / sizeof dt_names[0],
  TYPES_N = sizeof types / sizeof types[0],
  FETCHING_BITS = 12, /* from the bit of an operation to that of its fetching variant */
  WIDEST_BYTES = 24   /* two operands and the old value */
};
_Static_assert(GEX_OP_USER_NC == 1u << (OPS_N - 1) && GEX_OP_SWAP == 1u << 22 && GEX_DT_USER == 1u << (DTS_N - 1),
               "names are in the order of the bits");
_Static_assert(GEX_OP_TO_FETCHING(GEX_OP_ADD) == GEX_OP_ADD << FETCHING_BITS && GEX_OP_SET == 1u << 10,
               "rules[] is indexed by the bit of the operation");

#define BITS ((gex_OP_t)(GEX_OP_AND | GEX_OP_OR | GEX_OP_XOR | GEX_OP_FAND | GEX_OP_FOR | GEX_OP_FXOR))
#define INTEGERS ((gex_DT_t)(GEX_DT_I32 | GEX_DT_U32 | GEX_DT_I64 | GEX_DT_U64))

/* The position of the only bit set; -1: none or several. */
static int bit_of(uint32_t x) { return x && !(x & (x - 1)) ? __builtin_ctz(x) : -1; }

const char *tsr_gex_op_name(gex_OP_t op) {
  int bit = bit_of(op);
  return bit >= 0 && bit < OPS_N ? op_names[bit] : NULL;
}

const char *tsr_gex_dt_name(gex_DT_t dt) {
  int bit = bit_of(dt);
  return bit >= 0 && bit < DTS_N ? dt_names[bit] : NULL;
}

bool tsr_gex_type(gex_DT_t dt, tsr_type *type) {
  int bit = bit_of(dt);
  if (bit < 0 || bit >= TYPES_N) return false;
  *type = types[bit];
  return true;
}

bool tsr_gex_reduces(gex_OP_t op, tsr_arith *arith) {
  int bit = op < GEX_OP_SET ? bit_of(op) : -1;
  if (bit < 0 || rules[bit].operand != GIVEN) return false;
  *arith = rules[bit].arith;
  return true;
}

/* ---- Domains ---- */

/* Inline functions of the headers see the first member. Domains are reused but never freed, so that the use of a
 * destroyed one is recognised. */
struct domain {
  struct gexi_ad near;
  gex_Flags_t flags;
  const void *cdata;
  struct domain *next; /* list of free domains */
};

static struct {
  pthread_mutex_t lock;
  struct domain *first, **last; /* first: freed longest ago, reused next */
} unused = {PTHREAD_MUTEX_INITIALIZER, NULL, &unused.first};

/* An invalid or destroyed domain ends the job. */
static struct domain *domain_of(const char *call, gex_AD_t ad) {
  tsr_gex_check_up(call);
  if (!GEXI_LIKELY(ad)) tsr_gex_die("TSR-4059 %s: the domain is GEX_AD_INVALID; create one with gex_AD_Create", call);
  if (!GEXI_LIKELY(ad->ops))
    tsr_gex_die("TSR-4060 %s: the domain at %p was destroyed, or never created; pass a live one", call, (void *)ad);
  return (struct domain *)ad;
}

static void check_ops(gex_DT_t dt, gex_OP_t ops) {
  tsr_type type;
  if (!tsr_gex_type(dt, &type))
    tsr_gex_die("TSR-4061 gex_AD_Create: %#x is not a type of atomics; pass one of GEX_DT_I32, U32, I64, U64, FLT and DBL",
                (unsigned)dt);
  if (!ops) tsr_gex_die("TSR-4062 gex_AD_Create: no operations; pass those that will be used on the domain, combined by |");
  if (ops & ~(GEX_OP_USER - 1))
    tsr_gex_die("TSR-4063 gex_AD_Create: ops is %#x, which has a bit that is not an atomic operation; pass GEX_OP_ constants "
                "except USER and USER_NC", (unsigned)ops);
  if (!(dt & INTEGERS) && (ops & BITS))
    tsr_gex_die("TSR-4064 gex_AD_Create: GEX_OP_%s is for integers only, not for GEX_DT_%s; remove it from ops",
                op_names[__builtin_ctz(ops & BITS)], tsr_gex_dt_name(dt));
}

/* With TESSERA_CHECK=1: whether all members of the team pass the same arguments. */
static void check_same(const char *call, gex_DT_t dt, gex_OP_t ops, gex_Flags_t flags, tsr_team *team) {
  const size_t list[] = {(size_t)dt, (size_t)ops, (size_t)flags};
  while (!tsr_check_same(team, call, TSR_CHECK_NO_BYTES, -1, tsr_check_arguments(list, sizeof list / sizeof list[0])))
    continue; /* false: a member has failed an earlier call */
}

void gex_AD_Create(gex_AD_t *ad_p, gex_TM_t tm, gex_DT_t dt, gex_OP_t ops, gex_Flags_t flags) {
  tsr_gex_check_call(__func__);
  tsr_team *team = tsr_gex_team(__func__, tm);
  if (!ad_p) tsr_gex_die("TSR-4065 gex_AD_Create: ad_p is NULL; pass where to store the domain");
  check_ops(dt, ops);
  check_same(__func__, dt, ops, flags, team);
  pthread_mutex_lock(&unused.lock);
  struct domain *domain = unused.first;
  if (domain && !(unused.first = domain->next)) unused.last = &unused.first;
  pthread_mutex_unlock(&unused.lock);
  if (!domain) domain = malloc(sizeof *domain);
  if (!domain) tsr_gex_die("TSR-4058 gex_AD_Create: no private memory for a domain; free some");
  *domain = (struct domain){.near = {tm, dt, ops}, .flags = flags};
  *ad_p = &domain->near;
}

void gex_AD_Destroy(gex_AD_t ad) {
  struct domain *domain = domain_of(__func__, ad);
  tsr_gex_check_context(__func__);
  check_same(__func__, ad->dt, ad->ops, domain->flags, tsr_gex_team(__func__, (gex_TM_t)ad->tm));
  domain->near = (struct gexi_ad){0};
  domain->next = NULL;
  pthread_mutex_lock(&unused.lock);
  *unused.last = domain;
  unused.last = &domain->next;
  pthread_mutex_unlock(&unused.lock);
}

gex_Flags_t gex_AD_QueryFlags(gex_AD_t ad) { return domain_of(__func__, ad)->flags; }
gex_TM_t gex_AD_QueryTM(gex_AD_t ad) { return (gex_TM_t)domain_of(__func__, ad)->near.tm; }
gex_DT_t gex_AD_QueryDT(gex_AD_t ad) { return domain_of(__func__, ad)->near.dt; }
gex_OP_t gex_AD_QueryOps(gex_AD_t ad) { return domain_of(__func__, ad)->near.ops; }
void gex_AD_SetCData(gex_AD_t ad, const void *value) { domain_of(__func__, ad)->cdata = value; }
void *gex_AD_QueryCData(gex_AD_t ad) { return (void *)domain_of(__func__, ad)->cdata; }

/* ---- Operations ---- */

/* The arguments of a call. */
struct call {
  const char *name;
  gex_AD_t ad;
  gex_DT_t dt;
  void *result; /* where to store the old value; NULL: the operation does not fetch */
  gex_Rank_t rank;
  void *address;
  gex_OP_t op;
  const void *operand1, *operand2;
  gex_Flags_t flags;
};

static inline bool op_fetches(gex_OP_t op) { return op >= 1u << FETCHING_BITS; }

static void check_promise(const struct call *c, tsr_unit unit) {
  if ((c->flags & GEX_FLAG_AD_MY_RANK) && unit.id != tsr_place.self)
    tsr_gex_die("TSR-4051 %s: GEX_FLAG_AD_MY_RANK promises the own rank, but %u is another; omit the flag", c->name,
                (unsigned)c->rank);
  if ((c->flags & GEX_FLAG_AD_MY_NBRHD) && !tsr_place_is_local(unit))
    tsr_gex_die("TSR-4052 %s: GEX_FLAG_AD_MY_NBRHD promises a rank that shares memory, but %u does not; omit the flag", c->name,
                (unsigned)c->rank);
}

/* The address of the target. An error ends the job. */
static tsr_addr check_operation(const struct call *c, size_t bytes) {
  const struct domain *domain = domain_of(c->name, c->ad);
  gex_TM_t tm = (gex_TM_t)domain->near.tm;
  tsr_gex_check_context(c->name);
  if (!GEXI_LIKELY(domain->near.dt == c->dt))
    tsr_gex_die("TSR-4053 %s: the domain is for GEX_DT_%s; create one for this type", c->name,
                tsr_gex_dt_name(domain->near.dt));
  if (!GEXI_LIKELY((domain->near.ops & c->op) && !(c->op & (c->op - 1)))) {
    const char *name = tsr_gex_op_name(c->op);
    if (!name) tsr_gex_die("TSR-4049 %s: %#x is not one operation; pass a single GEX_OP_ constant", c->name, (unsigned)c->op);
    tsr_gex_die("TSR-4050 %s: GEX_OP_%s is not one of the operations that the domain was created for; add it to gex_AD_Create",
                c->name, name);
  }
  if (!GEXI_LIKELY(!op_fetches(c->op) || c->result))
    tsr_gex_die("TSR-4054 %s: GEX_OP_%s gives the old value, but result_p is NULL; pass where to store it", c->name,
                tsr_gex_op_name(c->op));
  bool of_job = c->flags & GEX_FLAG_RANK_IS_JOBRANK;
  tsr_unit unit = tsr_gex_unit(c->name, of_job ? tsr_gex_tm0() : tm, c->rank);
  if (of_job && tsr_team_member(tsr_gex_team(c->name, tm), unit).id < 0)
    tsr_gex_die("TSR-4055 %s: job rank %u is not a member of the domain's team; pass a member", c->name, (unsigned)c->rank);
  void *address = tsr_gex_theirs(c->name, unit, c->address, bytes, c->flags);
  if (!GEXI_LIKELY(((uintptr_t)address & (bytes - 1)) == 0))
    tsr_gex_die("TSR-4056 %s: %p is not aligned to the %zu bytes of GEX_DT_%s; align it", c->name, address, bytes,
                tsr_gex_dt_name(c->dt));
  if (tsr_config_check()) check_promise(c, unit);
  tsr_conflict_sync();
  return tsr_gex_address(c->name, unit, address, bytes);
}

/* a - b equals a + -b, for floating point, too. Whole numbers are little-endian, and their sums wrap at any width. */
static uint64_t make_operand(gex_DT_t dt, int which, const void *given, size_t bytes) {
  union {
    uint64_t whole;
    float f;
    double d;
  } x = {.whole = 1};
  if (which == GIVEN || which == NEGATED) memcpy(&x, given, bytes);
  else if (dt == GEX_DT_FLT) x.f = 1;
  else if (dt == GEX_DT_DBL) x.d = 1;
  if (which == GIVEN || which == ONE) return x.whole;
  if (dt == GEX_DT_FLT) x.f = -x.f;
  else if (dt == GEX_DT_DBL) x.d = -x.d;
  else x.whole = 0 - x.whole;
  return x.whole;
}

/* Whether this process has mapped the target, so that the operation completes at once. False also for memory outside
 * the heap of another process of the node. */
static inline bool is_at_once(tsr_addr target) { return tsr_place_pointer(target) != NULL; }

/* Checks the call, stores target and type, and orders earlier accesses of the thread if the flags ask for it. False:
 * there is no room for a request, and the flags have GEX_FLAG_IMMEDIATE. */
static bool prepare_atomic(struct call *c, tsr_type *type, tsr_addr *target) {
  tsr_gex_type(c->dt, type);
  size_t bytes = tsr_type_bytes(*type);
  c->result = op_fetches(c->op) ? tsr_gex_ours(c->name, c->result, bytes, c->flags) : NULL;
  *target = check_operation(c, bytes);
  if (c->flags & (GEX_FLAG_AD_REL | GEX_FLAG_AD_ACQ)) atomic_thread_fence(memory_order_seq_cst);
  tsr_progress_throttled();
  if (!(c->flags & GEX_FLAG_IMMEDIATE) || is_at_once(*target)) return true;
  struct tsr_op_need need = {0};
  tsr_op_need_request(&need, tsr_place_endpoint(*target), 0, WIDEST_BYTES);
  return tsr_op_reserve(&need);
}

/* Consumes the operands. An operation on memory that this process has mapped is complete on return. */
static void start_atomic(const struct call *c, tsr_addr target, tsr_type type, tsr_op *op) {
  uint64_t begun_ns = tsr_stats_begin();
  size_t bytes = tsr_type_bytes(type);
  /* Operations that only move bits use the integer type of the same size. */
  tsr_type bits = type == TSR_F32 ? TSR_U32 : type == TSR_F64 ? TSR_U64 : type;
  bool swaps_if = c->op == GEX_OP_CAS || c->op == GEX_OP_FCAS;
  tessera_status_t status;
  if (swaps_if) {
    status = tsr_swap_if(target, bits, c->operand1, c->operand2, c->result, op);
  } else if (c->op == GEX_OP_GET) {
    status = tsr_fetch(target, bits, TSR_NO_OP, NULL, c->result, op);
  } else {
    const struct rule *rule = &rules[__builtin_ctz(c->op) % FETCHING_BITS];
    uint64_t operand = make_operand(c->dt, rule->operand, c->operand1, bytes);
    if (rule->arith == TSR_REPLACE) status = tsr_fetch(target, bits, TSR_REPLACE, &operand, c->result, op);
    else if (bits == type) status = tsr_fetch(target, type, rule->arith, &operand, c->result, op);
    else status = tsr_fetch_unlocked(target, type, rule->arith, &operand, c->result, op);
  }
  if (status) tsr_gex_die("TSR-4057 %s: the operation cannot be started; see the message above", c->name);
  if (c->flags & GEX_FLAG_IMMEDIATE) tsr_op_unreserve();
  tsr_stats_end_at(swaps_if ? TSR_STAT_SWAP_IF : c->result ? TSR_STAT_FETCH : TSR_STAT_ACCUMULATE, begun_ns, bytes, target.unit);
}

static enum tsr_gex_category category_of(gex_OP_t op) {
  return op == GEX_OP_SET ? TSR_GEX_PUT : op == GEX_OP_GET ? TSR_GEX_GET : TSR_GEX_RMW;
}

gex_Event_t gexi_ad_nb(gex_AD_t ad, gex_DT_t dt, void *result, gex_Rank_t rank, void *address, gex_OP_t op,
                       const void *operand1, const void *operand2, gex_Flags_t flags) {
  static const char *const names[] = {"gex_AD_OpNB_I32", "gex_AD_OpNB_U32", "gex_AD_OpNB_I64",
                                      "gex_AD_OpNB_U64", "gex_AD_OpNB_FLT", "gex_AD_OpNB_DBL"};
  struct call c = {names[__builtin_ctz(dt)], ad, dt, result, rank, address, op, operand1, operand2, flags};
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
  static const char *const names[] = {"gex_AD_OpNBI_I32", "gex_AD_OpNBI_U32", "gex_AD_OpNBI_I64",
                                      "gex_AD_OpNBI_U64", "gex_AD_OpNBI_FLT", "gex_AD_OpNBI_DBL"};
  struct call c = {names[__builtin_ctz(dt)], ad, dt, result, rank, address, op, operand1, operand2, flags};
  tsr_type type;
  tsr_addr target;
  if (!prepare_atomic(&c, &type, &target)) return 1;
  start_atomic(&c, target, type, is_at_once(target) ? NULL : tsr_gex_nbi(category_of(op)));
  return 0;
}
