/* Active messages of the native interface: a request runs a handler at its target, which may answer with one reply.
 *
 * For all: between tessera_init and tessera_exit, else TESSERA_ERR_STATE. Units are numbered as tessera_unit has it, the
 * caller's own included. A message has up to 16 arguments of 32 bits; a medium one also data, which its handler has until
 * it returns; a long one also data, which is in a place of the target's heap before the handler runs. Delivery is
 * reliable, exactly once, and in no order. Messages never meet those of other interfaces.
 *
 * Handlers run in a thread of the target that calls in: in tessera_am_poll, or in any call that waits. A handler may send
 * one reply when it runs for a request, and may ask who and where it is; it starts nothing else and does not wait. Data
 * of a medium message is aligned to 64 bytes, and may be changed.
 *
 * When a call returns the message is on its way, and `data` may be reused (but see the calls with a request). When there
 * is no room a call waits for it, and runs handlers meanwhile; with TESSERA_AM_IMMEDIATE it answers TESSERA_ERR_AGAIN at
 * once: nothing was sent; poll, and try again.
 *
 * Every other error is logged with its remedy; nothing was sent then. TESSERA_ERR_RANGE: there is no such unit, handler
 * number or place. TESSERA_ERR_ARG: too many arguments or bytes, unknown flags, or NULL where something is to be read or
 * stored. TESSERA_ERR_STATE also: a request from a handler, a reply from elsewhere, or a second one. TESSERA_ERR_MEMORY:
 * no memory to hold the message; wait, or send less at once. Threads: one at a time, several when an interface that was
 * asked for several is started, too. tessera_exit delivers what was sent before. */
#ifndef TESSERA_AM_H
#define TESSERA_AM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tessera.h>
#include <tessera/request.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { TESSERA_AM_ARGS_MAX = 16, TESSERA_AM_HANDLERS_MAX = 256 };
enum { TESSERA_AM_IMMEDIATE = 1 }; /* a flag */

/* A message, as its handler sees it until it returns. */
typedef struct tessera_am {
  int32_t unit;        /* who sent it */
  int32_t args_n;
  const int32_t *args;
  void *data;          /* NULL: a short one */
  size_t bytes;
  bool is_request;     /* may be answered */
  void *token;         /* the library's */
} tessera_am_t;

typedef void (*tessera_am_handler_t)(const tessera_am_t *message, void *context);

/* Says what runs for messages to handler `number`, 0 to 255, on this unit, from now on; NULL: nothing. Any time after
 * tessera_init, not from a handler. A message for a number that has no handler ends the job: tell the others when it is
 * there, by a barrier for example. tessera_exit forgets all. */
TESSERA_API tessera_status_t tessera_am_register(int32_t number, tessera_am_handler_t handler, void *context);

/* Bytes of the longest medium and long message; the same on all units, for the life of the job. */
TESSERA_API size_t tessera_am_medium_max(void);
TESSERA_API size_t tessera_am_long_max(void);

/* Stores by what number others name this place, which is memory of the caller's heap (as any interface allocates it). */
TESSERA_API tessera_status_t tessera_am_place(const void *memory, uint64_t *place);

/* Requests. */
TESSERA_API tessera_status_t tessera_am_request_short(int32_t unit, int32_t handler, const int32_t args[], int32_t args_n,
                                                      unsigned flags);
TESSERA_API tessera_status_t tessera_am_request_medium(int32_t unit, int32_t handler, const void *data, size_t bytes,
                                                       const int32_t args[], int32_t args_n, unsigned flags);
TESSERA_API tessera_status_t tessera_am_request_long(int32_t unit, int32_t handler, const void *data, size_t bytes,
                                                     uint64_t place, const int32_t args[], int32_t args_n, unsigned flags);

/* The same, but `data` is the library's until the request is complete, so that it need not be copied. */
TESSERA_API tessera_status_t tessera_am_request_medium_nb(int32_t unit, int32_t handler, const void *data, size_t bytes,
                                                          const int32_t args[], int32_t args_n, unsigned flags,
                                                          tessera_request_t *request);
TESSERA_API tessera_status_t tessera_am_request_long_nb(int32_t unit, int32_t handler, const void *data, size_t bytes,
                                                        uint64_t place, const int32_t args[], int32_t args_n, unsigned flags,
                                                        tessera_request_t *request);

/* Replies, to who sent `to`: from its handler. */
TESSERA_API tessera_status_t tessera_am_reply_short(const tessera_am_t *to, int32_t handler, const int32_t args[],
                                                    int32_t args_n, unsigned flags);
TESSERA_API tessera_status_t tessera_am_reply_medium(const tessera_am_t *to, int32_t handler, const void *data, size_t bytes,
                                                     const int32_t args[], int32_t args_n, unsigned flags);
TESSERA_API tessera_status_t tessera_am_reply_long(const tessera_am_t *to, int32_t handler, const void *data, size_t bytes,
                                                   uint64_t place, const int32_t args[], int32_t args_n, unsigned flags);

/* Negotiated data: the library gives room, the program writes the data there, and the message is sent without another
 * copy of it where that can be avoided. Room is for `least` to `most` bytes: `bytes` says for how many, which may be more
 * than tessera_am_medium_max. It is committed or cancelled once, by the thread that prepared it, which prepares nothing
 * else meanwhile; that of a reply before its handler returns. */
typedef struct tessera_am_room {
  void *data; /* aligned to 64 bytes */
  size_t bytes;
  uint64_t kept[14]; /* the library's */
} tessera_am_room_t;
TESSERA_API tessera_status_t tessera_am_prepare_medium(tessera_am_room_t *room, int32_t unit, size_t least, size_t most,
                                                       unsigned flags);
TESSERA_API tessera_status_t tessera_am_prepare_long(tessera_am_room_t *room, int32_t unit, uint64_t place, size_t least,
                                                     size_t most, unsigned flags);
TESSERA_API tessera_status_t tessera_am_prepare_reply_medium(tessera_am_room_t *room, const tessera_am_t *to, size_t least,
                                                             size_t most, unsigned flags);
TESSERA_API tessera_status_t tessera_am_prepare_reply_long(tessera_am_room_t *room, const tessera_am_t *to, uint64_t place,
                                                           size_t least, size_t most, unsigned flags);
/* The most that `least` may be. */
TESSERA_API size_t tessera_am_room_max(void);

/* Sends the first `bytes` of the room, which is gone then. TESSERA_ERR_AGAIN: not sent, and the room is still there. */
TESSERA_API tessera_status_t tessera_am_commit(tessera_am_room_t *room, int32_t handler, size_t bytes, const int32_t args[],
                                               int32_t args_n, unsigned flags);
TESSERA_API tessera_status_t tessera_am_cancel(tessera_am_room_t *room);

/* Runs the handlers of what has come, and moves on what is under way. */
TESSERA_API tessera_status_t tessera_am_poll(void);

/* Does so until ready(arg), which is asked often, also in other threads that wait, and does nothing but look. Sleeps when
 * nothing comes: what makes it true is a handler of this unit, or a transfer into its memory that is notified. */
TESSERA_API tessera_status_t tessera_am_wait(bool (*ready)(const void *arg), const void *arg);

/* Where messages are, as seen from here and now, without waiting. */
typedef struct tessera_am_state {
  int32_t requests_queued, replies_queued; /* lines of 64 bytes in the rings of a unit of this node, not handled yet */
  int32_t queue_lines;                     /* that each of them has; 0: a unit of another node, whose rings are not seen */
  int32_t under_way;                       /* messages from here to a unit of another node that it has not taken */
  int32_t blocks;                          /* with data from here whose handlers have not returned, to all units */
  int32_t waits_for;                       /* whom that unit (of this node) waits for to take messages; -1: nobody */
} tessera_am_state_t;
TESSERA_API tessera_status_t tessera_am_state(int32_t unit, tessera_am_state_t *state);

#ifdef __cplusplus
}
#endif
#endif
