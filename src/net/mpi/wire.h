/* What travels, on which communicators and tags, and what to do when MPI refuses.
 *
 * A request is one message: header and payload. Its bulk, when it has any, is a second message straight between the
 * two memories, and so is a long payload, from a buffer into one; its reply goes into a receive that the origin posted
 * before. Both carry the number of the origin's slot towards this target in their tag, so that any number of requests is
 * told apart. When nothing is to be brought back there is no reply: acknowledgements name the slots of several requests, in
 * a message of their own, or at the end of a request that goes to that origin anyway.
 * Tagged messages have a communicator of their own and keep the caller's tag.
 */
#ifndef TSR_NET_MPI_WIRE_H
#define TSR_NET_MPI_WIRE_H

#include "net/mpi/mpi.h"

enum {
  TSR_MPI_MAGIC = 0x7e54,  /* changes with the layout of the header */
  TSR_MPI_SLOTS_MAX = 4096, /* no origin has more towards one target, however it is configured */
  TSR_MPI_TAG_REQUEST = 0,
  TSR_MPI_TAG_ACK = 1,
  TSR_MPI_TAG_REPLY = TSR_MPI_SLOTS_MAX,    /* + slot */
  TSR_MPI_TAG_BULK = 2 * TSR_MPI_SLOTS_MAX, /* + slot */
  TSR_MPI_ALIGN = 64,                       /* of message buffers, so of payloads */
  TSR_MPI_PIGGYBACKED_MAX = 16                   /* acknowledgements at the end of a request */
};

struct tsr_mpi_header {
  uint16_t magic;
  uint16_t slot;
  uint32_t handler : 7, ordered : 1, out_of_line : 1 /* the payload is long */, delayed : 1, payload_bytes : 22;
  uint32_t bulk_bytes, reply_bytes;
  uint64_t args[TSR_NET_ARGS_N];
};
_Static_assert(sizeof(struct tsr_mpi_header) == TSR_MPI_ALIGN, "the payload follows the header and is aligned like it");

/* Room for a header and a payload of so many bytes. */
static inline size_t tsr_mpi_room_for(size_t payload_bytes) {
  return (sizeof(struct tsr_mpi_header) + payload_bytes + TSR_MPI_ALIGN - 1) / TSR_MPI_ALIGN * TSR_MPI_ALIGN;
}

/* Bytes of the longest first message of a request, and room for it. */
static inline size_t tsr_mpi_message_most(void) {
  return sizeof(struct tsr_mpi_header) + tsr_net_limits.eager_bytes + TSR_MPI_PIGGYBACKED_MAX * sizeof(uint16_t);
}
static inline size_t tsr_mpi_message_room(void) {
  return tsr_mpi_room_for(tsr_mpi_message_most() - sizeof(struct tsr_mpi_header));
}

/* Bytes of a request's first message, without acknowledgements. */
static inline size_t tsr_mpi_message_bytes(const struct tsr_mpi_header *header) {
  return sizeof *header + (header->out_of_line ? 0 : header->payload_bytes);
}

/* Both from the start to the end of the transport; errors on them return. */
struct tsr_mpi {
  MPI_Comm requests; /* requests, bulk, replies */
  MPI_Comm tagged;
  int ranks_n;
  enum { TSR_MPI_WINDOW_NONE, TSR_MPI_WINDOW_WANTED } window; /* what all ranks want */
};
extern struct tsr_mpi tsr_mpi;
extern const struct tsr_net_ops tsr_net_mpi, tsr_net_mpi_window;

/* Undoes tsr_net_mpi_start, also one that came half way. Under the lock. */
void tsr_mpi_stop(void);

#define TSR_MPI_ONE_BUILD "all ranks must run the same build of Tessera, and no other code may use its communicators"

/* Ends the job with one formatted line. */
_Noreturn void tsr_mpi_fatal(const char *format, ...) __attribute__((format(printf, 1, 2), cold));

/* Ends the job if `code` is an error; `what` names the call and its purpose. */
_Noreturn void tsr_mpi_failed(int code, const char *what) __attribute__((cold));
static inline void tsr_mpi_check(int code, const char *what) {
  if (__builtin_expect(code != MPI_SUCCESS, 0)) tsr_mpi_failed(code, what);
}

bool tsr_mpi_is_truncation(int code); /* a message was longer than its receive */

bool tsr_mpi_is_inside(void); /* this thread is inside the transport: has its lock */

#endif
