/* Domains of ARMCI: the nodes as they are, also while a default group has processes on some of them only. */
#include <armci.h>

#include "check.h"

static int me, procs_n;
static int node_of[64]; /* by process: as the native interface numbers them */

/* Against a count by hand. */
static void check_domains(void) {
  int nodes_n = 0, order[64], held_n[64] = {0};
  for (int i = 0; i < procs_n; i++) {
    int at = 0;
    while (at < nodes_n && order[at] != node_of[i]) at++;
    if (at == nodes_n) order[nodes_n++] = node_of[i];
    CHECK_EQ(armci_domain_id(ARMCI_DOMAIN_SMP, i), at);
    CHECK_EQ(armci_domain_glob_proc_id(ARMCI_DOMAIN_SMP, at, held_n[at]), i);
    if (node_of[i] == node_of[me]) CHECK_EQ(armci_domain_glob_proc_id(ARMCI_DOMAIN_SMP, -1, held_n[at]), i);
    held_n[at]++;
  }
  CHECK_EQ(armci_domain_count(ARMCI_DOMAIN_SMP), nodes_n);
  for (int at = 0; at < nodes_n; at++) {
    CHECK_EQ(armci_domain_nprocs(ARMCI_DOMAIN_SMP, at), held_n[at]);
    CHECK(armci_domain_glob_proc_id(ARMCI_DOMAIN_SMP, at, held_n[at]) < 0);
    CHECK(armci_domain_glob_proc_id(ARMCI_DOMAIN_SMP, at, -1) < 0);
    if (order[at] != node_of[me]) continue;
    CHECK_EQ(armci_domain_my_id(ARMCI_DOMAIN_SMP), at);
    CHECK_EQ(armci_domain_nprocs(ARMCI_DOMAIN_SMP, -1), held_n[at]);
  }
  CHECK(armci_domain_nprocs(ARMCI_DOMAIN_SMP, nodes_n) < 0);
  CHECK(armci_domain_count(ARMCI_DOMAIN_SMP + 1) < 0);
}

static void knows_neighbours(void) {
  for (int i = 0; i < procs_n; i++) {
    int here = node_of[i] == node_of[me];
    CHECK_EQ(ARMCI_Same_node(i), here);
    CHECK_EQ(armci_sameclusnode(i), here);
    CHECK_EQ(armci_domain_same_id(ARMCI_DOMAIN_SMP, i), here);
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
  check_domains();
  knows_neighbours();
  for (int i = procs_n - 1; i >= 0; i--) {
    if (node_of[i] == node_of[me]) procs[n++] = i;
  }
  ARMCI_Group group;
  ARMCI_Group_create(n, procs, &group);
  ARMCI_Group_set_default(&group);
  check_domains();
  knows_neighbours();
  ARMCI_Group_free(&group);
  CHECK_EQ(ARMCI_Finalize(), 0);
  return check_result();
}
