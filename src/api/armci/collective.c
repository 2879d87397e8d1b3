/* The collectives of message.h, except reductions. */
#include "coll/coll.h"
#include "api/armci/collective.h"
#include "api/armci/domain.h"

static void run_barrier(const char *call, const ARMCI_Group *group) {
  struct tsr_armci_run run = tsr_armci_begin(call);
  tsr_armci_end(run, TSR_STAT_BARRIER, 0, tsr_barrier(tsr_armci_group_must(call, group)->team));
}

void parmci_msg_barrier(void) { run_barrier("armci_msg_barrier", tsr_armci_default_group()); }
void parmci_msg_group_barrier(ARMCI_Group *group) { run_barrier("armci_msg_group_barrier", group); }
void armci_msg_barrier(void) __attribute__((weak, alias("parmci_msg_barrier")));
void armci_msg_group_barrier(ARMCI_Group *group) __attribute__((weak, alias("parmci_msg_group_barrier")));

/* ---- broadcasts ---- */

/* `root` counts in the team `numbering`. */
static void run_bcast(const char *call, const ARMCI_Group *group, int scope, void *buffer, int bytes, int root,
                      const tsr_team *numbering) {
  struct tsr_armci_run run = tsr_armci_begin(call);
  tsr_team *party = tsr_armci_scope(call, tsr_armci_group_must(call, group), scope);
  if (!party) return;
  tsr_armci_check_buffer(call, buffer, bytes);
  if (!tsr_team_has(numbering, TSR_MEMBER(root)))
    tsr_armci_die("TSR-3004 %s: there is no root %d; processes are 0 to %d", call, root, numbering->size - 1);
  tsr_member member = tsr_team_member(party, tsr_team_unit(numbering, TSR_MEMBER(root)));
  if (member.id < 0)
    tsr_armci_die("TSR-3005 %s: the root %d is not in the caller's group and scope; pass a process of both", call, root);
  tsr_armci_end(run, TSR_STAT_BCAST, (size_t)bytes, tsr_bcast(party, buffer, (size_t)bytes, member));
}

static void bcast_default(const char *call, int scope, void *buffer, int bytes, int root) {
  const ARMCI_Group *group = tsr_armci_default_group();
  run_bcast(call, group, scope, buffer, bytes, root, tsr_armci_group_must(call, group)->team);
}

void armci_msg_bcast(void *buffer, int bytes, int root) { bcast_default(__func__, SCOPE_ALL, buffer, bytes, root); }
void armci_msg_brdcst(void *buffer, int bytes, int root) { bcast_default(__func__, SCOPE_ALL, buffer, bytes, root); }
void armci_msg_bcast_scope(int scope, void *buffer, int bytes, int root) {
  bcast_default(__func__, scope, buffer, bytes, root);
}
/* The root is a number in the world: Global Arrays passes one. */
void armci_msg_group_bcast_scope(int scope, void *buffer, int bytes, int root, ARMCI_Group *group) {
  run_bcast(__func__, group, scope, buffer, bytes, root, tsr_team_world);
}

void armci_msg_clus_brdcst(void *buffer, int bytes) {
  struct tsr_armci_run run = tsr_armci_begin(__func__);
  tsr_team *party = tsr_armci_party(__func__, tsr_armci_default_group(), SCOPE_NODE);
  tsr_armci_check_buffer(__func__, buffer, bytes);
  tsr_armci_end(run, TSR_STAT_BCAST, (size_t)bytes, tsr_bcast(party, buffer, (size_t)bytes, TSR_MEMBER(0)));
}

/* ---- trees ---- */

/* -1: there is no such position. */
static int proc_at(const tsr_team *team, const struct tsr_armci_part *in, int32_t place) {
  if (place < 0 || place >= in->n) return -1;
  return tsr_team_unit(team, TSR_MEMBER(in->members ? in->members[place] : place)).id;
}

void armci_msg_bintree(int scope, int *root, int *up, int *left, int *right) {
  if (!root || !up || !left || !right) tsr_armci_die("TSR-3006 %s: a result is NULL; pass where to store all four", __func__);
  const tsr_team *team = tsr_armci_group_must(__func__, tsr_armci_default_group())->team;
  struct tsr_armci_part in = tsr_armci_part_of(__func__, team, scope);
  bool has = in.self >= 0;
  *root = proc_at(team, &in, 0);
  *up = has && in.self > 0 ? proc_at(team, &in, (in.self - 1) / 2) : -1;
  *left = has ? proc_at(team, &in, 2 * in.self + 1) : -1;
  *right = has ? proc_at(team, &in, 2 * in.self + 2) : -1;
}

/* ---- addresses ---- */

static void exchange_pointers(const char *call, void *pointers[], int n, const ARMCI_Group *group) {
  struct tsr_armci_run run = tsr_armci_begin(call);
  tsr_team *team = tsr_armci_group_must(call, group)->team;
  if (!pointers || n != team->size)
    tsr_armci_die("TSR-3007 %s: there are %d places at %p for the addresses of %d processes; pass one place for each", call, n,
                  (void *)pointers, team->size);
  tessera_status_t status = tsr_allgather(team, &pointers[team->self], pointers, sizeof *pointers);
  tsr_armci_end(run, TSR_STAT_ALLGATHER, sizeof *pointers, status);
}

void armci_exchange_address(void *pointers[], int n) { exchange_pointers(__func__, pointers, n, tsr_armci_default_group()); }
void armci_exchange_address_grp(void *pointers[], int n, ARMCI_Group *group) {
  exchange_pointers(__func__, pointers, n, group);
}
