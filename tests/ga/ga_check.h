/* What the tests of Global Arrays share: start and end, checks, and arrays beside a copy of what they must hold, which all
 * units keep alike. The programs know the published interfaces only, and run on any ARMCI. */
#ifndef GA_CHECK_H
#define GA_CHECK_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mpi.h>

#include <ga.h>
#include <macdecls.h>

static int check_failures;

/* A failed check says where, and the program goes on, so that collective calls stay matched. */
#define CHECK_EQ(actual, expected)                                                                            \
  do {                                                                                                        \
    long long actual_ = (long long)(actual), expected_ = (long long)(expected);                               \
    if (actual_ != expected_) {                                                                               \
      check_failures++;                                                                                       \
      fprintf(stderr, "%s:%d: unit %d: %s is %lld, not %lld\n", __FILE__, __LINE__, self, #actual, actual_,   \
              expected_);                                                                                     \
    }                                                                                                         \
  } while (0)
#define CHECK(condition) CHECK_EQ(!!(condition), 1)

enum { DIMS_MAX = 4, MA_DOUBLES = 1 << 22 };

static int self, units_n;

static inline void start(int *argc, char ***argv, long stack_doubles) {
  MPI_Init(argc, argv);
  GA_Initialize();
  self = GA_Nodeid();
  units_n = GA_Nnodes();
  if (!MA_init(C_DBL, stack_doubles, MA_DOUBLES)) GA_Error("no memory for MA", 1);
}

static inline int finish(void) {
  GA_Terminate();
  MPI_Finalize();
  return check_failures ? EXIT_FAILURE : EXIT_SUCCESS;
}

static inline void *take(size_t bytes) {
  void *memory = malloc(bytes + 1);
  if (!memory) abort();
  return memory;
}

/* All units draw the same numbers. */
static uint64_t random_state = 88172645463325252u;
static inline int below(int n) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return (int)((random_state >> 33) % (uint64_t)n);
}

/* ---- element types: every value is a whole number, so that all results are exact ---- */

static inline void store_int(void *at, long value) { *(int *)at = (int)value; }
static inline void store_long(void *at, long value) { *(long *)at = value; }
static inline void store_float(void *at, long value) { *(float *)at = (float)value; }
static inline void store_double(void *at, long value) { *(double *)at = (double)value; }
static inline long load_int(const void *at) { return *(const int *)at; }
static inline long load_long(const void *at) { return *(const long *)at; }
static inline long load_float(const void *at) { return (long)*(const float *)at; }
static inline long load_double(const void *at) { return (long)*(const double *)at; }

/* The imaginary part is the real one times -2, also after sums and multiples. */
static inline void store_complex(void *at, long value) {
  DoubleComplex *pair = at;
  pair->real = (double)value;
  pair->imag = -2 * (double)value;
}
static inline long load_complex(const void *at) {
  const DoubleComplex *pair = at;
  return pair->imag == -2 * pair->real ? (long)pair->real : LONG_MIN;
}

struct type {
  int code;
  size_t bytes;
  void (*store)(void *at, long value);
  long (*load)(const void *at);
};

static const struct type types[] = {
    {C_INT, sizeof(int), store_int, load_int},
    {C_LONG, sizeof(long), store_long, load_long},
    {C_FLOAT, sizeof(float), store_float, load_float},
    {C_DBL, sizeof(double), store_double, load_double},
    {C_DCPL, sizeof(DoubleComplex), store_complex, load_complex},
};
enum { TYPES_N = sizeof types / sizeof *types };
static const struct type *const type_int = &types[0], *const type_double = &types[3];

/* The factor `value` as accumulates and fills take it. */
union scalar {
  char bytes[sizeof(DoubleComplex)];
  DoubleComplex align;
};
static inline union scalar scalar_of(const struct type *type, long value) {
  union scalar made = {{0}};
  if (type->code == C_DCPL)
    made.align.real = (double)value;
  else
    type->store(&made, value);
  return made;
}

/* ---- arrays ---- */

struct array {
  int ga;
  const struct type *type;
  int ndim, dims[DIMS_MAX];
  size_t elements_n;
  long *expected;
};

/* A box of subscripts, both ends inside, and the shape of the memory that holds it. */
struct patch {
  int lo[DIMS_MAX], hi[DIMS_MAX], ld[DIMS_MAX];
  size_t buffer_n;
};

static inline size_t place(const struct array *a, const int at[]) {
  size_t index = 0;
  for (int d = 0; d < a->ndim; d++) index = index * (size_t)a->dims[d] + (size_t)at[d];
  return index;
}

static inline size_t buffer_place(const struct array *a, const struct patch *p, const int at[]) {
  size_t index = (size_t)(at[0] - p->lo[0]);
  for (int d = 1; d < a->ndim; d++) index = index * (size_t)p->ld[d - 1] + (size_t)(at[d] - p->lo[d]);
  return index;
}

/* The next subscripts of the patch; false after the last. `at` begins as a copy of lo. */
static inline bool next(const struct array *a, const struct patch *p, int at[]) {
  for (int d = a->ndim - 1; d >= 0; d--) {
    if (++at[d] <= p->hi[d]) return true;
    at[d] = p->lo[d];
  }
  return false;
}

static inline void shape_buffer(const struct array *a, struct patch *p, int gap) {
  p->buffer_n = (size_t)(p->hi[0] - p->lo[0] + 1);
  for (int d = 1; d < a->ndim; d++) {
    p->ld[d - 1] = p->hi[d] - p->lo[d] + 1 + gap;
    p->buffer_n *= (size_t)p->ld[d - 1];
  }
}

static inline struct patch whole(const struct array *a) {
  struct patch p = {.buffer_n = 0};
  for (int d = 0; d < a->ndim; d++) p.hi[d] = a->dims[d] - 1;
  shape_buffer(a, &p, 0);
  return p;
}

static inline struct patch random_patch(const struct array *a) {
  struct patch p = {.buffer_n = 0};
  for (int d = 0; d < a->ndim; d++) {
    p.lo[d] = below(a->dims[d]);
    p.hi[d] = p.lo[d] + below(a->dims[d] - p.lo[d]);
  }
  shape_buffer(a, &p, below(3));
  return p;
}

static inline long value_of(size_t index, long key) { return (long)((index * 7 + (size_t)key * 31) % 1009) - 500; }

static inline void fill_buffer(const struct array *a, const struct patch *p, char *buffer, long key) {
  int at[DIMS_MAX];
  memcpy(at, p->lo, sizeof at);
  do a->type->store(buffer + buffer_place(a, p, at) * a->type->bytes, value_of(place(a, at), key));
  while (next(a, p, at));
}

/* How many elements of the buffer are not what the array should hold there. */
static inline size_t wrong_in(const struct array *a, const struct patch *p, const char *buffer) {
  size_t n = 0;
  int at[DIMS_MAX];
  memcpy(at, p->lo, sizeof at);
  do n += a->type->load(buffer + buffer_place(a, p, at) * a->type->bytes) != a->expected[place(a, at)];
  while (next(a, p, at));
  return n;
}

/* The same for what the array really holds, read as one patch. */
static inline size_t wrong_elements(const struct array *a) {
  struct patch p = whole(a);
  char *buffer = take(p.buffer_n * a->type->bytes);
  NGA_Get(a->ga, p.lo, p.hi, buffer, p.ld);
  size_t n = wrong_in(a, &p, buffer);
  free(buffer);
  return n;
}

static inline struct array describe(const struct type *type, int ndim, const int dims[]) {
  struct array a = {.type = type, .ndim = ndim, .elements_n = 1};
  for (int d = 0; d < ndim; d++) a.elements_n *= (size_t)(a.dims[d] = dims[d]);
  a.expected = take(a.elements_n * sizeof *a.expected);
  memset(a.expected, 0, a.elements_n * sizeof *a.expected);
  return a;
}

/* An array of zeros, distributed as Global Arrays likes. Collective. */
static inline struct array make(const struct type *type, int ndim, const int dims[]) {
  struct array a = describe(type, ndim, dims);
  a.ga = NGA_Create(type->code, ndim, a.dims, "test", NULL);
  CHECK(a.ga != 0);
  GA_Zero(a.ga);
  return a;
}

/* Each unit writes its own part. Collective. */
static inline void set_values(struct array *a, long key) {
  struct patch p = {.buffer_n = 0};
  for (size_t i = 0; i < a->elements_n; i++) a->expected[i] = value_of(i, key);
  NGA_Distribution(a->ga, self, p.lo, p.hi);
  if (p.lo[0] >= 0 && p.hi[0] >= p.lo[0]) {
    shape_buffer(a, &p, 0);
    char *buffer = take(p.buffer_n * a->type->bytes);
    fill_buffer(a, &p, buffer, key);
    NGA_Put(a->ga, p.lo, p.hi, buffer, p.ld);
    free(buffer);
  }
  GA_Sync();
}

static inline void drop(struct array *a) {
  GA_Destroy(a->ga);
  free(a->expected);
}

#endif
