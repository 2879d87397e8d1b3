/* Teams: ordered lists of distinct units. */
#ifndef TSR_CORE_TEAM_H
#define TSR_CORE_TEAM_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <tessera.h>

#include "base/status.h"
#include "core/api.h"
#include "core/unit.h"

/* Instead of a number of units: this member takes part in the creation only to make it fail on all members. It has
 * logged the reason. */
enum { TSR_TEAM_FAILED = INT32_MIN };

enum { TSR_TEAM_IDS = 32768, TSR_TEAM_WORLD = 0 };

struct tsr_segment;
struct tsr_team_comm; /* an MPI communicator: core/team_comm */
struct tsr_registrations;
struct tsr_sync; /* sync area of the members on this node: core/sync */

/* Members first, first + stride, ... on one node. */
struct tsr_member_range {
  int32_t first, n, stride;
};

struct tsr_team_node {
  int32_t node;   /* its number in the world */
  int32_t number; /* its index among the nodes of the team */
};

enum { TSR_TEAM_BOUNCED_CALLS = 5, TSR_TEAM_BOUNCED_LENGTHS = 4 };

typedef struct tsr_team {
  /* hot: translation and segments */
  int32_t size;
  int32_t first, stride;  /* member i is unit first + i * stride, ... */
  const int32_t *members; /* ... unless they are listed */
  struct tsr_segment *segments; /* by id; never moves, so threads may read it while another one adds */
  int32_t segments_n;           /* all numbers in use are smaller */

  const int32_t *by_unit; /* member numbers in the order of units; NULL: members are in that order */

  int32_t id;   /* 0..TSR_TEAM_IDS-1: equal on all members, unique among the teams of any member; reused last */
  int32_t self; /* own number in the team */

  struct tsr_team_comm *comm;    /* NULL: not created yet */

  /* the team on its nodes */
  int32_t locals_n;        /* members on this node, */
  const int32_t *locals;   /* their team numbers, ascending, */
  int32_t self_local;      /* own index in `locals` */
  int32_t nodes_n;         /* nodes that have members; */
  const int32_t *leaders;  /* team number of the first member on each, in the order of nodes */
  int32_t self_node;       /* own node among these */
  const struct tsr_team_node *nodes; /* the same nodes, ascending by the world's numbers */
  const struct tsr_member_range *ranges; /* the members of each node in ascending order, node after node */
  const int32_t *range_ends;   /* by node: index after its last range, where the ranges of the next node begin */
  int32_t largest_n;           /* members on the node that has most */
  bool is_in_order;            /* the members of each node are consecutive */
  int32_t each_n;              /* members on each node, if is_in_order and all nodes have as many; else 0 */

  uint64_t checks_n; /* calls checked so far: core/check */
  bool is_internal;  /* an interface made it for itself: core/leak */
  uint32_t creations_n; /* steps so far of creations of teams from members of this one: core/team */
  uint64_t calls_n; /* collective calls so far, if the team is on several nodes: core/coll_error */
  const char *last_call; /* name of the last of these calls; NULL: none yet, or it was failed */
  int64_t calls_digest;  /* digest of the calls since the last barrier, which compares it (core/bootstrap); not negative,
                          * or TSR_CALLS_FAILED */
#define TSR_CALLS_FAILED INT64_MIN /* a call was failed: not compared, and the smallest value */

  uint64_t started_n;        /* non-blocking calls started so far: coll/schedule, core/coll_error */
  uint64_t inner_n;          /* schedules that blocking calls have run so far: coll/schedule */
  _Atomic uint32_t going_n;  /* schedules of both kinds that are not complete */

  struct tsr_sync *sync;
  /* By kind of call and by length: the round in which direct copies of such a call were last impossible, or 0 (coll/direct). */
  uint32_t bounced[TSR_TEAM_BOUNCED_CALLS][TSR_TEAM_BOUNCED_LENGTHS];
  uint16_t call_digest;    /* digest of the current collective call, compared in the sync area: core/sync */
  struct tsr_named *named; /* of coll/named; allocated once, as plain memory */
  uint64_t sync_off;       /* offset of the sync area in the heap of the first local member */
  int32_t fresh_id;        /* segment numbers from this one on have never been used, */
  int32_t freed_first, freed_last; /* first and last of the freed numbers; 0: none */

  struct tsr_registrations *registrations; /* of core/registered; NULL: none so far */

  uint8_t api; /* interface that owns the team; the native one until its creator sets it */
} tsr_team;

extern tsr_team *tsr_teams[TSR_TEAM_IDS]; /* by id; NULL: no such team on this unit */
extern _Atomic int32_t tsr_teams_end;     /* no team has had this id or a greater one */

#define tsr_team_world (tsr_teams[TSR_TEAM_WORLD])

/* While this is held, no team is added to the table and none ends: for threads that look up a team outside of a call on
 * it. */
void tsr_teams_lock(void);
void tsr_teams_unlock(void);

/* NULL: unknown, destroyed, or the caller is no member. */
static inline tsr_team *tsr_team_find(int32_t id) {
  return (uint32_t)id < TSR_TEAM_IDS ? tsr_teams[id] : (tsr_team *)0;
}

/* Whether this unit is the team's first member on its node, which acts for the node. */
static inline bool tsr_leads(const tsr_team *team) { return team->self_local == 0; }

/* Member number to world number. The caller has checked the range. */
static inline tsr_unit tsr_team_unit(const tsr_team *team, tsr_member member) {
  if (__builtin_expect(team->members != 0, 0)) return TSR_UNIT(team->members[member.id]);
  return TSR_UNIT(team->first + member.id * team->stride);
}
/* The entry of a node of the world in team->nodes; NULL: it has no members. Constant time if the team's nodes are consecutive,
 * otherwise logarithmic. */
const struct tsr_team_node *tsr_team_find_node(const tsr_team *team, int32_t node);
/* The ranges of members on the team's node number `node`: from the first result up to the second one, exclusive. */
static inline const struct tsr_member_range *tsr_team_ranges(const tsr_team *team, int32_t node) {
  return team->ranges + (node ? team->range_ends[node - 1] : 0);
}
static inline const struct tsr_member_range *tsr_team_ranges_end(const tsr_team *team, int32_t node) {
  return team->ranges + team->range_ends[node];
}
static inline bool tsr_team_has(const tsr_team *team, tsr_member member) {
  return (uint32_t)member.id < (uint32_t)team->size;
}
/* World number to member number; -1 if the unit is no member. Constant time for regular teams, otherwise
 * logarithmic. */
tsr_member tsr_team_member(const tsr_team *team, tsr_unit unit);

/* Creates a team of `units_n` distinct units in the order given. Collective over `parent`. Every member of the parent
 * passes a list of members of the parent, and all units in a list pass the same list. Lists without a common unit
 * create several teams at once. A unit that is not in its own list gets *out = NULL and TESSERA_OK. An empty list gives
 * NULL without communication. TESSERA_ERR_ARG on all members if lists overlap. An error on one member fails the
 * creation on all: TESSERA_ERR_ARG (NULL, or a unit listed twice), TESSERA_ERR_RANGE (no member of the parent),
 * TESSERA_ERR_LIMIT (ids), TESSERA_ERR_MEMORY on that member; TESSERA_ERR_PEER on the others. The job ends if a member
 * makes another call. */
tessera_status_t tsr_team_create(tsr_team *parent, int32_t units_n, const tsr_unit units[], tsr_team **out);

/* As tsr_team_create, but collective over the listed units only. Threads that create teams of the same units at the
 * same time pass different keys. */
tessera_status_t tsr_team_create_alone(int32_t units_n, const tsr_unit units[], int32_t key, tsr_team **out);

/* Destroys a team and its remaining segments. Collective over the team; contains a barrier. Not for the world. */
tessera_status_t tsr_team_destroy(tsr_team *team);

/* Waits until the non-blocking calls that were started on the team (or on any team) are complete on this unit. The
 * other members have started the same calls. */
void tsr_team_quiesce(tsr_team *team);
void tsr_team_quiesce_all(void);

/* Frees the teams that an interface has left, and its segments in other teams. Collective over the job: all units have
 * reached this point and use none of them any more. */
void tsr_team_drop_api(enum tsr_api api);

/* Creates the world; not collective. Ends it after all interfaces have freed their teams. */
tessera_status_t tsr_team_start(void);
void tsr_team_stop(void);
/* Called at the end of the job: the next job has a new world. */
void tsr_team_forget_world(void);

#endif
