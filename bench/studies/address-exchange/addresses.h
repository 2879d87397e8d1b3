/* Collectives by address exchange. Each begins with units that tell each other where their data is, and ends with signals that
 * it has been read, so that the buffers may be used again on return. In between, each unit copies for itself what it needs, all
 * at the same time: there is no copy into a buffer of the library, and no unit waits for its turn in a tree. */
#ifndef BENCH_STUDIES_ADDRESSES_H
#define BENCH_STUDIES_ADDRESSES_H

#include "collectives.h"
#include "messages.h"

enum { VIEW_N = 4096 /* elements that are added up at once, which stay in the first cache meanwhile */ };

/* To or from all others. Each unit begins with the one after it, so that they do not all meet at one. */
static inline void tell_all(const void *first, const void *second) {
  heap_show(first, second);
  for (int i = 1; i < units_n; i++) heap_tell(unit_after(me, i));
}
static inline void signal_all(void) {
  for (int i = 1; i < units_n; i++) heap_signal(unit_after(me, i));
}
static inline void await_all(void) {
  for (int i = 1; i < units_n; i++) heap_await(unit_after(me, -i));
}

/* Dissemination, as with messages, but a round is one store to each side. */
static inline void addresses_barrier(void) {
  for (int distance = 1; distance < units_n; distance *= 2) {
    heap_signal(unit_after(me, distance));
    heap_await(unit_after(me, -distance));
  }
}

static inline void addresses_bcast(void *data, size_t bytes, int root) {
  if (me == root) {
    tell_all(data, data);
    await_all();
    return;
  }
  heap_await(root);
  heap_fetch(data, root, FIRST, 0, bytes);
  heap_complete();
  heap_signal(root);
}

/* Adds the other units' elements of the caller's part to its own, piece by piece. */
static inline void add_part(const double *from, double *to, size_t begin, size_t end, double *room) {
  for (size_t at = begin; at < end; at += VIEW_N) {
    const size_t n = end - at < VIEW_N ? end - at : VIEW_N;
    memcpy(to + at, from + at, n * sizeof *to);
    for (int i = 1; i < units_n; i++) add(to + at, heap_view(unit_after(me, i), FIRST, at * sizeof *to, n * sizeof *to, room), n);
  }
}

/* Each unit adds up one part of the vector, in the memory of all, and then copies the other parts from those that added them
 * up. `room` has room for VIEW_N elements. */
static inline void addresses_allreduce(const double *from, double *to, size_t n, double *room) {
  tell_all(from, to);
  await_all();
  add_part(from, to, part_begin(n, me), part_begin(n, me + 1), room);
  signal_all();
  for (int i = 1; i < units_n; i++) {
    const int unit = unit_after(me, -i);
    const size_t begin = part_begin(n, unit), end = part_begin(n, unit + 1);
    heap_await(unit);
    heap_fetch(to + begin, unit, SECOND, begin * sizeof *to, (end - begin) * sizeof *to);
  }
  heap_complete();
  signal_all();
  await_all();
}

/* Fetches a block from each unit, from `step` times the caller's number on: 0 for the same block of all, or the caller's own. */
static inline void fetch_blocks(const void *from, void *to, size_t bytes, size_t step) {
  char *const blocks = to;
  const size_t own = step * (size_t)me;
  tell_all(from, from);
  memcpy(blocks + (size_t)me * bytes, (const char *)from + own, bytes);
  for (int i = 1; i < units_n; i++) {
    const int unit = unit_after(me, -i);
    heap_await(unit);
    heap_fetch(blocks + (size_t)unit * bytes, unit, FIRST, own, bytes);
  }
  heap_complete();
  signal_all();
  await_all();
}

static inline void addresses_allgather(const void *from, void *to, size_t bytes) { fetch_blocks(from, to, bytes, 0); }
static inline void addresses_alltoall(const void *from, void *to, size_t bytes) { fetch_blocks(from, to, bytes, bytes); }

#endif
