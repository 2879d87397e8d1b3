/* The time of transfers to a target that computes and makes no calls, next to the time to a target that waits. */
#include "busy.h"
#include "works.h"

#include <stdlib.h>

struct call {
  dart_gptr_t there, over;
  void *here;
  size_t bytes;
};

static void put(void *arg) {
  const struct call *c = arg;
  works_check(dart_put_blocking(c->there, c->here, c->bytes, DART_TYPE_BYTE, DART_TYPE_BYTE), "dart_put_blocking");
}

static void get(void *arg) {
  const struct call *c = arg;
  works_check(dart_get_blocking(c->here, c->there, c->bytes, DART_TYPE_BYTE, DART_TYPE_BYTE), "dart_get_blocking");
}

static void fetch_add(void *arg) {
  const struct call *c = arg;
  uint64_t one = 1;
  works_check(dart_fetch_and_op(c->there, &one, c->here, DART_TYPE_ULONG, DART_OP_SUM), "dart_fetch_and_op");
  works_check(dart_flush(c->there), "dart_flush");
}

static void end(void *arg) {
  uint64_t yes = 1;
  works_check(dart_put_blocking(((struct call *)arg)->over, &yes, sizeof yes, DART_TYPE_BYTE, DART_TYPE_BYTE),
              "dart_put_blocking");
}

enum { PUT, GET, FETCH_ADD };
static void (*const calls[])(void *arg) = {[PUT] = put, [GET] = get, [FETCH_ADD] = fetch_add};

static void run(struct perf *p, const struct perf_work *work) {
  static const size_t sizes[] = {8, 1 << 20};
  int sizes_n = work->choice == FETCH_ADD ? 1 : 2;
  for (int i = 0; i < sizes_n; i++) {
    struct call c = {.bytes = sizes[i], .here = perf_buffer(sizes[i])};
    struct perf_busy busy = {calls[work->choice], end, &c, NULL};
    void *own;
    c.there = works_alloc(p, sizes[i], p->target);
    c.over = works_alloc(p, sizeof(uint64_t), p->target);
    works_check(dart_gptr_getaddr(works_at(c.over, p->unit), &own), "dart_gptr_getaddr");
    busy.over = own;
    perf_busy(p, work->name, sizes[i], &busy);
    free(c.here);
    works_free(c.over);
    works_free(c.there);
  }
}

const struct perf_work busy_works[] = {
    {"busy-target.put", "dart_put_blocking to a unit that computes; limit: to one that waits", run, NULL, PUT},
    {"busy-target.get", "dart_get_blocking from one", run, NULL, GET},
    {"busy-target.fetch_add", "dart_fetch_and_op and dart_flush on one", run, NULL, FETCH_ADD},
    {0},
};
