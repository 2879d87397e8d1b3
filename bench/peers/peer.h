/* Measures a peer by tessera-perf's own harness. Included by each peer's only source file, so that any MPI's
 * compiler wrapper builds a peer with one command. */
#ifndef BENCH_PEER_H
#define BENCH_PEER_H

#include "../../tools/tessera-perf/harness.c"

#endif
