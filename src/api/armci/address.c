/* Freed memory that is kept for checks, and the reasons why an address is invalid. */
#include "api/armci/address.h"

#include "base/bits.h"

enum { KEPT_MAX = 16 }; /* kept segments of a team */

static bool is_kept(const tsr_segment *segment) {
  return segment && segment->api == TSR_API_ARMCI && tsr_armci_is_kept(segment);
}

/* Kept segments have numbers in the order in which they were freed, in their flags; 0 is not used. The numbers wrap. */
static bool is_before(uint16_t number, uint16_t other) { return (int16_t)(uint16_t)(number - other) < 0; }

/* What a team keeps; the same on all members. */
struct kept {
  tsr_segment *oldest;
  uint16_t last; /* the number of the newest one */
  int n;
};
static struct kept kept_by(const tsr_team *team) {
  struct kept kept = {0};
  for (int32_t id = 1; id < team->segments_n; id++) {
    tsr_segment *one = tsr_segment_find(team, id);
    if (!is_kept(one)) continue;
    if (!kept.n || is_before(one->flags, kept.oldest->flags)) kept.oldest = one;
    if (!kept.n || is_before(kept.last, one->flags)) kept.last = one->flags;
    kept.n++;
  }
  return kept;
}

tessera_status_t tsr_armci_free_later(tsr_segment *segment) {
  if (!tsr_config_check()) return tsr_segment_free(segment);
  const struct kept kept = kept_by(segment->team);
  const uint16_t number = (uint16_t)(kept.last + 1);
  segment->flags = number ? number : 1;
  segment->is_internal = true;
  return kept.n < KEPT_MAX ? TESSERA_OK : tsr_segment_free(kept.oldest);
}

bool tsr_armci_give_back(tsr_team *team) {
  int given_n = 0;
  for (tsr_segment *oldest; (oldest = kept_by(team).oldest) && !tsr_segment_free(oldest);) given_n++;
  return given_n > 0;
}

/* The bytes after an allocation, up to the size of its block, belong to no other allocation. */
static enum tsr_armci_use find_use(const tsr_segment *segment, tsr_member member, uint64_t off, uint64_t bytes) {
  uint64_t begin = tsr_segment_off(segment, member), size = tsr_segment_bytes(segment, member);
  if (!size || off >= begin + tsr_heap_rounded(size) || begin >= off + bytes) return TSR_ARMCI_GOOD;
  bool holds = off >= begin && tsr_segment_holds(segment, member, off - begin, bytes);
  return is_kept(segment) ? TSR_ARMCI_FREED : holds ? TSR_ARMCI_GOOD : TSR_ARMCI_BEYOND;
}

enum tsr_armci_use tsr_armci_find(tsr_unit unit, uint64_t off, uint64_t bytes) {
  enum tsr_armci_use use = TSR_ARMCI_GOOD;
  tsr_teams_lock(); /* another thread may end a team */
  for (int32_t team_id = 0; team_id < tsr_teams_end; team_id++) {
    const tsr_team *team = tsr_team_find(team_id);
    tsr_member member = team ? tsr_team_member(team, unit) : TSR_MEMBER(-1);
    for (int32_t id = 1; member.id >= 0 && id < team->segments_n && use == TSR_ARMCI_GOOD; id++) {
      const tsr_segment *one = tsr_segment_find(team, id);
      if (one) use = find_use(one, member, off, bytes);
    }
  }
  tsr_teams_unlock();
  return use;
}

int tsr_armci_no_proc(const char *call, int proc) {
  return tsr_armci_fail(FAIL5, "TSR-3000 %s: there is no process %d; pass a number in the world, 0 to %d, also for groups",
                        call, proc, tsr_place.units_n - 1);
}

int tsr_armci_no_address(const char *call, const void *pointer, ptrdiff_t low, ptrdiff_t high, int proc) {
  tsr_addr address;
  if (!tsr_armci_translate(pointer, low, high, proc, &address))
    return tsr_armci_fail(FAIL6, "TSR-3001 %s: bytes %td to %td from %p on are not in the shared memory of process %d, %p to "
                          "%p; pass that process's pointer as ARMCI_Malloc stored it", call, low, high, pointer, proc,
                          tsr_heap_base_pointer(TSR_UNIT(proc), 0),
                          tsr_heap_base_pointer(TSR_UNIT(proc), tsr_heap_slice_bytes()));
  if (tsr_armci_find(address.unit, address.off + (uint64_t)low, (uint64_t)high - (uint64_t)low) == TSR_ARMCI_BEYOND)
    return tsr_armci_fail(FAIL6, "TSR-3002 %s: bytes %td to %td from %p on, of process %d, go beyond an allocation; check "
                          "sizes and strides", call, low, high, pointer, proc);
  return tsr_armci_fail(FAIL6, "TSR-3003 %s: bytes %td to %td from %p on, of process %d, were freed by ARMCI_Free; complete "
                        "all operations on memory before it is freed", call, low, high, pointer, proc);
}
