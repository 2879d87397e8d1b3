/* The cases of all collectives, alike for each interface: a program passes a table of its calls and selects the cases.
 * The expected result of a call is computed before it is made, with all memory that it must not touch. Programs in C
 * and in C++ include this. */
#ifndef COLL_MOVES_H
#define COLL_MOVES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "pattern.h"

enum { COLL_MEMBERS_MAX = 64, COLL_GUARD = 0xee };

/* Passed as a buffer: the data lies where the result goes. */
static char coll_in_place_mark;
#define COLL_IN_PLACE ((void *)&coll_in_place_mark)

/* An operation on elements of one type. */
struct coll_how {
  size_t elem_bytes;
  /* n elements of member `who`, from number `from` on. */
  void (*fill)(const struct coll_how *how, void *data, int who, size_t from, size_t n);
  /* inout = in combined with inout, where in is of the members before. */
  void (*join)(const struct coll_how *how, void *inout, const void *in, size_t from, size_t n);
  bool (*same)(const struct coll_how *how, const void *a, const void *b); /* NULL: all bytes are compared */
  const void *call; /* defined by the program, as are */
  int type, op;
  void (*finish)(const struct coll_how *how, void *result, size_t n); /* NULL: a single member's result is its data */
};

/* An interface's calls, in elements. A call may complete later: its data stays until coll_check. NULL: there is no such
 * call. A buffer or a list is NULL where the interface does not read it. */
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
  void (*bcast_from)(void *send, void *recv, size_t n, int root); /* the root has a buffer for the result as well */
  void (*reduce)(void *send, void *recv, size_t n, int root, const struct coll_how *how);
  void (*allreduce)(void *send, void *recv, size_t n, const struct coll_how *how);
  void (*scan)(void *send, void *recv, size_t n, const struct coll_how *how);
  void (*exscan)(void *send, void *recv, size_t n, const struct coll_how *how);
  void (*reduce_scatter_block)(void *send, void *recv, size_t n, const struct coll_how *how);
  void (*reduce_scatter)(void *send, void *recv, const size_t *counts, const struct coll_how *how);
  bool keeps_unused; /* members without a result of `reduce` pass a buffer as well, and it does not change */
  bool scratches; /* the same, or it has their data, and its content is undefined afterwards */
};

/* The team at work, its calls, and how elements lie in memory. */
static struct {
  const struct coll_calls *calls;
  int self, size; /* self < 0: makes the calls of another team's members, which have no effect on it */
  const int *numbers; /* tells the data of members apart; NULL: their numbers in the team */
  size_t elem_bytes;  /* of moves; a reduction sets it to its own */
  size_t first;       /* added to the numbers of all elements, for other data in each call. An even number */
  size_t (*place)(size_t i); /* NULL: contiguous */
  size_t (*room)(size_t n);
  void *(*take)(size_t bytes); /* NULL: malloc and free */
  void (*release)(void *memory);
  int calls_n; /* the number of calls since the last coll_check of all */
} coll;

/* ---- Buffers: the content before a call, and the expected one afterwards ---- */

static struct coll_buffer {
  struct coll_buffer *next;
  unsigned char *data, *wanted;
  size_t bytes, elem_bytes, n;
  const struct coll_how *how; /* of a result, whose elements may have bytes that are not compared; n of them */
  size_t (*place)(size_t i);
  size_t any_from, any_to; /* elements whose content is undefined */
  bool anything; /* except the last byte */
  int call;
} *coll_buffers;

static inline void *coll_memory(size_t bytes) {
  void *memory = malloc(bytes + 1);
  if (!memory) abort();
  return memory;
}

static inline struct coll_buffer *coll_empty(size_t n) {
  struct coll_buffer *buffer = (struct coll_buffer *)coll_memory(sizeof *buffer);
  memset(buffer, 0, sizeof *buffer);
  buffer->bytes = (coll.room ? coll.room(n) : n) * coll.elem_bytes + 1;
  buffer->data = (unsigned char *)(coll.take ? coll.take(buffer->bytes) : malloc(buffer->bytes));
  buffer->wanted = (unsigned char *)coll_memory(buffer->bytes);
  if (!buffer->data) abort();
  memset(buffer->data, COLL_GUARD, buffer->bytes);
  memset(buffer->wanted, COLL_GUARD, buffer->bytes);
  buffer->elem_bytes = coll.elem_bytes;
  buffer->place = coll.place;
  buffer->call = coll.calls_n;
  buffer->next = coll_buffers;
  return coll_buffers = buffer;
}

static inline int coll_number(int who) { return coll.numbers ? coll.numbers[who] : who; }

/* n elements of member `who`, with numbers from `from` on, at place `at`. */
static inline void coll_put(unsigned char *data, size_t at, size_t n, int who, size_t from) {
  const size_t bytes = coll.elem_bytes;
  const unsigned key = (unsigned)coll_number(who) * 7 + 1;
  from += coll.first;
  for (size_t i = 0; !coll.place && i < n * bytes; i++) data[at * bytes + i] = pattern(key, from * bytes + i);
  for (size_t i = 0; coll.place && i < n; i++) {
    unsigned char *element = data + coll.place(at + i) * bytes;
    for (size_t k = 0; k < bytes; k++) element[k] = pattern(key, (from + i) * bytes + k);
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

static inline bool coll_is_right(const struct coll_buffer *buffer) {
  if (buffer->anything) return buffer->data[buffer->bytes - 1] == COLL_GUARD;
  for (size_t i = 0; buffer->how && buffer->how->same && i < buffer->n; i++) {
    const size_t at = (buffer->place ? buffer->place(i) : i) * buffer->elem_bytes;
    if (buffer->how->same(buffer->how, buffer->data + at, buffer->wanted + at))
      memcpy(buffer->data + at, buffer->wanted + at, buffer->elem_bytes);
  }
  for (size_t i = buffer->any_from; i < buffer->any_to; i++) {
    const size_t at = (buffer->place ? buffer->place(i) : i) * buffer->elem_bytes;
    memcpy(buffer->data + at, buffer->wanted + at, buffer->elem_bytes);
  }
  return !memcmp(buffer->data, buffer->wanted, buffer->bytes);
}

/* One call is complete, or all of them (-1). Its data is overwritten afterwards. */
static inline void coll_check(int call) {
  for (struct coll_buffer **link = &coll_buffers; *link;) {
    struct coll_buffer *buffer = *link;
    if (call >= 0 && buffer->call != call) {
      link = &buffer->next;
      continue;
    }
    bool right = coll_is_right(buffer);
    if (!right) fprintf(stderr, "call %d: a buffer of %zu bytes is wrong, operation %d, type %d\n", buffer->call, buffer->bytes,
                        buffer->how ? buffer->how->op : -1, buffer->how ? buffer->how->type : -1);
    CHECK(right);
    *link = buffer->next;
    memset(buffer->data, 0xaa, buffer->bytes);
    coll.release ? coll.release(buffer->data) : free(buffer->data);
    free(buffer->wanted);
    free(buffer);
  }
  if (!coll_buffers) coll.calls_n = 0;
}

/* ---- Moves ---- */

#define COLL_CALL(name, ...) (coll.calls->name(__VA_ARGS__), coll.calls_n++)

static inline void coll_bcast(size_t n, int root) {
  struct coll_buffer *into = coll.self == root ? coll_filled(n, root, 0) : coll_empty(n);
  if (coll.self >= 0) coll_wish(into, 0, n, root, 0);
  COLL_CALL(bcast, coll_data(into), n, root);
}

static inline void coll_bcast_from(size_t n, int root) {
  struct coll_buffer *from = coll.self == root ? coll_filled(n, root, 1) : NULL, *into = coll_empty(n);
  coll_wish(into, 0, n, root, 1);
  COLL_CALL(bcast_from, coll_data(from), coll_data(into), n, root);
}

static inline void coll_scatter(size_t n, int root, bool in_place) {
  const size_t own = (size_t)coll.self * n, all = (size_t)coll.size * n;
  const bool is_root = coll.self == root;
  struct coll_buffer *from = is_root ? coll_filled(all, root, 0) : NULL, *into = NULL;
  if (!is_root || !in_place) {
    into = coll_empty(n);
    coll_wish(into, 0, n, root, own);
  }
  COLL_CALL(scatter, coll_data(from), into ? coll_data(into) : COLL_IN_PLACE, n, root);
}

static inline void coll_gather(size_t n, int root, bool in_place) {
  const size_t own = (size_t)coll.self * n, all = (size_t)coll.size * n;
  const bool is_root = coll.self == root;
  struct coll_buffer *into = !is_root ? NULL : in_place ? coll_filled(all, root, 0) : coll_empty(all), *from = NULL;
  for (int i = 0; is_root && i < coll.size; i++) coll_wish(into, (size_t)i * n, n, i, in_place ? (size_t)i * n : 3);
  if (!is_root || !in_place) from = coll_filled(n, coll.self, in_place ? own : 3);
  COLL_CALL(gather, from ? coll_data(from) : COLL_IN_PLACE, coll_data(into), n, root);
}

static inline void coll_rooted(size_t n, int root) {
  if (coll.calls->bcast) coll_bcast(n, root);
  if (coll.calls->bcast_from) coll_bcast_from(n, root);
  for (int in_place = 0; in_place < (coll.calls->scatters_in_place ? 2 : 1); in_place++) {
    if (coll.calls->scatter) coll_scatter(n, root, in_place);
    if (coll.calls->gather) coll_gather(n, root, in_place);
  }
}

/* Blocks of all members, from number `from` on, or each from its own place on. */
static inline void coll_wish_blocks(struct coll_buffer *into, size_t n, size_t from, size_t step) {
  for (int i = 0; i < coll.size; i++) coll_wish(into, (size_t)i * n, n, i, from + (size_t)i * step);
}

static inline void coll_allgather(size_t n, bool in_place) {
  const size_t all = (size_t)coll.size * n;
  struct coll_buffer *into = in_place ? coll_filled(all, coll.self, 0) : coll_empty(all);
  coll_wish_blocks(into, n, in_place ? 0 : 4, in_place ? n : 0);
  COLL_CALL(allgather, in_place ? COLL_IN_PLACE : coll_data(coll_filled(n, coll.self, 4)), coll_data(into), n);
}

static inline void coll_alltoall(size_t n, bool in_place) {
  const size_t own = (size_t)coll.self * n, all = (size_t)coll.size * n;
  struct coll_buffer *into = in_place ? coll_filled(all, coll.self, 0) : coll_empty(all);
  coll_wish_blocks(into, n, own, 0);
  COLL_CALL(alltoall, in_place ? COLL_IN_PLACE : coll_data(coll_filled(all, coll.self, 0)), coll_data(into), n);
}

static inline void coll_everywhere(size_t n) {
  coll_allgather(n, false);
  coll_allgather(n, true);
  coll_alltoall(n, false);
  if (coll.calls->alltoalls_in_place) coll_alltoall(n, true);
}

/* Shares of n * (i % 3); of i * n / size with a gap behind each; or of n for even members only. They lie from the last
 * member to the first, except those of the last kind, which lie in the members' order: an empty share begins where the
 * next one does. */
enum coll_shares { COLL_THIRDS, COLL_GROWING, COLL_EVEN };
struct coll_layout {
  size_t counts[COLL_MEMBERS_MAX], offs[COLL_MEMBERS_MAX], total;
};
static inline struct coll_layout coll_layout_of(enum coll_shares shares, size_t n) {
  struct coll_layout layout;
  layout.total = 0;
  for (int k = 0; k < coll.size; k++) {
    const int i = shares == COLL_EVEN ? k : coll.size - 1 - k;
    layout.counts[i] = shares == COLL_THIRDS ? n * (size_t)(i % 3) : shares == COLL_EVEN ? (i % 2 ? 0 : n)
                                                                                          : (size_t)i * n / (size_t)coll.size;
    layout.offs[i] = layout.total;
    layout.total += layout.counts[i] + (shares == COLL_GROWING ? 3 : 0);
  }
  return layout;
}
/* Shares of all members, each from number `from` on; -1: from its place on. */
static inline void coll_wish_shares(struct coll_buffer *into, const struct coll_layout *l, int from) {
  for (int i = 0; i < coll.size; i++) coll_wish(into, l->offs[i], l->counts[i], i, from < 0 ? l->offs[i] : (size_t)from);
}

static inline void coll_scatterv(enum coll_shares shares, size_t n, int root, bool in_place) {
  const struct coll_layout l = coll_layout_of(shares, n);
  const bool is_root = coll.self == root;
  const size_t own = l.counts[coll.self];
  struct coll_buffer *from = is_root ? coll_filled(l.total, root, 0) : NULL, *into = NULL;
  if (!is_root || !in_place) {
    into = coll_empty(own);
    coll_wish(into, 0, own, root, l.offs[coll.self]);
  }
  COLL_CALL(scatterv, coll_data(from), is_root ? l.counts : NULL, is_root ? l.offs : NULL,
            into ? coll_data(into) : COLL_IN_PLACE, own, root);
}

static inline void coll_gatherv(enum coll_shares shares, size_t n, int root, bool in_place) {
  const struct coll_layout l = coll_layout_of(shares, n);
  const bool is_root = coll.self == root;
  const size_t own = l.counts[coll.self];
  struct coll_buffer *into = !is_root ? NULL : in_place ? coll_filled(l.total, root, 0) : coll_empty(l.total), *from = NULL;
  if (is_root) coll_wish_shares(into, &l, in_place ? -1 : 5);
  if (!is_root || !in_place) from = coll_filled(own, coll.self, in_place ? l.offs[coll.self] : 5);
  COLL_CALL(gatherv, from ? coll_data(from) : COLL_IN_PLACE, own, coll_data(into), is_root ? l.counts : NULL,
            is_root ? l.offs : NULL, root);
}

static inline void coll_counted(enum coll_shares shares, size_t n, int root) {
  for (int in_place = 0; in_place < (coll.calls->scatters_shares_in_place ? 2 : 1); in_place++) {
    coll_scatterv(shares, n, root, in_place);
    coll_gatherv(shares, n, root, in_place);
  }
}

static inline void coll_allgatherv(enum coll_shares shares, size_t n, bool in_place) {
  const struct coll_layout l = coll_layout_of(shares, n);
  const size_t own = l.counts[coll.self];
  struct coll_buffer *into = in_place ? coll_filled(l.total, coll.self, 0) : coll_empty(l.total);
  coll_wish_shares(into, &l, in_place ? -1 : 6);
  COLL_CALL(allgatherv, in_place ? COLL_IN_PLACE : coll_data(coll_filled(own, coll.self, 6)), own, coll_data(into), l.counts,
            l.offs);
}

static inline void coll_counted_everywhere(enum coll_shares shares, size_t n) {
  coll_allgatherv(shares, n, false);
  coll_allgatherv(shares, n, true);
}

/* Members i and j exchange n * ((i + j) % 3) elements, and have room for 2 * n. */
static inline void coll_alltoallv(size_t n, bool in_place) {
  size_t counts[COLL_MEMBERS_MAX], offs[COLL_MEMBERS_MAX], room = 2 * n * (size_t)coll.size;
  for (int i = 0; i < coll.size; i++) {
    counts[i] = n * (size_t)((i + coll.self) % 3);
    offs[i] = 2 * n * (size_t)i;
  }
  struct coll_buffer *from = coll_filled(room, coll.self, 0), *into = in_place ? from : coll_empty(room);
  for (int i = 0; i < coll.size; i++) coll_wish(into, offs[i], counts[i], i, 2 * n * (size_t)coll.self);
  COLL_CALL(alltoallv, in_place ? COLL_IN_PLACE : coll_data(from), counts, coll_data(into), counts, offs);
}

static inline void coll_pairs(size_t n) {
  coll_alltoallv(n, false);
  if (coll.calls->alltoalls_in_place) coll_alltoallv(n, true);
}

/* ---- Reductions ---- */

/* Copies contiguous elements to their places. */
static inline void coll_spread(unsigned char *data, const void *elements, size_t n) {
  const size_t bytes = coll.elem_bytes;
  for (size_t i = 0; i < n; i++)
    memcpy(data + (coll.place ? coll.place(i) : i) * bytes, (const unsigned char *)elements + i * bytes, bytes);
}

/* Elements `from` and following of members first to last, combined; the caller frees it. */
static inline void *coll_combined(const struct coll_how *how, int first, int last, size_t from, size_t n) {
  void *sum = coll_memory(n * how->elem_bytes), *theirs = coll_memory(n * how->elem_bytes);
  from += coll.first;
  how->fill(how, sum, coll_number(last), from, n);
  for (int who = last - 1; who >= first; who--) {
    how->fill(how, theirs, coll_number(who), from, n);
    how->join(how, sum, theirs, from, n);
  }
  free(theirs);
  return sum;
}

/* The elements of this member; those of a member without a part are none. */
static inline struct coll_buffer *coll_part(const struct coll_how *how, size_t n) {
  coll.elem_bytes = how->elem_bytes;
  struct coll_buffer *buffer = coll_empty(n);
  if (coll.self < 0) return buffer;
  void *own = coll_combined(how, coll.self, coll.self, 0, n);
  coll_spread(buffer->data, own, n);
  coll_spread(buffer->wanted, own, n);
  free(own);
  return buffer;
}

/* A result of n elements in a buffer for `held`, or in the place of this member's data. */
static inline struct coll_buffer *coll_result(const struct coll_how *how, size_t held, bool in_place) {
  coll.elem_bytes = how->elem_bytes;
  return in_place ? coll_part(how, held) : coll_empty(held);
}
static inline void coll_wish_sum(struct coll_buffer *into, const struct coll_how *how, int last, size_t from, size_t n) {
  if (last < 0 || coll.self < 0) return;
  void *sum = coll_combined(how, 0, last, from, n);
  if (how->finish) how->finish(how, sum, n);
  into->how = how;
  into->n = n;
  coll_spread(into->wanted, sum, n);
  free(sum);
}

static inline void coll_reduce(const struct coll_how *how, size_t n, int root, bool in_place) {
  const bool is_root = coll.self == root;
  struct coll_buffer *from = NULL, *into = NULL;
  in_place = in_place && (is_root || coll.calls->scratches);
  if (is_root || coll.calls->scratches || coll.calls->keeps_unused) into = coll_result(how, n, in_place);
  if (is_root) coll_wish_sum(into, how, coll.size - 1, 0, n);
  else if (into) into->anything = coll.calls->scratches;
  if (!in_place) from = coll_part(how, n);
  COLL_CALL(reduce, from ? coll_data(from) : COLL_IN_PLACE, coll_data(into), n, root, how);
}

static inline void coll_allreduce(const struct coll_how *how, size_t n, bool in_place) {
  struct coll_buffer *into = coll_result(how, n, in_place);
  coll_wish_sum(into, how, coll.size - 1, 0, n);
  COLL_CALL(allreduce, in_place ? COLL_IN_PLACE : coll_data(coll_part(how, n)), coll_data(into), n, how);
}

static inline void coll_scan(const struct coll_how *how, size_t n, bool in_place) {
  struct coll_buffer *into = coll_result(how, n, in_place);
  coll_wish_sum(into, how, coll.self, 0, n);
  COLL_CALL(scan, in_place ? COLL_IN_PLACE : coll_data(coll_part(how, n)), coll_data(into), n, how);
}

/* The first member's buffer does not change. */
static inline void coll_exscan(const struct coll_how *how, size_t n, bool in_place) {
  struct coll_buffer *into = coll_result(how, n, in_place);
  coll_wish_sum(into, how, coll.self - 1, 0, n);
  into->anything = coll.calls->scratches && coll.self == 0;
  COLL_CALL(exscan, in_place ? COLL_IN_PLACE : coll_data(coll_part(how, n)), coll_data(into), n, how);
}

/* In place, the content behind the result is undefined. */
static inline void coll_wish_block(struct coll_buffer *into, const struct coll_how *how, size_t from, size_t n, size_t held) {
  coll_wish_sum(into, how, coll.size - 1, from, n);
  into->any_from = n;
  into->any_to = held;
}

static inline void coll_reduce_scatter_block(const struct coll_how *how, size_t n, bool in_place) {
  const size_t all = (size_t)coll.size * n;
  struct coll_buffer *into = coll_result(how, in_place ? all : n, in_place);
  coll_wish_block(into, how, (size_t)coll.self * n, n, in_place ? all : n);
  COLL_CALL(reduce_scatter_block, in_place ? COLL_IN_PLACE : coll_data(coll_part(how, all)), coll_data(into), n, how);
}

/* Member i gets n * (i % 3) of the elements. */
static inline void coll_reduce_scatter(const struct coll_how *how, size_t n, bool in_place) {
  size_t counts[COLL_MEMBERS_MAX], before = 0, total = 0;
  for (int i = 0; i < coll.size; i++) {
    counts[i] = n * (size_t)(i % 3);
    before += i < coll.self ? counts[i] : 0;
    total += counts[i];
  }
  const size_t own = counts[coll.self];
  struct coll_buffer *into = coll_result(how, in_place ? total : own, in_place);
  coll_wish_block(into, how, before, own, in_place ? total : own);
  COLL_CALL(reduce_scatter, in_place ? COLL_IN_PLACE : coll_data(coll_part(how, total)), coll_data(into), counts, how);
}

/* All reductions except reduce, on n elements each; reduce_scatter in parts of part_n. */
static inline void coll_combine_everywhere(const struct coll_how *how, size_t n, size_t part_n, bool in_place) {
  if (coll.calls->allreduce) coll_allreduce(how, n, in_place);
  if (coll.calls->scan) coll_scan(how, n, in_place);
  if (coll.calls->exscan) coll_exscan(how, n, in_place);
  if (coll.calls->reduce_scatter_block) coll_reduce_scatter_block(how, n, in_place);
  if (coll.calls->reduce_scatter) coll_reduce_scatter(how, part_n, in_place);
}

/* x -> a x + b: the composition of such maps, with the lower member's first, does not commute. */
struct coll_affine {
  uint32_t a, b;
};
static inline void coll_affine_fill(const struct coll_how *how, void *data, int who, size_t from, size_t n) {
  struct coll_affine *map = (struct coll_affine *)data;
  (void)how;
  for (size_t i = 0; i < n; i++) {
    map[i].a = (uint32_t)(2 * who + 3);
    map[i].b = (uint32_t)(from + i) * 11 + (uint32_t)who * 101;
  }
}
static inline void coll_affine_join(const struct coll_how *how, void *inout, const void *in, size_t from, size_t n) {
  struct coll_affine *later = (struct coll_affine *)inout;
  const struct coll_affine *first = (const struct coll_affine *)in;
  (void)how, (void)from;
  for (size_t i = 0; i < n; i++) {
    later[i].b += later[i].a * first[i].b;
    later[i].a *= first[i].a;
  }
}

#endif
