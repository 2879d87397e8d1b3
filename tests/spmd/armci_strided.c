/* ARMCI: strided transfers of random shapes, compared with copies byte by byte.
 * Group: armci_calls
 */
#include "armci_check.h"

enum { ROOM = 200000, SHAPES = 150, LEVELS_MAX = ARMCI_MAX_STRIDE_LEVEL };

struct shape {
  int levels, count[LEVELS_MAX + 1], stride[LEVELS_MAX]; /* strides of levels that are 0 are not read */
  int off;
};

static struct shared memory;
static char *mine, *expected, *back;

/* A side that touches no byte twice, in its own area: each level leaves a gap, or none, or runs backwards. */
static void choose_strides(struct shape *shape) {
  int extent = shape->count[0];
  shape->off = below(64);
  for (int level = 0; level < shape->levels; level++) {
    int step = extent + (below(3) ? below(16) : 0), times = shape->count[level + 1];
    bool backwards = below(4) == 0;
    shape->stride[level] = backwards ? -step : step;
    if (backwards) shape->off += step * (times - 1);
    extent += step * (times > 0 ? times - 1 : 0);
    if (!backwards && times == 1 && below(2)) shape->stride[level] = 1 << 30; /* not used */
  }
}

static void choose(struct shape *from, struct shape *to, int unit_bytes) {
  int room = ROOM / 8 / unit_bytes;
  from->levels = below(9) ? below(5) : LEVELS_MAX;
  for (int level = 0; level <= from->levels; level++) {
    int most = level == 0 ? 200 : from->levels > 4 ? 2 : 9;
    from->count[level] = 1 + below(most < room ? most : room);
    room /= 2 * from->count[level];
    if (room < 1) room = 1;
  }
  from->count[0] *= unit_bytes;
  if (below(12) == 0) from->count[below(from->levels + 1)] = 0;
  *to = *from;
  choose_strides(from);
  choose_strides(to);
}

static void align_strides(struct shape *shape, int unit_bytes) {
  int extent = shape->count[0];
  shape->off = unit_bytes * below(5);
  for (int level = 0; level < shape->levels; level++) {
    shape->stride[level] = extent + unit_bytes * below(3);
    extent += shape->stride[level] * (shape->count[level + 1] > 0 ? shape->count[level + 1] - 1 : 0);
  }
}

/* Visits every element in order, with its offsets on the two sides. */
typedef void (*element_fn)(char *to, const char *from, int bytes);
static void each(const struct shape *to, const struct shape *from, char *to_base, const char *from_base, element_fn element) {
  int index[LEVELS_MAX] = {0};
  for (int level = 0; level <= to->levels; level++) {
    if (to->count[level] == 0) return;
  }
  for (int level = 0; level < to->levels || to->levels == 0;) {
    long to_off = to->off, from_off = from->off;
    for (int d = 0; d < to->levels; d++) {
      to_off += (long)index[d] * to->stride[d];
      from_off += (long)index[d] * from->stride[d];
    }
    element(to_base + to_off, from_base + from_off, to->count[0]);
    for (level = 0; level < to->levels && ++index[level] == to->count[level + 1]; level++) index[level] = 0;
    if (to->levels == 0) return;
  }
}

static void copy(char *to, const char *from, int bytes) { memcpy(to, from, (size_t)bytes); }

static int *strides(struct shape *shape) { return shape->levels > 0 ? shape->stride : (int *)16; }

static void check_put(struct shape *from, struct shape *to, bool blocking) {
  int unit = right_of(self);
  armci_hdl_t handle;
  ARMCI_INIT_HANDLE(&handle);
  fill(mine, (unsigned)random_bits(), ROOM);
  each(to, from, expected, mine, copy);
  if (blocking)
    OK(ARMCI_PutS(mine + from->off, strides(from), memory.of[unit] + to->off, strides(to), to->count, to->levels, unit));
  else
    OK(ARMCI_NbPutS(mine + from->off, strides(from), memory.of[unit] + to->off, strides(to), to->count, to->levels, unit,
                    &handle));
  OK(ARMCI_Wait(&handle));
  ARMCI_Fence(unit);
  OK(ARMCI_Get(memory.of[unit], back, ROOM, unit));
  CHECK(memcmp(back, expected, ROOM) == 0);
}

static void check_get(struct shape *from, struct shape *to, bool blocking) {
  int unit = right_of(self);
  char *result = take(ROOM);
  memset(back, 0, ROOM);
  memset(result, 0, ROOM);
  each(to, from, back, expected, copy);
  if (blocking)
    OK(ARMCI_GetS(memory.of[unit] + from->off, strides(from), result + to->off, strides(to), to->count, to->levels, unit));
  else
    OK(ARMCI_NbGetS(memory.of[unit] + from->off, strides(from), result + to->off, strides(to), to->count, to->levels, unit,
                    NULL));
  OK(ARMCI_WaitProc(unit));
  CHECK(memcmp(back, result, ROOM) == 0);
  free(result);
}

static void check_pack(struct shape *from) {
  struct shape line = *from;
  int bytes = 1;
  for (int level = 0; level <= from->levels; level++) bytes *= from->count[level];
  line.off = 0;
  for (int level = 0, step = line.count[0]; level < line.levels; step *= line.count[++level]) line.stride[level] = step;
  char *packed = take((size_t)bytes), *again = take(ROOM);
  memset(back, 0, ROOM);
  each(&line, from, back, mine, copy);
  armci_write_strided(mine + from->off, from->levels, strides(from), from->count, packed);
  CHECK(memcmp(packed, back, (size_t)bytes) == 0);
  memcpy(again, mine, ROOM);
  each(from, &line, again, packed, copy);
  CHECK(memcmp(again, mine, ROOM) == 0);
  memset(again, 0, ROOM);
  memset(back, 0, ROOM);
  each(from, &line, back, packed, copy);
  armci_read_strided(again + from->off, from->levels, strides(from), from->count, packed);
  CHECK(memcmp(again, back, ROOM) == 0);
  free(packed);
  free(again);
}

/* Sums of doubles are exact as long as they are small. */
static void add_twice(char *to, const char *from, int bytes) {
  for (int i = 0; i < bytes; i += 8) {
    double sum, more;
    memcpy(&sum, to + i, 8);
    memcpy(&more, from + i, 8);
    sum += 2 * more;
    memcpy(to + i, &sum, 8);
  }
}

static void check_accumulate(struct shape *from, struct shape *to, bool blocking) {
  int unit = right_of(self);
  double scale = 2;
  align_strides(from, 8);
  align_strides(to, 8);
  for (size_t i = 0; i < ROOM / 8; i++) {
    double number = (double)below(1000), zero = 0;
    memcpy(mine + 8 * i, &number, 8);
    memcpy(expected + 8 * i, &zero, 8);
  }
  OK(ARMCI_Put(expected, memory.of[unit], ROOM, unit));
  for (int i = 0; i < 2; i++) {
    each(to, from, expected, mine, add_twice);
    if (blocking)
      OK(ARMCI_AccS(ARMCI_ACC_DBL, &scale, mine + from->off, strides(from), memory.of[unit] + to->off, strides(to), to->count,
                    to->levels, unit));
    else
      OK(ARMCI_NbAccS(ARMCI_ACC_DBL, &scale, mine + from->off, strides(from), memory.of[unit] + to->off, strides(to),
                      to->count, to->levels, unit, NULL));
  }
  ARMCI_AllFence();
  OK(ARMCI_Get(memory.of[unit], back, ROOM, unit));
  CHECK(memcmp(back, expected, ROOM) == 0);
}

typedef int (*put_flag_fn)(void *src, int src_stride[], void *dst, int dst_stride[], int count[], int levels, int *flag,
                           int value, int proc);

static void flagged(put_flag_fn put) {
  int count[2] = {24, 100}, from_stride = 24, to_stride = 40, to = right_of(self);
  int *flag = (int *)(void *)(memory.of[self] + 8000);
  *flag = 0;
  ARMCI_Barrier();
  fill(mine, (unsigned)self, 2400);
  OK(put(mine, &from_stride, memory.of[to], &to_stride, count, 1, (int *)(void *)(memory.of[to] + 8000), 5, to));
  while (__atomic_load_n(flag, __ATOMIC_ACQUIRE) != 5) OK(ARMCI_WaitAll());
  fill(back, (unsigned)left_of(self), 2400);
  for (int i = 0; i < 100; i++) CHECK(memcmp(memory.of[self] + 40 * i, back + 24 * i, 24) == 0);
  ARMCI_Barrier();
}

/* Few pieces forwards and backwards, adjacent and not; the furthest one ends where the memory does. */
static void at_the_end(void) {
  static const int numbers[] = {1, 2, 8, 33};
  int unit = right_of(self);
  OK(ARMCI_Get(memory.of[unit], expected, ROOM, unit));
  for (int k = 0; k < 4; k++)
    for (int bytes = 1; bytes <= 40; bytes += 3)
      for (int way = 0; way < 4; way++) {
        int count[2] = {bytes, numbers[k]}, line = bytes, step = (bytes + (way & 1)) * (way & 2 ? -1 : 1);
        const int first = ROOM - bytes - (step > 0 ? (numbers[k] - 1) * step : 0);
        fill(mine, (unsigned)(k * 100 + bytes + way), (size_t)(bytes * numbers[k]));
        for (int i = 0; i < numbers[k]; i++) memcpy(expected + first + i * step, mine + i * bytes, (size_t)bytes);
        OK(ARMCI_PutS(mine, &line, memory.of[unit] + first, &step, count, 1, unit));
        memset(back, 0, (size_t)(bytes * numbers[k]));
        OK(ARMCI_GetS(memory.of[unit] + first, &step, back, &line, count, 1, unit));
        CHECK(memcmp(back, mine, (size_t)(bytes * numbers[k])) == 0);
      }
  OK(ARMCI_Get(memory.of[unit], back, ROOM, unit));
  CHECK(memcmp(back, expected, ROOM) == 0);
}

int main(int argc, char **argv) {
  start(&argc, &argv);
  memory = share(ROOM);
  mine = take(ROOM);
  back = take(ROOM);
  expected = take(ROOM);
  memset(expected, 0, ROOM);
  random_state += (uint64_t)self * 7919;
  for (int i = 0; i < SHAPES; i++) {
    struct shape from, to;
    choose(&from, &to, 1);
    check_put(&from, &to, i % 2);
    choose(&from, &to, 1);
    check_get(&from, &to, i % 2);
    check_pack(&from);
  }
  for (int i = 0; i < SHAPES / 3; i++) {
    struct shape from, to;
    choose(&from, &to, 8);
    check_accumulate(&from, &to, i % 2);
  }
  ARMCI_Barrier();
  at_the_end();
  ARMCI_Barrier();
  flagged(ARMCI_PutS_flag);
  flagged(ARMCI_PutS_flag_dir);
  free_shared(&memory);
  free(mine);
  free(back);
  free(expected);
  return finish();
}
