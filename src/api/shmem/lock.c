/* Locks are queue locks of the core. The home of a lock is the program's variable on one PE, which the place of the
 * variable determines. */
#include "rma/lock.h"

#include <pthread.h>

#include "api/shmem/shmem_api.h"
#include "api/shmem/lock_home.h"
#include "base/hash.h"
#include "core/stats.h"

/* This PE's views of the locks that it has used, by their offset. */
struct view {
  uint64_t off;
  struct view *next;
  tsr_lock lock;
};
static struct {
  struct view **buckets;
  size_t buckets_n /* a power of 2, or 0 */, views_n;
} known;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

void tsr_shmem_locks_stop(void) {
  for (size_t i = 0; i < known.buckets_n; i++) {
    while (known.buckets[i]) {
      struct view *view = known.buckets[i];
      known.buckets[i] = view->next;
      tsr_lock_drop(&view->lock);
      free(view);
    }
  }
  free(known.buckets);
  known.buckets = NULL;
  known.buckets_n = known.views_n = 0;
}

static struct view **bucket_of(uint64_t off) {
  return &known.buckets[tsr_hash_add(1, off / sizeof(long)) & (known.buckets_n - 1)];
}

/* There are at least as many buckets as views. */
static void make_buckets(const char *call) {
  if (known.views_n < known.buckets_n) return;
  struct view **old = known.buckets;
  size_t old_n = known.buckets_n;
  known.buckets_n = old_n ? 4 * old_n : 64;
  known.buckets = calloc(known.buckets_n, sizeof *known.buckets);
  if (!known.buckets)
    tsr_shmem_die("TSR-5064 %s: no private memory for a table of %zu locks; " TSR_REMEDY_MEMORY, call, known.buckets_n);
  for (size_t i = 0; i < old_n; i++) {
    for (struct view *view = old[i], *next; view; view = next) {
      struct view **bucket = bucket_of(view->off);
      next = view->next;
      view->next = *bucket;
      *bucket = view;
    }
  }
  free(old);
}

static struct view *make_view(uint64_t off, const long *lock, const char *call) {
  struct view *view = malloc(sizeof *view);
  const int home = tsr_shmem_lock_home(tsr_shmem_name(lock), tsr_place.units_n);
  tsr_addr address = tsr_shmem_address(&tsr_shmem_ctx_default, lock, sizeof *lock, home, call);
  if (!view || tsr_lock_attach(&view->lock, address))
    tsr_shmem_die("TSR-5025 %s: no memory for one more lock; " TSR_REMEDY_MEMORY, call);
  view->off = off;
  return view;
}

static tsr_lock *find_lock(const long *lock, const char *call) {
  tsr_shmem_must_be_up(call);
  const uint64_t off = tsr_shmem_require_symmetric(lock, sizeof *lock, call);
  if (off % sizeof *lock)
    tsr_shmem_die("TSR-5026 %s: the lock at %p is not aligned to 8 bytes; declare it as long, in symmetric memory", call,
                  (const void *)lock);
  pthread_mutex_lock(&guard);
  make_buckets(call);
  struct view **bucket = bucket_of(off), *view = *bucket;
  while (view && view->off != off) view = view->next;
  if (!view) {
    view = make_view(off, lock, call);
    view->next = *bucket;
    *bucket = view;
    known.views_n++;
  }
  pthread_mutex_unlock(&guard);
  return &view->lock;
}

void pshmem_set_lock(long *lock) {
  const char *call = "shmem_set_lock";
  TSR_SHMEM_ENTER(call);
  const uint64_t begun_ns = tsr_stats_begin();
  tessera_status_t status = tsr_lock_acquire(find_lock(lock, call));
  if (status == TESSERA_ERR_STATE)
    tsr_shmem_die("TSR-5027 %s: this PE holds the lock at %p already; clear it first", call, (void *)lock);
  if (status)
    tsr_shmem_die("TSR-5028 %s: the lock at %p: %s; %s", call, (void *)lock, tessera_status_text(status),
                  tessera_status_remedy(status));
  tsr_stats_end(TSR_STAT_LOCK, begun_ns, 0);
}

int pshmem_test_lock(long *lock) {
  const char *call = "shmem_test_lock";
  bool got = false;
  tessera_status_t status = tsr_lock_try(find_lock(lock, call), &got);
  if (status)
    tsr_shmem_die("TSR-5029 %s: the lock at %p: %s; %s", call, (void *)lock, tessera_status_text(status),
                  tessera_status_remedy(status));
  return !got;
}

void pshmem_clear_lock(long *lock) {
  const char *call = "shmem_clear_lock";
  TSR_SHMEM_ENTER(call);
  const uint64_t begun_ns = tsr_stats_begin();
  tsr_lock *found = find_lock(lock, call);
  tsr_shmem_quiet(&tsr_shmem_ctx_default);
  tsr_lock_adopt(found);
  tessera_status_t status = tsr_lock_release(found);
  if (status == TESSERA_ERR_STATE)
    tsr_shmem_die("TSR-5030 %s: this PE does not hold the lock at %p; only the PE that has set it may clear it", call,
                  (void *)lock);
  if (status)
    tsr_shmem_die("TSR-5031 %s: the lock at %p: %s; %s", call, (void *)lock, tessera_status_text(status),
                  tessera_status_remedy(status));
  tsr_stats_end(TSR_STAT_UNLOCK, begun_ns, 0);
}

#include "api/shmem/names.h"
#include <shmem/lock.h>
