/* tessera-perf: measures Tessera, next to the limits of the machine. */
#include <stdio.h>
#include <string.h>

#include "armci_works.h"
#include "gasnet_works.h"
#include "limits.h"
#include "memory.h"
#include "shmem_works.h"
#include "works.h"

/* Memory comes first: it is measured before anything else takes some. */
static const struct perf_work *const groups[] = {memory_works,  limits_works,  transfer_works, batch_works,  type_works,
                                                 acc_works,     vis_works,     atomic_works,   barrier_works, alloc_works,
                                                 lock_works,    message_works, notify_works,   coll_works,   stream_works,
                                                 pieces_works,  overlap_works, busy_works,     eager_works,
                                                 armci_transfer_works, armci_sync_works, am_works, am_schedule_works,
                                                 gasnet_transfer_works, gasnet_vis_works, gasnet_am_works,
                                                 shmem_transfer_works, shmem_sync_works, shmem_coll_works, NULL};

static void barrier(void) { works_check(dart_barrier(DART_TEAM_ALL), "dart_barrier"); }

static void share(uint64_t *value) {
  works_check(dart_bcast(value, 1, DART_TYPE_ULONG, dart_create_team_unit(0), DART_TEAM_ALL), "dart_bcast");
}

int main(int argc, char **argv) {
  dart_global_unit_t unit;
  size_t units;
  if (argc == 2 && strcmp(argv[1], "--complete") == 0) /* for shells, which cannot wait until MPI has started */
    return perf_parse(&(struct perf){.program = "tessera-perf"}, groups, argc, argv);
  if (dart_init(&argc, &argv) != DART_OK) return 1;
  works_check(dart_myid(&unit), "dart_myid");
  works_check(dart_size(&units), "dart_size");
  armci_check(ARMCI_Init(), "ARMCI_Init");
  struct perf p = {.program = "tessera-perf", .unit = unit.id, .units = (int)units, .barrier = barrier, .share = share};
  int code = perf_parse(&p, groups, argc, argv);
  if (code < 0) {
    static const struct perf_work *const first[] = {memory_works, NULL};
    perf_run(&p, first);
    shmem_init();
    limits_open(&p);
    perf_run(&p, groups + 1);
    shmem_finalize();
    code = 0;
  }
  ARMCI_Finalize();
  return dart_exit() == DART_OK ? code : 1;
}
