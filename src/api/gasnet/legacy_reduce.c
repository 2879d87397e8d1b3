/* The reductions of GASNet-1, with functions that the program registers. */
#include <string.h>

#include "base/bits.h"
#include "coll/nb.h"
#include "core/place.h"
#include "api/gasnet/gasnet_api.h"
#include "api/gasnet/legacy_coll.h"

/* ---- The table ---- */

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

static void check_init(const char *call, const gasnet_image_t images[], const gasnet_coll_fn_entry_t entries[],
                       size_t n, int flags) {
  tsr_gex_check_up(call);
  tsr_gex_check_context(call);
  if (table.made) tsr_gex_die("TSR-4125 %s: called a second time; call it once", call);
  if (flags) tsr_gex_die("TSR-4126 %s: init_flags %#x; pass 0", call, (unsigned)flags);
  for (int32_t unit = 0; images && unit < tsr_place.units_n; unit++) {
    if (images[unit] != 1)
      tsr_gex_die("TSR-4127 %s: %u images on node %d; a process is one image: pass 1 for each, or NULL", call,
                  (unsigned)images[unit], (int)unit);
  }
  if (n && !entries) tsr_gex_die("TSR-4128 %s: fn_tbl is NULL; pass %zu functions", call, n);
  for (size_t i = 0; i < n; i++) {
    if (!entries[i].fnptr) tsr_gex_die("TSR-4129 %s: function %zu of the table is NULL; pass one", call, i);
  }
}

void gasnet_coll_init(const gasnet_image_t images[], gasnet_image_t my_image, gasnet_coll_fn_entry_t fn_tbl[],
                      size_t fn_count, int init_flags) {
  (void)my_image;
  check_init(__func__, images, fn_tbl, fn_count, init_flags);
  table.entries = tsr_coll_memory(fn_count * sizeof *fn_tbl);
  if (fn_count) memcpy(table.entries, fn_tbl, fn_count * sizeof *fn_tbl);
  table.entries_n = fn_count;
  table.made = true;
  if (tsr_barrier(tsr_team_world)) tsr_gex_die("TSR-4130 %s: another process has failed; see its message", __func__);
}

static const gasnet_coll_fn_entry_t *entry_of(const char *call, gasnet_coll_fn_handle_t func) {
  if (!table.made) tsr_gex_die("TSR-4131 %s: no functions are registered; call gasnet_coll_init before", call);
  if (func < 0 || (size_t)func >= table.entries_n)
    tsr_gex_die("TSR-4132 %s: there is no function %d; gasnet_coll_init registered %zu, and the first is 0", call, (int)func,
                table.entries_n);
  return &table.entries[func];
}

/* ---- Reductions ---- */

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
  const gasnet_coll_fn_entry_t *entry = entry_of(call, r->func);
  size_t bytes;
  if (r->blksz || r->offset)
    tsr_gex_die("TSR-4133 %s: src_blksz %zu and src_offset %zu; arrays in blocks are not supported: pass 0 and 0", call,
                r->blksz, r->offset);
  if (!r->elem_size || !r->elem_count)
    tsr_gex_die("TSR-4134 %s: elem_size %zu and elem_count %zu; pass at least one element", call, r->elem_size, r->elem_count);
  if (!tsr_mul_size(r->elem_size, r->elem_count, &bytes))
    tsr_gex_die("TSR-4135 %s: %zu elements of %zu bytes are more than memory can have; correct elem_count", call, r->elem_count,
                r->elem_size);
  return (tsr_reducer){.elem_bytes = r->elem_size,
                       .apply = apply_entry,
                       .commutes = !(entry->flags & GASNET_COLL_NONCOMM),
                       .user = (void *)(intptr_t)r->func_arg,
                       .function = (void (*)(void *, const void *, size_t, void *))(void (*)(void))entry->fnptr};
}

void gasnet_coll_reduce(gasnet_team_handle_t team, gasnet_image_t dstimage, void *dst, const void *src,
                        size_t src_blksz, size_t src_offset, size_t elem_size, size_t elem_count,
                        gasnet_coll_fn_handle_t func, int func_arg, int flags) {
  tsr_reducer how =
      reducer_of(__func__, &(struct reduction){src_blksz, src_offset, elem_size, elem_count, func, func_arg});
  size_t bytes = elem_size * elem_count;
  struct tsr_gex_legacy_coll c = tsr_gex_legacy_begin_to_root(__func__, team, dstimage, dst, src, bytes, flags);
  tsr_gex_legacy_enter(&c);
  tsr_gex_legacy_leave(&c, tsr_reduce(c.team, src, dst, elem_count, &how, c.root), TSR_STAT_REDUCE, bytes);
}

gasnet_coll_handle_t gasnet_coll_reduce_nb(gasnet_team_handle_t team, gasnet_image_t dstimage, void *dst,
                                           const void *src, size_t src_blksz, size_t src_offset, size_t elem_size,
                                           size_t elem_count, gasnet_coll_fn_handle_t func, int func_arg, int flags) {
  tsr_reducer how =
      reducer_of(__func__, &(struct reduction){src_blksz, src_offset, elem_size, elem_count, func, func_arg});
  size_t bytes = elem_size * elem_count;
  struct tsr_gex_legacy_coll c = tsr_gex_legacy_begin_to_root(__func__, team, dstimage, dst, src, bytes, flags);
  return tsr_gex_legacy_start(&c, tsr_nb_reduce(c.team, src, dst, elem_count, &how, c.root), TSR_STAT_REDUCE, bytes);
}
