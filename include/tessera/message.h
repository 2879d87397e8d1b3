/* Two-sided messages of the native interface: sent to a unit with a tag, received by unit and tag.
 *
 * For all: between tessera_init and tessera_exit, else TESSERA_ERR_STATE. Units are numbered as tessera_unit has it, the
 * caller's own included; tags are 0 to INT32_MAX; sizes are in bytes. Messages from one unit with the same tag are received in
 * the order in which they were sent. They never meet those of other interfaces. A message moves on while its sender and its
 * receiver make calls into the library. Every error is logged with its remedy; nothing was sent or received then.
 * Threads: one at a time, several when an interface that was asked for several is started, too.
 * Errors: TESSERA_ERR_RANGE: there is no such unit. TESSERA_ERR_ARG: a negative tag, a size beyond PTRDIFF_MAX, or NULL
 * where something is to be read or stored. TESSERA_ERR_MEMORY: no private memory to follow one more message; wait for some.
 * tessera_exit ends receives that no message has met, and drops messages that were not received: each unit that had
 * some warns once, with their number and whose the first was. */
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

/* Instead of a unit, or a tag, in receives and probes: the message may come from anywhere, or have any tag. */
#define TESSERA_ANY_UNIT (-2)
#define TESSERA_ANY_TAG (-2)

/* What a receive has got, or a probe found. */
typedef struct tessera_message {
  int32_t unit;            /* whose it is; -1: the exit has ended the receive */
  int32_t tag;
  size_t bytes;            /* of the message, also when it was longer than the buffer */
  tessera_status_t status; /* TESSERA_OK; TESSERA_ERR_ARG: it was longer, its end was dropped */
} tessera_message_t;

/* Sends. Complete, on return or when the request is: `data` may be reused. A short message is complete at once, whether or not
 * its receive has started; a long one when its data was taken. */
TESSERA_API tessera_status_t tessera_send(const void *data, size_t bytes, int32_t unit, int32_t tag);
TESSERA_API tessera_status_t tessera_send_nb(const void *data, size_t bytes, int32_t unit, int32_t tag,
                                             tessera_request_t *request);

/* Complete: a receive has taken the message, however short it is. */
TESSERA_API tessera_status_t tessera_send_sync(const void *data, size_t bytes, int32_t unit, int32_t tag);
TESSERA_API tessera_status_t tessera_send_sync_nb(const void *data, size_t bytes, int32_t unit, int32_t tag,
                                                  tessera_request_t *request);

/* Complete on return, whether or not a receive ever starts: the library copies what cannot go at once.
 * TESSERA_ERR_MEMORY: copies of more than 64 MiB would wait; wait until some have been received. */
TESSERA_API tessera_status_t tessera_send_buffered(const void *data, size_t bytes, int32_t unit, int32_t tag);

/* Receives a message of at most `room` bytes, from TESSERA_ANY_UNIT or with TESSERA_ANY_TAG, too, and stores in `message`, which
 * may be NULL, what it was. Complete: the message is in `buffer`. A longer one is cut, which is logged: tessera_receive returns
 * TESSERA_ERR_ARG then; a wait for the request returns as usual, and message->status says it. Of a receive that goes on
 * `buffer` and `message` are the library's. */
TESSERA_API tessera_status_t tessera_receive(void *buffer, size_t room, int32_t unit, int32_t tag,
                                             tessera_message_t *message);
TESSERA_API tessera_status_t tessera_receive_nb(void *buffer, size_t room, int32_t unit, int32_t tag,
                                                tessera_message_t *message, tessera_request_t *request);

/* Sends to one unit and receives from another, or the same, at once: nobody waits for who waits for him. */
TESSERA_API tessera_status_t tessera_send_receive(const void *data, size_t bytes, int32_t to, int32_t send_tag,
                                                  void *buffer, size_t room, int32_t from, int32_t receive_tag,
                                                  tessera_message_t *message);

/* What such a receive would get now, which stays where it is; `message` may be NULL. tessera_probe waits for one;
 * tessera_probe_now stores in `found` whether there is one, and only then `message`. */
TESSERA_API tessera_status_t tessera_probe(int32_t unit, int32_t tag, tessera_message_t *message);
TESSERA_API tessera_status_t tessera_probe_now(int32_t unit, int32_t tag, bool *found, tessera_message_t *message);

#ifdef __cplusplus
}
#endif
#endif
