/* Direct copies between the buffers of a node's members. In a collective of large data the members exchange the addresses
 * of their buffers, copy between the buffers, and end with a round after which each member may reuse its own buffer. Buffers in
 * the heaps are accessed by loads and stores. The kernel copies private memory (node/attach), if it permits that to every
 * member. Otherwise the data goes through the bounce buffers.
 *
 * The kernel copies once, but needs some microseconds however short the data is. On some machines this is longer than two
 * copies through the bounce buffers: compare tessera-perf coll.allgather with TESSERA_ATTACH=on and off. */
#ifndef TSR_COLL_DIRECT_H
#define TSR_COLL_DIRECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/wait.h"
#include "core/team.h"

enum tsr_direct_call { TSR_DIRECT_BCAST, TSR_DIRECT_COLLECT, TSR_DIRECT_DISTRIBUTE, TSR_DIRECT_EXCHANGE, TSR_DIRECT_REDUCE };

/* Whether a call of `bytes` bytes tries direct copies; the same on all members. If direct copies are not possible, the attempt
 * costs one round. A round takes longer than a copy of some KiB, and is expensive on an oversubscribed node. So short calls do
 * not try. Calls of up to 32 KiB do not try, either, for some rounds after a call of the same kind and a similar size on the team
 * for which direct copies were impossible: programs tend to pass the same buffers again. A broadcast of up to 16 KiB does not
 * try, because without direct copies its root does not wait. The kernel copies only if a member passes at least tsr_attach_from
 * bytes to another. */
enum {
  TSR_DIRECT_BYTES = 2 << 10,
  TSR_DIRECT_OVERSUBSCRIBED_BYTES = 8 << 10,
  TSR_DIRECT_BCAST_BYTES = 16 << 10,
  TSR_DIRECT_REMEMBERED_BYTES = 32 << 10 /* longer calls always try */
};
bool tsr_direct_pays_slow(tsr_team *team, enum tsr_direct_call call, size_t bytes);
static inline bool tsr_direct_pays(tsr_team *team, enum tsr_direct_call call, size_t bytes) {
  return bytes > TSR_DIRECT_BYTES && tsr_direct_pays_slow(team, call, bytes);
}

enum tsr_direct {
  TSR_DIRECT_FAILED, /* a member failed the call */
  TSR_DIRECT_NO,      /* a buffer is private, and the kernel does not copy: use the bounce buffers */
  TSR_DIRECT_YES
};

/* What all members of a call pass with equal values. */
struct tsr_direct_shape {
  enum tsr_direct_call call;
  int32_t root; /* -1: none */
  size_t bytes; /* of the whole call */
  size_t each;  /* bytes that a member passes to another at a time */
};

/* Exchanges the addresses in one round. Other members will read `given` bytes of `source` and write `dest`; NULL: no access. All
 * members get the same result. The job ends if their shapes differ, with or without TESSERA_CHECK, because a member may only
 * access memory that its owner has passed for this call. */
enum tsr_direct tsr_direct_begin(tsr_team *team, const struct tsr_direct_shape *shape, const void *source, size_t given,
                                 void *dest);

/* The following functions may be used until the next round. `local` is a member on this node, `off` an offset in its buffer.
 * The job ends if the kernel denies a copy, or if a member reads beyond the bytes that the owner has given. */

/* Copies from the source of a member, or to its destination. */
void tsr_direct_get(const tsr_team *team, int32_t local, size_t off, void *into, size_t bytes);
void tsr_direct_put(const tsr_team *team, int32_t local, size_t off, const void *from, size_t bytes);
/* Returns the address of `bytes` of the source of a member: in the source itself, or in `room`, after a copy to it. */
const void *tsr_direct_view(const tsr_team *team, int32_t local, size_t off, void *room, size_t bytes);
/* Whether the member passed a destination. */
bool tsr_direct_has_dest(const tsr_team *team, int32_t local);
/* Returns the only member that passed a destination; -1: none did, or several did. */
int32_t tsr_direct_only_dest(const tsr_team *team);

/* Measures at the start whether copies by the kernel are faster than copies through shared memory (tsr_attach_from). Called by all
 * units when the world team exists. */
void tsr_direct_measure(void);

#endif
