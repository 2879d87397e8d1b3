/* Waits and tests (OpenSHMEM 1.5, 9.10). A table of functions: see shmem.h.
 *
 * `ivar` and `ivars` are the caller's own symmetric variables; other PEs, or other threads, may change them in any way. A
 * wait makes progress, and sleeps while nothing arrives. When it returns, the caller sees what the other PE had stored
 * before the change. Elements whose `status` is not 0 are left out; if `status` is NULL, none is left out. `_any` returns
 * the index of an element for which the condition holds: SIZE_MAX if all elements are left out, and in a test if it holds
 * for none. `_some` returns the number of indices that it has stored. `_vector` takes a value for each element. */
#ifndef SHMEMI_FN
#include <shmem.h>
#else

#define SHMEMI_WAIT_ROW(NAME, T)                                                                                           \
  SHMEMI_FN(void, NAME##_wait_until, T *ivar, int cmp, T value)                                                            \
  SHMEMI_FN(int, NAME##_test, T *ivar, int cmp, T value)                                                                   \
  SHMEMI_FN(void, NAME##_wait_until_all, T *ivars, size_t nelems, const int *status, int cmp, T value)                     \
  SHMEMI_FN(size_t, NAME##_wait_until_any, T *ivars, size_t nelems, const int *status, int cmp, T value)                   \
  SHMEMI_FN(size_t, NAME##_wait_until_some, T *ivars, size_t nelems, size_t *indices, const int *status, int cmp, T value) \
  SHMEMI_FN(int, NAME##_test_all, T *ivars, size_t nelems, const int *status, int cmp, T value)                            \
  SHMEMI_FN(size_t, NAME##_test_any, T *ivars, size_t nelems, const int *status, int cmp, T value)                         \
  SHMEMI_FN(size_t, NAME##_test_some, T *ivars, size_t nelems, size_t *indices, const int *status, int cmp, T value)       \
  SHMEMI_FN(void, NAME##_wait_until_all_vector, T *ivars, size_t nelems, const int *status, int cmp, const T *values)      \
  SHMEMI_FN(size_t, NAME##_wait_until_any_vector, T *ivars, size_t nelems, const int *status, int cmp, const T *values)    \
  SHMEMI_FN(size_t, NAME##_wait_until_some_vector, T *ivars, size_t nelems, size_t *indices, const int *status, int cmp,   \
            const T *values)                                                                                               \
  SHMEMI_FN(int, NAME##_test_all_vector, T *ivars, size_t nelems, const int *status, int cmp, const T *values)             \
  SHMEMI_FN(size_t, NAME##_test_any_vector, T *ivars, size_t nelems, const int *status, int cmp, const T *values)          \
  SHMEMI_FN(size_t, NAME##_test_some_vector, T *ivars, size_t nelems, size_t *indices, const int *status, int cmp,         \
            const T *values)
SHMEMI_WAIT_TYPES(SHMEMI_WAIT_ROW)
#undef SHMEMI_WAIT_ROW

#endif
