/* A collective by coll/nb, and the user's buffers that it keeps until it completes. Blocking extensions use it, too. */
#ifndef TSR_API_DART_STARTED_H
#define TSR_API_DART_STARTED_H

#include <dash/dart/if/dart_communication.h>

#include "base/stats.h"
#include "coll/nb.h"
#include "api/dart/collective.h"
#include "api/dart/reduction.h"
#include "api/dart/counts.h"

/* Where the handle is stored. `blocks`: the call waits instead. */
struct tsr_dart_how {
  const char *call;
  enum tsr_stat stat;
  bool blocks;
  dart_handle_t *handle;
};

struct tsr_dart_started {
  struct tsr_dart_how how;
  struct tsr_dart_share share;
  struct tsr_dart_block send, receive;
  struct tsr_dart_counted out, in;
  void *recvbuf; /* of `in` */
  struct tsr_dart_reduction reduction;
  tsr_handle handle;
  tsr_op *op; /* NULL: the call blocks */
};

/* NULL: *result is the error, and the collective has failed on the other units. Else the caller checks its arguments
 * and then calls the two functions below. */
struct tsr_dart_started *tsr_dart_started_open(struct tsr_dart_how how, dart_team_t team, size_t nelem,
                                               dart_datatype_t dtype, bool meets, dart_ret_t *result);

/* False: the record is freed, and the call returns *result. True: the caller calls tsr_dart_started_go. */
bool tsr_dart_started_goes_on(struct tsr_dart_started *started, dart_ret_t *result);

dart_ret_t tsr_dart_started_go(struct tsr_dart_started *started, tsr_schedule *schedule);

#endif
