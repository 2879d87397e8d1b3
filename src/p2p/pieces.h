/* A block of data that is sent to a unit of another node in pieces, several at once. Both sides know its size and a tag
 * that no other transfer between the two units uses meanwhile. The sender is done when receives have matched all
 * pieces. A block of 0 bytes is one empty piece. */
#ifndef TSR_P2P_PIECES_H
#define TSR_P2P_PIECES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tsr_pieces {
  bool receives;
  int rank, tag;
  char *data; /* a sender only reads it */
  size_t bytes;
  void (*done)(struct tsr_pieces *pieces); /* may free the object; a callback of the transport, so it never waits */
  /* private */
  size_t at;
  bool ended; /* the last one is started */
  _Atomic uint32_t asked_n, held_n;
};

/* tsr_pieces_start starts the first pieces. `done` runs when all pieces are sent or received, but not before
 * tsr_pieces_release. */
void tsr_pieces_start(struct tsr_pieces *pieces);
void tsr_pieces_release(struct tsr_pieces *pieces);

#endif
