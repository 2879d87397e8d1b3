/* The same for five minutes, from a seed that is another each time. */
#define SECONDS 300
#include "../spmd/coll_random.c"
