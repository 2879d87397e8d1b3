#include "core/check.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/text.h"
#include "core/bootstrap.h"
#include "core/place.h"
#include "core/runtime.h"

/* ---- What a reduction does, and tables, as numbers ---- */

enum { BUILTIN = 1, USER, ARGUMENTS };
#define LOW UINT64_C(0xffffffffffff)

uint64_t tsr_check_builtin(tsr_type type, tsr_arith op) {
  return (uint64_t)BUILTIN << 56 | (uint64_t)type << 8 | (uint64_t)op;
}

uint64_t tsr_check_user(size_t elem_bytes, bool commutes) {
  return (uint64_t)USER << 56 | (uint64_t)commutes << 48 | (elem_bytes & LOW);
}

uint64_t tsr_check_digest(const size_t counts[], int32_t n) {
  uint64_t hash = TSR_HASH_NOTHING;
  for (int32_t i = 0; i < n; i++) hash = tsr_hash_add(hash, counts[i]);
  return hash;
}

uint64_t tsr_check_arguments(const size_t list[], int32_t n) {
  return (uint64_t)ARGUMENTS << 56 | (tsr_check_digest(list, n) & LOW);
}

/* ---- A call as words ---- */

struct tsr_check_words tsr_check_words(const struct tsr_check_call *call) {
  struct tsr_check_words words = {.bytes = call->bytes, .how = call->how, .digest = call->digest, .root = call->root};
  strncpy(words.name, call->name, sizeof words.name - 1);
  return words;
}

void tsr_check_describe(const struct tsr_check_words *words, char data[TSR_CHECK_TEXT_BYTES]) {
  struct tsr_text text = {.data = data, .room = TSR_CHECK_TEXT_BYTES};
  uint64_t how = words->how;
  bool sized = words->bytes != TSR_CHECK_NO_BYTES;
  tsr_text_print(&text, "%s", words->name);
  if (!sized && !words->how && !words->digest && words->root < 0) return;
  tsr_text_print(&text, " (");
  if (sized) tsr_text_print(&text, "%llu bytes", (unsigned long long)words->bytes);
  if (how >> 56 == ARGUMENTS)
    tsr_text_print(&text, "arguments of digest %llx", (unsigned long long)(how & LOW));
  else if (how >> 56 == BUILTIN)
    tsr_text_print(&text, ": %s of %s", tsr_arith_name((tsr_arith)(how & 0xff)), tsr_type_name((tsr_type)(how >> 8 & 0xff)));
  else if (how >> 56 == USER)
    tsr_text_print(&text, ": an operation of the program on elements of %llu bytes%s", (unsigned long long)(how & LOW),
             how >> 48 & 1 ? "" : ", in order");
  if (words->root >= 0) tsr_text_print(&text, "%sroot %lld", sized ? ", " : "", (long long)words->root);
  if (words->digest)
    tsr_text_print(&text, "%scounts of digest %llx", sized || words->root >= 0 ? ", " : "", (unsigned long long)words->digest);
  tsr_text_print(&text, ")");
}

/* ---- Comparing ---- */

/* The first word that members exchange. Its upper half has a mark and the number of the check, so that a word of
 * another call, or of an earlier check, is not mistaken for it. */
enum { CALLS = 0x5c0d, FAILS };

static int64_t make_word(const tsr_team *team, int kind, uint32_t hash) {
  return (int64_t)((uint64_t)kind << 48 | (team->checks_n & 0xffff) << 32 | hash);
}

static bool is_word_of(const tsr_team *team, int kind, int64_t word) {
  return word >> 32 == make_word(team, kind, 0) >> 32;
}

static uint32_t hash_of(const struct tsr_check_words *words) {
  uint64_t hash = tsr_hash_bytes(TSR_HASH_NOTHING, words->name, strlen(words->name));
  const uint64_t rest[] = {words->bytes, words->how, words->digest, (uint64_t)words->root};
  for (size_t i = 0; i < sizeof rest / sizeof rest[0]; i++) hash = tsr_hash_add(hash, rest[i]);
  return (uint32_t)(hash >> 32 ^ hash);
}

/* A number of each member, by member; the caller frees it. */
static int64_t *collect_numbers(tsr_team *team, int64_t mine) {
  int64_t *all = malloc((size_t)team->size * sizeof *all);
  if (!all) tsr_abort(1, "TSR-0305 no private memory to check a collective call of %d members; " TSR_REMEDY_MEMORY, team->size);
  tsr_bootstrap_gather(team, mine, all);
  return all;
}

/* All members have found a difference, so all exchange the full descriptions of their calls. */
static _Noreturn void end_for(tsr_team *team, const struct tsr_check_words *own, int32_t other) {
  enum { WORDS_N = sizeof *own / sizeof(int64_t) };
  int64_t words[WORDS_N];
  struct tsr_check_words theirs;
  char text[TSR_CHECK_TEXT_BYTES], their_text[TSR_CHECK_TEXT_BYTES];
  memcpy(words, own, sizeof words);
  for (int i = 0; i < WORDS_N; i++) {
    int64_t *all = collect_numbers(team, words[i]);
    words[i] = all[other];
    free(all);
  }
  memcpy(&theirs, words, sizeof theirs);
  tsr_check_describe(own, text);
  tsr_check_describe(&theirs, their_text);
  tsr_abort(1, "TSR-0306 a collective call on team %d: unit %d calls %s, unit %d calls %s; let all members make the same calls in "
            "the same order", team->id, tsr_place.self, text, tsr_team_unit(team, TSR_MEMBER(other)).id, their_text);
}

/* A member that is in an unchecked call, or in an earlier check, sends no description of a call, and takes part in no further
 * exchange. If a member fails the call, calls are not compared, since none of them is executed. */
bool tsr_check_same_slow(tsr_team *team, const struct tsr_check_call *call) {
  struct tsr_check_words words = tsr_check_words(call);
  char text[TSR_CHECK_TEXT_BYTES];
  team->checks_n++;
  int64_t *given = collect_numbers(team, make_word(team, CALLS, hash_of(&words)));
  int32_t other = -1; /* the first member whose call differs from that of member 0; if this member's own does, member 0 */
  bool failed = false;
  for (int32_t i = 0; i < team->size; i++) {
    bool fails = is_word_of(team, FAILS, given[i]);
    failed |= fails;
    if (other < 0 && given[i] != given[0]) other = given[team->self] == given[0] ? i : 0;
    if (fails || is_word_of(team, CALLS, given[i])) continue;
    tsr_check_describe(&words, text);
    tsr_abort(1, "TSR-0307 a collective call on team %d: unit %d calls %s, unit %d is not in a call that is checked; let all "
              "members make the same calls in the same order", team->id, tsr_place.self, text,
              tsr_team_unit(team, TSR_MEMBER(i)).id);
  }
  if (!failed && other >= 0) end_for(team, &words, other);
  free(given);
  return !failed;
}

void tsr_check_fail(tsr_team *team) {
  team->checks_n++;
  free(collect_numbers(team, make_word(team, FAILS, 0)));
}
