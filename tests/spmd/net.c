/* The transport over MPI by itself, without the runtime above it.
 *
 * Units: 2 3 4 7
 * Nodes: 1
 * Wire: mpi
 */
#include "says.h"

#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "base/config.h"
#include "base/log.h"
#include "net/mpi/comms.h"
#include "net/start.h"

enum { H_STORE = 22, H_LOAD, H_ADD, H_SHOUT, H_IN_ORDER, H_FORWARD, H_PONG, H_NO_PLACE, H_TALKATIVE, H_NOBODY };
enum { EAGER = 8 << 10, CHUNK = 2 << 20, SLOTS_N = 16, RANKS_MAX = 16 };

static int self, ranks_n;
static unsigned char *heap; /* one chunk for each rank that stores into it */
static _Atomic uint64_t counter; /* handlers add to it */
static uint64_t next_from[RANKS_MAX];

/* The events of one request or message. */
struct track {
  _Atomic int local_n, remote_n;
  int local_goal; /* of a request: 1 with bulk, else 0 */
  size_t bytes;
};
static _Atomic int under_way; /* requests and messages that wait for their last event */
static _Atomic int wrong_events;

/* ---- handlers ---- */

static void serve_store(const struct tsr_net_in *in, struct tsr_net_out *out) {
  unsigned char *there = heap + (size_t)in->rank * CHUNK + in->args[0];
  if (in->bulk_bytes) out->bulk = there;
  else memcpy(there, in->payload, in->payload_bytes);
}

static void serve_load(const struct tsr_net_in *in, struct tsr_net_out *out) {
  out->reply = heap + (size_t)in->rank * CHUNK + in->args[0];
  out->reply_bytes = in->args[1];
}

static void serve_add(const struct tsr_net_in *in, struct tsr_net_out *out) {
  uint64_t before = counter;
  memcpy(out->scratch, &before, sizeof before);
  out->reply = out->scratch;
  out->reply_bytes = sizeof before;
  counter += in->args[0] * in->args[1] - in->args[2] + in->args[3] - in->args[4] + in->args[5];
}

/* Returns its payload with every byte one higher; changes it in place first. */
static void serve_shout(const struct tsr_net_in *in, struct tsr_net_out *out) {
  unsigned char *payload = in->payload;
  for (size_t i = 0; i < in->payload_bytes; i++) payload[i]++;
  memcpy(out->scratch, payload, in->payload_bytes);
  out->reply = out->scratch;
  out->reply_bytes = in->payload_bytes;
}

/* Requests of a rank arrive in order, with bulk or not. */
static void serve_in_order(const struct tsr_net_in *in, struct tsr_net_out *out) {
  CHECK_EQ(in->args[0], next_from[in->rank]++);
  if (in->bulk_bytes) out->bulk = heap + (size_t)in->rank * CHUNK;
}

static void count_event(void *arg, enum tsr_net_event event, size_t bytes);

/* Forwards its argument as a tagged message, from the handler. */
static void serve_forward(const struct tsr_net_in *in, struct tsr_net_out *out) {
  static struct track ignored;
  uint64_t *words = (uint64_t *)(heap + (size_t)in->rank * CHUNK);
  (void)out;
  words[in->args[1]] = in->args[2];
  atomic_fetch_add(&under_way, 1);
  tsr_net->send(&words[in->args[1]], &(struct tsr_net_message){.rank = (int)in->args[0], .tag = (int)in->args[1],
                                                               .bytes = sizeof *words, .done = count_event, .done_arg = &ignored});
  CHECK_EQ(tsr_net->poll(), 0); /* nested: leaves the work to the outer poll */
}

static struct track ping;
static int pongs_n, pings_over_n; /* counted when a pong arrives */
static void serve_pong(const struct tsr_net_in *in, struct tsr_net_out *out) {
  (void)in, (void)out;
  pongs_n++;
  pings_over_n += ping.remote_n;
}

static void serve_no_place(const struct tsr_net_in *in, struct tsr_net_out *out) { (void)in, (void)out; }
static void serve_talkative(const struct tsr_net_in *in, struct tsr_net_out *out) {
  out->reply = heap;
  out->reply_bytes = in->reply_bytes + 1;
}

static void register_handlers(void) {
  tsr_net_register(H_STORE, serve_store);
  tsr_net_register(H_LOAD, serve_load);
  tsr_net_register(H_ADD, serve_add);
  tsr_net_register(H_SHOUT, serve_shout);
  tsr_net_register(H_IN_ORDER, serve_in_order);
  tsr_net_register(H_FORWARD, serve_forward);
  tsr_net_register(H_PONG, serve_pong);
  tsr_net_register(H_NO_PLACE, serve_no_place);
  tsr_net_register(H_TALKATIVE, serve_talkative);
}

/* ---- starting and waiting ---- */

static atomic_bool others_poll; /* a progress thread polls; main only waits */

static void advance(void) {
  if (others_poll || !tsr_net->poll()) sched_yield();
}

static void wait_for_all(void) {
  while (atomic_load(&under_way)) advance();
}

/* All ranks have arrived, and requests are served meanwhile. */
static void meet(void) {
  MPI_Request barrier;
  int over = 0;
  MPI_Ibarrier(MPI_COMM_WORLD, &barrier);
  while (MPI_Test(&barrier, &over, MPI_STATUS_IGNORE) == MPI_SUCCESS && !over) advance();
}

static void count_event(void *arg, enum tsr_net_event event, size_t bytes) {
  struct track *track = arg;
  if (event == TSR_NET_LOCAL) {
    track->local_n++;
    track->bytes = bytes;
    atomic_fetch_sub(&under_way, 1);
  }
}

static void track_event(void *arg, enum tsr_net_event event, size_t bytes) {
  struct track *track = arg;
  bool good = track->local_n + (event == TSR_NET_LOCAL) == track->local_goal && !track->remote_n;
  if (!good) atomic_fetch_add(&wrong_events, 1);
  if (event == TSR_NET_LOCAL) {
    track->local_n++;
    return;
  }
  track->bytes = bytes;
  track->remote_n++;
  atomic_fetch_sub(&under_way, 1);
}

/* Starts a request however long it takes. Returns the number of failed attempts, for want of a slot. */
static int start(struct tsr_net_request request, struct track *track) {
  int refused_n = 0;
  *track = (struct track){.local_goal = request.bulk_bytes > 0};
  request.done = track_event;
  request.done_arg = track;
  atomic_fetch_add(&under_way, 1);
  for (;; refused_n++) {
    tessera_status_t status = tsr_net->request(&request);
    if (status == TESSERA_OK) break;
    CHECK_EQ(status, TESSERA_ERR_AGAIN);
    CHECK_EQ(track->local_n, 0);
    advance();
  }
  return refused_n;
}

static size_t run(struct tsr_net_request request) {
  struct track track;
  start(request, &track);
  wait_for_all();
  CHECK_EQ(track.local_n, track.local_goal);
  CHECK_EQ(track.remote_n, 1);
  return track.bytes;
}

static void fill(unsigned char *data, size_t bytes, unsigned seed) {
  for (size_t i = 0; i < bytes; i++) data[i] = (unsigned char)(i * 7 + (i >> 8) * 13 + seed);
}

static bool holds(const unsigned char *data, size_t bytes, unsigned seed) {
  for (size_t i = 0; i < bytes; i++) {
    if (data[i] != (unsigned char)(i * 7 + (i >> 8) * 13 + seed)) return false;
  }
  return true;
}

/* The case that runs, for the message when it does not end. */
static const char *volatile current = "none";

#define RUN(test)     \
  do {                \
    current = #test;  \
    test();           \
  } while (0)

static void on_alarm(int number) {
  char text[160];
  (void)number;
  int length = snprintf(text, sizeof text, "rank %d: %s did not end: %d under way, %d slots busy\n", self, current,
                        atomic_load(&under_way), tsr_net->outstanding(-1));
  if (write(STDERR_FILENO, text, (size_t)length) < 0) _exit(2);
  _exit(EXIT_FAILURE);
}

/* ---- cases ---- */

static unsigned seed_for(int rank, size_t bytes) { return (unsigned)bytes + (unsigned)(self * 31) + (unsigned)rank; }

/* Stores into all other ranks at once, loads it back, compares. */
static void try_store(bool inside, size_t bytes, unsigned char *mine, unsigned char *back) {
  struct track tracks[RANKS_MAX];
  size_t off = bytes < CHUNK - 16 ? 3 : 0;
  for (int rank = 0; rank < ranks_n; rank++) {
    unsigned char *data = mine + (size_t)rank * CHUNK;
    if (rank == self) continue;
    fill(data, bytes, seed_for(rank, bytes));
    memset(back + (size_t)rank * CHUNK, 0, bytes);
    start((struct tsr_net_request){.rank = rank, .handler = H_STORE, .args = {off}, .payload = inside ? data : NULL,
                                   .payload_bytes = inside ? bytes : 0, .bulk = inside ? NULL : data,
                                   .bulk_bytes = inside ? 0 : bytes}, &tracks[rank]);
  }
  wait_for_all();
  for (int rank = 0; rank < ranks_n; rank++) {
    if (rank == self) continue;
    CHECK_EQ(tracks[rank].bytes, 0);
    start((struct tsr_net_request){.rank = rank, .handler = H_LOAD, .args = {off, bytes}, .reply_bytes = bytes,
                                   .reply = bytes ? back + (size_t)rank * CHUNK : NULL}, &tracks[rank]);
  }
  wait_for_all();
  for (int rank = 0; rank < ranks_n; rank++) {
    if (rank == self) continue;
    CHECK_EQ(tracks[rank].bytes, bytes);
    CHECK(holds(back + (size_t)rank * CHUNK, bytes, seed_for(rank, bytes)));
  }
}

static void store_and_load(void) {
  static const size_t inside[] = {0, 1, 8, 63, EAGER - 1, EAGER};
  static const size_t beside[] = {0, 1, EAGER, EAGER + 1, 1 << 20, CHUNK};
  unsigned char *mine = malloc((size_t)ranks_n * CHUNK), *back = malloc((size_t)ranks_n * CHUNK);
  for (size_t i = 0; i < sizeof inside / sizeof inside[0]; i++) try_store(true, inside[i], mine, back);
  for (size_t i = 0; i < sizeof beside / sizeof beside[0]; i++) try_store(false, beside[i], mine, back);
  meet();
  free(mine);
  free(back);
}

static void write_bytes(void *dest, const void *arg) {
  CHECK_EQ((uintptr_t)dest % 64, 0);
  fill(dest, 1000, *(const unsigned *)arg);
}

/* The payload is written by a callback and answered by the handler out of its scratch memory. */
static void pack(void) {
  unsigned seed = 5;
  unsigned char reply[2000];
  for (int rank = 0; rank < ranks_n; rank++) {
    if (rank == self) continue;
    memset(reply, 99, sizeof reply);
    size_t replied = run((struct tsr_net_request){.rank = rank, .handler = H_SHOUT, .payload_bytes = 1000,
                                                  .pack = write_bytes, .pack_arg = &seed, .reply = reply,
                                                  .reply_bytes = sizeof reply});
    CHECK_EQ(replied, 1000); /* less than there was room for */
    CHECK(holds(reply, 1000, seed + 1));
    CHECK_EQ(reply[1000], 99);
  }
  meet();
}

/* All ranks add to all others' counters at once; each sees its own additions grow. */
static void add(void) {
  enum { TIMES = 40 };
  uint64_t before[RANKS_MAX] = {0}, seen[RANKS_MAX], first = counter;
  struct track tracks[RANKS_MAX];
  meet();
  for (int i = 0; i < TIMES; i++) {
    for (int rank = 0; rank < ranks_n; rank++) {
      if (rank == self) continue;
      start((struct tsr_net_request){.rank = rank, .handler = H_ADD, .args = {2, 3, 7, 4, 5, 3}, .reply = &seen[rank],
                                     .reply_bytes = sizeof seen[rank]}, &tracks[rank]);
    }
    wait_for_all();
    for (int rank = 0; rank < ranks_n; rank++) {
      if (rank == self) continue;
      CHECK_EQ(tracks[rank].bytes, sizeof seen[rank]);
      CHECK(i == 0 || seen[rank] > before[rank]);
      before[rank] = seen[rank];
    }
  }
  meet();
  CHECK_EQ(counter - first, (uint64_t)TIMES * (uint64_t)(ranks_n - 1));
}

/* Far more requests than buffers, from all to all, every third with bulk: each has its events, and they arrive in order. */
static void exhaust_slots(void) {
  enum { TIMES = 1000 };
  struct track *tracks = calloc(TIMES, sizeof *tracks);
  unsigned char *bulk = calloc(1, 20000);
  int refused_n = 0, most = 0;
  uint64_t sent[RANKS_MAX] = {0};
  memset(next_from, 0, sizeof next_from);
  meet();
  for (int i = 0; i < TIMES; i++) {
    int rank = (self + 1 + i % (ranks_n - 1)) % ranks_n;
    refused_n += start((struct tsr_net_request){.rank = rank, .handler = H_IN_ORDER, .args = {sent[rank]++},
                                                .bulk = bulk, .bulk_bytes = i % 3 ? 0 : (size_t)(i % 20000 + 1)},
                       &tracks[i]);
    if (tsr_net->outstanding(rank) > most) most = tsr_net->outstanding(rank);
    CHECK(others_poll || tsr_net->outstanding(-1) >= tsr_net->outstanding(rank));
  }
  wait_for_all();
  meet();
  CHECK(refused_n > 0);
  CHECK(most <= SLOTS_N);
  CHECK(others_poll || most == SLOTS_N);
  CHECK_EQ(tsr_net->outstanding(-1), 0);
  for (int i = 0; i < TIMES; i++) CHECK(tracks[i].local_n == tracks[i].local_goal && tracks[i].remote_n == 1);
  free(tracks);
  free(bulk);
}

/* A chain of requests: each is started by the callback of the one before. */
struct chain {
  int rank, left_n;
  unsigned char data[70000], reply[70000];
  bool local_told;
};

static void next_link(void *arg, enum tsr_net_event event, size_t bytes) {
  struct chain *chain = arg;
  (void)bytes;
  if (event == TSR_NET_LOCAL) {
    if (chain->local_told) atomic_fetch_add(&wrong_events, 1);
    chain->local_told = true;
    return;
  }
  if (!chain->local_told) atomic_fetch_add(&wrong_events, 1);
  chain->local_told = false;
  if (chain->left_n-- == 0) {
    atomic_fetch_sub(&under_way, 1);
    return;
  }
  size_t length = (size_t)chain->left_n * 1021 % sizeof chain->data + 1;
  bool store = chain->left_n % 2;
  chain->local_told = !store; /* only bulk has a local event */
  struct tsr_net_request request = {.rank = chain->rank, .handler = store ? H_STORE : H_LOAD, .args = {0, length},
                                    .done = next_link, .done_arg = chain};
  if (store) request.bulk = chain->data, request.bulk_bytes = length;
  else request.reply = chain->reply, request.reply_bytes = length;
  CHECK_EQ(tsr_net->request(&request), TESSERA_OK); /* the slot of the last link is free again */
}

/* Long data in both directions between all pairs at once. */
static void storm(void) {
  struct chain *chains = calloc(SLOTS_N, sizeof *chains);
  meet();
  for (int i = 0; i < SLOTS_N; i++) {
    chains[i].rank = (self + 1 + i % (ranks_n - 1)) % ranks_n;
    chains[i].left_n = 25;
    chains[i].local_told = true;
    atomic_fetch_add(&under_way, 1);
    next_link(&chains[i], TSR_NET_REMOTE, 0);
  }
  wait_for_all();
  meet();
  free(chains);
}

static void forward(void) {
  uint64_t got[RANKS_MAX] = {0};
  struct track track = {0};
  for (int via = 0; via < ranks_n; via++) {
    if (via == self) continue;
    atomic_fetch_add(&under_way, 1);
    const struct tsr_net_message message = {
        .rank = via, .tag = 100 + self, .bytes = sizeof got[via], .done = count_event, .done_arg = &track};
    tsr_net->receive(&got[via], &message);
    run((struct tsr_net_request){.rank = via, .handler = H_FORWARD,
                                 .args = {(uint64_t)self, (uint64_t)(100 + self), (uint64_t)(1000 * via + self)}});
    CHECK_EQ(got[via], 1000 * via + self);
  }
  wait_for_all();
  meet();
}

static void receive_word(uint32_t *word, struct tsr_net_message message, int tag, struct track *track) {
  message.tag = tag;
  message.done_arg = track;
  tsr_net->receive(word, &message);
}

/* One sender and receiver of many messages, half of them unexpected. */
static void exchange_in_order(int to, int from, int tags_n, int times) {
  int n = tags_n * times;
  uint32_t *out = calloc((size_t)n, sizeof *out), *in = calloc((size_t)n, sizeof *in);
  struct track *tracks = calloc((size_t)n * 2, sizeof *tracks);
  atomic_fetch_add(&under_way, 2 * n);
  struct tsr_net_message incoming = {.rank = from, .bytes = 4, .done = count_event}, outgoing = incoming;
  outgoing.rank = to;
  for (int i = 0; i < n / 2; i++) receive_word(&in[i], incoming, i % tags_n, &tracks[i]);
  for (int i = 0; i < n; i++) {
    out[i] = (uint32_t)(i * ranks_n + self);
    outgoing.tag = i % tags_n;
    outgoing.done_arg = &tracks[n + i];
    tsr_net->send(&out[i], &outgoing);
  }
  for (int i = n / 2; i < n; i++) receive_word(&in[i], incoming, i % tags_n, &tracks[i]);
  wait_for_all();
  for (int i = 0; i < n; i++) CHECK_EQ(in[i], i * ranks_n + from);
  for (int i = 0; i < 2 * n; i++) CHECK(tracks[i].local_n == 1 && tracks[i].bytes == 4);
  free(out);
  free(in);
  free(tracks);
}

static void exchange_large(int to, int from, size_t bytes, int tag) {
  unsigned char *out = malloc(bytes + 1), *in = malloc(bytes + 1);
  struct track sent = {0}, received = {0};
  fill(out, bytes, (unsigned)self);
  atomic_fetch_add(&under_way, 2);
  struct tsr_net_message message = {.rank = to, .tag = tag, .bytes = bytes, .done = count_event, .done_arg = &sent};
  tsr_net->send(out, &message);
  message.rank = from;
  message.done_arg = &received;
  tsr_net->receive(in, &message);
  wait_for_all();
  CHECK_EQ(sent.bytes, bytes);
  CHECK_EQ(received.bytes, bytes);
  CHECK(holds(in, bytes, (unsigned)from));
  free(out);
  free(in);
}

static void tagged(void) {
  for (int distance = 0; distance < ranks_n; distance++) { /* 0: to itself */
    int to = (self + distance) % ranks_n, from = (self - distance + ranks_n) % ranks_n;
    exchange_in_order(to, from, 5, 100);
    exchange_large(to, from, 0, TSR_NET_TAG_MAX);
    exchange_large(to, from, EAGER + 1, 0);
    exchange_large(to, from, CHUNK, TSR_NET_TAG_MAX);
    if (distance < 2) exchange_in_order(to, from, 1000, 2);
  }
  meet();
}

/* Without a callback: the data shows the completion. */
static void untold(void) {
  static uint64_t seen, given = 3;
  static _Atomic uint64_t taken;
  struct tsr_net_request request = {.rank = (self + 1) % ranks_n, .handler = H_ADD, .args = {1, 1}, .reply = &seen,
                                    .reply_bytes = sizeof seen};
  meet();
  CHECK_EQ(tsr_net->request(&request), TESSERA_OK);
  tsr_net->receive((void *)&taken, &(struct tsr_net_message){.rank = self, .tag = 1, .bytes = sizeof taken});
  tsr_net->send(&given, &(struct tsr_net_message){.rank = self, .tag = 1, .bytes = sizeof given});
  while (tsr_net->outstanding(-1) || taken != given) advance();
  meet();
}

/* ---- threads ---- */

static atomic_bool progress_thread_may_go;

static void *poll_until_told(void *arg) {
  (void)arg;
  while (!atomic_load(&progress_thread_may_go)) {
    if (!tsr_net->poll()) sched_yield();
  }
  return NULL;
}

enum { THREADS_N = 3, EACH_N = 50 };

static void *add_many(void *sum) {
  for (int i = 0; i < EACH_N; i++) {
    struct track track;
    uint64_t before;
    start((struct tsr_net_request){.rank = (self + 1) % ranks_n, .handler = H_ADD, .args = {1, 1}, .reply = &before,
                                   .reply_bytes = sizeof before}, &track);
    while (!atomic_load(&track.remote_n)) advance();
  }
  atomic_fetch_add((_Atomic int *)sum, EACH_N);
  return NULL;
}

/* A request that allows a delay is acknowledged by the next request in the other direction, not by a message of its
 * own; without such a request it is acknowledged, too. */
static void delayed(void) {
  enum { ROUNDS_N = 30 };
  struct tsr_net_request request = {.rank = 1 - self, .handler = self ? H_PONG : H_STORE, .delayed = true};
  struct track pong;
  pongs_n = pings_over_n = 0;
  memset(heap, 0, 1);
  meet();
  for (unsigned char round = 1; self < 2 && round <= ROUNDS_N; round++) {
    request.payload = &round;
    request.payload_bytes = self ? 0 : 1;
    if (self == 0) start(request, &ping);
    while (self == 0 ? pongs_n < round : heap[0] != round) advance();
    if (self == 1) start(request, &pong);
    wait_for_all();
  }
  meet();
  if (self == 0) CHECK_EQ(pings_over_n, ROUNDS_N);
}

/* Several threads start requests; all of them, main and a progress thread poll. */
static void several_threads(void) {
  pthread_t threads[THREADS_N];
  _Atomic int sum = 0;
  uint64_t first = counter;
  meet();
  for (int i = 0; i < THREADS_N; i++) pthread_create(&threads[i], NULL, add_many, &sum);
  while (atomic_load(&sum) < THREADS_N * EACH_N) advance();
  for (int i = 0; i < THREADS_N; i++) pthread_join(threads[i], NULL);
  wait_for_all();
  meet();
  CHECK_EQ(counter - first, THREADS_N * EACH_N);
}

/* A progress thread does all the polling while main starts and waits; then all threads poll. */
static void with_progress_thread(void) {
  pthread_t helper;
  atomic_store(&progress_thread_may_go, false);
  pthread_create(&helper, NULL, poll_until_told, NULL);
  atomic_store(&others_poll, true);
  RUN(store_and_load);
  RUN(exhaust_slots);
  RUN(tagged);
  atomic_store(&others_poll, false);
  RUN(several_threads);
  atomic_store(&progress_thread_may_go, true);
  pthread_join(helper, NULL);
}

/* ---- errors that end the job ---- */

static jmp_buf job_end;
static char last_words[300];

static void end_job(const char *what) {
  strncpy(last_words, what, sizeof last_words - 1);
  longjmp(job_end, 1);
}

/* As sent by acks.c. */
struct acks {
  uint16_t magic, n;
  int32_t rank;
  struct {
    uint16_t slot, bytes; /* a reply of so many bytes follows */
  } entries[2];
};
enum { ACKS_ROOM = TSR_WIRE_ACKS_MOST, PIGGYBACKED_BYTES = TSR_WIRE_PIGGYBACKED_MOST };
#define ACKS(...) {.acks = {.magic = TSR_WIRE_MAGIC, __VA_ARGS__}}
#define ACKS_BYTES(n) (8 + (n) * 4)

static const struct fault {
  const char *expected; /* words of the message, in this order */
  union {
    struct tsr_wire_header header;
    struct acks acks;
  };
  size_t bytes; /* of the message */
  enum { REQUEST, TAGGED, ACKED } kind;
} faults[] = {
    {"TSR-0219 20 rank 0 header", {{.magic = TSR_WIRE_MAGIC}}, 20, REQUEST},
    {"TSR-0219 64 rank 0 mark", {{.magic = 0x1234, .handler = H_STORE}}, 64, REQUEST},
    {"TSR-0219 72 rank 0 shorter", {{.magic = TSR_WIRE_MAGIC, .handler = H_STORE, .payload_bytes = 9}}, 72, REQUEST},
    {"TSR-0251 rank 0 3 bytes", {{.magic = TSR_WIRE_MAGIC, .handler = H_STORE}}, 67, REQUEST},
    {"TSR-0219 rank 0 longer", {{.magic = TSR_WIRE_MAGIC, .handler = H_STORE}}, 64 + PIGGYBACKED_BYTES + 2, REQUEST},
    {"TSR-0218 rank 0 0", {{.magic = TSR_WIRE_MAGIC, .handler = H_STORE}}, 68, REQUEST},
    {"TSR-0219 64 rank 0 handler", {{.magic = TSR_WIRE_MAGIC, .handler = H_NOBODY}}, 64, REQUEST},
    {"TSR-0219 64 rank 0 handler", {{.magic = TSR_WIRE_MAGIC, .handler = TSR_NET_HANDLERS_MAX}}, 64, REQUEST},
    {"TSR-0219 64 rank 0 slot", {{.magic = TSR_WIRE_MAGIC, .handler = H_STORE, .slot = TSR_WIRE_SLOTS_MAX}}, 64, REQUEST},
    {"TSR-0219 64 rank 0 bulk", {{.magic = TSR_WIRE_MAGIC, .handler = H_STORE, .bulk_bytes = CHUNK + 1}}, 64, REQUEST},
    {"TSR-0219 64 rank 0 asks", {{.magic = TSR_WIRE_MAGIC, .handler = H_LOAD, .reply_bytes = CHUNK + 1}}, 64, REQUEST},
    {"TSR-0219 64 rank 0 payload",
     {{.magic = TSR_WIRE_MAGIC, .handler = H_STORE, .out_of_line = 1, .payload_bytes = (1 << 21) - 1}},
     64,
     REQUEST},
    {"TSR-0219 64 rank 0 both",
     {{.magic = TSR_WIRE_MAGIC, .handler = H_STORE, .out_of_line = 1, .payload_bytes = 9, .bulk_bytes = 9}},
     64,
     REQUEST},
    {"TSR-0215 rank 0 9 8 longer", {{.magic = 0}}, 9, TAGGED},
    {"TSR-0215 rank 0 9 8 shorter", {{.magic = 0}}, 7, TAGGED},
    {"TSR-0208 5 rank 0", {{.magic = TSR_WIRE_MAGIC, .handler = H_NO_PLACE, .bulk_bytes = 5}}, 64, REQUEST},
    {"TSR-0209 4 rank 0 3", {{.magic = TSR_WIRE_MAGIC, .handler = H_TALKATIVE, .reply_bytes = 3}}, 64, REQUEST},
    {"TSR-0215 request rank 0 longer",
     {{.magic = TSR_WIRE_MAGIC, .handler = H_STORE}},
     64 + 2 * EAGER + PIGGYBACKED_BYTES + 1, /* a message of several requests may have as much, but no more */
     REQUEST},
    {"TSR-0202 0 bytes rank 0", ACKS(.n = 1), 0, ACKED},
    {"TSR-0202 6 bytes rank 0", ACKS(.n = 1), 6, ACKED},
    {"TSR-0202 12 bytes rank 0", ACKS(.n = 2), ACKS_BYTES(1), ACKED},
    {"TSR-0202 4096 bytes rank 0", ACKS(.n = 1), ACKS_ROOM, ACKED},
    {"TSR-0202 12 bytes rank 0", {.acks = {.magic = 0x1234, .n = 1}}, ACKS_BYTES(1), ACKED},
    {"TSR-0202 12 bytes rank 0", ACKS(.n = 1, .rank = 1), ACKS_BYTES(1), ACKED},
    {"TSR-0218 rank 0 16", ACKS(.n = 1, .entries = {{SLOTS_N, 0}}), ACKS_BYTES(1), ACKED},
    {"TSR-0218 rank 0 65535", ACKS(.n = 1, .entries = {{65535, 0}}), ACKS_BYTES(1), ACKED},
    {"TSR-0218 rank 0 3", ACKS(.n = 1, .entries = {{3, 0}}), ACKS_BYTES(1), ACKED},
    {"TSR-0218 rank 0 0", ACKS(.n = 2, .entries = {{0, 0}, {0, 0}}), ACKS_BYTES(2), ACKED},
    {"TSR-0202 12 bytes rank 0", ACKS(.n = 1, .entries = {{0, 1}}), ACKS_BYTES(1), ACKED},
    {"TSR-0252 rank 0 4 bytes 0 0", ACKS(.n = 1, .entries = {{0, 4}}), ACKS_BYTES(2), ACKED},
    {"TSR-0215 acknowledgements rank 0 longer", ACKS(.n = 1), ACKS_ROOM + 2, ACKED},
};
enum { FAULTS_N = sizeof faults / sizeof faults[0] };

/* The fault that a rank gets; NULL: none. */
static const struct fault *fault_of_rank(int round, int rank) {
  int i = round * (ranks_n - 1) + rank - 1;
  return i < FAULTS_N ? &faults[i] : NULL;
}

static void send_fault(const struct fault *fault, int rank) {
  static unsigned char message[ACKS_ROOM + 64 + 2 * EAGER];
  int tag = fault->kind == TAGGED ? 9 : fault->kind == ACKED ? TSR_MPI_TAG_ACK : TSR_MPI_TAG_REQUEST;
  memset(message, 0, sizeof message);
  memcpy(message, &fault->header, fault->kind == ACKED ? sizeof fault->acks : sizeof fault->header);
  MPI_Send(message, (int)fault->bytes, MPI_BYTE, rank, tag, fault->kind == TAGGED ? tsr_mpi.tagged : tsr_mpi.requests);
}

/* Makes the request that the fault answers. Rank 0 answers nothing else: it does not poll. */
static void ask(const struct fault *fault, struct track *track) {
  static uint64_t word;
  if (fault->kind == TAGGED) tsr_net->receive(&word, &(struct tsr_net_message){.tag = 9, .bytes = sizeof word});
  if (fault->kind == ACKED) start((struct tsr_net_request){.rank = 0, .handler = H_STORE}, track);
}

/* Polls until the job is ended by a message that names the sender and the fault. */
static void expect_fault(const struct fault *fault) {
  static struct track track;
  last_words[0] = 0;
  if (!setjmp(job_end)) {
    ask(fault, &track);
    for (;;) advance();
  }
  bool heard = has_words(last_words, fault->expected);
  CHECK(heard);
  if (!heard) fprintf(stderr, "rank %d heard \"%s\" instead of \"%s\"\n", self, last_words, fault->expected);
  /* Of several acknowledgements, those before the wrong one count. */
  if (fault->kind == ACKED) CHECK_EQ(track.remote_n, fault->acks.n == 2 && fault->bytes == ACKS_BYTES(2));
  atomic_store(&under_way, 0);
}

/* When this message has arrived, so have the requests of the rank to rank 0. Otherwise the next transport, whose
 * communicator may look the same to MPI, would receive them. */
static void tell_that_all_was_sent(int rank) {
  if (self == rank) MPI_Send(NULL, 0, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
  if (self == 0) MPI_Recv(NULL, 0, MPI_BYTE, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void damage_round(int round) {
  meet();
  MPI_Barrier(MPI_COMM_WORLD); /* no rank polls any more before all have arrived */
  for (int rank = 1; rank < ranks_n; rank++) {
    const struct fault *fault = fault_of_rank(round, rank);
    if (fault && self == 0) send_fault(fault, rank);
    if (fault && self == rank) expect_fault(fault);
  }
  for (int rank = 1; rank < ranks_n; rank++) tell_that_all_was_sent(rank);
  tsr_net->finish();
}

static void start_transport(void);

static void damaged_messages(void) {
  tsr_net_fatal = end_job;
  for (int round = 0; fault_of_rank(round, 1); round++) {
    if (round > 0) start_transport();
    damage_round(round);
  }
}

/* ---- all ---- */

static void start_transport(void) {
  tsr_config.eager_limit = EAGER + 1024 * (size_t)self; /* the smallest value is used */
  tsr_config.wire_buffer_size = CHUNK + 4096 * (size_t)(ranks_n - 1 - self);
  tsr_config.wire_buffers = SLOTS_N;
  CHECK_EQ(tsr_net_start(MPI_COMM_WORLD, NULL), TESSERA_OK);
  CHECK(strcmp(tsr_net->name, "mpi") == 0);
  CHECK_EQ(tsr_net_limits.eager_bytes, EAGER);
  CHECK_EQ(tsr_net_limits.chunk_bytes, CHUNK);
  CHECK(tsr_net_limits.payload_bytes > EAGER && tsr_net_limits.payload_bytes <= CHUNK);
}

/* The end cancels receives that never get a message. */
static void stop_transport(void) {
  static uint64_t never;
  meet();
  struct tsr_net_message message = {.tag = 77, .bytes = sizeof never, .done = count_event};
  for (int i = 0; i < 3; i++) {
    message.rank = (self + i) % ranks_n;
    tsr_net->receive(&never, &message);
  }
  tsr_net->finish();
  CHECK(strcmp(tsr_net->name, "none") == 0);
  CHECK_EQ(tsr_net->poll(), 0);
}

static void all_cases(int threads_level) {
  RUN(start_transport);
  CHECK_EQ(tsr_net_start(MPI_COMM_WORLD, NULL), TESSERA_ERR_STATE);
  RUN(store_and_load);
  RUN(pack);
  RUN(add);
  RUN(exhaust_slots);
  RUN(storm);
  RUN(forward);
  RUN(tagged);
  RUN(untold);
  RUN(delayed);
  if (threads_level == MPI_THREAD_MULTIPLE) RUN(with_progress_thread);
  RUN(stop_transport);
  RUN(start_transport); /* several more times in the same process */
  RUN(add);
  RUN(damaged_messages);
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
  tsr_config_load(false);
  tsr_log_identity(self, "test");
  register_handlers();
  heap = calloc((size_t)ranks_n, CHUNK);
  all_cases(level);
  CHECK_EQ(wrong_events, 0);
  free(heap);
  current = "MPI_Finalize";
  tsr_net_mpi_choose_finalize(MPI_COMM_WORLD, true, false); /* the ranks may be on several hosts */
  MPI_Finalize();
  return check_result();
}
