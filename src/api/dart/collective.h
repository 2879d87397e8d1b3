/* What the collectives on data share: checks of their arguments, and the user's buffers as the core wants them. */
#ifndef TSR_API_DART_COLLECTIVE_H
#define TSR_API_DART_COLLECTIVE_H

#include "base/stats.h"
#include "core/team.h"
#include "api/dart/type.h"

/* One unit's share: nelem elements of a type. Whoever makes one ends it. */
struct tsr_dart_share {
  const char *call;
  tsr_team *team;
  uint64_t begun_ns;
  struct tsr_dart_shape shape;
  size_t bytes;      /* of its elements */
  size_t step_bytes; /* from one share to the next in a buffer of several */
  bool starts;       /* the call goes on after it returns: coll/nb */
  bool meets;        /* the units meet although this one has no bytes */
};

/* After DART_OK the share is ended. A unit that finds its arguments wrong, here or in the checks below, refuses the call,
 * so that the others fail too and do not wait for it; not when nelem is 0, since the others do nothing then. */
dart_ret_t tsr_dart_share_begin(struct tsr_dart_share *share, const char *call, dart_team_t team, size_t nelem,
                                dart_datatype_t dtype);
/* The same for a call that starts something; the others wait for it even when nelem is 0 if it `meets`. */
dart_ret_t tsr_dart_share_start(struct tsr_dart_share *share, const char *call, dart_team_t team, size_t nelem,
                                dart_datatype_t dtype, bool meets);
/* It becomes so many elements of the type; other units may have others. Errors as of tsr_dart_shape_make: it stays. */
dart_ret_t tsr_dart_share_measure(struct tsr_dart_share *share, size_t nelem, dart_datatype_t dtype);
/* Counts a call that was answered with DART_OK. Returns `result`. */
dart_ret_t tsr_dart_share_end(struct tsr_dart_share *share, enum tsr_stat what, dart_ret_t result);

/* Whether the call goes on after the checks. When they went wrong it is refused; without bytes there is nothing to do. */
bool tsr_dart_share_goes_on(const struct tsr_dart_share *share, dart_ret_t result);

dart_ret_t tsr_dart_check_root(const struct tsr_dart_share *share, dart_team_unit_t root);
/* A buffer that is needed when there are bytes to move; one that only the root needs. */
dart_ret_t tsr_dart_check_buffer(const struct tsr_dart_share *share, const void *buffer, const char *which);
dart_ret_t tsr_dart_check_at_root(const struct tsr_dart_share *share, dart_team_unit_t root, const void *buffer,
                                  const char *which);

#endif
