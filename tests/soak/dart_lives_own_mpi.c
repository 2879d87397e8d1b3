/* Five hundred lives of spmd/dart_lives.c in a program that started MPI itself. */
#define LIVES 500
#define OWN_MPI true
#include "../spmd/dart_lives.c"
