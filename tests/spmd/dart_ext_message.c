/* Messages beyond the published interface: modes, non-blocking, wildcards, probes, sizes around every change of
 * protocol, many senders, threads, bad calls, and messages that are never received.
 */
#include "dart_check.h"

#include <pthread.h>

#include <dash/dart/if/dart_ext.h>

enum { LONGEST = 600000, WAYS_N = 5 };

static dart_global_unit_t unit(dart_unit_t number) {
  return DART_GLOBAL_UNIT_ID((number % units_n + units_n) % units_n);
}

/* Starts a send in one of the non-blocking modes. */
static dart_handle_t start_send(int way, const void *data, size_t bytes, int tag, dart_global_unit_t to) {
  dart_handle_t handle = DART_HANDLE_NULL;
  if (way == 0) OK(dart_isend(data, bytes, DART_TYPE_BYTE, tag, to, &handle));
  if (way == 1) OK(dart_issend(data, bytes, DART_TYPE_BYTE, tag, to, &handle));
  if (way == 2) OK(dart_ibsend(data, bytes, DART_TYPE_BYTE, tag, to, &handle));
  if (way == 3) OK(dart_bsend(data, bytes, DART_TYPE_BYTE, tag, to));
  if (way >= 2) CHECK(handle == DART_HANDLE_NULL);
  return handle;
}

/* Around a ring: each unit sends to the unit `distance` further on, itself included. */
static void exchange(int way, dart_unit_t distance, size_t bytes, bool receives_first) {
  unsigned char *sent = private_buffer(bytes), *got = private_buffer(bytes);
  dart_global_unit_t next = unit(self + distance), before = unit(self - distance);
  dart_handle_t handles[2] = {DART_HANDLE_NULL, DART_HANDLE_NULL};
  dart_message_status_t status = {.tag = -7};
  fill(sent, (unsigned)self + 3, bytes);
  if (receives_first) OK(dart_irecv(got, bytes, DART_TYPE_BYTE, 4, before, &status, &handles[0]));
  handles[1] = start_send(way, sent, bytes, 4, next);
  if (!receives_first) OK(dart_irecv(got, bytes, DART_TYPE_BYTE, DART_ANY_TAG, DART_ANY_UNIT, &status, &handles[0]));
  OK(dart_waitall(handles, 2));
  CHECK_EQ(status.unit.id, before.id);
  CHECK_EQ(status.tag, 4);
  CHECK_EQ(status.nbytes, bytes);
  CHECK_EQ(status.result, DART_OK);
  CHECK_EQ(wrong(got, (unsigned)before.id + 3, bytes), 0);
  CHECK_EQ(got[bytes], GUARD);
  free(sent), free(got);
}

static void every_size(void) {
  static const size_t sizes[] = {0,    1,    8,     39,    40,    41,    55,    56,    57,     511,    512,
                                 513,  4096, 8191,  8192,  8193,  16384, 32768, 32769, 262143, 262144, 262145, LONGEST};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    for (int way = 0; way < 4; way++) exchange(way, (dart_unit_t)i % 3, sizes[i], (i + (size_t)way) % 2);
    barrier();
  }
}

/* Synchronous sends complete only when their receive has started, however short they are; buffered ones complete at once. */
static void modes(size_t bytes) {
  unsigned char *data = private_buffer(bytes), *got = private_buffer(bytes);
  dart_handle_t handle = DART_HANDLE_NULL;
  int32_t done = -1;
  fill(data, 9, bytes);
  OK(dart_issend(data, bytes, DART_TYPE_BYTE, 1, unit(self + 1), &handle));
  for (int i = 0; i < 20; i++) {
    OK(dart_test(&handle, &done));
    CHECK_EQ(done, 0);
  }
  barrier(); /* no receive has started */
  OK(dart_recv(got, bytes, DART_TYPE_BYTE, 1, unit(self - 1)));
  OK(dart_wait(&handle));
  CHECK_EQ(wrong(got, 9, bytes), 0);
  OK(dart_bsend(data, bytes, DART_TYPE_BYTE, 2, unit(self + 1)));
  memset(data, 0, bytes);
  barrier();
  memset(got, 0, bytes);
  OK(dart_recv(got, bytes, DART_TYPE_BYTE, 2, unit(self - 1)));
  CHECK_EQ(wrong(got, 9, bytes), 0);
  if (self % 2 == 0 && self + 1 < units_n) OK(dart_ssend(got, bytes, DART_TYPE_BYTE, 3, unit(self + 1)));
  if (self % 2) OK(dart_recv(data, bytes, DART_TYPE_BYTE, 3, unit(self - 1)));
  free(data), free(got);
  barrier();
}

/* All units send to unit 0, in all modes and sizes; messages of a sender arrive in order, although probed and received
 * by wildcards. */
static void any_source(void) {
  enum { EACH = 40, MOST = 40000 };
  static const size_t sizes[] = {3, 600, 9000, MOST};
  unsigned char *data = private_buffer(MOST), *got = private_buffer(MOST);
  int *next = calloc((size_t)units_n, sizeof *next);
  dart_handle_t handles[EACH];
  fill(data, 5, MOST);
  for (int i = 0; self && i < EACH; i++) handles[i] = start_send(i % 4, data, sizes[i % 7 % 4], i, unit(0));
  for (int i = 0; !self && i < EACH * (units_n - 1); i++) {
    dart_message_status_t found, status;
    dart_handle_t handle;
    OK(dart_probe(DART_ANY_TAG, DART_ANY_UNIT, &found));
    OK(dart_irecv(got, MOST, DART_TYPE_BYTE, found.tag, found.unit, &status, &handle));
    OK(dart_wait(&handle));
    CHECK_EQ(status.tag, next[status.unit.id]++);
    CHECK_EQ(status.nbytes, sizes[status.tag % 7 % 4]);
    CHECK_EQ(found.nbytes, status.nbytes);
    CHECK_EQ(wrong(got, 5, status.nbytes), 0);
  }
  if (self) OK(dart_waitall(handles, EACH));
  free(next), free(data), free(got);
  barrier();
}

static void probes(void) {
  int32_t found = -1;
  char letter = 'x';
  dart_message_status_t status = {.tag = -7};
  OK(dart_iprobe(DART_ANY_TAG, DART_ANY_UNIT, &found, &status));
  CHECK_EQ(found, 0);
  CHECK_EQ(status.tag, -7);
  barrier();
  OK(dart_send(&letter, 1, DART_TYPE_BYTE, 6, unit(self + 1)));
  do OK(dart_iprobe(6, DART_ANY_UNIT, &found, &status));
  while (!found);
  CHECK_EQ(status.unit.id, unit(self - 1).id);
  CHECK_EQ(status.nbytes, 1);
  OK(dart_iprobe(7, unit(self - 1), &found, NULL));
  CHECK_EQ(found, 0);
  OK(dart_probe(DART_ANY_TAG, unit(self - 1), NULL));
  OK(dart_recv(&letter, 1, DART_TYPE_BYTE, 6, unit(self - 1)));
  barrier();
}

static void truncation(size_t bytes, size_t room) {
  unsigned char *sent = private_buffer(bytes), *got = private_buffer(room);
  dart_handle_t handle, send;
  dart_message_status_t status;
  fill(sent, 1, bytes);
  OK(dart_irecv(got, room, DART_TYPE_BYTE, 8, unit(self - 1), &status, &handle));
  send = start_send(0, sent, bytes, 8, unit(self + 1));
  OK(dart_wait(&handle));
  OK(dart_wait(&send));
  CHECK_EQ(status.result, DART_ERR_INVAL);
  CHECK_EQ(status.nbytes, bytes);
  CHECK_EQ(wrong(got, 1, room), 0);
  CHECK_EQ(got[room], GUARD);
  free(sent), free(got);
  barrier();
}

/* Columns of a matrix to rows of one. */
static void types(void) {
  enum { ROWS = 300, COLUMNS = 5 };
  static int matrix[ROWS][COLUMNS], line[ROWS], back[ROWS][COLUMNS];
  dart_datatype_t column;
  dart_handle_t handles[3];
  for (int i = 0; i < ROWS; i++) matrix[i][2] = self * 1000 + i;
  memset(back, 0xff, sizeof back);
  OK(dart_type_create_strided(DART_TYPE_INT, COLUMNS, 1, &column));
  OK(dart_irecv(line, ROWS, DART_TYPE_INT, 1, unit(self - 1), NULL, &handles[0]));
  OK(dart_irecv(&back[0][1], ROWS, column, 2, unit(self - 1), NULL, &handles[1]));
  OK(dart_isend(&matrix[0][2], ROWS, column, 1, unit(self + 1), &handles[2]));
  OK(dart_ssend(&matrix[0][2], ROWS, column, 2, unit(self + 1)));
  OK(dart_waitall(handles, 3));
  for (int i = 0; i < ROWS; i++) {
    CHECK_EQ(line[i], unit(self - 1).id * 1000 + i);
    CHECK_EQ(back[i][1], line[i]);
    CHECK_EQ(back[i][0], -1);
  }
  OK(dart_type_destroy(&column));
  barrier();
}

/* Threads with a tag each, in all modes, both directions at once. */
static void *converse(void *arg) {
  enum { ROUNDS = 40, MOST = 70000 };
  int tag = *(int *)arg;
  unsigned char *data = private_buffer(MOST), *got = private_buffer(MOST);
  for (int round = 0; round < ROUNDS; round++) {
    size_t bytes = round % 4 ? (size_t)(round * 331 % 12000) : MOST - (size_t)round;
    dart_global_unit_t next = unit(self + round), before = unit(self - round);
    dart_handle_t handles[2];
    fill(data, (unsigned)(self + tag + round), bytes);
    OK(dart_irecv(got, MOST, DART_TYPE_BYTE, tag, before, NULL, &handles[0]));
    handles[1] = start_send(round % 4, data, bytes, tag, next);
    OK(dart_waitall(handles, 2));
    CHECK_EQ(wrong(got, (unsigned)(before.id + tag + round), bytes), 0);
  }
  free(data), free(got);
  return NULL;
}

static void threads(void) {
  enum { THREADS_N = 3 };
  pthread_t thread[THREADS_N];
  int tag[THREADS_N];
  for (int i = 0; i < THREADS_N; i++) {
    tag[i] = 100 + i;
    pthread_create(&thread[i], NULL, converse, &tag[i]);
  }
  for (int i = 0; i < THREADS_N; i++) pthread_join(thread[i], NULL);
  barrier();
}

static void bad_calls(void) {
  char data[8] = {0};
  dart_handle_t handle = DART_HANDLE_NULL;
  int32_t found;
  CHECK_EQ(dart_isend(data, 8, DART_TYPE_BYTE, 1, unit(0), NULL), DART_ERR_INVAL);
  CHECK_EQ(dart_isend(data, 8, DART_TYPE_BYTE, -1, unit(0), &handle), DART_ERR_INVAL);
  CHECK_EQ(dart_isend(data, 8, DART_TYPE_BYTE, 1, DART_ANY_UNIT, &handle), DART_ERR_INVAL);
  CHECK_EQ(dart_issend(NULL, 8, DART_TYPE_BYTE, 1, unit(0), &handle), DART_ERR_INVAL);
  CHECK_EQ(dart_ssend(data, 8, DART_TYPE_UNDEFINED, 1, unit(0)), DART_ERR_INVAL);
  CHECK_EQ(dart_bsend(data, 8, DART_TYPE_BYTE, DART_ANY_TAG, unit(0)), DART_ERR_INVAL);
  CHECK_EQ(dart_ibsend(data, 8, DART_TYPE_BYTE, 1, unit(0), NULL), DART_ERR_INVAL);
  CHECK_EQ(dart_irecv(data, 8, DART_TYPE_BYTE, 1, DART_GLOBAL_UNIT_ID(units_n), NULL, &handle), DART_ERR_INVAL);
  CHECK_EQ(dart_irecv(data, 8, DART_TYPE_BYTE, -2, unit(0), NULL, &handle), DART_ERR_INVAL);
  CHECK_EQ(dart_irecv(data, 8, DART_TYPE_BYTE, 1, unit(0), NULL, NULL), DART_ERR_INVAL);
  CHECK_EQ(dart_probe(-2, unit(0), NULL), DART_ERR_INVAL);
  CHECK_EQ(dart_iprobe(1, unit(0), NULL, NULL), DART_ERR_INVAL);
  CHECK_EQ(dart_iprobe(1, DART_GLOBAL_UNIT_ID(-1), &found, NULL), DART_ERR_INVAL);
  CHECK(handle == DART_HANDLE_NULL);
  barrier();
}

/* The memory for copies is limited: the call returns an error, and works again once some have been received. */
static void bound(void) {
  enum { BYTES = 24 << 20 };
  char *data = calloc(1, BYTES), *got = malloc(BYTES);
  for (int i = 0; i < 2; i++) OK(dart_bsend(data, BYTES, DART_TYPE_BYTE, 20, unit(self)));
  CHECK_EQ(dart_bsend(data, BYTES, DART_TYPE_BYTE, 20, unit(self)), DART_ERR_NOMEM);
  for (int i = 0; i < 2; i++) OK(dart_recv(got, BYTES, DART_TYPE_BYTE, 20, unit(self)));
  OK(dart_bsend(data, BYTES, DART_TYPE_BYTE, 20, unit(self)));
  OK(dart_recv(got, BYTES, DART_TYPE_BYTE, 20, unit(self)));
  free(data), free(got);
  barrier();
}

/* Released handles, receives without a message, messages without a receive: the exit ends them. */
static unsigned char left_data[LONGEST], left_got[2][LONGEST];
static dart_message_status_t left_status;
static void leave(void) {
  dart_handle_t handle;
  for (int way = 0; way < 4; way++) {
    handle = start_send(way, left_data, LONGEST, 30, unit(self + 1));
    OK(dart_handle_free(&handle));
    handle = start_send(way, left_data, 10, 30, unit(self + 1));
    OK(dart_handle_free(&handle));
  }
  OK(dart_irecv(left_got[0], LONGEST, DART_TYPE_BYTE, 30, unit(self - 1), NULL, &handle)); /* has a message, released */
  OK(dart_handle_free(&handle));
  OK(dart_irecv(left_got[1], LONGEST, DART_TYPE_BYTE, 31, DART_ANY_UNIT, &left_status, &handle)); /* never gets a message */
  left_status.nbytes = 1;
}

static void everything(dart_thread_support_level_t level) {
  every_size();
  modes(8);
  modes(5000);
  modes(100000);
  any_source();
  probes();
  truncation(100, 10);
  truncation(6000, 100);
  truncation(100000, 33000);
  truncation(LONGEST, 0);
  types();
  if (level == DART_THREAD_MULTIPLE) threads();
  bad_calls();
  bound();
}

static void session(int *argc, char ***argv, bool brief) {
  dart_thread_support_level_t level;
  if (dart_init_thread(argc, argv, &level) != DART_OK) exit(EXIT_FAILURE);
  learn_units();
  if (!brief) everything(level);
  modes(8);
  leave();
  OK(dart_exit());
  CHECK_EQ(left_status.unit.id, DART_UNDEFINED_UNIT_ID);
  CHECK_EQ(left_status.nbytes, 0);
}

int main(int argc, char **argv) {
  setenv("TESSERA_WIRE_BUFFER_SIZE", "64K", 1);
  session(&argc, &argv, false);
  session(&argc, &argv, check_is_brief());
  return check_result();
}
