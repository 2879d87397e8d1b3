#include "node/buddy.h"

#include <stdlib.h>

#include "base/bits.h"

/* A tree node. A leaf (no children) is a block, free when `largest` is its own order and live when it is NONE. An
 * inner node is a block that was split; two free halves are merged at once, so its `largest` is below its order. */
struct node {
  uint64_t bytes;    /* that were asked for, of a live block */
  uint32_t children; /* index of the lower child, the upper one follows it; 0: leaf. In the free list: next pair */
  int8_t largest;    /* order of the largest free block in this subtree, or NONE */
  uint8_t tag;       /* the owner's tag on a live block */
  uint16_t pages;    /* by which a live block begins behind the multiple of its size */
};

enum { NONE = -1, ROOT = 0, PAIR_FIRST = 2 /* index 1 is unused, so that pairs are even and 0 means no pair */ };
enum { ORDERS_MAX = 64, PAIRS_AT_START = 32, PAGE_ORDER = 12, STAGGERS_N = 16, SPACE_ORDERS = 7 };

/* The last block that was taken at the low end. While no block below it is given back, it is the lowest of its order. When it is
 * given back it is parked: its leaf stays, and the next take of that order revives it. Everything else sees a parked block as free,
 * or merges it first. So taking and giving back one block again and again needs no walk through the tree; offsets are the same. */
enum recent_state { FORGOTTEN, LIVE, PARKED };
struct recent {
  uint64_t offset;
  uint32_t node;
  unsigned order;
  enum recent_state state;
};

struct tsr_buddy {
  struct node *nodes;
  uint32_t nodes_max;  /* entries of the array */
  uint32_t nodes_made; /* entries that were ever used; those behind were not touched yet */
  uint32_t free_pair;  /* list of pairs to be used again; 0: empty */
  uint32_t free_n;     /* pairs in that list */
  uint32_t pairs_n;    /* pairs in the tree */
  unsigned range_order, min_order;
  bool staggers, has_space;
  struct recent recent;
};

/* The way from the root to a node: step[0] is the root, step[n - 1] the node of order range_order - (n - 1). */
struct path {
  uint32_t step[ORDERS_MAX];
  unsigned n;
};

tsr_buddy *tsr_buddy_create(unsigned range_order, unsigned min_order) {
  enum { NODES_AT_START = PAIR_FIRST + 2 * PAIRS_AT_START };
  tsr_buddy *buddy = malloc(sizeof *buddy);
  struct node *nodes = malloc(NODES_AT_START * sizeof *nodes);
  if (!buddy || !nodes) {
    free(buddy);
    free(nodes);
    return NULL;
  }
  *buddy = (tsr_buddy){.nodes = nodes, .nodes_max = NODES_AT_START, .nodes_made = PAIR_FIRST, .range_order = range_order,
                       .min_order = min_order};
  nodes[ROOT] = (struct node){.largest = (int8_t)range_order};
  return buddy;
}

void tsr_buddy_stagger(tsr_buddy *buddy, bool has_space) {
  buddy->staggers = true;
  buddy->has_space = has_space;
}

void tsr_buddy_destroy(tsr_buddy *buddy) {
  if (!buddy) return;
  free(buddy->nodes);
  free(buddy);
}

/* Makes sure that the next `pairs` splits find their nodes, so that a take that fails changes nothing. */
static bool reserve_pairs(tsr_buddy *buddy, uint32_t pairs) {
  uint64_t nodes_max = buddy->nodes_max;
  while (buddy->free_n + (nodes_max - buddy->nodes_made) / 2 < pairs) nodes_max *= 2;
  if (nodes_max == buddy->nodes_max) return true;
  if (nodes_max > UINT32_MAX) return false;
  struct node *nodes = realloc(buddy->nodes, nodes_max * sizeof *nodes);
  if (!nodes) return false;
  buddy->nodes = nodes;
  buddy->nodes_max = (uint32_t)nodes_max;
  return true;
}

static void split_node(tsr_buddy *buddy, uint32_t parent, unsigned half_order) {
  uint32_t pair = buddy->free_pair;
  if (pair) {
    buddy->free_pair = buddy->nodes[pair].children;
    buddy->free_n--;
  } else {
    pair = buddy->nodes_made;
    buddy->nodes_made += 2;
  }
  buddy->nodes[pair] = buddy->nodes[pair + 1] = (struct node){.largest = (int8_t)half_order};
  buddy->nodes[parent].children = pair;
  buddy->pairs_n++;
}

static void merge_children(tsr_buddy *buddy, uint32_t parent, unsigned order) {
  uint32_t pair = buddy->nodes[parent].children;
  buddy->nodes[pair].children = buddy->free_pair;
  buddy->free_pair = pair;
  buddy->free_n++;
  buddy->pairs_n--;
  buddy->nodes[parent] = (struct node){.largest = (int8_t)order};
}

/* After the last node of the path has changed: merges and corrects `largest` from there towards the root, as far as it changes. */
static void refresh_path(tsr_buddy *buddy, const struct path *path) {
  for (unsigned i = path->n - 1; i-- > 0;) {
    unsigned order = buddy->range_order - i;
    struct node *node = &buddy->nodes[path->step[i]];
    const struct node *low = &buddy->nodes[node->children], *high = low + 1;
    int8_t before = node->largest;
    if (low->largest == (int)order - 1 && high->largest == (int)order - 1) merge_children(buddy, path->step[i], order);
    else node->largest = low->largest > high->largest ? low->largest : high->largest;
    if (node->largest == before) return;
  }
}

/* The leaf that contains `offset` (inside the range), the way to it, and its order. */
static const struct node *find_leaf(const tsr_buddy *buddy, uint64_t offset, struct path *path, unsigned *order) {
  uint32_t at = ROOT;
  unsigned k = buddy->range_order;
  path->n = 0;
  for (;;) {
    path->step[path->n++] = at;
    uint32_t children = buddy->nodes[at].children;
    if (!children) break;
    k--;
    at = children + (uint32_t)(offset >> k & 1);
  }
  *order = k;
  return &buddy->nodes[at];
}

static uint64_t start_of(uint64_t offset, unsigned order) { return tsr_round_down(offset, (uint64_t)1 << order); }

static bool is_inside(const tsr_buddy *buddy, uint64_t offset) { return offset >> buddy->range_order == 0; }

static bool is_live(const struct node *leaf) { return leaf->largest == NONE; }

static unsigned order_for(const tsr_buddy *buddy, uint64_t bytes) {
  unsigned order = tsr_log2_ceil(bytes);
  return order > buddy->min_order ? order : buddy->min_order;
}

static bool is_staggered(const tsr_buddy *buddy, unsigned order) { return buddy->staggers && order >= TSR_BUDDY_CHUNK_ORDER; }

/* About 1/512 of the block, and odd, so that no cache takes two of its multiples for one. */
static uint64_t stagger_pages(unsigned order) { return ((uint64_t)1 << order >> (PAGE_ORDER + 9)) | 1; }

/* With room for every number of pages by which the block may begin later. */
static unsigned staggered_order(const tsr_buddy *buddy, uint64_t bytes) {
  const unsigned order = order_for(buddy, bytes);
  if (!buddy->has_space || !is_staggered(buddy, order) || order + SPACE_ORDERS > buddy->range_order) return order;
  const uint64_t most = (STAGGERS_N - 1) * stagger_pages(order) << PAGE_ORDER;
  return bytes + most > (uint64_t)1 << order ? order + 1 : order;
}

/* The pages by which a block at a multiple of its size begins later. */
static uint16_t pages_at(const tsr_buddy *buddy, uint64_t start, unsigned order, uint64_t bytes) {
  if (!is_staggered(buddy, order)) return 0;
  uint64_t which = 0, each = stagger_pages(order), most = (((uint64_t)1 << order) - bytes) >> PAGE_ORDER;
  for (uint64_t chunk = start >> TSR_BUDDY_CHUNK_ORDER; chunk; chunk /= STAGGERS_N) which ^= chunk % STAGGERS_N;
  const uint64_t pages = which % (most / each + 1) * each;
  return pages <= UINT16_MAX ? (uint16_t)pages : 0;
}

static uint64_t begin_of(const struct node *leaf, uint64_t start) { return start + ((uint64_t)leaf->pages << PAGE_ORDER); }

/* A live leaf becomes free, and merges. */
static void release_leaf(tsr_buddy *buddy, const struct path *path, unsigned order) {
  buddy->nodes[path->step[path->n - 1]].largest = (int8_t)order;
  refresh_path(buddy, path);
}

static bool is_parked(const tsr_buddy *buddy, const struct node *leaf) {
  return buddy->recent.state == PARKED && leaf == &buddy->nodes[buddy->recent.node];
}

static void merge_parked(tsr_buddy *buddy) {
  struct path path;
  unsigned order;
  if (buddy->recent.state != PARKED) return;
  buddy->recent.state = FORGOTTEN;
  find_leaf(buddy, buddy->recent.offset, &path, &order);
  release_leaf(buddy, &path, order);
}

/* Makes the block of `order` at `offset` live, splitting the free leaf of order k at the end of the path, which it is part of. It
 * begins `pages` later. */
static bool carve_block(tsr_buddy *buddy, struct path *path, unsigned k, uint64_t offset, unsigned order, uint64_t bytes,
                        uint16_t pages) {
  if (!reserve_pairs(buddy, k - order)) return false;
  uint32_t at = path->step[path->n - 1];
  while (k > order) {
    k--;
    split_node(buddy, at, k);
    at = buddy->nodes[at].children + (uint32_t)(offset >> k & 1);
    path->step[path->n++] = at;
  }
  buddy->nodes[at] = (struct node){.bytes = bytes, .largest = NONE, .pages = pages};
  refresh_path(buddy, path);
  return true;
}

/* The place at this end for a block of `order`, the way to the free leaf that holds it, and that leaf's order; the root says that
 * there is one. */
static uint64_t find_place(const tsr_buddy *buddy, unsigned order, enum tsr_buddy_end end, struct path *path,
                           unsigned *leaf_order) {
  uint64_t offset = 0;
  uint32_t children, at = ROOT;
  unsigned k = buddy->range_order, chunk = order > TSR_BUDDY_CHUNK_ORDER ? order : TSR_BUDDY_CHUNK_ORDER;
  path->n = 0;
  path->step[path->n++] = at;
  while ((children = buddy->nodes[at].children) != 0) {
    unsigned first = end == TSR_BUDDY_HIGH && k > chunk;
    unsigned side = buddy->nodes[children + first].largest >= (int)order ? first : 1 - first;
    k--;
    offset |= (uint64_t)side << k;
    at = children + side;
    path->step[path->n++] = at;
  }
  *leaf_order = k;
  /* A free leaf: its first part, or that of its last chunk. */
  return end == TSR_BUDDY_LOW || k <= chunk ? offset : offset + ((uint64_t)1 << k) - ((uint64_t)1 << chunk);
}

bool tsr_buddy_take(tsr_buddy *buddy, uint64_t bytes, enum tsr_buddy_end end, uint64_t *offset) {
  unsigned order = staggered_order(buddy, bytes), leaf_order;
  struct path path;
  if (buddy->recent.state == PARKED && end == TSR_BUDDY_LOW && order == buddy->recent.order) {
    struct node *leaf = &buddy->nodes[buddy->recent.node];
    *leaf = (struct node){.bytes = bytes, .largest = NONE, .pages = pages_at(buddy, buddy->recent.offset, order, bytes)};
    buddy->recent.state = LIVE;
    *offset = begin_of(leaf, buddy->recent.offset);
    return true;
  }
  merge_parked(buddy);
  if (buddy->nodes[ROOT].largest < (int)order) order = order_for(buddy, bytes);
  if (buddy->nodes[ROOT].largest < (int)order) return false;
  uint64_t place = find_place(buddy, order, end, &path, &leaf_order);
  if (!carve_block(buddy, &path, leaf_order, place, order, bytes, pages_at(buddy, place, order, bytes))) return false;
  if (end == TSR_BUDDY_LOW) buddy->recent = (struct recent){place, path.step[path.n - 1], order, LIVE};
  *offset = begin_of(&buddy->nodes[path.step[path.n - 1]], place);
  return true;
}

bool tsr_buddy_take_at(tsr_buddy *buddy, uint64_t offset, uint64_t bytes) {
  unsigned order = order_for(buddy, bytes), leaf_order;
  struct path path;
  if (order > buddy->range_order || !is_inside(buddy, offset)) return false;
  const bool staggered = is_staggered(buddy, order);
  while (staggered && order < buddy->range_order && offset - start_of(offset, order) + bytes > (uint64_t)1 << order) order++;
  const uint64_t start = start_of(offset, order), pages = staggered ? (offset - start) >> PAGE_ORDER : 0;
  if (start + (pages << PAGE_ORDER) != offset || offset - start + bytes > (uint64_t)1 << order || pages > UINT16_MAX) return false;
  merge_parked(buddy);
  const struct node *leaf = find_leaf(buddy, offset, &path, &leaf_order);
  if (is_live(leaf) || leaf_order < order) return false;
  return carve_block(buddy, &path, leaf_order, start, order, bytes, (uint16_t)pages);
}

static bool take_from(tsr_buddy *buddy, uint64_t from, unsigned order, uint64_t bytes, uint64_t *offset) {
  const uint64_t step = (uint64_t)1 << order;
  unsigned leaf_order;
  struct path path;
  if (order > buddy->range_order) return false;
  for (uint64_t at = start_of(from, order); is_inside(buddy, at); at = tsr_round_up(at + 1, step)) {
    const struct node *leaf = find_leaf(buddy, at, &path, &leaf_order);
    const uint16_t pages = pages_at(buddy, at, order, bytes);
    if (!is_live(leaf) && leaf_order >= order && at + ((uint64_t)pages << PAGE_ORDER) >= from) {
      *offset = at + ((uint64_t)pages << PAGE_ORDER);
      return carve_block(buddy, &path, leaf_order, at, order, bytes, pages);
    }
    if (is_live(leaf) && leaf_order > order) at = start_of(at, leaf_order) + ((uint64_t)1 << leaf_order) - 1;
  }
  return false;
}

bool tsr_buddy_take_from(tsr_buddy *buddy, uint64_t from, uint64_t bytes, uint64_t *offset) {
  const unsigned order = staggered_order(buddy, bytes), least = order_for(buddy, bytes);
  merge_parked(buddy);
  return take_from(buddy, from, order, bytes, offset) || (order != least && take_from(buddy, from, least, bytes, offset));
}

/* Whether the block that was taken last at the low end is live, and begins at `offset`. */
static bool is_recent(const tsr_buddy *buddy, uint64_t offset) {
  const struct recent *recent = &buddy->recent;
  return recent->state == LIVE && offset == begin_of(&buddy->nodes[recent->node], recent->offset);
}

uint64_t tsr_buddy_give(tsr_buddy *buddy, uint64_t offset) {
  struct path path;
  unsigned order;
  if (!is_inside(buddy, offset)) return 0;
  if (is_recent(buddy, offset)) {
    buddy->recent.state = PARKED;
    return buddy->nodes[buddy->recent.node].bytes;
  }
  merge_parked(buddy);
  const struct node *leaf = find_leaf(buddy, offset, &path, &order);
  if (!is_live(leaf) || offset != begin_of(leaf, start_of(offset, order))) return 0;
  uint64_t bytes = leaf->bytes;
  release_leaf(buddy, &path, order);
  if (offset < buddy->recent.offset) buddy->recent.state = FORGOTTEN;
  return bytes;
}

/* The live leaf that starts at `offset`; NULL: none does. */
static struct node *live_at(const tsr_buddy *buddy, uint64_t offset) {
  struct path path;
  unsigned order;
  if (!is_inside(buddy, offset)) return NULL;
  if (is_recent(buddy, offset)) return &buddy->nodes[buddy->recent.node];
  const struct node *leaf = find_leaf(buddy, offset, &path, &order);
  if (!is_live(leaf) || is_parked(buddy, leaf) || offset != begin_of(leaf, start_of(offset, order))) return NULL;
  return &buddy->nodes[path.step[path.n - 1]];
}

void tsr_buddy_shrink(tsr_buddy *buddy, uint64_t offset, uint64_t bytes) {
  struct node *leaf = live_at(buddy, offset);
  if (leaf && bytes < leaf->bytes) leaf->bytes = bytes;
}

void tsr_buddy_set_tag(tsr_buddy *buddy, uint64_t offset, uint8_t tag) {
  struct node *leaf = live_at(buddy, offset);
  if (leaf) leaf->tag = tag;
}

int tsr_buddy_tag(const tsr_buddy *buddy, uint64_t offset, uint64_t *bytes) {
  const struct node *leaf = live_at(buddy, offset);
  if (leaf && bytes) *bytes = leaf->bytes;
  return leaf ? leaf->tag : -1;
}

int tsr_buddy_find(const tsr_buddy *buddy, uint64_t offset, uint64_t *start) {
  struct path path;
  unsigned order;
  if (!is_inside(buddy, offset)) return -1;
  const struct node *leaf = find_leaf(buddy, offset, &path, &order);
  if (!is_live(leaf) || is_parked(buddy, leaf)) return -1;
  *start = begin_of(leaf, start_of(offset, order));
  return offset < *start ? -1 : leaf->tag;
}

bool tsr_buddy_next(const tsr_buddy *buddy, uint8_t tag, uint64_t *offset) {
  uint64_t at = *offset;
  while (is_inside(buddy, at)) { /* from leaf to leaf */
    struct path path;
    unsigned order;
    const struct node *leaf = find_leaf(buddy, at, &path, &order);
    uint64_t start = start_of(at, order), begin = begin_of(leaf, start);
    if (is_live(leaf) && !is_parked(buddy, leaf) && leaf->tag == tag && begin >= *offset) {
      *offset = begin;
      return true;
    }
    at = start + ((uint64_t)1 << order);
  }
  return false;
}

uint64_t tsr_buddy_rounded(const tsr_buddy *buddy, uint64_t bytes) {
  const unsigned order = order_for(buddy, bytes);
  return is_staggered(buddy, order) ? bytes : (uint64_t)1 << order;
}

uint64_t tsr_buddy_largest(tsr_buddy *buddy) {
  merge_parked(buddy);
  int largest = buddy->nodes[ROOT].largest;
  return largest == NONE ? 0 : (uint64_t)1 << largest;
}

uint32_t tsr_buddy_nodes(tsr_buddy *buddy) {
  merge_parked(buddy);
  return 1 + 2 * buddy->pairs_n;
}

void tsr_buddy_each_free(tsr_buddy *buddy, void (*visit)(uint64_t offset, uint64_t bytes, void *arg), void *arg) {
  merge_parked(buddy);
  const uint64_t range = (uint64_t)1 << buddy->range_order;
  for (uint64_t offset = 0; offset < range;) { /* from leaf to leaf */
    struct path path;
    unsigned order;
    bool live = is_live(find_leaf(buddy, offset, &path, &order));
    uint64_t bytes = (uint64_t)1 << order;
    if (!live) visit(offset, bytes, arg);
    offset += bytes;
  }
}
