#include "rma/lock.h"

#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "base/bits.h"
#include "base/wait.h"
#include "core/bootstrap.h"
#include "core/check.h"
#include "core/conflict.h"
#include "core/op.h"
#include "core/progress.h"
#include "core/runtime.h"
#include "rma/atomic.h"
#include "rma/signal.h"

/* The home. */
struct home {
  TSR_ALIGNED_LINE _Atomic uint64_t tail; /* name of the last unit's entry; 0: the lock is free */
  _Atomic uint64_t gone_n;                /* units besides the home that have destroyed it */
};
_Static_assert(sizeof(struct home) == TSR_LOCK_HOME_BYTES, "one cache line");

/* The entry on which a unit waits; all zeros while the unit is not in the queue. Its successor sets `next` and its predecessor
 * sets `granted`; the unit clears both. */
struct tsr_lock_entry {
  TSR_ALIGNED_LINE _Atomic uint64_t next; /* name of the successor's entry; 0: none yet */
  _Atomic uint64_t granted;               /* set by the predecessor: this unit has the lock */
};

/* The name of an entry is its address in one word: the unit + 1, so that it is never 0, and the entry's number in the heap. */
enum { ENTRY_SHIFT = 6, ENTRY_BITS = 41 };
_Static_assert(sizeof(struct tsr_lock_entry) == 1 << ENTRY_SHIFT, "one cache line");

static uint64_t name_of(tsr_addr entry) { return (uint64_t)(entry.unit.id + 1) << ENTRY_BITS | entry.off >> ENTRY_SHIFT; }
static tsr_addr entry_of(uint64_t name) {
  uint64_t number = name & ((UINT64_C(1) << ENTRY_BITS) - 1);
  return (tsr_addr){TSR_UNIT((int32_t)(name >> ENTRY_BITS) - 1), number << ENTRY_SHIFT};
}

/* ---- the queue of units ---- */

/* Both functions change the tail and store its old value. Requests from other nodes are served with the same CPU atomics on
 * the tail's node. */
static tessera_status_t swap_tail(const tsr_lock *lock, uint64_t *before) {
  if (__builtin_expect(lock->tail != NULL, 1)) {
    *before = atomic_exchange_explicit(lock->tail, lock->name, memory_order_acq_rel);
    return TESSERA_OK;
  }
  atomic_thread_fence(memory_order_release); /* partner: the next unit's exchange of the tail, before it writes to this entry */
  tsr_op op = {0};
  tessera_status_t status = tsr_fetch(lock->home, TSR_U64, TSR_REPLACE, &lock->name, before, &op);
  tsr_op_wait_remote(&op, lock->home.unit);
  return status;
}

static tessera_status_t swap_tail_if(const tsr_lock *lock, uint64_t expected, uint64_t desired, uint64_t *before) {
  if (__builtin_expect(lock->tail != NULL, 1)) {
    *before = expected;
    atomic_compare_exchange_strong_explicit(lock->tail, before, desired, memory_order_acq_rel, memory_order_acquire);
    return TESSERA_OK;
  }
  atomic_thread_fence(memory_order_release); /* partner: the next holder's acquire */
  tsr_op op = {0};
  tessera_status_t status = tsr_swap_if(lock->home, TSR_U64, &expected, &desired, before, &op);
  tsr_op_wait_remote(&op, lock->home.unit);
  return status;
}

/* A failure ends the job, because the other unit waits for the signal. */
static void signal_entry(uint64_t name, size_t what, uint64_t value) {
  tsr_addr entry = entry_of(name);
  entry.off += what;
  if (tsr_signal(entry, TSR_SIGNAL_STORE, value, tsr_op_implicit(entry.unit)))
    tsr_abort(1, "TSR-0603 a lock could not be handed over to unit %d; the line above says why", entry.unit.id);
}

static bool is_granted(const void *entry) {
  return atomic_load_explicit(&((const struct tsr_lock_entry *)entry)->granted, memory_order_acquire) != 0;
}
static bool has_next(const void *entry) {
  return atomic_load_explicit(&((const struct tsr_lock_entry *)entry)->next, memory_order_acquire) != 0;
}

static struct tsr_wait_why describe_wait(const tsr_lock *lock, tsr_unit who) {
  return (struct tsr_wait_why){TSR_WAIT_LOCK, who.id, lock->home.unit.id};
}

static __attribute__((noinline)) void wait_behind(const tsr_lock *lock, uint64_t before) {
  signal_entry(before, offsetof(struct tsr_lock_entry, next), lock->name);
  tsr_wait(is_granted, lock->entry, describe_wait(lock, entry_of(before).unit));
  atomic_store_explicit(&lock->entry->granted, 0, memory_order_relaxed);
}

static void grant_next(const tsr_lock *lock) {
  uint64_t next = atomic_load_explicit(&lock->entry->next, memory_order_relaxed);
  atomic_store_explicit(&lock->entry->next, 0, memory_order_relaxed);
  signal_entry(next, offsetof(struct tsr_lock_entry, granted), 1);
}

/* Leaves the queue: the queue becomes empty, or the lock passes to the successor. If the tail names another unit but the entry
 * has no successor yet, that successor is about to store its name in the entry. */
static tessera_status_t leave_queue(const tsr_lock *lock) {
  if (!has_next(lock->entry)) {
    uint64_t before;
    tessera_status_t status = swap_tail_if(lock, lock->name, 0, &before);
    if (status || before == lock->name) return status;
    tsr_wait(has_next, lock->entry, describe_wait(lock, entry_of(before).unit));
  }
  grant_next(lock);
  return TESSERA_OK;
}

/* ---- the threads of this unit ---- */

struct turn {
  const tsr_lock *lock;
  uint32_t ticket;
};

static bool is_our_turn(const void *arg) {
  const struct turn *turn = arg;
  return atomic_load(&turn->lock->serving) == turn->ticket; /* partner: the exchange in end_turn */
}

/* If only one thread at a time may be inside the library, no atomic is needed. */
static void take_turn(tsr_lock *lock) {
  struct turn turn = {lock, atomic_load_explicit(&lock->tickets_n, memory_order_relaxed)};
  if (tsr_threads) turn.ticket = atomic_fetch_add(&lock->tickets_n, 1);
  else atomic_store_explicit(&lock->tickets_n, turn.ticket + 1, memory_order_relaxed);
  tsr_wait(is_our_turn, &turn, describe_wait(lock, TSR_UNIT(tsr_place.self)));
}

static bool try_turn(tsr_lock *lock) {
  uint32_t next = atomic_load_explicit(&lock->serving, memory_order_acquire);
  return atomic_compare_exchange_strong(&lock->tickets_n, &next, next + 1);
}

static void end_turn(tsr_lock *lock) {
  uint32_t next = atomic_load_explicit(&lock->serving, memory_order_relaxed) + 1;
  if (!tsr_threads) {
    atomic_store_explicit(&lock->serving, next, memory_order_relaxed);
    return;
  }
  atomic_exchange(&lock->serving, next); /* partner: the fetch-add in take_turn, before its load of `serving` */
  if (atomic_load(&lock->tickets_n) != next) tsr_wait_nudge();
}

/* Counts the locks that this unit holds, for the message when it dies. */
static void count_held(int32_t by) {
  _Atomic int32_t *locks_n = &tsr_heap_unit(tsr_heap.self)->locks_n;
  if (tsr_threads) atomic_fetch_add_explicit(locks_n, by, memory_order_relaxed);
  else atomic_store_explicit(locks_n, atomic_load_explicit(locks_n, memory_order_relaxed) + by, memory_order_relaxed);
}

static bool is_holder(const tsr_lock *lock) {
  return atomic_load_explicit(&lock->holder, memory_order_relaxed) == pthread_self();
}

static void begin_holding(tsr_lock *lock) {
  atomic_store_explicit(&lock->holder, pthread_self(), memory_order_relaxed);
  count_held(1);
}

static void end_holding(tsr_lock *lock) {
  atomic_store_explicit(&lock->holder, 0, memory_order_relaxed);
  count_held(-1);
}

/* ---- the lock ---- */

tessera_status_t tsr_lock_acquire(tsr_lock *lock) {
  if (__builtin_expect(is_holder(lock), 0)) return TESSERA_ERR_STATE;
  take_turn(lock);
  uint64_t before;
  tessera_status_t status = swap_tail(lock, &before);
  if (__builtin_expect(status != TESSERA_OK, 0)) {
    end_turn(lock);
    return status;
  }
  if (before) wait_behind(lock, before);
  begin_holding(lock);
  return TESSERA_OK;
}

/* Makes progress after a failure, because programs repeat the call until it succeeds, and success may require that this unit
 * serves a request. */
tessera_status_t tsr_lock_try(tsr_lock *lock, bool *got) {
  uint64_t before = 0;
  tessera_status_t status = TESSERA_OK;
  bool turn = try_turn(lock);
  if (turn) status = swap_tail_if(lock, 0, lock->name, &before);
  bool held = turn && !status && !before;
  if (held) begin_holding(lock);
  else if (turn) end_turn(lock);
  if (!held) {
    tsr_progress_if_required();
    tsr_wait_give_way(); /* the holder may be queued behind this unit on its core */
  }
  if (!status) *got = held;
  return status;
}

void tsr_lock_adopt(tsr_lock *lock) {
  if (atomic_load_explicit(&lock->holder, memory_order_relaxed))
    atomic_store_explicit(&lock->holder, pthread_self(), memory_order_relaxed);
}

tessera_status_t tsr_lock_release(tsr_lock *lock) {
  if (__builtin_expect(!is_holder(lock), 0)) return TESSERA_ERR_STATE;
  tsr_conflict_sync();
  tessera_status_t status = leave_queue(lock);
  if (__builtin_expect(status != TESSERA_OK, 0)) return status;
  end_holding(lock);
  end_turn(lock);
  tsr_progress_if_required(); /* a loop of acquire and release must not starve requests */
  return TESSERA_OK;
}

/* ---- creation and destruction ---- */

/* Allocates zeroed memory of the own heap. */
static tessera_status_t take_entries(size_t bytes, uint64_t *off) {
  tessera_status_t status = tsr_heap_alloc(bytes, TSR_HEAP_INTERNAL, off);
  if (!status) memset(tsr_heap_at(tsr_heap.self, *off), 0, bytes);
  return status;
}

static void set_home(tsr_lock *lock, tsr_addr home) {
  lock->home = home;
  lock->tail = tsr_place_pointer((tsr_addr){home.unit, home.off + offsetof(struct home, tail)});
}

static tessera_status_t take_own_entry(tsr_lock *lock) {
  uint64_t off;
  tessera_status_t status = take_entries(sizeof *lock->entry, &off);
  if (status) return status;
  *lock = (tsr_lock){.entry = tsr_heap_at(tsr_heap.self, off),
                     .entry_off = off,
                     .name = name_of((tsr_addr){TSR_UNIT(tsr_place.self), off})};
  return TESSERA_OK;
}

tessera_status_t tsr_lock_attach(tsr_lock *lock, tsr_addr home) {
  tessera_status_t status = take_own_entry(lock);
  if (!status) set_home(lock, home);
  return status;
}

tessera_status_t tsr_lock_create(tsr_team *team, tsr_lock *lock) {
  uint64_t home_off = 0;
  if (!tsr_check_name(team, "creation of a lock (as dart_team_lock_init)")) return TESSERA_ERR_PEER;
  tessera_status_t status = lock ? take_own_entry(lock) : TESSERA_ERR_ARG;
  if (!status && team->self == 0 && (status = take_entries(sizeof(struct home), &home_off)))
    tsr_heap_free(lock->entry_off, TSR_HEAP_INTERNAL);
  int64_t v[2] = {status != TESSERA_OK, (int64_t)home_off}; /* the maximum is member 0's offset: the others' is 0 */
  tsr_bootstrap_max(team, v, 2);
  if (!status) {
    set_home(lock, (tsr_addr){tsr_team_unit(team, TSR_MEMBER(0)), (uint64_t)v[1]});
    lock->users_n = team->self == 0 ? team->size : 0;
  }
  if (!v[0]) return TESSERA_OK;
  if (!status) tsr_lock_drop(lock);
  return status ? status : TESSERA_ERR_PEER;
}

void tsr_lock_drop(tsr_lock *lock) {
  if (atomic_load(&lock->holder)) end_holding(lock);
  tsr_heap_free(lock->entry_off, TSR_HEAP_INTERNAL);
  if (lock->users_n > 0) tsr_heap_free(lock->home.off, TSR_HEAP_INTERNAL);
}

static bool others_are_gone(const void *arg) {
  const tsr_lock *lock = arg;
  const struct home *home = tsr_heap_at(tsr_heap.self, lock->home.off);
  return atomic_load_explicit(&home->gone_n, memory_order_acquire) + 1 == (uint64_t)lock->users_n;
}

tessera_status_t tsr_lock_destroy(tsr_lock *lock) {
  if (atomic_load(&lock->tickets_n) != atomic_load(&lock->serving)) return TESSERA_ERR_STATE;
  tessera_status_t status = TESSERA_OK;
  if (lock->users_n > 0) {
    tsr_wait(others_are_gone, lock, (struct tsr_wait_why){TSR_WAIT_LOCK_USERS, lock->users_n - 1, 0});
  } else {
    tsr_addr gone_n = {lock->home.unit, lock->home.off + offsetof(struct home, gone_n)};
    status = tsr_signal(gone_n, TSR_SIGNAL_ADD, 1, tsr_op_implicit(gone_n.unit));
  }
  if (!status) tsr_lock_drop(lock);
  return status;
}
