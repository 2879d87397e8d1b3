/* Events. A root is an aligned object. Its leaves have the same address plus 1 + category: they need no memory, and a
 * query always returns the same one. */
#include "api/gasnet/event.h"

#include <pthread.h>
#include <string.h>

#include "base/config.h"
#include "base/wait.h"
#include "core/place.h"
#include "core/progress.h"

enum { ROOT_ALIGN = 128, SLAB_N = 64 };
enum state { FREE, LIVE, OVER /* complete, to be freed by the call that has found so */ };

struct root {
  _Alignas(ROOT_ALIGN) tsr_gex_group group;
  struct root *next_free;
  _Atomic int state;
};

struct slab {
  struct root roots[SLAB_N];
  struct slab *next;
};

static struct slab *slabs;
static struct root *unused;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void lock_events(void) {
  if (tsr_threads) pthread_mutex_lock(&lock);
}
static void unlock_events(void) {
  if (tsr_threads) pthread_mutex_unlock(&lock);
}

static void add_slab(void) {
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

static struct root *allocate_root(void) {
  lock_events();
  if (!unused) add_slab();
  struct root *root = unused;
  unused = root->next_free;
  unlock_events();
  root->group = (tsr_gex_group){0};
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

static gex_Event_t event_of(struct root *root) { return (gex_Event_t)root; }
static unsigned tag_of(gex_Event_t event) { return (unsigned)((uintptr_t)event % ROOT_ALIGN); }
static bool is_root(gex_Event_t event) { return tag_of(event) == 0; }

/* An invalid or freed event ends the job. */
static struct root *root_of(const char *call, gex_Event_t event) {
  struct root *root = (struct root *)((uintptr_t)event - tag_of(event));
  if (event == GEX_EVENT_NO_OP)
    tsr_gex_die("TSR-4088 %s: GEX_EVENT_NO_OP: nothing was started; repeat the operation instead of waiting", call);
  if (!root || tag_of(event) > TSR_GEX_CATEGORIES_N)
    tsr_gex_die("TSR-4089 %s: %p is not an event; pass one that a call returned", call, (void *)event);
  if (atomic_load_explicit(&root->state, memory_order_relaxed) == FREE)
    tsr_gex_die("TSR-4090 %s: the event, or the root of the leaf, was completed before; do not use it after that", call);
  return root;
}

static const gex_EC_t codes[TSR_GEX_CATEGORIES_N] = {GEX_EC_GET, GEX_EC_PUT, GEX_EC_RMW, GEX_EC_AM, GEX_EC_LC};

bool tsr_gex_group_done(const tsr_gex_group *group, gex_EC_t categories) {
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
  const tsr_gex_group *group;
  gex_EC_t categories;
};
static bool is_done(const void *arg) {
  const struct wanted *wanted = arg;
  return tsr_gex_group_done(wanted->group, wanted->categories);
}

static struct tsr_wait_why describe_wait(const tsr_gex_group *group) {
  int64_t pieces_n = 0;
  for (int i = 0; i < TSR_GEX_CATEGORIES_N; i++)
    pieces_n += atomic_load_explicit(&group->ops[i].remote_n, memory_order_relaxed);
  return (struct tsr_wait_why){TSR_WAIT_EVENTS, 1, pieces_n};
}

void tsr_gex_group_wait(const tsr_gex_group *group, gex_EC_t categories) {
  if (!tsr_gex_group_done(group, categories)) tsr_wait(is_done, &(struct wanted){group, categories}, describe_wait(group));
}

static bool test_event(const char *call, gex_Event_t event) {
  return tsr_gex_group_done(&root_of(call, event)->group, categories_of(event));
}

/* ---- One event ---- */

int gexi_event_test(gex_Event_t event) {
  static const char call[] = "gex_Event_Test";
  tsr_gex_check_up(call);
  tsr_gex_check_context(call);
  if (!test_event(call, event)) return GASNET_ERR_NOT_READY;
  if (is_root(event)) release_root(root_of(call, event));
  return GASNET_OK;
}

void gexi_event_wait(gex_Event_t event) {
  static const char call[] = "gex_Event_Wait";
  tsr_gex_check_up(call);
  tsr_gex_check_context(call);
  struct root *root = root_of(call, event);
  tsr_gex_group_wait(&root->group, categories_of(event));
  if (is_root(event)) release_root(root);
}

gex_Event_t gex_Event_QueryLeaf(gex_Event_t root, gex_EC_t category) {
  static const char call[] = "gex_Event_QueryLeaf";
  tsr_gex_check_up(call);
  if (root == GEX_EVENT_INVALID) return GEX_EVENT_INVALID;
  if (!is_root(root)) tsr_gex_die("TSR-4091 %s: the event is a leaf; pass its root", call);
  root_of(call, root);
  for (unsigned i = 0; i < TSR_GEX_CATEGORIES_N; i++) {
    if (category == codes[i]) return (gex_Event_t)((uintptr_t)root + 1 + i);
  }
  tsr_gex_die("TSR-4092 %s: 0x%x is not one category; pass a single GEX_EC_ constant", call, category);
}

/* ---- Lists. A root and its leaves may be in one list. All leaves are tested before a root is freed ---- */

/* Removes the leaves that are complete, or the `roots` that are marked as OVER. */
static size_t sweep_events(const char *call, gex_Event_t events[], size_t n, bool roots) {
  size_t gone = 0;
  for (size_t i = 0; i < n; i++) {
    if (!events[i] || is_root(events[i]) != roots) continue;
    struct root *root = root_of(call, events[i]);
    if (roots ? atomic_load(&root->state) != OVER : !test_event(call, events[i])) continue;
    if (roots) release_root(root);
    events[i] = GEX_EVENT_INVALID;
    gone++;
  }
  return gone;
}

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
  size_t gone = sweep_events(call, events, n, false);
  return gone + sweep_events(call, events, n, true) > 0;
}

static void check_list(const char *call, const gex_Event_t events[], size_t n) {
  tsr_gex_check_up(call);
  tsr_gex_check_context(call);
  if (n && !events) tsr_gex_die("TSR-4093 %s: the list of %zu events is NULL; pass it", call, n);
}

int gex_Event_TestSome(gex_Event_t *events, size_t events_n, gex_Flags_t flags) {
  static const char call[] = "gex_Event_TestSome";
  (void)flags;
  check_list(call, events, events_n);
  return remove_complete(call, events, events_n) ? GASNET_OK : GASNET_ERR_NOT_READY;
}

int gex_Event_TestAll(gex_Event_t *events, size_t events_n, gex_Flags_t flags) {
  static const char call[] = "gex_Event_TestAll";
  (void)flags;
  check_list(call, events, events_n);
  remove_complete(call, events, events_n);
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
  static const char call[] = "gex_Event_WaitSome";
  (void)flags;
  check_list(call, events, events_n);
  wait_some(call, events, events_n);
}

void gex_Event_WaitAll(gex_Event_t *events, size_t events_n, gex_Flags_t flags) {
  static const char call[] = "gex_Event_WaitAll";
  (void)flags;
  check_list(call, events, events_n);
  while (any_left(events, events_n)) wait_some(call, events, events_n);
}

/* ---- For calls that start operations ---- */

gex_Event_t tsr_gex_event(tsr_op **op, enum tsr_gex_category category) {
  struct root *root = allocate_root();
  root->group.used = 1u << category;
  *op = &root->group.ops[category];
  return event_of(root);
}

gex_Event_t tsr_gex_event_region(tsr_gex_group **group) {
  struct root *root = allocate_root();
  root->group.used = (1u << TSR_GEX_CATEGORIES_N) - 1;
  *group = &root->group;
  return event_of(root);
}

gex_Event_t tsr_gex_event_started(gex_Event_t root) {
  struct root *own = (struct root *)root;
  if (!tsr_gex_group_done(&own->group, GEX_EC_ALL)) return root;
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
  if (root == GEX_EVENT_INVALID || tsr_gex_group_done(&((struct root *)root)->group, GEX_EC_LC)) return GEX_EVENT_INVALID;
  return gex_Event_QueryLeaf(root, GEX_EC_LC);
}

void tsr_gex_event_drop(gex_Event_t root) { release_root((struct root *)root); }

int tsr_gex_events_n(void) {
  int n = 0;
  lock_events();
  for (const struct slab *slab = slabs; slab; slab = slab->next)
    for (int i = 0; i < SLAB_N; i++) n += atomic_load(&slab->roots[i].state) != FREE;
  unlock_events();
  return n;
}

void tsr_gex_events_stop(void) {
  tsr_gex_nbi_stop();
  while (slabs) {
    struct slab *slab = slabs;
    for (int i = 0; i < SLAB_N; i++) {
      if (atomic_load(&slab->roots[i].state) != FREE) tsr_gex_group_wait(&slab->roots[i].group, GEX_EC_ALL);
    }
    slabs = slab->next;
    free(slab);
  }
  unused = NULL;
}
