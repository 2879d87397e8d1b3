/* Collectives beyond the published interface: with counts, scans, non-blocking. An extension by Tessera. */
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
 * What the collectives of dart_communication.h say holds here too, but for this. Errors: as there; a unit that finds its
 * arguments wrong gets DART_ERR_INVAL, and the job ends with a message that names it, unless all units pass wrong
 * arguments in that call: nobody can wait for it then. Sizes and displacements are size_t: nothing ends at INT_MAX.
 * With TESSERA_CHECK=1 units that make different calls, or with different sizes, roots or operations, end the job with a
 * message that names two of them; without it a message does that comes with another size than is expected, or is of another
 * call.
 * Reductions combine in the order of units where the operation does not commute. */

/* Copies nsendelem[i] elements at sendbuf + senddispls[i] elements of the root into unit i's `recvbuf`, which has room for
 * nrecvelem: the same number. Only the root's sendbuf, nsendelem and senddispls are read. When the root's recvbuf is NULL
 * or equals sendbuf its own share stays where it is. Tables are read during the call. Units without elements take part. */
TESSERA_DART_API dart_ret_t dart_scatterv(const void *sendbuf, const size_t *nsendelem, const size_t *senddispls,
                                          dart_datatype_t dtype, void *recvbuf, size_t nrecvelem, dart_team_unit_t root,
                                          dart_team_t team) DART_NOTHROW;

/* Copies nsendelem elements of each unit i to the root's recvbuf + recvdispls[i] elements, where nrecvelem[i] is the same
 * number. Only the root's recvbuf, nrecvelem and recvdispls are used. When the root's sendbuf is NULL or equals recvbuf
 * its own share is in its place already. Otherwise as dart_scatterv. */
TESSERA_DART_API dart_ret_t dart_gatherv(const void *sendbuf, size_t nsendelem, dart_datatype_t dtype, void *recvbuf,
                                         const size_t *nrecvelem, const size_t *recvdispls, dart_team_unit_t root,
                                         dart_team_t team) DART_NOTHROW;

/* Copies, for each pair of units i and j, nsendelem[j] elements at sendbuf + senddispls[j] elements of i to recvbuf +
 * recvdispls[i] elements of j, where nrecvelem[i] is the same number. In place when sendbuf is NULL or equals recvbuf: the
 * tables of what is received then say what is sent, too; this takes a private copy. */
TESSERA_DART_API dart_ret_t dart_alltoallv(const void *sendbuf, const size_t *nsendelem, const size_t *senddispls,
                                           dart_datatype_t dtype, void *recvbuf, const size_t *nrecvelem,
                                           const size_t *recvdispls, dart_team_t team) DART_NOTHROW;

/* Combines the units' `sendbuf`, element by element, and gives each unit its part of the result in `recvbuf`: nelem
 * elements for each unit, in the order of units (_block), or nelem[i] for unit i. With a strided or indexed type that
 * is whole blocks or instances; in sendbuf each part continues the pattern of the one before, in recvbuf it begins it.
 * sendbuf may equal recvbuf: the elements behind the own part are undefined afterwards. */
TESSERA_DART_API dart_ret_t dart_reduce_scatter_block(const void *sendbuf, void *recvbuf, size_t nelem,
                                                      dart_datatype_t dtype, dart_operation_t op,
                                                      dart_team_t team) DART_NOTHROW;
TESSERA_DART_API dart_ret_t dart_reduce_scatter(const void *sendbuf, void *recvbuf, const size_t *nelem,
                                                dart_datatype_t dtype, dart_operation_t op,
                                                dart_team_t team) DART_NOTHROW;

/* Combines nelem elements, element by element, of the units up to this one (scan), or before this one (exscan: unit 0's
 * recvbuf is not touched, and may be NULL). sendbuf may equal recvbuf. */
TESSERA_DART_API dart_ret_t dart_scan(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype,
                                      dart_operation_t op, dart_team_t team) DART_NOTHROW;
TESSERA_DART_API dart_ret_t dart_exscan(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype,
                                        dart_operation_t op, dart_team_t team) DART_NOTHROW;

/* A barrier in two halves, with a name. notify: this unit has come; it goes on. wait returns when all units have, and ends the
 * barrier; try stores in *over whether all have (1 or 0), and ends the barrier if so. One at a time on a team. Who: as the
 * non-blocking collectives below, and mixes with all others. What was stored before notify is visible after the end. All
 * units whose name is not DART_BARRIER_UNNAMED pass the same one: else all get DART_ERR_INVAL at the end, with a message
 * that tells between which names they were, and the barrier has ended all the same. DART_ERR_INVAL: also notify while one is
 * open, wait or try while none is, over is NULL. */
#define DART_BARRIER_UNNAMED INT64_MIN
TESSERA_DART_API dart_ret_t dart_barrier_notify(dart_team_t team, int64_t name) DART_NOTHROW;
TESSERA_DART_API dart_ret_t dart_barrier_wait(dart_team_t team) DART_NOTHROW;
TESSERA_DART_API dart_ret_t dart_barrier_try(dart_team_t team, int32_t *over) DART_NOTHROW;

/* ---- Non-blocking collectives ----------------------------------------------------------------------------------
 *
 * Each starts the collective of the same name and stores a handle, for dart_wait, dart_test and their relatives;
 * DART_HANDLE_NULL when this unit's part is complete at once. A local wait is a wait. For all: Who: every unit of the team,
 * in the same order among the team's non-blocking collectives and those above. They and the blocking ones of
 * dart_communication.h may be in any order to each other. Any number may be under way on one team, and they complete in
 * any order. A unit's part goes on whenever the unit waits for anything or calls in; between nodes a progress thread
 * takes it while the unit computes, unless TESSERA_PROGRESS is none. A unit of one node that waits for nothing may keep
 * others waiting: dart_test now and then helps.
 * Owner: buffers are the library's until the handle is complete, and may not be read either when they receive; tables of
 * counts and displacements, types and operations are free on return. The handle is the caller's until a wait, a successful
 * test, or dart_handle_free, after which the collective goes on. dart_team_destroy and dart_exit wait for all that
 * was started on the team. Flushes do not.
 * Threads: one starts collectives on a team at a time. A user's operation runs in whatever thread makes progress.
 * Errors: as above; DART_ERR_INVAL: also when handle is NULL; DART_ERR_NOMEM: too many handles. */

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
