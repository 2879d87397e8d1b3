/* GASNet tools: reader-writer locks, and assertions about locks. */
#include <pthread.h>
#include <stdbool.h>

#include <gasnet_tools.h>

#include "base/config.h"
#include "core/runtime.h"

/* Programs may use locks without starting the runtime, which otherwise loads the configuration. */
static void read_configuration(void) {
  if (!tsr_runtime_is_up) tsr_config_load(false);
}

void gasnett_lock_wrong_(const char *what, const void *lock, const char *function, const char *file, int line) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, read_configuration);
  if (!tsr_config_check()) return;
  gasnett_fatalerror("TSR-4192 %s(%s:%d): the calling thread has not %s the lock at %p; let the thread that takes a lock release "
                     "it", function, file, line, what, lock);
}

/* ---- Reader-writer locks ---- */

_Static_assert(sizeof(gasnett_rwlock_t) >= sizeof(pthread_rwlock_t), "the hidden type fits");

static pthread_rwlock_t *rwlock_of(gasnett_rwlock_t *lock) { return (pthread_rwlock_t *)lock; }

/* The locks that the calling thread holds, with one entry for each acquisition. */
enum { HELD_MAX = 32 };
static _Thread_local struct {
  const gasnett_rwlock_t *lock;
  enum gasnett_rwlock_held_ how;
} held[HELD_MAX];
static _Thread_local int held_n;
static _Thread_local bool lost; /* HELD_MAX was exceeded: entries are invalid until held_n is 0 */

static int note_taken(int code, const gasnett_rwlock_t *lock, enum gasnett_rwlock_held_ how) {
  if (code) return code;
  lost |= held_n == HELD_MAX;
  if (!lost) {
    held[held_n].lock = lock;
    held[held_n].how = how;
  }
  held_n++;
  return 0;
}

/* The last entry of the lock; -1: none. */
static int find_held(const gasnett_rwlock_t *lock) {
  int i = held_n - 1;
  while (i >= 0 && held[i].lock != lock) i--;
  return i;
}

static void note_released(const gasnett_rwlock_t *lock) {
  int i = lost ? 0 : find_held(lock);
  if (i < 0) return;
  held_n--;
  if (lost) lost = held_n > 0;
  else held[i] = held[held_n];
}

void gasnett_rwlock_init(gasnett_rwlock_t *lock) { pthread_rwlock_init(rwlock_of(lock), NULL); }
void gasnett_rwlock_destroy(gasnett_rwlock_t *lock) { pthread_rwlock_destroy(rwlock_of(lock)); }

void gasnett_rwlock_rdlock(gasnett_rwlock_t *lock) {
  note_taken(pthread_rwlock_rdlock(rwlock_of(lock)), lock, GASNETT_RWLOCK_READ_);
}
void gasnett_rwlock_wrlock(gasnett_rwlock_t *lock) {
  note_taken(pthread_rwlock_wrlock(rwlock_of(lock)), lock, GASNETT_RWLOCK_WRITE_);
}
int gasnett_rwlock_tryrdlock(gasnett_rwlock_t *lock) {
  return note_taken(pthread_rwlock_tryrdlock(rwlock_of(lock)), lock, GASNETT_RWLOCK_READ_);
}
int gasnett_rwlock_trywrlock(gasnett_rwlock_t *lock) {
  return note_taken(pthread_rwlock_trywrlock(rwlock_of(lock)), lock, GASNETT_RWLOCK_WRITE_);
}
void gasnett_rwlock_unlock(gasnett_rwlock_t *lock) {
  note_released(lock);
  pthread_rwlock_unlock(rwlock_of(lock));
}

int gasnett_rwlock_may_be_(const gasnett_rwlock_t *lock, int how) {
  if (lost) return 1;
  int i = find_held(lock);
  return (i < 0 ? GASNETT_RWLOCK_FREE_ : (int)held[i].how) & how;
}
