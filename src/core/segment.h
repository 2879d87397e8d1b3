/* Segments. A segment is one allocation on every unit of a team; or the world's segment 0, which is each unit's whole
 * heap (local allocations are offsets in it); or memory of the program that the units have registered, with a negative
 * number. */
#ifndef TSR_CORE_SEGMENT_H
#define TSR_CORE_SEGMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tessera.h>

#include "base/status.h"
#include "core/address.h"
#include "core/api.h"
#include "core/team.h"

enum { TSR_SEGMENT_LOCAL = 0, TSR_SEGMENT_IDS = 32768 };

/* Instead of a size: this member takes part in the allocation only to make it fail on all members. It has logged the
 * reason. */
#define TSR_SEGMENT_FAILED SIZE_MAX

/* By member number, for segments whose members differ. */
struct tsr_segment_table {
  uint64_t *offs, *sizes; /* NULL: equal on all members */
};

/* Makes room for the members' offsets, sizes or both; NULL: no private memory (logged). Freeing NULL does nothing. */
struct tsr_segment_table *tsr_segment_table_make(const tsr_team *team, bool offs, bool sizes);
void tsr_segment_table_free(struct tsr_segment_table *table);

/* One cache line: the table of a team's segments holds the segments themselves, so that few loads lead to a byte. */
typedef struct tsr_segment {
  uint64_t bytes;      /* of each member's part, if equal on all */
  /* This process addresses the parts of members heap_first to heap_first + locals_n - 1 by arithmetic alone. */
  uint64_t heap_base;   /* where the part of member 0 would lie */
  uint64_t heap_stride; /* from one part to the next, modulo 2^64 */
  uint32_t heap_first;
  uint32_t locals_n;    /* 0: none, or the segment is not live */
  uint64_t off;        /* in each member's heap, if equal on all */
  struct tsr_segment_table *table; /* NULL: all equal */
  tsr_team *team;                  /* NULL: not live */
  int32_t id;                      /* 1..TSR_SEGMENT_IDS-1 in its team, negative when registered; reused first-in-first-out */
  uint16_t flags;                  /* defined by its interface */
  uint8_t api;                    /* interface that owns the segment; the native one until its creator sets it */
  bool is_internal;               /* no memory of the program, or freed by it and kept for checks: core/leak */
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

/* NULL: not live. Out of line, since registered memory is never addressed by arithmetic alone. */
tsr_segment *tsr_segment_registered(const tsr_team *team, int32_t id);

static inline tsr_segment *tsr_segment_find(const tsr_team *team, int32_t id) {
  if (__builtin_expect((uint32_t)id >= (uint32_t)__atomic_load_n(&team->segments_n, __ATOMIC_ACQUIRE), 0))
    return tsr_segment_registered(team, id);
  tsr_segment *segment = &team->segments[id];
  /* Partner: the store in publish_segment(). */
  return __atomic_load_n(&segment->team, __ATOMIC_ACQUIRE) ? segment : (tsr_segment *)0;
}

/* Whether [off, off + bytes) lies in the member's part. */
static inline bool tsr_segment_holds(const tsr_segment *segment, tsr_member member, uint64_t off, uint64_t bytes) {
  uint64_t size = tsr_segment_bytes(segment, member);
  return off <= size && bytes <= size - off;
}

/* The address of the bytes, if the segment is live, the range is valid, and this process addresses the member's part by
 * arithmetic alone; otherwise NULL, which need not be an error. */
static inline void *tsr_segment_local(const tsr_team *team, int32_t id, tsr_member member, uint64_t off,
                                      uint64_t bytes) {
  if (__builtin_expect((uint32_t)id >= (uint32_t)__atomic_load_n(&team->segments_n, __ATOMIC_ACQUIRE), 0)) return NULL;
  const tsr_segment *segment = &team->segments[id];
  uint32_t index = (uint32_t)member.id - segment->heap_first;
  bool good = index < __atomic_load_n(&segment->locals_n, __ATOMIC_ACQUIRE) && off <= segment->bytes &&
              bytes <= segment->bytes - off;
  uint64_t at = segment->heap_base + (uint64_t)member.id * segment->heap_stride + off;
  return __builtin_expect(good, 1) ? (void *)(uintptr_t)at : NULL;
}

/* The address of byte `off` of the member's part. The caller has checked the range. */
static inline tsr_addr tsr_segment_address(const tsr_segment *segment, tsr_member member, uint64_t off) {
  return (tsr_addr){tsr_team_unit(segment->team, member), tsr_segment_off(segment, member) + off};
}

/* Allocates `bytes` (0 allowed; may differ between members) on every member, not zeroed. Collective over the team. An
 * error on one member fails the call on all: TESSERA_ERR_MEMORY, or TESSERA_ERR_LIMIT (no id is free) on that member,
 * TESSERA_ERR_PEER on the others. */
tessera_status_t tsr_segment_alloc(tsr_team *team, size_t bytes, tsr_segment **out) TSR_MUST_USE;

/* Frees the segment on all members. Collective; returns when all members have called, so no memory is freed while
 * another member uses it. */
tessera_status_t tsr_segment_free(tsr_segment *segment) TSR_MUST_USE;

/* Registers `bytes` at `memory` on every member (address and size may differ; 0 bytes and NULL are allowed). The memory
 * stays mapped until it is deregistered. Access may need the owner's progress. Collective over the team; errors as
 * tsr_segment_alloc, and TESSERA_ERR_RANGE: the range ends beyond the address space. */
tessera_status_t tsr_segment_register(tsr_team *team, void *memory, size_t bytes, tsr_segment **out) TSR_MUST_USE;

/* Ends this unit's part of a registration; not collective. The number becomes free when all members have ended their
 * parts, which they find out at their next registration. TESSERA_ERR_ARG: not a registration, or already ended by this
 * unit. */
tessera_status_t tsr_segment_deregister(tsr_segment *segment);

/* Whether the member has ended its part of registered memory. Known only for members on this node. */
bool tsr_registered_ended(const tsr_segment *segment, tsr_member member);
static inline bool tsr_segment_lasts(const tsr_segment *segment, tsr_member member) {
  return __builtin_expect(segment->id >= 0, 1) || !tsr_registered_ended(segment, member);
}

/* Non-collective blocks of the own heap: offsets in segment 0 of the world. The interface that allocated them frees
 * them. */
tessera_status_t tsr_segment_local_alloc(enum tsr_api api, size_t bytes, uint64_t *off);
tessera_status_t tsr_segment_local_free(enum tsr_api api, uint64_t off);
void tsr_segment_local_drop(enum tsr_api api); /* frees all of them */
/* Moves *off on to where the interface's next block starts, at *off or behind it. False: none does. */
bool tsr_segment_local_next(enum tsr_api api, uint64_t *off, uint64_t *bytes);

/* Frees this unit's parts of all segments of an interface, or of all segments at the end of a team. All members do so
 * after they have stopped using them; not collective. */
void tsr_segment_drop_api(tsr_team *team, enum tsr_api api);
void tsr_segment_drop_all(tsr_team *team);

/* Creates segment 0 of the world. */
tessera_status_t tsr_segment_start(tsr_team *world);

#endif
