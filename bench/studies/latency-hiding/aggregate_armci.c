/* Aggregation with ARMCI: blocking calls, non-blocking calls, an aggregate handle, and one vector call. */
#include <armci.h>

#include <stdlib.h>

#include "aggregate.h"

static int last;                /* the process that owns the other doubles */
static void **blocks;           /* of each process */
static void **sources, **others; /* address of each double, here and there */

static void require(int result, const char *call) {
  if (result != 0) ARMCI_Error(call, result);
}

static void *list_of(int n) {
  void *list = calloc((size_t)n, sizeof(void *));
  if (!list) ARMCI_Error("aggregate: no memory", 1);
  return list;
}

static void open_doubles(doubles *d) {
  blocks = list_of(armci_msg_nproc());
  sources = list_of(d->n);
  others = list_of(d->n);
  require(ARMCI_Malloc(blocks, (armci_size_t)d->n * APART * (armci_size_t)sizeof(double)), "ARMCI_Malloc");
  d->other = blocks[armci_msg_me()];
  d->own = ARMCI_Malloc_local((armci_size_t)d->n * (armci_size_t)sizeof(double));
  require(d->own == NULL, "ARMCI_Malloc_local");
  for (int i = 0; i < d->n; i++) {
    sources[i] = d->own + i;
    others[i] = (double *)blocks[last] + i * APART;
  }
}

static void close_doubles(doubles *d) {
  require(ARMCI_Free_local(d->own), "ARMCI_Free_local");
  require(ARMCI_Free(d->other), "ARMCI_Free");
  free(blocks);
  free(sources);
  free(others);
}

static void agree(int *wrong) { armci_msg_igop(wrong, 1, "max"); }

/* ---- the ways ---- */

static void put_single(const doubles *d) {
  for (int i = 0; i < d->n; i++) require(ARMCI_Put(sources[i], others[i], sizeof(double), last), "ARMCI_Put");
  ARMCI_Fence(last);
}

static void get_single(const doubles *d) {
  for (int i = 0; i < d->n; i++) require(ARMCI_Get(others[i], sources[i], sizeof(double), last), "ARMCI_Get");
}

/* The operations of a handle; NULL stands for all that have none. */
static void put_on(const doubles *d, armci_hdl_t *handle) {
  for (int i = 0; i < d->n; i++) require(ARMCI_NbPut(sources[i], others[i], sizeof(double), last, handle), "ARMCI_NbPut");
}

static void get_on(const doubles *d, armci_hdl_t *handle) {
  for (int i = 0; i < d->n; i++) require(ARMCI_NbGet(others[i], sources[i], sizeof(double), last, handle), "ARMCI_NbGet");
}

static void put_nonblocking(const doubles *d) {
  put_on(d, NULL);
  require(ARMCI_WaitAll(), "ARMCI_WaitAll");
  ARMCI_Fence(last);
}

static void get_nonblocking(const doubles *d) {
  get_on(d, NULL);
  require(ARMCI_WaitAll(), "ARMCI_WaitAll");
}

static armci_hdl_t aggregate_handle(void) {
  armci_hdl_t handle;
  ARMCI_INIT_HANDLE(&handle);
  ARMCI_SET_AGGREGATE_HANDLE(&handle);
  return handle;
}

static void put_aggregated(const doubles *d) {
  armci_hdl_t handle = aggregate_handle();
  put_on(d, &handle);
  require(ARMCI_Wait(&handle), "ARMCI_Wait");
  ARMCI_Fence(last);
}

static void get_aggregated(const doubles *d) {
  armci_hdl_t handle = aggregate_handle();
  get_on(d, &handle);
  require(ARMCI_Wait(&handle), "ARMCI_Wait");
}

static void put_vector(const doubles *d) {
  armci_giov_t pieces = {.src_ptr_array = sources, .dst_ptr_array = others, .bytes = sizeof(double), .ptr_array_len = d->n};
  require(ARMCI_PutV(&pieces, 1, last), "ARMCI_PutV");
  ARMCI_Fence(last);
}

static void get_vector(const doubles *d) {
  armci_giov_t pieces = {.src_ptr_array = others, .dst_ptr_array = sources, .bytes = sizeof(double), .ptr_array_len = d->n};
  require(ARMCI_GetV(&pieces, 1, last), "ARMCI_GetV");
}

static const way ways[] = {
    {"aggregate.single", put_single, get_single},
    {"aggregate.nonblocking", put_nonblocking, get_nonblocking},
    {"aggregate.handle", put_aggregated, get_aggregated},
    {"aggregate.vector", put_vector, get_vector},
};

int main(int argc, char **argv) {
  if (ARMCI_Init_args(&argc, &argv) != 0) return 1;
  last = armci_msg_nproc() - 1;
  const aggregate_version armci = {armci_msg_me(), armci_msg_nproc(), sizeof ways / sizeof *ways, ways,
                                   open_doubles,   close_doubles,     ARMCI_Barrier,              agree};
  const int code = aggregate(argc, argv, &armci);
  ARMCI_Finalize();
  return code;
}
