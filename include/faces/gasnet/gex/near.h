/* What the inline functions of GASNet-EX read: where the segments of the peers are. No program uses these names itself.
 *
 * The library's symbol is named after the layout here, and gex_Client_Init refers to it: a program that was compiled with
 * another layout does not link.
 */
#ifndef TSR_GASNET_GEX_NEAR_H
#define TSR_GASNET_GEX_NEAR_H

#include <gasnet_fwd.h>

#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GEXI_LIKELY(condition) __builtin_expect(!!(condition), 1)

/* A peer's bound segment, as far as this process may load and store there without asking anybody: else of no bytes at the
 * last address (other nodes; and everybody when calls are to be counted or checked). */
struct gexi_peer {
  uint64_t base;  /* where it begins in the peer's own memory, which programs name places by */
  uint64_t bytes;
  char *here;     /* where it begins in this process's memory */
  uint64_t unused;
};

/* A team as one member sees it, by rank; or a pair of endpoints, by job rank. The library's own part follows. */
struct gexi_tm {
  const struct gexi_peer *peers;
  gex_Rank_t size, rank;
};

struct gexi_near {
  gex_Rank_t rank, size; /* of the job; size is 0 while nothing is initialised */
};
extern struct gexi_near tsr_gex_near_1;

/* Above, a call of the library costs nothing, which may find somebody else to move the data. */
enum { GEXI_NEAR_BYTES_MAX = 4096 };

/* The bytes [address, address + bytes) of the peer, where this process has them; NULL: the library has to see to it, or to say
 * what is wrong. */
static inline void *gexi_near(const struct gexi_tm *tm, gex_Rank_t rank, const void *address, size_t bytes) {
  if (!GEXI_LIKELY(tm && rank < tm->size)) return NULL;
  const struct gexi_peer *peer = &tm->peers[rank];
  uint64_t off = (uint64_t)(uintptr_t)address - peer->base;
  return GEXI_LIKELY(bytes <= peer->bytes && off <= peer->bytes - bytes) ? (void *)(peer->here + off) : NULL;
}

#ifdef __cplusplus
}
#endif
#endif
