/* One memory, several interfaces: from a global pointer to the name that ARMCI and GASNet have for the same byte, a process
 * and the pointer by which that process itself knows it, and back. An extension by Tessera. */
#ifndef TESSERA_DART_EXT_POINTER_H
#define TESSERA_DART_EXT_POINTER_H

#include <dash/dart/if/dart_globmem.h>
#include <dash/dart/if/dart_types.h>
#include <dash/dart/if/dart_util.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Who: any unit of the pointer's team, while ARMCI or GASNet is up besides DART. Owner: whoever allocated the memory, in the
 * interface by which it was allocated: no other frees it. Return: complete. Threads: any. Cost: inline, nothing is sent.
 *
 * Errors, for both; nothing is stored then. DART_ERR_INVAL: a null pointer to store to, an unknown team or segment, no such
 * unit, a byte outside the segment or outside all memory that the unit shares; memory of dart_team_memregister, which has no
 * other name. DART_ERR_NOTINIT: DART alone is up, or not even that. */

/* Stores the unit, by its number in DART_TEAM_ALL, which is that of ARMCI's process and GASNet's rank, and its own pointer. What
 * this unit could load and store itself, it may not by that pointer: it is for calls. Those of GASNet need no segment for it. */
TESSERA_DART_API dart_ret_t dart_gptr_getpointer(dart_gptr_t gptr, dart_global_unit_t *unit, void **pointer) DART_NOTHROW;

/* Stores the global pointer, of DART_TEAM_ALL, to what a unit knows by `pointer`: memory of ARMCI_Malloc or ARMCI_Malloc_local,
 * of a GASNet segment, or of DART. It is as long as all that the unit shares: transfers that go beyond the allocation are not
 * refused. */
TESSERA_DART_API dart_ret_t dart_gptr_setpointer(dart_gptr_t *gptr, dart_global_unit_t unit, const void *pointer) DART_NOTHROW;

#ifdef __cplusplus
}
#endif
#endif
