#include "coll/direct.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/agree.h"
#include "core/place.h"
#include "core/runtime.h"
#include "node/attach.h"

/* One copy by the kernel costs a system call and some work for each page; up to here two through a stage cost less. */
enum { ATTACH_FROM_BYTES = 64 << 10 };

/* Where a buffer lies, in terms that all members understand: as a distance from the heaps, or as an address of its owner's;
 * 0: nowhere. */
typedef uint64_t spot;
#define IN_HEAP ((spot)1 << 62)
#define PRIVATE ((spot)1 << 63)

struct spots {
  spot source, dest;
  bool reaches_all; /* the member can copy from and to the others' private memory */
};

static spot spot_of(const void *memory) {
  uint32_t local;
  uint64_t off;
  if (!memory) return 0;
  if (tsr_heap_contains(memory, &local, &off)) return IN_HEAP | (spot)((const char *)memory - tsr_heap.base);
  return PRIVATE | (spot)(uintptr_t)memory;
}

static uint32_t local_unit(const tsr_team *team, int32_t local) {
  return (uint32_t)tsr_place_local(tsr_team_unit(team, TSR_MEMBER(team->locals[local])));
}

static bool reaches_all(const tsr_team *team) {
  for (int32_t i = 0; i < team->locals_n; i++) {
    if (i != team->self_local && !tsr_attach_works(local_unit(team, i))) return false;
  }
  return true;
}

static const struct spots *spots_of(const tsr_team *team, int32_t local) {
  return tsr_agree_theirs(team, local, sizeof(struct spots));
}

enum tsr_direct tsr_direct_begin(tsr_team *team, const void *source, void *dest, size_t bytes) {
  struct spots *mine = tsr_agree_mine(team, sizeof *mine);
  *mine = (struct spots){spot_of(source), spot_of(dest), bytes >= ATTACH_FROM_BYTES && reaches_all(team)};
  if (!tsr_agree_turn(team)) return TSR_DIRECT_REFUSED;
  bool any_private = false, all_reach = true;
  for (int32_t i = 0; i < team->locals_n; i++) {
    const struct spots *theirs = spots_of(team, i);
    any_private = any_private || ((theirs->source | theirs->dest) & PRIVATE);
    all_reach = all_reach && theirs->reaches_all;
  }
  return any_private && !all_reach ? TSR_DIRECT_NO : TSR_DIRECT_YES;
}

/* NULL: another member's private memory. */
static char *pointer(const tsr_team *team, int32_t local, spot at, size_t off) {
  if (at & IN_HEAP) return tsr_heap.base + (at & ~IN_HEAP) + off;
  return local == team->self_local ? (char *)(uintptr_t)(at & ~PRIVATE) + off : NULL;
}

static void copy_private(const tsr_team *team, int32_t local, enum tsr_attach_way way, void *ours, spot at, size_t off,
                         size_t bytes) {
  struct tsr_attach_side our_side = tsr_attach_one(ours, bytes);
  struct tsr_attach_side their_side = tsr_attach_one((char *)(uintptr_t)(at & ~PRIVATE) + off, bytes);
  if (tsr_attach_copy(local_unit(team, local), way, &our_side, &their_side))
    tsr_abort(EXIT_FAILURE, "a collective on team %d cannot reach the buffer of member %d any more", team->id,
              team->locals[local]);
}

void tsr_direct_get(const tsr_team *team, int32_t local, size_t off, void *to, size_t bytes) {
  spot at = spots_of(team, local)->source;
  const char *from = pointer(team, local, at, off);
  if (from) memcpy(to, from, bytes);
  else copy_private(team, local, TSR_ATTACH_GET, to, at, off, bytes);
}

void tsr_direct_put(const tsr_team *team, int32_t local, size_t off, const void *from, size_t bytes) {
  spot at = spots_of(team, local)->dest;
  char *to = pointer(team, local, at, off);
  if (to) memcpy(to, from, bytes);
  else copy_private(team, local, TSR_ATTACH_PUT, (void *)from, at, off, bytes);
}

const void *tsr_direct_source(const tsr_team *team, int32_t local, size_t off) {
  return pointer(team, local, spots_of(team, local)->source, off);
}

bool tsr_direct_wants(const tsr_team *team, int32_t local) { return spots_of(team, local)->dest != 0; }
