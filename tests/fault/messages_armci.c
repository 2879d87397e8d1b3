/* Wrong calls of ARMCI, one for each message; see support/golden.h. */
#include <armcix.h>

#include "core/coll_error.h"
#include "support/golden.h"

enum { SHARED_BYTES = 1000 };
static int me;
static char *own, *theirs, *gone; /* shared memory: of unit 0, of the last unit, and of the last unit, freed */
static void *mine;                /* the own part of the first two */
static char local[64];
static int one = 1, two[2] = {8, 2}, eight = 8, six = 6, less = -1;

/* The same pointer of all processes. */
static void allocate(void *pointers[], armci_size_t bytes) {
  if (ARMCI_Malloc(pointers, bytes)) exit(EXIT_FAILURE);
}

static bool start(int *argc, char ***argv) {
  if (ARMCI_Init_args(argc, argv)) return false;
  void *pointers[8];
  me = armci_msg_me();
  const int last = armci_msg_nproc() - 1;
  allocate(pointers, SHARED_BYTES);
  own = pointers[0];
  theirs = pointers[last];
  mine = pointers[me];
  allocate(pointers, SHARED_BYTES);
  gone = pointers[last];
  ARMCI_Free(pointers[me]);
  return true;
}

static void end(void) {
  int mpi_runs;
  ARMCI_Free(mine);
  ARMCI_Finalize();
  MPI_Finalized(&mpi_runs);
  if (!mpi_runs) MPI_Finalize();
}

/* ---- calls of several steps ---- */

static bool use_one_handle_for_two(void) {
  armci_hdl_t handle;
  ARMCI_INIT_HANDLE(&handle);
  ARMCI_SET_AGGREGATE_HANDLE(&handle);
  if (ARMCI_NbPut(local, theirs, 8, 1, &handle)) return false;
  int code = ARMCI_NbPut(local, own, 8, 0, &handle);
  ARMCI_Wait(&handle);
  return code == FAIL7;
}

static bool start_threads_on_nodes(void) {
  MPI_Init_thread(NULL, NULL, MPI_THREAD_SINGLE, &(int){0});
  return ARMCI_Init_thread(MPI_THREAD_MULTIPLE) == FAIL;
}

static bool free_different_memory(void) {
  void *first[8], *second[8];
  allocate(first, 8);
  allocate(second, 8);
  int code = ARMCI_Free(me == 0 ? first[me] : second[me]);
  return !ARMCI_Free(first[me]) && !ARMCI_Free(second[me]) && code == FAIL6;
}

static bool destroy_held_mutexes(void) {
  ARMCI_Create_mutexes(1);
  if (me == 0) ARMCI_Lock(0, 0);
  int code = ARMCI_Destroy_mutexes();
  if (me == 0) ARMCI_Unlock(0, 0);
  return !ARMCI_Destroy_mutexes() && code == FAIL;
}

static bool create_mutexes_twice(void) {
  ARMCI_Create_mutexes(1);
  int code = ARMCI_Create_mutexes(1);
  return !ARMCI_Destroy_mutexes() && code == FAIL;
}

/* Pieces of 8 bytes, 4 bytes apart. */
static bool put_overlapping(void) {
  int apart = 8, near = 4;
  return ARMCI_PutS(local, &apart, theirs, &near, two, 1, 1) == FAIL;
}

static bool lock_without_room(void) {
  ARMCI_Create_mutexes(1);
  for (armci_size_t bytes = 1 << 20; bytes;) {
    if (!ARMCI_Malloc_local(bytes)) bytes /= 2;
  }
  ARMCI_Lock(0, 0);
  return false;
}

static int put_pieces(int n, int bytes, void *src[], void *dst[]) {
  return ARMCI_PutV(&(armci_giov_t){.src_ptr_array = src, .dst_ptr_array = dst, .bytes = bytes, .ptr_array_len = n}, 1, 0);
}

static int accumulate_pieces(int bytes) {
  return ARMCI_AccV(ARMCI_ACC_INT, &one, &(armci_giov_t){.bytes = bytes, .ptr_array_len = 1}, 1, 0);
}

static ARMCI_Group *world(void) {
  static ARMCI_Group group;
  ARMCI_Group_get_world(&group);
  return &group;
}

/* Another interface of the program may find its part of the call wrong. */
static bool meet_failed_member(void) {
  if (me == 0) tsr_call_fail_others(tsr_team_world);
  else armci_msg_barrier();
  return me == 0;
}

static bool start_after_mpi(void) {
  MPI_Init(NULL, NULL);
  MPI_Finalize();
  armci_msg_init(NULL, NULL);
  return false;
}

/* ---- all calls: number, when and by whom, and whether the call has failed ---- */

#define PUT_S(stride, count, levels) ARMCI_PutS(local, stride, own, stride, count, levels, 0)
#define LIST(pointer) ((void *[]){pointer})

#define RETURNING(CALL)                                                                           \
  CALL(3000, 0, ARMCI_Put(local, own, 8, 9) == FAIL5)                                             \
  CALL(3001, 0, ARMCI_Get(local, local, 8, 1) == FAIL6)                                           \
  CALL(3002, 0, ARMCI_Put(local, theirs + SHARED_BYTES - 4, 8, 1) == FAIL6)                       \
  CALL(3003, 0, ARMCI_Get(gone, local, 8, 1) == FAIL6)                                            \
  CALL(3010, 0, ARMCI_Put(local, own, -1, 0) == FAIL3)                                            \
  CALL(3011, 0, ARMCI_Acc(ARMCI_ACC_INT, &one, local, own, 6, 0) == FAIL)                         \
  CALL(3012, 0, ARMCI_Put(NULL, own, 8, 0) == FAIL2)                                              \
  CALL(3015, 0, armci_domain_my_id(7) == FAIL)                                                    \
  CALL(3016, 0, armci_domain_nprocs(ARMCI_DOMAIN_SMP, 5) == FAIL)                                 \
  CALL(3017, 0, armci_domain_glob_proc_id(ARMCI_DOMAIN_SMP, 0, 9) == FAIL5)                       \
  CALL(3032, 0, ARMCI_Group_rank(NULL, &me) == FAIL2)                                             \
  CALL(3035, 0, ARMCI_Absolute_id(NULL, 0) == FAIL)                                               \
  CALL(3036, 0, ARMCI_Absolute_id(world(), 9) == FAIL5)                                           \
  CALL(3037, GOLDEN_ALL, ARMCIX_Group_dup(NULL, world()) == FAIL2)                                \
  CALL(3040, 0, use_one_handle_for_two())                                                         \
  CALL(3044, GOLDEN_EARLY, ARMCI_Init_thread(9) == FAIL)                                          \
  CALL(3045, GOLDEN_EARLY | GOLDEN_OWN, start_threads_on_nodes())                                 \
  CALL(3057, GOLDEN_ALL, ARMCI_Malloc(NULL, 8) == FAIL2)                                          \
  CALL(3058, GOLDEN_ALL, ARMCI_Malloc(LIST(NULL), -1) == FAIL3)                             \
  CALL(3060, GOLDEN_ALL, ARMCI_Free(local) == FAIL6)                                              \
  CALL(3061, GOLDEN_ALL, free_different_memory())                                                 \
  CALL(3062, 0, ARMCI_Malloc_local(-1) == NULL)                                                   \
  CALL(3063, 0, ARMCI_Free_local(local) == FAIL6)                                                 \
  CALL(3074, 0, ARMCI_Acc(17, &one, local, own, 8, 0) == FAIL)                                    \
  CALL(3075, 0, ARMCI_Acc(ARMCI_ACC_INT, NULL, local, own, 8, 0) == FAIL2)                        \
  CALL(3077, GOLDEN_ALL, ARMCI_Create_mutexes(-1) == FAIL)                                        \
  CALL(3079, GOLDEN_ALL, ARMCI_Destroy_mutexes() == FAIL)                                         \
  CALL(3080, GOLDEN_ALL, destroy_held_mutexes())                                                  \
  CALL(3087, GOLDEN_ALL, create_mutexes_twice())                                                  \
  CALL(3090, 0, put_overlapping())                                                                \
  CALL(3098, 0, ARMCI_Rmw(9, local, own, 1, 0) == FAIL)                                           \
  CALL(3099, 0, ARMCI_Rmw(ARMCI_SWAP, NULL, own, 1, 0) == FAIL2)                                  \
  CALL(3100, 0, PUT_S(&eight, two, ARMCI_MAX_STRIDE_LEVEL + 1) == FAIL4)                          \
  CALL(3101, 0, PUT_S(&eight, NULL, 1) == FAIL2)                                                  \
  CALL(3102, 0, PUT_S(NULL, two, 1) == FAIL2)                                                     \
  CALL(3103, 0, PUT_S(&eight, &less, 0) == FAIL3)                                                 \
  CALL(3104, 0, ARMCI_PutS(NULL, &eight, own, &eight, two, 1, 0) == FAIL2)                        \
  CALL(3105, 0, ARMCI_AccS(ARMCI_ACC_INT, &one, local, NULL, own, NULL, &six, 0, 0) == FAIL)      \
  CALL(3107, 0, put_pieces(-1, 8, NULL, NULL) == FAIL3)                                           \
  CALL(3108, 0, accumulate_pieces(6) == FAIL)                                                     \
  CALL(3109, 0, put_pieces(1, 8, NULL, LIST(own)) == FAIL2)                                       \
  CALL(3110, 0, ARMCI_PutV(NULL, -1, 0) == FAIL3)                                                 \
  CALL(3111, 0, ARMCI_PutV(NULL, 1, 0) == FAIL2)                                                  \
  CALL(3112, 0, put_pieces(1, 8, LIST(NULL), LIST(own)) == FAIL2)

#define ENDING(CALL)                                                                              \
  CALL(3006, armci_msg_bintree(SCOPE_ALL, NULL, &one, &one, &one))                                \
  CALL(3008, return meet_failed_member())                                                         \
  CALL(3009, armci_msg_bcast(NULL, 8, 0))                                                         \
  CALL(3013, ARMCI_Copy(local, NULL, 8))                                                          \
  CALL(3021, ARMCI_Fence(9))                                                                      \
  CALL(3022, ARMCI_GroupFence(NULL))                                                              \
  CALL(3024, armci_msg_group_barrier(NULL))                                                       \
  CALL(3027, ARMCI_Group_create(2, (int[]){0, 0}, world()))                                       \
  CALL(3028, ARMCI_Group_create(1, NULL, world()))                                                \
  CALL(3033, ARMCI_Group_size(world(), NULL))                                                     \
  CALL(3034, ARMCI_Group_get_world(NULL))                                                         \
  CALL(3038, ARMCI_SET_AGGREGATE_HANDLE(NULL))                                                    \
  CALL(3048, ARMCI_Memget(8, NULL, 0))                                                            \
  CALL(3050, ARMCI_Memget((size_t)1 << 50, &(armci_meminfo_t){0}, 0))                             \
  CALL(3052, ARMCI_Memat(NULL, 0))                                                                \
  CALL(3069, armci_msg_snd(1, local, -1, 0))                                                      \
  CALL(3070, armci_msg_snd(1, NULL, 8, 0))                                                        \
  CALL(3082, ARMCI_Lock(0, 0))                                                                    \
  CALL(3085, lock_without_room())                                                                 \
  CALL(3091, armci_write_strided(NULL, 1, &eight, two, local))                                    \
  CALL(3092, armci_write_strided(local, -1, &eight, two, local))                                  \
  CALL(3095, armci_msg_sel(local, 2, "max", ARMCI_INT, 1))                                        \
  CALL(3096, armci_msg_sel(local, 4, "sum", ARMCI_INT, 1))                                        \
  CALL(3106, ARMCI_GetValueInt(own, 9))

#define DEFINE_ENDING(number, ...) \
  static bool call_##number(void) { \
    __VA_ARGS__; \
    return false; \
  }
RETURNING(GOLDEN_DEFINE_RETURNING)
ENDING(DEFINE_ENDING)
static bool ask_early(void) { return armci_msg_me() < 0; }

#define ROW_ENDING(number, ...) {#number, call_##number, GOLDEN_ALL | GOLDEN_OWN},
static const struct golden_case cases[] = {
    RETURNING(GOLDEN_RETURNING) ENDING(ROW_ENDING) {"3064", ask_early, GOLDEN_EARLY | GOLDEN_OWN},
    {"3066", start_after_mpi, GOLDEN_EARLY | GOLDEN_OWN}};

int main(int argc, char **argv) {
  return golden_main(argc, argv, &(struct golden_program){cases, sizeof cases / sizeof cases[0], start, end, armci_msg_me,
                                                          ARMCI_Barrier});
}
