/* What the kernel says of this process. */
#ifndef TSR_BASE_PROCESS_H
#define TSR_BASE_PROCESS_H

#include <stddef.h>

/* The number behind `name` and a colon in /proc/self/status; memory is in KiB. 0: the kernel does not say. */
size_t tsr_process_status(const char *name);

#endif
