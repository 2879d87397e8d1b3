/* From what a program names, a rank and the owner's pointer, to a unit and a place in its heap. */
#include "base/config.h"
#include "base/stats.h"
#include "core/origin.h"
#include "core/place.h"
#include "faces/gasnet/gasnet_face.h"

struct tsr_gex_bound *tsr_gex_bounds;

void tsr_gex_addresses_start(void) {
  tsr_gex_bounds = calloc((size_t)tsr_place.units_n, sizeof *tsr_gex_bounds);
  if (!tsr_gex_bounds || tsr_origins_start())
    tsr_gex_die("gex_Client_Init: no private memory for a table of %d processes", tsr_place.units_n);
}

void tsr_gex_addresses_stop(void) {
  free(tsr_gex_bounds);
  tsr_gex_bounds = NULL;
  tsr_origins_stop();
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

static void no_address(const char *call, tsr_unit unit, const void *pointer, size_t bytes) __attribute__((cold));
static void no_address(const char *call, tsr_unit unit, const void *pointer, size_t bytes) {
  const struct tsr_gex_bound *bound = &tsr_gex_bounds[unit.id];
  if (!bound->bytes)
    tsr_gex_die("%s: job rank %d has no segment; all processes call gex_Segment_Attach first", call, unit.id);
  char *base = (char *)(uintptr_t)bound->base;
  tsr_gex_die("%s: %zu bytes at %p are not inside the segment of job rank %d, which is from %p to %p; pass addresses as that "
              "process knows them", call, bytes, pointer, unit.id, (void *)base, (void *)(base + bound->bytes));
}

tsr_addr tsr_gex_address(const char *call, tsr_unit unit, const void *pointer, size_t bytes) {
  uint64_t off = 0;
  const struct tsr_gex_bound *bound = &tsr_gex_bounds[unit.id];
  if (!GEXI_LIKELY(inside(bound, pointer, bytes, &off) && bound->bytes)) no_address(call, unit, pointer, bytes);
  return (tsr_addr){unit, bound->off + off};
}

void *tsr_gex_near(tsr_unit unit, const void *pointer, size_t bytes) {
  uint64_t off;
  const struct tsr_gex_bound *bound = &tsr_gex_bounds[unit.id];
  return inside(bound, pointer, bytes, &off) ? tsr_place_pointer((tsr_addr){unit, bound->off + off}) : NULL;
}

struct gexi_peer tsr_gex_peer(tsr_unit unit) {
  const struct tsr_gex_bound *bound = &tsr_gex_bounds[unit.id];
  bool closed = !bound->bytes || tsr_stats_on || tsr_config.check; /* what is counted or checked goes through the library */
  char *here = closed ? NULL : tsr_place_pointer((tsr_addr){unit, bound->off});
  return here ? (struct gexi_peer){bound->base, bound->bytes, here} : (struct gexi_peer){.base = UINT64_MAX};
}
