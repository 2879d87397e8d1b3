/* What one message between nodes carries: a piece of a layout's byte stream, or the next runs of a list, with the bytes that
 * go there; how the origin packs it, and how the target reads what it got. For puts, gets and accumulates alike. */
#ifndef TSR_VIS_MESSAGE_H
#define TSR_VIS_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/address.h"
#include "core/handlers.h"
#include "net/net.h"
#include "vis/layout.h"
#include "vis/iov.h"
#include "vis/wire.h"

/* Between nodes a layout travels as pieces of its byte stream; each request carries the remote layout and says which piece. */
struct tsr_piece {
  const tsr_layout *remote, *local;
  const void *src;
  size_t from, bytes;
};

/* Pieces of one length, as few as have room with a layout: so one is packed while those before it are under way. A multiple
 * of 64 bytes when there are several. */
size_t tsr_piece_length(const tsr_layout *remote, size_t total);
/* A request with the piece's layout; the caller adds what packs it, and room for data or reply. Arguments from the fifth on
 * are the caller's. */
struct tsr_net_request tsr_piece_request(tsr_addr target, enum tsr_handler handler, const struct tsr_piece *piece);
/* Packs layout and data; returns where the data are. */
void *tsr_piece_pack(void *dest, const struct tsr_piece *piece);

/* At the target: the layout of a request, and its memory, after both have been checked. Returns the layout's length. */
size_t tsr_piece_read(const struct tsr_net_in *in, tsr_layout *layout, char **remote_addr);
/* The same for one that brings its data, which it returns. */
const char *tsr_piece_read_data(const struct tsr_net_in *in, tsr_layout *layout, char **remote_addr);

/* The next runs of a list, as many as one message covers. */
struct tsr_list_part {
  size_t iov_n, bytes;
  tsr_iov_cursor remote; /* where they begin */
};

/* Passes what a message has room for, and says what that is; long runs are cut at multiples of `grain` bytes. With data: those
 * have their place in the same room as the list, else there are at most `room` of them, in the reply. */
struct tsr_list_part tsr_list_take(tsr_iov_cursor *remote, bool with_data, size_t room, size_t grain);
/* Returns the end of the list. */
char *tsr_list_write(char *wire, const struct tsr_list_part *iov, uint64_t target_off);

/* At the target: the list of a request, and the memory that it names. */
struct tsr_list {
  const char *offs, *lengths;
  size_t iov_n;
  char *base; /* of the heap's byte `low` */
  uint64_t low;
};
/* The list of a request that carries `data_bytes` behind it, checked against the heap. */
struct tsr_list tsr_list_read(const struct tsr_net_in *in, size_t data_bytes);
const char *tsr_list_data(const struct tsr_list *list);
char *tsr_list_run(const struct tsr_list *list, size_t i);
size_t tsr_list_bytes(const struct tsr_list *list, size_t i);

#endif
