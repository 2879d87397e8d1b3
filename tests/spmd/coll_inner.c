/* Members may order a blocking and a non-blocking collective differently. So blocking reductions that run a schedule must not take
 * a number of the non-blocking calls. They run one for operations that do not commute, on several nodes, and for elements that
 * fit into no bounce buffer.
 * Units: 1 2 3 4 7
 * Nodes: 3
 */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "coll/coll.h"
#include "coll/nb.h"
#include "core/sync.h"

enum { BIG = TSR_BOUNCE_BYTES / 8 + 1000 }; /* numbers in an element */

static void keep_right(void *inout, const void *in, size_t n, const tsr_reducer *how) {
  (void)inout, (void)in, (void)n, (void)how;
}
static void add_all(void *inout, const void *in, size_t n, const tsr_reducer *how) {
  int64_t *sum = inout;
  const int64_t *more = in;
  for (size_t i = 0; i < n * how->elem_bytes / sizeof *sum; i++) sum[i] += more[i];
}

static const tsr_reducer last = {.elem_bytes = 8, .apply = keep_right, .commutes = false};
static const tsr_reducer vectors = {.elem_bytes = 8 * BIG, .apply = add_all, .commutes = true};

struct call {
  const tsr_reducer *how;
  int64_t *send, *recv;
  int root; /* negative: all get the result */
};

static struct call make_call(const tsr_reducer *how, int64_t value, int root) {
  const size_t n = how->elem_bytes / sizeof value;
  struct call call = {how, malloc(how->elem_bytes), calloc(1, how->elem_bytes), root};
  if (!call.send || !call.recv) abort();
  for (size_t i = 0; i < n; i++) call.send[i] = value + (int64_t)i;
  return call;
}

static void start(const struct call *call, tsr_op *op) {
  tsr_schedule *schedule =
      call->root < 0 ? tsr_nb_allreduce(tsr_team_world, call->send, call->recv, 1, call->how)
                     : tsr_nb_reduce(tsr_team_world, call->send, call->recv, 1, call->how, TSR_MEMBER(call->root));
  tsr_schedule_start(schedule, op, NULL, NULL);
}

static void block(const struct call *call) {
  if (call->root < 0) CHECK_EQ(tsr_allreduce(tsr_team_world, call->send, call->recv, 1, call->how), TESSERA_OK);
  else CHECK_EQ(tsr_reduce(tsr_team_world, call->send, call->recv, 1, call->how, TSR_MEMBER(call->root)), TESSERA_OK);
}

/* Element i of member m is base + 10 m + i. */
static void verify(struct call *call, int64_t base) {
  const int64_t n = tsr_team_world->size, in_element = (int64_t)(call->how->elem_bytes / 8);
  for (int64_t i = 0; i < in_element && (call->root < 0 || call->root == tsr_team_world->self); i++)
    CHECK_EQ(call->recv[i], call->how == &last ? base + 10 * (n - 1) + i : n * (base + i) + 10 * (n * (n - 1) / 2));
  free(call->send);
  free(call->recv);
}

/* Half of the members start the non-blocking call first, the others afterwards. */
static void opposite_orders(const tsr_reducer *how, int root) {
  const int64_t self = tsr_team_world->self;
  struct call started = make_call(how, 1000 + 10 * self, root), blocking = make_call(how, 2000 + 10 * self, root);
  tsr_op op = {0}, barrier = {0};
  if (self % 2 == 0) {
    tsr_schedule_start(tsr_nb_barrier(tsr_team_world), &barrier, NULL, NULL);
    start(&started, &op);
  }
  block(&blocking);
  if (self % 2 == 1) {
    tsr_schedule_start(tsr_nb_barrier(tsr_team_world), &barrier, NULL, NULL);
    start(&started, &op);
  }
  tsr_op_wait_remote(&barrier, TSR_UNIT(-1));
  tsr_op_wait_remote(&op, TSR_UNIT(-1));
  verify(&started, 1000);
  verify(&blocking, 2000);
  CHECK_EQ(tsr_barrier(tsr_team_world), TESSERA_OK);
}

int main(int argc, char **argv) {
  if (tessera_init(&argc, &argv)) return EXIT_FAILURE;
  const int roots[] = {-1, 0, tsr_team_world->size - 1};
  for (int i = 0; i < 3; i++) {
    opposite_orders(&last, roots[i]);
    opposite_orders(&vectors, roots[i]);
  }
  CHECK_EQ(tessera_exit(), TESSERA_OK);
  return check_result();
}
