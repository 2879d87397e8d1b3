#include "core/check.h"

#include <stdlib.h>
#include <string.h>

#include "core/agree.h"
#include "core/place.h"
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

/* A call as numbers that can be collected. */
enum { NAME_BYTES = 24, BYTES = NAME_BYTES / 8, ROOT, HOW, WORDS_N };

static void put_into_words(const struct tsr_check_call *call, int64_t words[WORDS_N]) {
  memset(words, 0, WORDS_N * sizeof words[0]);
  memcpy(words, call->name, strnlen(call->name, NAME_BYTES - 1));
  words[BYTES] = (int64_t)call->bytes;
  words[ROOT] = call->root;
  words[HOW] = (int64_t)call->how;
}

/* Everybody has found the same: so all tell each other the whole of their calls. */
static _Noreturn void end_for(tsr_team *team, const struct tsr_check_call *call, int32_t other) {
  int64_t words[WORDS_N], theirs[WORDS_N];
  put_into_words(call, words);
  for (int i = 0; i < WORDS_N; i++) {
    int64_t *all = collect(team, words[i]);
    theirs[i] = all[other];
    free(all);
  }
  tsr_abort(1, "a collective call on team %d: unit %d calls %s (%llu bytes, root %d, operation %llx), unit %d calls %s (%llu "
            "bytes, root %d, operation %llx); let all members call alike, in the same order", team->id, tsr_place.self,
            call->name, (unsigned long long)call->bytes, (int)call->root, (unsigned long long)call->how,
            tsr_team_unit(team, TSR_MEMBER(other)).id, (const char *)theirs, (unsigned long long)theirs[BYTES],
            (int)theirs[ROOT], (unsigned long long)theirs[HOW]);
}

/* The first member that calls otherwise than the first of all, or for who does so the first of all; -1: none. */
static int32_t find_other(const tsr_team *team, const int64_t digests[]) {
  for (int32_t i = 0; i < team->size; i++) {
    if (digests[i] != digests[0]) return digests[team->self] == digests[0] ? i : 0;
  }
  return -1;
}

static bool any_refused(const tsr_team *team, const int64_t digests[]) {
  for (int32_t i = 0; i < team->size; i++) {
    if (digests[i] == REFUSED) return true;
  }
  return false;
}

/* Where one refuses nothing is compared: nothing is done either. */
bool tsr_check_same_slow(tsr_team *team, const struct tsr_check_call *call) {
  int64_t *digests = collect(team, digest(call));
  bool refused = any_refused(team, digests);
  int32_t other = refused ? -1 : find_other(team, digests);
  if (other >= 0) end_for(team, call, other);
  free(digests);
  return !refused;
}

void tsr_check_refuse(tsr_team *team) { free(collect(team, REFUSED)); }
