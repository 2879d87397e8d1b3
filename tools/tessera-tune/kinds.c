/* The collectives whose algorithm can be selected, and the measurement of their times. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <tessera.h>

#include "tune.h"

const size_t tune_sizes[SIZES_N] = {8, 64, 512, 4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20};
const char *const tune_algorithms[ALGORITHMS_N] = {"tree", "doubling", "direct", "ring", "halving", "nodes"};

bool tune_knows(const struct tune_kind *kind, const char *algorithm) {
  const char *at = strstr(kind->algorithms, algorithm);
  return at && (at[strlen(algorithm)] == ' ' || !at[strlen(algorithm)]);
}

static tessera_reduction_t sum(void) { return tessera_builtin(TESSERA_F64, TESSERA_SUM); }

static tessera_status_t barrier(void *send, void *recv, size_t bytes, int32_t root, tessera_request_t *request) {
  (void)send, (void)recv, (void)bytes, (void)root;
  return tessera_barrier_nb(tessera_team_world(), request);
}
static tessera_status_t bcast(void *send, void *recv, size_t bytes, int32_t root, tessera_request_t *request) {
  (void)recv;
  return tessera_bcast_nb(tessera_team_world(), send, bytes, root, request);
}
static tessera_status_t scatter(void *send, void *recv, size_t bytes, int32_t root, tessera_request_t *request) {
  return tessera_scatter_nb(tessera_team_world(), send, recv, bytes, root, request);
}
static tessera_status_t gather(void *send, void *recv, size_t bytes, int32_t root, tessera_request_t *request) {
  return tessera_gather_nb(tessera_team_world(), send, recv, bytes, root, request);
}
static tessera_status_t allgather(void *send, void *recv, size_t bytes, int32_t root, tessera_request_t *request) {
  (void)root;
  return tessera_allgather_nb(tessera_team_world(), send, recv, bytes, request);
}
static tessera_status_t reduce(void *send, void *recv, size_t bytes, int32_t root, tessera_request_t *request) {
  return tessera_reduce_nb(tessera_team_world(), send, recv, bytes / sizeof(double), sum(), root, request);
}
static tessera_status_t allreduce(void *send, void *recv, size_t bytes, int32_t root, tessera_request_t *request) {
  (void)root;
  return tessera_allreduce_nb(tessera_team_world(), send, recv, bytes / sizeof(double), sum(), request);
}
/* The whole vector in nearly equal parts. */
static tessera_status_t reduce_scatter(void *send, void *recv, size_t bytes, int32_t root, tessera_request_t *request) {
  (void)root;
  size_t units = (size_t)tessera_units(), n = bytes / sizeof(double), *counts = malloc(units * sizeof *counts);
  if (!counts) return TESSERA_ERR_MEMORY;
  for (size_t i = 0; i < units; i++) counts[i] = n / units + (i < n % units);
  tessera_status_t status = tessera_reduce_scatter_nb(tessera_team_world(), send, recv, counts, sum(), request);
  free(counts);
  return status;
}

/* These calls are complete on return. `bytes` is the size of the shares of one node's members together. */
static size_t part_of_node(size_t bytes) {
  size_t part = bytes * (size_t)tessera_nodes() / (size_t)tessera_units();
  return part ? part : 1;
}
static tessera_status_t scatter_leaders(void *send, void *recv, size_t bytes, int32_t root, tessera_request_t *request) {
  *request = (tessera_request_t){0}; /* complete */
  return tessera_scatter(tessera_team_world(), send, recv, part_of_node(bytes), root);
}
static tessera_status_t gather_leaders(void *send, void *recv, size_t bytes, int32_t root, tessera_request_t *request) {
  *request = (tessera_request_t){0}; /* complete */
  return tessera_gather(tessera_team_world(), send, recv, part_of_node(bytes), root);
}
static tessera_status_t allgather_leaders(void *send, void *recv, size_t bytes, int32_t root, tessera_request_t *request) {
  (void)root;
  *request = (tessera_request_t){0}; /* complete */
  return tessera_allgather(tessera_team_world(), send, recv, part_of_node(bytes));
}
static tessera_status_t bcast_leaders(void *send, void *recv, size_t bytes, int32_t root, tessera_request_t *request) {
  (void)recv;
  *request = (tessera_request_t){0}; /* complete */
  return tessera_bcast(tessera_team_world(), send, bytes, root);
}
static tessera_status_t reduce_leaders(void *send, void *recv, size_t bytes, int32_t root, tessera_request_t *request) {
  *request = (tessera_request_t){0}; /* complete */
  return tessera_reduce(tessera_team_world(), send, recv, bytes / sizeof(double), sum(), root);
}
static tessera_status_t allreduce_leaders(void *send, void *recv, size_t bytes, int32_t root, tessera_request_t *request) {
  (void)root;
  *request = (tessera_request_t){0}; /* complete */
  return tessera_allreduce(tessera_team_world(), send, recv, bytes / sizeof(double), sum());
}

const struct tune_kind tune_kinds[KINDS_N] = {
    {"barrier", "tree doubling nodes", false, false, barrier},
    {"bcast", "tree direct ring halving nodes", true, false, bcast},
    {"scatter", "tree direct nodes", true, false, scatter},
    {"gather", "tree direct nodes", true, false, gather},
    {"allgather", "doubling direct ring nodes", true, false, allgather},
    {"reduce", "tree direct ring halving nodes", true, false, reduce},
    {"allreduce", "tree doubling direct ring halving nodes", true, false, allreduce},
    {"reduce_scatter", "direct ring nodes", true, false, reduce_scatter},
    {"bcast", "tree direct ring halving", true, true, bcast_leaders},
    {"scatter", "tree direct", true, true, scatter_leaders},
    {"gather", "tree direct", true, true, gather_leaders},
    {"allgather", "doubling direct ring", true, true, allgather_leaders},
    {"reduce", "tree direct ring halving", true, true, reduce_leaders},
    {"allreduce", "tree doubling direct ring halving", true, true, allreduce_leaders}};

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void must(tessera_status_t status) {
  if (!status) return;
  fprintf(stderr, "tessera-tune: %s\n", tessera_status_text(status));
  abort();
}

/* Uses another root each time, so that no unit is always ahead. */
static double batch(const struct tune_kind *kind, size_t bytes, int32_t n, void *send, void *recv) {
  must(tessera_barrier(tessera_team_world()));
  double begun = now();
  for (int32_t i = 0; i < n; i++) {
    tessera_request_t request;
    must(kind->start(send, recv, bytes, i % tessera_units(), &request));
    must(tessera_wait(&request));
  }
  must(tessera_barrier(tessera_team_world()));
  return (now() - begun) / n;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double tune_measure(const struct tune_kind *kind, size_t bytes, double seconds, void *send, void *recv) {
  enum { BATCHES_N = 5 };
  double took[BATCHES_N], first = batch(kind, bytes, 4, send, recv);
  double wanted = seconds * 1e9 / BATCHES_N / first;
  int32_t n = wanted * BATCHES_N < 1 ? 0 : wanted < 1 ? 1 : wanted > 100000 ? 100000 : (int32_t)wanted;
  must(tessera_bcast(tessera_team_world(), &n, sizeof n, 0));
  if (!n) return first; /* one call takes longer than all the time there is */
  for (int i = 0; i < BATCHES_N; i++) took[i] = batch(kind, bytes, n, send, recv);
  qsort(took, BATCHES_N, sizeof *took, ascending);
  return took[BATCHES_N / 2];
}
