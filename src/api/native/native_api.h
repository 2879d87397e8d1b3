/* Common parts of the native interface: teams, and the frame of collective calls.
 *
 * A call is opened and checked. The checks do nothing after the first error, so that a call states them one after
 * another. If tsr_native_goes_on returns true, the call ends with tsr_native_end or tsr_native_start; otherwise it
 * returns its status. */
#ifndef TSR_API_NATIVE_NATIVE_API_H
#define TSR_API_NATIVE_NATIVE_API_H

#include <stdbool.h>

#include <tessera/coll.h>
#include <tessera/memory.h>

#include "base/status.h"
#include "coll/nb.h"
#include "core/op.h"
#include "core/place.h"
#include "core/runtime.h"
#include "core/stats.h"
#include "core/team.h"

/* NULL: tsr_native_no_team reports why. */
static inline tsr_team *tsr_native_team(tessera_team_t team) {
  return __builtin_expect(tsr_api_is_up[TSR_API_NATIVE], 1) ? tsr_team_find(team.id) : NULL;
}
tessera_status_t tsr_native_no_team(const char *name, tessera_team_t team) __attribute__((cold));

/* A call of the program. */
struct tsr_native_kind {
  const char *name;
  enum tsr_stat stat;
  bool starts;     /* runs as a schedule (coll/nb.h), even if it blocks */
  bool takes_part; /* in the collective, even without bytes */
  bool blocks;
  tessera_request_t *request;
};

/* The kinds of the blocking and the non-blocking form of a collective. For use in a function of the interface, whose
 * name they store. */
#define TSR_NATIVE_BLOCKS(what) ((struct tsr_native_kind){.name = __func__, .stat = TSR_STAT_##what, .blocks = true})
#define TSR_NATIVE_STARTS(what) \
  ((struct tsr_native_kind){.name = __func__, .stat = TSR_STAT_##what, .starts = true, .request = request})

struct tsr_native_call {
  struct tsr_native_kind kind;
  tsr_team *team; /* NULL: none */
  size_t bytes;   /* of a share; with tables: of all shares */
  uint64_t begun_ns;
  tessera_status_t status;
  tsr_handle handle;
  tsr_op *op;
};

/* `n` elements for each member. */
struct tsr_native_call tsr_native_open(struct tsr_native_kind kind, tessera_team_t team, size_t n, size_t elem_bytes);

/* Stores the first error, which the caller has logged. */
void tsr_native_fail(struct tsr_native_call *call, tessera_status_t status);
#define tsr_native_invalid(call, ...) tsr_native_fail(call, tsr_fail(TESSERA_ERR_ARG, __VA_ARGS__))

void tsr_native_check_root(struct tsr_native_call *call, int32_t root);
/* The buffer must not be NULL or TESSERA_IN_PLACE if there are bytes. */
void tsr_native_check_buffer(struct tsr_native_call *call, const void *buffer, size_t bytes, const char *which);
/* The two buffers must differ. */
void tsr_native_check_apart(struct tsr_native_call *call, const void *send, const void *recv, size_t bytes);
/* Operations up to `last` are allowed, on the types that have them. */
tessera_status_t tsr_native_check_arith(const char *name, tessera_type_t type, tessera_op_t op, tessera_op_t last);
/* A table of sizes and offsets. Returns the sum of the sizes; 0 after an error. */
size_t tsr_native_check_table(struct tsr_native_call *call, struct tsr_counts table, const char *which);
/* The own entry of a table must be `bytes`. */
void tsr_native_check_own(struct tsr_native_call *call, size_t bytes, size_t own);

static inline bool tsr_native_is_root(const struct tsr_native_call *call, int32_t root) {
  return call->team && call->team->self == root;
}
static inline bool tsr_native_in_place(const void *buffer) { return buffer == TESSERA_IN_PLACE; }
/* The address of the data to send: at `off` in `recv` if `send` is in place, else `send`. */
static inline const void *tsr_native_from(const struct tsr_native_call *call, const void *send, const void *recv,
                                          size_t off) {
  return tsr_native_in_place(send) && !call->status && recv ? (const char *)recv + off : send;
}

/* False: the call returns call->status; after an error the collective has failed on all members. True: no more
 * errors. */
bool tsr_native_goes_on(struct tsr_native_call *call);

tessera_status_t tsr_native_end(const struct tsr_native_call *call, tessera_status_t status);
/* Runs the schedule, or starts it and stores the request. Frees `keep`, from tsr_coll_memory or NULL, when it has
 * ended. */
tessera_status_t tsr_native_start(const struct tsr_native_call *call, tsr_schedule *schedule, void *keep);

/* Checks an address and the `bytes` from there on, and stores the core's address. */
tessera_status_t tsr_native_address(const char *name, tessera_address_t address, size_t bytes, tsr_addr *found);

/* Stores the request of a started operation; one that is complete is released. */
static inline void tsr_native_store_request(tsr_handle handle, tessera_request_t *request) {
  bool complete = tsr_op_remote_done(tsr_handle_op(handle));
  if (complete) tsr_handle_release(handle);
  request->id = complete ? 0 : handle;
}

/* Unregisters the handlers of active messages, at the end of the interface. */
void tsr_native_am_forget(void);

#endif
