/* gasnet_team in C++. */
#include "gasnet_team.c"
