/* Limits of the operating system: which one is behind an error, and what to do about it. */
#ifndef TSR_BASE_LIMIT_H
#define TSR_BASE_LIMIT_H

#include <stdbool.h>

/* The remedy for a system call that failed with this errno; a part of a sentence, constant. */
const char *tsr_limit_remedy(int error);

/* The same for a failed reservation of addresses that take no memory. */
const char *tsr_limit_remedy_addresses(void);

/* The same when the kernel has no page left for a file in memory. */
const char *tsr_limit_remedy_pages(void);

/* Whether the address space of this process is limited (ulimit -v). */
bool tsr_limit_has_address_space(void);

/* Lets this process open as many files as the system allows it, without a special right. */
void tsr_limit_raise_descriptors(void);

#endif
