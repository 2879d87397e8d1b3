/* Queue locks: one holder over all units and all their threads, first come, first served.
 *
 * A lock has a *home*, a word in the heap of one unit that names the last unit in the queue. Each unit that uses the lock
 * has an entry, a cache line in its own heap, on which it waits. It stores the address of this entry in the home and in its
 * predecessor's entry, and the predecessor signals the entry when it releases the lock. No unit polls another unit's memory.
 * The threads of one unit take turns in the order of their calls. Each turn enters the queue of units anew, so that the lock is
 * fair over all threads.
 *
 * What a holder stored or completed remotely before the release is visible to the next holder. Not recursive; the holder
 * is a thread.
 */
#ifndef TSR_RMA_LOCK_H
#define TSR_RMA_LOCK_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include <tessera.h>

#include "core/address.h"
#include "core/team.h"

enum { TSR_LOCK_HOME_BYTES = 64 };

struct tsr_lock_entry;

/* A unit's view of a lock. Its address stays the same while the lock lives. */
typedef struct tsr_lock {
  _Atomic uint64_t *tail;     /* the home's word; NULL: on another node */
  struct tsr_lock_entry *entry; /* own */
  uint64_t name;              /* of the own entry, as it stands in the tail */
  _Atomic pthread_t holder;   /* thread of this unit; 0: none */
  _Atomic uint32_t tickets_n; /* turns asked for so far */
  _Atomic uint32_t serving;   /* whose turn it is */
  tsr_addr home;
  uint64_t entry_off;
  int32_t users_n; /* at the home: units that created the lock together; 0: another unit's home, or the caller's memory */
} tsr_lock;

/* Creates a free lock whose home is member 0. Collective over the team. A member that has detected and logged an error passes
 * NULL. If one member fails, the call fails on all members: TESSERA_ERR_MEMORY on a member without memory, TESSERA_ERR_ARG on
 * one that passes NULL, TESSERA_ERR_PEER on the others. */
tessera_status_t tsr_lock_create(tsr_team *team, tsr_lock *lock);

/* Collective over the units that created the lock, not over their team, which may have been destroyed. The home returns when
 * all others have called; the others do not wait. TESSERA_ERR_STATE: a thread of this unit holds the lock or waits for it (not
 * logged; the lock is as before, and the home waits for this unit). TESSERA_ERR_MEMORY. */
tessera_status_t tsr_lock_destroy(tsr_lock *lock);

/* Frees this unit's part only, whether the lock is held or not. For the end of the job. */
void tsr_lock_drop(tsr_lock *lock);

/* Makes this unit's view of a lock whose home is memory of the caller's choice: an aligned word of 8 bytes, zeroed. Not
 * collective. The caller drops the view when no thread of this unit holds the lock or waits for it. TESSERA_ERR_MEMORY. */
tessera_status_t tsr_lock_attach(tsr_lock *lock, tsr_addr home);

/* Any thread. Returns when the caller holds the lock. A free lock costs one CPU atomic on the node of its home, and one
 * request elsewhere. TESSERA_ERR_STATE: the calling thread holds it already (not logged). TESSERA_ERR_MEMORY. */
tessera_status_t tsr_lock_acquire(tsr_lock *lock);

/* Never waits for a holder. *got: whether the caller has acquired the lock; false if it held it before. TESSERA_ERR_MEMORY. */
tessera_status_t tsr_lock_try(tsr_lock *lock, bool *got);

/* The calling thread becomes the holder in place of another thread of this unit. For interfaces in which units hold locks, not
 * threads. */
void tsr_lock_adopt(tsr_lock *lock);

/* TESSERA_ERR_STATE: the calling thread does not hold it (not logged). TESSERA_ERR_MEMORY: it still holds it. */
tessera_status_t tsr_lock_release(tsr_lock *lock);

#endif
