/* Translates a rank and the owner's pointer to a unit and an offset in its heap. */
#include <pthread.h>

#include "core/heap_base.h"
#include "core/place.h"
#include "core/stats.h"
#include "api/gasnet/gasnet_api.h"

/* Bounds are filled in at first use: from the segment that all units have attached, unless tsr_gex_set_bound stored
 * other ones. The lock protects this. */
tsr_table tsr_gex_bounds;
static const tsr_segment *attached; /* NULL: none */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void tsr_gex_addresses_start(void) {
  tsr_gex_bounds = tsr_table_make((uint32_t)tsr_place.units_n, sizeof(struct tsr_gex_bound_entry));
  if (!tsr_gex_bounds.blocks || tsr_heap_bases_start())
    tsr_gex_die("TSR-4000 gex_Client_Init: no private memory for a table of %d processes; free some", tsr_place.units_n);
}

void tsr_gex_addresses_stop(void) {
  tsr_table_free(&tsr_gex_bounds);
  attached = NULL;
  tsr_heap_bases_stop();
}

static struct tsr_gex_bound attached_bound(tsr_unit unit) {
  if (!attached) return (struct tsr_gex_bound){0};
  uint64_t off = tsr_segment_off(attached, TSR_MEMBER(unit.id));
  return (struct tsr_gex_bound){(uintptr_t)tsr_heap_base_pointer(unit, off),
                                tsr_segment_bytes(attached, TSR_MEMBER(unit.id)), off};
}

/* Stores the bound. If it is NULL, fills the entry, unless another thread has already filled it. */
static const struct tsr_gex_bound *store_bound(tsr_unit unit, const struct tsr_gex_bound *bound) {
  struct tsr_gex_bound_entry *entry = tsr_table_use(&tsr_gex_bounds, (uint32_t)unit.id);
  if (!entry) tsr_gex_die("TSR-4001 no private memory to store the bounds of the segment of job rank %d; free some", unit.id);
  pthread_mutex_lock(&lock);
  if (bound) entry->bound = *bound;
  else if (!atomic_load_explicit(&entry->filled, memory_order_relaxed)) entry->bound = attached_bound(unit);
  atomic_store_explicit(&entry->filled, true, memory_order_release); /* partner: tsr_gex_bound */
  pthread_mutex_unlock(&lock);
  return &entry->bound;
}

const struct tsr_gex_bound *tsr_gex_fill_bound(tsr_unit unit) { return store_bound(unit, NULL); }
void tsr_gex_set_bound(tsr_unit unit, struct tsr_gex_bound bound) { store_bound(unit, &bound); }

struct tsr_gex_bound tsr_gex_look_up_bound(tsr_unit unit) {
  const struct tsr_gex_bound_entry *entry = tsr_table_find(&tsr_gex_bounds, (uint32_t)unit.id);
  bool filled = entry && atomic_load_explicit(&entry->filled, memory_order_acquire); /* partner: store_bound() */
  return filled ? entry->bound : attached_bound(unit);
}

static void forget_bound(void *entry, uint32_t number) {
  (void)number;
  atomic_store_explicit(&((struct tsr_gex_bound_entry *)entry)->filled, false, memory_order_relaxed);
}

void tsr_gex_attach_bounds(const tsr_segment *segment) {
  attached = segment;
  tsr_table_each(&tsr_gex_bounds, forget_bound);
}

/* ---- Ranks ---- */

static void no_rank(const char *call, gex_TM_t tm, gex_Rank_t rank) __attribute__((cold));
static void no_rank(const char *call, gex_TM_t tm, gex_Rank_t rank) {
  tsr_gex_check_up(call);
  if (!tm) tsr_gex_die("TSR-4002 %s: tm is GEX_TM_INVALID; pass a team, or a pair of gex_TM_Pair", call);
  if (!tm->size) tsr_gex_die("TSR-4003 %s: tm is destroyed, or a pair whose remote endpoint does not exist; pass a team, or a "
                             "pair with index 0", call);
  tsr_gex_die("TSR-4004 %s: there is no rank %u; ranks are 0 to %u", call, rank, tm->size - 1);
}

tsr_unit tsr_gex_unit(const char *call, gex_TM_t tm, gex_Rank_t rank) {
  if (!GEXI_LIKELY(tsr_gex_up && tm && rank < tm->size)) no_rank(call, tm, rank);
  const tsr_team *team = ((const tsr_gex_tm *)tm)->team;
  return team ? tsr_team_unit(team, TSR_MEMBER((int32_t)rank)) : TSR_UNIT((int32_t)rank);
}

tsr_team *tsr_gex_team(const char *call, gex_TM_t tm) {
  if (!GEXI_LIKELY(tsr_gex_up && tm && tm->size)) no_rank(call, tm, 0);
  tsr_team *team = ((const tsr_gex_tm *)tm)->team;
  if (!team) tsr_gex_die("TSR-4005 %s: tm is a pair of endpoints, not a team; pass a team", call);
  return team;
}

/* ---- Addresses ---- */

/* If no other interface is up, segments are the only memory that a program has in heaps, so any other address is an
 * error. */
static bool others_share(void) {
  return tsr_api_is_up[TSR_API_NATIVE] || tsr_api_is_up[TSR_API_DART] || tsr_api_is_up[TSR_API_ARMCI] ||
         tsr_api_is_up[TSR_API_SHMEM];
}

bool tsr_gex_find_address(tsr_unit unit, uintptr_t pointer, size_t bytes, tsr_addr *address) {
  const struct tsr_gex_bound *bound = tsr_gex_bound(unit);
  uint64_t off = pointer - bound->base;
  if (GEXI_LIKELY(bytes <= bound->bytes && off <= bound->bytes - bytes && bound->bytes)) {
    *address = (tsr_addr){unit, bound->off + off};
    return true;
  }
  const uint64_t heap_bytes = tsr_heap_slice_bytes();
  off = pointer - tsr_heap_base(unit);
  *address = (tsr_addr){unit, off};
  return others_share() && off <= heap_bytes && bytes <= heap_bytes - off;
}

static void no_address(const char *call, tsr_unit unit, const void *pointer, size_t bytes) __attribute__((cold));
static void no_address(const char *call, tsr_unit unit, const void *pointer, size_t bytes) {
  const struct tsr_gex_bound *bound = tsr_gex_bound(unit);
  char *base = (char *)(uintptr_t)bound->base;
  if (others_share())
    tsr_gex_die("TSR-4006 %s: %zu bytes at %p are neither inside the segment of job rank %d, %llu bytes from %#llx on, nor in "
                "its heap, which is from %p to %p; pass the owner's own address, as dart_gptr_getpointer stores it", call,
                bytes, pointer, unit.id, (unsigned long long)bound->bytes, (unsigned long long)bound->base,
                tsr_heap_base_pointer(unit, 0), tsr_heap_base_pointer(unit, tsr_heap_slice_bytes()));
  if (!bound->bytes)
    tsr_gex_die("TSR-4007 %s: job rank %d has no segment; all processes call gex_Segment_Attach first", call, unit.id);
  tsr_gex_die("TSR-4008 %s: %zu bytes at %p are not inside the segment of job rank %d, which is from %p to %p; pass an address "
              "that is valid in that process", call, bytes, pointer, unit.id, (void *)base,
              (void *)(base + bound->bytes));
}

tsr_addr tsr_gex_address(const char *call, tsr_unit unit, const void *pointer, size_t bytes) {
  tsr_addr address;
  if (!GEXI_LIKELY(tsr_gex_find_address(unit, (uintptr_t)pointer, bytes, &address))) no_address(call, unit, pointer, bytes);
  return address;
}

void *tsr_gex_local_pointer(tsr_unit unit, const void *pointer, size_t bytes) {
  tsr_addr address;
  return tsr_gex_find_address(unit, (uintptr_t)pointer, bytes, &address) ? tsr_place_pointer(address) : NULL;
}

void *tsr_gex_offset(const char *call, tsr_unit unit, const void *offset, size_t bytes) {
  tsr_gex_check_up(call);
  const struct tsr_gex_bound *bound = tsr_gex_bound(unit);
  uint64_t off = (uintptr_t)offset;
  if (bytes && (off > bound->bytes || bytes > bound->bytes - off))
    tsr_gex_die("TSR-4009 %s: %zu bytes from offset %llu on go beyond the segment of job rank %d, which has %llu bytes; pass "
                "an offset inside it, or addresses without GEX_FLAG_PEER_SEG_OFFSET and GEX_FLAG_SELF_SEG_OFFSET", call,
                bytes, (unsigned long long)off, unit.id, (unsigned long long)bound->bytes);
  return (void *)(uintptr_t)(bound->base + off);
}

struct gexi_peer tsr_gex_peer(tsr_unit unit) {
  const struct tsr_gex_bound *bound = tsr_gex_bound(unit);
  bool closed = !bound->bytes || tsr_stats_are_wanted() || tsr_config_check(); /* inline code neither counts nor checks */
  char *local_addr = closed ? NULL : tsr_place_pointer((tsr_addr){unit, bound->off});
  return local_addr ? (struct gexi_peer){bound->base, bound->bytes, local_addr}
                    : (struct gexi_peer){.base = UINT64_MAX};
}
