/* Whether copies by the kernel pay depends on the machine. With two cores of an AMD EPYC under a hypervisor, messages of 32 KiB
 * took 4.2 us by the kernel and 1.3 us through shared memory; on an Intel Xeon the kernel was faster (tessera-perf p2p.send with
 * TESSERA_ATTACH=on and off). So the units of a node try both. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/config.h"
#include "base/log.h"
#include "coll/coll.h"
#include "coll/direct.h"
#include "core/sync.h"
#include "node/attach.h"
#include "node/heap.h"

enum { SAMPLE_BYTES = 32 << 10, ROUNDS_N = 6 };

struct sample {
  tsr_team *team;
  char *own, *room; /* private memory */
  char *shared;     /* NULL: the heap has no memory */
};

/* Copies the sample of the next member, and stores the time in *least_ns if it is shorter. False, on all members: such copies are
 * not possible. */
static bool copy_once(const struct sample *sample, bool by_kernel, uint64_t *least_ns) {
  tsr_team *team = sample->team;
  int32_t next = (team->self_local + 1) % team->locals_n;
  struct tsr_direct_shape shape = {TSR_DIRECT_EXCHANGE, -1, SAMPLE_BYTES, SAMPLE_BYTES};
  uint64_t begin = tsr_clock_ns();
  if (!by_kernel) memcpy(sample->shared, sample->own, SAMPLE_BYTES);
  const char *source = by_kernel ? sample->own : sample->shared;
  if (tsr_direct_begin(team, &shape, source, SAMPLE_BYTES, sample->shared) != TSR_DIRECT_YES) return false;
  for (int32_t i = 0; i < team->locals_n; i++) {
    if (!tsr_direct_has_dest(team, i)) return false;
  }
  tsr_direct_get(team, next, 0, sample->room, SAMPLE_BYTES);
  if (!tsr_sync_barrier(team)) return false;
  const uint64_t ns = tsr_clock_ns() - begin;
  if (ns < *least_ns) *least_ns = ns;
  return true;
}

/* The shortest times count: the time of a unit that lost its core meanwhile is meaningless. */
static void compare_copies(const struct sample *sample) {
  uint64_t kernel = UINT64_MAX, shared = UINT64_MAX;
  for (int i = 0; i < ROUNDS_N; i++) {
    if (!copy_once(sample, true, &kernel) || !copy_once(sample, false, &shared)) return;
  }
  if (kernel > shared && tsr_config.attach == TSR_ATTACH_AUTO) tsr_attach_from = TSR_ATTACH_FROM_IF_SLOW;
  if (tsr_leads(sample->team))
    tsr_info("%d KiB of another unit's private memory: %llu ns by the kernel, %llu ns through shared memory",
             SAMPLE_BYTES >> 10, (unsigned long long)kernel, (unsigned long long)shared);
}

/* Measures nothing on an oversubscribed node, where the times would be those of the scheduler. */
void tsr_direct_measure(void) {
  tsr_team *team = tsr_team_world;
  uint64_t off;
  if (team->locals_n == 1 || tsr_wait_oversubscribed()) return;
  bool has_memory = tsr_heap_alloc_from(0, SAMPLE_BYTES, TSR_HEAP_INTERNAL, &off) == TESSERA_OK;
  char *memory = tsr_coll_memory(2 * SAMPLE_BYTES);
  memset(memory, 0, 2 * SAMPLE_BYTES); /* zeros, since it is copied to the heap, whose memory stays zero for programs */
  struct sample sample = {team, memory, memory + SAMPLE_BYTES, has_memory ? tsr_heap_at(tsr_heap.self, off) : NULL};
  tsr_sync_set_call(team, TSR_CALL_SETUP, 0, -1, 0);
  tsr_attach_try_silently(true);
  compare_copies(&sample);
  memset(team->bounced, 0, sizeof team->bounced); /* forgets these calls: programs may pass other buffers */
  tsr_attach_try_silently(false);
  free(memory);
  if (has_memory) tsr_heap_free(off, TSR_HEAP_INTERNAL);
}
