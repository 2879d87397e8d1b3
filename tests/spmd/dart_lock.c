/* Locks: exclusion, visibility, try, wrong use, many at once, and their life compared with that of teams and of the
 * runtime.
 * Units: 1 2 3 4 7 16
 * Group: dart_calls
 */
#include "dart_check.h"

static dart_lock_t new_lock(dart_team_t team) {
  dart_lock_t lock = DART_LOCK_NULL;
  OK(dart_team_lock_init(team, &lock));
  CHECK(lock != DART_LOCK_NULL);
  CHECK(dart_lock_initialized(lock));
  return lock;
}

static void end_lock(dart_lock_t *lock) {
  dart_lock_t copy = *lock;
  OK(dart_team_lock_destroy(lock));
  CHECK(*lock == DART_LOCK_NULL);
  CHECK(!dart_lock_initialized(copy));
}

static int64_t read_word(dart_gptr_t word) {
  int64_t value = -1;
  OK(dart_get_blocking(&value, word, 1, DART_TYPE_LONG, DART_TYPE_LONG));
  return value;
}
static void write_word(dart_gptr_t word, int64_t value) {
  OK(dart_put_blocking(word, &value, 1, DART_TYPE_LONG, DART_TYPE_LONG));
}

static dart_gptr_t new_words(void) {
  dart_gptr_t words = team_alloc(DART_TEAM_ALL, 2, DART_TYPE_LONG);
  memset(own_part(words, self), 0, 2 * sizeof(int64_t));
  barrier();
  return words;
}

static void free_words(dart_gptr_t words) {
  barrier();
  OK(dart_team_memfree(words));
}

enum { ROUNDS = 60 };

/* No increment is lost, although each is a separate get and put. */
static void excludes(void) {
  dart_lock_t lock = new_lock(DART_TEAM_ALL);
  dart_gptr_t words = new_words(), counter = at(words, units_n - 1, 0);
  for (int i = 0; i < ROUNDS; i++) {
    OK(dart_lock_acquire(lock));
    write_word(counter, read_word(counter) + 1);
    OK(dart_lock_release(lock));
  }
  barrier();
  CHECK_EQ(read_word(counter), (int64_t)units_n * ROUNDS);
  free_words(words);
  end_lock(&lock);
}

/* Each holder reads the data that the holder before it, on any unit, stored in its own memory by a plain store. */
static void shows_plain_stores(void) {
  dart_lock_t lock = new_lock(DART_TEAM_ALL);
  dart_gptr_t words = new_words(), last = at(words, 0, sizeof(int64_t));
  volatile int64_t *mine = own_part(words, self);
  for (int i = 0; i < ROUNDS; i++) {
    OK(dart_lock_acquire(lock));
    int64_t packed = read_word(last); /* the number of holders so far, and the last one */
    int64_t number = packed >> 16, who = packed & 0xffff;
    CHECK_EQ(read_word(at(words, (dart_unit_t)who, 0)), number);
    *mine = number + 1;
    write_word(last, (number + 1) << 16 | self);
    OK(dart_lock_release(lock));
  }
  barrier();
  CHECK_EQ(read_word(last) >> 16, (int64_t)units_n * ROUNDS);
  free_words(words);
  end_lock(&lock);
}

static int32_t try(dart_lock_t lock) {
  int32_t got = 77;
  OK(dart_lock_try_acquire(lock, &got));
  return got;
}

static void tries(void) {
  dart_lock_t lock = new_lock(DART_TEAM_ALL);
  dart_gptr_t words = new_words();
  const int64_t one = 1;
  if (self == 0) OK(dart_lock_acquire(lock));
  barrier();
  CHECK_EQ(try(lock), 0); /* also for the holder */
  barrier();
  if (self == 0) OK(dart_lock_release(lock));
  for (dart_unit_t turn = 0; turn < units_n; turn++) {
    barrier();
    if (turn != self) continue;
    CHECK_EQ(try(lock), 1);
    CHECK_EQ(try(lock), 0);
    OK(dart_lock_release(lock));
  }
  barrier();
  bool got = try(lock) == 1; /* all at once: one of them */
  if (got) OK(dart_accumulate(words, &one, 1, DART_TYPE_LONG, DART_OP_SUM));
  if (got) OK(dart_flush(words));
  barrier();
  CHECK_EQ(read_word(words), 1);
  if (got) OK(dart_lock_release(lock));
  else CHECK_EQ(dart_lock_release(lock), DART_ERR_INVAL);
  free_words(words);
  end_lock(&lock);
}

static void repeated_tries_come_through(void) {
  dart_lock_t lock = new_lock(DART_TEAM_ALL);
  dart_gptr_t words = new_words();
  for (int i = 0; i < 5; i++) {
    while (!try(lock)) continue;
    write_word(words, read_word(words) + 1);
    OK(dart_lock_release(lock));
    OK(dart_lock_acquire(lock)); /* failed attempts left nothing in the queue */
    write_word(words, read_word(words) + 1);
    OK(dart_lock_release(lock));
  }
  barrier();
  CHECK_EQ(read_word(words), (int64_t)units_n * 10);
  free_words(words);
  end_lock(&lock);
}

static void refuses_wrong_use(void) {
  dart_lock_t lock = new_lock(DART_TEAM_ALL), copy = lock;
  int32_t got = 77;
  CHECK_EQ(dart_lock_release(lock), DART_ERR_INVAL);
  barrier();
  if (self == units_n - 1) {
    OK(dart_lock_acquire(lock));
    CHECK_EQ(dart_lock_acquire(lock), DART_ERR_INVAL);
    CHECK_EQ(dart_team_lock_destroy(&lock), DART_ERR_INVAL);
    CHECK(lock == copy && dart_lock_initialized(lock));
  }
  barrier();
  if (self == 0 && units_n > 1) CHECK_EQ(dart_lock_release(lock), DART_ERR_INVAL); /* another unit's */
  CHECK_EQ(dart_lock_try_acquire(lock, NULL), DART_ERR_INVAL);
  barrier();
  if (self == units_n - 1) OK(dart_lock_release(lock));
  end_lock(&lock);
  dart_lock_t bad[] = {DART_LOCK_NULL, copy, (dart_lock_t)(void *)&got, (dart_lock_t)~(uintptr_t)0};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    CHECK_EQ(dart_lock_acquire(bad[i]), DART_ERR_INVAL);
    CHECK_EQ(dart_lock_release(bad[i]), DART_ERR_INVAL);
    CHECK_EQ(dart_lock_try_acquire(bad[i], &got), DART_ERR_INVAL);
    CHECK(!dart_lock_initialized(bad[i]));
    CHECK_EQ(dart_team_lock_destroy(&bad[i]), bad[i] ? DART_ERR_INVAL : DART_OK);
  }
  CHECK_EQ(dart_team_lock_destroy(NULL), DART_ERR_INVAL);
  CHECK_EQ(got, 77);
}

/* One unit's mistake is an error on all, and the next creation works. */
static void fails_together(void) {
  dart_lock_t lock = DART_LOCK_NULL;
  bool wrong = self == units_n / 2;
  CHECK_EQ(dart_team_lock_init(DART_TEAM_ALL, wrong ? NULL : &lock), wrong ? DART_ERR_INVAL : DART_ERR_OTHER);
  CHECK(lock == DART_LOCK_NULL);
  CHECK_EQ(dart_team_lock_init(DART_TEAM_NULL, &lock), DART_ERR_INVAL);
  lock = new_lock(DART_TEAM_ALL);
  OK(dart_lock_acquire(lock));
  OK(dart_lock_release(lock));
  end_lock(&lock);
}

/* Several locks of several teams; all units hold two at a time, in one order. */
static void sub_teams(void) {
  enum { EACH_N = 20 };
  dart_team_t even = team_of(EVEN_UNITS), odd = team_of(ODD_UNITS);
  dart_team_t team = even != DART_TEAM_NULL ? even : odd;
  dart_lock_t own[EACH_N], all[EACH_N];
  dart_gptr_t words = new_words();
  dart_gptr_t ours = at(words, self % 2, 0), everybodys = at(words, 0, sizeof(int64_t));
  for (int i = 0; i < EACH_N; i++) {
    own[i] = new_lock(team);
    all[i] = new_lock(DART_TEAM_ALL);
  }
  OK(dart_team_destroy(&team)); /* its locks stay valid */
  for (int i = 0; i < EACH_N; i++) {
    OK(dart_lock_acquire(own[i]));
    OK(dart_lock_acquire(all[i]));
    OK(dart_lock_release(own[i])); /* in any order */
    OK(dart_lock_release(all[i]));
  }
  barrier();
  for (int i = 0; i < EACH_N; i++) {
    OK(dart_lock_acquire(own[3]));
    write_word(ours, read_word(ours) + 1);
    OK(dart_lock_acquire(all[7]));
    write_word(everybodys, read_word(everybodys) + 1);
    OK(dart_lock_release(all[7]));
    OK(dart_lock_release(own[3]));
  }
  barrier();
  dart_unit_t halves_n = self % 2 ? units_n / 2 : (units_n + 1) / 2;
  CHECK_EQ(read_word(ours), (int64_t)halves_n * EACH_N);
  CHECK_EQ(read_word(everybodys), (int64_t)units_n * EACH_N);
  for (int i = 0; i < EACH_N; i++) {
    end_lock(&own[i]);
    end_lock(&all[EACH_N - 1 - i]);
  }
  free_words(words);
}

/* A unit that holds the lock while all others destroy it can release it, and unit 0 waits for that. */
static void destroyed_while_another_holds_it(void) {
  dart_lock_t lock = new_lock(DART_TEAM_ALL);
  dart_gptr_t gone_n = new_words();
  const int64_t one = 1;
  if (self == units_n - 1) {
    OK(dart_lock_acquire(lock));
    CHECK_EQ(dart_team_lock_destroy(&lock), DART_ERR_INVAL);
    OK(dart_lock_release(lock));
  }
  OK(dart_accumulate(gone_n, &one, 1, DART_TYPE_LONG, DART_OP_SUM));
  OK(dart_flush(gone_n));
  end_lock(&lock);
  if (self == 0) CHECK_EQ(read_word(gone_n), units_n);
  free_words(gone_n);
}

static void not_alive(dart_lock_t lock) {
  int32_t got = 77;
  dart_lock_t made = lock, copy = lock;
  CHECK(!dart_lock_initialized(lock));
  CHECK_EQ(dart_team_lock_init(DART_TEAM_ALL, &made), DART_ERR_NOTINIT);
  CHECK_EQ(dart_lock_acquire(lock), DART_ERR_NOTINIT);
  CHECK_EQ(dart_lock_try_acquire(lock, &got), DART_ERR_NOTINIT);
  CHECK_EQ(dart_lock_release(lock), DART_ERR_NOTINIT);
  OK(dart_team_lock_destroy(&copy));
  CHECK(got == 77 && made == DART_LOCK_NULL && copy == DART_LOCK_NULL);
}

/* Locks that exist at the end, held or not, are dropped; the next life does not know them. */
static dart_lock_t lives(void) {
  dart_lock_t before = DART_LOCK_NULL;
  for (int life = 0; life < 4; life++) {
    CHECK(!dart_lock_initialized(before));
    if (life) CHECK_EQ(dart_lock_acquire(before), DART_ERR_INVAL);
    dart_lock_t left = new_lock(DART_TEAM_ALL), held = new_lock(DART_TEAM_ALL);
    excludes();
    if (self == life % units_n) OK(dart_lock_acquire(held));
    before = left;
    OK(dart_exit());
    not_alive(before);
    start(NULL, NULL);
  }
  return before;
}

int main(int argc, char **argv) {
  not_alive(DART_LOCK_NULL);
  start(&argc, &argv);
  excludes();
  shows_plain_stores();
  tries();
  repeated_tries_come_through();
  refuses_wrong_use();
  fails_together();
  sub_teams();
  destroyed_while_another_holds_it();
  dart_lock_t old = lives();
  int result = finish();
  not_alive(old);
  return result || check_result();
}
