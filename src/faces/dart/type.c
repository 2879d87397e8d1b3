#include "faces/dart/type.h"

#include <pthread.h>

#include "base/pool.h"
#include "faces/dart/face.h"

/* DART_TYPE_BYTE stands for char and unsigned char alike; it is unsigned here as it is in MPI and in the core. */
const struct tsr_dart_basic tsr_dart_basics[12] = {
  [DART_TYPE_UNDEFINED] = {"DART_TYPE_UNDEFINED", 0, 0},
  [DART_TYPE_BYTE] = {"DART_TYPE_BYTE", 1, TSR_U8},
  [DART_TYPE_SHORT] = {"DART_TYPE_SHORT", sizeof(short), TSR_I16},
  [DART_TYPE_INT] = {"DART_TYPE_INT", sizeof(int), TSR_I32},
  [DART_TYPE_UINT] = {"DART_TYPE_UINT", sizeof(unsigned), TSR_U32},
  [DART_TYPE_LONG] = {"DART_TYPE_LONG", sizeof(long), TSR_I64},
  [DART_TYPE_ULONG] = {"DART_TYPE_ULONG", sizeof(unsigned long), TSR_U64},
  [DART_TYPE_LONGLONG] = {"DART_TYPE_LONGLONG", sizeof(long long), TSR_I64},
  [DART_TYPE_ULONGLONG] = {"DART_TYPE_ULONGLONG", sizeof(unsigned long long), TSR_U64},
  [DART_TYPE_FLOAT] = {"DART_TYPE_FLOAT", sizeof(float), TSR_F32},
  [DART_TYPE_DOUBLE] = {"DART_TYPE_DOUBLE", sizeof(double), TSR_F64},
  [DART_TYPE_LONG_DOUBLE] = {"DART_TYPE_LONG_DOUBLE", sizeof(long double), TSR_F80},
};
_Static_assert(sizeof tsr_dart_basics / sizeof *tsr_dart_basics == DART_TYPE_LAST, "a row for each basic type");

const struct tsr_dart_op tsr_dart_ops[14] = {
  [DART_OP_UNDEFINED] = {"DART_OP_UNDEFINED", -1}, [DART_OP_MIN] = {"DART_OP_MIN", TSR_MIN},
  [DART_OP_MAX] = {"DART_OP_MAX", TSR_MAX},        [DART_OP_MINMAX] = {"DART_OP_MINMAX", -1},
  [DART_OP_SUM] = {"DART_OP_SUM", TSR_SUM},        [DART_OP_PROD] = {"DART_OP_PROD", TSR_PROD},
  [DART_OP_BAND] = {"DART_OP_BAND", TSR_BAND},     [DART_OP_LAND] = {"DART_OP_LAND", TSR_LAND},
  [DART_OP_BOR] = {"DART_OP_BOR", TSR_BOR},        [DART_OP_LOR] = {"DART_OP_LOR", TSR_LOR},
  [DART_OP_BXOR] = {"DART_OP_BXOR", TSR_BXOR},     [DART_OP_LXOR] = {"DART_OP_LXOR", TSR_LXOR},
  [DART_OP_REPLACE] = {"DART_OP_REPLACE", TSR_REPLACE}, [DART_OP_NO_OP] = {"DART_OP_NO_OP", TSR_NO_OP},
};
_Static_assert(sizeof tsr_dart_ops / sizeof *tsr_dart_ops == DART_OP_LAST, "a row for each operation");

dart_ret_t tsr_dart_refuse_type(const char *call, dart_datatype_t type) {
  if (type == DART_TYPE_UNDEFINED)
    return tsr_dart_invalid("%s: the type is DART_TYPE_UNDEFINED; name the elements' type", call);
  return tsr_dart_invalid("%s: type %#lx is not a basic type; only put and get take derived types", call,
                          (unsigned long)type);
}

dart_ret_t tsr_dart_refuse_op(const char *call, dart_operation_t op, dart_datatype_t type) {
  if (op >= DART_OP_LAST)
    return tsr_dart_invalid("%s: operation %#lx is not predefined; use one of DART_OP_*", call, (unsigned long)op);
  return tsr_dart_invalid("%s: %s is not defined for %s here; logical and bitwise operations take integers, "
                          "DART_OP_MINMAX is for reductions, DART_OP_REPLACE and DART_OP_NO_OP are for atomics", call,
                          tsr_dart_ops[op].name, tsr_dart_basics[type].name);
}

/* Live derived types: handles of a pool, so that a destroyed type is known as such, behind the values of the basic
 * types. They outlive dart_exit: programs keep types over several rounds of it. */
static struct {
  pthread_mutex_t lock;
  bool ready;
  tsr_pool pool;
} derived = {.lock = PTHREAD_MUTEX_INITIALIZER};

static uint64_t number_of(dart_datatype_t type) { return (uint64_t)type - (uint64_t)DART_TYPE_LAST; }
static dart_datatype_t type_of(uint64_t number) { return (dart_datatype_t)(number + (uint64_t)DART_TYPE_LAST); }

static struct tsr_dart_strided *find(dart_datatype_t type) {
  if ((uintptr_t)type <= (uintptr_t)DART_TYPE_LAST) return NULL;
  return tsr_pool_find(&derived.pool, number_of(type));
}

bool tsr_dart_strided_find(dart_datatype_t type, struct tsr_dart_strided *out) {
  pthread_mutex_lock(&derived.lock);
  const struct tsr_dart_strided *found = find(type);
  if (found) *out = *found;
  pthread_mutex_unlock(&derived.lock);
  return found != NULL;
}

static dart_ret_t keep(const struct tsr_dart_strided *what, dart_datatype_t *newtype) {
  uint64_t number = 0;
  pthread_mutex_lock(&derived.lock);
  if (!derived.ready) tsr_pool_init(&derived.pool, sizeof *what);
  derived.ready = true;
  struct tsr_dart_strided *made = tsr_pool_take(&derived.pool, &number);
  if (made) *made = *what;
  pthread_mutex_unlock(&derived.lock);
  if (!made)
    return tsr_dart_fail(TESSERA_ERR_MEMORY, "dart_type_create_strided: no private memory for a type; destroy some");
  *newtype = type_of(number);
  return DART_OK;
}

dart_ret_t dart_type_create_strided(dart_datatype_t basetype, size_t stride, size_t blocklen,
                                    dart_datatype_t *newtype) {
  if (!newtype) return tsr_dart_invalid("%s: newtype is NULL; pass where to store the type", __func__);
  size_t bytes = tsr_dart_basic_bytes(basetype);
  if (!bytes) return tsr_dart_refuse_type(__func__, basetype);
  if (!stride || !blocklen || stride > PTRDIFF_MAX / bytes || blocklen > PTRDIFF_MAX / bytes)
    return tsr_dart_invalid("%s: stride %zu and blocklen %zu do not describe blocks in memory; both count elements and "
                            "are at least 1", __func__, stride, blocklen);
  return keep(&(struct tsr_dart_strided){basetype, blocklen, stride}, newtype);
}

dart_ret_t dart_type_destroy(dart_datatype_t *type) {
  if (!type) return tsr_dart_invalid("%s: type is NULL; pass the address of a derived type", __func__);
  pthread_mutex_lock(&derived.lock);
  bool live = find(*type) != NULL;
  if (live) tsr_pool_give(&derived.pool, number_of(*type));
  pthread_mutex_unlock(&derived.lock);
  if (!live)
    return tsr_dart_invalid("%s: %#lx is not a live derived type; basic types stay, any other is destroyed once",
                            __func__, (unsigned long)*type);
  *type = DART_TYPE_UNDEFINED;
  return DART_OK;
}
