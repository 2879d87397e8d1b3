/* Lines: TCP connections between the guardians of different nodes, so that a node learns of a death, or of silence, on
 * another one. The guardian of node 0 has a line to each of the others; there is one verdict on who was first to die, and
 * it is node 0's. Guardians always attend, whatever the units compute: who is silent is gone. IPv4, no MPI.
 */
#ifndef TSR_CORE_LINES_H
#define TSR_CORE_LINES_H

#include <stdbool.h>
#include <stdint.h>

/* Where node 0 can be called, for all units. No addresses: nowhere, and nodes are not watched. */
enum { TSR_LINES_ADDRESSES_MAX = 8 };
struct tsr_lines_door {
  uint64_t token; /* who knows it belongs to the job */
  uint32_t addresses[TSR_LINES_ADDRESSES_MAX], addresses_n; /* network byte order */
  uint32_t port;
};

/* Unit 0, before its guardian is made. Returns the descriptor for it; -1: there is no door. */
int tsr_lines_open(struct tsr_lines_door *door);

/* What comes over a line. */
struct tsr_lines_news {
  enum { TSR_LINES_NOTHING, TSR_LINES_DEAD, TSR_LINES_LOST } kind;
  int32_t unit;     /* DEAD: by the verdict */
  int32_t node;     /* LOST: by this node itself, or by the verdict */
  const char *host; /* LOST by this node: its name; NULL: another one has reported it */
  bool silent;      /* LOST: not a sign of life; else its guardian is gone */
};

/* The rest is the guardian's. `listener`: from tsr_lines_open, or -1. Events are added to the epoll set `events`, marked
 * as TSR_LINES_EVENT in the lower half of their data, with the descriptor in the upper half. */
#define TSR_LINES_EVENT UINT32_MAX
void tsr_lines_start(const struct tsr_lines_door *door, int listener, int events);

struct tsr_lines_news tsr_lines_take(int fd);

/* A unit of this node died: asks for the verdict, and waits for it a moment. Returns the unit that was first, `unit`
 * where nobody answers; negative: not a unit but a node, which another guardian reports. */
int32_t tsr_lines_settle(int32_t unit);

/* Tells the others that this node is lost; for node 0. */
void tsr_lines_tell_lost(int32_t node);

/* All units of the node have ended in order. */
void tsr_lines_end(void);

#endif
