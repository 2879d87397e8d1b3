/* Inside a node, transfers of one piece or a few, and of dense ones, are copies: nothing is allocated, and the engine that plans
 * larger ones has no part in them. It is linked with the static libraries, and counts their calls of what it wraps. */
#include "spmd/armci_check.h"

#define GASNET_SEQ 1
#include <gasnetex.h>
#include <gasnet_vis.h>

#include <dash/dart/if/dart.h>

#include "base/status.h"
#include "vis/iov.h"
#include "vis/layout.h"
#include "vis/strided.h"
#include "vis/vector.h"

enum { PIECE_BYTES = 64, PIECES_N = 4, DENSE_N = 256, ROOM = 1 << 16 };

static int allocated_n, planned_n;

/* WRAP(COUNTER, TYPE, NAME, (PARAMETERS), (ARGUMENTS)) */
#define WRAP(counter, type, name, parameters, arguments) \
  type __real_##name parameters;                         \
  type __wrap_##name parameters;                         \
  type __wrap_##name parameters {                        \
    counter++;                                           \
    return __real_##name arguments;                      \
  }
WRAP(allocated_n, void *, malloc, (size_t bytes), (bytes))
WRAP(allocated_n, void *, calloc, (size_t n, size_t bytes), (n, bytes))
WRAP(allocated_n, void *, realloc, (void *old, size_t bytes), (old, bytes))
WRAP(planned_n, tessera_status_t, tsr_put_layout,
     (tsr_addr dest, const tsr_layout *to, const void *src, const tsr_layout *from, tsr_op *op), (dest, to, src, from, op))
WRAP(planned_n, tessera_status_t, tsr_get_layout,
     (void *dest, const tsr_layout *to, tsr_addr src, const tsr_layout *from, tsr_op *op), (dest, to, src, from, op))
WRAP(planned_n, tessera_status_t, tsr_put_iov,
     (tsr_addr dest, const tsr_iov *to, const void *src, const tsr_iov *from, tsr_op *op), (dest, to, src, from, op))
WRAP(planned_n, tessera_status_t, tsr_get_iov,
     (void *dest, const tsr_iov *to, tsr_addr src, const tsr_iov *from, tsr_op *op), (dest, to, src, from, op))

/* What a call of these has counted. */
#define IS_COPY(call)               \
  do {                              \
    allocated_n = planned_n = 0;    \
    (void)(call);                   \
    CHECK_EQ(allocated_n, 0);       \
    CHECK_EQ(planned_n, 0);         \
  } while (0)
#define ALLOCATES_NOTHING(call)     \
  do {                              \
    allocated_n = 0;                \
    CHECK_EQ(call, DART_OK);        \
    CHECK_EQ(allocated_n, 0);       \
  } while (0)
#define IS_PLANNED(call)            \
  do {                              \
    planned_n = 0;                  \
    (void)(call);                   \
    CHECK_EQ(planned_n, 1);         \
  } while (0)

static char ours[ROOM];

/* ---- GASNet ---- */

static void use_gasnet(void) {
  gex_Client_t client;
  gex_EP_t ep;
  gex_TM_t tm;
  gex_Segment_t segment;
  void *base = NULL, *to[DENSE_N], *from[DENSE_N];
  gex_Memvec_t to_pieces[PIECES_N], from_pieces[PIECES_N];
  gex_Rank_t peer = (gex_Rank_t)right_of(self);
  OK(gex_Client_Init(&client, &ep, &tm, "FEW", NULL, NULL, 0));
  OK(gex_Segment_Attach(&segment, tm, ROOM));
  gex_Event_Wait(gex_EP_QueryBoundSegmentNB(tm, peer, &base, NULL, NULL, 0));
  char *theirs = base;
  for (size_t i = 0; i < PIECES_N; i++) {
    to_pieces[i] = (gex_Memvec_t){theirs + 2 * i * PIECE_BYTES, PIECE_BYTES};
    from_pieces[i] = (gex_Memvec_t){ours + 3 * i * PIECE_BYTES, PIECE_BYTES};
  }
  for (size_t n = 1; n <= PIECES_N; n++) {
    const ptrdiff_t to_strides[] = {2 * PIECE_BYTES}, from_strides[] = {3 * PIECE_BYTES};
    for (size_t i = 0; i < n; i++) to[i] = to_pieces[i].gex_addr, from[i] = from_pieces[i].gex_addr;
    IS_COPY(gex_VIS_VectorPutBlocking(tm, peer, n, to_pieces, n, from_pieces, 0));
    IS_COPY(gex_VIS_VectorGetBlocking(tm, n, from_pieces, peer, n, to_pieces, 0));
    IS_COPY(gex_VIS_IndexedPutBlocking(tm, peer, n, to, PIECE_BYTES, n, from, PIECE_BYTES, 0));
    IS_COPY(gex_VIS_IndexedGetBlocking(tm, n, from, PIECE_BYTES, peer, n, to, PIECE_BYTES, 0));
    IS_COPY(gex_VIS_StridedPutBlocking(tm, peer, theirs, to_strides, ours, from_strides, PIECE_BYTES, &n, 1, 0));
    IS_COPY(gex_VIS_StridedGetBlocking(tm, ours, from_strides, peer, theirs, to_strides, PIECE_BYTES, &n, 1, 0));
  }
  for (size_t i = 0; i < DENSE_N; i++) to[i] = theirs + 8 * i, from[i] = ours + 8 * i;
  IS_COPY(gex_VIS_IndexedPutBlocking(tm, peer, DENSE_N, to, 8, DENSE_N, from, 8, 0));
  const ptrdiff_t dense[] = {8, 64, 512}, apart[] = {16, 256, 8192};
  const size_t counts[] = {8, 8, 4};
  IS_COPY(gex_VIS_StridedPutBlocking(tm, peer, theirs, dense, ours, dense, 8, counts, 3, 0));
  IS_PLANNED(gex_VIS_StridedPutBlocking(tm, peer, theirs, dense, ours, apart, 8, counts, 3, 0)); /* the counters count */
  OK(gex_EP_PublishBoundSegment(tm, NULL, 0, 0));
  OK(tessera_gex_finalize(client));
}

/* ---- ARMCI ---- */

static void use_armci(void) {
  struct shared memory = share(ROOM);
  int peer = right_of(self);
  char *theirs = memory.of[peer];
  void *to[PIECES_N], *from[PIECES_N];
  for (int i = 0; i < PIECES_N; i++) to[i] = theirs + 2 * i * PIECE_BYTES, from[i] = ours + 3 * i * PIECE_BYTES;
  for (int n = 1; n <= PIECES_N; n++) {
    int counts[] = {PIECE_BYTES, n}, to_stride[] = {2 * PIECE_BYTES}, from_stride[] = {3 * PIECE_BYTES};
    armci_giov_t puts = {.src_ptr_array = from, .dst_ptr_array = to, .bytes = PIECE_BYTES, .ptr_array_len = n},
                 gets = {.src_ptr_array = to, .dst_ptr_array = from, .bytes = PIECE_BYTES, .ptr_array_len = n};
    IS_COPY(ARMCI_PutS(ours, from_stride, theirs, to_stride, counts, 1, peer));
    IS_COPY(ARMCI_GetS(theirs, to_stride, ours, from_stride, counts, 1, peer));
    IS_COPY(ARMCI_PutV(&puts, 1, peer));
    IS_COPY(ARMCI_GetV(&gets, 1, peer));
  }
  free_shared(&memory);
}

/* ---- DART: a type with blocks apart, to and from contiguous memory ---- */

static void use_dart(void) {
  dart_gptr_t memory;
  dart_datatype_t apart;
  CHECK_EQ(dart_init(NULL, NULL), DART_OK);
  CHECK_EQ(dart_team_memalloc_aligned(DART_TEAM_ALL, ROOM, DART_TYPE_BYTE, &memory), DART_OK);
  CHECK_EQ(dart_type_create_strided(DART_TYPE_BYTE, 2 * PIECE_BYTES, PIECE_BYTES, &apart), DART_OK);
  memory.unitid = (int16_t)right_of(self);
  for (size_t n = 1; n <= PIECES_N; n++) {
    ALLOCATES_NOTHING(dart_put_blocking(memory, ours, n * PIECE_BYTES, DART_TYPE_BYTE, apart));
    ALLOCATES_NOTHING(dart_get_blocking(ours, memory, n * PIECE_BYTES, apart, DART_TYPE_BYTE));
  }
  CHECK_EQ(dart_type_destroy(&apart), DART_OK);
  CHECK_EQ(dart_barrier(DART_TEAM_ALL), DART_OK);
  memory.unitid = 0;
  CHECK_EQ(dart_team_memfree(memory), DART_OK);
  CHECK_EQ(dart_exit(), DART_OK);
}

int main(int argc, char **argv) {
  start(&argc, &argv);
  use_gasnet();
  use_armci();
  use_dart();
  return finish();
}
