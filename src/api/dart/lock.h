/* The DART interface's locks from dart_init to dart_exit. */
#ifndef TSR_API_DART_LOCK_H
#define TSR_API_DART_LOCK_H

void tsr_dart_locks_start(void);

/* Frees what the program has not destroyed; no unit uses a lock any more. */
void tsr_dart_locks_stop(void);

#endif
