/* fetchadd, MPI version: MPI_Fetch_and_op and MPI_Win_flush, one flush for each (latency) or for a window of them. The
 * window's hints say that nothing but this operation changes the counters, in any order.
 *
 * Options: as fetchadd_gasnet. */
#include "peer.h"
#include "fetchadd.h"

static struct window window;
static uint64_t old_values[FETCH_WINDOW_MAX];

static void add_many(int owner, long n) {
  static const uint64_t one = 1;
  for (long i = 0; i < n; i++) MPI_Fetch_and_op(&one, &old_values[i], MPI_UINT64_T, owner, 0, MPI_SUM, window.win);
  MPI_Win_flush(owner, window.win);
}

static void add_alone(int owner, long n, struct fetched *f) {
  for (long i = 0; i < n; i++) {
    add_many(owner, 1);
    note_old(f, old_values[0]);
  }
}

static void add_window(int owner, long n, struct fetched *f) {
  add_many(owner, n);
  for (long i = 0; i < n; i++) note_old(f, old_values[i]);
}

/* As in the GASNet program. */
struct test {
  const char *work;
  adder add;
  int owner;
  bool alone, everybody;
};

static void set_counter(void) {
  const uint64_t zero = 0;
  memcpy(window.mine, &zero, sizeof zero);
  MPI_Win_sync(window.win);
  barrier();
}

static void check(struct fetched *f, int owner) {
  uint64_t numbers[] = {f->n, f->sum, f->squares}, counted;
  MPI_Allreduce(MPI_IN_PLACE, numbers, 3, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  *f = (struct fetched){numbers[0], numbers[1], numbers[2]};
  MPI_Win_sync(window.win);
  memcpy(&counted, window.mine, sizeof counted);
  require(job.me != owner || counted == f->n, "the counter");
  require(job.me != 0 || is_each_once(f), "an old value");
}

/* The slowest rank's time counts. */
static double sample(const struct test *t) {
  struct fetched f = {0, 0, 0};
  double seconds = 0;
  set_counter();
  if (t->everybody || job.me == 0) seconds = add_for_a_while(t->add, t->owner, t->alone, &f);
  MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  check(&f, t->owner);
  return fetch_value(t->alone, seconds, f.n);
}

static void measure(const struct test *t) {
  double samples[SAMPLES_MAX];
  sample(t); /* warms up */
  for (long k = 0; k < samples_n; k++) samples[k] = sample(t);
  const char *unit = t->alone ? "ns" : "Mop/s";
  if (job.me == 0) study_row(t->work, "plain", 8, job.n, unit, (int)samples_n, samples);
}

int main(int argc, char **argv) {
  start("fetchadd_mpi", argc, argv, FETCH_OPTIONS_N, fetch_options);
  window = open_window(sizeof(uint64_t));
  const struct test tests[] = {{"fetchadd.latency", add_alone, job.last, true, false},
                               {"fetchadd.throughput", add_window, job.last, false, false},
                               {"fetchadd.hotspot", add_window, 0, false, true}};
  for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) measure(&tests[i]);
  close_window(&window);
  leave_with(0);
}
