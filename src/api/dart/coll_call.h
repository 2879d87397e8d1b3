/* Common parts of the collectives: a unit's call, its buffers, and the ways to run it. */
#ifndef TSR_API_DART_COLL_CALL_H
#define TSR_API_DART_COLL_CALL_H

#include <dash/dart/if/dart_communication.h>

#include "coll/nb.h"
#include "core/stats.h"
#include "core/team.h"
#include "api/dart/op.h"
#include "api/dart/type.h"

/* How a function runs its collective: it waits in coll/coll, or it makes a schedule of coll/nb and runs or starts that. */
enum tsr_dart_mode { TSR_DART_WAITS, TSR_DART_RUNS, TSR_DART_STARTS };
struct tsr_dart_how {
  const char *call;
  enum tsr_stat stat;
  enum tsr_dart_mode mode;
  dart_handle_t *handle; /* TSR_DART_STARTS: where the handle is stored */
};
#define TSR_DART_HOW(mode, stat, handle) (&(struct tsr_dart_how){__func__, TSR_STAT_##stat, TSR_DART_##mode, handle})

/* Blocks of equal size, one after another. The core takes contiguous blocks. If the blocks in a user's buffer have gaps,
 * the core gets a private copy instead: packed before a send, unpacked after a receive. */
struct tsr_dart_block {
  void *data;   /* what the core gets; NULL if the user's buffer is NULL */
  void *copy;   /* NULL: the core uses the user's buffer */
  char *buffer; /* the user's */
  int32_t members_n;
};

/* Shares of different sizes: each unit's elements, and their offsets in the user's buffer and in the core's. */
struct tsr_dart_counted {
  int32_t n; /* 0: the other fields are undefined */
  struct tsr_dart_shape *shapes;
  size_t *displs; /* bytes; allocated with the two that follow */
  size_t *bytes, *offs;
  size_t total;
  void *buffer;    /* the user's */
  void *copy;
  bool all_blocks; /* the core gets the user's buffer; false: it gets a copy, as for a call that sends from its receive buffer */
};

/* How to combine, and the number of things to combine. `how` points to `custom`. */
struct tsr_dart_reduction {
  tsr_reducer how;
  size_t n;
  struct tsr_dart_custom_op custom;
};

/* One unit's call of a collective, with nelem elements of a type. A started call keeps it until the collective completes. */
struct tsr_dart_coll {
  struct tsr_dart_how how;
  dart_ret_t result; /* of the checks so far: after an error the following ones do nothing */
  bool takes_part;   /* the other units wait for this one even if there are no bytes */
  tsr_team *team;    /* NULL: no such team */
  uint64_t begun_ns;
  struct tsr_dart_shape shape;
  struct tsr_dart_block send, receive;
  struct tsr_dart_counted out, in;
  struct tsr_dart_reduction reduction;
  tsr_handle handle;
  tsr_op *op;
};

/* Opens a call in *own, or in private memory if the call only starts the collective. The caller checks its arguments, then calls
 * tsr_dart_coll_goes_on, and ends it with one of the three functions that follow it. A unit with wrong arguments fails the
 * collective, so that the other units do not wait for it. If nelem is 0 it does so only if the call `takes_part`: otherwise the
 * other units do nothing. */
struct tsr_dart_coll *tsr_dart_coll_open(struct tsr_dart_coll *own, const struct tsr_dart_how *how, dart_team_t team,
                                         size_t nelem, dart_datatype_t dtype, bool takes_part);
/* False: the caller drops the call. It has no bytes or no team, or its error was propagated to the other units. */
bool tsr_dart_coll_goes_on_slow(struct tsr_dart_coll *coll);
static inline bool tsr_dart_coll_goes_on(struct tsr_dart_coll *coll) {
  bool simple = coll->result == DART_OK && coll->shape.bytes && coll->how.mode != TSR_DART_STARTS;
  return TSR_LIKELY(simple) || tsr_dart_coll_goes_on_slow(coll);
}
/* All return the call's result and free it; a started call is freed at its completion. _end: after a function of
 * coll/coll. */
dart_ret_t tsr_dart_coll_drop(struct tsr_dart_coll *coll);
dart_ret_t tsr_dart_coll_end(struct tsr_dart_coll *coll, tessera_status_t status);
dart_ret_t tsr_dart_coll_run(struct tsr_dart_coll *coll, tsr_schedule *schedule);

static inline bool tsr_dart_is_root(const struct tsr_dart_coll *coll, dart_team_unit_t root) {
  return coll->team && coll->team->self == root.id;
}
static inline bool tsr_dart_in_place(const void *sendbuf, const void *recvbuf) { return !sendbuf || sendbuf == recvbuf; }

/* Checks, which store an error in the call. A buffer must not be NULL if there are bytes to move. */
void tsr_dart_no_root(struct tsr_dart_coll *coll, dart_team_unit_t root) __attribute__((cold));
void tsr_dart_no_buffer(struct tsr_dart_coll *coll, const char *which) __attribute__((cold));
static inline void tsr_dart_check_root(struct tsr_dart_coll *coll, dart_team_unit_t root) {
  if (coll->result == DART_OK && !tsr_team_has(coll->team, TSR_MEMBER(root.id))) tsr_dart_no_root(coll, root);
}
static inline void tsr_dart_check_bytes(struct tsr_dart_coll *coll, size_t bytes, const void *buffer, const char *which) {
  if (coll->result == DART_OK && bytes && !buffer) tsr_dart_no_buffer(coll, which);
}
static inline void tsr_dart_check_buffer(struct tsr_dart_coll *coll, const void *buffer, const char *which) {
  tsr_dart_check_bytes(coll, coll->shape.bytes, buffer, which);
}

/* _for: to receive into. _to_send: packed. _in_place: to send from a buffer that also receives. */
struct tsr_dart_block tsr_dart_block_for(const struct tsr_dart_shape *shape, const void *buffer, int32_t members_n);
struct tsr_dart_block tsr_dart_block_to_send(const struct tsr_dart_shape *shape, const void *buffer, int32_t members_n);
struct tsr_dart_block tsr_dart_block_in_place(const struct tsr_dart_shape *shape, const void *buffer, int32_t members_n);

/* Fills a side of the call, out or in. `buffer_name` and `names`, of the two tables, are for messages. Stores an error as the
 * checks do: those of tsr_dart_shape_make, and NULL tables or buffers. */
void tsr_dart_count(struct tsr_dart_coll *coll, struct tsr_dart_counted *side, dart_datatype_t dtype, const void *buffer,
                    const char *buffer_name, const char *names, const size_t counts[], const size_t displs[]);
/* The memory that the core gets for the buffer. _packed: to send from. */
void *tsr_dart_counted_data(struct tsr_dart_counted *counted);
void *tsr_dart_counted_packed(struct tsr_dart_counted *counted);
/* One unit's elements at `buffer`, packed to be sent. */
struct tsr_dart_block tsr_dart_counted_own(const struct tsr_dart_counted *counted, int32_t unit, const void *buffer);

#endif
