/* Messages between nodes for puts, gets and accumulates: a piece of a layout's byte stream, or the next entries of an
 * iovec, with their data. The origin packs them, the target checks and reads them. */
#ifndef TSR_VIS_MESSAGE_H
#define TSR_VIS_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/address.h"
#include "base/arith.h"
#include "core/handlers.h"
#include "core/op.h"
#include "net/net.h"
#include "vis/layout.h"
#include "vis/iov.h"
#include "vis/bounce.h"

/* Element type, operation and factor of an accumulate; all zero for puts. The origin multiplies the data in the message, so
 * messages carry no factor. Within a node products are rounded before they are added, too, so accumulates within a node and
 * between nodes give the same sums. */
struct tsr_factor {
  tsr_type type;
  tsr_arith arith;
  const void *scale; /* NULL: 1 */
};

/* A piece of a layout's byte stream. Each request carries the whole remote layout and the range of its piece. */
struct tsr_piece {
  const tsr_layout *remote, *local;
  const void *src;
  size_t from, bytes;
  struct tsr_factor factor;
};

/* Returns the room for the layout or list and the data of one message, or for one reply, of a transfer of `total` bytes (SIZE_MAX:
 * not known). It is 64 KiB where the transport sends so much at once: one message is packed while others are on their way. */
size_t tsr_message_room(size_t total);

/* Returns the length of the pieces of a transfer: the least number of equal pieces that fit into messages, so that one piece is
 * packed while others are on their way. If there are several, the length is a multiple of 64 bytes. */
size_t tsr_piece_length(const tsr_layout *remote, size_t total);
/* A request that has room for the piece's layout. The caller adds the packing function and room for data or reply, and
 * may set arguments from the fifth on. */
struct tsr_net_request tsr_piece_request(tsr_addr target, enum tsr_handler handler, const struct tsr_piece *piece);
/* Sends all pieces of a put or accumulate, counted in `op`. The layouts are simplified. TESSERA_ERR_MEMORY: some pieces
 * may be sent. */
tessera_status_t tsr_pieces_send(enum tsr_handler handler, tsr_addr dest, const tsr_layout *theirs, const void *src,
                                 const tsr_layout *ours, struct tsr_factor factor, tsr_op *op);

/* At the target: checks the layout of a request and its range. Stores the layout and the address of its base. Returns the length
 * of the layout in the payload. */
size_t tsr_piece_read(const struct tsr_net_in *in, tsr_layout *layout, char **remote_addr);
/* The same for a request that carries data; returns the data. */
const char *tsr_piece_read_data(const struct tsr_net_in *in, tsr_layout *layout, char **remote_addr);

/* The next entries of a remote iovec, as many as one message covers. */
struct tsr_list_part {
  size_t iov_n, bytes;
  tsr_iov_cursor remote; /* where they begin */
  uint64_t target_off;   /* of the iovec's base */
};

/* Returns the entries that fit into a message, and advances `remote` past them; long entries are cut at multiples of `grain`
 * bytes. With data, list and data share `room`; otherwise `room` is for the data of the reply. */
struct tsr_list_part tsr_list_take(tsr_addr target, tsr_iov_cursor *remote, bool with_data, size_t room, size_t grain);
/* Returns the end of the list. */
char *tsr_list_write(char *wire, const struct tsr_list_part *part);
/* Sends the next message of a put or accumulate, counted in `op`, and advances both cursors past the bytes that it covers. */
tessera_status_t tsr_list_send(enum tsr_handler handler, tsr_addr dest, tsr_iov_cursor *remote, const void *src,
                               tsr_iov_cursor *local, struct tsr_factor factor, tsr_op *op);

/* At the target: the list of a request, and the memory that it names. */
struct tsr_list {
  const char *offs, *lengths;
  size_t iov_n;
  char *base; /* address of byte `low` of the heap */
  uint64_t low;
};
/* Reads the list of a request that carries at least `data_bytes` behind the list, and checks it against the heap. */
struct tsr_list tsr_list_read(const struct tsr_net_in *in, size_t data_bytes);
const char *tsr_list_data(const struct tsr_list *list);
char *tsr_list_run(const struct tsr_list *list, size_t i);
size_t tsr_list_bytes(const struct tsr_list *list, size_t i);

#endif
