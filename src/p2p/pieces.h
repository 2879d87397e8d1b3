/* A block that goes from one unit to one of another node in pieces, several of them under way at once: the same on both
 * sides, which know its size and a tag that nothing else between the two uses meanwhile. Who sends it is done when receives
 * have met all of it. One of 0 bytes is a message, too. */
#ifndef TSR_P2P_PIECES_H
#define TSR_P2P_PIECES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tsr_pieces {
  bool receives;
  int rank, tag;
  char *data; /* not written by who sends */
  size_t bytes;
  void (*done)(struct tsr_pieces *pieces); /* may free it; runs like a callback of the transport: never waits */
  /* private */
  size_t at;
  bool ended; /* the last one is started */
  _Atomic uint32_t asked_n, held_n;
};

/* Starts the first pieces. `done` runs when all have gone or come, but not before the release. */
void tsr_pieces_start(struct tsr_pieces *pieces);
void tsr_pieces_release(struct tsr_pieces *pieces);

#endif
