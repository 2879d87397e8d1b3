#include "api/gasnet/vis.h"
#include "vis/row.h"
#include "vis/strided.h"

/* The arguments of a call. */
struct strided {
  char *dst;
  const ptrdiff_t *dst_strides;
  char *src;
  const ptrdiff_t *src_strides;
  size_t elem_bytes;
  const size_t *count;
  size_t levels;
};

/* The fast path: one row within the node. False: nothing was done, take the general path. */
static inline __attribute__((always_inline)) bool copy_local(gex_TM_t tm, gex_Rank_t rank, const struct strided *s,
                                                             bool puts, gex_Flags_t flags) {
  struct tsr_row row;
  ptrdiff_t low, high;
  if (!tsr_gex_vis_is_plain(flags) || (s->levels && !(s->count && s->dst_strides && s->src_strides))) return false;
  if (!tsr_row_make(&row, s->elem_bytes, s->levels, s->count, s->dst_strides, s->src_strides)) return false;
  tsr_row_extent(&row, puts ? row.dest_stride : row.src_stride, &low, &high);
  const uintptr_t base = (uintptr_t)(puts ? s->dst : s->src) + (uintptr_t)low;
  char *remote_addr = gexi_near(tm, rank, (void *)base, (size_t)(high - low));
  if (!GEXI_LIKELY(remote_addr && (puts ? s->src : s->dst))) return false;
  remote_addr -= low;
  tsr_row_copy(puts ? remote_addr : s->dst, puts ? s->src : remote_addr, &row);
  tsr_gex_vis_done();
  return true;
}

struct move {
  bool puts;
  tsr_addr remote_addr;
  void *local_addr;
  tsr_layout theirs, ours;
};

static tessera_status_t move_strided(const void *arg, tsr_op *op, struct tsr_op_need *need) {
  const struct move *m = arg;
  if (need) {
    tsr_layout_need(need, m->puts, m->remote_addr, &m->theirs, &m->ours);
    return TESSERA_OK;
  }
  return m->puts ? tsr_put_layout(m->remote_addr, &m->theirs, m->local_addr, &m->ours, op)
                 : tsr_get_layout(m->local_addr, &m->ours, m->remote_addr, &m->theirs, op);
}

/* Skips levels of one piece: their strides have no meaning, and their number is not limited. */
static void describe_layout(const struct tsr_gex_vis *vis, const struct strided *s, const ptrdiff_t *strides,
                            tsr_layout *layout) {
  layout->elem_bytes = s->elem_bytes;
  layout->dims = 0;
  for (size_t i = 0; i < s->levels; i++) {
    if (s->count[i] == 1) continue;
    if (layout->dims == TSR_LAYOUT_DIMS)
      tsr_gex_die("TSR-4207 %s: more than %d levels of several pieces; split the transfer", vis->name, TSR_LAYOUT_DIMS);
    layout->count[layout->dims] = s->count[i];
    layout->stride[layout->dims++] = strides[i];
  }
}

static __attribute__((noinline)) gex_Event_t run_strided(struct tsr_gex_vis vis, const struct strided *s) {
  if (s->elem_bytes && s->levels && !(s->count && s->dst_strides && s->src_strides))
    tsr_gex_die("TSR-4206 %s: count, dststrides or srcstrides is NULL; pass %zu of each", vis.name, s->levels);
  bool empty = !s->elem_bytes;
  for (size_t i = 0; !empty && i < s->levels; i++) empty = s->count[i] == 0;
  if (empty) return tsr_gex_vis_nothing(&vis);
  tsr_gex_vis_check(&vis);
  struct move m; /* not initialised: clearing 1 KiB costs more than a small transfer */
  m.puts = vis.puts;
  m.local_addr = vis.puts ? s->src : s->dst;
  char *base = vis.puts ? s->dst : s->src;
  describe_layout(&vis, s, vis.puts ? s->dst_strides : s->src_strides, &m.theirs);
  describe_layout(&vis, s, vis.puts ? s->src_strides : s->dst_strides, &m.ours);
  size_t bytes = tsr_layout_bytes(&m.theirs);
  ptrdiff_t low, high, our_low, our_high;
  tsr_layout_extent(&m.theirs, &low, &high);
  tsr_layout_extent(&m.ours, &our_low, &our_high);
  bool beyond = bytes == SIZE_MAX || (low == PTRDIFF_MIN && high == PTRDIFF_MAX);
  if (beyond || (our_low == PTRDIFF_MIN && our_high == PTRDIFF_MAX))
    tsr_gex_die("TSR-4208 %s: counts and strides reach beyond all memory; correct them", vis.name);
  if (vis.flags & TSR_GEX_OFFSETS) {
    base = (char *)tsr_gex_theirs(vis.name, vis.unit, base + low, (size_t)high - (size_t)low, vis.flags) - low;
    char *ours = m.local_addr;
    m.local_addr = (char *)tsr_gex_ours(vis.name, ours + our_low, (size_t)our_high - (size_t)our_low, vis.flags) - our_low;
  }
  if (!m.local_addr) tsr_gex_die("TSR-4209 %s: the local address is NULL; pass the address of %zu bytes", vis.name, bytes);
  if (!tsr_gex_vis_address(&vis, base, low, high, &m.remote_addr))
    tsr_gex_address(vis.name, vis.unit, base + low, (size_t)high - (size_t)low); /* reports the error */
  return tsr_gex_vis_run(&vis, move_strided, &m, bytes);
}

#define PUT(way_, result, close, name)                                                                              \
  result gex_VIS_StridedPut##name(gex_TM_t tm, gex_Rank_t dstrank, void *dstaddr, const ptrdiff_t dststrides[],     \
                                  void *srcaddr, const ptrdiff_t srcstrides[], size_t elemsz, const size_t count[], \
                                  size_t stridelevels, gex_Flags_t flags) {                                         \
    const struct strided s = {dstaddr, dststrides, srcaddr, srcstrides, elemsz, count, stridelevels};               \
    if (GEXI_LIKELY(copy_local(tm, dstrank, &s, true, flags))) return 0;                                            \
    return close(run_strided((struct tsr_gex_vis){__func__, true, way_, tm, dstrank, flags, TSR_UNIT(-1)}, &s));    \
  }
#define GET(way_, result, close, name)                                                                              \
  result gex_VIS_StridedGet##name(gex_TM_t tm, void *dstaddr, const ptrdiff_t dststrides[], gex_Rank_t srcrank,     \
                                  void *srcaddr, const ptrdiff_t srcstrides[], size_t elemsz, const size_t count[], \
                                  size_t stridelevels, gex_Flags_t flags) {                                         \
    const struct strided s = {dstaddr, dststrides, srcaddr, srcstrides, elemsz, count, stridelevels};               \
    if (GEXI_LIKELY(copy_local(tm, srcrank, &s, false, flags))) return 0;                                           \
    return close(run_strided((struct tsr_gex_vis){__func__, false, way_, tm, srcrank, flags, TSR_UNIT(-1)}, &s));   \
  }
TSR_GEX_THREE_WAYS(PUT)
TSR_GEX_THREE_WAYS(GET)
