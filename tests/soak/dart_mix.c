/* The random mix of spmd/dart_mix.c for ten minutes, from another seed each time. */
#define SECONDS 600
#include "../spmd/dart_mix.c"
