#include "vis/bounce.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/freelist.h"
#include "core/place.h"
#include "core/retry.h"
#include "vis/kernels.h"

struct tsr_net_request tsr_list_request(enum tsr_handler handler, tsr_addr target, size_t iov_n, size_t bytes) {
  return (struct tsr_net_request){.rank = tsr_place_endpoint(target),
                                  .handler = (uint8_t)handler,
                                  .args = {(uint64_t)target.unit.id, iov_n, bytes},
                                  .payload_bytes = iov_n * TSR_LIST_ENTRY_BYTES};
}

/* Bounce buffers for short replies, and lists of places. */
static tsr_freelist short_ones = TSR_FREELIST(1 << 20);

/* Bounce buffers for long replies. They are kept until the process ends: they are few, and fresh memory would be mapped
 * again page by page. */
static struct {
  pthread_mutex_t lock;
  void *free[TSR_LONG_BOUNCES_N];
  int free_n;
  size_t room; /* of each */
  _Atomic int taken_n;
} bounces = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool one_is_left(const void *unused) {
  (void)unused;
  return atomic_load_explicit(&bounces.taken_n, memory_order_relaxed) < TSR_LONG_BOUNCES_N;
}

/* `data`: a void **, which receives the buffer. TESSERA_ERR_AGAIN: all are in use. */
static tessera_status_t take_long(void *data) {
  pthread_mutex_lock(&bounces.lock);
  bool left = one_is_left(NULL);
  void *taken = NULL;
  if (left) {
    if (bounces.room != tsr_net_limits.payload_bytes) { /* the runtime has restarted with another limit */
      while (bounces.free_n) free(bounces.free[--bounces.free_n]);
      bounces.room = tsr_net_limits.payload_bytes;
    }
    taken = bounces.free_n ? bounces.free[--bounces.free_n] : malloc(bounces.room);
    if (taken) atomic_fetch_add_explicit(&bounces.taken_n, 1, memory_order_relaxed);
  }
  pthread_mutex_unlock(&bounces.lock);
  *(void **)data = taken;
  if (!left) return TESSERA_ERR_AGAIN;
  return taken ? TESSERA_OK : TESSERA_ERR_MEMORY;
}

static bool is_long(size_t bytes) { return bytes > tsr_net_limits.eager_bytes; }

void *tsr_bounce_take(tsr_unit from, size_t bytes) {
  void *data = NULL;
  if (!is_long(bytes)) return tsr_freelist_take(&short_ones, bytes);
  const struct tsr_retry way = {take_long, one_is_left, &data, {TSR_WAIT_BOUNCE, from.id, TSR_LONG_BOUNCES_N}};
  if (take_long(&data) == TESSERA_ERR_AGAIN) tsr_retry(&way);
  return data;
}

void tsr_bounce_give(void *data, size_t bytes) {
  if (!is_long(bytes)) {
    tsr_freelist_give(&short_ones, data, bytes);
    return;
  }
  pthread_mutex_lock(&bounces.lock);
  bounces.free[bounces.free_n++] = data;
  atomic_fetch_sub_explicit(&bounces.taken_n, 1, memory_order_relaxed);
  pthread_mutex_unlock(&bounces.lock);
  tsr_retry_room_freed();
}

static size_t list_bytes(size_t places_n) { return sizeof(struct tsr_bounce) + places_n * sizeof(struct tsr_bounce_place); }

struct tsr_bounce *tsr_bounce_new(tsr_unit from, size_t places_n, size_t bytes) {
  struct tsr_bounce *bounce = tsr_freelist_take(&short_ones, list_bytes(places_n));
  if (!bounce) return NULL;
  bounce->data = tsr_bounce_take(from, bytes);
  bounce->bytes = bytes;
  bounce->places_n = places_n;
  if (bounce->data) return bounce;
  tsr_freelist_give(&short_ones, bounce, list_bytes(places_n));
  return NULL;
}

void tsr_bounce_drop(struct tsr_bounce *bounce) {
  tsr_bounce_give(bounce->data, bounce->bytes);
  tsr_freelist_give(&short_ones, bounce, list_bytes(bounce->places_n));
}

void tsr_bounce_unpack(void *arg) {
  struct tsr_bounce *bounce = arg;
  const char *data = bounce->data;
  for (size_t i = 0; i < bounce->places_n; i++) {
    tsr_copy_run(bounce->place[i].to, data, bounce->place[i].bytes);
    data += bounce->place[i].bytes;
  }
  tsr_bounce_drop(bounce);
}
