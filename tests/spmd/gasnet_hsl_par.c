/* The same for a program with threads.
 * Group: gasnet_all_threads
 */
#define GASNET_PAR 1
#include "gasnet_hsl.c"
