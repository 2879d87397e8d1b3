#include "core/launch.h"
#include "core/place.h"
#include "faces/armci/armci_face.h"

static ARMCI_Group world;

void tsr_armci_groups_start(void) {
  world = (ARMCI_Group){.comm = tsr_launch_comm(), .rank = tsr_place.self, .size = tsr_place.units_n};
}
void tsr_armci_groups_stop(void) {}

tsr_team *tsr_armci_team(const ARMCI_Group *group) { return group && group->size == world.size ? tsr_team_world : NULL; }
const ARMCI_Group *tsr_armci_default_group(void) { return &world; }
