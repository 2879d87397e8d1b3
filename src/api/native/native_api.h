/* What the files of the native interface share: from a name to a team, and a collective call from its checks to its end.
 *
 * A call is opened, checked, and either goes on or is answered with its status. The checks do nothing once one has failed,
 * so that each kind states them one after another; who goes on ends in tsr_native_end or tsr_native_start. */
#ifndef TSR_API_NATIVE_NATIVE_API_H
#define TSR_API_NATIVE_NATIVE_API_H

#include <stdbool.h>

#include <tessera/coll.h>

#include "base/stats.h"
#include "base/status.h"
#include "coll/nb.h"
#include "core/op.h"
#include "core/runtime.h"
#include "core/team.h"

/* NULL: see tsr_native_no_team. */
static inline tsr_team *tsr_native_team(tessera_team_t team) {
  return __builtin_expect(tsr_api_is_up[TSR_API_NATIVE], 1) ? tsr_team_find(team.id) : NULL;
}
/* Says why there is none. */
tessera_status_t tsr_native_no_team(const char *name, tessera_team_t team) __attribute__((cold));

/* Which call of the program it is; without a request it blocks. */
struct tsr_native_kind {
  const char *name;
  enum tsr_stat stat;
  bool starts; /* as a program of steps (coll/nb.h), even if it blocks */
  bool meets;  /* even without bytes */
  bool blocks;
  tessera_request_t *request;
};

struct tsr_native_call {
  struct tsr_native_kind kind;
  tsr_team *team; /* NULL: none */
  size_t bytes;   /* of a share; of the whole where there are tables */
  uint64_t begun_ns;
  tessera_status_t status;
  tsr_handle handle;
  tsr_op *op;
};

/* n elements for each member. */
struct tsr_native_call tsr_native_open(struct tsr_native_kind kind, tessera_team_t team, size_t n, size_t elem_bytes);

/* Notes the first error, which the caller has said. */
void tsr_native_fail(struct tsr_native_call *call, tessera_status_t status);
#define tsr_native_invalid(call, ...) tsr_native_fail(call, tsr_fail(TESSERA_ERR_ARG, __VA_ARGS__))

void tsr_native_check_root(struct tsr_native_call *call, int32_t root);
/* A buffer of so many bytes that is really one. */
void tsr_native_check_buffer(struct tsr_native_call *call, const void *buffer, size_t bytes, const char *which);
/* Two that may not be the same. */
void tsr_native_check_apart(struct tsr_native_call *call, const void *send, const void *recv, size_t bytes);
/* A table of bytes and where they lie. Their sum; 0 after an error. */
size_t tsr_native_check_table(struct tsr_native_call *call, struct tsr_counts table, const char *which);
/* The own entry of a table says `bytes`. */
void tsr_native_check_own(struct tsr_native_call *call, size_t bytes, size_t own);
/* A user's operation, or a built-in one that is defined. */
tsr_reducer tsr_native_check_how(struct tsr_native_call *call, const tessera_reduction_t *how);

static inline bool tsr_native_is_root(const struct tsr_native_call *call, int32_t root) {
  return call->team && call->team->self == root;
}
static inline bool tsr_native_in_place(const void *buffer) { return buffer == TESSERA_IN_PLACE; }
/* Where data lies: at `place`, when it is in place and there is one. */
static inline const void *tsr_native_from(const struct tsr_native_call *call, const void *send, const void *recv,
                                          size_t off) {
  return tsr_native_in_place(send) && !call->status && recv ? (const char *)recv + off : send;
}

/* False: it is over; answer call->status. Else nobody is refused any more. */
bool tsr_native_goes_on(struct tsr_native_call *call);

tessera_status_t tsr_native_end(const struct tsr_native_call *call, tessera_status_t status);
/* Runs the program, or starts it and stores the request. `keep`, of tsr_coll_memory or NULL, lives until it has ended. */
tessera_status_t tsr_native_start(const struct tsr_native_call *call, tsr_schedule *schedule, void *keep);

/* The handlers of active messages, at the end. */
void tsr_native_am_forget(void);

#endif
