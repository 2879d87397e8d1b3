/* Five hundred lives of spmd/dart_lives.c. */
#define LIVES 500
#include "../spmd/dart_lives.c"
