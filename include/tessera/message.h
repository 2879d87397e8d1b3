/* Two-sided messages of the native interface. A message is sent to a unit with a tag, and received by unit and tag.
 *
 * For all functions: call them between tessera_init and tessera_exit, otherwise they return TESSERA_ERR_STATE. Units
 * are numbered as by tessera_unit, and a unit may send to itself. Tags are 0 to INT32_MAX. Sizes are in bytes.
 * Messages from one unit with the same tag are received in the order in which they were sent. They never match
 * messages of other interfaces. A message progresses while its sender and its receiver make calls into the library.
 *
 * Threads: one thread at a time may call, unless an interface that was started with support for several threads is
 * up, too.
 *
 * Errors: every error is logged with its remedy; nothing was then sent or received. TESSERA_ERR_RANGE: there is no
 * such unit. TESSERA_ERR_ARG: a negative tag, a size above PTRDIFF_MAX, or NULL where the call reads or stores
 * something. TESSERA_ERR_MEMORY: no private memory to track another message; wait for some to complete.
 *
 * tessera_exit ends receives that no message has matched, and drops messages that were not received. Each unit that
 * drops messages warns once, with their number and the sender of the first. */
#ifndef TESSERA_MESSAGE_H
#define TESSERA_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tessera.h>
#include <tessera/request.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Wildcards for the unit or the tag in receives and probes: the message may come from any unit, or have any tag. */
#define TESSERA_ANY_UNIT (-2)
#define TESSERA_ANY_TAG (-2)

/* The message that a receive got, or that a probe found. */
typedef struct tessera_message {
  int32_t unit;            /* the sender; -1: tessera_exit has ended the receive */
  int32_t tag;
  size_t bytes;            /* length of the message, even if the buffer was shorter */
  tessera_status_t status; /* TESSERA_OK; TESSERA_ERR_ARG: the message was longer than the buffer, its end was
                            * dropped */
} tessera_message_t;

/* Send a message. The send is complete on return, or when the request is; `data` may then be reused. A short message
 * is complete at once, whether or not its receive has started; a long one completes when the receiver has read its
 * data. */
TESSERA_API tessera_status_t tessera_send(const void *data, size_t bytes, int32_t unit, int32_t tag);
TESSERA_API tessera_status_t tessera_send_nb(const void *data, size_t bytes, int32_t unit, int32_t tag,
                                             tessera_request_t *request);

/* Send a message, and complete only when a receive has taken it, however short it is. */
TESSERA_API tessera_status_t tessera_send_sync(const void *data, size_t bytes, int32_t unit, int32_t tag);
TESSERA_API tessera_status_t tessera_send_sync_nb(const void *data, size_t bytes, int32_t unit, int32_t tag,
                                                  tessera_request_t *request);

/* Sends a message and is complete on return, whether or not a receive ever starts: the library copies a message that
 * it cannot send at once. TESSERA_ERR_MEMORY: more than 64 MiB of copies would be waiting; wait until some have been
 * received. */
TESSERA_API tessera_status_t tessera_send_buffered(const void *data, size_t bytes, int32_t unit, int32_t tag);

/* Receive a message of at most `room` bytes; `unit` may be TESSERA_ANY_UNIT and `tag` TESSERA_ANY_TAG. The receive is
 * complete when the message is in `buffer`. `message`, unless it is NULL, then holds sender, tag, length and status.
 * A longer message is truncated and an error is logged: tessera_receive then returns TESSERA_ERR_ARG, but a wait for
 * a request returns as usual, and only message->status reports the error. `buffer` and `message` belong to the
 * library until the receive is complete. */
TESSERA_API tessera_status_t tessera_receive(void *buffer, size_t room, int32_t unit, int32_t tag,
                                             tessera_message_t *message);
TESSERA_API tessera_status_t tessera_receive_nb(void *buffer, size_t room, int32_t unit, int32_t tag,
                                                tessera_message_t *message, tessera_request_t *request);

/* Sends to one unit and receives from another, or from the same, at the same time. Units that all call it in a cycle
 * do not deadlock. */
TESSERA_API tessera_status_t tessera_send_receive(const void *data, size_t bytes, int32_t to, int32_t send_tag,
                                                  void *buffer, size_t room, int32_t from, int32_t receive_tag,
                                                  tessera_message_t *message);

/* Store in `message`, which may be NULL, the description of the message that a receive with this unit and tag would
 * get now. The message can still be received. tessera_probe waits for a message; tessera_probe_now stores in `found`
 * whether there is one, and writes `message` only if so. */
TESSERA_API tessera_status_t tessera_probe(int32_t unit, int32_t tag, tessera_message_t *message);
TESSERA_API tessera_status_t tessera_probe_now(int32_t unit, int32_t tag, bool *found, tessera_message_t *message);

#ifdef __cplusplus
}
#endif
#endif
