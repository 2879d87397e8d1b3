/* cg_native: CG with notified puts. A unit writes its part of the vector into the copies of the other units, and waits for a
 * notification of each part that it needs.
 *
 * With --transfer nonblocking it multiplies by the parts that it has while the others are on their way.
 *
 * Options: --class S, W, A or B; --transfer blocking or nonblocking; --rounds. */
#include <tessera.h>
#include <tessera/memory.h>

#include "cg.h"

static int me, units;
static bool overlap;
static tessera_memory_t vector, counters; /* on each unit: all elements of the vector; by unit, the parts that it has sent */
static uint64_t exchanges;                /* so far */
static const long *first;
static double *copy;
static tessera_request_t *requests; /* of the own puts, by target */

/* The library has printed the error. */
static void require(tessera_status_t status) {
  if (status != TESSERA_OK) exit(EXIT_FAILURE);
}

static void *allocate(size_t bytes, tessera_memory_t *memory) {
  void *own;
  require(tessera_memory_allocate(tessera_team_world(), bytes, memory));
  require(tessera_address_pointer(tessera_address(*memory, me, 0), bytes, &own));
  memset(own, 0, bytes);
  return own;
}

double *cg_copy(const long parts[]) {
  first = parts;
  copy = allocate((size_t)first[units] * sizeof *copy, &vector);
  allocate((size_t)units * sizeof(uint64_t), &counters);
  requests = nas_private((size_t)units, sizeof *requests);
  require(tessera_barrier(tessera_team_world())); /* no unit notifies before all counters are 0 */
  return copy;
}

/* The counter on unit `at` for parts of the unit `from`. */
static tessera_address_t counter_of(int at, int from) { return tessera_address(counters, at, (uint64_t)from * sizeof(uint64_t)); }

/* Puts the own part to the same place in the target's copy, and then adds 1 to the counter, by which the target learns that it is
 * there. */
static void send(int target) {
  const double *part = copy + first[me];
  const tessera_address_t to = tessera_address(vector, target, (uint64_t)first[me] * sizeof *part);
  const size_t bytes = (size_t)(first[me + 1] - first[me]) * sizeof *part;
  if (overlap) require(tessera_put_notify_nb(to, part, bytes, counter_of(target, me), 1, &requests[target]));
  else require(tessera_put_notify(to, part, bytes, counter_of(target, me), 1));
}

/* A unit first sends to the one that will need its part first. */
void cg_share_start(void) {
  exchanges++;
  for (int i = 1; i < units; i++) send((me + units - i) % units);
}

void cg_share_progress(void) {
  bool complete;
  for (int i = 0; i < units; i++) require(tessera_test(&requests[i], &complete));
}

void cg_share_wait(int unit) { require(tessera_notify_wait(counter_of(me, unit), exchanges)); }

void cg_share_finish(void) { require(tessera_wait_all(requests, (size_t)units)); }

void cg_sum(double *x, int n) {
  const tessera_reduction_t sum = tessera_builtin(TESSERA_F64, TESSERA_SUM);
  require(tessera_allreduce(tessera_team_world(), TESSERA_IN_PLACE, x, (size_t)n, sum));
}

void cg_barrier(void) { require(tessera_barrier(tessera_team_world())); }

int main(int argc, char **argv) {
  int status = NAS_WRONG_ARGUMENTS;
  nas_options options = NAS_DEFAULTS;
  if (tessera_init(&argc, &argv) != TESSERA_OK) return 1;
  me = tessera_unit(), units = tessera_units();
  if (nas_read_options("cg_native", argc, argv, me == 0, &options) && cg_can_run("cg_native", &options, me, units)) {
    overlap = options.overlap;
    status = cg_run(&options, me, units) ? 0 : 1;
    free(requests);
    require(tessera_memory_free(&counters));
    require(tessera_memory_free(&vector));
  }
  require(tessera_exit());
  return status;
}
