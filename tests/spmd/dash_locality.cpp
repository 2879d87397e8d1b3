/* Locality as DASH uses it: from a unit's record to its domain and up, down by the tags alone, into parts and groups
 * that are copied as plain structures, and to teams split by it.
 * Group: dash_calls
 */
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <dash/dart/if/dart_locality.h>

#include "dart_check.h"

namespace {

using Domain = dart_domain_locality_t;

Domain *root_of(dart_team_t team) {
  Domain *root = nullptr;
  OK(dart_domain_team_locality(team, ".", &root));
  return root;
}

dart_unit_locality_t *record_of(dart_team_t team, dart_unit_t unit) {
  dart_unit_locality_t *record = nullptr;
  OK(dart_unit_locality(team, unit, &record));
  return record;
}

/* Descends through the domains whose tags are prefixes of this tag; the tag of the root is ".". */
Domain *walk_to(Domain *domain, const std::string &tag) {
  if (domain->domain_tag == tag) return domain;
  for (int i = 0; i < domain->num_domains; i++) {
    std::string own = domain->children[i]->domain_tag;
    if (tag.compare(0, own.size(), own) != 0) continue;
    if (Domain *found = walk_to(domain->children[i], tag)) return found;
  }
  return nullptr;
}

void is_whole(const Domain *domain) {
  CHECK((domain->num_domains == 0) == (domain->children == nullptr));
  for (int i = 0; i < domain->num_domains; i++) {
    const Domain *child = domain->children[i];
    CHECK(child->parent == domain);
    CHECK_EQ(child->relative_index, i);
    CHECK_EQ(child->level, domain->level + 1);
    is_whole(child);
  }
  for (int i = 0; i < domain->num_units; i++) {
    dart_team_unit_t in_team;
    OK(dart_team_unit_g2l(domain->team, domain->unit_ids[i], &in_team));
    CHECK(in_team.id >= 0);
  }
}

bool are_equal(const Domain *a, const Domain *b) {
  if (a->num_domains != b->num_domains || a->num_units != b->num_units || a->num_cores != b->num_cores ||
      a->num_nodes != b->num_nodes || a->scope != b->scope || a->level != b->level || a->team != b->team ||
      a->global_index != b->global_index || a->relative_index != b->relative_index)
    return false;
  if (std::string(a->domain_tag) != b->domain_tag || std::string(a->host) != b->host) return false;
  for (int i = 0; i < a->num_units; i++)
    if (a->unit_ids[i].id != b->unit_ids[i].id) return false;
  for (int i = 0; i < a->num_domains; i++)
    if (!are_equal(a->children[i], b->children[i])) return false;
  return true;
}

void every_unit_has_its_place(dart_team_t team) {
  Domain *root = root_of(team);
  std::size_t n = 0;
  OK(dart_team_size(team, &n));
  CHECK_EQ(root->level, DART_LOCALITY_SCOPE_GLOBAL);
  CHECK_EQ(root->num_units, n);
  is_whole(root);
  for (std::size_t u = 0; u < n; u++) {
    auto unit = static_cast<dart_unit_t>(u);
    dart_unit_locality_t *record = record_of(team, unit);
    CHECK(record->unit.id == unit && record->team == team);
    const dart_hwinfo_t &hw = record->hwinfo;
    CHECK(hw.num_cores != 0 && hw.num_cores >= -1);
    CHECK(hw.min_threads != 0 && hw.max_threads >= hw.min_threads);
    CHECK(std::max(hw.num_cores, 1) * std::max(hw.min_threads, 1) >= 1);
    Domain *core = nullptr;
    OK(dart_domain_find(root, record->domain_tag, &core));
    CHECK(core == walk_to(root, record->domain_tag));
    CHECK_EQ(core->scope, DART_LOCALITY_SCOPE_CORE);
    CHECK(core->level > 2);
    Domain *node = core, *above = core;
    while (node->scope > DART_LOCALITY_SCOPE_NODE) node = node->parent;
    while (above->scope >= DART_LOCALITY_SCOPE_NUMA) above = above->parent;
    CHECK_EQ(node->scope, DART_LOCALITY_SCOPE_NODE);
    CHECK(above->num_domains >= 1);
    CHECK(std::string(node->host) == hw.host);
  }
}

/* Copies are equal, and a removal changes only one of them. */
void copies_are_changed_alone() {
  Domain *root = root_of(DART_TEAM_ALL), *copy = nullptr, *gone = root;
  OK(dart_domain_clone(root, &copy));
  CHECK(are_equal(root, copy));
  const char *tag = record_of(DART_TEAM_ALL, self)->domain_tag;
  OK(dart_domain_exclude(copy, 1, &tag));
  CHECK_EQ(dart_domain_find(copy, tag, &gone), DART_ERR_NOTFOUND);
  CHECK(gone == nullptr);
  CHECK(walk_to(root, tag) != nullptr);
  OK(dart_domain_assign(copy, root));
  CHECK(are_equal(root, copy));
  OK(dart_domain_destroy(copy));
}

/* Parts come in an array of structures; each is cloned from there, and queried for a scope that may not exist. */
void parts_are_copied(dart_locality_scope_t scope) {
  Domain *root = root_of(DART_TEAM_ALL), **list = nullptr;
  int n = -1;
  dart_ret_t result = dart_domain_scope_domains(root, scope, &n, &list);
  CHECK(result == DART_OK || result == DART_ERR_NOTFOUND);
  CHECK((n > 0) == (result == DART_OK));
  for (int i = 0; i < n; i++) CHECK_EQ(list[i]->scope, scope);
  if (n > 0) std::free(list);
  if (n <= 0) return;
  int wanted = std::min(n, 3), found = 0;
  std::vector<Domain> parts(static_cast<std::size_t>(wanted));
  OK(dart_domain_split_scope(root, scope, wanted, parts.data()));
  for (Domain &part : parts) {
    Domain *copy = nullptr, *empty = nullptr;
    OK(dart_domain_clone(&part, &copy));
    is_whole(copy);
    found += copy->num_units;
    OK(dart_domain_destroy(copy));
    OK(dart_domain_create(&empty));
    OK(dart_domain_assign(&part, empty));
    OK(dart_domain_destroy(empty));
  }
  CHECK_EQ(found, units_n);
}

/* The first two units' cores form one group, the rest another; tags noted before stay valid, and are passed twice. */
void units_are_grouped() {
  Domain *tree = nullptr;
  OK(dart_domain_clone(root_of(DART_TEAM_ALL), &tree));
  std::vector<std::string> tags[2];
  std::vector<dart_unit_t> units[2];
  for (dart_unit_t u = 0; u < units_n; u++) {
    std::string tag = record_of(DART_TEAM_ALL, u)->domain_tag;
    bool with_first = u < 2 || std::count(tags[0].begin(), tags[0].end(), tag) > 0;
    units[with_first ? 0 : 1].push_back(u);
    tags[with_first ? 0 : 1].insert(tags[with_first ? 0 : 1].end(), 2, tag);
  }
  std::vector<std::string> groups;
  for (int i = 0; i < 2; i++) {
    if (tags[i].empty()) continue;
    std::vector<const char *> names;
    for (const std::string &tag : tags[i]) names.push_back(tag.c_str());
    char group_tag[DART_LOCALITY_DOMAIN_TAG_MAX_SIZE];
    OK(dart_domain_group(tree, static_cast<int>(names.size()), names.data(), group_tag));
    groups.push_back(group_tag);
    Domain *group = walk_to(tree, group_tag);
    CHECK(group != nullptr);
    if (!group) continue;
    CHECK_EQ(group->scope, DART_LOCALITY_SCOPE_GROUP);
    std::vector<dart_unit_t> members;
    for (int k = 0; k < group->num_units; k++) members.push_back(group->unit_ids[k].id);
    CHECK(members == units[i]);
  }
  is_whole(tree);
  for (const std::string &tag : groups) {
    Domain *part = nullptr;
    OK(dart_domain_clone(tree, &part));
    const char *name = tag.c_str();
    OK(dart_domain_select(part, 1, &name));
    CHECK(walk_to(part, tag) != nullptr);
    is_whole(part);
    OK(dart_domain_destroy(part));
  }
  OK(dart_domain_destroy(tree));
}

/* More parts than domains: the rest of the array does not change. */
void teams_are_split(dart_locality_scope_t scope, std::size_t parts_n) {
  std::vector<dart_group_t> before(parts_n), parts;
  for (dart_group_t &one : before) OK(dart_group_create(&one));
  parts = before;
  dart_group_t group = DART_GROUP_NULL;
  std::size_t stored = 0;
  OK(dart_team_get_group(DART_TEAM_ALL, &group));
  OK(dart_group_locality_split(group, root_of(DART_TEAM_ALL), scope, parts_n, &stored, parts.data()));
  OK(dart_group_destroy(&group));
  dart_team_t mine = DART_TEAM_NULL;
  for (std::size_t i = 0; i < parts_n; i++) {
    dart_team_t made = DART_TEAM_NULL;
    if (before[i] != parts[i]) OK(dart_group_destroy(&before[i]));
    OK(dart_team_create(DART_TEAM_ALL, parts[i], &made));
    OK(dart_group_destroy(&parts[i]));
    if (made == DART_TEAM_NULL) continue;
    CHECK_EQ(mine, DART_TEAM_NULL);
    mine = made;
  }
  CHECK(mine != DART_TEAM_NULL);
  if (mine == DART_TEAM_NULL) return;
  OK(dart_team_locality_init(mine));
  every_unit_has_its_place(mine);
  dart_team_t gone = mine;
  OK(dart_team_locality_finalize(mine));
  OK(dart_team_destroy(&mine));
  OK(dart_team_locality_finalize(gone));
}

} // namespace

int main(int argc, char **argv) {
  for (int life = 0; life < 2; life++) {
    start(&argc, &argv);
    every_unit_has_its_place(DART_TEAM_ALL);
    copies_are_changed_alone();
    for (dart_locality_scope_t scope : {DART_LOCALITY_SCOPE_NODE, DART_LOCALITY_SCOPE_MODULE, DART_LOCALITY_SCOPE_NUMA,
                                        DART_LOCALITY_SCOPE_PACKAGE, DART_LOCALITY_SCOPE_UNCORE,
                                        DART_LOCALITY_SCOPE_CACHE, DART_LOCALITY_SCOPE_CORE})
      parts_are_copied(scope);
    units_are_grouped();
    teams_are_split(DART_LOCALITY_SCOPE_NODE, 1);
    teams_are_split(DART_LOCALITY_SCOPE_NODE, 3);
    teams_are_split(DART_LOCALITY_SCOPE_CORE, 2);
    OK(dart_exit());
  }
  return check_result();
}
