/* Wrong calls of DART, one for each message: start and end, memory, transfers, messages, locks; see support/golden.h. Those of
 * teams, collectives and localities are in messages_dart_team.c and messages_dart_domain.c. */
#include <dash/dart/if/dart_ext_message.h>
#include <dash/dart/if/dart_ext_notify.h>
#include <dash/dart/if/dart_ext_pointer.h>
#include <mpi.h>
#include <tessera/memory.h>

#include "support/golden_dart.h"

enum { TAG = 5 };
static const size_t one = 1, huge = SIZE_MAX / 2;
static dart_gptr_t gptr;
static dart_allocator_t allocator;
static dart_handle_t handle;
static dart_lock_t lock;
static dart_datatype_t type;
static dart_operation_t op;
static size_t which;
static long buffer[ELEMS], region[ELEMS];

static dart_gptr_t at(int unit, uint64_t offset) {
  dart_gptr_t gptr = data;
  gptr.unitid = unit;
  gptr.addr_or_offs.offset = offset;
  return gptr;
}

static dart_gptr_t plus(dart_gptr_t from, uint64_t offset) {
  from.addr_or_offs.offset += offset;
  return from;
}

static dart_handle_t stale_handle(void) { return (dart_handle_t)(uintptr_t)0x123; }
static dart_lock_t stale_lock(void) { return (dart_lock_t)(uintptr_t)0x123; }
static dart_allocator_t stale_allocator(void) { return (dart_allocator_t)(uintptr_t)0x123; }

/* ---- start and end ---- */

static dart_ret_t start_after_mpi(void) {
  dart_thread_support_level_t level;
  MPI_Init_thread(NULL, NULL, MPI_THREAD_SINGLE, &(int){0});
  if (dart_init_thread(NULL, NULL, &level) != DART_OK || level != DART_THREAD_SINGLE) return DART_OK;
  dart_exit();
  MPI_Finalize();
  exit(EXIT_SUCCESS);
}

static dart_ret_t abort_job(void) { dart_abort(3); }

/* ---- memory ---- */

static dart_ret_t from_pool(size_t n) {
  if (dart_allocator_new(64, own, &allocator) != DART_OK) return DART_OK;
  dart_ret_t result = dart_allocator_alloc(n, DART_TYPE_BYTE, &gptr, allocator);
  dart_allocator_destroy(&allocator);
  return result;
}

/* `away`: bytes behind the pointer to the block. */
static dart_ret_t free_from_pool(bool is_other, uint64_t away) {
  if (dart_allocator_new(64, own, &allocator) != DART_OK) return DART_OK;
  dart_allocator_alloc(8, DART_TYPE_BYTE, &gptr, allocator);
  dart_gptr_t wrong = is_other ? data : plus(gptr, away);
  dart_ret_t result = dart_allocator_free(&wrong, allocator);
  dart_allocator_destroy(&allocator);
  return result;
}

static dart_ret_t free_within(void) {
  if (dart_memalloc(4, DART_TYPE_LONG, &gptr) != DART_OK) return DART_OK;
  dart_ret_t result = dart_memfree(plus(gptr, 8));
  dart_memfree(gptr);
  return result;
}

static dart_ret_t free_local_as_team(void) {
  if (dart_memalloc(4, DART_TYPE_LONG, &gptr) != DART_OK) return DART_OK;
  dart_ret_t result = dart_team_memfree(gptr);
  dart_memfree(gptr);
  return result;
}

typedef dart_ret_t (*gptr_fn)(dart_gptr_t gptr);

static dart_ret_t with_registered(gptr_fn call) {
  if (dart_team_memregister(own, ELEMS, DART_TYPE_LONG, region, &gptr) != DART_OK) return DART_OK;
  dart_ret_t result = call(gptr);
  dart_team_memderegister(gptr);
  return result;
}
static dart_ret_t count_in(dart_gptr_t counter) { return dart_notify(counter, 1); }

static dart_ret_t with_native_memory(void) {
  tessera_memory_t memory;
  if (tessera_init(NULL, NULL) || tessera_memory_allocate(tessera_team_of_id(own), 8, &memory)) return DART_OK;
  dart_ret_t result = dart_team_memfree((dart_gptr_t){.segid = (int16_t)memory.id, .teamid = own});
  tessera_memory_free(&memory);
  tessera_exit();
  return result;
}

static dart_ret_t do_nothing(dart_gptr_t pointer) {
  (void)pointer;
  return DART_OK;
}
static dart_ret_t put_to_last(dart_gptr_t pointer) {
  pointer.unitid = 1;
  return dart_put_blocking(pointer, buffer, 1, DART_TYPE_LONG, DART_TYPE_LONG);
}
/* Registered memory of all units: unit 0 makes `first`, unit 1 ends its part, and unit 0 makes `then`. */
static dart_ret_t with_half_registered(gptr_fn first, gptr_fn then) {
  bool is_first = unit() == 0;
  if (dart_team_memregister(DART_TEAM_ALL, ELEMS, DART_TYPE_LONG, region, &gptr) != DART_OK) return DART_OK;
  if (!is_first) dart_team_memderegister(gptr);
  if (is_first) first(gptr);
  barrier();
  dart_ret_t result = is_first ? then(gptr) : DART_ERR_INVAL;
  barrier();
  if (is_first && first == do_nothing) dart_team_memderegister(gptr);
  return result;
}

/* ---- types and operations ---- */

static dart_ret_t put_strided(size_t nelem, dart_datatype_t to) {
  return dart_put_blocking(data, buffer, nelem, type, to);
}

/* A put of `nelem` elements; on one side they are in blocks of `blocklen`, each `stride` behind the last. */
static dart_ret_t with_strided(size_t stride, size_t blocklen, size_t nelem, bool is_target) {
  if (dart_type_create_strided(DART_TYPE_LONG, stride, blocklen, &type) != DART_OK) return DART_OK;
  dart_ret_t result =
      is_target ? dart_put_blocking(data, buffer, nelem, DART_TYPE_LONG, type) : put_strided(nelem, DART_TYPE_LONG);
  dart_type_destroy(&type);
  return result;
}

static dart_ret_t with_indexed(size_t blocklen, size_t nelem) {
  if (dart_type_create_indexed(DART_TYPE_LONG, 1, &blocklen, &one, &type) != DART_OK) return DART_OK;
  dart_ret_t result = put_strided(nelem, DART_TYPE_LONG);
  dart_type_destroy(&type);
  return result;
}

static dart_ret_t allocate_strided(void) {
  if (dart_type_create_strided(DART_TYPE_LONG, 4, 2, &type) != DART_OK) return DART_OK;
  dart_ret_t result = dart_memalloc(4, type, &gptr);
  dart_type_destroy(&type);
  return result;
}

/* More bytes than the machine has, with gaps. */
static dart_ret_t send_more_than_memory(void) {
  if (dart_type_create_strided(DART_TYPE_BYTE, 2, 1, &type) != DART_OK) return DART_OK;
  dart_ret_t result = dart_send(buffer, PTRDIFF_MAX / 4, type, 0, DART_GLOBAL_UNIT_ID(0));
  dart_type_destroy(&type);
  return result;
}

static void combine(const void *in, void *inout, size_t n, void *user) {
  (void)in;
  (void)inout;
  (void)n;
  (void)user;
}

static dart_ret_t accumulate_by_own(void) {
  if (dart_op_create(combine, NULL, true, DART_TYPE_LONG, false, &op) != DART_OK) return DART_OK;
  dart_ret_t result = dart_accumulate(data, buffer, 1, DART_TYPE_LONG, op);
  dart_op_destroy(&op);
  return result;
}

/* ---- messages and locks ---- */

static dart_ret_t receive_half(void) {
  dart_bsend(buffer, 2, DART_TYPE_LONG, TAG, DART_GLOBAL_UNIT_ID(0));
  return dart_recv(region, 1, DART_TYPE_LONG, TAG, DART_GLOBAL_UNIT_ID(0));
}

static dart_ret_t destroy_held(void) { return dart_team_lock_destroy(&(dart_lock_t){lock}); }
static dart_ret_t acquire_again(void) { return dart_lock_acquire(lock); }
static dart_ret_t try_without_result(void) { return dart_lock_try_acquire(lock, NULL); }
static dart_ret_t release_again(void) { return dart_lock_release(lock); }

static dart_ret_t with_lock(bool is_held, dart_ret_t (*call)(void)) {
  if (dart_team_lock_init(own, &lock) != DART_OK) return DART_OK;
  if (is_held) dart_lock_acquire(lock);
  dart_ret_t result = call();
  if (is_held) dart_lock_release(lock);
  dart_team_lock_destroy(&lock);
  return result;
}

/* ---- all calls ---- */

#define PUT(pointer, nelem) dart_put_blocking(pointer, buffer, nelem, DART_TYPE_LONG, DART_TYPE_LONG)
#define PUT_NOTIFY(to, from, nelem, counter) dart_put_notify(to, from, nelem, DART_TYPE_LONG, DART_TYPE_LONG, counter, 1)
#define TO_SELF DART_GLOBAL_UNIT_ID(0)

#define CALLS(CALL)                                                                                     \
  CALL(0368, GOLDEN_EARLY, NOTINIT, PUT(data, 1))                                                       \
  CALL(2000, 0, INVAL, dart_allocator_alloc(8, DART_TYPE_BYTE, &gptr, stale_allocator()))               \
  CALL(2001, 0, INVAL, dart_allocator_new(SIZE_MAX, own, &allocator))                                   \
  CALL(2004, 0, INVAL, dart_allocator_new(8, own, NULL))                                                \
  CALL(2005, 0, NOMEM, from_pool(65))                                                                   \
  CALL(2006, 0, INVAL, dart_allocator_alloc(8, DART_TYPE_BYTE, NULL, allocator))                        \
  CALL(2007, 0, INVAL, free_from_pool(true, 0))                                                         \
  CALL(2008, 0, INVAL, free_from_pool(false, 16))                                                       \
  CALL(2009, 0, INVAL, dart_allocator_free(NULL, allocator))                                            \
  CALL(2010, 0, INVAL, dart_allocator_destroy(NULL))                                                    \
  CALL(2011, 0, INVAL, dart_accumulate(data, buffer, SIZE_MAX, DART_TYPE_LONG, DART_OP_SUM))            \
  CALL(2012, 0, INVAL, dart_accumulate(at(1, 4), buffer, 1, DART_TYPE_LONG, DART_OP_SUM))               \
  CALL(2013, 0, INVAL, dart_fetch_and_op(data, buffer, NULL, DART_TYPE_LONG, DART_OP_SUM))              \
  CALL(2014, 0, INVAL, dart_compare_and_swap(data, buffer, buffer, region, DART_TYPE_DOUBLE))           \
  CALL(2020, 0, INVAL, dart_wait(&(dart_handle_t){stale_handle()}))                                     \
  CALL(2021, 0, INVAL, dart_test(&handle, NULL))                                                        \
  CALL(2030, 0, INVAL, dart_isend(buffer, 1, DART_TYPE_LONG, 0, TO_SELF, NULL))                         \
  CALL(2032, 0, INVAL, dart_iprobe(0, TO_SELF, NULL, NULL))                                             \
  CALL(2033, 0, INVAL, with_registered(count_in))                                                       \
  CALL(2034, 0, INVAL, dart_notify(at(1, 4), 1))                                                        \
  CALL(2035, 0, INVAL, dart_notify_wait(at(1, 8), 1))                                                   \
  CALL(2036, 0, INVAL, dart_notify_test(data, 1, NULL))                                                 \
  CALL(2037, 0, INVAL, PUT_NOTIFY(data, buffer, SIZE_MAX, data))                                        \
  CALL(2038, 0, INVAL, PUT_NOTIFY(data, NULL, 1, data))                                                 \
  CALL(2039, 0, INVAL, PUT_NOTIFY(data, buffer, 1, at(1, 0)))                                           \
  CALL(2040, 0, INVAL, dart_notify_wait_any(&data, NULL, 1, &which))                                    \
  CALL(2041, 0, NOMEM, dart_notify_wait_any(&data, &(uint64_t){1}, SIZE_MAX, &which))                   \
  CALL(2042, 0, NOTINIT, dart_gptr_getpointer(data, &(dart_global_unit_t){0}, &(void *){NULL}))         \
  CALL(2054, 0, OTHER, dart_init(NULL, NULL))                                                           \
  CALL(2055, GOLDEN_EARLY, INVAL, dart_init_thread(NULL, NULL, NULL))                                   \
  CALL(2056, GOLDEN_EARLY | GOLDEN_OWN, OTHER, start_after_mpi())                                       \
  CALL(2057, GOLDEN_OWN, OTHER, abort_job())                                                            \
  CALL(2082, 0, INVAL, dart_lock_acquire(DART_LOCK_NULL))                                               \
  CALL(2083, 0, INVAL, dart_lock_acquire(stale_lock()))                                                 \
  CALL(2084, 0, INVAL, dart_team_lock_init(own, NULL))                                                  \
  CALL(2085, 0, INVAL, dart_team_lock_destroy(NULL))                                                    \
  CALL(2086, 0, INVAL, with_lock(true, destroy_held))                                                   \
  CALL(2087, 0, INVAL, with_lock(true, acquire_again))                                                  \
  CALL(2088, 0, INVAL, with_lock(false, try_without_result))                                            \
  CALL(2089, 0, INVAL, with_lock(false, release_again))                                                 \
  CALL(2090, 0, INVAL, dart_memalloc(SIZE_MAX, DART_TYPE_LONG, &gptr))                                  \
  CALL(2091, 0, INVAL, dart_memalloc(8, DART_TYPE_LONG, NULL))                                          \
  CALL(2092, 0, INVAL, dart_memfree(data))                                                              \
  CALL(2093, 0, INVAL, free_within())                                                                   \
  CALL(2094, 0, INVAL, dart_team_memalloc_aligned(own, 8, DART_TYPE_LONG, NULL))                        \
  CALL(2095, 0, INVAL, free_local_as_team())                                                            \
  CALL(2096, 0, INVAL, with_registered(dart_team_memfree))                                              \
  CALL(2097, 0, INVAL, dart_send(buffer, 1, DART_TYPE_LONG, 0, DART_GLOBAL_UNIT_ID(2)))                 \
  CALL(2098, 0, INVAL, dart_send(buffer, 1, DART_TYPE_LONG, -5, TO_SELF))                               \
  CALL(2099, 0, INVAL, dart_send(NULL, 1, DART_TYPE_LONG, 0, TO_SELF))                                  \
  CALL(2100, 0, NOMEM, send_more_than_memory())                                                         \
  CALL(2101, 0, INVAL, receive_half())                                                                  \
  CALL(2102, 0, INVAL, accumulate_by_own())                                                             \
  CALL(2103, 0, INVAL, dart_accumulate(data, buffer, 1, DART_TYPE_LONG, (dart_operation_t)0x999))       \
  CALL(2104, 0, INVAL, dart_accumulate(data, buffer, 1, DART_TYPE_DOUBLE, DART_OP_BAND))                \
  CALL(2106, 0, INVAL, dart_op_create(combine, NULL, true, DART_TYPE_LONG, false, NULL))                \
  CALL(2107, 0, INVAL, dart_op_create(NULL, NULL, true, DART_TYPE_LONG, false, &op))                    \
  CALL(2108, 0, INVAL, dart_op_destroy(NULL))                                                           \
  CALL(2109, 0, INVAL, dart_op_destroy(&(dart_operation_t){DART_OP_SUM}))                               \
  CALL(2110, 0, INVAL, dart_gptr_getaddr(data, NULL))                                                   \
  CALL(2111, 0, INVAL, dart_gptr_setaddr(NULL, buffer))                                                 \
  CALL(2112, 0, INVAL, dart_gptr_setaddr(&data, buffer))                                                \
  CALL(2113, 0, INVAL, dart_gptr_getflags(data, NULL))                                                  \
  CALL(2114, 0, INVAL, dart_gptr_setflags(NULL, 0))                                                     \
  CALL(2118, 0, INVAL, dart_barrier(DART_TEAM_NULL))                                                    \
  CALL(2119, 0, INVAL, dart_barrier(9999))                                                              \
  CALL(2120, 0, INVAL, PUT(DART_GPTR_NULL, 1))                                                          \
  CALL(2121, 0, INVAL, PUT(((dart_gptr_t){.segid = 99}), 1))                                            \
  CALL(2122, 0, INVAL, PUT(at(2, 0), 1))                                                                \
  CALL(2123, GOLDEN_ALL, INVAL, with_half_registered(do_nothing, put_to_last))                         \
  CALL(2124, 0, INVAL, PUT(at(1, BYTES - 8), 2))                                                        \
  CALL(2126, 0, INVAL, dart_team_memregister(own, 8, DART_TYPE_LONG, NULL, &gptr))                      \
  CALL(2127, 0, INVAL, dart_team_memderegister(data))                                                   \
  CALL(2128, GOLDEN_ALL, INVAL, with_half_registered(dart_team_memderegister, dart_team_memderegister)) \
  CALL(2129, 0, INVAL, PUT(data, SIZE_MAX))                                                             \
  CALL(2130, 0, INVAL, with_strided(4, 2, 3, false))                                                    \
  CALL(2131, 0, INVAL, with_indexed(0, 2))                                                              \
  CALL(2132, 0, INVAL, with_indexed(4, 2))                                                              \
  CALL(2141, 0, INVAL, dart_put(data, buffer, 1, DART_TYPE_INT, DART_TYPE_LONG))                        \
  CALL(2142, 0, INVAL, with_strided(1, 2, 4, true))                                                     \
  CALL(2143, 0, INVAL, dart_put(data, NULL, 1, DART_TYPE_LONG, DART_TYPE_LONG))                         \
  CALL(2144, 0, INVAL, dart_put_handle(data, buffer, 1, DART_TYPE_LONG, DART_TYPE_LONG, NULL))          \
  CALL(2145, 0, INVAL, dart_memalloc(1, DART_TYPE_UNDEFINED, &gptr))                                    \
  CALL(2146, 0, INVAL, dart_memalloc(1, (dart_datatype_t)0x999, &gptr))                                 \
  CALL(2147, 0, INVAL, allocate_strided())                                                              \
  CALL(2149, 0, NOMEM, dart_type_create_indexed(DART_TYPE_LONG, SIZE_MAX, &one, &one, &type))           \
  CALL(2150, 0, INVAL, dart_type_create_strided(DART_TYPE_LONG, 4, 2, NULL))                            \
  CALL(2151, 0, INVAL, dart_type_create_custom(8, NULL))                                                \
  CALL(2152, 0, INVAL, dart_type_create_custom(0, &type))                                               \
  CALL(2153, 0, INVAL, dart_type_create_strided(DART_TYPE_LONG, 0, 2, &type))                           \
  CALL(2154, 0, INVAL, dart_type_create_indexed(DART_TYPE_LONG, 1, &one, NULL, &type))                  \
  CALL(2155, 0, INVAL, dart_type_create_indexed(DART_TYPE_LONG, 1, &huge, &one, &type))                 \
  CALL(2156, 0, INVAL, dart_type_destroy(NULL))                                                         \
  CALL(2157, 0, INVAL, dart_type_destroy(&(dart_datatype_t){DART_TYPE_LONG}))                           \
  CALL(2159, GOLDEN_ALL, INVAL, with_native_memory())

GOLDEN_MAIN(start, end)
