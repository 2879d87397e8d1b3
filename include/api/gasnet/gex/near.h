/* Data for the inline functions of GASNet-EX: the location of the peers' segments. Programs do not use these names.
 *
 * The library's symbol is named after this layout, and gex_Client_Init refers to it: a program that was compiled with
 * another layout does not link.
 *
 * The symbol is declared const, so that compilers may load its contents once, before a loop of puts. In fact the
 * library writes them: at the start, when segments become known, and at the end. This is safe, because with the
 * initial values no transfer takes the inline path, and no team of all ever has the address of an earlier one. A
 * program that uses outdated values therefore calls gexi_near_of_team, which reads the team, or the library. */
#ifndef TSR_GASNET_GEX_NEAR_H
#define TSR_GASNET_GEX_NEAR_H

#include <gasnet_fwd.h>

#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GEXI_LIKELY(condition) __builtin_expect(!!(condition), 1)

/* A peer's bound segment, if this process can load and store there directly. Otherwise `bytes` is 0 and `base` is
 * the last address: for peers on other nodes, and for all peers if calls are counted or checked. */
struct gexi_peer {
  uint64_t base;  /* start in the peer's own memory, which the addresses of the program refer to */
  uint64_t bytes;
  char *here;     /* start in this process's memory */
};

/* A team as one member sees it, by rank; or a pair of endpoints, by job rank. A private part of the library follows. */
struct gexi_tm {
  const struct gexi_peer *peers;
  gex_Rank_t size, rank;
};

/* Counts of the implicit operations of all threads of the process. */
struct gexi_implicit {
  uint32_t busy_n; /* threads that may have operations under way, or an access region open; never 0 if calls are
                    * checked */
  uint32_t left_n; /* waits that may still return without making progress */
};
enum { GEXI_PROGRESS_EVERY = 16 };

enum { GEXI_NEAR_PEERS_N = 256, GEXI_NEAR_BYTES_MAX = 2048 };
struct gexi_near {
  struct gexi_implicit *implicit; /* set by the library; NULL while nothing is initialised */
  gex_Rank_t rank, size;        /* in the job; size is 0 while nothing is initialised */
  const struct gexi_tm *world;  /* the team of all, if there are segments */
  gex_Rank_t peers_n;           /* number of peers; the first ones are also stored here */
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

/* Returns the address of the bytes [address, address + bytes) of the peer in this process. NULL: the library has to
 * do the transfer, or to report an error. Above GEXI_NEAR_BYTES_MAX a call of the library is cheap compared with the
 * copy, and the library may let a progress agent move the data. The loads are unconditional and there is a single
 * condition, so that the compiler can move all of this out of a loop. */
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
