/* Checks when a program may call; with TESSERA_CHECK=1 also on which threads. */
#include <pthread.h>

#include "api/shmem/shmem_api.h"
#include "base/config.h"

bool tsr_shmem_up, tsr_shmem_unchecked;
int tsr_shmem_level;

static pthread_t starter; /* the thread that called shmem_init */

/* With TESSERA_CHECK=1: the thread that is in a call now, that call, and the depth of nested calls. */
static struct {
  pthread_mutex_t lock;
  pthread_t thread;
  const char *call;
  int depth;
} inside = {.lock = PTHREAD_MUTEX_INITIALIZER};

void tsr_shmem_set_level(int level) {
  tsr_shmem_level = level;
  tsr_shmem_unchecked = tsr_shmem_up && (!tsr_config_check() || level == SHMEM_THREAD_MULTIPLE);
}

void tsr_shmem_calls_start(void) {
  starter = pthread_self();
  tsr_shmem_up = true;
  tsr_shmem_set_level(SHMEM_THREAD_SINGLE);
}

void tsr_shmem_calls_stop(void) {
  tsr_shmem_up = false;
  tsr_shmem_set_level(SHMEM_THREAD_SINGLE);
}

/* The call that another thread is in; NULL: none. Then, if the call `enters`, this thread counts as being in `call`
 * from now on. */
static const char *find_other_call(const char *call, bool enters) {
  pthread_mutex_lock(&inside.lock);
  const char *other = inside.depth && !pthread_equal(inside.thread, pthread_self()) ? inside.call : NULL;
  if (!other && enters && !inside.depth++) {
    inside.thread = pthread_self();
    inside.call = call;
  }
  pthread_mutex_unlock(&inside.lock);
  return other;
}

static void check_call(const char *call, bool enters) {
  if (!tsr_shmem_up)
    tsr_shmem_die("TSR-5021 %s: called before shmem_init, or after shmem_finalize or MPI_Finalize; call it between them", call);
  if (tsr_shmem_unchecked) return;
  if (tsr_shmem_level < SHMEM_THREAD_SERIALIZED && !pthread_equal(starter, pthread_self()))
    tsr_shmem_die("TSR-5058 %s: called by another thread than shmem_init, and the thread level is %s; ask shmem_init_thread for "
                  "SHMEM_THREAD_SERIALIZED or SHMEM_THREAD_MULTIPLE", call,
                  tsr_shmem_level == SHMEM_THREAD_SINGLE ? "SHMEM_THREAD_SINGLE" : "SHMEM_THREAD_FUNNELED");
  const char *other = find_other_call(call, enters);
  if (other)
    tsr_shmem_die("TSR-5059 %s: another thread is in %s, and the thread level is SHMEM_THREAD_SERIALIZED; let one thread call at a "
                  "time, or ask shmem_init_thread for SHMEM_THREAD_MULTIPLE", call, other);
}

void tsr_shmem_check_call(const char *call) { check_call(call, false); }

bool tsr_shmem_enter_checked(const char *call) {
  check_call(call, true);
  return true;
}

void tsr_shmem_leave_checked(void) {
  pthread_mutex_lock(&inside.lock);
  inside.depth--;
  pthread_mutex_unlock(&inside.lock);
}
