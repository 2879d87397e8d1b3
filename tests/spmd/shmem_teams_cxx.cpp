/* The same in C++. */
#include "shmem_teams.c"
