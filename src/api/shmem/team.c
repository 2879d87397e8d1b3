/* Teams. */
#include "api/shmem/shmem_api.h"

#include <pthread.h>

#include "coll/coll.h"
#include "core/bootstrap.h"
#include "core/stats.h"

static struct shmemi_team world, shared;
/* first: the teams that the program has made. spare: destroyed teams. Their memory is reused for teams only, so that the handles of
 * destroyed teams are recognised. */
static struct shmemi_team *first, *spare;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* the two lists: threads may make different teams at once */

struct shmemi_team *tsr_shmem_team_if(shmem_team_t handle, const char *call) {
  tsr_shmem_must_be_up(call);
  if (handle == SHMEM_TEAM_WORLD) return &world;
  if (handle == SHMEM_TEAM_SHARED) return &shared;
  if (handle && !handle->core) tsr_shmem_die("TSR-5055 %s: the team was destroyed; pass a live one", call);
  return handle;
}

struct shmemi_team *tsr_shmem_team(shmem_team_t handle, const char *call) {
  struct shmemi_team *team = tsr_shmem_team_if(handle, call);
  if (!team) tsr_shmem_die("TSR-5045 %s: the team is SHMEM_TEAM_INVALID; call from members of the team only", call);
  return team;
}

/* Creates SHMEM_TEAM_SHARED: the PEs of this node, in the order of their numbers. */
tessera_status_t tsr_shmem_teams_start(void) {
  const tsr_team *all = tsr_team_world;
  tsr_unit *units = malloc((size_t)all->locals_n * sizeof *units);
  world = (struct shmemi_team){.core = tsr_team_world};
  if (!units) return TESSERA_ERR_MEMORY;
  for (int32_t i = 0; i < all->locals_n; i++) units[i] = TSR_UNIT(all->locals[i]);
  tessera_status_t status = tsr_team_create(tsr_team_world, all->locals_n, units, &shared.core);
  free(units);
  if (!status) shared.core->api = TSR_API_SHMEM;
  return status;
}

static void free_list(struct shmemi_team **list) {
  while (*list) {
    struct shmemi_team *next = (*list)->next;
    free(*list);
    *list = next;
  }
}

/* The core's teams end with the interface. */
void tsr_shmem_teams_stop(void) {
  free_list(&first);
  free_list(&spare);
}

int pshmem_team_my_pe(shmem_team_t handle) {
  const struct shmemi_team *team = tsr_shmem_team_if(handle, "shmem_team_my_pe");
  return team ? team->core->self : -1;
}
int pshmem_team_n_pes(shmem_team_t handle) {
  const struct shmemi_team *team = tsr_shmem_team_if(handle, "shmem_team_n_pes");
  return team ? team->core->size : -1;
}

int pshmem_team_get_config(shmem_team_t handle, long config_mask, shmem_team_config_t *config) {
  const struct shmemi_team *team = tsr_shmem_team_if(handle, "shmem_team_get_config");
  if (!team) return -1;
  if (config_mask & ~SHMEM_TEAM_NUM_CONTEXTS) return -1;
  if (config_mask & SHMEM_TEAM_NUM_CONTEXTS) config->num_contexts = team->num_contexts;
  return 0;
}

int pshmem_team_translate_pe(shmem_team_t src_team, int src_pe, shmem_team_t dest_team) {
  const char *call = "shmem_team_translate_pe";
  const struct shmemi_team *src = tsr_shmem_team_if(src_team, call), *dest = tsr_shmem_team_if(dest_team, call);
  if (!src || !dest || !tsr_team_has(src->core, TSR_MEMBER(src_pe))) return -1;
  return tsr_team_member(dest->core, tsr_team_unit(src->core, TSR_MEMBER(src_pe))).id;
}

/* ---- splits ---- */

struct axis {
  int start, stride, size;
};

static bool is_axis_of(const struct axis *axis, const tsr_team *parent) {
  if (axis->size < 1 || axis->start < 0 || axis->start >= parent->size || (!axis->stride && axis->size > 1)) return false;
  int64_t last = axis->start + (int64_t)axis->stride * (axis->size - 1);
  return last >= 0 && last < parent->size;
}

static struct shmemi_team *add_team(tsr_team *core, int num_contexts) {
  pthread_mutex_lock(&lock);
  struct shmemi_team *team = spare;
  if (team) spare = team->next;
  else team = malloc(sizeof *team);
  if (!team)
    tsr_shmem_die("TSR-5056 shmem_team_split_strided or shmem_team_split_2d: no private memory for a team; " TSR_REMEDY_MEMORY);
  *team = (struct shmemi_team){.core = core, .next = first, .num_contexts = num_contexts};
  if (first) first->previous = team;
  first = team;
  pthread_mutex_unlock(&lock);
  core->api = TSR_API_SHMEM;
  return team;
}

static void remove_team(struct shmemi_team *team) {
  pthread_mutex_lock(&lock);
  if (team->previous) team->previous->next = team->next;
  else first = team->next;
  if (team->next) team->next->previous = team->previous;
  *team = (struct shmemi_team){.next = spare};
  spare = team;
  pthread_mutex_unlock(&lock);
}

/* Creates the team of an axis. Members of the parent may pass different axes that have no member in common. Collective over the
 * parent, also for members that are in no axis. */
static int split_team(struct shmemi_team *parent, const struct axis *axis, int num_contexts, shmem_team_t *new_team,
                      const char *call) {
  TSR_SHMEM_ENTER(call);
  const uint64_t begun_ns = tsr_stats_begin();
  tsr_unit *units = malloc((size_t)axis->size * sizeof *units);
  tsr_team *made = NULL;
  for (int i = 0; i < axis->size && units; i++)
    units[i] = tsr_team_unit(parent->core, TSR_MEMBER(axis->start + i * axis->stride));
  tessera_status_t status = tsr_team_create(parent->core, units ? axis->size : TSR_TEAM_FAILED, units, &made);
  free(units);
  if (status) return -1;
  if (made) *new_team = add_team(made, num_contexts);
  tsr_stats_end(TSR_STAT_TEAM, begun_ns, 0);
  return 0;
}

/* What the mask leaves out has its default. The number has no effect here; programs query it. */
static int contexts_of(const shmem_team_config_t *config, long mask) {
  return config && mask & SHMEM_TEAM_NUM_CONTEXTS ? config->num_contexts : 0;
}

/* Takes part in the creation with wrong arguments, so that the PEs with right ones fail instead of waiting. */
static int fail_split(struct shmemi_team *parent) {
  tsr_team *none = NULL;
  (void)tsr_team_create(parent->core, TSR_TEAM_FAILED, NULL, &none);
  return -1;
}

int pshmem_team_split_strided(shmem_team_t parent_team, int start, int stride, int size, const shmem_team_config_t *config,
                              long config_mask, shmem_team_t *new_team) {
  const char *call = "shmem_team_split_strided";
  struct shmemi_team *parent = tsr_shmem_team_if(parent_team, call);
  struct axis axis = {start, stride, size};
  *new_team = SHMEM_TEAM_INVALID;
  if (!parent) return -1;
  if (!is_axis_of(&axis, parent->core)) {
    (void)tsr_fail(TESSERA_ERR_ARG,
                   "TSR-5047 %s: start %d, stride %d and size %d do not name members of a team of %d PEs; name members of the team",
                   call, start, stride, size, parent->core->size);
    return fail_split(parent);
  }
  return split_team(parent, &axis, contexts_of(config, config_mask), new_team, call);
}

int pshmem_team_split_2d(shmem_team_t parent_team, int xrange, const shmem_team_config_t *xaxis_config, long xaxis_mask,
                         shmem_team_t *xaxis_team, const shmem_team_config_t *yaxis_config, long yaxis_mask,
                         shmem_team_t *yaxis_team) {
  const char *call = "shmem_team_split_2d";
  struct shmemi_team *parent = tsr_shmem_team_if(parent_team, call);
  *xaxis_team = *yaxis_team = SHMEM_TEAM_INVALID;
  if (!parent) return -1;
  if (xrange < 1) {
    (void)tsr_fail(TESSERA_ERR_ARG, "TSR-5048 %s: xrange is %d; pass 1 or more", call, xrange);
    return fail_split(parent);
  }
  const int n = parent->core->size, self = parent->core->self, width = xrange < n ? xrange : n;
  const int row = self / width * width, column = self % width;
  struct axis x = {row, 1, n - row < width ? n - row : width}, y = {column, width, (n - column + width - 1) / width};
  if (split_team(parent, &x, contexts_of(xaxis_config, xaxis_mask), xaxis_team, call)) return -1;
  if (!split_team(parent, &y, contexts_of(yaxis_config, yaxis_mask), yaxis_team, call)) return 0;
  pshmem_team_destroy(*xaxis_team); /* the second split has failed on all PEs */
  *xaxis_team = SHMEM_TEAM_INVALID;
  return -1;
}

void pshmem_team_destroy(shmem_team_t handle) {
  const char *call = "shmem_team_destroy";
  TSR_SHMEM_ENTER(call);
  if (handle == SHMEM_TEAM_INVALID) return;
  if (handle == SHMEM_TEAM_WORLD || handle == SHMEM_TEAM_SHARED)
    tsr_shmem_die("TSR-5049 %s: SHMEM_TEAM_WORLD and SHMEM_TEAM_SHARED live as long as the library; destroy teams of the program",
                  call);
  struct shmemi_team *team = tsr_shmem_team(handle, call);
  tsr_team *core = team->core;
  tsr_shmem_contexts_drop(team);
  remove_team(team);
  tsr_team_destroy(core);
}

#include "api/shmem/names.h"
#include <shmem/team.h>
