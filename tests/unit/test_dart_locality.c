/* Trees of locality domains over invented hardware, without a runtime. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <dash/dart/if/dart_locality.h>
#include <dash/dart/if/dart_team_group.h>

#include "api/dart/locality/locality.h"

#define OK(call) assert_int_equal(call, DART_OK)

/* Invented hardware */

enum { NODES_MAX = 200, UNITS_MAX = 256 };

static struct made_node {
  struct tsr_machine machine;
  struct tsr_cpu cpus[64];
  struct tsr_placement placements[UNITS_MAX];
  struct tsr_topology topology;
} nodes[NODES_MAX];

static const struct tsr_topology *topology_of(int32_t node) { return &nodes[node].topology; }

struct shape {
  int numas, cores_per_numa, threads, cores_per_l3; /* private L2; one package per NUMA node unless set otherwise */
  bool one_package;
};

static void make_node(int at, struct shape shape) {
  struct made_node *node = &nodes[at];
  memset(node, 0, sizeof *node);
  int cores_n = shape.numas * shape.cores_per_numa;
  node->machine = (struct tsr_machine){.cpus_n = cores_n * shape.threads, .cores_n = cores_n, .numa_n = shape.numas,
                                       .packages_n = shape.one_package ? 1 : shape.numas, .memory_mib = 1000,
                                       .cache_bytes = {-1, 1 << 20, 32 << 20, -1, -1}};
  snprintf(node->machine.host, sizeof node->machine.host, "host%d", at);
  for (int i = 0; i < node->machine.cpus_n; i++) {
    int16_t core = (int16_t)(i / shape.threads), numa = (int16_t)(core / shape.cores_per_numa);
    node->cpus[i] = (struct tsr_cpu){.os = (int16_t)i, .core = core, .numa = numa,
                                     .package = shape.one_package ? 0 : numa,
                                     .cache = {-1, core, (int16_t)(core / shape.cores_per_l3), -1, -1}};
  }
  node->topology = (struct tsr_topology){&node->machine, node->cpus, node->placements, 0};
}

/* The CPU of the next unit of a node. */
static void placement(int node, int unit, int cpu) {
  nodes[node].placements[nodes[node].topology.placements_n++] =
      (struct tsr_placement){.unit = unit, .cpu = (int16_t)cpu, .cores_n = 1};
}

static tsr_domain *build(int n, const int32_t units[], const int32_t of_node[]) {
  tsr_domain *root = tsr_tree_build(&(struct tsr_roster){5, n, units, of_node, topology_of});
  assert_non_null(root);
  return root;
}

/* Two equal nodes with two NUMA nodes of four cores, two cores per cache; unit u is on core u % 8 of node u / 8. */
static const struct shape usual = {2, 4, 1, 2, false};
static tsr_domain *usual_tree(int units_n) {
  int32_t units[UNITS_MAX], of_node[UNITS_MAX];
  make_node(0, usual);
  make_node(1, usual);
  for (int u = 0; u < units_n; u++) {
    units[u] = u;
    of_node[u] = u / 8;
    placement(u / 8, u, u % 8);
  }
  return build(units_n, units, of_node);
}

/* Conditions that hold in every tree */

static int count_domains(const tsr_domain *domain) {
  int n = 1;
  for (int i = 0; i < domain->num_domains; i++) n += count_domains(domain->children[i]);
  return n;
}

static void check_units(const tsr_domain *domain) {
  assert_int_equal(domain->unit_ids == NULL, domain->num_units == 0);
  for (int i = 1; i < domain->num_units; i++) assert_true(domain->unit_ids[i - 1].id < domain->unit_ids[i].id);
  int below = 0;
  for (int i = 0; i < domain->num_domains; i++) {
    const tsr_domain *child = domain->children[i];
    below += child->num_units;
    for (int j = 0; j < child->num_units; j++) assert_true(tsr_domain_has_unit(domain, child->unit_ids[j].id));
  }
  if (domain->num_domains > 0) assert_int_equal(below, domain->num_units);
}

static void check_domain(const tsr_domain *root, const tsr_domain *domain) {
  assert_int_equal(domain->children == NULL, domain->num_domains == 0);
  assert_true(strlen(domain->domain_tag) < DART_LOCALITY_DOMAIN_TAG_MAX_SIZE);
  assert_ptr_equal(tsr_domain_find(root, domain->domain_tag), domain);
  assert_int_equal(domain->team, root->team);
  check_units(domain);
  for (int i = 0; i < domain->num_domains; i++) {
    const tsr_domain *child = domain->children[i];
    assert_ptr_equal(child->parent, domain);
    assert_int_equal(child->relative_index, i);
    assert_int_equal(child->level, domain->level + 1);
    assert_true(tsr_domain_tag_covers(domain->domain_tag, child->domain_tag));
    check_domain(root, child);
  }
}

static void check_tree(const tsr_domain *root) {
  assert_null(root->parent);
  check_domain(root, root);
}

static void check_equal(const tsr_domain *one, const tsr_domain *other) {
  assert_string_equal(one->domain_tag, other->domain_tag);
  assert_string_equal(one->host, other->host);
  assert_int_equal(one->scope, other->scope);
  assert_int_equal(one->level, other->level);
  assert_int_equal(one->global_index, other->global_index);
  assert_int_equal(one->num_units, other->num_units);
  assert_int_equal(one->num_cores, other->num_cores);
  assert_int_equal(one->num_nodes, other->num_nodes);
  assert_int_equal(one->node_id, other->node_id);
  assert_int_equal(one->is_symmetric, other->is_symmetric);
  assert_int_equal(one->num_domains, other->num_domains);
  for (int i = 0; i < one->num_units; i++) assert_int_equal(one->unit_ids[i].id, other->unit_ids[i].id);
  for (int i = 0; i < one->num_domains; i++) {
    assert_ptr_not_equal(one->children[i], other->children[i]);
    check_equal(one->children[i], other->children[i]);
  }
}

static void check_holds(const tsr_domain *domain, int n, const int units[]) {
  assert_int_equal(domain->num_units, n);
  for (int i = 0; i < n; i++) assert_int_equal(domain->unit_ids[i].id, units[i]);
}
#define HOLDS(domain, ...) \
  check_holds(domain, (int)(sizeof((int[]){__VA_ARGS__}) / sizeof(int)), (int[]){__VA_ARGS__})

static tsr_domain *find(const tsr_domain *root, const char *tag) {
  tsr_domain *found = NULL;
  OK(dart_domain_find(root, tag, &found));
  assert_string_equal(found->domain_tag, tag);
  return found;
}

static bool exists(const tsr_domain *root, const char *tag) {
  tsr_domain *found = (tsr_domain *)root;
  dart_ret_t result = dart_domain_find(root, tag, &found);
  assert_int_equal(result, found ? DART_OK : DART_ERR_NOTFOUND);
  return found != NULL;
}

/* Fresh trees */

static void scopes_go_down_from_the_job_to_the_core(void **state) {
  (void)state;
  static const struct { const char *tag; dart_locality_scope_t scope; int cores, index; } expected[] = {
    {".", DART_LOCALITY_SCOPE_GLOBAL, 16, 0},        {".1", DART_LOCALITY_SCOPE_NODE, 8, 1},
    {".1.0", DART_LOCALITY_SCOPE_MODULE, 8, 0},      {".1.0.1", DART_LOCALITY_SCOPE_NUMA, 4, 1},
    {".1.0.1.0", DART_LOCALITY_SCOPE_PACKAGE, 4, 1}, {".1.0.1.0.1", DART_LOCALITY_SCOPE_CACHE, 2, 3},
    {".1.0.1.0.1.0", DART_LOCALITY_SCOPE_CORE, 1, 6},
  };
  tsr_domain *root = usual_tree(16);
  check_tree(root);
  for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
    const tsr_domain *domain = find(root, expected[i].tag);
    assert_int_equal(domain->scope, expected[i].scope);
    assert_int_equal(domain->level, i);
    assert_int_equal(domain->num_cores, expected[i].cores);
    assert_int_equal(domain->global_index, expected[i].index);
    assert_int_equal(domain->num_nodes, i == 0 ? 2 : 1);
    assert_int_equal(domain->node_id, i == 0 ? -1 : 1);
    assert_string_equal(domain->host, i == 0 ? "" : "host1");
    assert_true(domain->is_symmetric);
  }
  HOLDS(find(root, ".1.0.1.0.1.0"), 14);
  HOLDS(find(root, ".0.0.1"), 4, 5, 6, 7);
  assert_int_equal(find(root, ".0.0.0.0.0")->shared_mem_bytes, 32 << 20);
  assert_int_equal(count_domains(root), 1 + 2 + 2 + 4 + 4 + 8 + 16);
  OK(dart_domain_destroy(root));
}

static void units_on_one_core_share_its_domain(void **state) {
  (void)state;
  make_node(0, (struct shape){1, 2, 2, 2, false});
  const int32_t units[] = {0, 1, 2, 3, 4}, of_node[] = {0, 0, 0, 0, 0};
  const int cpus[] = {1, 3, 0, 1, 2}; /* cores 0 1 0 0 1 */
  for (int i = 0; i < 5; i++) placement(0, i, cpus[i]);
  tsr_domain *root = build(5, units, of_node);
  check_tree(root);
  tsr_domain *cores[2];
  assert_int_equal(tsr_domain_list(root, DART_LOCALITY_SCOPE_CORE, 2, cores), 2);
  HOLDS(cores[0], 0, 2, 3);
  HOLDS(cores[1], 1, 4);
  assert_false(root->children[0]->children[0]->children[0]->children[0]->children[0]->is_symmetric);
  assert_ptr_equal(tsr_domain_of_unit(root, 3), cores[0]);
  assert_null(tsr_domain_of_unit(root, 7));
  OK(dart_domain_destroy(root));
}

static void a_team_sees_only_its_part(void **state) {
  (void)state;
  OK(dart_domain_destroy(usual_tree(16)));
  const int32_t units[] = {1, 9, 14, 15}, of_node[] = {0, 1, 1, 1};
  tsr_domain *root = build(4, units, of_node);
  check_tree(root);
  HOLDS(root, 1, 9, 14, 15);
  HOLDS(find(root, ".1"), 9, 14, 15);
  HOLDS(find(root, ".1.0.1.0.0"), 14, 15);
  assert_int_equal(find(root, ".1.0.1.0.0")->global_index, 3);
  assert_false(root->is_symmetric);
  OK(dart_domain_destroy(root));
  root = build(2, units + 2, of_node + 2); /* of one node */
  assert_int_equal(root->num_nodes, 1);
  assert_int_equal(root->node_id, 1);
  assert_int_equal(root->children[0]->global_index, 0);
  assert_int_equal(root->children[0]->node_id, 1);
  OK(dart_domain_destroy(root));
}

static int scopes_of(struct shape shape, dart_locality_scope_t scopes[TSR_LEVELS_MAX]) {
  struct tsr_level levels[TSR_LEVELS_MAX];
  make_node(0, shape);
  int n = tsr_levels_of(&nodes[0].topology, levels);
  for (int i = 0; i < n; i++) scopes[i] = levels[i].scope;
  return n;
}

static void levels_that_do_not_nest_are_left_out(void **state) {
  (void)state;
  dart_locality_scope_t scopes[TSR_LEVELS_MAX];
  assert_int_equal(scopes_of((struct shape){2, 4, 1, 2, true}, scopes), 3); /* a package of two NUMA nodes */
  assert_int_equal(scopes[0], DART_LOCALITY_SCOPE_NUMA);
  assert_int_equal(scopes[1], DART_LOCALITY_SCOPE_CACHE);
  assert_int_equal(scopes[2], DART_LOCALITY_SCOPE_CORE);
  assert_int_equal(scopes_of((struct shape){2, 2, 1, 4, false}, scopes), 4); /* the L3 spans both: only the L2 is left */
  assert_int_equal(scopes[1], DART_LOCALITY_SCOPE_PACKAGE);
  assert_int_equal(scopes[2], DART_LOCALITY_SCOPE_CACHE);
  assert_int_equal(scopes_of((struct shape){1, 4, 2, 1, false}, scopes), 4); /* an L3 each: one level of caches */
  make_node(0, usual);
  for (int i = 0; i < 8; i++) memset(nodes[0].cpus[i].cache, -1, sizeof nodes[0].cpus[i].cache);
  struct tsr_level levels[TSR_LEVELS_MAX];
  assert_int_equal(tsr_levels_of(&nodes[0].topology, levels), 3); /* no caches known */
  for (int i = 0; i < 8; i++) nodes[0].cpus[i].core = (int16_t)(i % 4); /* a core in both NUMA nodes: invalid */
  assert_int_equal(tsr_levels_of(&nodes[0].topology, levels), 1);
  assert_int_equal(levels[0].scope, DART_LOCALITY_SCOPE_CORE);
}

static void many_nodes_of_many_cores_fit_in_a_tag(void **state) {
  (void)state;
  int32_t units[NODES_MAX], of_node[NODES_MAX];
  for (int i = 0; i < NODES_MAX; i++) {
    make_node(i, (struct shape){4, 16, 1, 8, false});
    units[i] = of_node[i] = i;
    placement(i, i, i % 64);
  }
  tsr_domain *root = build(NODES_MAX, units, of_node);
  check_tree(root);
  assert_int_equal(root->num_nodes, NODES_MAX);
  assert_int_equal(root->num_cores, NODES_MAX * 64);
  HOLDS(find(root, ".199"), 199);
  OK(dart_domain_destroy(root));
}

static void a_record_describes_the_unit(void **state) {
  (void)state;
  make_node(0, (struct shape){2, 2, 2, 2, false});
  placement(0, 7, 6);
  nodes[0].machine.numa_mib[1] = 444;
  dart_hwinfo_t hwinfo;
  tsr_hwinfo_of_unit(&nodes[0].topology, &nodes[0].placements[0], &hwinfo);
  assert_string_equal(hwinfo.host, "host0");
  assert_int_equal(hwinfo.cpu_id, 6);
  assert_int_equal(hwinfo.core_id, 3);
  assert_int_equal(hwinfo.numa_id, 1);
  assert_int_equal(hwinfo.num_numa, 2);
  assert_int_equal(hwinfo.num_sockets, 2);
  assert_int_equal(hwinfo.num_cores, 1);
  assert_int_equal(hwinfo.max_threads, 2);
  assert_int_equal(hwinfo.numa_memory_bytes, 444);
  assert_int_equal(hwinfo.cache_ids[2], 1);
  assert_int_equal(hwinfo.num_scopes, 4);
  assert_int_equal(hwinfo.scopes[0].scope, DART_LOCALITY_SCOPE_CORE);
  assert_int_equal(hwinfo.scopes[0].index, 3);
  assert_int_equal(hwinfo.scopes[3].scope, DART_LOCALITY_SCOPE_NUMA);
  assert_int_equal(hwinfo.scopes[3].index, 1);
  assert_int_equal(hwinfo.scopes[4].scope, DART_LOCALITY_SCOPE_UNDEFINED);
}

/* Copies */

static void copies_are_deep(void **state) {
  (void)state;
  tsr_domain *root = usual_tree(16), *copy = NULL, *part = NULL, *fresh = NULL;
  OK(dart_domain_clone(root, &copy));
  check_tree(copy);
  check_equal(root, copy);
  OK(dart_domain_clone(find(root, ".1.0"), &part));
  check_tree(part);
  check_equal(find(root, ".1.0"), part);
  OK(dart_domain_assign(copy, part));
  check_equal(copy, part);
  OK(dart_domain_assign(copy, copy));
  OK(dart_domain_assign(part, find(part, ".1.0.1"))); /* a part of itself as the source */
  check_equal(part, find(root, ".1.0.1"));
  OK(dart_domain_create(&fresh));
  check_tree(fresh);
  OK(dart_domain_assign(part, fresh));
  assert_int_equal(count_domains(part), 1);
  OK(dart_domain_destroy(root));
  check_tree(copy);
  OK(dart_domain_destroy(copy));
  OK(dart_domain_destroy(part));
  OK(dart_domain_destroy(fresh));
  OK(dart_domain_destroy(NULL));
}

static void assignment_inside_a_tree_keeps_the_place(void **state) {
  (void)state;
  tsr_domain *root = usual_tree(8), *other = usual_tree(16);
  tsr_domain *target = find(root, ".0.0.1");
  OK(dart_domain_assign(target, find(other, ".1.0"))); /* units 8 to 15 instead of 4 to 7 */
  check_tree(root);
  assert_ptr_equal(find(root, ".0.0.1"), target);
  assert_int_equal(target->scope, DART_LOCALITY_SCOPE_MODULE);
  HOLDS(root, 0, 1, 2, 3, 8, 9, 10, 11, 12, 13, 14, 15);
  HOLDS(find(root, ".0.0.1.1.0.1.1"), 15);
  OK(dart_domain_destroy(root));
  OK(dart_domain_destroy(other));
}

static void only_own_roots_are_destroyed(void **state) {
  (void)state;
  tsr_domain *root = usual_tree(8);
  assert_int_equal(dart_domain_destroy(find(root, ".0")), DART_ERR_INVAL);
  check_tree(root);
  OK(dart_domain_destroy(root));
}

/* Search */

static void scopes_are_listed_in_order(void **state) {
  (void)state;
  tsr_domain *root = usual_tree(16), **domains = NULL;
  char **tags = NULL;
  int n = -1;
  OK(dart_domain_scope_domains(root, DART_LOCALITY_SCOPE_NUMA, &n, &domains));
  assert_int_equal(n, 4);
  OK(dart_domain_scope_tags(root, DART_LOCALITY_SCOPE_NUMA, &n, &tags));
  assert_int_equal(n, 4);
  for (int i = 0; i < n; i++) {
    char tag[DART_LOCALITY_DOMAIN_TAG_MAX_SIZE];
    snprintf(tag, sizeof tag, ".%d.0.%d", i / 2, i % 2);
    assert_string_equal(tags[i], tag);
    assert_ptr_equal(find(root, tag), domains[i]);
    free(tags[i]);
  }
  free(tags);
  free(domains);
  assert_int_equal(dart_domain_scope_domains(root, DART_LOCALITY_SCOPE_UNIT, &n, &domains), DART_ERR_NOTFOUND);
  assert_int_equal(n, 0);
  assert_null(domains);
  n = 7;
  assert_int_equal(dart_domain_scope_tags(root, DART_LOCALITY_SCOPE_UNIT, &n, &tags), DART_ERR_NOTFOUND);
  assert_int_equal(n, 0);
  assert_null(tags);
  assert_false(exists(root, ".2"));
  assert_false(exists(root, ".0.0.0.0.0.0.0"));
  assert_false(exists(root, ""));
  assert_false(exists(root, "nonsense"));
  assert_false(exists(find(root, ".0"), ".1"));
  OK(dart_domain_destroy(root));
}

static void of_nested_scopes_the_outermost_counts(void **state) {
  (void)state;
  make_node(0, (struct shape){1, 8, 1, 8, false});
  for (int i = 0; i < 8; i++) nodes[0].cpus[i].cache[1] = (int16_t)(i / 2);
  int32_t units[8], of_node[8] = {0};
  for (int i = 0; i < 8; i++) {
    units[i] = i;
    placement(0, i, i);
  }
  tsr_domain *root = build(8, units, of_node), **domains = NULL;
  check_tree(root);
  int n = 0;
  OK(dart_domain_scope_domains(root, DART_LOCALITY_SCOPE_CACHE, &n, &domains));
  assert_int_equal(n, 1);
  assert_int_equal(domains[0]->num_domains, 4);
  assert_int_equal(domains[0]->children[2]->scope, DART_LOCALITY_SCOPE_CACHE);
  free(domains);
  OK(dart_domain_destroy(root));
}

/* Pruning */

static void selection_keeps_what_is_above_and_below(void **state) {
  (void)state;
  tsr_domain *root = usual_tree(16);
  const char *tags[] = {".0.0.1", ".1.0.0.0.1.1", ".7", ".0.0.1"};
  OK(dart_domain_select(root, 4, tags));
  check_tree(root);
  HOLDS(root, 4, 5, 6, 7, 11);
  assert_int_equal(root->num_cores, 5);
  assert_int_equal(find(root, ".0.0.1")->relative_index, 0); /* the tag stays, its place in the tree does not */
  assert_false(exists(root, ".0.0.0"));
  assert_true(exists(root, ".0.0.1.0.1.1"));
  assert_false(root->is_symmetric);
  OK(dart_domain_select(root, 1, (const char *[]){"."})); /* removes everything */
  HOLDS(root, 4, 5, 6, 7, 11);
  OK(dart_domain_select(find(root, ".1"), 1, (const char *[]){".0"})); /* removes nothing, in a part of the tree */
  check_tree(root);
  HOLDS(root, 4, 5, 6, 7);
  assert_int_equal(root->num_nodes, 2);
  OK(dart_domain_select(root, 0, NULL));
  check_tree(root);
  assert_int_equal(count_domains(root), 1);
  OK(dart_domain_destroy(root));
}

static void exclusion_keeps_the_others_tags(void **state) {
  (void)state;
  tsr_domain *root = usual_tree(16);
  const char *tags[] = {".0.0.0.0.0.0", ".1", ".9.9"};
  OK(dart_domain_exclude(root, 3, tags));
  check_tree(root);
  HOLDS(root, 1, 2, 3, 4, 5, 6, 7);
  assert_false(exists(root, tags[0]));
  HOLDS(find(root, ".0.0.0.0.0.1"), 1);
  assert_int_equal(find(root, ".0.0.0.0.0.1")->relative_index, 0);
  assert_int_equal(root->num_nodes, 1);
  assert_int_equal(root->node_id, 0);
  OK(dart_domain_exclude(root, 1, (const char *[]){".0.0.0.0.0.1"}));
  check_tree(root);
  assert_int_equal(find(root, ".0.0.0.0.0")->num_units, 0); /* an empty domain stays */
  OK(dart_domain_exclude(root, 0, NULL));
  assert_int_equal(root->num_units, 6);
  OK(dart_domain_destroy(root));
}

/* Moves */

static void trees_are_added_moved_and_removed(void **state) {
  (void)state;
  tsr_domain *root = NULL, *first = usual_tree(16), *part = NULL;
  OK(dart_domain_create(&root));
  root->team = 5;
  OK(dart_domain_clone(find(first, ".1"), &part));
  OK(dart_domain_add_subdomain(root, part, 0));
  check_tree(root);
  assert_string_equal(part->domain_tag, ".0");
  HOLDS(find(root, ".0.0.1.0"), 12, 13, 14, 15);
  OK(dart_domain_clone(find(first, ".0.0.1"), &part));
  OK(dart_domain_add_subdomain(root, part, 0)); /* before the other one, whose tag stays */
  check_tree(root);
  assert_string_equal(part->domain_tag, ".1");
  assert_int_equal(part->relative_index, 0);
  assert_int_equal(root->num_units, 12);
  OK(dart_domain_move_subdomain(part, find(root, ".0.0"), 1));
  check_tree(root);
  assert_string_equal(part->domain_tag, ".0.0.2");
  assert_int_equal(root->num_domains, 1);
  assert_int_equal(find(root, ".0.0")->num_units, 12);
  OK(dart_domain_move_subdomain(part, part->parent, 2)); /* among its siblings */
  assert_int_equal(part->relative_index, 2);
  check_tree(root);
  OK(dart_domain_remove_subdomain(find(root, ".0.0"), 0));
  check_tree(root);
  HOLDS(root, 4, 5, 6, 7, 12, 13, 14, 15);
  OK(dart_domain_destroy(root));
  OK(dart_domain_destroy(first));
}

/* Between the two steps of the move their common ancestors have no units. */
static void all_units_move_to_an_empty_domain(void **state) {
  (void)state;
  tsr_domain *first = usual_tree(16), *root = NULL, *holder = NULL, *empty = NULL, *part = NULL;
  OK(dart_domain_create(&root));
  OK(dart_domain_create(&holder));
  OK(dart_domain_create(&empty));
  OK(dart_domain_clone(find(first, ".1"), &part));
  OK(dart_domain_add_subdomain(root, holder, 0));
  OK(dart_domain_add_subdomain(root, empty, 1));
  OK(dart_domain_add_subdomain(holder, part, 0));
  OK(dart_domain_move_subdomain(part, empty, 0));
  check_tree(root);
  assert_int_equal(holder->num_units, 0);
  assert_int_equal(empty->num_units, part->num_units);
  assert_int_equal(root->num_units, part->num_units);
  OK(dart_domain_destroy(root));
  OK(dart_domain_destroy(first));
}

static void impossible_places_are_refused(void **state) {
  (void)state;
  tsr_domain *root = usual_tree(16), *copy = NULL, *other = NULL, *before = NULL;
  OK(dart_domain_clone(find(root, ".1"), &copy));
  OK(dart_domain_create(&other));
  OK(dart_domain_clone(root, &before));
  assert_int_equal(dart_domain_add_subdomain(root, copy, 0), DART_ERR_INVAL);   /* its units are there */
  assert_int_equal(dart_domain_add_subdomain(root, other, 3), DART_ERR_INVAL);  /* two children */
  assert_int_equal(dart_domain_add_subdomain(root, other, -1), DART_ERR_INVAL);
  assert_int_equal(dart_domain_add_subdomain(find(root, ".0"), root, 0), DART_ERR_INVAL);
  assert_int_equal(dart_domain_add_subdomain(other, find(root, ".0"), 0), DART_ERR_INVAL);
  assert_int_equal(dart_domain_add_subdomain(find(root, ".0.0.0.0.0.0"), other, 0), DART_ERR_INVAL);
  assert_int_equal(dart_domain_remove_subdomain(root, 2), DART_ERR_INVAL);
  assert_int_equal(dart_domain_move_subdomain(find(root, ".0"), find(root, ".0.0"), 0), DART_ERR_INVAL);
  assert_int_equal(dart_domain_move_subdomain(root, root, 0), DART_ERR_INVAL);
  assert_int_equal(dart_domain_move_subdomain(find(root, ".0"), other, 0), DART_ERR_INVAL);
  assert_int_equal(dart_domain_move_subdomain(find(root, ".0"), root, 2), DART_ERR_INVAL); /* without itself: one */
  assert_int_equal(dart_domain_select(root, -1, NULL), DART_ERR_INVAL);
  assert_int_equal(dart_domain_exclude(root, 1, (const char *[]){NULL}), DART_ERR_INVAL);
  check_tree(root);
  check_equal(root, before);
  OK(dart_domain_destroy(root));
  OK(dart_domain_destroy(copy));
  OK(dart_domain_destroy(other));
  OK(dart_domain_destroy(before));
}

static void tags_never_overflow(void **state) {
  (void)state;
  tsr_domain *root = NULL, *at = NULL;
  OK(dart_domain_create(&root));
  at = root;
  dart_ret_t result = DART_OK;
  int depth = 0;
  for (; depth < 100 && result == DART_OK; depth++) {
    tsr_domain *next = NULL;
    OK(dart_domain_create(&next));
    result = dart_domain_add_subdomain(at, next, 0);
    if (result == DART_OK) at = next;
    else OK(dart_domain_destroy(next));
  }
  assert_int_equal(result, DART_ERR_INVAL);
  assert_in_range(depth, 14, 16); /* two characters each */
  check_tree(root);
  tsr_domain *tree = usual_tree(8);
  char tag[DART_LOCALITY_DOMAIN_TAG_MAX_SIZE] = ".0.0.0";
  for (depth = 0, result = DART_OK; depth < 100 && result == DART_OK; depth++) {
    const char *innermost[] = {tag};
    result = dart_domain_group(tree, 1, innermost, tag); /* a group of a group of ... */
    check_tree(tree);
    assert_int_equal(tree->num_units, 8);
  }
  assert_in_range(depth, 5, 20);
  assert_int_equal(result, DART_ERR_INVAL);
  OK(dart_domain_destroy(tree));
  OK(dart_domain_destroy(root));
}

/* Groups */

static void a_group_of_siblings_moves_below_it(void **state) {
  (void)state;
  tsr_domain *root = usual_tree(16);
  make_node(0, (struct shape){1, 4, 1, 4, false});
  OK(dart_domain_destroy(root));
  int32_t units[] = {0, 1, 2, 3}, of_node[4] = {0};
  for (int i = 0; i < 4; i++) placement(0, i, i);
  root = build(4, units, of_node);
  char tag[DART_LOCALITY_DOMAIN_TAG_MAX_SIZE];
  const char *tags[] = {".0.0.0.0.0.3", ".0.0.0.0.0.1", ".0.0.0.0.0.1"};
  OK(dart_domain_group(root, 3, tags, tag));
  check_tree(root);
  assert_string_equal(tag, ".0.0.0.0.0.4");
  const tsr_domain *group = find(root, tag);
  assert_int_equal(group->scope, DART_LOCALITY_SCOPE_GROUP);
  assert_int_equal(group->num_nodes, 1);
  assert_int_equal(group->num_cores, 2);
  assert_string_equal(group->host, "host0");
  HOLDS(group, 1, 3);
  HOLDS(find(root, ".0.0.0.0.0.4.1"), 1);
  assert_false(exists(root, ".0.0.0.0.0.1"));
  HOLDS(find(root, ".0.0.0.0.0.2"), 2); /* tags from before */
  HOLDS(root, 0, 1, 2, 3);
  const char *rest[] = {".0.0.0.0.0.0", ".0.0.0.0.0.2"};
  OK(dart_domain_group(root, 2, rest, tag));
  check_tree(root);
  assert_string_equal(tag, ".0.0.0.0.0.5");
  assert_int_equal(find(root, tag)->global_index, 1);
  assert_int_equal(find(root, ".0.0.0.0.0")->num_domains, 2);
  HOLDS(root, 0, 1, 2, 3);
  OK(dart_domain_destroy(root));
}

static void a_group_across_branches_takes_copies_of_what_is_above(void **state) {
  (void)state;
  tsr_domain *root = usual_tree(16);
  char tag[DART_LOCALITY_DOMAIN_TAG_MAX_SIZE];
  const char *tags[] = {".0.0.0.0.0.1", ".0.0.1", ".1.0.0.0.0.0"};
  OK(dart_domain_group(root, 3, tags, tag));
  check_tree(root);
  assert_string_equal(tag, ".2");
  const tsr_domain *group = find(root, tag);
  HOLDS(group, 1, 4, 5, 6, 7, 8);
  assert_int_equal(group->num_nodes, 2);
  assert_int_equal(group->node_id, -1);
  assert_int_equal(group->num_cores, 6);
  HOLDS(find(root, ".2.0.0.1"), 4, 5, 6, 7);
  assert_int_equal(find(root, ".2.0.0.1")->scope, DART_LOCALITY_SCOPE_NUMA);
  HOLDS(find(root, ".0"), 0, 2, 3);
  assert_false(exists(root, ".0.0.1")); /* nothing of it was left */
  HOLDS(find(root, ".1.0.0.0.0"), 9);
  assert_int_equal(root->num_units, 16);
  assert_int_equal(root->num_cores, 16);
  int n = 0;
  tsr_domain **groups = NULL;
  OK(dart_domain_scope_domains(root, DART_LOCALITY_SCOPE_GROUP, &n, &groups));
  assert_int_equal(n, 1);
  free(groups);
  OK(dart_domain_destroy(root));
}

static void groups_of_nothing_are_refused(void **state) {
  (void)state;
  tsr_domain *root = usual_tree(8), *before = NULL;
  char tag[DART_LOCALITY_DOMAIN_TAG_MAX_SIZE] = "left alone";
  OK(dart_domain_clone(root, &before));
  assert_int_equal(dart_domain_group(root, 0, (const char *[]){".0"}, tag), DART_ERR_INVAL);
  assert_int_equal(dart_domain_group(root, 1, (const char *[]){"."}, tag), DART_ERR_INVAL);
  assert_int_equal(dart_domain_group(root, 1, (const char *[]){NULL}, tag), DART_ERR_INVAL);
  assert_int_equal(dart_domain_group(root, 2, (const char *[]){".0", ".4"}, tag), DART_ERR_NOTFOUND);
  assert_string_equal(tag, "left alone");
  check_equal(root, before);
  OK(dart_domain_destroy(root));
  OK(dart_domain_destroy(before));
}

/* Splits */

static void parts_hold_everything_once(void **state) {
  (void)state;
  tsr_domain *root = usual_tree(16), *fresh = NULL;
  OK(dart_domain_create(&fresh));
  for (int parts_n = 1; parts_n <= 10; parts_n++) {
    tsr_domain parts[10];
    int found = 0, least = 99, most = 0;
    OK(dart_domain_split_scope(root, DART_LOCALITY_SCOPE_CACHE, parts_n, parts)); /* 8 of 2 units */
    for (int i = 0; i < parts_n; i++) {
      check_tree(&parts[i]);
      assert_int_equal(parts[i].scope, DART_LOCALITY_SCOPE_GLOBAL);
      for (int j = 0; j < parts[i].num_units; j++) assert_int_equal(parts[i].unit_ids[j].id, found++);
      if (parts[i].num_units < least) least = parts[i].num_units;
      if (parts[i].num_units > most) most = parts[i].num_units;
      OK(dart_domain_assign(&parts[i], fresh));
    }
    assert_int_equal(found, 16);
    assert_in_range(most - least, 0, 2);
  }
  tsr_domain part;
  assert_int_equal(dart_domain_split_scope(root, DART_LOCALITY_SCOPE_UNIT, 1, &part), DART_ERR_NOTFOUND);
  assert_int_equal(dart_domain_split_scope(root, DART_LOCALITY_SCOPE_CORE, 0, &part), DART_ERR_INVAL);
  OK(dart_domain_destroy(root));
  OK(dart_domain_destroy(fresh));
}

static void groups_are_split_by_domain(void **state) {
  (void)state;
  tsr_domain *root = usual_tree(16);
  dart_group_t group, pieces[6] = {DART_GROUP_NULL};
  OK(dart_group_create(&group));
  for (int unit = 0; unit < 12; unit++) OK(dart_group_addmember(group, DART_GLOBAL_UNIT_ID(unit)));
  size_t nout = 77, size = 0;
  OK(dart_group_locality_split(group, root, DART_LOCALITY_SCOPE_NUMA, 4, &nout, pieces));
  assert_int_equal(nout, 77); /* written only if n is too large */
  for (int i = 0; i < 3; i++) {
    dart_global_unit_t members[4];
    OK(dart_group_size(pieces[i], &size));
    assert_int_equal(size, 4);
    OK(dart_group_getmembers(pieces[i], members));
    for (int j = 0; j < 4; j++) assert_int_equal(members[j].id, 4 * i + j);
    OK(dart_group_destroy(&pieces[i]));
  }
  assert_null(pieces[3]); /* units 12 to 15 are not in the group */
  dart_group_t untouched = (dart_group_t)&nout;
  pieces[2] = untouched;
  OK(dart_group_locality_split(group, root, DART_LOCALITY_SCOPE_NODE, 6, &nout, pieces));
  assert_int_equal(nout, 2);
  assert_ptr_equal(pieces[2], untouched);
  OK(dart_group_size(pieces[0], &size));
  assert_int_equal(size, 8);
  OK(dart_group_destroy(&pieces[0]));
  OK(dart_group_destroy(&pieces[1]));
  assert_int_equal(dart_group_locality_split(group, root, DART_LOCALITY_SCOPE_UNIT, 1, &nout, pieces), DART_ERR_NOTFOUND);
  assert_int_equal(dart_group_locality_split(group, root, DART_LOCALITY_SCOPE_CORE, 0, &nout, pieces), DART_ERR_INVAL);
  assert_int_equal(dart_group_locality_split(NULL, root, DART_LOCALITY_SCOPE_CORE, 1, &nout, pieces), DART_ERR_INVAL);
  OK(dart_group_destroy(&group));
  OK(dart_domain_destroy(root));
}

/* After any sequence of edits all conditions hold for the tree, and it has all units that were not removed. */

static uint32_t seed = 20240611;
static int below(int n) {
  seed = seed * 1664525 + 1013904223;
  return (int)((seed >> 8) % (uint32_t)n);
}

static tsr_domain *any_domain(tsr_domain *root) {
  tsr_domain *domain = root;
  while (domain->num_domains > 0 && below(5)) domain = domain->children[below(domain->num_domains)];
  return domain;
}

static void edit_somehow(tsr_domain *root) {
  tsr_domain *one = any_domain(root), *other = any_domain(root);
  char tags[3][DART_LOCALITY_DOMAIN_TAG_MAX_SIZE], out[DART_LOCALITY_DOMAIN_TAG_MAX_SIZE];
  const char *list[3] = {tags[0], tags[1], tags[2]};
  for (int i = 0; i < 3; i++) strcpy(tags[i], any_domain(root)->domain_tag);
  int units_n = root->num_units;
  switch (below(4)) {
    case 0:
    case 1: dart_domain_group(root, 1 + below(3), list, out); break;
    case 2: dart_domain_move_subdomain(one, other, below(3)); break;
    default:
      if (below(8) == 0) dart_domain_exclude(one, 1, list);
      units_n = root->num_units;
  }
  assert_int_equal(root->num_units, units_n);
}

static void edits_in_any_order_keep_the_tree_whole(void **state) {
  (void)state;
  for (int round = 0; round < 60; round++) {
    tsr_domain *root = usual_tree(16), *copy = NULL;
    for (int i = 0; i < 12; i++) {
      edit_somehow(root);
      check_tree(root);
    }
    OK(dart_domain_clone(root, &copy));
    check_tree(copy);
    check_equal(root, copy);
    OK(dart_domain_destroy(root));
    OK(dart_domain_destroy(copy));
  }
}

static void null_pointers_are_refused(void **state) {
  (void)state;
  tsr_domain *root = usual_tree(8), *out = NULL, **list = NULL;
  char tag[DART_LOCALITY_DOMAIN_TAG_MAX_SIZE], **tags = NULL;
  int n = 0;
  assert_int_equal(dart_domain_create(NULL), DART_ERR_INVAL);
  assert_int_equal(dart_domain_clone(NULL, &out), DART_ERR_INVAL);
  assert_int_equal(dart_domain_clone(root, NULL), DART_ERR_INVAL);
  assert_int_equal(dart_domain_assign(root, NULL), DART_ERR_INVAL);
  assert_int_equal(dart_domain_assign(NULL, root), DART_ERR_INVAL);
  assert_int_equal(dart_domain_find(root, NULL, &out), DART_ERR_INVAL);
  assert_int_equal(dart_domain_find(NULL, ".", &out), DART_ERR_INVAL);
  assert_int_equal(dart_domain_find(root, ".", NULL), DART_ERR_INVAL);
  assert_int_equal(dart_domain_select(NULL, 0, NULL), DART_ERR_INVAL);
  assert_int_equal(dart_domain_exclude(root, 2, NULL), DART_ERR_INVAL);
  assert_int_equal(dart_domain_add_subdomain(root, NULL, 0), DART_ERR_INVAL);
  assert_int_equal(dart_domain_remove_subdomain(NULL, 0), DART_ERR_INVAL);
  assert_int_equal(dart_domain_move_subdomain(NULL, root, 0), DART_ERR_INVAL);
  assert_int_equal(dart_domain_split_scope(root, DART_LOCALITY_SCOPE_CORE, 1, NULL), DART_ERR_INVAL);
  assert_int_equal(dart_domain_scope_tags(root, DART_LOCALITY_SCOPE_CORE, NULL, &tags), DART_ERR_INVAL);
  assert_int_equal(dart_domain_scope_domains(root, DART_LOCALITY_SCOPE_CORE, &n, NULL), DART_ERR_INVAL);
  assert_int_equal(dart_domain_scope_domains(NULL, DART_LOCALITY_SCOPE_CORE, &n, &list), DART_ERR_INVAL);
  assert_int_equal(dart_domain_group(root, 1, NULL, tag), DART_ERR_INVAL);
  OK(dart_domain_destroy(root));
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(scopes_go_down_from_the_job_to_the_core),
    cmocka_unit_test(units_on_one_core_share_its_domain),
    cmocka_unit_test(a_team_sees_only_its_part),
    cmocka_unit_test(levels_that_do_not_nest_are_left_out),
    cmocka_unit_test(many_nodes_of_many_cores_fit_in_a_tag),
    cmocka_unit_test(a_record_describes_the_unit),
    cmocka_unit_test(copies_are_deep),
    cmocka_unit_test(assignment_inside_a_tree_keeps_the_place),
    cmocka_unit_test(only_own_roots_are_destroyed),
    cmocka_unit_test(scopes_are_listed_in_order),
    cmocka_unit_test(of_nested_scopes_the_outermost_counts),
    cmocka_unit_test(selection_keeps_what_is_above_and_below),
    cmocka_unit_test(exclusion_keeps_the_others_tags),
    cmocka_unit_test(trees_are_added_moved_and_removed),
    cmocka_unit_test(all_units_move_to_an_empty_domain),
    cmocka_unit_test(impossible_places_are_refused),
    cmocka_unit_test(tags_never_overflow),
    cmocka_unit_test(a_group_of_siblings_moves_below_it),
    cmocka_unit_test(a_group_across_branches_takes_copies_of_what_is_above),
    cmocka_unit_test(groups_of_nothing_are_refused),
    cmocka_unit_test(parts_hold_everything_once),
    cmocka_unit_test(groups_are_split_by_domain),
    cmocka_unit_test(edits_in_any_order_keep_the_tree_whole),
    cmocka_unit_test(null_pointers_are_refused),
  };
  return cmocka_run_group_tests_name("dart_locality", tests, NULL, NULL);
}
