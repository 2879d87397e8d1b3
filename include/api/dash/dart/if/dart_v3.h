/* The DART interface of 2017, implemented on the current one: version 3.2 before put and get had two types. A C++
 * program of that time includes this header instead of its dart.h, or is compiled with
 * `-include dash/dart/if/dart_v3.h`, and needs no other change. The current forms of the functions stay available.
 *
 * For C++ only. Each function does the same as the current function of that name. `dtype` is the type of both sides.
 * Handles are passed by value: after the wait the program's variable keeps its value, and may be waited for again. */
#ifndef TESSERA_DART_V3_H
#define TESSERA_DART_V3_H

#include <dash/dart/if/dart.h>

#if defined(__cplusplus) && !defined(TESSERA_DART_V2_H) /* which gives these names to older forms */

DART_INLINE dart_ret_t dart_get(void *dest, dart_gptr_t gptr, size_t nelem, dart_datatype_t dtype) {
  return dart_get(dest, gptr, nelem, dtype, dtype);
}
DART_INLINE dart_ret_t dart_put(dart_gptr_t gptr, const void *src, size_t nelem, dart_datatype_t dtype) {
  return dart_put(gptr, src, nelem, dtype, dtype);
}
DART_INLINE dart_ret_t dart_get_blocking(void *dest, dart_gptr_t gptr, size_t nelem, dart_datatype_t dtype) {
  return dart_get_blocking(dest, gptr, nelem, dtype, dtype);
}
DART_INLINE dart_ret_t dart_put_blocking(dart_gptr_t gptr, const void *src, size_t nelem, dart_datatype_t dtype) {
  return dart_put_blocking(gptr, src, nelem, dtype, dtype);
}
DART_INLINE dart_ret_t dart_get_handle(void *dest, dart_gptr_t gptr, size_t nelem, dart_datatype_t dtype,
                                       dart_handle_t *handle) {
  return dart_get_handle(dest, gptr, nelem, dtype, dtype, handle);
}
DART_INLINE dart_ret_t dart_put_handle(dart_gptr_t gptr, const void *src, size_t nelem, dart_datatype_t dtype,
                                       dart_handle_t *handle) {
  return dart_put_handle(gptr, src, nelem, dtype, dtype, handle);
}

extern "C" TESSERA_DART_API int32_t dart_v2_handle_is_live(dart_handle_t handle) DART_NOTHROW; /* see dart_v2.h */

/* A handle that was waited for, or tested with success, stands for a complete operation. */
DART_INLINE dart_ret_t dart_wait(dart_handle_t handle) {
  return dart_v2_handle_is_live(handle) ? dart_wait(&handle) : DART_OK;
}
/* Returns when the operation is complete also at the target: a second wait then returns at once. */
DART_INLINE dart_ret_t dart_wait_local(dart_handle_t handle) { return dart_wait(handle); }
DART_INLINE dart_ret_t dart_test_local(dart_handle_t handle, int32_t *result) {
  dart_handle_t now = dart_v2_handle_is_live(handle) ? handle : DART_HANDLE_NULL;
  return dart_test_local(&now, result);
}

#endif
#endif
