/* GASNet-EX: put and get. Remote addresses are addresses of the peer: inside its bound segment, or, while another
 * interface is up, anywhere in memory that it has allocated (dart_gptr_getpointer, ARMCI_Malloc, tessera_memory_allocate,
 * shmem_malloc). Local addresses may be anywhere. With GEX_FLAG_PEER_SEG_OFFSET and GEX_FLAG_SELF_SEG_OFFSET they are offsets in
 * the bound segments. For peers that share memory with the caller, the inline functions here copy the data; for others they call
 * the library.
 */
#ifndef TSR_GASNET_GEX_RMA_H
#define TSR_GASNET_GEX_RMA_H

#include <gex/client.h>
#include <gex/event.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Return 0; or, with GEX_FLAG_IMMEDIATE and no room, a value other than 0, or GEX_EVENT_NO_OP. */
int gexi_put_blocking(gex_TM_t tm, gex_Rank_t rank, void *dest, const void *src, size_t bytes, gex_Flags_t flags);
int gexi_get_blocking(gex_TM_t tm, void *dest, gex_Rank_t rank, const void *src, size_t bytes, gex_Flags_t flags);
gex_Event_t gexi_put_nb(gex_TM_t tm, gex_Rank_t rank, void *dest, const void *src, size_t bytes, gex_Event_t *lc_opt,
                        gex_Flags_t flags);
gex_Event_t gexi_get_nb(gex_TM_t tm, void *dest, gex_Rank_t rank, const void *src, size_t bytes, gex_Flags_t flags);
int gexi_put_nbi(gex_TM_t tm, gex_Rank_t rank, void *dest, const void *src, size_t bytes, gex_Event_t *lc_opt,
                 gex_Flags_t flags);
int gexi_get_nbi(gex_TM_t tm, void *dest, gex_Rank_t rank, const void *src, size_t bytes, gex_Flags_t flags);
int gexi_put_value(gex_TM_t tm, gex_Rank_t rank, void *dest, gex_RMA_Value_t value, size_t bytes, gex_Flags_t flags);
gex_Event_t gexi_put_value_nb(gex_TM_t tm, gex_Rank_t rank, void *dest, gex_RMA_Value_t value, size_t bytes, gex_Flags_t flags);
int gexi_put_value_nbi(gex_TM_t tm, gex_Rank_t rank, void *dest, gex_RMA_Value_t value, size_t bytes, gex_Flags_t flags);
gex_RMA_Value_t gexi_get_value(gex_TM_t tm, gex_Rank_t rank, const void *src, size_t bytes, gex_Flags_t flags);

/* ---- On the caller's node; true: done ---- */

/* With these flags the library does the transfer: the peer is on another node, or offsets are given instead of
 * addresses. */
#define GEXI_FLAGS_REMOTE_ (GEX_FLAG_PEER_NEVER_NBRHD | GEX_FLAG_PEER_SEG_OFFSET | GEX_FLAG_SELF_SEG_OFFSET)

/* Order: other processes see a put before anything that this process does next, and a get reads data that is no older
 * than the call. Partner: the access of the other process. */
static inline int gexi_put_near(gex_TM_t tm, gex_Rank_t rank, void *dest, const void *src, size_t bytes, gex_Flags_t flags) {
  if (bytes > GEXI_NEAR_BYTES_MAX || (flags & GEXI_FLAGS_REMOTE_)) return 0;
  void *there = gexi_near(tm, rank, dest, bytes);
  if (!GEXI_LIKELY(there)) return 0;
  memcpy(there, src, bytes);
  __atomic_thread_fence(__ATOMIC_RELEASE);
  return 1;
}
static inline int gexi_get_near(gex_TM_t tm, void *dest, gex_Rank_t rank, const void *src, size_t bytes, gex_Flags_t flags) {
  if (bytes > GEXI_NEAR_BYTES_MAX || (flags & GEXI_FLAGS_REMOTE_)) return 0;
  const void *there = gexi_near(tm, rank, src, bytes);
  if (!GEXI_LIKELY(there)) return 0;
  memcpy(dest, there, bytes);
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
  return 1;
}

static inline int gexi_put_value_near(gex_TM_t tm, gex_Rank_t rank, void *dest, gex_RMA_Value_t value, size_t bytes,
                                      gex_Flags_t flags) {
  uint8_t v1 = (uint8_t)value;
  uint16_t v2 = (uint16_t)value;
  uint32_t v4 = (uint32_t)value;
  switch (bytes) {
  case 1: return gexi_put_near(tm, rank, dest, &v1, 1, flags);
  case 2: return gexi_put_near(tm, rank, dest, &v2, 2, flags);
  case 4: return gexi_put_near(tm, rank, dest, &v4, 4, flags);
  case 8: return gexi_put_near(tm, rank, dest, &value, 8, flags);
  default: return 0;
  }
}

/* Stores an event, unless the pointer is one of the three constants. */
static inline int gexi_lc_complete(gex_Event_t *lc_opt) {
  if ((uintptr_t)lc_opt > (uintptr_t)GEX_EVENT_GROUP) *lc_opt = GEX_EVENT_INVALID;
  return lc_opt != 0;
}

/* ---- Blocking ----
 *
 * Put copies `nbytes` bytes from src to dest of the peer, get copies them from src of the peer to dest. Both are complete on
 * return. They return 0; with GEX_FLAG_IMMEDIATE another value if there was no room, and then had no effect. */

static inline int gex_RMA_PutBlocking(gex_TM_t tm, gex_Rank_t rank, void *dest, const void *src, size_t nbytes,
                                      gex_Flags_t flags) {
  if (GEXI_LIKELY(gexi_put_near(tm, rank, dest, src, nbytes, flags))) return 0;
  return gexi_put_blocking(tm, rank, dest, src, nbytes, flags);
}
static inline int gex_RMA_GetBlocking(gex_TM_t tm, void *dest, gex_Rank_t rank, void *src, size_t nbytes, gex_Flags_t flags) {
  if (GEXI_LIKELY(gexi_get_near(tm, dest, rank, src, nbytes, flags))) return 0;
  return gexi_get_blocking(tm, dest, rank, src, nbytes, flags);
}

/* ---- With an event ----
 *
 * Start a put or a get, and return an event that is complete when the operation is: for a put, when the data is in the peer's
 * memory. With GEX_FLAG_IMMEDIATE they return GEX_EVENT_NO_OP if there was no room, and then had no effect.
 *
 * The event is never GEX_EVENT_INVALID for a peer on another node. For a peer that shares memory with the caller it
 * always is, unless a progress process moves the data. lc_opt says when the source may be reused: on return
 * (GEX_EVENT_NOW), when the operation is complete (GEX_EVENT_DEFER), or when the event at this address is complete. */

static inline gex_Event_t gex_RMA_PutNB(gex_TM_t tm, gex_Rank_t rank, void *dest, const void *src, size_t nbytes,
                                        gex_Event_t *lc_opt, gex_Flags_t flags) {
  if (GEXI_LIKELY(lc_opt != 0 && lc_opt != GEX_EVENT_GROUP && gexi_put_near(tm, rank, dest, src, nbytes, flags)))
    return gexi_lc_complete(lc_opt), GEX_EVENT_INVALID;
  return gexi_put_nb(tm, rank, dest, src, nbytes, lc_opt, flags);
}
static inline gex_Event_t gex_RMA_GetNB(gex_TM_t tm, void *dest, gex_Rank_t rank, void *src, size_t nbytes,
                                        gex_Flags_t flags) {
  if (GEXI_LIKELY(gexi_get_near(tm, dest, rank, src, nbytes, flags))) return GEX_EVENT_INVALID;
  return gexi_get_nb(tm, dest, rank, src, nbytes, flags);
}

/* ---- Without an event ----
 *
 * Start a put or a get that gex_NBI_Wait completes, or the event of the access region. They return 0; with GEX_FLAG_IMMEDIATE
 * another value if there was no room, and then had no effect. lc_opt says when the source may be reused: on return
 * (GEX_EVENT_NOW), when the operation is complete (GEX_EVENT_DEFER), or after a wait for GEX_EC_LC (GEX_EVENT_GROUP). */

static inline int gex_RMA_PutNBI(gex_TM_t tm, gex_Rank_t rank, void *dest, const void *src, size_t nbytes, gex_Event_t *lc_opt,
                                 gex_Flags_t flags) {
  if (GEXI_LIKELY((uintptr_t)lc_opt - 1 < (uintptr_t)GEX_EVENT_GROUP && gexi_put_near(tm, rank, dest, src, nbytes, flags)))
    return 0;
  return gexi_put_nbi(tm, rank, dest, src, nbytes, lc_opt, flags);
}
static inline int gex_RMA_GetNBI(gex_TM_t tm, void *dest, gex_Rank_t rank, void *src, size_t nbytes, gex_Flags_t flags) {
  if (GEXI_LIKELY(gexi_get_near(tm, dest, rank, src, nbytes, flags))) return 0;
  return gexi_get_nbi(tm, dest, rank, src, nbytes, flags);
}

/* ---- By value ----
 *
 * Put stores the low `nbytes` bytes of a number, 1 to 8, in dest of the peer; get returns the number of `nbytes` bytes in src of
 * the peer. Puts complete as those from memory: on return (Blocking), by an event (NB), or by gex_NBI_Wait (NBI). With
 * GEX_FLAG_IMMEDIATE they return GEX_EVENT_NO_OP (NB) or a value other than 0 if there was no room, and then had no effect. */

static inline int gex_RMA_PutBlockingVal(gex_TM_t tm, gex_Rank_t rank, void *dest, gex_RMA_Value_t value, size_t nbytes,
                                         gex_Flags_t flags) {
  if (GEXI_LIKELY(gexi_put_value_near(tm, rank, dest, value, nbytes, flags))) return 0;
  return gexi_put_value(tm, rank, dest, value, nbytes, flags);
}
static inline gex_Event_t gex_RMA_PutNBVal(gex_TM_t tm, gex_Rank_t rank, void *dest, gex_RMA_Value_t value, size_t nbytes,
                                           gex_Flags_t flags) {
  if (GEXI_LIKELY(gexi_put_value_near(tm, rank, dest, value, nbytes, flags))) return GEX_EVENT_INVALID;
  return gexi_put_value_nb(tm, rank, dest, value, nbytes, flags);
}
static inline int gex_RMA_PutNBIVal(gex_TM_t tm, gex_Rank_t rank, void *dest, gex_RMA_Value_t value, size_t nbytes,
                                    gex_Flags_t flags) {
  if (GEXI_LIKELY(gexi_put_value_near(tm, rank, dest, value, nbytes, flags))) return 0;
  return gexi_put_value_nbi(tm, rank, dest, value, nbytes, flags);
}
static inline gex_RMA_Value_t gex_RMA_GetBlockingVal(gex_TM_t tm, gex_Rank_t rank, void *src, size_t nbytes,
                                                     gex_Flags_t flags) {
  uint8_t v1;
  uint16_t v2;
  uint32_t v4;
  uint64_t v8;
  if (nbytes == 1 && gexi_get_near(tm, &v1, rank, src, 1, flags)) return v1;
  if (nbytes == 2 && gexi_get_near(tm, &v2, rank, src, 2, flags)) return v2;
  if (nbytes == 4 && gexi_get_near(tm, &v4, rank, src, 4, flags)) return v4;
  if (nbytes == 8 && gexi_get_near(tm, &v8, rank, src, 8, flags)) return v8;
  return gexi_get_value(tm, rank, src, nbytes, flags);
}

#ifdef __cplusplus
}
#endif
#endif
