/* Segments: one allocation on every unit of a team, or the world's segment 0, which is each unit's whole heap (local allocations
 * are offsets in it), or memory that the units brought themselves and registered: these have negative numbers. */
#ifndef TSR_CORE_SEGMENT_H
#define TSR_CORE_SEGMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tessera.h>

#include "core/address.h"
#include "core/api.h"
#include "core/team.h"

enum { TSR_SEGMENT_LOCAL = 0, TSR_SEGMENT_IDS = 32768 };

/* Instead of a size: this member takes part in the allocation only to make it fail everywhere, having said why. */
#define TSR_SEGMENT_REFUSED SIZE_MAX

/* By member number, for segments whose members differ. */
struct tsr_segment_table {
  uint64_t *offs, *sizes; /* NULL: equal everywhere */
};

/* Makes room for the members' offsets, sizes or both; NULL: no private memory (logged). Freeing NULL does nothing. */
struct tsr_segment_table *tsr_segment_table_make(const tsr_team *team, bool offs, bool sizes);
void tsr_segment_table_free(struct tsr_segment_table *table);

/* One cache line, so that the table of a team's segments holds them themselves and the way to a byte is short. */
typedef struct tsr_segment {
  uint64_t bytes;      /* of each member's part, when equal everywhere */
  uint64_t heap_origin; /* the window of members whose parts this process reaches by arithmetic alone: where that of member 0 */
  uint64_t heap_stride; /* would lie, the distance from one to the next (modulo 2^64), */
  uint32_t heap_first;  /* number of the first in the window, */
  uint32_t near_n;      /* and how many; 0: none, or the segment is not live */
  uint64_t off;        /* in each member's heap, when equal everywhere */
  struct tsr_segment_table *table; /* NULL: all equal */
  tsr_team *team;                  /* NULL: not live */
  int32_t id;                      /* 1..TSR_SEGMENT_IDS-1 in its team, negative when registered; reused first-in-first-out */
  uint16_t flags;                  /* its interface's */
  uint8_t api;                    /* whose it is; that of the native interface, until its maker says so */
} tsr_segment;
_Static_assert(sizeof(tsr_segment) == 64, "a segment is a cache line");

static inline uint64_t tsr_segment_off(const tsr_segment *segment, tsr_member member) {
  bool listed = segment->table && segment->table->offs;
  return listed ? segment->table->offs[member.id] : segment->off;
}
static inline uint64_t tsr_segment_bytes(const tsr_segment *segment, tsr_member member) {
  bool listed = segment->table && segment->table->sizes;
  return listed ? segment->table->sizes[member.id] : segment->bytes;
}

/* NULL: not live. Out of line, as no memory with such a number is reached by arithmetic alone. */
tsr_segment *tsr_segment_registered(const tsr_team *team, int32_t id);

static inline tsr_segment *tsr_segment_find(const tsr_team *team, int32_t id) {
  if (__builtin_expect((uint32_t)id >= (uint32_t)__atomic_load_n(&team->segments_n, __ATOMIC_ACQUIRE), 0))
    return tsr_segment_registered(team, id);
  tsr_segment *segment = &team->segments[id];
  /* Partner: the store in publish(). */
  return __atomic_load_n(&segment->team, __ATOMIC_ACQUIRE) ? segment : (tsr_segment *)0;
}

/* Whether [off, off + bytes) lies in the member's part. */
static inline bool tsr_segment_holds(const tsr_segment *segment, tsr_member member, uint64_t off, uint64_t bytes) {
  uint64_t size = tsr_segment_bytes(segment, member);
  return off <= size && bytes <= size - off;
}

/* The bytes, if the segment is live, the member in its window and the range good; else NULL, which need not be an error. */
static inline void *tsr_segment_local(const tsr_team *team, int32_t id, tsr_member member, uint64_t off,
                                      uint64_t bytes) {
  if (__builtin_expect((uint32_t)id >= (uint32_t)__atomic_load_n(&team->segments_n, __ATOMIC_ACQUIRE), 0)) return NULL;
  const tsr_segment *segment = &team->segments[id];
  uint32_t index = (uint32_t)member.id - segment->heap_first;
  bool good = index < __atomic_load_n(&segment->near_n, __ATOMIC_ACQUIRE) && off <= segment->bytes &&
              bytes <= segment->bytes - off;
  uint64_t at = segment->heap_origin + (uint64_t)member.id * segment->heap_stride + off;
  return __builtin_expect(good, 1) ? (void *)(uintptr_t)at : NULL;
}

/* The address of byte `off` of the member's part. The caller has checked the range. */
static inline tsr_addr tsr_segment_address(const tsr_segment *segment, tsr_member member, uint64_t off) {
  return (tsr_addr){tsr_team_unit(segment->team, member), tsr_segment_off(segment, member) + off};
}

/* Allocates `bytes` (0 allowed; may differ between members) on every member, not zeroed. Collective over the team. If it fails on
 * one member it fails on all: TESSERA_ERR_MEMORY, or TESSERA_ERR_LIMIT (no id is free), and TESSERA_ERR_PEER on the others. */
tessera_status_t tsr_segment_alloc(tsr_team *team, size_t bytes, tsr_segment **out);

/* Frees it everywhere. Collective; returns when all members have called, so that no memory goes while another member uses it. */
tessera_status_t tsr_segment_free(tsr_segment *segment);

/* Registers `bytes` at `memory` on every member (different everywhere, also 0 bytes and NULL): memory that stays mapped until it is
 * deregistered. Access may need the owner's progress. Collective over the team; errors as tsr_segment_alloc. TESSERA_ERR_RANGE:
 * beyond all memory. */
tessera_status_t tsr_segment_register(tsr_team *team, void *memory, size_t bytes, tsr_segment **out);

/* Ends this unit's part of a registration; not collective. The number is free when all members have ended theirs, which they find
 * out when they register the next time. TESSERA_ERR_ARG: allocated, or ended by this unit before. */
tessera_status_t tsr_segment_deregister(tsr_segment *segment);

/* Of registered memory: whether the member has ended its part, as far as that can be seen from here, which is on its node. */
bool tsr_registered_ended(const tsr_segment *segment, tsr_member member);
static inline bool tsr_segment_lasts(const tsr_segment *segment, tsr_member member) {
  return __builtin_expect(segment->id >= 0, 1) || !tsr_registered_ended(segment, member);
}

/* Non-collective blocks of the own heap: offsets in segment 0 of the world. Freed by the interface that allocated them. */
tessera_status_t tsr_segment_local_alloc(enum tsr_api api, size_t bytes, uint64_t *off);
tessera_status_t tsr_segment_local_free(enum tsr_api api, uint64_t off);
void tsr_segment_local_drop(enum tsr_api api); /* all of them */

/* Frees this unit's part of all segments of an interface, or of all for the end of a team. All members do so when they use them no
 * more; not collective. */
void tsr_segment_drop_api(tsr_team *team, enum tsr_api api);
void tsr_segment_drop_all(tsr_team *team);

/* Gives the world its segment 0. */
tessera_status_t tsr_segment_start(tsr_team *world);

#endif
