/* The same for five minutes, from another seed each time. */
#define SECONDS 300
#include "../spmd/coll_random.c"
