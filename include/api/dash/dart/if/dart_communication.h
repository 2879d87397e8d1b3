/* Communication: put, get and their completion; atomics; collectives; messages. */
#ifndef TESSERA_DART_COMMUNICATION_H
#define TESSERA_DART_COMMUNICATION_H

#include <dash/dart/if/dart_globmem.h>
#include <dash/dart/if/dart_types.h>
#include <dash/dart/if/dart_util.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Put and get -----------------------------------------------------------------------------------------------
 *
 * For all of them: Who: any unit of the pointer's team. Threads: any. Cost: inline on the own node, else one message
 * and its answer. `src_type` and `dst_type` describe the two sides (what is read, what is written).
 * Sizes: `nelem` counts elements of the base type (basic, or one custom type), which both sides have in common; nothing
 * is converted. Either side may be contiguous, strided or indexed: a strided type takes a multiple of its block length,
 * an indexed one of the elements of all its blocks. nelem 0 moves nothing, and the buffer may then be NULL.
 * Errors: DART_ERR_INVAL: a buffer is NULL, types that do not fit together or with nelem, a size beyond all memory, a
 * null pointer, an unknown team or segment, no such unit, or bytes outside the unit's part of the segment (nothing is
 * touched then).
 * No two operations are ordered. Access to the same bytes at the same time has no defined result, unless by atomics. */

/* Starts a get into `dest`. Return: nothing is complete before a flush. Owner: `dest` is the library's until then. */
TESSERA_DART_API dart_ret_t dart_get(void *dest, dart_gptr_t gptr, size_t nelem, dart_datatype_t src_type,
                                     dart_datatype_t dst_type) DART_NOTHROW;

/* Starts a put from `src`. Return: nothing is complete before a flush. Owner: `src` must not change until it is locally
 * complete. */
TESSERA_DART_API dart_ret_t dart_put(dart_gptr_t gptr, const void *src, size_t nelem, dart_datatype_t src_type,
                                     dart_datatype_t dst_type) DART_NOTHROW;

/* Gets into `dest`. Return: complete. It may be repeated until what another unit puts has arrived: the unit serves the
 * others meanwhile, as it does in a flush and an atomic, but not while it reads its memory itself. */
TESSERA_DART_API dart_ret_t dart_get_blocking(void *dest, dart_gptr_t gptr, size_t nelem, dart_datatype_t src_type,
                                              dart_datatype_t dst_type) DART_NOTHROW;

/* Puts from `src`. Return: locally and remotely complete. */
TESSERA_DART_API dart_ret_t dart_put_blocking(dart_gptr_t gptr, const void *src, size_t nelem,
                                              dart_datatype_t src_type, dart_datatype_t dst_type) DART_NOTHROW;

/* An operation under way. DART_HANDLE_NULL stands for one that is complete; every function on handles accepts it. */
typedef struct dart_handle_struct *dart_handle_t;
#define DART_HANDLE_NULL ((dart_handle_t)NULL)

/* Start a get and a put, and store a handle for them: DART_HANDLE_NULL when they are complete at once, as they are on
 * the own node. Return: nothing is complete before the handle is waited for, or a flush. Owner: the buffer as with
 * dart_get and dart_put; the handle is the caller's until a wait, a successful test or dart_handle_free.
 * Errors: DART_ERR_INVAL: also when handle is NULL; DART_ERR_NOMEM: too many handles; wait for some. */
TESSERA_DART_API dart_ret_t dart_get_handle(void *dest, dart_gptr_t gptr, size_t nelem, dart_datatype_t src_type,
                                            dart_datatype_t dst_type, dart_handle_t *handle) DART_NOTHROW;
TESSERA_DART_API dart_ret_t dart_put_handle(dart_gptr_t gptr, const void *src, size_t nelem,
                                            dart_datatype_t src_type, dart_datatype_t dst_type,
                                            dart_handle_t *handle) DART_NOTHROW;

/* ---- Completion ------------------------------------------------------------------------------------------------
 *
 * Flushes. Who: any unit of the pointer's team. Threads: any; what other threads start meanwhile is not waited for.
 * Cost: inline when nothing is under way; else until the slowest has answered. Of the pointer, dart_flush and
 * dart_flush_local read team, segment and unit, the others team and segment.
 * Errors: DART_ERR_INVAL: a null pointer, an unknown team or segment, or no such unit.
 * Contract: the published text completes what went to that segment; as with upstream, more than that may be completed.
 * */

/* Return: every earlier operation of this process on that unit is locally and remotely complete. */
TESSERA_DART_API dart_ret_t dart_flush(dart_gptr_t gptr) DART_NOTHROW;
/* The same for all units of the team. */
TESSERA_DART_API dart_ret_t dart_flush_all(dart_gptr_t gptr) DART_NOTHROW;
/* Return: every earlier operation of this process on that unit is locally complete. */
TESSERA_DART_API dart_ret_t dart_flush_local(dart_gptr_t gptr) DART_NOTHROW;
/* The same for all units of the team. */
TESSERA_DART_API dart_ret_t dart_flush_local_all(dart_gptr_t gptr) DART_NOTHROW;

/* Waits and tests. Who: the unit that has the handle. Sizes: `n` handles. Owner: what is complete becomes
 * DART_HANDLE_NULL and is no longer the caller's. Threads: any, one at a time on one handle. Cost: inline for
 * DART_HANDLE_NULL; a wait lasts as long as the slowest operation.
 * Errors: DART_ERR_INVAL: a handle is stale (waited for, tested or freed already) or none of ours; no handle has
 * changed then. A null pointer instead of a handle or an array stands for none, as upstream has it. */

/* Return: locally and remotely complete. */
TESSERA_DART_API dart_ret_t dart_wait(dart_handle_t *handle) DART_NOTHROW;
TESSERA_DART_API dart_ret_t dart_waitall(dart_handle_t handles[], size_t n) DART_NOTHROW;

/* Return: locally complete; the handles are gone, so that remote completion takes a flush. */
TESSERA_DART_API dart_ret_t dart_wait_local(dart_handle_t *handle) DART_NOTHROW;
TESSERA_DART_API dart_ret_t dart_waitall_local(dart_handle_t handles[], size_t n) DART_NOTHROW;

/* Store 1 when every one of the handles is locally and remotely complete, else 0 and leave all as they are. Return: at
 * once. Errors: DART_ERR_INVAL: also when the result is NULL. With n = 0 the result is 1. */
TESSERA_DART_API dart_ret_t dart_test(dart_handle_t *handle, int32_t *is_finished);
TESSERA_DART_API dart_ret_t dart_testall(dart_handle_t handles[], size_t n, int32_t *is_finished);

/* The same for local completion. */
TESSERA_DART_API dart_ret_t dart_test_local(dart_handle_t *handle, int32_t *is_finished) DART_NOTHROW;
TESSERA_DART_API dart_ret_t dart_testall_local(dart_handle_t handles[], size_t n, int32_t *is_finished) DART_NOTHROW;

/* Gives a handle up without waiting: the operation goes on, and a flush completes it. Owner: its buffers until then. */
TESSERA_DART_API dart_ret_t dart_handle_free(dart_handle_t *handle) DART_NOTHROW;

/* ---- Atomics ---------------------------------------------------------------------------------------------------
 *
 * Each element is updated atomically with respect to all atomics on the same type, from wherever they come. For all:
 * Who: any unit of the pointer's team. Sizes: elements of `dtype`, which is basic. Threads: any. Cost: inline on the
 * own node (floating point under a lock), else one message and its answer.
 * Errors: DART_ERR_INVAL: as for put and get, and: not a basic type; an operation that is not predefined, is
 * DART_OP_MINMAX, or is not defined for the type (logical and bitwise ones are for integers); an offset that is not a
 * multiple of the element's size. */

/* target[i] = target[i] op values[i]. Return: nothing is complete before a flush. Owner: `values` must not change until
 * it is locally complete. `values` may be NULL for DART_OP_NO_OP or nelem 0. */
TESSERA_DART_API dart_ret_t dart_accumulate(dart_gptr_t gptr, const void *values, size_t nelem, dart_datatype_t dtype,
                                            dart_operation_t op) DART_NOTHROW;

/* The same. Return: locally complete. */
TESSERA_DART_API dart_ret_t dart_accumulate_blocking_local(dart_gptr_t gptr, const void *values, size_t nelem,
                                                           dart_datatype_t dtype, dart_operation_t op) DART_NOTHROW;

/* One element: *result = target; target = target op *value. DART_OP_NO_OP reads (`value` may be NULL), DART_OP_REPLACE
 * swaps. Return: nothing is complete before a flush, which may be local. Owner: `value` and `result` are the library's
 * until then. */
TESSERA_DART_API dart_ret_t dart_fetch_and_op(dart_gptr_t gptr, const void *value, void *result, dart_datatype_t dtype,
                                              dart_operation_t op) DART_NOTHROW;

/* One element: *result = target; if it equals *compare, target = *value. Return and Owner: as dart_fetch_and_op.
 * Errors: DART_ERR_INVAL: also for floating point.
 * Contract: every integer type is accepted; upstream refuses DART_TYPE_ULONGLONG, by oversight. */
TESSERA_DART_API dart_ret_t dart_compare_and_swap(dart_gptr_t gptr, const void *value, const void *compare,
                                                  void *result, dart_datatype_t dtype) DART_NOTHROW;

/* ---- Collectives -----------------------------------------------------------------------------------------------
 *
 * For all: Who: every unit of the team, with the same counts, root and operation, and types of the same base, in the
 * same order. How a type spreads elements is each unit's own affair.
 * Sizes: elements of `dtype`, of its base where it is strided or indexed. Owner: buffers are the library's during the
 * call and do not overlap, except where it says in place; a buffer may be NULL when it has no elements. Return:
 * complete on this unit; only dart_barrier says anything about the others. Puts and gets under way are not completed:
 * flush first. Threads: one per team.
 * Cost: collective.
 * Strided and indexed types are taken by all (Contract: upstream refuses them): a buffer of several units' shares is
 * then laid out by one use of the type for all their elements, so that each share continues the pattern of the one
 * before. The next share begins, for nelem elements, nelem / blocklen strides behind (strided; a gap after the last
 * block included), or as many extents behind as nelem has instances (indexed). Between the blocks nothing is touched. A
 * reduction combines the elements that the type selects, in its order, by what is defined for its base: element i of
 * one unit with element i of the others, wherever each lies; an operation of the program gets them end to end. Buffers
 * with gaps pass through private copies, one of what is sent and one of what is received: that takes as much private
 * memory as both have elements, and the time to copy each element once more.
 * Errors: DART_ERR_INVAL: an unknown team, a type that is not live or does not fit, nelem that is not a whole number of
 * blocks or instances, a NULL buffer, no such root, a size beyond all memory, an operation that is not defined for the
 * type. DART_ERR_NOMEM: no private memory. */

/* Return: every unit of the team has called it, and what each had stored in its own global memory before is visible to
 * the others' loads and gets. */
TESSERA_DART_API dart_ret_t dart_barrier(dart_team_t team) DART_NOTHROW;

/* Copies nelem elements from the root's `buf` into everybody's. */
TESSERA_DART_API dart_ret_t dart_bcast(void *buf, size_t nelem, dart_datatype_t dtype, dart_team_unit_t root,
                                       dart_team_t team) DART_NOTHROW;

/* Copies nelem elements for each unit, in the order of units, from the root's `sendbuf` into each one's `recvbuf`.
 * Other units may pass NULL for sendbuf. */
TESSERA_DART_API dart_ret_t dart_scatter(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype,
                                         dart_team_unit_t root, dart_team_t team) DART_NOTHROW;

/* Copies nelem elements from each unit, in the order of units, into the root's `recvbuf`. Other units may pass NULL for
 * recvbuf. */
TESSERA_DART_API dart_ret_t dart_gather(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype,
                                        dart_team_unit_t root, dart_team_t team) DART_NOTHROW;

/* Copies nelem elements from each unit, in the order of units, into everybody's `recvbuf`. In place, with the own share
 * where it belongs in recvbuf already, when sendbuf is NULL or equals recvbuf. */
TESSERA_DART_API dart_ret_t dart_allgather(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype,
                                           dart_team_t team) DART_NOTHROW;

/* Copies nrecvelem[i] elements from each unit i to recvbuf + recvdispls[i] elements, everywhere. `nsendelem` is the own
 * entry of nrecvelem; in place as dart_allgather, nsendelem being ignored then. With a strided or indexed type each
 * number and each displacement is a whole number of blocks or instances. */
TESSERA_DART_API dart_ret_t dart_allgatherv(const void *sendbuf, size_t nsendelem, dart_datatype_t dtype, void *recvbuf,
                                            const size_t *nrecvelem, const size_t *recvdispls,
                                            dart_team_t teamid) DART_NOTHROW;

/* Combines nelem elements of each unit, element by element, into everybody's `recvbuf`; sendbuf may equal recvbuf.
 * DART_OP_MINMAX combines pairs, the smallest at even and the largest at odd places among the elements; nelem is then
 * even. An operation of dart_op_create combines elements of the type that it was made for, and of types that have it as
 * their base; custom types take no other. */
TESSERA_DART_API dart_ret_t dart_allreduce(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype,
                                           dart_operation_t op, dart_team_t team) DART_NOTHROW;

/* The same, into the root's `recvbuf` only; other units may pass NULL for it. */
TESSERA_DART_API dart_ret_t dart_reduce(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype,
                                        dart_operation_t op, dart_team_unit_t root, dart_team_t team) DART_NOTHROW;

/* Copies, for each pair of units i and j, nelem elements from block j of i's `sendbuf` to block i of j's `recvbuf`. In
 * place when sendbuf is NULL or equals recvbuf; this takes a private copy. */
TESSERA_DART_API dart_ret_t dart_alltoall(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype,
                                          dart_team_t team) DART_NOTHROW;

/* ---- Messages --------------------------------------------------------------------------------------------------
 *
 * Two-sided: a receive takes the first message of its unit and tag that has not been received, in the order in which
 * that unit sent them. For all: Who: the two units, by their numbers in DART_TEAM_ALL. Sizes: elements, of a derived type
 * as with put and get; a message is their bytes end to end, nothing is converted. Owner: buffers are the library's during the call and do not overlap; one
 * may be NULL when it has no elements. Threads: any; of several that use the same tag towards the same unit at the same
 * time, the order is not defined. Cost: one message; a long one takes an answer before its data moves.
 * Tags: 0 to INT_MAX. Nothing else in the library uses them.
 * Errors: DART_ERR_INVAL: no such unit, a negative tag, no such type, a NULL buffer, a size beyond all memory;
 * nothing is sent or received then. DART_ERR_NOMEM: no memory to pack scattered elements, or to follow one more long
 * message; likewise.
 * Contract: a message may be shorter than its receive, which leaves the rest of the buffer alone; how long it was is not
 * told. */

/* Sends. Return: `sendbuf` may be reused. Up to 512 bytes that does not depend on the receiver, unless it makes no call
 * into the library while messages to it pile up; beyond, count on a return only once the receive has started. So two
 * units that both send first and receive then need dart_sendrecv, and so does a unit that sends to itself. */
TESSERA_DART_API dart_ret_t dart_send(const void *sendbuf, size_t nelem, dart_datatype_t dtype, int tag,
                                      dart_global_unit_t unit) DART_NOTHROW;

/* Receives at most nelem elements. Return: the message is in `recvbuf`. Errors: DART_ERR_INVAL: also when the message is
 * longer; its first nelem elements are there then, the rest is dropped, and its sender returns as usual. */
TESSERA_DART_API dart_ret_t dart_recv(void *recvbuf, size_t nelem, dart_datatype_t dtype, int tag,
                                      dart_global_unit_t unit) DART_NOTHROW;

/* Sends to `dest` and receives from `src` at the same time; either may be the caller. Return and Errors: as dart_send and
 * dart_recv together. */
TESSERA_DART_API dart_ret_t dart_sendrecv(const void *sendbuf, size_t send_nelem, dart_datatype_t send_dtype,
                                          int send_tag, dart_global_unit_t dest, void *recvbuf, size_t recv_nelem,
                                          dart_datatype_t recv_dtype, int recv_tag,
                                          dart_global_unit_t src) DART_NOTHROW;

#ifdef __cplusplus
}
#endif
#endif
