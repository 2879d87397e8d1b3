/* Global memory of the native interface: allocation, addresses, put and get, atomics, notified puts.
 *
 * The other interfaces use memory of the same kind: a DART segment, an ARMCI block, a GASNet segment and a symmetric
 * block of OpenSHMEM are such memory, and the rules below also hold for transfers to and from them.
 *
 * Completion. A transfer is *locally complete* when the caller may use its own buffers again, and *remotely complete*
 * when its effect is in the target's memory. A unit sees the effect when it has learned of the completion: by a barrier
 * or other collective, a message, a notification, or an atomic.
 * - A call without _nb is remotely complete on return.
 * - A call with _nb may return before. Its request (tessera/request.h) is complete when the transfer is remotely
 *   complete. If the argument `request` is NULL, the transfer completes at the next tessera_flush of its unit.
 * - A transfer of memory that the caller can load and store (tessera_address_pointer) is complete on return of every
 *   call, with request 0, unless a progress agent performs the transfer.
 *
 * Order. Two transfers of which neither waits for the other have no order, not even to the same bytes. A notified put
 * is the exception: a unit that sees the notification sees the data. Completion does not order the caller's own later
 * reads: if two units each complete a write and then read what the other wrote, both may read old values. A barrier
 * between write and read prevents that.
 *
 * Progress. Within a node a transfer of allocated memory needs no other unit. Between nodes a progress agent of
 * the target's node serves it (docs/between-nodes.md), so the target need not call the library. For registered memory
 * puts and gets within a node need no other unit if the kernel copies; all other operations wait until the owner of the
 * memory calls the library, or the owner's progress thread serves them.
 *
 * Atomicity. Atomic calls on the same element with the same type are atomic to each other, through whichever interface
 * they are made. One exception: the floating-point atomics of GASNet's domains and of OpenSHMEM are atomic to each other, but
 * not to those of the other interfaces. Puts and gets are not atomic: to read or write an element that others change, use
 * tessera_fetch with TESSERA_NO_OP or TESSERA_REPLACE.
 *
 * For all functions: call them between tessera_init and tessera_exit, otherwise they return TESSERA_ERR_STATE. Threads:
 * as in tessera/message.h. Every error is logged with its remedy; requests and results are then unchanged.
 * TESSERA_ERR_NOT_FOUND: no such team or memory, or memory that its owner has deregistered. TESSERA_ERR_RANGE: a member
 * that the team does not have, or bytes outside its part. TESSERA_ERR_ARG: NULL where the call reads or stores something,
 * or sizes that exceed the address space. After the errors above, nothing was transferred. TESSERA_ERR_MEMORY: no private
 * memory for another transfer; wait for some transfers. TESSERA_ERR_SYSTEM: registered memory is not mapped, or cannot be
 * written. After these two errors, a part may have been transferred, but no buffer is in use any more. Access from
 * another node to memory that was deregistered meanwhile ends the job. */
#ifndef TESSERA_MEMORY_H
#define TESSERA_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tessera.h>
#include <tessera/coll.h>
#include <tessera/request.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Memory -------------------------------------------------------------------------------------------------------
 *
 * Memory consists of one part for each member of a team. One collective call makes it. A tessera_memory_t identifies it,
 * has the same value on all members, and may be copied. It is a segment of DART, too: `team` is its team, `id` its
 * segment. Id 0 means no memory. */
typedef struct tessera_memory {
  int32_t team;
  int32_t id;
} tessera_memory_t;

/* In the team of all units, the memory with this id is the whole heap of each unit. It contains local allocations, and
 * memory that other interfaces name by its offset in the heap (segment 0 of DART). Calls check that bytes lie in the heap,
 * but not that they lie in an allocation. */
#define TESSERA_HEAP_ID INT32_MIN

/* Allocates `bytes` (0 is allowed; members may differ) on every member, in the shared heap of its node, aligned to the
 * next power of two up to a page, not zeroed. Collective over the team. Returns when all members have allocated.
 * An error of one member makes the call fail on all. TESSERA_ERR_MEMORY: a heap is full. TESSERA_ERR_LIMIT: the team
 * has 32767 allocations. TESSERA_ERR_PEER: another member failed. */
TESSERA_API tessera_status_t tessera_memory_allocate(tessera_team_t team, size_t bytes, tessera_memory_t *memory);

/* Frees memory of tessera_memory_allocate on all members, and sets *memory to id 0. Collective over its team: every
 * member passes the same memory. No member's part is freed before all have called. Complete transfers first.
 * tessera_exit frees what is left. TESSERA_ERR_UNSUPPORTED: registered memory, or memory of another interface. */
TESSERA_API tessera_status_t tessera_memory_free(tessera_memory_t *memory);

/* Makes memory of the program reachable for the members of a team: `bytes` at `data`, which may differ between members;
 * 0 bytes at NULL are allowed. The program keeps this memory mapped until it has deregistered it. Other units of the node
 * reach it through the kernel, those of other nodes by requests. Collective over the team; errors as
 * tessera_memory_allocate. */
TESSERA_API tessera_status_t tessera_memory_register(tessera_team_t team, void *data, size_t bytes,
                                                     tessera_memory_t *memory);

/* Ends the caller's part of a registration, and sets *memory to id 0. Not collective; no barrier. */
TESSERA_API tessera_status_t tessera_memory_deregister(tessera_memory_t *memory);

/* Stores the bytes of a member's part. */
TESSERA_API tessera_status_t tessera_memory_bytes(tessera_memory_t memory, int32_t member, size_t *bytes);

/* ---- Addresses ---------------------------------------------------------------------------------------------------- */

/* A byte of a member's part. A plain value, which may be sent to other members. */
typedef struct tessera_address {
  tessera_memory_t memory;
  int32_t member;
  int32_t reserved; /* 0 */
  uint64_t offset;
} tessera_address_t;

/* The address of the byte at `offset` of a member's part. It is not checked before a transfer uses it. */
static inline tessera_address_t tessera_address(tessera_memory_t memory, int32_t member, uint64_t offset) {
  tessera_address_t address = {memory, member, 0, offset};
  return address;
}
/* The address `bytes` further in the same part. */
static inline tessera_address_t tessera_address_plus(tessera_address_t address, int64_t bytes) {
  address.offset += (uint64_t)bytes;
  return address;
}

/* Allocates `bytes` in the caller's heap alone, and stores their address, which every unit can use. Not collective. */
TESSERA_API tessera_status_t tessera_local_allocate(size_t bytes, tessera_address_t *address);
/* Frees a local allocation, on the unit that made it. Not collective. TESSERA_ERR_NOT_FOUND: no such allocation. */
TESSERA_API tessera_status_t tessera_local_free(tessera_address_t address);

/* Stores a pointer by which the caller loads and stores these bytes, or NULL if they are on another node or were
 * registered by another unit. The pointer is valid until the memory is freed; it means nothing to other units. */
TESSERA_API tessera_status_t tessera_address_pointer(tessera_address_t address, size_t bytes, void **pointer);

/* ---- Put and get --------------------------------------------------------------------------------------------------
 *
 * Buffers may lie anywhere in the caller's memory. Those of an _nb call belong to the library until the transfer is
 * locally complete. Source and destination do not overlap. */
TESSERA_API tessera_status_t tessera_put(tessera_address_t to, const void *from, size_t bytes);
TESSERA_API tessera_status_t tessera_get(void *to, tessera_address_t from, size_t bytes);
TESSERA_API tessera_status_t tessera_put_nb(tessera_address_t to, const void *from, size_t bytes,
                                            tessera_request_t *request);
TESSERA_API tessera_status_t tessera_get_nb(void *to, tessera_address_t from, size_t bytes,
                                            tessera_request_t *request);

/* Blocks of `block_bytes` at equal distances in up to 32 dimensions: block (i0, i1, ...), with 0 <= i[d] < count[d],
 * begins i0 * stride[0] + i1 * stride[1] + ... bytes after the first block. global_stride applies at the address,
 * local_stride in the caller's buffer. Strides may be negative. The blocks of the destination do not overlap. The arrays
 * are read during the call. */
typedef struct tessera_blocks {
  size_t block_bytes;
  int dims;
  const size_t *count;
  const ptrdiff_t *global_stride, *local_stride;
} tessera_blocks_t;

/* Errors: also TESSERA_ERR_ARG: fewer than 0 or more than 32 dimensions, or blocks that exceed the address space. */
TESSERA_API tessera_status_t tessera_put_blocks(tessera_address_t to, const void *from, const tessera_blocks_t *blocks);
TESSERA_API tessera_status_t tessera_get_blocks(void *to, tessera_address_t from, const tessera_blocks_t *blocks);
TESSERA_API tessera_status_t tessera_put_blocks_nb(tessera_address_t to, const void *from, const tessera_blocks_t *blocks,
                                                   tessera_request_t *request);
TESSERA_API tessera_status_t tessera_get_blocks_nb(void *to, tessera_address_t from, const tessera_blocks_t *blocks,
                                                   tessera_request_t *request);

/* ---- Atomics ------------------------------------------------------------------------------------------------------
 *
 * Atomics work on elements of every tessera_type_t except TESSERA_TYPE_USER, with TESSERA_REPLACE, TESSERA_NO_OP and
 * the operations of tessera_op_t that are defined for the type (else TESSERA_ERR_UNSUPPORTED). A CPU of the target's
 * node executes them. An atomic acquires and releases. In the _nb forms operands may be used again at local completion,
 * and results are stored at remote completion. */

/* *target = *target op *operand; stores the old value in `result`, unless that is NULL. TESSERA_NO_OP needs no operand. */
TESSERA_API tessera_status_t tessera_fetch(tessera_address_t target, tessera_type_t type, tessera_op_t op,
                                           const void *operand, void *result);
TESSERA_API tessera_status_t tessera_fetch_nb(tessera_address_t target, tessera_type_t type, tessera_op_t op,
                                              const void *operand, void *result, tessera_request_t *request);

/* Stores `desired` if the target's bits are those of `expected`; stores the old value in `result`, unless that is NULL.
 * Not for TESSERA_F80. TESSERA_ERR_ARG: the target is not aligned to its size. */
TESSERA_API tessera_status_t tessera_compare_swap(tessera_address_t target, tessera_type_t type, const void *expected,
                                                  const void *desired, void *result);
TESSERA_API tessera_status_t tessera_compare_swap_nb(tessera_address_t target, tessera_type_t type, const void *expected,
                                                     const void *desired, void *result, tessera_request_t *request);

/* target[i] = target[i] op operand[i] for n elements, each of them atomically, not all together. */
TESSERA_API tessera_status_t tessera_accumulate(tessera_address_t target, tessera_type_t type, tessera_op_t op,
                                                const void *operand, size_t n);
TESSERA_API tessera_status_t tessera_accumulate_nb(tessera_address_t target, tessera_type_t type, tessera_op_t op,
                                                   const void *operand, size_t n, tessera_request_t *request);

/* ---- Notification -------------------------------------------------------------------------------------------------
 *
 * A counter is an aligned uint64_t in allocated memory. Its owner sets it to 0 before any unit notifies, and waits
 * until it has a given value. Several counters may be in one part. */

/* Puts, and then adds `increment` to `counter`, which is on the same unit. A unit that sees the sum in one of the calls
 * below also sees the data. With 0 bytes the call only adds; it then covers the transfers that the caller has completed
 * before. Errors: also TESSERA_ERR_ARG: another unit's counter, or one that is not aligned or in registered memory. */
TESSERA_API tessera_status_t tessera_put_notify(tessera_address_t to, const void *from, size_t bytes,
                                                tessera_address_t counter, uint64_t increment);
TESSERA_API tessera_status_t tessera_put_notify_nb(tessera_address_t to, const void *from, size_t bytes,
                                                   tessera_address_t counter, uint64_t increment,
                                                   tessera_request_t *request);

/* tessera_notify_wait returns when the counter is at least `least`, and sleeps during longer waits;
 * tessera_notify_test stores whether it is. Only the counter's owner calls them. */
TESSERA_API tessera_status_t tessera_notify_wait(tessera_address_t counter, uint64_t least);
TESSERA_API tessera_status_t tessera_notify_test(tessera_address_t counter, uint64_t least, bool *reached);

/* ---- Completion --------------------------------------------------------------------------------------------------- */

/* Returns when all transfers of the caller to this unit (as of tessera_unit), or to all units, are remotely complete,
 * with or without a request. Requests stay valid. */
TESSERA_API tessera_status_t tessera_flush(int32_t unit);
TESSERA_API tessera_status_t tessera_flush_all(void);

/* Returns when the transfer is locally complete. The request stays valid. Errors as tessera_wait. */
TESSERA_API tessera_status_t tessera_wait_local(const tessera_request_t *request);

#ifdef __cplusplus
}
#endif
#endif
