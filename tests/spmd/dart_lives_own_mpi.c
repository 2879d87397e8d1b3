/* The lives of dart_lives.c in a program that started MPI itself. */
#define OWN_MPI true
#include "dart_lives.c"
