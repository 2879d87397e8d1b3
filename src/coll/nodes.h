/* The part of a collective between a team's nodes. One member acts for each: its leader, who is the first, or, where there is
 * a root, that one for its node. Messages of our own, all of a step side by side: MPI's non-blocking collectives are slower
 * than its blocking ones, and those keep a core busy and serve nobody else while they wait. Which way a call takes,
 * coll/select says. */
#ifndef TSR_COLL_NODES_H
#define TSR_COLL_NODES_H

#include <stddef.h>

#include "coll/coll.h"
#include "core/message.h"
#include "core/place.h"
#include "core/team.h"

static inline bool tsr_nodes_leads(const tsr_team *team) { return team->self_local == 0; }

/* The leader of the team's node number `node`. */
static inline tsr_unit tsr_nodes_leader(const tsr_team *team, int32_t node) {
  return tsr_team_unit(team, TSR_MEMBER(team->leaders[node]));
}

/* The team's node number of a member. */
static inline int32_t tsr_nodes_of(const tsr_team *team, tsr_member member) {
  return team->node_numbers[tsr_place_node(tsr_team_unit(team, member))];
}

static inline int tsr_nodes_tag(const tsr_team *team) { return TSR_TAG_TEAM + team->id; }

/* Who acts for its node in a call with a root: the root itself, and the leaders of the other nodes. */
static inline bool tsr_nodes_acts(const tsr_team *team, tsr_member root) {
  return tsr_nodes_of(team, root) == team->self_node ? team->self == root.id : tsr_nodes_leads(team);
}

/* The place of the own node when they are counted from the root's; and who acts for the node at a place. */
static inline int32_t tsr_nodes_place(const tsr_team *team, tsr_member root) {
  return (team->self_node - tsr_nodes_of(team, root) + team->nodes_n) % team->nodes_n;
}
static inline tsr_unit tsr_nodes_at(const tsr_team *team, tsr_member root, int32_t place) {
  return place ? tsr_nodes_leader(team, (tsr_nodes_of(team, root) + place) % team->nodes_n) : tsr_team_unit(team, root);
}

/* Long data goes along a line of nodes in pieces: one from `at` on. */
enum { TSR_LINE_BYTES = 128 << 10 };
static inline size_t tsr_line_piece(size_t bytes, size_t at) {
  return bytes - at < TSR_LINE_BYTES ? bytes - at : TSR_LINE_BYTES;
}

/* A vector of elements in nearly equal parts: where one begins. */
struct tsr_parts {
  size_t n, elem_bytes;
  int32_t parts_n;
};
static inline size_t tsr_part_off(const struct tsr_parts *parts, int32_t part) {
  size_t parts_n = (size_t)parts->parts_n, each = parts->n / parts_n, rest = parts->n % parts_n, i = (size_t)part;
  return (i * each + (i < rest ? i : rest)) * parts->elem_bytes;
}
static inline size_t tsr_part_bytes(const struct tsr_parts *parts, int32_t part) {
  return tsr_part_off(parts, part + 1) - tsr_part_off(parts, part);
}

/* Nodes, or members of them, that one exchanges with at a time. */
enum { TSR_NODES_WINDOW_N = 16 };

/* One message to, or from, or both; the units may be different ones. */
void tsr_nodes_send(const tsr_team *team, tsr_unit to, const void *data, size_t bytes);
void tsr_nodes_receive(const tsr_team *team, tsr_unit from, void *data, size_t bytes);
void tsr_nodes_swap(const tsr_team *team, tsr_unit to, const void *data, size_t bytes, tsr_unit from, void *theirs,
                    size_t their_bytes);

/* Those who act for their nodes call. */
void tsr_nodes_bcast(const tsr_team *team, void *data, size_t bytes, tsr_member root);

/* `mine` of all combined, by an operation that commutes: in the root's `sum`; allreduce: in each leader's. It may be `mine`. */
void tsr_nodes_reduce(const tsr_team *team, const void *mine, void *sum, size_t n, const tsr_reducer *how, tsr_member root);
void tsr_nodes_allreduce(const tsr_team *team, const void *mine, void *sum, size_t n, const tsr_reducer *how);

/* The same by halves, for them; of an allreduce the own part is in `sum` already. */
void tsr_halves_bcast(const tsr_team *team, void *data, size_t bytes, tsr_member root);
void tsr_halves_reduce(const tsr_team *team, const void *mine, void *sum, size_t n, const tsr_reducer *how, tsr_member root);
void tsr_halves_allreduce(const tsr_team *team, void *sum, size_t n, const tsr_reducer *how);

#endif
