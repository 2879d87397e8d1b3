/* Where the program has called the library: for errors. */
#ifndef TSR_BASE_CALLER_H
#define TSR_BASE_CALLER_H

#include <stdbool.h>
#include <stddef.h>

/* Describes the innermost function outside Tessera's libraries: "at heat3d.c:120 in main"; without debug information "in main of
 * ./heat3d"; without libdw, which reads debug information, "at 0x1234 of ./heat3d". False: the function is not known. This is so in
 * threads of the library, at the end of the process, in programs that are stripped or linked with the static libraries, and while
 * another thread searches. */
bool tsr_caller_describe(char *text, size_t bytes);

/* From now on the caller is not known. For signal handlers that go on to print errors: the signal may have interrupted malloc.
 * Signal-safe. */
void tsr_caller_stop(void);

#endif
