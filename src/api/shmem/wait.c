/* Waits and tests: on values of 2, 4 and 8 bytes. */
#include "api/shmem/shmem_api.h"

#include <string.h>

#include "base/wait.h"
#include "core/progress.h"
#include "core/stats.h"
#include "rma/rma.h"

/* The condition of a wait: on `n` variables of one type, some of which may be left out. */
struct condition {
  const char *ivars;
  size_t n;
  const int *status;  /* NULL: all are included */
  const char *values; /* one for each variable, or one for all */
  bool is_vector;
  int cmp;
  uint8_t bytes;
  bool is_signed;
};

static uint64_t load_variable(const char *variable, uint8_t bytes) {
  switch (bytes) {
  case 2: return __atomic_load_n((const uint16_t *)(const void *)variable, __ATOMIC_ACQUIRE);
  case 4: return __atomic_load_n((const uint32_t *)(const void *)variable, __ATOMIC_ACQUIRE);
  default: return __atomic_load_n((const uint64_t *)(const void *)variable, __ATOMIC_ACQUIRE);
  }
}

static int64_t extend_sign(uint64_t bits, uint8_t bytes) {
  return bytes == 2 ? (int16_t)bits : bytes == 4 ? (int32_t)bits : (int64_t)bits;
}

/* -1, 0, 1: the variable is less, equal, greater. */
static int compare_values(const struct condition *c, uint64_t variable, uint64_t value) {
  if (!c->is_signed) return (variable > value) - (variable < value);
  int64_t left = extend_sign(variable, c->bytes), right = extend_sign(value, c->bytes);
  return (left > right) - (left < right);
}

static bool value_holds(const struct condition *c, uint64_t variable, size_t i) {
  tsr_rma_seen();
  uint64_t value = load_variable(c->values + (c->is_vector ? i * c->bytes : 0), c->bytes);
  int order = compare_values(c, variable, value);
  switch (c->cmp) {
  case SHMEM_CMP_EQ: return order == 0;
  case SHMEM_CMP_NE: return order != 0;
  case SHMEM_CMP_GT: return order > 0;
  case SHMEM_CMP_LE: return order <= 0;
  case SHMEM_CMP_LT: return order < 0;
  default: return order >= 0;
  }
}

static bool is_included(const struct condition *c, size_t i) { return !c->status || !c->status[i]; }
static bool element_holds(const struct condition *c, size_t i) {
  return value_holds(c, load_variable(c->ivars + i * c->bytes, c->bytes), i);
}

static bool all_hold(const void *arg) {
  const struct condition *c = arg;
  for (size_t i = 0; i < c->n; i++)
    if (is_included(c, i) && !element_holds(c, i)) return false;
  return true;
}

/* The first element whose condition holds, cyclically from `from` on; n: there is none. */
static size_t find_element(const struct condition *c, size_t from) {
  for (size_t k = 0; k < c->n; k++) {
    size_t i = (from + k) % c->n;
    if (is_included(c, i) && element_holds(c, i)) return i;
  }
  return c->n;
}
static bool any_holds(const void *arg) { return find_element(arg, 0) < ((const struct condition *)arg)->n; }

static bool none_is_included(const struct condition *c) {
  for (size_t i = 0; i < c->n; i++)
    if (is_included(c, i)) return false;
  return true;
}

static void check_condition(const struct condition *c, const char *call) {
  tsr_shmem_must_be_up(call);
  if (c->cmp < SHMEM_CMP_EQ || c->cmp > SHMEM_CMP_GE)
    tsr_shmem_die("TSR-5050 %s: there is no comparison %d; pass SHMEM_CMP_EQ, NE, GT, GE, LT or LE", call, c->cmp);
  if (c->n && !c->ivars) tsr_shmem_die("TSR-5051 %s: the variable is NULL; pass the address of a symmetric variable", call);
}

/* While this unit is counted, every operation that changes its memory rings its doorbell. */
static void wait_for(tsr_ready_fn ready, const struct condition *c, const char *call) {
  TSR_SHMEM_ENTER(call);
  (void)tsr_shmem_require_symmetric(c->ivars, c->n * c->bytes, call);
  _Atomic uint32_t *watches_n = &tsr_heap_unit(tsr_heap.self)->watches_n;
  uint64_t begun_ns = tsr_stats_begin();
  if (!tsr_wait_briefly(ready, c)) {
    atomic_fetch_add(watches_n, 1);
    tsr_fence_exchanged();
    tsr_wait(ready, c, (struct tsr_wait_why){TSR_WAIT_VALUE, (int32_t)c->n, (int64_t)(intptr_t)c->ivars});
    atomic_fetch_sub(watches_n, 1);
  }
  tsr_progress_throttled();
  tsr_stats_end(TSR_STAT_WAIT, begun_ns, 0);
}

static bool test_now(tsr_ready_fn ready, const struct condition *c) {
  if (ready(c)) return true;
  tsr_progress();
  tsr_wait_give_way();
  return ready(c);
}

/* ---- one variable ---- */

static struct condition single_condition(const void *ivar, int cmp, const struct tsr_shmem_value *value) {
  return (struct condition){.ivars = ivar, .n = 1, .values = (const char *)&value->bits, .cmp = cmp, .bytes = value->bytes,
                            .is_signed = value->is_signed};
}

/* A signal may change again at once, so a wait returns the value that was compared. */
struct seen {
  const struct condition *c;
  uint64_t *bits;
};
static bool is_seen(const void *arg) {
  const struct seen *seen = arg;
  *seen->bits = load_variable(seen->c->ivars, seen->c->bytes);
  return value_holds(seen->c, *seen->bits, 0);
}

uint64_t tsr_shmem_wait_until(const void *ivar, int cmp, struct tsr_shmem_value value, const char *call) {
  struct condition c = single_condition(ivar, cmp, &value);
  uint64_t bits;
  check_condition(&c, call);
  if (is_seen(&(struct seen){&c, &bits})) return bits;
  do wait_for(all_hold, &c, call);
  while (!is_seen(&(struct seen){&c, &bits}));
  return bits;
}

int tsr_shmem_test(const void *ivar, int cmp, struct tsr_shmem_value value, const char *call) {
  struct condition c = single_condition(ivar, cmp, &value);
  check_condition(&c, call);
  return test_now(all_hold, &c);
}

/* ---- several ---- */

/* Each element whose condition holds must be found eventually, even if the program tests other arrays in turns with this one. Calls
 * therefore begin at different places, which multiples of the golden ratio give. */
static size_t answer_any(const struct condition *c) {
  static _Thread_local uint64_t calls_n;
  uint64_t place = ++calls_n * UINT64_C(0x9e3779b97f4a7c15) >> 32;
  size_t i = find_element(c, c->n ? place % c->n : 0);
  return i < c->n ? i : SIZE_MAX;
}

static size_t answer_some(const struct condition *c, size_t *indices) {
  size_t found_n = 0;
  for (size_t i = 0; i < c->n; i++)
    if (is_included(c, i) && element_holds(c, i)) indices[found_n++] = i;
  return found_n;
}

static void wait_all(const struct condition *c, const char *call) {
  check_condition(c, call);
  if (!all_hold(c)) wait_for(all_hold, c, call);
}
static size_t wait_any(const struct condition *c, const char *call) {
  size_t found = SIZE_MAX;
  check_condition(c, call);
  if (none_is_included(c)) return SIZE_MAX;
  while ((found = answer_any(c)) == SIZE_MAX) wait_for(any_holds, c, call);
  return found;
}
static size_t wait_some(const struct condition *c, size_t *indices, const char *call) {
  size_t found_n;
  check_condition(c, call);
  if (none_is_included(c)) return 0;
  while (!(found_n = answer_some(c, indices))) wait_for(any_holds, c, call);
  return found_n;
}
static int test_all(const struct condition *c, const char *call) {
  check_condition(c, call);
  return test_now(all_hold, c);
}
static size_t test_any(const struct condition *c, const char *call) {
  check_condition(c, call);
  return test_now(any_holds, c) ? answer_any(c) : SIZE_MAX;
}
static size_t test_some(const struct condition *c, size_t *indices, const char *call) {
  check_condition(c, call);
  return test_now(any_holds, c) ? answer_some(c, indices) : 0;
}

/* ---- the functions ---- */

#define IS_SIGNED(T) ((T)-1 < (T)1)
#define VALUE(T, value) ((struct tsr_shmem_value){(uint64_t)(value), sizeof(T), IS_SIGNED(T)})
#define CONDITION(T, given, vector)                                                                                        \
  (&(struct condition){(const char *)ivars, nelems, status, (const char *)(given), vector, cmp, sizeof(T), IS_SIGNED(T)})
#define DEFINE_ONE(NAME, T)                                                                                                \
  void pshmem_##NAME##_wait_until(T *ivar, int cmp, T value) {                                                             \
    tsr_shmem_wait_until(ivar, cmp, VALUE(T, value), "shmem_" #NAME "_wait_until");                                        \
  }                                                                                                                        \
  int pshmem_##NAME##_test(T *ivar, int cmp, T value) {                                                                    \
    return tsr_shmem_test(ivar, cmp, VALUE(T, value), "shmem_" #NAME "_test");                                             \
  }
#define DEFINE_SEVERAL(NAME, T, SUFFIX, PARAMETER, given, vector)                                                          \
  void pshmem_##NAME##_wait_until_all##SUFFIX(T *ivars, size_t nelems, const int *status, int cmp, PARAMETER) {            \
    wait_all(CONDITION(T, given, vector), "shmem_" #NAME "_wait_until_all" #SUFFIX);                                       \
  }                                                                                                                        \
  size_t pshmem_##NAME##_wait_until_any##SUFFIX(T *ivars, size_t nelems, const int *status, int cmp, PARAMETER) {          \
    return wait_any(CONDITION(T, given, vector), "shmem_" #NAME "_wait_until_any" #SUFFIX);                                \
  }                                                                                                                        \
  size_t pshmem_##NAME##_wait_until_some##SUFFIX(T *ivars, size_t nelems, size_t *indices, const int *status, int cmp,     \
                                                 PARAMETER) {                                                              \
    return wait_some(CONDITION(T, given, vector), indices, "shmem_" #NAME "_wait_until_some" #SUFFIX);                     \
  }                                                                                                                        \
  int pshmem_##NAME##_test_all##SUFFIX(T *ivars, size_t nelems, const int *status, int cmp, PARAMETER) {                   \
    return test_all(CONDITION(T, given, vector), "shmem_" #NAME "_test_all" #SUFFIX);                                      \
  }                                                                                                                        \
  size_t pshmem_##NAME##_test_any##SUFFIX(T *ivars, size_t nelems, const int *status, int cmp, PARAMETER) {                \
    return test_any(CONDITION(T, given, vector), "shmem_" #NAME "_test_any" #SUFFIX);                                      \
  }                                                                                                                        \
  size_t pshmem_##NAME##_test_some##SUFFIX(T *ivars, size_t nelems, size_t *indices, const int *status, int cmp,           \
                                           PARAMETER) {                                                                    \
    return test_some(CONDITION(T, given, vector), indices, "shmem_" #NAME "_test_some" #SUFFIX);                           \
  }

#define ROW(NAME, T)                                               \
  DEFINE_ONE(NAME, T)                                              \
  DEFINE_SEVERAL(NAME, T, , T value, &value, false)                \
  DEFINE_SEVERAL(NAME, T, _vector, const T *values, values, true)
SHMEMI_WAIT_TYPES(ROW)
#undef ROW

#include "api/shmem/names.h"
#include <shmem/wait.h>
