/* ARMCI's message interface: process numbers, start and end, and messages between two processes. */
#include "base/clock.h"
#include "core/launch.h"
#include "core/place.h"
#include "core/stats.h"
#include "api/armci/address.h"
#include "p2p/p2p.h"

/* NULL means the world: programs also query between armci_msg_init and ARMCI_Init, and after ARMCI_Finalize. */
static const ARMCI_Group *queried_group(const char *call) {
  if (TSR_ARMCI_LIKELY(tsr_armci_up)) return tsr_armci_default_group();
  if (tsr_place.self < 0) tsr_armci_die("TSR-3064 %s: called before armci_msg_init and ARMCI_Init; call one of them first", call);
  return NULL;
}

int armci_msg_me(void) {
  const ARMCI_Group *group = queried_group(__func__);
  return group ? group->rank : tsr_place.self;
}
int armci_msg_nproc(void) {
  const ARMCI_Group *group = queried_group(__func__);
  return group ? group->size : tsr_place.units_n;
}

void armci_msg_abort(int code) { tsr_abort(code ? code : EXIT_FAILURE, "TSR-3065 armci_msg_abort: the program ends the job "
                                           "(%d)", code); }

void armci_msg_init(int *argc, char ***argv) {
  if (tsr_launch(&(struct tsr_launch){.argc = argc, .argv = argv}))
    tsr_armci_die("TSR-3066 armci_msg_init: the start failed; see the message above");
}

/* Programs that stop after an error call only this function, so it also ends ARMCI. */
void armci_msg_finalize(void) {
  while (tsr_armci_up) PARMCI_Finalize();
  tsr_launch_end_mpi();
}

double armci_timer(void) { return (double)tsr_clock_ns() * 1e-9; }

/* ---- messages ---- */

static void check_message(const char *call, int tag, const void *buffer, int bytes) {
  tsr_armci_must_be_up(call);
  if (tag < 0) tsr_armci_die("TSR-3068 %s: tag %d is negative; use 0 to INT_MAX", call, tag);
  if (bytes < 0) tsr_armci_die("TSR-3069 %s: the number of bytes, %d, is negative; pass 0 or more", call, bytes);
  if (bytes && !buffer) tsr_armci_die("TSR-3070 %s: the buffer for %d bytes is NULL; pass one, or 0 bytes", call, bytes);
}

static tsr_unit unit_of(const char *call, int proc) {
  if (!tsr_armci_has(proc))
    tsr_armci_die("TSR-3071 %s: there is no process %d; pass 0 to %d", call, proc, tsr_place.units_n - 1);
  return TSR_UNIT(proc);
}

void armci_msg_snd(int tag, void *buffer, int bytes, int to) {
  uint64_t begun_ns = tsr_stats_begin();
  check_message(__func__, tag, buffer, bytes);
  tsr_unit unit = unit_of(__func__, to);
  if (tsr_p2p_send(unit, TSR_P2P_ARMCI, tag, buffer, (size_t)bytes))
    tsr_armci_die("TSR-3072 %s: no private memory to send %d bytes to process %d; free some", __func__, bytes, to);
  tsr_stats_end_at(TSR_STAT_SEND, begun_ns, (uint64_t)bytes, unit);
}

static int receive_message(const char *call, tsr_unit from, int tag, void *buffer, int buffer_bytes, int *got_bytes) {
  uint64_t begun_ns = tsr_stats_begin();
  tsr_incoming in;
  tsr_p2p_receive(&in, from, TSR_P2P_ARMCI, tag, buffer, (size_t)buffer_bytes);
  if (in.bytes > (size_t)buffer_bytes)
    tsr_armci_die("TSR-3073 %s: the message from process %d with tag %d has %zu bytes, the buffer %d; pass a larger buffer",
                  call, in.source.id, tag, in.bytes, buffer_bytes);
  tsr_stats_end_at(TSR_STAT_RECEIVE, begun_ns, in.bytes, in.source);
  if (got_bytes) *got_bytes = (int)in.bytes;
  return in.source.id;
}

void armci_msg_rcv(int tag, void *buffer, int buffer_bytes, int *got_bytes, int from) {
  check_message(__func__, tag, buffer, buffer_bytes);
  receive_message(__func__, unit_of(__func__, from), tag, buffer, buffer_bytes, got_bytes);
}

int armci_msg_rcvany(int tag, void *buffer, int buffer_bytes, int *got_bytes) {
  check_message(__func__, tag, buffer, buffer_bytes);
  return receive_message(__func__, TSR_UNIT(TSR_ANY_SOURCE), tag, buffer, buffer_bytes, got_bytes);
}
