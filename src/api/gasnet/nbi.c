/* Implicit operations. They belong to the thread's group, or to the event of its open access region. */
#include <pthread.h>

#include "am/am.h"
#include "base/config.h"
#include "core/progress.h"
#include "api/gasnet/event.h"

/* The implicit operations of one thread. The context outlives the thread, since operations may be outstanding; another
 * thread then reuses it. */
struct context {
  tsr_gex_group own, *open; /* open: of the access region; NULL: none */
  gex_Event_t region;
  bool taken;
  bool busy; /* counted in all.busy_n: operations may be outstanding, or a region is open */
  struct context *next;
};

static struct context *contexts;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local struct context *mine;
static _Thread_local unsigned mine_since; /* `mine` is valid while this equals starts_n: tsr_gex_nbi_stop frees it */
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
    context->own.used = (1u << TSR_GEX_CATEGORIES_N) - 1;
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
  all = (struct gexi_implicit){.busy_n = tsr_config.check, .left_n = GEXI_PROGRESS_EVERY};
  return &all;
}

static struct context *own_context(void) { return GEXI_LIKELY(mine && mine_since == starts_n) ? mine : find_context(); }

tsr_op *tsr_gex_nbi(enum tsr_gex_category category) {
  struct context *context = own_context();
  set_busy(context, true);
  return &(context->open ? context->open : &context->own)->ops[category];
}

void tsr_gex_nbi_stop(void) {
  while (contexts) {
    struct context *context = contexts;
    tsr_gex_group_wait(&context->own, GEX_EC_ALL);
    contexts = context->next;
    free(context);
  }
  starts_n++;
  all.busy_n = 1; /* later calls enter the library, which reports them */
}

/* ---- Implicit operations ---- */

static struct context *implicit_context(const char *call, gex_EC_t categories) {
  tsr_gex_check_up(call);
  tsr_gex_check_context(call);
  if (categories & ~GEX_EC_ALL || !categories)
    tsr_gex_die("TSR-4143 %s: 0x%x: pass one or several of GEX_EC_, or GEX_EC_ALL", call, categories);
  struct context *context = own_context();
  if (context->open) tsr_gex_die("TSR-4144 %s: inside an access region; end it first, and wait for its event", call);
  return context;
}

static void update_busy(struct context *context) {
  if (context->busy && tsr_gex_group_done(&context->own, GEX_EC_ALL)) set_busy(context, false);
}

int gexi_nbi_test(gex_EC_t categories) {
  struct context *context = implicit_context("gex_NBI_Test", categories);
  update_busy(context);
  return tsr_gex_group_done(&context->own, categories) ? GASNET_OK : GASNET_ERR_NOT_READY;
}

void gexi_nbi_wait(gex_EC_t categories) {
  struct context *context = implicit_context("gex_NBI_Wait", categories);
  __atomic_store_n(&all.left_n, GEXI_PROGRESS_EVERY, __ATOMIC_RELAXED);
  tsr_progress(); /* once only, since usually all operations are complete */
  tsr_gex_group_wait(&context->own, categories);
  update_busy(context);
}

/* ---- Access regions ---- */

void gex_NBI_BeginAccessRegion(gex_Flags_t flags) {
  static const char call[] = "gex_NBI_BeginAccessRegion";
  (void)flags;
  tsr_gex_check_up(call);
  tsr_gex_check_context(call);
  struct context *context = own_context();
  if (context->open) tsr_gex_die("TSR-4145 %s: this thread has begun one already; regions do not nest", call);
  context->region = tsr_gex_event_region(&context->open);
  set_busy(context, true);
}

gex_Event_t gex_NBI_EndAccessRegion(gex_Flags_t flags) {
  static const char call[] = "gex_NBI_EndAccessRegion";
  (void)flags;
  tsr_gex_check_up(call);
  tsr_gex_check_context(call);
  struct context *context = own_context();
  if (!context->open) tsr_gex_die("TSR-4146 %s: this thread has begun none; call gex_NBI_BeginAccessRegion first", call);
  context->open = NULL;
  update_busy(context);
  return tsr_gex_event_started(context->region);
}
