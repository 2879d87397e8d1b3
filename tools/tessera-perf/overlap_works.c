/* The share of a non-blocking transfer's time in which the origin can compute. */
#include "overlap.h"
#include "works.h"

#include <stdlib.h>

struct move {
  dart_gptr_t there;
  void *here;
  size_t bytes;
  dart_handle_t handle;
};

static void start_put(void *arg) {
  struct move *m = arg;
  works_check(dart_put_handle(m->there, m->here, m->bytes, DART_TYPE_BYTE, DART_TYPE_BYTE, &m->handle), "dart_put_handle");
}

static void start_get(void *arg) {
  struct move *m = arg;
  works_check(dart_get_handle(m->here, m->there, m->bytes, DART_TYPE_BYTE, DART_TYPE_BYTE, &m->handle), "dart_get_handle");
}

static void complete(void *arg) { works_check(dart_wait(&((struct move *)arg)->handle), "dart_wait"); }

enum { PUT, GET };

static void measure(const struct perf *p, const struct perf_work *work, const char *variant, struct move *m) {
  void *remote = works_at_target(p, m->there), *local = p->unit == 0 ? m->here : NULL;
  const struct perf_transfer transfer = work->choice == PUT
                                            ? (struct perf_transfer){start_put, complete, m, local, remote}
                                            : (struct perf_transfer){start_get, complete, m, remote, local};
  perf_overlap(p, work->name, variant, m->bytes, &transfer);
}

static void run(struct perf *p, const struct perf_work *work) {
  for (int i = 0; i < p->bytes_n; i++) {
    struct move m = {.bytes = p->bytes[i], .handle = DART_HANDLE_NULL};
    dart_gptr_t there = works_alloc(p, m.bytes, p->target), own = works_alloc(p, m.bytes, p->unit);
    m.there = there;
    works_check(dart_gptr_getaddr(own, &m.here), "dart_gptr_getaddr");
    measure(p, work, "global", &m);
    m.here = perf_buffer(m.bytes);
    measure(p, work, "plain", &m);
    free(m.here);
    works_free(own);
    works_free(there);
  }
}

const struct perf_work overlap_works[] = {
    {"overlap.put", "dart_put_handle, computation, dart_wait: share of the transfer's time left for computation",
     run, NULL,
     PUT},
    {"overlap.get", "dart_get_handle, computation, dart_wait: the same", run, NULL, GET},
    {0},
};
