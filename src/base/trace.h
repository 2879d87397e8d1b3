/* The timeline: one file per unit in the JSON of Chrome's trace events, which chrome://tracing, Perfetto and others show. One
 * event per operation; a process in the picture is a unit. Units of one host share the clock. tessera-trace merges the files of all
 * units on one clock. It reads them line by line, so it depends on the form that is written here: one event per line. */
#ifndef TSR_BASE_TRACE_H
#define TSR_BASE_TRACE_H

#include <stdbool.h>
#include <stdint.h>

/* Synchronisation points, events that all units have in common: the n-th one of each unit is the same barrier. They come in
 * series. */
#define TSR_TRACE_SYNC "synchronise"
enum { TSR_TRACE_SYNC_N = 8 };

/* Opens PATH.UNIT; a later timeline of this process under the same name goes on where the one before ended. False: it
 * cannot be written (one warning), and nothing is recorded. */
bool tsr_trace_open(const char *path, int32_t unit, int32_t node);

/* Records an operation that ran in the calling thread. Times of tsr_clock_ns. `name` is plain text without quotes. `peer`: the
 * unit at the other end; negative: none. Any thread; does nothing if no timeline is open. When this returns, the file
 * contains the event and is complete, even if the process dies afterwards. */
void tsr_trace_event(const char *name, uint64_t begun_ns, uint64_t ended_ns, uint64_t bytes, int32_t peer);

/* Records which job the unit belongs to: its number, which grows with time, and its size. */
void tsr_trace_job(uint64_t number, int32_t units_n, int32_t nodes_n);

/* Records that operations are left out from here on. */
void tsr_trace_gap(void);

/* Cuts off the unused rest of the file behind the events, and closes it. */
void tsr_trace_close(void);

#endif
