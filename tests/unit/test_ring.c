#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "node/ring.h"

/* Every test has a fresh ring in memory that forked children share. */
static tsr_ring *ring;

static int make_ring(void **state) {
  (void)state;
  ring = mmap(NULL, tsr_ring_bytes(), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (ring == MAP_FAILED) return -1;
  tsr_ring_init(ring);
  return 0;
}

static int drop_ring(void **state) {
  (void)state;
  return munmap(ring, tsr_ring_bytes());
}

static bool put(uint16_t kind, const void *data, uint32_t bytes) {
  struct tsr_ring_record record;
  if (!tsr_ring_reserve(ring, kind, bytes, &record)) return false;
  if (bytes) memcpy(record.payload, data, bytes);
  tsr_ring_publish(ring, &record);
  return true;
}

static uint64_t take_number(void) {
  struct tsr_ring_record record;
  assert_true(tsr_ring_peek(ring, &record));
  assert_int_equal(record.bytes, 8);
  uint64_t number;
  memcpy(&number, record.payload, 8);
  tsr_ring_release(ring, &record);
  return number;
}

static void keeps_order_through_many_rounds(void **state) {
  (void)state;
  uint64_t next = 0;
  assert_true(tsr_ring_is_empty(ring));
  for (uint64_t i = 0; i < 10 * TSR_RING_SLOTS; i++) {
    assert_true(put((uint16_t)(i % 256), &i, 8));
    assert_false(tsr_ring_is_empty(ring));
    if (i % 3 == 0) continue; /* the backlog grows */
    assert_int_equal(take_number(), next++);
    if (tsr_ring_depth(ring) > TSR_RING_SLOTS / 2) {
      while (!tsr_ring_is_empty(ring)) assert_int_equal(take_number(), next++);
    }
  }
  while (!tsr_ring_is_empty(ring)) assert_int_equal(take_number(), next++);
  assert_int_equal(next, 10 * TSR_RING_SLOTS);
  assert_int_equal(tsr_ring_depth(ring), 0);
}

static void carries_every_size(void **state) {
  (void)state;
  static uint8_t data[TSR_RING_RUN_BYTES];
  for (uint32_t bytes = 0; bytes <= TSR_RING_RUN_BYTES; bytes++) {
    memset(data, (int)(bytes % 251), bytes);
    assert_true(put(bytes % 256, data, bytes));
    struct tsr_ring_record record;
    assert_true(tsr_ring_peek(ring, &record));
    assert_int_equal(record.bytes, bytes);
    assert_int_equal(record.kind, bytes % 256);
    assert_int_equal((uintptr_t)record.payload % (bytes > TSR_RING_INLINE_BYTES ? 64 : 8), 0);
    assert_true((char *)record.payload + bytes <= (char *)ring + tsr_ring_bytes());
    assert_int_equal(memcmp(record.payload, data, bytes), 0);
    tsr_ring_release(ring, &record);
    assert_false(tsr_ring_peek(ring, &record));
  }
  assert_int_equal(tsr_ring_depth(ring), 0);
}

static void is_full_and_comes_back(void **state) {
  (void)state;
  struct tsr_ring_record record;
  for (int round = 0; round < 3; round++) {
    for (uint64_t i = 0; i < TSR_RING_SLOTS; i++) assert_true(put(1, &i, 8));
    assert_int_equal(tsr_ring_depth(ring), TSR_RING_SLOTS);
    for (int i = 0; i < 3; i++) assert_false(tsr_ring_reserve(ring, 1, 0, &record));
    assert_int_equal(tsr_ring_depth(ring), TSR_RING_SLOTS); /* a failed attempt reserves nothing */
    assert_int_equal(take_number(), 0);
    uint64_t last = TSR_RING_SLOTS;
    assert_false(tsr_ring_reserve(ring, 1, 57, &record)); /* two slots */
    assert_true(put(1, &last, 8));
    assert_false(tsr_ring_reserve(ring, 1, 0, &record));
    for (uint64_t i = 1; i <= TSR_RING_SLOTS; i++) assert_int_equal(take_number(), i);
    assert_true(put(1, &last, 8)); /* the rounds start at different slots */
    assert_int_equal(take_number(), last);
  }
}

static bool asks(uint32_t bytes, uint32_t who) { return tsr_ring_has_room(ring, bytes, who); }

/* has_room agrees with reserve, and records each waiter without room once. */
static void calls_who_waits_for_room(void **state) {
  (void)state;
  for (uint64_t i = 0; i < TSR_RING_SLOTS; i++) {
    assert_true(asks(8, 3));
    assert_true(put(1, &i, 8));
  }
  assert_int_equal(tsr_ring_take_waiters(ring), 0);
  assert_false(asks(8, 3) || asks(8, 3) || asks(57, 64 + 5));
  assert_int_equal(tsr_ring_take_waiters(ring), 1 << 3 | 1 << 5);
  assert_int_equal(tsr_ring_take_waiters(ring), 0);
  assert_false(asks(8, 3));
  assert_int_equal(take_number(), 0);
  assert_true(asks(8, 4));
  assert_false(asks(57, 6)); /* two slots */
  assert_int_equal(tsr_ring_take_waiters(ring), 1 << 3 | 1 << 6);
  assert_int_equal(take_number(), 1);
  assert_true(asks(57, 6));
}

/* A run that would wrap also needs the rest of the round. At each place the answer is that of an attempt to reserve. */
static void room_for_runs_is_told_right(void **state) {
  (void)state;
  struct tsr_ring_record record;
  int no_n = 0;
  for (uint32_t i = 0; i < 20000; i++) {
    uint32_t bytes = i * 7919 % TSR_RING_RUN_BYTES;
    bool told = asks(bytes, 0);
    assert_int_equal(tsr_ring_reserve(ring, 1, bytes, &record), told);
    if (told) tsr_ring_publish(ring, &record);
    no_n += !told;
    if (told && i % 4) continue;
    assert_true(tsr_ring_peek(ring, &record));
    tsr_ring_release(ring, &record);
  }
  assert_true(no_n > 100);
}

/* From every place of the round, the longest run and its filler fit into an empty ring. */
static void longest_run_fits_at_every_place(void **state) {
  (void)state;
  static uint8_t data[TSR_RING_RUN_BYTES];
  struct tsr_ring_record record;
  uint64_t number = 5;
  for (int place = 0; place < TSR_RING_SLOTS; place++) {
    assert_true(tsr_ring_reserve(ring, 7, TSR_RING_RUN_BYTES, &record));
    assert_true((char *)record.payload + TSR_RING_RUN_BYTES <= (char *)ring + tsr_ring_bytes());
    assert_false(tsr_ring_peek(ring, &record) || !tsr_ring_is_empty(ring)); /* a filler alone is no record */
    memset(record.payload, place, TSR_RING_RUN_BYTES);
    tsr_ring_publish(ring, &record);
    memset(data, place, sizeof data);
    assert_true(tsr_ring_peek(ring, &record));
    assert_int_equal(memcmp(record.payload, data, sizeof data), 0);
    tsr_ring_release(ring, &record);
    assert_int_equal(tsr_ring_depth(ring), 0);
    while (record.position % TSR_RING_SLOTS != (uint64_t)place) { /* to the next place, by short records */
      assert_true(put(1, &number, 8));
      assert_true(tsr_ring_peek(ring, &record));
      tsr_ring_release(ring, &record);
    }
  }
}

/* Payload that consists of the ring's own header words, for this round and the next ones, is never taken for a record:
 * each slot of a long run holds a header that would be valid there one round later. */
static void payload_never_passes_for_a_header(void **state) {
  (void)state;
  struct tsr_ring_record record;
  static uint64_t headers[3][TSR_RING_SLOTS]; /* the header words of three rounds, read from the ring itself */
  for (int round = 0; round < 3; round++) {
    for (int i = 0; i < TSR_RING_SLOTS; i++) {
      assert_true(tsr_ring_reserve(ring, 9, 4, &record));
      tsr_ring_publish(ring, &record);
      memcpy(&headers[round][i], (char *)record.payload - 8, 8);
      assert_true(tsr_ring_peek(ring, &record));
      tsr_ring_release(ring, &record);
    }
  }
  for (int ahead = 0; ahead < 3; ahead++) {
    memset(ring, 0, tsr_ring_bytes());
    tsr_ring_init(ring);
    for (int n = 0; n < 40; n++) { /* runs with fillers between them; then check each following slot */
      uint32_t bytes = n % 2 ? 11 * 64 : TSR_RING_RUN_BYTES;
      assert_true(tsr_ring_reserve(ring, 7, bytes, &record));
      uint64_t slot = record.position % TSR_RING_SLOTS, round = record.position / TSR_RING_SLOTS;
      char *line = record.payload;
      for (uint32_t i = 0; i < bytes / 64; i++) {
        uint64_t lure = round + (uint64_t)ahead < 3 ? headers[round + (uint64_t)ahead][slot + 1 + i] : 0;
        for (int word = 0; word < 8; word++) memcpy(line + i * 64 + word * 8, &lure, 8);
      }
      tsr_ring_publish(ring, &record);
      assert_true(tsr_ring_peek(ring, &record));
      assert_int_equal(record.bytes, bytes);
      tsr_ring_release(ring, &record);
      for (int i = 0; i < (n % 4 ? 3 : 200); i++) { /* reserved and not yet published: no record */
        struct tsr_ring_record pending;
        assert_true(tsr_ring_is_empty(ring));
        assert_true(tsr_ring_reserve(ring, 3, 8, &pending));
        assert_true(tsr_ring_is_empty(ring));
        assert_false(tsr_ring_peek(ring, &record));
        tsr_ring_publish(ring, &pending);
        assert_true(tsr_ring_peek(ring, &record));
        assert_int_equal(record.kind, 3);
        tsr_ring_release(ring, &record);
      }
    }
  }
}

/* A record of the concurrent tests: its producer, its number, bytes that follow from both, and a checksum. */
struct message {
  uint32_t producer, number, sum, bytes;
  uint8_t data[TSR_RING_RUN_BYTES - 16];
};
enum { PRODUCERS_N = 6, MESSAGES_N = 4000, MESSAGE_HEAD_BYTES = 16 };

static uint32_t mix(uint32_t x) {
  x ^= x >> 16;
  x *= 0x7feb352d;
  x ^= x >> 15;
  x *= 0x846ca68b;
  return x ^ x >> 16;
}

/* Mostly one slot, often a short run, sometimes a long one. */
static uint32_t size_of_message(uint32_t producer, uint32_t number) {
  uint32_t draw = mix(producer * 7919 + number);
  if (draw % 64 == 0) return draw / 64 % (TSR_RING_RUN_BYTES - MESSAGE_HEAD_BYTES);
  return draw / 64 % (draw % 4 ? 40 : 400);
}

static uint32_t sum_of(const uint8_t *data, uint32_t bytes, uint32_t sum) {
  for (uint32_t i = 0; i < bytes; i++) sum = sum * 31 + data[i];
  return sum;
}

static void send_all(uint32_t producer) {
  for (uint32_t number = 0; number < MESSAGES_N; number++) {
    uint32_t bytes = size_of_message(producer, number);
    struct tsr_ring_record record;
    while (!tsr_ring_reserve(ring, (uint16_t)producer, MESSAGE_HEAD_BYTES + bytes, &record)) sched_yield();
    struct message *message = record.payload;
    for (uint32_t i = 0; i < bytes; i++) message->data[i] = (uint8_t)(mix(number) + i * producer);
    uint32_t head[4] = {producer, number, sum_of(message->data, bytes, producer ^ number), bytes};
    memcpy(message, head, sizeof head);
    tsr_ring_publish(ring, &record);
  }
}

/* Receives everything: each message arrives whole and once, and those of a producer in order. */
static void receive_all(void) {
  uint32_t next[PRODUCERS_N] = {0};
  for (uint32_t left = PRODUCERS_N * MESSAGES_N; left > 0;) {
    struct tsr_ring_record record;
    if (!tsr_ring_peek(ring, &record)) {
      sched_yield();
      continue;
    }
    const struct message *message = record.payload;
    assert_true(message->producer < PRODUCERS_N);
    assert_int_equal(record.kind, message->producer);
    assert_int_equal(record.bytes, MESSAGE_HEAD_BYTES + message->bytes);
    assert_int_equal(message->number, next[message->producer]);
    assert_int_equal(message->bytes, size_of_message(message->producer, message->number));
    assert_int_equal(message->sum, sum_of(message->data, message->bytes, message->producer ^ message->number));
    next[message->producer]++;
    tsr_ring_release(ring, &record);
    left--;
  }
  assert_true(tsr_ring_is_empty(ring));
  assert_int_equal(tsr_ring_depth(ring), 0);
}

static void *producer_thread(void *arg) {
  send_all((uint32_t)(uintptr_t)arg);
  return NULL;
}

static void takes_many_threads(void **state) {
  (void)state;
  pthread_t threads[PRODUCERS_N];
  for (uintptr_t i = 0; i < PRODUCERS_N; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, producer_thread, (void *)i), 0);
  receive_all();
  for (int i = 0; i < PRODUCERS_N; i++) pthread_join(threads[i], NULL);
}

static void takes_many_processes(void **state) {
  (void)state;
  pid_t children[PRODUCERS_N];
  for (uint32_t i = 0; i < PRODUCERS_N; i++) {
    children[i] = fork();
    assert_true(children[i] >= 0);
    if (children[i] == 0) {
      send_all(i);
      _exit(0);
    }
  }
  receive_all();
  for (int i = 0; i < PRODUCERS_N; i++) {
    int status;
    assert_int_equal(waitpid(children[i], &status, 0), children[i]);
    assert_int_equal(status, 0);
  }
}

/* Consumers take turns under a lock, as the threads of a unit do, and others poll whether the ring is empty. */
static struct {
  pthread_mutex_t lock;
  _Atomic uint32_t left;
  uint32_t next[PRODUCERS_N];
  _Atomic uint32_t wrong_n;
} shift = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void *consumer_thread(void *arg) {
  (void)arg;
  while (shift.left) {
    if (tsr_ring_is_empty(ring)) {
      sched_yield();
      continue;
    }
    pthread_mutex_lock(&shift.lock);
    struct tsr_ring_record record;
    for (int i = 0; i < 5 && tsr_ring_peek(ring, &record); i++) {
      const struct message *message = record.payload;
      if (message->number != shift.next[record.kind]++) shift.wrong_n++;
      if (message->sum != sum_of(message->data, message->bytes, message->producer ^ message->number)) shift.wrong_n++;
      tsr_ring_release(ring, &record);
      shift.left--;
    }
    pthread_mutex_unlock(&shift.lock);
  }
  return NULL;
}

static void consumers_may_take_turns(void **state) {
  (void)state;
  pthread_t producers[PRODUCERS_N], consumers[2];
  shift.left = PRODUCERS_N * MESSAGES_N;
  for (int i = 0; i < 2; i++) assert_int_equal(pthread_create(&consumers[i], NULL, consumer_thread, NULL), 0);
  for (uintptr_t i = 0; i < PRODUCERS_N; i++)
    assert_int_equal(pthread_create(&producers[i], NULL, producer_thread, (void *)i), 0);
  for (int i = 0; i < PRODUCERS_N; i++) pthread_join(producers[i], NULL);
  for (int i = 0; i < 2; i++) pthread_join(consumers[i], NULL);
  assert_int_equal(shift.wrong_n, 0);
  for (int i = 0; i < PRODUCERS_N; i++) assert_int_equal(shift.next[i], MESSAGES_N);
  assert_true(tsr_ring_is_empty(ring));
}

#define RING_TEST(test) cmocka_unit_test_setup_teardown(test, make_ring, drop_ring)

int main(void) {
  const struct CMUnitTest tests[] = {
      RING_TEST(keeps_order_through_many_rounds),
      RING_TEST(carries_every_size),
      RING_TEST(is_full_and_comes_back),
      RING_TEST(calls_who_waits_for_room),
      RING_TEST(room_for_runs_is_told_right),
      RING_TEST(longest_run_fits_at_every_place),
      RING_TEST(payload_never_passes_for_a_header),
      RING_TEST(takes_many_threads),
      RING_TEST(takes_many_processes),
      RING_TEST(consumers_may_take_turns),
  };
  return cmocka_run_group_tests_name("ring", tests, NULL, NULL);
}
