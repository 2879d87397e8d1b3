/* OpenSHMEM: more blocks than a team has numbers for segments. Each call is a round of all PEs, so one PE does.
 * Units: 1
 * Nodes: 1 */
#include "shmem_check.h"

enum { BLOCKS_N = 200000, STEP = 1007 };

int main(void) {
  static long *blocks[BLOCKS_N];
  start();
  for (int i = 0; i < BLOCKS_N; i++) {
    blocks[i] = shmem_malloc(sizeof *blocks[i]);
    CHECK(blocks[i] != NULL);
    if (!blocks[i]) return finish();
    *blocks[i] = -1;
  }
  shmem_barrier_all();
  for (int i = 0; i < BLOCKS_N; i += STEP) shmem_long_p(blocks[i], me * BLOCKS_N + i, next);
  shmem_barrier_all();
  for (int i = 0; i < BLOCKS_N; i++) CHECK_EQ(*blocks[i], i % STEP ? -1 : previous * BLOCKS_N + i);
  for (int i = 0; i < BLOCKS_N; i += 10) shmem_free(blocks[i]);
  CHECK(shmem_malloc(sizeof(long)) == blocks[0]);
  return finish(); /* which frees the others */
}
