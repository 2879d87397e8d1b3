#include "net/ucx/rma.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/config.h"
#include "base/process.h"
#include "base/slab.h"
#include "base/status.h"
#include "base/table.h"
#include "net/ucx/endpoint.h"

/* Active messages, by UCX's number; net/ucx/messages has the others. */
enum { WANT_KEY_ID = 3, KEY_ID = 4 };

/* A piece under way. A put ends when it is both complete here and flushed. */
struct piece {
  struct piece *next;     /* in the queue of those that wait for a key, or of those that are complete */
  struct piece *next_put; /* of its target, to be flushed */
  struct target *target;
  struct tsr_net_piece what;
  ucs_status_t status;
  bool is_get, is_complete, is_flushed;
};

struct queue {
  struct piece *first, *last;
};

/* What this process knows of the heap of another rank. One flush at a time is under way; it covers the puts that were started
 * before it, and later ones wait for the next. */
struct target {
  struct target *next_to_flush;
  int rank;
  enum { UNKNOWN, ASKED, ANSWERED, READY } state;
  ucp_rkey_h key;
  char *packed_key;
  uint64_t base; /* of the heap, in the address space of its process */
  struct queue waiting;   /* for the key */
  struct piece *unflushed, *flushing;
  struct target *next_answered, *next_flushed;
  ucs_status_t flush_status;
  bool is_to_flush, is_flushing;
};

/* A key as it is sent, the same to all ranks. */
struct packed_key {
  uint64_t base;
  char key[];
};

static tsr_slab pieces = TSR_SLAB(sizeof(struct piece));

static struct {
  ucp_mem_h memory;
  struct packed_key *own_key;
  size_t own_key_bytes;
  tsr_table targets; /* by rank */
  struct queue complete;
  struct target *to_flush, *flushed, *answered;
  _Atomic int busy_n;
} rma;

int tsr_ucx_rma_busy(void) { return atomic_load_explicit(&rma.busy_n, memory_order_relaxed); }

/* ---- registration ---- */

/* Pages of shared memory that this process has mapped and present, in bytes; 0: the kernel does not say. */
static size_t present_bytes(void) { return tsr_process_status("RssShmem") << 10; }

static ucs_status_t map_range(char *at, size_t bytes, unsigned flags, ucp_mem_h *memory) {
  ucp_mem_map_params_t how = {.field_mask = UCP_MEM_MAP_PARAM_FIELD_ADDRESS | UCP_MEM_MAP_PARAM_FIELD_LENGTH |
                                            UCP_MEM_MAP_PARAM_FIELD_FLAGS,
                              .address = at,
                              .length = bytes,
                              .flags = flags};
  return tsr_ucx.ucp_mem_map(tsr_ucx_worker.context, &how, memory);
}

/* NONBLOCK asks for on-demand paging, and UCX pins the pages where the device has none. A heap is far longer than the memory of its
 * node, and its freed pages go back to the kernel, which a device that has pinned them does not learn. So a part is tried first. */
static bool is_paged_on_demand(char *heap, size_t bytes, const char **why) {
  enum { TRIAL_BYTES = 4 << 20 };
  const size_t trial_bytes = tsr_min_size(bytes, TRIAL_BYTES), before = present_bytes();
  ucp_mem_h trial;
  *why = "the kernel does not say how much of the heap is present (RssShmem in /proc/self/status)";
  if (!before) return false;
  *why = "UCX cannot register the heap";
  if (map_range(heap, trial_bytes, UCP_MEM_MAP_NONBLOCK, &trial) != UCS_OK) return false;
  const bool is_present = present_bytes() > before + trial_bytes / 4;
  *why = is_present ? "registration makes the pages of the heap present, as the device has no on-demand paging" : NULL;
  tsr_ucx.ucp_mem_unmap(tsr_ucx_worker.context, trial);
  return !is_present;
}

/* For tests without such hardware: UCX accesses memory of another process without that process's help only if UCX has allocated
 * the memory. */
static bool replace_heap(const struct tsr_net_heap *heap, const char **why) {
  *why = heap->is_shared ? "TESSERA_UCX_MEMORY=test needs nodes of one process each"
         : map_range(heap->address, heap->bytes, UCP_MEM_MAP_FIXED | UCP_MEM_MAP_ALLOCATE, &rma.memory) != UCS_OK
             ? "TESSERA_UCX_MEMORY=test: UCX cannot allocate the heap; set TESSERA_UCX_TLS=sysv,self and a small TESSERA_HEAP_SIZE"
             : NULL;
  return *why == NULL;
}

static bool register_heap(const struct tsr_net_heap *heap, const char **why) {
  if (tsr_config.ucx_memory == TSR_UCX_MEMORY_TEST) return replace_heap(heap, why);
  if (!is_paged_on_demand(heap->address, heap->bytes, why)) return false;
  if (map_range(heap->address, heap->bytes, UCP_MEM_MAP_NONBLOCK, &rma.memory) == UCS_OK) return true;
  *why = "UCX cannot register the whole heap";
  return false;
}

static bool pack_own_key(void *heap, const char **why) {
  void *key = NULL;
  size_t bytes = 0;
  *why = "UCX gives no key to the heap";
  if (tsr_ucx.ucp_rkey_pack(tsr_ucx_worker.context, rma.memory, &key, &bytes) != UCS_OK) return false;
  rma.own_key_bytes = sizeof *rma.own_key + bytes;
  rma.own_key = malloc(rma.own_key_bytes);
  if (!rma.own_key)
    tsr_wire_fatal("TSR-0265 no private memory for the key to the heap (%zu bytes); " TSR_REMEDY_MEMORY, rma.own_key_bytes);
  rma.own_key->base = (uint64_t)(uintptr_t)heap;
  memcpy(rma.own_key->key, key, bytes);
  tsr_ucx.ucp_rkey_buffer_release(key);
  *why = NULL;
  return true;
}

/* ---- keys: each is asked for before the first transfer to its rank ---- */

static struct target *target_of(int rank) {
  struct target *target = tsr_table_use(&rma.targets, (uint32_t)rank);
  if (!target) tsr_wire_fatal("TSR-0266 no private memory for puts to rank %d; " TSR_REMEDY_MEMORY, rank);
  target->rank = rank;
  return target;
}

static void free_request(void *request, ucs_status_t status, void *unused) {
  (void)status, (void)unused; /* a lost peer is reported by the endpoint */
  tsr_ucx.ucp_request_free(request);
}

static void send_active(int rank, unsigned id, const void *data, size_t bytes) {
  ucp_request_param_t how = {.op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_FLAGS,
                             .cb.send = free_request,
                             .flags = UCP_AM_SEND_FLAG_EAGER};
  void *request = tsr_ucx.ucp_am_send_nbx(tsr_ucx_endpoint(rank), id, &tsr_wire_rank, sizeof tsr_wire_rank, data, bytes, &how);
  if (UCS_PTR_IS_ERR(request)) tsr_ucx_fail(UCS_PTR_STATUS(request), "sending the key to a heap");
}

static int sender_of(const void *header, size_t bytes) {
  int rank = -1;
  if (bytes == sizeof rank) memcpy(&rank, header, sizeof rank);
  if (rank < 0 || rank >= tsr_wire_ranks_n)
    tsr_wire_fatal("TSR-0258 a key to a heap came from rank %d; " TSR_REMEDY_ONE_BUILD, rank);
  return rank;
}

static ucs_status_t on_want_key(void *arg, const void *header, size_t header_bytes, void *data, size_t bytes,
                                const ucp_am_recv_param_t *how) {
  (void)arg, (void)data, (void)bytes, (void)how;
  send_active(sender_of(header, header_bytes), KEY_ID, rma.own_key, rma.own_key_bytes);
  return UCS_OK;
}

/* Keeps the key for the next poll. */
static ucs_status_t on_key(void *arg, const void *header, size_t header_bytes, void *data, size_t bytes,
                           const ucp_am_recv_param_t *how) {
  struct target *target = target_of(sender_of(header, header_bytes));
  (void)arg, (void)how;
  if (target->state != ASKED || bytes < sizeof(struct packed_key))
    tsr_wire_fatal("TSR-0259 a key of %zu bytes to the heap of rank %d was not asked for; " TSR_REMEDY_ONE_BUILD, bytes,
                   target->rank);
  target->packed_key = malloc(bytes);
  if (!target->packed_key)
    tsr_wire_fatal("TSR-0260 no private memory for the key to the heap of rank %d; " TSR_REMEDY_MEMORY, target->rank);
  memcpy(target->packed_key, data, bytes);
  target->state = ANSWERED;
  target->next_answered = rma.answered;
  rma.answered = target;
  return UCS_OK;
}

static bool set_handler(unsigned id, ucp_am_recv_callback_t handler) {
  ucp_am_handler_param_t how = {.field_mask = UCP_AM_HANDLER_PARAM_FIELD_ID | UCP_AM_HANDLER_PARAM_FIELD_FLAGS |
                                              UCP_AM_HANDLER_PARAM_FIELD_CB,
                                .id = id,
                                .flags = UCP_AM_FLAG_WHOLE_MSG,
                                .cb = handler};
  return tsr_ucx.ucp_worker_set_am_recv_handler(tsr_ucx_worker.worker, &how) == UCS_OK;
}

bool tsr_ucx_rma_register(const struct tsr_net_heap *heap, const char **why) {
  rma.targets = tsr_table_make((uint32_t)tsr_wire_ranks_n, sizeof(struct target));
  if (!rma.targets.blocks) tsr_wire_fatal("TSR-0261 no private memory for %d targets; " TSR_REMEDY_MEMORY, tsr_wire_ranks_n);
  *why = "UCX takes no more handlers";
  if (!set_handler(WANT_KEY_ID, on_want_key) || !set_handler(KEY_ID, on_key)) return false;
  *why = NULL;
  return !heap->address || (register_heap(heap, why) && pack_own_key(heap->address, why));
}

/* ---- pieces ---- */

static void append_piece(struct queue *queue, struct piece *piece) {
  piece->next = NULL;
  if (queue->first) queue->last->next = piece;
  else queue->first = piece;
  queue->last = piece;
}

static struct piece *take_first(struct queue *queue) {
  struct piece *piece = queue->first;
  if (piece) queue->first = piece->next;
  return piece;
}

static void complete_piece(struct piece *piece, ucs_status_t status) {
  piece->status = status;
  append_piece(&rma.complete, piece);
}

static void on_complete(void *request, ucs_status_t status, void *piece) {
  complete_piece(piece, status);
  tsr_ucx.ucp_request_free(request);
}

static void add_unflushed(struct piece *put) {
  struct target *target = put->target;
  put->next_put = target->unflushed;
  target->unflushed = put;
  if (target->is_to_flush || target->is_flushing) return;
  target->is_to_flush = true;
  target->next_to_flush = rma.to_flush;
  rma.to_flush = target;
}

static void start_transfer(struct piece *piece) {
  const struct tsr_net_piece *what = &piece->what;
  const struct target *target = piece->target;
  ucp_request_param_t how = {.op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA,
                             .cb.send = on_complete,
                             .user_data = piece};
  ucp_ep_h endpoint = tsr_ucx_endpoint(target->rank);
  const uint64_t remote_addr = target->base + what->off;
  void *request = piece->is_get ? tsr_ucx.ucp_get_nbx(endpoint, what->local_addr, what->bytes, remote_addr, target->key, &how)
                                : tsr_ucx.ucp_put_nbx(endpoint, what->local_addr, what->bytes, remote_addr, target->key, &how);
  if (!piece->is_get) add_unflushed(piece);
  if (!request) complete_piece(piece, UCS_OK);
  else if (UCS_PTR_IS_ERR(request)) complete_piece(piece, UCS_PTR_STATUS(request));
}

/* The first transfer to a rank asks for the key to its heap, and waits. */
static void start_or_queue(struct piece *piece) {
  struct target *target = piece->target;
  if (target->state == READY) {
    start_transfer(piece);
    return;
  }
  append_piece(&target->waiting, piece);
  if (target->state != UNKNOWN) return;
  target->state = ASKED;
  send_active(target->rank, WANT_KEY_ID, NULL, 0);
}

static tessera_status_t begin_piece(const struct tsr_net_piece *what, bool is_get) {
  assert(what->unit >= 0 && what->unit < tsr_wire_ranks_n && what->bytes <= tsr_net_limits.chunk_bytes);
  if (tsr_ucx_rma_busy() >= tsr_config.wire_buffers) return TESSERA_ERR_AGAIN;
  struct piece *piece = tsr_slab_take(&pieces);
  if (!piece)
    return tsr_fail(TESSERA_ERR_MEMORY, "TSR-0262 no private memory for a transfer to unit %d; lower TESSERA_WIRE_BUFFERS",
                    what->unit);
  *piece = (struct piece){.target = target_of(what->unit), .what = *what, .is_get = is_get};
  atomic_fetch_add_explicit(&rma.busy_n, 1, memory_order_relaxed);
  start_or_queue(piece);
  return TESSERA_OK;
}

tessera_status_t tsr_ucx_rma_put(const struct tsr_net_piece *piece) { return begin_piece(piece, false); }
tessera_status_t tsr_ucx_rma_get(const struct tsr_net_piece *piece) { return begin_piece(piece, true); }

/* ---- progress ---- */

/* The slot is freed before `done` is called. */
static void end_piece(struct piece *piece) {
  const struct tsr_net_piece what = piece->what;
  tsr_slab_give(&pieces, piece);
  atomic_fetch_sub_explicit(&rma.busy_n, 1, memory_order_relaxed);
  if (what.done) what.done(what.done_arg, TSR_NET_REMOTE, 0);
}

static int use_keys(void) {
  int done_n = 0;
  for (struct target *target; (target = rma.answered); done_n++) {
    const struct packed_key *packed = (const struct packed_key *)(void *)target->packed_key;
    rma.answered = target->next_answered;
    ucs_status_t status = tsr_ucx.ucp_ep_rkey_unpack(tsr_ucx_endpoint(target->rank), packed->key, &target->key);
    if (status != UCS_OK) tsr_ucx_fail(status, "ucp_ep_rkey_unpack");
    target->base = packed->base;
    free(target->packed_key);
    target->packed_key = NULL;
    target->state = READY;
    for (struct piece *piece; (piece = take_first(&target->waiting));) start_transfer(piece);
  }
  return done_n;
}

static int end_complete(void) {
  int done_n = 0;
  for (struct piece *piece; (piece = take_first(&rma.complete)); done_n++) {
    if (piece->status != UCS_OK) tsr_ucx_fail(piece->status, piece->is_get ? "a get" : "a put");
    piece->is_complete = true;
    if (!piece->is_get && piece->what.done) piece->what.done(piece->what.done_arg, TSR_NET_LOCAL, 0);
    if (piece->is_get || piece->is_flushed) end_piece(piece);
  }
  return done_n;
}

static void keep_flushed(struct target *target, ucs_status_t status) {
  target->flush_status = status;
  target->next_flushed = rma.flushed;
  rma.flushed = target;
}

static void on_flushed(void *request, ucs_status_t status, void *target) {
  keep_flushed(target, status);
  tsr_ucx.ucp_request_free(request);
}

static void start_flush(struct target *target) {
  ucp_request_param_t how = {.op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA,
                             .cb.send = on_flushed,
                             .user_data = target};
  target->flushing = target->unflushed;
  target->unflushed = NULL;
  target->is_flushing = true;
  void *request = tsr_ucx.ucp_ep_flush_nbx(tsr_ucx_endpoint(target->rank), &how);
  if (!request) keep_flushed(target, UCS_OK);
  else if (UCS_PTR_IS_ERR(request)) keep_flushed(target, UCS_PTR_STATUS(request));
}

static int start_flushes(void) {
  int done_n = 0;
  for (struct target *target; (target = rma.to_flush); done_n++) {
    rma.to_flush = target->next_to_flush;
    target->is_to_flush = false;
    start_flush(target);
  }
  return done_n;
}

/* Puts that came during the flush need another one. */
static void list_again(struct target *target) {
  target->is_flushing = false;
  if (!target->unflushed) return;
  target->is_to_flush = true;
  target->next_to_flush = rma.to_flush;
  rma.to_flush = target;
}

static int end_flushed(void) {
  int done_n = 0;
  for (struct target *target; (target = rma.flushed);) {
    rma.flushed = target->next_flushed;
    if (target->flush_status != UCS_OK) tsr_ucx_fail(target->flush_status, "the flush of puts");
    struct piece *put = target->flushing;
    target->flushing = NULL;
    list_again(target);
    for (struct piece *next; put; put = next, done_n++) {
      next = put->next_put;
      put->is_flushed = true;
      if (put->is_complete) end_piece(put);
    }
  }
  return done_n;
}

/* Puts that `done` starts wait for the next poll: they share a flush. */
int tsr_ucx_rma_poll(void) {
  int done_n = use_keys();
  done_n += end_complete();
  done_n += start_flushes();
  return done_n + end_flushed();
}

bool tsr_ucx_rma_has_work(void) { return rma.complete.first || rma.to_flush || rma.flushed || rma.answered; }

bool tsr_ucx_rma_awaits(int rank) {
  const struct target *target = rma.targets.blocks ? tsr_table_find(&rma.targets, (uint32_t)rank) : NULL;
  return target && (target->waiting.first || target->flushing || target->unflushed);
}

/* ---- end ---- */

static void free_target(void *entry, uint32_t rank) {
  struct target *target = entry;
  (void)rank;
  free(target->packed_key);
  if (target->state == READY) tsr_ucx.ucp_rkey_destroy(target->key);
}

void tsr_ucx_rma_stop(void) {
  if (!rma.targets.blocks) return;
  tsr_table_each(&rma.targets, free_target);
  tsr_table_free(&rma.targets);
  if (rma.memory) tsr_ucx.ucp_mem_unmap(tsr_ucx_worker.context, rma.memory);
  free(rma.own_key);
  tsr_slab_drop(&pieces);
  rma.memory = NULL;
  rma.own_key = NULL;
  rma.complete = (struct queue){0};
  rma.to_flush = rma.flushed = rma.answered = NULL;
  atomic_store_explicit(&rma.busy_n, 0, memory_order_relaxed);
}
