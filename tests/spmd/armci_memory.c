/* ARMCI: allocations of different sizes, empty ones, local ones, and several lives.
 * Group: armci_calls
 */
#include "armci_check.h"

enum { LIVES = 3, MANY = 30 };

/* Some processes have no memory: their pointer is NULL everywhere, and they free NULL. */
static void different_sizes(int step) {
  struct shared memory;
  long bytes = (self + step) % 3 * 5000L;
  OK(ARMCI_Malloc((void **)memory.of, bytes));
  for (int unit = 0; unit < units_n; unit++) CHECK((memory.of[unit] == NULL) == ((unit + step) % 3 == 0));
  int to = right_of(self);
  long room = (to + step) % 3 * 5000L;
  if (room) OK(ARMCI_PutValueLong(self, memory.of[to] + room - 8, to));
  ARMCI_Barrier();
  if (bytes) CHECK_EQ(*(long *)(void *)(memory.of[self] + bytes - 8), left_of(self));
  ARMCI_Barrier();
  OK(ARMCI_Free(memory.of[self]));
}

static void empty_ones(void) {
  void *pointers[UNITS_MAX];
  for (int i = 0; i < UNITS_MAX; i++) pointers[i] = &pointers;
  OK(ARMCI_Malloc(pointers, 0));
  for (int unit = 0; unit < units_n; unit++) CHECK(pointers[unit] == NULL);
  OK(ARMCI_Free(pointers[self]));
}

/* Freed in another order than allocated. */
static void many(void) {
  struct shared made[MANY];
  for (int i = 0; i < MANY; i++) made[i] = share((i % 7) * 1000 + 8);
  for (int i = 0; i < MANY; i++) OK(ARMCI_PutValueInt(i, made[i].of[right_of(self)], right_of(self)));
  ARMCI_Barrier();
  for (int i = 0; i < MANY; i++) CHECK_EQ(*(int *)(void *)made[i].of[self], i);
  for (int i = 0; i < MANY; i++) free_shared(&made[i * 7 % MANY]);
}

static void other_names(void) {
  void *pointers[UNITS_MAX];
  OK(ARMCI_Malloc_memdev(pointers, 100, "fast"));
  OK(ARMCI_Free_memdev(pointers[self]));
  ARMCI_Group world;
  ARMCI_Group_get_world(&world);
  OK(ARMCI_Malloc_group_memdev(pointers, 100, &world, "large"));
  OK(ARMCI_PutValueInt(self, pointers[right_of(self)], right_of(self)));
  ARMCI_Barrier();
  CHECK_EQ(*(int *)pointers[self], left_of(self));
  OK(ARMCI_Free_memdev(pointers[self]));
}

/* Other processes reach it, too. */
static void local_ones(void) {
  struct shared memory = share(sizeof(long *));
  long *local = ARMCI_Malloc_local(1000);
  if (!local) exit(EXIT_FAILURE);
  local[3] = self;
  OK(ARMCI_Put(&local, memory.of[right_of(self)], sizeof local, right_of(self)));
  ARMCI_Barrier();
  long *theirs = *(long **)(void *)memory.of[self];
  CHECK_EQ(ARMCI_GetValueLong(theirs + 3, left_of(self)), left_of(self));
  free_shared(&memory);
  ARMCI_Access_begin(local);
  local[4] = 1;
  ARMCI_Access_end(local);
  OK(ARMCI_Free_local(local));
  OK(ARMCI_Free_local(NULL));
}

int main(int argc, char **argv) {
  CHECK_EQ(ARMCI_Initialized(), 0);
  for (int life = 0; life < LIVES; life++) {
    if (life == 1) OK(ARMCI_Init());
    else OK(ARMCI_Init_args(&argc, &argv));
    CHECK_EQ(ARMCI_Initialized(), 1);
    learn_units();
    for (int step = 0; step < 3; step++) different_sizes(step);
    empty_ones();
    many();
    other_names();
    local_ones();
    share(12345); /* the end frees the rest */
    OK(ARMCI_Init());
    OK(ARMCI_Finalize());
    CHECK_EQ(ARMCI_Initialized(), 1);
    OK(ARMCI_Finalize());
    CHECK_EQ(ARMCI_Initialized(), 0);
  }
  ARMCI_Cleanup();
  return check_result();
}
