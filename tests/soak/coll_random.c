/* The same for five minutes. */
#define SECONDS 300
#include "../spmd/coll_random.c"
