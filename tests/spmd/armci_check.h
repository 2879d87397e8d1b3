/* Functions that the tests of ARMCI share: start and end, allocations, and a generator of shapes, equal on all units.
 */
#ifndef ARMCI_CHECK_H
#define ARMCI_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <armci.h>

#include "check.h"
#include "pattern.h"

#define OK(call) CHECK_EQ(call, 0)

enum { UNITS_MAX = 64 };

static int self, units_n;

static inline void learn_units(void) {
  self = tessera_unit();
  units_n = tessera_units();
  if (units_n > UNITS_MAX) abort();
}

static inline void start(int *argc, char ***argv) {
  if (ARMCI_Init_args(argc, argv)) exit(EXIT_FAILURE);
  learn_units();
}

static inline int finish(void) {
  OK(ARMCI_Finalize());
  return check_result();
}

static inline int right_of(int unit) { return (unit + 1) % units_n; }
static inline int left_of(int unit) { return (unit + units_n - 1) % units_n; }

/* Memory of all units; collective. */
struct shared {
  char *of[UNITS_MAX];
};
static inline struct shared share(long bytes) {
  struct shared made = {{NULL}};
  OK(ARMCI_Malloc((void **)made.of, bytes));
  if (bytes && made.of[self]) memset(made.of[self], 0, (size_t)bytes);
  ARMCI_Barrier();
  return made;
}
static inline void free_shared(const struct shared *made) {
  ARMCI_Barrier();
  OK(ARMCI_Free(made->of[self]));
}

static inline void *take(size_t bytes) {
  void *memory = malloc(bytes + 1);
  if (!memory) abort();
  return memory;
}

static uint64_t random_state = 88172645463325252u;
static inline uint64_t random_bits(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return random_state;
}
/* From 0 to n - 1. */
static inline int below(int n) { return (int)((random_bits() >> 33) % (uint64_t)n); }

/* The first and the last process take turns, and each waits for its turn by atomic additions of 0 only, or by the
 * brackets of direct access only: although these calls complete at once, they make progress for the other process. */
static inline int ask_for_turn(int *own) {
  int turn = 0;
  OK(ARMCI_Rmw(ARMCI_FETCH_AND_ADD, &turn, own, 0, self));
  return turn;
}
static inline int look_for_turn(int *own) {
  ARMCI_Access_begin(own);
  int turn = __atomic_load_n(own, __ATOMIC_ACQUIRE);
  ARMCI_Access_end(own);
  return turn;
}
static inline void take_turns(const struct shared *memory, int (*read)(int *own)) {
  int other = units_n - 1 - self, *own = (int *)(void *)memory->of[self];
  *own = 0;
  ARMCI_Barrier();
  for (int round = 1; other != self && (self == 0 || other == 0) && round <= 20; round++) {
    if (self == 0) OK(ARMCI_PutValueInt(round, memory->of[other], other));
    while (read(own) != round) continue;
    if (other == 0) OK(ARMCI_PutValueInt(round, memory->of[other], other));
  }
  ARMCI_Barrier();
}
static inline void turns(const struct shared *memory) {
  take_turns(memory, ask_for_turn);
  take_turns(memory, look_for_turn);
}

#endif
