/* --memory: the memory that each unit of a job needs, by formula. */
#include <stdio.h>
#include <stdlib.h>

#include "base/config.h"
#include "core/footprint.h"
#include "core/join.h"
#include "info.h"
#include "net/start.h"
#include "node/memory.h"

int info_memory(void) {
  int32_t units_n = info_number(info_words[0], 1), nodes_n = info_number(info_words[1], 1);
  if (units_n < 0 || nodes_n < 0 || nodes_n > units_n) {
    fprintf(stderr, "tessera-info: --memory takes two numbers above 0, units and nodes, no more nodes than units; for example "
                    "--memory 100000 1563\n");
    return 2;
  }
  if ((units_n - 1) / nodes_n + 1 > TSR_NODE_UNITS_MAX) {
    fprintf(stderr, "tessera-info: --memory: %d units on %d nodes are more than %d on one; give more nodes\n", units_n, nodes_n,
            TSR_NODE_UNITS_MAX);
    return 2;
  }
  struct tsr_footprint_row rows[TSR_FOOTPRINT_ROWS_N];
  tsr_config_load(true);
  tsr_footprint(units_n, nodes_n, true, rows);
  printf("Memory of each unit before communication starts, %d units on %d nodes, wire %s, without %s own:\n", units_n, nodes_n,
         tsr_net_prefers_ucx() ? "ucx" : "mpi", tsr_net_prefers_ucx() ? "MPI's and UCX's" : "the MPI's");
  for (int i = 0; i < TSR_FOOTPRINT_ROWS_N; i++)
    printf("  %10zu bytes  %s%s\n", rows[i].bytes, rows[i].what, rows[i].is_shared ? " (its part)" : "");
  printf("  %10zu bytes  private, in total\n", tsr_footprint_bytes(rows, false));
  printf("  %10zu bytes  in total\n", tsr_footprint_bytes(rows, false) + tsr_footprint_bytes(rows, true));
  printf("The start takes %zu bytes more, which are freed before it ends.\n", tsr_join_bytes(units_n));
  printf("Each endpoint that the unit communicates with adds up to %zu bytes, with TESSERA_WIRE_BUFFERS requests at once.\n",
         tsr_footprint_peer_bytes());
  return EXIT_SUCCESS;
}
