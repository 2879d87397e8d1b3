/* The sparse product with ARMCI: the ways of examples/spmv-armci to fetch the elements of x, and one that computes meanwhile. */
#include "../../../examples/spmv-armci/spmv.h"

#include "../../../examples/spmv-armci/fetch.c"
#include "../../../examples/spmv-armci/share.c"
#include "spmv.h"

static problem distributed;
static plan to_fetch;

void require(int result, const char *call) {
  if (result != 0) ARMCI_Error(call, result);
}

void *memory(size_t n, size_t bytes) { return spmv_memory(n, bytes); }

static void distribute(const matrix *whole, spmv_block *b) {
  problem_make(whole, &distributed);
  b->rows = distributed.rows;
  b->columns = distributed.columns;
  b->part = distributed.part;
  b->x = distributed.x.of[distributed.unit];
}

/* The example's plan renumbers the columns of its part, so it gets a copy of them. It needs the same elements in the same order
 * as spmv_find_needs has found. */
static void prepare(spmv_block *b, const spmv_needs *needs) {
  const size_t bytes = (size_t)matrix_entries(&b->part) * sizeof(int);
  int *columns = memory(bytes + 1, 1);
  memcpy(columns, b->part.column, bytes);
  distributed.part.column = columns;
  plan_make(&distributed, &to_fetch);
  free(columns);
  require(to_fetch.n != needs->n, "plan_make: it needs other elements");
  b->fetched = to_fetch.x;
}

static void release(spmv_block *b) {
  b->fetched = b->x = NULL;
  plan_free(&to_fetch);
  problem_free(&distributed);
}

static void most(double *values, int n) { armci_msg_dgop(values, n, "max"); }

/* ---- the ways ---- */

static void single(void) { fetch_single(&to_fetch); }
static void nonblocking(void) { fetch_nonblocking(&to_fetch); }
static void aggregated(void) { fetch_aggregate(&to_fetch); }
static void vector(void) { fetch_vector(&to_fetch); }

/* A vector get from each owner, which is under way during the computation. */
static void start_vectors(void) {
  const plan *f = &to_fetch;
  for (int turn = 1; turn < f->p->units; turn++) {
    const int u = owner(f, turn), first = f->from[u];
    armci_giov_t pieces = {.src_ptr_array = f->there + first, .dst_ptr_array = f->here + first, .bytes = sizeof(double),
                           .ptr_array_len = f->from[u + 1] - first};
    if (pieces.ptr_array_len > 0) require(ARMCI_NbGetV(&pieces, 1, u, &f->plain[u]), "ARMCI_NbGetV");
  }
}

static void await_vectors(void) {
  const plan *f = &to_fetch;
  for (int turn = 1; turn < f->p->units; turn++) require(ARMCI_Wait(&f->plain[owner(f, turn)]), "ARMCI_Wait");
}

static const spmv_way ways_of_armci[] = {
    {"spmv.single", single, NULL, false},
    {"spmv.nonblocking", nonblocking, NULL, false},
    {"spmv.aggregated", aggregated, NULL, false},
    {"spmv.vector", vector, NULL, false},
    {"spmv.overlapped", start_vectors, await_vectors, true},
};

int main(int argc, char **argv) {
  if (ARMCI_Init_args(&argc, &argv) != 0) return 1;
  const spmv_version armci = {armci_msg_me(), armci_msg_nproc(), sizeof ways_of_armci / sizeof *ways_of_armci, ways_of_armci,
                              distribute,     prepare,           release,  armci_msg_barrier, most};
  const int code = spmv(argc, argv, &armci);
  ARMCI_Finalize();
  return code;
}
