/* ARMCI: operations on an aggregate handle are sent together, for each call that takes a handle. The test counts the
 * requests at the target, and compares with the same operations on a plain handle.
 * Units: 4 */
#include "armci_check.h"

#include <stdatomic.h>

#include "core/handlers.h"
#include "core/place.h"
#include "net/net.h"

enum { TIMES = 100, EACH = 4 /* longs that each operation changes */, APART = 2 * EACH, LONGS_N = TIMES * APART };

static struct shared memory;
static long mine[LONGS_N];
static int target; /* half of the units further: on another node if there are two */

static long *there(int i) { return (long *)(void *)memory.of[target] + i * APART; }

/* ---- counting ---- */

static tsr_net_handler_fn serves[TSR_H_ACC_IOV + 1];
static _Atomic int served_n;

#define COUNTING(handler)                                                                        \
  static void count_##handler(const struct tsr_net_in *in, struct tsr_net_out *out) {            \
    atomic_fetch_add(&served_n, 1);                                                              \
    serves[handler](in, out);                                                                    \
  }
#define WATCH(handler) serves[handler] = tsr_net_handlers[handler], tsr_net_handlers[handler] = count_##handler

COUNTING(TSR_H_PUT)
COUNTING(TSR_H_GET)
COUNTING(TSR_H_ACCUMULATE)
COUNTING(TSR_H_PUT_LAYOUT)
COUNTING(TSR_H_GET_LAYOUT)
COUNTING(TSR_H_ACC_LAYOUT)
COUNTING(TSR_H_PUT_IOV)
COUNTING(TSR_H_GET_IOV)
COUNTING(TSR_H_ACC_IOV)

static void watch_handlers(void) {
  WATCH(TSR_H_PUT);
  WATCH(TSR_H_GET);
  WATCH(TSR_H_ACCUMULATE);
  WATCH(TSR_H_PUT_LAYOUT);
  WATCH(TSR_H_GET_LAYOUT);
  WATCH(TSR_H_ACC_LAYOUT);
  WATCH(TSR_H_PUT_IOV);
  WATCH(TSR_H_GET_IOV);
  WATCH(TSR_H_ACC_IOV);
}

/* By all units, since the last call. */
static long requests_n(void) {
  ARMCI_Barrier();
  long n = atomic_exchange(&served_n, 0);
  armci_msg_lgop(&n, 1, "+");
  return n;
}

/* ---- the calls ---- */

enum call { PUT, GET, ACC, PUT_S, GET_S, ACC_S, PUT_V, GET_V, ACC_V, PUT_VALUE, CALLS_N };
static const char *const names[CALLS_N] = {"NbPut", "NbGet", "NbAcc", "NbPutS", "NbGetS", "NbAccS",
                                           "NbPutV", "NbGetV", "NbAccV", "NbPutValueLong"};
static bool is_get(enum call call) { return call == GET || call == GET_S || call == GET_V; }
static bool is_acc(enum call call) { return call == ACC || call == ACC_S || call == ACC_V; }

/* Every second long of each operation's part; contiguous operations change the first longs. */
static int start_one(enum call call, int i, armci_hdl_t *handle) {
  long *here = &mine[i * APART], scale = 3;
  int stride = 2 * sizeof(long), count[2] = {sizeof(long), EACH};
  void *ours[EACH], *theirs[EACH];
  armci_giov_t list = {.src_ptr_array = is_get(call) ? theirs : ours, .dst_ptr_array = is_get(call) ? ours : theirs,
                       .bytes = sizeof(long), .ptr_array_len = EACH};
  for (int k = 0; k < EACH; k++) ours[k] = here + 2 * k, theirs[k] = there(i) + 2 * k;
  switch (call) {
  case PUT: return ARMCI_NbPut(here, there(i), sizeof(long), target, handle);
  case GET: return ARMCI_NbGet(there(i), here, sizeof(long), target, handle);
  case ACC: return ARMCI_NbAcc(ARMCI_ACC_LNG, &scale, here, there(i), sizeof(long), target, handle);
  case PUT_S: return ARMCI_NbPutS(here, &stride, there(i), &stride, count, 1, target, handle);
  case GET_S: return ARMCI_NbGetS(there(i), &stride, here, &stride, count, 1, target, handle);
  case ACC_S: return ARMCI_NbAccS(ARMCI_ACC_LNG, &scale, here, &stride, there(i), &stride, count, 1, target, handle);
  case PUT_V: return ARMCI_NbPutV(&list, 1, target, handle);
  case GET_V: return ARMCI_NbGetV(&list, 1, target, handle);
  case ACC_V: return ARMCI_NbAccV(ARMCI_ACC_LNG, &scale, &list, 1, target, handle);
  default: return ARMCI_NbPutValueLong(*here, there(i), target, handle);
  }
}

static int longs_of(enum call call) { return call == PUT || call == GET || call == ACC || call == PUT_VALUE ? 1 : EACH; }

/* The memory that a call changes: for gets its own, else the target's. */
static void check_changed(enum call call, int from) {
  const long *changed = is_get(call) ? mine : (const long *)(const void *)memory.of[self];
  for (int i = 0; i < LONGS_N; i++) {
    bool is_moved = i % APART % 2 == 0 && i % APART / 2 < longs_of(call);
    long before = self * 10000L + i, moved = (is_get(call) ? target : from) * 10000L + i;
    CHECK_EQ(changed[i], !is_moved ? before : is_acc(call) ? before + 3 * moved : moved);
  }
}

static void run(enum call call, bool aggregate) {
  armci_hdl_t handle;
  ARMCI_INIT_HANDLE(&handle);
  if (aggregate) ARMCI_SET_AGGREGATE_HANDLE(&handle);
  for (int i = 0; i < LONGS_N; i++) mine[i] = ((long *)(void *)memory.of[self])[i] = self * 10000L + i;
  ARMCI_Barrier();
  for (int i = 0; i < TIMES; i++) OK(start_one(call, i, &handle));
  OK(ARMCI_Wait(&handle));
  ARMCI_Fence(target);
  ARMCI_Barrier();
  check_changed(call, (self + units_n - units_n / 2) % units_n);
}

/* On a plain handle each operation is a request. On an aggregate handle they share requests, as many as their data and
 * lists fill, with at most 28 bytes for each long. Agents count for themselves, which units cannot see. */
static void try_call(enum call call) {
  long eager = (long)tsr_net_limits.eager_bytes, fill_n = (TIMES * longs_of(call) * 28L + eager - 1) / eager, far_n = 0;
  for (int unit = 0; unit < units_n; unit++)
    far_n += tsr_place_node(TSR_UNIT(unit)) != tsr_place_node(TSR_UNIT((unit + units_n / 2) % units_n));
  run(call, false);
  long plain_n = requests_n();
  run(call, true);
  long together_n = requests_n();
  if (tsr_place.agents_n) return;
  CHECK_EQ(plain_n, far_n * TIMES);
  CHECK(together_n >= far_n && together_n <= far_n * fill_n);
  if (self == 0 && check_failures) printf("%s: %ld and %ld requests of %ld units\n", names[call], plain_n, together_n, far_n);
}

int main(int argc, char **argv) {
  watch_handlers();
  start(&argc, &argv);
  target = (self + units_n / 2) % units_n;
  memory = share(sizeof mine);
  requests_n();
  for (int call = PUT; call < CALLS_N; call++) try_call((enum call)call);
  free_shared(&memory);
  return finish();
}
