#include <dash/dart/if/dart_communication.h>

#include <string.h>

#include "base/bits.h"
#include "core/conflict.h"
#include "core/progress.h"
#include "core/stats.h"
#include "api/dart/dart_api.h"
#include "api/dart/type.h"
#include "rma/atomic.h"

/* An operation on elements of one type, as the core describes it. */
struct rule {
  size_t elem_bytes;
  tsr_type type;
  tsr_arith op;
};

static inline bool find_rule(dart_datatype_t dtype, dart_operation_t op, struct rule *rule) {
  rule->elem_bytes = tsr_dart_basic_bytes(dtype);
  if (!TSR_LIKELY(rule->elem_bytes && tsr_dart_arith(op, &rule->op))) return false;
  rule->type = (tsr_type)tsr_dart_basics[dtype].type;
  return tsr_arith_defined(rule->type, rule->op);
}

/* The address of n aligned elements. Makes progress: a program may repeat an atomic until another unit has changed the
 * value, and the change may be a request that this unit executes. */
static inline bool find_target(dart_gptr_t gptr, size_t n, size_t elem_bytes, tsr_addr *target) {
  size_t bytes;
  if (!TSR_LIKELY(tsr_mul_size(n, elem_bytes, &bytes) && tsr_dart_address(gptr, bytes, target))) return false;
  tsr_progress_throttled();
  return (target->off & (elem_bytes - 1)) == 0;
}

/* Reports why find_rule or find_target failed. */
static dart_ret_t report_atomic(const char *call, dart_gptr_t gptr, size_t n, dart_datatype_t dtype, dart_operation_t op) {
  struct rule rule;
  if (!tsr_dart_up) return tsr_dart_no_team(call, gptr.teamid);
  if (!tsr_dart_basic_bytes(dtype)) return tsr_dart_report_type(call, dtype);
  if (!find_rule(dtype, op, &rule)) return tsr_dart_report_op(call, op, dtype);
  size_t bytes;
  tsr_addr target;
  if (!tsr_mul_size(n, rule.elem_bytes, &bytes))
    return tsr_dart_invalid("TSR-2011 %s: %zu elements exceed the address space; correct nelem", call, n);
  if (!tsr_dart_address(gptr, bytes, &target)) return tsr_dart_report(call, gptr, bytes);
  return tsr_dart_invalid("TSR-2012 %s: offset %#lx is not a multiple of the %zu bytes of %s; atomics need aligned elements",
                          call, (unsigned long)gptr.addr_or_offs.offset, rule.elem_bytes, tsr_dart_basics[dtype].name);
}

static dart_ret_t null_operand(const char *call, const char *which) {
  return tsr_dart_invalid("TSR-2013 %s: %s is NULL; pass the address of an element", call, which);
}

/* ---- Fast path: integers of 4 and 8 bytes in a heap of this node ---- */

/* 0: another type. */
static inline size_t counter_bytes(dart_datatype_t dtype) {
  if (TSR_LIKELY(dtype >= DART_TYPE_LONG && dtype <= DART_TYPE_ULONGLONG)) return sizeof(uint64_t);
  return dtype == DART_TYPE_INT || dtype == DART_TYPE_UINT ? sizeof(uint32_t) : 0;
}
_Static_assert(DART_TYPE_LONG + 3 == DART_TYPE_ULONGLONG && sizeof(long) == 8, "these four types have 64 bits");

/* NULL: take the general path. */
static inline void *counter_local(dart_gptr_t gptr, size_t bytes) {
  void *remote_addr = bytes && !tsr_stats_are_wanted() ? tsr_dart_local(gptr, bytes) : NULL;
  return (uintptr_t)remote_addr & (bytes - 1) ? NULL : remote_addr;
}

/* Stores the old value if the call `fetches`. False: nothing was done, take the general path. */
static inline bool add_local(dart_gptr_t gptr, const void *value, void *result, dart_datatype_t dtype,
                             dart_operation_t op, bool fetches) {
  const size_t bytes = counter_bytes(dtype);
  void *remote_addr = op == DART_OP_SUM && value && (result || !fetches) ? counter_local(gptr, bytes) : NULL;
  if (!TSR_LIKELY(remote_addr)) return false;
  if (TSR_LIKELY(bytes == sizeof(uint64_t))) {
    uint64_t more;
    memcpy(&more, value, sizeof more);
    more = __atomic_fetch_add((uint64_t *)remote_addr, more, __ATOMIC_ACQ_REL);
    if (fetches) memcpy(result, &more, sizeof more);
  } else {
    uint32_t more;
    memcpy(&more, value, sizeof more);
    more = __atomic_fetch_add((uint32_t *)remote_addr, more, __ATOMIC_ACQ_REL);
    if (fetches) memcpy(result, &more, sizeof more);
  }
  tsr_progress_throttled();
  return true;
}

static inline bool swap_local(dart_gptr_t gptr, const void *value, const void *compare, void *result,
                              dart_datatype_t dtype) {
  const size_t bytes = counter_bytes(dtype);
  void *remote_addr = value && compare && result ? counter_local(gptr, bytes) : NULL;
  if (!TSR_LIKELY(remote_addr)) return false;
  if (TSR_LIKELY(bytes == sizeof(uint64_t))) {
    uint64_t old, desired;
    memcpy(&old, compare, sizeof old);
    memcpy(&desired, value, sizeof desired);
    __atomic_compare_exchange_n((uint64_t *)remote_addr, &old, desired, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
    memcpy(result, &old, sizeof old);
  } else {
    uint32_t old, desired;
    memcpy(&old, compare, sizeof old);
    memcpy(&desired, value, sizeof desired);
    __atomic_compare_exchange_n((uint32_t *)remote_addr, &old, desired, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
    memcpy(result, &old, sizeof old);
  }
  tsr_progress_throttled();
  return true;
}

/* ---- General path ---- */

static __attribute__((noinline)) dart_ret_t accumulate_elements(const char *call, dart_gptr_t gptr, const void *values,
                                                                size_t nelem,
                             dart_datatype_t dtype, dart_operation_t op, tsr_addr *target) {
  uint64_t begun_ns = tsr_stats_begin();
  struct rule rule;
  if (!find_rule(dtype, op, &rule) || !find_target(gptr, nelem, rule.elem_bytes, target))
    return report_atomic(call, gptr, nelem, dtype, op);
  if (nelem == 0 || rule.op == TSR_NO_OP) return DART_OK;
  if (!values) return null_operand(call, "values");
  tsr_conflict_sync();
  tessera_status_t status = tsr_accumulate(*target, rule.type, rule.op, values, nelem, tsr_op_implicit(target->unit));
  size_t bytes = nelem * rule.elem_bytes;
  tsr_stats_end_at(TSR_STAT_ACCUMULATE, begun_ns, bytes, target->unit);
  return tsr_dart_code(status);
}

dart_ret_t dart_accumulate(dart_gptr_t gptr, const void *values, size_t nelem, dart_datatype_t dtype,
                           dart_operation_t op) {
  tsr_addr target;
  if (TSR_LIKELY(nelem == 1 && add_local(gptr, values, NULL, dtype, op, false))) return DART_OK;
  return accumulate_elements(__func__, gptr, values, nelem, dtype, op, &target);
}

dart_ret_t dart_accumulate_blocking_local(dart_gptr_t gptr, const void *values, size_t nelem, dart_datatype_t dtype,
                                          dart_operation_t op) {
  tsr_addr target;
  if (TSR_LIKELY(nelem == 1 && add_local(gptr, values, NULL, dtype, op, false))) return DART_OK;
  dart_ret_t result = accumulate_elements(__func__, gptr, values, nelem, dtype, op, &target);
  if (result == DART_OK) tsr_op_flush_local(target.unit);
  return result;
}

/* Out of line, so that the fast path needs no stack frame. */
static __attribute__((noinline)) dart_ret_t fetch_element(const char *call, dart_gptr_t gptr, const void *value, void *result,
                                                          dart_datatype_t dtype, dart_operation_t op) {
  uint64_t begun_ns = tsr_stats_begin();
  struct rule rule;
  tsr_addr target;
  if (!TSR_LIKELY(find_rule(dtype, op, &rule) && find_target(gptr, 1, rule.elem_bytes, &target)))
    return report_atomic(call, gptr, 1, dtype, op);
  if (!TSR_LIKELY(result)) return null_operand(call, "result");
  if (!TSR_LIKELY(value || rule.op == TSR_NO_OP)) return null_operand(call, "value");
  void *remote_addr = tsr_place_pointer(target);
  tessera_status_t status = TESSERA_OK;
  tsr_conflict_sync();
  if (TSR_LIKELY(remote_addr)) tsr_atomic_apply(rule.type, rule.op, remote_addr, value, result);
  else status = tsr_fetch(target, rule.type, rule.op, value, result, tsr_op_implicit(target.unit));
  tsr_stats_end_at(TSR_STAT_FETCH, begun_ns, rule.elem_bytes, target.unit);
  return TSR_LIKELY(!status) ? DART_OK : tsr_dart_code(status);
}

dart_ret_t dart_fetch_and_op(dart_gptr_t gptr, const void *value, void *result, dart_datatype_t dtype,
                             dart_operation_t op) {
  if (TSR_LIKELY(add_local(gptr, value, result, dtype, op, true))) return DART_OK;
  return fetch_element(__func__, gptr, value, result, dtype, op);
}

static __attribute__((noinline)) dart_ret_t swap_if(const char *call, dart_gptr_t gptr, const void *value, const void *compare,
                                                    void *result, dart_datatype_t dtype) {
  uint64_t begun_ns = tsr_stats_begin();
  struct rule rule;
  tsr_addr target;
  if (!TSR_LIKELY(find_rule(dtype, DART_OP_REPLACE, &rule) && find_target(gptr, 1, rule.elem_bytes, &target)))
    return report_atomic(call, gptr, 1, dtype, DART_OP_REPLACE);
  if (!TSR_LIKELY(tsr_type_is_integer(rule.type)))
    return tsr_dart_invalid("TSR-2014 %s: %s is not an integer type; compare its bits as an integer of that size", call,
                            tsr_dart_basics[dtype].name);
  if (!TSR_LIKELY(value && compare && result)) return null_operand(call, "value, compare or result");
  tsr_conflict_sync();
  void *remote_addr = tsr_place_pointer(target);
  tessera_status_t status = TESSERA_OK;
  if (TSR_LIKELY(remote_addr)) tsr_atomic_swap_if(rule.type, remote_addr, compare, value, result);
  else status = tsr_swap_if(target, rule.type, compare, value, result, tsr_op_implicit(target.unit));
  tsr_stats_end_at(TSR_STAT_SWAP_IF, begun_ns, rule.elem_bytes, target.unit);
  return TSR_LIKELY(!status) ? DART_OK : tsr_dart_code(status);
}

dart_ret_t dart_compare_and_swap(dart_gptr_t gptr, const void *value, const void *compare, void *result,
                                 dart_datatype_t dtype) {
  if (TSR_LIKELY(swap_local(gptr, value, compare, result, dtype))) return DART_OK;
  return swap_if(__func__, gptr, value, compare, result, dtype);
}
