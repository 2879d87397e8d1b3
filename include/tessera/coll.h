/* Teams and collectives of the native interface.
 *
 * For all functions: call them between tessera_init and tessera_exit (tessera.h), otherwise they return
 * TESSERA_ERR_STATE. Errors: every error is logged with the wrong argument and the remedy; the call then had no
 * effect, and results are stored on success only. Threads: one thread at a time may call, unless an interface that
 * was started with support for several threads is up, too; even then only one thread at a time may call on one team. */
#ifndef TESSERA_COLL_H
#define TESSERA_COLL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tessera.h>
#include <tessera/request.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Teams ------------------------------------------------------------------------------------------------------
 *
 * A team is an ordered list of distinct units, its members, numbered from 0. A tessera_team_t identifies a team. It has
 * the same value on all members and may be copied. Every team is a team of DART, too: `id` is its dart_team_t. Id -1
 * means no team. Calls on a freed team return TESSERA_ERR_NOT_FOUND until its id is used again; ids are reused as late
 * as possible. */
typedef struct tessera_team {
  int32_t id;
} tessera_team_t;

/* Returns the team of all units, in the order of their numbers. Any time, any thread. */
TESSERA_API tessera_team_t tessera_team_world(void);

/* Returns the team with this id, which may have been made through another interface. Returns id -1, and logs an
 * error, if this unit is not a member of such a team. */
TESSERA_API tessera_team_t tessera_team_of_id(int32_t id);

/* Makes a team of n members of `parent` and stores it. `members` lists their numbers in the parent, in the order of
 * their numbers in the new team. Collective over the parent: every member of the parent passes a list, and all units
 * on a list pass the same one. Lists without a common member make several teams in one call, with the same id. A unit
 * that is not on its own list stores id -1. All members pass n = 0, or none does. If all do, no team is made, and no
 * member waits. An error of one member makes the call fail on all. TESSERA_ERR_ARG: members or team is NULL, n is negative or
 * larger than the parent, or a member is listed twice; on all members, if lists overlap. TESSERA_ERR_RANGE: a number
 * that no member of the parent has. TESSERA_ERR_NOT_FOUND: no such parent. TESSERA_ERR_LIMIT: 32767 teams exist.
 * TESSERA_ERR_MEMORY: no memory for the team. TESSERA_ERR_PEER: another member failed. */
TESSERA_API tessera_status_t tessera_team_create(tessera_team_t parent, const int32_t members[], int32_t n,
                                                 tessera_team_t *team);

/* Ends a team that tessera_team_create made, and sets *team to no team. Does nothing if *team is no team. Collective
 * over the team; waits for all operations started on it. tessera_exit ends all remaining teams.
 * TESSERA_ERR_ARG: team is NULL. TESSERA_ERR_UNSUPPORTED: the team of all units, or a team made by another interface.
 * TESSERA_ERR_NOT_FOUND: no such team. */
TESSERA_API tessera_status_t tessera_team_free(tessera_team_t *team);

/* Return the number of members, and the caller's number in the team. -1, with a logged error: no such team. Not
 * collective. */
TESSERA_API int32_t tessera_team_size(tessera_team_t team);
TESSERA_API int32_t tessera_team_rank(tessera_team_t team);

/* Returns the unit number (as of tessera_unit) of a member. -1, with a logged error: no such team or member. Not
 * collective. */
TESSERA_API int32_t tessera_team_unit(tessera_team_t team, int32_t member);

/* Returns a unit's number in the team; -1 if the unit is not a member. -1, with a logged error: no such team or unit.
 * Not collective. */
TESSERA_API int32_t tessera_team_member(tessera_team_t team, int32_t unit);

/* ---- Reductions ------------------------------------------------------------------------------------------------- */

typedef enum tessera_type {
  TESSERA_I8, TESSERA_U8, TESSERA_I16, TESSERA_U16, TESSERA_I32, TESSERA_U32, TESSERA_I64, TESSERA_U64,
  TESSERA_F32, TESSERA_F64,
  TESSERA_F80,               /* long double */
  TESSERA_C64, TESSERA_C128, /* complex: pairs of F32 or of F64 */
  TESSERA_TYPE_USER = 255    /* set by tessera_user_op */
} tessera_type_t;

/* MIN and MAX are for all types but complex; bitwise (B...) and logical (L...) operations are for integers only; the last
 * two are for the atomics of tessera/memory.h, not for reductions: TESSERA_REPLACE results in the operand, TESSERA_NO_OP
 * in the old value. */
typedef enum tessera_op {
  TESSERA_MIN, TESSERA_MAX, TESSERA_SUM, TESSERA_PROD,
  TESSERA_BAND, TESSERA_LAND, TESSERA_BOR, TESSERA_LOR, TESSERA_BXOR, TESSERA_LXOR,
  TESSERA_REPLACE, TESSERA_NO_OP
} tessera_op_t;

/* A user's operation: inout[i] = in[i] op inout[i] for n elements, where `in` comes from members with lower numbers.
 * It must be associative, and must not call the library. It is called any number of times, each time for a part of
 * the elements, in any thread that makes progress. Buffers of the program keep their alignment; buffers of the
 * library are aligned for every type. */
typedef void (*tessera_combine_t)(void *inout, const void *in, size_t n, void *user);

/* Describes how elements are combined. Make one with tessera_builtin or tessera_user_op. It may go out of scope after
 * the call it is passed to; the data behind `user` must live until the reduction is complete. */
typedef struct tessera_reduction {
  tessera_type_t type;
  tessera_op_t op;
  tessera_combine_t combine;
  void *user;
  size_t elem_bytes;
  bool commutes; /* false: elements are combined in the order of the members */
} tessera_reduction_t;

/* An operation of the library on elements of one of its types, such as the sum of TESSERA_F64. Its elements may be combined in
 * any order. A call that does not support the pair returns TESSERA_ERR_UNSUPPORTED. */
static inline tessera_reduction_t tessera_builtin(tessera_type_t type, tessera_op_t op) {
  tessera_reduction_t how = {type, op, NULL, NULL, 0, true};
  return how;
}
/* An operation of the program on elements of `elem_bytes` bytes; `user` is passed to it. commutes: its elements may be combined in
 * any order; otherwise they are combined in the order of the members. */
static inline tessera_reduction_t tessera_user_op(tessera_combine_t combine, void *user, size_t elem_bytes, bool commutes) {
  tessera_reduction_t how = {TESSERA_TYPE_USER, TESSERA_SUM, combine, user, elem_bytes, commutes};
  return how;
}

/* ---- Collectives ------------------------------------------------------------------------------------------------
 *
 * Callers: every member of the team, with the same root, sizes and reduction.
 * Sizes: bytes in calls that move data, also for offsets; elements in reductions. All are size_t, so nothing is
 * limited to INT_MAX. An array of counts or offsets has one entry per member and is read during the call.
 * Buffers: those of one call must not overlap. They belong to the program again when its part is complete: on return
 * of a blocking call, or when the request of an _nb call is complete. Collectives do not complete puts and gets of
 * any interface: flush first.
 * Order: the collectives of a team form two sequences. Sequence A: all _nb calls, tessera_barrier_notify, scatterv,
 * gatherv, alltoallv, reduce_scatter, scan and exscan. Sequence B: all other blocking calls. All members make the
 * calls of one sequence in the same order; how A and B interleave may differ between members. Any number of _nb calls
 * may be under way, and they complete in any order.
 * No data: if all members have 0 bytes or elements, a call returns without waiting; a call with counts still
 * synchronises.
 * In place: TESSERA_IN_PLACE, where a function allows it, stands for the buffer of data that already is where its
 * result belongs.
 *
 * Errors. TESSERA_ERR_NOT_FOUND: no such team. TESSERA_ERR_RANGE: the root is not a member. TESSERA_ERR_ARG: a
 * buffer, an array or the request is NULL; TESSERA_IN_PLACE where it is not allowed; more bytes than any memory has;
 * an entry of counts that differs from the member's own size; an unknown type or operation; a user's operation
 * without function or size. TESSERA_ERR_UNSUPPORTED: the operation is not defined for the type. TESSERA_ERR_MEMORY:
 * too many requests. TESSERA_ERR_PEER: the call of another member failed with one of these errors. Which members
 * learn of an error:
 * - With TESSERA_CHECK=1, in sequence B: all other members get TESSERA_ERR_PEER.
 * - Without it, on one node, in sequence B: all members that wait for the failed member get TESSERA_ERR_PEER. A
 *   member that does not wait for it returns TESSERA_OK: because the call is small and another member is its root, or
 *   because it has nothing to wait for.
 * - Without it across nodes, and always in sequence A: the job ends with a message that names the failed member,
 *   unless all members have an error.
 *
 * Mismatched calls, where members call different collectives, or pass different roots, sizes or operations:
 * - With TESSERA_CHECK=1 the job ends with a message that names the calls of two members.
 * - Without it, members of one node compare kind, root and size when they take part in the same step, and the job ends
 *   with a message if these differ. The job also ends when a message between nodes has an unexpected size, and in
 *   sequence A when a message belongs to another call, root or operation. On several nodes the next barrier of the
 *   team detects earlier mismatches in sequence B.
 * - After other mismatches members may wait for ever (TESSERA_WATCHDOG reports it) or get wrong results. This
 *   also holds where sizes differ so that members choose different algorithms. No memory outside the buffers is
 *   accessed. */
#define TESSERA_IN_PLACE ((void *)1)

TESSERA_API tessera_status_t tessera_barrier(tessera_team_t team);
TESSERA_API tessera_status_t tessera_barrier_nb(tessera_team_t team, tessera_request_t *request);

/* A split-phase barrier with a name. tessera_barrier_notify announces that this member has arrived, and returns at
 * once. tessera_barrier_wait returns when all members have arrived, and ends the barrier; tessera_barrier_try stores
 * in `over` whether all have arrived, and ends the barrier if so. What a member stored before notify is visible to
 * all others after the end. A team has one such barrier open at a time. tessera_barrier_notify is collective like an
 * _nb call.
 * Names are from INT64_MIN + 2 to INT64_MAX - 1. All members whose name is not TESSERA_UNNAMED pass the same name. If
 * they do not, the call that ends the barrier returns TESSERA_ERR_ARG on all members; the barrier has ended all the
 * same. Threads: one thread of a member at a time. TESSERA_ERR_STATE: notify while a barrier is open; wait or try while
 * none is open. TESSERA_ERR_ARG: over is NULL, or the name is none of these. */
#define TESSERA_UNNAMED INT64_MIN
TESSERA_API tessera_status_t tessera_barrier_notify(tessera_team_t team, int64_t name);
TESSERA_API tessera_status_t tessera_barrier_wait(tessera_team_t team);
TESSERA_API tessera_status_t tessera_barrier_try(tessera_team_t team, bool *over);

/* Copy `bytes` of the root's buffer to the buffer of every member. */
TESSERA_API tessera_status_t tessera_bcast(tessera_team_t team, void *buffer, size_t bytes, int32_t root);
TESSERA_API tessera_status_t tessera_bcast_nb(tessera_team_t team, void *buffer, size_t bytes, int32_t root,
                                              tessera_request_t *request);

/* Copy a part of the root's send to the recv of every member i: the `bytes` at send + i * bytes, or (scatterv) the
 * counts[i] bytes at send + offs[i]. In scatterv `bytes` is the caller's own size: counts[i] of the root equals it.
 * Only the root's send, counts and offs are read. In place: the root's recv; the root's own part then stays in send. */
TESSERA_API tessera_status_t tessera_scatter(tessera_team_t team, const void *send, void *recv, size_t bytes, int32_t root);
TESSERA_API tessera_status_t tessera_scatter_nb(tessera_team_t team, const void *send, void *recv, size_t bytes,
                                                int32_t root, tessera_request_t *request);
TESSERA_API tessera_status_t tessera_scatterv(tessera_team_t team, const void *send, const size_t counts[],
                                              const size_t offs[], void *recv, size_t bytes, int32_t root);
TESSERA_API tessera_status_t tessera_scatterv_nb(tessera_team_t team, const void *send, const size_t counts[],
                                                 const size_t offs[], void *recv, size_t bytes, int32_t root,
                                                 tessera_request_t *request);

/* Copy `bytes` from the send of every member i to the root's recv: to recv + i * bytes, or (gatherv) to recv +
 * offs[i], where counts[i] equals the member's `bytes`. Only the root's recv, counts and offs are used. In place: the
 * root's send; the root's own part already lies in recv. */
TESSERA_API tessera_status_t tessera_gather(tessera_team_t team, const void *send, void *recv, size_t bytes, int32_t root);
TESSERA_API tessera_status_t tessera_gather_nb(tessera_team_t team, const void *send, void *recv, size_t bytes,
                                               int32_t root, tessera_request_t *request);
TESSERA_API tessera_status_t tessera_gatherv(tessera_team_t team, const void *send, size_t bytes, void *recv,
                                             const size_t counts[], const size_t offs[], int32_t root);
TESSERA_API tessera_status_t tessera_gatherv_nb(tessera_team_t team, const void *send, size_t bytes, void *recv,
                                                const size_t counts[], const size_t offs[], int32_t root,
                                                tessera_request_t *request);

/* As gather, but to the recv of every member; all members pass the same counts and offs. In place: send, of any
 * member; allgatherv then ignores the member's `bytes`. */
TESSERA_API tessera_status_t tessera_allgather(tessera_team_t team, const void *send, void *recv, size_t bytes);
TESSERA_API tessera_status_t tessera_allgather_nb(tessera_team_t team, const void *send, void *recv, size_t bytes,
                                                  tessera_request_t *request);
TESSERA_API tessera_status_t tessera_allgatherv(tessera_team_t team, const void *send, size_t bytes, void *recv,
                                                const size_t counts[], const size_t offs[]);
TESSERA_API tessera_status_t tessera_allgatherv_nb(tessera_team_t team, const void *send, size_t bytes, void *recv,
                                                   const size_t counts[], const size_t offs[],
                                                   tessera_request_t *request);

/* For each pair of members i and j, copy from i's send to j's recv: the `bytes` at send + j * bytes to recv + i *
 * bytes; or (alltoallv) the send_counts[j] bytes at send + send_offs[j] to recv + recv_offs[i], where j's
 * recv_counts[i] is the same number. In place: send; recv then holds the data to send, recv_counts and recv_offs
 * describe it, too, and the call makes a private copy. */
TESSERA_API tessera_status_t tessera_alltoall(tessera_team_t team, const void *send, void *recv, size_t bytes);
TESSERA_API tessera_status_t tessera_alltoall_nb(tessera_team_t team, const void *send, void *recv, size_t bytes,
                                                 tessera_request_t *request);
TESSERA_API tessera_status_t tessera_alltoallv(tessera_team_t team, const void *send, const size_t send_counts[],
                                               const size_t send_offs[], void *recv, const size_t recv_counts[],
                                               const size_t recv_offs[]);
TESSERA_API tessera_status_t tessera_alltoallv_nb(tessera_team_t team, const void *send, const size_t send_counts[],
                                                  const size_t send_offs[], void *recv, const size_t recv_counts[],
                                                  const size_t recv_offs[], tessera_request_t *request);

/* Combine n elements of each member's send, element by element, into the root's recv (reduce) or into every member's
 * recv (allreduce). In place: send, of a member that receives; its elements lie in recv. */
TESSERA_API tessera_status_t tessera_reduce(tessera_team_t team, const void *send, void *recv, size_t n,
                                            tessera_reduction_t how, int32_t root);
TESSERA_API tessera_status_t tessera_reduce_nb(tessera_team_t team, const void *send, void *recv, size_t n,
                                               tessera_reduction_t how, int32_t root, tessera_request_t *request);
TESSERA_API tessera_status_t tessera_allreduce(tessera_team_t team, const void *send, void *recv, size_t n,
                                               tessera_reduction_t how);
TESSERA_API tessera_status_t tessera_allreduce_nb(tessera_team_t team, const void *send, void *recv, size_t n,
                                                  tessera_reduction_t how, tessera_request_t *request);

/* As allreduce, but each member receives a part of the result: member i gets counts[i] elements, and the parts follow
 * each other in the order of members. All members pass the same counts. In place: send; recv then has room for the
 * elements of all parts, and what follows the caller's own part is undefined afterwards. */
TESSERA_API tessera_status_t tessera_reduce_scatter(tessera_team_t team, const void *send, void *recv,
                                                    const size_t counts[], tessera_reduction_t how);
TESSERA_API tessera_status_t tessera_reduce_scatter_nb(tessera_team_t team, const void *send, void *recv,
                                                       const size_t counts[], tessera_reduction_t how,
                                                       tessera_request_t *request);

/* Combine n elements of all members up to and including the caller (scan), or before the caller (exscan). In exscan
 * member 0's recv is not written, and may be NULL. In place: send. */
TESSERA_API tessera_status_t tessera_scan(tessera_team_t team, const void *send, void *recv, size_t n,
                                          tessera_reduction_t how);
TESSERA_API tessera_status_t tessera_scan_nb(tessera_team_t team, const void *send, void *recv, size_t n,
                                             tessera_reduction_t how, tessera_request_t *request);
TESSERA_API tessera_status_t tessera_exscan(tessera_team_t team, const void *send, void *recv, size_t n,
                                            tessera_reduction_t how);
TESSERA_API tessera_status_t tessera_exscan_nb(tessera_team_t team, const void *send, void *recv, size_t n,
                                               tessera_reduction_t how, tessera_request_t *request);

#ifdef __cplusplus
}
#endif
#endif
