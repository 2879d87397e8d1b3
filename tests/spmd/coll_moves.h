/* The cases of all collectives that move data, alike for each interface: a program passes a table of its calls and says which
 * cases it wants. What a call shall bring is known before it is made, with all that it must not touch. */
#ifndef COLL_MOVES_H
#define COLL_MOVES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "pattern.h"

enum { COLL_MEMBERS_MAX = 64, COLL_GUARD = 0xee };

/* A buffer that is passed as this: the data lies where the result goes. */
static char coll_in_place_mark;
#define COLL_IN_PLACE ((void *)&coll_in_place_mark)

/* An interface's calls, in elements. A call may complete later: its data stays until coll_check. NULL: there is no such call. A
 * buffer or a list is NULL where the interface does not read it. */
struct coll_calls {
  void (*bcast)(void *data, size_t n, int root);
  void (*scatter)(void *send, void *recv, size_t n, int root);
  void (*gather)(void *send, void *recv, size_t n, int root);
  void (*allgather)(void *send, void *recv, size_t n);
  void (*alltoall)(void *send, void *recv, size_t n);
  void (*scatterv)(void *send, const size_t *counts, const size_t *offs, void *recv, size_t own, int root);
  void (*gatherv)(void *send, size_t own, void *recv, const size_t *counts, const size_t *offs, int root);
  void (*allgatherv)(void *send, size_t own, void *recv, const size_t *counts, const size_t *offs);
  void (*alltoallv)(void *send, const size_t *out, void *recv, const size_t *in, const size_t *offs);
  bool scatters_in_place, scatters_shares_in_place, alltoalls_in_place; /* and gathers */
};

/* The team at work, its calls, and how elements lie in memory. */
static struct {
  const struct coll_calls *calls;
  int self, size;
  size_t elem_bytes;
  size_t (*place)(size_t i); /* NULL: end to end */
  size_t (*room)(size_t n);
  void *(*take)(size_t bytes); /* NULL: malloc and free */
  void (*release)(void *memory);
  int calls_n; /* so many were made since the last coll_check of all */
} coll;

/* ---- Buffers: what a call sees, and what shall be there in the end ---- */

static struct coll_buffer {
  struct coll_buffer *next;
  unsigned char *data, *wanted;
  size_t bytes;
  int call;
} *coll_buffers;

static inline struct coll_buffer *coll_empty(size_t n) {
  struct coll_buffer *buffer = malloc(sizeof *buffer);
  if (!buffer) abort();
  buffer->bytes = (coll.room ? coll.room(n) : n) * coll.elem_bytes + 1;
  buffer->data = coll.take ? coll.take(buffer->bytes) : malloc(buffer->bytes);
  buffer->wanted = malloc(buffer->bytes);
  if (!buffer->data || !buffer->wanted) abort();
  memset(buffer->data, COLL_GUARD, buffer->bytes);
  memset(buffer->wanted, COLL_GUARD, buffer->bytes);
  buffer->call = coll.calls_n;
  buffer->next = coll_buffers;
  return coll_buffers = buffer;
}

/* n elements from place `at` on, as member `who` has them from number `from` on. */
static inline void coll_put(unsigned char *data, size_t at, size_t n, int who, size_t from) {
  const size_t bytes = coll.elem_bytes;
  for (size_t i = 0; !coll.place && i < n * bytes; i++) data[at * bytes + i] = pattern((unsigned)who * 7 + 1, from * bytes + i);
  for (size_t i = 0; coll.place && i < n; i++) {
    unsigned char *element = data + coll.place(at + i) * bytes;
    for (size_t k = 0; k < bytes; k++) element[k] = pattern((unsigned)who * 7 + 1, (from + i) * bytes + k);
  }
}
static inline void coll_wish(struct coll_buffer *buffer, size_t at, size_t n, int who, size_t from) {
  coll_put(buffer->wanted, at, n, who, from);
}

static inline struct coll_buffer *coll_filled(size_t n, int who, size_t from) {
  struct coll_buffer *buffer = coll_empty(n);
  coll_put(buffer->data, 0, n, who, from);
  coll_wish(buffer, 0, n, who, from);
  return buffer;
}
static inline void *coll_data(const struct coll_buffer *buffer) { return buffer ? buffer->data : NULL; }

/* One call is complete, or all of them: -1. */
static inline void coll_check(int call) {
  for (struct coll_buffer **link = &coll_buffers; *link;) {
    struct coll_buffer *buffer = *link;
    if (call >= 0 && buffer->call != call) {
      link = &buffer->next;
      continue;
    }
    bool right = !memcmp(buffer->data, buffer->wanted, buffer->bytes);
    if (!right) fprintf(stderr, "a buffer of %zu bytes of call %d is wrong\n", buffer->bytes, buffer->call);
    CHECK(right);
    *link = buffer->next;
    coll.release ? coll.release(buffer->data) : free(buffer->data);
    free(buffer->wanted);
    free(buffer);
  }
  if (!coll_buffers) coll.calls_n = 0;
}

/* ---- Cases ---- */

#define COLL_CALL(name, ...) (coll.calls->name(__VA_ARGS__), coll.calls_n++)

static inline void coll_rooted(size_t n, int root) {
  const size_t own = (size_t)coll.self * n, all = (size_t)coll.size * n;
  const bool is_root = coll.self == root;
  struct coll_buffer *into = is_root ? coll_filled(n, root, 0) : coll_empty(n);
  coll_wish(into, 0, n, root, 0);
  COLL_CALL(bcast, coll_data(into), n, root);
  into = coll_empty(n);
  coll_wish(into, 0, n, root, own);
  COLL_CALL(scatter, coll_data(is_root ? coll_filled(all, root, 0) : NULL), coll_data(into), n, root);
  into = is_root ? coll_empty(all) : NULL;
  for (int i = 0; is_root && i < coll.size; i++) coll_wish(into, (size_t)i * n, n, i, 3);
  COLL_CALL(gather, coll_data(coll_filled(n, coll.self, 3)), coll_data(into), n, root);
  if (!coll.calls->scatters_in_place) return;
  into = is_root ? coll_filled(all, root, 0) : coll_empty(n);
  if (!is_root) coll_wish(into, 0, n, root, own);
  COLL_CALL(scatter, is_root ? coll_data(into) : NULL, is_root ? COLL_IN_PLACE : coll_data(into), n, root);
  into = is_root ? coll_filled(all, root, 0) : coll_filled(n, coll.self, own);
  for (int i = 0; is_root && i < coll.size; i++) coll_wish(into, (size_t)i * n, n, i, (size_t)i * n);
  COLL_CALL(gather, is_root ? COLL_IN_PLACE : coll_data(into), is_root ? coll_data(into) : NULL, n, root);
}

/* Blocks of all members, from number `from` on, or each from its place on. */
static inline void coll_wish_blocks(struct coll_buffer *into, size_t n, size_t from, size_t step) {
  for (int i = 0; i < coll.size; i++) coll_wish(into, (size_t)i * n, n, i, from + (size_t)i * step);
}

static inline void coll_everywhere(size_t n) {
  const size_t own = (size_t)coll.self * n, all = (size_t)coll.size * n;
  struct coll_buffer *into = coll_empty(all);
  coll_wish_blocks(into, n, 4, 0);
  COLL_CALL(allgather, coll_data(coll_filled(n, coll.self, 4)), coll_data(into), n);
  into = coll_filled(all, coll.self, 0);
  coll_wish_blocks(into, n, 0, n);
  COLL_CALL(allgather, COLL_IN_PLACE, coll_data(into), n);
  into = coll_empty(all);
  coll_wish_blocks(into, n, own, 0);
  COLL_CALL(alltoall, coll_data(coll_filled(all, coll.self, 0)), coll_data(into), n);
  if (!coll.calls->alltoalls_in_place) return;
  into = coll_filled(all, coll.self, 0);
  coll_wish_blocks(into, n, own, 0);
  COLL_CALL(alltoall, COLL_IN_PLACE, coll_data(into), n);
}

/* Shares of n * (i % 3); of i * n / size with a gap behind each; or of n for even members only. They lie from the last member to
 * the first, the last kind in the members' order: an empty share begins where the next one does. */
enum coll_shares { COLL_THIRDS, COLL_GROWING, COLL_EVEN };
struct coll_layout {
  size_t counts[COLL_MEMBERS_MAX], offs[COLL_MEMBERS_MAX], total;
};
static inline struct coll_layout coll_layout_of(enum coll_shares shares, size_t n) {
  struct coll_layout layout = {.total = 0};
  for (int k = 0; k < coll.size; k++) {
    const int i = shares == COLL_EVEN ? k : coll.size - 1 - k;
    layout.counts[i] = shares == COLL_THIRDS ? n * (size_t)(i % 3) : shares == COLL_EVEN ? (i % 2 ? 0 : n)
                                                                                          : (size_t)i * n / (size_t)coll.size;
    layout.offs[i] = layout.total;
    layout.total += layout.counts[i] + (shares == COLL_GROWING ? 3 : 0);
  }
  return layout;
}
/* Shares of all members, each from number `from` on, or, where it is -1, from its place on. */
static inline void coll_wish_shares(struct coll_buffer *into, const struct coll_layout *l, int from) {
  for (int i = 0; i < coll.size; i++) coll_wish(into, l->offs[i], l->counts[i], i, from < 0 ? l->offs[i] : (size_t)from);
}

static inline void coll_counted(enum coll_shares shares, size_t n, int root) {
  const struct coll_layout l = coll_layout_of(shares, n);
  const bool is_root = coll.self == root;
  const size_t *counts = is_root ? l.counts : NULL, *offs = is_root ? l.offs : NULL, own = l.counts[coll.self];
  struct coll_buffer *into = coll_empty(own);
  coll_wish(into, 0, own, root, l.offs[coll.self]);
  COLL_CALL(scatterv, coll_data(is_root ? coll_filled(l.total, root, 0) : NULL), counts, offs, coll_data(into), own, root);
  into = is_root ? coll_empty(l.total) : NULL;
  if (is_root) coll_wish_shares(into, &l, 5);
  COLL_CALL(gatherv, coll_data(coll_filled(own, coll.self, 5)), own, coll_data(into), counts, offs, root);
  if (!coll.calls->scatters_shares_in_place) return;
  into = is_root ? coll_filled(l.total, root, 0) : coll_empty(own);
  if (!is_root) coll_wish(into, 0, own, root, l.offs[coll.self]);
  COLL_CALL(scatterv, is_root ? coll_data(into) : NULL, counts, offs, is_root ? COLL_IN_PLACE : coll_data(into), own, root);
  into = coll_filled(is_root ? l.total : own, coll.self, is_root ? 0 : l.offs[coll.self]);
  if (is_root) coll_wish_shares(into, &l, -1);
  COLL_CALL(gatherv, is_root ? COLL_IN_PLACE : coll_data(into), own, is_root ? coll_data(into) : NULL, counts, offs, root);
}

static inline void coll_counted_everywhere(enum coll_shares shares, size_t n) {
  const struct coll_layout l = coll_layout_of(shares, n);
  const size_t own = l.counts[coll.self];
  struct coll_buffer *into = coll_empty(l.total);
  coll_wish_shares(into, &l, 6);
  COLL_CALL(allgatherv, coll_data(coll_filled(own, coll.self, 6)), own, coll_data(into), l.counts, l.offs);
  into = coll_filled(l.total, coll.self, 0);
  coll_wish_shares(into, &l, -1);
  COLL_CALL(allgatherv, COLL_IN_PLACE, own, coll_data(into), l.counts, l.offs);
}

/* Members i and j pass each other n * ((i + j) % 3), and have room for 2 * n. */
static inline void coll_pairs(size_t n) {
  size_t counts[COLL_MEMBERS_MAX], offs[COLL_MEMBERS_MAX], room = 2 * n * (size_t)coll.size;
  for (int i = 0; i < coll.size; i++) {
    counts[i] = n * (size_t)((i + coll.self) % 3);
    offs[i] = 2 * n * (size_t)i;
  }
  for (int in_place = 0; in_place < (coll.calls->alltoalls_in_place ? 2 : 1); in_place++) {
    struct coll_buffer *from = coll_filled(room, coll.self, 0), *into = in_place ? from : coll_empty(room);
    for (int i = 0; i < coll.size; i++) coll_wish(into, offs[i], counts[i], i, 2 * n * (size_t)coll.self);
    COLL_CALL(alltoallv, in_place ? COLL_IN_PLACE : coll_data(from), counts, coll_data(into), counts, offs);
  }
}

#endif
