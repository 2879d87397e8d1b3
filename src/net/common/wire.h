/* What travels between endpoints, the same over every wire, and what a wire must do for it.
 *
 * A request is one message: header and payload. Its bulk, if it has any, is a second message straight between the two memories. A
 * long payload is a second message, too, from a buffer into a buffer. The reply goes to the memory that the origin has named
 * before. Second messages and replies carry the number of the origin's slot towards this target, which distinguishes any number
 * of requests. A short or empty reply is no message: acknowledgements name the slots of several requests, and hold the short
 * replies, in a message of their own, or at the end of a request that goes to that origin anyway.
 *
 * All of this folder runs with the transport's lock held, except where stated.
 */
#ifndef TSR_NET_COMMON_WIRE_H
#define TSR_NET_COMMON_WIRE_H

#include "base/status.h"
#include "net/net.h"

enum {
  TSR_WIRE_MAGIC = 0x7e55,   /* changes with the layout of the header */
  TSR_WIRE_SLOTS_MAX = 4096, /* no origin has more towards one target, however it is configured */
  TSR_WIRE_ALIGN = 64,       /* of message buffers, so of payloads */
  TSR_WIRE_PIGGYBACKED_MOST = 64, /* bytes of acknowledgements at the end of a request */
  TSR_WIRE_SHORT_REPLY = 512      /* room for a reply up to this length: it travels with the acknowledgements */
};

/* Requests to one endpoint that queue up share a message, each aligned as the first. */
struct tsr_wire_header {
  uint16_t magic;
  uint16_t slot;
  uint32_t handler : 7, ordered : 1, delayed : 1;
  uint32_t out_of_line : 1; /* the payload is long */
  uint32_t more : 1;        /* another request follows in this message */
  uint32_t payload_bytes : 21;
  uint32_t bulk_bytes, reply_bytes;
  uint64_t args[TSR_NET_ARGS_N];
};
_Static_assert(sizeof(struct tsr_wire_header) == TSR_WIRE_ALIGN, "the payload follows the header and is aligned like it");

/* Room for a header and a payload of so many bytes. */
static inline size_t tsr_wire_room_for(size_t payload_bytes) {
  return (sizeof(struct tsr_wire_header) + payload_bytes + TSR_WIRE_ALIGN - 1) / TSR_WIRE_ALIGN * TSR_WIRE_ALIGN;
}

/* The eager limit that this process proposes: TESSERA_EAGER_LIMIT. The default is shorter where longer messages may need an
 * agreement of both ends. Such data is sent out of line instead, which costs the same agreement and saves a copy. at_once_bytes:
 * see tsr_wire_propose_limits. */
size_t tsr_wire_eager_limit(size_t at_once_bytes);

/* The most bytes that follow the first header in a message of several requests: twice the eager limit, if the wire sends as much at
 * once. */
static inline size_t tsr_wire_shared_limit(size_t eager_bytes, size_t at_once_bytes) {
  const size_t twice = 2 * eager_bytes;
  return tsr_wire_room_for(twice + TSR_WIRE_PIGGYBACKED_MOST) <= at_once_bytes ? twice : eager_bytes;
}

/* The limits that were agreed on: tools lower tsr_net_limits.eager_bytes for a while. */
extern size_t tsr_wire_eager_most, tsr_wire_shared_most;

/* Bytes of the longest message with requests, and room for it. */
static inline size_t tsr_wire_message_most(void) {
  return sizeof(struct tsr_wire_header) + tsr_wire_shared_most + TSR_WIRE_PIGGYBACKED_MOST;
}
static inline size_t tsr_wire_message_room(void) {
  return tsr_wire_room_for(tsr_wire_message_most() - sizeof(struct tsr_wire_header));
}

/* Bytes of a request's first message, without acknowledgements. */
static inline size_t tsr_wire_message_bytes(const struct tsr_wire_header *header) {
  return sizeof *header + (header->out_of_line ? 0 : header->payload_bytes);
}

/* A message that matches a receive of the same kind and tag at one rank, in order. */
enum tsr_wire_kind {
  TSR_WIRE_REPLY, /* tag: the origin's slot */
  TSR_WIRE_BULK,  /* bulk, or a long payload; tag: the origin's slot */
  TSR_WIRE_TAGGED /* of the transport's caller, which chooses the tag */
};
struct tsr_wire_message {
  enum tsr_wire_kind kind;
  int rank, tag;
  size_t bytes;         /* to send, or room to receive; `done` gets the actual number */
  tsr_net_done_fn done; /* gets LOCAL, from `poll`; NULL: no call */
  void *arg;
  const char *what; /* "a reply", for error messages */
  bool synchronous; /* a send that completes when it has been matched */
};

/* A send of a request that has not been answered. */
typedef uintptr_t tsr_wire_send;

/* A wire. Each failure that it cannot repair ends the job. */
struct tsr_wire {
  const char *name;
  bool ends_together; /* `stop` is collective */

  /* Send a request, or acknowledgements. These messages are short and match no receive: at the target the wire hands them over,
   * in the order of the sender, to tsr_wire_request_arrived and tsr_wire_acks_arrived. The message of a request stays unchanged
   * until its answer has come: then `answered` is called, or `abandon` if no answer comes. Acknowledgements stay unchanged until
   * `done`. */
  tsr_wire_send (*send_request)(int rank, const void *message, size_t bytes);
  void (*answered)(tsr_wire_send send);
  void (*abandon)(tsr_wire_send send); /* after `stop_traffic` */
  void (*send_acks)(int rank, const void *acks, size_t bytes, tsr_net_done_fn done, void *arg);

  void (*send)(const void *data, const struct tsr_wire_message *message);
  void (*receive)(void *data, const struct tsr_wire_message *message);

  int (*poll)(void);   /* advances everything, calls back; returns the number of events */
  bool (*moves)(void); /* whether messages longer than the eager limit are expected or under way; without the lock */

  /* As tsr_net_ops has them. NULL: there is no descriptor. */
  bool (*arm)(void);
  int (*event_fd)(void);

  /* Starts or tests a barrier of all ranks. True: all have come. */
  bool (*barrier)(void);

  /* NULL: the wire has no one-sided operations. `window_poll` completes what was started, `window_busy` counts it
   * (without the lock). */
  tessera_status_t (*put)(const struct tsr_net_piece *piece);
  tessera_status_t (*get)(const struct tsr_net_piece *piece);
  int (*window_poll)(void);
  int (*window_busy)(void);

  /* The end: withdraws receives and waits for sends, over UCX for a second at most, calling nothing back; then frees what the
   * wire has. */
  void (*stop_traffic)(void);
  void (*stop)(void);
};

extern const struct tsr_wire *tsr_wire; /* the one in use */
extern int tsr_wire_ranks_n, tsr_wire_rank;

/* Makes the tables for `ranks_n` ranks, of which this process is `rank`. tsr_net_limits are agreed. TESSERA_ERR_MEMORY, logged. */
tessera_status_t tsr_wire_prepare(int ranks_n, int rank);

/* Makes tsr_net the transport over this wire. Called again if the wire has one-sided operations, too. */
void tsr_wire_use(const struct tsr_wire *wire);

/* Undoes tsr_wire_prepare and ends the wire, also after a start that failed half way. */
void tsr_wire_end(const struct tsr_wire *wire);

/* Proposes the value of each limit for all ranks. The caller takes the minimum of each element over the ranks, and then
 * adopts these as tsr_net_limits. */
enum { TSR_WIRE_LIMITS_N = 3 };
/* at_once_bytes: the longest message that the wire sends without an agreement of both ends; 0: not known. */
void tsr_wire_propose_limits(long long limits[TSR_WIRE_LIMITS_N], size_t at_once_bytes);
void tsr_wire_adopt_limits(const long long limits[TSR_WIRE_LIMITS_N]);

/* Hand over what has arrived, from `poll`. The message may be reused after return. Requests wait in the wire while there is no
 * room for them. */
bool tsr_wire_has_room(void);
void tsr_wire_request_arrived(struct tsr_wire_header *message, int rank, size_t bytes);
void tsr_wire_acks_arrived(const void *acks, int rank, size_t bytes);
enum { TSR_WIRE_ACKS_MOST = 4096 }; /* bytes of one message */

/* The data of a receive is in its place: calls `done`, after the delay that a test has asked for. */
void tsr_wire_received(const struct tsr_wire_message *message, size_t bytes);

/* A message does not fit its receive. `came_bytes`: TSR_NET_MORE if it is only known that it was longer. */
_Noreturn void tsr_wire_misfit(const struct tsr_wire_message *message, size_t came_bytes);

/* Writes "receiving a reply from rank 3 (tag 4, 100 bytes)". */
struct tsr_wire_text {
  char line[160];
};
struct tsr_wire_text tsr_wire_describe(const struct tsr_wire_message *message, bool receives);

/* Ends the job with one formatted line. */
_Noreturn void tsr_wire_fatal(const char *format, ...) __attribute__((format(printf, 1, 2), cold));

bool tsr_wire_is_inside(void); /* this thread has the transport's lock */

#endif
