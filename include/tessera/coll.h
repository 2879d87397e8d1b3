/* Teams and collectives of the native interface.
 *
 * Status, start and end are in tessera.h: the calls below are for units between tessera_init and tessera_exit, else
 * they answer TESSERA_ERR_STATE. Every error is logged with the argument that is wrong and the remedy; nothing was done
 * then, and what a call stores is stored on success only. Threads: one at a time, several when an interface that was
 * asked for several is started, too; of those one at a time calls on a team.
 */
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
 * An ordered list of distinct units, its members, which are numbered from 0. A team is a name, to be copied freely; all
 * members have the same. It is one of DART's teams, too: `id` is the dart_team_t. -1: no team. Of a team that was freed
 * the calls say TESSERA_ERR_NOT_FOUND, until its number is used again, which is as late as can be. */
typedef struct tessera_team {
  int32_t id;
} tessera_team_t;

/* Returns the team of all units, in the order of their numbers. Any time, any thread. */
TESSERA_API tessera_team_t tessera_team_world(void);

/* Returns the team of this number, which may have been made through another interface; id -1, logged, when there is none
 * that this unit is a member of. */
TESSERA_API tessera_team_t tessera_team_of_id(int32_t id);

/* Makes a team of n members of `parent`, given by their numbers in it, in this order, and stores it; id -1 for who is not
 * listed. Collective over the parent: every member passes a list, and all that are listed together the same, so that lists
 * without a common member make several teams at once, with one id. With n = 0 nobody gets a team, or waits.
 * One member's error is everybody's. TESSERA_ERR_ARG: members or team is NULL, n negative or more than the parent has, a
 * member named twice; on all members, when lists overlap. TESSERA_ERR_RANGE: no member of the parent.
 * TESSERA_ERR_NOT_FOUND: no such parent. TESSERA_ERR_LIMIT: 32767 teams exist. TESSERA_ERR_MEMORY. TESSERA_ERR_PEER: another member failed. */
TESSERA_API tessera_status_t tessera_team_create(tessera_team_t parent, const int32_t members[], int32_t n,
                                                 tessera_team_t *team);

/* Ends a team that tessera_team_create made, and sets *team to none; of none it does nothing. Collective over the team;
 * waits for all that was started on it. tessera_exit does so for those that are left.
 * TESSERA_ERR_ARG: team is NULL. TESSERA_ERR_UNSUPPORTED: the world, or a team of another interface.
 * TESSERA_ERR_NOT_FOUND: no such team. */
TESSERA_API tessera_status_t tessera_team_free(tessera_team_t *team);

/* Return the number of members, and the caller's own number in the team; -1, logged: no such team. Not collective. */
TESSERA_API int32_t tessera_team_size(tessera_team_t team);
TESSERA_API int32_t tessera_team_rank(tessera_team_t team);

/* Returns the unit, as tessera_unit has it, of a member; -1, logged: no such team or member. Not collective. */
TESSERA_API int32_t tessera_team_unit(tessera_team_t team, int32_t member);

/* Returns the member's number of a unit; -1: it is none; -1, logged: no such team or unit. Not collective. */
TESSERA_API int32_t tessera_team_member(tessera_team_t team, int32_t unit);

/* ---- What reductions do ----------------------------------------------------------------------------------------- */

typedef enum tessera_type {
  TESSERA_I8, TESSERA_U8, TESSERA_I16, TESSERA_U16, TESSERA_I32, TESSERA_U32, TESSERA_I64, TESSERA_U64,
  TESSERA_F32, TESSERA_F64,
  TESSERA_F80,               /* long double */
  TESSERA_C64, TESSERA_C128, /* complex, of two F32 or F64 */
  TESSERA_TYPE_USER = 255    /* of tessera_user_op */
} tessera_type_t;

/* Bitwise and logical ones are for integers; order is for all but complex. */
typedef enum tessera_op {
  TESSERA_MIN, TESSERA_MAX, TESSERA_SUM, TESSERA_PROD,
  TESSERA_BAND, TESSERA_LAND, TESSERA_BOR, TESSERA_LOR, TESSERA_BXOR, TESSERA_LXOR
} tessera_op_t;

/* inout[i] = in[i] op inout[i] for n elements, where `in` is from lower-numbered members. Associative; called any number of
 * times, in whatever thread makes progress, with a part of the elements; makes no call of the library. Buffers are aligned
 * as the program's are; those of the library for any type. */
typedef void (*tessera_combine_t)(void *inout, const void *in, size_t n, void *user);

/* How elements are combined; made by one of the two below, and free after the call that it is passed to. Only what `user`
 * points to is used until the reduction is complete. */
typedef struct tessera_reduction {
  tessera_type_t type;
  tessera_op_t op;
  tessera_combine_t combine;
  void *user;
  size_t elem_bytes;
  bool commutes; /* false: combined in the order of members */
} tessera_reduction_t;

static inline tessera_reduction_t tessera_builtin(tessera_type_t type, tessera_op_t op) {
  tessera_reduction_t how = {type, op, NULL, NULL, 0, true};
  return how;
}
static inline tessera_reduction_t tessera_user_op(tessera_combine_t combine, void *user, size_t elem_bytes, bool commutes) {
  tessera_reduction_t how = {TESSERA_TYPE_USER, TESSERA_SUM, combine, user, elem_bytes, commutes};
  return how;
}

/* ---- Collectives ------------------------------------------------------------------------------------------------
 *
 * Who: every member of the team, with the same root, sizes and reduction. Sizes and offsets that move data are in bytes,
 * those of reductions in elements; nothing ends at INT_MAX. Tables have an entry for each member and are read during the call.
 * Owner: the buffers of one call do not overlap, and belong to the program again when its part is complete: on return of
 * the blocking call; for _nb when its request is. They complete no put or get of other interfaces: flush first.
 * Order: every member makes the _nb calls, scatterv, gatherv, alltoallv, reduce_scatter, scan and exscan of a team in the
 * same order, and the other blocking ones, too; the two rows may be in any order to each other. Any number of _nb calls may be under
 * way and they complete in any order. Where all have 0 bytes or elements a call does nothing; those with tables meet.
 * In place: TESSERA_IN_PLACE, where it says so, stands for data that lies where its result shall be.
 *
 * TESSERA_ERR_NOT_FOUND: no such team. TESSERA_ERR_RANGE: the root is no member. TESSERA_ERR_ARG: a buffer, a table or
 * the request is NULL, or in place where that is not said; more bytes than memory can have; a table that contradicts the
 * own size; an unknown type or operation, or a user's without function or size. TESSERA_ERR_UNSUPPORTED: the operation is not
 * defined for the type. TESSERA_ERR_MEMORY: too many requests. TESSERA_ERR_PEER: another member got one of these.
 * With TESSERA_CHECK=1 all others get that. Without it, on one node, all do who wait for that member; who need not, since the
 * call is small and another is its root, or they have nothing to wait for, leave with TESSERA_OK. Across nodes without it, and
 * always in the calls of the first row above, one member's error ends the job with a message that names it, unless all have
 * an error. Members that call differently end the job with TESSERA_CHECK=1, and a message that names the calls of two. Without
 * it a message between nodes that comes with another size than is expected does so, too, and one of a call of the first row
 * also where it is of another call, root or operation; and on several nodes the next barrier of the team finds that calls of
 * the second row differed. Calls that differ otherwise, or that lead to different ways of doing them, may wait for ever
 * (TESSERA_WATCHDOG tells) or give wrong results, but touch no other memory. */
#define TESSERA_IN_PLACE ((void *)1)

TESSERA_API tessera_status_t tessera_barrier(tessera_team_t team);
TESSERA_API tessera_status_t tessera_barrier_nb(tessera_team_t team, tessera_request_t *request);

/* A barrier in two halves, with a name. notify, collective as a _nb call: this member has come; it goes on. wait returns when
 * all have, and ends the barrier; try stores whether all have, and ends the barrier if so. One at a time on a team. All
 * members whose name is not TESSERA_UNNAMED pass the same one: who finds that they do not, at the end, gets TESSERA_ERR_ARG,
 * as all do, and the barrier has ended all the same. Threads: one of a member's at a time. What was stored before notify
 * is visible after the end. TESSERA_ERR_STATE: notify while one is open; wait or try while none is. TESSERA_ERR_ARG:
 * over is NULL. */
#define TESSERA_UNNAMED INT64_MIN
TESSERA_API tessera_status_t tessera_barrier_notify(tessera_team_t team, int64_t name);
TESSERA_API tessera_status_t tessera_barrier_wait(tessera_team_t team);
TESSERA_API tessera_status_t tessera_barrier_try(tessera_team_t team, bool *over);

/* Copies `bytes` of the root's buffer to everybody's. */
TESSERA_API tessera_status_t tessera_bcast(tessera_team_t team, void *buffer, size_t bytes, int32_t root);
TESSERA_API tessera_status_t tessera_bcast_nb(tessera_team_t team, void *buffer, size_t bytes, int32_t root,
                                              tessera_request_t *request);

/* Copies `bytes` at send + i * bytes of the root, or counts[i] at send + offs[i], to member i's recv, which has `bytes`, the
 * same number. Only the root's send, counts and offs are read. In place: the root's recv; its share stays in send. */
TESSERA_API tessera_status_t tessera_scatter(tessera_team_t team, const void *send, void *recv, size_t bytes, int32_t root);
TESSERA_API tessera_status_t tessera_scatter_nb(tessera_team_t team, const void *send, void *recv, size_t bytes,
                                                int32_t root, tessera_request_t *request);
TESSERA_API tessera_status_t tessera_scatterv(tessera_team_t team, const void *send, const size_t counts[],
                                              const size_t offs[], void *recv, size_t bytes, int32_t root);
TESSERA_API tessera_status_t tessera_scatterv_nb(tessera_team_t team, const void *send, const size_t counts[],
                                                 const size_t offs[], void *recv, size_t bytes, int32_t root,
                                                 tessera_request_t *request);

/* Copies `bytes` of member i's send to recv + i * bytes of the root, or to recv + offs[i], where counts[i] is that number.
 * Only the root's recv, counts and offs are used. In place: the root's send; its share lies in recv already. */
TESSERA_API tessera_status_t tessera_gather(tessera_team_t team, const void *send, void *recv, size_t bytes, int32_t root);
TESSERA_API tessera_status_t tessera_gather_nb(tessera_team_t team, const void *send, void *recv, size_t bytes,
                                               int32_t root, tessera_request_t *request);
TESSERA_API tessera_status_t tessera_gatherv(tessera_team_t team, const void *send, size_t bytes, void *recv,
                                             const size_t counts[], const size_t offs[], int32_t root);
TESSERA_API tessera_status_t tessera_gatherv_nb(tessera_team_t team, const void *send, size_t bytes, void *recv,
                                                const size_t counts[], const size_t offs[], int32_t root,
                                                tessera_request_t *request);

/* The same to everybody's recv, with the same tables everywhere. In place: send, of any member. `bytes` of allgatherv in place
 * is not looked at. */
TESSERA_API tessera_status_t tessera_allgather(tessera_team_t team, const void *send, void *recv, size_t bytes);
TESSERA_API tessera_status_t tessera_allgather_nb(tessera_team_t team, const void *send, void *recv, size_t bytes,
                                                  tessera_request_t *request);
TESSERA_API tessera_status_t tessera_allgatherv(tessera_team_t team, const void *send, size_t bytes, void *recv,
                                                const size_t counts[], const size_t offs[]);
TESSERA_API tessera_status_t tessera_allgatherv_nb(tessera_team_t team, const void *send, size_t bytes, void *recv,
                                                   const size_t counts[], const size_t offs[],
                                                   tessera_request_t *request);

/* Copies, for each two members i and j, `bytes` at send + j * bytes of i to recv + i * bytes of j; or send_counts[j] at send +
 * send_offs[j] of i to recv + recv_offs[i] of j, where recv_counts[i] is the same number. In place: send; what is sent
 * lies as what is received, whose tables say both. That takes a private copy. */
TESSERA_API tessera_status_t tessera_alltoall(tessera_team_t team, const void *send, void *recv, size_t bytes);
TESSERA_API tessera_status_t tessera_alltoall_nb(tessera_team_t team, const void *send, void *recv, size_t bytes,
                                                 tessera_request_t *request);
TESSERA_API tessera_status_t tessera_alltoallv(tessera_team_t team, const void *send, const size_t send_counts[],
                                               const size_t send_offs[], void *recv, const size_t recv_counts[],
                                               const size_t recv_offs[]);
TESSERA_API tessera_status_t tessera_alltoallv_nb(tessera_team_t team, const void *send, const size_t send_counts[],
                                                  const size_t send_offs[], void *recv, const size_t recv_counts[],
                                                  const size_t recv_offs[], tessera_request_t *request);

/* Combine n elements of each member's send, element by element, into the root's recv, or everybody's. In place: send of who
 * receives; its elements lie in recv. */
TESSERA_API tessera_status_t tessera_reduce(tessera_team_t team, const void *send, void *recv, size_t n,
                                            tessera_reduction_t how, int32_t root);
TESSERA_API tessera_status_t tessera_reduce_nb(tessera_team_t team, const void *send, void *recv, size_t n,
                                               tessera_reduction_t how, int32_t root, tessera_request_t *request);
TESSERA_API tessera_status_t tessera_allreduce(tessera_team_t team, const void *send, void *recv, size_t n,
                                               tessera_reduction_t how);
TESSERA_API tessera_status_t tessera_allreduce_nb(tessera_team_t team, const void *send, void *recv, size_t n,
                                                  tessera_reduction_t how, tessera_request_t *request);

/* The same, where counts[i] elements of the result, one member's after another's, are for member i's recv; everybody passes
 * the same counts. In place: send; recv has room for all elements, and what lies behind the own part is undefined then. */
TESSERA_API tessera_status_t tessera_reduce_scatter(tessera_team_t team, const void *send, void *recv,
                                                    const size_t counts[], tessera_reduction_t how);
TESSERA_API tessera_status_t tessera_reduce_scatter_nb(tessera_team_t team, const void *send, void *recv,
                                                       const size_t counts[], tessera_reduction_t how,
                                                       tessera_request_t *request);

/* Combine n elements of the members up to the caller (scan) or before it (exscan: member 0's recv is not written, and may be
 * NULL). In place: send. */
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
