/* The threads of spmd/dart_threads.c for two minutes, from another seed each time. */
#define SECONDS 120
#include "../spmd/dart_threads.c"
