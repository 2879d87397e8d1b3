#include "coll/direct.h"

#include <stdint.h>
#include <stdlib.h>

#include "core/sync.h"
#include "core/place.h"
#include "core/runtime.h"

/* The location of a buffer, with the same meaning for all members: its offset from the base of the heaps, plus 1. */
typedef uint64_t spot;
enum { NOWHERE = 0 };
#define PRIVATE UINT64_MAX

/* What a member publishes for a call. `step` tells the entry from that of an earlier call. */
struct spots {
  spot source, dest;
  uint64_t bytes; /* of the whole call */
  uint64_t step;
  int32_t call, root;
};

static spot spot_of(const void *memory) {
  uint32_t local;
  uint64_t off;
  if (!memory) return NOWHERE;
  return tsr_heap_contains(memory, &local, &off) ? (spot)((const char *)memory - tsr_heap.base) + 1 : PRIVATE;
}

static char *pointer_at(spot at) { return at == NOWHERE ? NULL : tsr_heap.base + (at - 1); }

static const struct spots *spots_of(const tsr_team *team, int32_t local) {
  return tsr_sync_theirs(team, local, sizeof(struct spots));
}

static bool same_call(const struct spots *a, const struct spots *b) {
  return a->step == b->step && a->call == b->call && a->root == b->root && a->bytes == b->bytes;
}

enum tsr_direct tsr_direct_begin(tsr_team *team, enum tsr_direct_call call, int32_t root, const void *source, void *dest,
                                 size_t bytes) {
  struct spots *mine = tsr_sync_mine(team, sizeof *mine);
  bool is_private = false;
  *mine = (struct spots){spot_of(source), spot_of(dest), bytes, tsr_sync_next(team), (int32_t)call, root};
  if (!tsr_sync_barrier(team)) return TSR_DIRECT_REFUSED;
  for (int32_t i = 0; i < team->locals_n; i++) {
    const struct spots *theirs = spots_of(team, i);
    if (!same_call(theirs, mine))
      tsr_abort(EXIT_FAILURE, "TSR-0904 unit %d makes another collective call on team %d than unit %d, or passes another size "
                "or root; "
                "let all members call alike, in the same order (TESSERA_CHECK=1 says what each calls)",
                tsr_team_unit(team, TSR_MEMBER(team->locals[i])).id, team->id, tsr_place.self);
    is_private |= theirs->source == PRIVATE || theirs->dest == PRIVATE;
  }
  return is_private ? TSR_DIRECT_NO : TSR_DIRECT_YES;
}

const char *tsr_direct_source(const tsr_team *team, int32_t local) { return pointer_at(spots_of(team, local)->source); }
char *tsr_direct_dest(const tsr_team *team, int32_t local) { return pointer_at(spots_of(team, local)->dest); }
