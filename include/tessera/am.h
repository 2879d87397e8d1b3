/* Active messages of the native interface. A request runs a handler at its target; the handler may answer with one
 * reply.
 *
 * For all functions: call them between tessera_init and tessera_exit, otherwise they return TESSERA_ERR_STATE. Units
 * are numbered as by tessera_unit, and a unit may send to itself. A message has up to 16 arguments of 32 bits and
 * comes in three kinds: a short message has no data; the data of a medium message belongs to the handler until the
 * handler returns; the data of a long message is stored in the target's heap, at a place that the sender names,
 * before the handler runs. Each message is delivered exactly once, in no defined order. Messages never match those of
 * other interfaces.
 *
 * Handlers run in a thread of the target that enters the library: in tessera_am_poll, or in any call that waits. A
 * handler of a request may send one reply, and any handler may ask for the numbers of units and nodes; it must not
 * start any other operation and must not wait. The data of a medium message is aligned to 64 bytes, and the handler
 * may change it.
 *
 * When a send returns, the message is under way and `data` may be reused (for calls with a request see below). If
 * there is no room, the call runs handlers until there is. With TESSERA_AM_IMMEDIATE it sends nothing instead, and
 * returns TESSERA_ERR_AGAIN at once: poll, and try again.
 *
 * Errors: every error other than TESSERA_ERR_AGAIN is logged with its remedy; nothing was then sent.
 * TESSERA_ERR_RANGE: there is no such unit, handler number or place. TESSERA_ERR_ARG: too many arguments or bytes,
 * unknown flags, or NULL where the call reads or stores something. TESSERA_ERR_STATE: also a request from a handler,
 * a reply outside a handler of a request, or a second reply. TESSERA_ERR_MEMORY: no memory to hold the message; wait,
 * or send less at once.
 *
 * Threads: one thread at a time may call, unless an interface that was started with support for several threads is
 * up, too. tessera_exit delivers all messages sent before it. */
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

/* A message, as its handler sees it. It is valid until the handler returns. */
typedef struct tessera_am {
  int32_t unit;        /* the sender */
  int32_t args_n;
  const int32_t *args;
  void *data;          /* NULL: a short message */
  size_t bytes;
  bool is_request;     /* a request: the handler may reply */
  void *token;         /* private to the library */
} tessera_am_t;

typedef void (*tessera_am_handler_t)(const tessera_am_t *message, void *context);

/* Sets the handler for messages to handler number `number`, 0 to 255, on this unit; NULL removes it. Call it any time
 * after tessera_init, but not from a handler. A message to a number without a handler ends the job: synchronise with
 * the senders after the registration, for example with a barrier. tessera_exit removes all handlers. */
TESSERA_API tessera_status_t tessera_am_register(int32_t number, tessera_am_handler_t handler, void *context);

/* Return the length of the longest medium and of the longest long message in bytes: the same on all units, and
 * constant during the job. */
TESSERA_API size_t tessera_am_medium_max(void);
TESSERA_API size_t tessera_am_long_max(void);

/* Stores in `place` the number by which other units name this address as the target of long messages. `memory` lies
 * in the caller's heap, allocated by any interface. */
TESSERA_API tessera_status_t tessera_am_place(const void *memory, uint64_t *place);

/* Send requests. */
TESSERA_API tessera_status_t tessera_am_request_short(int32_t unit, int32_t handler, const int32_t args[], int32_t args_n,
                                                      unsigned flags);
TESSERA_API tessera_status_t tessera_am_request_medium(int32_t unit, int32_t handler, const void *data, size_t bytes,
                                                       const int32_t args[], int32_t args_n, unsigned flags);
TESSERA_API tessera_status_t tessera_am_request_long(int32_t unit, int32_t handler, const void *data, size_t bytes,
                                                     uint64_t place, const int32_t args[], int32_t args_n, unsigned flags);

/* Send requests without copying `data`: it belongs to the library until the request is complete. */
TESSERA_API tessera_status_t tessera_am_request_medium_nb(int32_t unit, int32_t handler, const void *data, size_t bytes,
                                                          const int32_t args[], int32_t args_n, unsigned flags,
                                                          tessera_request_t *request);
TESSERA_API tessera_status_t tessera_am_request_long_nb(int32_t unit, int32_t handler, const void *data, size_t bytes,
                                                        uint64_t place, const int32_t args[], int32_t args_n, unsigned flags,
                                                        tessera_request_t *request);

/* Send a reply to the sender of `to`. Only the handler of the request `to` may call them. */
TESSERA_API tessera_status_t tessera_am_reply_short(const tessera_am_t *to, int32_t handler, const int32_t args[],
                                                    int32_t args_n, unsigned flags);
TESSERA_API tessera_status_t tessera_am_reply_medium(const tessera_am_t *to, int32_t handler, const void *data, size_t bytes,
                                                     const int32_t args[], int32_t args_n, unsigned flags);
TESSERA_API tessera_status_t tessera_am_reply_long(const tessera_am_t *to, int32_t handler, const void *data, size_t bytes,
                                                   uint64_t place, const int32_t args[], int32_t args_n, unsigned flags);

/* Negotiated data: the library provides a buffer (the room), the program writes the data into it, and the message is
 * sent without another copy where possible. A prepare call asks for room for `least` to `most` bytes; `bytes` is the
 * size of the room that the call provides, which may exceed tessera_am_medium_max. The thread that prepared a room
 * commits or cancels it exactly once (for a reply, before its handler returns), and prepares no other room until
 * then. */
typedef struct tessera_am_room {
  void *data; /* aligned to 64 bytes */
  size_t bytes;
  uint64_t kept[14]; /* private to the library */
} tessera_am_room_t;
TESSERA_API tessera_status_t tessera_am_prepare_medium(tessera_am_room_t *room, int32_t unit, size_t least, size_t most,
                                                       unsigned flags);
TESSERA_API tessera_status_t tessera_am_prepare_long(tessera_am_room_t *room, int32_t unit, uint64_t place, size_t least,
                                                     size_t most, unsigned flags);
TESSERA_API tessera_status_t tessera_am_prepare_reply_medium(tessera_am_room_t *room, const tessera_am_t *to, size_t least,
                                                             size_t most, unsigned flags);
TESSERA_API tessera_status_t tessera_am_prepare_reply_long(tessera_am_room_t *room, const tessera_am_t *to, uint64_t place,
                                                           size_t least, size_t most, unsigned flags);
/* Returns the largest allowed value of `least`, in bytes. */
TESSERA_API size_t tessera_am_room_max(void);

/* tessera_am_commit sends the first `bytes` of the room, and tessera_am_cancel sends nothing; either ends the room.
 * TESSERA_ERR_AGAIN: the message was not sent, and the room is still valid. */
TESSERA_API tessera_status_t tessera_am_commit(tessera_am_room_t *room, int32_t handler, size_t bytes, const int32_t args[],
                                               int32_t args_n, unsigned flags);
TESSERA_API tessera_status_t tessera_am_cancel(tessera_am_room_t *room);

/* Runs the handlers of all messages that have arrived, and progresses all other operations. */
TESSERA_API tessera_status_t tessera_am_poll(void);

/* Polls until ready(arg) returns true, and sleeps while nothing arrives. `ready` is called often, also by other
 * threads that wait; it must only read memory. A handler of this unit, or a notified transfer into its memory, makes
 * the condition true. */
TESSERA_API tessera_status_t tessera_am_wait(bool (*ready)(const void *arg), const void *arg);

/* The state of the messages to `unit` at the moment, as the caller sees it. The call does not wait. */
typedef struct tessera_am_state {
  int32_t requests_queued, replies_queued; /* if `unit` is on this node: 64-byte lines in its two rings, not yet
                                            * handled */
  int32_t queue_lines;                     /* capacity of each of the two rings in lines; 0: `unit` is on another node,
                                            * and its rings cannot be read */
  int32_t under_way;                       /* if `unit` is on another node: messages from the caller to it, not yet
                                            * acknowledged; those that it has taken are acknowledged a little later */
  int32_t blocks;                          /* data blocks of the caller's messages to all units, if their handlers have
                                            * not returned */
  int32_t waits_for;                       /* if `unit` is on this node: the unit that must accept messages before
                                            * `unit` can continue; -1: none */
} tessera_am_state_t;
TESSERA_API tessera_status_t tessera_am_state(int32_t unit, tessera_am_state_t *state);

#ifdef __cplusplus
}
#endif
#endif
