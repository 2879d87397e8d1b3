/* Locks: one holder over all units of a team and all their threads. */
#ifndef TESSERA_DART_SYNCHRONIZATION_H
#define TESSERA_DART_SYNCHRONIZATION_H

#include <stdbool.h>

#include <dash/dart/if/dart_types.h>
#include <dash/dart/if/dart_util.h>

/* A lock. Each unit has its own value for it, which means nothing on another unit; copies of it go stale when the lock
 * is destroyed. */
typedef struct dart_lock_struct *dart_lock_t;

#define DART_LOCK_NULL ((dart_lock_t)NULL)

#ifdef __cplusplus
extern "C" {
#endif

/* Creates a lock that nobody holds. A team may have any number of them.
 * Who: every unit of the team. Owner: the units of the team, until each of them has destroyed it; dart_exit drops what
 * is left. Return: the lock can be used everywhere. Threads: one per team. Cost: collective, one small agreement.
 * Errors, the same creation failing on every unit: DART_ERR_INVAL: lock is NULL. DART_ERR_NOMEM: this unit's memory
 * ran out. DART_ERR_OTHER: another unit failed. */
TESSERA_DART_API dart_ret_t dart_team_lock_init(dart_team_t teamid, dart_lock_t *lock) DART_NOTHROW;

/* Destroys a lock that nobody holds or waits for, and stores DART_LOCK_NULL; DART_LOCK_NULL is accepted.
 * Who: every unit that created it, also when the team is gone, or after dart_exit, which has dropped the lock. Return:
 * this unit is done with it; on the team's unit 0, which keeps the lock's memory: every unit is. Threads: one per lock.
 * Cost: one message to unit 0.
 * Errors: DART_ERR_INVAL: lock is NULL, the lock was destroyed already, or a thread of this unit holds it or waits for
 * it: the lock stays as it was; release it and call again, unit 0 waits for that. */
TESSERA_DART_API dart_ret_t dart_team_lock_destroy(dart_lock_t *lock) DART_NOTHROW;

/* Acquires a lock: waits until nobody holds it and nobody who asked earlier waits for it. What the holder before had
 * stored, or had completed by a flush, a wait or a blocking call, before it released is visible.
 * Who: any unit that created it. Return: the calling thread is the holder. Threads: any; those of one unit wait for
 * each other as units do. Cost: inline, or two messages to unit 0 of the team, when the lock is free; else until it is
 * handed over, by one message.
 * Errors: DART_ERR_INVAL: unknown or destroyed, or the calling thread holds it already: locks are not recursive.
 * Contract: first come, first served, which the published text does not promise. */
TESSERA_DART_API dart_ret_t dart_lock_acquire(dart_lock_t lock) DART_NOTHROW;

/* Acquires a lock when it is free, and stores whether: 1, or 0 when anybody holds it, the calling thread included.
 * Who: any unit that created it. Return: as said, without waiting for a holder. Threads: any. Cost: inline, or two
 * messages to unit 0 of the team. Errors: DART_ERR_INVAL: unknown or destroyed, or result is NULL. */
TESSERA_DART_API dart_ret_t dart_lock_try_acquire(dart_lock_t lock, int32_t *result) DART_NOTHROW;

/* Releases a lock to who has waited longest. Transfers that are to be seen by the next holder are completed before.
 * Who: the holder. Return: the calling thread does not hold it. Threads: the one that acquired it. Cost: inline, or one
 * or two messages.
 * Errors: DART_ERR_INVAL: unknown or destroyed, or the calling thread does not hold it: who acquired it releases it. */
TESSERA_DART_API dart_ret_t dart_lock_release(dart_lock_t lock) DART_NOTHROW;

/* Returns whether this is a lock: created and not destroyed. False for DART_LOCK_NULL, and outside of dart_init and
 * dart_exit.
 * Who: any unit, any time. Errors: none. Threads: any. Cost: inline. */
TESSERA_DART_API bool dart_lock_initialized(const struct dart_lock_struct *lock) DART_NOTHROW;

#ifdef __cplusplus
}
#endif
#endif
