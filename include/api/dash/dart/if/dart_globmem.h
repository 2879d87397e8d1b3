/* Global pointers and global memory. */
#ifndef TESSERA_DART_GLOBMEM_H
#define TESSERA_DART_GLOBMEM_H

#include <dash/dart/if/dart_types.h>
#include <dash/dart/if/dart_util.h>

/* A place in global memory. 128 bits whose layout is part of the interface: unit 0..23, flags 24..31, segment 32..47,
 * team 48..63, offset 64..127. The offset is in bytes from the beginning of the segment on that unit, so that it means
 * the same on all of them; programs may compute with it. */
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

/* All that allocates or registers memory takes elements of a basic or a custom type. Strided and indexed types say
 * where elements lie, which is of no use there. */

/* The segment of dart_memalloc; its team is DART_TEAM_ALL. */
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

/* Moves a pointer by `offs` bytes (may be negative). Nothing is checked until the pointer is used.
 * Who: any unit, any time. Return: complete, always DART_OK. Threads: any. Cost: inline. */
DART_INLINE dart_ret_t dart_gptr_incaddr(dart_gptr_t *gptr, int64_t offs) {
  gptr->addr_or_offs.offset += (uint64_t)offs;
  return DART_OK;
}

/* Points to the same offset on another unit of the pointer's team. As dart_gptr_incaddr.
 * Contract: the published text says "global unit"; the type says, and it is, the number in the team. */
DART_INLINE dart_ret_t dart_gptr_setunit(dart_gptr_t *gptr, dart_team_unit_t unit) {
  gptr->unitid = unit.id;
  return DART_OK;
}

#ifdef __cplusplus
extern "C" {
#endif

/* Stores the address of what a global pointer points to when that is the caller's own memory, else NULL (also for
 * units of the same node). The offset is not checked: iterators form pointers past the end.
 * Who: any unit of the pointer's team. Owner: the allocation's; until it is freed. Return: complete. Threads: any.
 * Cost: inline. Errors: DART_ERR_INVAL: addr is NULL, or the pointer's team or segment is unknown. */
TESSERA_DART_API dart_ret_t dart_gptr_getaddr(const dart_gptr_t gptr, void **addr) DART_NOTHROW;

/* Sets the pointer's offset to where `addr` lies in the caller's own part of its segment; its unit is neither looked at
 * nor changed.
 * Who: any unit of the pointer's team. Return: complete. Threads: any. Cost: inline.
 * Errors: DART_ERR_INVAL: also when the address is not in the caller's part (its end is). */
TESSERA_DART_API dart_ret_t dart_gptr_setaddr(dart_gptr_t *gptr, void *addr) DART_NOTHROW;

/* Stores the 16 flag bits that this unit keeps for the pointer's segment; 0 at allocation.
 * Who: any unit of the pointer's team. Return: complete. Threads: any, one at a time on one segment. Cost: inline.
 * Errors: DART_ERR_INVAL. */
TESSERA_DART_API dart_ret_t dart_gptr_getflags(dart_gptr_t gptr, uint16_t *flags) DART_NOTHROW;

/* Sets the flag bits of the pointer's segment on this unit only, and the low 8 in the pointer. As dart_gptr_getflags.
 * */
TESSERA_DART_API dart_ret_t dart_gptr_setflags(dart_gptr_t *gptr, uint16_t flags) DART_NOTHROW;

/* Allocates global memory of the calling unit alone. The pointer's team is DART_TEAM_ALL; every unit may use it.
 * Who: any unit. Sizes: elements of `dtype`, basic or custom; 0 is allowed. Owner: the caller, until dart_memfree; not
 * zeroed. Return: complete. Threads: any. Cost: inline.
 * Errors, all of which store DART_GPTR_NULL: DART_ERR_INVAL: gptr is NULL, no such type, or a size beyond all
 * memory. DART_ERR_OTHER: memory ran out (upstream's code; not DART_ERR_NOMEM). */
TESSERA_DART_API dart_ret_t dart_memalloc(size_t nelem, dart_datatype_t dtype, dart_gptr_t *gptr) DART_NOTHROW;

/* Frees what dart_memalloc gave, by the pointer that it gave. No operation on it is under way.
 * Who: the unit that allocated it. Return: complete. Threads: any. Cost: inline.
 * Errors: DART_ERR_INVAL: a null pointer, another unit's, not from dart_memalloc, or freed already. */
TESSERA_DART_API dart_ret_t dart_memfree(dart_gptr_t gptr) DART_NOTHROW;

/* Allocates a segment: memory on every unit of a team. The pointer stored is the same on all: unit 0, offset 0.
 * Who: every unit of the team. Sizes: elements of `dtype`, basic or custom; 0 is allowed. Owner: the team, until
 * dart_team_memfree; not zeroed. Return: the segment can be used everywhere. Threads: one per team. Cost: collective,
 * one small agreement; pages come at first touch.
 * Errors, the same allocation failing on every unit: DART_ERR_INVAL: gptr is NULL, no such type, or a size
 * beyond all memory. DART_ERR_NOMEM: this unit's memory ran out. DART_ERR_OTHER: another unit's did, or all 32767
 * segment ids of the team are in use.
 * Contract: `nelem` may differ between the units (the published text asks for equal numbers; DASH passes different
 * ones): each unit's part then ends where it said. */
TESSERA_DART_API dart_ret_t dart_team_memalloc_aligned(dart_team_t teamid, size_t nelem, dart_datatype_t dtype,
                                                       dart_gptr_t *gptr) DART_NOTHROW;

/* Frees a segment by any pointer into it; DART_GPTR_NULL is accepted. No operation on it is under way.
 * Who: every unit of its team. Return: every unit has called it. Threads: one per team. Cost: collective.
 * Errors: DART_ERR_INVAL: the segment is unknown or freed already, or is that of dart_memalloc. */
TESSERA_DART_API dart_ret_t dart_team_memfree(dart_gptr_t gptr) DART_NOTHROW;

/* Makes memory that the program has already (static, on the stack, from malloc or from here) global: `nelem` elements
 * at `addr` on this unit. The pointer stored is the same on all units: unit 0, offset 0, with a negative segment. All
 * functions on global pointers take it. Puts and gets from units of the same node are copied by the kernel; where that
 * is not allowed (one line in the log says so), and for atomics, and from other nodes, the unit that owns the memory
 * serves them whenever it calls in or waits.
 * Who: every unit of the team. Sizes: elements of `dtype`, basic or custom; 0 is allowed, and `addr` may then be NULL.
 * Owner: the memory stays the program's, mapped and writable until the unit's dart_team_memderegister. Return: the memory can be
 * used everywhere. Threads: one per team. Cost: collective, some small agreements.
 * Errors, the same registration failing on every unit: DART_ERR_INVAL: gptr is NULL, addr is NULL for elements, no such
 * type, or beyond all memory. DART_ERR_NOMEM: no private memory. DART_ERR_OTHER: it failed on another unit, or
 * all 32767 numbers of the team are in use (one is, until every unit has ended its part).
 * Contract: `nelem` may differ between the units; the published text asks dart_team_memregister_aligned for equal
 * numbers, which is not needed here. */
TESSERA_DART_API dart_ret_t dart_team_memregister_aligned(dart_team_t teamid, size_t nelem, dart_datatype_t dtype,
                                                          void *addr, dart_gptr_t *gptr) DART_NOTHROW;
TESSERA_DART_API dart_ret_t dart_team_memregister(dart_team_t teamid, size_t nlelem, dart_datatype_t dtype, void *addr,
                                                  dart_gptr_t *gptr) DART_NOTHROW;

/* Ends the calling unit's part of a registration, by any pointer into it; DART_GPTR_NULL is accepted. The memory itself is not
 * touched. The parts of the other units stay as they are, until these end them. No unit uses the part any more: units meet
 * before, as in dart_barrier. A unit that uses a part all the same gets DART_ERR_INVAL when the part's owner is on its node;
 * otherwise the job ends with a message (of memory that dart_memalloc or dart_team_memalloc_aligned gave: unnoticed).
 * Who: any unit of the team, at any time; units may call it a different number of times. What they leave ends with the team,
 * or with dart_exit. Return: complete. Threads: one per team. Cost: local. The segment's number is free for another
 * registration when all units have ended their parts.
 * Errors: DART_ERR_INVAL: the segment is unknown, this unit has ended its part before, or it was allocated.
 * Contract: the published text declares it collective; upstream acts locally, and DASH's containers call it a different number
 * of times on each unit. */
TESSERA_DART_API dart_ret_t dart_team_memderegister(dart_gptr_t gptr) DART_NOTHROW;

/* An allocator: global memory of every unit of a team, from which each unit takes blocks of its own without telling the
 * others. */
typedef struct dart_allocator_struct *dart_allocator_t;
#define DART_ALLOCATOR_NULL ((dart_allocator_t)NULL)

/* Makes an allocator.
 * Who: every unit of the team. Sizes: bytes of the pool on this unit; any number, and it may differ. Owner: the team,
 * until dart_allocator_destroy. Return: it can be used. Threads: one per team. Cost: collective, one small agreement.
 * Errors: as dart_team_memalloc_aligned.
 * Contract: the published text rounds the pool up to a power of two; here it has the bytes asked for. */
TESSERA_DART_API dart_ret_t dart_allocator_new(size_t pool_size, dart_team_t team,
                                               dart_allocator_t *new_allocator) DART_NOTHROW;

/* Takes a block of the caller's part of the pool, aligned for any element. The pointer stored names the caller; every
 * unit of the team may use it. A block takes a power of two of bytes, at least 16.
 * Who: any unit of the team. Sizes: elements of `dtype`, basic or custom; 0 gives a block of its own, too. Owner: the
 * caller, until dart_allocator_free; not zeroed. Return: complete. Threads: any. Cost: inline.
 * Errors, the pointer being null then: DART_ERR_NOMEM: no such block is free. DART_ERR_INVAL: gptr is NULL, no such
 * type, a size beyond all memory, or an allocator that is not live. */
TESSERA_DART_API dart_ret_t dart_allocator_alloc(size_t nelem, dart_datatype_t dtype, dart_gptr_t *gptr,
                                                 dart_allocator_t allocator) DART_NOTHROW;

/* Gives a block back, by the pointer that dart_allocator_alloc gave, and makes that null. No operation on it is under
 * way.
 * Who: the unit that allocated it. Return: complete. Threads: any. Cost: inline.
 * Errors, nothing being changed: DART_ERR_INVAL: gptr is NULL or null, another unit's, not of this allocator, or freed
 * already; an allocator that is not live. */
TESSERA_DART_API dart_ret_t dart_allocator_free(dart_gptr_t *gptr, dart_allocator_t allocator) DART_NOTHROW;

/* Frees an allocator and all its blocks, and makes the handle null. No operation on them is under way.
 * Who: every unit of its team. Return: every unit has called it. Threads: one per team. Cost: collective.
 * Errors: DART_ERR_INVAL: a null pointer, or an allocator that is not live. */
TESSERA_DART_API dart_ret_t dart_allocator_destroy(dart_allocator_t *allocator) DART_NOTHROW;

#ifdef __cplusplus
}
#endif
#endif
