/* Before dart_init and after dart_exit every function prints one line and has no effect; local functions work. */
#include "dart_says.h"

#include <dash/dart/if/dart_locality.h>
#include <dash/dart/if/dart_ext_collective.h>
#include <dash/dart/if/dart_mpi.h>

static int64_t numbers[4] = {1, 2, 3, 4};
static unsigned char out[64];
static const dart_team_unit_t zero = {0};
static const dart_global_unit_t unit_zero = {0};

static void transfers(dart_gptr_t gptr) {
  dart_handle_t handle = DART_HANDLE_NULL;
  NOTINIT(dart_put(gptr, numbers, 1, DART_TYPE_LONG, DART_TYPE_LONG));
  NOTINIT(dart_put_blocking(gptr, numbers, 1, DART_TYPE_LONG, DART_TYPE_LONG));
  NOTINIT(dart_put_handle(gptr, numbers, 1, DART_TYPE_LONG, DART_TYPE_LONG, &handle));
  NOTINIT(dart_get(out, gptr, 1, DART_TYPE_LONG, DART_TYPE_LONG));
  NOTINIT(dart_get_blocking(out, gptr, 1, DART_TYPE_LONG, DART_TYPE_LONG));
  NOTINIT(dart_get_handle(out, gptr, 1, DART_TYPE_LONG, DART_TYPE_LONG, &handle));
  NOTINIT(dart_accumulate(gptr, numbers, 1, DART_TYPE_LONG, DART_OP_SUM));
  NOTINIT(dart_accumulate_blocking_local(gptr, numbers, 1, DART_TYPE_LONG, DART_OP_SUM));
  NOTINIT(dart_fetch_and_op(gptr, numbers, out, DART_TYPE_LONG, DART_OP_SUM));
  NOTINIT(dart_compare_and_swap(gptr, numbers, numbers, out, DART_TYPE_LONG));
  NOTINIT(dart_flush(gptr));
  NOTINIT(dart_flush_all(gptr));
  NOTINIT(dart_flush_local(gptr));
  NOTINIT(dart_flush_local_all(gptr));
  CHECK(handle == DART_HANDLE_NULL);
}

static void split_phase_barrier(void) {
  int32_t over = 77;
  NOTINIT(dart_barrier_notify(DART_TEAM_ALL, 1));
  NOTINIT(dart_barrier_wait(DART_TEAM_ALL));
  NOTINIT(dart_barrier_try(DART_TEAM_ALL, &over));
  CHECK_EQ(over, 77);
}

/* Even a null one. */
static void handles(void) {
  dart_handle_t none[2] = {DART_HANDLE_NULL, DART_HANDLE_NULL};
  int32_t done = 77;
  NOTINIT(dart_wait(none));
  NOTINIT(dart_wait_local(none));
  NOTINIT(dart_waitall(none, 2));
  NOTINIT(dart_waitall_local(none, 2));
  NOTINIT(dart_test(none, &done));
  NOTINIT(dart_test_local(none, &done));
  NOTINIT(dart_testall(none, 2, &done));
  NOTINIT(dart_testall_local(none, 2, &done));
  NOTINIT(dart_handle_free(none));
  CHECK_EQ(done, 0);
}

static void collectives(void) {
  const size_t one = 1;
  NOTINIT(dart_barrier(DART_TEAM_ALL));
  NOTINIT(dart_bcast(out, 1, DART_TYPE_BYTE, zero, DART_TEAM_ALL));
  NOTINIT(dart_scatter(numbers, out, 1, DART_TYPE_BYTE, zero, DART_TEAM_ALL));
  NOTINIT(dart_gather(numbers, out, 1, DART_TYPE_BYTE, zero, DART_TEAM_ALL));
  NOTINIT(dart_allgather(numbers, out, 1, DART_TYPE_BYTE, DART_TEAM_ALL));
  NOTINIT(dart_allgatherv(numbers, 1, DART_TYPE_BYTE, out, &one, &one, DART_TEAM_ALL));
  NOTINIT(dart_alltoall(numbers, out, 1, DART_TYPE_BYTE, DART_TEAM_ALL));
  NOTINIT(dart_reduce(numbers, out, 1, DART_TYPE_LONG, DART_OP_SUM, zero, DART_TEAM_ALL));
  NOTINIT(dart_allreduce(numbers, out, 1, DART_TYPE_LONG, DART_OP_SUM, DART_TEAM_ALL));
  NOTINIT(dart_send(numbers, 1, DART_TYPE_LONG, 0, unit_zero));
  NOTINIT(dart_recv(out, 1, DART_TYPE_LONG, 0, unit_zero));
  NOTINIT(dart_sendrecv(numbers, 1, DART_TYPE_LONG, 0, unit_zero, out, 1, DART_TYPE_LONG, 0, unit_zero));
}

static void teams(void) {
  dart_group_t group = DART_GROUP_NULL, made = (dart_group_t)(void *)out;
  dart_team_t team = 77, cloned = 77;
  dart_team_unit_t me = {77};
  dart_global_unit_t global = {77};
  MPI_Comm comm = MPI_COMM_SELF;
  size_t n = 77;
  OK(dart_group_create(&group));
  NOTINIT(dart_team_create(DART_TEAM_ALL, group, &team));
  NOTINIT(dart_team_clone(DART_TEAM_ALL, &cloned));
  CHECK(team == DART_TEAM_NULL && cloned == DART_TEAM_NULL);
  NOTINIT(dart_team_destroy(&(dart_team_t){77}));
  NOTINIT(dart_team_get_group(DART_TEAM_ALL, &made));
  NOTINIT(dart_team_size(DART_TEAM_ALL, &n));
  NOTINIT(dart_team_unit_l2g(DART_TEAM_ALL, zero, &global));
  NOTINIT(dart_team_unit_g2l(DART_TEAM_ALL, unit_zero, &me));
  NOTINIT(dart_team_comm(DART_TEAM_ALL, &comm));
  CHECK(n == 77 && global.id == DART_UNDEFINED_UNIT_ID && me.id == DART_UNDEFINED_UNIT_ID && !made && comm == MPI_COMM_SELF);
  me.id = 77;
  NOTINIT(dart_team_myid(DART_TEAM_ALL, &me));
  CHECK_EQ(me.id, DART_UNDEFINED_UNIT_ID);
  OK(dart_group_destroy(&group));
}

static void memory(dart_gptr_t gptr) {
  dart_gptr_t made = gptr;
  dart_allocator_t pool = DART_ALLOCATOR_NULL;
  void *address = out;
  uint16_t flags = 77;
  NOTINIT(dart_gptr_getaddr(gptr, &address));
  NOTINIT(dart_gptr_setaddr(&made, out));
  NOTINIT(dart_gptr_getflags(gptr, &flags));
  NOTINIT(dart_gptr_setflags(&made, 1));
  NOTINIT(dart_memfree(gptr));
  CHECK(DART_GPTR_EQUAL(made, gptr));
  NOTINIT(dart_team_memalloc_aligned(DART_TEAM_ALL, 1, DART_TYPE_LONG, &made));
  CHECK(DART_GPTR_ISNULL(made));
  made = gptr;
  NOTINIT(dart_team_memfree(gptr));
  NOTINIT(dart_team_memregister(DART_TEAM_ALL, 1, DART_TYPE_LONG, numbers, &made));
  CHECK(DART_GPTR_ISNULL(made));
  made = gptr;
  NOTINIT(dart_team_memregister_aligned(DART_TEAM_ALL, 1, DART_TYPE_LONG, numbers, &made));
  CHECK(DART_GPTR_ISNULL(made));
  made = gptr;
  NOTINIT(dart_team_memderegister(gptr));
  NOTINIT(dart_allocator_new(64, DART_TEAM_ALL, &pool));
  NOTINIT(dart_allocator_free(&made, (dart_allocator_t)(void *)numbers));
  NOTINIT(dart_allocator_destroy(&pool));
  CHECK(DART_GPTR_EQUAL(made, gptr) && address == out && flags == 77 && !pool);
  NOTINIT(dart_allocator_alloc(1, DART_TYPE_LONG, &made, DART_ALLOCATOR_NULL));
  CHECK(DART_GPTR_ISNULL(made));
  made = gptr;
  NOTINIT(dart_memalloc(1, DART_TYPE_LONG, &made));
  CHECK(DART_GPTR_ISNULL(made));
}

static void locks_and_locality(void) {
  dart_lock_t lock = DART_LOCK_NULL;
  dart_domain_locality_t *domain = NULL;
  dart_unit_locality_t *record = NULL;
  int32_t got = 77;
  NOTINIT(dart_team_lock_init(DART_TEAM_ALL, &lock));
  NOTINIT(dart_lock_acquire(lock));
  NOTINIT(dart_lock_try_acquire(lock, &got));
  NOTINIT(dart_lock_release(lock));
  CHECK(!dart_lock_initialized(lock) && got == 77);
  NOTINIT(dart_team_locality_init(DART_TEAM_ALL));
  NOTINIT(dart_domain_team_locality(DART_TEAM_ALL, ".", &domain));
  NOTINIT(dart_unit_locality(DART_TEAM_ALL, zero, &record));
  CHECK(!domain && !record);
  /* Calls that destructors make after the end have no effect. */
  CHECK_EQ(dart_team_lock_destroy(&lock), DART_OK);
  CHECK_EQ(dart_team_locality_finalize(DART_TEAM_ALL), DART_OK);
}

static void combine(const void *in, void *inout, size_t n, void *user) { (void)in, (void)inout, (void)n, (void)user; }

/* Groups, types, operations, domains and the configuration need no runtime. */
static void what_is_local(void) {
  dart_group_t group = DART_GROUP_NULL;
  dart_datatype_t type = DART_TYPE_UNDEFINED;
  dart_operation_t op = DART_OP_UNDEFINED;
  dart_domain_locality_t *domain = NULL;
  dart_config_t *config = NULL;
  dart_config(&config);
  dart_config(NULL);
  CHECK(config && config->log_enabled == 1);
  OK(dart_group_create(&group));
  OK(dart_group_destroy(&group));
  OK(dart_type_create_custom(12, &type));
  OK(dart_op_create(combine, NULL, true, type, true, &op));
  OK(dart_op_destroy(&op));
  OK(dart_type_destroy(&type));
  OK(dart_domain_create(&domain));
  OK(dart_domain_destroy(domain));
}

/* `gptr` was valid while DART was active. */
static void not_initialised(dart_gptr_t gptr) {
  dart_global_unit_t me = {5};
  size_t n = 5;
  CHECK(!dart_initialized());
  CHECK_EQ(dart_myid(&me), DART_ERR_OTHER); /* without a line: see the header */
  CHECK_EQ(dart_size(&n), DART_ERR_OTHER);
  CHECK(me.id == -1 && n == 0);
  NOTINIT(dart_exit());
  memset(out, GUARD, sizeof out);
  transfers(gptr);
  split_phase_barrier();
  handles();
  collectives();
  teams();
  memory(gptr);
  locks_and_locality();
  what_is_local();
  CHECK_EQ(touched(out, sizeof out), 0);
  CHECK(numbers[0] == 1 && numbers[1] == 2 && numbers[2] == 3 && numbers[3] == 4);
}

int main(int argc, char **argv) {
  if (!open_ears()) return 77;
  CHECK(dart_get_user_commworld() == MPI_COMM_NULL);
  not_initialised(DART_GPTR_NULL);
  INVAL(dart_init_thread(&argc, &argv, NULL));
  start(&argc, &argv);
  dart_thread_support_level_t level = DART_THREAD_SINGLE;
  BAD(DART_ERR_OTHER, dart_init(NULL, NULL));
  SAYS("TSR-2054 dart_init", DART_ERR_OTHER, dart_init_thread(NULL, NULL, &level));
  dart_gptr_t segment = team_alloc(DART_TEAM_ALL, 8, DART_TYPE_LONG);
  OK(dart_exit());
  not_initialised(segment);
  return check_result();
}
