#include <stdlib.h>

#include "base/bits.h"
#include "core/place.h"
#include "api/gasnet/vis.h"
#include "vis/kernels.h"
#include "vis/listed.h"
#include "vis/vector.h"

/* One side of a call: a vector of pieces of any length, or a list of addresses of pieces of `each` bytes. */
struct side {
  const gex_Memvec_t *vector;
  void *const *list;
  size_t each, n;
};

static inline char *start_of(const struct side *side, size_t i) {
  return side->vector ? side->vector[i].gex_addr : side->list[i];
}
static inline size_t bytes_of(const struct side *side, size_t i) { return side->vector ? side->vector[i].gex_len : side->each; }

static inline tsr_places places_of(const struct side *side) {
  return side->vector ? (tsr_places){(const tsr_off *)side->vector, 2, 0} : (tsr_places){(const tsr_off *)side->list, 1, 0};
}

/* ---- Fast path: copies directly from the program's lists. False: take the general path, which repeats all of the call
 * ---- */

#define ALWAYS_INLINE static inline __attribute__((always_inline)) /* so that descriptions of blocks stay in registers */

/* A call whose peer shares memory. Adding the shift of a side to an address that the program passes gives the address in this
 * process. */
struct local {
  const struct gexi_peer *peer;
  const struct side *dst, *src, *theirs;
  bool puts;
  uintptr_t to_shift, from_shift;
};

/* True: the first pieces of both sides have the same length, and the numbers of pieces are equal; or one side is a single piece
 * with the bytes of all pieces of the other side, if these are as long as the first one. */
ALWAYS_INLINE bool match_blocks(const struct side *dst, const struct side *src, tsr_blocks *blocks) {
  const bool from_one = src->n == 1 && dst->n > 1, to_one = dst->n == 1 && src->n > 1;
  const struct side *many = to_one ? src : dst, *other = to_one ? dst : src;
  const size_t each = bytes_of(many, 0);
  size_t bytes = each;
  if (!each || (from_one || to_one ? !tsr_mul_size(many->n, each, &bytes) : many->n != other->n)) return false;
  blocks->to = to_one ? (tsr_places){NULL, (ptrdiff_t)each, 0} : places_of(dst);
  blocks->from = from_one ? (tsr_places){NULL, (ptrdiff_t)each, 0} : places_of(src);
  blocks->n = many->n;
  blocks->times = 1;
  blocks->bytes = each;
  return bytes_of(other, 0) == bytes;
}

/* The base of the side's offsets. Entries of a list are absolute addresses, so that their base is only the shift. */
static inline char *blocks_base(const tsr_places *places, const struct side *side, uintptr_t shift) {
  return (char *)(places->offs ? shift : (uintptr_t)start_of(side, 0) + shift);
}

/* Returns the number of pieces copied, up to the first invalid one. */
ALWAYS_INLINE size_t copy_blocks(const struct local *c, const tsr_blocks *blocks) {
  const size_t bytes = bytes_of(c->theirs, 0);
  if (bytes > c->peer->bytes) return 0;
  const tsr_bounds remote_addr = {c->peer->base, c->peer->bytes - bytes}, local_addr = {0, PTRDIFF_MAX};
  if (c->theirs->n == 1 && (uintptr_t)start_of(c->theirs, 0) - remote_addr.base > remote_addr.room) return 0;
  const tsr_bounds *ours = c->theirs->vector ? &local_addr : NULL;
  return tsr_listed_copy_inside(blocks, blocks_base(&blocks->to, c->dst, c->to_shift), c->puts ? &remote_addr : ours,
                                blocks_base(&blocks->from, c->src, c->from_shift), c->puts ? ours : &remote_addr);
}

/* Both sides have one piece. */
ALWAYS_INLINE bool copy_piece(const struct local *c) {
  const uintptr_t off = (uintptr_t)c->theirs->list[0] - c->peer->base;
  const size_t bytes = c->dst->each, room = c->peer->bytes;
  if (bytes != c->src->each || !bytes || bytes > room || off > room - bytes) return false;
  tsr_copy_run((char *)((uintptr_t)c->dst->list[0] + c->to_shift), (char *)((uintptr_t)c->src->list[0] + c->from_shift), bytes);
  return true;
}

/* So few pieces are checked faster by this loop than by vis/listed. A pointer outside the segment sets the highest
 * bit of `out`. */
enum { FEW_INDEXED = 48 };
ALWAYS_INLINE bool copy_few(const struct local *c, const tsr_blocks *blocks) {
  const struct side *theirs = c->theirs;
  const size_t room = c->peer->bytes - theirs->each;
  size_t out = 0;
  if (theirs->each > c->peer->bytes) return false;
  for (size_t i = 0; i < theirs->n; i++) {
    const size_t off = (uintptr_t)theirs->list[i] - c->peer->base;
    out |= off | (room - off);
  }
  if (out >> 63) return false;
  tsr_listed_copy(blocks, blocks_base(&blocks->to, c->dst, c->to_shift), blocks_base(&blocks->from, c->src, c->from_shift));
  return true;
}

ALWAYS_INLINE bool copy_indexed(const struct local *c) {
  tsr_blocks blocks;
  if (!c->dst->n || !c->src->n || !c->dst->list || !c->src->list) return false;
  if (c->dst->n + c->src->n == 2) return copy_piece(c);
  if (!match_blocks(c->dst, c->src, &blocks)) return false;
  return blocks.n <= FEW_INDEXED ? copy_few(c, &blocks) : copy_blocks(c, &blocks) == blocks.n;
}

/* The bytes of a list. SIZE_MAX: the sum overflows, or, with a peer, a piece with bytes is outside its segment. */
static inline size_t vector_bytes(const struct gexi_peer *peer, const struct side *side) {
  size_t total = 0;
  for (size_t i = 0; i < side->n; i++) {
    const size_t bytes = side->vector[i].gex_len;
    const uint64_t off = (uint64_t)(uintptr_t)side->vector[i].gex_addr - (peer ? peer->base : 0);
    const bool inside = !peer || (bytes <= peer->bytes && off <= peer->bytes - bytes) || !bytes;
    if (!inside || __builtin_add_overflow(total, bytes, &total)) return SIZE_MAX;
  }
  return total;
}

/* Copies between two lists whose pieces may differ. */
ALWAYS_INLINE bool walk_lists(const struct local *c, const struct side *to_side, const struct side *from_side) {
  const gex_Memvec_t *dst = to_side->vector, *src = from_side->vector;
  size_t total = vector_bytes(c->puts ? c->peer : NULL, to_side), to_left = 0, from_left = 0;
  uintptr_t to = 0, from = 0;
  if (!total || total == SIZE_MAX || vector_bytes(c->puts ? NULL : c->peer, from_side) != total) return false;
  for (size_t now; total > 0; total -= now, to += now, from += now, to_left -= now, from_left -= now) {
    for (; !to_left; dst++) to = (uintptr_t)dst->gex_addr + c->to_shift, to_left = dst->gex_len;
    for (; !from_left; src++) from = (uintptr_t)src->gex_addr + c->from_shift, from_left = src->gex_len;
    now = to_left < from_left ? to_left : from_left;
    tsr_copy_run((char *)to, (const char *)from, now);
  }
  return true;
}

/* The rest of a side after `done` blocks. `lone`: the side is a single piece, and its rest is stored in `part`. */
static inline struct side rest_of(const struct side *side, const tsr_blocks *blocks, size_t done, bool lone,
                                  gex_Memvec_t *part) {
  if (!lone) return (struct side){.vector = side->vector + done, .n = side->n - done};
  const size_t bytes = done * blocks->bytes;
  *part = (gex_Memvec_t){(char *)side->vector->gex_addr + bytes, side->vector->gex_len - bytes};
  return (struct side){.vector = part, .n = 1};
}

enum { FEW = 8 /* up to this number of pieces of both sides walk_lists() is as fast */ };
ALWAYS_INLINE bool copy_vectors(const struct local *c) {
  tsr_blocks blocks;
  gex_Memvec_t part;
  if (!c->dst->n || !c->src->n || !c->dst->vector || !c->src->vector) return false;
  if (c->dst->n + c->src->n <= FEW || !match_blocks(c->dst, c->src, &blocks)) return walk_lists(c, c->dst, c->src);
  const size_t done = copy_blocks(c, &blocks);
  if (done == blocks.n) return true;
  const struct side to = rest_of(c->dst, &blocks, done, !blocks.to.offs, &part);
  const struct side from = rest_of(c->src, &blocks, done, !blocks.from.offs, &part);
  return walk_lists(c, &to, &from);
}

ALWAYS_INLINE bool copy_local(gex_TM_t tm, gex_Rank_t rank, const struct side *dst, const struct side *src, bool puts,
                              bool vectors, gex_Flags_t flags) {
  const struct gexi_peer *peer = tm && rank < tm->size ? &tm->peers[rank] : NULL;
  if (!GEXI_LIKELY(tsr_gex_vis_is_plain(flags) && peer)) return false;
  const uintptr_t shift = (uintptr_t)peer->here - peer->base;
  const struct local c = {peer, dst, src, puts ? dst : src, puts, puts ? shift : 0, puts ? 0 : shift};
  if (!(vectors ? copy_vectors(&c) : copy_indexed(&c))) return false;
  tsr_gex_vis_done();
  return true;
}

/* ---- General path ---- */

/* The pieces of a side as offsets from `base`, the first piece with bytes. */
struct pieces {
  char *base;
  tsr_iov iov;
};

/* `words` is room for one word for each piece of a list, or two for each of a vector. The side has bytes. */
static struct pieces describe_side(const struct side *side, ptrdiff_t *words) {
  size_t *bytes = (size_t *)words + side->n, first = 0;
  while (!bytes_of(side, first)) first++;
  char *base = start_of(side, first);
  const size_t each = bytes_of(side, first);
  bool even = true;
  for (size_t i = 0; i < side->n; i++) words[i] = (ptrdiff_t)((uintptr_t)start_of(side, i) - (uintptr_t)base);
  for (size_t i = 0; side->vector && i < side->n; i++) {
    bytes[i] = side->vector[i].gex_len;
    even &= bytes[i] == each;
  }
  return (struct pieces){base, {.offs = words, .bytes = even ? NULL : bytes, .each = each, .n = side->n, .times = 1}};
}

struct move {
  bool puts;
  tsr_addr remote_addr;
  struct pieces dst, src;
};

/* With `need` only adds the resources that the transfer needs. */
static tessera_status_t move_pieces(const void *arg, tsr_op *op, struct tsr_op_need *need) {
  const struct move *m = arg;
  if (!need)
    return m->puts ? tsr_put_iov(m->remote_addr, &m->dst.iov, m->src.base, &m->src.iov, op)
                   : tsr_get_iov(m->dst.base, &m->dst.iov, m->remote_addr, &m->src.iov, op);
  if (m->puts) tsr_put_iov_need(need, m->remote_addr, &m->dst.iov, &m->src.iov);
  else tsr_get_iov_need(need, &m->dst.iov, m->remote_addr, &m->src.iov);
  return TESSERA_OK;
}

/* The address of the pieces' base at the peer. A piece outside the segment ends the job, with a message that names it. */
static tsr_addr address_of(const struct tsr_gex_vis *vis, const struct pieces *pieces) {
  ptrdiff_t low, high;
  tsr_addr address = {0};
  tsr_iov_extent(&pieces->iov, &low, &high);
  if (tsr_gex_vis_address(vis, pieces->base, low, high, &address)) return address;
  for (size_t i = 0; i < pieces->iov.n; i++) {
    size_t bytes = tsr_iov_bytes_of(&pieces->iov, i); /* a piece of no bytes may lie anywhere */
    if (bytes) tsr_gex_address(vis->name, vis->unit, (char *)((uintptr_t)pieces->base + (size_t)pieces->iov.offs[i]), bytes);
  }
  return address;
}

/* The bytes of a side. An overflow or a NULL list ends the job. */
static size_t total_of(const struct tsr_gex_vis *vis, const struct side *side, const char *which) {
  size_t total = 0;
  if (side->n && !side->vector && !side->list)
    tsr_gex_die("TSR-4202 %s: %slist is NULL; pass %zu entries", vis->name, which, side->n);
  bool fits = side->vector || tsr_mul_size(side->n, side->each, &total);
  for (size_t i = 0; side->vector && fits && i < side->n; i++)
    fits = !__builtin_add_overflow(total, side->vector[i].gex_len, &total);
  if (!fits) tsr_gex_die("TSR-4203 %s: %slist has more bytes than memory can have; correct its lengths", vis->name, which);
  return total;
}

static void *allocate_list(const struct tsr_gex_vis *vis, size_t n, size_t element_bytes) {
  size_t bytes;
  void *list = tsr_mul_size(n, element_bytes, &bytes) ? malloc(bytes) : NULL;
  if (!list) tsr_gex_die("TSR-4204 %s: no private memory for a list of %zu addresses; pass fewer", vis->name, n);
  return list;
}

/* Replaces offsets in a unit's segment by addresses, in a list that the caller frees. */
static void *find_offsets(const struct tsr_gex_vis *vis, tsr_unit unit, struct side *side) {
  void *list = allocate_list(vis, side->n, side->vector ? sizeof *side->vector : sizeof *side->list);
  for (size_t i = 0; i < side->n; i++) {
    void *address = tsr_gex_offset(vis->name, unit, start_of(side, i), bytes_of(side, i));
    if (side->vector) ((gex_Memvec_t *)list)[i] = (gex_Memvec_t){address, side->vector[i].gex_len};
    else ((void **)list)[i] = address;
  }
  if (side->vector) side->vector = list;
  else side->list = list;
  return list;
}

static __attribute__((noinline)) gex_Event_t run_lists(struct tsr_gex_vis vis, struct side dst, struct side src) {
  enum { FEW_WORDS = 256 };
  ptrdiff_t few[FEW_WORDS];
  struct side *theirs = vis.puts ? &dst : &src, *ours = vis.puts ? &src : &dst;
  void *their_list = NULL, *our_list = NULL;
  size_t bytes = total_of(&vis, &dst, "dst"), from = total_of(&vis, &src, "src");
  if (bytes != from)
    tsr_gex_die("TSR-4205 %s: dstlist has %zu bytes, srclist %zu; they must be equal", vis.name, bytes, from);
  if (!bytes) return tsr_gex_vis_nothing(&vis);
  tsr_gex_vis_check(&vis);
  if (vis.flags & GEX_FLAG_PEER_SEG_OFFSET) their_list = find_offsets(&vis, vis.unit, theirs);
  if (vis.flags & GEX_FLAG_SELF_SEG_OFFSET) our_list = find_offsets(&vis, TSR_UNIT(tsr_place.self), ours);
  size_t dst_words = dst.vector ? 2 * dst.n : dst.n, words_n = dst_words + (src.vector ? 2 * src.n : src.n);
  ptrdiff_t *words = words_n <= FEW_WORDS ? few : allocate_list(&vis, words_n, sizeof *words);
  struct move m = {.puts = vis.puts, .dst = describe_side(&dst, words), .src = describe_side(&src, words + dst_words)};
  m.remote_addr = address_of(&vis, vis.puts ? &m.dst : &m.src);
  gex_Event_t event = tsr_gex_vis_run(&vis, move_pieces, &m, bytes);
  if (words != few) free(words);
  free(their_list);
  free(our_list);
  return event;
}

#define FAST_OR_GENERAL(puts, vectors, way_, rank, close) \
  if (GEXI_LIKELY(copy_local(tm, rank, &dst, &src, puts, vectors, flags))) return 0; \
  return close(run_lists((struct tsr_gex_vis){__func__, puts, way_, tm, rank, flags, TSR_UNIT(-1)}, dst, src))
#define VECTOR_SIDES                                                      \
  const struct side dst = {.vector = dstlist, .n = dstcount},             \
                    src = {.vector = srclist, .n = srccount}
#define INDEXED_SIDES                                                                \
  const struct side dst = {.list = dstlist, .each = dstlen, .n = dstcount},          \
                    src = {.list = srclist, .each = srclen, .n = srccount}
#define VECTOR_PUT(way_, result, close, name)                                                                              \
  result gex_VIS_VectorPut##name(gex_TM_t tm, gex_Rank_t dstrank, size_t dstcount, const gex_Memvec_t dstlist[],          \
                                 size_t srccount, const gex_Memvec_t srclist[], gex_Flags_t flags) {                      \
    VECTOR_SIDES;                                                                                                          \
    FAST_OR_GENERAL(true, true, way_, dstrank, close);                                                                       \
  }
#define VECTOR_GET(way_, result, close, name)                                                                              \
  result gex_VIS_VectorGet##name(gex_TM_t tm, size_t dstcount, const gex_Memvec_t dstlist[], gex_Rank_t srcrank,          \
                                 size_t srccount, const gex_Memvec_t srclist[], gex_Flags_t flags) {                      \
    VECTOR_SIDES;                                                                                                          \
    FAST_OR_GENERAL(false, true, way_, srcrank, close);                                                                      \
  }
#define INDEXED_PUT(way_, result, close, name)                                                                             \
  result gex_VIS_IndexedPut##name(gex_TM_t tm, gex_Rank_t dstrank, size_t dstcount, void *const dstlist[],                \
                                  size_t dstlen, size_t srccount, void *const srclist[], size_t srclen,                   \
                                  gex_Flags_t flags) {                                                                    \
    INDEXED_SIDES;                                                                                                         \
    FAST_OR_GENERAL(true, false, way_, dstrank, close);                                                                      \
  }
#define INDEXED_GET(way_, result, close, name)                                                                             \
  result gex_VIS_IndexedGet##name(gex_TM_t tm, size_t dstcount, void *const dstlist[], size_t dstlen,                     \
                                  gex_Rank_t srcrank, size_t srccount, void *const srclist[], size_t srclen,              \
                                  gex_Flags_t flags) {                                                                    \
    INDEXED_SIDES;                                                                                                         \
    FAST_OR_GENERAL(false, false, way_, srcrank, close);                                                                     \
  }
TSR_GEX_THREE_WAYS(VECTOR_PUT)
TSR_GEX_THREE_WAYS(VECTOR_GET)
TSR_GEX_THREE_WAYS(INDEXED_PUT)
TSR_GEX_THREE_WAYS(INDEXED_GET)
