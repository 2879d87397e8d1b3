#include "api/dart/type.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/bits.h"
#include "base/pool.h"
#include "api/dart/dart_api.h"

/* DART_TYPE_BYTE stands for char and unsigned char; it is unsigned, as in MPI and in the core. */
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

/* Live derived types. Their handles follow the basic types and come from a pool, which recognises destroyed ones. They
 * outlive dart_exit, since programs use types again after the next dart_init. */
static struct {
  pthread_mutex_t lock;
  bool ready;
  tsr_pool pool; /* of pointers */
} live = {.lock = PTHREAD_MUTEX_INITIALIZER};

struct tsr_dart_borrowed tsr_dart_borrowed;

static uint64_t number_of(dart_datatype_t type) { return (uint64_t)type - (uint64_t)DART_TYPE_LAST; }
static dart_datatype_t handle_of(uint64_t number) { return (dart_datatype_t)(number + (uint64_t)DART_TYPE_LAST); }

/* Called with the lock held, unless the program has one thread only. */
static struct tsr_dart_type *find_type(dart_datatype_t type) {
  if ((uintptr_t)type <= (uintptr_t)DART_TYPE_LAST) return NULL;
  struct tsr_dart_type **place = tsr_pool_find(&live.pool, number_of(type));
  return place ? *place : NULL;
}

struct tsr_dart_type *tsr_dart_type_hold(dart_datatype_t type) {
  pthread_mutex_lock(&live.lock);
  struct tsr_dart_type *found = find_type(type);
  if (found) atomic_fetch_add_explicit(&found->holders_n, 1, memory_order_relaxed);
  pthread_mutex_unlock(&live.lock);
  return found;
}

struct tsr_dart_type *tsr_dart_type_borrow_slow(dart_datatype_t type) {
  if (tsr_threads) return tsr_dart_type_hold(type);
  struct tsr_dart_type *found = find_type(type);
  if (found) tsr_dart_borrowed = (struct tsr_dart_borrowed){type, found};
  return found;
}

void tsr_dart_type_release(struct tsr_dart_type *type) {
  if (type && atomic_fetch_sub_explicit(&type->holders_n, 1, memory_order_acq_rel) == 1) free(type);
}

size_t tsr_dart_contiguous_bytes(dart_datatype_t type) {
  size_t bytes = tsr_dart_basic_bytes(type);
  if (bytes) return bytes;
  struct tsr_dart_type *derived = tsr_dart_type_hold(type);
  if (derived && derived->kind == TSR_DART_CUSTOM) bytes = derived->elem_bytes;
  tsr_dart_type_release(derived);
  return bytes;
}

const char *tsr_dart_type_name(dart_datatype_t type) {
  static const char *const kinds[] = {"a custom type", "a strided type", "an indexed type"};
  if ((uintptr_t)type < (uintptr_t)DART_TYPE_LAST) return tsr_dart_basics[type].name;
  struct tsr_dart_type *derived = tsr_dart_type_hold(type);
  const char *name = derived ? kinds[derived->kind] : "no live type";
  tsr_dart_type_release(derived);
  return name;
}

dart_ret_t tsr_dart_report_type(const char *call, dart_datatype_t type) {
  if (type == DART_TYPE_UNDEFINED)
    return tsr_dart_invalid("TSR-2145 %s: the type is DART_TYPE_UNDEFINED; pass the type of the elements", call);
  struct tsr_dart_type *derived = tsr_dart_type_hold(type);
  bool is_live = derived != NULL;
  tsr_dart_type_release(derived);
  if (!is_live)
    return tsr_dart_invalid("TSR-2146 %s: %#lx is neither a basic type nor a live derived one; it may have been destroyed",
                            call, (unsigned long)type);
  return tsr_dart_invalid("TSR-2147 %s: %#lx is %s, which this call does not take; use the basic type of its elements, or "
                          "bytes", call, (unsigned long)type, tsr_dart_type_name(type));
}

/* Computes what every transfer needs. */
static void prepare_type(struct tsr_dart_type *type) {
  const tsr_iov *iov = &type->iov;
  size_t longest = type->elems_n * type->elem_bytes;
  if (type->high_bytes > longest) longest = type->high_bytes;
  if (type->extent_bytes > longest) longest = type->extent_bytes;
  type->overlaps = type->kind == TSR_DART_STRIDED && type->extent_bytes < type->high_bytes;
  if (!iov->n || iov->bytes || (iov->n == 1 && type->extent_bytes == iov->each)) return;
  type->kernel = tsr_blocks_kernel(iov->each);
  type->most_times = PTRDIFF_MAX / longest;
  type->elems_log2 = tsr_is_pow2(type->elems_n) ? (int8_t)tsr_log2_floor(type->elems_n) : -1;
}

/* Takes over the type, which has one holder. Frees it after an error. */
static dart_ret_t register_type(const char *call, struct tsr_dart_type *type, dart_datatype_t *newtype) {
  uint64_t number = 0;
  prepare_type(type);
  pthread_mutex_lock(&live.lock);
  if (!live.ready) tsr_pool_init(&live.pool, sizeof type);
  live.ready = true;
  struct tsr_dart_type **place = tsr_pool_take(&live.pool, &number);
  if (place) *place = type;
  if (place && type->kind == TSR_DART_CUSTOM) type->base = handle_of(number);
  pthread_mutex_unlock(&live.lock);
  if (!place) {
    free(type);
    return tsr_dart_fail(TESSERA_ERR_MEMORY, "TSR-2148 %s: no private memory for one more type; destroy some", call);
  }
  *newtype = handle_of(number);
  return DART_OK;
}

/* A type with room for a list of n numbers. NULL: no memory, logged. */
static struct tsr_dart_type *new_type(const char *call, enum tsr_dart_kind kind, size_t n) {
  struct tsr_dart_type *type = NULL;
  if (n <= (PTRDIFF_MAX - sizeof *type) / sizeof *type->lists)
    type = malloc(sizeof *type + n * sizeof *type->lists);
  if (!type) {
    tsr_fail(TESSERA_ERR_MEMORY, "TSR-2149 %s: no private memory for a type of %zu blocks; pass fewer, or free memory", call,
             n / 2);
    return NULL;
  }
  *type = (struct tsr_dart_type){.holders_n = 1, .kind = kind};
  return type;
}

/* Checks the common arguments of creation calls, and stores the bytes of a base element. */
static dart_ret_t check_base(const char *call, dart_datatype_t base, dart_datatype_t *newtype,
                             size_t *elem_bytes) {
  if (!newtype) return tsr_dart_invalid("TSR-2150 %s: newtype is NULL; pass where to store the type", call);
  *newtype = DART_TYPE_UNDEFINED;
  *elem_bytes = tsr_dart_contiguous_bytes(base);
  return *elem_bytes ? DART_OK : tsr_dart_report_type(call, base);
}

/* A type whose instance is one block. */
static dart_ret_t keep_block(const char *call, const struct tsr_dart_type *what, dart_datatype_t *newtype) {
  struct tsr_dart_type *type = new_type(call, what->kind, 0);
  if (!type) return DART_ERR_NOMEM;
  *type = *what;
  type->high_bytes = what->elems_n * what->elem_bytes;
  type->iov = tsr_iov_contiguous(type->high_bytes);
  type->regular = true;
  return register_type(call, type, newtype);
}

dart_ret_t dart_type_create_custom(size_t num_bytes, dart_datatype_t *newtype) {
  if (!newtype) return tsr_dart_invalid("TSR-2151 %s: newtype is NULL; pass where to store the type", __func__);
  *newtype = DART_TYPE_UNDEFINED;
  if (!num_bytes || num_bytes > PTRDIFF_MAX)
    return tsr_dart_invalid("TSR-2152 %s: num_bytes is %zu; pass the size of an element, 1 to PTRDIFF_MAX", __func__,
                            num_bytes);
  return keep_block(__func__, &(struct tsr_dart_type){.holders_n = 1, .kind = TSR_DART_CUSTOM, .elem_bytes = num_bytes,
                                                      .elems_n = 1, .extent_bytes = num_bytes}, newtype);
}

dart_ret_t dart_type_create_strided(dart_datatype_t basetype, size_t stride, size_t blocklen,
                                    dart_datatype_t *newtype) {
  size_t bytes = 0;
  dart_ret_t result = check_base(__func__, basetype, newtype, &bytes);
  if (result != DART_OK) return result;
  if (!stride || !blocklen || stride > PTRDIFF_MAX / bytes || blocklen > PTRDIFF_MAX / bytes)
    return tsr_dart_invalid("TSR-2153 %s: stride %zu and blocklen %zu do not describe blocks in memory; both count elements "
                            "and are at least 1", __func__, stride, blocklen);
  return keep_block(__func__, &(struct tsr_dart_type){.holders_n = 1, .kind = TSR_DART_STRIDED, .base = basetype,
                                                      .elem_bytes = bytes, .elems_n = blocklen,
                                                      .extent_bytes = stride * bytes}, newtype);
}

/* Adds up the elements and finds the range of bytes that they occupy. False: it exceeds the address space. */
static bool measure_type(struct tsr_dart_type *type, size_t count, const size_t blocklen[], const size_t offset[]) {
  size_t low = SIZE_MAX, high = 0;
  for (size_t i = 0; i < count; i++) {
    size_t end, end_bytes;
    if (!blocklen[i]) continue;
    if (__builtin_add_overflow(offset[i], blocklen[i], &end) || !tsr_mul_size(end, type->elem_bytes, &end_bytes) ||
        end_bytes > PTRDIFF_MAX || __builtin_add_overflow(type->elems_n, blocklen[i], &type->elems_n))
      return false;
    if (offset[i] * type->elem_bytes < low) low = offset[i] * type->elem_bytes;
    if (end_bytes > high) high = end_bytes;
  }
  size_t bytes;
  type->low_bytes = high ? low : 0;
  type->high_bytes = high;
  type->extent_bytes = high - type->low_bytes;
  return tsr_mul_size(type->elems_n, type->elem_bytes, &bytes) && bytes <= PTRDIFF_MAX;
}

/* Writes the offsets of the blocks that are not empty, then their bytes, into the type's lists, each with room for
 * `count`. `merge`: adjacent blocks become one. Returns the number of blocks that are not empty, before merging. */
static size_t list_blocks(struct tsr_dart_type *type, size_t count, const size_t blocklen[], const size_t offset[],
                          bool merge) {
  ptrdiff_t *offs = type->lists;
  size_t *bytes = (size_t *)(type->lists + count), n = 0, blocks_n = 0;
  for (size_t i = 0; i < count; i++) {
    ptrdiff_t off = (ptrdiff_t)(offset[i] * type->elem_bytes - type->low_bytes);
    if (!blocklen[i]) continue;
    blocks_n++;
    if (merge && n > 0 && offs[n - 1] + (ptrdiff_t)bytes[n - 1] == off) {
      bytes[n - 1] += blocklen[i] * type->elem_bytes;
      continue;
    }
    offs[n] = off;
    bytes[n++] = blocklen[i] * type->elem_bytes;
  }
  type->iov = (tsr_iov){.offs = offs, .bytes = bytes, .n = n, .times = 1};
  return blocks_n;
}

/* Recognises blocks of equal size and equal distances. */
static void simplify_type(struct tsr_dart_type *type) {
  tsr_iov *iov = &type->iov;
  if (!iov->n) return;
  bool equal = true, even = true;
  type->apart_bytes = iov->n > 1 ? iov->offs[1] - iov->offs[0] : 0;
  for (size_t i = 1; i < iov->n; i++) {
    equal = equal && iov->bytes[i] == iov->bytes[0];
    even = even && iov->offs[i] - iov->offs[i - 1] == type->apart_bytes;
  }
  type->regular = equal && even;
  if (!equal) return;
  iov->each = iov->bytes[0];
  iov->bytes = NULL;
}

static bool equally_long(size_t count, const size_t blocklen[]) {
  size_t length = 0;
  for (size_t i = 0; i < count; i++) {
    if (length && blocklen[i] && blocklen[i] != length) return false;
    if (blocklen[i]) length = blocklen[i];
  }
  return true;
}

/* Blocks of equal size are copied much faster than blocks of different sizes. If merging makes their sizes differ, it
 * must reduce their number to a quarter. */
static void make_iov(struct tsr_dart_type *type, size_t count, const size_t blocklen[], const size_t offset[]) {
  enum { WORTH = 4 };
  size_t blocks_n = list_blocks(type, count, blocklen, offset, true);
  simplify_type(type);
  if (!type->iov.bytes || type->iov.n < blocks_n / WORTH || !equally_long(count, blocklen)) return;
  list_blocks(type, count, blocklen, offset, false);
  simplify_type(type);
}

dart_ret_t dart_type_create_indexed(dart_datatype_t basetype, size_t count, const size_t blocklen[],
                                    const size_t offset[], dart_datatype_t *newtype) {
  size_t bytes = 0, room;
  dart_ret_t result = check_base(__func__, basetype, newtype, &bytes);
  if (result != DART_OK) return result;
  if (count && (!blocklen || !offset))
    return tsr_dart_invalid("TSR-2154 %s: %s is NULL; pass one number for each block, %zu in all", __func__,
                            blocklen ? "offset" : "blocklen", count);
  if (!tsr_mul_size(count, 2, &room)) room = SIZE_MAX;
  struct tsr_dart_type *type = new_type(__func__, TSR_DART_INDEXED, room);
  if (!type) return DART_ERR_NOMEM;
  type->base = basetype;
  type->elem_bytes = bytes;
  if (!measure_type(type, count, blocklen, offset)) {
    free(type);
    return tsr_dart_invalid("TSR-2155 %s: blocklen and offset exceed the address space; both count elements", __func__);
  }
  make_iov(type, count, blocklen, offset);
  return register_type(__func__, type, newtype);
}

dart_ret_t dart_type_destroy(dart_datatype_t *type) {
  if (!type) return tsr_dart_invalid("TSR-2156 %s: type is NULL; pass the address of a derived type", __func__);
  pthread_mutex_lock(&live.lock);
  struct tsr_dart_type *found = find_type(*type);
  if (found) tsr_pool_give(&live.pool, number_of(*type));
  if (tsr_dart_borrowed.handle == *type) tsr_dart_borrowed = (struct tsr_dart_borrowed){DART_TYPE_UNDEFINED, NULL};
  pthread_mutex_unlock(&live.lock);
  if (!found)
    return tsr_dart_invalid("TSR-2157 %s: %#lx is not a live derived type; basic types cannot be destroyed, others only once",
                            __func__, (unsigned long)*type);
  tsr_dart_type_release(found);
  *type = DART_TYPE_UNDEFINED;
  return DART_OK;
}
