/* ARMCI: memory that one process allocates alone and describes to others; names of the classic headers.
 * Group: armci_calls
 */
#include "armci_check.h"
#include "mp3.h"

enum { BYTES = 4096, ROUNDS = 20 };

static struct shared descriptions; /* the memory of each process, as it describes it to the others */

static armci_meminfo_t make(size_t bytes) {
  armci_meminfo_t made;
  ARMCI_Memget(bytes, &made, 0);
  CHECK_EQ(made.size, bytes);
  CHECK_EQ(made.cpid, self);
  CHECK(made.armci_addr && made.addr == made.armci_addr);
  CHECK(ARMCI_Memat(&made, 0) == made.addr);
  CHECK((char *)ARMCI_Memat(&made, (long)bytes) == made.addr + bytes);
  return made;
}

static armci_meminfo_t description_of(int unit) {
  armci_meminfo_t theirs;
  OK(ARMCI_Get(descriptions.of[unit], &theirs, sizeof theirs, unit));
  return theirs;
}

/* Writes to the right neighbour's memory, and reads that of all. */
static void use(const armci_meminfo_t *mine, long round) {
  int right = right_of(self);
  armci_meminfo_t theirs = description_of(right);
  CHECK_EQ(theirs.cpid, right);
  OK(ARMCI_PutValueLong(self + round, theirs.armci_addr + theirs.size - sizeof(long), right));
  ARMCI_Barrier();
  CHECK_EQ(*(long *)(void *)(mine->addr + mine->size - sizeof(long)), left_of(self) + round);
  for (int unit = 0; unit < units_n; unit++) {
    armci_meminfo_t one = description_of(unit);
    char *at = ARMCI_Memat(&one, (long)(one.size - sizeof(long)));
    long value = left_of(unit) + round;
    CHECK_EQ(ARMCI_GetValueLong(one.armci_addr + one.size - sizeof(long), unit), value);
    if (ARMCI_Same_node(unit)) CHECK_EQ(*(long *)(void *)at, value);
    ARMCI_Memdt(&one, 0);
    if (unit == self) continue;
    ARMCI_Memctl(&one); /* frees nothing */
    CHECK(!one.armci_addr && !one.addr);
  }
  ARMCI_Barrier();
}

static void live(void) {
  for (long round = 0; round < ROUNDS; round++) {
    armci_meminfo_t mine = make(BYTES * (size_t)(1 + (self + round) % 3));
    memcpy(descriptions.of[self], &mine, sizeof mine);
    ARMCI_Barrier();
    use(&mine, round);
    ARMCI_Memctl(&mine);
    CHECK(!mine.armci_addr && !mine.addr);
  }
}

/* One process alone may make many allocations of any size. */
static void many(void) {
  enum { N = 50 };
  armci_meminfo_t made[N];
  for (int i = 0; i < N; i++) {
    made[i] = make((size_t)(1 + i * 37));
    fill(made[i].addr, (unsigned)i, made[i].size);
  }
  for (int i = 0; i < N; i++) {
    CHECK_EQ(wrong(made[i].addr, (unsigned)i, made[i].size), 0);
    ARMCI_Memctl(&made[i]);
  }
}

static void classic_names(void) {
  armci_req_t handle;
  long value = self, got = -1;
  ARMCI_INIT_HANDLE(&handle);
  OK(ARMCI_Put1(&value, descriptions.of[self], sizeof value, self));
  OK(ARMCI_NbGet(descriptions.of[self], &got, sizeof got, self, &handle));
  OK(ARMCI_Wait(&handle));
  CHECK_EQ(got, self);
  dassert(1, got == self);
  dassert(0, got != self);
  dassertp(1, got == self, ("%ld", got));
  dassert1(got == self, got == self, got);
  int procs, me;
  double (*timer)(void) = MP_TIMER, begun = MP_TIMER();
  MP_ASSERT(MP_PROCS(&procs));
  MP_ASSERT(MP_MYID(&me));
  CHECK(procs >= units_n);
  CHECK(me >= 0 && me < procs);
  CHECK(begun <= timer());
}

int main(int argc, char **argv) {
  start(&argc, &argv);
  descriptions = share(sizeof(armci_meminfo_t));
  live();
  many();
  classic_names();
  free_shared(&descriptions);
  return finish();
}
