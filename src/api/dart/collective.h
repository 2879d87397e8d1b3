/* Common parts of the collectives on data: measuring and checking their arguments. */
#ifndef TSR_API_DART_COLLECTIVE_H
#define TSR_API_DART_COLLECTIVE_H

#include "base/stats.h"
#include "core/team.h"
#include "api/dart/type.h"

/* One unit's share of a collective: nelem elements of a type. */
struct tsr_dart_share {
  const char *call;
  tsr_team *team;
  uint64_t begun_ns;
  struct tsr_dart_shape shape;
  size_t bytes;      /* of its elements */
  size_t step_bytes; /* from one share to the next in a buffer of several */
  bool starts;       /* non-blocking, by coll/nb */
  bool meets;        /* takes part in the collective even without bytes */
};

/* After DART_OK the caller ends the share. A unit that finds its arguments wrong, in this call or in the checks below,
 * fails the collective, so that the other units do not wait for it; but not if nelem is 0, when they do nothing. */
dart_ret_t tsr_dart_share_begin(struct tsr_dart_share *share, const char *call, dart_team_t team, size_t nelem,
                                dart_datatype_t dtype);
/* The same for a non-blocking call. `meets`: the other units wait for this one even if nelem is 0. */
dart_ret_t tsr_dart_share_start(struct tsr_dart_share *share, const char *call, dart_team_t team, size_t nelem,
                                dart_datatype_t dtype, bool meets);
/* Replaces the share's size; units may differ in it. Errors as of tsr_dart_shape_make: the share is unchanged. */
dart_ret_t tsr_dart_share_measure(struct tsr_dart_share *share, size_t nelem, dart_datatype_t dtype);
/* Adds a call that returns DART_OK to the statistics. Returns `result`. */
dart_ret_t tsr_dart_share_end(struct tsr_dart_share *share, enum tsr_stat what, dart_ret_t result);

/* Whether the call continues after the checks. Fails the collective if `result` is an error. False without bytes, too,
 * unless the share `meets`. */
bool tsr_dart_share_goes_on(const struct tsr_dart_share *share, dart_ret_t result);

dart_ret_t tsr_dart_check_root(const struct tsr_dart_share *share, dart_team_unit_t root);
/* A buffer must not be NULL if there are bytes to move; _at_root: on the root only. */
dart_ret_t tsr_dart_check_buffer(const struct tsr_dart_share *share, const void *buffer, const char *which);
dart_ret_t tsr_dart_check_at_root(const struct tsr_dart_share *share, dart_team_unit_t root, const void *buffer,
                                  const char *which);
/* All three: the root, each unit's `own` share, and the root's buffer for `all` shares. */
dart_ret_t tsr_dart_check_rooted(const struct tsr_dart_share *share, dart_team_unit_t root, const void *own,
                                 const char *own_name, const void *all, const char *all_name);

#endif
