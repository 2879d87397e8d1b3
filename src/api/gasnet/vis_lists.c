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

/* True: the pieces of both sides have one length, as far as the first ones tell, or one side is a single piece with the
 * bytes of all. */
static inline __attribute__((always_inline)) bool match_blocks(const struct side *dst, const struct side *src, tsr_blocks *blocks) {
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
static inline __attribute__((always_inline)) size_t copy_blocks(const struct gexi_peer *peer, const struct side *dst,
                                                                const struct side *src, const tsr_blocks *blocks, bool puts) {
  const struct side *theirs = puts ? dst : src;
  const size_t bytes = bytes_of(theirs, 0);
  const uintptr_t shift = (uintptr_t)peer->here - peer->base, to_shift = puts ? shift : 0, from_shift = puts ? 0 : shift;
  if (bytes > peer->bytes) return 0;
  const tsr_bounds remote_addr = {peer->base, peer->bytes - bytes}, local_addr = {0, PTRDIFF_MAX};
  if (theirs->n == 1 && (uintptr_t)start_of(theirs, 0) - remote_addr.base > remote_addr.room) return 0;
  const tsr_bounds *to = puts             ? &remote_addr
                         : theirs->vector ? &local_addr
                                          : NULL,
                   *from = puts ? theirs->vector ? &local_addr : NULL : &remote_addr;
  return tsr_listed_copy_inside(blocks, blocks_base(&blocks->to, dst, to_shift), to,
                                blocks_base(&blocks->from, src, from_shift), from);
}

/* Both sides have one piece. */
static inline __attribute__((always_inline)) bool copy_piece(const struct gexi_peer *peer, const struct side *dst,
                                                             const struct side *src, bool puts) {
  const uintptr_t shift = (uintptr_t)peer->here - peer->base, off = (uintptr_t)(puts ? dst : src)->list[0] - peer->base;
  const size_t bytes = dst->each;
  if (bytes != src->each || !bytes || bytes > peer->bytes || off > peer->bytes - bytes) return false;
  char *to = (char *)((uintptr_t)dst->list[0] + (puts ? shift : 0)), *from = (char *)((uintptr_t)src->list[0] + (puts ? 0 : shift));
  tsr_copy_run(to, from, bytes);
  return true;
}

/* So few pieces are checked faster by this loop than by vis/listed. A pointer outside the segment sets the highest
 * bit. */
enum { FEW_INDEXED = 48 };
static inline bool few_are_inside(void *const list[], size_t n, uintptr_t base, size_t room) {
  size_t out = 0;
  for (size_t i = 0; i < n; i++) {
    const size_t off = (uintptr_t)list[i] - base;
    out |= off | (room - off);
  }
  return out >> 63 == 0;
}

static inline __attribute__((always_inline)) bool copy_few(const struct gexi_peer *peer, const struct side *dst, const struct side *src,
                                                           const tsr_blocks *blocks, bool puts) {
  const struct side *theirs = puts ? dst : src;
  const uintptr_t shift = (uintptr_t)peer->here - peer->base;
  if (theirs->each > peer->bytes || !few_are_inside(theirs->list, theirs->n, peer->base, peer->bytes - theirs->each)) return false;
  tsr_listed_copy(blocks, blocks_base(&blocks->to, dst, puts ? shift : 0), blocks_base(&blocks->from, src, puts ? 0 : shift));
  return true;
}

static inline __attribute__((always_inline)) bool copy_indexed(const struct gexi_peer *peer, const struct side *dst,
                                                               const struct side *src, bool puts) {
  tsr_blocks blocks;
  if (!dst->n || !src->n || !dst->list || !src->list) return false;
  if (dst->n + src->n == 2) return copy_piece(peer, dst, src, puts);
  if (!match_blocks(dst, src, &blocks)) return false;
  if (blocks.n <= FEW_INDEXED) return copy_few(peer, dst, src, &blocks, puts);
  return copy_blocks(peer, dst, src, &blocks, puts) == blocks.n;
}

/* The bytes of a list. SIZE_MAX: the sum overflows, or, with a peer, a piece with bytes is outside its segment. */
static inline size_t vector_bytes(const struct gexi_peer *peer, const gex_Memvec_t vector[], size_t n) {
  size_t total = 0, bytes;
  for (size_t i = 0; i < n; i++) {
    bytes = vector[i].gex_len;
    const uint64_t off = (uint64_t)(uintptr_t)vector[i].gex_addr - (peer ? peer->base : 0);
    const bool inside = !peer || (bytes <= peer->bytes && off <= peer->bytes - bytes) || !bytes;
    if (!inside || __builtin_add_overflow(total, bytes, &total)) return SIZE_MAX;
  }
  return total;
}

/* Copies between two lists whose pieces differ. */
static inline __attribute__((always_inline)) void walk_vectors(const gex_Memvec_t dst[], const gex_Memvec_t src[], size_t total,
                                                               uintptr_t to_shift, uintptr_t from_shift) {
  size_t to_left = 0, from_left = 0;
  uintptr_t to = 0, from = 0;
  for (size_t now; total > 0; total -= now, to += now, from += now, to_left -= now, from_left -= now) {
    for (; !to_left; dst++) to = (uintptr_t)dst->gex_addr + to_shift, to_left = dst->gex_len;
    for (; !from_left; src++) from = (uintptr_t)src->gex_addr + from_shift, from_left = src->gex_len;
    now = to_left < from_left ? to_left : from_left;
    tsr_copy_run((char *)to, (const char *)from, now);
  }
}

/* The rest of a side after `done` blocks. Of a single piece it is stored in `part`. */
static inline struct side rest_of(const struct side *side, const tsr_blocks *blocks, size_t done, bool lone, gex_Memvec_t *part) {
  if (!lone) return (struct side){.vector = side->vector + done, .n = side->n - done};
  const size_t bytes = done * blocks->bytes;
  *part = (gex_Memvec_t){(char *)side->vector->gex_addr + bytes, side->vector->gex_len - bytes};
  return (struct side){.vector = part, .n = 1};
}

static inline __attribute__((always_inline)) bool walk_lists(const struct gexi_peer *peer, const struct side *dst,
                                                             const struct side *src, bool puts) {
  const uintptr_t shift = (uintptr_t)peer->here - peer->base;
  const size_t bytes = vector_bytes(puts ? peer : NULL, dst->vector, dst->n);
  if (!bytes || bytes == SIZE_MAX || vector_bytes(puts ? NULL : peer, src->vector, src->n) != bytes) return false;
  walk_vectors(dst->vector, src->vector, bytes, puts ? shift : 0, puts ? 0 : shift);
  return true;
}

enum { FEW = 8 /* up to this number of pieces of both sides walk_lists() is as fast */ };
static inline __attribute__((always_inline)) bool copy_vectors(const struct gexi_peer *peer, const struct side *dst,
                                                               const struct side *src, bool puts) {
  tsr_blocks blocks;
  gex_Memvec_t part;
  if (!dst->n || !src->n || !dst->vector || !src->vector) return false;
  if (dst->n + src->n <= FEW || !match_blocks(dst, src, &blocks)) return walk_lists(peer, dst, src, puts);
  const size_t done = copy_blocks(peer, dst, src, &blocks, puts);
  if (done == blocks.n) return true;
  const struct side to = rest_of(dst, &blocks, done, !blocks.to.offs, &part);
  const struct side from = rest_of(src, &blocks, done, !blocks.from.offs, &part);
  return walk_lists(peer, &to, &from, puts);
}

static inline __attribute__((always_inline)) bool copy_local(gex_TM_t tm, gex_Rank_t rank, const struct side *dst,
                                                            const struct side *src, bool puts, bool vectors,
                                                            gex_Flags_t flags) {
  const struct gexi_peer *peer = tm && rank < tm->size ? &tm->peers[rank] : NULL;
  if (!GEXI_LIKELY(tsr_gex_vis_is_plain(flags) && peer)) return false;
  if (!(vectors ? copy_vectors(peer, dst, src, puts) : copy_indexed(peer, dst, src, puts))) return false;
  tsr_gex_vis_done();
  return true;
}

/* ---- General path ---- */

/* Lists of any length are processed in parts, each of which is described on the stack. */
enum { PART_N = 512 };

/* A position in a side: piece `index`, of which `done` bytes are done. */
struct place {
  size_t index, done;
};

struct part {
  char *base; /* of the offsets: the address of the first piece that is not empty */
  size_t n, total;
  bool even;  /* all pieces have `each` bytes; else see `bytes` */
  size_t each;
  ptrdiff_t offs[PART_N];
  size_t bytes[PART_N];
};

static inline ptrdiff_t off_of(const struct part *part, const char *start) {
  return (ptrdiff_t)((uintptr_t)start - (uintptr_t)part->base);
}

/* The frequent case: whole pieces of one length. */
static void take_even(const struct side *side, struct place *place, size_t most, struct part *part) {
  size_t n = most / side->each, left = side->n - place->index;
  void *const *list = side->list + place->index;
  if (n > left) n = left;
  if (n > PART_N) n = PART_N;
  part->base = list[0];
  part->each = side->each;
  part->n = n;
  part->total = n * side->each;
  for (size_t i = 0; i < n; i++) part->offs[i] = off_of(part, list[i]);
  place->index += n;
}

static void append_piece(struct part *part, char *start, size_t bytes) {
  if (part->n == 0) {
    part->base = start;
    part->each = bytes;
  }
  if (part->even && bytes != part->each) {
    for (size_t i = 0; i < part->n; i++) part->bytes[i] = part->each;
    part->even = false;
  }
  if (!part->even) part->bytes[part->n] = bytes;
  part->offs[part->n++] = off_of(part, start);
  part->total += bytes;
}

/* Describes the pieces from `place` on, up to `most` bytes and PART_N pieces, and advances `place`. The first and the
 * last may be parts of pieces. */
static void take_part(const struct side *side, struct place *place, size_t most, struct part *part) {
  part->n = part->total = 0;
  part->even = true;
  if (!side->vector && side->each && !place->done && place->index < side->n) take_even(side, place, most, part);
  while (part->n < PART_N && place->index < side->n && part->total < most) {
    size_t left = bytes_of(side, place->index) - place->done, room = most - part->total;
    size_t now = left < room ? left : room;
    if (now) append_piece(part, start_of(side, place->index) + place->done, now);
    place->done += now;
    if (now < left) return;
    place->index++;
    place->done = 0;
  }
}

static tsr_iov iov_of(const struct part *part) {
  return (tsr_iov){part->offs, part->even ? NULL : part->bytes, part->each, part->n, 1, 0};
}

static void extent_of(const struct part *part, ptrdiff_t *low, ptrdiff_t *high) {
  ptrdiff_t least = 0, most = 0;
  for (size_t i = 0; i < part->n; i++) least = part->offs[i] < least ? part->offs[i] : least;
  for (size_t i = 0; part->even && i < part->n; i++) most = part->offs[i] > most ? part->offs[i] : most;
  if (part->even) most = (ptrdiff_t)((size_t)most + part->each);
  for (size_t i = 0; !part->even && i < part->n; i++) {
    ptrdiff_t end = (ptrdiff_t)((size_t)part->offs[i] + part->bytes[i]);
    most = end > most ? end : most;
  }
  *low = least;
  *high = most;
}

/* The address of the part's base at the peer. A piece outside the segment ends the job, with a message that names
 * it. */
static tsr_addr address_of(const struct tsr_gex_vis *vis, const struct part *part) {
  ptrdiff_t low, high;
  tsr_addr address = {0};
  extent_of(part, &low, &high);
  if (!tsr_gex_vis_address(vis, part->base, low, high, &address)) {
    for (size_t i = 0; i < part->n; i++)
      tsr_gex_address(vis->name, vis->unit, (char *)((uintptr_t)part->base + (size_t)part->offs[i]),
                      part->even ? part->each : part->bytes[i]);
  }
  return address;
}

struct lists {
  const struct tsr_gex_vis *vis;
  struct side dst, src;
};

/* With `need` only adds the resources that the part needs. */
static tessera_status_t move_part(const struct tsr_gex_vis *vis, const struct part *dst, const struct part *src, tsr_op *op,
                                  struct tsr_op_need *need) {
  tsr_iov to = iov_of(dst), from = iov_of(src);
  tsr_addr address = address_of(vis, vis->puts ? dst : src);
  if (!need)
    return vis->puts ? tsr_put_iov(address, &to, src->base, &from, op) : tsr_get_iov(dst->base, &to, address, &from, op);
  if (vis->puts) tsr_put_iov_need(need, address, &to, &from);
  else tsr_get_iov_need(need, &to, address, &from);
  return TESSERA_OK;
}

/* Both parts of a step have the same number of bytes. */
static tessera_status_t move_lists(const void *arg, tsr_op *op, struct tsr_op_need *need) {
  const struct lists *lists = arg;
  struct place to = {0}, from = {0};
  struct part dst, src;
  tessera_status_t status = TESSERA_OK;
  do {
    struct place before = to;
    take_part(&lists->dst, &to, SIZE_MAX, &dst);
    take_part(&lists->src, &from, dst.total, &src);
    if (src.total < dst.total) {
      to = before;
      take_part(&lists->dst, &to, src.total, &dst);
    }
    if (dst.total) status = move_part(lists->vis, &dst, &src, op, need);
  } while (dst.total && !status);
  return status;
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

/* Replaces offsets in a unit's segment by addresses, in a list that the caller frees. */
static void *find_offsets(const struct tsr_gex_vis *vis, tsr_unit unit, struct side *side) {
  void *list = malloc(side->n * (side->vector ? sizeof *side->vector : sizeof *side->list));
  if (!list) tsr_gex_die("TSR-4204 %s: no private memory for a list of %zu addresses; pass fewer", vis->name, side->n);
  gex_Memvec_t *vector = list;
  void **places = list;
  for (size_t i = 0; i < side->n; i++) {
    void *address = tsr_gex_offset(vis->name, unit, start_of(side, i), bytes_of(side, i));
    if (side->vector) vector[i] = (gex_Memvec_t){address, side->vector[i].gex_len};
    else places[i] = address;
  }
  if (side->vector) side->vector = list;
  else side->list = list;
  return list;
}

static gex_Event_t run_lists(struct tsr_gex_vis vis, struct side dst, struct side src);
static __attribute__((cold)) gex_Event_t run_offsets(struct tsr_gex_vis vis, struct side dst, struct side src) {
  struct side *theirs = vis.puts ? &dst : &src, *ours = vis.puts ? &src : &dst;
  void *remote_list = vis.flags & GEX_FLAG_PEER_SEG_OFFSET ? find_offsets(&vis, vis.unit, theirs) : NULL;
  void *local_list = vis.flags & GEX_FLAG_SELF_SEG_OFFSET ? find_offsets(&vis, TSR_UNIT(tsr_place.self), ours) : NULL;
  vis.flags &= ~(gex_Flags_t)TSR_GEX_OFFSETS;
  gex_Event_t event = run_lists(vis, dst, src);
  free(remote_list);
  free(local_list);
  return event;
}

static __attribute__((noinline)) gex_Event_t run_lists(struct tsr_gex_vis vis, struct side dst, struct side src) {
  size_t bytes = total_of(&vis, &dst, "dst"), from = total_of(&vis, &src, "src");
  if (bytes != from)
    tsr_gex_die("TSR-4205 %s: dstlist has %zu bytes, srclist %zu; they must be equal", vis.name, bytes, from);
  if (!bytes) return tsr_gex_vis_nothing(&vis);
  tsr_gex_vis_check(&vis);
  if (vis.flags & TSR_GEX_OFFSETS) return run_offsets(vis, dst, src);
  struct lists lists = {&vis, dst, src};
  return tsr_gex_vis_run(&vis, move_lists, &lists, bytes);
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
#define THREE_WAYS(CALL)                       \
  CALL(TSR_GEX_NB, gex_Event_t, , NB)          \
  CALL(TSR_GEX_NBI, int, tsr_gex_vis_code, NBI) \
  CALL(TSR_GEX_BLOCKING, int, tsr_gex_vis_code, Blocking)
THREE_WAYS(VECTOR_PUT)
THREE_WAYS(VECTOR_GET)
THREE_WAYS(INDEXED_PUT)
THREE_WAYS(INDEXED_GET)
