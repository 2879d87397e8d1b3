#include "core/team_shape.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "core/place.h"
#include "core/runtime.h"

static int compare_numbers(const void *a, const void *b) {
  int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
  return (x > y) - (x < y);
}

tessera_status_t tsr_team_check_list(const tsr_team *parent, int32_t units_n, const tsr_unit units[]) {
  if (units_n < 0 || (units_n > 0 && !units))
    return tsr_fail(TESSERA_ERR_ARG, "TSR-0389 a list of %d units at %p is no list; pass the address of that many units", units_n,
                    (const void *)units);
  int32_t *sorted = malloc((size_t)units_n * sizeof *sorted + 1);
  if (!sorted)
    tsr_abort(1, "TSR-0390 no private memory for a list of %d units; " TSR_REMEDY_MEMORY, units_n); /* the other members could
                                                                                                     * not be told */
  tessera_status_t status = TESSERA_OK;
  for (int32_t i = 0; i < units_n; i++) {
    sorted[i] = units[i].id;
    if (status == TESSERA_OK && tsr_team_member(parent, units[i]).id < 0)
      status = tsr_fail(TESSERA_ERR_RANGE, "TSR-0391 unit %d is no member of the parent team %d; list its members only",
                        units[i].id, parent->id);
  }
  qsort(sorted, (size_t)units_n, sizeof *sorted, compare_numbers);
  for (int32_t i = 1; status == TESSERA_OK && i < units_n; i++) {
    if (sorted[i] == sorted[i - 1])
      status = tsr_fail(TESSERA_ERR_ARG, "TSR-0392 unit %d is listed twice for one team; list each unit once", sorted[i]);
  }
  free(sorted);
  return status;
}

static bool is_regular(int32_t units_n, const tsr_unit units[], int32_t *stride) {
  *stride = units_n > 1 ? units[1].id - units[0].id : 1;
  for (int32_t i = 1; i < units_n; i++) {
    if (units[i].id - units[i - 1].id != *stride) return false;
  }
  return true;
}

static int compare_indirect(const void *a, const void *b, void *members) {
  const int32_t *units = members;
  return compare_numbers(&units[*(const int32_t *)a], &units[*(const int32_t *)b]);
}

static tessera_status_t list_members(tsr_team *team, const tsr_unit units[]) {
  int32_t n = team->size;
  int32_t *members = malloc((size_t)n * sizeof *members);
  team->members = members;
  if (!members) return TESSERA_ERR_MEMORY;
  bool ascending = true;
  for (int32_t i = 0; i < n; i++) {
    members[i] = units[i].id;
    if (i && units[i].id < units[i - 1].id) ascending = false;
  }
  if (ascending) return TESSERA_OK;
  int32_t *by_unit = malloc((size_t)n * sizeof *by_unit);
  team->by_unit = by_unit;
  if (!by_unit) return TESSERA_ERR_MEMORY;
  for (int32_t i = 0; i < n; i++) by_unit[i] = i;
  qsort_r(by_unit, (size_t)n, sizeof *by_unit, compare_indirect, members);
  return TESSERA_OK;
}

static tessera_status_t list_locals(tsr_team *team) {
  int32_t n = 0;
  for (int32_t i = 0; i < team->size; i++) n += tsr_place_is_local(tsr_team_unit(team, TSR_MEMBER(i)));
  int32_t *locals = malloc((size_t)n * sizeof *locals);
  team->locals = locals;
  if (!locals) return TESSERA_ERR_MEMORY;
  for (int32_t i = 0; i < team->size; i++) {
    if (!tsr_place_is_local(tsr_team_unit(team, TSR_MEMBER(i)))) continue;
    if (i == team->self) team->self_local = team->locals_n;
    locals[team->locals_n++] = i;
  }
  return TESSERA_OK;
}

static int32_t world_node_of(const tsr_team *team, int32_t member) {
  return tsr_place_node(tsr_team_unit(team, TSR_MEMBER(member)));
}

const struct tsr_team_node *tsr_team_find_node(const tsr_team *team, int32_t node) {
  const struct tsr_team_node *nodes = team->nodes;
  int32_t low = node - nodes[0].node, high = team->nodes_n - 1;
  if (low >= 0 && low <= high && nodes[low].node == node) return &nodes[low];
  for (low = 0; low <= high;) {
    int32_t middle = low + (high - low) / 2;
    if (nodes[middle].node == node) return &nodes[middle];
    if (nodes[middle].node < node) low = middle + 1;
    else high = middle - 1;
  }
  return NULL;
}

static int32_t node_of(const tsr_team *team, int32_t member) {
  return tsr_team_find_node(team, world_node_of(team, member))->number;
}

/* Stores the index among the team's nodes of each node of the world, which was -1. */
static void number_nodes(tsr_team *team, int32_t numbers[]) {
  for (int32_t i = 0; i < team->size; i++) {
    int32_t *number = &numbers[world_node_of(team, i)];
    if (*number < 0) *number = team->nodes_n++;
  }
}

/* The tables have the nodes of the team only; the one by node of the world is freed. */
static tessera_status_t list_nodes(tsr_team *team) {
  size_t bytes = (size_t)tsr_place.nodes_n * sizeof(int32_t);
  int32_t *numbers = malloc(bytes), *leaders = NULL, n = 0;
  struct tsr_team_node *nodes = NULL;
  if (!numbers) return TESSERA_ERR_MEMORY;
  memset(numbers, -1, bytes);
  number_nodes(team, numbers);
  team->leaders = leaders = malloc((size_t)team->nodes_n * sizeof *leaders);
  team->nodes = nodes = malloc((size_t)team->nodes_n * sizeof *nodes);
  for (int32_t i = team->size - 1; leaders && i >= 0; i--) leaders[numbers[world_node_of(team, i)]] = i;
  for (int32_t node = 0; nodes && node < tsr_place.nodes_n; node++)
    if (numbers[node] >= 0) nodes[n++] = (struct tsr_team_node){node, numbers[node]};
  team->self_node = numbers[tsr_place.node];
  free(numbers);
  return leaders && nodes ? TESSERA_OK : TESSERA_ERR_MEMORY;
}

/* False: the member does not continue the range. */
static bool extend_range(struct tsr_member_range *range, int32_t member) {
  if (range->n == 0) *range = (struct tsr_member_range){.first = member, .stride = 1};
  if (range->n == 1) range->stride = member - range->first;
  if (member != range->first + range->n * range->stride) return false;
  range->n++;
  return true;
}

/* Stores the size of the largest node, whether the members of each node are consecutive, and whether all nodes have as many. */
static void find_order(tsr_team *team) {
  bool is_even = true;
  int32_t first = 0;
  team->is_in_order = true;
  for (int32_t node = 0; node < team->nodes_n; node++) {
    int32_t members_n = 0;
    for (const struct tsr_member_range *range = tsr_team_ranges(team, node); range < tsr_team_ranges_end(team, node); range++) {
      if (range->first != first + members_n || range->stride != 1) team->is_in_order = false;
      members_n += range->n;
    }
    first += members_n;
    if (node > 0 && members_n != team->largest_n) is_even = false;
    if (members_n > team->largest_n) team->largest_n = members_n;
  }
  team->each_n = team->is_in_order && is_even ? team->largest_n : 0;
}

/* Counts the ranges of each node and stores where they end. */
static tessera_status_t list_ranges(tsr_team *team) {
  size_t nodes_n = (size_t)team->nodes_n;
  int32_t *ends = calloc(nodes_n, sizeof *ends);
  struct tsr_member_range *open = calloc(nodes_n, sizeof *open), *ranges = NULL;
  team->range_ends = ends;
  if (!ends || !open) goto fail_memory;
  for (int32_t i = 0; i < team->size; i++) {
    int32_t node = node_of(team, i);
    ends[node] += open[node].n == 0;
    if (extend_range(&open[node], i)) continue;
    ends[node]++;
    open[node] = (struct tsr_member_range){i, 1, 1};
  }
  for (size_t node = 1; node < nodes_n; node++) ends[node] += ends[node - 1];
  team->ranges = ranges = calloc((size_t)ends[nodes_n - 1], sizeof *ranges);
  if (!ranges) goto fail_memory;
  int32_t *at = (int32_t *)open; /* the open range of each node */
  for (size_t node = 0; node < nodes_n; node++) at[node] = node ? ends[node - 1] : 0;
  for (int32_t i = 0; i < team->size; i++) {
    int32_t node = node_of(team, i);
    if (!extend_range(&ranges[at[node]], i)) ranges[++at[node]] = (struct tsr_member_range){i, 1, 1};
  }
  free(open);
  find_order(team);
  return TESSERA_OK;
fail_memory:
  free(open);
  return TESSERA_ERR_MEMORY;
}

tessera_status_t tsr_team_shape(tsr_team *team, int32_t units_n, const tsr_unit units[]) {
  tessera_status_t status = TESSERA_OK;
  team->size = units_n;
  team->first = units[0].id;
  if (!is_regular(units_n, units, &team->stride)) status = list_members(team, units);
  if (!status) {
    team->self = tsr_team_member(team, TSR_UNIT(tsr_place.self)).id;
    status = list_locals(team);
  }
  if (!status) status = list_nodes(team);
  if (!status) status = list_ranges(team);
  return status ? tsr_fail(status, "TSR-0393 no private memory for a team of %d units; " TSR_REMEDY_MEMORY, units_n) : TESSERA_OK;
}

void tsr_team_shape_free(tsr_team *team) {
  free((void *)team->members);
  free((void *)team->by_unit);
  free((void *)team->locals);
  free((void *)team->leaders);
  free((void *)team->nodes);
  free((void *)team->ranges);
  free((void *)team->range_ends);
}

size_t tsr_team_shape_bytes(int32_t locals_n, int32_t nodes_n) {
  /* Leader and ranges' end. */
  const size_t by_node = 2 * sizeof(int32_t) + sizeof(struct tsr_team_node) + sizeof(struct tsr_member_range);
  return (size_t)locals_n * sizeof(int32_t) + (size_t)nodes_n * by_node;
}

tsr_member tsr_team_member(const tsr_team *team, tsr_unit unit) {
  if (!team->members) {
    int32_t distance = unit.id - team->first, index = distance / team->stride;
    bool inside = index >= 0 && index < team->size && index * team->stride == distance;
    return TSR_MEMBER(inside ? index : -1);
  }
  int32_t low = 0, high = team->size - 1;
  while (low <= high) {
    int32_t middle = low + (high - low) / 2;
    int32_t index = team->by_unit ? team->by_unit[middle] : middle;
    if (team->members[index] == unit.id) return TSR_MEMBER(index);
    if (team->members[index] < unit.id) low = middle + 1;
    else high = middle - 1;
  }
  return TSR_MEMBER(-1);
}
