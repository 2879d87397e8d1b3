/* The collectives of GASNet-1. Both forms complete when the caller's buffers may be used: MYSYNC. A barrier before or
 * after provides ALLSYNC. */
#include "api/gasnet/legacy_coll.h"

#include <string.h>

#include "coll/nb.h"
#include "api/gasnet/coll.h"

gasnet_team_handle_t gexi_team_all(void) {
  tsr_gex_check_up("GASNET_TEAM_ALL");
  return tsr_gex_tm0();
}

/* ---- Common parts ---- */

static bool is_one_of(int flags, int mask) {
  int set = flags & mask;
  return set && !(set & (set - 1));
}

static void check_flags(const char *call, int flags) {
  if (!is_one_of(flags, GASNET_COLL_IN_NOSYNC | GASNET_COLL_IN_MYSYNC | GASNET_COLL_IN_ALLSYNC))
    tsr_gex_die("TSR-4120 %s: flags %#x; pass one of GASNET_COLL_IN_NOSYNC, GASNET_COLL_IN_MYSYNC and GASNET_COLL_IN_ALLSYNC",
                call, (unsigned)flags);
  if (!is_one_of(flags, GASNET_COLL_OUT_NOSYNC | GASNET_COLL_OUT_MYSYNC | GASNET_COLL_OUT_ALLSYNC))
    tsr_gex_die("TSR-4121 %s: flags %#x; pass one of GASNET_COLL_OUT_NOSYNC, GASNET_COLL_OUT_MYSYNC and "
                "GASNET_COLL_OUT_ALLSYNC",
                call, (unsigned)flags);
  if (!is_one_of(flags, GASNET_COLL_SINGLE | GASNET_COLL_LOCAL))
    tsr_gex_die("TSR-4122 %s: flags %#x; pass one of GASNET_COLL_LOCAL and GASNET_COLL_SINGLE", call, (unsigned)flags);
}

static struct tsr_gex_legacy_coll begin_collective(const char *call, gasnet_team_handle_t team, int flags) {
  struct tsr_gex_legacy_coll c = {.call = call, .begun_ns = tsr_stats_begin(), .team = tsr_gex_coll_team(call, team)};
  check_flags(call, flags);
  c.all_in = flags & GASNET_COLL_IN_ALLSYNC;
  c.all_out = flags & GASNET_COLL_OUT_ALLSYNC;
  return c;
}

static struct tsr_gex_legacy_coll begin_rooted(const char *call, gasnet_team_handle_t team, gasnet_image_t root,
                                               int flags) {
  struct tsr_gex_legacy_coll c = begin_collective(call, team, flags);
  tsr_gex_coll_check_root(call, c.team, root);
  c.root = TSR_MEMBER((int32_t)root);
  c.is_root = c.team->self == c.root.id;
  return c;
}

static void check_status(const struct tsr_gex_legacy_coll *c, tessera_status_t status) {
  if (status) tsr_gex_die("TSR-4123 %s: %s", c->call, tessera_status_text(status));
}

void tsr_gex_legacy_enter(const struct tsr_gex_legacy_coll *c) {
  tsr_gex_poll(); /* the call may not wait, and a program may repeat collectives until a handler has run */
  if (c->all_in) check_status(c, tsr_barrier(c->team));
}

void tsr_gex_legacy_leave(const struct tsr_gex_legacy_coll *c, tessera_status_t status, enum tsr_stat stat,
                          size_t bytes) {
  check_status(c, status);
  if (c->all_out) check_status(c, tsr_barrier(c->team));
  tsr_stats_end(stat, c->begun_ns, bytes, 0);
}

gex_Event_t tsr_gex_legacy_start(const struct tsr_gex_legacy_coll *c, tsr_schedule *schedule, enum tsr_stat stat,
                                 size_t bytes) {
  tsr_nb_add_barriers(schedule, c->team, c->all_in, c->all_out);
  gex_Event_t event = tsr_gex_coll_start(schedule);
  tsr_stats_end(stat, c->begun_ns, bytes, 0);
  return event;
}

/* ---- Broadcast (always from the root's src), scatter and gather ---- */

static struct tsr_gex_legacy_coll begin_from_root(const char *call, gasnet_team_handle_t team, void *dst,
                                                  gasnet_image_t root, const void *src, size_t nbytes, int flags) {
  struct tsr_gex_legacy_coll c = begin_rooted(call, team, root, flags);
  tsr_gex_coll_check_buffer(call, "dst", dst, nbytes);
  if (c.is_root) tsr_gex_coll_check_buffer(call, "src", src, nbytes);
  return c;
}

void gasnet_coll_broadcast(gasnet_team_handle_t team, void *dst, gasnet_image_t srcimage, const void *src,
                           size_t nbytes, int flags) {
  struct tsr_gex_legacy_coll c = begin_from_root(__func__, team, dst, srcimage, src, nbytes, flags);
  tsr_gex_legacy_enter(&c);
  tessera_status_t status = tsr_bcast(c.team, c.is_root ? (void *)src : dst, nbytes, c.root);
  if (c.is_root && dst != src && nbytes) memcpy(dst, src, nbytes);
  tsr_gex_legacy_leave(&c, status, TSR_STAT_BCAST, nbytes);
}

gasnet_coll_handle_t gasnet_coll_broadcast_nb(gasnet_team_handle_t team, void *dst, gasnet_image_t srcimage,
                                              const void *src, size_t nbytes, int flags) {
  struct tsr_gex_legacy_coll c = begin_from_root(__func__, team, dst, srcimage, src, nbytes, flags);
  tsr_schedule *schedule = tsr_nb_bcast(c.team, c.is_root ? (void *)src : dst, nbytes, c.root);
  if (c.is_root) tsr_schedule_copy(schedule, dst, src, nbytes);
  return tsr_gex_legacy_start(&c, schedule, TSR_STAT_BCAST, nbytes);
}

void gasnet_coll_scatter(gasnet_team_handle_t team, void *dst, gasnet_image_t srcimage, const void *src, size_t nbytes,
                         int flags) {
  struct tsr_gex_legacy_coll c = begin_from_root(__func__, team, dst, srcimage, src, nbytes, flags);
  tsr_gex_legacy_enter(&c);
  tsr_gex_legacy_leave(&c, tsr_scatter(c.team, src, dst, nbytes, c.root), TSR_STAT_SCATTER, nbytes);
}

gasnet_coll_handle_t gasnet_coll_scatter_nb(gasnet_team_handle_t team, void *dst, gasnet_image_t srcimage,
                                            const void *src, size_t nbytes, int flags) {
  struct tsr_gex_legacy_coll c = begin_from_root(__func__, team, dst, srcimage, src, nbytes, flags);
  return tsr_gex_legacy_start(&c, tsr_nb_scatter(c.team, src, dst, nbytes, c.root), TSR_STAT_SCATTER, nbytes);
}

struct tsr_gex_legacy_coll tsr_gex_legacy_begin_to_root(const char *call, gasnet_team_handle_t team,
                                                        gasnet_image_t root, void *dst, const void *src, size_t nbytes,
                                                        int flags) {
  struct tsr_gex_legacy_coll c = begin_rooted(call, team, root, flags);
  tsr_gex_coll_check_buffer(call, "src", src, nbytes);
  if (c.is_root) tsr_gex_coll_check_buffer(call, "dst", dst, nbytes);
  return c;
}

void gasnet_coll_gather(gasnet_team_handle_t team, gasnet_image_t dstimage, void *dst, const void *src, size_t nbytes,
                        int flags) {
  struct tsr_gex_legacy_coll c = tsr_gex_legacy_begin_to_root(__func__, team, dstimage, dst, src, nbytes, flags);
  tsr_gex_legacy_enter(&c);
  tsr_gex_legacy_leave(&c, tsr_gather(c.team, src, dst, nbytes, c.root), TSR_STAT_GATHER, nbytes);
}

gasnet_coll_handle_t gasnet_coll_gather_nb(gasnet_team_handle_t team, gasnet_image_t dstimage, void *dst,
                                           const void *src, size_t nbytes, int flags) {
  struct tsr_gex_legacy_coll c = tsr_gex_legacy_begin_to_root(__func__, team, dstimage, dst, src, nbytes, flags);
  return tsr_gex_legacy_start(&c, tsr_nb_gather(c.team, src, dst, nbytes, c.root), TSR_STAT_GATHER, nbytes);
}

/* ---- From all members to all members ---- */

static struct tsr_gex_legacy_coll begin_all(const char *call, gasnet_team_handle_t team, void *dst, const void *src,
                                            size_t nbytes, int flags) {
  struct tsr_gex_legacy_coll c = begin_collective(call, team, flags);
  tsr_gex_coll_check_buffer(call, "dst", dst, nbytes);
  tsr_gex_coll_check_buffer(call, "src", src, nbytes);
  return c;
}

#define ALL_TO_ALL(name, collective, STAT)                                                                            \
  void gasnet_coll_##name(gasnet_team_handle_t team, void *dst, const void *src, size_t nbytes, int flags) {          \
    struct tsr_gex_legacy_coll c = begin_all(__func__, team, dst, src, nbytes, flags);                                \
    tsr_gex_legacy_enter(&c);                                                                                         \
    tsr_gex_legacy_leave(&c, tsr_##collective(c.team, src, dst, nbytes), TSR_STAT_##STAT, nbytes);                    \
  }                                                                                                                   \
  gasnet_coll_handle_t gasnet_coll_##name##_nb(gasnet_team_handle_t team, void *dst, const void *src, size_t nbytes,  \
                                               int flags) {                                                           \
    struct tsr_gex_legacy_coll c = begin_all(__func__, team, dst, src, nbytes, flags);                                \
    return tsr_gex_legacy_start(&c, tsr_nb_##collective(c.team, src, dst, nbytes), TSR_STAT_##STAT, nbytes);          \
  }

ALL_TO_ALL(gather_all, allgather, ALLGATHER)
ALL_TO_ALL(exchange, alltoall, ALLTOALL)

/* ---- Barriers ---- */

static void check_team_all(const char *call, gasnet_team_handle_t team) {
  tsr_gex_check_up(call);
  if (team != tsr_gex_tm0())
    tsr_gex_die("TSR-4124 %s: the team is not GASNET_TEAM_ALL; pass that, or call gex_Coll_BarrierNB for other teams", call);
}

void gasnet_coll_barrier_notify(gasnet_team_handle_t team, int id, int flags) {
  check_team_all(__func__, team);
  gasnet_barrier_notify(id, flags);
}

int gasnet_coll_barrier_try(gasnet_team_handle_t team, int id, int flags) {
  check_team_all(__func__, team);
  return gasnet_barrier_try(id, flags);
}

int gasnet_coll_barrier_wait(gasnet_team_handle_t team, int id, int flags) {
  check_team_all(__func__, team);
  return gasnet_barrier_wait(id, flags);
}

int gasnet_coll_barrier(gasnet_team_handle_t team, int id, int flags) {
  check_team_all(__func__, team);
  return gasnet_barrier(id, flags);
}

int gasnet_coll_barrier_result(gasnet_team_handle_t team, int *id) {
  check_team_all(__func__, team);
  return gasnet_barrier_result(id);
}
