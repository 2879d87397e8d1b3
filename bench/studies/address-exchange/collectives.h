/* Collectives written by hand, in two ways:
 *   messages.h    as algorithms of sends and receives, as most MPIs have them;
 *   addresses.h   as address exchange: units tell each other where their data is in shared memory, and then copy it themselves.
 * collectives.c measures both beside the library's own collectives. collectives_native.c and collectives_mpi.c define the
 * functions below on Tessera and on MPI, so that the algorithms are the same on both. */
#ifndef BENCH_STUDIES_COLLECTIVES_H
#define BENCH_STUDIES_COLLECTIVES_H

#include <stdbool.h>
#include <stddef.h>

extern int me, units_n; /* set before collectives_run */

/* ---- messages; between two units they arrive in the order of sending ---- */

void link_send(const void *data, size_t bytes, int to);
void link_receive(void *buffer, size_t bytes, int from);
/* Both at the same time. */
void link_exchange(const void *data, size_t send_bytes, int to, void *buffer, size_t receive_bytes, int from);

/* ---- memory that other units can read ---- */

/* Whether all units can; if not, there is no address exchange. */
bool heap_is_shared(void);
/* Makes the caller's part. Every unit calls it once. */
void *heap_open(size_t bytes);
void heap_close(void);

/* Sets the two addresses, in the caller's part, that heap_tell tells. */
void heap_show(const void *first, const void *second);
/* Tells a unit these addresses. */
void heap_tell(int unit);
/* Tells a unit nothing but that the caller has come so far. */
void heap_signal(int unit);
/* Waits for what a unit tells or signals next. Each heap_tell and heap_signal of that unit ends one wait. What that unit stored
 * or completed before can be read from then on. */
void heap_await(int unit);

/* Which of the addresses that a unit told last. They are valid until it tells the next ones. */
enum told { FIRST, SECOND };
/* Starts to copy bytes from there. */
void heap_fetch(void *to, int unit, enum told which, size_t offset, size_t bytes);
/* Completes all copies that heap_fetch started. */
void heap_complete(void);
/* Returns where the bytes can be read: in place, or in `room` if they had to be copied. */
const void *heap_view(int unit, enum told which, size_t offset, size_t bytes, void *room);

/* ---- the library's own collectives ---- */

void library_barrier(void);
void library_bcast(void *data, size_t bytes, int root);
void library_allreduce(const double *from, double *to, size_t n); /* sum */
void library_allgather(const void *from, void *to, size_t bytes);
void library_alltoall(const void *from, void *to, size_t bytes);
double library_greatest(double value); /* of all units */

/* Reads the options, measures everything, and returns the exit code, which is the same on all units. */
int collectives_run(const char *program, int argc, char **argv);

#endif
