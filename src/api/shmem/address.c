/* Symmetric addresses: any byte of the caller's heap, and its static variables. A block of shmem_malloc begins at the same
 * offset of all heaps, so an offset is all that a transfer needs. */
#include "api/shmem/shmem_api.h"

#include <dlfcn.h>
#include <string.h>

#include "base/config.h"
#include "base/log.h"
#include "base/stats.h"
#include "core/agree.h"
#include "core/progress.h"
#include "core/segment.h"
#include "node/data.h"

#include <shmem/inline.h>

struct shmemi_local tsr_shmem_local_1;
static struct shmemi_local *programs; /* the program's copy, if a copy relocation has made one */

/* The static variables. The pages are a part of the heap, or stay where they are and are registered. */
static struct {
  char *begin;
  size_t bytes; /* 0: not symmetric */
  tsr_segment *segment;
  bool in_heap;
} data;

/* ---- the start ---- */

/* The program's pages, if all PEs run the same one; by their number, which is as much as can be known at no cost. Collective. */
static bool find_data(void) {
  if (!tsr_data_find(&data.begin, &data.bytes)) data.bytes = 0;
  int64_t v[2] = {(int64_t)data.bytes, -(int64_t)data.bytes};
  tsr_agree_max(tsr_team_world, v, 2);
  if (v[0] == -v[1]) return data.bytes > 0;
  if (tsr_place.self == 0)
    tsr_warn("TSR-5006 shmem_init: the processes run different programs, so their global and static variables are not symmetric; use "
             "shmem_malloc");
  data.bytes = 0;
  return false;
}

/* A library that is a part of the program has variables of its own there, and on several nodes another thread changes them. */
static bool may_move(void) {
  const char *own = (const char *)&data;
  bool inside = own >= data.begin && own < data.begin + data.bytes;
  return !tsr_config.shmem_data && !(inside && tsr_place.nodes_n > 1);
}

/* Collective: all PEs or none. */
static bool move_data(void) {
  int64_t failed = !may_move();
  tsr_agree_max(tsr_team_world, &failed, 1);
  if (failed || tsr_segment_alloc(tsr_team_world, data.bytes, &data.segment)) return false;
  data.segment->api = TSR_API_SHMEM;
  failed = data.segment->table || tsr_data_share(data.begin, data.bytes, tsr_heap_at(tsr_heap.self, data.segment->off));
  int64_t any = failed;
  tsr_agree_max(tsr_team_world, &any, 1);
  if (!any) return true;
  if (!failed) tsr_data_unshare();
  tsr_segment_free(data.segment);
  return false;
}

static tessera_status_t register_data(void) {
  tessera_status_t status = tsr_segment_register(tsr_team_world, data.begin, data.bytes, &data.segment);
  if (!status) data.segment->api = TSR_API_SHMEM;
  else data.bytes = 0;
  return status;
}

/* Inline functions call the library instead if calls are counted or checked, or if only calls make progress. */
static void fill_local(void) {
  const bool inlined = !tsr_stats_on && !tsr_config.check && (tsr_place.nodes_n == 1 || strcmp(tsr_config.progress, "none") != 0);
  struct tsr_node_unit *unit = tsr_heap_unit(0);
  tsr_shmem_local_1 = (struct shmemi_local){
      .pe = tsr_place.self,
      .npes = tsr_place.units_n,
      .first = tsr_place.first,
      .n = inlined ? tsr_place.count : 0,
      .step = (int64_t)tsr_heap.stride,
      .heap = (uint64_t)(uintptr_t)tsr_heap_at(tsr_heap.self, 0),
      .bytes = tsr_heap_slice_bytes(),
      .data = (uint64_t)(uintptr_t)data.begin,
      .data_bytes = data.in_heap ? data.bytes : 0,
      .data_alias = data.in_heap ? (uint64_t)(uintptr_t)tsr_heap_at(tsr_heap.self, data.segment->off) : 0,
      .watches = (const uint32_t *)(const void *)&unit->watches_n,
      .watch_step = sizeof *unit};
}

static void publish_local(void) {
  if (!programs) programs = dlsym(RTLD_DEFAULT, "tsr_shmem_local_1");
  if (programs && programs != &tsr_shmem_local_1) *programs = tsr_shmem_local_1;
}

static void log_addresses(void) {
  const char *heap = tsr_heap_at(tsr_heap.self, 0);
  const char *how = !data.bytes ? "not symmetric" : data.in_heap ? "mapped into the heap" : "accessed by requests";
  tsr_debug("OpenSHMEM: PE %d of %d; symmetric heap %p to %p, static variables %p to %p, %s", tsr_place.self, tsr_place.units_n, heap,
            heap + tsr_heap_slice_bytes(), data.begin, data.begin + data.bytes, how);
}

tessera_status_t tsr_shmem_addresses_start(void) {
  tessera_status_t status = TESSERA_OK;
  if (find_data()) {
    data.in_heap = move_data();
    if (!data.in_heap) status = register_data();
  }
  fill_local();
  publish_local();
  log_addresses();
  return status;
}

void tsr_shmem_addresses_stop(void) {
  tsr_shmem_local_1 = (struct shmemi_local){0};
  publish_local();
  if (data.in_heap && tsr_data_unshare())
    tsr_shmem_die("TSR-5007 shmem_finalize: no memory for %zu bytes of static variables", data.bytes);
  data.bytes = 0;
  data.in_heap = false;
}

/* ---- translation ---- */

/* Distance from the beginning of the static variables; false: elsewhere. */
static bool find_in_data(const void *address, size_t bytes, uint64_t *at) {
  *at = (uint64_t)((const char *)address - data.begin);
  return *at < data.bytes && bytes <= data.bytes - *at;
}

static bool find_in_heap(const void *address, size_t bytes, uint64_t *off) {
  *off = (uint64_t)((const char *)address - (const char *)tsr_heap_at(tsr_heap.self, 0));
  return *off < tsr_heap_slice_bytes() && bytes <= tsr_heap_slice_bytes() - *off;
}

bool tsr_shmem_is_symmetric(const void *address, size_t bytes, uint64_t *off) {
  if (find_in_heap(address, bytes, off)) return true;
  if (!find_in_data(address, bytes, off)) return false;
  *off = data.in_heap ? data.segment->off + *off : TSR_ADDR_OUTSIDE | (uintptr_t)address;
  return true;
}

uint64_t tsr_shmem_name(const void *address) {
  uint64_t off;
  return find_in_heap(address, 1, &off) ? off : TSR_ADDR_OUTSIDE | (uint64_t)((const char *)address - data.begin);
}

void tsr_shmem_die_address(const void *address, size_t bytes, const char *call) {
  uint32_t local;
  uint64_t off;
  const char *heap = tsr_heap_at(tsr_heap.self, 0);
  if (tsr_heap_contains(address, &local, &off))
    tsr_shmem_die("TSR-5008 %s: %p is an address of PE %d, as shmem_ptr returns them; pass the caller's own address of the variable",
                  call, address, tsr_place_unit(local).id);
  tsr_shmem_die("TSR-5009 %s: %zu bytes at %p are not symmetric; pass memory of shmem_malloc (in %p to %p), or global or static "
                "variables of the program (in %p to %p)", call, bytes, address, heap, heap + tsr_heap_slice_bytes(), data.begin,
                data.begin + data.bytes);
}

tsr_unit tsr_shmem_unit(const struct tsr_shmem_ctx *ctx, int pe, const char *call) {
  const tsr_team *team = ctx->team->core;
  if ((uint32_t)pe >= (uint32_t)team->size)
    tsr_shmem_die("TSR-5010 %s: there is no PE %d; pass 0 to %d", call, pe, team->size - 1);
  return tsr_team_unit(team, TSR_MEMBER(pe));
}

static void require_live(const void *address, size_t bytes, const char *call) {
  if (tsr_shmem_is_free(address))
    tsr_shmem_die("TSR-5062 %s: %zu bytes at %p are in no live block of the symmetric heap: it was freed, or never allocated; pass "
                  "memory of shmem_malloc before shmem_free", call, bytes, address);
}

tsr_addr tsr_shmem_address(struct tsr_shmem_ctx *ctx, const void *address, size_t bytes, int pe, const char *call) {
  tsr_unit unit = tsr_shmem_unit(ctx, pe, call);
  uint64_t off;
  if (__builtin_expect(find_in_heap(address, bytes, &off), 1)) {
    if (__builtin_expect(tsr_config.check, 0)) require_live(address, bytes, call);
    return (tsr_addr){unit, off};
  }
  if (!find_in_data(address, bytes, &off)) tsr_shmem_die_address(address, bytes, call);
  if (data.in_heap) return (tsr_addr){unit, data.segment->off + off};
  return tsr_segment_address(data.segment, TSR_MEMBER(unit.id), off);
}

/* ---- order and wake-ups ---- */

void tsr_shmem_note_order(struct tsr_shmem_ctx *ctx, tsr_addr address, size_t bytes) {
  const bool two_ways = data.bytes && !data.in_heap; /* requests to the heap and to static variables have different targets */
  if (two_ways || bytes > tsr_net_limits.eager_bytes || tsr_net->has_window || tsr_addr_is_outside(address))
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
  if (__builtin_mul_overflow(n, unit, &bytes)) tsr_shmem_die("TSR-5011 %s: %zu elements exceed the address space", call, n);
  return bytes;
}
