/* Attributes for the declarations of the DART interface. */
#ifndef TESSERA_DART_UTIL_H
#define TESSERA_DART_UTIL_H

#include <stddef.h> /* size_t and NULL, for all headers of the interface */

#if defined(__GNUC__)
#define DART_MAYBE_UNUSED __attribute__((unused))
#define TESSERA_DART_API __attribute__((visibility("default")))
#else
#define DART_MAYBE_UNUSED
#define TESSERA_DART_API
#endif

/* For C++: no function throws. */
#if defined(__cplusplus) && defined(__GNUC__)
#define DART_NOTHROW __attribute__((nothrow))
#else
#define DART_NOTHROW
#endif

#define DART_INLINE static inline DART_MAYBE_UNUSED

#endif
