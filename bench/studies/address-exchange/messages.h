/* Collectives as algorithms of sends and receives. */
#ifndef BENCH_STUDIES_MESSAGES_H
#define BENCH_STUDIES_MESSAGES_H

#include <stdint.h>
#include <string.h>

#include "collectives.h"

/* A vector is cut into one part for each unit. Returns the element with which part i begins; i may be units_n. */
static inline size_t part_begin(size_t n, int i) { return n * (size_t)i / (size_t)units_n; }
static inline int unit_after(int unit, int steps) { return ((unit + steps) % units_n + units_n) % units_n; }
static inline int smaller(int a, int b) { return a < b ? a : b; }

static inline void add(double *restrict sum, const double *restrict more, size_t n) {
  for (size_t i = 0; i < n; i++) sum[i] += more[i];
}

/* Dissemination: after round k a unit knows of 2^(k+1) units that they have arrived. */
static inline void messages_barrier(void) {
  char empty = 0, received;
  for (int distance = 1; distance < units_n; distance *= 2)
    link_exchange(&empty, 1, unit_after(me, distance), &received, 1, unit_after(me, -distance));
}

/* A range of parts of a broadcast's data, as numbers relative to the root: bytes from `begin` on. */
struct range {
  char *begin;
  size_t bytes;
};

static inline struct range parts(char *data, size_t bytes, int first, int end) {
  const size_t from = part_begin(bytes, first), to = part_begin(bytes, smaller(end, units_n));
  return (struct range){data + from, to - from};
}

/* A binomial tree from the root. A unit sends to each child all the data, or only the parts of the child and of its subtree. */
static inline void messages_tree(char *data, size_t bytes, int root, bool only_parts) {
  const int own = unit_after(me, -root);
  int distance = 1; /* to the parent, and the number of units in the subtree */
  while (distance < units_n && !(own & distance)) distance *= 2;
  if (own) {
    struct range from_parent = {data, bytes};
    if (only_parts) from_parent = parts(data, bytes, own, own + distance);
    link_receive(from_parent.begin, from_parent.bytes, unit_after(me, -distance));
  }
  for (distance /= 2; distance; distance /= 2) {
    if (own + distance >= units_n) continue;
    struct range to_child = {data, bytes};
    if (only_parts) to_child = parts(data, bytes, own + distance, own + 2 * distance);
    link_send(to_child.begin, to_child.bytes, unit_after(me, distance));
  }
}

static inline void messages_bcast_binomial(void *data, size_t bytes, int root) { messages_tree(data, bytes, root, false); }

/* For long data: the root scatters it down the tree, and a ring collects the parts. The root then sends little more than the data
 * once, and not once to each child. */
static inline void messages_bcast_scattered(void *data, size_t bytes, int root) {
  const int own = unit_after(me, -root);
  messages_tree(data, bytes, root, true);
  for (int step = 0; step < units_n - 1; step++) {
    const int sent = unit_after(own, -step), received = unit_after(sent, -1);
    const struct range to = parts(data, bytes, sent, sent + 1), from = parts(data, bytes, received, received + 1);
    link_exchange(to.begin, to.bytes, unit_after(me, 1), from.begin, from.bytes, unit_after(me, -1));
  }
}

/* Recursive doubling among a power of two of units. Of the first 2 * `others` units, each odd one leaves its data to the one
 * before it, and gets the result from it. `room` has room for n elements. */
static inline void messages_allreduce_doubling(const double *from, double *to, size_t n, double *room) {
  const size_t bytes = n * sizeof *to;
  int power = 1;
  while (2 * power <= units_n) power *= 2;
  const int others = units_n - power;
  memcpy(to, from, bytes);
  if (me < 2 * others && me % 2) {
    link_send(to, bytes, me - 1);
    link_receive(to, bytes, me - 1);
    return;
  }
  if (me < 2 * others) {
    link_receive(room, bytes, me + 1);
    add(to, room, n);
  }
  const int own = me < 2 * others ? me / 2 : me - others;
  for (int distance = 1; distance < power; distance *= 2) {
    const int other = own ^ distance, unit = other < others ? 2 * other : other + others;
    link_exchange(to, bytes, unit, room, bytes, unit);
    add(to, room, n);
  }
  if (me < 2 * others) link_send(to, bytes, me + 1);
}

/* One step around the ring: sends a part to the next unit and receives the part before it, to `to` or to `room`. */
static inline size_t ring_step(double *to, size_t n, int part, double *room) {
  const int before = unit_after(part, -1);
  const size_t sent = part_begin(n, part), sent_n = part_begin(n, part + 1) - sent;
  const size_t got = part_begin(n, before), got_n = part_begin(n, before + 1) - got;
  double *buffer = room ? room : to + got;
  link_exchange(to + sent, sent_n * sizeof *to, unit_after(me, 1), buffer, got_n * sizeof *to, unit_after(me, -1));
  return got_n;
}

/* Each part goes around once while it is added up, and once more as a result: 2 n elements leave a unit, however many there
 * are. */
static inline void messages_allreduce_ring(const double *from, double *to, size_t n, double *room) {
  memcpy(to, from, n * sizeof *to);
  for (int step = 0; step < units_n - 1; step++) {
    const int part = unit_after(me, -step);
    const size_t got_n = ring_step(to, n, part, room);
    add(to + part_begin(n, unit_after(part, -1)), room, got_n);
  }
  for (int step = 0; step < units_n - 1; step++) ring_step(to, n, unit_after(me, 1 - step), NULL);
}

static inline void messages_allgather(const void *from, void *to, size_t bytes) {
  char *const blocks = to;
  memcpy(blocks + (size_t)me * bytes, from, bytes);
  for (int step = 0; step < units_n - 1; step++) {
    const char *sent = blocks + (size_t)unit_after(me, -step) * bytes;
    char *received = blocks + (size_t)unit_after(me, -step - 1) * bytes;
    link_exchange(sent, bytes, unit_after(me, 1), received, bytes, unit_after(me, -1));
  }
}

/* In step k each unit sends to the unit k after it. */
static inline void messages_alltoall(const void *from, void *to, size_t bytes) {
  const char *const sent = from;
  char *const received = to;
  memcpy(received + (size_t)me * bytes, sent + (size_t)me * bytes, bytes);
  for (int step = 1; step < units_n; step++) {
    const int next = unit_after(me, step), previous = unit_after(me, -step);
    link_exchange(sent + (size_t)next * bytes, bytes, next, received + (size_t)previous * bytes, bytes, previous);
  }
}

#endif
