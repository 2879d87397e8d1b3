/* The same where the kernel does not copy between processes: the owner of the memory does it all. */
#define NO_ATTACH 1
#include "gasnet_segment_create.c"
