/* Requests that no build of Tessera sends, one for each message about them: the unit that serves them ends the job. The only unit
 * sends them to itself; see support/golden.h. */
#include <string.h>

#include <tessera/memory.h>

#include "am/am.h"
#include "base/arith.h"
#include "core/handlers.h"
#include "core/op.h"
#include "core/place.h"
#include "core/progress.h"
#include "core/segment.h"
#include "support/golden.h"
#include "vis/layout.h"
#include "vis/bounce.h"

enum { NOWHERE = 99, UNREGISTERED = TSR_NET_HANDLERS_MAX - 1, UNLOCKED = 1 << 16 };
static uint64_t off; /* of a block in the heap */
static char payload[256], reply[256];

static bool serve_for_ever(void) {
  for (;;) tsr_progress();
  return false;
}

static bool send_with(uint8_t handler, const uint64_t args[], size_t payload_bytes, size_t reply_bytes) {
  tsr_op op = {0};
  struct tsr_net_request request = {.rank = tsr_place_rank(TSR_UNIT(0)), .handler = handler, .payload = payload,
                                    .payload_bytes = payload_bytes, .reply = reply, .reply_bytes = reply_bytes};
  memcpy(request.args, args, sizeof request.args);
  return tsr_op_request(&op, &request, NULL, NULL) || serve_for_ever();
}

/* SEND(HANDLER, BYTES OF THE PAYLOAD, ROOM FOR THE REPLY, ARGUMENTS...) */
#define SEND(handler, payload_bytes, reply_bytes, ...) \
  send_with(handler, (const uint64_t[TSR_NET_ARGS_N]){__VA_ARGS__}, payload_bytes, reply_bytes)

static void answer_too_much(const struct tsr_net_in *in, struct tsr_net_out *out) {
  out->reply = out->scratch;
  out->reply_bytes = in->reply_bytes + 8;
}
static bool answer(void) {
  tsr_net_register(UNREGISTERED, answer_too_much);
  return SEND(UNREGISTERED, 0, 8, 0);
}

static bool send_message(uint8_t family) {
  struct tsr_am_message message = {.family = family, .handler = 3, .kind = TSR_AM_SHORT};
  return tsr_am_request(TSR_UNIT(0), &message, TSR_AM_WAITS, NULL) || serve_for_ever();
}

/* A strided request for a block of `bytes` bytes, of which it announces `announced`. */
static bool send_layout(uint8_t handler, size_t bytes, size_t announced, size_t data_bytes, tsr_type type, size_t room) {
  tsr_layout layout = tsr_layout_contiguous(bytes);
  size_t layout_bytes = tsr_layout_encode(&layout, payload);
  return SEND(handler, layout_bytes + data_bytes, room, 0, off, 0, announced, type);
}

/* A list of one run of `bytes` bytes. */
static bool send_list(uint8_t handler, tsr_entry_bytes bytes, size_t data_bytes, uint64_t sum, size_t room) {
  memcpy(payload, &off, sizeof off);
  memcpy(payload + sizeof off, &bytes, sizeof bytes);
  return SEND(handler, TSR_LIST_ENTRY_BYTES + data_bytes, room, 0, 1, bytes, 0, sum);
}

#define CALLS(CALL)                                                              \
  CALL(0356, SEND(UNREGISTERED, 0, 0, 0))                                        \
  CALL(0357, answer())                                                           \
  CALL(0504, send_message(TSR_AM_GASNET))                                        \
  CALL(0505, SEND(TSR_H_AM, 0, 1, NOWHERE, 0, 0, 8))                             \
  CALL(0600, SEND(TSR_H_FETCH, 8, 8, 0, off, 99 << 8 | 98))                      \
  CALL(0601, SEND(TSR_H_FETCH, 4, 4, 0, off, UNLOCKED | TSR_I32 << 8 | TSR_SUM)) \
  CALL(0602, SEND(TSR_H_SWAP_IF, 8, 8, 0, off, TSR_I64 << 8 | TSR_REPLACE))      \
  CALL(0604, SEND(TSR_H_NOTIFY, 0, 0, 0, off, 0, 3, 1, 1))                       \
  CALL(0605, SEND(TSR_H_NOTIFY, 4, 0, 0, off, 8, off, 1, 1))                     \
  CALL(0606, SEND(TSR_H_GET_NOTIFY, 0, 8, 0, off, 1 << 20, off, 1))              \
  CALL(0611, SEND(TSR_H_PUT, 8, 0, NOWHERE, 16, 8))                              \
  CALL(0612, SEND(TSR_H_PUT, 8, 0, 0, off, 16))                                  \
  CALL(0613, SEND(TSR_H_SIGNAL, 0, 0, 0, 16, 99, 1))                             \
  CALL(0614, SEND(TSR_H_ACCUMULATE, 6, 0, 0, off, TSR_I32 << 8 | TSR_SUM))       \
  CALL(0700, send_list(TSR_H_ACC_IOV, 8, 8, 99 << 8 | TSR_SUM, 0))               \
  CALL(0701, send_list(TSR_H_ACC_IOV, 6, 6, TSR_I32 << 8 | TSR_SUM, 0))          \
  CALL(0704, SEND(TSR_H_PUT_LAYOUT, 1, 0, 0, off, 0, 8))                         \
  CALL(0705, send_layout(TSR_H_PUT_LAYOUT, 16, 16, 8, 0, 0))                     \
  CALL(0706, SEND(TSR_H_PUT_IOV, 8, 0, 0, 5, 8))                                 \
  CALL(0708, send_layout(TSR_H_GET_LAYOUT, 64, 64, 0, 0, 8))                     \
  CALL(0710, send_list(TSR_H_GET_IOV, 64, 0, 0, 8))                              \
  CALL(0806, SEND(TSR_H_MESSAGE, 8, 0, NOWHERE, 0, 0, 8))

#define FUNCTION(number, call) \
  static bool wrong_##number(void) { return call; }
#define ROW(number, call) {#number, wrong_##number, GOLDEN_OWN},
CALLS(FUNCTION)
static const struct golden_case cases[] = {CALLS(ROW)};

static bool start(int *argc, char ***argv) {
  return !tessera_init(argc, argv) && !tsr_segment_local_alloc(TSR_API_NATIVE, sizeof payload, &off);
}
static void end(void) { tessera_exit(); }
static int unit(void) { return tessera_unit(); }
static void barrier(void) {}

int main(int argc, char **argv) {
  return golden_main(argc, argv, &(struct golden_program){cases, sizeof cases / sizeof *cases, start, end, unit, barrier});
}
