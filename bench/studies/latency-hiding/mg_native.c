/* mg_native: MG with notified puts. A unit writes its border into the halo of its neighbour, which waits for the notification: a
 * message without a receive, a match or a copy.
 *
 * With --transfer nonblocking it computes inner cells between the puts and the wait for the neighbours' puts.
 *
 * Options: --class S, W, A or B; --transfer blocking or nonblocking; --rounds. */
#include <tessera.h>
#include <tessera/memory.h>

#include "mg.h"

enum { COUNTERS_BYTES = MG_DIRECTIONS * sizeof(uint64_t) };

static tessera_memory_t memory; /* on each unit: a counter of arrived messages per direction, then the doubles */
static char *own;
static uint64_t expected[MG_DIRECTIONS]; /* messages of each direction so far */
static bool overlap;
static const mg_message *messages;
static tessera_request_t requests[MG_DIRECTIONS];
static int messages_n;

/* The library has printed the error. */
static void require(tessera_status_t status) {
  if (status != TESSERA_OK) exit(EXIT_FAILURE);
}

double *mg_memory(size_t doubles) {
  void *address;
  const size_t bytes = COUNTERS_BYTES + doubles * sizeof(double);
  require(tessera_memory_allocate(tessera_team_world(), bytes, &memory));
  require(tessera_address_pointer(tessera_address(memory, tessera_unit(), 0), bytes, &address));
  own = address;
  memset(own, 0, COUNTERS_BYTES);
  require(tessera_barrier(tessera_team_world())); /* no unit notifies before all counters are 0 */
  return (double *)(void *)(own + COUNTERS_BYTES);
}

static tessera_address_t counter_of(int32_t unit, int direction) {
  return tessera_address(memory, unit, (uint64_t)direction * sizeof(uint64_t));
}

/* Puts the data, and then adds 1 to the counter, by which the target learns that it is there. */
static void send(const mg_message *m, tessera_request_t *request) {
  const tessera_address_t to = tessera_address(memory, m->to, (uint64_t)((char *)m->in - own));
  const tessera_address_t counter = counter_of(m->to, m->direction);
  if (overlap) require(tessera_put_notify_nb(to, m->out, m->bytes, counter, 1, request));
  else require(tessera_put_notify(to, m->out, m->bytes, counter, 1));
}

void mg_start(const mg_message m[], int n) {
  messages = m, messages_n = n;
  for (int i = 0; i < n; i++) send(&m[i], &requests[i]);
}

void mg_progress(void) {
  bool complete;
  for (int i = 0; i < messages_n; i++) require(tessera_test(&requests[i], &complete));
}

void mg_finish(void) {
  for (int i = 0; i < messages_n; i++) {
    const int direction = messages[i].direction;
    require(tessera_notify_wait(counter_of(tessera_unit(), direction), ++expected[direction]));
  }
  require(tessera_wait_all(requests, (size_t)messages_n)); /* without overlap all of them have been complete from the start */
}

void mg_gather(const void *mine, void *all, size_t bytes) { require(tessera_allgather(tessera_team_world(), mine, all, bytes)); }

void mg_sum(double *x) {
  require(tessera_allreduce(tessera_team_world(), TESSERA_IN_PLACE, x, 1, tessera_builtin(TESSERA_F64, TESSERA_SUM)));
}

void mg_barrier(void) { require(tessera_barrier(tessera_team_world())); }

int main(int argc, char **argv) {
  int status = NAS_WRONG_ARGUMENTS;
  nas_options options = NAS_DEFAULTS;
  if (tessera_init(&argc, &argv) != TESSERA_OK) return 1;
  const int unit = tessera_unit(), units = tessera_units();
  if (nas_read_options("mg_native", argc, argv, unit == 0, &options) && mg_can_run("mg_native", &options, unit, units)) {
    overlap = options.overlap;
    status = mg_run(&options, unit, units) ? 0 : 1;
    require(tessera_memory_free(&memory));
  }
  require(tessera_exit());
  return status;
}
