/* Teams: ordered lists of distinct units. */
#ifndef TSR_CORE_TEAM_H
#define TSR_CORE_TEAM_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <tessera.h>

#include "core/api.h"
#include "core/unit.h"

/* Instead of a number of units: this member takes part in a creation only to make it fail everywhere, having said why. */
enum { TSR_TEAM_REFUSED = INT32_MIN };

enum { TSR_TEAM_IDS = 32768, TSR_TEAM_WORLD = 0 };

struct tsr_segment;
struct tsr_team_comm; /* an MPI communicator: core/team_comm */
struct tsr_registrations;
struct tsr_sync; /* where the members on this node wait for each other: core/sync */

/* Members first, first + stride, ... of one node. */
struct tsr_run {
  int32_t first, n, stride;
};

typedef struct tsr_team {
  /* hot: translation and segments */
  int32_t size;
  int32_t first, stride;  /* member i is unit first + i * stride, ... */
  const int32_t *members; /* ... unless they are listed */
  struct tsr_segment *segments; /* by id; never moves, so that threads may look while one adds */
  int32_t segments_n;           /* all numbers in use are below */

  const int32_t *by_unit; /* member numbers in the order of their units; NULL: they are in that order */

  int32_t id;   /* 0..TSR_TEAM_IDS-1: equal on all members, unique among the teams of any member; reused last */
  int32_t self; /* own number in the team */

  struct tsr_team_comm *comm;    /* NULL: nobody has asked for it */

  /* the team on its nodes */
  int32_t locals_n;        /* members on this node, */
  const int32_t *locals;   /* their team numbers, ascending, */
  int32_t self_local;      /* and which of them we are */
  int32_t nodes_n;         /* nodes that have members; */
  const int32_t *leaders;  /* team number of the first member on each, in the order of nodes */
  int32_t self_node;       /* which of these nodes is ours */
  const int32_t *node_numbers; /* by node of the world: which of these it is; -1: none */
  const struct tsr_run *runs;  /* the members of each node in ascending order, node after node */
  const int32_t *run_ends;     /* by node: where its runs end, and those of the next one begin */
  int32_t largest_n;           /* members on the node that has most */
  int32_t each_n;              /* members on each node, if those of node i are from i * each_n on; else 0 */

  uint64_t checks_n; /* calls that were checked so far: core/check */
  uint32_t creations_n; /* steps so far of those that create teams of its members: core/team */
  uint64_t calls_n; /* collective calls so far, of teams on several nodes: core/coll_error */
  const char *last_call; /* the last of these; NULL: none yet, or it was refused */
  int64_t calls_digest;  /* of those since the last barrier, which compares it: core/agree; never negative, or: */
#define TSR_CALLS_REFUSED INT64_MIN /* one was refused: says nothing, and is no greater than any */

  uint64_t started_n;        /* calls started so far that go on after they return: coll/schedule, core/coll_error */
  _Atomic uint32_t going_n;  /* of these, not complete */

  struct tsr_sync *sync;
  uint16_t call_digest;    /* of the collective call that goes on, to compare it where members meet: core/sync */
  struct tsr_named *named; /* coll/named, which asks for it once: plain memory */
  uint64_t sync_off;       /* in the heap of the first local member */
  int32_t fresh_id;        /* segment numbers from here on were never used, */
  int32_t freed_first, freed_last; /* these are free again; 0: none */

  struct tsr_registrations *registrations; /* core/registered; NULL: none so far */

  uint8_t api; /* whose it is; that of the native interface, until its maker says so */
} tsr_team;

extern tsr_team *tsr_teams[TSR_TEAM_IDS]; /* by id; NULL: no such team here */

#define tsr_team_world (tsr_teams[TSR_TEAM_WORLD])

/* A team neither appears in the table nor ends while this is held: for threads that look at a team outside of a call on it. */
void tsr_teams_lock(void);
void tsr_teams_unlock(void);

/* NULL: unknown, destroyed, or the caller is no member. */
static inline tsr_team *tsr_team_find(int32_t id) {
  return (uint32_t)id < TSR_TEAM_IDS ? tsr_teams[id] : (tsr_team *)0;
}

/* Member number to world number. The caller has checked the range. */
static inline tsr_unit tsr_team_unit(const tsr_team *team, tsr_member member) {
  if (__builtin_expect(team->members != 0, 0)) return TSR_UNIT(team->members[member.id]);
  return TSR_UNIT(team->first + member.id * team->stride);
}
/* The members on the team's node number `node`: the runs from the first one to before the second. */
static inline const struct tsr_run *tsr_team_iov(const tsr_team *team, int32_t node) {
  return team->runs + (node ? team->run_ends[node - 1] : 0);
}
static inline const struct tsr_run *tsr_team_runs_end(const tsr_team *team, int32_t node) {
  return team->runs + team->run_ends[node];
}
static inline bool tsr_team_has(const tsr_team *team, tsr_member member) {
  return (uint32_t)member.id < (uint32_t)team->size;
}
/* World number to member number; -1 when the unit is no member. Constant time for regular teams, logarithmic else. */
tsr_member tsr_team_member(const tsr_team *team, tsr_unit unit);

/* Creates a team of `units_n` distinct units in the order given. Collective over `parent`; every member of it passes
 * a list of members of the parent, and all that are listed together the same: lists without a common unit make several teams
 * at once. Who is not in its own list gets *out = NULL and TESSERA_OK. An empty list gives NULL without communication.
 * TESSERA_ERR_ARG on all when lists overlap. One caller's error is everybody's:
 * TESSERA_ERR_ARG (null, double), TESSERA_ERR_RANGE (no member of the parent), TESSERA_ERR_LIMIT (ids),
 * TESSERA_ERR_MEMORY; TESSERA_ERR_PEER elsewhere. A member that makes another call ends the job. */
tessera_status_t tsr_team_create(tsr_team *parent, int32_t units_n, const tsr_unit units[], tsr_team **out);

/* The same, collective over the listed units only. Creations by the same units that threads call at the same time have different
 * keys. */
tessera_status_t tsr_team_create_alone(int32_t units_n, const tsr_unit units[], int32_t key, tsr_team **out);

/* Destroys a team and what is left of its segments. Collective over the team; contains a barrier. Not the world. */
tessera_status_t tsr_team_destroy(tsr_team *team);

/* Waits until what was started on the team, or on any, is complete on this unit: the others have started it, too. */
void tsr_team_quiesce(tsr_team *team);
void tsr_team_quiesce_all(void);

/* Drops what an interface has made and left: its teams, and its segments in others. Collective over the job: all units
 * have come to that point, and use nothing of it any more. */
void tsr_team_drop_api(enum tsr_api api);

/* Makes the world; not collective. Ends it, when all interfaces have dropped theirs. */
tessera_status_t tsr_team_start(void);
void tsr_team_stop(void);
/* After that, the job ends: the next world is another one. */
void tsr_team_forget_world(void);

#endif
