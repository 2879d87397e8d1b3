/* More wrong calls: collectives, groups and teams, memory of other units, used handles, registered memory, allocators,
 * locality. Each call prints one line and has no effect.
 * Group: dart_calls
 */
#include "dart_says.h"

#include <dash/dart/if/dart_ext.h>
#include <dash/dart/if/dart_locality.h>
#include <dash/dart/if/dart_mpi.h>

static int64_t numbers[4] = {1, 2, 3, 4};
static unsigned char out[512];

static dart_team_unit_t member(int number) { return DART_TEAM_UNIT_ID(number); }

static void roots(int root) {
  INVAL(dart_bcast(out, 1, DART_TYPE_LONG, member(root), DART_TEAM_ALL));
  INVAL(dart_scatter(numbers, out, 1, DART_TYPE_LONG, member(root), DART_TEAM_ALL));
  INVAL(dart_gather(numbers, out, 1, DART_TYPE_LONG, member(root), DART_TEAM_ALL));
  INVAL(dart_reduce(numbers, out, 1, DART_TYPE_LONG, DART_OP_SUM, member(root), DART_TEAM_ALL));
}

static void sizes(size_t n) {
  size_t counts[64] = {0}, none[64] = {0};
  counts[units_n - 1] = n;
  INVAL(dart_bcast(out, n, DART_TYPE_LONG, member(0), DART_TEAM_ALL));
  INVAL(dart_scatter(numbers, out, n, DART_TYPE_LONG, member(0), DART_TEAM_ALL));
  INVAL(dart_gather(numbers, out, n, DART_TYPE_LONG, member(0), DART_TEAM_ALL));
  INVAL(dart_allgather(numbers, out, n, DART_TYPE_LONG, DART_TEAM_ALL));
  INVAL(dart_allgatherv(NULL, 0, DART_TYPE_LONG, out, counts, none, DART_TEAM_ALL));
  counts[units_n - 1] = 1;
  none[units_n - 1] = n;
  INVAL(dart_allgatherv(NULL, 0, DART_TYPE_LONG, out, counts, none, DART_TEAM_ALL));
  INVAL(dart_alltoall(numbers, out, n, DART_TYPE_LONG, DART_TEAM_ALL));
  INVAL(dart_reduce(numbers, out, n, DART_TYPE_LONG, DART_OP_SUM, member(0), DART_TEAM_ALL));
  INVAL(dart_allreduce(numbers, out, n, DART_TYPE_LONG, DART_OP_SUM, DART_TEAM_ALL));
}

static void null_buffers(void) {
  size_t ones[64], places[64];
  for (size_t i = 0; i < 64; i++) ones[i] = 1, places[i] = i;
  INVAL(dart_bcast(NULL, 1, DART_TYPE_LONG, member(0), DART_TEAM_ALL));
  INVAL(dart_scatter(numbers, NULL, 1, DART_TYPE_LONG, member(0), DART_TEAM_ALL));
  INVAL(dart_gather(NULL, out, 1, DART_TYPE_LONG, member(0), DART_TEAM_ALL));
  INVAL(dart_allgather(numbers, NULL, 1, DART_TYPE_LONG, DART_TEAM_ALL));
  INVAL(dart_allgatherv(numbers, 1, DART_TYPE_LONG, NULL, ones, places, DART_TEAM_ALL));
  INVAL(dart_allgatherv(numbers, 1, DART_TYPE_LONG, out, NULL, places, DART_TEAM_ALL));
  INVAL(dart_allgatherv(numbers, 1, DART_TYPE_LONG, out, ones, NULL, DART_TEAM_ALL));
  INVAL(dart_allgatherv(numbers, 2, DART_TYPE_LONG, out, ones, places, DART_TEAM_ALL)); /* differs from the other units' argument */
  INVAL(dart_alltoall(numbers, NULL, 1, DART_TYPE_LONG, DART_TEAM_ALL));
  INVAL(dart_reduce(NULL, out, 1, DART_TYPE_LONG, DART_OP_SUM, member(0), DART_TEAM_ALL));
  INVAL(dart_allreduce(NULL, out, 1, DART_TYPE_LONG, DART_OP_SUM, DART_TEAM_ALL));
  INVAL(dart_allreduce(numbers, NULL, 1, DART_TYPE_LONG, DART_OP_SUM, DART_TEAM_ALL));
  INVAL(dart_allreduce(numbers, out, 3, DART_TYPE_LONG, DART_OP_MINMAX, DART_TEAM_ALL)); /* one and a half pairs */
}

static void groups(void) {
  dart_group_t group = DART_GROUP_NULL, made[5], pieces[2] = {NULL, NULL};
  size_t n = 77;
  int32_t yes = 77;
  OK(dart_group_create(&group));
  for (int i = 0; i < 5; i++) made[i] = group;
  INVAL(dart_group_create(NULL));
  INVAL(dart_group_destroy(NULL));
  INVAL(dart_group_clone(NULL, &made[0]));
  INVAL(dart_group_clone(group, NULL));
  INVAL(dart_group_union(NULL, group, &made[1]));
  INVAL(dart_group_union(group, NULL, &made[2]));
  INVAL(dart_group_union(group, group, NULL));
  INVAL(dart_group_intersect(NULL, group, &made[3]));
  INVAL(dart_group_intersect(group, NULL, &made[4]));
  INVAL(dart_group_intersect(group, group, NULL));
  INVAL(dart_group_addmember(NULL, DART_GLOBAL_UNIT_ID(0)));
  INVAL(dart_group_addmember(group, DART_GLOBAL_UNIT_ID(-1)));
  INVAL(dart_group_delmember(NULL, DART_GLOBAL_UNIT_ID(0)));
  INVAL(dart_group_ismember(NULL, DART_GLOBAL_UNIT_ID(0), &yes));
  INVAL(dart_group_ismember(group, DART_GLOBAL_UNIT_ID(0), NULL));
  INVAL(dart_group_size(NULL, &n));
  INVAL(dart_group_size(group, NULL));
  INVAL(dart_group_getmembers(NULL, (dart_global_unit_t[1]){{0}}));
  INVAL(dart_group_split(NULL, 2, &n, pieces));
  INVAL(dart_group_split(group, 0, &n, pieces));
  INVAL(dart_group_split(group, 2, NULL, pieces));
  INVAL(dart_group_split(group, 2, &n, NULL));
  INVAL(dart_group_locality_split(group, NULL, DART_LOCALITY_SCOPE_NODE, 2, &n, pieces));
  for (int i = 0; i < 5; i++) CHECK(!made[i]);
  CHECK(!pieces[0] && !pieces[1] && n == 77 && yes == 0);
  OK(dart_group_destroy(&group));
  OK(dart_group_destroy(&group)); /* NULL after its destruction */
}

static void teams(void) {
  dart_group_t group = DART_GROUP_NULL;
  dart_team_t made = 77, other = 77, all = DART_TEAM_ALL;
  dart_global_unit_t global = {77};
  dart_team_unit_t local = {77};
  OK(dart_group_create(&group));
  OK(dart_group_addmember(group, DART_GLOBAL_UNIT_ID(0)));
  INVAL(dart_team_create(DART_TEAM_ALL, NULL, &made));
  INVAL(dart_team_create(DART_TEAM_ALL, group, NULL));
  INVAL(dart_team_create(DART_TEAM_NULL, group, &other));
  INVAL(dart_team_clone(DART_TEAM_ALL, NULL));
  INVAL(dart_team_get_group(DART_TEAM_ALL, NULL));
  INVAL(dart_team_destroy(NULL));
  INVAL(dart_team_destroy(&all));
  INVAL(dart_team_size(DART_TEAM_ALL, NULL));
  INVAL(dart_team_myid(DART_TEAM_ALL, NULL));
  INVAL(dart_myid(NULL));
  INVAL(dart_size(NULL));
  INVAL(dart_team_unit_l2g(DART_TEAM_ALL, member(units_n), &global));
  INVAL(dart_team_unit_l2g(DART_TEAM_ALL, member(-1), &global));
  INVAL(dart_team_unit_l2g(DART_TEAM_ALL, member(0), NULL));
  INVAL(dart_team_unit_g2l(DART_TEAM_ALL, DART_GLOBAL_UNIT_ID(units_n), &local));
  INVAL(dart_team_unit_g2l(DART_TEAM_ALL, DART_GLOBAL_UNIT_ID(-1), &local));
  INVAL(dart_team_unit_g2l(DART_TEAM_ALL, DART_GLOBAL_UNIT_ID(0), NULL));
  INVAL(dart_team_comm(DART_TEAM_ALL, NULL));
  INVAL(dart_team_comm(DART_TEAM_NULL, &(MPI_Comm){MPI_COMM_NULL}));
  CHECK(made == DART_TEAM_NULL && other == DART_TEAM_NULL && all == DART_TEAM_ALL);
  CHECK(global.id == DART_UNDEFINED_UNIT_ID && local.id == DART_UNDEFINED_UNIT_ID);
  OK(dart_group_destroy(&group));
}

/* Only its owner may free local memory, once, and not by a pointer into it. */
static void wrong_owner(void) {
  dart_gptr_t mine = DART_GPTR_NULL, all[64];
  dart_unit_t right = (self + 1) % units_n;
  OK(dart_memalloc(4, DART_TYPE_LONG, &mine));
  OK(dart_allgather(&mine, all, sizeof mine, DART_TYPE_BYTE, DART_TEAM_ALL));
  if (units_n > 1) INVAL(dart_memfree(all[right]));
  INVAL(dart_memfree(at(mine, self, 8)));
  barrier();
  OK(dart_memfree(mine));
  INVAL(dart_memfree(mine));
  barrier();
}

static void blocks(void) {
  dart_allocator_t pool = DART_ALLOCATOR_NULL, stale;
  dart_gptr_t mine = DART_GPTR_NULL, more = mine, all[64], none = DART_GPTR_NULL;
  dart_unit_t right = (self + 1) % units_n;
  OK(dart_allocator_new(64, DART_TEAM_ALL, &pool));
  OK(dart_allocator_alloc(8, DART_TYPE_LONG, &mine, pool));
  OK(dart_allgather(&mine, all, sizeof mine, DART_TYPE_BYTE, DART_TEAM_ALL));
  BAD(DART_ERR_NOMEM, dart_allocator_alloc(1, DART_TYPE_BYTE, &more, pool));
  BAD(DART_ERR_NOMEM, dart_allocator_alloc(1 << 20, DART_TYPE_BYTE, &more, pool));
  INVAL(dart_allocator_alloc(SIZE_MAX / 8 + 2, DART_TYPE_LONG, &more, pool));
  CHECK(DART_GPTR_ISNULL(more));
  INVAL(dart_allocator_alloc(1, DART_TYPE_LONG, NULL, pool));
  if (units_n > 1) INVAL(dart_allocator_free(&all[right], pool));
  INVAL(dart_allocator_free(NULL, pool));
  INVAL(dart_allocator_free(&none, pool));
  INVAL(dart_memfree(mine));
  more = at(mine, self, 16);
  INVAL(dart_allocator_free(&more, pool));
  more = mine;
  OK(dart_allocator_free(&mine, pool));
  INVAL(dart_allocator_free(&more, pool));
  barrier();
  stale = pool;
  OK(dart_allocator_destroy(&pool));
  INVAL(dart_allocator_alloc(1, DART_TYPE_LONG, &mine, stale));
  INVAL(dart_allocator_free(&more, stale));
  INVAL(dart_allocator_destroy(&stale));
  INVAL(dart_allocator_destroy(&pool));
  INVAL(dart_allocator_destroy(NULL));
  INVAL(dart_allocator_new(64, DART_TEAM_NULL, &pool));
  INVAL(dart_allocator_new(64, DART_TEAM_ALL, NULL));
  INVAL(dart_allocator_new(SIZE_MAX, DART_TEAM_ALL, &pool));
  CHECK(pool == DART_ALLOCATOR_NULL);
}

static void registered(void) {
  dart_gptr_t made = DART_GPTR_NULL, gone;
  void *foreign = numbers;
  INVAL(dart_team_memregister(DART_TEAM_ALL, 1, DART_TYPE_LONG, NULL, &made));
  INVAL(dart_team_memregister_aligned(DART_TEAM_ALL, 1, DART_TYPE_LONG, NULL, &made));
  INVAL(dart_team_memregister(DART_TEAM_ALL, 1, DART_TYPE_LONG, numbers, NULL));
  INVAL(dart_team_memregister_aligned(DART_TEAM_ALL, 1, DART_TYPE_LONG, numbers, NULL));
  INVAL(dart_team_memregister(DART_TEAM_ALL, SIZE_MAX / 8 + 2, DART_TYPE_LONG, numbers, &made));
  INVAL(dart_team_memregister_aligned(DART_TEAM_ALL, SIZE_MAX / 8 + 2, DART_TYPE_LONG, numbers, &made));
  INVAL(dart_team_memregister(DART_TEAM_NULL, 1, DART_TYPE_LONG, numbers, &made));
  INVAL(dart_team_memregister_aligned(31000, 1, DART_TYPE_LONG, numbers, &made));
  CHECK(DART_GPTR_ISNULL(made));
  OK(dart_team_memregister(DART_TEAM_ALL, sizeof out, DART_TYPE_BYTE, out, &made));
  CHECK(made.segid < 0);
  INVAL(dart_team_memfree(made));
  INVAL(dart_memfree(made));
  INVAL(dart_gptr_setaddr(&made, foreign));
  INVAL(dart_put_blocking(at(made, units_n - 1, sizeof out), numbers, 1, DART_TYPE_BYTE, DART_TYPE_BYTE));
  INVAL(dart_get_blocking(&foreign, at(made, units_n - 1, -1), 1, DART_TYPE_BYTE, DART_TYPE_BYTE));
  INVAL(dart_flush(at(made, units_n, 0)));
  gone = made;
  OK(dart_team_memderegister(made));
  INVAL(dart_team_memderegister(gone));
  INVAL(dart_put_blocking(at(gone, self, 0), numbers, 1, DART_TYPE_BYTE, DART_TYPE_BYTE));
  dart_gptr_t segment = team_alloc(DART_TEAM_ALL, 4, DART_TYPE_LONG);
  INVAL(dart_team_memderegister(segment));
  OK(dart_team_memfree(segment));
  OK(dart_team_memfree(DART_GPTR_NULL));
  OK(dart_team_memderegister(DART_GPTR_NULL));
}

/* A handle is valid for one wait, test or release. */
static void refuse_used(dart_handle_t used) {
  dart_handle_t both[2] = {DART_HANDLE_NULL, used};
  int32_t done = 77;
  if (used == DART_HANDLE_NULL) return;
  INVAL(dart_wait(&both[1]));
  INVAL(dart_wait_local(&both[1]));
  INVAL(dart_waitall(both, 2));
  INVAL(dart_waitall_local(both, 2));
  INVAL(dart_test(&both[1], &done));
  INVAL(dart_test_local(&both[1], &done));
  INVAL(dart_testall(both, 2, &done));
  INVAL(dart_testall_local(both, 2, &done));
  INVAL(dart_handle_free(&both[1]));
  CHECK(done == 0 && both[1] == used);
}

/* Handles of transfers; only a transfer to another node has one. */
static void used_handles(void) {
  dart_gptr_t segment = team_alloc(DART_TEAM_ALL, 4, DART_TYPE_LONG);
  dart_handle_t handle = DART_HANDLE_NULL, copy;
  OK(dart_put_handle(at(segment, units_n - 1 - self, 0), numbers, 4, DART_TYPE_LONG, DART_TYPE_LONG, &handle));
  copy = handle;
  OK(dart_wait(&handle));
  CHECK(handle == DART_HANDLE_NULL);
  refuse_used(copy);
  INVAL(dart_test(&handle, NULL));
  INVAL(dart_test_local(&handle, NULL));
  INVAL(dart_testall(&handle, 1, NULL));
  INVAL(dart_testall_local(&handle, 1, NULL));
  barrier();
  OK(dart_team_memfree(segment));
}

/* Handles of messages to oneself, which exist until the other end has started: used up in each way, and used again
 * while a new one, perhaps in the same place, is active. */
static void used_message_handles(void) {
  static int64_t got;
  dart_global_unit_t to_self = DART_GLOBAL_UNIT_ID(self);
  for (int way = 0; way < 5; way++) {
    int64_t got_next = 0;
    int32_t done = 0;
    dart_handle_t handle, next, copy, next_copy;
    OK(dart_irecv(&got, 1, DART_TYPE_LONG, 5, to_self, NULL, &handle));
    CHECK((copy = handle) != DART_HANDLE_NULL);
    OK(dart_bsend(&numbers[way % 4], 1, DART_TYPE_LONG, 5, to_self));
    if (way == 0) OK(dart_wait(&handle));
    if (way == 1) OK(dart_waitall(&handle, 1));
    while (way == 2 && !done) OK(dart_test(&handle, &done));
    while (way == 3 && !done) OK(dart_testall_local(&handle, 1, &done));
    if (way == 4) OK(dart_handle_free(&handle));
    CHECK(handle == DART_HANDLE_NULL);
    OK(dart_issend(&numbers[3], 1, DART_TYPE_LONG, 6, to_self, &next));
    CHECK((next_copy = next) != DART_HANDLE_NULL);
    CHECK(next != copy);
    refuse_used(copy);
    OK(dart_test(&next, &done));
    CHECK(!done && next == next_copy);
    OK(dart_recv(&got_next, 1, DART_TYPE_LONG, 6, to_self));
    OK(dart_wait(&next));
    refuse_used(next_copy);
    CHECK_EQ(got_next, 4);
    if (way < 4) CHECK_EQ(got, numbers[way % 4]);
    got = 0;
  }
}

/* Handles of collectives: unit 0 has one, since the others start later. */
static void used_collective_handles(void) {
  int64_t sum = 0, more = 0;
  dart_handle_t handles[2], copies[2];
  if (self) OK(dart_recv(&more, 1, DART_TYPE_LONG, 7, DART_GLOBAL_UNIT_ID(0)));
  OK(dart_iallreduce(&numbers[0], &sum, 1, DART_TYPE_LONG, DART_OP_SUM, DART_TEAM_ALL, &handles[0]));
  OK(dart_ibarrier(DART_TEAM_ALL, &handles[1]));
  memcpy(copies, handles, sizeof copies);
  for (int unit = 1; self == 0 && unit < units_n; unit++)
    OK(dart_send(&numbers[0], 1, DART_TYPE_LONG, 7, DART_GLOBAL_UNIT_ID(unit)));
  if (self == 0 && units_n > 1) CHECK(handles[0] != DART_HANDLE_NULL && handles[1] != DART_HANDLE_NULL);
  OK(dart_wait(&handles[1]));
  refuse_used(copies[1]);
  OK(dart_waitall(handles, 2));
  refuse_used(copies[0]);
  CHECK_EQ(sum, units_n);
  barrier();
}

/* A lock of another unit, and this unit's lock again. */
static void locks(void) {
  dart_lock_t lock = DART_LOCK_NULL;
  OK(dart_team_lock_init(DART_TEAM_ALL, &lock));
  if (self == units_n - 1) {
    OK(dart_lock_acquire(lock));
    INVAL(dart_lock_acquire(lock));
    int32_t got = 77;
    OK(dart_lock_try_acquire(lock, &got));
    CHECK_EQ(got, 0);
  }
  barrier();
  if (self != units_n - 1) INVAL(dart_lock_release(lock));
  barrier();
  if (self == units_n - 1) OK(dart_lock_release(lock));
  INVAL(dart_lock_release(lock));
  barrier();
  OK(dart_team_lock_destroy(&lock));
  OK(dart_team_lock_destroy(&lock)); /* NULL after its destruction */
}

static void locality(void) {
  dart_domain_locality_t *domain = NULL;
  dart_unit_locality_t *record = NULL;
  INVAL(dart_team_locality_init(DART_TEAM_NULL));
  OK(dart_team_locality_finalize(31000)); /* destroyed, as far as this unit knows */
  INVAL(dart_team_locality_finalize(DART_TEAM_NULL));
  INVAL(dart_domain_team_locality(DART_TEAM_NULL, ".", &domain));
  INVAL(dart_domain_team_locality(DART_TEAM_ALL, NULL, &domain));
  INVAL(dart_domain_team_locality(DART_TEAM_ALL, ".", NULL));
  BAD(DART_ERR_NOTFOUND, dart_domain_team_locality(DART_TEAM_ALL, ".77.77", &domain));
  INVAL(dart_unit_locality(DART_TEAM_ALL, member(units_n), &record));
  INVAL(dart_unit_locality(DART_TEAM_ALL, member(-1), &record));
  INVAL(dart_unit_locality(31000, member(0), &record));
  INVAL(dart_unit_locality(DART_TEAM_ALL, member(0), NULL));
  CHECK(!domain && !record);
}

int main(int argc, char **argv) {
  if (!open_ears()) return 77;
  start(&argc, &argv);
  memset(out, GUARD, sizeof out);
  roots(-1);
  roots(units_n);
  sizes(SIZE_MAX);
  sizes(SIZE_MAX / 8);
  null_buffers();
  groups();
  teams();
  barrier();
  wrong_owner();
  blocks();
  registered();
  used_handles();
  used_message_handles();
  used_collective_handles();
  locks();
  locality();
  CHECK_EQ(touched(out, sizeof out), 0);
  CHECK(numbers[0] == 1 && numbers[1] == 2 && numbers[2] == 3 && numbers[3] == 4);
  barrier();
  return finish();
}
