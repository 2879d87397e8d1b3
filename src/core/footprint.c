#include "core/footprint.h"

#include "base/table.h"
#include "core/op.h"
#include "core/place.h"
#include "core/team.h"
#include "core/team_shape.h"
#include "net/net.h"
#include "node/memory.h"

/* Interfaces that name remote memory by pointers have a table of heap bases with 8 bytes by unit, and GASNet has one with 24
 * bytes. Only pages for units of the node, and for queried units, are touched. GASNet also has a table of segments, in blocks. */
enum { TOUCHED_BYTES = 3 * 4096 };

/* A unit's part of what the node has once. */
static size_t share_of(size_t bytes, int32_t sharers_n) { return (bytes + (size_t)sharers_n - 1) / (size_t)sharers_n; }

void tsr_footprint(int32_t units_n, int32_t nodes_n, bool interfaces, struct tsr_footprint_row rows[TSR_FOOTPRINT_ROWS_N]) {
  int32_t own_n = (units_n + nodes_n - 1) / nodes_n;
  bool several = nodes_n > 1;
  size_t control = tsr_memory_control_bytes((uint32_t)own_n);
  const struct tsr_footprint_row all[TSR_FOOTPRINT_ROWS_N] = {
      {"where units are", tsr_place_bytes(units_n, nodes_n, true), false},
      {"team of all units", sizeof(tsr_team) + tsr_team_shape_bytes(own_n, nodes_n), false},
      {"operations under way, by unit", several ? tsr_op_bytes(units_n) : 0, false},
      {"requests under way, by endpoint", several ? tsr_net_tables_bytes(units_n) : 0, false},
      {"buffers to receive requests", several ? tsr_net_buffers_bytes() : 0, false},
      {"interfaces that use pointers", interfaces ? TOUCHED_BYTES + tsr_table_bytes((uint32_t)units_n, 0, 0) : 0, false},
      {"notifications of ARMCI in the heap, by unit", interfaces ? (size_t)units_n * sizeof(uint64_t) : 0, true},
      {"rings and common area in the node's memory", share_of(control, own_n), true},
      {"addresses of all processes in the node's memory", several ? share_of(tsr_net_node_bytes(units_n, own_n), own_n) : 0, true},
  };
  for (int i = 0; i < TSR_FOOTPRINT_ROWS_N; i++) rows[i] = all[i];
}

size_t tsr_footprint_bytes(const struct tsr_footprint_row rows[TSR_FOOTPRINT_ROWS_N], bool is_shared) {
  size_t sum = 0;
  for (int i = 0; i < TSR_FOOTPRINT_ROWS_N; i++) sum += rows[i].is_shared == is_shared ? rows[i].bytes : 0;
  return sum;
}

size_t tsr_footprint_peer_bytes(void) { return tsr_net_peer_bytes() + tsr_op_peer_bytes(); }
