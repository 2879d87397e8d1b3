/* The checks of TESSERA_CHECK=1: all members of a team make the same collective call. */
#ifndef TSR_CORE_CHECK_H
#define TSR_CORE_CHECK_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/arith.h"
#include "base/config.h"
#include "base/hash.h"
#include "core/team.h"

#define TSR_CHECK_NO_BYTES UINT64_MAX

/* What a collective call must have in common on all members. */
struct tsr_check_call {
  const char *name; /* as a user knows it; shorter than TSR_CHECK_NAME_BYTES */
  uint64_t bytes;   /* TSR_CHECK_NO_BYTES: they may differ, or make no sense */
  int32_t root;     /* -1: none */
  uint64_t how;     /* from one of the first three functions below; 0: nothing else counts */
  uint64_t digest;  /* of its counts; 0: it has none */
};

uint64_t tsr_check_builtin(tsr_type type, tsr_arith op);
/* For an operation that the program or the interface defines: only these two properties can be compared. */
uint64_t tsr_check_user(size_t elem_bytes, bool commutes);
/* For a call that is no reduction, but has arguments of its own. */
uint64_t tsr_check_arguments(const size_t list[], int32_t n);
/* Of a table of counts. */
uint64_t tsr_check_digest(const size_t counts[], int32_t n);

/* A short digest of a call, for comparisons without TESSERA_CHECK. It is cheap: it has only the beginning of the
 * name, and no counts. */
static inline uint64_t tsr_check_brief(const char *name, uint64_t bytes, int32_t root, uint64_t how) {
  uint32_t begin;
  memcpy(&begin, name, sizeof begin);
  return tsr_hash_add(tsr_hash_add(tsr_hash_add(begin, bytes), (uint32_t)root), how);
}

/* The same in the form in which members exchange it: without padding. */
enum { TSR_CHECK_NAME_BYTES = 64, TSR_CHECK_TEXT_BYTES = 192 };
struct tsr_check_words {
  char name[TSR_CHECK_NAME_BYTES];
  uint64_t bytes, how, digest;
  int64_t root;
};
struct tsr_check_words tsr_check_words(const struct tsr_check_call *call);
/* Writes the call as text, such as "reduce (80 bytes: SUM of I64, root 0)". */
void tsr_check_describe(const struct tsr_check_words *words, char text[TSR_CHECK_TEXT_BYTES]);

bool tsr_check_same_slow(tsr_team *team, const struct tsr_check_call *call) TSR_MUST_USE;

/* Collective over the team. If the calls of two members differ, the job ends with a message that names both calls. False: a member
 * has failed the call. */
TSR_MUST_USE static inline bool tsr_check_same(tsr_team *team, const char *name, uint64_t bytes, int32_t root, uint64_t how) {
  if (!__builtin_expect(tsr_config_check(), 0)) return true;
  return tsr_check_same_slow(team, &(struct tsr_check_call){name, bytes, root, how, 0});
}
/* The same for calls of which only the name counts, and for those with counts. */
TSR_MUST_USE static inline bool tsr_check_name(tsr_team *team, const char *name) {
  return tsr_check_same(team, name, TSR_CHECK_NO_BYTES, -1, 0);
}
TSR_MUST_USE static inline bool tsr_check_counts(tsr_team *team, const char *name, uint64_t bytes, const size_t counts[],
                                                 int32_t n) {
  if (!__builtin_expect(tsr_config_check(), 0)) return true;
  return tsr_check_same_slow(team, &(struct tsr_check_call){name, bytes, -1, 0, tsr_check_digest(counts, n)});
}

/* For a member that fails the call: takes part in the check of the call that the others make. On them the check returns
 * false. */
void tsr_check_fail(tsr_team *team);

#endif
