#include "net/mpi/window.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/config.h"
#include "base/slab.h"
#include "base/status.h"
#include "base/table.h"
#include "net/mpi/pending.h"

/* A piece under way. */
struct piece {
  struct piece *next; /* in the list of sent pieces of its target */
  int rank;
  bool is_get;
  tsr_net_done_fn done;
  void *done_arg;
};

/* Puts to one rank. MPI has no flush that could be tested, and a flush blocks its caller until the target has seen all
 * puts. So the flush is deferred until a poll finds no new put, since a thread that waits for puts usually makes many
 * of them. */
struct target {
  struct target *next; /* of those that have sent pieces */
  int rank;
  struct piece *sent; /* locally complete, to be flushed */
  int under_way;      /* the others */
  int restarts_n;     /* polls since the last flush that found new puts */
  bool fresh;         /* a put was started since the last poll */
};

enum { RESTARTS_MAX = 16 /* for a thread that keeps starting puts */ };

static tsr_slab pieces = TSR_SLAB(sizeof(struct piece));

static struct {
  MPI_Win win;
  bool is_locked;
  tsr_table targets; /* by rank */
  struct target *with_sent;
  int ranks_n;
  _Atomic int busy_n;
} window = {.win = MPI_WIN_NULL};

int tsr_mpi_window_busy(void) { return atomic_load_explicit(&window.busy_n, memory_order_relaxed); }

/* ---- start and end ---- */

#define REMEDY "set TESSERA_NET_RMA=twosided"

static tessera_status_t fail_window_start(int code) {
  tsr_net_mpi_failed(code, "MPI_Win_create");
#ifdef OPEN_MPI
  return tsr_fail(TESSERA_ERR_UNSUPPORTED, "TSR-0225 TESSERA_NET_RMA=mpi3: Open MPI %d.%d.%d makes no window here. Over TCP "
                  "only its "
                  "component osc/pt2pt can (until 4.1), and that not with MPI_THREAD_MULTIPLE: start with --mca osc "
                  "sm,pt2pt and TESSERA_MPI_THREADS=keep, or " REMEDY, OMPI_MAJOR_VERSION, OMPI_MINOR_VERSION,
                  OMPI_RELEASE_VERSION);
#else
  return tsr_fail(TESSERA_ERR_UNSUPPORTED, "TSR-0226 TESSERA_NET_RMA=mpi3: this MPI makes no window over the heaps; " REMEDY);
#endif
}

/* CPUs read and write the heaps without MPI, so MPI must work on the same bytes. */
static bool is_unified(void) {
  int *model = NULL, known = 0;
  MPI_Win_get_attr(window.win, MPI_WIN_MODEL, &model, &known);
  return known && *model == MPI_WIN_UNIFIED;
}

static tessera_status_t open_window(MPI_Comm units, void *heap, size_t bytes) {
  int code = MPI_Win_create(heap, (MPI_Aint)bytes, 1, MPI_INFO_NULL, units, &window.win);
  if (code != MPI_SUCCESS) return fail_window_start(code);
  MPI_Win_set_errhandler(window.win, MPI_ERRORS_RETURN);
  if (!is_unified())
    return tsr_fail(TESSERA_ERR_UNSUPPORTED, "TSR-0227 TESSERA_NET_RMA=mpi3: this MPI keeps windows apart from the memory that "
                    "the CPU "
                    "sees; " REMEDY);
  code = MPI_Win_lock_all(MPI_MODE_NOCHECK, window.win);
  window.is_locked = code == MPI_SUCCESS;
  return tsr_net_mpi_failed(code, "MPI_Win_lock_all") ? TESSERA_ERR_NET : TESSERA_OK;
}

tessera_status_t tsr_net_mpi_window_start(MPI_Comm units, void *heap, size_t bytes) {
  if (tsr_mpi.window != TSR_MPI_WINDOW_WANTED) return TESSERA_OK;
  MPI_Errhandler before; /* of the program, perhaps */
  MPI_Comm_get_errhandler(units, &before);
  MPI_Comm_set_errhandler(units, MPI_ERRORS_RETURN);
  MPI_Comm_size(units, &window.ranks_n);
  window.targets = tsr_table_make((uint32_t)window.ranks_n, sizeof(struct target));
  if (!window.targets.blocks) tsr_wire_fatal("TSR-0228 no private memory for %d targets; " TSR_REMEDY_MEMORY, window.ranks_n);
  tessera_status_t status = open_window(units, heap, bytes);
  MPI_Comm_set_errhandler(units, before);
  if (before != MPI_ERRHANDLER_NULL) MPI_Errhandler_free(&before);
  if (!status) tsr_wire_use(&tsr_mpi_window_wire);
  return status;
}

void tsr_mpi_window_stop(void) {
  tsr_table_free(&window.targets);
  window.with_sent = NULL;
  tsr_slab_drop(&pieces);
  if (window.win == MPI_WIN_NULL) return;
  if (window.is_locked) MPI_Win_unlock_all(window.win);
  MPI_Win_free(&window.win);
}

/* ---- pieces ---- */

static struct target *target_of(int rank) {
  struct target *target = tsr_table_use(&window.targets, (uint32_t)rank);
  if (!target) tsr_wire_fatal("TSR-0229 no private memory for puts to rank %d; " TSR_REMEDY_MEMORY, rank);
  target->rank = rank;
  return target;
}

static struct piece *allocate_piece(const struct tsr_net_piece *request, bool is_get) {
  struct piece *piece = tsr_slab_take(&pieces);
  if (!piece) return NULL;
  *piece = (struct piece){NULL, request->unit, is_get, request->done, request->done_arg};
  atomic_fetch_add_explicit(&window.busy_n, 1, memory_order_relaxed);
  return piece;
}

/* The slot is freed before `done` is called. */
static void end_piece(struct piece *piece) {
  tsr_net_done_fn done = piece->done;
  void *arg = piece->done_arg;
  tsr_slab_give(&pieces, piece);
  atomic_fetch_sub_explicit(&window.busy_n, 1, memory_order_relaxed);
  if (done) done(arg, TSR_NET_REMOTE, 0);
}

static void on_transferred(void *arg, enum tsr_net_event event, size_t bytes) {
  (void)event, (void)bytes;
  struct piece *piece = arg;
  if (piece->is_get) {
    end_piece(piece);
    return;
  }
  struct target *target = target_of(piece->rank);
  target->under_way--;
  if (!target->sent) {
    target->next = window.with_sent;
    window.with_sent = target;
  }
  piece->next = target->sent;
  target->sent = piece;
  if (piece->done) piece->done(piece->done_arg, TSR_NET_LOCAL, 0);
}

static bool has_no_slot(void) { return tsr_mpi_window_busy() >= tsr_config.wire_buffers; }

static void follow_transfer(MPI_Request transfer, struct piece *piece, size_t bytes) {
  tsr_mpi_pending_follow_transfer(transfer, &(struct tsr_wire_message){.rank = piece->rank, .bytes = bytes,
                                                                       .done = on_transferred, .arg = piece,
                                                                       .what = piece->is_get ? "an MPI_Rget" : "an MPI_Rput"});
}

tessera_status_t tsr_mpi_window_put(const struct tsr_net_piece *request) {
  assert(request->unit >= 0 && request->unit < window.ranks_n && request->bytes <= tsr_net_limits.chunk_bytes);
  if (has_no_slot()) return TESSERA_ERR_AGAIN;
  struct piece *piece = allocate_piece(request, false);
  if (!piece)
    return tsr_fail(TESSERA_ERR_MEMORY, "TSR-0230 no private memory for a put to unit %d; " TSR_REMEDY_MEMORY, request->unit);
  MPI_Request transfer;
  int bytes = (int)request->bytes;
  tsr_mpi_check(MPI_Rput(request->local_addr, bytes, MPI_BYTE, request->unit, (MPI_Aint)request->off, bytes, MPI_BYTE,
                         window.win, &transfer),
                "MPI_Rput");
  struct target *target = target_of(request->unit);
  target->under_way++;
  target->fresh = true;
  follow_transfer(transfer, piece, request->bytes);
  return TESSERA_OK;
}

tessera_status_t tsr_mpi_window_get(const struct tsr_net_piece *request) {
  assert(request->unit >= 0 && request->unit < window.ranks_n && request->bytes <= tsr_net_limits.chunk_bytes);
  if (has_no_slot()) return TESSERA_ERR_AGAIN;
  struct piece *piece = allocate_piece(request, true);
  if (!piece)
    return tsr_fail(TESSERA_ERR_MEMORY, "TSR-0231 no private memory for a get from unit %d; " TSR_REMEDY_MEMORY, request->unit);
  MPI_Request transfer;
  int bytes = (int)request->bytes;
  tsr_mpi_check(MPI_Rget(request->local_addr, bytes, MPI_BYTE, request->unit, (MPI_Aint)request->off, bytes, MPI_BYTE,
                         window.win, &transfer),
                "MPI_Rget");
  follow_transfer(transfer, piece, request->bytes);
  return TESSERA_OK;
}

/* ---- flush ---- */

static bool is_ripe(struct target *target) {
  bool fresh = target->fresh;
  target->fresh = false;
  if (!fresh) return !target->under_way;
  return ++target->restarts_n >= RESTARTS_MAX;
}

/* Puts that `done` starts wait for the next flush. */
static int flush_target(struct target *target) {
  struct piece *sent = target->sent;
  int done_n = 0;
  tsr_mpi_check(MPI_Win_flush(target->rank, window.win), "MPI_Win_flush");
  target->sent = NULL;
  target->restarts_n = 0;
  for (; sent; done_n++) {
    struct piece *next = sent->next;
    end_piece(sent);
    sent = next;
  }
  return done_n;
}

int tsr_mpi_window_poll(void) {
  int done_n = 0;
  struct target *target = window.with_sent;
  window.with_sent = NULL;
  while (target) {
    struct target *next = target->next;
    if (is_ripe(target)) {
      done_n += flush_target(target);
    } else {
      target->next = window.with_sent;
      window.with_sent = target;
    }
    target = next;
  }
  return done_n;
}
