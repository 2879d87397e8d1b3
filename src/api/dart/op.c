#include "api/dart/op.h"

#include <pthread.h>

#include "base/pool.h"
#include "api/dart/dart_api.h"
#include "api/dart/type.h"

/* Live operations. Their handles follow the predefined ones and come from a pool, which recognises destroyed ones. As
 * types do, they outlive dart_exit. */
static struct {
  pthread_mutex_t lock;
  bool ready;
  tsr_pool pool;
} live = {.lock = PTHREAD_MUTEX_INITIALIZER};

static uint64_t number_of(dart_operation_t op) { return (uint64_t)op - (uint64_t)DART_OP_LAST; }

/* Called with the lock held. */
static struct tsr_dart_custom_op *find_op(dart_operation_t op) {
  return op > DART_OP_LAST ? tsr_pool_find(&live.pool, number_of(op)) : NULL;
}

bool tsr_dart_custom_op_find(dart_operation_t op, struct tsr_dart_custom_op *out) {
  if (op <= DART_OP_LAST) return false;
  pthread_mutex_lock(&live.lock);
  const struct tsr_dart_custom_op *found = find_op(op);
  if (found) *out = *found;
  pthread_mutex_unlock(&live.lock);
  return found != NULL;
}

dart_ret_t tsr_dart_report_op(const char *call, dart_operation_t op, dart_datatype_t type) {
  struct tsr_dart_custom_op custom;
  if (tsr_dart_custom_op_find(op, &custom))
    return tsr_dart_invalid("TSR-2102 %s: operation %#lx was made by dart_op_create, and only reductions take such operations; "
                            "use one of DART_OP_*", call, (unsigned long)op);
  if (op >= DART_OP_LAST)
    return tsr_dart_invalid("TSR-2103 %s: operation %#lx is neither predefined nor live; it may have been destroyed", call,
                            (unsigned long)op);
  return tsr_dart_invalid("TSR-2104 %s: this call has no %s for %s; logical and bitwise operations take integers, "
                          "DART_OP_MINMAX is for reductions, DART_OP_REPLACE and DART_OP_NO_OP are for atomics", call,
                          tsr_dart_ops[op].name, tsr_dart_type_name(type));
}

static dart_ret_t register_op(const char *call, const struct tsr_dart_custom_op *what, dart_operation_t *new_op) {
  uint64_t number = 0;
  pthread_mutex_lock(&live.lock);
  if (!live.ready) tsr_pool_init(&live.pool, sizeof *what);
  live.ready = true;
  struct tsr_dart_custom_op *made = tsr_pool_take(&live.pool, &number);
  if (made) *made = *what;
  pthread_mutex_unlock(&live.lock);
  if (!made)
    return tsr_dart_fail(TESSERA_ERR_MEMORY, "TSR-2105 %s: no private memory for one more operation; destroy some", call);
  *new_op = (dart_operation_t)(number + (uint64_t)DART_OP_LAST);
  return DART_OK;
}

/* dtype_is_tmp is ignored: an operation keeps the number of its type, not the type. */
dart_ret_t dart_op_create(dart_operator_t op, void *user_data, bool commute, dart_datatype_t dtype, bool dtype_is_tmp,
                          dart_operation_t *new_op) {
  (void)dtype_is_tmp;
  if (!new_op) return tsr_dart_invalid("TSR-2106 %s: new_op is NULL; pass where to store the operation", __func__);
  *new_op = DART_OP_UNDEFINED;
  if (!op) return tsr_dart_invalid("TSR-2107 %s: op is NULL; pass the function that combines elements", __func__);
  size_t elem_bytes = tsr_dart_contiguous_bytes(dtype);
  if (!elem_bytes) return tsr_dart_report_type(__func__, dtype);
  return register_op(__func__, &(struct tsr_dart_custom_op){op, user_data, commute, dtype, elem_bytes}, new_op);
}

dart_ret_t dart_op_destroy(dart_operation_t *op) {
  if (!op) return tsr_dart_invalid("TSR-2108 %s: op is NULL; pass the address of an operation", __func__);
  pthread_mutex_lock(&live.lock);
  bool is_live = find_op(*op) != NULL;
  if (is_live) tsr_pool_give(&live.pool, number_of(*op));
  pthread_mutex_unlock(&live.lock);
  if (!is_live)
    return tsr_dart_invalid("TSR-2109 %s: %#lx is not a live operation of dart_op_create; predefined operations cannot be "
                            "destroyed, others only once", __func__, (unsigned long)*op);
  *op = DART_OP_UNDEFINED;
  return DART_OK;
}
