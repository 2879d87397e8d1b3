/* Two-sided messages beyond the published interface: modes, non-blocking, any source and tag, probe. An extension by Tessera. */
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

/* For all: messages are those of dart_send, dart_recv and dart_sendrecv, in dart_communication.h: what one call sends, any
 * other receives, in the order in which it was sent, and what is said there of types, tags, order, threads and errors holds
 * here. Who: the two units, by their numbers in DART_TEAM_ALL. Cost: as there.
 *
 * Non-blocking calls store a handle, DART_HANDLE_NULL when they are complete at once; it is waited for, tested and freed
 * like that of a transfer (dart_wait, dart_test, dart_waitall and so on; local and remote completion are the same). No flush
 * waits for messages. Owner: the buffer, and a status, are the library's until the handle has been waited for or tested
 * with success; a handle that is freed gives up knowing when. A message moves on while its sender and its receiver make
 * calls into the library. Errors: DART_ERR_INVAL: also when handle is NULL; DART_ERR_NOMEM: too many handles.
 * Exit: dart_exit ends receives that no message has met; their buffers stay as they were. */

/* Instead of a unit, or a tag, in receives and probes: the message may come from anywhere, or have any tag. */
#define DART_ANY_UNIT DART_GLOBAL_UNIT_ID(-2)
#define DART_ANY_TAG (-1)

/* What a receive has got, or a probe found. */
typedef struct {
  dart_global_unit_t unit; /* whose message it is; after an exit that ended the receive DART_UNDEFINED_UNIT_ID */
  int tag;
  size_t nbytes;           /* of the message, also when it was longer than the buffer */
  dart_ret_t result;       /* DART_OK; DART_ERR_INVAL: it was longer, its end was dropped */
} dart_message_status_t;

/* Starts a send. Complete: `sendbuf` may be reused; when that is, dart_send says. */
TESSERA_DART_API dart_ret_t dart_isend(const void *sendbuf, size_t nelem, dart_datatype_t dtype, int tag,
                                       dart_global_unit_t unit, dart_handle_t *handle) DART_NOTHROW;

/* Synchronous sends. Complete: a receive has taken the message, however short it is. */
TESSERA_DART_API dart_ret_t dart_issend(const void *sendbuf, size_t nelem, dart_datatype_t dtype, int tag,
                                        dart_global_unit_t unit, dart_handle_t *handle) DART_NOTHROW;
TESSERA_DART_API dart_ret_t dart_ssend(const void *sendbuf, size_t nelem, dart_datatype_t dtype, int tag,
                                       dart_global_unit_t unit) DART_NOTHROW;

/* Buffered sends: the library copies what cannot go at once. Return: `sendbuf` may be reused, whether or not the receive
 * ever starts; the handle is DART_HANDLE_NULL. The call waits only while messages to a unit pile up that makes no call.
 * Errors: DART_ERR_NOMEM: copies of more than 64 MiB would wait; nothing was sent; wait until some have been received. */
TESSERA_DART_API dart_ret_t dart_ibsend(const void *sendbuf, size_t nelem, dart_datatype_t dtype, int tag,
                                        dart_global_unit_t unit, dart_handle_t *handle) DART_NOTHROW;
TESSERA_DART_API dart_ret_t dart_bsend(const void *sendbuf, size_t nelem, dart_datatype_t dtype, int tag,
                                       dart_global_unit_t unit) DART_NOTHROW;

/* Starts a receive of at most nelem elements. `unit` may be DART_ANY_UNIT and `tag` DART_ANY_TAG. `status` may be NULL; it
 * is written when the message is there, also when that is so on return. Complete: the message is in `recvbuf`. One that is
 * longer is dropped beyond nelem elements, which the log and status->result say; the wait returns as usual. */
TESSERA_DART_API dart_ret_t dart_irecv(void *recvbuf, size_t nelem, dart_datatype_t dtype, int tag,
                                       dart_global_unit_t unit, dart_message_status_t *status,
                                       dart_handle_t *handle) DART_NOTHROW;

/* What a receive from `unit` with `tag`, or the wildcards, would get now; it can still be received. dart_probe waits for
 * such a message; dart_iprobe stores in `found` whether there is one, and only then writes the status, which may be NULL.
 * Another thread may receive the message in between. Errors: DART_ERR_INVAL: no such unit, a bad tag, `found` is NULL. */
TESSERA_DART_API dart_ret_t dart_probe(int tag, dart_global_unit_t unit, dart_message_status_t *status) DART_NOTHROW;
TESSERA_DART_API dart_ret_t dart_iprobe(int tag, dart_global_unit_t unit, int32_t *found,
                                        dart_message_status_t *status) DART_NOTHROW;

#ifdef __cplusplus
}
#endif
#endif
