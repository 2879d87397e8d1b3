#include "core/segment.h"

#include <stdlib.h>

#include "base/space.h"
#include "base/status.h"
#include "core/agree.h"
#include "core/place.h"

/* The world's segment 0: every unit's whole heap. */
static tsr_segment whole;

enum { TABLE_BYTES = TSR_SEGMENT_IDS * sizeof(tsr_segment *) };

/* Address space for all numbers; what is used of it becomes memory. */
static tessera_status_t make_table(tsr_team *team) {
  if (team->segments) return TESSERA_OK;
  void *table = tsr_space_reserve(TABLE_BYTES);
  if (!table) return tsr_fail(TESSERA_ERR_MEMORY, "no address space for the segments of team %d", team->id);
  team->segments = table;
  team->segments_n = TSR_SEGMENT_IDS;
  return TESSERA_OK;
}

/* The next free number, the same on all members because they allocate and free in the same order. The cursor goes
 * round, so that a number that was freed is the last to be used again. 0: none is free. */
static int32_t pick_id(const tsr_team *team) {
  int32_t id = team->next_segment_id;
  for (int32_t tried = 1; tried < TSR_SEGMENT_IDS; tried++) {
    if (!tsr_segment_find(team, id)) return id;
    id = id + 1 < TSR_SEGMENT_IDS ? id + 1 : 1;
  }
  return 0;
}

/* What one member brings to the agreement, and what all found out. */
struct proposal {
  uint64_t off;
  size_t bytes;
  tessera_status_t status;
};

static bool any_failed(tsr_team *team, tessera_status_t status) {
  int64_t failed = status != TESSERA_OK;
  tsr_agree_max(team, &failed, 1);
  return failed != 0;
}

/* Moves every member's block to the largest offset proposed, if that is free for all. False: it is not; each member
 * that could not move has a block somewhere else, or a bad status. */
static bool meet_at(tsr_team *team, struct proposal *mine, uint64_t off) {
  bool moved = mine->off == off;
  if (!moved) {
    tsr_heap_free(mine->off, TSR_HEAP_SEGMENT);
    moved = tsr_heap_alloc_at(off, mine->bytes) == TESSERA_OK;
    if (moved) mine->off = off;
    else mine->status = tsr_heap_alloc(mine->bytes, TSR_HEAP_SEGMENT, &mine->off);
  }
  return !any_failed(team, moved ? TESSERA_OK : TESSERA_ERR_RANGE);
}

static tessera_status_t gather_table(tsr_team *team, uint64_t mine, uint64_t **out) {
  int64_t *table = malloc((size_t)team->size * sizeof *table);
  tessera_status_t status = table ? TESSERA_OK : tsr_fail(TESSERA_ERR_MEMORY, "no private memory for a table of %d units", team->size);
  if (any_failed(team, status)) {
    free(table);
    return status ? status : TESSERA_ERR_PEER;
  }
  tsr_agree_gather(team, (int64_t)mine, table);
  *out = (uint64_t *)table;
  return TESSERA_OK;
}

/* All members have a block: makes the offsets equal, or stores them all. */
static tessera_status_t settle(tsr_team *team, tsr_segment *segment, struct proposal *mine, const int64_t v[]) {
  bool same_off = v[1] == -v[2], same_bytes = v[3] == -v[4];
  tessera_status_t status = TESSERA_OK;
  if (!same_off) same_off = meet_at(team, mine, (uint64_t)v[1]);
  if (!same_off && any_failed(team, mine->status)) return mine->status ? mine->status : TESSERA_ERR_PEER;
  if (!same_off) status = gather_table(team, mine->off, &segment->offs);
  if (!status && !same_bytes) status = gather_table(team, mine->bytes, &segment->sizes);
  segment->off = mine->off;
  segment->bytes = mine->bytes;
  return status;
}

/* Regular teams on nodes of consecutive units: the local members follow one another, and so do their parts. */
static void find_window(tsr_segment *segment) {
  const tsr_team *team = segment->team;
  if (segment->offs || segment->sizes || team->members || tsr_place.locals) return;
  tsr_member first = TSR_MEMBER(team->locals[0]);
  segment->near_base = tsr_place_pointer(tsr_segment_address(segment, first, 0));
  segment->near_stride = team->stride * (int64_t)tsr_heap_slice_bytes();
  segment->near_first = (uint32_t)first.id;
  segment->near_n = (uint32_t)team->locals_n;
}

static void publish(tsr_segment *segment) {
  find_window(segment);
  __atomic_store_n(&segment->team->segments[segment->id], segment, __ATOMIC_RELEASE);
}

static void free_segment(tsr_segment *segment) {
  free(segment->offs);
  free(segment->sizes);
  free(segment);
}

/* What each member can do alone: a number, a record, a block. */
static tessera_status_t prepare(tsr_team *team, struct proposal *mine, tsr_segment **out) {
  int32_t id = pick_id(team);
  if (!id)
    return tsr_fail(TESSERA_ERR_LIMIT, "all %d segment numbers of team %d are in use; free segments first",
                    TSR_SEGMENT_IDS - 1, team->id);
  tessera_status_t status = make_table(team);
  if (status) return status;
  tsr_segment *segment = calloc(1, sizeof *segment);
  if (!segment) return tsr_fail(TESSERA_ERR_MEMORY, "no private memory for a segment");
  status = tsr_heap_alloc(mine->bytes, TSR_HEAP_SEGMENT, &mine->off);
  if (status) {
    free(segment);
    return status;
  }
  segment->team = team;
  segment->id = id;
  *out = segment;
  return TESSERA_OK;
}

tessera_status_t tsr_segment_alloc(tsr_team *team, size_t bytes, tsr_segment **out) {
  struct proposal mine = {.bytes = bytes};
  tsr_segment *segment = NULL;
  mine.status = prepare(team, &mine, &segment);
  int64_t off = (int64_t)mine.off, size = (int64_t)bytes;
  int64_t v[5] = {mine.status != TESSERA_OK, off, -off, size, -size};
  tsr_agree_max(team, v, 5);
  tessera_status_t status = v[0] ? TESSERA_ERR_PEER : settle(team, segment, &mine, v);
  if (status) {
    if (segment && mine.status == TESSERA_OK) tsr_heap_free(mine.off, TSR_HEAP_SEGMENT);
    if (segment) free_segment(segment);
    return mine.status ? mine.status : status;
  }
  publish(segment);
  team->next_segment_id = segment->id + 1 < TSR_SEGMENT_IDS ? segment->id + 1 : 1;
  *out = segment;
  return TESSERA_OK;
}

/* Frees this unit's part without telling anybody. */
static void drop(tsr_segment *segment) {
  if (!segment || segment == &whole) return;
  segment->team->segments[segment->id] = NULL;
  tsr_heap_free(tsr_segment_off(segment, TSR_MEMBER(segment->team->self)), TSR_HEAP_SEGMENT);
  free_segment(segment);
}

void tsr_segment_drop_all(tsr_team *team) {
  if (!team->segments) return;
  for (int32_t id = 0; id < team->segments_n; id++) drop(team->segments[id]);
  tsr_space_release(team->segments, TABLE_BYTES);
  team->segments = NULL;
  team->segments_n = 0;
}

tessera_status_t tsr_segment_free(tsr_segment *segment) {
  if (segment == &whole) return tsr_fail(TESSERA_ERR_ARG, "local memory is freed by its owner alone, not by the team");
  tsr_agree_barrier(segment->team);
  drop(segment);
  return TESSERA_OK;
}

tessera_status_t tsr_segment_local_alloc(size_t bytes, uint64_t *off) { return tsr_heap_alloc(bytes, TSR_HEAP_LOCAL, off); }

tessera_status_t tsr_segment_local_free(uint64_t off) { return tsr_heap_free(off, TSR_HEAP_LOCAL); }

tessera_status_t tsr_segment_start(tsr_team *world) {
  tessera_status_t status = make_table(world);
  if (status) return status;
  whole = (tsr_segment){.bytes = tsr_heap_slice_bytes(), .team = world, .id = TSR_SEGMENT_LOCAL};
  publish(&whole);
  return TESSERA_OK;
}
