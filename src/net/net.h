/* Messages between nodes: the table of operations that a transport fills. Ranks are the transport's process
 * numbers (those of the communicator it was started on); the core decides which rank serves which unit.
 *
 * Two kinds of traffic. *Requests* go to an endpoint, run a handler there and bring back one reply; the target
 * unit need not take part. *Tagged messages* match a receive of the same tag at one rank, in order per pair and tag.
 * Nothing here blocks: calls start things, poll() advances all of them and calls back. Callbacks and handlers run
 * inside poll() (or inside the starting call); they may start new traffic, never wait. They run with the transport's lock held,
 * but handlers of requests with a long payload or room for a long reply, and `done` of the latter, run without it, several at once
 * in different threads.
 * Any thread may call; a thread may leave it to another thread to poll for what it has started.
 *
 * Memory. A process has at most TESSERA_WIRE_BUFFERS requests under way to each endpoint, of which L = TSR_NET_LONG_N may
 * have a long payload. With M = the eager limit + 128 bytes (a header, and room for acknowledgements) and P =
 * limits.payload_bytes + 64 it keeps up to 2 * WIRE_BUFFERS * M + L * P for each endpoint that it has talked to: a message of
 * several requests may be twice as long as one of a single request, where MPI or UCX sends so much at once. Every process has
 * 16 * M to receive requests in (over UCX up to 128 * M, once so many have come at once). An endpoint keeps 64 * M more, and
 * 65 * P for long payloads and long replies under way, once there were so many. Each of the N processes that talk to it can make
 * it hold WIRE_BUFFERS * M + L * P more in requests that it has not taken yet (in the MPI's memory, or in what UCX has handed
 * over), and WIRE_BUFFERS * M in requests that wait for their order: in all not more than
 * (80 + 2 * N * WIRE_BUFFERS) * M + (65 + N * L) * P. Bulk goes straight into its place; but bulk of up to limits.at_once_bytes
 * that comes before its place is known waits in memory of the MPI or of UCX, up to WIRE_BUFFERS * at_once_bytes for each of the N
 * processes. docs/between-nodes.md says what that makes for a node.
 */
#ifndef TSR_NET_NET_H
#define TSR_NET_NET_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tessera.h>

enum { TSR_NET_ARGS_N = 6, TSR_NET_HANDLERS_MAX = 32, TSR_NET_TAG_MAX = 65535, TSR_NET_LONG_N = 4 };

/* Any request may have this much payload, whatever is configured, and before a transport has started, too. */
#define TSR_NET_PAYLOAD_LEAST ((size_t)65 << 10)

/* Events of a request or a tagged message. Each comes at most once, LOCAL no later than REMOTE. */
enum tsr_net_event {
  TSR_NET_LOCAL = 1, /* the origin's bulk buffer may be reused */
  TSR_NET_REMOTE = 2 /* the handler ran, its effects are visible at the target, the reply has arrived */
};
typedef void (*tsr_net_done_fn)(void *arg, enum tsr_net_event event, size_t reply_bytes);

/* One request. Everything is read before `request` returns, except `bulk` (until LOCAL) and `reply` (until REMOTE). */
struct tsr_net_request {
  int rank;                       /* endpoint */
  uint8_t handler;                /* which entry of the target's handler table */
  bool ordered;                   /* takes effect, bulk and reply included, only after all earlier ordered requests of
                                   * this process to this endpoint have; the others pay nothing for it */
  bool reserved;                   /* there is room for it: by `reserve` */
  bool delayed;                   /* no thread waits for REMOTE: it may be late if the reply is empty */
  uint64_t args[TSR_NET_ARGS_N];  /* for the handler */
  const void *payload;            /* inside the request, or, if it is long (more than limits.eager_bytes), out of line;
                                   * <= limits.payload_bytes, and short if there is bulk */
  size_t payload_bytes;
  void (*pack)(void *dest, const void *arg); /* instead of payload: writes payload_bytes straight into the message
                                              * (aligned to 64 bytes); only that, no traffic */
  const void *pack_arg;
  const void *bulk;               /* sent out of line, from memory to memory; <= limits.chunk_bytes */
  size_t bulk_bytes;
  void *reply;                    /* memory for the reply; NULL if reply_bytes is 0 */
  size_t reply_bytes;             /* room for it, known to the origin; <= limits.chunk_bytes */
  tsr_net_done_fn done;           /* gets LOCAL only if there is bulk; NULL: no call */
  void *done_arg;
};

/* A request as its handler sees it. `payload` (64-byte aligned) may be changed in place and lives until the handler
 * returns. */
struct tsr_net_in {
  int rank; /* origin */
  const uint64_t *args;
  void *payload;
  size_t payload_bytes;
  size_t bulk_bytes;
  size_t reply_bytes; /* room that the origin has for the reply */
};

/* The answer of a handler. */
struct tsr_net_out {
  void *bulk;        /* memory for the announced bulk (required if in->bulk_bytes > 0); REMOTE follows its arrival */
  void (*on_bulk)(uint32_t arg); /* called when the bulk is in its place, before REMOTE, as handlers are; NULL: no call */
  uint32_t on_bulk_arg;
  const void *reply; /* the reply: heap memory, or `scratch`; must stay unchanged until sent */
  size_t reply_bytes; /* <= in->reply_bytes; more ends the job with a message */
  void *scratch;     /* of scratch_bytes; lives until the reply is sent */
  size_t scratch_bytes; /* in->reply_bytes up to limits.payload_bytes; beyond that they may be fewer */
};
typedef void (*tsr_net_handler_fn)(const struct tsr_net_in *in, struct tsr_net_out *out);

/* A contiguous transfer between the heap of a unit on another node and memory of this process. */
struct tsr_net_piece {
  int32_t unit;
  uint64_t off;         /* in its heap */
  void *local_addr;           /* a put only reads it, until LOCAL; a get has filled it at REMOTE */
  size_t bytes;         /* <= limits.chunk_bytes */
  tsr_net_done_fn done; /* put: LOCAL, later REMOTE; get: REMOTE only. Both from poll */
  void *done_arg;
};

/* A tagged message to or from `rank`. */
struct tsr_net_message {
  int rank, tag;        /* tag: from 0 to TSR_NET_TAG_MAX */
  size_t bytes;         /* <= limits.chunk_bytes */
  tsr_net_done_fn done; /* gets LOCAL, from poll, and the number of bytes: the buffer may be reused, or has the data. NULL: no
                         * call */
  void *done_arg;
  bool synchronous; /* a send that is LOCAL only when it has been matched */
};

/* What a transport with one-sided operations has to know. */
struct tsr_net_heap {
  void *address; /* the heap of this process; NULL: it has none */
  size_t bytes;
  bool is_shared; /* other processes have it mapped */
  int peer;       /* a rank on another node, to try a transfer to; -1: none */
  int peer_slot;  /* differs between all ranks with this peer; below 2 * 4096 */
  int round;      /* 0 or 1; the peer has the other number */
};

/* Agreed among all ranks when a transport starts: the minimum of each configured value. */
struct tsr_net_limits {
  size_t eager_bytes;   /* payload inside a request */
  size_t chunk_bytes;   /* one bulk, one reply, one tagged message */
  size_t payload_bytes; /* payload of any request; not less than eager_bytes and TSR_NET_PAYLOAD_LEAST */
  size_t at_once_bytes; /* a bulk, reply or tagged message that the transport sends without an agreement of both ends, as far as
                         * is known; from eager_bytes to chunk_bytes */
};

struct tsr_net_ops {
  const char *name;

  /* Waits until no rank has anything under way, and serves the other ranks meanwhile. Collective. */
  void (*quiesce)(void);

  /* Ends the transport: withdraws receives that no message has matched; tsr_net is net/none again. Called by every
   * rank, collective if `ends_together`. No traffic is in flight and no other thread is inside. */
  bool ends_together;
  void (*finish)(void);

  /* Starts a request. OK, or TESSERA_ERR_AGAIN: no buffer for a request to this endpoint is free; poll and call again.
   * Never to a rank of the own node. A target runs the handlers of one origin's requests in the order in which the
   * origin started them, except those with a long payload or room for a long reply, which run later. Only `ordered`
   * orders these requests, bulk, and replies. Requests to different targets are not ordered. */
  tessera_status_t (*request)(const struct tsr_net_request *request);

  /* Whether a buffer for the request is free. Any thread, without the lock. */
  bool (*has_room)(const struct tsr_net_request *request);

  /* Reserves room for `requests_n` requests to `rank`, `long_n` of which have a long payload; requests started with
   * `reserved` use it. False: nothing is reserved. Each reserved request must be started, or given back by `unreserve`.
   * Any thread. */
  bool (*reserve)(int rank, size_t requests_n, size_t long_n);
  void (*unreserve)(int rank, size_t requests_n, size_t long_n);

  /* Whether `put` and `get` work: the transport has a window over all heaps. They start a transfer without a handler at
   * the target. Only completion orders a transfer, both with requests and with other transfers. OK; TESSERA_ERR_AGAIN:
   * poll and call again; TESSERA_ERR_MEMORY. */
  bool has_window;
  tessera_status_t (*put)(const struct tsr_net_piece *piece);
  tessera_status_t (*get)(const struct tsr_net_piece *piece);

  /* Start a tagged message. If a message and its receive differ in size, the job ends with a message: see tsr_net_misfit. Any
   * number may be outstanding. Works to any rank, also of the own node, also to itself. Messages of one sender with one tag
   * match its receives in order, but a later receive may complete before an earlier one. A process without memory for it ends
   * the job. */
  void (*send)(const void *data, const struct tsr_net_message *message);
  void (*receive)(void *data, const struct tsr_net_message *message);

  /* Advances everything; returns the number of events. Several threads may call: one works, the others return 0. A call
   * from inside a handler or callback returns 0, too. */
  int (*poll)(void);

  /* Requests of this process under way to `rank`; if it is negative, all requests and all pieces. Any thread, without
   * the lock. */
  int (*outstanding)(int rank);

  /* Pieces of puts and gets of this process under way: a transport takes TESSERA_WIRE_BUFFERS of them at a time. Any thread,
   * without the lock. */
  int (*pieces_outstanding)(void);

  /* Whether messages longer than the eager limit are expected or under way: polls move their data. Any thread, without
   * the lock. */
  bool (*moves)(void);

  /* A descriptor that becomes readable when something has come since `arm` was true; -1: there is none, and a thread that sleeps
   * wakes by the clock. `arm` is false if something has come: poll until that finds nothing, and arm again. */
  int event_fd;
  bool (*arm)(void);
};

/* tsr_net_is_polled, set by core: a thread polls within a few ms, whatever the program does. Then requests may be held back until
 * the next poll, so that requests that queue up share a message. tsr_net_holds is true while some are held back. tsr_net_on_hold
 * is called when the first one is held back, with the transport's lock held. */
extern _Atomic bool tsr_net_is_polled, tsr_net_holds;
extern void (*tsr_net_on_hold)(void);

extern struct tsr_net_limits tsr_net_limits;
extern const struct tsr_net_ops *tsr_net; /* the transport in use; never NULL: net/none before the start */

/* Whether data of so many bytes moves in messages that the transport sends at once, several if need be. It sends a longer one
 * only after both ends have agreed on it, which needs messages and the target's attention; up to some length short ones are
 * faster (docs/between-nodes.md). */
static inline bool tsr_net_is_short(size_t bytes) {
  return bytes <= 4 * tsr_net_limits.eager_bytes || bytes <= tsr_net_limits.at_once_bytes + tsr_net_limits.eager_bytes;
}

/* The processes of this node that take part, and memory that they share. The memory per rank of the job is the same on all nodes.
 * The memory is used until the transport ends. */
struct tsr_net_node {
  int index, processes_n;
  void *memory; /* NULL: there is none, and the process is a node of its own */
  size_t memory_bytes;
};

/* Private memory of the transport among `ranks_n` ranks, computed before it is used: tables, buffers to receive in, and (_peer) the
 * most for each endpoint that gets a request. The transport need not run, but the configuration has been read. */
size_t tsr_net_tables_bytes(int ranks_n);
size_t tsr_net_buffers_bytes(void);
/* The same for a node of `processes_n` processes, in the memory that they share. */
size_t tsr_net_node_bytes(int ranks_n, int processes_n);
size_t tsr_net_peer_bytes(void);

/* Fills one entry of the handler table, before the transport starts (owners do it when the library is loaded). Each
 * entry has one owner. */
void tsr_net_register(uint8_t handler, tsr_net_handler_fn function);
extern tsr_net_handler_fn tsr_net_handlers[TSR_NET_HANDLERS_MAX];

/* Called by a transport after a failure that it cannot repair; never returns. Set by core at start; until then it logs
 * and aborts the process. */
extern void (*tsr_net_fatal)(const char *what);

/* Called by a transport when a tagged message does not have the size of its receive. The owner of the tag ends the job
 * and names the mistake; if it returns, the transport ends the job. `came_bytes`: TSR_NET_MORE if it is only known that
 * the message was longer. Set by core at start; until then it does nothing. */
#define TSR_NET_MORE SIZE_MAX
extern void (*tsr_net_misfit)(int rank, int tag, size_t room_bytes, size_t came_bytes);

#endif
