/* Functions of glibc, with substitutes for musl and other C libraries. */
#ifndef TSR_BASE_LIBC_H
#define TSR_BASE_LIBC_H

#include <stdbool.h>

/* "SEGV" for SIGSEGV; NULL: a signal without a name. Signal-safe. */
const char *tsr_libc_signal_name(int number);

/* The library, or the plugin, that holds this code or data stays loaded until the process ends, also after dlclose. */
void tsr_libc_keep_loaded(const void *code);

/* As on_exit: `hook` runs at the process's exit with its exit code; without glibc the code is not known, and taken to be 0, and
 * eight hooks at most are kept. Its code stays loaded. */
void tsr_libc_on_exit(void (*hook)(int code, void *arg), void *arg);

/* Stores the calling thread's stack of calls, as return addresses from the innermost on; returns how many. Signal-safe under the
 * same condition as tsr_libc_write_calls. */
enum { TSR_LIBC_CALLS_MAX = 64 };
int tsr_libc_calls(void *calls[TSR_LIBC_CALLS_MAX]);

/* Writes the calling thread's stack of calls, a line each; false: none was found. Signal-safe after the first call of
 * tsr_libc_prepare_calls, which may allocate. */
bool tsr_libc_write_calls(int fd);
void tsr_libc_prepare_calls(void);

#endif
