/* Guarantees of the transport over MPI for several requests: order for requests that require it, late replies, delays,
 * long payloads. Without the runtime above it.
 * Units: 2 4
 * Nodes: 1
 */
#include "check.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/config.h"
#include "base/log.h"
#include "net/mpi/mpi.h"

enum { H_STORE = 22, H_LOAD, H_LATER, H_COUNT };
enum { EAGER = 1 << 10, HEAP_BYTES = 256 << 10, BUFFERS_N = 128, RANKS_MAX = 4, SECONDS_MAX = 50 };

static int self, ranks_n, next;
static unsigned char *heap; /* HEAP_BYTES for each origin */
static _Atomic int under_way;
static int counted_n;

/* ---- handlers ---- */

static void serve_store(const struct tsr_net_in *in, struct tsr_net_out *out) {
  unsigned char *there = heap + (size_t)in->rank * HEAP_BYTES + in->args[0];
  if (in->bulk_bytes) out->bulk = there;
  else memcpy(there, in->payload, in->payload_bytes);
}

/* From where it lies, or, when that is wanted, by way of the scratch memory. */
static void serve_load(const struct tsr_net_in *in, struct tsr_net_out *out) {
  const unsigned char *from = heap + (size_t)in->rank * HEAP_BYTES + in->args[0];
  CHECK(out->scratch_bytes >= (in->reply_bytes < EAGER ? in->reply_bytes : EAGER));
  CHECK(in->reply_bytes > tsr_net_limits.payload_bytes || out->scratch_bytes == in->reply_bytes);
  bool packed = in->args[2] && in->args[1] <= out->scratch_bytes;
  out->reply = packed ? memcpy(out->scratch, from, in->args[1]) : from;
  out->reply_bytes = in->args[1];
}

static void serve_count(const struct tsr_net_in *in, struct tsr_net_out *out) {
  (void)in, (void)out;
  counted_n++;
}

/* Put aside until someone answers. */
static struct late {
  void *job, *scratch;
  uint64_t question;
} lates[BUFFERS_N * RANKS_MAX];
static _Atomic int lates_n;

static void serve_later(const struct tsr_net_in *in, struct tsr_net_out *out) {
  if (in->bulk_bytes) out->bulk = heap + (size_t)in->rank * HEAP_BYTES;
  out->later = true;
  lates[lates_n] = (struct late){in->job, out->scratch, in->args[0]};
  lates_n++;
}

static void register_handlers(void) {
  tsr_net_register(H_STORE, serve_store);
  tsr_net_register(H_LOAD, serve_load);
  tsr_net_register(H_LATER, serve_later);
  tsr_net_register(H_COUNT, serve_count);
}

/* ---- starting and waiting ---- */

static void advance(void) {
  if (!tsr_net->poll()) sched_yield();
}

static void wait_for_all(void) {
  while (atomic_load(&under_way)) advance();
}

static void meet(void) {
  MPI_Request barrier;
  int over = 0;
  MPI_Ibarrier(MPI_COMM_WORLD, &barrier);
  while (MPI_Test(&barrier, &over, MPI_STATUS_IGNORE) == MPI_SUCCESS && !over) advance();
}

static void on_remote(void *arg, enum tsr_net_event event, size_t bytes) {
  (void)arg, (void)bytes;
  if (event == TSR_NET_REMOTE) atomic_fetch_sub(&under_way, 1);
}

static void on_local(void *arg, enum tsr_net_event event, size_t bytes) {
  (void)arg, (void)event, (void)bytes;
  atomic_fetch_sub(&under_way, 1);
}

static void start(struct tsr_net_request request) {
  request.done = on_remote;
  atomic_fetch_add(&under_way, 1);
  while (tsr_net->request(&request) == TESSERA_ERR_AGAIN) advance();
}

static const char *volatile current = "none";

#define RUN(test)    \
  do {               \
    current = #test; \
    test();          \
  } while (0)

static void on_alarm(int number) {
  char text[160];
  (void)number;
  int length = snprintf(text, sizeof text, "rank %d: %s did not end: %d under way, %d requests, %d late\n", self, current,
                        atomic_load(&under_way), tsr_net->outstanding(-1), atomic_load(&lates_n));
  if (write(STDERR_FILENO, text, (size_t)length) < 0) _exit(2);
  _exit(EXIT_FAILURE);
}

/* ---- order ---- */

enum { OPS_N = 60 };
static unsigned seed;
static unsigned any(unsigned below) { return (seed = seed * 1103515245u + 12345u) / 65536u % below; }

/* Overlapping stores, inside requests, beside them and as long payloads, and loads of what they leave, all under way at
 * once. */
static void in_order(void) {
  static unsigned char model[HEAP_BYTES], sent[OPS_N][HEAP_BYTES], loaded[OPS_N][HEAP_BYTES], expected[OPS_N][HEAP_BYTES];
  size_t bytes[OPS_N] = {0};
  memset(model, 0, sizeof model);
  memset(heap, 0, (size_t)ranks_n * HEAP_BYTES);
  meet();
  for (int i = 0; i < OPS_N; i++) {
    size_t off = any(3) * 4096;
    size_t length = any(2) ? 1 + any(EAGER) : EAGER + 1 + any(200000);
    if (any(3)) {
      memset(sent[i], i + 1, length);
      memcpy(model + off, sent[i], length);
      bool beside = length > tsr_net_limits.payload_bytes || any(4) == 0;
      start((struct tsr_net_request){.rank = next, .handler = H_STORE, .ordered = true, .args = {off},
                                     .payload = beside ? NULL : sent[i], .payload_bytes = beside ? 0 : length,
                                     .bulk = beside ? sent[i] : NULL, .bulk_bytes = beside ? length : 0});
    } else {
      bytes[i] = length;
      memcpy(expected[i], model + off, length);
      start((struct tsr_net_request){.rank = next, .handler = H_LOAD, .ordered = true, .args = {off, length, any(2)},
                                     .reply = loaded[i], .reply_bytes = length});
    }
    if (any(3) == 0) start((struct tsr_net_request){.rank = next, .handler = H_COUNT}); /* overtakes them */
  }
  wait_for_all();
  for (int i = 0; i < OPS_N; i++) CHECK(memcmp(loaded[i], expected[i], bytes[i]) == 0);
  start((struct tsr_net_request){.rank = next, .handler = H_LOAD, .args = {0, HEAP_BYTES}, .reply = loaded[0],
                                 .reply_bytes = HEAP_BYTES});
  wait_for_all();
  CHECK(memcmp(loaded[0], model, sizeof model) == 0);
  meet();
}

/* An order of its own for each pair: one that waits for a late answer holds up nobody else, nor what has no order. */
static void held_up(void) {
  static uint64_t answer;
  int before = counted_n;
  lates_n = 0;
  meet();
  start((struct tsr_net_request){.rank = next, .handler = H_LATER, .ordered = true, .args = {5}, .reply = &answer,
                                 .reply_bytes = sizeof answer});
  for (int i = 0; i < 100; i++) start((struct tsr_net_request){.rank = next, .handler = H_COUNT, .ordered = true});
  start((struct tsr_net_request){.rank = next, .handler = H_COUNT});
  while (!lates_n || counted_n == before) advance();
  CHECK_EQ(counted_n - before, 1); /* that without order */
  memcpy(lates[0].scratch, &lates[0].question, sizeof answer);
  tsr_net->answer(lates[0].job, lates[0].scratch, sizeof answer);
  wait_for_all();
  CHECK_EQ(answer, 5);
  meet();
  CHECK_EQ(counted_n - before, 101);
}

/* ---- long payloads ---- */

static unsigned char payloads[TSR_NET_LONG_N + 1][128 << 10];
static size_t payload_bytes(void) { return tsr_net_limits.payload_bytes; }

static void pack_payload(void *dest, const void *arg) {
  CHECK_EQ((uintptr_t)dest % 64, 0);
  memcpy(dest, arg, payload_bytes());
}

static struct tsr_net_request long_request(int i) {
  return (struct tsr_net_request){.rank = next, .handler = H_STORE, .pack = pack_payload, .pack_arg = payloads[i],
                                  .payload_bytes = payload_bytes(), .done = on_remote};
}

/* So many and no more; short ones go on beside them. Nobody polls here meanwhile, so that none can end. */
static void few_long_ones(void) {
  for (int i = 0; i <= TSR_NET_LONG_N; i++) memset(payloads[i], i + 1, sizeof payloads[i]);
  struct tsr_net_request one = long_request(TSR_NET_LONG_N), small = {.rank = next, .handler = H_COUNT, .done = on_remote};
  meet();
  for (int round = 0; round < 3; round++) {
    for (int i = 0; i < TSR_NET_LONG_N; i++) start(long_request(i));
    CHECK(!tsr_net->has_room(&one));
    CHECK_EQ(tsr_net->request(&one), TESSERA_ERR_AGAIN);
    CHECK(tsr_net->has_room(&small));
    start(small);
    wait_for_all();
    CHECK(tsr_net->has_room(&one));
    start(one); /* after the others are at the target: it is what remains */
    wait_for_all();
    start((struct tsr_net_request){.rank = next, .handler = H_LOAD, .args = {0, payload_bytes(), round % 2},
                                   .reply = payloads[0], .reply_bytes = payload_bytes()});
    wait_for_all();
    CHECK(memcmp(payloads[0], payloads[TSR_NET_LONG_N], payload_bytes()) == 0);
  }
  meet();
}

/* All to one, as fast as they can. */
static void flood_of_long_ones(void) {
  enum { FLOOD_N = 200 };
  for (int i = 0; i < FLOOD_N && self > 0; i++) {
    struct tsr_net_request request = long_request(i % TSR_NET_LONG_N);
    request.rank = 0;
    request.ordered = i % 3 == 0;
    start(request);
    CHECK(tsr_net->outstanding(0) <= BUFFERS_N);
  }
  wait_for_all();
  meet();
}

/* ---- late answers ---- */

static void answer_all(int n) {
  for (int i = n - 1; i >= 0; i--) {
    uint64_t answer = 2 * lates[i].question;
    memcpy(lates[i].scratch, &answer, sizeof answer);
    tsr_net->answer(lates[i].job, lates[i].scratch, sizeof answer);
  }
}

static void *answer_from_thread(void *n) {
  answer_all(*(int *)n);
  return NULL;
}

/* More of them than an endpoint has jobs for what moves, and all must be taken before one is answered. */
static void late_answers(bool threads) {
  static uint64_t answers[BUFFERS_N];
  static unsigned char bulk[100000];
  int n = BUFFERS_N - 1, before = counted_n;
  memset(bulk, self + 1, sizeof bulk);
  lates_n = 0;
  meet();
  for (int i = 0; i < n; i++) {
    start((struct tsr_net_request){.rank = next, .handler = H_LATER, .args = {(uint64_t)i}, .reply = &answers[i],
                                   .reply_bytes = sizeof answers[i], .bulk = i % 9 == 0 ? bulk : NULL,
                                   .bulk_bytes = i % 9 == 0 ? sizeof bulk : 0});
  }
  start((struct tsr_net_request){.rank = next, .handler = H_COUNT});
  while (lates_n < n || counted_n == before) advance();
  pthread_t thread;
  if (threads && pthread_create(&thread, NULL, answer_from_thread, &n) == 0) pthread_join(thread, NULL);
  else answer_all(n);
  wait_for_all();
  for (int i = 0; i < n; i++) CHECK_EQ(answers[i], 2 * i);
  meet();
  CHECK_EQ(heap[(size_t)((self + ranks_n - 1) % ranks_n) * HEAP_BYTES + 99999], (self + ranks_n - 1) % ranks_n + 1);
}

static void late_answers_here(void) { late_answers(false); }
static void late_answers_by_thread(void) { late_answers(true); }

/* ---- delays ---- */

static void takes_its_time(void) {
  uint64_t delay = (uint64_t)tsr_config.wire_delay_us * 1000u, word = 0, begun = tsr_clock_ns();
  start((struct tsr_net_request){.rank = next, .handler = H_LOAD, .args = {0, 8}, .reply = &word, .reply_bytes = 8});
  wait_for_all();
  CHECK(tsr_clock_ns() - begun >= 2 * delay); /* request and reply */
  begun = tsr_clock_ns();
  atomic_fetch_add(&under_way, 2);
  tsr_net->send(self, 3, &begun, sizeof begun, on_local, NULL);
  tsr_net->receive(self, 3, &word, sizeof word, on_local, NULL);
  wait_for_all();
  CHECK(tsr_clock_ns() - begun >= delay);
  CHECK_EQ(word, begun);
  meet();
}

/* ---- all ---- */

static void cases(int delay_us) {
  tsr_config.eager_limit = EAGER;
  tsr_config.wire_buffers = BUFFERS_N;
  tsr_config.wire_delay_us = delay_us;
  CHECK_EQ(tsr_net_mpi_start(MPI_COMM_WORLD), TESSERA_OK);
  seed = (unsigned)(self + delay_us);
  if (delay_us) RUN(takes_its_time);
  for (int i = 0; i < 3; i++) RUN(in_order);
  RUN(held_up);
  RUN(few_long_ones);
  if (!delay_us) RUN(flood_of_long_ones);
  RUN(late_answers_here);
}

int main(int argc, char **argv) {
  int level = 0;
  signal(SIGALRM, on_alarm);
  alarm(SECONDS_MAX);
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &self);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks_n);
  if (ranks_n < 2 || ranks_n > RANKS_MAX) {
    MPI_Finalize();
    return 77;
  }
  next = (self + 1) % ranks_n;
  tsr_config_load(false);
  tsr_log_identity(self, "test");
  register_handlers();
  heap = malloc((size_t)ranks_n * HEAP_BYTES);
  cases(0);
  tsr_net->finish();
  cases(3000);
  tsr_net->finish();
  cases(0);
  if (level == MPI_THREAD_MULTIPLE) RUN(late_answers_by_thread);
  tsr_net->finish();
  free(heap);
  current = "MPI_Finalize";
  tsr_net_mpi_choose_finalize(true, false); /* the ranks may be on several hosts */
  MPI_Finalize();
  return check_result();
}
