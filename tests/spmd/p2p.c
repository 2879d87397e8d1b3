/* Two-sided messages of the core: every size and kind of memory, many outstanding, order, wildcards, messages longer
 * than their receives, and threads.
 */
#include "check.h"

#include <pthread.h>
#include <string.h>

#include "core/bootstrap.h"
#include "core/place.h"
#include "core/progress.h"
#include "core/runtime.h"
#include "core/segment.h"
#include "p2p/p2p.h"

enum { LONGEST = 3 << 19, GUARD = 0xee };

static int32_t self, units_n;
static unsigned char *in_heap[2], *in_private[2]; /* to send from, to receive into */

static void barrier(void) { tsr_bootstrap_barrier(tsr_team_world); }
static tsr_unit unit(int32_t number) { return TSR_UNIT((number % units_n + units_n) % units_n); }

static void fill(unsigned char *data, int key, size_t bytes) {
  for (size_t i = 0; i < bytes; i++) data[i] = (unsigned char)((size_t)key * 37 + i * 7 + (i >> 9));
}
static size_t wrong(const unsigned char *data, int key, size_t bytes) {
  size_t n = 0;
  for (size_t i = 0; i < bytes; i++) n += data[i] != (unsigned char)((size_t)key * 37 + i * 7 + (i >> 9));
  return n;
}

static void start_send(tsr_outgoing *out, tsr_unit to, int32_t tag, const void *data, size_t bytes) {
  CHECK_EQ(tsr_p2p_send_start(out, to, TSR_P2P_DART, tag, data, bytes), TESSERA_OK);
}
static void start_receive(tsr_incoming *in, tsr_unit from, int32_t tag, void *buffer, size_t room) {
  tsr_p2p_receive_start(in, from, TSR_P2P_DART, tag, buffer, room);
}

/* Each unit sends to the unit `distance` further on and receives from the one before. */
static void shift(int32_t distance, size_t bytes, bool send_heap, bool receive_heap) {
  unsigned char *from = send_heap ? in_heap[0] : in_private[0], *to = receive_heap ? in_heap[1] : in_private[1];
  tsr_unit next = unit(self + distance), before = unit(self - distance);
  tsr_outgoing out;
  tsr_incoming in;
  fill(from, self + distance, bytes);
  memset(to, GUARD, bytes + 1);
  start_send(&out, next, 5, from, bytes);
  tsr_p2p_receive(&in, before, TSR_P2P_DART, 5, to, bytes);
  tsr_p2p_send_wait(&out);
  CHECK_EQ(in.bytes, bytes);
  CHECK_EQ(in.source.id, before.id);
  CHECK_EQ(in.tag, 5);
  CHECK_EQ(wrong(to, before.id + distance, bytes), 0);
  CHECK_EQ(to[bytes], GUARD);
}

static void every_size(void) {
  static const size_t sizes[] = {0, 1, 40, 41, 511, 512, 513, 4096, 8192, 8193, 65536, 65537, 300000, LONGEST - 1};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    for (int32_t distance = 0; distance < units_n && distance < 3; distance++) {
      for (int memory = 0; memory < 4; memory++) {
        if (sizes[i] > TSR_P2P_SMALL_BYTES || memory % 3 == 0) shift(distance, sizes[i], memory & 1, memory & 2);
      }
    }
  }
  barrier();
}

static bool is_done(const _Atomic bool *done) {
  if (!atomic_load_explicit(done, memory_order_acquire)) tsr_progress();
  return atomic_load_explicit(done, memory_order_acquire);
}

/* To and from all units at once, received in another order than sent, waited for in a third. */
static void many(size_t bytes) {
  enum { EACH = 20 };
  size_t n = (size_t)units_n * EACH;
  tsr_outgoing *out = malloc(n * sizeof *out);
  tsr_incoming *in = malloc(n * sizeof *in);
  unsigned char *sent = malloc(n * bytes + 1), *got = malloc(n * bytes + 1);
  for (size_t i = 0; i < n; i += 2)
    start_receive(&in[i], unit((int32_t)(i / EACH)), (int32_t)(i % EACH), got + i * bytes, bytes);
  for (size_t i = 0; i < n; i++) {
    fill(sent + i * bytes, self * 100 + (int)(i % EACH), bytes);
    start_send(&out[i], unit((int32_t)(i / EACH)), (int32_t)(i % EACH), sent + i * bytes, bytes);
  }
  for (size_t i = n - 1; i < n; i -= 2) /* n is even */
    start_receive(&in[i], unit((int32_t)(i / EACH)), (int32_t)(i % EACH), got + i * bytes, bytes);
  for (size_t i = n; i-- > 0;) {
    while (i % 3 == 0 && !is_done(&in[i].done)) continue;
    tsr_p2p_receive_wait(&in[i]);
    CHECK_EQ(in[i].bytes, bytes);
    CHECK_EQ(wrong(got + i * bytes, in[i].source.id * 100 + in[i].tag, bytes), 0);
    CHECK_EQ(in[i].source.id, i / EACH);
  }
  for (size_t i = 0; i < n; i++) {
    while (i % 2 && !is_done(&out[i].done)) continue;
    tsr_p2p_send_wait(&out[i]);
  }
  free(out), free(in), free(sent), free(got);
  barrier();
}

/* Units that all send first, with calls that block, and then receive: more than fits into the ring of a unit. */
static void all_send_first(int distance) {
  enum { N = 40, BYTES = TSR_P2P_RING_BYTES };
  static unsigned char sent[BYTES], got[BYTES];
  for (int i = 0; i < N; i++) {
    fill(sent, self + i, BYTES);
    CHECK_EQ(tsr_p2p_send(unit(self + distance), TSR_P2P_DART, i, sent, BYTES), TESSERA_OK);
  }
  for (int i = 0; i < N; i++) {
    tsr_incoming in;
    start_receive(&in, unit(self - distance), i, got, BYTES);
    tsr_p2p_receive_wait(&in);
    CHECK_EQ(wrong(got, unit(self - distance).id + i, BYTES), 0);
  }
  barrier();
}

/* Messages of one tag, long and short mixed, arrive in the order sent, whether or not their receives have started. */
static void order(bool receives_first) {
  enum { N = 60 };
  static tsr_outgoing out[N];
  static tsr_incoming in[N];
  static unsigned char sent[N][2000], got[N][2000];
  tsr_unit next = unit(self + 1), before = unit(self - 1);
  for (int i = 0; receives_first && i < N; i++) start_receive(&in[i], before, 9, got[i], sizeof got[i]);
  for (int i = 0; i < N; i++) {
    fill(sent[i], i, sizeof sent[i]);
    start_send(&out[i], next, 9, sent[i], i % 3 ? (size_t)i + 1 : sizeof sent[i] - (size_t)i);
  }
  if (!receives_first) barrier();
  for (int i = 0; i < N; i++) {
    if (!receives_first) start_receive(&in[i], before, 9, got[i], sizeof got[i]);
    tsr_p2p_receive_wait(&in[i]);
    CHECK_EQ(in[i].bytes, i % 3 ? (size_t)i + 1 : sizeof sent[i] - (size_t)i);
    CHECK_EQ(wrong(got[i], i, in[i].bytes), 0);
  }
  for (int i = 0; i < N; i++) tsr_p2p_send_wait(&out[i]);
  barrier();
}

/* Tags are received from the last to the first; sizes are probed before. */
static void probing(void) {
  enum { N = 8 };
  tsr_unit next = unit(self + 1), before = unit(self - 1);
  unsigned char data[N * 100], got[N * 100];
  struct tsr_p2p_found found;
  tsr_incoming in;
  fill(data, self, sizeof data);
  CHECK(!tsr_p2p_probe(TSR_UNIT(TSR_ANY_SOURCE), TSR_P2P_DART, TSR_ANY_TAG, &found));
  barrier();
  for (int tag = 0; tag < N; tag++) {
    CHECK_EQ(tsr_p2p_send(next, TSR_P2P_DART, tag, data, (size_t)tag * 10), TESSERA_OK);
  }
  for (int tag = N - 1; tag >= 0; tag--) {
    while (!tsr_p2p_probe(before, TSR_P2P_DART, tag, &found)) continue;
    CHECK_EQ(found.bytes, tag * 10);
    CHECK_EQ(found.source.id, before.id);
    CHECK_EQ(found.tag, tag);
    tsr_p2p_receive(&in, before, TSR_P2P_DART, tag, got, sizeof got);
    CHECK_EQ(wrong(got, before.id, in.bytes), 0);
    CHECK_EQ(in.bytes, tag * 10);
  }
  CHECK(!tsr_p2p_probe(before, TSR_P2P_DART, TSR_ANY_TAG, &found));
  barrier();
}

/* Unit 0 receives from any unit with any tag. */
static void wildcards(void) {
  enum { EACH = 10 };
  static unsigned char data[10000], got[10000];
  int *next = calloc((size_t)units_n, sizeof *next);
  tsr_incoming in;
  fill(data, 3, sizeof data);
  for (int i = 0; self && i < EACH; i++)
    CHECK_EQ(tsr_p2p_send(TSR_UNIT(0), TSR_P2P_DART, i, data, i % 4 == 3 ? sizeof data : (size_t)i), TESSERA_OK);
  for (int i = 0; !self && i < EACH * (units_n - 1); i++) {
    tsr_p2p_receive(&in, TSR_UNIT(TSR_ANY_SOURCE), TSR_P2P_DART, TSR_ANY_TAG, got, sizeof got);
    CHECK(in.source.id > 0 && in.source.id < units_n);
    CHECK_EQ(in.tag, next[in.source.id]++);
    CHECK_EQ(in.bytes, in.tag % 4 == 3 ? (int)sizeof data : in.tag);
    CHECK_EQ(wrong(got, 3, in.bytes), 0);
  }
  free(next);
  barrier();
}

/* Data that does not fit is dropped, and the send completes all the same. */
static void truncation(size_t bytes, size_t room, bool receive_heap) {
  unsigned char *to = receive_heap ? in_heap[1] : in_private[1];
  tsr_outgoing out[2];
  tsr_incoming in;
  fill(in_private[0], 1, bytes);
  memset(to, GUARD, room + 1);
  start_send(&out[0], unit(self + 1), 1, in_private[0], bytes);
  start_send(&out[1], unit(self + 1), 1, in_private[0], 3);
  tsr_p2p_receive(&in, unit(self - 1), TSR_P2P_DART, 1, to, room);
  CHECK_EQ(in.bytes, bytes);
  CHECK_EQ(wrong(to, 1, room), 0);
  CHECK_EQ(to[room], GUARD);
  tsr_p2p_receive(&in, unit(self - 1), TSR_P2P_DART, 1, to, 4);
  CHECK_EQ(in.bytes, 3);
  tsr_p2p_send_wait(&out[0]);
  tsr_p2p_send_wait(&out[1]);
  barrier();
}

/* More small messages than a ring holds, to a unit that has not started a receive yet; all units send first. */
static void flood(size_t bytes) {
  enum { N = 1100 };
  unsigned char data[512], got[512];
  tsr_incoming in;
  for (int i = 0; i < N; i++) {
    fill(data, i, bytes);
    CHECK_EQ(tsr_p2p_send(unit(self + 1), TSR_P2P_DART, i % 3, data, bytes), TESSERA_OK);
  }
  size_t bad = 0;
  for (int i = 0; i < N; i++) {
    tsr_p2p_receive(&in, unit(self - 1), TSR_P2P_DART, i % 3, got, sizeof got);
    bad += in.bytes != bytes || wrong(got, i, bytes);
  }
  CHECK_EQ(bad, 0);
  barrier();
}

/* Threads with a tag each, to all units at once. */
enum { THREADS_N = 4, ROUNDS = 30 };
static void *converse(void *arg) {
  int32_t tag = *(int32_t *)arg;
  size_t room = 100000;
  unsigned char *data = malloc(room), *got = malloc(room);
  for (int round = 0; round < ROUNDS; round++) {
    size_t bytes = round % 5 ? (size_t)(round * 97 % 700) : room - (size_t)round;
    tsr_unit next = unit(self + round), before = unit(self - round);
    tsr_outgoing out;
    tsr_incoming in;
    fill(data, self + tag + round, bytes);
    start_send(&out, next, tag, data, bytes);
    tsr_p2p_receive(&in, before, TSR_P2P_DART, tag, got, room);
    CHECK_EQ(in.bytes, bytes);
    CHECK_EQ(wrong(got, before.id + tag + round, bytes), 0);
    tsr_p2p_send_wait(&out);
  }
  free(data), free(got);
  return NULL;
}

static void threads(void) {
  pthread_t thread[THREADS_N];
  int32_t tag[THREADS_N];
  if (!tsr_threads_possible) return;
  tsr_threads = true;
  for (int i = 0; i < THREADS_N; i++) {
    tag[i] = 100 + i;
    pthread_create(&thread[i], NULL, converse, &tag[i]);
  }
  for (int i = 0; i < THREADS_N; i++) pthread_join(thread[i], NULL);
  barrier();
}

static void everything(void) {
  every_size();
  many(8);
  many(3000);
  many(40000);
  for (int distance = 0; distance < 3; distance++) all_send_first(distance);
  order(true);
  order(false);
  probing();
  wildcards();
  truncation(300, 100, false);
  truncation(20000, 7000, false);
  truncation(20000, 7000, true);
  truncation(1 << 20, 0, false);
  flood(16);
  flood(512);
  threads();
}

static void session(int argc, char **argv) {
  if (tessera_init(&argc, &argv)) exit(EXIT_FAILURE);
  self = tsr_place.self;
  units_n = tsr_place.units_n;
  uint64_t offs[2];
  for (int i = 0; i < 2; i++) {
    CHECK_EQ(tsr_segment_local_alloc(TSR_API_NATIVE, LONGEST, &offs[i]), TESSERA_OK);
    in_heap[i] = tsr_heap_at(tsr_heap.self, offs[i]);
  }
  everything();
  CHECK_EQ(tsr_p2p_send(unit(self + 1), TSR_P2P_DART, 77, in_heap[0], 100), TESSERA_OK); /* never received */
  CHECK_EQ(tessera_exit(), TESSERA_OK);
}

int main(int argc, char **argv) {
  setenv("TESSERA_WIRE_BUFFER_SIZE", "64K", 1);  /* many pieces */
  setenv("TESSERA_WIRE_BUFFERS", "4", 1);        /* often none is free */
  for (int i = 0; i < 2; i++) in_private[i] = malloc(LONGEST);
  session(argc, argv);
  for (int i = 0; i < 2; i++) free(in_private[i]);
  return check_result();
}
