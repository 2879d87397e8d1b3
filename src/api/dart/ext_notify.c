#include <dash/dart/if/dart_ext_notify.h>

#include <stdlib.h>

#include "base/bits.h"
#include "core/progress.h"
#include "core/stats.h"
#include "api/dart/dart_api.h"
#include "api/dart/type.h"
#include "rma/notify.h"

enum { COUNTER_BYTES = sizeof(uint64_t) };

static dart_ret_t find_counter(const char *call, dart_gptr_t gptr, tsr_addr *counter) {
  if (!tsr_dart_up) return tsr_dart_no_team(call, gptr.teamid);
  if (!tsr_dart_address(gptr, COUNTER_BYTES, counter)) return tsr_dart_report(call, gptr, COUNTER_BYTES);
  if (tsr_addr_is_outside(*counter))
    return tsr_dart_invalid("TSR-2033 %s: the counter lies in registered memory, which other units cannot count in; take a "
                            "counter in allocated memory", call);
  if (counter->off % COUNTER_BYTES)
    return tsr_dart_invalid("TSR-2034 %s: the counter's offset %#lx is not a multiple of 8 bytes; align it", call,
                            (unsigned long)gptr.addr_or_offs.offset);
  return DART_OK;
}

/* A counter of this unit. */
static dart_ret_t find_own(const char *call, dart_gptr_t gptr, uint64_t **counter) {
  tsr_addr address = {.off = 0};
  dart_ret_t result = find_counter(call, gptr, &address);
  if (result != DART_OK) return result;
  if (address.unit.id != tsr_place.self)
    return tsr_dart_invalid("TSR-2035 %s: the counter belongs to unit %d, and only that unit may use it in this call; other "
                            "units read it with dart_fetch_and_op", call, address.unit.id);
  *counter = tsr_heap_at(tsr_heap.self, address.off);
  return DART_OK;
}

static dart_ret_t null_result(const char *call, const char *which) {
  return tsr_dart_invalid("TSR-2036 %s: %s is NULL; pass where to store the result", call, which);
}

/* A notified put or get. */
struct notice {
  const char *call;
  bool gets;
  dart_gptr_t gptr;
  void *local_addr; /* a put only reads it */
  size_t nelem;
  dart_datatype_t src_type, dst_type;
  dart_gptr_t counter;
  uint64_t increment;
  /* set by prepare_notice */
  tsr_addr data_addr, counter_addr;
  size_t bytes;
};

/* Checks the data. If the data is not contiguous, this function also moves it, and the caller then only increases the
 * counter. */
static dart_ret_t check_data(struct notice *n) {
  tsr_addr data_addr = {.off = 0};
  size_t elem_bytes = n->src_type == n->dst_type ? tsr_dart_contiguous_bytes(n->src_type) : 0;
  n->data_addr = n->counter_addr;
  if (!elem_bytes)
    return n->gets ? dart_get_blocking(n->local_addr, n->gptr, n->nelem, n->src_type, n->dst_type)
                   : dart_put_blocking(n->gptr, n->local_addr, n->nelem, n->src_type, n->dst_type);
  if (!tsr_mul_size(n->nelem, elem_bytes, &n->bytes))
    return tsr_dart_invalid("TSR-2037 %s: %zu elements exceed the address space; correct nelem", n->call, n->nelem);
  if (!tsr_dart_address(n->gptr, n->bytes, &data_addr)) return tsr_dart_report(n->call, n->gptr, n->bytes);
  if (n->bytes && !n->local_addr)
    return tsr_dart_invalid("TSR-2038 %s: the buffer for %zu elements is NULL; pass one", n->call, n->nelem);
  if (n->bytes) n->data_addr = data_addr;
  return DART_OK;
}

static dart_ret_t prepare_notice(struct notice *n) {
  tsr_addr data_addr = {.off = 0};
  tsr_progress_throttled();
  dart_ret_t result = find_counter(n->call, n->counter, &n->counter_addr);
  if (result != DART_OK) return result;
  if (!tsr_dart_address(n->gptr, 0, &data_addr)) return tsr_dart_report(n->call, n->gptr, 0);
  if (data_addr.unit.id != n->counter_addr.unit.id)
    return tsr_dart_invalid("TSR-2039 %s: the data is on unit %d, the counter on unit %d; both must be on the same unit",
                            n->call, data_addr.unit.id, n->counter_addr.unit.id);
  return check_data(n);
}

static tessera_status_t start_notice(const struct notice *n, tsr_op *op) {
  uint64_t begun_ns = tsr_stats_begin();
  tessera_status_t status;
  if (n->gets) status = tsr_get_notify(n->local_addr, n->data_addr, n->bytes, n->counter_addr, n->increment, op);
  else status = tsr_put_notify(n->data_addr, n->local_addr, n->bytes, n->counter_addr, TSR_SIGNAL_ADD, n->increment, op);
  tsr_stats_end_at(n->gets ? TSR_STAT_GET : TSR_STAT_PUT, begun_ns, n->bytes, n->data_addr.unit);
  return status;
}

static dart_ret_t notify_flushed(struct notice notice) {
  dart_ret_t result = prepare_notice(&notice);
  if (result != DART_OK) return result;
  return tsr_dart_code(start_notice(&notice, tsr_op_implicit(notice.data_addr.unit)));
}

static dart_ret_t notify_handle(struct notice notice, dart_handle_t *handle) {
  if (!handle) return null_result(notice.call, "handle");
  dart_ret_t result = prepare_notice(&notice);
  if (result != DART_OK) return result;
  tsr_handle number;
  tsr_op *op;
  tessera_status_t status = tsr_handle_create(notice.data_addr.unit, &number, &op);
  if (!status) status = tsr_dart_store_handle(number, op, start_notice(&notice, op), handle);
  return tsr_dart_code(status);
}

/* The arguments of a notified put or get. */
#define NOTICE(is_get, buffer)                                                                                  \
  ((struct notice){.call = __func__, .gets = is_get, .gptr = gptr, .local_addr = (void *)buffer, .nelem = nelem, \
                   .src_type = src_type, .dst_type = dst_type, .counter = counter, .increment = increment})

dart_ret_t dart_put_notify(dart_gptr_t gptr, const void *src, size_t nelem, dart_datatype_t src_type,
                           dart_datatype_t dst_type, dart_gptr_t counter, uint64_t increment) {
  return notify_flushed(NOTICE(false, src));
}

dart_ret_t dart_put_notify_handle(dart_gptr_t gptr, const void *src, size_t nelem, dart_datatype_t src_type,
                                  dart_datatype_t dst_type, dart_gptr_t counter, uint64_t increment,
                                  dart_handle_t *handle) {
  return notify_handle(NOTICE(false, src), handle);
}

dart_ret_t dart_get_notify(void *dest, dart_gptr_t gptr, size_t nelem, dart_datatype_t src_type, dart_datatype_t dst_type,
                           dart_gptr_t counter, uint64_t increment) {
  return notify_flushed(NOTICE(true, dest));
}

dart_ret_t dart_get_notify_handle(void *dest, dart_gptr_t gptr, size_t nelem, dart_datatype_t src_type,
                                  dart_datatype_t dst_type, dart_gptr_t counter, uint64_t increment,
                                  dart_handle_t *handle) {
  return notify_handle(NOTICE(true, dest), handle);
}

dart_ret_t dart_notify(dart_gptr_t counter, uint64_t increment) {
  tsr_addr remote_addr = {.off = 0};
  tsr_progress_throttled();
  dart_ret_t result = find_counter(__func__, counter, &remote_addr);
  if (result != DART_OK) return result;
  tsr_op *op = tsr_op_implicit(remote_addr.unit);
  return tsr_dart_code(tsr_put_notify(remote_addr, NULL, 0, remote_addr, TSR_SIGNAL_ADD, increment, op));
}

dart_ret_t dart_notify_wait(dart_gptr_t counter, uint64_t least) {
  uint64_t begun_ns = tsr_stats_begin();
  uint64_t *own = NULL;
  dart_ret_t result = find_own(__func__, counter, &own);
  if (result != DART_OK) return result;
  tsr_notify_wait_any(&(struct tsr_notify_goal){own, least}, 1);
  tsr_stats_end(TSR_STAT_WAIT, begun_ns, 0);
  return DART_OK;
}

/* Stores the index of the first counter that has reached its goal; n: none has (`first` tests only). */
static dart_ret_t find_first(const char *call, const dart_gptr_t counters[], const uint64_t least[], size_t n, size_t *which,
                             size_t (*first)(const struct tsr_notify_goal goals[], size_t n)) {
  enum { FEW = 16 };
  struct tsr_notify_goal few[FEW];
  if (!which) return null_result(call, "which");
  if (!n || !counters || !least)
    return tsr_dart_invalid("TSR-2040 %s: n is %zu, counters %p, least %p; pass at least one counter and its goal", call, n,
                            (const void *)counters, (const void *)least);
  struct tsr_notify_goal *goals = n <= FEW ? few : calloc(n, sizeof *goals);
  if (!goals) return tsr_dart_fail(TESSERA_ERR_MEMORY, "TSR-2041 %s: no private memory for %zu counters; name fewer", call, n);
  dart_ret_t result = DART_OK;
  for (size_t i = 0; i < n && result == DART_OK; i++) {
    uint64_t *own = NULL;
    result = find_own(call, counters[i], &own);
    goals[i] = (struct tsr_notify_goal){own, least[i]};
  }
  if (result == DART_OK) *which = first(goals, n);
  if (goals != few) free(goals);
  return result;
}

dart_ret_t dart_notify_wait_any(const dart_gptr_t counters[], const uint64_t least[], size_t n, size_t *which) {
  uint64_t begun_ns = tsr_stats_begin();
  dart_ret_t result = find_first(__func__, counters, least, n, which, tsr_notify_wait_any);
  tsr_stats_end(TSR_STAT_WAIT, begun_ns, 0);
  return result;
}

dart_ret_t dart_notify_test_any(const dart_gptr_t counters[], const uint64_t least[], size_t n, size_t *which,
                                int32_t *is_reached) {
  size_t first = 0;
  if (!which) return null_result(__func__, "which");
  if (!is_reached) return null_result(__func__, "is_reached");
  dart_ret_t result = find_first(__func__, counters, least, n, &first, tsr_notify_test);
  if (result != DART_OK) return result;
  *is_reached = first < n;
  if (first < n) *which = first;
  return DART_OK;
}

dart_ret_t dart_notify_test(dart_gptr_t counter, uint64_t least, int32_t *is_reached) {
  uint64_t *own = NULL;
  if (!is_reached) return null_result(__func__, "is_reached");
  dart_ret_t result = find_own(__func__, counter, &own);
  if (result != DART_OK) return result;
  *is_reached = tsr_notify_test(&(struct tsr_notify_goal){own, least}, 1) == 0;
  return DART_OK;
}

dart_ret_t dart_notify_read(dart_gptr_t counter, uint64_t *value) {
  uint64_t *own = NULL;
  if (!value) return null_result(__func__, "value");
  dart_ret_t result = find_own(__func__, counter, &own);
  if (result == DART_OK) *value = tsr_notify_read(own);
  tsr_progress_throttled();
  return result;
}

dart_ret_t dart_notify_reset(dart_gptr_t counter, uint64_t *value) {
  uint64_t *own = NULL;
  dart_ret_t result = find_own(__func__, counter, &own);
  if (result != DART_OK) return result;
  uint64_t before = __atomic_exchange_n(own, 0, __ATOMIC_ACQ_REL);
  if (value) *value = before;
  return DART_OK;
}
