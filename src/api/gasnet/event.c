/* Events. A root is an aligned object. Its leaves have the same address plus 1 + category: they need no memory, and a
 * query always returns the same one. */
#include <pthread.h>
#include <string.h>

#include "am/pool.h"
#include "am/remote.h"
#include "base/log.h"
#include "base/wait.h"
#include "core/place.h"
#include "core/progress.h"
#include "api/gasnet/gasnet_api.h"
#include "net/net.h"
#include "node/memory.h"

enum { ROOT_ALIGN = 128, SLAB_N = 64 };
enum state { FREE, LIVE, OVER /* complete; the call that found this frees it */ };

/* The ops of an event, or of implicit operations: one for each category. */
struct group {
  tsr_op ops[TSR_GEX_CATEGORIES_N];
  uint32_t used; /* bit i: ops[i] is in use */
};
enum { ALL_CATEGORIES = (1u << TSR_GEX_CATEGORIES_N) - 1 };

struct root {
  _Alignas(ROOT_ALIGN) struct group group;
  struct root *next_free;
  _Atomic int state;
};

struct slab {
  struct root roots[SLAB_N];
  struct slab *next;
};

static struct slab *slabs;
static struct root *unused;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of the events, and of the list of contexts */

static void lock_events(void) {
  if (tsr_threads) pthread_mutex_lock(&lock);
}
static void unlock_events(void) {
  if (tsr_threads) pthread_mutex_unlock(&lock);
}

static __attribute__((cold)) void add_slab(void) {
  struct slab *slab = aligned_alloc(ROOT_ALIGN, sizeof *slab);
  if (!slab) tsr_gex_die("TSR-4087 no private memory for more events; complete some first");
  memset(slab, 0, sizeof *slab);
  slab->next = slabs;
  slabs = slab;
  for (int i = SLAB_N - 1; i >= 0; i--) {
    slab->roots[i].next_free = unused;
    unused = &slab->roots[i];
  }
}

/* `used`: the bits of its categories. */
static struct root *allocate_root(uint32_t used) {
  lock_events();
  if (!unused) add_slab();
  struct root *root = unused;
  unused = root->next_free;
  unlock_events();
  root->group = (struct group){.used = used};
  atomic_store_explicit(&root->state, LIVE, memory_order_relaxed);
  return root;
}

static void release_root(struct root *root) {
  atomic_store_explicit(&root->state, FREE, memory_order_relaxed);
  lock_events();
  root->next_free = unused;
  unused = root;
  unlock_events();
}

/* ---- The encoding of events ---- */

static unsigned tag_of(gex_Event_t event) { return (unsigned)((uintptr_t)event % ROOT_ALIGN); }
static bool is_root(gex_Event_t event) { return tag_of(event) == 0; }

/* By the tag of a leaf - 1: the categories of ops, and GEX_EC_LC. */
enum { LEAVES_N = TSR_GEX_CATEGORIES_N + 1 };
static const gex_EC_t codes[LEAVES_N] = {GEX_EC_GET, GEX_EC_PUT, GEX_EC_RMW, GEX_EC_AM, GEX_EC_LC};

/* An invalid or freed event ends the job. */
static struct root *root_of(const char *call, gex_Event_t event) {
  struct root *root = (struct root *)((uintptr_t)event - tag_of(event));
  if (event == GEX_EVENT_NO_OP)
    tsr_gex_die("TSR-4088 %s: GEX_EVENT_NO_OP: nothing was started; repeat the operation instead of waiting", call);
  if (!root || tag_of(event) > LEAVES_N)
    tsr_gex_die("TSR-4089 %s: %p is not an event; pass one that a call returned", call, (void *)event);
  if (atomic_load_explicit(&root->state, memory_order_relaxed) == FREE)
    tsr_gex_die("TSR-4090 %s: the event, or the root of the leaf, was completed before; do not use it after that", call);
  return root;
}

/* Whether all operations of these categories (GEX_EC_*) are complete. */
static bool group_done(const struct group *group, gex_EC_t categories) {
  for (int i = 0; i < TSR_GEX_CATEGORIES_N; i++) {
    const tsr_op *op = &group->ops[i];
    bool wanted = (categories & codes[i]) && (group->used >> i & 1);
    if (wanted && !(tsr_op_local_done(op) && tsr_op_remote_done(op))) return false;
  }
  bool local = categories & GEX_EC_LC;
  return !local || tsr_op_local_done(&group->ops[TSR_GEX_PUT]);
}

static gex_EC_t categories_of(gex_Event_t event) { return is_root(event) ? GEX_EC_ALL : codes[tag_of(event) - 1]; }

struct wanted {
  const struct group *group;
  gex_EC_t categories;
};
static bool is_done(const void *arg) {
  const struct wanted *wanted = arg;
  return group_done(wanted->group, wanted->categories);
}

static void wait_for_group(const struct group *group, gex_EC_t categories) {
  int64_t pieces_n = 0;
  if (group_done(group, categories)) return;
  for (int i = 0; i < TSR_GEX_CATEGORIES_N; i++)
    pieces_n += atomic_load_explicit(&group->ops[i].remote_n, memory_order_relaxed);
  tsr_wait(is_done, &(struct wanted){group, categories}, (struct tsr_wait_why){TSR_WAIT_EVENTS, 1, pieces_n});
}

static bool test_event(const char *call, gex_Event_t event) {
  return group_done(&root_of(call, event)->group, categories_of(event));
}

/* ---- One event ---- */

int gexi_event_test(gex_Event_t event) {
  static const char call[] = "gex_Event_Test";
  tsr_gex_check_call(call);
  if (!test_event(call, event)) return GASNET_ERR_NOT_READY;
  if (is_root(event)) release_root(root_of(call, event));
  return GASNET_OK;
}

void gexi_event_wait(gex_Event_t event) {
  static const char call[] = "gex_Event_Wait";
  tsr_gex_check_call(call);
  struct root *root = root_of(call, event);
  wait_for_group(&root->group, categories_of(event));
  if (is_root(event)) release_root(root);
}

gex_Event_t gex_Event_QueryLeaf(gex_Event_t root, gex_EC_t category) {
  tsr_gex_check_up(__func__);
  if (root == GEX_EVENT_INVALID) return GEX_EVENT_INVALID;
  if (!is_root(root)) tsr_gex_die("TSR-4091 %s: the event is a leaf; pass its root", __func__);
  root_of(__func__, root);
  for (unsigned i = 0; i < LEAVES_N; i++) {
    if (category == codes[i]) return (gex_Event_t)((uintptr_t)root + 1 + i);
  }
  tsr_gex_die("TSR-4092 %s: 0x%x is not one category; pass a single GEX_EC_ constant", __func__, category);
}

/* ---- Lists. A root and its leaves may be in one list. All leaves are tested before a root is freed ---- */

static bool any_left(const gex_Event_t events[], size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (events[i]) return true;
  }
  return false;
}

/* Removes all complete events. True: some were complete, or the list was empty. */
static bool remove_complete(const char *call, gex_Event_t events[], size_t n) {
  if (!any_left(events, n)) return true;
  for (size_t i = 0; i < n; i++)
    if (events[i] && is_root(events[i]) && test_event(call, events[i])) atomic_store(&root_of(call, events[i])->state, OVER);
  bool some = false;
  for (size_t k = 0; k < 2 * n; k++) { /* all leaves, then all roots */
    gex_Event_t *event = &events[k % n];
    bool roots = k >= n;
    if (!*event || is_root(*event) != roots) continue;
    struct root *root = root_of(call, *event);
    if (roots ? atomic_load(&root->state) != OVER : !test_event(call, *event)) continue;
    if (roots) release_root(root);
    *event = GEX_EVENT_INVALID;
    some = true;
  }
  return some;
}

static void check_list(const char *call, const gex_Event_t events[], size_t n) {
  tsr_gex_check_call(call);
  if (n && !events) tsr_gex_die("TSR-4093 %s: the list of %zu events is NULL; pass it", call, n);
}

int gex_Event_TestSome(gex_Event_t *events, size_t events_n, gex_Flags_t flags) {
  (void)flags;
  check_list(__func__, events, events_n);
  return remove_complete(__func__, events, events_n) ? GASNET_OK : GASNET_ERR_NOT_READY;
}

int gex_Event_TestAll(gex_Event_t *events, size_t events_n, gex_Flags_t flags) {
  (void)flags;
  check_list(__func__, events, events_n);
  remove_complete(__func__, events, events_n);
  return any_left(events, events_n) ? GASNET_ERR_NOT_READY : GASNET_OK;
}

/* The condition of a wait. Any thread may evaluate it, so it changes nothing. */
struct list {
  const char *call;
  const gex_Event_t *events;
  size_t n;
};
static bool any_done(const void *arg) {
  const struct list *list = arg;
  for (size_t i = 0; i < list->n; i++) {
    if (list->events[i] && test_event(list->call, list->events[i])) return true;
  }
  return false;
}

static void wait_some(const char *call, gex_Event_t events[], size_t n) {
  while (!remove_complete(call, events, n))
    tsr_wait(any_done, &(struct list){call, events, n}, (struct tsr_wait_why){TSR_WAIT_EVENTS, (int32_t)n, (int64_t)n});
}

void gex_Event_WaitSome(gex_Event_t *events, size_t events_n, gex_Flags_t flags) {
  (void)flags;
  check_list(__func__, events, events_n);
  wait_some(__func__, events, events_n);
}

void gex_Event_WaitAll(gex_Event_t *events, size_t events_n, gex_Flags_t flags) {
  (void)flags;
  check_list(__func__, events, events_n);
  while (any_left(events, events_n)) wait_some(__func__, events, events_n);
}

/* ---- For calls that start operations ---- */

gex_Event_t tsr_gex_event(tsr_op **op, enum tsr_gex_category category) {
  struct root *root = allocate_root(1u << category);
  *op = &root->group.ops[category];
  return (gex_Event_t)root;
}

gex_Event_t tsr_gex_event_started(gex_Event_t root) {
  struct root *own = (struct root *)root;
  if (!group_done(&own->group, GEX_EC_ALL)) return root;
  release_root(own);
  return GEX_EVENT_INVALID;
}

gex_Event_t tsr_gex_event_from(gex_Event_t root, tsr_unit unit) {
  return tsr_place_is_local(unit) ? tsr_gex_event_started(root) : root;
}

gex_Event_t tsr_gex_event_of_nothing(tsr_unit unit, enum tsr_gex_category category) {
  tsr_op *op;
  return tsr_place_is_local(unit) ? GEX_EVENT_INVALID : tsr_gex_event(&op, category);
}

gex_Event_t tsr_gex_event_lc(gex_Event_t root) {
  if (root == GEX_EVENT_INVALID || group_done(&((struct root *)root)->group, GEX_EC_LC)) return GEX_EVENT_INVALID;
  return gex_Event_QueryLeaf(root, GEX_EC_LC);
}

void tsr_gex_event_drop(gex_Event_t root) { release_root((struct root *)root); }

/* ---- Implicit operations: those of the thread, or of its open access region ---- */

/* The implicit operations of one thread. The context outlives the thread, since operations may be outstanding; another
 * thread then reuses it. */
struct context {
  struct group own;
  struct root *open; /* of the access region; NULL: none */
  bool taken;
  bool busy; /* counted in all.busy_n: operations may be outstanding, or a region is open */
  struct context *next;
};

static struct context *contexts;
static _Thread_local struct context *mine;
static _Thread_local unsigned mine_since; /* `mine` is valid while this equals starts_n: stop_implicit frees it */
static unsigned starts_n = 1;

static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static void give_back(void *context) {
  if (mine_since != starts_n) return;
  pthread_mutex_lock(&lock);
  ((struct context *)context)->taken = false;
  pthread_mutex_unlock(&lock);
}
static void make_key(void) { pthread_key_create(&key, give_back); }

static struct context *find_context(void) {
  pthread_once(&once, make_key);
  pthread_mutex_lock(&lock);
  struct context *context = contexts;
  while (context && context->taken) context = context->next;
  if (!context) {
    context = calloc(1, sizeof *context);
    if (!context) tsr_gex_die("TSR-4142 no private memory for the operations of one more thread; free some");
    context->own.used = ALL_CATEGORIES;
    context->next = contexts;
    contexts = context;
  }
  context->taken = true;
  pthread_mutex_unlock(&lock);
  pthread_setspecific(key, context);
  mine_since = starts_n;
  return mine = context;
}

/* Inline functions read this record. While no context is busy, they do not call the library. */
static struct gexi_implicit all = {.busy_n = 1};

static void set_busy(struct context *context, bool busy) {
  if (context->busy == busy) return;
  context->busy = busy;
  if (busy) __atomic_fetch_add(&all.busy_n, 1, __ATOMIC_RELAXED);
  else __atomic_fetch_sub(&all.busy_n, 1, __ATOMIC_RELAXED);
}

struct gexi_implicit *tsr_gex_nbi_start(void) {
  all = (struct gexi_implicit){.busy_n = tsr_config_check(), .left_n = GEXI_PROGRESS_EVERY};
  return &all;
}

static struct context *own_context(void) { return GEXI_LIKELY(mine && mine_since == starts_n) ? mine : find_context(); }

tsr_op *tsr_gex_nbi(enum tsr_gex_category category) {
  struct context *context = own_context();
  set_busy(context, true);
  return &(context->open ? &context->open->group : &context->own)->ops[category];
}

static void stop_implicit(void) {
  while (contexts) {
    struct context *context = contexts;
    wait_for_group(&context->own, GEX_EC_ALL);
    contexts = context->next;
    free(context);
  }
  starts_n++;
  all.busy_n = 1; /* later calls enter the library, which reports them */
}

static struct context *implicit_context(const char *call, gex_EC_t categories) {
  tsr_gex_check_call(call);
  if (categories & ~GEX_EC_ALL || !categories)
    tsr_gex_die("TSR-4143 %s: 0x%x: pass one or several of GEX_EC_, or GEX_EC_ALL", call, categories);
  struct context *context = own_context();
  if (context->open) tsr_gex_die("TSR-4144 %s: inside an access region; end it first, and wait for its event", call);
  return context;
}

static void update_busy(struct context *context) {
  if (context->busy && group_done(&context->own, GEX_EC_ALL)) set_busy(context, false);
}

int gexi_nbi_test(gex_EC_t categories) {
  struct context *context = implicit_context("gex_NBI_Test", categories);
  update_busy(context);
  return group_done(&context->own, categories) ? GASNET_OK : GASNET_ERR_NOT_READY;
}

void gexi_nbi_wait(gex_EC_t categories) {
  struct context *context = implicit_context("gex_NBI_Wait", categories);
  __atomic_store_n(&all.left_n, GEXI_PROGRESS_EVERY, __ATOMIC_RELAXED);
  tsr_progress(); /* once only, since usually all operations are complete */
  wait_for_group(&context->own, categories);
  update_busy(context);
}

/* ---- Access regions ---- */

void gex_NBI_BeginAccessRegion(gex_Flags_t flags) {
  (void)flags;
  tsr_gex_check_call(__func__);
  struct context *context = own_context();
  if (context->open) tsr_gex_die("TSR-4145 %s: this thread has begun one already; regions do not nest", __func__);
  context->open = allocate_root(ALL_CATEGORIES);
  set_busy(context, true);
}

gex_Event_t gex_NBI_EndAccessRegion(gex_Flags_t flags) {
  (void)flags;
  tsr_gex_check_call(__func__);
  struct context *context = own_context();
  if (!context->open) tsr_gex_die("TSR-4146 %s: this thread has begun none; call gex_NBI_BeginAccessRegion first", __func__);
  struct root *region = context->open;
  context->open = NULL;
  update_busy(context);
  return tsr_gex_event_started((gex_Event_t)region);
}

/* ---- Dump and end ---- */

#define say(...) tsr_log_write(TSR_LOG_INFO, __VA_ARGS__)

void tessera_gex_dump(void) {
  tsr_gex_check_up(__func__);
  int events_n = 0; /* approximately */
  lock_events();
  for (const struct slab *slab = slabs; slab; slab = slab->next)
    for (int i = 0; i < SLAB_N; i++) events_n += atomic_load(&slab->roots[i].state) != FREE;
  unlock_events();
  say("outstanding in this process: %d events, %d transfers and other requests, %d messages with data; to other nodes:",
      events_n, tsr_net->outstanding(-1), tsr_am_pool_taken());
  for (int32_t unit = 0; unit < tsr_place.units_n; unit++) {
    int messages_n = tsr_place_is_local(TSR_UNIT(unit)) ? 0 : tsr_am_remote_n(TSR_UNIT(unit));
    if (messages_n) say("%d messages to job rank %d, not acknowledged yet", messages_n, unit);
  }
  for (uint32_t local = 0; local < tsr_place_local_units(); local++) { /* their state is in shared memory */
    char text[256] = "nothing: it is awake";
    struct tsr_wait_why why = tsr_wait_reason(&tsr_heap_unit(local)->why);
    if (why.kind != TSR_WAIT_NONE) tsr_wait_describe(&why, text, sizeof text);
    say("job rank %d waits for %s; it has %u slots of requests and %u of replies to handle", tsr_place_unit(local).id, text,
        (unsigned)tsr_ring_depth(tsr_memory_ring(tsr_heap.memory, local, TSR_RING_AM_REQUESTS)),
        (unsigned)tsr_ring_depth(tsr_memory_ring(tsr_heap.memory, local, TSR_RING_AM_REPLIES)));
  }
}

void tsr_gex_events_stop(void) {
  stop_implicit();
  while (slabs) {
    struct slab *slab = slabs;
    for (int i = 0; i < SLAB_N; i++) {
      if (atomic_load(&slab->roots[i].state) != FREE) wait_for_group(&slab->roots[i].group, GEX_EC_ALL);
    }
    slabs = slab->next;
    free(slab);
  }
  unused = NULL;
}
