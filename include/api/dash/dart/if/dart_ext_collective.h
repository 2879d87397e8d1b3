/* Collectives beyond the published interface: with counts, scans, split-phase barriers, and non-blocking collectives.
 * An extension by Tessera. */
#ifndef TESSERA_DART_EXT_COLLECTIVE_H
#define TESSERA_DART_EXT_COLLECTIVE_H

#include <stddef.h>
#include <stdint.h>

#include <dash/dart/if/dart_communication.h>
#include <dash/dart/if/dart_types.h>
#include <dash/dart/if/dart_util.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Further collectives ---------------------------------------------------------------------------------------
 *
 * The rules of the collectives in dart_communication.h apply here, too, except for errors. A unit that finds its
 * arguments wrong gets DART_ERR_INVAL. The job then ends with a message that names this unit, unless all units pass
 * wrong arguments in that call, because then no unit can wait for another. Sizes and displacements are size_t, so
 * nothing is limited to INT_MAX.
 * With TESSERA_CHECK=1, if units make different calls, or calls with different sizes, roots or operations, the job
 * ends with a message that names two of them. Without it, the job ends if a message has an unexpected size, or
 * belongs to another call.
 * Reductions combine in the order of units if the operation does not commute. */

/* For each unit i, copies nsendelem[i] elements from the root's sendbuf, at displacement senddispls[i] in elements,
 * to unit i's `recvbuf`, which has room for the same number, nrecvelem. Only the root's sendbuf, nsendelem and
 * senddispls are read. If the root's recvbuf is NULL or equals sendbuf, the root's own part stays in place. Arrays
 * of counts and displacements are read during the call. Units without elements must call, too. */
TESSERA_DART_API dart_ret_t dart_scatterv(const void *sendbuf, const size_t *nsendelem, const size_t *senddispls,
                                          dart_datatype_t dtype, void *recvbuf, size_t nrecvelem, dart_team_unit_t root,
                                          dart_team_t team) DART_NOTHROW;

/* Copies nsendelem elements of each unit i to the root's recvbuf, at displacement recvdispls[i] in elements;
 * nrecvelem[i] is the same number. Only the root's recvbuf, nrecvelem and recvdispls are used. If the root's
 * sendbuf is NULL or equals recvbuf, the root's own part is already in place. Otherwise as dart_scatterv. */
TESSERA_DART_API dart_ret_t dart_gatherv(const void *sendbuf, size_t nsendelem, dart_datatype_t dtype, void *recvbuf,
                                         const size_t *nrecvelem, const size_t *recvdispls, dart_team_unit_t root,
                                         dart_team_t team) DART_NOTHROW;

/* Combines the units' `sendbuf`, element by element, and stores one part of the result in each unit's `recvbuf`, in
 * the order of units: nelem elements for each unit (_block), or nelem[i] for unit i. With a strided or indexed type a
 * part is a whole number of blocks or instances. In sendbuf each part continues the pattern of the one before; in
 * recvbuf the pattern begins with the part. sendbuf may equal recvbuf: the elements after the caller's own part are
 * then undefined afterwards. */
TESSERA_DART_API dart_ret_t dart_reduce_scatter_block(const void *sendbuf, void *recvbuf, size_t nelem,
                                                      dart_datatype_t dtype, dart_operation_t op,
                                                      dart_team_t team) DART_NOTHROW;
TESSERA_DART_API dart_ret_t dart_reduce_scatter(const void *sendbuf, void *recvbuf, const size_t *nelem,
                                                dart_datatype_t dtype, dart_operation_t op,
                                                dart_team_t team) DART_NOTHROW;

/* Combines nelem elements, element by element, of all units up to and including this one (scan), or before this one
 * (exscan). In exscan unit 0's recvbuf is not written, and may be NULL. sendbuf may equal recvbuf. */
TESSERA_DART_API dart_ret_t dart_scan(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype,
                                      dart_operation_t op, dart_team_t team) DART_NOTHROW;
TESSERA_DART_API dart_ret_t dart_exscan(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype,
                                        dart_operation_t op, dart_team_t team) DART_NOTHROW;

/* A split-phase barrier with a name. dart_barrier_notify announces that this unit has arrived, and returns at once.
 * dart_barrier_wait returns when all units have arrived, and ends the barrier. dart_barrier_try stores in *over
 * whether all have arrived (1 or 0), and ends the barrier if so. What a unit stored before notify is visible to all
 * others after the end. A team has one such barrier open at a time. Who: as the non-blocking collectives below; it
 * may be mixed with all others.
 * Names are from INT64_MIN + 2 to INT64_MAX - 1; others are DART_ERR_INVAL.
 * All units whose name is not DART_BARRIER_UNNAMED pass the same name. If they do not, all units get DART_ERR_INVAL
 * at the end, with a message that gives the range of the names, and the barrier has ended all the same.
 * DART_ERR_INVAL: also notify while a barrier is open, wait or try while none is open, or over is NULL. */
#define DART_BARRIER_UNNAMED INT64_MIN
TESSERA_DART_API dart_ret_t dart_barrier_notify(dart_team_t team, int64_t name) DART_NOTHROW;
TESSERA_DART_API dart_ret_t dart_barrier_wait(dart_team_t team) DART_NOTHROW;
TESSERA_DART_API dart_ret_t dart_barrier_try(dart_team_t team, int32_t *over) DART_NOTHROW;

/* ---- Non-blocking collectives ----------------------------------------------------------------------------------
 *
 * Each function starts the collective of the same name and stores a handle for dart_wait, dart_test and the other
 * functions on handles, or DART_HANDLE_NULL if this unit's part is complete at once. Local and full waits are the
 * same. For all: Who: every unit of the team. The non-blocking collectives of a team and the collectives above form
 * one sequence, which all units call in the same order. The blocking collectives of dart_communication.h form another
 * sequence; how the two interleave may differ between units. Any number may be under way on one team, and they
 * complete in any order. A unit's part progresses whenever the unit waits for anything or makes a call. Between nodes
 * a progress thread progresses it while the unit computes, unless TESSERA_PROGRESS is none. On one node, a unit that
 * makes no calls may delay the others: call dart_test now and then.
 * Owner: buffers belong to the library until the handle is complete; receive buffers must not be read before.
 * Arrays of counts and displacements, types and operations may be reused on return. The handle is the caller's until
 * a wait, a successful test, or dart_handle_free; the collective continues after the last. dart_team_destroy and
 * dart_exit wait for all collectives started on the team. Flushes do not.
 * Threads: one thread at a time starts collectives on a team. Any thread that makes progress may run a user's
 * operation.
 * Errors: as above; DART_ERR_INVAL: also a handle argument of NULL; DART_ERR_NOMEM: too many handles. */

TESSERA_DART_API dart_ret_t dart_ibarrier(dart_team_t team, dart_handle_t *handle) DART_NOTHROW;
TESSERA_DART_API dart_ret_t dart_ibcast(void *buf, size_t nelem, dart_datatype_t dtype, dart_team_unit_t root,
                                        dart_team_t team, dart_handle_t *handle) DART_NOTHROW;
TESSERA_DART_API dart_ret_t dart_iscatter(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype,
                                          dart_team_unit_t root, dart_team_t team,
                                          dart_handle_t *handle) DART_NOTHROW;
TESSERA_DART_API dart_ret_t dart_iscatterv(const void *sendbuf, const size_t *nsendelem, const size_t *senddispls,
                                           dart_datatype_t dtype, void *recvbuf, size_t nrecvelem,
                                           dart_team_unit_t root, dart_team_t team,
                                           dart_handle_t *handle) DART_NOTHROW;
TESSERA_DART_API dart_ret_t dart_igather(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype,
                                         dart_team_unit_t root, dart_team_t team, dart_handle_t *handle) DART_NOTHROW;
TESSERA_DART_API dart_ret_t dart_igatherv(const void *sendbuf, size_t nsendelem, dart_datatype_t dtype, void *recvbuf,
                                          const size_t *nrecvelem, const size_t *recvdispls, dart_team_unit_t root,
                                          dart_team_t team, dart_handle_t *handle) DART_NOTHROW;
TESSERA_DART_API dart_ret_t dart_iallgather(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype,
                                            dart_team_t team, dart_handle_t *handle) DART_NOTHROW;
TESSERA_DART_API dart_ret_t dart_iallgatherv(const void *sendbuf, size_t nsendelem, dart_datatype_t dtype,
                                             void *recvbuf, const size_t *nrecvelem, const size_t *recvdispls,
                                             dart_team_t team, dart_handle_t *handle) DART_NOTHROW;
TESSERA_DART_API dart_ret_t dart_ialltoall(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype,
                                           dart_team_t team, dart_handle_t *handle) DART_NOTHROW;
TESSERA_DART_API dart_ret_t dart_ialltoallv(const void *sendbuf, const size_t *nsendelem, const size_t *senddispls,
                                            dart_datatype_t dtype, void *recvbuf, const size_t *nrecvelem,
                                            const size_t *recvdispls, dart_team_t team,
                                            dart_handle_t *handle) DART_NOTHROW;
TESSERA_DART_API dart_ret_t dart_ireduce(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype,
                                         dart_operation_t op, dart_team_unit_t root, dart_team_t team,
                                         dart_handle_t *handle) DART_NOTHROW;
TESSERA_DART_API dart_ret_t dart_iallreduce(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype,
                                            dart_operation_t op, dart_team_t team,
                                            dart_handle_t *handle) DART_NOTHROW;
TESSERA_DART_API dart_ret_t dart_ireduce_scatter_block(const void *sendbuf, void *recvbuf, size_t nelem,
                                                       dart_datatype_t dtype, dart_operation_t op, dart_team_t team,
                                                       dart_handle_t *handle) DART_NOTHROW;
TESSERA_DART_API dart_ret_t dart_ireduce_scatter(const void *sendbuf, void *recvbuf, const size_t *nelem,
                                                 dart_datatype_t dtype, dart_operation_t op, dart_team_t team,
                                                 dart_handle_t *handle) DART_NOTHROW;
TESSERA_DART_API dart_ret_t dart_iscan(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype,
                                       dart_operation_t op, dart_team_t team, dart_handle_t *handle) DART_NOTHROW;
TESSERA_DART_API dart_ret_t dart_iexscan(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype,
                                         dart_operation_t op, dart_team_t team, dart_handle_t *handle) DART_NOTHROW;

#ifdef __cplusplus
}
#endif
#endif
