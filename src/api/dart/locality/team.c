/* The trees of teams and the records of their units, built at first use and kept until tsr_locality_drop. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "core/place.h"
#include "api/dart/dart_api.h"
#include "api/dart/locality/locality.h"

struct locality {
  struct locality *next;
  tsr_domain *root;
  dart_team_t team;
  int32_t units_n;
  dart_unit_locality_t units[]; /* by team unit */
};

static struct locality *localities; /* a list, since few teams have one */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct locality **find_link(dart_team_t team) {
  struct locality **link = &localities;
  while (*link && (*link)->team != team) link = &(*link)->next;
  return link;
}

static void free_locality(struct locality *locality) {
  tsr_domain_free(locality->root);
  free(locality);
}

static void drop_link(struct locality **link) {
  struct locality *locality = *link;
  *link = locality->next;
  free_locality(locality);
}

void tsr_locality_drop(dart_team_t team) {
  pthread_mutex_lock(&lock);
  struct locality **link = find_link(team);
  if (*link) drop_link(link);
  pthread_mutex_unlock(&lock);
}

void tsr_locality_drop_all(void) {
  pthread_mutex_lock(&lock);
  while (localities) drop_link(&localities);
  pthread_mutex_unlock(&lock);
}

bool tsr_locality_is_team_tree(const tsr_domain *domain) {
  pthread_mutex_lock(&lock);
  const struct locality *locality = localities;
  while (locality && locality->root != domain) locality = locality->next;
  pthread_mutex_unlock(&lock);
  return locality != NULL;
}

/* NULL: no memory. */
static struct locality *describe_team(const tsr_team *team, const struct tsr_roster *roster) {
  struct locality *made = calloc(1, sizeof *made + (size_t)team->size * sizeof made->units[0]);
  if (!made) return NULL;
  made->team = roster->team;
  made->units_n = team->size;
  made->root = tsr_tree_build(roster);
  if (!made->root) {
    free(made);
    return NULL;
  }
  for (int32_t i = 0; i < team->size; i++) {
    tsr_unit unit = tsr_team_unit(team, TSR_MEMBER(i));
    const struct tsr_topology *topology = tsr_topology_of(tsr_place_node(unit));
    dart_unit_locality_t *record = &made->units[i];
    record->unit = dart_create_team_unit(i);
    record->team = made->team;
    tsr_hwinfo_of_unit(topology, tsr_topology_placement(topology, unit), &record->hwinfo);
  }
  return made;
}

/* Called without the lock: it waits for other nodes, whose units may wait for other threads of this unit. */
static dart_ret_t build_locality(const char *call, const tsr_team *team, struct locality **made) {
  int32_t *units = malloc((size_t)team->size * sizeof *units), *nodes = malloc((size_t)team->size * sizeof *nodes);
  dart_ret_t result = DART_OK;
  *made = NULL;
  if (units && nodes) {
    for (int32_t i = 0; i < team->size; i++) units[i] = tsr_team_unit(team, TSR_MEMBER(i)).id;
    qsort(units, (size_t)team->size, sizeof *units, tsr_domain_by_number);
    for (int32_t i = 0; i < team->size; i++) nodes[i] = tsr_place_node(TSR_UNIT(units[i]));
    struct tsr_roster roster = {(dart_team_t)team->id, team->size, units, nodes, tsr_topology_of};
    result = tsr_dart_code(tsr_topology_fetch(team->size, nodes));
    if (result == DART_OK) *made = describe_team(team, &roster);
  }
  free(nodes);
  free(units);
  return result != DART_OK || *made ? result : tsr_domain_no_memory(call);
}

/* Finds or builds the team's locality. Of two threads that build it at the same time, the second drops its own. Returns
 * with the lock held, after an error without it. */
static dart_ret_t lock_locality(const char *call, dart_team_t id, struct locality **locality) {
  const tsr_team *team = tsr_dart_team(id);
  if (!team) return tsr_dart_no_team(call, id);
  pthread_mutex_lock(&lock);
  *locality = *find_link(id);
  if (*locality) return DART_OK;
  pthread_mutex_unlock(&lock);
  struct locality *made;
  dart_ret_t result = build_locality(call, team, &made);
  if (result != DART_OK) return result;
  pthread_mutex_lock(&lock);
  struct locality **link = find_link(id);
  if (*link) free_locality(made);
  else *link = made;
  *locality = *link;
  return DART_OK;
}

dart_ret_t dart_team_locality_init(dart_team_t team) {
  struct locality *locality;
  dart_ret_t result = lock_locality(__func__, team, &locality);
  if (result == DART_OK) pthread_mutex_unlock(&lock);
  return result;
}

dart_ret_t dart_team_locality_finalize(dart_team_t team) {
  if (team == DART_TEAM_NULL) return tsr_dart_no_team(__func__, team);
  tsr_locality_drop(team); /* no error for a destroyed team, whose locality is dropped already */
  return DART_OK;
}

dart_ret_t dart_domain_team_locality(dart_team_t team, const char *domain_tag, dart_domain_locality_t **team_domain_out) {
  TSR_DOMAIN_REQUIRE(domain_tag);
  TSR_DOMAIN_REQUIRE(team_domain_out);
  *team_domain_out = NULL;
  struct locality *locality;
  dart_ret_t result = lock_locality(__func__, team, &locality);
  if (result != DART_OK) return result;
  *team_domain_out = tsr_domain_find(locality->root, domain_tag);
  pthread_mutex_unlock(&lock);
  if (*team_domain_out) return DART_OK;
  tsr_fail(TESSERA_ERR_NOT_FOUND, "TSR-2079 dart_domain_team_locality: the tree of team %d has no domain %s; pass a current "
           "tag of the tree", team, domain_tag);
  return DART_ERR_NOTFOUND;
}

dart_ret_t dart_unit_locality(dart_team_t team, dart_team_unit_t unit, dart_unit_locality_t **loc) {
  TSR_DOMAIN_REQUIRE(loc);
  *loc = NULL;
  struct locality *locality;
  dart_ret_t result = lock_locality(__func__, team, &locality);
  if (result != DART_OK) return result;
  bool has_unit = unit.id >= 0 && unit.id < locality->units_n;
  if (has_unit) {
    tsr_unit world = tsr_team_unit(tsr_dart_team(team), TSR_MEMBER(unit.id));
    const tsr_domain *domain = tsr_domain_of_unit(locality->root, world.id);
    dart_unit_locality_t *record = &locality->units[unit.id];
    if (domain) memcpy(record->domain_tag, domain->domain_tag, sizeof record->domain_tag);
    *loc = record;
  }
  pthread_mutex_unlock(&lock);
  if (has_unit) return DART_OK;
  return tsr_dart_invalid("TSR-2080 dart_unit_locality: team %d has no unit %d; count its units from 0", team, unit.id);
}
