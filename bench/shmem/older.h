/* What the programs use of OpenSHMEM 1.5, for libraries of 1.4 (Open MPI 4.1): by calls that these have. */
#ifndef BENCH_SHMEM_OLDER_H
#define BENCH_SHMEM_OLDER_H

#include <stdint.h>

#include <shmem.h>

#if SHMEM_MAJOR_VERSION == 1 && SHMEM_MINOR_VERSION < 5

/* ---- memory: Open MPI 4.1 clears it when other PEs may have left the call, and put to it ---- */

static inline void *older_calloc(size_t n, size_t bytes) {
  void *memory = shmem_calloc(n, bytes);
  shmem_barrier_all();
  return memory;
}
#define shmem_calloc older_calloc

/* ---- signals ---- */

enum { SHMEM_SIGNAL_SET = 1 };

static inline void shmem_ctx_double_put_signal_nbi(shmem_ctx_t ctx, double *dest, const double *source, size_t n,
                                                   uint64_t *signal, uint64_t value, int operation, int pe) {
  (void)operation;
  shmem_ctx_double_put_nbi(ctx, dest, source, n, pe);
  shmem_ctx_fence(ctx);
  shmem_ctx_ulong_atomic_set(ctx, signal, value, pe);
}

static inline void shmem_double_put_signal_nbi(double *dest, const double *source, size_t n, uint64_t *signal,
                                               uint64_t value, int operation, int pe) {
  shmem_ctx_double_put_signal_nbi(SHMEM_CTX_DEFAULT, dest, source, n, signal, value, operation, pe);
}

static inline void shmem_double_put_signal(double *dest, const double *source, size_t n, uint64_t *signal,
                                           uint64_t value, int operation, int pe) {
  (void)operation;
  shmem_double_put(dest, source, n, pe);
  shmem_fence();
  shmem_ulong_atomic_set(signal, value, pe);
}

static inline uint64_t shmem_signal_wait_until(uint64_t *signal, int comparison, uint64_t value) {
  shmem_ulong_wait_until(signal, comparison, value);
  return *signal;
}

/* ---- teams: every stride-th PE of the world ---- */

typedef struct {
  int start, stride, size;
} shmem_team_t;
typedef struct {
  int num_contexts;
} shmem_team_config_t;

#define SHMEM_TEAM_WORLD ((shmem_team_t){0, 1, shmem_n_pes()})

static inline int shmem_team_n_pes(shmem_team_t team) { return team.size; }
static inline int shmem_team_my_pe(shmem_team_t team) { return (shmem_my_pe() - team.start) / team.stride; }

/* To the world only. */
static inline int shmem_team_translate_pe(shmem_team_t team, int pe, shmem_team_t world) {
  (void)world;
  return team.start + pe * team.stride;
}

/* Of the world only. */
static inline int shmem_team_split_2d(shmem_team_t world, int across, const shmem_team_config_t *x_config, long x_mask,
                                      shmem_team_t *row, const shmem_team_config_t *y_config, long y_mask,
                                      shmem_team_t *column) {
  const int x = shmem_my_pe() % across, y = shmem_my_pe() / across;
  const int row_rest = world.size - y * across;
  (void)x_config, (void)x_mask, (void)y_config, (void)y_mask;
  *row = (shmem_team_t){y * across, 1, row_rest < across ? row_rest : across};
  *column = (shmem_team_t){x, across, (world.size - x + across - 1) / across};
  return 0;
}

static inline void shmem_team_destroy(shmem_team_t team) { (void)team; }

/* ---- reductions over the world ---- */

enum { OLDER_REDUCE_MAX = 8 /* elements */ };
#define OLDER_REDUCE(TYPE, OPERATION)                                                                                  \
  static inline int shmem_##TYPE##_##OPERATION##_reduce(shmem_team_t team, TYPE *dest, const TYPE *source, size_t n) { \
    static long sync[SHMEM_REDUCE_SYNC_SIZE];                                                                          \
    static TYPE work[OLDER_REDUCE_MAX / 2 + 1 + SHMEM_REDUCE_MIN_WRKDATA_SIZE];                                        \
    for (int i = 0; i < SHMEM_REDUCE_SYNC_SIZE; i++) sync[i] = SHMEM_SYNC_VALUE;                                       \
    shmem_barrier_all(); /* no PE uses the arrays any more, all are prepared */                                       \
    shmem_##TYPE##_##OPERATION##_to_all(dest, source, (int)n, 0, 0, team.size, work, sync);                            \
    return 0;                                                                                                          \
  }
OLDER_REDUCE(double, max)
OLDER_REDUCE(long, max)
OLDER_REDUCE(long, sum)

#endif
#endif
