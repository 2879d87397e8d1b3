#include "core/check.h"

#include <stdlib.h>

#include "core/agree.h"
#include "core/runtime.h"

static int64_t digest(const struct tsr_check_call *call) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (const char *at = call->name; *at; at++) hash = (hash ^ (unsigned char)*at) * UINT64_C(0x100000001b3);
  hash = (hash ^ call->bytes) * UINT64_C(0x100000001b3);
  hash = (hash ^ (uint32_t)call->root) * UINT64_C(0x100000001b3);
  return (int64_t)(hash >> 1);
}

void tsr_check_same_slow(tsr_team *team, const struct tsr_check_call *call) {
  int64_t *digests = malloc((size_t)team->size * sizeof *digests);
  if (!digests) tsr_abort(1, "no private memory to check a collective call of %d members", team->size);
  tsr_agree_gather(team, digest(call), digests);
  for (int32_t i = 0; i < team->size; i++) {
    if (digests[i] == digests[team->self]) continue;
    tsr_abort(1, "%s (%llu bytes, root %d) on team %d: member %d makes another collective call or passes another size or "
                 "root; let all members call alike, in the same order",
              call->name, (unsigned long long)call->bytes, call->root, team->id, i);
  }
  free(digests);
}
