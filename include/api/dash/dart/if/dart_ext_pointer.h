/* Conversion between DART's global pointers and the addresses that ARMCI and GASNet use for the same byte: a process,
 * and the pointer of that process. An extension by Tessera. */
#ifndef TESSERA_DART_EXT_POINTER_H
#define TESSERA_DART_EXT_POINTER_H

#include <dash/dart/if/dart_globmem.h>
#include <dash/dart/if/dart_types.h>
#include <dash/dart/if/dart_util.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Who: any unit of the pointer's team, while ARMCI or GASNet is up besides DART. Owner: the memory belongs to its
 * allocator; only the interface that allocated it frees it. Return: complete. Threads: any. Cost: inline, no message.
 *
 * Errors, for both; nothing is stored then. DART_ERR_INVAL: a null pointer to store to, an unknown team or segment,
 * no such unit, a byte outside the segment or outside all memory that the unit shares, or memory of
 * dart_team_memregister, which has no such address. DART_ERR_NOTINIT: DART alone is up, or no interface. */

/* Stores the unit, by its number in DART_TEAM_ALL (which is also ARMCI's process number and GASNet's rank), and that
 * unit's own pointer. Use the pointer in calls of ARMCI or GASNet only; the caller must not load or store through it,
 * not even to memory that it shares. GASNet's calls need no segment for it. */
TESSERA_DART_API dart_ret_t dart_gptr_getpointer(dart_gptr_t gptr, dart_global_unit_t *unit, void **pointer) DART_NOTHROW;

/* Stores the global pointer, in DART_TEAM_ALL, to the place that the unit knows as `pointer`: memory of ARMCI_Malloc
 * or ARMCI_Malloc_local, of a GASNet segment, or of DART. The pointer's segment is all memory that the unit shares,
 * so a transfer that goes beyond the allocation is not rejected. */
TESSERA_DART_API dart_ret_t dart_gptr_setpointer(dart_gptr_t *gptr, dart_global_unit_t unit, const void *pointer) DART_NOTHROW;

#ifdef __cplusplus
}
#endif
#endif
