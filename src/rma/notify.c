#include "rma/notify.h"

#include <string.h>

#include "base/bits.h"
#include "base/copy.h"
#include "core/progress.h"
#include "core/runtime.h"

/* Sends one request to the rank that serves both the data and the counter. The request puts the data, if any, and changes the
 * counter. */
static tessera_status_t count_remote(tsr_addr dest, const void *src, size_t bytes, tsr_addr counter, enum tsr_signal how,
                                     uint64_t value, bool ordered, tsr_op *op) {
  struct tsr_net_request request = {.rank = tsr_place_endpoint(dest),
                                    .handler = TSR_H_NOTIFY,
                                    .ordered = ordered,
                                    .args = {(uint64_t)dest.unit.id, dest.off, bytes, counter.off, value, how},
                                    .payload = src,
                                    .payload_bytes = bytes};
  return tsr_op_request(op, &request, NULL, NULL);
}

/* Moves long data, then changes the counter. An ordered request takes effect after the bulk data of the ordered requests before
 * it, and a piece of a get is read before the next request is served. */
static tessera_status_t move_long(bool is_put, tsr_addr remote, char *local, size_t bytes, tsr_addr counter,
                                  enum tsr_signal how, uint64_t value, tsr_op *op) {
  tessera_status_t status = TESSERA_OK;
  for (size_t at = 0, piece; at < bytes && !status; at += piece) {
    piece = tsr_rma_piece(is_put, bytes, bytes - at);
    struct tsr_net_request request = tsr_rma_request(is_put, (tsr_addr){remote.unit, remote.off + at}, local + at, piece);
    request.ordered = true;
    status = tsr_op_request(op, &request, NULL, NULL);
  }
  return status ? status : count_remote(remote, NULL, 0, counter, how, value, true, op);
}

tessera_status_t tsr_put_notify(tsr_addr dest, const void *src, size_t bytes, tsr_addr counter, enum tsr_signal how,
                                uint64_t value, tsr_op *op) {
  int32_t local = tsr_place_local(counter.unit);
  if (local >= 0) {
    tessera_status_t status = bytes ? tsr_put_wait(dest, src, bytes) : TESSERA_OK;
    if (!status) tsr_signal_local((uint32_t)local, counter.off, how, value);
    return status;
  }
  atomic_thread_fence(memory_order_release); /* partner: the acquire in tsr_notify_read */
  if (bytes <= tsr_net_limits.eager_bytes) return count_remote(dest, src, bytes, counter, how, value, false, op);
  return move_long(true, dest, (char *)src, bytes, counter, how, value, op);
}

tessera_status_t tsr_get_notify(void *dest, tsr_addr src, size_t bytes, tsr_addr counter, uint64_t increment, tsr_op *op) {
  int32_t local = tsr_place_local(counter.unit);
  if (local >= 0) {
    tessera_status_t status = bytes ? tsr_get_wait(dest, src, bytes) : TESSERA_OK;
    if (!status) tsr_signal_local((uint32_t)local, counter.off, TSR_SIGNAL_ADD, increment);
    return status;
  }
  if (!bytes) return count_remote(src, NULL, 0, counter, TSR_SIGNAL_ADD, increment, false, op);
  if (bytes > tsr_net_limits.eager_bytes) return move_long(false, src, dest, bytes, counter, TSR_SIGNAL_ADD, increment, op);
  struct tsr_net_request request = {.rank = tsr_place_endpoint(src),
                                    .handler = TSR_H_GET_NOTIFY,
                                    .args = {(uint64_t)src.unit.id, src.off, bytes, counter.off, increment},
                                    .reply = dest,
                                    .reply_bytes = bytes};
  return tsr_op_request(op, &request, NULL, NULL);
}

/* Changes a counter of the unit that the request names. */
static void count_notification(const struct tsr_net_in *in, uint64_t off, uint64_t how, uint64_t value) {
  if (off % sizeof(uint64_t) || off >= TSR_ADDR_OUTSIDE || how > TSR_SIGNAL_ADD)
    tsr_abort(1, "TSR-0604 a notification of rank %d names no valid counter: offset %llu, operation %llu; expected are a multiple "
              "of 8 and at most %d; " TSR_REMEDY_ONE_BUILD, in->rank, (unsigned long long)off,
              (unsigned long long)how, TSR_SIGNAL_ADD);
  tsr_serve_range(in, off, sizeof(uint64_t));
  tsr_signal_local((uint32_t)tsr_place_local(TSR_UNIT((int32_t)in->args[0])), off, (enum tsr_signal)how, value);
}

static void serve_notify(const struct tsr_net_in *in, struct tsr_net_out *out) {
  (void)out;
  const uint64_t *args = in->args;
  if (in->payload_bytes != args[2])
    tsr_abort(1, "TSR-0605 a notified put of rank %d brings %zu bytes instead of %llu; " TSR_REMEDY_ONE_BUILD, in->rank,
              in->payload_bytes, (unsigned long long)args[2]);
  if (args[2]) tsr_copy(tsr_serve_range(in, args[1], args[2]), in->payload, args[2]);
  count_notification(in, args[3], args[5], args[4]);
}

static void serve_get_notify(const struct tsr_net_in *in, struct tsr_net_out *out) {
  const uint64_t *args = in->args;
  if (args[2] > out->scratch_bytes)
    tsr_abort(1, "TSR-0606 a notified get of rank %d asks for %llu bytes, which are more than one reply can hold; "
              TSR_REMEDY_ONE_BUILD, in->rank, (unsigned long long)args[2]);
  tsr_copy(out->scratch, tsr_serve_range(in, args[1], args[2]), args[2]);
  out->reply = out->scratch;
  out->reply_bytes = args[2];
  count_notification(in, args[3], TSR_SIGNAL_ADD, args[4]);
}

struct search {
  const struct tsr_notify_goal *goals;
  size_t n;
};

static size_t first_reached(const struct search *search) {
  size_t i = 0;
  while (i < search->n && tsr_notify_read(search->goals[i].counter) < search->goals[i].least) i++;
  return i;
}

static bool any_reached(const void *arg) { return first_reached(arg) < ((const struct search *)arg)->n; }

size_t tsr_notify_test(const struct tsr_notify_goal goals[], size_t n) {
  struct search search = {goals, n};
  if (any_reached(&search)) return first_reached(&search);
  tsr_progress();
  return first_reached(&search);
}

size_t tsr_notify_wait_any(const struct tsr_notify_goal goals[], size_t n) {
  struct search search = {goals, n};
  tsr_wait(any_reached, &search, (struct tsr_wait_why){TSR_WAIT_NOTICE, (int32_t)n, (int64_t)goals->least});
  return first_reached(&search);
}

__attribute__((constructor)) static void register_handlers(void) {
  tsr_net_register(TSR_H_NOTIFY, serve_notify);
  tsr_net_register(TSR_H_GET_NOTIFY, serve_get_notify);
}
