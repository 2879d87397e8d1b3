/* Global pointers and global memory. */
#ifndef TESSERA_DART_GLOBMEM_H
#define TESSERA_DART_GLOBMEM_H

#include <dash/dart/if/dart_types.h>
#include <dash/dart/if/dart_util.h>

/* A global pointer: a place in global memory. Its 128 bits have a published layout: unit 0..23, flags 24..31, segment
 * 32..47, team 48..63, offset 64..127. The offset is in bytes from the beginning of the segment's part on that unit;
 * it is the same on all units, and programs may compute with it. */
typedef struct {
  dart_unit_t unitid : 24; /* in the team */
  unsigned int flags : 8;  /* the low bits of the segment's flags */
  int16_t segid;
  int16_t teamid;
  union {
    uint64_t offset;
    void *addr;
  } addr_or_offs;
} dart_gptr_t;

/* All functions that allocate or register memory accept elements of a basic or custom type, but no strided or indexed
 * types, which describe layouts. */

/* The segment of dart_memalloc. Its team is DART_TEAM_ALL. */
#define DART_SEGMENT_LOCAL ((int16_t)0)

#ifdef __cplusplus
#define DART_GPTR_NULL (dart_gptr_t{-1, 0, 0, DART_TEAM_NULL, {0}})
#else
#define DART_GPTR_NULL ((dart_gptr_t){-1, 0, 0, DART_TEAM_NULL, {0}})
#endif
#define DART_GPTR_ISNULL(gptr)                                                             \
  ((gptr).unitid < 0 && (gptr).segid == 0 && (gptr).teamid == DART_TEAM_NULL && \
   (gptr).addr_or_offs.offset == 0)
#define DART_GPTR_EQUAL(a, b)                                                                    \
  ((a).unitid == (b).unitid && (a).segid == (b).segid && (a).teamid == (b).teamid && \
   (a).addr_or_offs.offset == (b).addr_or_offs.offset)

/* Moves a pointer by `offs` bytes, which may be negative. Nothing is checked until the pointer is used.
 * Who: any unit, any time. Return: complete, always DART_OK. Threads: any. Cost: inline. */
DART_INLINE dart_ret_t dart_gptr_incaddr(dart_gptr_t *gptr, int64_t offs) {
  gptr->addr_or_offs.offset += (uint64_t)offs;
  return DART_OK;
}

/* Makes the pointer refer to the same offset on another unit of its team. As dart_gptr_incaddr.
 * Contract: the published text says "global unit", but the argument is the number in the pointer's team, as its type
 * says. */
DART_INLINE dart_ret_t dart_gptr_setunit(dart_gptr_t *gptr, dart_team_unit_t unit) {
  gptr->unitid = unit.id;
  return DART_OK;
}

#ifdef __cplusplus
extern "C" {
#endif

/* Stores the address that a global pointer refers to if it is in the caller's own memory; otherwise stores NULL, also
 * for other units of the same node. The offset is not checked, because iterators form pointers past the end.
 * Who: any unit of the pointer's team. Owner: the address is valid until the memory is freed. Return: complete.
 * Threads: any. Cost: inline. Errors: DART_ERR_INVAL: addr is NULL, or the pointer's team or segment is unknown. */
TESSERA_DART_API dart_ret_t dart_gptr_getaddr(const dart_gptr_t gptr, void **addr) DART_NOTHROW;

/* Sets the pointer's offset to that of `addr` in the caller's own part of the pointer's segment. The pointer's unit
 * is neither read nor changed.
 * Who: any unit of the pointer's team. Return: complete. Threads: any. Cost: inline.
 * Errors: DART_ERR_INVAL: also an address that is not in the caller's part (the address just after its end is
 * accepted). */
TESSERA_DART_API dart_ret_t dart_gptr_setaddr(dart_gptr_t *gptr, void *addr) DART_NOTHROW;

/* Stores the 16 flag bits that this unit keeps for the pointer's segment. They are 0 after allocation.
 * Who: any unit of the pointer's team. Return: complete. Threads: any, but one at a time on one segment. Cost:
 * inline. Errors: DART_ERR_INVAL. */
TESSERA_DART_API dart_ret_t dart_gptr_getflags(dart_gptr_t gptr, uint16_t *flags) DART_NOTHROW;

/* Sets the flag bits of the pointer's segment on this unit only, and the low 8 of them in the pointer. As
 * dart_gptr_getflags. */
TESSERA_DART_API dart_ret_t dart_gptr_setflags(dart_gptr_t *gptr, uint16_t flags) DART_NOTHROW;

/* Allocates global memory on the calling unit alone. The pointer's team is DART_TEAM_ALL; every unit may use it.
 * Who: any unit. Sizes: elements of `dtype`, basic or custom; 0 is allowed. Owner: the caller, until dart_memfree.
 * The memory is not zeroed. Return: complete. Threads: any. Cost: inline.
 * Errors; each stores DART_GPTR_NULL: DART_ERR_INVAL: gptr is NULL, no such type, or a size beyond all memory.
 * DART_ERR_OTHER: memory ran out (upstream's code; not DART_ERR_NOMEM). */
TESSERA_DART_API dart_ret_t dart_memalloc(size_t nelem, dart_datatype_t dtype, dart_gptr_t *gptr) DART_NOTHROW;

/* Frees memory of dart_memalloc, by the pointer that dart_memalloc stored. No operation on it may be under way.
 * Who: the unit that allocated it. Return: complete. Threads: any. Cost: inline.
 * Errors: DART_ERR_INVAL: a null pointer, a pointer of another unit, not from dart_memalloc, or already freed. */
TESSERA_DART_API dart_ret_t dart_memfree(dart_gptr_t gptr) DART_NOTHROW;

/* Allocates a segment: memory on every unit of a team. All units store the same pointer: unit 0, offset 0.
 * Who: every unit of the team. Sizes: elements of `dtype`, basic or custom; 0 is allowed. Owner: the team, until
 * dart_team_memfree. The memory is not zeroed. Return: the segment can be used everywhere. Threads: one per team.
 * Cost: collective, one small exchange; pages get memory at first touch.
 * Errors; the allocation then fails on every unit: DART_ERR_INVAL: gptr is NULL, no such type, or a size beyond all
 * memory. DART_ERR_NOMEM: this unit's memory ran out. DART_ERR_OTHER: another unit's memory ran out, or all 32767
 * segment ids of the team are in use.
 * Contract: `nelem` may differ between units (the published text requires equal numbers; DASH passes different ones).
 * Each unit's part ends after its own number of elements. */
TESSERA_DART_API dart_ret_t dart_team_memalloc_aligned(dart_team_t teamid, size_t nelem, dart_datatype_t dtype,
                                                       dart_gptr_t *gptr) DART_NOTHROW;

/* Frees a segment, by any pointer into it; DART_GPTR_NULL is accepted. No operation on it may be under way.
 * Who: every unit of its team. Return: every unit has called it. Threads: one per team. Cost: collective.
 * Errors: DART_ERR_INVAL: the segment is unknown or already freed, is the segment of dart_memalloc, or was made by another
 * interface. */
TESSERA_DART_API dart_ret_t dart_team_memfree(dart_gptr_t gptr) DART_NOTHROW;

/* Registers memory that the program already has (static, on the stack, from malloc or from this library) as a
 * segment: `nelem` elements at `addr` on this unit. All units store the same pointer: unit 0, offset 0, with a
 * negative segment id. All functions on global pointers accept it. Puts and gets from units of the same node are
 * copied by the kernel. For atomics, for access from other nodes, and if the kernel does not permit the copy (one
 * line in the log says so), the unit that owns the memory serves the request whenever it enters the library or waits.
 * Who: every unit of the team. Sizes: elements of `dtype`, basic or custom; 0 is allowed, and `addr` may then be
 * NULL. Owner: the memory stays the program's; it must stay mapped and writable until the unit's
 * dart_team_memderegister. Return: the memory can be used everywhere. Threads: one per team. Cost: collective, some
 * small exchanges.
 * Errors; the registration then fails on every unit: DART_ERR_INVAL: gptr is NULL, addr is NULL for more than 0
 * elements, no such type, or a size beyond all memory. DART_ERR_NOMEM: no private memory. DART_ERR_OTHER: the
 * registration failed on another unit, or all 32767 segment ids of the team are in use (an id is in use until every
 * unit has ended its part).
 * Contract: `nelem` may differ between units; the published text requires equal numbers for
 * dart_team_memregister_aligned. */
TESSERA_DART_API dart_ret_t dart_team_memregister_aligned(dart_team_t teamid, size_t nelem, dart_datatype_t dtype,
                                                          void *addr, dart_gptr_t *gptr) DART_NOTHROW;
TESSERA_DART_API dart_ret_t dart_team_memregister(dart_team_t teamid, size_t nlelem, dart_datatype_t dtype, void *addr,
                                                  dart_gptr_t *gptr) DART_NOTHROW;

/* Ends the calling unit's part of a registration, by any pointer into it; DART_GPTR_NULL is accepted. The memory
 * itself is not changed. The parts of other units stay registered until those units end them. No unit may use the
 * part afterwards: synchronise the units first, for example with dart_barrier. Later access to the part returns
 * DART_ERR_INVAL if the part's owner is on the same node; otherwise it ends the job with a message. Later access to
 * memory of dart_memalloc or dart_team_memalloc_aligned that was registered is not detected.
 * Who: any unit of the team, at any time; units may call it different numbers of times. Parts that were not ended end
 * with the team, or with dart_exit. Return: complete. Threads: one per team. Cost: local. The segment id is free for
 * another registration when all units have ended their parts.
 * Errors: DART_ERR_INVAL: the segment is unknown, this unit has already ended its part, or the segment was allocated.
 * Contract: the published text declares it collective; upstream acts locally, and DASH's containers call it a
 * different number of times on each unit. */
TESSERA_DART_API dart_ret_t dart_team_memderegister(dart_gptr_t gptr) DART_NOTHROW;

/* An allocator: a pool of global memory on every unit of a team. Each unit takes blocks from its own part without
 * communication. */
typedef struct dart_allocator_struct *dart_allocator_t;
#define DART_ALLOCATOR_NULL ((dart_allocator_t)NULL)

/* Makes an allocator.
 * Who: every unit of the team. Sizes: bytes of the pool on this unit; any number, which may differ between units.
 * Owner: the team, until dart_allocator_destroy. Return: it can be used. Threads: one per team. Cost: collective, one
 * small exchange.
 * Errors: as dart_team_memalloc_aligned.
 * Contract: the published text rounds the pool up to a power of two; here it has exactly the requested size. */
TESSERA_DART_API dart_ret_t dart_allocator_new(size_t pool_size, dart_team_t team,
                                               dart_allocator_t *new_allocator) DART_NOTHROW;

/* Takes a block from the caller's part of the pool, aligned for any element. The stored pointer refers to the caller;
 * every unit of the team may use it. The size of a block is a power of two, at least 16 bytes.
 * Who: any unit of the team. Sizes: elements of `dtype`, basic or custom; 0 also gives a block of its own. Owner: the
 * caller, until dart_allocator_free. The memory is not zeroed. Return: complete. Threads: any. Cost: inline.
 * Errors; the pointer is then null: DART_ERR_NOMEM: no such block is free. DART_ERR_INVAL: gptr is NULL, no such
 * type, a size beyond all memory, or an allocator that does not exist. */
TESSERA_DART_API dart_ret_t dart_allocator_alloc(size_t nelem, dart_datatype_t dtype, dart_gptr_t *gptr,
                                                 dart_allocator_t allocator) DART_NOTHROW;

/* Frees a block, by the pointer that dart_allocator_alloc stored, and sets the pointer to null. No operation on
 * the block may be under way.
 * Who: the unit that allocated it. Return: complete. Threads: any. Cost: inline.
 * Errors; nothing is then changed: DART_ERR_INVAL: gptr is NULL, a null pointer, a pointer of another unit, not of
 * this allocator, or already freed; an allocator that does not exist. */
TESSERA_DART_API dart_ret_t dart_allocator_free(dart_gptr_t *gptr, dart_allocator_t allocator) DART_NOTHROW;

/* Frees an allocator and all its blocks, and sets the handle to null. No operation on the blocks may be under way.
 * Who: every unit of its team. Return: every unit has called it. Threads: one per team. Cost: collective. Errors:
 * DART_ERR_INVAL: a null pointer, or an allocator that does not exist. */
TESSERA_DART_API dart_ret_t dart_allocator_destroy(dart_allocator_t *allocator) DART_NOTHROW;

#ifdef __cplusplus
}
#endif
#endif
