#include "coll/direct.h"

#include <stdint.h>
#include <stdlib.h>

#include "core/agree.h"
#include "core/place.h"
#include "core/runtime.h"

/* Where a buffer lies, in terms that all members understand: one more than its distance from the heaps. */
typedef uint64_t spot;
enum { NOWHERE = 0 };
#define PRIVATE UINT64_MAX

struct spots {
  spot source, dest;
  uint64_t bytes; /* of the whole call */
};

static spot spot_of(const void *memory) {
  uint32_t local;
  uint64_t off;
  if (!memory) return NOWHERE;
  return tsr_heap_contains(memory, &local, &off) ? (spot)((const char *)memory - tsr_heap.base) + 1 : PRIVATE;
}

static char *pointer(spot at) { return at == NOWHERE ? NULL : tsr_heap.base + (at - 1); }

static const struct spots *spots_of(const tsr_team *team, int32_t local) {
  return tsr_agree_theirs(team, local, sizeof(struct spots));
}

enum tsr_direct tsr_direct_begin(tsr_team *team, const void *source, void *dest, size_t bytes) {
  struct spots *mine = tsr_agree_mine(team, sizeof *mine);
  *mine = (struct spots){spot_of(source), spot_of(dest), bytes};
  if (!tsr_agree_turn(team)) return TSR_DIRECT_REFUSED;
  for (int32_t i = 0; i < team->locals_n; i++) {
    if (spots_of(team, i)->bytes != bytes)
      tsr_abort(EXIT_FAILURE, "members of team %d make different collective calls, or pass different sizes; TESSERA_CHECK=1 "
                "names them", team->id);
  }
  for (int32_t i = 0; i < team->locals_n; i++) {
    if (spots_of(team, i)->source == PRIVATE || spots_of(team, i)->dest == PRIVATE) return TSR_DIRECT_NO;
  }
  return TSR_DIRECT_YES;
}

const char *tsr_direct_source(const tsr_team *team, int32_t local) { return pointer(spots_of(team, local)->source); }
char *tsr_direct_dest(const tsr_team *team, int32_t local) { return pointer(spots_of(team, local)->dest); }
