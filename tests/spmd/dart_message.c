/* dart_send, dart_recv and dart_sendrecv: rings, exchanges, order, self messages, threads, wrong calls.
 * Units: 1 2 3 4 7 16
 * Group: dart_demanding
 */
#include "dart_says.h"

#include <limits.h>
#include <pthread.h>

enum { SMALL = 512, LONG = 200000 };

static dart_global_unit_t unit(int number) { return DART_GLOBAL_UNIT_ID((number % units_n + units_n) % units_n); }

/* A token travels around the ring; each unit adds its number. */
static void ring(void) {
  long token = 0;
  if (units_n == 1) return;
  if (self == 0) {
    OK(dart_send(&token, 1, DART_TYPE_LONG, 3, unit(1)));
    OK(dart_recv(&token, 1, DART_TYPE_LONG, 3, unit(-1)));
    CHECK_EQ(token, (long)units_n * (units_n - 1) / 2);
  } else {
    OK(dart_recv(&token, 1, DART_TYPE_LONG, 3, unit(self - 1)));
    token += self;
    OK(dart_send(&token, 1, DART_TYPE_LONG, 3, unit(self + 1)));
  }
}

/* Pairs exchange all kinds of elements; a unit without a partner exchanges with itself. */
static void exchange(size_t bytes) {
  int partner = self ^ 1;
  if (partner >= units_n) partner = self;
  unsigned char *out = private_buffer(bytes), *in = private_buffer(bytes);
  for (int i = 0; i < BASIC_TYPES_N; i++) {
    const struct basic_type *basic = &basic_types[i];
    size_t n = bytes / basic->bytes, moved = n * basic->bytes;
    fill(out, (unsigned)(self + i), bytes);
    memset(in, GUARD, bytes + 1);
    OK(dart_sendrecv(out, n, basic->type, i, unit(partner), in, n, basic->type, i, unit(partner)));
    CHECK_EQ(wrong(in, (unsigned)(partner + i), moved), 0);
    CHECK_EQ(touched(in + moved, bytes + 1 - moved), 0);
  }
  free(out), free(in);
}

/* All units send first, and then receive. */
static void send_first(size_t bytes) {
  unsigned char *out = private_buffer(bytes), *in = private_buffer(bytes);
  for (int to = 0; to < units_n; to++) {
    fill(out, (unsigned)(self * 16 + to), bytes);
    OK(dart_send(out, bytes, DART_TYPE_BYTE, INT_MAX, unit(to)));
  }
  for (int from = units_n - 1; from >= 0; from--) {
    OK(dart_recv(in, bytes, DART_TYPE_BYTE, INT_MAX, unit(from)));
    CHECK_EQ(wrong(in, (unsigned)(from * 16 + self), bytes), 0);
    CHECK_EQ(in[bytes], GUARD);
  }
  free(out), free(in);
}

/* Around the ring in both directions at once, between global memories. */
static void shift(size_t bytes) {
  dart_gptr_t segment = team_alloc(DART_TEAM_ALL, 2 * bytes, DART_TYPE_BYTE);
  unsigned char *mine = own_part(segment, self);
  fill(mine, (unsigned)self, bytes);
  OK(dart_sendrecv(mine, bytes, DART_TYPE_BYTE, 1, unit(self + 1), mine + bytes, bytes,
                   DART_TYPE_BYTE, 1, unit(self - 1)));
  CHECK_EQ(wrong(mine + bytes, (unsigned)unit(self - 1).id, bytes), 0);
  OK(dart_sendrecv(mine, bytes, DART_TYPE_BYTE, 2, unit(self - 1), mine + bytes, bytes,
                   DART_TYPE_BYTE, 2, unit(self + 1)));
  CHECK_EQ(wrong(mine + bytes, (unsigned)unit(self + 1).id, bytes), 0);
  OK(dart_team_memfree(segment));
}

/* Messages of three tags, each in order, received tag by tag from the last. */
static void tags(void) {
  enum { N = 50 };
  for (int i = 0; i < 3 * N; i++) OK(dart_send(&i, 1, DART_TYPE_INT, i % 3, unit(self + 1)));
  for (int tag = 2; tag >= 0; tag--) {
    for (int i = 0; i < N; i++) {
      int got[2] = {-1, -1};
      OK(dart_recv(got, 2, DART_TYPE_INT, tag, unit(self - 1))); /* shorter than the buffer */
      CHECK_EQ(got[0], 3 * i + tag);
      CHECK_EQ(got[1], -1);
    }
  }
}

/* Barriers and collectives between messages. */
static void beside_collectives(void) {
  int in = -1, sum = 0, one = 1;
  OK(dart_send(&self, 1, DART_TYPE_INT, 0, unit(self + 1)));
  OK(dart_allreduce(&one, &sum, 1, DART_TYPE_INT, DART_OP_SUM, DART_TEAM_ALL));
  CHECK_EQ(sum, units_n);
  barrier();
  OK(dart_recv(&in, 1, DART_TYPE_INT, 0, unit(self - 1)));
  CHECK_EQ(in, unit(self - 1).id);
  OK(dart_sendrecv(NULL, 0, DART_TYPE_INT, 0, unit(self + 1), NULL, 0, DART_TYPE_INT, 0, unit(self - 1)));
}

/* A message longer than its receive: the receiver's error has both sizes, the send completes, the next message is complete. */
static void too_long(size_t bytes, const char *sizes) {
  unsigned char *out = private_buffer(bytes), *in = private_buffer(100);
  fill(out, 5, bytes);
  SAYS(sizes, DART_ERR_INVAL,
       dart_sendrecv(out, bytes, DART_TYPE_BYTE, 7, unit(self + 1), in, 100, DART_TYPE_BYTE, 7, unit(self - 1)));
  CHECK_EQ(wrong(in, 5, 100), 0);
  CHECK_EQ(in[100], GUARD);
  OK(dart_send(out, 100, DART_TYPE_BYTE, 7, unit(self + 1)));
  OK(dart_send(out, 60, DART_TYPE_BYTE, 7, unit(self + 1)));
  SAYS("TSR-2101 dart_recv 100 8", DART_ERR_INVAL, dart_recv(in, 1, DART_TYPE_LONG, 7, unit(self - 1)));
  OK(dart_recv(in, 60, DART_TYPE_BYTE, 7, unit(self - 1)));
  CHECK_EQ(wrong(in, 5, 60), 0);
  free(out), free(in);
}

/* Messages without a receive are reported once, and all are delivered when they are received. */
static void piled_up(void) {
  enum { N = 130000 };
  unsigned char data[SMALL] = {0};
  char text[1024];
  if (self != 0) return;
  listen();
  for (int i = 0; i < N; i++) {
    memcpy(data, &i, sizeof i);
    OK(dart_send(data, SMALL, DART_TYPE_BYTE, 1, unit(0)));
  }
  CHECK(heard_one_line("TSR-0802 0 1", text, sizeof text));
  int bad = 0, got;
  for (int i = 0; i < N; i++) {
    OK(dart_recv(data, SMALL, DART_TYPE_BYTE, 1, unit(0)));
    memcpy(&got, data, sizeof got);
    bad += got != i;
  }
  CHECK_EQ(bad, 0);
}

static void wrong_calls(void) {
  int word = 7;
  SAYS("TSR-2097 dart_send -1", DART_ERR_INVAL, dart_send(&word, 1, DART_TYPE_INT, 0, DART_GLOBAL_UNIT_ID(-1)));
  SAYS("TSR-2097 dart_recv", DART_ERR_INVAL, dart_recv(&word, 1, DART_TYPE_INT, 0, DART_GLOBAL_UNIT_ID(units_n)));
  SAYS("TSR-2098 dart_send -1", DART_ERR_INVAL, dart_send(&word, 1, DART_TYPE_INT, -1, unit(0)));
  SAYS("TSR-2098 dart_recv -2147483648", DART_ERR_INVAL, dart_recv(&word, 1, DART_TYPE_INT, INT_MIN, unit(0)));
  SAYS("TSR-2145 dart_send DART_TYPE_UNDEFINED", DART_ERR_INVAL, dart_send(&word, 1, DART_TYPE_UNDEFINED, 0, unit(0)));
  SAYS("TSR-2146 dart_recv", DART_ERR_INVAL, dart_recv(&word, 1, 9999, 0, unit(0)));
  SAYS("TSR-2129 dart_send", DART_ERR_INVAL, dart_send(&word, SIZE_MAX / 2, DART_TYPE_INT, 0, unit(0)));
  SAYS("TSR-2099 dart_send sendbuf", DART_ERR_INVAL, dart_send(NULL, 1, DART_TYPE_INT, 0, unit(0)));
  SAYS("TSR-2099 dart_recv recvbuf", DART_ERR_INVAL, dart_recv(NULL, 1, DART_TYPE_INT, 0, unit(0)));
  SAYS("TSR-2098 dart_sendrecv -3", DART_ERR_INVAL,
       dart_sendrecv(&word, 1, DART_TYPE_INT, 0, unit(0), &word, 1, DART_TYPE_INT, -3, unit(0)));
  SAYS("TSR-2099 dart_sendrecv recvbuf", DART_ERR_INVAL,
       dart_sendrecv(&word, 1, DART_TYPE_INT, 0, unit(0), NULL, 1, DART_TYPE_INT, 0, unit(0)));
  SAYS("TSR-2097 dart_sendrecv -5", DART_ERR_INVAL,
       dart_sendrecv(&word, 1, DART_TYPE_INT, 0, unit(0), &word, 1, DART_TYPE_INT, 0, DART_GLOBAL_UNIT_ID(-5)));
  CHECK_EQ(word, 7);
  barrier();
}

/* Each thread has a tag, and sends its number around the ring. */
enum { THREADS_N = 4 };
/* Every third element is sent, and received as pairs; the bytes between do not change. */
static void scattered(size_t pairs_n) {
  size_t n = 2 * pairs_n;
  int *out = calloc(3 * n, sizeof *out), *in = calloc(4 * n, sizeof *in);
  dart_datatype_t thirds = DART_TYPE_UNDEFINED, pairs = DART_TYPE_UNDEFINED;
  dart_unit_t next = (self + 1) % units_n, before = (self + units_n - 1) % units_n;
  OK(dart_type_create_strided(DART_TYPE_INT, 3, 1, &thirds));
  OK(dart_type_create_strided(DART_TYPE_INT, 4, 2, &pairs));
  for (size_t i = 0; i < n; i++) out[3 * i] = (int)i + 1000 * self;
  OK(dart_sendrecv(out, n, thirds, 9, DART_GLOBAL_UNIT_ID(next), in, n, pairs, 9, DART_GLOBAL_UNIT_ID(before)));
  size_t bad = 0;
  for (size_t i = 0; i < 4 * pairs_n; i++) {
    int expected = i % 4 < 2 ? (int)(i / 4 * 2 + i % 4) + 1000 * before : 0;
    bad += in[i] != expected;
  }
  CHECK_EQ(bad, 0);
  CHECK_EQ(dart_send(out, 3, pairs, 9, DART_GLOBAL_UNIT_ID(next)), DART_ERR_INVAL);
  OK(dart_type_destroy(&thirds));
  OK(dart_type_destroy(&pairs));
  free(out);
  free(in);
}

static void *converse(void *arg) {
  int tag = *(int *)arg;
  unsigned char *out = private_buffer(LONG), *in = private_buffer(LONG);
  for (int round = 0; round < 20; round++) {
    size_t bytes = round % 4 ? (size_t)round * 20 : LONG;
    fill(out, (unsigned)(self + tag), bytes);
    OK(dart_sendrecv(out, bytes, DART_TYPE_BYTE, tag, unit(self + 1), in, LONG, DART_TYPE_BYTE, tag, unit(self - 1)));
    CHECK_EQ(wrong(in, (unsigned)(unit(self - 1).id + tag), bytes), 0);
    if (self % 2 == 0) OK(dart_send(out, 9, DART_TYPE_BYTE, tag, unit(self + 1)));
    if (unit(self - 1).id % 2 == 0) OK(dart_recv(in, 9, DART_TYPE_BYTE, tag, unit(self - 1)));
  }
  free(out), free(in);
  return NULL;
}

static void threads(void) {
  pthread_t thread[THREADS_N];
  int tag[THREADS_N];
  for (int i = 0; i < THREADS_N; i++) {
    tag[i] = 10 + i;
    pthread_create(&thread[i], NULL, converse, &tag[i]);
  }
  for (int i = 0; i < THREADS_N; i++) pthread_join(thread[i], NULL);
}

int main(int argc, char **argv) {
  dart_thread_support_level_t level = DART_THREAD_SINGLE;
  int word = 0;
  if (!open_ears()) return check_skip();
  SAYS("TSR-0368 dart_send", DART_ERR_NOTINIT, dart_send(&word, 1, DART_TYPE_INT, 0, DART_GLOBAL_UNIT_ID(0)));
  if (dart_init_thread(&argc, &argv, &level) != DART_OK) return EXIT_FAILURE;
  size_t n = 0;
  dart_global_unit_t me = {-1};
  OK(dart_myid(&me));
  OK(dart_size(&n));
  self = me.id;
  units_n = (dart_unit_t)n;
  ring();
  exchange(SMALL);
  exchange(LONG);
  send_first(0);
  send_first(1);
  send_first(SMALL);
  shift(100);
  shift(LONG);
  scattered(20);
  scattered(30000);
  tags();
  beside_collectives();
  too_long(300, "TSR-2101 dart_sendrecv 300 100");
  too_long(LONG, "TSR-2101 dart_sendrecv 200000 100");
  wrong_calls();
  piled_up();
  if (level == DART_THREAD_MULTIPLE) threads();
  return finish();
}
