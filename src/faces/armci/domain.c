/* Domains: the nodes, whose processes share memory there. Always of the world: a default group changes nothing here. */
#include "core/place.h"
#include "faces/armci/address.h"

/* NULL, logged: not up, or another kind of domain than there is. */
static const tsr_team *find(const char *call, armci_domain_t domain) {
  if (tsr_armci_check_up(call)) return NULL;
  if (domain == ARMCI_DOMAIN_SMP) return tsr_team_world;
  return tsr_armci_fail(NULL, "%s: %d is no kind of domain; pass ARMCI_DOMAIN_SMP", call, domain);
}

static const tsr_team *find_node(const char *call, armci_domain_t domain, int *id) {
  const tsr_team *team = find(call, domain);
  if (!team) return NULL;
  if (*id < 0) *id = team->self_node;
  if (*id < team->nodes_n) return team;
  return tsr_armci_fail(NULL, "%s: there is no domain %d; they are 0 to %d", call, *id, team->nodes_n - 1);
}

/* Visits the processes of a node in their order: the number of the one at place `which`, and else -1; *n: how many were seen. */
static int32_t walk(const tsr_team *team, int id, int which, int *n) {
  int32_t node = tsr_place_node(tsr_team_unit(team, TSR_MEMBER(team->leaders[id])));
  *n = 0;
  for (int32_t i = team->leaders[id]; i < team->size; i++) {
    tsr_unit unit = tsr_team_unit(team, TSR_MEMBER(i));
    if (tsr_place_node(unit) == node && (*n)++ == which) return unit.id;
  }
  return -1;
}

int armci_domain_nprocs(armci_domain_t domain, int id) {
  const tsr_team *team = find_node(__func__, domain, &id);
  if (!team) return FAIL;
  int n = team->locals_n;
  if (id != team->self_node) walk(team, id, -1, &n);
  return n;
}

int armci_domain_glob_proc_id(armci_domain_t domain, int id, int local) {
  const tsr_team *team = find_node(__func__, domain, &id);
  if (!team) return FAIL;
  int n;
  int32_t proc = walk(team, id, local, &n);
  if (proc >= 0) return proc;
  return tsr_armci_fail(FAIL5, "%s: domain %d has no process %d; they are 0 to %d", __func__, id, local, n - 1);
}

int armci_domain_id(armci_domain_t domain, int proc) {
  const tsr_team *team = find(__func__, domain);
  if (!team) return FAIL;
  if (!tsr_armci_has(proc))
    return tsr_armci_fail(FAIL5, "%s: there is no process %d; they are 0 to %d", __func__, proc, team->size - 1);
  return team->node_numbers[tsr_place_node(TSR_UNIT(proc))];
}

int armci_domain_my_id(armci_domain_t domain) {
  const tsr_team *team = find(__func__, domain);
  return team ? team->self_node : FAIL;
}

int armci_domain_count(armci_domain_t domain) {
  const tsr_team *team = find(__func__, domain);
  return team ? team->nodes_n : FAIL;
}

/* 1 or 0; negative, logged: not up, or no such process. */
static int is_here(const char *call, int proc) {
  int answer = tsr_armci_check_proc(call, proc);
  return answer ? answer : tsr_place_is_here(TSR_UNIT(proc));
}

int armci_domain_same_id(armci_domain_t domain, int proc) {
  return find(__func__, domain) ? is_here(__func__, proc) : FAIL;
}

/* These are asked for yes and no. */
int PARMCI_Same_node(int proc) { return is_here("ARMCI_Same_node", proc) == 1; }
int armci_sameclusnode(int proc) { return is_here(__func__, proc) == 1; }

int PARMCI_Uses_shm(void) { return !tsr_armci_check_up("ARMCI_Uses_shm") && tsr_place_units_here() > 1; }

int PARMCI_Uses_shm_grp(ARMCI_Group *group) {
  static const char call[] = "ARMCI_Uses_shm_grp";
  if (tsr_armci_check_up(call)) return 0;
  const tsr_team *team = tsr_armci_team(group);
  if (!team) return tsr_armci_fail(0, "%s: the group is NULL, was freed, or the caller is no member of it", call);
  return team->locals_n > 1;
}

void PARMCI_Set_shm_limit(unsigned long bytes) { (void)bytes; }

TSR_ARMCI_NAME(Same_node);
TSR_ARMCI_NAME(Uses_shm);
TSR_ARMCI_NAME(Uses_shm_grp);
TSR_ARMCI_NAME(Set_shm_limit);
