/* put and get between unit 0 and the target; the other units sleep. */
#include "works.h"

#include <stdlib.h>

#include "limits.h"

struct transfer {
  dart_gptr_t remote;
  void *local;
  size_t bytes;
  bool gets;
};

static void blocking(void *arg, uint64_t n) {
  const struct transfer *t = arg;
  const bool gets = t->gets;
  dart_ret_t bad = DART_OK;
  for (uint64_t i = 0; i < n; i++)
    bad |= gets ? dart_get_blocking(t->local, t->remote, t->bytes, DART_TYPE_BYTE, DART_TYPE_BYTE)
                   : dart_put_blocking(t->remote, t->local, t->bytes, DART_TYPE_BYTE, DART_TYPE_BYTE);
  works_check(bad, gets ? "dart_get_blocking" : "dart_put_blocking");
}

static void flushed(void *arg, uint64_t n) {
  const struct transfer *t = arg;
  const bool gets = t->gets;
  dart_ret_t bad = DART_OK;
  for (uint64_t i = 0; i < n; i++) {
    bad |= gets ? dart_get(t->local, t->remote, t->bytes, DART_TYPE_BYTE, DART_TYPE_BYTE)
                   : dart_put(t->remote, t->local, t->bytes, DART_TYPE_BYTE, DART_TYPE_BYTE);
    bad |= dart_flush(t->remote);
  }
  works_check(bad, gets ? "dart_get or dart_flush" : "dart_put or dart_flush");
}

static void waited_for(void *arg, uint64_t n) {
  const struct transfer *t = arg;
  const bool gets = t->gets;
  dart_ret_t bad = DART_OK;
  for (uint64_t i = 0; i < n; i++) {
    dart_handle_t handle = DART_HANDLE_NULL;
    bad |= gets ? dart_get_handle(t->local, t->remote, t->bytes, DART_TYPE_BYTE, DART_TYPE_BYTE, &handle)
                   : dart_put_handle(t->remote, t->local, t->bytes, DART_TYPE_BYTE, DART_TYPE_BYTE, &handle);
    bad |= dart_wait(&handle);
  }
  works_check(bad, gets ? "dart_get_handle or dart_wait" : "dart_put_handle or dart_wait");
}

/* No figure of a wrong result is printed. */
static void print_checked(const struct perf *p, const struct perf_work *work, const struct perf_op *op,
                          const struct perf_result *result) {
  const struct transfer *t = op->arg;
  void *remote = works_at_target(p, t->remote), *local = p->unit == 0 ? t->local : NULL;
  perf_check_copy(p, work->name, op, t->gets ? remote : local, t->gets ? local : remote, t->bytes);
  perf_row_copy(p, work->name, "plain", t->bytes, result);
}

/* The work's choice is the direction of the bare copy that is its limit. */
static void run(struct perf *p, const struct perf_work *work) {
  for (int i = 0; i < p->bytes_n; i++) {
    struct transfer t = {.bytes = p->bytes[i], .gets = work->choice == LIMITS_GET};
    struct perf_result result;
    t.remote = works_alloc(p, t.bytes, p->target);
    t.local = perf_buffer(t.bytes);
    struct perf_op op = {work->loop, &t, 1, false};
    perf_measure(p, &op, limits_copy(p, (enum limits_copy)work->choice, t.bytes), &result);
    print_checked(p, work, &op, &result);
    free(t.local);
    works_free(t.remote);
  }
}

/* How much higher the target's part of symmetric memory lies than unit 0's. Collective. */
static size_t apart(const struct perf *p, const void *own) {
  uintptr_t at[] = {(uintptr_t)own, (uintptr_t)own};
  works_check(dart_bcast(&at[0], sizeof at[0], DART_TYPE_BYTE, (dart_team_unit_t){0}, DART_TEAM_ALL), "dart_bcast");
  works_check(dart_bcast(&at[1], sizeof at[1], DART_TYPE_BYTE, (dart_team_unit_t){p->target}, DART_TEAM_ALL), "dart_bcast");
  return at[1] - at[0];
}

/* The same from heap to heap at equal offsets, as for symmetric data. */
static void run_symmetric(struct perf *p, const struct perf_work *work) {
  for (int i = 0; i < p->bytes_n; i++) {
    struct transfer t = {.bytes = p->bytes[i], .gets = work->choice == LIMITS_GET};
    struct perf_result result;
    t.remote = works_alloc(p, t.bytes, p->target);
    works_check(dart_gptr_getaddr(works_at(t.remote, p->unit), &t.local), "dart_gptr_getaddr");
    struct perf_op op = {work->loop, &t, 1, false};
    perf_measure(p, &op, limits_copy_apart(p, (enum limits_copy)work->choice, t.bytes, apart(p, t.local)), &result);
    print_checked(p, work, &op, &result);
    works_free(t.remote);
  }
}

/* The same on memory of the target that Tessera did not allocate. */
static void run_registered(struct perf *p, const struct perf_work *work) {
  for (int i = 0; i < p->bytes_n; i++) {
    struct transfer t = {.bytes = p->bytes[i], .gets = work->choice == LIMITS_GET};
    struct perf_result result;
    void *memory = perf_buffer(t.bytes);
    dart_gptr_t all;
    works_check(dart_team_memregister(DART_TEAM_ALL, t.bytes, DART_TYPE_BYTE, memory, &all), "dart_team_memregister");
    t.remote = works_at(all, p->target);
    t.local = perf_buffer(t.bytes);
    struct perf_op op = {work->loop, &t, 1, false};
    perf_measure(p, &op, limits_attach(p, (enum limits_copy)work->choice, t.bytes, memory), &result);
    print_checked(p, work, &op, &result);
    works_check(dart_team_memderegister(all), "dart_team_memderegister");
    free(t.local);
    free(memory);
  }
}

const struct perf_work transfer_works[] = {
    {"put.blocking", "dart_put_blocking", run, blocking, LIMITS_PUT},
    {"put.nb", "dart_put and dart_flush", run, flushed, LIMITS_PUT},
    {"put.handle", "dart_put_handle and dart_wait", run, waited_for, LIMITS_PUT},
    {"get.blocking", "dart_get_blocking", run, blocking, LIMITS_GET},
    {"get.nb", "dart_get and dart_flush", run, flushed, LIMITS_GET},
    {"get.handle", "dart_get_handle and dart_wait", run, waited_for, LIMITS_GET},
    {"put.symmetric", "dart_put_blocking from heap to heap at equal offsets", run_symmetric, blocking, LIMITS_PUT},
    {"get.symmetric", "dart_get_blocking from heap to heap at equal offsets", run_symmetric, blocking, LIMITS_GET},
    {"put.registered", "dart_put_blocking to memory that the target has registered", run_registered, blocking,
     LIMITS_PUT},
    {"get.registered", "dart_get_blocking from memory that the target has registered", run_registered, blocking,
     LIMITS_GET},
    {0},
};
