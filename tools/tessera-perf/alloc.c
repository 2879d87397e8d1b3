/* Collective allocation. One operation allocates, writes every page of the unit's part if the work says so, and frees.
 */
#include "works.h"

struct cycle {
  const struct perf *p;
  size_t bytes;
  bool touched;
};

static void cycle(void *arg, uint64_t n) {
  const struct cycle *c = arg;
  for (uint64_t i = 0; i < n; i++) {
    dart_gptr_t memory;
    void *own;
    works_check(dart_team_memalloc_aligned(DART_TEAM_ALL, c->bytes, DART_TYPE_BYTE, &memory),
                "dart_team_memalloc_aligned");
    if (c->touched) {
      works_check(dart_gptr_getaddr(works_at(memory, c->p->unit), &own), "dart_gptr_getaddr");
      perf_touch(own, c->bytes);
    }
    works_check(dart_team_memfree(memory), "dart_team_memfree");
  }
}

static void run(struct perf *p, const struct perf_work *work) {
  static const size_t usual[] = {64, 64 << 10, 1 << 20, 64 << 20};
  const size_t *bytes = p->bytes_given ? p->bytes : usual;
  int bytes_n = p->bytes_given ? p->bytes_n : (int)(sizeof usual / sizeof *usual);
  for (int i = 0; i < bytes_n; i++) {
    struct perf_result result;
    struct cycle c = {p, bytes[i], work->choice != 0};
    struct perf_op op = {work->loop, &c, p->units, p->units > 1 && c.touched};
    perf_measure(p, &op, NULL, &result);
    perf_row_time(p, work->name, "plain", bytes[i], &result);
  }
}

const struct perf_work alloc_works[] = {
    {"alloc.team", "dart_team_memalloc_aligned and dart_team_memfree", run, cycle, false},
    {"alloc.team.touched", "the same, writing every page of the own part once in between", run, cycle, true},
    {0},
};
