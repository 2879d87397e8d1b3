/* OpenSHMEM's transfers to the heap and to static variables of the target. Unit 0 and the target; the other units sleep. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "limits.h"
#include "shapes.h"
#include "shmem_works.h"

enum { STATIC_BYTES = 64 << 10 };
static _Alignas(4096) char variables[STATIC_BYTES];

void *perf_symmetric(size_t bytes) {
  void *memory = shmem_align(4096, bytes);
  if (memory) return memory;
  fprintf(stderr, "perf: no symmetric memory for %zu bytes: raise SHMEM_SYMMETRIC_SIZE (Open MPI: SHMEM_SYMMETRIC_HEAP_SIZE)\n",
          bytes);
  shmem_global_exit(1);
  return NULL;
}

void perf_shmem_require(bool good, const char *call) {
  if (good) return;
  fprintf(stderr, "perf: %s failed\n", call);
  shmem_global_exit(1);
}

void perf_shmem_open(size_t bytes, int pe, struct perf_shmem_place *place) {
  *place = (struct perf_shmem_place){perf_symmetric(bytes), perf_buffer(bytes), bytes, pe};
  memset(place->remote, 0, bytes);
  shmem_barrier_all();
}

void perf_shmem_close(struct perf_shmem_place *place) {
  shmem_free(place->remote);
  free(place->local);
}

/* ---- single elements ---- */

static void store_elements(void *arg, uint64_t n) {
  const struct perf_shmem_place at = *(const struct perf_shmem_place *)arg;
  for (uint64_t i = 0; i < n; i++) shmem_long_p(at.remote, (long)i, at.pe);
  shmem_quiet();
}

static void load_elements(void *arg, uint64_t n) {
  const struct perf_shmem_place at = *(const struct perf_shmem_place *)arg;
  long sum = 0;
  for (uint64_t i = 0; i < n; i++) sum += shmem_long_g(at.remote, at.pe);
  *(volatile long *)at.local = sum;
}

/* ---- contiguous ---- */

/* Eight bytes are a constant for the compiler, as in a program. */
#define SIZED(name)                                                  \
  static void name(void *arg, uint64_t n) {                          \
    const struct perf_shmem_place *at = arg;                         \
    if (at->bytes == 8) name##_loop(*at, 8, n);                      \
    else name##_loop(*at, at->bytes, n);                             \
  }
#define LOOP static inline __attribute__((always_inline)) void

LOOP put_each_loop(const struct perf_shmem_place at, size_t bytes, uint64_t n) {
  while (n--) {
    shmem_putmem(at.remote, at.local, bytes, at.pe);
    shmem_quiet();
  }
}

LOOP get_each_loop(const struct perf_shmem_place at, size_t bytes, uint64_t n) {
  while (n--) shmem_getmem(at.local, at.remote, bytes, at.pe);
}

LOOP put_flood_loop(const struct perf_shmem_place at, size_t bytes, uint64_t n) {
  for (uint64_t i = 1; i <= n; i++) {
    shmem_putmem_nbi(at.remote, at.local, bytes, at.pe);
    if (i % PERF_FLOOD_N == 0) shmem_quiet();
  }
  shmem_quiet();
}

SIZED(put_each)
SIZED(get_each)
SIZED(put_flood)

static enum limits_copy way_of(perf_loop loop) { return loop == get_each || loop == load_elements ? LIMITS_GET : LIMITS_PUT; }

static void measure_place(const struct perf *p, const struct perf_work *work, const char *variant,
                          const struct perf_shmem_place *place) {
  struct perf_shmem_place at = *place;
  struct perf_op op = {work->loop, &at, 1, false};
  struct perf_result result;
  const enum limits_copy way = way_of(work->loop);
  perf_measure(p, &op, at.bytes == 8 ? limits_store(p, way) : limits_copy(p, way, at.bytes), &result);
  void *remote = p->unit == at.pe ? at.remote : NULL, *local = p->unit == 0 ? at.local : NULL;
  if (work->loop != store_elements && work->loop != load_elements)
    perf_check_copy(p, work->name, &op, way == LIMITS_GET ? remote : local, way == LIMITS_GET ? local : remote, at.bytes);
  perf_row_copy(p, work->name, variant, at.bytes, &result);
}

static void run_size(const struct perf *p, const struct perf_work *work, size_t bytes) {
  struct perf_shmem_place at;
  perf_shmem_open(bytes, p->target, &at);
  measure_place(p, work, "heap", &at);
  struct perf_shmem_place of_variables = {variables, at.local, bytes, at.pe};
  if (bytes <= sizeof variables) measure_place(p, work, "static", &of_variables);
  perf_shmem_close(&at);
}

static void run_contiguous(struct perf *p, const struct perf_work *work) {
  for (int i = 0; i < p->bytes_n; i++) run_size(p, work, p->bytes[i]);
}
static void run_element(struct perf *p, const struct perf_work *work) { run_size(p, work, sizeof(long)); }

/* ---- strided: every second double of the target ---- */

static void put_strided(void *arg, uint64_t n) {
  const struct perf_shmem_place *at = arg;
  while (n--) {
    shmem_double_iput(at->remote, at->local, 2, 1, at->bytes / 2 / sizeof(double), at->pe);
    shmem_quiet();
  }
}

static void get_strided(void *arg, uint64_t n) {
  const struct perf_shmem_place *at = arg;
  while (n--) shmem_double_iget(at->local, at->remote, 1, 2, at->bytes / 2 / sizeof(double), at->pe);
}

static void run_strided(struct perf *p, const struct perf_work *work) {
  for (int i = 0; i < p->bytes_n; i++) {
    const struct limits_blocks blocks = {p->bytes[i] / sizeof(double), 1, NULL};
    struct perf_shmem_place at;
    struct perf_op op = {work->loop, &at, 1, false};
    struct perf_result result;
    if (p->bytes[i] % sizeof(double)) continue;
    perf_shmem_open(2 * p->bytes[i], p->target, &at);
    perf_measure(p, &op, limits_blocks(p, (enum limits_copy)work->choice, &blocks), &result);
    perf_row_copy(p, work->name, "plain", p->bytes[i], &result);
    perf_shmem_close(&at);
  }
}

const struct perf_work shmem_transfer_works[] = {
    {"shmem.p", "shmem_long_p to the heap and to a static variable; a quiet at the end", run_element, store_elements, 0},
    {"shmem.g", "shmem_long_g of the same", run_element, load_elements, 0},
    {"shmem.put", "shmem_putmem and shmem_quiet, to the heap and to static variables", run_contiguous, put_each, 0},
    {"shmem.get", "shmem_getmem of the same", run_contiguous, get_each, 0},
    {"shmem.put_nbi", "64 times shmem_putmem_nbi, and shmem_quiet: the time of one", run_contiguous, put_flood, 0},
    {"shmem.iput", "shmem_double_iput to every second double, and shmem_quiet", run_strided, put_strided, LIMITS_PUT},
    {"shmem.iget", "shmem_double_iget of every second double", run_strided, get_strided, LIMITS_GET},
    {0},
};
