#include "core/check.h"

#include <stdlib.h>

#include "core/agree.h"
#include "core/runtime.h"

static int64_t digest(const struct tsr_check_call *call) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (const char *at = call->name; *at; at++) hash = (hash ^ (unsigned char)*at) * UINT64_C(0x100000001b3);
  hash = (hash ^ call->bytes) * UINT64_C(0x100000001b3);
  hash = (hash ^ (uint32_t)call->root) * UINT64_C(0x100000001b3);
  hash = (hash ^ call->how) * UINT64_C(0x100000001b3);
  return (int64_t)(hash >> 1);
}

enum { REFUSED = -1 /* no digest is negative */ };

/* A number of each member, by member; the caller frees it. */
static int64_t *collect(tsr_team *team, int64_t mine) {
  int64_t *all = malloc((size_t)team->size * sizeof *all);
  if (!all) tsr_abort(1, "no private memory to check a collective call of %d members", team->size);
  tsr_agree_gather(team, mine, all);
  return all;
}

/* Where one refuses nothing is compared: nothing is done either. */
bool tsr_check_same_slow(tsr_team *team, const struct tsr_check_call *call) {
  int64_t *digests = collect(team, digest(call));
  bool refused = false;
  for (int32_t i = 0; i < team->size; i++) refused = refused || digests[i] == REFUSED;
  for (int32_t i = 0; !refused && i < team->size; i++) {
    if (digests[i] == digests[team->self]) continue;
    tsr_abort(1, "%s (%llu bytes, root %d) on team %d: member %d makes another collective call or passes another size, "
                 "root, type or operation; let all members call alike, in the same order",
              call->name, (unsigned long long)call->bytes, call->root, team->id, i);
  }
  free(digests);
  return !refused;
}

void tsr_check_refuse(tsr_team *team) { free(collect(team, REFUSED)); }
