/* Units of the same node: those that really share memory, and their connections while the nodes form. MPI proposes units of one
 * host name; a node is the units that received the descriptor of its first unit's memory and found the nonce there. */
#ifndef TSR_CORE_NODE_DISCOVERY_H
#define TSR_CORE_NODE_DISCOVERY_H

#include <stdint.h>

#include "core/agent.h"
#include "node/share.h"

/* How a unit introduces itself to all others. */
struct tsr_hello {
  struct tsr_share_credentials credentials; /* its number is the nonce of the memory that the unit makes */
  uint64_t host;                  /* units with the same number may be on the same node */
  uint32_t slice_order;           /* what its host and its configuration ask for */
  struct tsr_progress_plan progress; /* what its configuration asks for */
};

struct tsr_node_discovery {
  int32_t first;          /* the first unit of the node */
  int32_t index, units_n; /* own local index; units of the node */
  int fd;                 /* of the node's memory; -1: it could not be made, which is logged */
  unsigned slice_order;   /* the same in the whole job, so that an offset means the same everywhere */
  int *connections, connections_n;      /* in the first unit: to the other units, in their order; else: to the first */
};

/* Called by every unit, with the hello messages of all units, and with the listener (node/share.h) whose credentials are in its own
 * message. Waits for the units of the same node. Ends the job if there is no memory for its tables. */
void tsr_node_discover(struct tsr_node_discovery *n, const struct tsr_hello hellos[], int32_t units_n, int32_t self,
                         int listener);

/* Returns the smallest `mine` of all units of the node; also a barrier. Called by every unit of the node. Ends the job if one of
 * them is gone. */
int32_t tsr_node_discovery_min(const struct tsr_node_discovery *n, int32_t mine);

/* Closes what is open. */
void tsr_node_discovery_close(struct tsr_node_discovery *n);

#endif
