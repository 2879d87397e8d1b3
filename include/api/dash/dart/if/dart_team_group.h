/* Groups, which are local sets of units, and teams, which the units of a group form together. */
#ifndef TESSERA_DART_TEAM_GROUP_H
#define TESSERA_DART_TEAM_GROUP_H

#include <dash/dart/if/dart_types.h>
#include <dash/dart/if/dart_util.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A set of units by their numbers in DART_TEAM_ALL, always in ascending order. Every function that stores a group
 * allocates it; the caller owns it until dart_group_destroy.
 *
 * For all functions on groups: Who: any unit, any time, also outside dart_init and dart_exit. Return: complete.
 * Threads: any, but one at a time on one group. Cost: local. Errors: DART_ERR_INVAL: a group or result pointer is NULL;
 * DART_ERR_NOMEM: no private memory. Whether a unit of that number exists is checked when a team is made. */
typedef struct dart_group_struct *dart_group_t;
#define DART_GROUP_NULL ((dart_group_t)NULL)

/* Stores a new, empty group. */
TESSERA_DART_API dart_ret_t dart_group_create(dart_group_t *group) DART_NOTHROW;

/* Frees a group and stores DART_GROUP_NULL; *group may be DART_GROUP_NULL already. */
TESSERA_DART_API dart_ret_t dart_group_destroy(dart_group_t *group) DART_NOTHROW;

/* Stores a new group with the same members. */
TESSERA_DART_API dart_ret_t dart_group_clone(const dart_group_t gin, dart_group_t *gout) DART_NOTHROW;

/* Stores a new group of the units that are in either. */
TESSERA_DART_API dart_ret_t dart_group_union(const dart_group_t g1, const dart_group_t g2,
                                             dart_group_t *gout) DART_NOTHROW;

/* Stores a new group of the units that are in both. */
TESSERA_DART_API dart_ret_t dart_group_intersect(const dart_group_t g1, const dart_group_t g2,
                                                 dart_group_t *gout) DART_NOTHROW;

/* Adds a unit to the group; a member stays one. Errors: DART_ERR_INVAL also for a negative number. */
TESSERA_DART_API dart_ret_t dart_group_addmember(dart_group_t g, dart_global_unit_t unitid) DART_NOTHROW;

/* Takes a unit out of the group; who is no member stays none. */
TESSERA_DART_API dart_ret_t dart_group_delmember(dart_group_t g, dart_global_unit_t unitid) DART_NOTHROW;

/* Stores 1 when the unit is a member, else 0. */
TESSERA_DART_API dart_ret_t dart_group_ismember(const dart_group_t g, dart_global_unit_t unitid,
                                                int32_t *ismember) DART_NOTHROW;

/* Stores the number of members. */
TESSERA_DART_API dart_ret_t dart_group_size(const dart_group_t g, size_t *size) DART_NOTHROW;

/* Stores the members in ascending order; `unitids` has room for dart_group_size of them, and may be NULL for none. */
TESSERA_DART_API dart_ret_t dart_group_getmembers(const dart_group_t g, dart_global_unit_t *unitids) DART_NOTHROW;

/* Splits a group into `n` new groups of consecutive members: each has ceil(size / n) of them, the last ones fewer or
 * none.
 * Owner: the caller of all n groups in `gout`, which has room for n. Errors: DART_ERR_INVAL also when n is 0.
 * Contract: *nout becomes the *size of the group*, not the number of pieces: the published text says the latter,
 * upstream stores the former, and DASH's Team::split uses it. */
TESSERA_DART_API dart_ret_t dart_group_split(const dart_group_t g, size_t n, size_t *nout,
                                             dart_group_t *gout) DART_NOTHROW;

/* Splits a group by the domains of one scope in a locality tree (dart_locality.h): they are dealt out to the `n` pieces in
 * their order, as evenly as possible, and each piece is a new group of those units of `g` that sit in its domains.
 * `n` is clipped to the number of domains.
 * Owner: the caller of the groups in `gout`, which has room for n and is overwritten. Errors: DART_ERR_INVAL also when
 * n is 0; DART_ERR_NOTFOUND: no domain of this scope. Contract: as upstream, *nout is written only when n is clipped;
 * pieces without units are DART_GROUP_NULL, and what lies in `gout` beyond the last piece stays as it is. */
TESSERA_DART_API dart_ret_t dart_group_locality_split(const dart_group_t g, dart_domain_locality_t *domain,
                                                      dart_locality_scope_t scope, size_t n, size_t *nout,
                                                      dart_group_t *gout) DART_NOTHROW;

/* Stores a new group of the team's members (their numbers in DART_TEAM_ALL).
 * Who: any unit of the team. Owner: the caller, until dart_group_destroy. Return: complete. Threads: any. Cost: local.
 * Errors: DART_ERR_INVAL, DART_ERR_NOMEM. */
TESSERA_DART_API dart_ret_t dart_team_get_group(dart_team_t teamid, dart_group_t *group) DART_NOTHROW;

/* Makes a team of the units of `group`, all of the parent team `teamid`; they are numbered in ascending order of their
 * numbers in DART_TEAM_ALL. Its members store the same id, different from the parent's and from every other team of
 * any of them; the other units of the parent store DART_TEAM_NULL. Ids are reused, the longest unused first.
 * Units may pass different groups if no unit is in two of them, such as each node's units their own: that makes a team of
 * each, all with the same id.
 * Who: every unit of the parent; all units of a group pass the same one. Owner: `group` stays the caller's and may go at
 * once; the team lives until dart_team_destroy. Return: the team can be used. Threads: one per parent team. Cost:
 * collective. An empty group gives DART_TEAM_NULL without communication: all units pass one, then, or none does, unlike
 * in MPI.
 * Errors: DART_ERR_INVAL: NULL, a unit that is not in the parent, or groups that overlap. DART_ERR_OTHER: all 32767 ids are
 * in use.
 * Contract: the published text lets units outside the new team pass a null group; upstream refuses it, and so does
 * this. It takes groups apart, as MPI does, and upstream's locality makes one team for each host so. */
TESSERA_DART_API dart_ret_t dart_team_create(dart_team_t teamid, const dart_group_t group,
                                             dart_team_t *newteam) DART_NOTHROW;

/* Ends a team with whatever it still has allocated, and stores DART_TEAM_NULL; DART_TEAM_NULL is accepted.
 * Who: every unit of the team. Return: every member has called it. Threads: one per team. Cost: collective.
 * Errors: DART_ERR_INVAL: NULL, an unknown team, or DART_TEAM_ALL, which lives until dart_exit. */
TESSERA_DART_API dart_ret_t dart_team_destroy(dart_team_t *teamid) DART_NOTHROW;

/* Makes a second team of the same members. Segments belong to the first and do not come along.
 * Who: every unit of the team. Return: the team can be used. Threads: one per team. Cost: collective.
 * Errors: as dart_team_create. */
TESSERA_DART_API dart_ret_t dart_team_clone(dart_team_t team, dart_team_t *newteam) DART_NOTHROW;

/* Stores the caller's number in the team; -1 together with any error.
 * Who: any unit of the team. Return: complete. Threads: any. Cost: inline. Errors: DART_ERR_INVAL. */
TESSERA_DART_API dart_ret_t dart_team_myid(dart_team_t teamid, dart_team_unit_t *myid) DART_NOTHROW;

/* Stores the number of the team's members.
 * Who: any unit of the team. Return: complete. Threads: any. Cost: inline. Errors: DART_ERR_INVAL. */
TESSERA_DART_API dart_ret_t dart_team_size(dart_team_t teamid, size_t *size) DART_NOTHROW;

/* Stores the caller's number in DART_TEAM_ALL.
 * Who: any unit, any time. Return: complete. Threads: any. Cost: inline. Errors: DART_ERR_INVAL: NULL. DART_ERR_OTHER:
 * not initialised; stores -1 and logs nothing (programs ask in their own log lines). */
TESSERA_DART_API dart_ret_t dart_myid(dart_global_unit_t *myid) DART_NOTHROW;

/* Stores the number of units in DART_TEAM_ALL. As dart_myid; 0 when not initialised. */
TESSERA_DART_API dart_ret_t dart_size(size_t *size) DART_NOTHROW;

/* Stores the number in DART_TEAM_ALL of a unit that the team knows as `localid`.
 * Who: any unit of the team. Return: complete. Threads: any. Cost: inline.
 * Errors: DART_ERR_INVAL: also when the team has no such unit. */
TESSERA_DART_API dart_ret_t dart_team_unit_l2g(dart_team_t team, dart_team_unit_t localid,
                                               dart_global_unit_t *globalid) DART_NOTHROW;

/* Stores the number in the team of the unit `globalid`, and -1 with DART_OK when it is no member.
 * Who: any unit of the team. Return: complete. Threads: any. Cost: inline; logarithmic for irregular teams.
 * Errors: DART_ERR_INVAL: also when the job has no such unit.
 * Contract: upstream stores MPI's "undefined" rank, which is negative and differs between MPIs: test for < 0. */
TESSERA_DART_API dart_ret_t dart_team_unit_g2l(dart_team_t team, dart_global_unit_t globalid,
                                               dart_team_unit_t *localid) DART_NOTHROW;

#ifdef __cplusplus
}
#endif
#endif
