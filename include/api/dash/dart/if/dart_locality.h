/* Locality: where the units of a team sit in the hardware, as a tree of domains that programs can search, copy, prune
 * and regroup. Not part of dart.h.
 *
 * The tree of a team has only domains that hold units of the team:
 *   GLOBAL      the root, tag "."
 *   NODE        units that share memory; with TESSERA_VIRTUAL_NODES the virtual nodes, although they are one host.
 *               `node_id` is the node's number in the job, also in the trees of other teams
 *   MODULE      one per node: the host itself
 *   NUMA        the memory of a part of the cores
 *   PACKAGE     left out where one package has several NUMA nodes: it is no part of any
 *   CACHE       the outermost cache, then every smaller one that several cores share
 *   CORE        the leaves. Units that sit on the same core have the same domain
 * A unit that may run on several cores is given one of them, where it started if no other unit was there. A domain's
 * `unit_ids` are numbers in DART_TEAM_ALL, ascending; `num_cores` counts the hardware's cores, with or without units;
 * `global_index` is the number of the domain in its scope, on its node below NODE; `shared_mem_bytes` is the size of
 * a cache, and -1 elsewhere; `is_symmetric` says whether the domains below are alike in number of units, cores and
 * domains. There are no aliases.
 *
 * Tags. ".0.2" is a domain of ".0", which is one of the root. In a fresh tree the last number is the position among
 * the siblings (`relative_index`). Edits let the tags of what they do not move as they are, so that tags that a program
 * has noted stay valid; positions, counts and units follow. Tags in a copy are those of the original.
 *
 * Owner. Trees of teams belong to the library, and pointers into them end with dart_team_locality_finalize,
 * dart_team_destroy and dart_exit. Programs may edit them (DASH does): what they see is then their own edited tree
 * until dart_team_locality_finalize drops it; other units' trees are not touched. Trees that a program creates or
 * clones are its own until dart_domain_destroy.
 *
 * For all functions, unless they say otherwise: Who: any unit, alone, without communication. Return: complete.
 * Threads: any, but one at a time on one tree. Cost: local, in proportion to the tree. Errors: DART_ERR_INVAL: a null
 * pointer; DART_ERR_NOTFOUND: no domain has this tag or scope; DART_ERR_NOMEM. After an error the tree is as before.
 */
#ifndef TESSERA_DART_LOCALITY_H
#define TESSERA_DART_LOCALITY_H

#include <dash/dart/if/dart_types.h>
#include <dash/dart/if/dart_util.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Builds the team's tree, unless it exists. Never needed: whoever asks for the tree first builds it, too.
 * Who: every unit of the team, by contract; in fact any, alone. Cost: the first call of a process reads the hardware,
 * which takes milliseconds, and asks every other node of the team once. Threads: any. Errors: DART_ERR_INVAL: an
 * unknown team. */
TESSERA_DART_API dart_ret_t dart_team_locality_init(dart_team_t team) DART_NOTHROW;

/* Drops the team's tree and the records of its units, and with them all edits; the next use builds new ones.
 * Who: every unit of the team, by contract; in fact any, alone, also when the team is gone, or after dart_exit. Owner:
 * pointers into the tree and to the records are void. Threads: one per team. Errors: DART_ERR_INVAL: DART_TEAM_NULL. */
TESSERA_DART_API dart_ret_t dart_team_locality_finalize(dart_team_t team) DART_NOTHROW;

/* Stores the domain of the team's tree with this tag, NULL when there is none. The tree is built if need be: Cost and
 * Threads are those of dart_team_locality_init then.
 * Errors: DART_ERR_INVAL: also an unknown team; DART_ERR_NOTFOUND. */
TESSERA_DART_API dart_ret_t dart_domain_team_locality(dart_team_t team, const char *domain_tag,
                                                      dart_domain_locality_t **team_domain_out) DART_NOTHROW;

/* Stores a new domain without units and domains, of scope DART_LOCALITY_SCOPE_UNDEFINED, with tag ".". */
TESSERA_DART_API dart_ret_t dart_domain_create(dart_domain_locality_t **domain_out) DART_NOTHROW;

/* Stores a deep copy. It is a tree of its own: its root has no parent, but its tag and level are the original's. */
TESSERA_DART_API dart_ret_t dart_domain_clone(const dart_domain_locality_t *domain_in,
                                              dart_domain_locality_t **domain_out) DART_NOTHROW;

/* Destroys a tree that the program created or cloned; NULL is accepted.
 * Errors: DART_ERR_INVAL: the domain is part of a larger tree (see dart_domain_remove_subdomain) or a team's tree. */
TESSERA_DART_API dart_ret_t dart_domain_destroy(dart_domain_locality_t *domain) DART_NOTHROW;

/* Makes `domain_lhs`, which is a live domain, a deep copy of `domain_rhs`. A domain inside a tree keeps its place, its
 * tag and its level there; the domains that come with it are tagged according to that. */
TESSERA_DART_API dart_ret_t dart_domain_assign(dart_domain_locality_t *domain_lhs,
                                               const dart_domain_locality_t *domain_rhs) DART_NOTHROW;

/* Stores the domain with this tag in or below `domain_in`, NULL when there is none.
 * Errors: DART_ERR_NOTFOUND, which is not logged: it may be asked. */
TESSERA_DART_API dart_ret_t dart_domain_find(const dart_domain_locality_t *domain_in, const char *domain_tag,
                                             dart_domain_locality_t **subdomain_out) DART_NOTHROW;

/* Removes every domain below `domain_in` that neither has one of these tags, nor lies below nor above such a domain.
 * Contract: tags that are not in the tree select nothing and are no error. */
TESSERA_DART_API dart_ret_t dart_domain_select(dart_domain_locality_t *domain_in, int num_subdomain_tags,
                                               const char **subdomain_tags) DART_NOTHROW;

/* Removes the domains below `domain_in` that have one of these tags, with all that lies below them. Domains above stay,
 * even without units.
 * Contract: tags that are not in the tree exclude nothing and are no error. */
TESSERA_DART_API dart_ret_t dart_domain_exclude(dart_domain_locality_t *domain_in, int num_subdomain_tags,
                                                const char **subdomain_tags) DART_NOTHROW;

/* Makes a tree part of another: its root becomes number `subdomain_rel_id` of the children of `domain`, and its tags
 * begin with the tag of `domain`.
 * Owner: `subdomain`, made by dart_domain_create or dart_domain_clone, belongs to the tree from now on.
 * Errors: DART_ERR_INVAL: a position beyond the children's number; `subdomain` is a part of a tree, or a team's tree;
 * one of its units is in the tree already; `domain` is a leaf that holds units; a tag would be longer than 31
 * characters. */
TESSERA_DART_API dart_ret_t dart_domain_add_subdomain(dart_domain_locality_t *domain,
                                                      dart_domain_locality_t *subdomain,
                                                      int subdomain_rel_id) DART_NOTHROW;

/* Removes child number `subdomain_rel_id` with all below it.
 * Errors: DART_ERR_INVAL: no such child. Contract: upstream exports but does not declare it. */
TESSERA_DART_API dart_ret_t dart_domain_remove_subdomain(dart_domain_locality_t *domain,
                                                         int subdomain_rel_id) DART_NOTHROW;

/* Moves a domain to another place of its tree: it becomes number `new_domain_rel_id` of the children of
 * `new_parent_domain`, counted without itself, and its tags change accordingly.
 * Errors: DART_ERR_INVAL: as dart_domain_add_subdomain; the domains belong to different trees; the new parent lies in
 * the domain. */
TESSERA_DART_API dart_ret_t dart_domain_move_subdomain(dart_domain_locality_t *domain,
                                                       dart_domain_locality_t *new_parent_domain,
                                                       int new_domain_rel_id) DART_NOTHROW;

/* Splits a tree by its domains of one scope: they are dealt out to `num_parts` parts in their order, as evenly as
 * possible; part i is stored in split_domain_out[i] as a copy of `domain_in` with only its domains of that scope.
 * Owner: the caller of the num_parts structures, which are overwritten; what a part holds is given back by assigning
 * it a domain fresh from dart_domain_create. Errors: DART_ERR_NOTFOUND: no domain of this scope; DART_ERR_INVAL:
 * num_parts below 1. With more parts than domains some parts are without. */
TESSERA_DART_API dart_ret_t dart_domain_split_scope(const dart_domain_locality_t *domain_in,
                                                    dart_locality_scope_t scope, int num_parts,
                                                    dart_domain_locality_t *split_domain_out) DART_NOTHROW;

/* Stores the tags of the domains of a scope in and below `domain_in`, in their order; of nested ones only the outermost.
 * Owner: the caller, who frees each tag and the array with free(). Errors: DART_ERR_NOTFOUND, which is not logged: then
 * 0 and NULL are stored. */
TESSERA_DART_API dart_ret_t dart_domain_scope_tags(const dart_domain_locality_t *domain_in, dart_locality_scope_t scope,
                                                   int *num_domains_out, char ***domain_tags_out) DART_NOTHROW;

/* As dart_domain_scope_tags, but stores the domains themselves, which stay in the tree; the array is freed with
 * free(). */
TESSERA_DART_API dart_ret_t dart_domain_scope_domains(const dart_domain_locality_t *domain_in,
                                                      dart_locality_scope_t scope, int *num_domains_out,
                                                      dart_domain_locality_t ***domains_out) DART_NOTHROW;

/* Moves domains into a new domain of scope GROUP, the last child of the lowest domain above all of them; between the
 * group and the grouped domains stand copies of what stood above them. Domains that lose all of theirs disappear, the
 * others keep their tags. Stores the tag of the group in group_tag_out, which has room for 32 characters. Tags may come
 * several times.
 * Owner: pointers to the grouped domains are void. Errors: DART_ERR_NOTFOUND: a tag is not in the tree;
 * DART_ERR_INVAL: no tags; the tag of `domain_in` itself; a tag would be longer than 31 characters. */
TESSERA_DART_API dart_ret_t dart_domain_group(dart_domain_locality_t *domain_in, int num_group_subdomains,
                                              const char **group_subdomain_tags, char *group_domain_tag_out) DART_NOTHROW;

/* Stores the record of a unit of the team: its hardware, and the tag of its CORE domain in the team's tree as it is
 * now; a unit whose domain was removed keeps the last tag. NULL when there is no such unit. In the record,
 * `num_cores` is the unit's share of the cores that it may run on, `cpu_id` the operating system's number of a CPU,
 * `scopes` begins with the CORE and ends with the NUMA domain, memory is in MB, and max_shmem_mbps is nominal: the same
 * for all units.
 * Owner: the library, until the team's locality is dropped. Cost and Threads: as dart_domain_team_locality.
 * Errors: DART_ERR_INVAL: also an unknown team, and a number that is no unit's. */
TESSERA_DART_API dart_ret_t dart_unit_locality(dart_team_t team, dart_team_unit_t unit,
                                               dart_unit_locality_t **loc) DART_NOTHROW;

#ifdef __cplusplus
}
#endif
#endif
