#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/copy.h"
#include "coll/direct.h"
#include "coll/local.h"
#include "core/sync.h"

/* With at least this many members and bytes, each member combines a part of the elements for all members, instead of
 * all elements for itself. */
enum { SPLIT_MEMBERS = 3, SPLIT_BYTES = 2048 };

/* Bytes combined at a time, so that they stay in the cache. */
enum { CHUNK_BYTES = 32 << 10 };

/* Up to this size, the only receiver of two members combines alone. Measured: from 32 KiB on two members are faster than one. */
enum { ALONE_BYTES = 16 << 10 };

/* First element of the part that local member `local` combines. */
static size_t first_of(const tsr_team *team, int32_t local, size_t n) {
  size_t locals_n = (size_t)team->locals_n, i = (size_t)local;
  return n / locals_n * i + tsr_min_size(i, n % locals_n);
}

/* Combines the elements [first, end) of the vectors that all members have published in this round; each vector has `bytes`. */
static void combine_shown(const tsr_team *team, size_t bytes, char *sum, size_t first, size_t end, const tsr_reducer *how) {
  size_t off = first * how->elem_bytes;
  int32_t last = team->locals_n - 1;
  if (first == end) return;
  tsr_copy(sum, (const char *)tsr_sync_theirs(team, last, bytes) + off, (end - first) * how->elem_bytes);
  for (int32_t i = last - 1; i >= 0; i--)
    how->apply(sum, (const char *)tsr_sync_theirs(team, i, bytes) + off, end - first, how);
}

/* As combine_shown, for all elements, but each member combines a part and publishes it in a second round. */
static bool combine_split(tsr_team *team, size_t bytes, char *sum, const tsr_reducer *how) {
  size_t n = bytes / how->elem_bytes;
  combine_shown(team, bytes, tsr_sync_mine(team, bytes), first_of(team, team->self_local, n),
                first_of(team, team->self_local + 1, n), how);
  if (!tsr_sync_barrier(team)) return false;
  for (int32_t i = 0; sum && i < team->locals_n; i++) {
    size_t first = first_of(team, i, n), part_n = first_of(team, i + 1, n) - first;
    tsr_copy(sum + first * how->elem_bytes, tsr_sync_theirs(team, i, bytes), part_n * how->elem_bytes);
  }
  return true;
}

static bool reduce_bounced(tsr_team *team, const char *send, char *recv, size_t n, const tsr_reducer *how) {
  size_t total = n * how->elem_bytes, step = tsr_max_size(tsr_local_step_bytes(total), how->elem_bytes);
  size_t most = step / how->elem_bytes;
  bool splits = team->locals_n >= SPLIT_MEMBERS && total >= SPLIT_BYTES;
  bool leaves = !recv && !splits && n <= most && team->nodes_n == 1; /* the only round, on the only node */
  for (size_t from = 0; from < n; from += most) {
    size_t now = tsr_min_size(n - from, most), at = from * how->elem_bytes, bytes = now * how->elem_bytes;
    char *sum = recv ? recv + at : NULL;
    tsr_copy(tsr_sync_mine(team, bytes), send + at, bytes);
    if (leaves) tsr_sync_arrive(team);
    else if (!tsr_sync_barrier(team)) return false;
    if (splits && !combine_split(team, bytes, sum, how)) return false;
    if (!splits && sum) combine_shown(team, bytes, sum, 0, now, how);
  }
  return true;
}

/* Elements that are combined at a time. */
static size_t chunk_n(const tsr_reducer *how) { return CHUNK_BYTES > how->elem_bytes ? CHUNK_BYTES / how->elem_bytes : 1; }

/* Combines n elements of all sources. `room`: space for n elements of one source. */
static void combine_sources(const tsr_team *team, size_t first, size_t n, char *sum, char *room, const tsr_reducer *how) {
  size_t off = first * how->elem_bytes, bytes = n * how->elem_bytes;
  int32_t last = team->locals_n - 1;
  tsr_direct_get(team, last, off, sum, bytes);
  for (int32_t i = last - 1; i >= 0; i--) how->apply(sum, tsr_direct_view(team, i, off, room, bytes), n, how);
}

/* Each member combines one part, chunk by chunk, and copies the result to all destinations. Only this member reads its part of
 * the sources, and it reads each chunk of all sources before it writes the chunk, so a source may also be a destination. */
static bool reduce_in_parts(tsr_team *team, size_t n, const tsr_reducer *how) {
  size_t end = first_of(team, team->self_local + 1, n), most = chunk_n(how);
  char *sum = tsr_coll_memory(2 * most * how->elem_bytes), *room = sum + most * how->elem_bytes;
  for (size_t first = first_of(team, team->self_local, n); first < end; first += most) {
    size_t now = tsr_min_size(end - first, most);
    combine_sources(team, first, now, sum, room, how);
    for (int32_t i = 0; i < team->locals_n; i++) {
      if (tsr_direct_has_dest(team, i)) tsr_direct_put(team, i, first * how->elem_bytes, sum, now * how->elem_bytes);
    }
  }
  free(sum);
  return tsr_sync_barrier(team);
}

/* For two members, of which only one receives: the receiver combines all elements. With little data the other member would only
 * add system calls. */
static bool reduce_alone(tsr_team *team, const void *send, char *recv, size_t n, const tsr_reducer *how) {
  if (!recv) return tsr_sync_barrier(team);
  size_t most = chunk_n(how);
  bool in_place = recv == send && team->self_local == 0; /* the copy of member 1's elements would overwrite its own */
  char *sum = tsr_coll_memory(2 * most * how->elem_bytes), *room = sum + most * how->elem_bytes;
  for (size_t first = 0; first < n; first += most) {
    size_t now = tsr_min_size(n - first, most);
    char *dest = recv + first * how->elem_bytes;
    combine_sources(team, first, now, in_place ? sum : dest, room, how);
    if (in_place) tsr_copy(dest, sum, now * how->elem_bytes);
  }
  free(sum);
  tsr_sync_arrive(team); /* the other member does not access the buffers of this one */
  return true;
}

bool tsr_local_reduce(tsr_team *team, const void *send, void *recv, size_t n, const tsr_reducer *how) {
  size_t bytes = n * how->elem_bytes;
  if (team->locals_n == 1) {
    if (recv && recv != send && bytes) tsr_copy(recv, send, bytes);
    return true;
  }
  if (tsr_direct_pays(team, TSR_DIRECT_REDUCE, bytes)) {
    size_t each = team->locals_n == 2 ? bytes : bytes / (size_t)team->locals_n;
    struct tsr_direct_shape shape = {TSR_DIRECT_REDUCE, -1, bytes, tsr_min_size(each, CHUNK_BYTES)};
    enum tsr_direct direct = tsr_direct_begin(team, &shape, send, bytes, recv);
    if (direct == TSR_DIRECT_FAILED) return false;
    if (direct == TSR_DIRECT_YES && team->locals_n == 2 && bytes <= ALONE_BYTES && tsr_direct_only_dest(team) >= 0)
      return reduce_alone(team, send, recv, n, how);
    if (direct == TSR_DIRECT_YES) return reduce_in_parts(team, n, how);
  }
  return reduce_bounced(team, send, recv, n, how);
}
