/* Processor groups, arrays on them, and the collective calls on plain memory, of the world and of groups. */
#include "ga_check.h"

enum { MUTEXES = 5, TURNS = 6 };

/* Every operation, on numbers of either sign; what they give is known. */
static void reduce_ints(int group) {
  int rank = GA_Pgroup_nodeid(group), n = GA_Pgroup_nnodes(group);
  int sums[3] = {rank, 1, -rank}, highest[2] = {rank, -rank}, lowest[2] = {rank, -rank}, far = -rank, near = -rank - 1;
  GA_Pgroup_igop(group, sums, 3, "+");
  CHECK_EQ(sums[0], n * (n - 1) / 2);
  CHECK_EQ(sums[1], n);
  CHECK_EQ(sums[2], -n * (n - 1) / 2);
  GA_Pgroup_igop(group, highest, 2, "max");
  CHECK_EQ(highest[0], n - 1);
  CHECK_EQ(highest[1], 0);
  GA_Pgroup_igop(group, lowest, 2, "min");
  CHECK_EQ(lowest[0], 0);
  CHECK_EQ(lowest[1], 1 - n);
  GA_Pgroup_igop(group, &far, 1, "absmax");
  CHECK_EQ(far, n - 1);
  GA_Pgroup_igop(group, &near, 1, "absmin");
  CHECK_EQ(near, 1);
}

static void reduce_others(int group) {
  int rank = GA_Pgroup_nodeid(group), n = GA_Pgroup_nnodes(group);
  double numbers[600], product = 2;
  float single = (float)rank;
  long bits = 1L << rank, whole = rank;
  for (int i = 0; i < 600; i++) numbers[i] = rank + i;
  GA_Pgroup_dgop(group, numbers, 600, "+");
  for (int i = 0; i < 600; i++) CHECK_EQ(numbers[i], (double)n * i + n * (n - 1) / 2);
  GA_Pgroup_dgop(group, &product, 1, "*");
  CHECK_EQ(product, 1L << n);
  GA_Pgroup_fgop(group, &single, 1, "max");
  CHECK_EQ(single, n - 1);
  GA_Pgroup_lgop(group, &bits, 1, "+");
  CHECK_EQ(bits, (1L << n) - 1);
  GA_Pgroup_lgop(group, &whole, 1, "max");
  CHECK_EQ(whole, n - 1);
}

static void broadcast(int group) {
  int rank = GA_Pgroup_nodeid(group), n = GA_Pgroup_nnodes(group);
  char message[3000];
  for (int root = 0; root < n; root++) {
    memset(message, rank == root ? 'a' + root : 0, sizeof message);
    GA_Pgroup_brdcst(group, message, sizeof message, root);
    for (size_t i = 0; i < sizeof message; i++) CHECK_EQ(message[i], 'a' + root);
  }
}

/* An array of the group: each member writes its right neighbour's part and adds to all. */
static void use_array(int group) {
  int rank = GA_Pgroup_nodeid(group), n = GA_Pgroup_nnodes(group), right = (rank + 1) % n;
  int dims[2] = {6 * n, 5}, lo[2], hi[2], ld[1] = {5};
  double *values = take((size_t)(dims[0] * dims[1]) * sizeof *values), one = 1;
  int ga = GA_Create_handle();
  GA_Set_data(ga, 2, dims, C_DBL);
  GA_Set_pgroup(ga, group);
  CHECK(GA_Allocate(ga));
  CHECK_EQ(GA_Get_pgroup(ga), group);
  CHECK_EQ(GA_Get_pgroup_size(group), n);
  NGA_Distribution(ga, right, lo, hi);
  ld[0] = hi[1] - lo[1] + 1;
  for (int i = 0; i < dims[0] * dims[1]; i++) values[i] = right;
  if (lo[0] >= 0 && hi[0] >= lo[0]) NGA_Put(ga, lo, hi, values, ld);
  GA_Pgroup_sync(group);
  int first[2] = {0, 0}, last[2] = {dims[0] - 1, dims[1] - 1};
  for (int i = 0; i < dims[0] * dims[1]; i++) values[i] = 10;
  NGA_Acc(ga, first, last, values, &dims[1], &one);
  GA_Pgroup_sync(group);
  NGA_Get(ga, first, last, values, &dims[1]);
  for (int i = 0; i < dims[0]; i++)
    for (int j = 0; j < dims[1]; j++) {
      int at[2] = {i, j};
      CHECK_EQ(values[i * dims[1] + j], NGA_Locate(ga, at) + 10 * n);
    }
  GA_Pgroup_sync(group);
  GA_Destroy(ga);
  free(values);
}

/* A group of the default group's first members. */
static void halve(int n) {
  int list[64], half = (n + 1) / 2, sum = GA_Nodeid();
  for (int i = 0; i < half; i++) list[i] = i;
  int group = GA_Pgroup_create(list, half);
  if (GA_Nodeid() < half) {
    GA_Pgroup_igop(group, &sum, 1, "+");
    CHECK_EQ(sum, half * (half - 1) / 2);
    use_array(group);
    GA_Pgroup_destroy(group);
  }
}

/* Nodes and processes are counted in the world, whatever is the default. */
static void check_nodes(void) {
  int n = 0;
  for (int node = 0; node < GA_Cluster_nnodes(); node++)
    for (int i = 0; i < GA_Cluster_nprocs(node); i++, n++)
      CHECK_EQ(GA_Cluster_proc_nodeid(GA_Cluster_procid(node, i)), node);
  CHECK_EQ(n, units_n);
  CHECK_EQ(GA_Cluster_nodeid(), GA_Cluster_proc_nodeid(self));
}

/* With the group as default, all collective calls are the group's. */
static void as_default(int group) {
  const int dims[2] = {19, 12}, turned[2] = {12, 19};
  int before = self, all = units_n, world = GA_Pgroup_get_default(), one = 1;
  GA_Pgroup_set_default(group);
  check_nodes();
  self = GA_Nodeid();
  units_n = GA_Nnodes();
  CHECK_EQ(units_n, GA_Pgroup_nnodes(group));
  struct array a = make(type_int, 2, dims), b = make(type_int, 2, turned);
  set_values(&a, 3);
  for (int i = 0; i < 19; i++)
    for (int j = 0; j < 12; j++) b.expected[j * 19 + i] = a.expected[i * 12 + j];
  GA_Transpose(a.ga, b.ga);
  CHECK_EQ(wrong_elements(&a), 0);
  CHECK_EQ(wrong_elements(&b), 0);
  GA_Igop(&one, 1, "+");
  CHECK_EQ(one, units_n);
  GA_Sync();
  drop(&a);
  drop(&b);
  halve(units_n);
  GA_Pgroup_set_default(world);
  self = before;
  units_n = all;
}

/* Made by all at once, each with its group as the default: they are spread over all units. The world's too. */
static void locks(int group) {
  const int dims[1] = {MUTEXES};
  struct array counters = describe(type_int, 1, dims);
  int world = GA_Pgroup_get_default(), one = 1;
  counters.ga = NGA_Create_config(C_INT, 1, counters.dims, "counters", NULL, group);
  GA_Zero(counters.ga);
  GA_Pgroup_set_default(group);
  CHECK(GA_Create_mutexes(MUTEXES));
  for (int turn = 0; turn < MUTEXES * TURNS; turn++) {
    int at = turn % MUTEXES, value;
    GA_Lock(at);
    NGA_Get(counters.ga, &at, &at, &value, &one);
    value++;
    GA_Init_fence();
    NGA_Put(counters.ga, &at, &at, &value, &one);
    GA_Fence();
    GA_Unlock(at);
  }
  GA_Sync();
  for (int i = 0; i < MUTEXES; i++) counters.expected[i] = TURNS * GA_Pgroup_nnodes(group);
  CHECK_EQ(wrong_elements(&counters), 0);
  CHECK(GA_Destroy_mutexes());
  GA_Pgroup_set_default(world);
  GA_Pgroup_sync(group);
  drop(&counters);
}

static void use_group(int group) {
  reduce_ints(group);
  reduce_others(group);
  broadcast(group);
  use_array(group);
  as_default(group);
  locks(group);
}

/* Who has the same remainder by `parts`, listed `backwards` or not: ranks go by the numbers in the world all the same. All
 * make all groups. */
static void check_groups(int parts, bool backwards) {
  int mine = 0, groups[8], list[64];
  for (int part = 0; part < parts; part++) {
    int n = (units_n - part + parts - 1) / parts;
    for (int i = 0; i < n; i++) list[backwards ? n - 1 - i : i] = part + i * parts;
    groups[part] = GA_Pgroup_create(list, n);
    if (self % parts != part) continue;
    mine = groups[part];
    CHECK_EQ(GA_Pgroup_nnodes(mine), n);
    CHECK_EQ(GA_Pgroup_nodeid(mine), self / parts);
    for (int i = 0; i < n; i++) CHECK_EQ(GA_Pgroup_absolute_id(mine, i), part + i * parts);
  }
  use_group(mine);
  GA_Sync();
  GA_Pgroup_destroy(mine);
}

int main(int argc, char **argv) {
  start(&argc, &argv, MA_DOUBLES);
  check_nodes();
  use_group(GA_Pgroup_get_world());
  for (int parts = 1; parts <= 3 && parts <= units_n; parts++) {
    check_groups(parts, false);
    check_groups(parts, true);
  }
  return finish();
}
