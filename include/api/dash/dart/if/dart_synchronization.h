/* Locks. A lock has one holder among all units of a team and all their threads. */
#ifndef TESSERA_DART_SYNCHRONIZATION_H
#define TESSERA_DART_SYNCHRONIZATION_H

#include <stdbool.h>

#include <dash/dart/if/dart_types.h>
#include <dash/dart/if/dart_util.h>

/* A lock. Its value differs between units and means nothing on another unit. Copies of it become stale when the lock
 * is destroyed. */
typedef struct dart_lock_struct *dart_lock_t;

#define DART_LOCK_NULL ((dart_lock_t)NULL)

#ifdef __cplusplus
extern "C" {
#endif

/* Creates a lock, which is free. A team may have any number of locks.
 * Who: every unit of the team. Owner: the units of the team, until each of them has destroyed it; dart_exit drops the
 * remaining ones. Return: the lock can be used everywhere. Threads: one per team. Cost: collective, one small
 * exchange.
 * Errors; the creation then fails on every unit: DART_ERR_INVAL: lock is NULL. DART_ERR_NOMEM: this unit's memory ran
 * out. DART_ERR_OTHER: another unit failed. */
TESSERA_DART_API dart_ret_t dart_team_lock_init(dart_team_t teamid, dart_lock_t *lock) DART_NOTHROW;

/* Destroys a lock that is free and has no waiters, and stores DART_LOCK_NULL. DART_LOCK_NULL is accepted.
 * Who: every unit that created it; also after the team was destroyed, or after dart_exit, which drops the lock.
 * Return: this unit has released its part. On the team's unit 0, which keeps the lock's memory: every unit has.
 * Threads: one per lock. Cost: one message to unit 0.
 * Errors: DART_ERR_INVAL: lock is NULL, the lock was already destroyed, or a thread of this unit holds it or waits
 * for it. In the last case the lock is unchanged: release it and call again; unit 0 waits for that. */
TESSERA_DART_API dart_ret_t dart_team_lock_destroy(dart_lock_t *lock) DART_NOTHROW;

/* Acquires a lock: waits until it is free and all earlier requests have been served. The caller then sees everything
 * that the previous holder stored, or completed by a flush, a wait or a blocking call, before it released the lock.
 * Who: any unit that created it. Return: the calling thread is the holder. Threads: any; threads of one unit wait for
 * each other as units do. Cost: if the lock is free, inline, or two messages to unit 0 of the team; otherwise the
 * wait until one message hands it over.
 * Errors: DART_ERR_INVAL: an unknown or destroyed lock, or the calling thread already holds it: locks are not
 * recursive.
 * Contract: first come, first served, which the published text does not promise. */
TESSERA_DART_API dart_ret_t dart_lock_acquire(dart_lock_t lock) DART_NOTHROW;

/* Acquires a lock if it is free, and stores 1; stores 0 if any thread holds it, including the caller.
 * Who: any unit that created it. Return: complete, without waiting for a holder. Threads: any. Cost: inline, or two
 * messages to unit 0 of the team. Errors: DART_ERR_INVAL: an unknown or destroyed lock, or result is NULL. */
TESSERA_DART_API dart_ret_t dart_lock_try_acquire(dart_lock_t lock, int32_t *result) DART_NOTHROW;

/* Releases a lock, and hands it to the thread that has waited longest. Complete any transfers first that the next
 * holder must see.
 * Who: the holder. Return: the calling thread no longer holds it. Threads: the one that acquired it. Cost: inline, or
 * one or two messages.
 * Errors: DART_ERR_INVAL: an unknown or destroyed lock, or the calling thread does not hold it: the thread that
 * acquired it must release it. */
TESSERA_DART_API dart_ret_t dart_lock_release(dart_lock_t lock) DART_NOTHROW;

/* Returns whether the lock was created and not destroyed. False for DART_LOCK_NULL, and outside of dart_init and
 * dart_exit.
 * Who: any unit, any time. Errors: none. Threads: any. Cost: inline. */
TESSERA_DART_API bool dart_lock_initialized(const struct dart_lock_struct *lock) DART_NOTHROW;

#ifdef __cplusplus
}
#endif
#endif
