/* GASNet's contiguous puts and gets. Unit 0 and the target; the other units sleep. */
#include <stdlib.h>

#include "gasnet_works.h"
#include "limits.h"

struct transfer {
  struct gasnet_place place;
  char *here;
  size_t bytes;
};

/* Eight bytes are a constant for the compiler, as in a program. */
#define SIZED(name)                                                                 \
  static void name(void *arg, uint64_t n) {                                         \
    const struct transfer *t = arg;                                                 \
    if (t->bytes == 8) name##_loop(t, 8, n);                                        \
    else name##_loop(t, t->bytes, n);                                               \
  }
#define LOOP static inline __attribute__((always_inline)) void

LOOP put_loop(const struct transfer *t, size_t bytes, uint64_t n) {
  const struct transfer at = *t;
  while (n--) gex_RMA_PutBlocking(at.place.all, at.place.rank, at.place.there, at.here, bytes, 0);
}

LOOP put_nb_loop(const struct transfer *t, size_t bytes, uint64_t n) {
  const struct transfer at = *t;
  while (n--)
    gex_Event_Wait(gex_RMA_PutNB(at.place.all, at.place.rank, at.place.there, at.here, bytes, GEX_EVENT_DEFER, 0));
}

LOOP put_nbi_loop(const struct transfer *t, size_t bytes, uint64_t n) {
  const struct transfer at = *t;
  while (n--) gex_RMA_PutNBI(at.place.all, at.place.rank, at.place.there, at.here, bytes, GEX_EVENT_DEFER, 0);
  gex_NBI_Wait(GEX_EC_PUT, 0);
}

/* A wait after each. */
LOOP put_nbi_wait_loop(const struct transfer *t, size_t bytes, uint64_t n) {
  const struct transfer at = *t;
  while (n--) {
    gex_RMA_PutNBI(at.place.all, at.place.rank, at.place.there, at.here, bytes, GEX_EVENT_DEFER, 0);
    gex_NBI_Wait(GEX_EC_PUT, 0);
  }
}

/* The source may be reused on return. */
LOOP put_now_loop(const struct transfer *t, size_t bytes, uint64_t n) {
  const struct transfer at = *t;
  while (n--) gex_RMA_PutNBI(at.place.all, at.place.rank, at.place.there, at.here, bytes, GEX_EVENT_NOW, 0);
  gex_NBI_Wait(GEX_EC_PUT, 0);
}

LOOP get_loop(const struct transfer *t, size_t bytes, uint64_t n) {
  const struct transfer at = *t;
  while (n--) gex_RMA_GetBlocking(at.place.all, at.here, at.place.rank, at.place.there, bytes, 0);
}

LOOP get_nb_loop(const struct transfer *t, size_t bytes, uint64_t n) {
  const struct transfer at = *t;
  while (n--) gex_Event_Wait(gex_RMA_GetNB(at.place.all, at.here, at.place.rank, at.place.there, bytes, 0));
}

LOOP get_nbi_loop(const struct transfer *t, size_t bytes, uint64_t n) {
  const struct transfer at = *t;
  while (n--) gex_RMA_GetNBI(at.place.all, at.here, at.place.rank, at.place.there, bytes, 0);
  gex_NBI_Wait(GEX_EC_GET, 0);
}

SIZED(put)
SIZED(put_nb)
SIZED(put_nbi)
SIZED(put_nbi_wait)
SIZED(put_now)
SIZED(get)
SIZED(get_nb)
SIZED(get_nbi)

struct way {
  const char *name;
  perf_loop loop;
};
static const struct way put_loops[] = {{"blocking", put}, {"nb", put_nb}, {"nbi", put_nbi},
                                        {"nbi-wait", put_nbi_wait}, {"nbi-now", put_now}, {0}};
static const struct way get_loops[] = {{"blocking", get}, {"nb", get_nb}, {"nbi", get_nbi}, {0}};

static const struct perf_op *limit_of(const struct perf *p, enum limits_copy way, size_t bytes) {
  return bytes == 8 ? limits_store(p, way) : limits_copy(p, way, bytes);
}

static void run_transfer(struct perf *p, const struct perf_work *work) {
  const enum limits_copy way = (enum limits_copy)work->choice;
  for (const struct way *w = way == LIMITS_PUT ? put_loops : get_loops; w->name; w++)
    for (int i = 0; i < p->bytes_n; i++) {
      struct transfer t = {.bytes = p->bytes[i], .here = perf_buffer(p->bytes[i])};
      struct perf_op op = {w->loop, &t, 1, false};
      struct perf_result result;
      gasnet_open(p, t.bytes, p->target, &t.place);
      perf_measure(p, &op, limit_of(p, way, t.bytes), &result);
      perf_row_copy(p, work->name, w->name, t.bytes, &result);
      gasnet_close(&t.place);
      free(t.here);
    }
}

const struct perf_work gasnet_transfer_works[] = {
    {"gasnet.put",
     "gex_RMA_Put: blocking, with one event each, implicit, and implicit with a reusable source on return",
     run_transfer, NULL, LIMITS_PUT},
    {"gasnet.get", "gex_RMA_Get: blocking, with one event each, and implicit", run_transfer, NULL, LIMITS_GET},
    {0},
};
