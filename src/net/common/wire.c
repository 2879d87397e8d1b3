/* What arrives over a wire, and the tables that all wires share, from their start to their end. */
#include "net/common/wire.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/bits.h"
#include "base/config.h"
#include "base/status.h"
#include "net/common/acks.h"
#include "net/common/delay.h"
#include "net/common/inbound.h"
#include "net/common/long.h"
#include "net/common/requests.h"

const struct tsr_wire *tsr_wire;
int tsr_wire_ranks_n, tsr_wire_rank;
size_t tsr_wire_eager_most, tsr_wire_shared_most;

/* ---- start and end ---- */

size_t tsr_wire_eager_limit(size_t at_once_bytes) {
  enum { SHORT = 16 << 10, LONG = 32 << 10 };
  if (tsr_config.eager_limit) return tsr_config.eager_limit;
  return tsr_wire_room_for(LONG + TSR_WIRE_PIGGYBACKED_MOST) <= at_once_bytes ? LONG : SHORT;
}

/* Ranks may be configured differently, where the environment does not reach them all. The least of each limit is good for all. */
void tsr_wire_propose_limits(long long limits[TSR_WIRE_LIMITS_N], size_t at_once_bytes) {
  limits[0] = (long long)tsr_wire_eager_limit(at_once_bytes);
  limits[1] = (long long)tsr_config.wire_buffer_size;
  limits[2] = (long long)at_once_bytes;
}

void tsr_wire_adopt_limits(const long long limits[TSR_WIRE_LIMITS_N]) {
  enum { LONG_BYTES = 128 << 10 /* bounds the memory of an endpoint: net.h has the formula */ };
  size_t eager = (size_t)limits[0], chunk = tsr_max_size(tsr_max_size(eager, TSR_NET_PAYLOAD_LEAST), (size_t)limits[1]);
  tsr_wire_eager_most = eager;
  tsr_wire_shared_most = tsr_wire_shared_limit(eager, (size_t)limits[2]);
  tsr_net_limits = (struct tsr_net_limits){.eager_bytes = eager,
                                           .chunk_bytes = chunk,
                                           .payload_bytes = tsr_max_size(eager, tsr_min_size(chunk, LONG_BYTES)),
                                           .at_once_bytes = tsr_min_size(chunk, tsr_max_size(eager, (size_t)limits[2]))};
}

tessera_status_t tsr_wire_prepare(int ranks_n, int rank) {
  tsr_wire_ranks_n = ranks_n;
  tsr_wire_rank = rank;
  if (tsr_wire_requests_start(tsr_config.wire_buffers) && tsr_wire_inbound_start()) return TESSERA_OK;
  return tsr_fail(TESSERA_ERR_MEMORY, "TSR-0222 no private memory for messages of %zu bytes; lower TESSERA_EAGER_LIMIT",
                  tsr_wire_message_room());
}

void tsr_wire_end(const struct tsr_wire *wire) {
  wire->stop_traffic();
  tsr_wire_delay_stop();
  tsr_wire_acks_stop();
  tsr_wire_inbound_stop();
  tsr_wire = wire; /* also if it was never in use */
  tsr_wire_requests_stop();
  tsr_wire_longs_stop();
  wire->stop();
}

/* ---- what arrives ---- */

bool tsr_wire_has_room(void) { return tsr_wire_inbound_has_room(); }

/* Where the next request begins, or the acknowledgements at the end. */
static size_t end_of(const struct tsr_wire_header *header) {
  size_t bytes = tsr_wire_message_bytes(header);
  return header->more ? (bytes + TSR_WIRE_ALIGN - 1) / TSR_WIRE_ALIGN * TSR_WIRE_ALIGN : bytes;
}

/* What is wrong with a request and what follows it, `bytes` in all; NULL: nothing. */
static const char *fault_of(const struct tsr_wire_header *header, size_t bytes) {
  if (bytes < sizeof *header) return "is shorter than a header";
  if (header->magic != TSR_WIRE_MAGIC) return "does not start with our mark";
  if (bytes < end_of(header)) return "is shorter than it says";
  if (!header->more && bytes - end_of(header) > TSR_WIRE_PIGGYBACKED_MOST) return "is longer than it says";
  if (header->handler >= TSR_NET_HANDLERS_MAX || !tsr_net_handlers[header->handler])
    return "names a handler that does not exist";
  if (header->slot >= TSR_WIRE_SLOTS_MAX) return "names a slot that cannot exist";
  if (header->payload_bytes > tsr_net_limits.payload_bytes) return "announces a longer payload than there may be";
  if (header->out_of_line && header->bulk_bytes) return "announces both bulk and a long payload";
  if (header->bulk_bytes > tsr_net_limits.chunk_bytes) return "announces more bulk than one piece may have";
  if (header->reply_bytes > tsr_net_limits.chunk_bytes) return "asks for more than one piece may have";
  return NULL;
}

static struct tsr_wire_header *next_of(struct tsr_wire_header *header) {
  return (struct tsr_wire_header *)(void *)((char *)header + end_of(header));
}

/* Checks all requests of a message; returns the end of the last. */
static char *validate_requests(struct tsr_wire_header *header, int rank, size_t bytes) {
  for (;;) {
    const char *fault = fault_of(header, bytes);
    if (fault) tsr_wire_fatal("TSR-0219 a request of %zu bytes from rank %d %s; " TSR_REMEDY_ONE_BUILD, bytes, rank, fault);
    if (!header->more) return (char *)header + end_of(header);
    bytes -= end_of(header);
    header = next_of(header);
  }
}

/* The acknowledgements come first, so that a handler finds all operations complete that its origin knew to be complete. */
void tsr_wire_request_arrived(struct tsr_wire_header *message, int rank, size_t bytes) {
  const char *acks = validate_requests(message, rank, bytes), *end = (char *)message + bytes;
  if (acks < end) tsr_wire_acks_take_piggybacked(rank, acks, (size_t)(end - acks));
  for (bool more = true; more;) {
    struct tsr_wire_header *next = next_of(message);
    more = message->more; /* the handler may change the message */
    tsr_wire_inbound_begin(message, rank);
    message = next;
  }
}

void tsr_wire_received(const struct tsr_wire_message *message, size_t bytes) {
  if (message->kind == TSR_WIRE_TAGGED && bytes != message->bytes) tsr_wire_misfit(message, bytes);
  if (!message->done) return;
  if (tsr_wire_delay_wanted()) tsr_wire_delay(message->done, message->arg, bytes);
  else message->done(message->arg, TSR_NET_LOCAL, bytes);
}

/* ---- errors ---- */

struct tsr_wire_text tsr_wire_describe(const struct tsr_wire_message *message, bool receives) {
  struct tsr_wire_text text;
  snprintf(text.line, sizeof text.line, "%s %s %s rank %d (tag %d, %zu bytes)", receives ? "receiving" : "sending",
           message->what, receives ? "from" : "to", message->rank, message->tag, message->bytes);
  return text;
}

void tsr_wire_misfit(const struct tsr_wire_message *message, size_t came_bytes) {
  if (message->kind == TSR_WIRE_TAGGED) tsr_net_misfit(message->rank, message->tag, message->bytes, came_bytes);
  tsr_wire_fatal("TSR-0215 %s: what comes is %s; " TSR_REMEDY_ONE_BUILD, tsr_wire_describe(message, true).line,
                 came_bytes > message->bytes ? "longer" : "shorter");
}

void tsr_wire_fatal(const char *format, ...) {
  char text[400];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  tsr_net_fatal(text);
  abort();
}
