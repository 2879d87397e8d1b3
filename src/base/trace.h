/* The timeline: one file per unit in the JSON of Chrome's trace events, which chrome://tracing, Perfetto and others show. One
 * event per operation; a process in the picture is a unit. Units of one host share the clock. */
#ifndef TSR_BASE_TRACE_H
#define TSR_BASE_TRACE_H

#include <stdbool.h>
#include <stdint.h>

/* Opens PATH.UNIT; a later timeline of this process under the same name goes on where the one before ended. False: it
 * cannot be written (one warning), and nothing is recorded. */
bool tsr_trace_open(const char *path, int32_t unit);

/* Records an operation that ran in the calling thread. Times of tsr_clock_ns. `name` is plain text without quotes.
 * Any thread; nothing when no timeline is open. The file has the event when this returns,
 * whatever becomes of the process, and is complete. */
void tsr_trace_event(const char *name, uint64_t begun_ns, uint64_t ended_ns, uint64_t bytes, uint64_t remote_bytes);

/* Takes the rest of the room behind the events away. */
void tsr_trace_close(void);

#endif
