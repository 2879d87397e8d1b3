/* What tessera-tune measures, and what it writes. */
#ifndef TUNE_H
#define TUNE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tessera/coll.h>

enum { SIZES_N = 8 };
extern const size_t tune_sizes[SIZES_N]; /* bytes, ascending */

/* A collective: how it is called, and the algorithms that make it ("tree direct"). */
struct tune_kind {
  const char *name, *algorithms;
  bool has_size;
  bool among_leaders; /* the blocking one: its part between the nodes */
  /* `bytes` as in a row of the table; `units` shares of that lie in each buffer. */
  tessera_status_t (*start)(void *send, void *recv, size_t bytes, int32_t root, tessera_request_t *request);
};
enum { KINDS_N = 11 };
extern const struct tune_kind tune_kinds[KINDS_N];

/* Nanoseconds of one call; collective. Buffers have room for one share of the largest size for each unit. */
double tune_measure(const struct tune_kind *kind, size_t bytes, double seconds, void *send, void *recv);

enum { ALGORITHMS_N = 5 };
extern const char *const tune_algorithms[ALGORITHMS_N];
/* What each call took, where it is made by the algorithm. */
typedef double tune_times[ALGORITHMS_N][KINDS_N][SIZES_N];

/* Whether the collective is made by the algorithm. */
bool tune_knows(const struct tune_kind *kind, const char *algorithm);

/* Writes a table in which every call takes one algorithm, where it is made that way. False: errno says why. */
bool tune_write_single(const char *path, const char *algorithm);

/* Those that were measured. */
struct tune_team {
  int32_t units, nodes;
};

/* Puts rows that choose the fastest, for teams of up to so many, into the table at `path`, in place of those that it has for
 * the same. False: errno says why. */
bool tune_write(const char *path, const struct tune_team *team, tune_times times);

#endif
