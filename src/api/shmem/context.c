/* Contexts. Each counts the operations that are under way on it. */
#include "api/shmem/shmem_api.h"

#include <pthread.h>

#include "core/progress.h"
#include "core/stats.h"

struct tsr_shmem_ctx tsr_shmem_ctx_default;
enum { LIVE = 0x5c7e4c01 };

/* first: all contexts but the default one. spare: destroyed contexts. Their memory is reused for contexts only, so that the handles
 * of destroyed contexts are recognised. */
static struct tsr_shmem_ctx *first, *spare;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* the two lists */

struct tsr_shmem_ctx *tsr_shmem_ctx(shmem_ctx_t handle, const char *call) {
  tsr_shmem_must_be_up(call);
  if (__builtin_expect(handle == SHMEM_CTX_DEFAULT, 1)) return &tsr_shmem_ctx_default;
  struct tsr_shmem_ctx *ctx = (struct tsr_shmem_ctx *)(void *)handle;
  if (!ctx) tsr_shmem_die("TSR-5016 %s: the context is SHMEM_CTX_INVALID; pass one that shmem_ctx_create has made", call);
  if (ctx->mark != LIVE) tsr_shmem_die("TSR-5017 %s: the context was destroyed; pass a live one", call);
  return ctx;
}

void tsr_shmem_contexts_start(void) {
  tsr_shmem_ctx_default = (struct tsr_shmem_ctx){.team = tsr_shmem_team(SHMEM_TEAM_WORLD, "shmem_init"),
                                                 .team_handle = SHMEM_TEAM_WORLD, .mark = LIVE};
}

static struct tsr_shmem_ctx *take_spare(void) {
  pthread_mutex_lock(&lock);
  struct tsr_shmem_ctx *ctx = spare;
  if (ctx) spare = ctx->next;
  pthread_mutex_unlock(&lock);
  return ctx ? ctx : malloc(sizeof *ctx);
}

static void add_context(struct tsr_shmem_ctx *ctx) {
  pthread_mutex_lock(&lock);
  ctx->next = first;
  if (first) first->previous = ctx;
  first = ctx;
  pthread_mutex_unlock(&lock);
}

static int create_context(shmem_team_t handle, long options, shmem_ctx_t *ctx, const char *call) {
  struct shmemi_team *team = tsr_shmem_team_if(handle, call);
  if (!ctx) tsr_shmem_die("TSR-5018 %s: ctx is NULL; pass where to store the context", call);
  *ctx = SHMEM_CTX_INVALID;
  if (!team) return -1;
  if (options & ~(SHMEM_CTX_SERIALIZED | SHMEM_CTX_PRIVATE | SHMEM_CTX_NOSTORE))
    tsr_shmem_die("TSR-5019 %s: there are no options %#lx; combine SHMEM_CTX_SERIALIZED, SHMEM_CTX_PRIVATE and SHMEM_CTX_NOSTORE",
                  call, options);
  struct tsr_shmem_ctx *made = take_spare();
  if (!made) return -1;
  const tsr_team *core = team->core;
  *made = (struct tsr_shmem_ctx){.team = team, .team_handle = handle, .mark = LIVE,
                                 .seen = {core->first, core->stride, core->members ? 0 : (uint32_t)core->size}};
  add_context(made);
  *ctx = (shmem_ctx_t)(void *)made;
  return 0;
}

int pshmem_ctx_create(long options, shmem_ctx_t *ctx) {
  tsr_shmem_must_be_up("shmem_ctx_create");
  return create_context(SHMEM_TEAM_WORLD, options, ctx, "shmem_ctx_create");
}
int pshmem_team_create_ctx(shmem_team_t team, long options, shmem_ctx_t *ctx) {
  tsr_shmem_must_be_up("shmem_team_create_ctx");
  return create_context(team, options, ctx, "shmem_team_create_ctx");
}

static void end_context(struct tsr_shmem_ctx *ctx) {
  tsr_shmem_quiet(ctx);
  pthread_mutex_lock(&lock);
  if (ctx->previous) ctx->previous->next = ctx->next;
  else first = ctx->next;
  if (ctx->next) ctx->next->previous = ctx->previous;
  *ctx = (struct tsr_shmem_ctx){.next = spare};
  spare = ctx;
  pthread_mutex_unlock(&lock);
}

void pshmem_ctx_destroy(shmem_ctx_t handle) {
  tsr_shmem_must_be_up("shmem_ctx_destroy");
  if (handle == SHMEM_CTX_INVALID) return;
  if (handle == SHMEM_CTX_DEFAULT)
    tsr_shmem_die("TSR-5057 shmem_ctx_destroy: the default context lives as long as the library; destroy only contexts that the "
                  "program made");
  end_context(tsr_shmem_ctx(handle, "shmem_ctx_destroy"));
}

/* A context of the team; NULL: of any team. */
static struct tsr_shmem_ctx *find_context(const struct shmemi_team *team) {
  pthread_mutex_lock(&lock);
  struct tsr_shmem_ctx *ctx = first;
  while (ctx && team && ctx->team != team) ctx = ctx->next;
  pthread_mutex_unlock(&lock);
  return ctx;
}

void tsr_shmem_contexts_drop(const struct shmemi_team *team) {
  for (struct tsr_shmem_ctx *ctx; (ctx = find_context(team));) end_context(ctx);
}

void tsr_shmem_contexts_stop(void) {
  tsr_shmem_contexts_drop(NULL);
  while (spare) {
    struct tsr_shmem_ctx *next = spare->next;
    free(spare);
    spare = next;
  }
}

int pshmem_ctx_get_team(shmem_ctx_t handle, shmem_team_t *team) {
  tsr_shmem_must_be_up("shmem_ctx_get_team");
  *team = SHMEM_TEAM_INVALID;
  if (handle == SHMEM_CTX_INVALID) return -1;
  *team = tsr_shmem_ctx(handle, "shmem_ctx_get_team")->team_handle;
  return 0;
}

/* ---- ordering ---- */

/* The fence orders the caller's earlier stores before its later loads. If another thread starts an operation meanwhile, this call
 * waits for it, or the operation sets `overtakes` after this call has cleared it. */
void tsr_shmem_quiet(struct tsr_shmem_ctx *ctx) {
  atomic_store_explicit(&ctx->overtakes, false, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  if (!tsr_op_remote_done(&ctx->op)) tsr_op_wait_remote(&ctx->op, TSR_UNIT(-1));
}

/* Requests to one PE are served in the order in which they were started, except those with long data. */
static void fence_context(struct tsr_shmem_ctx *ctx) {
  atomic_thread_fence(memory_order_release);
  if (__builtin_expect(atomic_load_explicit(&ctx->overtakes, memory_order_relaxed), 0)) tsr_shmem_quiet(ctx);
}

void pshmem_fence(void) {
  tsr_shmem_must_be_up("shmem_fence");
  fence_context(&tsr_shmem_ctx_default);
}
void pshmem_ctx_fence(shmem_ctx_t ctx) {
  if (ctx != SHMEM_CTX_INVALID) fence_context(tsr_shmem_ctx(ctx, "shmem_ctx_fence"));
}

static void quiet_context(struct tsr_shmem_ctx *ctx, const char *call) {
  TSR_SHMEM_ENTER(call);
  const uint64_t begun_ns = tsr_stats_begin();
  tsr_shmem_quiet(ctx);
  tsr_progress_throttled();
  tsr_stats_end(TSR_STAT_FLUSH, begun_ns, 0);
}

void pshmem_quiet(void) {
  tsr_shmem_must_be_up("shmem_quiet");
  quiet_context(&tsr_shmem_ctx_default, "shmem_quiet");
}
void pshmem_ctx_quiet(shmem_ctx_t ctx) {
  if (ctx != SHMEM_CTX_INVALID) quiet_context(tsr_shmem_ctx(ctx, "shmem_ctx_quiet"), "shmem_ctx_quiet");
}

static void quiet_pes(struct tsr_shmem_ctx *ctx, const int *pes, size_t n, const char *call) {
  for (size_t i = 0; i < n; i++) tsr_shmem_unit(ctx, pes[i], call);
  if (n) quiet_context(ctx, call);
}
void pshmem_pe_quiet(const int *target_pes, size_t npes) {
  tsr_shmem_must_be_up("shmem_pe_quiet");
  quiet_pes(&tsr_shmem_ctx_default, target_pes, npes, "shmem_pe_quiet");
}
void pshmem_ctx_pe_quiet(shmem_ctx_t ctx, const int *target_pes, size_t npes) {
  if (ctx != SHMEM_CTX_INVALID) quiet_pes(tsr_shmem_ctx(ctx, "shmem_ctx_pe_quiet"), target_pes, npes, "shmem_ctx_pe_quiet");
}

void pshmem_ctx_session_start(shmem_ctx_t ctx, long options, const shmem_ctx_session_config_t *config, long config_mask) {
  (void)options, (void)config, (void)config_mask;
  if (ctx != SHMEM_CTX_INVALID) tsr_shmem_ctx(ctx, "shmem_ctx_session_start");
}
void pshmem_ctx_session_stop(shmem_ctx_t ctx) {
  if (ctx != SHMEM_CTX_INVALID) tsr_shmem_ctx(ctx, "shmem_ctx_session_stop");
}

#include "api/shmem/names.h"
#include <shmem/context.h>
