/* Queue locks: one holder over all units and all their threads, first come, first served.
 *
 * A lock has a *home*, a word in some unit's heap that names the last unit in the queue, and in the heap of each unit
 * that uses it one line on which that unit waits: it stores its line's address in the home, tells its predecessor, and
 * is told by it when the lock is its own. Nobody polls another unit's memory, whatever the distance. Threads of one
 * unit take turns by tickets, and each turn queues anew, so that it is fair over all of them.
 *
 * What a holder stored or completed remotely before it lets go is visible to the next one. Not recursive; the holder
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

struct tsr_lock_line;

/* A unit's view of a lock. Its address stays the same while the lock lives. */
typedef struct tsr_lock {
  _Atomic uint64_t *tail;     /* the home's word; NULL: on another node */
  struct tsr_lock_line *line; /* own */
  uint64_t name;              /* of the own line, as it stands in the tail */
  _Atomic pthread_t holder;   /* thread of this unit; 0: none */
  _Atomic uint32_t tickets_n; /* turns asked for so far */
  _Atomic uint32_t serving;   /* whose turn it is */
  tsr_addr home;
  uint64_t line_off;
  int32_t users_n; /* units that created it together, at its home; 0: elsewhere, or the home is not ours to free */
} tsr_lock;

/* Creates a free lock whose home is member 0. Collective over the team. NULL: this member takes part only to make it
 * fail everywhere, having said why. One member's failure is everybody's: TESSERA_ERR_MEMORY on who ran out,
 * TESSERA_ERR_PEER elsewhere. */
tessera_status_t tsr_lock_create(tsr_team *team, tsr_lock *lock);

/* Collective over the units that created it, not over their team, which may be gone. The home returns when all others
 * have called; they do not wait. TESSERA_ERR_STATE: a thread of this unit holds it or waits for it (not logged; the
 * lock is as before, and the home waits for this unit). TESSERA_ERR_MEMORY. */
tessera_status_t tsr_lock_destroy(tsr_lock *lock);

/* Frees this unit's part without telling anybody, whether it is held or not. For the end. */
void tsr_lock_drop(tsr_lock *lock);

/* This unit's view of a lock whose home somebody provides: TSR_LOCK_HOME_BYTES, zeroed, aligned to that. Not
 * collective. Drop it when it is not held and not waited for. TESSERA_ERR_MEMORY. */
tessera_status_t tsr_lock_attach(tsr_lock *lock, tsr_addr home);

/* Any thread. Returns when the caller holds the lock. A free one costs a request to the home or, on its node, one CPU
 * atomic. TESSERA_ERR_STATE: the calling thread holds it already (not logged). TESSERA_ERR_MEMORY. */
tessera_status_t tsr_lock_acquire(tsr_lock *lock);

/* Never waits for a holder. *got: whether the caller holds it now; false for who held it before. TESSERA_ERR_MEMORY. */
tessera_status_t tsr_lock_try(tsr_lock *lock, bool *got);

/* TESSERA_ERR_STATE: the calling thread does not hold it (not logged). TESSERA_ERR_MEMORY: it still does. */
tessera_status_t tsr_lock_release(tsr_lock *lock);

#endif
