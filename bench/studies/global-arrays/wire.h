/* What wire_ga.c and wire_mpi.c time: the same bytes from one process to another, as transfers of Global Arrays, and as bare
 * messages of MPI, in which the other process takes part. Each program defines the functions below; wire.c calls them on every
 * process. */
#ifndef BENCH_STUDIES_WIRE_H
#define BENCH_STUDIES_WIRE_H

#include <stddef.h>

enum {
  WIRE_STREAM_N = 8, /* transfers under way at once in a stream */
  WIRE_PUTS_N = 256, /* puts before they are completed together */
  WIRE_PUT_MOST = 16 << 10,
  WIRE_WORD = sizeof(double) /* all transfers are a multiple of it */
};

/* Process 0 reads from and writes to `target`, the last process. All others only take part in collective calls. */
struct wire {
  int me, processes, target;
  size_t bytes; /* of one transfer */
  long count;   /* repetitions */
  char *local;  /* on process 0: room for a stream, and for the puts of one repetition */
};

/* Makes the part of the target that process 0 reads and writes, of at least `bytes`. Every process calls it. Returns the part
 * on the target, and NULL elsewhere. */
char *wire_open(const struct wire *w, size_t bytes);
void wire_close(void);

/* Every process calls them before and after the target uses its part by plain loads and stores. */
void wire_own_begin(void);
void wire_own_end(void);

/* `count` times: a transfer from the beginning of the part to w->local, complete before the next one begins. */
void wire_get(const struct wire *w);
/* `count` times: WIRE_STREAM_N of them at once, to successive places of w->local. */
void wire_stream(const struct wire *w);
/* `count` times: WIRE_PUTS_N transfers from w->local to the part, to successive places on both sides; then all are complete. */
void wire_puts(const struct wire *w);

void wire_sync(void);
long wire_sum(long value); /* over all processes */

/* Reads the options, measures all works, and returns the exit code. */
int wire_run(const char *program, int me, int processes, int argc, char **argv);

#endif
