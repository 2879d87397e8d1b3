/* Waits and tests (OpenSHMEM 1.5, 9.10). A table of functions: see shmem.h.
 *
 * `ivar` and `ivars` are the caller's own symmetric variables; other PEs, or other threads, may change them in any way. The
 * condition compares a variable with `value`, or with its own element of `values`: `cmp` is SHMEM_CMP_EQ, SHMEM_CMP_NE,
 * SHMEM_CMP_GT, SHMEM_CMP_GE, SHMEM_CMP_LT or SHMEM_CMP_LE. A wait makes progress, and sleeps while nothing arrives. When it
 * returns, the caller sees what the other PE had stored before the change. Elements whose `status` is not 0 are left out; if
 * `status` is NULL, none is left out. If all elements are left out, _all functions return as if the condition held, _any
 * functions return SIZE_MAX, and _some functions return 0. */
#ifndef SHMEMI_FN
#include <shmem.h>
#else

#define SHMEMI_WAIT_ROW(NAME, T)                                                                                           \
  /* Returns when the condition holds for `ivar`. */                                                                       \
  SHMEMI_FN(void, NAME##_wait_until, T *ivar, int cmp, T value)                                                            \
  /* Returns 1 if the condition holds for `ivar`, else 0. */                                                               \
  SHMEMI_FN(int, NAME##_test, T *ivar, int cmp, T value)                                                                   \
  /* Returns when the condition holds for all elements. */                                                                 \
  SHMEMI_FN(void, NAME##_wait_until_all, T *ivars, size_t nelems, const int *status, int cmp, T value)                     \
  /* Returns when the condition holds for an element: the index of that element. */                                        \
  SHMEMI_FN(size_t, NAME##_wait_until_any, T *ivars, size_t nelems, const int *status, int cmp, T value)                   \
  /* Returns when the condition holds for an element. Stores the indices of all elements for which it holds, and returns   \
   * their number. */                                                                                                      \
  SHMEMI_FN(size_t, NAME##_wait_until_some, T *ivars, size_t nelems, size_t *indices, const int *status, int cmp, T value) \
  /* Returns 1 if the condition holds for all elements, else 0. */                                                         \
  SHMEMI_FN(int, NAME##_test_all, T *ivars, size_t nelems, const int *status, int cmp, T value)                            \
  /* Returns the index of an element for which the condition holds; SIZE_MAX if there is none. */                          \
  SHMEMI_FN(size_t, NAME##_test_any, T *ivars, size_t nelems, const int *status, int cmp, T value)                         \
  /* Stores the indices of all elements for which the condition holds, and returns their number. */                        \
  SHMEMI_FN(size_t, NAME##_test_some, T *ivars, size_t nelems, size_t *indices, const int *status, int cmp, T value)       \
  /* As shmem_wait_until_all, with a value for each element. */                                                            \
  SHMEMI_FN(void, NAME##_wait_until_all_vector, T *ivars, size_t nelems, const int *status, int cmp, const T *values)      \
  /* As shmem_wait_until_any, with a value for each element. */                                                            \
  SHMEMI_FN(size_t, NAME##_wait_until_any_vector, T *ivars, size_t nelems, const int *status, int cmp, const T *values)    \
  /* As shmem_wait_until_some, with a value for each element. */                                                           \
  SHMEMI_FN(size_t, NAME##_wait_until_some_vector, T *ivars, size_t nelems, size_t *indices, const int *status, int cmp,   \
            const T *values)                                                                                               \
  /* As shmem_test_all, with a value for each element. */                                                                  \
  SHMEMI_FN(int, NAME##_test_all_vector, T *ivars, size_t nelems, const int *status, int cmp, const T *values)             \
  /* As shmem_test_any, with a value for each element. */                                                                  \
  SHMEMI_FN(size_t, NAME##_test_any_vector, T *ivars, size_t nelems, const int *status, int cmp, const T *values)          \
  /* As shmem_test_some, with a value for each element. */                                                                 \
  SHMEMI_FN(size_t, NAME##_test_some_vector, T *ivars, size_t nelems, size_t *indices, const int *status, int cmp,         \
            const T *values)
SHMEMI_WAIT_TYPES(SHMEMI_WAIT_ROW)
#undef SHMEMI_WAIT_ROW

#endif
