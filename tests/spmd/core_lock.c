/* Signals to every unit, and locks below the interfaces: first come, first served; the heaps are empty at the end.
 * Units: 1 2 3 4 7 16
 * Group: core_calls
 */
#include <stdatomic.h>
#include <string.h>

#include "check.h"

#include "base/wait.h"
#include "core/bootstrap.h"
#include "core/place.h"
#include "core/progress.h"
#include "core/segment.h"
#include "rma/atomic.h"
#include "rma/lock.h"
#include "rma/signal.h"

static int32_t self, units_n;
static tsr_segment *words; /* two on each unit */

static tsr_addr word_of(int32_t unit, int which) {
  return tsr_segment_address(words, TSR_MEMBER(unit), (uint64_t)which * sizeof(uint64_t));
}

static uint64_t read_word(tsr_addr word) {
  uint64_t value = 0;
  tsr_op op = {0};
  CHECK_EQ(tsr_fetch(word, TSR_U64, TSR_NO_OP, NULL, &value, &op), TESSERA_OK);
  tsr_op_wait_remote(&op, word.unit);
  return value;
}

struct expected {
  const _Atomic uint64_t *word;
  uint64_t value;
};

static bool has_come(const void *arg) {
  const struct expected *expected = arg;
  return atomic_load_explicit(expected->word, memory_order_acquire) == expected->value;
}

static void await(tsr_addr own, uint64_t value) {
  struct expected expected = {tsr_place_pointer(own), value};
  tsr_wait(has_come, &expected, (struct tsr_wait_why){TSR_WAIT_REPLY, self, 0});
}

static void signal(tsr_addr word, enum tsr_signal how, uint64_t value) {
  CHECK_EQ(tsr_signal(word, how, value, tsr_op_implicit(word.unit)), TESSERA_OK);
}

/* Each unit adds to a word of each other one, and sleeps until all have added to its own word. */
static void signals_add_up(void) {
  enum { ROUNDS = 20 };
  for (uint64_t round = 1; round <= ROUNDS; round++) {
    for (int32_t unit = 0; unit < units_n; unit++) signal(word_of(unit, 0), TSR_SIGNAL_ADD, (uint64_t)unit + 1);
    await(word_of(self, 0), round * (uint64_t)units_n * ((uint64_t)self + 1));
    tsr_bootstrap_barrier(tsr_team_world);
  }
}

/* A number travels around the ring and grows by one at each unit. */
static void signals_go_round(void) {
  enum { ROUNDS = 20 };
  tsr_addr next = word_of((self + 1) % units_n, 1), own = word_of(self, 1);
  for (uint64_t round = 0; round < ROUNDS; round++) {
    uint64_t mine = round * (uint64_t)units_n + (uint64_t)self;
    if (mine > 0) await(own, mine);
    signal(next, TSR_SIGNAL_STORE, mine + 1);
  }
  if (self == 0) await(own, (uint64_t)units_n * ROUNDS);
}

/* The unit whose line is last in the queue; -1: the lock is free. */
static int32_t last_in(const tsr_lock *lock) { return (int32_t)(read_word(lock->home) >> 41) - 1; }

static void await_last(const tsr_lock *lock, int32_t unit) {
  while (last_in(lock) != unit) {
    if (!tsr_progress()) sched_yield();
  }
}

/* Unit 0 holds the lock until all others wait in the queue, one after the other. */
static void first_come_first_served(void) {
  tsr_lock lock;
  uint64_t turn = UINT64_MAX;
  const uint64_t one = 1;
  CHECK_EQ(tsr_lock_create(tsr_team_world, &lock), TESSERA_OK);
  *(uint64_t *)tsr_place_pointer(word_of(self, 0)) = 0;
  tsr_bootstrap_barrier(tsr_team_world);
  if (self > 0) await_last(&lock, self - 1);
  CHECK_EQ(tsr_lock_acquire(&lock), TESSERA_OK);
  if (self == 0) await_last(&lock, units_n - 1);
  tsr_op op = {0};
  CHECK_EQ(tsr_fetch(word_of(0, 0), TSR_U64, TSR_SUM, &one, &turn, &op), TESSERA_OK);
  tsr_op_wait_remote(&op, TSR_UNIT(0));
  CHECK_EQ(turn, self);
  CHECK_EQ(tsr_lock_release(&lock), TESSERA_OK);
  tsr_bootstrap_barrier(tsr_team_world);
  CHECK_EQ(last_in(&lock), -1);
  tsr_bootstrap_barrier(tsr_team_world);
  CHECK_EQ(tsr_lock_destroy(&lock), TESSERA_OK);
}

static int64_t reserved(void) {
  tsr_bootstrap_barrier(tsr_team_world);
  int64_t bytes = tsr_heap_live_bytes();
  tsr_bootstrap_barrier(tsr_team_world);
  return bytes;
}

/* Creation, failed creation and destruction leave the heaps as they were. */
static void nothing_is_left(void) {
  int64_t before = reserved();
  for (int i = 0; i < 20; i++) {
    tsr_lock locks[3], refused;
    for (int k = 0; k < 3; k++) CHECK_EQ(tsr_lock_create(tsr_team_world, &locks[k]), TESSERA_OK);
    bool refuses = self == i % units_n;
    tessera_status_t status = tsr_lock_create(tsr_team_world, refuses ? NULL : &refused);
    CHECK_EQ(status, refuses ? TESSERA_ERR_ARG : TESSERA_ERR_PEER);
    for (int k = 0; k < 3; k++) CHECK_EQ(tsr_lock_destroy(&locks[k]), TESSERA_OK);
  }
  CHECK_EQ(reserved(), before);
}

int main(int argc, char **argv) {
  if (tessera_init(&argc, &argv)) return EXIT_FAILURE;
  self = tsr_place.self;
  units_n = tsr_place.units_n;
  CHECK_EQ(tsr_segment_alloc(tsr_team_world, 2 * sizeof(uint64_t), &words), TESSERA_OK);
  memset(tsr_place_pointer(word_of(self, 0)), 0, 2 * sizeof(uint64_t));
  tsr_bootstrap_barrier(tsr_team_world);
  signals_add_up();
  signals_go_round();
  tsr_bootstrap_barrier(tsr_team_world);
  for (int i = 0; i < 5; i++) first_come_first_served();
  nothing_is_left();
  CHECK_EQ(tsr_segment_free(words), TESSERA_OK);
  CHECK_EQ(tessera_exit(), TESSERA_OK);
  return check_result();
}
