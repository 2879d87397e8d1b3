/* Wrong calls of DART, one for each message: localities; see support/golden.h. The trees of machines differ, so that most calls use
 * chains of domains that this program makes. */
#include <dash/dart/if/dart_locality.h>

#include "support/golden_dart.h"

enum { DEEPEST = 15 }; /* levels of tags ".0" that are short enough */
typedef dart_domain_locality_t domain;

/* Of `own`; the library owns it. */
static domain *the_tree(void) {
  static domain *tree;
  if (!tree) dart_domain_team_locality(own, ".", &tree);
  return tree;
}

static domain *create_domain(void) {
  domain *made = NULL;
  dart_domain_create(&made);
  return made;
}

static domain *clone_tree(void) {
  domain *made = NULL;
  dart_domain_clone(the_tree(), &made);
  return made;
}

static domain *deepest(domain *at) {
  while (at->num_domains) at = at->children[0];
  return at;
}

/* Domains of which each but the first is the only child of the one before, with `levels` levels below the root. */
static domain *create_chain(int levels) {
  domain *root = create_domain(), *last = root;
  for (; levels > 0; levels--, last = last->children[0]) dart_domain_add_subdomain(last, create_domain(), 0);
  return root;
}

static dart_ret_t drop(dart_ret_t result, domain *root) {
  dart_domain_destroy(root);
  return result;
}

/* Adds a domain that does not become part of the tree. */
static dart_ret_t add_to(domain *root, domain *at, domain *subdomain, int position) {
  return drop(drop(dart_domain_add_subdomain(at, subdomain, position), subdomain), root);
}

static dart_ret_t destroy_part(void) {
  domain *root = create_chain(1);
  return drop(dart_domain_destroy(root->children[0]), root);
}

static dart_ret_t assign_deep(void) {
  domain *root = create_chain(DEEPEST), *other = create_chain(1);
  return drop(drop(dart_domain_assign(deepest(root), other), other), root);
}

static dart_ret_t add_at(int position) {
  domain *root = create_domain();
  return add_to(root, root, create_domain(), position);
}

static dart_ret_t add_to_leaf(void) {
  domain *root = clone_tree();
  domain *leaf = deepest(root);
  strcpy(leaf->domain_tag, ".0"); /* instead of one that depends on the machine */
  return add_to(root, leaf, create_domain(), 0);
}

static dart_ret_t add_deep(void) {
  domain *root = create_chain(DEEPEST);
  return add_to(root, deepest(root), create_domain(), 0);
}

static dart_ret_t add_part(void) {
  domain *root = create_chain(1);
  return drop(dart_domain_add_subdomain(root, root->children[0], 1), root);
}

static dart_ret_t add_tree_of_team(void) {
  domain *root = create_domain();
  return drop(dart_domain_add_subdomain(root, the_tree(), 0), root);
}

static dart_ret_t add_unit_twice(void) {
  domain *root = clone_tree();
  return add_to(root, root, clone_tree(), 0);
}

static dart_ret_t move_below_itself(void) {
  domain *root = create_chain(2);
  return drop(dart_domain_move_subdomain(root->children[0], deepest(root), 0), root);
}

static dart_ret_t select_tags(int n, const char **tags) {
  domain *root = create_domain();
  return drop(dart_domain_select(root, n, tags), root);
}

static dart_ret_t group_domains(int levels, int n, const char *tag) {
  char made[DART_LOCALITY_DOMAIN_TAG_MAX_SIZE];
  domain *root = create_chain(levels);
  return drop(dart_domain_group(root, n, &tag, made), root);
}

static dart_ret_t group_deep(void) {
  char made[DART_LOCALITY_DOMAIN_TAG_MAX_SIZE];
  domain *root = create_chain(DEEPEST);
  const char *tag = deepest(root)->domain_tag;
  return drop(dart_domain_group(root, 1, &tag, made), root);
}

static dart_ret_t split_into_none(void) {
  dart_group_t group, part;
  size_t n;
  if (dart_group_create(&group) != DART_OK) return DART_OK;
  dart_ret_t result = dart_group_locality_split(group, the_tree(), DART_LOCALITY_SCOPE_NODE, 0, &n, &part);
  dart_group_destroy(&group);
  return result;
}

/* ---- all calls ---- */

#define CALLS(CALL)                                                                                             \
  CALL(2059, 0, INVAL, destroy_part())                                                                          \
  CALL(2060, 0, INVAL, dart_domain_destroy(the_tree()))                                                         \
  CALL(2061, 0, INVAL, assign_deep())                                                                           \
  CALL(2062, 0, INVAL, add_at(1))                                                                               \
  CALL(2063, 0, INVAL, add_to_leaf())                                                                           \
  CALL(2064, 0, INVAL, add_deep())                                                                              \
  CALL(2065, 0, INVAL, add_part())                                                                              \
  CALL(2066, 0, INVAL, add_tree_of_team())                                                                      \
  CALL(2067, 0, INVAL, add_unit_twice())                                                                        \
  CALL(2068, 0, INVAL, move_below_itself())                                                                     \
  CALL(2069, 0, INVAL, select_tags(-1, NULL))                                                                   \
  CALL(2070, 0, INVAL, select_tags(1, (const char *[]){NULL}))                                                  \
  CALL(2071, 0, INVAL, group_domains(1, 1, NULL))                                                               \
  CALL(2072, 0, INVAL, group_domains(1, 1, "."))                                                                \
  CALL(2073, 0, NOTFOUND, group_domains(1, 1, ".7"))                                                            \
  CALL(2074, 0, INVAL, group_domains(1, 0, ".0"))                                                               \
  CALL(2075, 0, INVAL, group_deep())                                                                            \
  CALL(2076, 0, INVAL, dart_domain_create(NULL))                                                                \
  CALL(2077, 0, INVAL, dart_domain_split_scope(the_tree(), DART_LOCALITY_SCOPE_NODE, 0, &(domain){.level = 0})) \
  CALL(2078, 0, INVAL, split_into_none())                                                                       \
  CALL(2079, 0, NOTFOUND, dart_domain_team_locality(own, ".77", &(domain *){NULL}))                             \
  CALL(2080, 0, INVAL, dart_unit_locality(own, DART_TEAM_UNIT_ID(1), &(dart_unit_locality_t *){NULL}))

GOLDEN_MAIN(start, end)
