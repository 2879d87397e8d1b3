/* Notified access: puts and gets that notify their target by a counter. An extension by Tessera. */
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

/* A counter is a 64-bit word in memory of dart_memalloc or dart_team_memalloc_aligned, at a multiple of 8 bytes. Its
 * owner sets it to 0, and synchronises with the other units (for example by a barrier), before any unit notifies.
 * Notifications from any number of units add up in it. They only increase it, so "at least n" stays true until the
 * owner resets it. To use a counter as a flag, wait for 1. It wraps after 2^64.
 *
 * Threads: any. Errors, for all: DART_ERR_INVAL: a null pointer, an unknown team or segment, no such unit, bytes
 * outside the segment, a counter that is not aligned or is in registered memory; the call then had no effect.
 * DART_ERR_NOMEM: no private memory for another operation. */

/* ---- The notifying unit ----------------------------------------------------------------------------------------
 *
 * Who: any unit of the pointers' teams, also the counter's owner. Cost: as dart_put; on the caller's node also one
 * atomic addition, and a system call only if the owner sleeps. To another node, data of up to TESSERA_EAGER_LIMIT and
 * the counter share one message (a get also has a reply); longer data needs one more message. If the elements are not
 * contiguous on both sides, the call moves them first and waits for that. */

/* Puts as dart_put, and then adds `increment` to `counter`, which is on the same unit. A unit that sees this
 * increment, in one of the calls below, also sees the data. Other puts are not covered: flush them first. Return:
 * nothing is complete before a flush. Owner: `src` must not change until the put is locally complete.
 * Errors: DART_ERR_INVAL: also as dart_put, and pointers to different units. */
TESSERA_DART_API dart_ret_t dart_put_notify(dart_gptr_t gptr, const void *src, size_t nelem, dart_datatype_t src_type,
                                            dart_datatype_t dst_type, dart_gptr_t counter, uint64_t increment) DART_NOTHROW;

/* As dart_put_notify, with a handle as in dart_put_handle. It is remotely complete when both data and counter are. */
TESSERA_DART_API dart_ret_t dart_put_notify_handle(dart_gptr_t gptr, const void *src, size_t nelem,
                                                   dart_datatype_t src_type, dart_datatype_t dst_type,
                                                   dart_gptr_t counter, uint64_t increment,
                                                   dart_handle_t *handle) DART_NOTHROW;

/* Gets as dart_get, and adds `increment` to `counter`, which is on the same unit, when the data has been read. A unit
 * that sees this increment, in one of the calls below, may overwrite the data. Other gets are not covered. Return:
 * nothing is complete before a flush; after it `dest` holds the data. Owner: `dest` must not be used until then.
 * Errors: DART_ERR_INVAL: also as dart_get, and pointers to different units. */
TESSERA_DART_API dart_ret_t dart_get_notify(void *dest, dart_gptr_t gptr, size_t nelem, dart_datatype_t src_type,
                                            dart_datatype_t dst_type, dart_gptr_t counter, uint64_t increment) DART_NOTHROW;

/* As dart_get_notify, with a handle as in dart_get_handle. */
TESSERA_DART_API dart_ret_t dart_get_notify_handle(void *dest, dart_gptr_t gptr, size_t nelem, dart_datatype_t src_type,
                                                   dart_datatype_t dst_type, dart_gptr_t counter, uint64_t increment,
                                                   dart_handle_t *handle) DART_NOTHROW;

/* Adds `increment` to the counter, without data. A unit that sees the increment also sees all puts that this unit
 * flushed before. Return: nothing is complete before a flush. */
TESSERA_DART_API dart_ret_t dart_notify(dart_gptr_t counter, uint64_t increment) DART_NOTHROW;

/* ---- The notified unit -----------------------------------------------------------------------------------------
 *
 * Who: the owner of the counters. When a call has seen an increment, the data that came with it can be read. Errors:
 * DART_ERR_INVAL: also a counter of another unit, and NULL as the place of a result. */

/* Waits until the counter is at least `least`. Sleeps during longer waits. */
TESSERA_DART_API dart_ret_t dart_notify_wait(dart_gptr_t counter, uint64_t least) DART_NOTHROW;

/* Waits until one of n > 0 counters is at least its entry of `least`, and stores the first index where that is true. */
TESSERA_DART_API dart_ret_t dart_notify_wait_any(const dart_gptr_t counters[], const uint64_t least[], size_t n,
                                                 size_t *which) DART_NOTHROW;

/* Stores 1 if the counter is at least `least`, else 0. Return: at once. It makes progress, so a program may call it
 * in a loop. */
TESSERA_DART_API dart_ret_t dart_notify_test(dart_gptr_t counter, uint64_t least, int32_t *is_reached) DART_NOTHROW;

/* As dart_notify_test, for n > 0 counters: stores 1 and the first index where the condition is true, or 0 and no
 * index. */
TESSERA_DART_API dart_ret_t dart_notify_test_any(const dart_gptr_t counters[], const uint64_t least[], size_t n, size_t *which,
                                                 int32_t *is_reached) DART_NOTHROW;

/* Stores the counter's value. Cost: a load. */
TESSERA_DART_API dart_ret_t dart_notify_read(dart_gptr_t counter, uint64_t *value) DART_NOTHROW;

/* Sets the counter to 0 and stores its previous value, unless `value` is NULL. No notification is lost in between. */
TESSERA_DART_API dart_ret_t dart_notify_reset(dart_gptr_t counter, uint64_t *value) DART_NOTHROW;

#ifdef __cplusplus
}
#endif
#endif
