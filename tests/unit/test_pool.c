#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/pool.h"

static uint64_t random_state = UINT64_C(0x9e3779b97f4a7c15);

static uint64_t draw(uint64_t below) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return random_state % below;
}

static void handle_leads_to_its_object_until_it_is_given(void **state) {
  (void)state;
  tsr_pool pool;
  uint64_t handle = 0;
  tsr_pool_init(&pool, 24);
  void *object = tsr_pool_take(&pool, &handle);
  assert_non_null(object);
  assert_int_equal((uint32_t)handle, 1);
  assert_ptr_equal(tsr_pool_find(&pool, handle), object);
  tsr_pool_give(&pool, handle);
  assert_null(tsr_pool_find(&pool, handle));
  tsr_pool_finish(&pool);
}

static void slot_is_reused_under_another_handle(void **state) {
  (void)state;
  tsr_pool pool;
  uint64_t first, second;
  tsr_pool_init(&pool, 8);
  void *object = tsr_pool_take(&pool, &first);
  tsr_pool_give(&pool, first);
  assert_ptr_equal(tsr_pool_take(&pool, &second), object);
  assert_int_equal((uint32_t)second, (uint32_t)first);
  assert_int_not_equal(second, first);
  assert_null(tsr_pool_find(&pool, first));
  assert_ptr_equal(tsr_pool_find(&pool, second), object);
  tsr_pool_finish(&pool);
}

static void foreign_numbers_are_refused(void **state) {
  (void)state;
  tsr_pool pool;
  uint64_t handle, last = 0;
  tsr_pool_init(&pool, 8);
  tsr_pool_take(&pool, &handle);
  const uint64_t foreign[] = {0, handle + 1, handle - 1, handle + (UINT64_C(1) << 32), handle | UINT64_C(1) << 63,
                              UINT64_MAX, UINT32_MAX, handle + 63, handle + 64, handle | 0x80000000u};
  for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) assert_null(tsr_pool_find(&pool, foreign[i]));
  for (int i = 0; i < 63; i++) tsr_pool_take(&pool, &last);
  assert_non_null(tsr_pool_find(&pool, last));
  assert_null(tsr_pool_find(&pool, last + 1));
  tsr_pool_finish(&pool);
}

static void give_refuses_a_stale_handle(void **state) {
  (void)state;
  pid_t child = fork();
  if (child == 0) {
    tsr_pool pool;
    uint64_t handle;
    close(STDERR_FILENO);
    signal(SIGABRT, SIG_DFL);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    tsr_pool_init(&pool, 8);
    tsr_pool_take(&pool, &handle);
    tsr_pool_give(&pool, handle);
    tsr_pool_give(&pool, handle);
    _exit(0);
  }
  int how = 0;
  assert_int_equal(waitpid(child, &how, 0), child);
  assert_true(WIFSIGNALED(how) && WTERMSIG(how) == SIGABRT);
}

static void zeros_are_a_pool_without_objects(void **state) {
  (void)state;
  tsr_pool pool = {0};
  assert_null(tsr_pool_find(&pool, 1));
  assert_null(tsr_pool_find(&pool, 0));
  tsr_pool_finish(&pool);
}

static void handles_do_not_outlive_their_pool(void **state) {
  (void)state;
  tsr_pool pool;
  uint64_t old[100], handle;
  tsr_pool_init(&pool, 8);
  for (int i = 0; i < 100; i++) tsr_pool_take(&pool, &old[i]);
  tsr_pool_finish(&pool);
  for (int i = 0; i < 100; i++) assert_null(tsr_pool_find(&pool, old[i]));
  tsr_pool_init(&pool, 8);
  for (int i = 0; i < 100; i++) tsr_pool_take(&pool, &handle);
  for (int i = 0; i < 100; i++) assert_null(tsr_pool_find(&pool, old[i]));
  tsr_pool_finish(&pool);
}

static void handles_are_positive_in_any_pool(void **state) {
  (void)state;
  for (int i = 0; i < 1000; i++) {
    tsr_pool pool;
    uint64_t handle;
    tsr_pool_init(&pool, 8);
    tsr_pool_take(&pool, &handle);
    assert_true((int64_t)handle > 0);
    tsr_pool_finish(&pool);
  }
}

static void generations_wrap_to_positive_handles(void **state) {
  (void)state;
  tsr_pool pool;
  uint64_t handle, next;
  tsr_pool_init(&pool, 8);
  pool.generation = INT32_MAX;
  tsr_pool_take(&pool, &handle);
  assert_int_equal(handle >> 32, INT32_MAX);
  tsr_pool_give(&pool, handle);
  void *object = tsr_pool_take(&pool, &next);
  assert_int_equal(next, 1);
  assert_ptr_equal(tsr_pool_find(&pool, next), object);
  assert_null(tsr_pool_find(&pool, handle));
  tsr_pool_finish(&pool);
}

static void objects_are_aligned_and_apart(void **state) {
  (void)state;
  const size_t sizes[] = {1, 7, 8, 16, 17, 40, 200};
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    tsr_pool pool;
    uint64_t handles[300];
    unsigned char *objects[300];
    tsr_pool_init(&pool, sizes[s]);
    for (int i = 0; i < 300; i++) {
      objects[i] = tsr_pool_take(&pool, &handles[i]);
      assert_int_equal((uintptr_t)objects[i] % _Alignof(max_align_t), 0);
      memset(objects[i], i, sizes[s]);
    }
    for (int i = 0; i < 300; i++) {
      assert_ptr_equal(tsr_pool_find(&pool, handles[i]), objects[i]);
      for (size_t b = 0; b < sizes[s]; b++) assert_int_equal(objects[i][b], (unsigned char)i);
    }
    tsr_pool_finish(&pool);
  }
}

/* Random allocations and releases, compared with a plain list of the taken objects and of the last released ones. */
static void random_use_agrees_with_a_list(void **state) {
  (void)state;
  enum { LIVE_MAX = 3000, STALE_N = 500, STEPS = 60000 };
  static struct {
    uint64_t handle, mark;
    uint64_t *object;
  } live[LIVE_MAX];
  static uint64_t stale[STALE_N];
  tsr_pool pool;
  int live_n = 0, stale_n = 0;
  tsr_pool_init(&pool, sizeof(uint64_t));
  for (int step = 0; step < STEPS; step++) {
    bool growing = step / 10000 % 2 == 0;
    if (live_n < LIVE_MAX && (live_n == 0 || draw(3) < (growing ? 2 : 1))) {
      live[live_n].object = tsr_pool_take(&pool, &live[live_n].handle);
      assert_non_null(live[live_n].object);
      *live[live_n].object = live[live_n].mark = draw(UINT64_MAX);
      live_n++;
    } else {
      int out = (int)draw((uint64_t)live_n);
      assert_int_equal(*live[out].object, live[out].mark);
      tsr_pool_give(&pool, live[out].handle);
      stale[stale_n++ % STALE_N] = live[out].handle;
      live[out] = live[--live_n];
    }
    if (live_n) {
      int one = (int)draw((uint64_t)live_n);
      assert_ptr_equal(tsr_pool_find(&pool, live[one].handle), live[one].object);
    }
    if (stale_n) assert_null(tsr_pool_find(&pool, stale[draw(stale_n < STALE_N ? (uint64_t)stale_n : STALE_N)]));
  }
  for (int i = 0; i < live_n; i++) {
    assert_ptr_equal(tsr_pool_find(&pool, live[i].handle), live[i].object);
    assert_int_equal(*live[i].object, live[i].mark);
  }
  assert_in_range(pool.slots_n, 1, 2 * LIVE_MAX + 64);
  tsr_pool_finish(&pool);
}

static void full_pool_gives_nothing(void **state) {
  (void)state;
  tsr_pool pool;
  uint64_t handle = 77;
  tsr_pool_init(&pool, 8);
  pool.chunks_n = TSR_POOL_CHUNKS_MAX; /* as after 2^31 objects */
  assert_null(tsr_pool_take(&pool, &handle));
  assert_int_equal(handle, 77);
}

static int visited_n, visited_sum;

static void visit(void *object) {
  visited_n++;
  visited_sum += *(int *)object;
}

static void each_visits_what_is_taken(void **state) {
  (void)state;
  tsr_pool pool;
  uint64_t handles[100];
  tsr_pool_init(&pool, sizeof(int));
  visited_n = visited_sum = 0;
  tsr_pool_each(&pool, visit);
  assert_int_equal(visited_n, 0);
  for (int i = 0; i < 100; i++) *(int *)tsr_pool_take(&pool, &handles[i]) = i;
  for (int i = 0; i < 100; i += 2) tsr_pool_give(&pool, handles[i]);
  tsr_pool_each(&pool, visit);
  assert_int_equal(visited_n, 50);
  assert_int_equal(visited_sum, 2500);
  tsr_pool_finish(&pool);
}

/* One thread takes and releases objects, while others access one object that stays and one that is gone. */
static struct {
  tsr_pool pool;
  uint64_t lasting, stale;
  void *object;
  _Atomic bool stop;
  _Atomic int wrong_n, looks_n;
} shared;

static void *look(void *arg) {
  while (!shared.stop) {
    if (tsr_pool_find(&shared.pool, shared.lasting) != shared.object) shared.wrong_n++;
    if (tsr_pool_find(&shared.pool, shared.stale)) shared.wrong_n++;
    shared.looks_n++;
  }
  return arg;
}

static void find_needs_no_lock(void **state) {
  (void)state;
  enum { LOOKERS = 2, ROUNDS = 30, BATCH = 500 };
  static uint64_t handles[BATCH];
  pthread_t lookers[LOOKERS];
  tsr_pool_init(&shared.pool, 8);
  tsr_pool_take(&shared.pool, &shared.stale);
  tsr_pool_give(&shared.pool, shared.stale);
  shared.object = tsr_pool_take(&shared.pool, &shared.lasting);
  for (int i = 0; i < LOOKERS; i++) pthread_create(&lookers[i], NULL, look, NULL);
  for (int round = 0; round < ROUNDS || shared.looks_n == 0; round++) {
    for (int i = 0; i < BATCH; i++) tsr_pool_take(&shared.pool, &handles[i]);
    for (int i = 0; i < BATCH; i++) tsr_pool_give(&shared.pool, handles[i]);
  }
  shared.stop = true;
  for (int i = 0; i < LOOKERS; i++) pthread_join(lookers[i], NULL);
  assert_int_equal(shared.wrong_n, 0);
  tsr_pool_finish(&shared.pool);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(handle_leads_to_its_object_until_it_is_given),
    cmocka_unit_test(slot_is_reused_under_another_handle),
    cmocka_unit_test(foreign_numbers_are_refused),
    cmocka_unit_test(give_refuses_a_stale_handle),
    cmocka_unit_test(zeros_are_a_pool_without_objects),
    cmocka_unit_test(handles_do_not_outlive_their_pool),
    cmocka_unit_test(handles_are_positive_in_any_pool),
    cmocka_unit_test(generations_wrap_to_positive_handles),
    cmocka_unit_test(objects_are_aligned_and_apart),
    cmocka_unit_test(random_use_agrees_with_a_list),
    cmocka_unit_test(full_pool_gives_nothing),
    cmocka_unit_test(each_visits_what_is_taken),
    cmocka_unit_test(find_needs_no_lock),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
