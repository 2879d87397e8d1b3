#include "rma/notify.h"

#include <string.h>

#include "base/wait.h"
#include "core/handlers.h"
#include "core/progress.h"
#include "core/runtime.h"
#include "net/net.h"
#include "rma/serve.h"

/* Our own doorbell would not wake a thread of ours that another leads. The addition is a full fence. */
void tsr_notify_local(uint32_t local, uint64_t off, uint64_t increment) {
  uint64_t *counter = tsr_heap_at(local, off);
  __atomic_fetch_add(counter, increment, __ATOMIC_SEQ_CST); /* partner: the acquire in tsr_notify_read */
  if (local == tsr_heap.self) tsr_wait_nudge();
  else tsr_bell_ring_fenced(&tsr_heap_unit(local)->bell);
}

/* All of a notified put goes to the rank that serves the data, which reaches the counter too. */
static tessera_status_t count_remote(tsr_addr dest, const void *src, size_t bytes, tsr_addr counter, uint64_t increment,
                                  bool ordered, tsr_op *op) {
  struct tsr_net_request request = {.rank = tsr_place_endpoint(dest),
                                    .handler = TSR_H_NOTIFY,
                                    .ordered = ordered,
                                    .args = {(uint64_t)dest.unit.id, dest.off, bytes, counter.off, increment},
                                    .payload = src,
                                    .payload_bytes = bytes};
  return tsr_op_request(op, &request, NULL, NULL);
}

static tessera_status_t put_piece(tsr_addr dest, const void *src, size_t bytes, tsr_op *op) {
  struct tsr_net_request request = {.rank = tsr_place_endpoint(dest),
                                    .handler = TSR_H_PUT,
                                    .ordered = true,
                                    .args = {(uint64_t)dest.unit.id, dest.off, bytes},
                                    .bulk = src,
                                    .bulk_bytes = bytes};
  return tsr_op_request(op, &request, NULL, NULL);
}

/* What follows in order comes after the bulk of what went before. */
static tessera_status_t put_long(tsr_addr dest, const void *src, size_t bytes, tsr_addr counter, uint64_t increment,
                                 tsr_op *op) {
  tessera_status_t status = TESSERA_OK;
  for (size_t at = 0, piece; at < bytes && !status; at += piece) {
    piece = bytes - at < tsr_net_limits.chunk_bytes ? bytes - at : tsr_net_limits.chunk_bytes;
    status = put_piece((tsr_addr){dest.unit, dest.off + at}, (const char *)src + at, piece, op);
  }
  return status ? status : count_remote(dest, NULL, 0, counter, increment, true, op);
}

tessera_status_t tsr_put_notify(tsr_addr dest, const void *src, size_t bytes, tsr_addr counter, uint64_t increment,
                                tsr_op *op) {
  int32_t local = tsr_place_local(counter.unit);
  if (local >= 0) {
    tessera_status_t status = bytes ? tsr_put_wait(dest, src, bytes) : TESSERA_OK;
    if (!status) tsr_notify_local((uint32_t)local, counter.off, increment);
    return status;
  }
  atomic_thread_fence(memory_order_release); /* partner: the acquire of whoever sees the counter */
  if (bytes <= tsr_net_limits.eager_bytes) return count_remote(dest, src, bytes, counter, increment, false, op);
  return put_long(dest, src, bytes, counter, increment, op);
}

/* Straight from the heap, so that the data has to stay until each piece is sent: what follows in order comes after that. */
static tessera_status_t get_long(char *dest, tsr_addr src, size_t bytes, tsr_addr counter, uint64_t increment, tsr_op *op) {
  tessera_status_t status = TESSERA_OK;
  for (size_t at = 0, piece; at < bytes && !status; at += piece) {
    piece = bytes - at < tsr_net_limits.chunk_bytes ? bytes - at : tsr_net_limits.chunk_bytes;
    struct tsr_net_request request = {.rank = tsr_place_endpoint(src),
                                      .handler = TSR_H_GET,
                                      .ordered = true,
                                      .args = {(uint64_t)src.unit.id, src.off + at, piece},
                                      .reply = dest + at,
                                      .reply_bytes = piece};
    status = tsr_op_request(op, &request, NULL, NULL);
  }
  return status ? status : count_remote(src, NULL, 0, counter, increment, true, op);
}

static tessera_status_t get_short(void *dest, tsr_addr src, size_t bytes, tsr_addr counter, uint64_t increment, tsr_op *op) {
  struct tsr_net_request request = {.rank = tsr_place_endpoint(src),
                                    .handler = TSR_H_GET_NOTIFY,
                                    .args = {(uint64_t)src.unit.id, src.off, bytes, counter.off, increment},
                                    .reply = dest,
                                    .reply_bytes = bytes};
  return tsr_op_request(op, &request, NULL, NULL);
}

tessera_status_t tsr_get_notify(void *dest, tsr_addr src, size_t bytes, tsr_addr counter, uint64_t increment, tsr_op *op) {
  int32_t local = tsr_place_local(counter.unit);
  if (local >= 0) {
    tessera_status_t status = bytes ? tsr_get_wait(dest, src, bytes) : TESSERA_OK;
    if (!status) tsr_notify_local((uint32_t)local, counter.off, increment);
    return status;
  }
  if (!bytes) return count_remote(src, NULL, 0, counter, increment, false, op);
  if (bytes <= tsr_net_limits.eager_bytes) return get_short(dest, src, bytes, counter, increment, op);
  return get_long(dest, src, bytes, counter, increment, op);
}

/* Of the unit that a request is for. */
static void count_notification(const struct tsr_net_in *in, uint64_t off, uint64_t increment) {
  if (off % sizeof(uint64_t) || off >= TSR_ADDR_OUTSIDE)
    tsr_abort(1, "TSR-0604 a notification of rank %d names no counter; all units must run the same build of Tessera", in->rank);
  tsr_serve_range(in, off, sizeof(uint64_t));
  tsr_notify_local((uint32_t)tsr_place_local(TSR_UNIT((int32_t)in->args[0])), off, increment);
}

static void serve_notify(const struct tsr_net_in *in, struct tsr_net_out *out) {
  (void)out;
  const uint64_t *args = in->args;
  if (in->payload_bytes != args[2])
    tsr_abort(1, "TSR-0605 a notified put of rank %d brings %zu bytes instead of %llu; all units must run the same build of "
              "Tessera",
              in->rank, in->payload_bytes, (unsigned long long)args[2]);
  if (args[2]) memcpy(tsr_serve_range(in, args[1], args[2]), in->payload, args[2]);
  count_notification(in, args[3], args[4]);
}

static void serve_get_notify(const struct tsr_net_in *in, struct tsr_net_out *out) {
  const uint64_t *args = in->args;
  if (args[2] > out->scratch_bytes)
    tsr_abort(1, "TSR-0606 a notified get of rank %d asks for %llu bytes, which are too many for one message; all units must "
              "run the "
              "same build of Tessera", in->rank, (unsigned long long)args[2]);
  memcpy(out->scratch, tsr_serve_range(in, args[1], args[2]), args[2]);
  out->reply = out->scratch;
  out->reply_bytes = args[2];
  count_notification(in, args[3], args[4]);
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
