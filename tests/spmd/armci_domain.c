/* Domains of ARMCI: the nodes, also while a default group has processes on some of them only; on unequal nodes each
 * process is a domain.
 * Nodes: 3 */
#include <armci.h>

#include "armci_domains.h"
#include "check.h"

static int me, procs_n;
static int node_of[64]; /* by process: as the native interface numbers the nodes */
static int domain_of[64];

/* Compares with a count made here. */
static void check_domains(void) {
  int held_n[64] = {0}, domains_n = 0;
  for (int i = 0; i < procs_n; i++) {
    int at = domain_of[i];
    CHECK_EQ(armci_domain_id(ARMCI_DOMAIN_SMP, i), at);
    CHECK_EQ(armci_domain_glob_proc_id(ARMCI_DOMAIN_SMP, at, held_n[at]), i);
    if (at == domain_of[me]) CHECK_EQ(armci_domain_glob_proc_id(ARMCI_DOMAIN_SMP, -1, held_n[at]), i);
    domains_n += held_n[at]++ == 0;
  }
  CHECK_EQ(armci_domain_count(ARMCI_DOMAIN_SMP), domains_n);
  for (int at = 0; at < domains_n; at++) {
    CHECK_EQ(armci_domain_nprocs(ARMCI_DOMAIN_SMP, at), held_n[at]);
    CHECK(armci_domain_glob_proc_id(ARMCI_DOMAIN_SMP, at, held_n[at]) < 0);
    CHECK(armci_domain_glob_proc_id(ARMCI_DOMAIN_SMP, at, -1) < 0);
  }
  CHECK_EQ(armci_domain_my_id(ARMCI_DOMAIN_SMP), domain_of[me]);
  CHECK_EQ(armci_domain_nprocs(ARMCI_DOMAIN_SMP, -1), held_n[domain_of[me]]);
  CHECK(armci_domain_nprocs(ARMCI_DOMAIN_SMP, domains_n) < 0);
  CHECK_EQ(armci_domain_count(ARMCI_DOMAIN_SMP + 1), domains_n); /* the kind is not looked at */
}

static void knows_node(void) {
  for (int i = 0; i < procs_n; i++) {
    int here = node_of[i] == node_of[me];
    CHECK_EQ(ARMCI_Same_node(i), here);
    CHECK_EQ(armci_sameclusnode(i), here);
    CHECK_EQ(armci_domain_same_id(ARMCI_DOMAIN_SMP, i), domain_of[i] == domain_of[me]);
  }
  CHECK(armci_domain_same_id(ARMCI_DOMAIN_SMP, procs_n) < 0);
  CHECK(armci_domain_id(ARMCI_DOMAIN_SMP, procs_n) < 0);
  CHECK_EQ(ARMCI_Same_node(-1), 0);
  ARMCI_Set_shm_limit(1UL << 30);
}

int main(void) {
  int procs[64], n = 0;
  CHECK_EQ(ARMCI_Init(), 0);
  me = armci_msg_me();
  procs_n = armci_msg_nproc();
  node_of[me] = tessera_node();
  armci_msg_igop(node_of, procs_n, "+");
  domains_of_nodes(procs_n, node_of, domain_of);
  check_domains();
  knows_node();
  for (int i = procs_n - 1; i >= 0; i--) {
    if (node_of[i] == node_of[me]) procs[n++] = i;
  }
  ARMCI_Group group;
  ARMCI_Group_create(n, procs, &group);
  ARMCI_Group_set_default(&group);
  check_domains();
  knows_node();
  ARMCI_Group_free(&group);
  CHECK_EQ(ARMCI_Finalize(), 0);
  return check_result();
}
