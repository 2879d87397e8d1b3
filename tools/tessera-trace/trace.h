/* tessera-trace: what its parts share. A timeline is read, put on one clock, its messages are found, and it is written. */
#ifndef TRACE_H
#define TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct event {
  int64_t at_ns, took_ns;
  uint64_t bytes;
  int32_t unit, thread, name; /* name: index in the timeline's names */
  int32_t peer;               /* the unit at the other end; negative: none */
};

struct unit {
  int32_t number, node;
  char host[65];
  uint64_t job;  /* the last one that its file has; 0: none, as the unit ended before all had started */
  bool has_gap;  /* operations were left out */
  size_t events_n;
};

enum { NAMES_MAX = 256, NAME_BYTES = 65 };
struct timeline {
  struct event *events; /* in the order of their units, then of their ends */
  size_t events_n, events_room;
  struct unit *units; /* in the order of their numbers */
  int32_t units_n;
  uint64_t job; /* the last one; 0: no unit was in one */
  int32_t job_units_n, nodes_n;
  int64_t uncertainty_ns; /* of the clocks, at most */
  char names[NAMES_MAX][NAME_BYTES];
  int names_n;
};

/* Prints a line to stderr, and ends the program with code 1. */
_Noreturn void end_with_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Resizes memory to `n` elements. Ends the program if there is no memory. */
void *resize_memory(void *memory, size_t n, size_t each_bytes);

/* The unit of this number; NULL: it has no file. */
const struct unit *find_unit(const struct timeline *timeline, int32_t number);
/* The index of an operation's name; -1: no event has it. */
int32_t find_name(const struct timeline *timeline, const char *name);

/* Reads the files PATH.0, PATH.1 and so on that belong to the last job. */
void read_timeline(struct timeline *timeline, const char *path);

/* Puts all times on the clock of the first node, begins with zero, and says how well the clocks are known. Removes the
 * synchronisation points (TSR_TRACE_SYNC). */
void align_clocks(struct timeline *timeline);

/* From the operation that sends to the one that receives: indices of events. */
struct flow {
  size_t from, to;
  bool is_active;     /* an active message, which arrives when its handler begins; other messages arrive when their receive ends */
  int64_t arrival_ns; /* inside the operation that receives */
};
/* The k-th message of a size that a unit sends to another one is the k-th of that size that the other receives from it. Units whose
 * timelines have gaps have no flows. */
size_t find_flows(const struct timeline *timeline, struct flow **flows);

/* Writes the timeline as JSON of Chrome's trace events; compressed if the name ends with .gz. */
void write_timeline(const struct timeline *timeline, const struct flow flows[], size_t flows_n, const char *path);

/* Writes the timeline as an archive of the Open Trace Format 2: the folder `path`, which does not exist yet. */
void write_otf2(const struct timeline *timeline, const struct flow flows[], size_t flows_n, const char *path);

bool ends_with(const char *text, const char *end);

#endif
