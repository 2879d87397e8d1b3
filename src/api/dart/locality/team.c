/* The trees of teams, and the records of units. Each is built when it is first used, and kept until tsr_locality_drop. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/table.h"
#include "core/place.h"
#include "api/dart/dart_api.h"
#include "api/dart/locality/locality.h"

struct locality {
  struct locality *next;
  tsr_domain *root; /* NULL: no call has needed the tree yet */
  dart_team_t team;
  tsr_table records; /* dart_unit_locality_t, by team unit; without a tag: not filled in yet */
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
  tsr_table_free(&locality->records);
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

/* The team's locality, made if need be. The caller has the lock. NULL: no memory. */
static struct locality *use_locality(const tsr_team *team) {
  struct locality **link = find_link((dart_team_t)team->id);
  if (*link) return *link;
  struct locality *made = calloc(1, sizeof *made);
  if (!made) return NULL;
  made->team = (dart_team_t)team->id;
  made->records = tsr_table_make((uint32_t)team->size, sizeof(dart_unit_locality_t));
  if (!made->records.blocks) {
    free(made);
    return NULL;
  }
  *link = made;
  return made;
}

/* Called without the lock: it waits for other nodes, whose units may wait for other threads of this unit. */
static dart_ret_t build_tree(const char *call, const tsr_team *team, tsr_domain **root) {
  int32_t *units = malloc((size_t)team->size * sizeof *units), *nodes = malloc((size_t)team->size * sizeof *nodes);
  dart_ret_t result = DART_OK;
  *root = NULL;
  if (units && nodes) {
    for (int32_t i = 0; i < team->size; i++) units[i] = tsr_team_unit(team, TSR_MEMBER(i)).id;
    qsort(units, (size_t)team->size, sizeof *units, tsr_domain_by_number);
    for (int32_t i = 0; i < team->size; i++) nodes[i] = tsr_place_node(TSR_UNIT(units[i]));
    struct tsr_roster roster = {(dart_team_t)team->id, team->size, units, nodes, tsr_topology_of};
    result = tsr_dart_code(tsr_topology_fetch(team->size, nodes));
    if (result == DART_OK) *root = tsr_tree_build(&roster);
  }
  free(nodes);
  free(units);
  return result != DART_OK || *root ? result : tsr_domain_no_memory(call);
}

static tsr_domain *find_root(dart_team_t id) {
  const struct locality *locality = *find_link(id);
  return locality ? locality->root : NULL;
}

/* Finds or builds the team's tree. Of two threads that build it at the same time, the second drops its own. Returns
 * with the lock held, after an error without it. */
static dart_ret_t lock_tree(const char *call, dart_team_t id, tsr_domain **root) {
  const tsr_team *team = tsr_dart_team(id);
  if (!team) return tsr_dart_no_team(call, id);
  pthread_mutex_lock(&lock);
  *root = find_root(id);
  if (*root) return DART_OK;
  pthread_mutex_unlock(&lock);
  tsr_domain *made;
  dart_ret_t result = build_tree(call, team, &made);
  if (result != DART_OK) return result;
  pthread_mutex_lock(&lock);
  struct locality *locality = use_locality(team);
  if (!locality) {
    pthread_mutex_unlock(&lock);
    tsr_domain_free(made);
    return tsr_domain_no_memory(call);
  }
  if (locality->root) tsr_domain_free(made);
  else locality->root = made;
  *root = locality->root;
  return DART_OK;
}

dart_ret_t dart_team_locality_init(dart_team_t team) {
  tsr_domain *root;
  dart_ret_t result = lock_tree(__func__, team, &root);
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
  tsr_domain *root;
  dart_ret_t result = lock_tree(__func__, team, &root);
  if (result != DART_OK) return result;
  *team_domain_out = tsr_domain_find(root, domain_tag);
  pthread_mutex_unlock(&lock);
  if (*team_domain_out) return DART_OK;
  tsr_fail(TESSERA_ERR_NOT_FOUND, "TSR-2079 dart_domain_team_locality: the tree of team %d has no domain %s; pass a current "
           "tag of the tree", team, domain_tag);
  return DART_ERR_NOTFOUND;
}

/* The member's record, filled in, with its present tag. The caller has the lock. NULL: no memory. */
static dart_unit_locality_t *use_record(const tsr_team *team, int32_t member) {
  struct locality *locality = use_locality(team);
  dart_unit_locality_t *record = locality ? tsr_table_use(&locality->records, (uint32_t)member) : NULL;
  if (!record || (!record->domain_tag[0] && !tsr_unit_record_fill(team, member, record))) return NULL;
  const tsr_domain *domain =
    locality->root ? tsr_domain_of_unit(locality->root, tsr_team_unit(team, TSR_MEMBER(member)).id) : NULL;
  if (domain) memcpy(record->domain_tag, domain->domain_tag, sizeof record->domain_tag);
  return record;
}

dart_ret_t dart_unit_locality(dart_team_t team, dart_team_unit_t unit, dart_unit_locality_t **loc) {
  TSR_DOMAIN_REQUIRE(loc);
  *loc = NULL;
  const tsr_team *t = tsr_dart_team(team);
  if (!t) return tsr_dart_no_team(__func__, team);
  if (!tsr_team_has(t, TSR_MEMBER(unit.id)))
    return tsr_dart_invalid("TSR-2080 dart_unit_locality: team %d has no unit %d; count its units from 0", team, unit.id);
  int32_t node = tsr_place_node(tsr_team_unit(t, TSR_MEMBER(unit.id)));
  dart_ret_t result = tsr_dart_code(tsr_topology_fetch(1, &node)); /* without the lock: it may wait for that node */
  if (result != DART_OK) return result;
  pthread_mutex_lock(&lock);
  *loc = use_record(t, unit.id);
  pthread_mutex_unlock(&lock);
  return *loc ? DART_OK : tsr_domain_no_memory(__func__);
}
