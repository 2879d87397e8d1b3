/* Guarantees of the transport over MPI for several requests: order for requests that require it, late replies, delays,
 * long payloads that block no other thread. Without the runtime above it.
 *
 * Units: 2 4
 * Nodes: 1
 * Wire: mpi
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
#include "net/common/wire.h"
#include "net/mpi/mpi.h"
#include "net/start.h"

enum { H_STORE = 22, H_LOAD, H_HOLD, H_COUNT };
enum { EAGER = 1 << 10, HEAP_BYTES = 256 << 10, BUFFERS_N = 128, RANKS_MAX = 4 };

static int self, ranks_n, next;
static unsigned char *heap; /* HEAP_BYTES for each origin */
static _Atomic int under_way;
static _Atomic int counted_n;

/* ---- handlers ---- */

static void serve_store(const struct tsr_net_in *in, struct tsr_net_out *out) {
  unsigned char *there = heap + (size_t)in->rank * HEAP_BYTES + in->args[0];
  if (in->bulk_bytes) out->bulk = there;
  else memcpy(there, in->payload, in->payload_bytes);
}

/* From its place, or, if requested, through the scratch memory. */
static void serve_load(const struct tsr_net_in *in, struct tsr_net_out *out) {
  const unsigned char *from = heap + (size_t)in->rank * HEAP_BYTES + in->args[0];
  CHECK(out->scratch_bytes >= (in->reply_bytes < EAGER ? in->reply_bytes : EAGER));
  CHECK(in->reply_bytes > tsr_net_limits.payload_bytes || out->scratch_bytes == in->reply_bytes);
  bool packed = in->args[2] && in->args[1] <= out->scratch_bytes;
  out->reply = packed ? memcpy(out->scratch, from, in->args[1]) : from;
  out->reply_bytes = in->args[1];
}

/* Replies so many bytes. */
static void serve_count(const struct tsr_net_in *in, struct tsr_net_out *out) {
  out->reply = in->args[0] ? memset(out->scratch, 1, in->args[0]) : NULL;
  out->reply_bytes = in->args[0];
  counted_n++;
}

/* A long payload: the handler returns when main allows it. */
static _Atomic bool is_held, may_go;

static void serve_hold(const struct tsr_net_in *in, struct tsr_net_out *out) {
  (void)in, (void)out;
  is_held = true;
  while (!may_go) sched_yield();
}

static void register_handlers(void) {
  tsr_net_register(H_STORE, serve_store);
  tsr_net_register(H_LOAD, serve_load);
  tsr_net_register(H_HOLD, serve_hold);
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
  int length = snprintf(text, sizeof text, "rank %d: %s did not end: %d under way, %d requests\n", self, current,
                        atomic_load(&under_way), tsr_net->outstanding(-1));
  if (write(STDERR_FILENO, text, (size_t)length) < 0) _exit(2);
  _exit(EXIT_FAILURE);
}

/* ---- order ---- */

enum { OPS_N = 60 };
static unsigned seed;
static unsigned any(unsigned below) { return (seed = seed * 1103515245u + 12345u) / 65536u % below; }

/* Overlapping stores, inside requests, out of line and as long payloads, and loads of the result, all outstanding at once. */
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

/* The most long payloads at once; short ones proceed beside them. No rank polls here meanwhile, so none can complete. */
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

/* All to one, as fast as possible. */
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

/* ---- other threads during a long payload ---- */

static _Atomic bool thread_ends;

static void *poll_in_thread(void *unused) {
  while (!thread_ends) advance();
  return unused;
}

/* While one thread runs the handler of a long payload, another one serves requests without order, and no ordered
 * request behind the payload. */
static void handler_holds_no_lock(void) {
  int before = counted_n;
  pthread_t thread;
  thread_ends = is_held = may_go = false;
  meet();
  MPI_Barrier(MPI_COMM_WORLD); /* main stops polling when the first payload arrives */
  struct tsr_net_request hold = long_request(0);
  hold.handler = H_HOLD;
  hold.ordered = true;
  start(hold);
  for (int i = 0; i < 100; i++) start((struct tsr_net_request){.rank = next, .handler = H_COUNT, .ordered = true});
  start((struct tsr_net_request){.rank = next, .handler = H_COUNT});
  CHECK_EQ(pthread_create(&thread, NULL, poll_in_thread, NULL), 0);
  while (!is_held) sched_yield(); /* only the thread polls, so it is in the handler */
  while (counted_n == before) advance();
  CHECK_EQ(counted_n - before, 1); /* the request without order */
  may_go = true;
  wait_for_all();
  meet();
  CHECK_EQ(counted_n - before, 101);
  thread_ends = true;
  pthread_join(thread, NULL);
  MPI_Barrier(MPI_COMM_WORLD); /* the next case counts from zero */
}

static void hold_reply(void *arg, enum tsr_net_event event, size_t bytes) {
  CHECK_EQ(event, TSR_NET_REMOTE);
  CHECK_EQ(bytes, payload_bytes());
  is_held = true;
  while (!may_go) sched_yield();
  on_remote(arg, event, bytes);
}

/* While one thread is in `done` of a long reply, another one starts requests and serves them; and the first counts as under way. */
static void done_holds_no_lock(void) {
  int before = counted_n;
  pthread_t thread;
  thread_ends = is_held = may_go = false;
  atomic_fetch_add(&under_way, 1);
  const struct tsr_net_request load = {.rank = next, .handler = H_LOAD, .args = {0, payload_bytes()}, .reply = payloads[0],
                                       .reply_bytes = payload_bytes(), .done = hold_reply};
  CHECK_EQ(tsr_net->request(&load), TESSERA_OK);
  CHECK_EQ(pthread_create(&thread, NULL, poll_in_thread, NULL), 0);
  while (!is_held) sched_yield(); /* only the thread polls, so it is in `done` */
  start((struct tsr_net_request){.rank = next, .handler = H_COUNT});
  while (under_way > 1 || counted_n == before) advance();
  CHECK_EQ(tsr_net->outstanding(next), 0);
  CHECK_EQ(tsr_net->outstanding(-1), 1);
  may_go = true;
  wait_for_all();
  meet();
  thread_ends = true;
  pthread_join(thread, NULL);
  CHECK_EQ(tsr_net->outstanding(-1), 0);
  MPI_Barrier(MPI_COMM_WORLD);
}

static _Atomic bool is_packing, has_started;

static void pack_until_started(void *dest, const void *arg) {
  is_packing = true;
  while (!has_started) sched_yield();
  pack_payload(dest, arg);
}

static void *start_in_thread(void *unused) {
  while (!is_packing) sched_yield();
  start((struct tsr_net_request){.rank = next, .handler = H_COUNT});
  has_started = true;
  return unused;
}

/* While one thread packs a long payload, another one starts a request. */
static void packing_holds_no_lock(void) {
  pthread_t thread;
  is_packing = has_started = false;
  CHECK_EQ(pthread_create(&thread, NULL, start_in_thread, NULL), 0);
  struct tsr_net_request request = long_request(0);
  request.pack = pack_until_started;
  start(request);
  pthread_join(thread, NULL);
  wait_for_all();
  meet();
}

/* ---- acknowledgements ---- */

static const struct tsr_wire *wire;
static int acks_n; /* messages with acknowledgements only */

static void count_acks(int rank, const void *acks, size_t bytes, tsr_net_done_fn done, void *arg) {
  acks_n++;
  wire->send_acks(rank, acks, bytes, done, arg);
}

static void await_one_more(int before) {
  while (counted_n == before) advance();
}

/* Rank 1 asks for one request of rank 0, serves it, and returns how many messages with acknowledgements it has sent when a request
 * of its own has gone there. */
static int acks_after(const struct tsr_net_request *request) {
  static struct tsr_wire counting;
  const struct tsr_net_request to_first = {.rank = 0, .handler = H_COUNT};
  int before = counted_n;
  acks_n = 0;
  wire = tsr_wire;
  counting = *wire;
  counting.send_acks = count_acks;
  meet();
  tsr_wire = &counting;
  if (self == 1) start(to_first);
  if (self < 2) await_one_more(before);
  if (self == 0) start(*request);
  if (self == 1) start(to_first);
  int sent_n = acks_n;
  tsr_wire = wire;
  wait_for_all();
  meet();
  return self == 1 ? sent_n : 0;
}

/* A request carries the acknowledgement of one for which no thread waits, if its reply is empty. */
static void requests_carry_acknowledgements(void) {
  char reply = 0;
  struct tsr_net_request request = {.rank = 1, .handler = H_COUNT, .args = {0}, .delayed = true, .reply = &reply, .reply_bytes = 1};
  CHECK_EQ(acks_after(&request), 0);
  request.args[0] = 1;
  CHECK_EQ(acks_after(&request), self == 1);
  CHECK_EQ(reply, self == 0);
}

/* ---- delays ---- */

static void takes_its_time(void) {
  uint64_t delay = (uint64_t)tsr_config.wire_delay_us * 1000u, word = 0, begun = tsr_clock_ns();
  start((struct tsr_net_request){.rank = next, .handler = H_LOAD, .args = {0, 8}, .reply = &word, .reply_bytes = 8});
  wait_for_all();
  CHECK(tsr_clock_ns() - begun >= 2 * delay); /* request and reply */
  begun = tsr_clock_ns();
  atomic_fetch_add(&under_way, 2);
  const struct tsr_net_message message = {.rank = self, .tag = 3, .bytes = sizeof word, .done = on_local};
  tsr_net->send(&begun, &message);
  tsr_net->receive(&word, &message);
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
  CHECK_EQ(tsr_net_start(MPI_COMM_WORLD, NULL), TESSERA_OK);
  seed = (unsigned)(self + delay_us);
  if (delay_us) RUN(takes_its_time);
  for (int i = 0; i < 3; i++) RUN(in_order);
  RUN(few_long_ones);
  if (!delay_us) RUN(requests_carry_acknowledgements);
  if (!delay_us) RUN(flood_of_long_ones);
}

int main(int argc, char **argv) {
  int level = 0;
  signal(SIGALRM, on_alarm);
  alarm(check_seconds());
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
  if (level == MPI_THREAD_MULTIPLE) RUN(handler_holds_no_lock);
  if (level == MPI_THREAD_MULTIPLE) RUN(done_holds_no_lock);
  if (level == MPI_THREAD_MULTIPLE) RUN(packing_holds_no_lock);
  tsr_net->finish();
  free(heap);
  current = "MPI_Finalize";
  tsr_net_mpi_choose_finalize(MPI_COMM_WORLD, true, false); /* the ranks may be on several hosts */
  MPI_Finalize();
  return check_result();
}
