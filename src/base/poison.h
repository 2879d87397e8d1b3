/* Tells the address sanitizer which heap memory may be touched, and the code which sanitizers this build has. */
#ifndef TSR_BASE_POISON_H
#define TSR_BASE_POISON_H

#include <stddef.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TSR_ASAN 1
#endif
#if __has_feature(thread_sanitizer)
#define TSR_TSAN 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define TSR_ASAN 1
#elif defined(__SANITIZE_THREAD__)
#define TSR_TSAN 1
#endif

#ifndef TSR_TSAN
#define TSR_TSAN 0
#endif

/* These two tell the thread sanitizer of an order between threads of one process that runs through another process, where the
 * sanitizer does not see it: what came before the release comes before what follows the acquire. */
#if TSR_TSAN
#include <sanitizer/tsan_interface.h>
static inline void tsr_order_release(void *what) { __tsan_release(what); }
static inline void tsr_order_acquire(void *what) { __tsan_acquire(what); }
#else
static inline void tsr_order_release(void *what) { (void)what; }
static inline void tsr_order_acquire(void *what) { (void)what; }
#endif

#ifdef TSR_ASAN
#include <sanitizer/asan_interface.h>
static inline void tsr_poison(const void *from, size_t bytes) { __asan_poison_memory_region(from, bytes); }
static inline void tsr_unpoison(const void *from, size_t bytes) { __asan_unpoison_memory_region(from, bytes); }
#else
#define TSR_ASAN 0
static inline void tsr_poison(const void *from, size_t bytes) { (void)from; (void)bytes; }
static inline void tsr_unpoison(const void *from, size_t bytes) { (void)from; (void)bytes; }
#endif

#endif
