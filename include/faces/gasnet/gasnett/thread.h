/* GASNet tools: locks and keys of the process's threads. Part of gasnet_tools.h.
 *
 * Locks are the system's, in every thread mode. No lock may be held where the library runs handlers that take it: those
 * take handler-safe locks (gex_HSL_t).
 */
#ifndef TSR_GASNETT_THREAD_H
#define TSR_GASNETT_THREAD_H

#include <pthread.h>
#include <sched.h>

#ifdef __cplusplus
extern "C" {
#endif

static inline int gasnett_sched_yield(void) { return sched_yield(); }

/* ---- Mutexes. trylock returns 0 when it has the lock. ---- */

typedef pthread_mutex_t gasnett_mutex_t;
#define GASNETT_MUTEX_INITIALIZER PTHREAD_MUTEX_INITIALIZER
#define gasnett_mutex_init(p) ((void)pthread_mutex_init((p), NULL))
#define gasnett_mutex_destroy(p) ((void)pthread_mutex_destroy(p))
#define gasnett_mutex_destroy_ignoreerr(p) ((void)pthread_mutex_destroy(p))
#define gasnett_mutex_lock(p) ((void)pthread_mutex_lock(p))
#define gasnett_mutex_trylock(p) pthread_mutex_trylock(p)
#define gasnett_mutex_unlock(p) ((void)pthread_mutex_unlock(p))
#define gasnett_mutex_assertlocked(p) ((void)(p))
#define gasnett_mutex_assertunlocked(p) ((void)(p))

/* ---- Conditions ---- */

typedef pthread_cond_t gasnett_cond_t;
#define GASNETT_COND_INITIALIZER PTHREAD_COND_INITIALIZER
#define gasnett_cond_init(p) ((void)pthread_cond_init((p), NULL))
#define gasnett_cond_destroy(p) ((void)pthread_cond_destroy(p))
#define gasnett_cond_wait(p, mutex) ((void)pthread_cond_wait((p), (mutex)))
#define gasnett_cond_signal(p) ((void)pthread_cond_signal(p))
#define gasnett_cond_broadcast(p) ((void)pthread_cond_broadcast(p))

/* ---- Locks for many readers or one writer. The system's type is hidden from programs in plain C99 or C11. ---- */

typedef union {
  char room_[64];
  long align_;
} gasnett_rwlock_t;
#define GASNETT_RWLOCK_INITIALIZER {{0}}
void gasnett_rwlock_init(gasnett_rwlock_t *lock);
void gasnett_rwlock_destroy(gasnett_rwlock_t *lock);
void gasnett_rwlock_rdlock(gasnett_rwlock_t *lock);
void gasnett_rwlock_wrlock(gasnett_rwlock_t *lock);
int gasnett_rwlock_tryrdlock(gasnett_rwlock_t *lock);
int gasnett_rwlock_trywrlock(gasnett_rwlock_t *lock);
void gasnett_rwlock_unlock(gasnett_rwlock_t *lock);
#define gasnett_rwlock_assertlocked(p) ((void)(p))
#define gasnett_rwlock_assertrdlocked(p) ((void)(p))
#define gasnett_rwlock_assertwrlocked(p) ((void)(p))
#define gasnett_rwlock_assertunlocked(p) ((void)(p))

/* ---- A pointer of each thread, NULL at first. Keys need no init; a semicolon follows DECLARE and DEFINE. ---- */

#define GASNETT_THREADKEY_DECLARE(key) extern __thread void *gasnett_threadkey_of_##key
#define GASNETT_THREADKEY_DEFINE(key) __thread void *gasnett_threadkey_of_##key
#define gasnett_threadkey_init(key) ((void)0)
#define gasnett_threadkey_get(key) (gasnett_threadkey_of_##key)
#define gasnett_threadkey_set(key, value) ((void)(gasnett_threadkey_of_##key = (value)))
#define gasnett_threadkey_get_noinit(key) gasnett_threadkey_get(key)
#define gasnett_threadkey_set_noinit(key, value) gasnett_threadkey_set(key, value)
/* Nobody's interface, but programs take its address, so that it counts as used. */
static inline void _gasneti_threadkey_init(void) {}

#ifdef __cplusplus
}
#endif
#endif
