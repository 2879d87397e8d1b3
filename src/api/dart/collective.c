#include "api/dart/collective.h"

#include <stdlib.h>
#include <string.h>

#include <dash/dart/if/dart_communication.h>

#include "base/bits.h"
#include "coll/coll.h"
#include "core/coll_error.h"
#include "api/dart/dart_api.h"
#include "api/dart/counts.h"

dart_ret_t tsr_dart_share_measure(struct tsr_dart_share *share, size_t nelem, dart_datatype_t dtype) {
  struct tsr_dart_shape shape;
  dart_ret_t result = tsr_dart_shape_make(share->call, dtype, nelem, &shape);
  if (result != DART_OK) return result;
  tsr_dart_shape_release(&share->shape);
  share->shape = shape;
  share->bytes = shape.bytes;
  share->step_bytes = shape.step_bytes;
  return DART_OK;
}

/* Also checks that the shares of all units fit in memory. */
static dart_ret_t measure_share(struct tsr_dart_share *share, size_t nelem, dart_datatype_t dtype) {
  size_t all;
  dart_ret_t result = tsr_dart_share_measure(share, nelem, dtype);
  if (result != DART_OK) return result;
  size_t widest = share->step_bytes > share->bytes ? share->step_bytes : share->bytes;
  if (tsr_mul_size(widest, (size_t)share->team->size, &all) && all <= PTRDIFF_MAX) return DART_OK;
  tsr_dart_shape_release(&share->shape);
  return tsr_dart_invalid("TSR-2015 %s: %zu elements of %s for each of %d units exceed the address space; correct nelem",
                          share->call, nelem, tsr_dart_type_name(dtype), share->team->size);
}

static void fail_others(const struct tsr_dart_share *share) {
  if (share->starts) tsr_start_fail_others(share->team);
  else tsr_call_fail_others(share->team);
}

static dart_ret_t begin_share(struct tsr_dart_share *share, dart_team_t team, size_t nelem, dart_datatype_t dtype) {
  if (!share->team) return tsr_dart_no_team(share->call, team);
  dart_ret_t result = measure_share(share, nelem, dtype);
  if (result != DART_OK && (nelem || share->meets)) fail_others(share);
  return result;
}

dart_ret_t tsr_dart_share_begin(struct tsr_dart_share *share, const char *call, dart_team_t team, size_t nelem,
                                dart_datatype_t dtype) {
  *share = (struct tsr_dart_share){.call = call, .begun_ns = tsr_stats_begin(), .team = tsr_dart_team(team),
                                   .meets = tsr_config.check};
  return begin_share(share, team, nelem, dtype);
}

dart_ret_t tsr_dart_share_start(struct tsr_dart_share *share, const char *call, dart_team_t team, size_t nelem,
                                dart_datatype_t dtype, bool meets) {
  *share = (struct tsr_dart_share){.call = call, .begun_ns = tsr_stats_begin(), .team = tsr_dart_team(team),
                                   .starts = true, .meets = meets || tsr_config.check};
  return begin_share(share, team, nelem, dtype);
}

bool tsr_dart_share_goes_on(const struct tsr_dart_share *share, dart_ret_t result) {
  if (!share->bytes && !share->meets) return false;
  if (result != DART_OK) fail_others(share);
  return result == DART_OK;
}

dart_ret_t tsr_dart_share_end(struct tsr_dart_share *share, enum tsr_stat what, dart_ret_t result) {
  if (result == DART_OK && share->bytes) tsr_stats_end(what, share->begun_ns, share->bytes, 0);
  tsr_dart_shape_release(&share->shape);
  return result;
}

dart_ret_t tsr_dart_check_root(const struct tsr_dart_share *share, dart_team_unit_t root) {
  if (tsr_team_has(share->team, TSR_MEMBER(root.id))) return DART_OK;
  return tsr_dart_invalid("TSR-2016 %s: root %d is not in the team; name one of its units 0 to %d", share->call, root.id,
                          share->team->size - 1);
}

dart_ret_t tsr_dart_check_buffer(const struct tsr_dart_share *share, const void *buffer, const char *which) {
  if (buffer || !share->bytes) return DART_OK;
  return tsr_dart_invalid("TSR-2017 %s: %s is NULL; pass the buffer, or nelem 0", share->call, which);
}

dart_ret_t tsr_dart_check_at_root(const struct tsr_dart_share *share, dart_team_unit_t root, const void *buffer,
                                  const char *which) {
  return share->team->self == root.id ? tsr_dart_check_buffer(share, buffer, which) : DART_OK;
}

dart_ret_t tsr_dart_check_rooted(const struct tsr_dart_share *share, dart_team_unit_t root, const void *own,
                                 const char *own_name, const void *all, const char *all_name) {
  dart_ret_t result = tsr_dart_check_root(share, root);
  if (result == DART_OK) result = tsr_dart_check_buffer(share, own, own_name);
  return result == DART_OK ? tsr_dart_check_at_root(share, root, all, all_name) : result;
}

dart_ret_t dart_barrier(dart_team_t team) {
  uint64_t begun_ns = tsr_stats_begin();
  tsr_team *found = tsr_dart_team(team);
  if (!TSR_LIKELY(found)) return tsr_dart_no_team(__func__, team);
  tessera_status_t status = tsr_barrier(found);
  tsr_stats_end(TSR_STAT_BARRIER, begun_ns, 0, 0);
  return tsr_dart_code(status);
}

dart_ret_t dart_bcast(void *buf, size_t nelem, dart_datatype_t dtype, dart_team_unit_t root, dart_team_t team) {
  struct tsr_dart_share share;
  dart_ret_t result = tsr_dart_share_begin(&share, __func__, team, nelem, dtype);
  if (result != DART_OK) return result;
  result = tsr_dart_check_root(&share, root);
  if (result == DART_OK) result = tsr_dart_check_buffer(&share, buf, "buf");
  if (tsr_dart_share_goes_on(&share, result)) {
    bool is_root = share.team->self == root.id;
    struct tsr_dart_block block = is_root ? tsr_dart_block_to_send(&share, buf, 1) : tsr_dart_block_for(&share, buf, 1);
    result = tsr_dart_code(tsr_bcast(share.team, block.data, share.bytes, TSR_MEMBER(root.id)));
    is_root ? tsr_dart_block_drop(&block) : tsr_dart_block_receive(&share, &block, result);
  }
  return tsr_dart_share_end(&share, TSR_STAT_BCAST, result);
}

dart_ret_t dart_scatter(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype, dart_team_unit_t root,
                        dart_team_t team) {
  struct tsr_dart_share share;
  dart_ret_t result = tsr_dart_share_begin(&share, __func__, team, nelem, dtype);
  if (result != DART_OK) return result;
  result = tsr_dart_check_rooted(&share, root, recvbuf, "recvbuf", sendbuf, "sendbuf of the root");
  if (tsr_dart_share_goes_on(&share, result)) {
    bool is_root = share.team->self == root.id;
    struct tsr_dart_block send = tsr_dart_block_to_send(&share, is_root ? sendbuf : NULL, share.team->size);
    struct tsr_dart_block receive = tsr_dart_block_for(&share, recvbuf, 1);
    result = tsr_dart_code(tsr_scatter(share.team, send.data, receive.data, share.bytes, TSR_MEMBER(root.id)));
    tsr_dart_block_receive(&share, &receive, result);
    tsr_dart_block_drop(&send);
  }
  return tsr_dart_share_end(&share, TSR_STAT_SCATTER, result);
}

dart_ret_t dart_gather(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype, dart_team_unit_t root,
                       dart_team_t team) {
  struct tsr_dart_share share;
  dart_ret_t result = tsr_dart_share_begin(&share, __func__, team, nelem, dtype);
  if (result != DART_OK) return result;
  result = tsr_dart_check_rooted(&share, root, sendbuf, "sendbuf", recvbuf, "recvbuf of the root");
  if (tsr_dart_share_goes_on(&share, result)) {
    bool is_root = share.team->self == root.id;
    struct tsr_dart_block send = tsr_dart_block_to_send(&share, sendbuf, 1);
    struct tsr_dart_block receive = tsr_dart_block_for(&share, is_root ? recvbuf : NULL, share.team->size);
    result = tsr_dart_code(tsr_gather(share.team, send.data, receive.data, share.bytes, TSR_MEMBER(root.id)));
    tsr_dart_block_receive(&share, &receive, result);
    tsr_dart_block_drop(&send);
  }
  return tsr_dart_share_end(&share, TSR_STAT_GATHER, result);
}

dart_ret_t dart_allgather(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype, dart_team_t team) {
  struct tsr_dart_share share;
  dart_ret_t result = tsr_dart_share_begin(&share, __func__, team, nelem, dtype);
  if (result != DART_OK) return result;
  result = tsr_dart_check_buffer(&share, recvbuf, "recvbuf");
  if (tsr_dart_share_goes_on(&share, result)) {
    if (tsr_dart_in_place(sendbuf, recvbuf)) sendbuf = (char *)recvbuf + (size_t)share.team->self * share.step_bytes;
    struct tsr_dart_block send = tsr_dart_block_to_send(&share, sendbuf, 1);
    struct tsr_dart_block receive = tsr_dart_block_for(&share, recvbuf, share.team->size);
    result = tsr_dart_code(tsr_allgather(share.team, send.data, receive.data, share.bytes));
    tsr_dart_block_receive(&share, &receive, result);
    tsr_dart_block_drop(&send);
  }
  return tsr_dart_share_end(&share, TSR_STAT_ALLGATHER, result);
}

static dart_ret_t check_counted(const struct tsr_dart_share *share, const void *sendbuf, size_t nsendelem,
                                const void *recvbuf, const size_t counts[]) {
  int32_t self = share->team->self;
  dart_ret_t result = tsr_dart_check_buffer(share, recvbuf, "recvbuf");
  if (result != DART_OK || !share->bytes || tsr_dart_in_place(sendbuf, recvbuf) || nsendelem == counts[self]) return result;
  return tsr_dart_invalid("TSR-2018 %s: nsendelem is %zu, but nrecvelem of this unit (%d) is %zu; they must be equal",
                          share->call, nsendelem, self, counts[self]);
}

/* A barrier even without bytes: a unit whose tables are NULL cannot know that there are none, and waits. */
static dart_ret_t gather_counted(struct tsr_dart_share *share, const void *sendbuf, void *recvbuf,
                                 struct tsr_dart_counted *counted) {
  int32_t self = share->team->self;
  if (!share->bytes) return tsr_dart_code(tsr_barrier(share->team));
  bool own_in_place = tsr_dart_in_place(sendbuf, recvbuf);
  if (own_in_place) sendbuf = (char *)recvbuf + counted->displs[self];
  char *all = tsr_dart_counted_data(counted, recvbuf);
  struct tsr_dart_block own = tsr_dart_counted_own(counted, self, sendbuf);
  dart_ret_t result = tsr_dart_code(tsr_allgatherv(share->team, own.data, all, counted->bytes, counted->offs));
  if (result == DART_OK) tsr_dart_counted_unpack(counted, recvbuf);
  tsr_dart_block_drop(&own);
  return result;
}

dart_ret_t dart_allgatherv(const void *sendbuf, size_t nsendelem, dart_datatype_t dtype, void *recvbuf,
                           const size_t *nrecvelem, const size_t *recvdispls, dart_team_t teamid) {
  struct tsr_dart_share share;
  struct tsr_dart_counted counted = {.all_blocks = true};
  dart_ret_t result = tsr_dart_share_begin(&share, __func__, teamid, 0, DART_TYPE_BYTE);
  if (result != DART_OK) return result;
  result = tsr_dart_counted_make(&share, dtype, "nrecvelem or recvdispls", nrecvelem, recvdispls, &counted);
  share.bytes = counted.total;
  if (result == DART_OK) result = check_counted(&share, sendbuf, nsendelem, recvbuf, nrecvelem);
  if (result == DART_OK) result = gather_counted(&share, sendbuf, recvbuf, &counted);
  else fail_others(&share);
  tsr_dart_counted_drop(&counted);
  return tsr_dart_share_end(&share, TSR_STAT_ALLGATHER, result);
}

dart_ret_t dart_alltoall(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype, dart_team_t team) {
  struct tsr_dart_share share;
  dart_ret_t result = tsr_dart_share_begin(&share, __func__, team, nelem, dtype);
  if (result != DART_OK) return result;
  result = tsr_dart_check_buffer(&share, recvbuf, "recvbuf");
  if (tsr_dart_share_goes_on(&share, result)) {
    struct tsr_dart_block send = tsr_dart_in_place(sendbuf, recvbuf) ? tsr_dart_block_in_place(&share, recvbuf)
                                                   : tsr_dart_block_to_send(&share, sendbuf, share.team->size);
    struct tsr_dart_block receive = tsr_dart_block_for(&share, recvbuf, share.team->size);
    result = tsr_dart_code(tsr_alltoall(share.team, send.data, receive.data, share.bytes));
    tsr_dart_block_receive(&share, &receive, result);
    tsr_dart_block_drop(&send);
  }
  return tsr_dart_share_end(&share, TSR_STAT_ALLTOALL, result);
}
