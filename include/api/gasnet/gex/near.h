/* What the inline functions of GASNet-EX read: where the segments of the peers are. No program uses these names itself.
 *
 * The library's symbol is named after the layout here, and gex_Client_Init refers to it: a program that was compiled with
 * another layout does not link.
 *
 * Compilers may take the symbol's contents for constant, so that a loop of puts looks them up once, before it begins. They are
 * not quite: the library fills them in. But each number changes once, from what keeps everything out of the fast way, and no
 * team of all ever has the address of an earlier one: who goes by old numbers asks the library.
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
};

/* A team as one member sees it, by rank; or a pair of endpoints, by job rank. The library's own part follows. */
struct gexi_tm {
  const struct gexi_peer *peers;
  gex_Rank_t size, rank;
};

/* The implicit operations of all threads of the process. */
struct gexi_implicit {
  uint32_t busy_n; /* threads that may have some under way, or an access region open; never 0 when calls are to be checked */
  uint32_t left_n; /* waits until one has to make progress */
};
enum { GEXI_PROGRESS_EVERY = 16 };

enum { GEXI_NEAR_PEERS_N = 256, GEXI_NEAR_BYTES_MAX = 4096 };
struct gexi_near {
  struct gexi_implicit *implicit; /* the library's; NULL while nothing is initialised */
  gex_Rank_t rank, size;        /* of the job; size is 0 while nothing is initialised */
  const struct gexi_tm *world;  /* the team of all, when there are segments */
  gex_Rank_t peers_n;           /* of which the first ones are here, too */
  struct gexi_peer peers[GEXI_NEAR_PEERS_N];
};
#ifndef GEXI_NEAR_CONST
#define GEXI_NEAR_CONST const
#endif
extern GEXI_NEAR_CONST struct gexi_near tsr_gex_near_2;

static __attribute__((noinline, unused)) void *gexi_near_of_team(const struct gexi_tm *tm, gex_Rank_t rank,
                                                                 const void *address, size_t bytes) {
  if (!tm || rank >= tm->size) return 0;
  const struct gexi_peer *peer = &tm->peers[rank];
  uint64_t off = (uint64_t)(uintptr_t)address - peer->base;
  return bytes <= peer->bytes && off <= peer->bytes - bytes ? (void *)(peer->here + off) : (void *)0;
}

/* The bytes [address, address + bytes) of the peer, where this process has them; NULL: the library has to see to it, or to say
 * what is wrong. Above GEXI_NEAR_BYTES_MAX a call of it costs nothing, and it may find somebody else to move the data. What is
 * read is read in any case, and there is one condition, so that all of this leaves a loop. */
static inline void *gexi_near(const struct gexi_tm *tm, gex_Rank_t rank, const void *address, size_t bytes) {
  const struct gexi_peer *peer = &tsr_gex_near_2.peers[rank % GEXI_NEAR_PEERS_N];
  uint64_t room = peer->bytes, off = (uint64_t)(uintptr_t)address - peer->base;
  char *there = peer->here + off;
  int good = (tm == tsr_gex_near_2.world) & (rank < tsr_gex_near_2.peers_n) & (bytes <= room) & (off <= room - bytes);
  if (!GEXI_LIKELY(good)) return gexi_near_of_team(tm, rank, address, bytes);
  if (!there) __builtin_unreachable();
  return there;
}

#ifdef __cplusplus
}
#endif
#endif
