/* Groups. Programs copy ARMCI_Group values. Such a value contains the number of a record in a pool, which recognises
 * the numbers of freed groups. */
#include "api/armci/group.h"

#include <armcix.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/pool.h"
#include "coll/coll.h"
#include "core/launch.h"
#include "core/stats.h"
#include "core/team_comm.h"
#include "core/team_shape.h"

static tsr_pool groups;
static pthread_mutex_t changing = PTHREAD_MUTEX_INITIALIZER;
static ARMCI_Group world, chosen; /* chosen: the default group */

/* The number of the group's record. It is stored in the field that holds a private table in ARMCI-MPI. */
static uint64_t number_of(const ARMCI_Group *group) { return (uintptr_t)group->grp_to_abs; }

struct tsr_armci_group *tsr_armci_group_find(const ARMCI_Group *group) {
  return group ? tsr_pool_find(&groups, number_of(group)) : NULL;
}

tsr_team *tsr_armci_team(const ARMCI_Group *group) {
  const struct tsr_armci_group *found = tsr_armci_group_find(group);
  return found ? found->team : NULL;
}

tsr_team *tsr_armci_check_team(const char *call, const ARMCI_Group *group) {
  tsr_team *team = tsr_armci_team(group);
  if (!team)
    tsr_fail(TESSERA_ERR_ARG, "TSR-3035 %s: the group is NULL, was freed, or does not contain the caller; pass a live group of "
             "the caller", call);
  return team;
}

const ARMCI_Group *tsr_armci_default_group(void) { return &chosen; }

struct tsr_armci_group *tsr_armci_group_must(const char *call, const ARMCI_Group *group) {
  tsr_armci_must_be_up(call);
  if (!tsr_armci_check_team(call, group)) tsr_armci_die("TSR-3024 %s: the group is not valid; see the message above", call);
  return tsr_armci_group_find(group);
}

/* The value of a group that does not contain the caller. */
static ARMCI_Group foreign_group(int n) {
  return (ARMCI_Group){.comm = tsr_team_comm_none(), .reserved = tsr_team_comm_none(), .rank = -1, .size = n};
}

static ARMCI_Group register_group(const char *call, tsr_team *team, MPI_Comm comm) {
  uint64_t number = 0;
  pthread_mutex_lock(&changing);
  struct tsr_armci_group *made = tsr_pool_take(&groups, &number);
  pthread_mutex_unlock(&changing);
  if (!made) tsr_armci_die("TSR-3025 %s: no private memory for one more group; free some first", call);
  *made = (struct tsr_armci_group){.team = team, .scopes = {[SCOPE_ALL] = team}};
  return (ARMCI_Group){.comm = comm,
                       .reserved = tsr_team_comm_none(),
                       .grp_to_abs = (int *)(uintptr_t)number,
                       .rank = team->self,
                       .size = team->size};
}

void tsr_armci_groups_start(void) {
  tsr_pool_init(&groups, sizeof(struct tsr_armci_group));
  chosen = world = register_group("ARMCI_Init", tsr_team_world, tsr_launch_comm());
}

/* The runtime destroys the teams of the interface. */
void tsr_armci_groups_stop(void) { tsr_pool_finish(&groups); }

/* ---- creation and destruction ---- */

static tsr_team *make_team(const char *call, int n, const tsr_unit units[]) {
  uint64_t begun_ns = tsr_stats_begin();
  tsr_team *team = NULL;
  if (tsr_team_create_alone(n, units, 0, &team))
    tsr_armci_die("TSR-3026 %s: no group of %d processes was created; see the message above, of this or another process", call,
                  n);
  team->api = TSR_API_ARMCI;
  tsr_stats_end(TSR_STAT_TEAM, begun_ns, 0);
  return team;
}

/* MPI may run out of communicators. The group is then complete except for `comm`, which only the program uses. */
static ARMCI_Group make_group(const char *call, int n, const tsr_unit units[]) {
  if (tsr_team_check_list(tsr_team_world, n, units))
    tsr_armci_die("TSR-3027 %s: the list of %d processes is invalid; see the message above", call, n);
  int self = 0;
  while (self < n && units[self].id != tsr_place.self) self++;
  if (self == n) return foreign_group(n);
  tsr_team *team = make_team(call, n, units);
  MPI_Comm comm;
  if (tsr_team_comm(team, &comm)) comm = tsr_team_comm_none();
  return register_group(call, team, comm);
}

/* `procs` are ranks in the parent. */
static void create_group(const char *call, int n, const int procs[], ARMCI_Group *group, const tsr_team *parent) {
  if (!group || n < 0 || (n && !procs))
    tsr_armci_die("TSR-3028 %s: n is %d, group %p, the list %p; pass where to store the group and a list of n processes", call,
                  n, (void *)group, (const void *)procs);
  tsr_unit *units = tsr_coll_memory((size_t)n * sizeof *units);
  for (int i = 0; i < n; i++) {
    if (!tsr_team_has(parent, TSR_MEMBER(procs[i])))
      tsr_armci_die("TSR-3029 %s: procs[%d] is %d; the processes of the parent are 0 to %d", call, i, procs[i],
                    parent->size - 1);
    units[i] = tsr_team_unit(parent, TSR_MEMBER(procs[i]));
  }
  *group = make_group(call, n, units);
  free(units);
}

void PARMCI_Group_create(int n, int *procs, ARMCI_Group *group) {
  static const char call[] = "ARMCI_Group_create";
  create_group(call, n, procs, group, tsr_armci_group_must(call, &chosen)->team);
}

void PARMCI_Group_create_child(int n, int *procs, ARMCI_Group *group, ARMCI_Group *parent) {
  static const char call[] = "ARMCI_Group_create_child";
  create_group(call, n, procs, group, tsr_armci_group_must(call, parent)->team);
}

void PARMCI_Group_free(ARMCI_Group *group) {
  static const char call[] = "ARMCI_Group_free";
  if (group && !number_of(group)) return; /* the caller is not a member */
  struct tsr_armci_group *found = tsr_armci_group_must(call, group);
  uint64_t number = number_of(group);
  if (found->team == tsr_team_world) tsr_armci_die("TSR-3030 %s: the group of all ends with ARMCI_Finalize; do not free it",
                                                   call);
  if (atomic_load(&found->sets_n) > 0)
    tsr_armci_die("TSR-3031 %s: the group has %d sets of mutexes; destroy them first", call, atomic_load(&found->sets_n));
  if (number_of(&chosen) == number) chosen = world;
  PARMCI_AllFence(); /* collected operations must not reach memory that was allocated again */
  for (int scope = SCOPE_NODE; scope <= SCOPE_MASTERS; scope++) {
    if (found->scopes[scope] && found->scopes[scope] != found->team) tsr_team_destroy(found->scopes[scope]);
  }
  tsr_team_destroy(found->team);
  pthread_mutex_lock(&changing);
  tsr_pool_give(&groups, number);
  pthread_mutex_unlock(&changing);
  *group = foreign_group(0);
}

/* ---- queries ---- */

int PARMCI_Group_rank(ARMCI_Group *group, int *rank) {
  static const char call[] = "ARMCI_Group_rank";
  if (tsr_armci_check_up(call)) return FAIL;
  if (!group || !rank) return tsr_armci_fail(FAIL2, "TSR-3032 %s: the group or the result is NULL; pass both", call);
  const tsr_team *team = tsr_armci_team(group);
  *rank = team ? team->self : -1;
  return team ? 0 : FAIL;
}

void PARMCI_Group_size(ARMCI_Group *group, int *size) {
  static const char call[] = "ARMCI_Group_size";
  if (!size) tsr_armci_die("TSR-3033 %s: the result is NULL; pass where to store it", call);
  *size = group && !number_of(group) ? group->size : tsr_armci_group_must(call, group)->team->size;
}

void PARMCI_Group_set_default(ARMCI_Group *group) {
  tsr_armci_group_must("ARMCI_Group_set_default", group);
  chosen = *group;
}

static void store_group(const char *call, const ARMCI_Group *which, ARMCI_Group *group) {
  tsr_armci_group_must(call, which);
  if (!group) tsr_armci_die("TSR-3034 %s: group is NULL; pass where to store it", call);
  *group = *which;
}

void PARMCI_Group_get_default(ARMCI_Group *group) { store_group("ARMCI_Group_get_default", &chosen, group); }
void PARMCI_Group_get_world(ARMCI_Group *group) { store_group("ARMCI_Group_get_world", &world, group); }

int PARMCI_Absolute_id(ARMCI_Group *group, int rank) {
  static const char call[] = "ARMCI_Absolute_id";
  if (tsr_armci_check_up(call)) return FAIL;
  const tsr_team *team = tsr_armci_check_team(call, group);
  if (!team) return FAIL;
  if (!tsr_team_has(team, TSR_MEMBER(rank)))
    return tsr_armci_fail(FAIL5, "TSR-3036 %s: the group has no rank %d; pass 0 to %d", call, rank, team->size - 1);
  return tsr_team_unit(team, TSR_MEMBER(rank)).id;
}

/* ---- scopes ---- */

tsr_team *tsr_armci_scope_team(const char *call, const ARMCI_Group *group, int scope) {
  struct tsr_armci_group *found = tsr_armci_group_must(call, group);
  tsr_team *team = found->team;
  struct tsr_armci_part part = tsr_armci_part_of(call, team, scope); /* ends the job if there is no such scope */
  if (part.self < 0) return NULL;
  tsr_team **scope_team = &found->scopes[scope];
  if (*scope_team) return *scope_team;
  if (part.n == team->size) return *scope_team = team;
  tsr_unit *units = tsr_coll_memory((size_t)part.n * sizeof *units);
  for (int32_t i = 0; i < part.n; i++) units[i] = tsr_team_unit(team, TSR_MEMBER(part.members[i]));
  *scope_team = make_team(call, part.n, units);
  (*scope_team)->is_internal = true;
  free(units);
  return *scope_team;
}

/* ---- groups from groups: ARMCI-MPI's extension ---- */

struct split_key {
  int color, key, member;
};

static int by_color_and_key(const void *a, const void *b) {
  const struct split_key *x = a, *y = b;
  if (x->color != y->color) return x->color < y->color ? -1 : 1;
  if (x->key != y->key) return x->key < y->key ? -1 : 1;
  return x->member < y->member ? -1 : x->member > y->member;
}

/* A new group has the processes of a colour, ordered by key, then by rank. */
static int split_group(const char *call, const ARMCI_Group *parent, int color, int key, ARMCI_Group *group) {
  if (tsr_armci_check_up(call)) return FAIL;
  tsr_team *team = tsr_armci_team(parent);
  if (!team || !group)
    return tsr_armci_fail(FAIL2, "TSR-3037 %s: parent is NULL, was freed or does not contain the caller, or group is NULL; "
                          "pass both", call);
  struct split_key *keys = tsr_coll_memory((size_t)team->size * sizeof *keys);
  tsr_unit *units = tsr_coll_memory((size_t)team->size * sizeof *units);
  keys[team->self] = (struct split_key){color, key, team->self};
  tessera_status_t status = tsr_allgather(team, &keys[team->self], keys, sizeof *keys);
  int n = 0;
  if (!status) qsort(keys, (size_t)team->size, sizeof *keys, by_color_and_key);
  for (int32_t i = 0; !status && i < team->size; i++)
    if (keys[i].color == color) units[n++] = tsr_team_unit(team, TSR_MEMBER(keys[i].member));
  if (!status) *group = color < 0 ? foreign_group(0) : make_group(call, n, units);
  free(units);
  free(keys);
  return tsr_armci_code(status);
}

int ARMCIX_Group_split(ARMCI_Group *parent, int color, int key, ARMCI_Group *group) {
  return split_group(__func__, parent, color, key, group);
}
int ARMCIX_Group_dup(ARMCI_Group *parent, ARMCI_Group *group) { return split_group(__func__, parent, 0, 0, group); }

TSR_ARMCI_NAME(Group_create);
TSR_ARMCI_NAME(Group_create_child);
TSR_ARMCI_NAME(Group_free);
TSR_ARMCI_NAME(Group_rank);
TSR_ARMCI_NAME(Group_size);
TSR_ARMCI_NAME(Group_set_default);
TSR_ARMCI_NAME(Group_get_default);
TSR_ARMCI_NAME(Group_get_world);
TSR_ARMCI_NAME(Absolute_id);
