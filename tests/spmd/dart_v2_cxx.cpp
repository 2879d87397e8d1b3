/* The old names in C++: the C program compiled as C++.
 * Units: 3 */
#include "dart_v2.c"
