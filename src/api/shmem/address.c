/* Symmetric addresses: any byte of the caller's heap, and its static variables (statics.c). A block of shmem_malloc begins at the
 * same offset in all heaps, so a transfer needs only the offset. */
#include "api/shmem/shmem_api.h"

#include <dlfcn.h>
#include <string.h>

#include "base/config.h"
#include "base/log.h"
#include "core/progress.h"
#include "core/segment.h"
#include "core/stats.h"
#include "rma/offload.h"

#include <shmem/inline.h>

struct shmemi_local tsr_shmem_local_1;
static struct shmemi_local *programs; /* the program's copy, if a copy relocation has made one */

/* ---- the start ---- */

/* Inline functions leave all operations to the library if calls are counted or checked, or if only calls of the library make
 * progress. */
static void fill_local(void) {
  const bool inlined =
      !tsr_stats_are_wanted() && !tsr_config_check() && (tsr_place.nodes_n == 1 || strcmp(tsr_config.progress, "none") != 0);
  const struct tsr_image *program = tsr_shmem_program();
  const bool in_heap = program && program->alias;
  struct tsr_node_unit *unit = tsr_heap_unit(0);
  tsr_shmem_local_1 = (struct shmemi_local){
      .pe = tsr_place.self,
      .npes = tsr_place.units_n,
      .first = tsr_place.first,
      .n = inlined ? tsr_place.count : 0,
      .step = (int64_t)tsr_heap.stride,
      .heap = (uint64_t)(uintptr_t)tsr_heap_at(tsr_heap.self, 0),
      .bytes = tsr_heap_slice_bytes(),
      .data = in_heap ? (uint64_t)(uintptr_t)program->begin : 0,
      .data_bytes = in_heap ? program->bytes : 0,
      .data_alias = in_heap ? (uint64_t)(uintptr_t)program->alias : 0,
      .watches = (const uint32_t *)(const void *)&unit->watches_n,
      .watch_step = sizeof *unit,
      .progress_required = (const unsigned char *)(const void *)&tsr_progress_required};
}

static void publish_local(void) {
  if (!programs) programs = dlsym(RTLD_DEFAULT, "tsr_shmem_local_1");
  if (programs && programs != &tsr_shmem_local_1) *programs = tsr_shmem_local_1;
}

static void log_addresses(void) {
  const char *heap = tsr_heap_at(tsr_heap.self, 0);
  tsr_debug("OpenSHMEM: PE %d of %d; symmetric heap %p to %p", tsr_place.self, tsr_place.units_n, heap,
            heap + tsr_heap_slice_bytes());
  tsr_shmem_statics_log();
}

tessera_status_t tsr_shmem_addresses_start(void) {
  tessera_status_t status = tsr_shmem_statics_start();
  fill_local();
  publish_local();
  log_addresses();
  return status;
}

void tsr_shmem_addresses_stop(void) {
  tsr_shmem_local_1 = (struct shmemi_local){0};
  publish_local();
  tsr_shmem_statics_stop();
}

/* ---- translation ---- */

static bool find_in_heap(const void *address, size_t bytes, uint64_t *off) {
  *off = (uint64_t)((const char *)address - (const char *)tsr_heap_at(tsr_heap.self, 0));
  if (__builtin_expect(*off < tsr_heap_slice_bytes() && bytes <= tsr_heap_slice_bytes() - *off, 1)) return true;
  return tsr_shmem_find_aligned(address, bytes, off);
}

bool tsr_shmem_is_symmetric(const void *address, size_t bytes, uint64_t *off) {
  struct tsr_shmem_static found;
  if (find_in_heap(address, bytes, off)) return true;
  if (!tsr_shmem_find_static(address, bytes, &found)) return false;
  *off = found.segment ? TSR_ADDR_OUTSIDE | (uintptr_t)address : found.off;
  return true;
}

uint64_t tsr_shmem_require_symmetric(const void *address, size_t bytes, const char *call) {
  uint64_t off;
  if (!tsr_shmem_is_symmetric(address, bytes, &off)) tsr_shmem_die_address(address, bytes, call);
  if (__builtin_expect(tsr_config_check() && bytes && find_in_heap(address, bytes, &off), 0))
    tsr_shmem_require_live(address, off, bytes, call);
  return off;
}

uint64_t tsr_shmem_name(const void *address) {
  uint64_t off;
  struct tsr_shmem_static found = {0};
  if (find_in_heap(address, 1, &off)) return off;
  tsr_shmem_find_static(address, 1, &found);
  return TSR_ADDR_OUTSIDE | found.name;
}

tsr_unit tsr_shmem_unit(const struct tsr_shmem_ctx *ctx, int pe, const char *call) {
  const tsr_team *team = ctx->team->core;
  if ((uint32_t)pe >= (uint32_t)team->size)
    tsr_shmem_die("TSR-5010 %s: there is no PE %d%s; pass 0 to %d", call, pe,
                  team == tsr_team_world ? "" : " in the team of the context", team->size - 1);
  return tsr_team_unit(team, TSR_MEMBER(pe));
}

tsr_addr tsr_shmem_address(struct tsr_shmem_ctx *ctx, const void *address, size_t bytes, int pe, const char *call) {
  tsr_unit unit = tsr_shmem_unit(ctx, pe, call);
  uint64_t off;
  struct tsr_shmem_static found;
  if (__builtin_expect(find_in_heap(address, bytes, &off), 1)) {
    if (__builtin_expect(tsr_config_check(), 0)) tsr_shmem_require_live(address, off, bytes, call);
    return (tsr_addr){unit, off};
  }
  if (!tsr_shmem_find_static(address, bytes, &found)) tsr_shmem_die_address(address, bytes, call);
  return found.segment ? tsr_segment_address(found.segment, TSR_MEMBER(unit.id), found.off) : (tsr_addr){unit, found.off};
}

/* ---- order and wake-ups ---- */

/* Called when the operation is counted; partner: the load of the counts in tsr_shmem_quiet. */
void tsr_shmem_note_order(struct tsr_shmem_ctx *ctx, tsr_addr address, size_t bytes) {
  /* Requests to the heap and to static variables outside it have different targets, and an agent sends requests of its own. */
  if (tsr_shmem_statics_apart || bytes > tsr_net_limits.eager_bytes || tsr_net->has_window || tsr_addr_is_outside(address) ||
      tsr_offload_wants(address.unit, bytes))
    atomic_store_explicit(&ctx->overtakes, true, memory_order_relaxed);
}

void tsr_shmem_ring(tsr_unit unit) {
  int32_t local = tsr_place_local(unit);
  if (local < 0) return;
  struct tsr_node_unit *record = tsr_heap_unit((uint32_t)local);
  if (__builtin_expect(atomic_load_explicit(&record->watches_n, memory_order_relaxed), 0)) tsr_shmem_wake((uint32_t)local);
}

void tsr_shmem_wake(uint32_t index) {
  if (index == tsr_heap.self) tsr_wait_nudge();
  else tsr_bell_ring(&tsr_heap_unit(index)->bell);
}

size_t tsr_shmem_bytes(size_t n, size_t unit, const char *call) {
  size_t bytes;
  if (__builtin_mul_overflow(n, unit, &bytes))
    tsr_shmem_die("TSR-5011 %s: %zu elements exceed the address space; pass fewer", call, n);
  return bytes;
}

size_t tsr_shmem_extent(size_t blocks_n, ptrdiff_t stride, size_t block, size_t elem_bytes, const char *call) {
  size_t steps = tsr_shmem_bytes(blocks_n - 1, (size_t)stride, call);
  size_t elems;
  if (__builtin_add_overflow(steps, block, &elems) || steps > PTRDIFF_MAX / elem_bytes)
    tsr_shmem_die("TSR-5040 %s: %zu elements with stride %td exceed the address space; pass fewer, or a smaller stride", call,
                  blocks_n, stride);
  return tsr_shmem_bytes(elems, elem_bytes, call);
}
