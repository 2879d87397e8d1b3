/* The collectives of GASNet-1. Blocking and non-blocking calls complete when the caller may use its buffers, as MYSYNC
 * requires. A barrier before or after provides ALLSYNC. */
#include <gex/legacy_coll.h>
#include <string.h>

#include "base/bits.h"
#include "base/copy.h"
#include "coll/nb.h"
#include "core/place.h"
#include "core/stats.h"
#include "api/gasnet/coll.h"

gasnet_team_handle_t gexi_team_all(void) {
  tsr_gex_check_up("GASNET_TEAM_ALL");
  return tsr_gex_tm0();
}

/* ---- Common parts: a call begins, and then blocks (enter, run, leave) or starts ---- */

/* A checked call. */
struct legacy {
  const char *call;
  tsr_team *team;
  tsr_member root; /* root and is_root: of calls with a root */
  bool is_root;
  bool all_in, all_out; /* ALLSYNC */
  uint64_t begun_ns;
};

static bool is_one_of(int flags, int mask) {
  int set = flags & mask;
  return set && !(set & (set - 1));
}

/* The members that pass both buffers: all (ALL_TO_ALL), or only the root. The other members pass dst only (FROM_ROOT)
 * or src only (TO_ROOT). */
enum way { FROM_ROOT, TO_ROOT, ALL_TO_ALL };

static struct legacy begin_call(const char *call, gasnet_team_handle_t team, enum way way, gasnet_image_t root, const void *dst,
                                const void *src, size_t nbytes, int flags) {
  struct legacy c = {.call = call, .begun_ns = tsr_stats_begin(), .team = tsr_gex_coll_team(call, team)};
  if (!is_one_of(flags, GASNET_COLL_IN_NOSYNC | GASNET_COLL_IN_MYSYNC | GASNET_COLL_IN_ALLSYNC))
    tsr_gex_die("TSR-4120 %s: flags %#x; pass one of GASNET_COLL_IN_NOSYNC, GASNET_COLL_IN_MYSYNC and GASNET_COLL_IN_ALLSYNC",
                call, (unsigned)flags);
  if (!is_one_of(flags, GASNET_COLL_OUT_NOSYNC | GASNET_COLL_OUT_MYSYNC | GASNET_COLL_OUT_ALLSYNC))
    tsr_gex_die("TSR-4121 %s: flags %#x; pass one of GASNET_COLL_OUT_NOSYNC, GASNET_COLL_OUT_MYSYNC and "
                "GASNET_COLL_OUT_ALLSYNC", call, (unsigned)flags);
  if (!is_one_of(flags, GASNET_COLL_SINGLE | GASNET_COLL_LOCAL))
    tsr_gex_die("TSR-4122 %s: flags %#x; pass one of GASNET_COLL_LOCAL and GASNET_COLL_SINGLE", call, (unsigned)flags);
  c.all_in = flags & GASNET_COLL_IN_ALLSYNC;
  c.all_out = flags & GASNET_COLL_OUT_ALLSYNC;
  c.root = TSR_MEMBER((int32_t)root);
  c.is_root = way != ALL_TO_ALL && tsr_gex_coll_is_root(call, c.team, root);
  if (way != TO_ROOT || c.is_root) tsr_gex_coll_check_buffer(call, "dst", dst, nbytes);
  if (way != FROM_ROOT || c.is_root) tsr_gex_coll_check_buffer(call, "src", src, nbytes);
  return c;
}

static void check_status(const struct legacy *c, tessera_status_t status) {
  if (status) tsr_gex_die("TSR-4123 %s: %s; see the lines above", c->call, tessera_status_text(status));
}

static void enter_blocking(const struct legacy *c) {
  tsr_gex_poll(); /* the call may not wait, and a program may repeat collectives until a handler has run */
  if (c->all_in) check_status(c, tsr_barrier(c->team));
}

static void leave_blocking(const struct legacy *c, tessera_status_t status, enum tsr_stat stat, size_t bytes) {
  check_status(c, status);
  if (c->all_out) check_status(c, tsr_barrier(c->team));
  tsr_stats_end(stat, c->begun_ns, bytes);
}

static gex_Event_t start_call(const struct legacy *c, tsr_schedule *schedule, enum tsr_stat stat, size_t bytes) {
  tsr_nb_add_barriers(schedule, c->team, c->all_in, c->all_out);
  gex_Event_t event = tsr_gex_coll_start(schedule);
  tsr_stats_end(stat, c->begun_ns, bytes);
  return event;
}

/* ---- Broadcast (always from the root's src), scatter and gather ---- */

void gasnet_coll_broadcast(gasnet_team_handle_t team, void *dst, gasnet_image_t srcimage, const void *src, size_t nbytes,
                           int flags) {
  struct legacy c = begin_call(__func__, team, FROM_ROOT, srcimage, dst, src, nbytes, flags);
  enter_blocking(&c);
  tessera_status_t status = tsr_bcast(c.team, c.is_root ? (void *)src : dst, nbytes, c.root);
  if (c.is_root && dst != src && nbytes) tsr_copy(dst, src, nbytes);
  leave_blocking(&c, status, TSR_STAT_BCAST, nbytes);
}

gasnet_coll_handle_t gasnet_coll_broadcast_nb(gasnet_team_handle_t team, void *dst, gasnet_image_t srcimage,
                                              const void *src, size_t nbytes, int flags) {
  struct legacy c = begin_call(__func__, team, FROM_ROOT, srcimage, dst, src, nbytes, flags);
  tsr_schedule *schedule = tsr_nb_bcast(c.team, c.is_root ? (void *)src : dst, nbytes, c.root);
  if (c.is_root) tsr_schedule_copy(schedule, dst, src, nbytes);
  return start_call(&c, schedule, TSR_STAT_BCAST, nbytes);
}

void gasnet_coll_scatter(gasnet_team_handle_t team, void *dst, gasnet_image_t srcimage, const void *src, size_t nbytes,
                         int flags) {
  struct legacy c = begin_call(__func__, team, FROM_ROOT, srcimage, dst, src, nbytes, flags);
  enter_blocking(&c);
  leave_blocking(&c, tsr_scatter(c.team, src, dst, nbytes, c.root), TSR_STAT_SCATTER, nbytes);
}

gasnet_coll_handle_t gasnet_coll_scatter_nb(gasnet_team_handle_t team, void *dst, gasnet_image_t srcimage,
                                            const void *src, size_t nbytes, int flags) {
  struct legacy c = begin_call(__func__, team, FROM_ROOT, srcimage, dst, src, nbytes, flags);
  return start_call(&c, tsr_nb_scatter(c.team, src, dst, nbytes, c.root), TSR_STAT_SCATTER, nbytes);
}

void gasnet_coll_gather(gasnet_team_handle_t team, gasnet_image_t dstimage, void *dst, const void *src, size_t nbytes,
                        int flags) {
  struct legacy c = begin_call(__func__, team, TO_ROOT, dstimage, dst, src, nbytes, flags);
  enter_blocking(&c);
  leave_blocking(&c, tsr_gather(c.team, src, dst, nbytes, c.root), TSR_STAT_GATHER, nbytes);
}

gasnet_coll_handle_t gasnet_coll_gather_nb(gasnet_team_handle_t team, gasnet_image_t dstimage, void *dst,
                                           const void *src, size_t nbytes, int flags) {
  struct legacy c = begin_call(__func__, team, TO_ROOT, dstimage, dst, src, nbytes, flags);
  return start_call(&c, tsr_nb_gather(c.team, src, dst, nbytes, c.root), TSR_STAT_GATHER, nbytes);
}

/* ---- From all members to all members ---- */

void gasnet_coll_gather_all(gasnet_team_handle_t team, void *dst, const void *src, size_t nbytes, int flags) {
  struct legacy c = begin_call(__func__, team, ALL_TO_ALL, 0, dst, src, nbytes, flags);
  enter_blocking(&c);
  leave_blocking(&c, tsr_allgather(c.team, src, dst, nbytes), TSR_STAT_ALLGATHER, nbytes);
}

gasnet_coll_handle_t gasnet_coll_gather_all_nb(gasnet_team_handle_t team, void *dst, const void *src, size_t nbytes,
                                               int flags) {
  struct legacy c = begin_call(__func__, team, ALL_TO_ALL, 0, dst, src, nbytes, flags);
  return start_call(&c, tsr_nb_allgather(c.team, src, dst, nbytes), TSR_STAT_ALLGATHER, nbytes);
}

void gasnet_coll_exchange(gasnet_team_handle_t team, void *dst, const void *src, size_t nbytes, int flags) {
  struct legacy c = begin_call(__func__, team, ALL_TO_ALL, 0, dst, src, nbytes, flags);
  enter_blocking(&c);
  leave_blocking(&c, tsr_alltoall(c.team, src, dst, nbytes), TSR_STAT_ALLTOALL, nbytes);
}

gasnet_coll_handle_t gasnet_coll_exchange_nb(gasnet_team_handle_t team, void *dst, const void *src, size_t nbytes, int flags) {
  struct legacy c = begin_call(__func__, team, ALL_TO_ALL, 0, dst, src, nbytes, flags);
  return start_call(&c, tsr_nb_alltoall(c.team, src, dst, nbytes), TSR_STAT_ALLTOALL, nbytes);
}

/* ---- Reductions, with functions that the program registers ---- */

static struct {
  bool made;
  gasnet_coll_fn_entry_t *entries;
  size_t entries_n;
} table;

void tsr_gex_legacy_reduce_stop(void) {
  free(table.entries);
  table.entries = NULL;
  table.entries_n = 0;
  table.made = false;
}

void gasnet_coll_init(const gasnet_image_t images[], gasnet_image_t my_image, gasnet_coll_fn_entry_t fn_tbl[],
                      size_t fn_count, int init_flags) {
  (void)my_image;
  tsr_gex_check_call(__func__);
  if (table.made) tsr_gex_die("TSR-4125 %s: called a second time; call it once", __func__);
  if (init_flags) tsr_gex_die("TSR-4126 %s: init_flags %#x; pass 0", __func__, (unsigned)init_flags);
  for (int32_t unit = 0; images && unit < tsr_place.units_n; unit++) {
    if (images[unit] != 1)
      tsr_gex_die("TSR-4127 %s: %u images on node %d; a process is one image: pass 1 for each, or NULL", __func__,
                  (unsigned)images[unit], (int)unit);
  }
  if (fn_count && !fn_tbl) tsr_gex_die("TSR-4128 %s: fn_tbl is NULL; pass %zu functions", __func__, fn_count);
  for (size_t i = 0; i < fn_count; i++) {
    if (!fn_tbl[i].fnptr) tsr_gex_die("TSR-4129 %s: function %zu of the table is NULL; pass one", __func__, i);
  }
  table.entries = tsr_coll_memory(fn_count * sizeof *fn_tbl);
  if (fn_count) memcpy(table.entries, fn_tbl, fn_count * sizeof *fn_tbl);
  table.entries_n = fn_count;
  table.made = true;
  if (tsr_barrier(tsr_team_world)) tsr_gex_die("TSR-4130 %s: another process has failed; see its message", __func__);
}

/* Combines one element at a time, from a copy of the right operand, as a function may write the result early. */
static void apply_entry(void *inout, const void *in, size_t n, const tsr_reducer *reducer) {
  enum { SMALL_BYTES = 256 };
  _Alignas(max_align_t) char small[SMALL_BYTES];
  size_t bytes = reducer->elem_bytes;
  char *right = bytes <= SMALL_BYTES ? small : tsr_coll_memory(bytes);
  gasnet_coll_reduce_fn_t function = (gasnet_coll_reduce_fn_t)(void (*)(void))reducer->function;
  for (size_t i = 0; i < n; i++) {
    char *result = (char *)inout + i * bytes;
    memcpy(right, result, bytes);
    function(result, 1, (const char *)in + i * bytes, 1, right, bytes, reducer->commutes ? 0 : GASNET_COLL_NONCOMM,
             (int)(intptr_t)reducer->user);
  }
  if (right != small) free(right);
}

/* The arguments of a reduction. */
struct reduction {
  size_t blksz, offset, elem_size, elem_count;
  gasnet_coll_fn_handle_t func;
  int func_arg;
};

static tsr_reducer reducer_of(const char *call, const struct reduction *r) {
  size_t bytes;
  if (!table.made) tsr_gex_die("TSR-4131 %s: no functions are registered; call gasnet_coll_init before", call);
  if (r->func < 0 || (size_t)r->func >= table.entries_n)
    tsr_gex_die("TSR-4132 %s: there is no function %d; gasnet_coll_init registered %zu, and the first is 0", call, (int)r->func,
                table.entries_n);
  if (r->blksz || r->offset)
    tsr_gex_die("TSR-4133 %s: src_blksz %zu and src_offset %zu; arrays in blocks are not supported: pass 0 and 0", call,
                r->blksz, r->offset);
  if (!r->elem_size || !r->elem_count)
    tsr_gex_die("TSR-4134 %s: elem_size %zu and elem_count %zu; pass at least one element", call, r->elem_size, r->elem_count);
  if (!tsr_mul_size(r->elem_size, r->elem_count, &bytes))
    tsr_gex_die("TSR-4135 %s: %zu elements of %zu bytes are more than memory can have; correct elem_count", call, r->elem_count,
                r->elem_size);
  const gasnet_coll_fn_entry_t *entry = &table.entries[r->func];
  return (tsr_reducer){.elem_bytes = r->elem_size,
                       .apply = apply_entry,
                       .commutes = !(entry->flags & GASNET_COLL_NONCOMM),
                       .user = (void *)(intptr_t)r->func_arg,
                       .function = (void (*)(void *, const void *, size_t, void *))(void (*)(void))entry->fnptr};
}

void gasnet_coll_reduce(gasnet_team_handle_t team, gasnet_image_t dstimage, void *dst, const void *src,
                        size_t src_blksz, size_t src_offset, size_t elem_size, size_t elem_count,
                        gasnet_coll_fn_handle_t func, int func_arg, int flags) {
  tsr_reducer how = reducer_of(__func__, &(struct reduction){src_blksz, src_offset, elem_size, elem_count, func, func_arg});
  size_t bytes = elem_size * elem_count;
  struct legacy c = begin_call(__func__, team, TO_ROOT, dstimage, dst, src, bytes, flags);
  enter_blocking(&c);
  leave_blocking(&c, tsr_reduce(c.team, src, dst, elem_count, &how, c.root), TSR_STAT_REDUCE, bytes);
}

gasnet_coll_handle_t gasnet_coll_reduce_nb(gasnet_team_handle_t team, gasnet_image_t dstimage, void *dst,
                                           const void *src, size_t src_blksz, size_t src_offset, size_t elem_size,
                                           size_t elem_count, gasnet_coll_fn_handle_t func, int func_arg, int flags) {
  tsr_reducer how = reducer_of(__func__, &(struct reduction){src_blksz, src_offset, elem_size, elem_count, func, func_arg});
  size_t bytes = elem_size * elem_count;
  struct legacy c = begin_call(__func__, team, TO_ROOT, dstimage, dst, src, bytes, flags);
  return start_call(&c, tsr_nb_reduce(c.team, src, dst, elem_count, &how, c.root), TSR_STAT_REDUCE, bytes);
}
