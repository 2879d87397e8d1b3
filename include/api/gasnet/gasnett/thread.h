/* GASNet tools: locks and keys for the threads of the process. Part of gasnet_tools.h.
 *
 * Locks are those of the system, in every thread mode. Do not hold such a lock where the library may run a handler
 * that takes it: use handler-safe locks (gex_HSL_t) there. */
#ifndef TSR_GASNETT_THREAD_H
#define TSR_GASNETT_THREAD_H

#include <pthread.h>
#include <sched.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Lets another thread run on the caller's core. Returns 0. */
static inline int gasnett_sched_yield(void) { return sched_yield(); }

/* Called when an assertion fails: with TESSERA_CHECK=1 it ends the job, otherwise it does nothing. */
void gasnett_lock_wrong_(const char *what, const void *lock, const char *function, const char *file, int line);
#define GASNETT_LOCK_ASSERT_(holds, what, p) \
  ((holds) ? (void)0 : gasnett_lock_wrong_(what, p, __func__, __FILE__, __LINE__))

/* ---- Mutexes ----
 *
 * Locks that one thread holds at a time. trylock returns 0 if it has taken the lock. The assertions say that the calling thread
 * has, or has not, taken the lock: with TESSERA_CHECK=1 one that is wrong ends the job. */

typedef struct {
  pthread_mutex_t mutex_;
  pthread_t holder_; /* 0: not held */
} gasnett_mutex_t;
#define GASNETT_MUTEX_INITIALIZER {PTHREAD_MUTEX_INITIALIZER, 0}
static inline void gasnett_mutex_note_(gasnett_mutex_t *p, pthread_t holder) {
  __atomic_store_n(&p->holder_, holder, __ATOMIC_RELAXED);
}
static inline void gasnett_mutex_init(gasnett_mutex_t *p) {
  (void)pthread_mutex_init(&p->mutex_, NULL);
  gasnett_mutex_note_(p, 0);
}
static inline void gasnett_mutex_destroy(gasnett_mutex_t *p) { (void)pthread_mutex_destroy(&p->mutex_); }
static inline void gasnett_mutex_destroy_ignoreerr(gasnett_mutex_t *p) { (void)pthread_mutex_destroy(&p->mutex_); }
static inline void gasnett_mutex_lock(gasnett_mutex_t *p) {
  (void)pthread_mutex_lock(&p->mutex_);
  gasnett_mutex_note_(p, pthread_self());
}
static inline int gasnett_mutex_trylock(gasnett_mutex_t *p) {
  int code = pthread_mutex_trylock(&p->mutex_);
  if (!code) gasnett_mutex_note_(p, pthread_self());
  return code;
}
static inline void gasnett_mutex_unlock(gasnett_mutex_t *p) {
  gasnett_mutex_note_(p, 0);
  (void)pthread_mutex_unlock(&p->mutex_);
}
static inline int gasnett_mutex_is_mine_(const gasnett_mutex_t *p) {
  return __atomic_load_n(&p->holder_, __ATOMIC_RELAXED) == pthread_self();
}
#define gasnett_mutex_assertlocked(p) GASNETT_LOCK_ASSERT_(gasnett_mutex_is_mine_(p), "taken", p)
#define gasnett_mutex_assertunlocked(p) GASNETT_LOCK_ASSERT_(!gasnett_mutex_is_mine_(p), "released", p)

/* ---- Conditions ----
 *
 * Wait for a condition, with a mutex of these headers, and wake one or all of the waiting threads. */

typedef pthread_cond_t gasnett_cond_t;
#define GASNETT_COND_INITIALIZER PTHREAD_COND_INITIALIZER
#define gasnett_cond_init(p) ((void)pthread_cond_init((p), NULL))
#define gasnett_cond_destroy(p) ((void)pthread_cond_destroy(p))
static inline void gasnett_cond_wait(gasnett_cond_t *p, gasnett_mutex_t *mutex) {
  gasnett_mutex_note_(mutex, 0);
  (void)pthread_cond_wait(p, &mutex->mutex_);
  gasnett_mutex_note_(mutex, pthread_self());
}
#define gasnett_cond_signal(p) ((void)pthread_cond_signal(p))
#define gasnett_cond_broadcast(p) ((void)pthread_cond_broadcast(p))

/* ---- Read-write locks ----
 *
 * Locks that several threads hold for reading, or one for writing. The type hides the system's, which programs in plain C99 or C11
 * do not see. tryrdlock and trywrlock return 0 if they have taken the lock. The assertions say how the calling thread has taken it:
 * with TESSERA_CHECK=1 one that is wrong ends the job. */

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

/* Assert how the calling thread holds the lock, as far as the library knows. */
enum gasnett_rwlock_held_ { GASNETT_RWLOCK_FREE_ = 1, GASNETT_RWLOCK_READ_ = 2, GASNETT_RWLOCK_WRITE_ = 4 };
int gasnett_rwlock_may_be_(const gasnett_rwlock_t *lock, int how);
#define GASNETT_RWLOCK_ASSERT_(p, how, what) GASNETT_LOCK_ASSERT_(gasnett_rwlock_may_be_(p, how), what, p)
#define gasnett_rwlock_assertlocked(p) GASNETT_RWLOCK_ASSERT_(p, GASNETT_RWLOCK_READ_ | GASNETT_RWLOCK_WRITE_, "taken")
#define gasnett_rwlock_assertrdlocked(p) GASNETT_RWLOCK_ASSERT_(p, GASNETT_RWLOCK_READ_, "taken for reading")
#define gasnett_rwlock_assertwrlocked(p) GASNETT_RWLOCK_ASSERT_(p, GASNETT_RWLOCK_WRITE_, "taken for writing")
#define gasnett_rwlock_assertunlocked(p) GASNETT_RWLOCK_ASSERT_(p, GASNETT_RWLOCK_FREE_, "released")

/* ---- One pointer per thread ----
 *
 * A key is a pointer of each thread, NULL at first. DEFINE defines it in one file, and DECLARE declares it in others; a semicolon
 * follows. get and set read and write the calling thread's pointer. Keys need no init. */

#define GASNETT_THREADKEY_DECLARE(key) extern __thread void *gasnett_threadkey_of_##key
#define GASNETT_THREADKEY_DEFINE(key) __thread void *gasnett_threadkey_of_##key
#define gasnett_threadkey_init(key) ((void)0)
#define gasnett_threadkey_get(key) (gasnett_threadkey_of_##key)
#define gasnett_threadkey_set(key, value) ((void)(gasnett_threadkey_of_##key = (value)))
#define gasnett_threadkey_get_noinit(key) gasnett_threadkey_get(key)
#define gasnett_threadkey_set_noinit(key, value) gasnett_threadkey_set(key, value)
/* Not part of a published interface; programs take the address of this function so that it counts as used. */
static inline void _gasneti_threadkey_init(void) {}

#ifdef __cplusplus
}
#endif
#endif
