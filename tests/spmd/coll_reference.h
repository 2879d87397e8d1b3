/* The core's collectives for the generator of cases: the members' data, how it is combined, and the calls. */
#ifndef COLL_REFERENCE_H
#define COLL_REFERENCE_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "coll/coll.h"
#include "coll/nb.h"
#include "coll_moves.h"

/* Whether a test may exchange tsr_net to count messages. The thread sanitizer reports that a progress thread reads it. */
#ifdef __SANITIZE_THREAD__
enum { MAY_COUNT_MESSAGES = 0 };
#else
enum { MAY_COUNT_MESSAGES = 1 };
#endif

/* x -> a x + b; composition does not commute. */
struct map { uint32_t a, b; };
static inline void compose(void *inout, const void *in, size_t n, const tsr_reducer *reducer) {
  (void)reducer;
  struct map *later = inout;
  const struct map *first = in;
  for (size_t i = 0; i < n; i++) later[i] = (struct map){later[i].a * first[i].a, later[i].a * first[i].b + later[i].b};
}
#define MAPS_IN_ORDER {.elem_bytes = sizeof(struct map), .apply = compose, .commutes = false}

/* Elements of member `who`, from number `from` on: any bits; floating-point types have small whole numbers. */
static inline void fill_elements(const tsr_reducer *how, void *data, int who, size_t from, size_t n) {
  for (size_t i = 0; i < n; i++) {
    uint32_t x = (uint32_t)(who * 7919 + 1) * 2654435761u ^ (uint32_t)(from + i) * 40503u;
    char *at = (char *)data + i * how->elem_bytes;
    if (!how->commutes) memcpy(at, &(struct map){x | 1, x >> 3}, sizeof(struct map));
    else if (how->type == TSR_F32) memcpy(at, &(float){(float)(x % 1000)}, 4);
    else if (how->type == TSR_F64) memcpy(at, &(double){(double)(x % 1000)}, 8);
    else if (how->type == TSR_C128) memcpy(at, (double[]){(double)(x % 1000), (double)(x % 77)}, 16);
    else if (how->type == TSR_I64 || how->type == TSR_U64) memcpy(at, &(int64_t){(int64_t)x - (1 << 30)}, 8);
    else memcpy(at, &x, how->elem_bytes);
  }
}

/* The same for the generator of cases: `call` is the reducer. */
static inline void core_fill(const struct coll_how *how, void *data, int who, size_t from, size_t n) {
  fill_elements((const tsr_reducer *)how->call, data, who, from, n);
}
static inline void core_join(const struct coll_how *how, void *inout, const void *in, size_t from, size_t n) {
  const tsr_reducer *reducer = (const tsr_reducer *)how->call;
  (void)from;
  if (reducer->builtin && reducer->type == TSR_I64 && reducer->op == TSR_SUM) { /* computed without the code under test */
    for (size_t i = 0; i < n; i++) ((uint64_t *)inout)[i] += ((const uint64_t *)in)[i];
    return;
  }
  reducer->apply(inout, in, n, reducer);
}
static inline struct coll_how core_how(const tsr_reducer *reducer) {
  return (struct coll_how){.elem_bytes = reducer->elem_bytes, .fill = core_fill, .join = core_join, .call = reducer};
}

/* ---- The core's calls for the generator ---- */

static tsr_team *at_work;
static bool blocks;                          /* the next call blocks, if there is such a call, or */
static void (*started)(tsr_schedule *schedule); /* starts this */

#define CORE_RUN(name, ...)                                         \
  do {                                                              \
    if (blocks) CHECK_EQ(tsr_##name(__VA_ARGS__), TESSERA_OK);      \
    else started(tsr_nb_##name(__VA_ARGS__));                       \
  } while (0)
static inline size_t core_bytes(size_t n) { return n * coll.elem_bytes; }
static inline struct tsr_counts core_counts(const size_t *counts, const size_t *offs) { return (struct tsr_counts){counts, offs}; }
static inline void *core_own(void *send, void *recv) { return send == COLL_IN_PLACE ? recv : send; }

static void core_bcast(void *data, size_t n, int root) { CORE_RUN(bcast, at_work, data, core_bytes(n), TSR_MEMBER(root)); }
static void core_scatter(void *send, void *recv, size_t n, int root) {
  CORE_RUN(scatter, at_work, send, recv, core_bytes(n), TSR_MEMBER(root));
}
static void core_gather(void *send, void *recv, size_t n, int root) {
  CORE_RUN(gather, at_work, send, recv, core_bytes(n), TSR_MEMBER(root));
}
static void core_allgather(void *send, void *recv, size_t n) {
  if (send == COLL_IN_PLACE) send = (char *)recv + (size_t)coll.self * core_bytes(n);
  CORE_RUN(allgather, at_work, send, recv, core_bytes(n));
}
static void core_alltoall(void *send, void *recv, size_t n) { CORE_RUN(alltoall, at_work, send, recv, core_bytes(n)); }
static void core_reduce(void *send, void *recv, size_t n, int root, const struct coll_how *how) {
  CORE_RUN(reduce, at_work, core_own(send, recv), recv, n, how->call, TSR_MEMBER(root));
}
static void core_allreduce(void *send, void *recv, size_t n, const struct coll_how *how) {
  CORE_RUN(allreduce, at_work, core_own(send, recv), recv, n, how->call);
}

/* The elements of shares are bytes. */
static void core_scatterv(void *send, const size_t *counts, const size_t *offs, void *recv, size_t own, int root) {
  started(tsr_nb_scatterv(at_work, send, core_counts(counts, offs), recv, own, TSR_MEMBER(root)));
}
static void core_gatherv(void *send, size_t own, void *recv, const size_t *counts, const size_t *offs, int root) {
  started(tsr_nb_gatherv(at_work, send, own, recv, core_counts(counts, offs), TSR_MEMBER(root)));
}
static void core_allgatherv(void *send, size_t own, void *recv, const size_t *counts, const size_t *offs) {
  (void)own;
  if (send == COLL_IN_PLACE) send = (char *)recv + offs[coll.self];
  if (blocks) CHECK_EQ(tsr_allgatherv(at_work, send, recv, counts, offs), TESSERA_OK);
  else started(tsr_nb_allgatherv(at_work, send, recv, core_counts(counts, offs)));
}
static void core_alltoallv(void *send, const size_t *out, void *recv, const size_t *in, const size_t *offs) {
  started(tsr_nb_alltoallv(at_work, send, core_counts(out, offs), recv, core_counts(in, offs)));
}
static void core_scan(void *send, void *recv, size_t n, const struct coll_how *how) {
  started(tsr_nb_scan(at_work, core_own(send, recv), recv, n, how->call, false));
}
static void core_exscan(void *send, void *recv, size_t n, const struct coll_how *how) {
  started(tsr_nb_scan(at_work, core_own(send, recv), recv, n, how->call, true));
}
static void core_reduce_scatter(void *send, void *recv, const size_t *counts, const struct coll_how *how) {
  started(tsr_nb_reduce_scatter(at_work, core_own(send, recv), recv, counts, how->call));
}

static const struct coll_calls core_calls = {
  .bcast = core_bcast, .scatter = core_scatter, .gather = core_gather, .allgather = core_allgather, .alltoall = core_alltoall,
  .scatterv = core_scatterv, .gatherv = core_gatherv, .allgatherv = core_allgatherv, .alltoallv = core_alltoallv,
  .reduce = core_reduce, .allreduce = core_allreduce, .scan = core_scan, .exscan = core_exscan,
  .reduce_scatter = core_reduce_scatter, .scratches = true};

static inline void work_on(tsr_team *team) {
  at_work = team;
  coll.calls = &core_calls;
  coll.self = team->self;
  coll.size = team->size;
}

#endif
