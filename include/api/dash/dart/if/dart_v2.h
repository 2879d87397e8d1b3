/* The DART interface of 2014 to 2016 (versions 2 to 3.1), implemented on the current one. A program of that time
 * includes this header instead of its dart.h, or is compiled with `-include dash/dart/if/dart_v2.h`, and needs no
 * other change.
 *
 *    DART_V2_2016         (the default) put and get have no handle and are completed by flush; tests store their result
 *    DART_V2_2014         put and get store a handle; tests and dart_lock_try_acquire return DART_OK for "yes" and
 *                         DART_PENDING for "not yet"; dart_group_split fills an array of groups, not of pointers
 *    DART_V2_TEAM_STRUCT  team ids are structures, as in some versions of 2014, not numbers
 *
 * Include other current headers before this one, because it redefines the old names. Each function does the same as
 * the current function of that name, with sizes in bytes, units as plain numbers and teams by value; only differences
 * are described below. Error codes have the current values. */
#ifndef TESSERA_DART_V2_H
#define TESSERA_DART_V2_H

#include <stdio.h>
#include <stdlib.h>

#include <dash/dart/if/dart.h>
#include <dash/dart/if/dart_locality.h>

#if defined(DART_V2_2014) && defined(DART_V2_2016)
#error "DART_V2_2014 and DART_V2_2016 exclude each other: define the one that the program was written for"
#endif

#undef DART_VERSION_STR
#ifdef DART_V2_2014
#define DART_VERSION_STR "0.0.1"
#else
#define DART_VERSION_STR "3.1.0"
#endif

/* ---- Teams ----------------------------------------------------------------------------------------------------- */

#ifdef DART_V2_TEAM_STRUCT
typedef struct {
  int32_t parent_id, team_id, level; /* level 0: DART_TEAM_ALL */
} dart_v2_team_t;
#define DART_V2_TEAM_ID(team) ((team).team_id)
#else
typedef int32_t dart_v2_team_t;
#define DART_V2_TEAM_ID(team) (team)
#endif

/* Returns the team `id`, made from a parent team at `level`. */
DART_INLINE dart_v2_team_t dart_v2_team_of(int32_t id, int32_t parent_id, int32_t level) {
#ifdef DART_V2_TEAM_STRUCT
  dart_v2_team_t team;
  team.parent_id = parent_id;
  team.team_id = id;
  team.level = level;
  return team;
#else
  (void)parent_id;
  (void)level;
  return id;
#endif
}

/* Returns the current form of a team's id. */
DART_INLINE dart_team_t dart_v2_team_now(dart_v2_team_t team) {
  int32_t id = DART_V2_TEAM_ID(team);
  return id < 0 || id > INT16_MAX ? DART_TEAM_NULL : (dart_team_t)id;
}

DART_INLINE dart_ret_t dart_v2_barrier(dart_v2_team_t team) { return dart_barrier(dart_v2_team_now(team)); }

DART_INLINE dart_ret_t dart_v2_myid(dart_unit_t *myid) {
  dart_global_unit_t me = DART_UNDEFINED_GLOBAL_UNIT_ID;
  dart_ret_t result = dart_myid(myid ? &me : NULL);
  if (myid) *myid = me.id;
  return result;
}

/* Logs nothing if the caller is not a member: old programs test in this way whether they are members. */
DART_INLINE dart_ret_t dart_v2_team_myid(dart_v2_team_t team, dart_unit_t *myid) {
  dart_team_unit_t me = DART_UNDEFINED_TEAM_UNIT_ID;
  dart_team_t now = dart_v2_team_now(team);
  dart_ret_t result = now == DART_TEAM_NULL && myid ? DART_ERR_INVAL : dart_team_myid(now, myid ? &me : NULL);
  if (myid) *myid = me.id;
  return result;
}

DART_INLINE dart_ret_t dart_v2_team_size(dart_v2_team_t team, size_t *size) {
  return dart_team_size(dart_v2_team_now(team), size);
}

DART_INLINE dart_ret_t dart_v2_team_unit_l2g(dart_v2_team_t team, dart_unit_t localid, dart_unit_t *globalid) {
  dart_global_unit_t global = DART_UNDEFINED_GLOBAL_UNIT_ID;
  dart_ret_t result =
    dart_team_unit_l2g(dart_v2_team_now(team), dart_create_team_unit(localid), globalid ? &global : NULL);
  if (result == DART_OK) *globalid = global.id;
  return result;
}

DART_INLINE dart_ret_t dart_v2_team_unit_g2l(dart_v2_team_t team, dart_unit_t globalid, dart_unit_t *localid) {
  dart_team_unit_t local = DART_UNDEFINED_TEAM_UNIT_ID;
  dart_ret_t result =
    dart_team_unit_g2l(dart_v2_team_now(team), dart_create_global_unit(globalid), localid ? &local : NULL);
  if (result == DART_OK) *localid = local.id;
  return result;
}

DART_INLINE dart_ret_t dart_v2_team_destroy(dart_v2_team_t team) {
  dart_team_t now = dart_v2_team_now(team);
  return dart_team_destroy(&now);
}

/* ---- Groups -----------------------------------------------------------------------------------------------------
 *
 * A group is memory of the program, on its stack or of dart_group_sizeof bytes, from dart_group_init to
 * dart_group_fini. As in the old library, a function that stores a group accepts any memory for it, initialised or
 * not. */
typedef struct {
  dart_group_t members; /* NULL: empty, and not used yet */
} dart_v2_group_t;

/* Returns the current group in `group`, made at first use; NULL if `group` is NULL. */
DART_INLINE dart_group_t dart_v2_group_now(const dart_v2_group_t *group) {
  if (group && !group->members) dart_group_create(&((dart_v2_group_t *)group)->members);
  return group ? group->members : DART_GROUP_NULL;
}

/* Stores a result. If `group` is also an argument of the call, it holds a group, which is destroyed first. */
DART_INLINE void dart_v2_group_store(dart_v2_group_t *group, dart_group_t members, const dart_v2_group_t *argument1,
                                     const dart_v2_group_t *argument2) {
  if (group == argument1 || group == argument2) dart_group_destroy(&group->members);
  group->members = members;
}

DART_INLINE dart_ret_t dart_v2_group_sizeof(size_t *size) {
  if (!size) return DART_ERR_INVAL;
  *size = sizeof(dart_v2_group_t);
  return DART_OK;
}

DART_INLINE dart_ret_t dart_v2_group_init(dart_v2_group_t *group) {
  if (!group) return DART_ERR_INVAL;
  group->members = DART_GROUP_NULL;
  return DART_OK;
}

DART_INLINE dart_ret_t dart_v2_group_fini(dart_v2_group_t *group) {
  return dart_group_destroy(group ? &group->members : NULL);
}

DART_INLINE dart_ret_t dart_v2_group_copy(const dart_v2_group_t *gin, dart_v2_group_t *gout) {
  dart_group_t made = DART_GROUP_NULL;
  dart_ret_t result = dart_group_clone(dart_v2_group_now(gin), gout ? &made : NULL);
  if (result == DART_OK) dart_v2_group_store(gout, made, gin, NULL);
  return result;
}

DART_INLINE dart_ret_t dart_v2_group_union(const dart_v2_group_t *g1, const dart_v2_group_t *g2,
                                           dart_v2_group_t *gout) {
  dart_group_t made = DART_GROUP_NULL;
  dart_ret_t result = dart_group_union(dart_v2_group_now(g1), dart_v2_group_now(g2), gout ? &made : NULL);
  if (result == DART_OK) dart_v2_group_store(gout, made, g1, g2);
  return result;
}

DART_INLINE dart_ret_t dart_v2_group_intersect(const dart_v2_group_t *g1, const dart_v2_group_t *g2,
                                               dart_v2_group_t *gout) {
  dart_group_t made = DART_GROUP_NULL;
  dart_ret_t result = dart_group_intersect(dart_v2_group_now(g1), dart_v2_group_now(g2), gout ? &made : NULL);
  if (result == DART_OK) dart_v2_group_store(gout, made, g1, g2);
  return result;
}

DART_INLINE dart_ret_t dart_v2_group_addmember(dart_v2_group_t *group, dart_unit_t unitid) {
  return dart_group_addmember(dart_v2_group_now(group), dart_create_global_unit(unitid));
}

DART_INLINE dart_ret_t dart_v2_group_delmember(dart_v2_group_t *group, dart_unit_t unitid) {
  return dart_group_delmember(dart_v2_group_now(group), dart_create_global_unit(unitid));
}

DART_INLINE dart_ret_t dart_v2_group_ismember(const dart_v2_group_t *group, dart_unit_t unitid, int32_t *ismember) {
  return dart_group_ismember(dart_v2_group_now(group), dart_create_global_unit(unitid), ismember);
}

DART_INLINE dart_ret_t dart_v2_group_size(const dart_v2_group_t *group, size_t *size) {
  return dart_group_size(dart_v2_group_now(group), size);
}

DART_INLINE dart_ret_t dart_v2_group_getmembers(const dart_v2_group_t *group, dart_unit_t *unitids) {
  return dart_group_getmembers(dart_v2_group_now(group), (dart_global_unit_t *)unitids); /* a unit is its number */
}

/* Stores the current groups of a split; the caller frees the array. */
DART_INLINE dart_ret_t dart_v2_group_pieces(const dart_v2_group_t *group, size_t n, dart_group_t **pieces) {
  size_t members_n;
  *pieces = n > SIZE_MAX / sizeof **pieces ? NULL : (dart_group_t *)malloc(n * sizeof **pieces + 1);
  return *pieces ? dart_group_split(dart_v2_group_now(group), n, &members_n, *pieces) : DART_ERR_NOMEM;
}

#ifdef DART_V2_2014
#define DART_V2_PIECE(groups, i) (&(groups)[i])
#define DART_V2_HAS_PIECE(groups, i) 1
DART_INLINE dart_ret_t dart_v2_group_split(const dart_v2_group_t *group, size_t n, dart_v2_group_t *gout) {
#else
#define DART_V2_PIECE(groups, i) ((groups)[i])
#define DART_V2_HAS_PIECE(groups, i) ((groups)[i] != NULL)
DART_INLINE dart_ret_t dart_v2_group_split(const dart_v2_group_t *group, size_t n, dart_v2_group_t **gout) {
#endif
  dart_group_t *pieces = NULL;
  size_t i;
  dart_ret_t result = gout ? DART_OK : DART_ERR_INVAL;
  for (i = 0; result == DART_OK && i < n; i++) {
    if (!DART_V2_HAS_PIECE(gout, i)) result = DART_ERR_INVAL;
  }
  if (result == DART_OK) result = dart_v2_group_pieces(group, n, &pieces);
  for (i = 0; result == DART_OK && i < n; i++) dart_v2_group_store(DART_V2_PIECE(gout, i), pieces[i], group, NULL);
  free(pieces);
  return result;
}

DART_INLINE dart_ret_t dart_v2_team_get_group(dart_v2_team_t team, dart_v2_group_t *group) {
  dart_group_t made = DART_GROUP_NULL;
  dart_ret_t result = dart_team_get_group(dart_v2_team_now(team), group ? &made : NULL);
  if (result == DART_OK) dart_v2_group_store(group, made, NULL, NULL);
  return result;
}

/* All units of the parent pass the same group, also those outside the new team. */
DART_INLINE dart_ret_t dart_v2_team_create(dart_v2_team_t parent, const dart_v2_group_t *group,
                                           dart_v2_team_t *newteam) {
  dart_team_t made = DART_TEAM_NULL;
#ifdef DART_V2_TEAM_STRUCT
  int32_t level = parent.level;
#else
  int32_t level = 0;
#endif
  dart_ret_t result = dart_team_create(dart_v2_team_now(parent), dart_v2_group_now(group), newteam ? &made : NULL);
  if (result == DART_OK) *newteam = dart_v2_team_of(made, DART_V2_TEAM_ID(parent), level + 1);
  return result;
}

/* ---- Global pointers and memory ---------------------------------------------------------------------------------
 *
 * The unit of a pointer is its number in DART_TEAM_ALL; its flags are the team's id. */
typedef struct {
  dart_unit_t unitid;
  int16_t segid;
  uint16_t flags;
  union {
    uint64_t offset;
    void *addr;
  } addr_or_offs;
} dart_v2_gptr_t;

#define DART_V2_GPTR_ISNULL(gptr) \
  ((gptr).unitid < 0 && (gptr).segid == 0 && (gptr).flags == 0 && (gptr).addr_or_offs.offset == 0)

/* Returns the current form of a pointer, for a unit that is a member of the team. */
DART_INLINE dart_ret_t dart_v2_gptr_now(dart_v2_gptr_t gptr, dart_gptr_t *now) {
  dart_gptr_t made = DART_GPTR_NULL;
  dart_team_unit_t member = dart_create_team_unit(gptr.unitid);
  dart_team_t team = gptr.segid == DART_SEGMENT_LOCAL ? DART_TEAM_ALL : (dart_team_t)gptr.flags;
  int same = team == DART_TEAM_ALL && gptr.unitid >= 0 && gptr.unitid < 1 << 23; /* the range of the field */
  if (!DART_V2_GPTR_ISNULL(gptr)) {
    dart_ret_t result = same ? DART_OK : dart_team_unit_g2l(team, dart_create_global_unit(gptr.unitid), &member);
    if (result != DART_OK) return result;
    made.unitid = member.id;
    made.segid = gptr.segid;
    made.teamid = team;
    made.addr_or_offs.offset = gptr.addr_or_offs.offset;
  }
  *now = made;
  return DART_OK;
}

/* Converts a pointer back if `result` is DART_OK, and returns `result`. A null pointer is null in both forms. */
DART_INLINE dart_ret_t dart_v2_gptr_then(dart_ret_t result, dart_gptr_t now, dart_v2_gptr_t *gptr) {
  dart_global_unit_t unit = dart_create_global_unit(now.unitid);
  if (result == DART_OK && now.teamid > 0)
    result = dart_team_unit_l2g(now.teamid, dart_create_team_unit(now.unitid), &unit);
  if (result != DART_OK) return result;
  gptr->unitid = unit.id;
  gptr->segid = now.segid;
  gptr->flags = now.teamid < 0 ? 0 : (uint16_t)now.teamid;
  gptr->addr_or_offs.offset = now.addr_or_offs.offset;
  return DART_OK;
}

DART_INLINE dart_ret_t dart_v2_gptr_getaddr(const dart_v2_gptr_t gptr, void **addr) {
  dart_gptr_t now;
  dart_ret_t result = dart_v2_gptr_now(gptr, &now);
  return result == DART_OK ? dart_gptr_getaddr(now, addr) : result;
}

DART_INLINE dart_ret_t dart_v2_gptr_setaddr(dart_v2_gptr_t *gptr, void *addr) {
  dart_gptr_t now;
  dart_ret_t result = gptr ? dart_v2_gptr_now(*gptr, &now) : DART_ERR_INVAL;
  if (result == DART_OK) result = dart_gptr_setaddr(&now, addr);
  if (result == DART_OK) gptr->addr_or_offs.offset = now.addr_or_offs.offset;
  return result;
}

DART_INLINE dart_ret_t dart_v2_gptr_incaddr(dart_v2_gptr_t *gptr, int64_t offs) {
  gptr->addr_or_offs.offset += (uint64_t)offs;
  return DART_OK;
}

DART_INLINE dart_ret_t dart_v2_gptr_setunit(dart_v2_gptr_t *gptr, dart_unit_t unit) {
  gptr->unitid = unit;
  return DART_OK;
}

DART_INLINE dart_ret_t dart_v2_memalloc(size_t nbytes, dart_v2_gptr_t *gptr) {
  dart_gptr_t now = DART_GPTR_NULL;
  dart_ret_t result = dart_memalloc(nbytes, DART_TYPE_BYTE, gptr ? &now : NULL);
  if (gptr) dart_v2_gptr_then(DART_OK, now, gptr); /* null after an error, as in the current interface */
  return result;
}

DART_INLINE dart_ret_t dart_v2_memfree(dart_v2_gptr_t gptr) {
  dart_gptr_t now;
  dart_ret_t result = dart_v2_gptr_now(gptr, &now);
  return result == DART_OK ? dart_memfree(now) : result;
}

DART_INLINE dart_ret_t dart_v2_team_memalloc_aligned(dart_v2_team_t team, size_t nbytes, dart_v2_gptr_t *gptr) {
  dart_gptr_t now = DART_GPTR_NULL;
  dart_ret_t result = dart_team_memalloc_aligned(dart_v2_team_now(team), nbytes, DART_TYPE_BYTE, gptr ? &now : NULL);
  return dart_v2_gptr_then(result, now, gptr);
}

/* Uses the team of the pointer. */
DART_INLINE dart_ret_t dart_v2_team_memfree(dart_v2_team_t team, dart_v2_gptr_t gptr) {
  dart_gptr_t now;
  dart_ret_t result = dart_v2_gptr_now(gptr, &now);
  (void)team;
  return result == DART_OK ? dart_team_memfree(now) : result;
}

DART_INLINE dart_ret_t dart_v2_team_memregister_aligned(dart_v2_team_t team, size_t nbytes, void *addr,
                                                        dart_v2_gptr_t *gptr) {
  dart_gptr_t now = DART_GPTR_NULL;
  dart_ret_t result =
    dart_team_memregister_aligned(dart_v2_team_now(team), nbytes, DART_TYPE_BYTE, addr, gptr ? &now : NULL);
  return dart_v2_gptr_then(result, now, gptr);
}

DART_INLINE dart_ret_t dart_v2_team_memregister(dart_v2_team_t team, size_t nbytes, void *addr, dart_v2_gptr_t *gptr) {
  dart_gptr_t now = DART_GPTR_NULL;
  dart_ret_t result = dart_team_memregister(dart_v2_team_now(team), nbytes, DART_TYPE_BYTE, addr, gptr ? &now : NULL);
  return dart_v2_gptr_then(result, now, gptr);
}

/* Uses the team of the pointer. */
DART_INLINE dart_ret_t dart_v2_team_memderegister(dart_v2_team_t team, dart_v2_gptr_t gptr) {
  dart_gptr_t now;
  dart_ret_t result = dart_v2_gptr_now(gptr, &now);
  (void)team;
  return result == DART_OK ? dart_team_memderegister(now) : result;
}

/* ---- Put, get, completion --------------------------------------------------------------------------------------- */

DART_INLINE dart_ret_t dart_v2_get_blocking(void *dest, dart_v2_gptr_t gptr, size_t nbytes) {
  dart_gptr_t now;
  dart_ret_t result = dart_v2_gptr_now(gptr, &now);
  return result == DART_OK ? dart_get_blocking(dest, now, nbytes, DART_TYPE_BYTE, DART_TYPE_BYTE) : result;
}

DART_INLINE dart_ret_t dart_v2_put_blocking(dart_v2_gptr_t gptr, const void *src, size_t nbytes) {
  dart_gptr_t now;
  dart_ret_t result = dart_v2_gptr_now(gptr, &now);
  return result == DART_OK ? dart_put_blocking(now, src, nbytes, DART_TYPE_BYTE, DART_TYPE_BYTE) : result;
}

DART_INLINE dart_ret_t dart_v2_get_handle(void *dest, dart_v2_gptr_t gptr, size_t nbytes, dart_handle_t *handle) {
  dart_gptr_t now;
  dart_ret_t result = dart_v2_gptr_now(gptr, &now);
  return result == DART_OK ? dart_get_handle(dest, now, nbytes, DART_TYPE_BYTE, DART_TYPE_BYTE, handle) : result;
}

DART_INLINE dart_ret_t dart_v2_put_handle(dart_v2_gptr_t gptr, const void *src, size_t nbytes, dart_handle_t *handle) {
  dart_gptr_t now;
  dart_ret_t result = dart_v2_gptr_now(gptr, &now);
  return result == DART_OK ? dart_put_handle(now, src, nbytes, DART_TYPE_BYTE, DART_TYPE_BYTE, handle) : result;
}

#ifndef DART_V2_2014
DART_INLINE dart_ret_t dart_v2_get(void *dest, dart_v2_gptr_t gptr, size_t nbytes) {
  dart_gptr_t now;
  dart_ret_t result = dart_v2_gptr_now(gptr, &now);
  return result == DART_OK ? dart_get(dest, now, nbytes, DART_TYPE_BYTE, DART_TYPE_BYTE) : result;
}

DART_INLINE dart_ret_t dart_v2_put(dart_v2_gptr_t gptr, const void *src, size_t nbytes) {
  dart_gptr_t now;
  dart_ret_t result = dart_v2_gptr_now(gptr, &now);
  return result == DART_OK ? dart_put(now, src, nbytes, DART_TYPE_BYTE, DART_TYPE_BYTE) : result;
}
#endif

DART_INLINE dart_ret_t dart_v2_flush(dart_v2_gptr_t gptr) {
  dart_gptr_t now;
  dart_ret_t result = dart_v2_gptr_now(gptr, &now);
  return result == DART_OK ? dart_flush(now) : result;
}

DART_INLINE dart_ret_t dart_v2_flush_all(dart_v2_gptr_t gptr) {
  dart_gptr_t now;
  dart_ret_t result = dart_v2_gptr_now(gptr, &now);
  return result == DART_OK ? dart_flush_all(now) : result;
}

DART_INLINE dart_ret_t dart_v2_flush_local(dart_v2_gptr_t gptr) {
  dart_gptr_t now;
  dart_ret_t result = dart_v2_gptr_now(gptr, &now);
  return result == DART_OK ? dart_flush_local(now) : result;
}

DART_INLINE dart_ret_t dart_v2_flush_local_all(dart_v2_gptr_t gptr) {
  dart_gptr_t now;
  dart_ret_t result = dart_v2_gptr_now(gptr, &now);
  return result == DART_OK ? dart_flush_local_all(now) : result;
}

#ifdef __cplusplus
extern "C" {
#endif
/* Returns 1 until the handle was waited for, or tested with success. A program of that time passes handles by value,
 * keeps the variable, and may ask again: the operation is then complete. Who: the unit that has the handle. Cost:
 * inline. */
TESSERA_DART_API int32_t dart_v2_handle_is_live(dart_handle_t handle) DART_NOTHROW;
#ifdef __cplusplus
}
#endif

/* Returns the current form of an array of handles: handles that are no longer live become DART_HANDLE_NULL. */
DART_INLINE dart_handle_t *dart_v2_handles_now(dart_handle_t *handles, size_t n) {
  size_t i;
  for (i = 0; handles && i < n; i++) {
    if (!dart_v2_handle_is_live(handles[i])) handles[i] = DART_HANDLE_NULL;
  }
  return handles;
}

/* Return: locally and remotely complete, also for the local variants: a second wait then returns at once. */
DART_INLINE dart_ret_t dart_v2_wait(dart_handle_t handle) { return dart_wait(dart_v2_handles_now(&handle, 1)); }

DART_INLINE dart_ret_t dart_v2_waitall(dart_handle_t *handles, size_t n) {
  return dart_waitall(dart_v2_handles_now(handles, n), n);
}

DART_INLINE dart_ret_t dart_v2_testall_into(dart_handle_t *handles, size_t n, int32_t *result) {
  return dart_testall(dart_v2_handles_now(handles, n), n, result);
}

#ifdef DART_V2_2014
/* Return DART_OK if all handles are complete, DART_PENDING if not. */
DART_INLINE dart_ret_t dart_v2_testall(dart_handle_t *handles, size_t n) {
  int32_t done = 0;
  dart_ret_t result = dart_v2_testall_into(handles, n, &done);
  return result == DART_OK && !done ? DART_PENDING : result;
}
DART_INLINE dart_ret_t dart_v2_test(dart_handle_t handle) { return dart_v2_testall(&handle, 1); }
#else
DART_INLINE dart_ret_t dart_v2_test(dart_handle_t handle, int32_t *result) {
  return dart_v2_testall_into(&handle, 1, result);
}
#endif

/* ---- Atomics; the team is that of the pointer ------------------------------------------------------------------- */

DART_INLINE dart_ret_t dart_v2_accumulate(dart_v2_gptr_t gptr, const void *values, size_t nelem, dart_datatype_t dtype,
                                          dart_operation_t op, dart_v2_team_t team) {
  dart_gptr_t now;
  dart_ret_t result = dart_v2_gptr_now(gptr, &now);
  (void)team;
  return result == DART_OK ? dart_accumulate(now, values, nelem, dtype, op) : result;
}

DART_INLINE dart_ret_t dart_v2_accumulate_int(dart_v2_gptr_t gptr, const int *values, size_t nvalues,
                                              dart_operation_t op, dart_v2_team_t team) {
  return dart_v2_accumulate(gptr, values, nvalues, DART_TYPE_INT, op, team);
}

DART_INLINE dart_ret_t dart_v2_fetch_and_op(dart_v2_gptr_t gptr, const void *value, void *result, dart_datatype_t dtype,
                                            dart_operation_t op, dart_v2_team_t team) {
  dart_gptr_t now;
  dart_ret_t answer = dart_v2_gptr_now(gptr, &now);
  (void)team;
  return answer == DART_OK ? dart_fetch_and_op(now, value, result, dtype, op) : answer;
}

DART_INLINE dart_ret_t dart_v2_compare_and_swap(dart_v2_gptr_t gptr, const void *value, const void *compare,
                                                void *result, dart_datatype_t dtype) {
  dart_gptr_t now;
  dart_ret_t answer = dart_v2_gptr_now(gptr, &now);
  return answer == DART_OK ? dart_compare_and_swap(now, value, compare, result, dtype) : answer;
}

/* ---- Collectives; the root is a unit's number in the team ------------------------------------------------------- */

DART_INLINE dart_ret_t dart_v2_bcast(void *buf, size_t nbytes, dart_unit_t root, dart_v2_team_t team) {
  return dart_bcast(buf, nbytes, DART_TYPE_BYTE, dart_create_team_unit(root), dart_v2_team_now(team));
}

DART_INLINE dart_ret_t dart_v2_scatter(const void *sendbuf, void *recvbuf, size_t nbytes, dart_unit_t root,
                                       dart_v2_team_t team) {
  return dart_scatter(sendbuf, recvbuf, nbytes, DART_TYPE_BYTE, dart_create_team_unit(root), dart_v2_team_now(team));
}

DART_INLINE dart_ret_t dart_v2_gather(const void *sendbuf, void *recvbuf, size_t nbytes, dart_unit_t root,
                                      dart_v2_team_t team) {
  return dart_gather(sendbuf, recvbuf, nbytes, DART_TYPE_BYTE, dart_create_team_unit(root), dart_v2_team_now(team));
}

DART_INLINE dart_ret_t dart_v2_allgather(const void *sendbuf, void *recvbuf, size_t nbytes, dart_v2_team_t team) {
  return dart_allgather(sendbuf, recvbuf, nbytes, DART_TYPE_BYTE, dart_v2_team_now(team));
}

/* Counts and displacements are bytes. */
DART_INLINE dart_ret_t dart_v2_allgatherv(const void *sendbuf, size_t nsendbytes, void *recvbuf, const int *nrecvcounts,
                                          const int *recvdispls, dart_v2_team_t team) {
  size_t i, n = 0, *counts;
  dart_ret_t result = dart_v2_team_size(team, &n);
  if (result != DART_OK) return result;
  counts = nrecvcounts && recvdispls ? (size_t *)malloc(2 * n * sizeof *counts) : NULL;
  if (!counts) { /* takes part in the call, as dart_allgatherv does with wrong arguments */
    result = dart_allgatherv(sendbuf, nsendbytes, DART_TYPE_BYTE, recvbuf, NULL, NULL, dart_v2_team_now(team));
    return nrecvcounts && recvdispls ? DART_ERR_NOMEM : result;
  }
  for (i = 0; i < n; i++) {
    counts[i] = (size_t)nrecvcounts[i];
    counts[n + i] = (size_t)recvdispls[i];
  }
  result = dart_allgatherv(sendbuf, nsendbytes, DART_TYPE_BYTE, recvbuf, counts, counts + n, dart_v2_team_now(team));
  free(counts);
  return result;
}

/* Sizes: elements. The old header said bytes, but the old library counted elements. */
DART_INLINE dart_ret_t dart_v2_allreduce(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype,
                                         dart_operation_t op, dart_v2_team_t team) {
  return dart_allreduce(sendbuf, recvbuf, nelem, dtype, op, dart_v2_team_now(team));
}

/* Stores, on unit 0 of the team, the largest of the numbers that the units pass. */
DART_INLINE dart_ret_t dart_v2_reduce_double(const double *sendbuf, double *recvbuf, dart_v2_team_t team) {
  return dart_reduce(sendbuf, recvbuf, 1, DART_TYPE_DOUBLE, DART_OP_MAX, dart_create_team_unit(0),
                     dart_v2_team_now(team));
}

/* ---- Locks ------------------------------------------------------------------------------------------------------ */

DART_INLINE dart_ret_t dart_v2_team_lock_init(dart_v2_team_t team, dart_lock_t *lock) {
  return dart_team_lock_init(dart_v2_team_now(team), lock);
}

/* Uses the team of the lock. */
DART_INLINE dart_ret_t dart_v2_team_lock_free(dart_v2_team_t team, dart_lock_t *lock) {
  (void)team;
  return dart_team_lock_destroy(lock);
}

#ifdef DART_V2_2014
/* Returns DART_OK if the caller has the lock now, DART_PENDING if another thread has it. */
DART_INLINE dart_ret_t dart_v2_lock_try_acquire(dart_lock_t lock) {
  int32_t acquired = 0;
  dart_ret_t result = dart_lock_try_acquire(lock, &acquired);
  return result == DART_OK && !acquired ? DART_PENDING : result;
}
#endif

/* ---- The rest --------------------------------------------------------------------------------------------------- */

DART_INLINE dart_ret_t dart_v2_unit_locality(dart_v2_team_t team, dart_unit_t unit, dart_unit_locality_t **loc) {
  return dart_unit_locality(dart_v2_team_now(team), dart_create_team_unit(unit), loc);
}

/* Prints how to start a program with this name. */
DART_INLINE dart_ret_t dart_v2_usage(const char *program) {
  fprintf(stderr, "usage: mpiexec -n UNITS %s [ARGUMENT...]\n", program ? program : "PROGRAM");
  return DART_OK;
}

/* ---- The old names ---------------------------------------------------------------------------------------------- */

#define dart_usage dart_v2_usage

#define dart_team_t dart_v2_team_t
#undef DART_TEAM_ALL
#undef DART_TEAM_NULL
#ifdef DART_V2_TEAM_STRUCT
#define DART_TEAM_ALL dart_v2_team_of(0, -1, 0)
#define DART_TEAM_NULL dart_v2_team_of(-1, -1, -1)
#else /* constants, which may be initialisers and case labels */
#define DART_TEAM_ALL ((dart_v2_team_t)0)
#define DART_TEAM_NULL ((dart_v2_team_t)-1)
#endif
#define DART_TEAM_NIL DART_TEAM_NULL
#define dart_myid dart_v2_myid
#define dart_team_myid dart_v2_team_myid
#define dart_team_size dart_v2_team_size
#define dart_team_unit_l2g dart_v2_team_unit_l2g
#define dart_team_unit_g2l dart_v2_team_unit_g2l
#define dart_team_get_group dart_v2_team_get_group
#define dart_team_create dart_v2_team_create
#define dart_team_destroy dart_v2_team_destroy

#define dart_group_t dart_v2_group_t
#define dart_group_sizeof dart_v2_group_sizeof
#define dart_group_init dart_v2_group_init
#define dart_group_fini dart_v2_group_fini
#define dart_group_create dart_v2_group_init /* the names before 2014, and the current ones */
#define dart_group_destroy dart_v2_group_fini
#define dart_group_copy dart_v2_group_copy
#define dart_group_union dart_v2_group_union
#define dart_group_intersect dart_v2_group_intersect
#define dart_group_addmember dart_v2_group_addmember
#define dart_group_delmember dart_v2_group_delmember
#define dart_group_ismember dart_v2_group_ismember
#define dart_group_size dart_v2_group_size
#define dart_group_getmembers dart_v2_group_getmembers
#define dart_group_split dart_v2_group_split

#define dart_gptr_t dart_v2_gptr_t
#undef DART_GPTR_NULL
#ifdef __cplusplus
#define DART_GPTR_NULL (dart_v2_gptr_t{-1, 0, 0, {0}})
#else
#define DART_GPTR_NULL ((dart_v2_gptr_t){-1, 0, 0, {0}})
#endif
#undef DART_GPTR_ISNULL
#define DART_GPTR_ISNULL DART_V2_GPTR_ISNULL
#undef DART_GPTR_EQUAL
#define DART_GPTR_EQUAL(a, b)                                                                     \
  ((a).unitid == (b).unitid && (a).segid == (b).segid && (a).flags == (b).flags && \
   (a).addr_or_offs.offset == (b).addr_or_offs.offset)
#define DART_GPTR_COPY(to, from) ((to) = (from))
#define dart_gptr_getaddr dart_v2_gptr_getaddr
#define dart_gptr_setaddr dart_v2_gptr_setaddr
#define dart_gptr_incaddr dart_v2_gptr_incaddr
#define dart_gptr_setunit dart_v2_gptr_setunit
#define dart_memalloc dart_v2_memalloc
#define dart_memfree dart_v2_memfree
#define dart_team_memalloc_aligned dart_v2_team_memalloc_aligned
#define dart_team_memfree dart_v2_team_memfree
#define dart_team_memregister_aligned dart_v2_team_memregister_aligned
#define dart_team_memregister dart_v2_team_memregister
#define dart_team_memderegister dart_v2_team_memderegister

#define dart_get_blocking dart_v2_get_blocking
#define dart_put_blocking dart_v2_put_blocking
#define dart_get_handle dart_v2_get_handle
#define dart_put_handle dart_v2_put_handle
#ifdef DART_V2_2014
#define dart_get dart_v2_get_handle
#define dart_put dart_v2_put_handle
#define dart_testall dart_v2_testall
#else
#define dart_get dart_v2_get
#define dart_put dart_v2_put
#define dart_testall dart_v2_testall_into
#define dart_test_local dart_v2_test
#define dart_testall_local dart_v2_testall_into
#endif
#define dart_test dart_v2_test
#define dart_wait dart_v2_wait
#define dart_waitall dart_v2_waitall
#define dart_wait_local dart_v2_wait
#define dart_waitall_local dart_v2_waitall
#define dart_flush dart_v2_flush
#define dart_fence dart_v2_flush
#define dart_flush_all dart_v2_flush_all
#define dart_flush_local dart_v2_flush_local
#define dart_flush_local_all dart_v2_flush_local_all

#define dart_accumulate dart_v2_accumulate
#define dart_accumulate_int dart_v2_accumulate_int
#define dart_fetch_and_op dart_v2_fetch_and_op
#define dart_compare_and_swap dart_v2_compare_and_swap
#define dart_unit_locality dart_v2_unit_locality

#define dart_barrier dart_v2_barrier
#define dart_bcast dart_v2_bcast
#define dart_scatter dart_v2_scatter
#define dart_gather dart_v2_gather
#define dart_allgather dart_v2_allgather
#define dart_allgatherv dart_v2_allgatherv
#define dart_allreduce dart_v2_allreduce
#define dart_reduce_double dart_v2_reduce_double

#define dart_team_lock_init dart_v2_team_lock_init
#define dart_team_lock_free dart_v2_team_lock_free
#ifdef DART_V2_2014
#define dart_lock_try_acquire dart_v2_lock_try_acquire
#endif

#endif
