/* Where the program has called the library: for errors. */
#ifndef TSR_BASE_CALLER_H
#define TSR_BASE_CALLER_H

#include <stdbool.h>
#include <stddef.h>

/* Describes the innermost function outside Tessera's libraries: "at heat3d.c:120 in main", without debug information "in main
 * of ./heat3d", and without libdw, which reads it, "at 0x1234 of ./heat3d". False: it is not known, because this is a thread of the
 * library, the process ends, the program is stripped or has the static libraries, or another thread searches. */
bool tsr_caller_describe(char *text, size_t bytes);

/* From now on the caller is not known. For signal handlers that go on to print errors: the signal may have interrupted malloc.
 * Signal-safe. */
void tsr_caller_stop(void);

#endif
