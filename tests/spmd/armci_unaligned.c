/* Addresses and strides that are no multiple of the element's size: concurrent accumulates in all forms add up, as do
 * Rmw; values, strided pieces and flags arrive.
 *
 * Units: 4 7 */
#include "armci_check.h"

enum { ROUNDS = 20, N = 9, ROOM = 3 * 4096 };

static struct shared memory;

/* All processes add the same value to an element: twice the number 1, or for complex numbers 2i times 1 + i. */
struct kind {
  int type;
  size_t bytes;
  char one[16], scale[16], sum[16]; /* the sum of `adders` additions, set by expect() */
};

static struct kind integer(int type) {
  struct kind kind = {.type = type, .bytes = sizeof(int)};
  memcpy(kind.one, &(int){1}, sizeof(int));
  memcpy(kind.scale, &(int){2}, sizeof(int));
  return kind;
}
static struct kind large_integer(int type) {
  struct kind kind = {.type = type, .bytes = sizeof(long)};
  memcpy(kind.one, &(long){1}, sizeof(long));
  memcpy(kind.scale, &(long){2}, sizeof(long));
  return kind;
}
static struct kind single(int type, int parts) {
  struct kind kind = {.type = type, .bytes = (size_t)parts * sizeof(float)};
  memcpy(kind.one, (float[]){1, 1}, kind.bytes);
  memcpy(kind.scale, parts == 1 ? (float[]){2, 0} : (float[]){0, 2}, kind.bytes);
  return kind;
}
static struct kind of_doubles(int type, int parts) {
  struct kind kind = {.type = type, .bytes = (size_t)parts * sizeof(double)};
  memcpy(kind.one, (double[]){1, 1}, kind.bytes);
  memcpy(kind.scale, parts == 1 ? (double[]){2, 0} : (double[]){0, 2}, kind.bytes);
  return kind;
}

static void expect(struct kind *kind, int adders) {
  int n = 2 * adders;
  switch (kind->type) {
  case ARMCI_ACC_INT: memcpy(kind->sum, &n, sizeof n); break;
  case ARMCI_ACC_LNG: memcpy(kind->sum, &(long){n}, sizeof(long)); break;
  case ARMCI_ACC_FLT: memcpy(kind->sum, &(float){(float)n}, sizeof(float)); break;
  case ARMCI_ACC_DBL: memcpy(kind->sum, &(double){n}, sizeof(double)); break;
  case ARMCI_ACC_CPL: memcpy(kind->sum, (float[]){(float)-n, (float)n}, 2 * sizeof(float)); break;
  default: memcpy(kind->sum, (double[]){-n, n}, 2 * sizeof(double));
  }
}

/* N elements, this many bytes apart, from an offset in the memory of `unit` on. */
struct place {
  int unit, off, step;
};

static char *element(const struct place *at, int i) { return memory.of[at->unit] + at->off + (ptrdiff_t)i * at->step; }

static void add_each(struct kind *kind, const struct place *at, char *ones) {
  for (int i = 0; i < N; i++)
    OK(ARMCI_Acc(kind->type, kind->scale, ones + (size_t)i * kind->bytes, element(at, i), (int)kind->bytes, at->unit));
}

static void add_strided(struct kind *kind, const struct place *at, char *ones) {
  int count[2] = {(int)kind->bytes, N}, src_stride = (int)kind->bytes, dst_stride = at->step;
  OK(ARMCI_AccS(kind->type, kind->scale, ones, &src_stride, element(at, 0), &dst_stride, count, 1, at->unit));
  OK(ARMCI_NbAccS(kind->type, kind->scale, ones, &src_stride, element(at, 0), &dst_stride, count, 1, at->unit, NULL));
  OK(ARMCI_WaitProc(at->unit));
}

static void add_vector(struct kind *kind, const struct place *at, char *ones, armci_hdl_t *handle) {
  void *from[N], *to[N];
  for (int i = 0; i < N; i++) from[i] = ones + (size_t)i * kind->bytes, to[i] = element(at, N - 1 - i);
  armci_giov_t giov = {.src_ptr_array = from, .dst_ptr_array = to, .bytes = (int)kind->bytes, .ptr_array_len = N};
  if (!handle) OK(ARMCI_AccV(kind->type, kind->scale, &giov, 1, at->unit));
  else OK(ARMCI_NbAccV(kind->type, kind->scale, &giov, 1, at->unit, handle));
  if (handle) OK(ARMCI_Wait(handle));
}

/* One call, if the elements are contiguous. */
static void add_at_once(struct kind *kind, const struct place *at, char *ones) {
  if (at->step != (int)kind->bytes) {
    add_each(kind, at, ones);
    return;
  }
  OK(ARMCI_NbAcc(kind->type, kind->scale, ones, element(at, 0), N * (int)kind->bytes, at->unit, NULL));
  OK(ARMCI_WaitAll());
}

/* All processes add to the same elements, each in its own order. */
static void check_sums(struct kind *kind, struct place at) {
  enum { FORMS = 6 };
  char buffer[16 * N + 1], *ones = buffer + 1;
  armci_hdl_t aggregate;
  ARMCI_INIT_HANDLE(&aggregate);
  ARMCI_SET_AGGREGATE_HANDLE(&aggregate);
  for (int i = 0; i < N; i++) memcpy(ones + (size_t)i * kind->bytes, kind->one, kind->bytes);
  if (at.unit == self) memset(memory.of[self], 0, ROOM);
  ARMCI_Barrier();
  for (int form = 0; form < 5; form++) {
    switch ((form + self) % 5) {
    case 0: add_each(kind, &at, ones); break;
    case 1: add_strided(kind, &at, ones); break;
    case 2: add_vector(kind, &at, ones, NULL); break;
    case 3: add_vector(kind, &at, ones, &aggregate); break;
    default: add_at_once(kind, &at, ones);
    }
  }
  ARMCI_Barrier();
  expect(kind, FORMS * units_n);
  for (int i = 0; i < N && at.unit == self; i++) CHECK(memcmp(element(&at, i), kind->sum, kind->bytes) == 0);
  ARMCI_Barrier();
}

/* Contiguous, or with gaps so that some elements are aligned and others not; also across lines, pages and locks. */
static void check_kind(struct kind kind) {
  static const int offs[] = {0, 1, 3, 4, 6, 60, 4090};
  const int bytes = (int)kind.bytes, steps[] = {bytes, bytes + 1, 3 * bytes / 2 + 64};
  for (int i = 0; i < 7; i++) {
    for (int k = 0; k < 3; k++) check_sums(&kind, (struct place){(i + k) % units_n, offs[i], steps[k]});
  }
}

static void check_rmw(void) {
  int zero = 0, *counter = (void *)(memory.of[0] + 61);
  long *large = (void *)(memory.of[0] + 4091), sum = 0;
  int one = 1;
  if (self == 0) memset(memory.of[0], 0, ROOM);
  ARMCI_Barrier();
  for (int i = 0, before; i < ROUNDS; i++) {
    OK(ARMCI_Rmw(ARMCI_FETCH_AND_ADD, &before, counter, 1, 0));
    OK(ARMCI_Acc(ARMCI_ACC_INT, &one, &one, counter, sizeof(int), 0));
    long ticket = -1;
    OK(ARMCI_Rmw(ARMCI_FETCH_AND_ADD_LONG, &ticket, large, 1, 0));
    sum += ticket;
  }
  armci_msg_lgop(&sum, 1, "+");
  long n = (long)ROUNDS * units_n;
  CHECK_EQ(sum, n * (n - 1) / 2);
  ARMCI_Barrier();
  CHECK_EQ(ARMCI_GetValueInt(counter, 0), 2 * n);
  CHECK_EQ(ARMCI_GetValueLong(large, 0), n);
  ARMCI_Barrier();
  int token = self;
  OK(ARMCI_Rmw(ARMCI_SWAP, &token, memory.of[0] + 131, zero, 0));
  if (self == 0) OK(ARMCI_PutValueInt(0, counter, 0));
  ARMCI_Barrier();
  OK(ARMCI_Acc(ARMCI_ACC_INT, &one, &token, counter, sizeof(int), 0));
  ARMCI_Barrier();
  token = ARMCI_GetValueInt(counter, 0) + ARMCI_GetValueInt(memory.of[0] + 131, 0);
  CHECK_EQ(token, units_n * (units_n - 1) / 2);
  ARMCI_Barrier();
}

static void check_copies(void) {
  int to = right_of(self), count[2] = {5, 20}, src_stride = 7, dst_stride = 9, flag = 0;
  char from[140], back[140];
  for (int i = 0; i < 140; i++) from[i] = (char)(i + self), back[i] = (char)(i + self);
  memset(memory.of[self], 0, 512);
  ARMCI_Barrier();
  OK(ARMCI_PutS_flag(from, &src_stride, memory.of[to] + 1, &dst_stride, count, 1, (int *)(void *)(memory.of[to] + 301), 77, to));
  while (flag != 77) flag = ARMCI_GetValueInt(memory.of[self] + 301, self);
  memset(back, 0, sizeof back);
  OK(ARMCI_GetS(memory.of[to] + 1, &dst_stride, back, &src_stride, count, 1, to));
  for (int i = 0; i < 140; i++) CHECK_EQ(back[i], i % 7 < 5 ? from[i] : 0);
  OK(ARMCI_PutValueDouble(self, memory.of[to] + 403, to));
  OK(ARMCI_PutValueLong(self, memory.of[to] + 421, to));
  CHECK_EQ(ARMCI_GetValueDouble(memory.of[to] + 403, to), self);
  CHECK_EQ(ARMCI_GetValueLong(memory.of[to] + 421, to), self);
  ARMCI_Barrier();
}

int main(int argc, char **argv) {
  start(&argc, &argv);
  memory = share(ROOM);
  check_kind(integer(ARMCI_ACC_INT));
  check_kind(large_integer(ARMCI_ACC_LNG));
  check_kind(single(ARMCI_ACC_FLT, 1));
  check_kind(single(ARMCI_ACC_CPL, 2));
  check_kind(of_doubles(ARMCI_ACC_DBL, 1));
  check_kind(of_doubles(ARMCI_ACC_DCP, 2));
  check_rmw();
  check_copies();
  free_shared(&memory);
  return finish();
}
