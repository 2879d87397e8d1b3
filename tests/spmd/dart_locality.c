/* Locality of teams: one tree on all units, records, edits, splits, and a separate life for each team.
 * Group: dart_calls
 */
#include <stdio.h>

#include <dash/dart/if/dart_locality.h>

#include "dart_check.h"

static dart_domain_locality_t *domain_of(dart_team_t team, const char *tag) {
  dart_domain_locality_t *domain = NULL;
  OK(dart_domain_team_locality(team, tag, &domain));
  if (!domain) exit(EXIT_FAILURE);
  return domain;
}

static dart_unit_locality_t *record_of(dart_team_t team, dart_unit_t unit) {
  dart_unit_locality_t *record = NULL;
  OK(dart_unit_locality(team, DART_TEAM_UNIT_ID(unit), &record));
  if (!record) exit(EXIT_FAILURE);
  return record;
}

static unsigned long mix(unsigned long hash, const void *data, size_t bytes) {
  for (size_t i = 0; i < bytes; i++) hash = (hash ^ ((const unsigned char *)data)[i]) * 1099511628211ul;
  return hash;
}

/* Of all fields of a tree except pointers. */
static unsigned long hash_of(const dart_domain_locality_t *domain) {
  const int numbers[] = {(int)domain->scope, domain->level, domain->global_index, domain->relative_index,
                         domain->num_domains, domain->is_symmetric, domain->num_units, domain->num_nodes,
                         domain->node_id, domain->num_cores, domain->shared_mem_bytes};
  unsigned long hash = mix(14695981039346656037ul, numbers, sizeof numbers);
  hash = mix(hash, domain->host, strlen(domain->host));
  hash = mix(hash, domain->domain_tag, strlen(domain->domain_tag));
  hash = mix(hash, domain->unit_ids, (size_t)domain->num_units * sizeof *domain->unit_ids);
  for (int i = 0; i < domain->num_domains; i++) {
    unsigned long child = hash_of(domain->children[i]);
    hash = mix(hash, &child, sizeof child);
  }
  return hash;
}

/* Checks that every member passes the same number. */
static void check_same(dart_team_t team, unsigned long number) {
  unsigned long least = 0, most = 1;
  OK(dart_allreduce(&number, &least, 1, DART_TYPE_ULONG, DART_OP_MIN, team));
  OK(dart_allreduce(&number, &most, 1, DART_TYPE_ULONG, DART_OP_MAX, team));
  CHECK_EQ(least, most);
}

static void check_record(dart_team_t team, dart_unit_t unit) {
  const dart_unit_locality_t *record = record_of(team, unit);
  dart_global_unit_t global = {-1};
  OK(dart_team_unit_l2g(team, DART_TEAM_UNIT_ID(unit), &global));
  CHECK_EQ(record->unit.id, unit);
  CHECK_EQ(record->team, team);
  CHECK(record->hwinfo.num_cores > 0 && record->hwinfo.min_threads == 1);
  CHECK(record->hwinfo.max_threads >= record->hwinfo.min_threads);
  CHECK(record->hwinfo.num_numa > 0 && record->hwinfo.num_sockets > 0);
  CHECK(record->hwinfo.system_memory_bytes > 0);
  const dart_domain_locality_t *core = domain_of(team, record->domain_tag), *domain = core;
  CHECK_EQ(core->scope, DART_LOCALITY_SCOPE_CORE);
  CHECK_EQ(core->global_index, record->hwinfo.core_id);
  CHECK(core->level > 2);
  CHECK(strcmp(core->host, record->hwinfo.host) == 0);
  bool found = false;
  for (int i = 0; i < core->num_units; i++) found = found || core->unit_ids[i].id == global.id;
  CHECK(found);
  for (int i = 0; i < record->hwinfo.num_scopes; i++, domain = domain->parent) {
    CHECK_EQ(record->hwinfo.scopes[i].scope, domain->scope);
    CHECK_EQ(record->hwinfo.scopes[i].index, domain->global_index);
  }
  CHECK_EQ(domain->scope, DART_LOCALITY_SCOPE_MODULE);
}

static void check_team(dart_team_t team) {
  const dart_domain_locality_t *root = domain_of(team, ".");
  CHECK_EQ(root->scope, DART_LOCALITY_SCOPE_GLOBAL);
  CHECK_EQ(root->level, 0);
  CHECK_EQ(root->team, team);
  CHECK_EQ(root->num_units, team_units_n(team));
  CHECK_EQ(root->num_nodes, root->num_domains);
  for (int i = 0; i < root->num_units; i++) {
    dart_global_unit_t global = {-1};
    OK(dart_team_unit_l2g(team, DART_TEAM_UNIT_ID(i), &global));
    CHECK_EQ(root->unit_ids[i].id, global.id);
    check_record(team, i);
  }
  check_same(team, hash_of(root));
}

/* Unit 0 asks for everything while the others compute; then the others ask. */
static void one_unit_may_ask_alone(void) {
  if (self == 0) CHECK_EQ(domain_of(DART_TEAM_ALL, ".")->num_units, units_n);
  barrier();
  check_team(DART_TEAM_ALL);
}

static void pretended_nodes_are_nodes(void) {
  const dart_domain_locality_t *root = domain_of(DART_TEAM_ALL, ".");
  CHECK_EQ(root->num_domains, tessera_nodes());
  for (int i = 0; i < root->num_domains; i++) {
    CHECK_EQ(root->children[i]->scope, DART_LOCALITY_SCOPE_NODE);
    CHECK_EQ(root->children[i]->node_id, i);
  }
  bool mine = false;
  const dart_domain_locality_t *node = root->children[tessera_node()];
  for (int i = 0; i < node->num_units; i++) mine = mine || node->unit_ids[i].id == self;
  CHECK(mine);
}

/* Units that are not bound use as many different cores as possible. */
static void units_spread_over_the_cores(void) {
  const dart_domain_locality_t *node = domain_of(DART_TEAM_ALL, ".")->children[tessera_node()];
  int n = 0, most = 0, least = units_n;
  dart_domain_locality_t **cores = NULL;
  OK(dart_domain_scope_domains(node, DART_LOCALITY_SCOPE_CORE, &n, &cores));
  for (int i = 0; i < n; i++) {
    if (cores[i]->num_units > most) most = cores[i]->num_units;
    if (cores[i]->num_units < least) least = cores[i]->num_units;
  }
  free(cores);
  bool is_bound = record_of(DART_TEAM_ALL, self)->hwinfo.num_cores * node->num_units < node->num_cores;
  if (!is_bound && n == node->num_cores) CHECK(most - least <= 1);
}

static void teams_have_trees_of_their_own(void) {
  dart_team_t first = team_of(EVEN_UNITS | ODD_UNITS), teams[2] = {team_of(EVEN_UNITS), team_of(ODD_UNITS)};
  for (int i = 0; i < 2; i++) {
    if (teams[i] == DART_TEAM_NULL) continue;
    OK(dart_team_locality_init(teams[i]));
    check_team(teams[i]);
    OK(dart_team_locality_finalize(teams[i]));
    check_team(teams[i]); /* a new one */
  }
  dart_team_t last = team_of(EVEN_UNITS | ODD_UNITS);
  CHECK_EQ(last, first + (units_n > 1 ? 3 : 2)); /* no other tree was made */
  check_team(last);
  OK(dart_team_destroy(&last));
  for (int i = 0; i < 2; i++) OK(dart_team_destroy(&teams[i]));
  OK(dart_team_destroy(&first));
}

/* Splits into teams; every unit is in exactly one. */
static void check_split(dart_locality_scope_t scope, size_t n) {
  dart_group_t all = DART_GROUP_NULL, pieces[16];
  size_t pieces_n = 0;
  int32_t mine_n = 0;
  OK(dart_team_get_group(DART_TEAM_ALL, &all));
  OK(dart_group_locality_split(all, domain_of(DART_TEAM_ALL, "."), scope, n, &pieces_n, pieces));
  if (pieces_n == 0) pieces_n = n;
  CHECK(pieces_n <= n && pieces_n > 0);
  for (size_t i = 0; i < pieces_n; i++) {
    int32_t yes = 0;
    dart_team_t team = DART_TEAM_NULL;
    CHECK(pieces[i] != DART_GROUP_NULL);
    OK(dart_group_ismember(pieces[i], DART_GLOBAL_UNIT_ID(self), &yes));
    OK(dart_team_create(DART_TEAM_ALL, pieces[i], &team));
    CHECK_EQ(team != DART_TEAM_NULL, yes);
    if (yes) check_team(team);
    OK(dart_team_destroy(&team));
    OK(dart_group_destroy(&pieces[i]));
    mine_n += yes;
  }
  CHECK_EQ(mine_n, 1);
  OK(dart_group_destroy(&all));
}

static void splits_hold_every_unit_once(void) {
  static const dart_locality_scope_t scopes[] = {DART_LOCALITY_SCOPE_GLOBAL, DART_LOCALITY_SCOPE_NODE,
                                                 DART_LOCALITY_SCOPE_MODULE, DART_LOCALITY_SCOPE_NUMA,
                                                 DART_LOCALITY_SCOPE_CORE};
  for (size_t i = 0; i < sizeof scopes / sizeof scopes[0]; i++) {
    for (size_t n = 1; n <= 3; n++) check_split(scopes[i], n);
  }
}

/* Edits are local to the caller, units are still found, and a new tree does not have the edits. */
static void a_teams_tree_may_be_edited(void) {
  unsigned long before = hash_of(domain_of(DART_TEAM_ALL, "."));
  char tag[DART_LOCALITY_DOMAIN_TAG_MAX_SIZE];
  if (self % 2 == 0) {
    const char *tags[] = {record_of(DART_TEAM_ALL, 0)->domain_tag, record_of(DART_TEAM_ALL, units_n - 1)->domain_tag};
    OK(dart_domain_group(domain_of(DART_TEAM_ALL, "."), 2, tags, tag));
    CHECK_EQ(domain_of(DART_TEAM_ALL, tag)->scope, DART_LOCALITY_SCOPE_GROUP);
    for (dart_unit_t unit = 0; unit < units_n; unit++) {
      const dart_domain_locality_t *core = domain_of(DART_TEAM_ALL, record_of(DART_TEAM_ALL, unit)->domain_tag);
      CHECK_EQ(core->scope, DART_LOCALITY_SCOPE_CORE);
    }
    const char *gone[] = {tag};
    OK(dart_domain_exclude(domain_of(DART_TEAM_ALL, "."), 1, gone));
    CHECK(domain_of(DART_TEAM_ALL, ".")->num_units < units_n);
    CHECK(record_of(DART_TEAM_ALL, 0)->domain_tag[0] == '.'); /* its last one */
  } else {
    CHECK_EQ(hash_of(domain_of(DART_TEAM_ALL, ".")), before);
  }
  OK(dart_team_locality_finalize(DART_TEAM_ALL));
  OK(dart_team_locality_init(DART_TEAM_ALL));
  CHECK_EQ(hash_of(domain_of(DART_TEAM_ALL, ".")), before);
}

static void wrong_arguments_are_refused(void) {
  dart_domain_locality_t *domain = domain_of(DART_TEAM_ALL, "."), *root = domain, *fresh = NULL;
  dart_unit_locality_t *record = record_of(DART_TEAM_ALL, 0);
  CHECK_EQ(dart_domain_team_locality(DART_TEAM_ALL, ".9999", &domain), DART_ERR_NOTFOUND);
  CHECK(!domain);
  CHECK_EQ(dart_domain_team_locality(DART_TEAM_NULL, ".", &domain), DART_ERR_INVAL);
  CHECK_EQ(dart_domain_team_locality(777, ".", &domain), DART_ERR_INVAL);
  CHECK_EQ(dart_domain_team_locality(DART_TEAM_ALL, NULL, &domain), DART_ERR_INVAL);
  CHECK_EQ(dart_domain_team_locality(DART_TEAM_ALL, ".", NULL), DART_ERR_INVAL);
  CHECK_EQ(dart_unit_locality(DART_TEAM_ALL, DART_TEAM_UNIT_ID(units_n), &record), DART_ERR_INVAL);
  CHECK(!record);
  CHECK_EQ(dart_unit_locality(DART_TEAM_ALL, DART_TEAM_UNIT_ID(-1), &record), DART_ERR_INVAL);
  CHECK_EQ(dart_unit_locality(777, DART_TEAM_UNIT_ID(0), &record), DART_ERR_INVAL);
  CHECK_EQ(dart_unit_locality(DART_TEAM_ALL, DART_TEAM_UNIT_ID(0), NULL), DART_ERR_INVAL);
  CHECK_EQ(dart_team_locality_init(777), DART_ERR_INVAL);
  CHECK_EQ(dart_team_locality_finalize(DART_TEAM_NULL), DART_ERR_INVAL);
  CHECK_EQ(dart_domain_destroy(root), DART_ERR_INVAL);
  OK(dart_domain_create(&fresh));
  CHECK_EQ(dart_domain_add_subdomain(fresh, root, 0), DART_ERR_INVAL);
  OK(dart_domain_destroy(fresh));
}

static void it_works_in_every_life(int *argc, char ***argv) {
  unsigned long before = hash_of(domain_of(DART_TEAM_ALL, "."));
  dart_domain_locality_t *kept = NULL, *domain = NULL;
  OK(dart_domain_clone(domain_of(DART_TEAM_ALL, "."), &kept));
  for (int i = 0; i < 10; i++) {
    OK(dart_exit());
    CHECK_EQ(dart_domain_team_locality(DART_TEAM_ALL, ".", &domain), DART_ERR_NOTINIT);
    OK(dart_init(argc, argv));
    CHECK_EQ(hash_of(domain_of(DART_TEAM_ALL, ".")), before);
    if (i % 2) OK(dart_team_locality_init(DART_TEAM_ALL));
    if (i % 3) OK(dart_team_locality_finalize(DART_TEAM_ALL));
  }
  CHECK_EQ(hash_of(kept), before); /* copies outlive the tree and the team */
  OK(dart_domain_destroy(kept));
}

int main(int argc, char **argv) {
  start(&argc, &argv);
  one_unit_may_ask_alone();
  pretended_nodes_are_nodes();
  units_spread_over_the_cores();
  teams_have_trees_of_their_own();
  splits_hold_every_unit_once();
  a_teams_tree_may_be_edited();
  wrong_arguments_are_refused();
  it_works_in_every_life(&argc, &argv);
  return finish();
}
