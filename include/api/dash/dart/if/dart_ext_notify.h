/* Notified access: a put or get whose target learns of it. An extension by Tessera. */
#ifndef TESSERA_DART_EXT_NOTIFY_H
#define TESSERA_DART_EXT_NOTIFY_H

#include <stddef.h>
#include <stdint.h>

#include <dash/dart/if/dart_communication.h>
#include <dash/dart/if/dart_types.h>
#include <dash/dart/if/dart_util.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A counter is a word of 64 bits in memory of dart_memalloc or dart_team_memalloc_aligned, at a multiple of 8 bytes. Its
 * owner sets it to 0, and lets the others know (a barrier will do), before anybody notifies. Notifications add up in it, from
 * any number of units; they only grow it, so that "at least n" stays true until the owner resets it. Who needs a flag waits
 * for 1. It wraps after 2^64.
 *
 * Threads: any. Errors, for all: DART_ERR_INVAL: a null pointer, an unknown team or segment, no such unit, bytes outside the
 * segment, a counter that is not aligned or lies in registered memory; nothing was done then. DART_ERR_NOMEM: no private
 * memory for one more operation. */

/* ---- Who notifies ----------------------------------------------------------------------------------------------
 *
 * Who: any unit of the pointers' teams, also the counter's owner. Cost: as dart_put, and on the own node one atomic addition,
 * with a system call only when the owner sleeps; to another node data of up to TESSERA_EAGER_LIMIT and the counter travel in
 * one message (a get: and its answer), longer data takes one message more. Elements that do not lie end to end on both sides
 * are moved first, and waited for. */

/* Puts as dart_put does, and then adds `increment` to `counter`, which is of the same unit. Whoever sees the counter grown by
 * this, in one of the calls below, sees the data. Nothing is said of other puts: who depends on them, too, flushes them
 * before. Return: nothing is complete before a flush. Owner: `src` must not change until it is locally complete.
 * Errors: DART_ERR_INVAL: also as dart_put, and: pointers of different units. */
TESSERA_DART_API dart_ret_t dart_put_notify(dart_gptr_t gptr, const void *src, size_t nelem, dart_datatype_t src_type,
                                            dart_datatype_t dst_type, dart_gptr_t counter, uint64_t increment) DART_NOTHROW;

/* The same with a handle, as dart_put_handle has it. Remote completion is that of data and counter. */
TESSERA_DART_API dart_ret_t dart_put_notify_handle(dart_gptr_t gptr, const void *src, size_t nelem,
                                                   dart_datatype_t src_type, dart_datatype_t dst_type,
                                                   dart_gptr_t counter, uint64_t increment,
                                                   dart_handle_t *handle) DART_NOTHROW;

/* Gets as dart_get does, and adds `increment` to `counter`, which is of the same unit, once the data has been read there:
 * whoever sees the counter grown by this, in one of the calls below, may overwrite it. Nothing is said of other gets. Return:
 * nothing is complete before a flush, which is when `dest` holds the data. Owner: `dest` must not be used until then.
 * Errors: DART_ERR_INVAL: also as dart_get, and: pointers of different units. */
TESSERA_DART_API dart_ret_t dart_get_notify(void *dest, dart_gptr_t gptr, size_t nelem, dart_datatype_t src_type,
                                            dart_datatype_t dst_type, dart_gptr_t counter, uint64_t increment) DART_NOTHROW;

/* The same with a handle, as dart_get_handle has it. */
TESSERA_DART_API dart_ret_t dart_get_notify_handle(void *dest, dart_gptr_t gptr, size_t nelem, dart_datatype_t src_type,
                                                   dart_datatype_t dst_type, dart_gptr_t counter, uint64_t increment,
                                                   dart_handle_t *handle) DART_NOTHROW;

/* Adds `increment` to the counter alone. What this unit has put and flushed before is there when the counter has grown.
 * Return: nothing is complete before a flush. */
TESSERA_DART_API dart_ret_t dart_notify(dart_gptr_t counter, uint64_t increment) DART_NOTHROW;

/* ---- Who is notified -------------------------------------------------------------------------------------------
 *
 * Who: the owner of the counters. Errors: DART_ERR_INVAL: also a counter of another unit, and NULL where a result goes. What
 * came with the increments that a call has seen can be read after it. */

/* Waits until the counter is at least `least`, asleep when that takes longer. */
TESSERA_DART_API dart_ret_t dart_notify_wait(dart_gptr_t counter, uint64_t least) DART_NOTHROW;

/* Waits until one of n > 0 counters is at least what `least` says at its place, and stores the first such place. */
TESSERA_DART_API dart_ret_t dart_notify_wait_any(const dart_gptr_t counters[], const uint64_t least[], size_t n,
                                                 size_t *which) DART_NOTHROW;

/* Stores 1 when the counter is at least `least`, else 0. Return: at once; makes progress, so that it may be repeated. */
TESSERA_DART_API dart_ret_t dart_notify_test(dart_gptr_t counter, uint64_t least, int32_t *is_reached) DART_NOTHROW;

/* The same for n > 0 counters: stores 1, and the first place where that is so; or 0, and no place. */
TESSERA_DART_API dart_ret_t dart_notify_test_any(const dart_gptr_t counters[], const uint64_t least[], size_t n, size_t *which,
                                                 int32_t *is_reached) DART_NOTHROW;

/* Stores the counter's value. Cost: a load. */
TESSERA_DART_API dart_ret_t dart_notify_read(dart_gptr_t counter, uint64_t *value) DART_NOTHROW;

/* Sets the counter to 0, and stores what it was (NULL: nowhere); no notification is lost in between. */
TESSERA_DART_API dart_ret_t dart_notify_reset(dart_gptr_t counter, uint64_t *value) DART_NOTHROW;

#ifdef __cplusplus
}
#endif
#endif
