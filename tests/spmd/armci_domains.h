/* The expected domains of ARMCI: the nodes, if all hold equally many processes with consecutive numbers; otherwise each
 * process is a domain. */
#ifndef ARMCI_DOMAINS_H
#define ARMCI_DOMAINS_H

static inline void domains_of_nodes(int n, const int node_of[], int domain_of[]) {
  int size = 0, wrong = 0;
  for (int i = 0; i < n; i++) size += node_of[i] == node_of[0];
  for (int i = 0; i < n; i++) wrong += node_of[i] != node_of[i - i % size];
  for (int i = 0; i < n; i++) domain_of[i] = wrong || n % size ? i : i / size;
}

#endif
