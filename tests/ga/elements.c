/* Single elements: scatter, gather, scatter with accumulate, the counter that all units draw from, and locks. */
#include "ga_check.h"

enum { PIECES = 40, DRAWS = 100, MUTEXES = 3, TURNS = 20 };

struct list {
  int subscripts[PIECES][DIMS_MAX];
  int *of[PIECES];
  char values[PIECES * sizeof(DoubleComplex)];
};

static void random_subscripts(const struct array *a, struct list *list) {
  for (int i = 0; i < PIECES; i++) {
    for (int d = 0; d < a->ndim; d++) list->subscripts[i][d] = below(a->dims[d]);
    list->of[i] = list->subscripts[i];
  }
}

/* Each unit has a row of its own in the first dimension, and in it different elements. */
static void scatter(struct array *a) {
  struct list list;
  for (int unit = 0; unit < units_n; unit++)
    for (int i = 0; i < PIECES; i++) {
      int at[DIMS_MAX] = {(i + unit) % a->dims[0], i % a->dims[1], unit};
      long value = 1000 * unit + i;
      a->expected[place(a, at)] = value;
      if (unit != self) continue;
      memcpy(list.subscripts[i], at, sizeof at);
      list.of[i] = list.subscripts[i];
      a->type->store(list.values + (size_t)i * a->type->bytes, value);
    }
  NGA_Scatter(a->ga, list.values, list.of, PIECES);
  GA_Sync();
  CHECK_EQ(wrong_elements(a), 0);
  GA_Sync();
}

static void scatter_acc(struct array *a) {
  struct list list;
  union scalar factor = scalar_of(a->type, 2);
  for (int unit = 0; unit < units_n; unit++) {
    random_subscripts(a, &list);
    for (int i = 0; i < PIECES; i++) {
      a->expected[place(a, list.of[i])] += 2 * (unit + i);
      a->type->store(list.values + (size_t)i * a->type->bytes, unit + i);
    }
    if (unit == self) NGA_Scatter_acc(a->ga, list.values, list.of, PIECES, &factor);
  }
  GA_Sync();
  CHECK_EQ(wrong_elements(a), 0);
  GA_Sync();
}

static void gather(struct array *a) {
  struct list list;
  for (int round = 0; round < 5; round++) {
    random_subscripts(a, &list);
    memset(list.values, 0x55, sizeof list.values);
    NGA_Gather(a->ga, list.values, list.of, PIECES);
    for (int i = 0; i < PIECES; i++)
      CHECK_EQ(a->type->load(list.values + (size_t)i * a->type->bytes), a->expected[place(a, list.of[i])]);
  }
  GA_Sync();
}

/* Subscripts end to end instead of one by one. */
static void flat(struct array *a) {
  struct list list;
  int subscripts[PIECES * 3];
  random_subscripts(a, &list);
  for (int i = 0; i < PIECES; i++) memcpy(subscripts + i * 3, list.of[i], 3 * sizeof *subscripts);
  NGA_Gather_flat(a->ga, list.values, subscripts, PIECES);
  for (int i = 0; i < PIECES; i++)
    CHECK_EQ(a->type->load(list.values + (size_t)i * a->type->bytes), a->expected[place(a, list.of[i])]);
  GA_Sync();
}

/* Every number is drawn once. */
static void draw(int code, bool other_sign) {
  int n = units_n * DRAWS, dims[1] = {4 * units_n}, last[1] = {4 * units_n - 1}, mine[1] = {self}, ga;
  int *drawn = take((size_t)n * sizeof *drawn);
  long step = other_sign ? -1 : 1;
  memset(drawn, 0, (size_t)n * sizeof *drawn);
  ga = NGA_Create(code, 1, dims, "counters", NULL);
  GA_Zero(ga);
  for (int i = 0; i < DRAWS; i++) {
    long number = step * NGA_Read_inc(ga, last, step);
    CHECK(number >= 0 && number < n);
    if (number >= 0 && number < n) drawn[number]++;
    CHECK_EQ(NGA_Read_inc(ga, mine, 3), 3 * i);
  }
  GA_Igop(drawn, n, "+");
  for (int i = 0; i < n; i++) CHECK_EQ(drawn[i], 1);
  CHECK_EQ(NGA_Read_inc(ga, last, 0), step * n);
  GA_Sync();
  GA_Destroy(ga);
  free(drawn);
}

/* Read, change and write back under a lock; then the same word is read by all. */
static void lock(void) {
  int dims[1] = {MUTEXES * units_n}, ga = NGA_Create(C_LONG, 1, dims, "locked", NULL);
  GA_Zero(ga);
  CHECK(GA_Create_mutexes(MUTEXES));
  for (int i = 0; i < TURNS * MUTEXES; i++) {
    int mutex = (i + self) % MUTEXES, at[1] = {mutex * units_n};
    long value = -1;
    GA_Lock(mutex);
    NGA_Get(ga, at, at, &value, NULL);
    value++;
    GA_Init_fence();
    NGA_Put(ga, at, at, &value, NULL);
    GA_Fence();
    GA_Unlock(mutex);
  }
  GA_Sync();
  for (int mutex = 0; mutex < MUTEXES; mutex++) {
    int at[1] = {mutex * units_n};
    long value = -1;
    NGA_Get(ga, at, at, &value, NULL);
    CHECK_EQ(value, (long)TURNS * units_n);
  }
  CHECK(GA_Destroy_mutexes());
  GA_Destroy(ga);
}

int main(int argc, char **argv) {
  start(&argc, &argv, MA_DOUBLES);
  const int dims[3] = {13, PIECES, units_n + 1};
  for (int t = 0; t < TYPES_N; t++) {
    struct array a = make(&types[t], 3, dims);
    scatter(&a);
    scatter_acc(&a);
    gather(&a);
    flat(&a);
    drop(&a);
  }
  draw(C_INT, false);
  draw(C_LONG, false);
  draw(C_LONG, true);
  lock();
  lock();
  return finish();
}
