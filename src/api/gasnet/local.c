/* The record that inline functions of the installed headers read. */
#define GEXI_NEAR_CONST /* not const in this file, which writes it */
#include <gex/near.h>

#include "core/place.h"
#include "api/gasnet/event.h"
#include "api/gasnet/gasnet_api.h"
#include "api/gasnet/local.h"

struct gexi_near tsr_gex_near_2;
static struct gexi_near *programs; /* the program's copy, if a copy relocation has made one */

static void publish_near(void) {
  if (programs && programs != &tsr_gex_near_2) *programs = tsr_gex_near_2;
}

void tsr_gex_local_start(const struct gexi_near *near) {
  programs = (struct gexi_near *)near;
  tsr_gex_near_2 = (struct gexi_near){.implicit = tsr_gex_nbi_start(),
                                      .rank = (gex_Rank_t)tsr_place.self,
                                      .size = (gex_Rank_t)tsr_place.units_n};
  publish_near();
}

/* Called whenever segments change. Until then the record has no peers, and inline functions call the library. */
void tsr_gex_local_refresh(const struct gexi_tm *world) {
  gex_Rank_t n = world->size < GEXI_NEAR_PEERS_N ? world->size : GEXI_NEAR_PEERS_N;
  for (gex_Rank_t rank = 0; rank < n; rank++) {
    bool is_local_unit = world->peers[rank].bytes > 0;
    tsr_gex_near_2.peers[rank] = is_local_unit ? world->peers[rank] : (struct gexi_peer){.base = UINT64_MAX};
  }
  tsr_gex_near_2.peers_n = n;
  tsr_gex_near_2.world = world;
  publish_near();
}

void tsr_gex_local_stop(void) {
  tsr_gex_near_2 = (struct gexi_near){0};
  publish_near();
  programs = NULL;
}
