/* The record of one unit, from the topology of its node alone: a job may have very many other units. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/place.h"
#include "api/dart/dart_api.h"
#include "api/dart/locality/locality.h"

/* The members of the team on one of its nodes. */
static int32_t list_node(const tsr_team *team, int32_t node, int32_t units[]) {
  int32_t n = 0;
  for (const struct tsr_member_range *run = tsr_team_ranges(team, node); run < tsr_team_ranges_end(team, node); run++)
    for (int32_t i = 0; i < run->n; i++) units[n++] = tsr_team_unit(team, TSR_MEMBER(run->first + i * run->stride)).id;
  qsort(units, (size_t)n, sizeof *units, tsr_domain_by_number);
  return n;
}

/* A tree of the node's members alone has the same domains as the node's part of the team's tree, except that the node has the
 * number 0 in it. The team's tree has its nodes in the order of their world numbers. */
static bool find_tag(const tsr_team *team, tsr_unit unit, char tag[DART_LOCALITY_DOMAIN_TAG_MAX_SIZE]) {
  const struct tsr_team_node *node = tsr_team_find_node(team, tsr_place_node(unit));
  int32_t *units = malloc((size_t)team->largest_n * sizeof *units), *nodes = malloc((size_t)team->largest_n * sizeof *nodes);
  tsr_domain *tree = NULL;
  if (units && nodes) {
    int32_t n = list_node(team, node->number, units);
    for (int32_t i = 0; i < n; i++) nodes[i] = node->node;
    tree = tsr_tree_build(&(struct tsr_roster){(dart_team_t)team->id, n, units, nodes, tsr_topology_of});
  }
  if (tree) {
    const char *below = strchr(tsr_domain_of_unit(tree, unit.id)->domain_tag + 1, '.');
    snprintf(tag, DART_LOCALITY_DOMAIN_TAG_MAX_SIZE, ".%d%s", (int)(node - team->nodes), below);
  }
  tsr_domain_free(tree);
  free(nodes);
  free(units);
  return tree != NULL;
}

bool tsr_unit_record_fill(const tsr_team *team, int32_t member, dart_unit_locality_t *record) {
  tsr_unit unit = tsr_team_unit(team, TSR_MEMBER(member));
  const struct tsr_topology *topology = tsr_topology_of(tsr_place_node(unit));
  record->unit = dart_create_team_unit(member);
  record->team = (dart_team_t)team->id;
  tsr_hwinfo_of_unit(topology, tsr_topology_placement(topology, unit), &record->hwinfo);
  return find_tag(team, unit, record->domain_tag);
}
