/* The old names in C++: the program in C, compiled as such.
 * Units: 3 */
#include "dart_v2.c"
