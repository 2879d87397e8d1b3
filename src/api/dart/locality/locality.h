/* Trees of locality domains.
 *
 * Invariants: a child's tag is its parent's tag and one more number, which no sibling has. `unit_ids` is ascending; a
 * domain with children has the units of its children. Every domain is allocated by itself, except the root, which may
 * be an element of a program's array. */
#ifndef TSR_API_DART_LOCALITY_H
#define TSR_API_DART_LOCALITY_H

#include <stdbool.h>
#include <stdint.h>

#include <dash/dart/if/dart_locality.h>

#include "core/team.h"
#include "core/topology.h"

typedef dart_domain_locality_t tsr_domain;

#define TSR_DOMAIN_REQUIRE(argument)                                                                               \
  if (!(argument))                                                                                                 \
  return tsr_dart_invalid("TSR-2076 %s: %s is NULL; pass a valid pointer", __func__, #argument)

/* Logs that there is no memory, and returns the code. */
dart_ret_t tsr_domain_no_memory(const char *call) __attribute__((cold));

/* ---- domain.c ---- */

void tsr_domain_init(tsr_domain *domain);
void tsr_domain_clear(tsr_domain *domain); /* frees the contents, not the domain */
void tsr_domain_free(tsr_domain *domain);  /* NULL: nothing */
/* Overwrites *to with a deep copy without a parent. False: no memory, and *to is unchanged. */
bool tsr_domain_copy(tsr_domain *to, const tsr_domain *from);
tsr_domain *tsr_domain_clone(const tsr_domain *from); /* NULL: no memory */

tsr_domain *tsr_domain_root(tsr_domain *domain);
bool tsr_domain_is_below(const tsr_domain *domain, const tsr_domain *above); /* true also if they are the same */
/* Reserves room for one more child. False: no memory. */
bool tsr_domain_reserve_child(tsr_domain *domain);
/* Reserves room for more units in the domain and all its ancestors. False: no memory. */
bool tsr_domain_reserve_units(tsr_domain *domain, int more);
/* Inserts a child, for which room was reserved. Does not update units, tags and counts. */
void tsr_domain_link(tsr_domain *parent, tsr_domain *child, int at);
void tsr_domain_unlink(tsr_domain *child);
/* The last number in the tag of a new child. _new: larger than all others. _free: `wanted` unless a child has it. */
int tsr_domain_new_number(const tsr_domain *parent);
int tsr_domain_free_number(const tsr_domain *parent, int wanted);
/* Whether all tags of a tree fit after its root's tag becomes parent_tag and `number`. */
bool tsr_domain_tags_fit(const tsr_domain *domain, const char *parent_tag, int number);
/* Sets the tag, level and team of the domain from its parent and `number`, then those of all descendants. */
void tsr_domain_retag(tsr_domain *domain, int number);
/* Recomputes the sums over children (units, cores, nodes, symmetry). _upwards: also in all ancestors. */
void tsr_domain_update(tsr_domain *domain);
void tsr_domain_update_upwards(tsr_domain *domain);
void tsr_domain_compare_children(tsr_domain *domain); /* recomputes the symmetry only */
int tsr_domain_by_number(const void *one, const void *other); /* for qsort and bsearch of unit numbers */

/* ---- find.c ---- */

bool tsr_domain_has_unit(const tsr_domain *domain, int32_t unit);
/* Whether the domain with this tag is the one with the other tag or an ancestor of it. */
bool tsr_domain_tag_covers(const char *tag, const char *other);
tsr_domain *tsr_domain_find(const tsr_domain *in, const char *tag);       /* NULL: none */
const tsr_domain *tsr_domain_of_unit(const tsr_domain *in, int32_t unit); /* the lowest; NULL: none */
/* Stores up to `room` of the outermost domains of a scope, depth first, and returns the number of all. */
int tsr_domain_list(const tsr_domain *in, dart_locality_scope_t scope, int room, tsr_domain *list[]);

/* ---- edit.c ---- */

/* Removes all but the domains with these tags, without allocation. */
void tsr_domain_select(tsr_domain *domain, int n, const char *const tags[]);

/* ---- build.c ---- */

enum { TSR_LEVELS_MAX = 10 };

struct tsr_level {
  dart_locality_scope_t scope;
  int16_t (*number)(const struct tsr_cpu *cpu, int cache); /* the domain that a CPU belongs to */
  int cache;                                               /* of a cache: its level, from 0 */
};

/* Stores the levels below MODULE, outermost first, and returns their number; the last is CORE. */
int tsr_levels_of(const struct tsr_topology *topology, struct tsr_level levels[TSR_LEVELS_MAX]);

static inline int tsr_level_number(const struct tsr_level *level, const struct tsr_cpu *cpu) {
  return level->number(cpu, level->cache);
}

/* MB per second. Not measured, but positive, since DASH divides by it. */
enum { TSR_NOMINAL_SHMEM_MBPS = 1000 };

void tsr_hwinfo_of_unit(const struct tsr_topology *topology, const struct tsr_placement *placement,
                        dart_hwinfo_t *hwinfo);

/* The units of a tree to be built. */
struct tsr_roster {
  dart_team_t team;
  int32_t units_n;
  const int32_t *units; /* world numbers, ascending */
  const int32_t *nodes; /* of each unit */
  const struct tsr_topology *(*topology_of)(int32_t node);
};

/* NULL: no memory. */
tsr_domain *tsr_tree_build(const struct tsr_roster *roster);

/* ---- unit.c ---- */

/* Fills in the record of a member, with the tag that its domain has in a new tree of the team. The topology of its node is
 * known. False: no memory, and the record has no tag. */
bool tsr_unit_record_fill(const tsr_team *team, int32_t member, dart_unit_locality_t *record);

/* ---- team.c ---- */

bool tsr_locality_is_team_tree(const tsr_domain *domain);
void tsr_locality_drop(dart_team_t team);
void tsr_locality_drop_all(void);

#endif
