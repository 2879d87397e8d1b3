#include "core/segment.h"

#include <stdlib.h>

#include "base/limit.h"
#include "base/space.h"
#include "base/status.h"
#include "core/bootstrap.h"
#include "core/check.h"
#include "core/op.h"
#include "core/place.h"
#include "core/registered.h"

enum { TABLE_BYTES = TSR_SEGMENT_IDS * sizeof(tsr_segment) };

/* Reserves address space for all segment numbers; pages become memory when they are used. */
static tessera_status_t make_room(tsr_team *team) {
  if (team->segments) return TESSERA_OK;
  team->segments = tsr_space_reserve(TABLE_BYTES);
  if (!team->segments)
    return tsr_fail(TESSERA_ERR_MEMORY, "TSR-0371 no address space for the segments of team %d; %s", team->id,
                    tsr_limit_remedy_addresses());
  return TESSERA_OK;
}

/* Freed numbers are queued in the order in which they were freed, and are used before new ones: programs rely on
 * getting a number again. The order is the same on all members, because they allocate and free in the same order. The
 * record of a free number holds the next free number in `off`. */
static void give_id(tsr_team *team, int32_t id) {
  team->segments[id].off = 0;
  if (team->freed_first) team->segments[team->freed_last].off = (uint64_t)id;
  else team->freed_first = id;
  team->freed_last = id;
}

/* A segment during its allocation: the state of this member, and what all members have agreed on. */
struct draft {
  tsr_segment segment;
  size_t bytes;            /* of the own part */
  uint64_t off;            /* of the own part */
  tessera_status_t status; /* of the allocation of the own part */
};

/* The part that each member does alone: room for the record, a number, a block. */
static tessera_status_t prepare_draft(tsr_team *team, struct draft *draft) {
  tessera_status_t status = draft->bytes == TSR_SEGMENT_FAILED ? TESSERA_ERR_ARG : make_room(team);
  if (status) return status;
  draft->segment.id = team->freed_first ? team->freed_first : team->fresh_id;
  if (draft->segment.id >= TSR_SEGMENT_IDS)
    return tsr_fail(TESSERA_ERR_LIMIT, "TSR-0372 all %d segment numbers of team %d are in use; free segments first",
                    TSR_SEGMENT_IDS - 1, team->id);
  return tsr_heap_alloc(draft->bytes, TSR_HEAP_SEGMENT, &draft->off);
}

/* Moves every member's block to the largest offset proposed, if that is free on all members. False: it is not. A member
 * that could not move its block then has another one, or an error in `status`. */
static bool move_block_to(tsr_team *team, struct draft *draft, uint64_t off) {
  bool moved = draft->off == off;
  if (!moved) {
    tsr_heap_free(draft->off, TSR_HEAP_SEGMENT);
    moved = tsr_heap_alloc_at(off, draft->bytes) == TESSERA_OK;
    if (moved) draft->off = off;
    else draft->status = tsr_heap_alloc(draft->bytes, TSR_HEAP_SEGMENT, &draft->off);
  }
  return !tsr_bootstrap_any(team, !moved);
}

struct tsr_segment_table *tsr_segment_table_make(const tsr_team *team, bool offs, bool sizes) {
  struct tsr_segment_table *table = calloc(1, sizeof *table);
  size_t bytes = (size_t)team->size * sizeof(uint64_t);
  if (table && offs) table->offs = malloc(bytes);
  if (table && sizes) table->sizes = malloc(bytes);
  if (table && !table->offs == !offs && !table->sizes == !sizes) return table;
  tsr_fail(TESSERA_ERR_MEMORY, "TSR-0373 no private memory for a table of %d units; " TSR_REMEDY_MEMORY, team->size);
  tsr_segment_table_free(table);
  return NULL;
}

void tsr_segment_table_free(struct tsr_segment_table *table) {
  if (!table) return;
  free(table->offs);
  free(table->sizes);
  free(table);
}

/* All members have a block. Makes the offsets equal, or stores them all. `v` holds the largest and the negated smallest
 * offset, and the same of the sizes. */
static tessera_status_t unify_offsets(tsr_team *team, struct draft *draft, const int64_t v[]) {
  bool same_off = v[0] == -v[1], same_bytes = v[2] == -v[3];
  if (!same_off) same_off = move_block_to(team, draft, (uint64_t)v[0]);
  if (!same_off && tsr_bootstrap_any(team, draft->status != TESSERA_OK)) return draft->status ? draft->status : TESSERA_ERR_PEER;
  draft->segment.off = draft->off;
  draft->segment.bytes = draft->bytes;
  if (same_off && same_bytes) return TESSERA_OK;
  struct tsr_segment_table *table = draft->segment.table = tsr_segment_table_make(team, !same_off, !same_bytes);
  if (tsr_bootstrap_any(team, !table)) return table ? TESSERA_ERR_PEER : TESSERA_ERR_MEMORY;
  if (!same_off) tsr_bootstrap_gather(team, (int64_t)draft->off, (int64_t *)table->offs);
  if (!same_bytes) tsr_bootstrap_gather(team, (int64_t)draft->bytes, (int64_t *)table->sizes);
  return TESSERA_OK;
}

/* For regular teams on nodes of consecutive units, where the parts of the local members are equidistant. */
static void find_local_range(tsr_segment *segment, const tsr_team *team) {
  if (segment->table || team->members || tsr_place.locals || tsr_config_check()) return; /* checks are in the general paths */
  tsr_unit first = tsr_team_unit(team, TSR_MEMBER(team->locals[0]));
  segment->heap_stride = (uint64_t)team->stride * tsr_heap.stride;
  segment->heap_base = (uintptr_t)tsr_place_pointer((tsr_addr){first, segment->off}) -
                         (uint64_t)team->locals[0] * segment->heap_stride;
  segment->heap_first = (uint32_t)team->locals[0];
  segment->locals_n = (uint32_t)team->locals_n;
}

/* Makes the segment visible to other threads. The fields that mark it as live are stored last. */
static tsr_segment *publish_segment(tsr_team *team, const tsr_segment *made) {
  tsr_segment *segment = &team->segments[made->id], whole = *made;
  find_local_range(&whole, team);
  uint32_t locals_n = whole.locals_n;
  whole.locals_n = 0;
  *segment = whole;
  __atomic_store_n(&segment->locals_n, locals_n, __ATOMIC_RELEASE);
  __atomic_store_n(&segment->team, team, __ATOMIC_RELEASE);
  if (made->id >= team->segments_n) __atomic_store_n(&team->segments_n, made->id + 1, __ATOMIC_RELEASE);
  return segment;
}

tessera_status_t tsr_segment_alloc(tsr_team *team, size_t bytes, tsr_segment **out) {
  struct draft draft = {.bytes = bytes};
  if (!tsr_check_name(team, "allocation of memory (as dart_team_memalloc_aligned)")) return TESSERA_ERR_PEER;
  draft.status = prepare_draft(team, &draft);
  int64_t off = (int64_t)draft.off, size = (int64_t)bytes;
  int64_t v[5] = {off, -off, size, -size, draft.status != TESSERA_OK};
  if (draft.status) v[0] = v[1] = v[2] = v[3] = 0;
  tsr_bootstrap_max(team, v, 5);
  tessera_status_t status = v[4] ? TESSERA_ERR_PEER : unify_offsets(team, &draft, v);
  if (status) {
    if (!draft.status) tsr_heap_free(draft.off, TSR_HEAP_SEGMENT);
    tsr_segment_table_free(draft.segment.table);
    return draft.status ? draft.status : status;
  }
  if (draft.segment.id == team->fresh_id) team->fresh_id++;
  else team->freed_first = (int32_t)team->segments[draft.segment.id].off;
  *out = publish_segment(team, &draft.segment);
  return TESSERA_OK;
}

/* Frees this unit's part without notifying other units. */
static void drop_segment(tsr_segment *segment) {
  tsr_team *team = segment->team;
  __atomic_store_n(&segment->locals_n, 0, __ATOMIC_RELEASE);
  __atomic_store_n(&segment->team, (tsr_team *)NULL, __ATOMIC_RELEASE);
  if (segment->id != TSR_SEGMENT_LOCAL) tsr_heap_free(tsr_segment_off(segment, TSR_MEMBER(team->self)), TSR_HEAP_SEGMENT);
  tsr_segment_table_free(segment->table);
  segment->table = NULL;
}

tessera_status_t tsr_segment_free(tsr_segment *segment) {
  if (segment->id == TSR_SEGMENT_LOCAL)
    return tsr_fail(TESSERA_ERR_ARG, "TSR-0374 local memory is freed by its owner alone, not by the team; free it with "
                                     "dart_memfree");
  if (segment->id < 0)
    return tsr_fail(TESSERA_ERR_ARG,
                    "TSR-0375 registered memory of team %d is deregistered, not freed; deregister it with dart_team_memderegister",
                    segment->team->id);
  tsr_team *team = segment->team;
  if (!tsr_check_name(team, "release of memory (as dart_team_memfree)")) return TESSERA_ERR_PEER;
  tsr_op_flush_all(); /* operations that this unit has started must not write to memory after it has been freed */
  tsr_bootstrap_barrier(team);
  drop_segment(segment);
  give_id(team, segment->id);
  return TESSERA_OK;
}

void tsr_segment_drop_api(tsr_team *team, enum tsr_api api) {
  tsr_registered_drop_api(team, api);
  for (int32_t id = 1; id < team->segments_n; id++) {
    tsr_segment *segment = tsr_segment_find(team, id);
    if (!segment || segment->api != api) continue;
    drop_segment(segment);
    give_id(team, id);
  }
}

void tsr_segment_drop_all(tsr_team *team) {
  tsr_registered_drop_all(team);
  if (!team->segments) return;
  for (int32_t id = 0; id < team->segments_n; id++) {
    if (tsr_segment_find(team, id)) drop_segment(&team->segments[id]);
  }
  tsr_space_release(team->segments, TABLE_BYTES);
  team->segments = NULL;
  team->segments_n = 0;
}

static enum tsr_heap_use local_of(enum tsr_api api) { return (enum tsr_heap_use)(TSR_HEAP_LOCAL + (int)api); }
tessera_status_t tsr_segment_local_alloc(enum tsr_api api, size_t bytes, uint64_t *off) {
  return tsr_heap_alloc(bytes, local_of(api), off);
}
tessera_status_t tsr_segment_local_free(enum tsr_api api, uint64_t off) { return tsr_heap_free(off, local_of(api)); }
bool tsr_segment_local_next(enum tsr_api api, uint64_t *off, uint64_t *bytes) {
  return tsr_heap_next(local_of(api), off, bytes);
}
void tsr_segment_local_drop(enum tsr_api api) { tsr_heap_free_all(local_of(api)); }

tessera_status_t tsr_segment_start(tsr_team *world) {
  tessera_status_t status = make_room(world);
  if (status) return status;
  publish_segment(world, &(tsr_segment){.bytes = tsr_heap_slice_bytes(), .id = TSR_SEGMENT_LOCAL});
  return TESSERA_OK;
}
