/* Which domains processes of ARMCI must be in, by hand: the nodes where these hold equally many processes each, numbered one
 * after the other, and else each process by itself. */
#ifndef ARMCI_DOMAINS_H
#define ARMCI_DOMAINS_H

static inline void domains_of_nodes(int n, const int node_of[], int domain_of[]) {
  int size = 0, wrong = 0;
  for (int i = 0; i < n; i++) size += node_of[i] == node_of[0];
  for (int i = 0; i < n; i++) wrong += node_of[i] != node_of[i - i % size];
  for (int i = 0; i < n; i++) domain_of[i] = wrong || n % size ? i : i / size;
}

#endif
