/* Two-sided messages beyond the published interface: send modes, non-blocking calls, any source and tag, probes. An
 * extension by Tessera. */
#ifndef TESSERA_DART_EXT_MESSAGE_H
#define TESSERA_DART_EXT_MESSAGE_H

#include <stddef.h>
#include <stdint.h>

#include <dash/dart/if/dart_communication.h>
#include <dash/dart/if/dart_types.h>
#include <dash/dart/if/dart_util.h>

#ifdef __cplusplus
extern "C" {
#endif

/* For all functions: the messages are those of dart_send, dart_recv and dart_sendrecv in dart_communication.h. A
 * message that one function sent can be received by any other, in the order of sending, and the rules there on types,
 * tags, order, threads and errors apply here, too. Who: the two units, by their numbers in DART_TEAM_ALL. Cost: as
 * there.
 *
 * Non-blocking calls store a handle; DART_HANDLE_NULL if they are complete at once. Wait for it, test it and free it
 * like the handle of a transfer (dart_wait, dart_test, dart_waitall and so on; local and remote completion are the
 * same). No flush waits for messages. A message progresses while its sender and its receiver make calls into the
 * library.
 * Owner: the buffer, and a status, belong to the library until the handle was waited for, or tested with success.
 * After dart_handle_free the program cannot learn when that is.
 * Errors: DART_ERR_INVAL: also a handle argument of NULL; DART_ERR_NOMEM: too many handles.
 * Exit: dart_exit ends receives that no message has matched; their buffers stay unchanged. */

/* Wildcards for the unit or the tag in receives and probes: the message may come from any unit, or have any tag. */
#define DART_ANY_UNIT DART_GLOBAL_UNIT_ID(-2)
#define DART_ANY_TAG (-1)

/* The message that a receive got, or that a probe found. */
typedef struct {
  dart_global_unit_t unit; /* the sender; DART_UNDEFINED_UNIT_ID: dart_exit has ended the receive */
  int tag;
  size_t nbytes;           /* length of the message, even if the buffer was shorter */
  dart_ret_t result;       /* DART_OK; DART_ERR_INVAL: the message was longer than the buffer, its end was dropped */
} dart_message_status_t;

/* Starts a send. When complete, `sendbuf` may be reused; dart_send says when that is. */
TESSERA_DART_API dart_ret_t dart_isend(const void *sendbuf, size_t nelem, dart_datatype_t dtype, int tag,
                                       dart_global_unit_t unit, dart_handle_t *handle) DART_NOTHROW;

/* Synchronous sends. They are complete when a receive has taken the message, however short it is. */
TESSERA_DART_API dart_ret_t dart_issend(const void *sendbuf, size_t nelem, dart_datatype_t dtype, int tag,
                                        dart_global_unit_t unit, dart_handle_t *handle) DART_NOTHROW;
TESSERA_DART_API dart_ret_t dart_ssend(const void *sendbuf, size_t nelem, dart_datatype_t dtype, int tag,
                                       dart_global_unit_t unit) DART_NOTHROW;

/* Buffered sends: the library copies a message that it cannot send at once. Return: `sendbuf` may be reused, whether
 * or not the receive ever starts; the handle is DART_HANDLE_NULL. The call waits only if its target makes no calls
 * and messages to it accumulate. Errors: DART_ERR_NOMEM: more than 64 MiB of copies would be waiting; nothing was
 * sent; wait until some have been received. */
TESSERA_DART_API dart_ret_t dart_ibsend(const void *sendbuf, size_t nelem, dart_datatype_t dtype, int tag,
                                        dart_global_unit_t unit, dart_handle_t *handle) DART_NOTHROW;
TESSERA_DART_API dart_ret_t dart_bsend(const void *sendbuf, size_t nelem, dart_datatype_t dtype, int tag,
                                       dart_global_unit_t unit) DART_NOTHROW;

/* Starts a receive of at most nelem elements. `unit` may be DART_ANY_UNIT and `tag` DART_ANY_TAG. `status` may be
 * NULL; it is written when the message has arrived, which may be before the call returns. When complete, the message
 * is in `recvbuf`. If the message is longer, the elements beyond nelem are dropped; the log and status->result report
 * this, while the wait returns as usual. */
TESSERA_DART_API dart_ret_t dart_irecv(void *recvbuf, size_t nelem, dart_datatype_t dtype, int tag,
                                       dart_global_unit_t unit, dart_message_status_t *status,
                                       dart_handle_t *handle) DART_NOTHROW;

/* Store in `status`, which may be NULL, what a receive from `unit` with `tag` would get now; wildcards are allowed.
 * The message can still be received. dart_probe waits for such a message; dart_iprobe stores in `found` whether there
 * is one, and writes the status only if so. Another thread may receive the message in between. Errors:
 * DART_ERR_INVAL: no such unit, a bad tag, `found` is NULL. */
TESSERA_DART_API dart_ret_t dart_probe(int tag, dart_global_unit_t unit, dart_message_status_t *status) DART_NOTHROW;
TESSERA_DART_API dart_ret_t dart_iprobe(int tag, dart_global_unit_t unit, int32_t *found,
                                        dart_message_status_t *status) DART_NOTHROW;

#ifdef __cplusplus
}
#endif
#endif
