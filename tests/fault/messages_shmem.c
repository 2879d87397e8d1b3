/* Wrong calls of OpenSHMEM, one for each message; see support/golden.h. */
#include <mpi.h>
#include <shmem.h>

#include "core/segment.h"
#include "support/golden.h"

enum { FEW = 8 };
static long word, list[64], sync_[SHMEM_SYNC_SIZE], work[SHMEM_REDUCE_MIN_WRKDATA_SIZE];
static shmem_team_t team;
static int last;

static bool start(int *argc, char ***argv) {
  (void)argc, (void)argv;
  shmem_init();
  last = shmem_n_pes() - 1;
  return true;
}

static void *unaligned(void *address) { return (char *)address + 1; }

/* ---- calls of several steps ---- */

/* Each PE has one free block of that size, at another place than the other PE. */
static bool allocate_apart(void) {
  enum { BYTES = 16 << 20 };
  uint64_t offs[FEW];
  int n = 0;
  while (n < FEW && !tsr_segment_local_alloc(TSR_API_NATIVE, BYTES, &offs[n])) n++;
  tsr_segment_local_free(TSR_API_NATIVE, offs[shmem_my_pe() == 0 ? 0 : n - 1]);
  return shmem_malloc(BYTES) == NULL;
}

static void start_after_mpi(void) {
  MPI_Init(NULL, NULL);
  MPI_Finalize();
  shmem_init();
}

/* ---- all calls: number, and by whom; or number and when ---- */

#define RETURNING(CALL)                                                                                       \
  CALL(5034, GOLDEN_ALL | GOLDEN_OWN, allocate_apart())                                                       \
  CALL(5047, GOLDEN_ALL, shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, last + 2, NULL, 0, &team) == -1)    \
  CALL(5048, GOLDEN_ALL, shmem_team_split_2d(SHMEM_TEAM_WORLD, 0, NULL, 0, &team, NULL, 0, &team) == -1)

#define ENDING(CALL)                                                                                          \
  CALL(5005, 0, shmem_long_sum_to_all(list, &word, -1, 0, 0, 1, work, sync_))                                 \
  CALL(5011, 0, shmem_long_put(list, list, SIZE_MAX / 4, 0))                                                  \
  CALL(5015, 0, shmem_alltoalls64(list, list, 0, 1, 1, 0, 0, 1, sync_))                                       \
  CALL(5018, 0, shmem_ctx_create(0, NULL))                                                                    \
  CALL(5023, GOLDEN_EARLY, start_after_mpi())                                                                 \
  CALL(5024, GOLDEN_EARLY, shmem_init_thread(9, &last))                                                       \
  CALL(5026, 0, shmem_set_lock(unaligned(list)))                                                              \
  CALL(5040, 0, shmem_long_iput(list, list, PTRDIFF_MAX / 8, 1, 3, 0))                                        \
  CALL(5044, 0, shmem_putmem_signal(list, &word, 1, unaligned(list), 1, SHMEM_SIGNAL_SET, 0))                 \
  CALL(5045, 0, shmem_long_sum_reduce(SHMEM_TEAM_INVALID, list, &word, 1))                                    \
  CALL(5049, 0, shmem_team_destroy(SHMEM_TEAM_SHARED))                                                        \
  CALL(5051, 0, shmem_long_wait_until_all(NULL, 2, NULL, SHMEM_CMP_EQ, 0))                                    \
  CALL(5057, 0, shmem_ctx_destroy(SHMEM_CTX_DEFAULT))

#define DEFINE_ENDING(number, when, ...) \
  static bool call_##number(void) {      \
    __VA_ARGS__;                         \
    return false;                        \
  }
RETURNING(GOLDEN_DEFINE_RETURNING)
ENDING(DEFINE_ENDING)

static const struct golden_case cases[] = {RETURNING(GOLDEN_RETURNING) ENDING(GOLDEN_ENDING)};

int main(int argc, char **argv) {
  return golden_main(argc, argv, &(struct golden_program){cases, sizeof cases / sizeof cases[0], start, shmem_finalize,
                                                          shmem_my_pe, shmem_barrier_all});
}
