/* Numbers of units. A unit's number in the world and its number in a team are different types, so that a mix-up
 * does not compile. */
#ifndef TSR_CORE_UNIT_H
#define TSR_CORE_UNIT_H

#include <stdint.h>

typedef struct tsr_unit { int32_t id; } tsr_unit;     /* in the world, 0..P-1 */
typedef struct tsr_member { int32_t id; } tsr_member; /* in a team, 0..size-1 */

#define TSR_UNIT(number) ((tsr_unit){(number)})
#define TSR_MEMBER(number) ((tsr_member){(number)})

#endif
