#include "coll/nb.h"

#include <gex/barrier.h>
#include <gex/coll.h>
#include <string.h>

#include "base/bits.h"
#include "base/copy.h"
#include "core/stats.h"
#include "api/gasnet/coll.h"

tsr_team *tsr_gex_coll_team(const char *call, gex_TM_t tm) {
  tsr_gex_check_call(call);
  return tsr_gex_team(call, tm);
}

gex_Event_t tsr_gex_coll_start(tsr_schedule *schedule) {
  tsr_op *op;
  gex_Event_t event = tsr_gex_event(&op, TSR_GEX_AM);
  tsr_schedule_start(schedule, op, NULL, NULL);
  return tsr_gex_event_started(event);
}

/* On several nodes, and to compare calls with TESSERA_CHECK=1, a barrier needs messages. */
gex_Event_t gex_Coll_BarrierNB(gex_TM_t tm, gex_Flags_t flags) {
  (void)flags;
  uint64_t begun_ns = tsr_stats_begin(), number;
  tsr_team *team = tsr_gex_coll_team(__func__, tm);
  gex_Event_t event = GEX_EVENT_INVALID;
  if (team->nodes_n > 1 || tsr_config_check()) {
    event = tsr_gex_coll_start(tsr_nb_barrier(team));
  } else if (!tsr_barrier_begin(team, &number)) {
    tsr_op *op;
    event = tsr_gex_event(&op, TSR_GEX_AM);
    tsr_barrier_follow(team, number, op);
  }
  if (!event) tsr_gex_poll(); /* no wait follows, and a program may repeat barriers until a handler has run */
  tsr_stats_end(TSR_STAT_BARRIER, begun_ns, 0);
  return event;
}

void gex_Coll_BarrierBlocking(gex_TM_t tm, gex_Flags_t flags) { gex_Event_Wait(gex_Coll_BarrierNB(tm, flags)); }

bool tsr_gex_coll_is_root(const char *call, const tsr_team *team, gex_Rank_t root) {
  if (root >= (gex_Rank_t)team->size)
    tsr_gex_die("TSR-4071 %s: root %u is none of the %d ranks of the team; pass one of them", call, (unsigned)root,
                (int)team->size);
  return (gex_Rank_t)team->self == root;
}

void tsr_gex_coll_check_buffer(const char *call, const char *which, const void *buffer, size_t bytes) {
  if (!buffer && bytes) tsr_gex_die("TSR-4072 %s: %s is NULL; pass a buffer of %zu bytes", call, which, bytes);
}

gex_Event_t gex_Coll_BroadcastNB(gex_TM_t tm, gex_Rank_t root, void *dst, const void *src, size_t nbytes, gex_Flags_t flags) {
  (void)flags;
  uint64_t begun_ns = tsr_stats_begin();
  tsr_team *team = tsr_gex_coll_team(__func__, tm);
  bool is_root = tsr_gex_coll_is_root(__func__, team, root);
  tsr_gex_coll_check_buffer(__func__, "dst", dst, nbytes);
  if (is_root) tsr_gex_coll_check_buffer(__func__, "src", src, nbytes);
  if (is_root && dst != src && nbytes) tsr_copy(dst, src, nbytes);
  gex_Event_t event = tsr_gex_coll_start(tsr_nb_bcast(team, dst, nbytes, TSR_MEMBER((int32_t)root)));
  tsr_stats_end(TSR_STAT_BCAST, begun_ns, nbytes);
  return event;
}

/* ---- Reductions ---- */

/* `function` holds the program's function, cast to another type; `user` holds its cdata. */
static void apply_user(void *inout, const void *in, size_t n, const tsr_reducer *reducer) {
  ((gex_Coll_ReduceFn_t)(void (*)(void))reducer->function)(in, inout, n, reducer->user);
}

/* The arguments of a reduction. */
struct reduction {
  gex_DT_t dt;
  size_t dt_sz, dt_cnt;
  gex_OP_t op;
  gex_Coll_ReduceFn_t user_op;
  void *user_cdata;
};

static tsr_reducer reducer_of(const char *call, const struct reduction *r) {
  tsr_type type;
  tsr_arith arith;
  bool is_ours = tsr_gex_type(r->dt, &type), user_op = r->op == GEX_OP_USER || r->op == GEX_OP_USER_NC;
  size_t bytes;
  if (!is_ours && r->dt != GEX_DT_USER) tsr_gex_die("TSR-4076 %s: %#x is not a type; pass one GEX_DT_ constant", call,
                                                    (unsigned)r->dt);
  if (is_ours && r->dt_sz != tsr_type_bytes(type))
    tsr_gex_die("TSR-4077 %s: dt_sz is %zu, but GEX_DT_%s has %zu bytes; pass its size", call, r->dt_sz, tsr_gex_dt_name(r->dt),
                tsr_type_bytes(type));
  if (!r->dt_sz || !r->dt_cnt) tsr_gex_die("TSR-4078 %s: dt_sz or dt_cnt is 0; pass at least one element", call);
  if (!tsr_mul_size(r->dt_sz, r->dt_cnt, &bytes))
    tsr_gex_die("TSR-4079 %s: %zu elements of %zu bytes are more than memory can have; correct dt_cnt", call, r->dt_cnt,
                r->dt_sz);
  if (!is_ours && !user_op)
    tsr_gex_die("TSR-4080 %s: GEX_DT_USER takes GEX_OP_USER or GEX_OP_USER_NC only; pass one of these, or another data type", call);
  if (user_op && !r->user_op)
    tsr_gex_die("TSR-4075 %s: user_op is NULL; pass the function that GEX_OP_%s stands for", call, tsr_gex_op_name(r->op));
  if (user_op)
    return (tsr_reducer){.elem_bytes = r->dt_sz,
                         .apply = apply_user,
                         .commutes = r->op == GEX_OP_USER,
                         .user = r->user_cdata,
                         .function = (void (*)(void *, const void *, size_t, void *))(void (*)(void))r->user_op};
  if (!tsr_gex_reduces(r->op, &arith))
    tsr_gex_die("TSR-4073 %s: GEX_OP_%s is not an operation of reductions; pass one of ADD, MULT, MIN, MAX, AND, OR, XOR, USER "
                "and USER_NC", call, tsr_gex_op_name(r->op) ? tsr_gex_op_name(r->op) : "?");
  if (!tsr_arith_defined(type, arith))
    tsr_gex_die("TSR-4074 %s: GEX_OP_%s is for integers only, not for GEX_DT_%s; use another operation or type", call,
                tsr_gex_op_name(r->op), tsr_gex_dt_name(r->dt));
  return tsr_reducer_make(type, arith);
}

/* `to_all`: the root is not used. */
static gex_Event_t start_reduction(const char *call, gex_TM_t tm, bool to_all, gex_Rank_t root, void *dst, const void *src,
                                   const struct reduction *r) {
  uint64_t begun_ns = tsr_stats_begin();
  tsr_team *team = tsr_gex_coll_team(call, tm);
  tsr_reducer how = reducer_of(call, r);
  size_t n = r->dt_cnt, bytes = r->dt_sz * n;
  bool receives = to_all || tsr_gex_coll_is_root(call, team, root);
  tsr_gex_coll_check_buffer(call, "src", src, bytes);
  if (receives) tsr_gex_coll_check_buffer(call, "dst", dst, bytes);
  gex_Event_t event = tsr_gex_coll_start(to_all ? tsr_nb_allreduce(team, src, dst, n, &how)
                                                : tsr_nb_reduce(team, src, dst, n, &how, TSR_MEMBER((int32_t)root)));
  tsr_stats_end(to_all ? TSR_STAT_ALLREDUCE : TSR_STAT_REDUCE, begun_ns, bytes);
  return event;
}

gex_Event_t gex_Coll_ReduceToOneNB(gex_TM_t tm, gex_Rank_t root, void *dst, const void *src, gex_DT_t dt, size_t dt_sz,
                                   size_t dt_cnt, gex_OP_t op, gex_Coll_ReduceFn_t user_op, void *user_cdata,
                                   gex_Flags_t flags) {
  (void)flags;
  struct reduction r = {dt, dt_sz, dt_cnt, op, user_op, user_cdata};
  return start_reduction(__func__, tm, false, root, dst, src, &r);
}

gex_Event_t gex_Coll_ReduceToAllNB(gex_TM_t tm, void *dst, const void *src, gex_DT_t dt, size_t dt_sz, size_t dt_cnt,
                                   gex_OP_t op, gex_Coll_ReduceFn_t user_op, void *user_cdata, gex_Flags_t flags) {
  (void)flags;
  struct reduction r = {dt, dt_sz, dt_cnt, op, user_op, user_cdata};
  return start_reduction(__func__, tm, true, 0, dst, src, &r);
}
