/* Notified access: the data has arrived, or has been read, when the counter changes, at every size; many notifiers,
 * several counters, handles, flow control, more sleeping units than cores, bad calls.
 */
#include "dart_check.h"

#include <pthread.h>

#include <dash/dart/if/dart_ext.h>

enum { LONGEST = 1 << 20, COUNTERS_N = 8 };

static dart_gptr_t data, counters;
static uint64_t *own_counters;

static dart_unit_t unit(dart_unit_t number) { return (number % units_n + units_n) % units_n; }
static dart_gptr_t counter(dart_unit_t of, int i) { return at(counters, of, i * (int)sizeof(uint64_t)); }

/* No unit has waited for the last notifications: they arrive before the barrier ends. */
static void reset_all(void) {
  OK(dart_flush_all(counters));
  barrier();
  for (int i = 0; i < COUNTERS_N; i++) OK(dart_notify_reset(counter(self, i), NULL));
  barrier();
}

static void put(int how, size_t bytes, const void *src, dart_unit_t to) {
  dart_handle_t handle = DART_HANDLE_NULL;
  dart_gptr_t dest = at(data, to, 0);
  if (how % 2) {
    OK(dart_put_notify_handle(dest, src, bytes, DART_TYPE_BYTE, DART_TYPE_BYTE, counter(to, 0), 1, &handle));
    OK(dart_wait_local(&handle));
  } else {
    OK(dart_put_notify(dest, src, bytes, DART_TYPE_BYTE, DART_TYPE_BYTE, counter(to, 0), 1));
    OK(dart_flush_local(dest));
  }
}

/* To the next unit; a second counter, at the sender, tells that it may send again. */
static void rounds(size_t bytes, int rounds_n) {
  dart_unit_t next = unit(self + 1), before = unit(self - 1);
  unsigned char *src = private_buffer(bytes), *here = own_part(data, self);
  for (int round = 0; round < rounds_n; round++) {
    fill(src, (unsigned)(self * 50 + round), bytes);
    if (round) OK(dart_notify_wait(counter(self, 1), (uint64_t)round));
    put(round, bytes, src, next);
    OK(dart_notify_wait(counter(self, 0), (uint64_t)round + 1));
    CHECK_EQ(wrong(here, (unsigned)(before * 50 + round), bytes), 0);
    OK(dart_notify(counter(before, 1), 1));
  }
  free(src);
  reset_all();
}

static void get(int how, size_t bytes, void *dest, dart_unit_t from) {
  dart_handle_t handle = DART_HANDLE_NULL;
  dart_gptr_t src = at(data, from, 0);
  if (how % 2) {
    OK(dart_get_notify_handle(dest, src, bytes, DART_TYPE_BYTE, DART_TYPE_BYTE, counter(from, 1), 1, &handle));
    OK(dart_wait(&handle));
  } else {
    OK(dart_get_notify(dest, src, bytes, DART_TYPE_BYTE, DART_TYPE_BYTE, counter(from, 1), 1));
    OK(dart_flush(src));
  }
}

/* From the unit before, which writes the next data as soon as it is notified. */
static void fetches(size_t bytes, int rounds_n) {
  dart_unit_t next = unit(self + 1), before = unit(self - 1);
  unsigned char *dest = private_buffer(bytes), *here = own_part(data, self);
  for (int round = 0; round < rounds_n; round++) {
    if (round) OK(dart_notify_wait(counter(self, 1), (uint64_t)round));
    fill(here, (unsigned)(self * 50 + round), bytes);
    OK(dart_notify(counter(next, 0), 1));
    OK(dart_notify_wait(counter(self, 0), (uint64_t)round + 1));
    get(round, bytes, dest, before);
    CHECK_EQ(wrong(dest, (unsigned)(before * 50 + round), bytes), 0);
    CHECK_EQ(dest[bytes], GUARD);
  }
  OK(dart_notify_wait(counter(self, 1), (uint64_t)rounds_n));
  free(dest);
  reset_all();
}

/* Two gets of all data; the owner overwrites it before the origin waits for them. */
static void overwritten(void) {
  dart_unit_t next = unit(self + 1);
  unsigned char *first = private_buffer(LONGEST), *second = private_buffer(LONGEST), *here = own_part(data, self);
  fill(here, (unsigned)self, LONGEST);
  barrier();
  OK(dart_get_notify(first, at(data, next, 0), LONGEST, DART_TYPE_BYTE, DART_TYPE_BYTE, counter(next, 0), 1));
  OK(dart_get_notify(second, at(data, next, 0), LONGEST, DART_TYPE_BYTE, DART_TYPE_BYTE, counter(next, 0), 1));
  OK(dart_notify_wait(counter(self, 0), 2));
  memset(here, 0, LONGEST);
  OK(dart_flush(at(data, next, 0)));
  CHECK_EQ(wrong(first, (unsigned)next, LONGEST), 0);
  CHECK_EQ(wrong(second, (unsigned)next, LONGEST), 0);
  free(first);
  free(second);
  reset_all();
}

/* All units notify all, and wait for any of several counters. */
static void several(void) {
  enum { EACH = 20 };
  uint64_t least[COUNTERS_N], value = 0, seen = 0;
  dart_gptr_t own[COUNTERS_N];
  for (int i = 0; i < COUNTERS_N; i++) own[i] = counter(self, i), least[i] = (uint64_t)(units_n * EACH);
  barrier();
  for (int i = 0; i < EACH * COUNTERS_N; i++) {
    for (dart_unit_t to = 0; to < units_n; to++) OK(dart_notify(counter(to, (i + self) % COUNTERS_N), 1));
  }
  while (seen < COUNTERS_N) {
    size_t which = COUNTERS_N;
    OK(dart_notify_wait_any(own, least, COUNTERS_N, &which));
    CHECK(which < COUNTERS_N);
    OK(dart_notify_read(own[which], &value));
    CHECK_EQ(value, units_n * EACH);
    least[which] = UINT64_MAX;
    seen++;
  }
  barrier();
  OK(dart_notify_reset(own[3], &value));
  CHECK_EQ(value, units_n * EACH);
  OK(dart_notify_read(own[3], &value));
  CHECK_EQ(value, 0);
  reset_all();
}

static void testing(void) {
  int32_t reached = -1;
  OK(dart_notify_test(counter(self, 2), 1, &reached));
  CHECK_EQ(reached, 0);
  barrier();
  OK(dart_notify(counter(unit(self + 1), 2), 5));
  do OK(dart_notify_test(counter(self, 2), 5, &reached));
  while (!reached);
  OK(dart_notify_test(counter(self, 2), 6, &reached));
  CHECK_EQ(reached, 0);
  reset_all();
}

/* The last of several counters first. */
static void testing_several(void) {
  dart_gptr_t own[COUNTERS_N];
  uint64_t least[COUNTERS_N];
  for (int i = 0; i < COUNTERS_N; i++) own[i] = counter(self, i), least[i] = 2;
  for (size_t last = COUNTERS_N; last-- > 0;) {
    int32_t reached = -1;
    size_t which = 99;
    OK(dart_notify_test_any(own, least, COUNTERS_N, &which, &reached));
    if (last == COUNTERS_N - 1) CHECK(reached == 0 && which == 99);
    else CHECK(reached == 1 && which == last + 1);
    barrier();
    OK(dart_notify(counter(unit(self + 1), (int)last), 2));
    do OK(dart_notify_test_any(own, least, last + 1, &which, &reached));
    while (!reached);
    CHECK_EQ(which, last);
  }
  reset_all();
}

/* A row is put into a column. */
static void types(void) {
  enum { N = 50, APART = 4 };
  int row[N], *here = own_part(data, self);
  dart_datatype_t column;
  dart_unit_t next = unit(self + 1);
  OK(dart_type_create_strided(DART_TYPE_INT, APART, 1, &column));
  for (int i = 0; i < N; i++) row[i] = self * 100 + i;
  OK(dart_put_notify(at(data, next, 0), row, N, DART_TYPE_INT, column, counter(next, 0), 1));
  OK(dart_notify_wait(counter(self, 0), 1));
  for (int i = 0; i < N; i++) CHECK_EQ(here[i * APART], unit(self - 1) * 100 + i);
  OK(dart_put_notify(at(data, next, 0), NULL, 0, DART_TYPE_INT, DART_TYPE_INT, counter(next, 0), 1));
  OK(dart_notify_wait(counter(self, 0), 2));
  barrier();
  memset(row, 0, sizeof row);
  OK(dart_get_notify(row, at(data, next, 0), N, column, DART_TYPE_INT, counter(next, 0), 1));
  OK(dart_notify_wait(counter(self, 0), 3));
  for (int i = 0; i < N; i++) CHECK_EQ(row[i], self * 100 + i);
  OK(dart_get_notify(NULL, at(data, next, 0), 0, DART_TYPE_INT, DART_TYPE_INT, counter(next, 0), 1));
  OK(dart_notify_wait(counter(self, 0), 4));
  OK(dart_type_destroy(&column));
  reset_all();
}

/* A turn travels around the ring; all other units sleep. */
static void turns(void) {
  enum { LAPS = 30 };
  for (uint64_t lap = 1; lap <= LAPS; lap++) {
    if (self || lap > 1) OK(dart_notify_wait(counter(self, 4), self ? lap : lap - 1));
    OK(dart_notify(counter(unit(self + 1), 4), 1));
  }
  reset_all();
}

/* Each thread waits for its own counter, and answers. */
static void *serve(void *arg) {
  int i = *(int *)arg;
  for (uint64_t n = 1; n <= 50; n++) {
    OK(dart_notify(counter(unit(self + 1), i), 1));
    OK(dart_notify_wait(counter(self, i), n));
  }
  return NULL;
}
static void threads(void) {
  enum { THREADS_N = 3 };
  pthread_t thread[THREADS_N];
  int number[THREADS_N];
  for (int i = 0; i < THREADS_N; i++) {
    number[i] = i;
    pthread_create(&thread[i], NULL, serve, &number[i]);
  }
  for (int i = 0; i < THREADS_N; i++) pthread_join(thread[i], NULL);
  reset_all();
}

static void bad_calls(void) {
  dart_unit_t next = unit(self + 1);
  dart_gptr_t odd = counter(self, 0), far_off = at(counters, self, COUNTERS_N * 8), registered;
  static uint64_t brought[4];
  uint64_t value, least = 1;
  size_t which;
  int32_t reached;
  odd.addr_or_offs.offset += 4;
  OK(dart_team_memregister(DART_TEAM_ALL, 4, DART_TYPE_ULONG, brought, &registered));
  dart_gptr_t bad[] = {odd, far_off, DART_GPTR_NULL, at(registered, self, 0)};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    CHECK_EQ(dart_notify(bad[i], 1), DART_ERR_INVAL);
    CHECK_EQ(dart_notify_wait(bad[i], 1), DART_ERR_INVAL);
    CHECK_EQ(dart_notify_read(bad[i], &value), DART_ERR_INVAL);
    CHECK_EQ(dart_notify_reset(bad[i], &value), DART_ERR_INVAL);
    CHECK_EQ(dart_notify_test(bad[i], 1, &reached), DART_ERR_INVAL);
    CHECK_EQ(dart_notify_wait_any(&bad[i], &least, 1, &which), DART_ERR_INVAL);
    CHECK_EQ(dart_notify_test_any(&bad[i], &least, 1, &which, &reached), DART_ERR_INVAL);
    CHECK_EQ(dart_put_notify(at(data, self, 0), &value, 8, DART_TYPE_BYTE, DART_TYPE_BYTE, bad[i], 1), DART_ERR_INVAL);
    CHECK_EQ(dart_get_notify(&value, at(data, self, 0), 8, DART_TYPE_BYTE, DART_TYPE_BYTE, bad[i], 1), DART_ERR_INVAL);
  }
  if (units_n > 1) {
    CHECK_EQ(dart_notify_wait(counter(next, 0), 0), DART_ERR_INVAL);
    CHECK_EQ(dart_put_notify(at(data, next, 0), &value, 8, DART_TYPE_BYTE, DART_TYPE_BYTE, counter(self, 0), 1),
             DART_ERR_INVAL);
  }
  CHECK_EQ(dart_put_notify(at(data, next, LONGEST - 7), &value, 8, DART_TYPE_BYTE, DART_TYPE_BYTE, counter(next, 0), 1),
           DART_ERR_INVAL);
  CHECK_EQ(dart_put_notify(at(data, next, 0), NULL, 8, DART_TYPE_BYTE, DART_TYPE_BYTE, counter(next, 0), 1),
           DART_ERR_INVAL);
  CHECK_EQ(dart_put_notify_handle(at(data, next, 0), &value, 8, DART_TYPE_BYTE, DART_TYPE_BYTE, counter(next, 0), 1, NULL),
           DART_ERR_INVAL);
  CHECK_EQ(dart_get_notify(NULL, at(data, next, 0), 8, DART_TYPE_BYTE, DART_TYPE_BYTE, counter(next, 0), 1),
           DART_ERR_INVAL);
  CHECK_EQ(dart_get_notify_handle(&value, at(data, next, 0), 8, DART_TYPE_BYTE, DART_TYPE_BYTE, counter(next, 0), 1, NULL),
           DART_ERR_INVAL);
  CHECK_EQ(dart_notify_wait_any(NULL, NULL, 0, &which), DART_ERR_INVAL);
  CHECK_EQ(dart_notify_wait_any(&odd, &least, 1, NULL), DART_ERR_INVAL);
  CHECK_EQ(dart_notify_test_any(NULL, NULL, 0, &which, &reached), DART_ERR_INVAL);
  CHECK_EQ(dart_notify_test_any(&odd, &least, 1, NULL, &reached), DART_ERR_INVAL);
  CHECK_EQ(dart_notify_test_any(&odd, &least, 1, &which, NULL), DART_ERR_INVAL);
  CHECK_EQ(dart_notify_read(counter(self, 0), NULL), DART_ERR_INVAL);
  barrier();
  for (int i = 0; i < COUNTERS_N; i++) CHECK_EQ(own_counters[i], 0);
  OK(dart_team_memderegister(registered));
}

/* Data in memory that the target registered. */
static void registered_data(void) {
  static uint64_t brought[2000];
  uint64_t src[2000];
  dart_gptr_t there;
  dart_unit_t next = unit(self + 1);
  OK(dart_team_memregister(DART_TEAM_ALL, 2000, DART_TYPE_ULONG, brought, &there));
  for (size_t i = 0; i < 2000; i++) src[i] = (uint64_t)self + i;
  OK(dart_put_notify(at(there, next, 0), src, 2000, DART_TYPE_ULONG, DART_TYPE_ULONG, counter(next, 0), 1));
  OK(dart_notify_wait(counter(self, 0), 1));
  for (size_t i = 0; i < 2000; i++) CHECK_EQ(brought[i], (uint64_t)unit(self - 1) + i);
  barrier();
  memset(src, 0, sizeof src);
  OK(dart_get_notify(src, at(there, next, 0), 2000, DART_TYPE_ULONG, DART_TYPE_ULONG, counter(next, 0), 1));
  OK(dart_flush(at(there, next, 0)));
  for (size_t i = 0; i < 2000; i++) CHECK_EQ(src[i], (uint64_t)self + i);
  OK(dart_notify_wait(counter(self, 0), 2));
  OK(dart_flush(at(there, next, 0)));
  reset_all();
  OK(dart_team_memderegister(there));
}

int main(int argc, char **argv) {
  dart_thread_support_level_t level;
  setenv("TESSERA_WIRE_BUFFER_SIZE", "64K", 1);
  if (dart_init_thread(&argc, &argv, &level) != DART_OK) return EXIT_FAILURE;
  learn_units();
  data = team_alloc(DART_TEAM_ALL, LONGEST, DART_TYPE_BYTE);
  counters = team_alloc(DART_TEAM_ALL, COUNTERS_N, DART_TYPE_ULONG);
  own_counters = own_part(counters, self);
  memset(own_counters, 0xff, COUNTERS_N * sizeof *own_counters);
  reset_all();
  static const size_t sizes[] = {8, 100, 512, 8192, 8193, 65536, 300000, LONGEST};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    rounds(sizes[i], sizes[i] > 100000 ? 8 : 40);
    fetches(sizes[i], sizes[i] > 100000 ? 8 : 40);
  }
  overwritten();
  several();
  testing();
  testing_several();
  types();
  turns();
  if (level == DART_THREAD_MULTIPLE) threads();
  registered_data();
  bad_calls();
  OK(dart_team_memfree(counters));
  OK(dart_team_memfree(data));
  return finish();
}
