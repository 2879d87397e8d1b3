/* Who shares memory, and who shares a host. */
#include <stdio.h>
#include <unistd.h>

#include "core/agree.h"
#include "core/place.h"
#include "api/gasnet/gasnet_api.h"
#include "api/gasnet/host.h"

struct group {
  gex_Rank_t *ranks; /* ascending; what gex_RankInfo_t holds */
  gex_Rank_t ranks_n, self;  /* and where in the list this process is */
  gex_Rank_t *which;         /* the group of each rank of the job, */
  gex_Rank_t groups_n, mine; /* of such groups in the job, in the order of their first members, and which is ours */
};
static struct group neighbourhood, host;

/* A number that processes of one host have in common, and others hardly: of its name. */
static int64_t host_number(void) {
  char name[256] = "";
  gethostname(name, sizeof name - 1);
  uint64_t hash = 14695981039346656037u;
  for (const char *c = name; *c; c++) hash = (hash ^ (unsigned char)*c) * 1099511628211u;
  return (int64_t)hash;
}

static void *list(size_t n, size_t element_bytes) {
  void *memory = calloc(n, element_bytes);
  if (!memory) tsr_gex_die("gex_Client_Init: no private memory for a list of %zu processes", n);
  return memory;
}

/* The first process with the same number: `first` becomes that for each. Few numbers differ, so a list of those is short. */
static gex_Rank_t count_groups(const int64_t numbers[], gex_Rank_t n, gex_Rank_t which[]) {
  gex_Rank_t *firsts = list(n, sizeof *firsts), groups_n = 0;
  for (gex_Rank_t rank = 0; rank < n; rank++) {
    gex_Rank_t group = rank && numbers[rank] == numbers[rank - 1] ? which[rank - 1] : 0;
    while (group < groups_n && numbers[firsts[group]] != numbers[rank]) group++;
    if (group == groups_n) firsts[groups_n++] = rank;
    which[rank] = group;
  }
  free(firsts);
  return groups_n;
}

static struct group find(const int64_t numbers[]) {
  gex_Rank_t n = (gex_Rank_t)tsr_place.units_n, *which = list(n, sizeof *which), *ranks = list(n, sizeof *ranks);
  struct group found = {.ranks = ranks, .which = which, .groups_n = count_groups(numbers, n, which)};
  found.mine = which[tsr_place.self];
  for (gex_Rank_t rank = 0; rank < n; rank++) {
    if (which[rank] != found.mine) continue;
    if (rank == (gex_Rank_t)tsr_place.self) found.self = found.ranks_n;
    ranks[found.ranks_n++] = rank;
  }
  return found;
}

void tsr_gex_hosts_start(void) {
  int64_t *numbers = list((size_t)tsr_place.units_n, sizeof *numbers);
  for (int32_t unit = 0; unit < tsr_place.units_n; unit++) numbers[unit] = tsr_place_node(TSR_UNIT(unit));
  neighbourhood = find(numbers);
  tsr_agree_gather(tsr_team_world, host_number(), numbers);
  host = find(numbers);
  free(numbers);
}

void tsr_gex_hosts_stop(void) {
  free(neighbourhood.ranks);
  free(neighbourhood.which);
  free(host.ranks);
  free(host.which);
  neighbourhood = host = (struct group){0};
}

gex_Rank_t tsr_gex_neighbourhood_of(gex_Rank_t rank) { return neighbourhood.which[rank]; }
gex_Rank_t tsr_gex_host_of(gex_Rank_t rank) { return host.which[rank]; }

static void tell(const struct group *group, gex_RankInfo_t **info_p, gex_Rank_t *count_p, gex_Rank_t *self_p) {
  if (info_p) *info_p = (gex_RankInfo_t *)group->ranks;
  if (count_p) *count_p = group->ranks_n;
  if (self_p) *self_p = group->self;
}

void gex_System_QueryNbrhdInfo(gex_RankInfo_t **info_p, gex_Rank_t *info_count_p, gex_Rank_t *my_info_index_p) {
  tsr_gex_check_up("gex_System_QueryNbrhdInfo");
  tell(&neighbourhood, info_p, info_count_p, my_info_index_p);
}

void gex_System_QueryHostInfo(gex_RankInfo_t **info_p, gex_Rank_t *info_count_p, gex_Rank_t *my_info_index_p) {
  tsr_gex_check_up("gex_System_QueryHostInfo");
  tell(&host, info_p, info_count_p, my_info_index_p);
}

void gex_System_QueryMyPosition(gex_Rank_t *nbrhd_set_size, gex_Rank_t *nbrhd_set_rank, gex_Rank_t *host_set_size,
                                gex_Rank_t *host_set_rank) {
  tsr_gex_check_up("gex_System_QueryMyPosition");
  if (nbrhd_set_size) *nbrhd_set_size = neighbourhood.groups_n;
  if (nbrhd_set_rank) *nbrhd_set_rank = neighbourhood.mine;
  if (host_set_size) *host_set_size = host.groups_n;
  if (host_set_rank) *host_set_rank = host.mine;
}
