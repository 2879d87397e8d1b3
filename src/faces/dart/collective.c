#include "faces/dart/collective.h"

#include <stdlib.h>
#include <string.h>

#include <dash/dart/if/dart_communication.h>

#include "base/bits.h"
#include "coll/coll.h"
#include "core/refusal.h"
#include "faces/dart/face.h"

static dart_ret_t measure(struct tsr_dart_share *share, size_t nelem, dart_datatype_t dtype) {
  size_t all;
  dart_ret_t result = tsr_dart_shape_make(share->call, dtype, nelem, &share->shape);
  if (result != DART_OK) return result;
  share->bytes = share->shape.bytes;
  share->step_bytes = share->shape.step_bytes;
  size_t widest = share->step_bytes > share->bytes ? share->step_bytes : share->bytes;
  if (tsr_mul_size(widest, (size_t)share->team->size, &all) && all <= PTRDIFF_MAX) return DART_OK;
  tsr_dart_shape_release(&share->shape);
  return tsr_dart_invalid("%s: %zu elements of %s for each of %d units are more bytes than memory can have; correct "
                          "nelem", share->call, nelem, tsr_dart_type_name(dtype), share->team->size);
}

dart_ret_t tsr_dart_share_begin(struct tsr_dart_share *share, const char *call, dart_team_t team, size_t nelem,
                                dart_datatype_t dtype) {
  *share = (struct tsr_dart_share){.call = call, .begun_ns = tsr_stats_begin(), .team = tsr_dart_team(team)};
  if (!share->team) return tsr_dart_no_team(call, team);
  dart_ret_t result = measure(share, nelem, dtype);
  if (result != DART_OK && nelem) tsr_call_refuse(share->team);
  return result;
}

bool tsr_dart_share_goes_on(const struct tsr_dart_share *share, dart_ret_t result) {
  if (!share->bytes) return false;
  if (result != DART_OK) tsr_call_refuse(share->team);
  return result == DART_OK;
}

dart_ret_t tsr_dart_share_end(struct tsr_dart_share *share, enum tsr_stat what, dart_ret_t result) {
  if (result == DART_OK && share->bytes) tsr_stats_end(what, share->begun_ns, share->bytes, 0);
  tsr_dart_shape_release(&share->shape);
  return result;
}

dart_ret_t tsr_dart_check_root(const struct tsr_dart_share *share, dart_team_unit_t root) {
  if (tsr_team_has(share->team, TSR_MEMBER(root.id))) return DART_OK;
  return tsr_dart_invalid("%s: root %d is not in the team; name one of its units 0 to %d", share->call, root.id,
                          share->team->size - 1);
}

dart_ret_t tsr_dart_check_buffer(const struct tsr_dart_share *share, const void *buffer, const char *which) {
  if (buffer || !share->bytes) return DART_OK;
  return tsr_dart_invalid("%s: %s is NULL; pass the buffer, or nelem 0", share->call, which);
}

dart_ret_t tsr_dart_check_at_root(const struct tsr_dart_share *share, dart_team_unit_t root, const void *buffer,
                                  const char *which) {
  return share->team->self == root.id ? tsr_dart_check_buffer(share, buffer, which) : DART_OK;
}

/* The core moves blocks. Where the shares of a buffer are none, it gets a private block instead, into which those to
 * send are packed, and out of which those received are unpacked. */
struct block {
  void *data;   /* what the core gets; NULL when the user's buffer is */
  void *copy;   /* freed in the end */
  char *buffer; /* the user's */
  int32_t shares_n;
};

/* Shares that lie end to end, in place. */
static bool is_block(const struct tsr_dart_share *share, int32_t shares_n) {
  return share->shape.contiguous && (shares_n == 1 || share->step_bytes == share->bytes);
}

static struct block block_for(const struct tsr_dart_share *share, const void *buffer, int32_t shares_n) {
  struct block block = {.buffer = (char *)buffer, .shares_n = shares_n};
  if (!buffer) return block;
  if (!is_block(share, shares_n)) block.copy = tsr_coll_memory((size_t)shares_n * share->bytes);
  block.data = block.copy ? block.copy : block.buffer + share->shape.low_bytes;
  return block;
}

static void pack(const struct tsr_dart_share *share, const struct block *block) {
  for (int32_t i = 0; block->copy && i < block->shares_n; i++)
    tsr_dart_pack(&share->shape, (char *)block->copy + (size_t)i * share->bytes,
                  block->buffer + (size_t)i * share->step_bytes);
}

static struct block block_to_send(const struct tsr_dart_share *share, const void *buffer, int32_t shares_n) {
  struct block block = block_for(share, buffer, shares_n);
  pack(share, &block);
  return block;
}

static void finish_sent(struct block *block) { free(block->copy); }

/* What a call that failed left in a copy is nothing. */
static void finish_received(const struct tsr_dart_share *share, struct block *block, dart_ret_t result) {
  for (int32_t i = 0; result == DART_OK && block->copy && i < block->shares_n; i++)
    tsr_dart_unpack(&share->shape, block->buffer + (size_t)i * share->step_bytes,
                    (char *)block->copy + (size_t)i * share->bytes);
  free(block->copy);
}

dart_ret_t dart_barrier(dart_team_t team) {
  uint64_t begun_ns = tsr_stats_begin();
  tsr_team *found = tsr_dart_team(team);
  if (!TSR_LIKELY(found)) return tsr_dart_no_team(__func__, team);
  tessera_status_t status = tsr_barrier(found);
  tsr_stats_end(TSR_STAT_BARRIER, begun_ns, 0, 0);
  return tsr_dart_code(status);
}

/* With no elements there is nothing to wait for: every unit knows it. */
dart_ret_t dart_bcast(void *buf, size_t nelem, dart_datatype_t dtype, dart_team_unit_t root, dart_team_t team) {
  struct tsr_dart_share share;
  dart_ret_t result = tsr_dart_share_begin(&share, __func__, team, nelem, dtype);
  if (result != DART_OK) return result;
  result = tsr_dart_check_root(&share, root);
  if (result == DART_OK) result = tsr_dart_check_buffer(&share, buf, "buf");
  if (tsr_dart_share_goes_on(&share, result)) {
    bool is_root = share.team->self == root.id;
    struct block block = is_root ? block_to_send(&share, buf, 1) : block_for(&share, buf, 1);
    result = tsr_dart_code(tsr_bcast(share.team, block.data, share.bytes, TSR_MEMBER(root.id)));
    is_root ? finish_sent(&block) : finish_received(&share, &block, result);
  }
  return tsr_dart_share_end(&share, TSR_STAT_BCAST, result);
}

dart_ret_t dart_scatter(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype, dart_team_unit_t root,
                        dart_team_t team) {
  struct tsr_dart_share share;
  dart_ret_t result = tsr_dart_share_begin(&share, __func__, team, nelem, dtype);
  if (result != DART_OK) return result;
  result = tsr_dart_check_root(&share, root);
  if (result == DART_OK) result = tsr_dart_check_buffer(&share, recvbuf, "recvbuf");
  if (result == DART_OK) result = tsr_dart_check_at_root(&share, root, sendbuf, "sendbuf of the root");
  if (tsr_dart_share_goes_on(&share, result)) {
    bool is_root = share.team->self == root.id;
    struct block send = block_to_send(&share, is_root ? sendbuf : NULL, share.team->size);
    struct block receive = block_for(&share, recvbuf, 1);
    result = tsr_dart_code(tsr_scatter(share.team, send.data, receive.data, share.bytes, TSR_MEMBER(root.id)));
    finish_received(&share, &receive, result);
    finish_sent(&send);
  }
  return tsr_dart_share_end(&share, TSR_STAT_SCATTER, result);
}

dart_ret_t dart_gather(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype, dart_team_unit_t root,
                       dart_team_t team) {
  struct tsr_dart_share share;
  dart_ret_t result = tsr_dart_share_begin(&share, __func__, team, nelem, dtype);
  if (result != DART_OK) return result;
  result = tsr_dart_check_root(&share, root);
  if (result == DART_OK) result = tsr_dart_check_buffer(&share, sendbuf, "sendbuf");
  if (result == DART_OK) result = tsr_dart_check_at_root(&share, root, recvbuf, "recvbuf of the root");
  if (tsr_dart_share_goes_on(&share, result)) {
    bool is_root = share.team->self == root.id;
    struct block send = block_to_send(&share, sendbuf, 1);
    struct block receive = block_for(&share, is_root ? recvbuf : NULL, share.team->size);
    result = tsr_dart_code(tsr_gather(share.team, send.data, receive.data, share.bytes, TSR_MEMBER(root.id)));
    finish_received(&share, &receive, result);
    finish_sent(&send);
  }
  return tsr_dart_share_end(&share, TSR_STAT_GATHER, result);
}

static bool in_place(const void *sendbuf, const void *recvbuf) { return !sendbuf || sendbuf == recvbuf; }

dart_ret_t dart_allgather(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype, dart_team_t team) {
  struct tsr_dart_share share;
  dart_ret_t result = tsr_dart_share_begin(&share, __func__, team, nelem, dtype);
  if (result != DART_OK) return result;
  result = tsr_dart_check_buffer(&share, recvbuf, "recvbuf");
  if (tsr_dart_share_goes_on(&share, result)) {
    if (in_place(sendbuf, recvbuf)) sendbuf = (char *)recvbuf + (size_t)share.team->self * share.step_bytes;
    struct block send = block_to_send(&share, sendbuf, 1);
    struct block receive = block_for(&share, recvbuf, share.team->size);
    result = tsr_dart_code(tsr_allgather(share.team, send.data, receive.data, share.bytes));
    finish_received(&share, &receive, result);
    finish_sent(&send);
  }
  return tsr_dart_share_end(&share, TSR_STAT_ALLGATHER, result);
}

/* Shares of several sizes: for each unit its elements, where they lie in the user's buffer, and in the core's. */
struct counted {
  struct tsr_dart_shape *shapes;
  size_t *displs; /* bytes; allocated with the two that follow */
  size_t *bytes, *offs;
  size_t total;
  bool all_blocks;
};

/* `displ` elements are whole blocks or instances, too: their distance, as the type lays them out. */
static dart_ret_t measure_displacement(const char *call, dart_datatype_t dtype, size_t displ, size_t *bytes) {
  struct tsr_dart_shape before;
  dart_ret_t result = tsr_dart_shape_make(call, dtype, displ, &before);
  if (result != DART_OK) return result;
  *bytes = before.step_bytes;
  tsr_dart_shape_release(&before);
  return DART_OK;
}

static dart_ret_t measure_share(const struct tsr_dart_share *share, dart_datatype_t dtype, size_t n, size_t displ,
                                struct counted *to, int32_t i) {
  size_t end;
  dart_ret_t result = measure_displacement(share->call, dtype, displ, &to->displs[i]);
  if (result == DART_OK) result = tsr_dart_shape_make(share->call, dtype, n, &to->shapes[i]);
  if (result != DART_OK) return result;
  to->bytes[i] = to->shapes[i].bytes;
  to->offs[i] = to->total;
  to->all_blocks = to->all_blocks && to->shapes[i].contiguous;
  bool fits = !__builtin_add_overflow(to->displs[i], to->shapes[i].end_bytes, &end) && end <= PTRDIFF_MAX &&
              !__builtin_add_overflow(to->total, to->bytes[i], &to->total) && to->total <= PTRDIFF_MAX;
  if (fits) return DART_OK;
  return tsr_dart_invalid("%s: %zu elements at displacement %zu for unit %d are more bytes than memory can have",
                          share->call, n, displ, i);
}

static dart_ret_t measure_shares(const struct tsr_dart_share *share, dart_datatype_t dtype, const size_t counts[],
                                 const size_t displs[], struct counted *to) {
  dart_ret_t result = DART_OK;
  for (int32_t i = 0; i < share->team->size && result == DART_OK; i++)
    result = measure_share(share, dtype, counts[i], displs[i], to, i);
  for (int32_t i = 0; to->all_blocks && i < share->team->size; i++)
    to->offs[i] = to->displs[i] + to->shapes[i].low_bytes;
  return result;
}

static dart_ret_t count_shares(const struct tsr_dart_share *share, dart_datatype_t dtype, const size_t counts[],
                               const size_t displs[], struct counted *to) {
  size_t n = (size_t)share->team->size;
  if (!counts || !displs)
    return tsr_dart_invalid("%s: nrecvelem or recvdispls is NULL; pass one number for each of the team's %zu units",
                            share->call, n);
  to->shapes = calloc(n, sizeof *to->shapes);
  to->displs = malloc(3 * n * sizeof *to->displs);
  if (!to->shapes || !to->displs)
    return tsr_dart_fail(TESSERA_ERR_MEMORY, "%s: no private memory for %zu units; free some", share->call, n);
  to->bytes = to->displs + n;
  to->offs = to->bytes + n;
  return measure_shares(share, dtype, counts, displs, to);
}

static void drop_counted(const struct tsr_dart_share *share, struct counted *counted) {
  for (int32_t i = 0; counted->shapes && i < share->team->size; i++) tsr_dart_shape_release(&counted->shapes[i]);
  free(counted->shapes);
  free(counted->displs);
}

/* Without blocks both sides are private copies. */
static dart_ret_t gather_packed(const struct tsr_dart_share *share, const void *sendbuf, char *recvbuf,
                                const struct counted *counted) {
  int32_t self = share->team->self;
  void *send = tsr_coll_memory(counted->bytes[self]);
  char *all = tsr_coll_memory(counted->total);
  tsr_dart_pack(&counted->shapes[self], send, sendbuf);
  dart_ret_t result = tsr_dart_code(tsr_allgatherv(share->team, send, all, counted->bytes, counted->offs));
  for (int32_t i = 0; result == DART_OK && i < share->team->size; i++)
    tsr_dart_unpack(&counted->shapes[i], recvbuf + counted->displs[i], all + counted->offs[i]);
  free(all);
  free(send);
  return result;
}

static dart_ret_t check_counted(const struct tsr_dart_share *share, const void *sendbuf, size_t nsendelem,
                                const void *recvbuf, const size_t counts[]) {
  int32_t self = share->team->self;
  dart_ret_t result = tsr_dart_check_buffer(share, recvbuf, "recvbuf");
  if (result != DART_OK || !share->bytes || in_place(sendbuf, recvbuf) || nsendelem == counts[self]) return result;
  return tsr_dart_invalid("%s: nsendelem is %zu, but nrecvelem of this unit (%d) is %zu; they say the same", share->call,
                          nsendelem, self, counts[self]);
}

/* Without bytes, too, the units meet: one whose tables are missing cannot know that there are none. */
static dart_ret_t gather_counted(struct tsr_dart_share *share, const void *sendbuf, void *recvbuf,
                                 const struct counted *counted) {
  int32_t self = share->team->self;
  if (!share->bytes) return tsr_dart_code(tsr_barrier(share->team));
  bool own_in_place = in_place(sendbuf, recvbuf);
  if (own_in_place) sendbuf = (char *)recvbuf + counted->displs[self];
  if (!counted->all_blocks) return gather_packed(share, sendbuf, recvbuf, counted);
  const char *own = (const char *)sendbuf + counted->shapes[self].low_bytes;
  return tsr_dart_code(tsr_allgatherv(share->team, own, recvbuf, counted->bytes, counted->offs));
}

dart_ret_t dart_allgatherv(const void *sendbuf, size_t nsendelem, dart_datatype_t dtype, void *recvbuf,
                           const size_t *nrecvelem, const size_t *recvdispls, dart_team_t teamid) {
  struct tsr_dart_share share;
  struct counted counted = {.all_blocks = true};
  dart_ret_t result = tsr_dart_share_begin(&share, __func__, teamid, 0, DART_TYPE_BYTE);
  if (result != DART_OK) return result;
  result = count_shares(&share, dtype, nrecvelem, recvdispls, &counted);
  share.bytes = counted.total;
  if (result == DART_OK) result = check_counted(&share, sendbuf, nsendelem, recvbuf, nrecvelem);
  if (result == DART_OK) result = gather_counted(&share, sendbuf, recvbuf, &counted);
  else tsr_call_refuse(share.team);
  drop_counted(&share, &counted);
  return tsr_dart_share_end(&share, TSR_STAT_ALLGATHER, result);
}

/* A copy of what is sent, where the same place receives. */
static struct block block_beside(const struct tsr_dart_share *share, const void *buffer) {
  struct block block = block_to_send(share, buffer, share->team->size);
  if (block.copy) return block;
  size_t all = share->bytes * (size_t)share->team->size;
  block.copy = tsr_coll_memory(all);
  block.data = memcpy(block.copy, block.data, all);
  return block;
}

dart_ret_t dart_alltoall(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype, dart_team_t team) {
  struct tsr_dart_share share;
  dart_ret_t result = tsr_dart_share_begin(&share, __func__, team, nelem, dtype);
  if (result != DART_OK) return result;
  result = tsr_dart_check_buffer(&share, recvbuf, "recvbuf");
  if (tsr_dart_share_goes_on(&share, result)) {
    struct block send = in_place(sendbuf, recvbuf) ? block_beside(&share, recvbuf)
                                                   : block_to_send(&share, sendbuf, share.team->size);
    struct block receive = block_for(&share, recvbuf, share.team->size);
    result = tsr_dart_code(tsr_alltoall(share.team, send.data, receive.data, share.bytes));
    finish_received(&share, &receive, result);
    finish_sent(&send);
  }
  return tsr_dart_share_end(&share, TSR_STAT_ALLTOALL, result);
}
