#include "coll/group.h"

#include "coll/local.h"

tsr_group tsr_group_locals(const tsr_team *team, int32_t root) {
  int32_t n = team->locals_n, first = tsr_node_of(team, root) == team->self_node ? tsr_local_of(team, TSR_MEMBER(root)) : 0;
  return (tsr_group){.list = team->locals, .n = n, .first = first, .root = team->locals[first],
                     .self = (team->self_local - first + n) % n, .acts = true};
}

tsr_group tsr_group_ring(const tsr_team *team, int32_t root, int32_t order[]) {
  tsr_group group = {.list = order, .n = team->size, .root = root, .acts = true};
  int32_t n = 0, own = 0;
  for (int32_t node = 0; node < team->nodes_n; node++) {
    for (const struct tsr_member_range *range = tsr_team_ranges(team, node); range < tsr_team_ranges_end(team, node); range++) {
      for (int32_t i = 0; i < range->n; i++, n++) {
        order[n] = range->first + i * range->stride;
        if (order[n] == root) group.first = n;
        if (order[n] == team->self) own = n;
      }
    }
  }
  group.self = (own - group.first + n) % n;
  return group;
}
