/* The table of DART locks. */
#ifndef TSR_API_DART_LOCK_H
#define TSR_API_DART_LOCK_H

void tsr_dart_locks_start(void);

/* Frees the locks that the program has not destroyed. Called when no unit uses a lock any more. */
void tsr_dart_locks_stop(void);

#endif
