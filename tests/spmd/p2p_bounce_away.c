/* A unit that has started to receive long messages and then computes keeps their bounce buffers in use; messages to
 * other units must still proceed.
 * Units: 3
 */
#include "check.h"

#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#include "core/bootstrap.h"
#include "core/place.h"
#include "core/progress.h"
#include "node/heap.h"
#include "p2p/local.h"
#include "p2p/p2p.h"

enum { SENDER, AWAY, OTHER, UNITS_N };
enum { BYTES = 1 << 20, MESSAGES_N = 8 /* more than there are bounce buffers */, TAG = 7 };

/* In the sender's heap: read without a call, as by a unit that computes. */
struct flags {
  _Atomic bool met, received;
};
static struct flags *flags;

static unsigned char data[BYTES], buffers[MESSAGES_N][BYTES];

static void share_flags(void) {
  uint64_t off = 0;
  if (tsr_place.self == SENDER) CHECK_EQ(tsr_heap_alloc(sizeof *flags, TSR_HEAP_INTERNAL, &off), TESSERA_OK);
  int64_t common = (int64_t)off;
  tsr_bootstrap_max(tsr_team_world, &common, 1);
  flags = tsr_heap_at((uint32_t)tsr_place_local(TSR_UNIT(SENDER)), (uint64_t)common);
  if (tsr_place.self == SENDER) memset(flags, 0, sizeof *flags);
  tsr_bootstrap_barrier(tsr_team_world);
}

static void until(const _Atomic bool *flag) {
  while (!atomic_load(flag)) sched_yield();
}

/* No data moves before the receives of all messages to the one unit have started. */
static void send_all(void) {
  static tsr_outgoing out[MESSAGES_N + 1];
  memset(data, 0x5a, BYTES);
  for (int i = 0; i < MESSAGES_N; i++)
    CHECK_EQ(tsr_p2p_send_start(&out[i], TSR_UNIT(AWAY), TSR_P2P_DART, TAG, data, BYTES), TESSERA_OK);
  until(&flags->met);
  for (int i = 0; i < 100; i++) tsr_progress();
  CHECK_EQ(tsr_p2p_send_start(&out[MESSAGES_N], TSR_UNIT(OTHER), TSR_P2P_DART, TAG, data, BYTES), TESSERA_OK);
  for (int i = MESSAGES_N; i >= 0; i--) tsr_p2p_send_wait(&out[i]);
}

static bool has_asked(const tsr_incoming *in) {
  return in->entry.key.tag == TAG && in->rndv && atomic_load(&in->rndv->answer) == TSR_RNDV_BOUNCE;
}

static void receive_away(void) {
  static tsr_incoming in[MESSAGES_N];
  for (int i = 0; i < MESSAGES_N; i++)
    tsr_p2p_receive_start(&in[i], TSR_UNIT(SENDER), TSR_P2P_DART, TAG, buffers[i], BYTES);
  for (int i = 0; i < MESSAGES_N; i++) {
    while (!has_asked(&in[i])) tsr_progress();
  }
  atomic_store(&flags->met, true);
  until(&flags->received);
  for (int i = 0; i < MESSAGES_N; i++) tsr_p2p_receive_wait(&in[i]);
  for (int i = 0; i < MESSAGES_N; i++) CHECK(buffers[i][0] == 0x5a && memcmp(buffers[i], buffers[i] + 1, BYTES - 1) == 0);
}

static void receive_other(void) {
  tsr_incoming in;
  tsr_p2p_receive(&in, TSR_UNIT(SENDER), TSR_P2P_DART, TAG, buffers[0], BYTES);
  atomic_store(&flags->received, true);
  CHECK(buffers[0][0] == 0x5a && memcmp(buffers[0], buffers[0] + 1, BYTES - 1) == 0);
}

int main(int argc, char **argv) {
  setenv("TESSERA_ATTACH", "off", 1);
  CHECK_EQ(tessera_init(&argc, &argv), TESSERA_OK);
  CHECK_EQ(tessera_units(), UNITS_N);
  bool is_one_node = tessera_nodes() == 1;
  if (is_one_node) {
    share_flags();
    if (tsr_place.self == SENDER) send_all();
    else if (tsr_place.self == AWAY) receive_away();
    else receive_other();
  }
  CHECK_EQ(tessera_exit(), TESSERA_OK);
  return is_one_node ? check_result() : 77;
}
