#include "rma/offload_request.h"

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/freelist.h"
#include "base/stock.h"
#include "base/wait.h"
#include "core/agent.h"
#include "core/handlers.h"
#include "core/place.h"
#include "core/post.h"
#include "core/progress.h"
#include "core/runtime.h"
#include "net/net.h"
#include "node/attach.h"
#include "rma/offload.h"
#include "rma/rma.h"

/* One request, or several adjacent ones that are one transfer with one completion. Its pieces are started in order. A
 * piece of private memory of another process has a buffer. Pieces may end in any thread that polls. The thread that ends
 * the last one reports the completion, so that a waiting unit, which polls, does not wait for the agent. */
enum { JOINED_MAX = TSR_RING_INLINE_BYTES / sizeof(uint64_t) /* as many as a completion has room for */ };
struct job {
  struct tsr_offload_request offload; /* the first request, with the bytes of all */
  uint64_t ops[JOINED_MAX];
  uint32_t ops_n;
  uint64_t started_bytes;
  _Atomic uint32_t parts_n; /* pieces in progress, and 1 until all pieces are started */
  _Atomic enum { UNDER_WAY, UNREPORTED, OVER } state;
  struct job *next;
};

/* A piece in progress. */
struct piece {
  struct job *job;
  uint64_t at;
  size_t bytes;
  char *data; /* copy of private memory of another process; NULL: none */
};

enum {
  STEP_BYTES = 256 << 10, /* most bytes of one copy within the node; requests are served between two */
  PIECE_BYTES = 1 << 20,  /* most bytes of a piece with a buffer */
  HELD_PIECES = 8         /* most such pieces at once */
};

static tsr_stock all_jobs = TSR_STOCK(sizeof(struct job)), pieces = TSR_STOCK(sizeof(struct piece));
static tsr_freelist buffers = TSR_FREELIST(HELD_PIECES * PIECE_BYTES);

static struct {
  struct job *first, **last, *newest;
  _Atomic int unstarted_n, held_n; /* jobs that are not started completely; pieces with a buffer */
  _Atomic bool short_of_room;      /* a piece could not start; cleared when one ends */
} jobs = {.last = &jobs.first};

static bool can_join(const struct job *job, const struct tsr_offload_request *offload) {
  const struct tsr_offload_request *before = &job->offload;
  bool alike = offload->unit == before->unit && offload->origin == before->origin &&
               offload->is_put == before->is_put && offload->is_private == before->is_private;
  bool goes_on = offload->off == before->off + before->bytes && offload->buffer == before->buffer + before->bytes;
  size_t most = tsr_place_is_local(TSR_UNIT(offload->unit)) ? STEP_BYTES : tsr_net_limits.chunk_bytes;
  return alike && goes_on && job->started_bytes == 0 && job->ops_n < JOINED_MAX && before->bytes + offload->bytes <= most;
}

static struct job *add_job(const struct tsr_offload_request *offload) {
  struct job *job = tsr_stock_take(&all_jobs);
  if (!job)
    tsr_abort(EXIT_FAILURE, "TSR-0607 an agent has no private memory to take one more transfer; raise TESSERA_OFFLOAD, so that "
              "units do more themselves");
  *job = (struct job){.offload = *offload};
  atomic_init(&job->parts_n, 1);
  *jobs.last = job;
  jobs.last = &job->next;
  atomic_fetch_add_explicit(&jobs.unstarted_n, 1, memory_order_relaxed);
  return job;
}

void tsr_offload_request_take(const struct tsr_ring_record *record) {
  struct tsr_offload_request offload;
  memcpy(&offload, record->payload, sizeof offload);
  bool joins = jobs.newest && can_join(jobs.newest, &offload);
  if (joins) jobs.newest->offload.bytes += offload.bytes;
  else jobs.newest = add_job(&offload);
  jobs.newest->ops[jobs.newest->ops_n++] = offload.op;
  tsr_agent_count(joins ? 0 : 1);
}

/* The origin's buffer in this process; NULL: only the kernel can access it. */
static char *buffer_at(const struct tsr_offload_request *offload, uint64_t at) {
  if (!offload->is_private) return tsr_heap.base + offload->buffer + at;
  return offload->origin == tsr_heap.self ? (char *)(uintptr_t)offload->buffer + at : NULL;
}

/* Copies between private memory of the origin and memory of this process. */
static void copy_attached(const struct tsr_offload_request *offload, enum tsr_attach_way way, uint64_t at, void *ours,
                          size_t bytes) {
  void *theirs = (void *)(uintptr_t)(offload->buffer + at);
  struct tsr_attach_side local_addr = tsr_attach_one(ours, bytes), remote_addr = tsr_attach_one(theirs, bytes);
  if (tsr_attach_copy(offload->origin, way, &local_addr, &remote_addr))
    tsr_abort(EXIT_FAILURE, "TSR-0608 %zu bytes at %p of unit %d, the buffer of a non-blocking transfer, cannot be %s; it must "
              "stay allocated until the transfer is complete", bytes, theirs, tsr_place_unit(offload->origin).id,
              way == TSR_ATTACH_GET ? "read" : "written");
}

/* Copies a part, within the node. */
static int copy_some(struct job *job) {
  const struct tsr_offload_request *offload = &job->offload;
  uint64_t at = job->started_bytes;
  size_t bytes = tsr_min_size(offload->bytes - at, STEP_BYTES);
  char *heap = tsr_place_pointer((tsr_addr){TSR_UNIT(offload->unit), offload->off + at}),
       *buffer = buffer_at(offload, at);
  if (!buffer) copy_attached(offload, offload->is_put ? TSR_ATTACH_GET : TSR_ATTACH_PUT, at, heap, bytes);
  else if (offload->is_put) memcpy(heap, buffer, bytes);
  else memcpy(buffer, heap, bytes);
  job->started_bytes += bytes;
  return 1;
}

/* False: the origin's ring is full. The unit of this process needs no record. */
static bool report_completion(const struct job *job) {
  if (job->offload.origin == tsr_heap.self) {
    for (uint32_t i = 0; i < job->ops_n; i++) tsr_offload_end(job->ops[i]);
    return true;
  }
  struct tsr_post out;
  uint32_t bytes = job->ops_n * (uint32_t)sizeof job->ops[0];
  if (tsr_post_try(&out, tsr_post_box_of(job->offload.origin), TSR_RECORD_OFFLOAD_DONE, bytes)) return false;
  memcpy(out.record.payload, job->ops, bytes);
  tsr_post_send(&out);
  return true;
}

/* The job may be freed after this. */
static void end_part(struct job *job) {
  if (atomic_fetch_sub(&job->parts_n, 1) > 1) return;
  bool told = report_completion(job);
  atomic_store(&job->state, told ? OVER : UNREPORTED);
  if (!told) tsr_agent_wake();
}

static struct piece *make_piece(struct job *job, size_t bytes, bool held) {
  struct piece *piece = tsr_stock_take(&pieces);
  char *data = piece && held ? tsr_freelist_take(&buffers, bytes) : NULL;
  if (!piece || (held && !data))
    tsr_abort(EXIT_FAILURE, "TSR-0609 an agent has no private memory for a piece of %zu bytes of a transfer of unit %d; raise "
              "TESSERA_OFFLOAD, so that units do more themselves", bytes, tsr_place_unit(job->offload.origin).id);
  *piece = (struct piece){.job = job, .at = job->started_bytes, .bytes = bytes, .data = data};
  if (held) atomic_fetch_add(&jobs.held_n, 1);
  return piece;
}

static void free_piece(struct piece *piece) {
  if (piece->data) {
    tsr_freelist_give(&buffers, piece->data, piece->bytes);
    atomic_fetch_sub(&jobs.held_n, 1);
  }
  tsr_stock_give(&pieces, piece);
}

static void on_done(void *arg, enum tsr_net_event event, size_t reply_bytes) {
  (void)reply_bytes;
  struct piece *piece = arg;
  if (event != TSR_NET_REMOTE) return;
  const struct tsr_offload_request *offload = &piece->job->offload;
  if (piece->data && !offload->is_put) copy_attached(offload, TSR_ATTACH_PUT, piece->at, piece->data, piece->bytes);
  struct job *job = piece->job;
  free_piece(piece);
  end_part(job);
  if (atomic_exchange(&jobs.short_of_room, false)) tsr_agent_wake();
}

/* Sends a piece to another node. False: no room now. */
static bool send_some(struct job *job) {
  const struct tsr_offload_request *offload = &job->offload;
  char *buffer = buffer_at(offload, job->started_bytes);
  bool held = !buffer;
  if (held && atomic_load(&jobs.held_n) >= HELD_PIECES) return false;
  size_t most = held ? tsr_min_size(PIECE_BYTES, tsr_net_limits.chunk_bytes) : tsr_net_limits.chunk_bytes;
  size_t bytes = tsr_min_size(offload->bytes - job->started_bytes, most);
  struct piece *piece = make_piece(job, bytes, held);
  if (held && offload->is_put) copy_attached(offload, TSR_ATTACH_GET, piece->at, piece->data, bytes);
  tsr_addr remote = {TSR_UNIT(offload->unit), offload->off + piece->at};
  struct tsr_net_request request = tsr_rma_request(offload->is_put, remote, held ? piece->data : buffer, bytes);
  request.done = on_done;
  request.done_arg = piece;
  atomic_fetch_add(&job->parts_n, 1);
  if (tsr_net->request(&request)) {
    free_piece(piece);
    atomic_fetch_sub(&job->parts_n, 1);
    return false;
  }
  job->started_bytes += bytes;
  return true;
}

/* One copy, so that other jobs advance, too; or as many pieces to another node as there is room for. */
static int advance_job(struct job *job) {
  const struct tsr_offload_request *offload = &job->offload;
  int done = 0;
  if (job->started_bytes == offload->bytes) return 0;
  if (tsr_place_is_local(TSR_UNIT(offload->unit))) {
    done = copy_some(job);
  } else {
    while (job->started_bytes < offload->bytes && send_some(job)) done++;
    /* A piece that has just ended is missed, but the agent polls again soon. */
    if (job->started_bytes < offload->bytes) atomic_store(&jobs.short_of_room, true);
  }
  if (job->started_bytes < offload->bytes) return done;
  atomic_fetch_sub_explicit(&jobs.unstarted_n, 1, memory_order_relaxed);
  end_part(job);
  return done;
}

static bool is_over(struct job *job) {
  return atomic_load(&job->state) == OVER || (atomic_load(&job->state) == UNREPORTED && report_completion(job));
}

bool tsr_offload_request_any(void) { return atomic_load_explicit(&jobs.unstarted_n, memory_order_relaxed) > 0; }

int tsr_offload_request_work(void) {
  int done = 0;
  for (struct job **link = &jobs.first; *link;) {
    struct job *job = *link;
    done += advance_job(job);
    if (!is_over(job)) {
      link = &job->next;
      continue;
    }
    *link = job->next;
    if (!*link) jobs.last = link;
    if (job == jobs.newest) jobs.newest = NULL;
    tsr_stock_give(&all_jobs, job);
    done++;
  }
  return done;
}
