/* A unit dies in the way that the first argument names, while the others wait for it or compute.
 *
 * kill: SIGKILL; segv, abort: fatal signals; exit: ends without ending the runtime; computing: SIGKILL while the others
 * never call in; leak: SIGKILL with live allocations.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "core/agree.h"
#include "core/place.h"
#include "core/segment.h"
#include "core/team.h"

static void die(const char *how) {
  if (strcmp(how, "kill") == 0 || strcmp(how, "computing") == 0 || strcmp(how, "leak") == 0) raise(SIGKILL);
  if (strcmp(how, "segv") == 0) munmap(tsr_heap.memory, 4096), tsr_agree_barrier(tsr_team_world);
  if (strcmp(how, "abort") == 0) abort();
  if (strcmp(how, "exit") == 0) exit(0);
}

int main(int argc, char **argv) {
  if (argc < 2 || tessera_init(&argc, &argv)) return EXIT_FAILURE;
  tsr_segment *segment = NULL;
  if (strcmp(argv[1], "leak") == 0) tsr_segment_alloc(tsr_team_world, 1 << 20, &segment);
  tsr_agree_barrier(tsr_team_world);
  if (tsr_place.self == tsr_place.units_n - 1) die(argv[1]);
  if (strcmp(argv[1], "computing") == 0) {
    for (volatile unsigned long i = 0;; i++) continue;
  }
  tsr_agree_barrier(tsr_team_world);
  tessera_exit();
  return EXIT_SUCCESS;
}
