/* The functions of DART that the programs in examples/ need, on MPI alone. Each function makes the call that a program
 * for MPI's one-sided communication would make.
 *
 * A segment is a window of MPI_Win_allocate in one lock-all epoch. A handle is the window; a wait for it is a flush,
 * which also completes at the target. A strided type becomes a vector type when its length is known. */
#include <stdlib.h>

#include <mpi.h>

#include <dash/dart/if/dart.h>

#include "../mpi/end.h"
#include "dart_on_mpi.h"

enum { SEGMENTS_MAX = 16, STRIDED_MAX = 64, SIZES_N = 12 };

struct dart_handle_struct { /* a segment */
  MPI_Win win;
  char *own;
};
static struct dart_handle_struct segments[SEGMENTS_MAX];

struct strided {
  size_t base, stride, length, count; /* count: the number of blocks in the MPI type; 0: not made yet */
  MPI_Datatype type;
};
static struct strided strided[STRIDED_MAX];

static const size_t sizes[SIZES_N] = {0, 1, 2, 4, 4, 8, 8, 8, 8, 4, 8, sizeof(long double)}; /* of the basic types */

static struct dart_handle_struct *segment_of(dart_gptr_t gptr) { return &segments[gptr.segid]; }

/* ---- job ---- */

dart_ret_t dart_init(int *argc, char ***argv) {
  MPI_Init(argc, argv);
  return DART_OK;
}

dart_ret_t dart_exit(void) {
  end_mpi();
  return DART_OK;
}

void dart_abort(int code) {
  MPI_Abort(MPI_COMM_WORLD, code);
  abort();
}

dart_ret_t dart_myid(dart_global_unit_t *id) {
  MPI_Comm_rank(MPI_COMM_WORLD, &id->id);
  return DART_OK;
}

dart_ret_t dart_size(size_t *size) {
  int units;
  MPI_Comm_size(MPI_COMM_WORLD, &units);
  *size = (size_t)units;
  return DART_OK;
}

/* ---- memory ---- */

dart_ret_t dart_team_memalloc_aligned(dart_team_t team, size_t nelem, dart_datatype_t type, dart_gptr_t *gptr) {
  int16_t at = 0;
  while (at < SEGMENTS_MAX && segments[at].own) at++;
  if (at == SEGMENTS_MAX) return DART_ERR_NOMEM;
  struct dart_handle_struct *s = &segments[at];
  MPI_Win_allocate((MPI_Aint)(nelem * sizes[type]), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &s->own, &s->win);
  MPI_Win_lock_all(MPI_MODE_NOCHECK, s->win);
  *gptr = (dart_gptr_t){.segid = at, .teamid = team};
  return DART_OK;
}

dart_ret_t dart_team_memfree(dart_gptr_t gptr) {
  struct dart_handle_struct *s = segment_of(gptr);
  MPI_Win_unlock_all(s->win);
  MPI_Win_free(&s->win);
  s->own = NULL;
  return DART_OK;
}

dart_ret_t dart_gptr_getaddr(dart_gptr_t gptr, void **addr) {
  *addr = segment_of(gptr)->own + gptr.addr_or_offs.offset;
  return DART_OK;
}

dart_gptr_t dart_segment_at(const void *own) {
  int16_t at = 0;
  while (at < SEGMENTS_MAX && segments[at].own != own) at++;
  return at < SEGMENTS_MAX ? (dart_gptr_t){.segid = at, .teamid = DART_TEAM_ALL} : DART_GPTR_NULL;
}

/* ---- types ---- */

dart_ret_t dart_type_create_strided(dart_datatype_t base, size_t stride, size_t blocklen, dart_datatype_t *type) {
  size_t at = 0;
  while (at < STRIDED_MAX && strided[at].stride) at++;
  if (at == STRIDED_MAX) return DART_ERR_NOMEM;
  strided[at] = (struct strided){sizes[base], stride, blocklen, 0, MPI_DATATYPE_NULL};
  *type = (dart_datatype_t)(SIZES_N + at);
  return DART_OK;
}

dart_ret_t dart_type_destroy(dart_datatype_t *type) {
  struct strided *s = &strided[*type - SIZES_N];
  if (s->count) MPI_Type_free(&s->type);
  s->stride = 0;
  *type = DART_TYPE_UNDEFINED;
  return DART_OK;
}

/* One side of a transfer of nelem elements, as MPI wants it. */
static MPI_Datatype side(dart_datatype_t type, size_t nelem, int *count) {
  *count = (int)(type < SIZES_N ? nelem * sizes[type] : 1);
  if (type < SIZES_N) return MPI_BYTE;
  struct strided *s = &strided[type - SIZES_N];
  if (s->count == nelem / s->length) return s->type;
  if (s->count) MPI_Type_free(&s->type);
  s->count = nelem / s->length;
  const int blocks_n = (int)s->count, length = (int)(s->length * s->base);
  MPI_Type_create_hvector(blocks_n, length, (MPI_Aint)(s->stride * s->base), MPI_BYTE, &s->type);
  MPI_Type_commit(&s->type);
  return s->type;
}

/* ---- transfers ---- */

dart_ret_t dart_get(void *dest, dart_gptr_t gptr, size_t nelem, dart_datatype_t src_type, dart_datatype_t dst_type) {
  int local_n, remote_n;
  MPI_Datatype here = side(dst_type, nelem, &local_n), there = side(src_type, nelem, &remote_n);
  MPI_Get(dest, local_n, here, gptr.unitid, (MPI_Aint)gptr.addr_or_offs.offset, remote_n, there, segment_of(gptr)->win);
  return DART_OK;
}

dart_ret_t dart_put_handle(dart_gptr_t gptr, const void *src, size_t nelem, dart_datatype_t src_type,
                           dart_datatype_t dst_type, dart_handle_t *handle) {
  int local_n, remote_n;
  MPI_Datatype here = side(src_type, nelem, &local_n), there = side(dst_type, nelem, &remote_n);
  MPI_Put(src, local_n, here, gptr.unitid, (MPI_Aint)gptr.addr_or_offs.offset, remote_n, there, segment_of(gptr)->win);
  *handle = segment_of(gptr);
  return DART_OK;
}

/* Rank by rank: within a host, MPICH's MPI_Win_flush_all may return before transfers are complete (docs/mpi-notes.md). */
static void flush_ranks(MPI_Win win, int (*flush)(int rank, MPI_Win win)) {
  size_t ranks_n;
  dart_size(&ranks_n);
  for (int rank = 0; rank < (int)ranks_n; rank++) flush(rank, win);
}

dart_ret_t dart_waitall(dart_handle_t handles[], size_t n) {
  dart_handle_t last = DART_HANDLE_NULL;
  for (size_t i = 0; i < n; i++) {
    if (handles[i] && handles[i] != last) flush_ranks(handles[i]->win, MPI_Win_flush);
    last = handles[i] ? handles[i] : last;
    handles[i] = DART_HANDLE_NULL;
  }
  return DART_OK;
}

dart_ret_t dart_flush_local_all(dart_gptr_t gptr) {
  flush_ranks(segment_of(gptr)->win, MPI_Win_flush_local);
  return DART_OK;
}

/* ---- all together ---- */

static void sync_windows(void) {
  for (int i = 0; i < SEGMENTS_MAX; i++)
    if (segments[i].own) MPI_Win_sync(segments[i].win);
}

dart_ret_t dart_barrier(dart_team_t team) {
  (void)team;
  sync_windows();
  MPI_Barrier(MPI_COMM_WORLD);
  sync_windows();
  return DART_OK;
}

dart_ret_t dart_bcast(void *buf, size_t nelem, dart_datatype_t type, dart_team_unit_t root, dart_team_t team) {
  (void)team;
  MPI_Bcast(buf, (int)(nelem * sizes[type]), MPI_BYTE, root.id, MPI_COMM_WORLD);
  return DART_OK;
}

dart_ret_t dart_allreduce(const void *in, void *out, size_t nelem, dart_datatype_t type, dart_operation_t op,
                          dart_team_t team) {
  (void)team;
  MPI_Allreduce(in, out, (int)nelem, type == DART_TYPE_INT ? MPI_INT : MPI_DOUBLE,
                op == DART_OP_MIN ? MPI_MIN : MPI_MAX, MPI_COMM_WORLD);
  return DART_OK;
}
