/* Mutexes of ARMCI: exclusion, different numbers of them, sets with handles over groups, trying, and their life.
 * Group: armci_calls
 */
#include <armci.h>
#include <armcix.h>

#include "check.h"

#define OK(call) CHECK_EQ(call, 0)

enum { ROUNDS = 40 };

static int me, procs_n;

/* A counter that is changed by a get and a put is right at the end only if no other process comes between. */
static void add_one(long *counter, int proc) {
  long value;
  OK(ARMCI_Get(counter, &value, sizeof value, proc));
  value++;
  OK(ARMCI_Put(&value, counter, sizeof value, proc));
}

static int mutexes_of(int proc) { return proc % 3 == 1 ? 0 : proc % 3 + 1; }

/* Each mutex guards one counter of its process; some processes have none. */
static void excludes(void) {
  void *counters[64];
  OK(ARMCI_Create_mutexes(mutexes_of(me)));
  CHECK(ARMCI_Create_mutexes(1) != 0);
  OK(ARMCI_Malloc(counters, 3 * sizeof(long)));
  for (int i = 0; i < 3; i++) ((long *)counters[me])[i] = 0;
  ARMCI_Barrier();
  for (int round = 0; round < ROUNDS; round++) {
    int proc = (me + round) % procs_n;
    if (!mutexes_of(proc)) continue;
    int mutex = round % mutexes_of(proc);
    ARMCI_Lock(mutex, proc);
    add_one((long *)counters[proc] + mutex, proc);
    ARMCI_Unlock(mutex, proc);
  }
  ARMCI_Barrier();
  for (int mutex = 0; mutex < mutexes_of(me); mutex++) {
    long expected = 0;
    for (int proc = 0; proc < procs_n; proc++) {
      for (int round = 0; round < ROUNDS; round++)
        expected += (proc + round) % procs_n == me && round % mutexes_of(me) == mutex;
    }
    CHECK_EQ(((long *)counters[me])[mutex], expected);
  }
  OK(ARMCI_Free(counters[me]));
  OK(ARMCI_Destroy_mutexes());
  CHECK(ARMCI_Destroy_mutexes() != 0);
}

/* All processes want the same one at once, and hold a second one inside. */
static void nests(void) {
  void *counters[64];
  OK(ARMCI_Create_mutexes(2));
  OK(ARMCI_Malloc(counters, sizeof(long)));
  *(long *)counters[me] = 0;
  ARMCI_Barrier();
  int last = procs_n - 1;
  for (int round = 0; round < ROUNDS; round++) {
    ARMCI_Lock(0, last);
    ARMCI_Lock(1, 0);
    add_one(counters[last], last);
    ARMCI_Unlock(1, 0);
    ARMCI_Unlock(0, last);
  }
  ARMCI_Barrier();
  if (me == last) CHECK_EQ(*(long *)counters[me], (long)ROUNDS * procs_n);
  OK(ARMCI_Free(counters[me]));
  OK(ARMCI_Destroy_mutexes());
}

static void refuses(void) {
  CHECK(ARMCI_Create_mutexes(me == 0 ? -1 : 1) != 0); /* one process's error is an error on all */
  OK(ARMCI_Create_mutexes(0));
  OK(ARMCI_Destroy_mutexes());
  OK(ARMCI_Create_mutexes(1));
  if (me == 0) ARMCI_Lock(0, procs_n - 1);
  CHECK(ARMCI_Destroy_mutexes() != 0); /* it is held */
  if (me == 0) ARMCI_Unlock(0, procs_n - 1);
  OK(ARMCI_Destroy_mutexes());
}

static ARMCI_Group reversed_half(void) {
  int list[64], n = 0;
  ARMCI_Group group;
  for (int i = procs_n - 1; i >= 0; i--) {
    if (i % 2 == me % 2) list[n++] = i;
  }
  ARMCI_Group_create(n, list, &group);
  return group;
}

/* Mutexes without handles belong to all processes, whatever the default group; Global Arrays locks those of others. */
static void singles_are_of_all(void) {
  ARMCI_Group group = reversed_half(), world;
  void *counters[64];
  int next = (me + 1) % procs_n;
  OK(ARMCI_Malloc(counters, sizeof(long)));
  *(long *)counters[me] = 0;
  ARMCI_Group_set_default(&group);
  OK(ARMCI_Create_mutexes(1));
  for (int round = 0; round < ROUNDS; round++) {
    int proc = round % 2 ? next : me;
    ARMCI_Lock(0, proc);
    add_one(counters[proc], proc);
    ARMCI_Unlock(0, proc);
  }
  OK(ARMCI_Destroy_mutexes());
  ARMCI_Group_get_world(&world);
  ARMCI_Group_set_default(&world);
  ARMCI_Barrier();
  CHECK_EQ(*(long *)counters[me], ROUNDS);
  OK(ARMCI_Free(counters[me]));
  ARMCI_Group_free(&group);
}

/* Processes are named by their ranks in the group. */
static void handles_are_of_groups(void) {
  ARMCI_Group group = reversed_half();
  int rank, size;
  OK(ARMCI_Group_rank(&group, &rank));
  ARMCI_Group_size(&group, &size);
  void *counters[64];
  OK(ARMCI_Malloc_group(counters, sizeof(long), &group));
  *(long *)counters[rank] = 0;
  armcix_mutex_hdl_t several = ARMCIX_Create_mutexes_hdl(rank + 1, &group), other = ARMCIX_Create_mutexes_hdl(1, &group);
  CHECK(several && other && several != other);
  armci_msg_group_barrier(&group);
  for (int round = 0; round < ROUNDS; round++) {
    int owner = size - 1, proc = ARMCI_Absolute_id(&group, owner);
    ARMCIX_Lock_hdl(several, owner, owner);
    add_one(counters[owner], proc);
    ARMCIX_Unlock_hdl(several, owner, owner);
  }
  armci_msg_group_barrier(&group);
  if (rank == size - 1) CHECK_EQ(*(long *)counters[rank], (long)ROUNDS * size);
  for (int turn = 0; turn < size; turn++) {
    if (turn == rank) OK(ARMCIX_Trylock_hdl(other, 0, 0));
    armci_msg_group_barrier(&group);
    CHECK(ARMCIX_Trylock_hdl(other, 0, 0) != 0);
    armci_msg_group_barrier(&group);
    if (turn == rank) ARMCIX_Unlock_hdl(other, 0, 0);
    armci_msg_group_barrier(&group);
  }
  OK(ARMCIX_Destroy_mutexes_hdl(several));
  CHECK(ARMCIX_Destroy_mutexes_hdl(several) != 0);
  OK(ARMCIX_Destroy_mutexes_hdl(other));
  OK(ARMCI_Free_group(counters[rank], &group));
  ARMCI_Group_free(&group);
}

/* Long data has arrived when the next process holds the mutex. */
static void shows_puts(void) {
  enum { WORDS = 20000 };
  static long data[WORDS];
  void *parts[64];
  OK(ARMCI_Malloc(parts, WORDS * (armci_size_t)sizeof(long)));
  for (int i = 0; i < WORDS; i++) ((long *)parts[me])[i] = -1;
  OK(ARMCI_Create_mutexes(1));
  ARMCI_Barrier();
  for (int round = 0; round < 4; round++) {
    ARMCI_Lock(0, 0);
    int wrong = 0;
    OK(ARMCI_Get(parts[0], data, sizeof data, 0));
    for (int i = 1; i < WORDS; i++) wrong += data[i] != data[0];
    CHECK_EQ(wrong, 0);
    for (int i = 0; i < WORDS; i++) data[i] = (long)round * procs_n + me;
    OK(ARMCI_Put(data, parts[0], sizeof data, 0));
    ARMCI_Unlock(0, 0);
  }
  ARMCI_Barrier();
  OK(ARMCI_Destroy_mutexes());
  OK(ARMCI_Free(parts[me]));
}

int main(void) {
  for (int life = 0; life < 2; life++) {
    OK(ARMCI_Init());
    me = armci_msg_me();
    procs_n = armci_msg_nproc();
    excludes();
    nests();
    refuses();
    singles_are_of_all();
    handles_are_of_groups();
    shows_puts();
    OK(ARMCI_Create_mutexes(2)); /* the end frees the rest */
    ARMCI_Lock(me % 2, (me + 1) % procs_n);
    ARMCI_Unlock(me % 2, (me + 1) % procs_n);
    OK(ARMCI_Finalize());
  }
  return check_result();
}
