/* Barriers, broadcasts and the like of message.h. */
#include "coll/coll.h"
#include "faces/armci/collective.h"

static void barrier(const char *call, const ARMCI_Group *group) {
  struct tsr_armci_run run = tsr_armci_begin(call);
  tsr_armci_end(run, TSR_STAT_BARRIER, 0, tsr_barrier(tsr_armci_group_must(call, group)->team));
}

void parmci_msg_barrier(void) { barrier("armci_msg_barrier", tsr_armci_default_group()); }
void parmci_msg_group_barrier(ARMCI_Group *group) { barrier("armci_msg_group_barrier", group); }
void armci_msg_barrier(void) __attribute__((weak, alias("parmci_msg_barrier")));
void armci_msg_group_barrier(ARMCI_Group *group) __attribute__((weak, alias("parmci_msg_group_barrier")));

/* ---- broadcasts ---- */

/* The root's number among those in the scope. */
static tsr_member root_of(const char *call, const tsr_team *team, const tsr_team *scope, int root) {
  if (!tsr_team_has(team, TSR_MEMBER(root)))
    tsr_armci_die("%s: there is no root %d; the group's ranks are 0 to %d", call, root, team->size - 1);
  tsr_member member = tsr_team_member(scope, tsr_team_unit(team, TSR_MEMBER(root)));
  if (member.id < 0) tsr_armci_die("%s: the root %d is not in the caller's scope; name a rank that is", call, root);
  return member;
}

static void bcast(const char *call, const ARMCI_Group *group, int scope, void *buffer, int bytes, int root) {
  struct tsr_armci_run run = tsr_armci_begin(call);
  struct tsr_armci_group *found = tsr_armci_group_must(call, group);
  tsr_team *party = tsr_armci_scope(call, found, scope);
  if (!party) return;
  tsr_armci_check_buffer(call, buffer, bytes);
  tsr_member member = root_of(call, found->team, party, root);
  tsr_armci_end(run, TSR_STAT_BCAST, (size_t)bytes, tsr_bcast(party, buffer, (size_t)bytes, member));
}

void armci_msg_bcast(void *buffer, int bytes, int root) {
  bcast(__func__, tsr_armci_default_group(), SCOPE_ALL, buffer, bytes, root);
}
void armci_msg_brdcst(void *buffer, int bytes, int root) {
  bcast(__func__, tsr_armci_default_group(), SCOPE_ALL, buffer, bytes, root);
}
void armci_msg_bcast_scope(int scope, void *buffer, int bytes, int root) {
  bcast(__func__, tsr_armci_default_group(), scope, buffer, bytes, root);
}
void armci_msg_group_bcast_scope(int scope, void *buffer, int bytes, int root, ARMCI_Group *group) {
  bcast(__func__, group, scope, buffer, bytes, root);
}

void armci_msg_clus_brdcst(void *buffer, int bytes) {
  struct tsr_armci_run run = tsr_armci_begin(__func__);
  tsr_team *party = tsr_armci_party(__func__, tsr_armci_default_group(), SCOPE_NODE);
  tsr_armci_check_buffer(__func__, buffer, bytes);
  tsr_armci_end(run, TSR_STAT_BCAST, (size_t)bytes, tsr_bcast(party, buffer, (size_t)bytes, TSR_MEMBER(0)));
}

/* ---- trees ---- */

/* Those in a scope by their place there: all are members of the team in its order. */
struct places {
  const tsr_team *team;
  const int32_t *members; /* NULL: all */
  int32_t n, self;        /* -1: not in it */
};

static struct places places_of(const char *call, const tsr_team *team, int scope) {
  bool leads = team->leaders[team->self_node] == team->self;
  switch (scope) {
  case SCOPE_ALL: return (struct places){team, NULL, team->size, team->self};
  case SCOPE_NODE: return (struct places){team, team->locals, team->locals_n, team->self_local};
  case SCOPE_MASTERS: return (struct places){team, team->leaders, team->nodes_n, leads ? team->self_node : -1};
  default: tsr_armci_die("%s: %d is no scope; pass SCOPE_ALL, SCOPE_NODE or SCOPE_MASTERS", call, scope);
  }
}

/* -1: there is no such place. */
static int proc_at(const struct places *in, int32_t place) {
  if (place < 0 || place >= in->n) return -1;
  return tsr_team_unit(in->team, TSR_MEMBER(in->members ? in->members[place] : place)).id;
}

void armci_msg_bintree(int scope, int *root, int *up, int *left, int *right) {
  if (!root || !up || !left || !right) tsr_armci_die("%s: a result is NULL; pass where to store all four", __func__);
  struct places in = places_of(__func__, tsr_armci_group_must(__func__, tsr_armci_default_group())->team, scope);
  bool has = in.self >= 0;
  *root = proc_at(&in, 0);
  *up = has && in.self > 0 ? proc_at(&in, (in.self - 1) / 2) : -1;
  *left = has ? proc_at(&in, 2 * in.self + 1) : -1;
  *right = has ? proc_at(&in, 2 * in.self + 2) : -1;
}

/* ---- addresses ---- */

static void exchange(const char *call, void *pointers[], int n, const ARMCI_Group *group) {
  struct tsr_armci_run run = tsr_armci_begin(call);
  tsr_team *team = tsr_armci_group_must(call, group)->team;
  if (!pointers || n != team->size)
    tsr_armci_die("%s: there are %d places at %p for %d processes; pass one for each", call, n, (void *)pointers, team->size);
  tessera_status_t status = tsr_allgather(team, &pointers[team->self], pointers, sizeof *pointers);
  tsr_armci_end(run, TSR_STAT_ALLGATHER, sizeof *pointers, status);
}

void armci_exchange_address(void *pointers[], int n) { exchange(__func__, pointers, n, tsr_armci_default_group()); }
void armci_exchange_address_grp(void *pointers[], int n, ARMCI_Group *group) { exchange(__func__, pointers, n, group); }
