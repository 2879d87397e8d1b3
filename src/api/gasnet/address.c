/* From what a program names, a rank and the owner's pointer, to a unit and a place in its heap. */
#include "base/config.h"
#include "base/stats.h"
#include "core/heap_base.h"
#include "core/place.h"
#include "api/gasnet/gasnet_api.h"

struct tsr_gex_bound *tsr_gex_bounds;

void tsr_gex_addresses_start(void) {
  tsr_gex_bounds = calloc((size_t)tsr_place.units_n, sizeof *tsr_gex_bounds);
  if (!tsr_gex_bounds || tsr_heap_bases_start())
    tsr_gex_die("gex_Client_Init: no private memory for a table of %d processes", tsr_place.units_n);
}

void tsr_gex_addresses_stop(void) {
  free(tsr_gex_bounds);
  tsr_gex_bounds = NULL;
  tsr_heap_bases_stop();
}

/* ---- Ranks ---- */

static void no_rank(const char *call, gex_TM_t tm, gex_Rank_t rank) __attribute__((cold));
static void no_rank(const char *call, gex_TM_t tm, gex_Rank_t rank) {
  tsr_gex_check_up(call);
  if (!tm) tsr_gex_die("%s: tm is GEX_TM_INVALID; pass a team, or what gex_TM_Pair gives", call);
  if (!tm->size) tsr_gex_die("%s: tm is destroyed, or a pair whose remote endpoint does not exist (its index must be 0)", call);
  tsr_gex_die("%s: there is no rank %u; ranks are 0 to %u", call, rank, tm->size - 1);
}

tsr_unit tsr_gex_unit(const char *call, gex_TM_t tm, gex_Rank_t rank) {
  if (!GEXI_LIKELY(tsr_gex_up && tm && rank < tm->size)) no_rank(call, tm, rank);
  const tsr_team *team = ((const tsr_gex_tm *)tm)->team;
  return team ? tsr_team_unit(team, TSR_MEMBER((int32_t)rank)) : TSR_UNIT((int32_t)rank);
}

tsr_team *tsr_gex_team(const char *call, gex_TM_t tm) {
  if (!GEXI_LIKELY(tsr_gex_up && tm && tm->size)) no_rank(call, tm, 0);
  tsr_team *team = ((const tsr_gex_tm *)tm)->team;
  if (!team) tsr_gex_die("%s: tm is a pair of endpoints, which stands for no team; pass a team", call);
  return team;
}

/* ---- Places ---- */

static bool inside(const struct tsr_gex_bound *bound, const void *pointer, size_t bytes, uint64_t *off) {
  *off = (uintptr_t)pointer - bound->base;
  return bytes <= bound->bytes && *off <= bound->bytes - bytes;
}

/* While GASNet is alone, nothing but segments is any program's memory, and what goes beyond one is refused. */
static bool others_share(void) {
  return tsr_api_is_up[TSR_API_DART] || tsr_api_is_up[TSR_API_ARMCI];
}

bool tsr_gex_in_heap(tsr_unit unit, uintptr_t pointer, size_t bytes, tsr_addr *address) {
  uint64_t off = pointer - tsr_heap_bases[unit.id], most = tsr_heap_slice_bytes();
  if (!others_share() || off > most || bytes > most - off) return false;
  *address = (tsr_addr){unit, off};
  return true;
}

static void no_heap_address(const char *call, tsr_unit unit, const void *pointer, size_t bytes) __attribute__((cold));
static void no_heap_address(const char *call, tsr_unit unit, const void *pointer, size_t bytes) {
  const struct tsr_gex_bound *bound = &tsr_gex_bounds[unit.id];
  tsr_gex_die("%s: %zu bytes at %p are neither inside the segment of job rank %d, %llu bytes from %#llx on, nor in its "
              "heap, which "
              "is from %p to %p; pass the address that the owner itself has, as dart_gptr_getpointer stores it",
              call, bytes, pointer, unit.id, (unsigned long long)bound->bytes, (unsigned long long)bound->base,
              tsr_heap_base_pointer(unit, 0), tsr_heap_base_pointer(unit, tsr_heap_slice_bytes()));
}

static void no_address(const char *call, tsr_unit unit, const void *pointer, size_t bytes) __attribute__((cold));
static void no_address(const char *call, tsr_unit unit, const void *pointer, size_t bytes) {
  const struct tsr_gex_bound *bound = &tsr_gex_bounds[unit.id];
  if (others_share()) no_heap_address(call, unit, pointer, bytes);
  if (!bound->bytes)
    tsr_gex_die("%s: job rank %d has no segment; all processes call gex_Segment_Attach first", call, unit.id);
  char *base = (char *)(uintptr_t)bound->base;
  tsr_gex_die("%s: %zu bytes at %p are not inside the segment of job rank %d, which is from %p to %p; pass addresses as that "
              "process knows them", call, bytes, pointer, unit.id, (void *)base, (void *)(base + bound->bytes));
}

tsr_addr tsr_gex_address(const char *call, tsr_unit unit, const void *pointer, size_t bytes) {
  uint64_t off = 0;
  const struct tsr_gex_bound *bound = &tsr_gex_bounds[unit.id];
  tsr_addr address;
  if (GEXI_LIKELY(inside(bound, pointer, bytes, &off) && bound->bytes)) return (tsr_addr){unit, bound->off + off};
  if (!tsr_gex_in_heap(unit, (uintptr_t)pointer, bytes, &address)) no_address(call, unit, pointer, bytes);
  return address;
}

void *tsr_gex_near(tsr_unit unit, const void *pointer, size_t bytes) {
  uint64_t off;
  const struct tsr_gex_bound *bound = &tsr_gex_bounds[unit.id];
  tsr_addr address;
  if (inside(bound, pointer, bytes, &off)) return tsr_place_pointer((tsr_addr){unit, bound->off + off});
  return tsr_gex_in_heap(unit, (uintptr_t)pointer, bytes, &address) ? tsr_place_pointer(address) : NULL;
}

void *tsr_gex_offset(const char *call, tsr_unit unit, const void *offset, size_t bytes) {
  tsr_gex_check_up(call);
  const struct tsr_gex_bound *bound = &tsr_gex_bounds[unit.id];
  uint64_t off = (uintptr_t)offset;
  if (bytes && (off > bound->bytes || bytes > bound->bytes - off))
    tsr_gex_die("%s: %zu bytes from offset %llu on go beyond the segment of job rank %d, which has %llu bytes; pass an offset inside "
                "it, or addresses without GEX_FLAG_PEER_SEG_OFFSET and GEX_FLAG_SELF_SEG_OFFSET", call, bytes,
                (unsigned long long)off, unit.id, (unsigned long long)bound->bytes);
  return (void *)(uintptr_t)(bound->base + off);
}

struct gexi_peer tsr_gex_peer(tsr_unit unit) {
  const struct tsr_gex_bound *bound = &tsr_gex_bounds[unit.id];
  bool closed = !bound->bytes || tsr_stats_on || tsr_config.check; /* what is counted or checked goes through the library */
  char *local_addr = closed ? NULL : tsr_place_pointer((tsr_addr){unit, bound->off});
  return local_addr ? (struct gexi_peer){bound->base, bound->bytes, local_addr}
                    : (struct gexi_peer){.base = UINT64_MAX};
}
