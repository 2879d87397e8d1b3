/* Communication: put and get, completion, atomics, collectives, messages. */
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
 * For all of them: Who: any unit of the pointer's team. Threads: any. Cost: inline on the caller's node, else one
 * message and its answer. `src_type` describes the side that is read, and `dst_type` the side that is written.
 * Sizes: `nelem` counts elements of the base type (basic, or one custom type), which both sides must have in common;
 * nothing is converted. Each side may be contiguous, strided or indexed. nelem is a multiple of the block length of a
 * strided type, and of the total number of elements of an indexed type. nelem 0 moves nothing, and the buffer may
 * then be NULL.
 * Errors: DART_ERR_INVAL: a buffer is NULL, types that do not match each other or nelem, a size beyond all memory, a
 * null pointer, an unknown team or segment, no such unit, or bytes outside the unit's part of the segment. Nothing is
 * then accessed, except by a contiguous dart_get_blocking that goes on into the next units' parts: it gets the first part.
 * No two operations are ordered. Concurrent access to the same bytes has no defined result, except by atomics. */

/* Starts a get into `dest`. Return: nothing is complete before a flush. Owner: `dest` belongs to the library until
 * then. */
TESSERA_DART_API dart_ret_t dart_get(void *dest, dart_gptr_t gptr, size_t nelem, dart_datatype_t src_type,
                                     dart_datatype_t dst_type) DART_NOTHROW;

/* Starts a put from `src`. Return: nothing is complete before a flush. Owner: `src` must not change until the put is
 * locally complete. */
TESSERA_DART_API dart_ret_t dart_put(dart_gptr_t gptr, const void *src, size_t nelem, dart_datatype_t src_type,
                                     dart_datatype_t dst_type) DART_NOTHROW;

/* Gets into `dest`. Return: complete. A unit may repeat the call to wait for data that another unit puts: the call
 * serves requests of other units, as a flush and an atomic do. A loop of plain loads does not serve them. */
TESSERA_DART_API dart_ret_t dart_get_blocking(void *dest, dart_gptr_t gptr, size_t nelem, dart_datatype_t src_type,
                                              dart_datatype_t dst_type) DART_NOTHROW;

/* Puts from `src`. Return: locally and remotely complete. */
TESSERA_DART_API dart_ret_t dart_put_blocking(dart_gptr_t gptr, const void *src, size_t nelem,
                                              dart_datatype_t src_type, dart_datatype_t dst_type) DART_NOTHROW;

/* A handle of an operation under way. DART_HANDLE_NULL stands for a complete one; every function on handles accepts
 * it. */
typedef struct dart_handle_struct *dart_handle_t;
#define DART_HANDLE_NULL ((dart_handle_t)NULL)

/* Start a get or a put and store its handle. The handle is DART_HANDLE_NULL if the operation is complete at once, as
 * it is on the caller's node. Return: nothing is complete before a wait for the handle, or a flush. Owner: the buffer
 * as with dart_get and dart_put; the handle is the caller's until a wait, a successful test or dart_handle_free.
 * Errors: DART_ERR_INVAL: also a handle argument of NULL; DART_ERR_NOMEM: too many handles; wait for some. */
TESSERA_DART_API dart_ret_t dart_get_handle(void *dest, dart_gptr_t gptr, size_t nelem, dart_datatype_t src_type,
                                            dart_datatype_t dst_type, dart_handle_t *handle) DART_NOTHROW;
TESSERA_DART_API dart_ret_t dart_put_handle(dart_gptr_t gptr, const void *src, size_t nelem,
                                            dart_datatype_t src_type, dart_datatype_t dst_type,
                                            dart_handle_t *handle) DART_NOTHROW;

/* ---- Completion ------------------------------------------------------------------------------------------------
 *
 * Flushes. Who: any unit of the pointer's team. Threads: any; a flush does not wait for operations that other threads
 * start meanwhile. Cost: inline if nothing is under way, otherwise the time until the slowest target has answered.
 * dart_flush and dart_flush_local read team, segment and unit of the pointer; the others read team and segment.
 * Errors: DART_ERR_INVAL: a null pointer, an unknown team or segment, or no such unit.
 * Contract: the published text completes operations on that segment; as in upstream, more operations may be
 * completed. */

/* Return: every earlier operation of this process on that unit is locally and remotely complete. */
TESSERA_DART_API dart_ret_t dart_flush(dart_gptr_t gptr) DART_NOTHROW;
/* As dart_flush, for all units of the team. */
TESSERA_DART_API dart_ret_t dart_flush_all(dart_gptr_t gptr) DART_NOTHROW;
/* Return: every earlier operation of this process on that unit is locally complete. */
TESSERA_DART_API dart_ret_t dart_flush_local(dart_gptr_t gptr) DART_NOTHROW;
/* As dart_flush_local, for all units of the team. */
TESSERA_DART_API dart_ret_t dart_flush_local_all(dart_gptr_t gptr) DART_NOTHROW;

/* Waits and tests. Who: the unit that has the handle. Sizes: `n` handles. Owner: a handle whose operation is complete
 * becomes DART_HANDLE_NULL and is no longer the caller's. Threads: any, but one at a time on one handle. Cost: inline
 * for DART_HANDLE_NULL; a wait lasts as long as the slowest operation.
 * Errors: DART_ERR_INVAL: a handle is stale (already waited for, tested or freed), or was not made by this library;
 * no handle has then changed. As in upstream, a null pointer instead of a handle or an array stands for no handles. */

/* Return: locally and remotely complete. */
TESSERA_DART_API dart_ret_t dart_wait(dart_handle_t *handle) DART_NOTHROW;
TESSERA_DART_API dart_ret_t dart_waitall(dart_handle_t handles[], size_t n) DART_NOTHROW;

/* Return: locally complete. The handles are invalid afterwards, so only a flush can complete the operations remotely.
 */
TESSERA_DART_API dart_ret_t dart_wait_local(dart_handle_t *handle) DART_NOTHROW;
TESSERA_DART_API dart_ret_t dart_waitall_local(dart_handle_t handles[], size_t n) DART_NOTHROW;

/* Store 1 if all handles are locally and remotely complete; otherwise store 0 and change no handle. Return: at once.
 * Errors: DART_ERR_INVAL: also a result argument of NULL. With n = 0 the result is 1. */
TESSERA_DART_API dart_ret_t dart_test(dart_handle_t *handle, int32_t *is_finished);
TESSERA_DART_API dart_ret_t dart_testall(dart_handle_t handles[], size_t n, int32_t *is_finished);

/* As the tests above, for local completion. */
TESSERA_DART_API dart_ret_t dart_test_local(dart_handle_t *handle, int32_t *is_finished) DART_NOTHROW;
TESSERA_DART_API dart_ret_t dart_testall_local(dart_handle_t handles[], size_t n, int32_t *is_finished) DART_NOTHROW;

/* Gives up a handle without waiting: the operation continues, and a flush completes it. Owner: its buffers belong to
 * the library until then. */
TESSERA_DART_API dart_ret_t dart_handle_free(dart_handle_t *handle) DART_NOTHROW;

/* ---- Atomics ---------------------------------------------------------------------------------------------------
 *
 * Each element is updated atomically with respect to all atomics on the same type, from any unit. For all: Who: any
 * unit of the pointer's team. Sizes: elements of `dtype`, which must be basic. Threads: any. Cost: inline on the
 * caller's node (floating point under a lock), otherwise one message and its answer.
 * Errors: DART_ERR_INVAL: as for put and get, and also: a type that is not basic; an operation that is not
 * predefined, is DART_OP_MINMAX, or is not defined for the type (logical and bitwise operations are for integers); an
 * offset that is not a multiple of the element's size. */

/* Updates target[i] = target[i] op values[i]. Return: nothing is complete before a flush. Owner: `values` must not
 * change until the operation is locally complete. `values` may be NULL for DART_OP_NO_OP or nelem 0. */
TESSERA_DART_API dart_ret_t dart_accumulate(dart_gptr_t gptr, const void *values, size_t nelem, dart_datatype_t dtype,
                                            dart_operation_t op) DART_NOTHROW;

/* As dart_accumulate. Return: locally complete. */
TESSERA_DART_API dart_ret_t dart_accumulate_blocking_local(dart_gptr_t gptr, const void *values, size_t nelem,
                                                           dart_datatype_t dtype, dart_operation_t op) DART_NOTHROW;

/* For one element: *result = target, then target = target op *value. DART_OP_NO_OP reads (`value` may be NULL);
 * DART_OP_REPLACE swaps. Return: nothing is complete before a flush; a local flush is sufficient. Owner: `value` and
 * `result` belong to the library until then. */
TESSERA_DART_API dart_ret_t dart_fetch_and_op(dart_gptr_t gptr, const void *value, void *result, dart_datatype_t dtype,
                                              dart_operation_t op) DART_NOTHROW;

/* For one element: *result = target, then target = *value if the old value equals *compare. Return and Owner: as
 * dart_fetch_and_op. Errors: DART_ERR_INVAL: also for floating point.
 * Contract: every integer type is accepted; upstream rejects DART_TYPE_ULONGLONG, by oversight. */
TESSERA_DART_API dart_ret_t dart_compare_and_swap(dart_gptr_t gptr, const void *value, const void *compare,
                                                  void *result, dart_datatype_t dtype) DART_NOTHROW;

/* ---- Collectives -----------------------------------------------------------------------------------------------
 *
 * For all: Who: every unit of the team, in the same order, with the same counts, root and operation, and with types
 * of the same base. The layout of a type may differ between units.
 * Sizes: elements of `dtype`, or of its base if it is strided or indexed. Owner: buffers belong to the library during
 * the call and must not overlap, except where a function allows in-place use; a buffer without elements may be NULL.
 * Return: complete on this unit; only dart_barrier says anything about other units. Collectives do not complete puts
 * and gets: flush first. Threads: one per team. Cost: collective.
 * Strided and indexed types (Contract: upstream rejects them): a buffer that holds the parts of several units is laid
 * out by one use of the type for all elements, so that each part continues the pattern of the one before. For parts
 * of nelem elements the next part begins nelem / blocklen strides later (strided; this includes the gap after the
 * last block), or one extent per instance later (indexed). The gaps are not accessed. A reduction combines the
 * elements that the type selects, in its order, by the operation for its base: element i of one unit with element i
 * of the others, wherever each lies; an operation of the program gets contiguous elements. Buffers with gaps are
 * copied to private memory, one copy of the sent and one of the received elements; this takes that much memory, and
 * one more copy of each element.
 * Errors: DART_ERR_INVAL: an unknown team; a type that is not live or does not match; nelem that is not a whole
 * number of blocks or instances; a NULL buffer; no such root; a size beyond all memory; an operation that is not
 * defined for the type. DART_ERR_NOMEM: no private memory. */

/* Return: every unit of the team has called it. Loads and gets of other units see everything that a unit stored in
 * its own global memory before it called. */
TESSERA_DART_API dart_ret_t dart_barrier(dart_team_t team) DART_NOTHROW;

/* Copies nelem elements from the root's `buf` to the `buf` of every unit. */
TESSERA_DART_API dart_ret_t dart_bcast(void *buf, size_t nelem, dart_datatype_t dtype, dart_team_unit_t root,
                                       dart_team_t team) DART_NOTHROW;

/* Copies nelem elements for each unit, in the order of units, from the root's `sendbuf` to the unit's `recvbuf`.
 * Other units than the root may pass NULL for sendbuf. */
TESSERA_DART_API dart_ret_t dart_scatter(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype,
                                         dart_team_unit_t root, dart_team_t team) DART_NOTHROW;

/* Copies nelem elements from each unit, in the order of units, to the root's `recvbuf`. Other units than the root may
 * pass NULL for recvbuf. */
TESSERA_DART_API dart_ret_t dart_gather(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype,
                                        dart_team_unit_t root, dart_team_t team) DART_NOTHROW;

/* Copies nelem elements from each unit, in the order of units, to the `recvbuf` of every unit. In place if sendbuf is
 * NULL or equals recvbuf: the caller's part is then already at its place in recvbuf. */
TESSERA_DART_API dart_ret_t dart_allgather(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype,
                                           dart_team_t team) DART_NOTHROW;

/* Copies nrecvelem[i] elements from each unit i to recvbuf + recvdispls[i] elements on every unit. `nsendelem` equals
 * the caller's entry of nrecvelem. In place as dart_allgather; nsendelem is then ignored. With a strided or indexed
 * type each count and each displacement is a whole number of blocks or instances. */
TESSERA_DART_API dart_ret_t dart_allgatherv(const void *sendbuf, size_t nsendelem, dart_datatype_t dtype, void *recvbuf,
                                            const size_t *nrecvelem, const size_t *recvdispls,
                                            dart_team_t teamid) DART_NOTHROW;

/* Combines nelem elements of each unit, element by element, into the `recvbuf` of every unit; sendbuf may equal
 * recvbuf. DART_OP_MINMAX combines pairs: minima at even and maxima at odd positions; nelem must be even. An
 * operation of dart_op_create combines elements of the type that it was made for, and of types with that base; custom
 * types accept no other operation. */
TESSERA_DART_API dart_ret_t dart_allreduce(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype,
                                           dart_operation_t op, dart_team_t team) DART_NOTHROW;

/* As dart_allreduce, but into the root's `recvbuf` only; other units may pass NULL for it. */
TESSERA_DART_API dart_ret_t dart_reduce(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype,
                                        dart_operation_t op, dart_team_unit_t root, dart_team_t team) DART_NOTHROW;

/* For each pair of units i and j, copies nelem elements from block j of i's `sendbuf` to block i of j's `recvbuf`. In
 * place if sendbuf is NULL or equals recvbuf; this makes a private copy. */
TESSERA_DART_API dart_ret_t dart_alltoall(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype,
                                          dart_team_t team) DART_NOTHROW;

/* For each pair of units i and j, copies nsendelem[j] elements from i's sendbuf, at displacement senddispls[j], to
 * j's recvbuf, at displacement recvdispls[i]; displacements are in elements, and j's nrecvelem[i] is the same
 * number. In place if sendbuf is NULL or equals recvbuf: nrecvelem and recvdispls then also describe the data to
 * send, and the call makes a private copy. Wrong arguments of one unit end the job, as in dart_ext_collective.h. An
 * extension by Tessera, as DASH's graph algorithms call it. */
TESSERA_DART_API dart_ret_t dart_alltoallv(const void *sendbuf, const size_t *nsendelem, const size_t *senddispls,
                                           dart_datatype_t dtype, void *recvbuf, const size_t *nrecvelem,
                                           const size_t *recvdispls, dart_team_t team) DART_NOTHROW;

/* ---- Messages --------------------------------------------------------------------------------------------------
 *
 * A receive takes the first message of its unit and tag that was not yet received, in the order in which that unit
 * sent them. For all: Who: the two units, by their numbers in DART_TEAM_ALL. Sizes: elements, also of derived types
 * as with put and get; a message is the bytes of the elements without gaps, and nothing is converted. Owner: buffers
 * belong to the library during the call and must not overlap; a buffer without elements may be NULL. Threads: any; if
 * several threads use the same tag to the same unit at the same time, the order is not defined. Cost: one message;
 * for a long message the data moves only after an answer.
 * Tags: 0 to INT_MAX. The library uses no tags for itself.
 * Errors: DART_ERR_INVAL: no such unit, a negative tag, no such type, a NULL buffer, or a size beyond all memory.
 * DART_ERR_NOMEM: no memory to pack elements with gaps, or to track another long message. Nothing was then sent or
 * received.
 * Contract: a message may be shorter than its receive; the rest of the buffer is unchanged, and the length is not
 * reported. */

/* Sends a message. Return: `sendbuf` may be reused. A message of up to 8 KiB does not wait for the receiver, unless the
 * receiver makes no calls into the library and messages to it accumulate. For a longer message, expect the call to return
 * only when the receive has started. Two units that both send such messages first and then receive, and a unit that sends
 * one to itself, therefore need dart_sendrecv. */
TESSERA_DART_API dart_ret_t dart_send(const void *sendbuf, size_t nelem, dart_datatype_t dtype, int tag,
                                      dart_global_unit_t unit) DART_NOTHROW;

/* Receives a message of at most nelem elements. Return: the message is in `recvbuf`. Errors: DART_ERR_INVAL: also if
 * the message is longer; its first nelem elements were stored, the rest was dropped, and its sender returns as usual.
 */
TESSERA_DART_API dart_ret_t dart_recv(void *recvbuf, size_t nelem, dart_datatype_t dtype, int tag,
                                      dart_global_unit_t unit) DART_NOTHROW;

/* Sends to `dest` and receives from `src` at the same time; either may be the caller. Return and Errors: as dart_send
 * and dart_recv together. */
TESSERA_DART_API dart_ret_t dart_sendrecv(const void *sendbuf, size_t send_nelem, dart_datatype_t send_dtype,
                                          int send_tag, dart_global_unit_t dest, void *recvbuf, size_t recv_nelem,
                                          dart_datatype_t recv_dtype, int recv_tag,
                                          dart_global_unit_t src) DART_NOTHROW;

#ifdef __cplusplus
}
#endif
#endif
