/* The stage: memory on which limits are measured. Units share it without Tessera. It is of the same kind as Tessera's
 * heap (a memfd that all units map), so that a limit and an operation differ by the protocol only.
 */
#ifndef PERF_STAGE_H
#define PERF_STAGE_H

#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "harness.h"

enum { STAGE_APART = 128 /* bytes: two lines, because neighbours are fetched in pairs */ };
enum { STAGE_WORDS_N = 8, STAGE_SLOTS_N = 64 };

struct stage_line { alignas(STAGE_APART) _Atomic uint64_t word[STAGE_WORDS_N]; }; /* one cache line is used */

/* A queue of messages in its simplest form: a writer takes a place by one addition. */
struct stage_ring {
  struct stage_line tail, slot[STAGE_SLOTS_N];
};

struct stage_memory {
  _Atomic uint64_t nonce;
  _Atomic uint64_t cores[16]; /* the cores that the units may run on, one bit each */
  struct stage_line own, hot, trip, flags;
  struct stage_ring ring[2]; /* inbound: unit 0's, the target's */
  struct stage_line counter[2]; /* the same */
  _Atomic uint64_t target_pid, target_at; /* where the target's private memory is */
  alignas(STAGE_APART) _Atomic uint32_t arrived_n;
  _Atomic uint32_t generation;
};

struct stage {
  struct stage_memory *memory; /* NULL where the unit could not map it */
  char *data;                  /* page-aligned; every page was first written by the target */
  size_t data_bytes;
  bool has_target, has_all;    /* the same at every unit: whether the target, and whether all units have mapped it */
  int cores_n;                 /* of all units together; 0 unless has_all */
};

/* Opens the stage with room for a copy of the longest requested size. Collective. Units on other nodes than unit 0 do
 * not map it; has_target and has_all say so. It exists until the process ends. */
const struct stage *stage_open(const struct perf *p);

#endif
