/* Operations on whole arrays: transposition, products, copies, sums, dot products. */
#include "ga_check.h"

static void transpose(const struct type *type, int rows, int columns) {
  const int dims[2] = {rows, columns}, turned[2] = {columns, rows};
  struct array a = make(type, 2, dims), b = make(type, 2, turned);
  set_values(&a, rows);
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++) b.expected[(size_t)j * (size_t)rows + (size_t)i] = a.expected[i * columns + j];
  GA_Transpose(a.ga, b.ga);
  CHECK_EQ(wrong_elements(&b), 0);
  CHECK_EQ(wrong_elements(&a), 0);
  GA_Sync();
  drop(&a);
  drop(&b);
}

/* c = 2 a b - c, with a and b as they are or transposed. */
static void product(bool turn_a, bool turn_b, int m, int n, int k) {
  const int dims_a[2] = {turn_a ? k : m, turn_a ? m : k}, dims_b[2] = {turn_b ? n : k, turn_b ? k : n}, dims_c[2] = {m, n};
  struct array a = make(type_double, 2, dims_a), b = make(type_double, 2, dims_b), c = make(type_double, 2, dims_c);
  set_values(&a, 1);
  set_values(&b, 2);
  set_values(&c, 3);
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      long sum = 0;
      for (int l = 0; l < k; l++)
        sum += a.expected[turn_a ? l * m + i : i * k + l] * b.expected[turn_b ? j * k + l : l * n + j];
      c.expected[i * n + j] = 2 * sum - c.expected[i * n + j];
    }
  GA_Dgemm(turn_a ? 't' : 'n', turn_b ? 't' : 'n', m, n, k, 2, a.ga, b.ga, -1, c.ga);
  CHECK_EQ(wrong_elements(&c), 0);
  GA_Sync();
  drop(&a);
  drop(&b);
  drop(&c);
}

static void scale_and_add(struct array *a, struct array *b) {
  union scalar two = scalar_of(a->type, 2), minus = scalar_of(a->type, -1);
  GA_Add(&two, a->ga, &minus, b->ga, b->ga);
  for (size_t i = 0; i < a->elements_n; i++) b->expected[i] = 2 * a->expected[i] - b->expected[i];
  CHECK_EQ(wrong_elements(b), 0);
  GA_Scale(b->ga, &minus);
  for (size_t i = 0; i < a->elements_n; i++) b->expected[i] = -b->expected[i];
  CHECK_EQ(wrong_elements(b), 0);
}

static void dot(const struct array *a, const struct array *b) {
  long sum = 0;
  for (size_t i = 0; i < a->elements_n; i++) sum += a->expected[i] * b->expected[i];
  if (a->type->code == C_INT) CHECK_EQ(GA_Idot(a->ga, b->ga), sum);
  if (a->type->code == C_LONG) CHECK_EQ(GA_Ldot(a->ga, b->ga), sum);
  if (a->type->code == C_DBL) CHECK_EQ(GA_Ddot(a->ga, b->ga), sum);
}

static void copy_and_fill(const struct type *type, int ndim, const int dims[]) {
  struct array a = make(type, ndim, dims), b = describe(type, ndim, dims);
  union scalar nine = scalar_of(type, 9);
  set_values(&a, 6);
  b.ga = GA_Duplicate(a.ga, "second");
  CHECK(b.ga != 0 && GA_Compare_distr(a.ga, b.ga) == 0);
  GA_Fill(b.ga, &nine);
  if (type->code != C_DCPL) {
    for (size_t i = 0; i < b.elements_n; i++) b.expected[i] = 9;
    CHECK_EQ(wrong_elements(&b), 0);
    GA_Sync();
  }
  GA_Copy(a.ga, b.ga);
  memcpy(b.expected, a.expected, a.elements_n * sizeof *a.expected);
  CHECK_EQ(wrong_elements(&b), 0);
  dot(&a, &b);
  scale_and_add(&a, &b);
  dot(&a, &b);
  GA_Zero(a.ga);
  memset(a.expected, 0, a.elements_n * sizeof *a.expected);
  CHECK_EQ(wrong_elements(&a), 0);
  GA_Sync();
  drop(&a);
  drop(&b);
}

/* Rows 3 to 9 of one are columns 4 to 10 of the other. */
static void copy_patches(void) {
  const int dims[2] = {21, 17};
  struct array a = make(type_int, 2, dims), b = make(type_int, 2, dims);
  int from_lo[2] = {3, 2}, from_hi[2] = {9, 12}, to_lo[2] = {5, 4}, to_hi[2] = {15, 10};
  set_values(&a, 8);
  set_values(&b, 9);
  NGA_Copy_patch('t', a.ga, from_lo, from_hi, b.ga, to_lo, to_hi);
  for (int i = 3; i <= 9; i++)
    for (int j = 2; j <= 12; j++) b.expected[(j + 3) * 17 + i + 1] = a.expected[i * 17 + j];
  CHECK_EQ(wrong_elements(&b), 0);
  GA_Sync();
  drop(&a);
  drop(&b);
}

int main(int argc, char **argv) {
  static const int shapes[][2] = {{64, 64}, {17, 5}, {5, 17}, {1, 40}, {40, 1}, {33, 127}, {200, 150}};
  static const int products[][3] = {{20, 20, 20}, {13, 31, 7}, {1, 1, 1}, {1, 50, 3}, {64, 1, 9}, {5, 6, 200}, {128, 96, 80}};
  const int cube[DIMS_MAX] = {11, 8, 9, 5};
  start(&argc, &argv, MA_DOUBLES);
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
    transpose(type_int, shapes[i][0], shapes[i][1]);
    transpose(type_double, shapes[i][0], shapes[i][1]);
  }
  for (int turn = 0; turn < 4; turn++) {
    for (size_t i = 0; i < sizeof products / sizeof *products; i++)
      product(turn & 1, turn & 2, products[i][0], products[i][1], products[i][2]);
  }
  for (int t = 0; t < TYPES_N; t++)
    for (int ndim = 1; ndim <= DIMS_MAX; ndim++) copy_and_fill(&types[t], ndim, cube);
  copy_patches();
  return finish();
}
