/* Neighbourhoods (processes that share memory) and hosts. */
#include <string.h>

#include <gasnet_tools.h>

#include "core/bootstrap.h"
#include "core/place.h"
#include "api/gasnet/gasnet_api.h"

struct group {
  gex_Rank_t *ranks;         /* of the own group, ascending; the contents of gex_RankInfo_t */
  gex_Rank_t ranks_n, self;  /* self: the index of this process in ranks */
  gex_Rank_t *which;         /* by node: the number of its group */
  gex_Rank_t groups_n, mine; /* groups are numbered by their first members; mine: the own group */
};
static struct group neighbourhood, host;

static void *allocate_list(size_t n, size_t element_bytes) {
  void *memory = calloc(n, element_bytes);
  if (!memory) tsr_gex_die("TSR-4095 gex_Client_Init: no private memory for a list of %zu processes; free some", n);
  return memory;
}

static gex_Rank_t group_of(const struct group *group, gex_Rank_t rank) {
  return group->which[tsr_place_node(TSR_UNIT((int32_t)rank))];
}

struct numbered {
  int64_t number;
  gex_Rank_t node;
};

static int by_number_and_node(const void *one, const void *other) {
  const struct numbered *a = one, *b = other;
  if (a->number != b->number) return a->number < b->number ? -1 : 1;
  return (a->node > b->node) - (a->node < b->node);
}

/* Nodes with equal numbers form a group. The numbers are sorted, since a job may have thousands of nodes. */
static struct group find_group(const int64_t numbers[]) {
  gex_Rank_t nodes_n = (gex_Rank_t)tsr_place.nodes_n, *which = allocate_list(nodes_n, sizeof *which), n = 0;
  struct numbered *sorted = allocate_list(nodes_n, sizeof *sorted);
  struct group found = {.which = which};
  for (gex_Rank_t node = 0; node < nodes_n; node++) sorted[node] = (struct numbered){numbers[node], node};
  qsort(sorted, nodes_n, sizeof *sorted, by_number_and_node);
  /* First pass: each node gets the first node of its group. Second pass, in ascending order: a first node gets the next number,
   * and the others of its group the same. */
  for (gex_Rank_t i = 0; i < nodes_n; i++) {
    bool is_first = i == 0 || sorted[i].number != sorted[i - 1].number;
    which[sorted[i].node] = is_first ? sorted[i].node : which[sorted[i - 1].node];
  }
  free(sorted);
  for (gex_Rank_t node = 0; node < nodes_n; node++) which[node] = which[node] == node ? found.groups_n++ : which[which[node]];
  found.mine = group_of(&found, (gex_Rank_t)tsr_place.self);
  for (int32_t node = 0; node < tsr_place.nodes_n; node++)
    n += which[node] == found.mine ? (gex_Rank_t)tsr_place_node_units(node) : 0;
  found.ranks = allocate_list(n, sizeof *found.ranks);
  for (gex_Rank_t rank = 0; found.ranks_n < n; rank++) {
    if (group_of(&found, rank) != found.mine) continue;
    if (rank == (gex_Rank_t)tsr_place.self) found.self = found.ranks_n;
    found.ranks[found.ranks_n++] = rank;
  }
  return found;
}

void tsr_gex_hosts_start(void) {
  int64_t *numbers = allocate_list((size_t)tsr_place.nodes_n, sizeof *numbers);
  for (int32_t node = 0; node < tsr_place.nodes_n; node++) numbers[node] = node;
  neighbourhood = find_group(numbers);
  const char *name = gasnett_gethostname();
  tsr_bootstrap_gather_nodes(tsr_team_world, (int64_t)gasnett_checksum(name, (int)strlen(name)), numbers);
  host = find_group(numbers);
  free(numbers);
}

void tsr_gex_hosts_stop(void) {
  free(neighbourhood.ranks);
  free(neighbourhood.which);
  free(host.ranks);
  free(host.which);
  neighbourhood = host = (struct group){0};
}

gex_Rank_t tsr_gex_neighbourhood_of(gex_Rank_t rank) { return group_of(&neighbourhood, rank); }
gex_Rank_t tsr_gex_host_of(gex_Rank_t rank) { return group_of(&host, rank); }

static void store_group(const struct group *group, gex_RankInfo_t **info_p, gex_Rank_t *count_p, gex_Rank_t *self_p) {
  if (info_p) *info_p = (gex_RankInfo_t *)group->ranks;
  if (count_p) *count_p = group->ranks_n;
  if (self_p) *self_p = group->self;
}

void gex_System_QueryNbrhdInfo(gex_RankInfo_t **info_p, gex_Rank_t *info_count_p, gex_Rank_t *my_info_index_p) {
  tsr_gex_check_up(__func__);
  store_group(&neighbourhood, info_p, info_count_p, my_info_index_p);
}

void gex_System_QueryHostInfo(gex_RankInfo_t **info_p, gex_Rank_t *info_count_p, gex_Rank_t *my_info_index_p) {
  tsr_gex_check_up(__func__);
  store_group(&host, info_p, info_count_p, my_info_index_p);
}

void gex_System_QueryMyPosition(gex_Rank_t *nbrhd_set_size, gex_Rank_t *nbrhd_set_rank, gex_Rank_t *host_set_size,
                                gex_Rank_t *host_set_rank) {
  tsr_gex_check_up(__func__);
  if (nbrhd_set_size) *nbrhd_set_size = neighbourhood.groups_n;
  if (nbrhd_set_rank) *nbrhd_set_rank = neighbourhood.mine;
  if (host_set_size) *host_set_size = host.groups_n;
  if (host_set_rank) *host_set_rank = host.mine;
}
