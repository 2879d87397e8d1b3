#include "api/armci/freed.h"

#include <stdatomic.h>

#include "base/bits.h"

enum { KEPT_MAX = 16 };          /* kept segments of a team */
static _Atomic uint16_t frees_n; /* stored in the flags of kept segments, to find the oldest */

static tsr_segment *find_kept(const tsr_team *team, int32_t id) {
  tsr_segment *segment = tsr_segment_find(team, id);
  return segment && segment->api == TSR_API_ARMCI && tsr_armci_is_kept(segment) ? segment : NULL;
}

/* The oldest kept segment of a team, and their number; the same on all members. */
static tsr_segment *find_oldest(const tsr_team *team, int *n) {
  tsr_segment *oldest = NULL;
  *n = 0;
  for (int32_t id = 1; id < team->segments_n; id++) {
    tsr_segment *one = find_kept(team, id);
    if (!one) continue;
    (*n)++;
    if (!oldest || (int16_t)(one->flags - oldest->flags) < 0) oldest = one;
  }
  return oldest;
}

tessera_status_t tsr_armci_free_later(tsr_segment *segment) {
  if (!tsr_config.check) return tsr_segment_free(segment);
  int kept_n;
  tsr_segment *oldest = find_oldest(segment->team, &kept_n);
  uint16_t number = (uint16_t)(atomic_fetch_add(&frees_n, 1) + 1);
  segment->flags = number ? number : 1;
  return kept_n < KEPT_MAX ? TESSERA_OK : tsr_segment_free(oldest);
}

bool tsr_armci_give_back(tsr_team *team) {
  int kept_n, given_n = 0;
  for (tsr_segment *one; (one = find_oldest(team, &kept_n)); given_n++) tsr_segment_free(one);
  return given_n > 0;
}

/* The bytes after an allocation, up to the next power of two, belong to no other allocation. */
static enum tsr_armci_use look_in(const tsr_segment *segment, tsr_member member, uint64_t off, uint64_t bytes) {
  uint64_t begin = tsr_segment_off(segment, member), size = tsr_segment_bytes(segment, member);
  if (!size || off >= begin + (UINT64_C(1) << tsr_log2_ceil(size)) || begin >= off + bytes) return TSR_ARMCI_GOOD;
  bool kept = segment->api == TSR_API_ARMCI && tsr_armci_is_kept(segment);
  bool holds = off >= begin && tsr_segment_holds(segment, member, off - begin, bytes);
  return kept ? TSR_ARMCI_FREED : holds ? TSR_ARMCI_GOOD : TSR_ARMCI_BEYOND;
}

static enum tsr_armci_use look_in_team(const tsr_team *team, tsr_unit unit, uint64_t off, uint64_t bytes) {
  tsr_member member = tsr_team_member(team, unit);
  enum tsr_armci_use use = TSR_ARMCI_GOOD;
  for (int32_t id = 1; tsr_team_has(team, member) && id < team->segments_n && use == TSR_ARMCI_GOOD; id++) {
    const tsr_segment *one = tsr_segment_find(team, id);
    if (one) use = look_in(one, member, off, bytes);
  }
  return use;
}

enum tsr_armci_use tsr_armci_find(tsr_unit unit, uint64_t off, uint64_t bytes) {
  enum tsr_armci_use use = TSR_ARMCI_GOOD;
  for (int32_t id = 0; id < TSR_TEAM_IDS && use == TSR_ARMCI_GOOD; id++)
    if (tsr_team_find(id)) use = look_in_team(tsr_team_find(id), unit, off, bytes);
  return use;
}
