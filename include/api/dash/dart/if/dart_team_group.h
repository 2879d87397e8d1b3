/* Groups, which are local sets of units, and teams, which are made from groups collectively. */
#ifndef TESSERA_DART_TEAM_GROUP_H
#define TESSERA_DART_TEAM_GROUP_H

#include <dash/dart/if/dart_types.h>
#include <dash/dart/if/dart_util.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A group: a set of units by their numbers in DART_TEAM_ALL, always in ascending order. Every function that stores a
 * group allocates it; the caller owns it until dart_group_destroy.
 *
 * For all functions on groups: Who: any unit, any time, also outside dart_init and dart_exit. Return: complete.
 * Threads: any, but one at a time on one group. Cost: local. Errors: DART_ERR_INVAL: a group or result pointer is
 * NULL; DART_ERR_NOMEM: no private memory. The unit numbers are not checked before a team is made from the group. */
typedef struct dart_group_struct *dart_group_t;
#define DART_GROUP_NULL ((dart_group_t)NULL)

/* Stores a new, empty group. */
TESSERA_DART_API dart_ret_t dart_group_create(dart_group_t *group) DART_NOTHROW;

/* Frees a group and stores DART_GROUP_NULL; *group may be DART_GROUP_NULL already. */
TESSERA_DART_API dart_ret_t dart_group_destroy(dart_group_t *group) DART_NOTHROW;

/* Stores a new group with the same members. */
TESSERA_DART_API dart_ret_t dart_group_clone(const dart_group_t gin, dart_group_t *gout) DART_NOTHROW;

/* Stores a new group with the units of both groups. */
TESSERA_DART_API dart_ret_t dart_group_union(const dart_group_t g1, const dart_group_t g2,
                                             dart_group_t *gout) DART_NOTHROW;

/* Stores a new group of the units that are in both groups. */
TESSERA_DART_API dart_ret_t dart_group_intersect(const dart_group_t g1, const dart_group_t g2,
                                                 dart_group_t *gout) DART_NOTHROW;

/* Adds a unit to the group; no effect if it is already a member. Errors: DART_ERR_INVAL also for a negative number. */
TESSERA_DART_API dart_ret_t dart_group_addmember(dart_group_t g, dart_global_unit_t unitid) DART_NOTHROW;

/* Removes a unit from the group; no effect if it is not a member. */
TESSERA_DART_API dart_ret_t dart_group_delmember(dart_group_t g, dart_global_unit_t unitid) DART_NOTHROW;

/* Stores 1 if the unit is a member, else 0. */
TESSERA_DART_API dart_ret_t dart_group_ismember(const dart_group_t g, dart_global_unit_t unitid,
                                                int32_t *ismember) DART_NOTHROW;

/* Stores the number of members. */
TESSERA_DART_API dart_ret_t dart_group_size(const dart_group_t g, size_t *size) DART_NOTHROW;

/* Stores the members in ascending order. `unitids` has room for dart_group_size of them, and may be NULL for an empty
 * group. */
TESSERA_DART_API dart_ret_t dart_group_getmembers(const dart_group_t g, dart_global_unit_t *unitids) DART_NOTHROW;

/* Splits a group into `n` new groups of consecutive members. Each has ceil(size / n) members; the last ones have
 * fewer or none.
 * Owner: the caller owns all n groups in `gout`, which has room for n. Errors: DART_ERR_INVAL: also if n is 0.
 * Contract: *nout becomes the *size of the group*, not the number of parts. The published text says the latter, but
 * upstream stores the former, and DASH's Team::split uses it. */
TESSERA_DART_API dart_ret_t dart_group_split(const dart_group_t g, size_t n, size_t *nout,
                                             dart_group_t *gout) DART_NOTHROW;

/* Splits a group by the domains of one scope in a locality tree (dart_locality.h). The domains are distributed over
 * the `n` parts in their order, as evenly as possible; each part is a new group of the units of `g` in its domains.
 * `n` is limited to the number of domains.
 * Owner: the caller owns the groups in `gout`, which has room for n and is overwritten. Errors: DART_ERR_INVAL: also
 * if n is 0; DART_ERR_NOTFOUND: no domain of this scope. Contract: as in upstream, *nout is written only if n was
 * limited; parts without units are DART_GROUP_NULL, and entries of `gout` after the last part are unchanged. */
TESSERA_DART_API dart_ret_t dart_group_locality_split(const dart_group_t g, dart_domain_locality_t *domain,
                                                      dart_locality_scope_t scope, size_t n, size_t *nout,
                                                      dart_group_t *gout) DART_NOTHROW;

/* Stores a new group of the team's members (their numbers in DART_TEAM_ALL).
 * Who: any unit of the team. Owner: the caller, until dart_group_destroy. Return: complete. Threads: any. Cost: local.
 * Errors: DART_ERR_INVAL, DART_ERR_NOMEM. */
TESSERA_DART_API dart_ret_t dart_team_get_group(dart_team_t teamid, dart_group_t *group) DART_NOTHROW;

/* Makes a team of the units of `group`, which are all members of the parent team `teamid`. The units are numbered in
 * the ascending order of their numbers in DART_TEAM_ALL. The members store the same id, which differs from the
 * parent's and from that of every other team of any of them; the other units of the parent store DART_TEAM_NULL. Ids
 * are reused, the longest unused first.
 * Units may pass different groups if no unit is in two of them, for example each unit the group of its node: this
 * makes one team per group, all with the same id.
 * Who: every unit of the parent; all units of a group pass the same group. Owner: `group` stays the caller's and may
 * be destroyed at once; the team lives until dart_team_destroy. Return: the team can be used. Threads: one per parent
 * team. Cost: collective. An empty group gives DART_TEAM_NULL without communication: then all units of the parent
 * must pass an empty group, unlike in MPI.
 * Errors: DART_ERR_INVAL: NULL, a unit that is not in the parent, or groups that overlap. DART_ERR_OTHER: all 32767
 * ids are in use.
 * Contract: the published text lets units outside the new team pass a null group; upstream and this library reject
 * that. Groups without common units work as in MPI; upstream's locality makes one team per host in this way. */
TESSERA_DART_API dart_ret_t dart_team_create(dart_team_t teamid, const dart_group_t group,
                                             dart_team_t *newteam) DART_NOTHROW;

/* Destroys a team and everything that is still allocated in it, and stores DART_TEAM_NULL. DART_TEAM_NULL is
 * accepted.
 * Who: every unit of the team. Return: every member has called it. Threads: one per team. Cost: collective. Errors:
 * DART_ERR_INVAL: NULL, an unknown team, or DART_TEAM_ALL, which lives until dart_exit. */
TESSERA_DART_API dart_ret_t dart_team_destroy(dart_team_t *teamid) DART_NOTHROW;

/* Makes a second team with the same members. Segments stay with the first team.
 * Who: every unit of the team. Return: the team can be used. Threads: one per team. Cost: collective. Errors: as
 * dart_team_create. */
TESSERA_DART_API dart_ret_t dart_team_clone(dart_team_t team, dart_team_t *newteam) DART_NOTHROW;

/* Stores the caller's number in the team; -1 with any error.
 * Who: any unit of the team. Return: complete. Threads: any. Cost: inline. Errors: DART_ERR_INVAL. */
TESSERA_DART_API dart_ret_t dart_team_myid(dart_team_t teamid, dart_team_unit_t *myid) DART_NOTHROW;

/* Stores the number of the team's members.
 * Who: any unit of the team. Return: complete. Threads: any. Cost: inline. Errors: DART_ERR_INVAL. */
TESSERA_DART_API dart_ret_t dart_team_size(dart_team_t teamid, size_t *size) DART_NOTHROW;

/* Stores the caller's number in DART_TEAM_ALL.
 * Who: any unit, any time. Return: complete. Threads: any. Cost: inline. Errors: DART_ERR_INVAL: NULL.
 * DART_ERR_OTHER: not initialised; stores -1 and logs nothing, because programs ask for it in their own log lines. */
TESSERA_DART_API dart_ret_t dart_myid(dart_global_unit_t *myid) DART_NOTHROW;

/* Stores the number of units in DART_TEAM_ALL; 0 if not initialised. Otherwise as dart_myid. */
TESSERA_DART_API dart_ret_t dart_size(size_t *size) DART_NOTHROW;

/* Stores the number in DART_TEAM_ALL of the unit with the number `localid` in the team.
 * Who: any unit of the team. Return: complete. Threads: any. Cost: inline. Errors: DART_ERR_INVAL: also if the team
 * has no such unit. */
TESSERA_DART_API dart_ret_t dart_team_unit_l2g(dart_team_t team, dart_team_unit_t localid,
                                               dart_global_unit_t *globalid) DART_NOTHROW;

/* Stores the number in the team of the unit `globalid`; -1 with DART_OK if it is not a member.
 * Who: any unit of the team. Return: complete. Threads: any. Cost: inline; logarithmic for irregular teams. Errors:
 * DART_ERR_INVAL: also if the job has no such unit.
 * Contract: upstream stores MPI's "undefined" rank, which is negative and differs between MPIs: test for < 0. */
TESSERA_DART_API dart_ret_t dart_team_unit_g2l(dart_team_t team, dart_global_unit_t globalid,
                                               dart_team_unit_t *localid) DART_NOTHROW;

#ifdef __cplusplus
}
#endif
#endif
