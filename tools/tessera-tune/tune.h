/* The collectives that tessera-tune measures, and the table that it writes. */
#ifndef TUNE_H
#define TUNE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tessera/coll.h>

enum { SIZES_N = 8 };
extern const size_t tune_sizes[SIZES_N]; /* bytes, ascending */

/* A collective: how it is called, and the algorithms that it can use ("tree direct"). */
struct tune_kind {
  const char *name, *algorithms;
  bool has_size;
  bool among_leaders; /* the blocking form is measured, for its part between the nodes */
  /* `bytes` as in a row of the table; each buffer holds `units` parts of that size. */
  tessera_status_t (*start)(void *send, void *recv, size_t bytes, int32_t root, tessera_request_t *request);
};
enum { KINDS_N = 14 };
extern const struct tune_kind tune_kinds[KINDS_N];

/* Returns the time of one call in nanoseconds. Collective. Buffers have room for one part of the largest size per
 * unit. */
double tune_measure(const struct tune_kind *kind, size_t bytes, double seconds, void *send, void *recv);

enum { ALGORITHMS_N = 6 };
extern const char *const tune_algorithms[ALGORITHMS_N];
/* Times of the calls, for the algorithms that each call can use; 0: not measured. */
typedef double tune_times[ALGORITHMS_N][KINDS_N][SIZES_N];

/* Returns whether the collective can use the algorithm. */
bool tune_knows(const struct tune_kind *kind, const char *algorithm);

/* Writes a table that selects one algorithm for every call that can use it. False: see errno. */
bool tune_write_single(const char *path, const char *algorithm);

/* The team that was measured. */
struct tune_team {
  int32_t units, nodes;
};

/* Writes rows that select the fastest algorithm, for teams of up to this size, to the table at `path`, in place of
 * its rows for the same size. False: see errno. */
bool tune_write(const char *path, const struct tune_team *team, tune_times times);

#endif
