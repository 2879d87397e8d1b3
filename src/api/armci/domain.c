/* Domains of the world, whatever the default group is. A domain is a node, whose processes share memory.
 *
 * If nodes have different numbers of processes, or processes that are not consecutive, each process is a domain: Global
 * Arrays and disk-resident arrays assume equal blocks of processes. */
#include "core/place.h"
#include "api/armci/address.h"
#include "api/armci/group.h"

static int32_t domain_size; /* processes in each */

void tsr_armci_domains_start(void) {
  bool are_blocks = tsr_place.nodes_n == 1 || tsr_place.per_node;
  domain_size = are_blocks ? tsr_team_world->locals_n : 1;
}

static bool knows_domain(const char *call, armci_domain_t domain) {
  if (tsr_armci_check_up(call)) return false;
  if (domain == ARMCI_DOMAIN_SMP) return true;
  return tsr_armci_fail(false, "TSR-3015 %s: %d is not a kind of domain; pass ARMCI_DOMAIN_SMP", call, domain);
}

static int count_domains(void) { return tsr_place.units_n / domain_size; }
static int domain_of(int proc) { return proc / domain_size; }

/* A negative id means the caller's domain. */
static bool knows_id(const char *call, armci_domain_t domain, int *id) {
  if (!knows_domain(call, domain)) return false;
  if (*id < 0) *id = domain_of(tsr_place.self);
  if (*id < count_domains()) return true;
  return tsr_armci_fail(false, "TSR-3016 %s: there is no domain %d; pass 0 to %d", call, *id, count_domains() - 1);
}

int armci_domain_nprocs(armci_domain_t domain, int id) { return knows_id(__func__, domain, &id) ? domain_size : FAIL; }

int armci_domain_glob_proc_id(armci_domain_t domain, int id, int local) {
  if (!knows_id(__func__, domain, &id)) return FAIL;
  if (local >= 0 && local < domain_size) return id * domain_size + local;
  return tsr_armci_fail(FAIL5, "TSR-3017 %s: domain %d has no process %d; pass 0 to %d", __func__, id, local, domain_size - 1);
}

/* The process's domain, or a negative code, logged. */
static int find_domain(const char *call, armci_domain_t domain, int proc) {
  if (!knows_domain(call, domain)) return FAIL;
  int wrong = tsr_armci_check_proc(call, proc);
  return wrong ? wrong : domain_of(proc);
}

int armci_domain_id(armci_domain_t domain, int proc) { return find_domain(__func__, domain, proc); }
int armci_domain_my_id(armci_domain_t domain) { return knows_domain(__func__, domain) ? domain_of(tsr_place.self) : FAIL; }
int armci_domain_count(armci_domain_t domain) {
  (void)domain; /* some programs pass a variable that they have not set */
  return tsr_armci_check_up(__func__) ? FAIL : count_domains();
}

int armci_domain_same_id(armci_domain_t domain, int proc) {
  int id = find_domain(__func__, domain, proc);
  return id < 0 ? id : id == domain_of(tsr_place.self);
}

/* ---- scopes ---- */

struct tsr_armci_part tsr_armci_part_of(const char *call, const tsr_team *team, int scope) {
  bool alone = domain_size == 1, leads = team->leaders[team->self_node] == team->self;
  switch (scope) {
  case SCOPE_NODE:
    if (alone) return (struct tsr_armci_part){&team->self, 1, 0};
    return (struct tsr_armci_part){team->locals, team->locals_n, team->self_local};
  case SCOPE_MASTERS:
    if (!alone) return (struct tsr_armci_part){team->leaders, team->nodes_n, leads ? team->self_node : -1};
    __attribute__((fallthrough));
  case SCOPE_ALL: return (struct tsr_armci_part){NULL, team->size, team->self};
  default: tsr_armci_die("TSR-3018 %s: %d is not a scope; pass SCOPE_ALL, SCOPE_NODE or SCOPE_MASTERS", call, scope);
  }
}

/* ---- shared memory, whatever the domains ---- */

/* 1, 0, or a negative code, logged: not up, or no such process. */
static int is_local_unit(const char *call, int proc) {
  int answer = tsr_armci_check_proc(call, proc);
  return answer ? answer : tsr_place_is_local(TSR_UNIT(proc));
}

/* These calls return only 1 or 0; 0 also after an error. */
int PARMCI_Same_node(int proc) { return is_local_unit("ARMCI_Same_node", proc) == 1; }
int armci_sameclusnode(int proc) { return is_local_unit(__func__, proc) == 1; }

int PARMCI_Uses_shm(void) { return !tsr_armci_check_up("ARMCI_Uses_shm") && tsr_place_local_units() > 1; }

int PARMCI_Uses_shm_grp(ARMCI_Group *group) {
  static const char call[] = "ARMCI_Uses_shm_grp";
  const tsr_team *team = tsr_armci_check_up(call) ? NULL : tsr_armci_check_team(call, group);
  return team && team->locals_n > 1;
}

void PARMCI_Set_shm_limit(unsigned long bytes) { (void)bytes; }

TSR_ARMCI_NAME(Same_node);
TSR_ARMCI_NAME(Uses_shm);
TSR_ARMCI_NAME(Uses_shm_grp);
TSR_ARMCI_NAME(Set_shm_limit);
