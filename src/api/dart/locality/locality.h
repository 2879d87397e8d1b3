/* Trees of locality domains, inside.
 *
 * What holds in every tree: a child's tag is its parent's and one more number, no two siblings have the same; `unit_ids`
 * is ascending, and for a domain with children what its children have together; every domain but the root (which may be
 * a field of a program's array) is allocated by itself. */
#ifndef TSR_FACES_DART_LOCALITY_H
#define TSR_FACES_DART_LOCALITY_H

#include <stdbool.h>
#include <stdint.h>

#include <dash/dart/if/dart_locality.h>

#include "core/topology.h"

typedef dart_domain_locality_t tsr_domain;

/* One call of the interface has several of these checks. */
#define TSR_DOMAIN_REQUIRE(argument)                                                                               \
  if (!(argument))                                                                                                 \
  return tsr_dart_invalid("%s: %s is NULL; pass a live domain, tags, and where to store results", __func__, #argument)

/* Logs that memory is out and returns the code. */
dart_ret_t tsr_domain_no_memory(const char *call) __attribute__((cold));

/* domain.c: life */

void tsr_domain_init(tsr_domain *domain);
void tsr_domain_clear(tsr_domain *domain); /* frees what it holds, not itself */
void tsr_domain_free(tsr_domain *domain);  /* NULL: nothing */
/* Overwrites *to with a deep copy without a parent. False: no memory, and *to is left alone. */
bool tsr_domain_copy(tsr_domain *to, const tsr_domain *from);
tsr_domain *tsr_domain_clone(const tsr_domain *from); /* NULL: no memory */
/* Stores a copy of the numbers. False: no memory. */
bool tsr_domain_set_units(tsr_domain *domain, int n, const dart_global_unit_t units[]);

/* links.c: parents, children, tags, and what domains know about those below them */

tsr_domain *tsr_domain_root(tsr_domain *domain);
bool tsr_domain_is_below(const tsr_domain *domain, const tsr_domain *above); /* or the same */
/* Room for one more child; false: no memory. */
bool tsr_domain_reserve_child(tsr_domain *domain);
/* Room for more units in the domain and all above; false: no memory. */
bool tsr_domain_reserve_units(tsr_domain *domain, int more);
/* Inserts a child where room is reserved; does not update units, tags and counts. */
void tsr_domain_link(tsr_domain *parent, tsr_domain *child, int at);
void tsr_domain_unlink(tsr_domain *child);
/* The last number of a tag for a new child: one that is larger than all, or `wanted` if no child has it. */
int tsr_domain_new_number(const tsr_domain *parent);
int tsr_domain_free_number(const tsr_domain *parent, int wanted);
/* Whether all tags of a tree fit when its root's becomes `parent`'s and `number`. */
bool tsr_domain_tags_fit(const tsr_domain *domain, const char *parent_tag, int number);
/* Writes the tag and the level of the domain from its parent's, and those below from that. */
void tsr_domain_retag(tsr_domain *domain, int number);
void tsr_domain_retag_below(tsr_domain *domain);
/* Computes anew what a domain knows of its children (units, cores, nodes, symmetry), in place; then all above it. */
void tsr_domain_update(tsr_domain *domain);
void tsr_domain_update_upwards(tsr_domain *domain);
void tsr_domain_compare_children(tsr_domain *domain); /* for its symmetry alone */

/* find.c */

bool tsr_domain_has_unit(const tsr_domain *domain, int32_t unit);
/* Whether the domain with this tag is, or lies above, the one with the other tag. */
bool tsr_domain_tag_covers(const char *tag, const char *other);
tsr_domain *tsr_domain_find(const tsr_domain *in, const char *tag);       /* NULL: none */
const tsr_domain *tsr_domain_of_unit(const tsr_domain *in, int32_t unit); /* the lowest; NULL: none */
/* The outermost domains of a scope, in order: stores up to `room` of them and returns how many there are. */
int tsr_domain_list(const tsr_domain *in, dart_locality_scope_t scope, int room, tsr_domain *list[]);

/* filter.c: removal by tags; allocates nothing. `drop_empty`: also what loses all its children. */

void tsr_domain_select(tsr_domain *domain, int n, const char *const tags[]);
void tsr_domain_exclude(tsr_domain *domain, int n, const char *const tags[], bool drop_empty);

/* levels.c: the scopes of a node's tree */

enum { TSR_LEVELS_MAX = 10 };

struct tsr_level {
  dart_locality_scope_t scope;
  int16_t (*number)(const struct tsr_cpu *cpu, int cache); /* of the domain that a CPU belongs to */
  int cache;                                               /* its level, for a cache: 0 is the first */
};

/* Stores the levels below MODULE, outermost first, and returns their number; the last is CORE. */
int tsr_levels_of(const struct tsr_topology *topology, struct tsr_level levels[TSR_LEVELS_MAX]);

static inline int tsr_level_number(const struct tsr_level *level, const struct tsr_cpu *cpu) {
  return level->number(cpu, level->cache);
}

/* hwinfo.c */

/* A whole number of MB that the interface wants; nobody has measured it, and DASH divides by it. */
enum { TSR_NOMINAL_SHMEM_MBPS = 1000 };

void tsr_hwinfo_of_unit(const struct tsr_topology *topology, const struct tsr_placement *placement,
                        dart_hwinfo_t *hwinfo);

/* build.c */

/* Who is to be in a tree. */
struct tsr_roster {
  dart_team_t team;
  int32_t units_n;
  const int32_t *units; /* world numbers, ascending */
  const int32_t *nodes; /* of each */
  const struct tsr_topology *(*topology_of)(int32_t node);
};

/* NULL: no memory. */
tsr_domain *tsr_tree_build(const struct tsr_roster *roster);

/* team.c */

bool tsr_locality_is_team_tree(const tsr_domain *domain);
void tsr_locality_drop(dart_team_t team);
void tsr_locality_drop_all(void);

#endif
