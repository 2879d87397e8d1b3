#include <pthread.h>
#include <stdlib.h>

#include "core/check.h"
#include "api/gasnet/atomic.h"
#include "api/gasnet/gasnet_api.h"

static const char *const op_names[] = {
    "AND", "OR", "XOR", "ADD", "SUB", "MULT", "MIN", "MAX", "INC", "DEC", "SET", "CAS", "FAND", "FOR",
    "FXOR", "FADD", "FSUB", "FMULT", "FMIN", "FMAX", "FINC", "FDEC", "SWAP", "FCAS", "GET", "USER", "USER_NC"};
static const char *const dt_names[] = {"I32", "U32", "I64", "U64", "FLT", "DBL", "USER"};
static const tsr_type types[] = {TSR_I32, TSR_U32, TSR_I64, TSR_U64, TSR_F32, TSR_F64};

enum { OPS_N = sizeof op_names / sizeof op_names[0], DTS_N = sizeof dt_names / sizeof dt_names[0] };
_Static_assert(GEX_OP_USER_NC == 1u << (OPS_N - 1) && GEX_OP_SWAP == 1u << 22, "names are in the order of the bits");
_Static_assert(GEX_DT_USER == 1u << (DTS_N - 1), "names are in the order of the bits");

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
  if (bit < 0 || bit >= (int)(sizeof types / sizeof types[0])) return false;
  *type = types[bit];
  return true;
}

static struct {
  pthread_mutex_t lock;
  tsr_gex_ad *first, **last; /* first: freed longest ago, reused next */
} unused = {PTHREAD_MUTEX_INITIALIZER, NULL, &unused.first};

static tsr_gex_ad *allocate_domain(void) {
  pthread_mutex_lock(&unused.lock);
  tsr_gex_ad *ad = unused.first;
  if (ad && !(unused.first = ad->next)) unused.last = &unused.first;
  pthread_mutex_unlock(&unused.lock);
  if (!ad) ad = malloc(sizeof *ad);
  if (!ad) tsr_gex_die("TSR-4058 gex_AD_Create: no private memory for a domain; free some");
  return ad;
}

static void give_back(tsr_gex_ad *ad) {
  ad->near = (struct gexi_ad){0};
  ad->next = NULL;
  pthread_mutex_lock(&unused.lock);
  *unused.last = ad;
  unused.last = &ad->next;
  pthread_mutex_unlock(&unused.lock);
}

tsr_gex_ad *tsr_gex_ad_of(const char *call, gex_AD_t ad) {
  tsr_gex_check_up(call);
  if (!GEXI_LIKELY(ad)) tsr_gex_die("TSR-4059 %s: the domain is GEX_AD_INVALID; create one with gex_AD_Create", call);
  if (!GEXI_LIKELY(ad->ops))
    tsr_gex_die("TSR-4060 %s: the domain at %p was destroyed, or never created; pass a live one", call, (void *)ad);
  return (tsr_gex_ad *)ad;
}

static void check_ops(gex_DT_t dt, gex_OP_t ops) {
  tsr_type type;
  if (!tsr_gex_type(dt, &type))
    tsr_gex_die("TSR-4061 gex_AD_Create: %#x is no type of atomics; pass one of GEX_DT_I32, U32, I64, U64, FLT and DBL",
                (unsigned)dt);
  if (!ops) tsr_gex_die("TSR-4062 gex_AD_Create: no operations; pass those that will be used on the domain, combined by |");
  gex_OP_t none = ops & ~(GEX_OP_USER - 1);
  if (none)
    tsr_gex_die("TSR-4063 gex_AD_Create: %#x contains what is no operation of atomics; pass GEX_OP_ constants but USER and "
                "USER_NC", (unsigned)ops);
  if (!(dt & INTEGERS) && (ops & BITS))
    tsr_gex_die("TSR-4064 gex_AD_Create: GEX_OP_%s is for integers only, not for GEX_DT_%s; remove it from ops",
                op_names[__builtin_ctz(ops & BITS)], tsr_gex_dt_name(dt));
}

/* With TESSERA_CHECK=1: whether all members of the team pass the same arguments. */
static void check_same(const char *call, tsr_team *team, const tsr_gex_ad *ad) {
  const size_t list[] = {(size_t)ad->near.dt, (size_t)ad->near.ops, (size_t)ad->flags};
  tsr_check_same(team, call, TSR_CHECK_NO_BYTES, -1, tsr_check_arguments(list, sizeof list / sizeof list[0]));
}

void gex_AD_Create(gex_AD_t *ad_p, gex_TM_t tm, gex_DT_t dt, gex_OP_t ops, gex_Flags_t flags) {
  tsr_gex_check_up(__func__);
  tsr_gex_check_context(__func__);
  tsr_team *team = tsr_gex_team(__func__, tm);
  if (!ad_p) tsr_gex_die("TSR-4065 gex_AD_Create: ad_p is NULL; pass where to store the domain");
  check_ops(dt, ops);
  check_same(__func__, team, &(tsr_gex_ad){.near = {tm, dt, ops}, .flags = flags});
  tsr_gex_ad *ad = allocate_domain();
  *ad = (tsr_gex_ad){.near = {tm, dt, ops}, .flags = flags};
  *ad_p = &ad->near;
}

void gex_AD_Destroy(gex_AD_t ad) {
  tsr_gex_ad *ours = tsr_gex_ad_of(__func__, ad);
  tsr_gex_check_context(__func__);
  check_same(__func__, tsr_gex_team(__func__, (gex_TM_t)ad->tm), ours);
  give_back(ours);
}

gex_Flags_t gex_AD_QueryFlags(gex_AD_t ad) { return tsr_gex_ad_of(__func__, ad)->flags; }
gex_TM_t gex_AD_QueryTM(gex_AD_t ad) { return (gex_TM_t)tsr_gex_ad_of(__func__, ad)->near.tm; }
gex_DT_t gex_AD_QueryDT(gex_AD_t ad) { return tsr_gex_ad_of(__func__, ad)->near.dt; }
gex_OP_t gex_AD_QueryOps(gex_AD_t ad) { return tsr_gex_ad_of(__func__, ad)->near.ops; }
void gex_AD_SetCData(gex_AD_t ad, const void *value) { tsr_gex_ad_of(__func__, ad)->cdata = value; }
void *gex_AD_QueryCData(gex_AD_t ad) { return (void *)tsr_gex_ad_of(__func__, ad)->cdata; }
