/* The collectives of core_coll for further numbers of units.
 * Units: 5 8 16
 */
#include "core_coll.c"
