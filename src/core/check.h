/* What TESSERA_CHECK=1 looks at: whether the members of a team make the same collective call. */
#ifndef TSR_CORE_CHECK_H
#define TSR_CORE_CHECK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/config.h"
#include "core/team.h"

/* What a collective call must have in common on all members. */
struct tsr_check_call {
  const char *name;
  uint64_t bytes; /* or elements */
  int32_t root;   /* -1: none */
  uint64_t how;   /* of a reduction: type and operation; else 0 */
};

bool tsr_check_same_slow(tsr_team *team, const struct tsr_check_call *call);

/* Collective over the team. A member that makes another call than the first ends the job with a message that names both.
 * False: a member refused the call. */
static inline bool tsr_check_same(tsr_team *team, const char *name, uint64_t bytes, int32_t root, uint64_t how) {
  if (!__builtin_expect(tsr_config.check, 0)) return true;
  return tsr_check_same_slow(team, &(struct tsr_check_call){name, bytes, root, how});
}

/* Takes part in the check of whatever call the others make. */
void tsr_check_refuse(tsr_team *team);

#endif
