/* Locality: where the units of a team are in the hardware, as a tree of domains that programs can search, copy, prune
 * and regroup. Not part of dart.h.
 *
 * The tree of a team contains only domains that hold units of the team:
 *   GLOBAL      the root, tag "."
 *   NODE        units that share memory. With TESSERA_VIRTUAL_NODES these are the virtual nodes, although they are
 *               on one host. `node_id` is the node's number in the job, also in the trees of other teams
 *   MODULE      one per node: the host itself
 *   NUMA        the memory of some of the cores
 *   PACKAGE     left out if one package has several NUMA nodes, because it is then part of none of them
 *   CACHE       the outermost cache, then every smaller cache that several cores share
 *   CORE        the leaves. Units on the same core have the same domain
 * A unit that may run on several cores is assigned to one of them: the one where it started, if no other unit was
 * there. The `unit_ids` of a domain are numbers in DART_TEAM_ALL, in ascending order. `num_cores` counts the cores of
 * the hardware, with or without units. `global_index` is the number of the domain among those of its scope; below
 * NODE it counts on its node only. `shared_mem_bytes` is the size of a cache, and -1 in other domains. `is_symmetric`
 * says whether the domains below have equal numbers of units, cores and domains. There are no aliases.
 *
 * Tags. ".0.2" is a domain of ".0", which is a domain of the root. In a new tree the last number is the position
 * among the siblings (`relative_index`). Edits keep the tags of domains that they do not move, so that tags that a
 * program has stored stay valid; positions, counts and units are updated. Tags in a copy are those of the original.
 *
 * Owner. Trees of teams belong to the library, and pointers into them are valid until dart_team_locality_finalize,
 * dart_team_destroy or dart_exit. Programs may edit them (DASH does): the unit then sees its own edited tree until
 * dart_team_locality_finalize drops it; the trees of other units do not change. Trees that a program creates or
 * clones belong to the program until dart_domain_destroy.
 *
 * For all functions, unless they say otherwise: Who: any unit, alone, without communication. Return: complete.
 * Threads: any, but one at a time on one tree. Cost: local, proportional to the tree. Errors: DART_ERR_INVAL: a null
 * pointer; DART_ERR_NOTFOUND: no domain has this tag or scope; DART_ERR_NOMEM. After an error the tree is unchanged. */
#ifndef TESSERA_DART_LOCALITY_H
#define TESSERA_DART_LOCALITY_H

#include <dash/dart/if/dart_types.h>
#include <dash/dart/if/dart_util.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Builds the team's tree, unless it exists. The call is optional: the first function that needs the tree builds it.
 * Who: every unit of the team, by the published contract; here any unit may call it alone. Cost: the first call of a
 * process reads the hardware, which takes milliseconds, and sends one query to every other node of the team. Threads:
 * any. Errors: DART_ERR_INVAL: an unknown team. */
TESSERA_DART_API dart_ret_t dart_team_locality_init(dart_team_t team) DART_NOTHROW;

/* Drops the team's tree and the records of its units, including all edits; the next use builds new ones.
 * Who: every unit of the team, by the published contract; here any unit may call it alone, also after the team was
 * destroyed, or after dart_exit. Owner: pointers into the tree and to the records become invalid. Threads: one per
 * team. Errors: DART_ERR_INVAL: DART_TEAM_NULL. */
TESSERA_DART_API dart_ret_t dart_team_locality_finalize(dart_team_t team) DART_NOTHROW;

/* Stores the domain of the team's tree with this tag; NULL if there is none. If the tree does not exist it is built
 * first, with Cost and Threads of dart_team_locality_init.
 * Errors: DART_ERR_INVAL: also an unknown team; DART_ERR_NOTFOUND. */
TESSERA_DART_API dart_ret_t dart_domain_team_locality(dart_team_t team, const char *domain_tag,
                                                      dart_domain_locality_t **team_domain_out) DART_NOTHROW;

/* Stores a new domain without units and without child domains, of scope DART_LOCALITY_SCOPE_UNDEFINED, with tag ".". */
TESSERA_DART_API dart_ret_t dart_domain_create(dart_domain_locality_t **domain_out) DART_NOTHROW;

/* Stores a deep copy. It is a tree of its own: its root has no parent, but keeps the tag and the level of the
 * original. */
TESSERA_DART_API dart_ret_t dart_domain_clone(const dart_domain_locality_t *domain_in,
                                              dart_domain_locality_t **domain_out) DART_NOTHROW;

/* Destroys a tree that the program created or cloned; NULL is accepted.
 * Errors: DART_ERR_INVAL: the domain is part of a larger tree (see dart_domain_remove_subdomain) or a team's tree. */
TESSERA_DART_API dart_ret_t dart_domain_destroy(dart_domain_locality_t *domain) DART_NOTHROW;

/* Makes `domain_lhs`, an existing domain, a deep copy of `domain_rhs`. If `domain_lhs` is inside a tree it keeps its
 * place, tag and level there; the tags of the copied domains below follow from that. */
TESSERA_DART_API dart_ret_t dart_domain_assign(dart_domain_locality_t *domain_lhs,
                                               const dart_domain_locality_t *domain_rhs) DART_NOTHROW;

/* Stores the domain with this tag in or below `domain_in`; NULL if there is none.
 * Errors: DART_ERR_NOTFOUND; it is not logged, because programs may search in this way. */
TESSERA_DART_API dart_ret_t dart_domain_find(const dart_domain_locality_t *domain_in, const char *domain_tag,
                                             dart_domain_locality_t **subdomain_out) DART_NOTHROW;

/* Keeps, below `domain_in`, the domains with these tags and all domains above and below them; removes all others.
 * Contract: tags that are not in the tree select nothing and are no error. */
TESSERA_DART_API dart_ret_t dart_domain_select(dart_domain_locality_t *domain_in, int num_subdomain_tags,
                                               const char **subdomain_tags) DART_NOTHROW;

/* Removes the domains below `domain_in` that have one of these tags, with everything below them. Domains above them
 * stay, even without units.
 * Contract: tags that are not in the tree exclude nothing and are no error. */
TESSERA_DART_API dart_ret_t dart_domain_exclude(dart_domain_locality_t *domain_in, int num_subdomain_tags,
                                                const char **subdomain_tags) DART_NOTHROW;

/* Makes a tree part of another: its root becomes child number `subdomain_rel_id` of `domain`, and its tags then begin
 * with the tag of `domain`.
 * Owner: `subdomain`, made by dart_domain_create or dart_domain_clone, belongs to the tree afterwards.
 * Errors: DART_ERR_INVAL: a position beyond the number of children; `subdomain` is part of a tree, or a team's tree;
 * one of its units is already in the tree; `domain` is a leaf that holds units; a tag would be longer than 31
 * characters. */
TESSERA_DART_API dart_ret_t dart_domain_add_subdomain(dart_domain_locality_t *domain,
                                                      dart_domain_locality_t *subdomain,
                                                      int subdomain_rel_id) DART_NOTHROW;

/* Removes child number `subdomain_rel_id` with everything below it.
 * Errors: DART_ERR_INVAL: no such child. Contract: upstream exports but does not declare it. */
TESSERA_DART_API dart_ret_t dart_domain_remove_subdomain(dart_domain_locality_t *domain,
                                                         int subdomain_rel_id) DART_NOTHROW;

/* Moves a domain to another place in its tree: it becomes child number `new_domain_rel_id` of `new_parent_domain`,
 * counted without the moved domain, and its tags change accordingly.
 * Errors: DART_ERR_INVAL: as dart_domain_add_subdomain; the domains belong to different trees; the new parent is
 * inside the domain. */
TESSERA_DART_API dart_ret_t dart_domain_move_subdomain(dart_domain_locality_t *domain,
                                                       dart_domain_locality_t *new_parent_domain,
                                                       int new_domain_rel_id) DART_NOTHROW;

/* Splits a tree by its domains of one scope. The domains are distributed over `num_parts` parts in their order, as
 * evenly as possible. Part i is stored in split_domain_out[i] as a copy of `domain_in` that contains only its domains
 * of that scope. With more parts than domains, some parts have none.
 * Owner: the caller owns the num_parts structures, which are overwritten; to free what a part holds, assign a new
 * domain of dart_domain_create to it. Errors: DART_ERR_NOTFOUND: no domain of this scope; DART_ERR_INVAL: num_parts
 * is below 1. */
TESSERA_DART_API dart_ret_t dart_domain_split_scope(const dart_domain_locality_t *domain_in,
                                                    dart_locality_scope_t scope, int num_parts,
                                                    dart_domain_locality_t *split_domain_out) DART_NOTHROW;

/* Stores the tags of the domains of a scope in and below `domain_in`, in their order; of nested domains only the
 * outermost.
 * Owner: the caller, who frees each tag and the array with free(). Errors: DART_ERR_NOTFOUND, which is not logged: 0
 * and NULL are then stored. */
TESSERA_DART_API dart_ret_t dart_domain_scope_tags(const dart_domain_locality_t *domain_in, dart_locality_scope_t scope,
                                                   int *num_domains_out, char ***domain_tags_out) DART_NOTHROW;

/* As dart_domain_scope_tags, but stores the domains themselves, which stay in the tree; free the array with free(). */
TESSERA_DART_API dart_ret_t dart_domain_scope_domains(const dart_domain_locality_t *domain_in,
                                                      dart_locality_scope_t scope, int *num_domains_out,
                                                      dart_domain_locality_t ***domains_out) DART_NOTHROW;

/* Moves domains into a new domain of scope GROUP, which becomes the last child of the lowest domain above all of
 * them. Copies of the domains that were above the moved ones are placed between the group and them. Domains that lose
 * all their children are removed; the others keep their tags. Stores the tag of the group in group_tag_out, which has
 * room for 32 characters. A tag may be listed several times.
 * Owner: pointers to the grouped domains become invalid. Errors: DART_ERR_NOTFOUND: a tag is not in the tree;
 * DART_ERR_INVAL: no tags; the tag of `domain_in` itself; a tag would be longer than 31 characters. */
TESSERA_DART_API dart_ret_t dart_domain_group(dart_domain_locality_t *domain_in, int num_group_subdomains,
                                              const char **group_subdomain_tags, char *group_domain_tag_out) DART_NOTHROW;

/* Stores the record of a unit of the team: its hardware, and the present tag of its CORE domain in the team's tree; a
 * unit whose domain was removed keeps its last tag. Stores NULL if there is no such unit. In the record, `num_cores`
 * is the unit's share of the cores on which it may run, `cpu_id` is the operating system's number of a CPU, `scopes`
 * begins with the CORE and ends with the NUMA domain, memory is in MB, and max_shmem_mbps is nominal: the same for
 * all units.
 * Owner: the library, until the team's locality is dropped. Threads: any. Cost: proportional to the units on its node;
 * the first call for a node reads its hardware or sends it one query. The team's tree is not built.
 * Errors: DART_ERR_INVAL: also an unknown team, and a number that no unit has. */
TESSERA_DART_API dart_ret_t dart_unit_locality(dart_team_t team, dart_team_unit_t unit,
                                               dart_unit_locality_t **loc) DART_NOTHROW;

#ifdef __cplusplus
}
#endif
#endif
