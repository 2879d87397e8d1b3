#include "coll/local.h"

#include <string.h>

#include "base/bits.h"
#include "base/copy.h"
#include "coll/direct.h"
#include "core/runtime.h"
#include "core/sync.h"

/* Returns how many of the bytes [from, from + step) exist if there are `bytes` in all. */
static size_t part_bytes(size_t bytes, size_t from, size_t step) { return bytes <= from ? 0 : tsr_min_size(bytes - from, step); }

int32_t tsr_local_of(const tsr_team *team, tsr_member member) {
  int32_t low = 0, high = team->locals_n - 1;
  while (low <= high) {
    int32_t middle = low + (high - low) / 2;
    if (team->locals[middle] == member.id) return middle;
    if (team->locals[middle] < member.id) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

/* Whether members may leave a round before all have arrived. In the first round of a call they may only if no other node must be
 * notified of a failure. The first round is then the only one (see the assertions in coll/direct.c), because a member that fails
 * the call takes part in no other round. */
static bool may_leave(const tsr_team *team, bool is_first) { return !is_first || team->nodes_n == 1; }

/* A round in which the root publishes its part to the others. */
static bool show_part(tsr_team *team, int32_t root, bool is_first) {
  if (!may_leave(team, is_first)) return tsr_sync_barrier(team);
  if (team->self_local != root) return tsr_sync_wait_root(team, root);
  tsr_sync_signal(team);
  return true;
}

/* The last round of a direct copy: a member whose memory others access waits for all members. */
static bool end_direct(tsr_team *team, bool has_given) {
  if (has_given) return tsr_sync_barrier(team);
  tsr_sync_arrive(team);
  return true;
}

/* Returns the local member `step` places after this one. So members begin with different buffers and do not all access one
 * buffer at the same time. */
static int32_t member_after(const tsr_team *team, int32_t step) { return (team->self_local + step) % team->locals_n; }

static bool is_in_heaps(const void *memory) {
  uint32_t local;
  uint64_t off;
  return tsr_heap_contains(memory, &local, &off);
}

/* A position in a list of pieces that is copied like contiguous bytes. */
struct stream {
  char *buffer;
  const struct tsr_data_range *piece;
  size_t done; /* of this piece */
};

/* Copies the next bytes of the stream into a bounce buffer, or out of one. */
static void copy_next(struct stream *stream, char *out, const char *in, size_t bytes) {
  for (size_t at = 0, now; at < bytes; at += now) {
    char *place = stream->buffer + stream->piece->off + stream->done;
    now = tsr_min_size(stream->piece->bytes - stream->done, bytes - at);
    if (out) tsr_copy(out + at, place, now);
    else tsr_copy(place, in + at, now);
    stream->done += now;
    if (stream->done < stream->piece->bytes) continue;
    stream->piece++;
    stream->done = 0;
  }
}

/* Returns the length of the end of a piece that the root copies to a member while the member copies the rest: two cores copy
 * faster than one. */
static size_t roots_part(const tsr_team *team, int32_t member, size_t bytes) {
  return tsr_direct_has_dest(team, member) ? bytes / (size_t)team->locals_n : 0;
}

static void bcast_piece(const tsr_team *team, char *buffer, const struct tsr_data_range *piece, int32_t root) {
  if (team->self_local != root) {
    size_t own = piece->bytes - roots_part(team, team->self_local, piece->bytes);
    tsr_direct_get(team, root, piece->off, buffer + piece->off, own);
    return;
  }
  for (int32_t step = 1; step < team->locals_n; step++) {
    int32_t member = member_after(team, step);
    size_t part = roots_part(team, member, piece->bytes), off = piece->off + piece->bytes - part;
    if (part) tsr_direct_put(team, member, off, buffer + off, part);
  }
}

bool tsr_local_bcast_pieces(tsr_team *team, char *buffer, const struct tsr_data_range pieces[], size_t pieces_n, int32_t root) {
  bool is_root = team->self_local == root;
  size_t bytes = 0, end = 0;
  if (team->locals_n == 1) return true;
  for (size_t i = 0; i < pieces_n; i++) {
    bytes += pieces[i].bytes;
    end = tsr_max_size(end, pieces[i].off + pieces[i].bytes);
  }
  const bool tries = tsr_direct_pays(team, TSR_DIRECT_BCAST, bytes);
  if (tries) {
    /* `each` is 0, so that the kernel does not copy: with bounce buffers the root writes while others read; copies by the kernel
     * would not overlap in this way. The root writes only to buffers in the heaps, and only if the node is not oversubscribed:
     * otherwise the members would wait for the root. */
    struct tsr_direct_shape shape = {TSR_DIRECT_BCAST, root, bytes, .each = 0};
    char *open = !is_root && is_in_heaps(buffer) && !tsr_wait_oversubscribed() ? buffer : NULL;
    enum tsr_direct direct = tsr_direct_begin(team, &shape, is_root ? buffer : NULL, end, open);
    if (direct == TSR_DIRECT_FAILED) return false;
    if (direct == TSR_DIRECT_YES) {
      for (size_t i = 0; i < pieces_n; i++) bcast_piece(team, buffer, &pieces[i], root);
      return end_direct(team, is_root || open);
    }
  }
  struct stream stream = {buffer, pieces, 0};
  const size_t step = tsr_local_step_bytes(bytes);
  for (size_t from = 0; from < bytes; from += step) {
    size_t now = part_bytes(bytes, from, step);
    if (is_root) copy_next(&stream, tsr_sync_mine(team, now), NULL, now);
    if (!show_part(team, root, !tries)) return false;
    if (!is_root) copy_next(&stream, NULL, tsr_sync_theirs(team, root, now), now);
  }
  return true;
}

bool tsr_local_bcast(tsr_team *team, void *buffer, size_t bytes, int32_t root) {
  if (bytes && !tsr_direct_pays(team, TSR_DIRECT_BCAST, bytes) && team->locals_n > 1) { /* short, without a list of pieces */
    bool is_root = team->self_local == root;
    if (is_root) tsr_copy(tsr_sync_mine(team, bytes), buffer, bytes);
    if (!show_part(team, root, true)) return false;
    if (!is_root) tsr_copy(buffer, tsr_sync_theirs(team, root, bytes), bytes);
    return true;
  }
  return tsr_local_bcast_pieces(team, buffer, &(struct tsr_data_range){0, bytes}, 1, root);
}

/* Copies a member's own part, unless it is already in place. Returns true, for callers that are then done. */
static bool keep_own(void *place, const void *own, size_t bytes) {
  if (place && place != own && bytes) tsr_copy(place, own, bytes);
  return true;
}

/* Copies the blocks of all local members to their places. If `step` is 0, copies whole blocks from the members' buffers.
 * Otherwise copies the bytes [from, from + step) of each block from the bounce buffers, where the part of the longest
 * block has `shown` bytes. */
static void take_blocks(const tsr_team *team, const char *send, const struct tsr_coll_buffer *buffer, char *packed, size_t from,
                        size_t step, size_t shown) {
  for (int32_t at = 1; at <= team->locals_n; at++) {
    int32_t i = member_after(team, at);
    size_t all = tsr_coll_buffer_bytes(buffer, team->locals[i]), now = step ? part_bytes(all, from, step) : all;
    if (!now) continue;
    char *place = (packed ? packed + (size_t)i * all : tsr_coll_buffer_at(buffer, team->locals[i])) + from;
    if (i == team->self_local) keep_own(place, send + from, now);
    else if (step) tsr_copy(place, tsr_sync_theirs(team, i, shown), now);
    else tsr_direct_get(team, i, 0, place, now);
  }
}

bool tsr_local_collect(tsr_team *team, const void *send, const struct tsr_coll_buffer *buffer, char *packed) {
  size_t own = tsr_coll_buffer_bytes(buffer, team->self), longest = own;
  if (team->locals_n == 1) return keep_own(packed ? packed : tsr_coll_buffer_at(buffer, team->self), send, own);
  bool receives = packed || buffer->data;
  for (int32_t i = 0; buffer->counts && i < team->locals_n; i++) {
    if (buffer->counts[team->locals[i]] > longest) longest = buffer->counts[team->locals[i]];
  }
  const bool tries = tsr_direct_pays(team, TSR_DIRECT_COLLECT, longest);
  if (tries) {
    struct tsr_direct_shape shape = {TSR_DIRECT_COLLECT, -1, longest, longest};
    char *open = packed || buffer->counts ? NULL : buffer->data; /* if blocks have equal size, others know their place */
    enum tsr_direct direct = tsr_direct_begin(team, &shape, own ? send : NULL, own, open);
    if (direct == TSR_DIRECT_FAILED) return false;
    if (direct == TSR_DIRECT_YES) {
      int32_t only = tsr_direct_only_dest(team); /* all members copy to its buffer, at the same time */
      if (only >= 0) tsr_direct_put(team, only, (size_t)team->self * own, send, own);
      else if (receives) take_blocks(team, send, buffer, packed, 0, 0, 0);
      return end_direct(team, true);
    }
  }
  if (!longest) return tsr_sync_barrier(team); /* a member may fail even this call, because of blocks on other nodes */
  bool leaves = !receives && may_leave(team, !tries);
  const size_t step = tsr_local_step_bytes(longest);
  for (size_t from = 0; from < longest; from += step) {
    size_t shown = part_bytes(longest, from, step), own_shown = part_bytes(own, from, step);
    if (own_shown) tsr_copy(tsr_sync_mine(team, shown), (const char *)send + from, own_shown);
    if (leaves) tsr_sync_arrive(team);
    else if (!tsr_sync_barrier(team)) return false;
    if (receives) take_blocks(team, send, buffer, packed, from, step, shown);
  }
  return true;
}

bool tsr_local_distribute(tsr_team *team, const void *send, size_t bytes, void *recv, int32_t root) {
  size_t total = bytes * (size_t)team->locals_n, begin = bytes * (size_t)team->self_local;
  bool is_root = team->self_local == root;
  if (team->locals_n == 1) return keep_own(recv, send, bytes);
  const bool tries = tsr_direct_pays(team, TSR_DIRECT_DISTRIBUTE, total);
  if (tries) {
    struct tsr_direct_shape shape = {TSR_DIRECT_DISTRIBUTE, root, total, bytes};
    enum tsr_direct direct = tsr_direct_begin(team, &shape, is_root ? send : NULL, total, NULL);
    if (direct == TSR_DIRECT_FAILED) return false;
    if (direct == TSR_DIRECT_YES) {
      if (!is_root) tsr_direct_get(team, root, begin, recv, bytes);
      else keep_own(recv, (const char *)send + begin, bytes);
      return end_direct(team, is_root);
    }
  }
  const size_t step = tsr_local_step_bytes(total);
  for (size_t from = 0; from < total; from += step) {
    size_t now = part_bytes(total, from, step);
    if (is_root) tsr_copy(tsr_sync_mine(team, now), (const char *)send + from, now);
    if (!show_part(team, root, !tries)) return false;
    size_t low = tsr_max_size(begin, from), high = tsr_min_size(begin + bytes, from + now); /* own block in this step */
    const char *shown = tsr_sync_theirs(team, root, now);
    if (low < high) tsr_copy((char *)recv + (low - begin), shown + (low - from), high - low);
  }
  return true;
}

enum { OVERLAP_BYTES = 16 << 10 };

/* In one round each member writes pieces for `many` others to its bounce buffer, beginning with the member `first`
 * places after it. All members then copy the same amount out. With large pieces a member copies part of its own block
 * between arrival and wait, so that slower members delay it less. */
static bool exchange_by_bounce_buffers(tsr_team *team, const char *send, size_t bytes, char *recv) {
  size_t n = (size_t)team->locals_n, self = (size_t)team->self_local, own = (size_t)team->self * bytes;
  size_t at_once = bytes < TSR_BOUNCE_BYTES ? TSR_BOUNCE_BYTES / bytes : 1;
  for (size_t first = 1; first < n; first += at_once)
    for (size_t from = 0; from < bytes; from += TSR_BOUNCE_BYTES) {
      size_t now = part_bytes(bytes, from, TSR_BOUNCE_BYTES), many = tsr_min_size(at_once, n - first);
      char *bounce = tsr_sync_mine(team, many * now);
      for (size_t i = 0; i < many; i++)
        tsr_copy(bounce + i * now, send + (size_t)team->locals[(self + first + i) % n] * bytes + from, now);
      bool overlaps = many * now > OVERLAP_BYTES;
      if (overlaps) tsr_sync_enter(team);
      else if (!tsr_sync_barrier(team)) return false;
      if (first == 1) tsr_copy(recv + own + from, send + own + from, now);
      if (overlaps && !tsr_sync_leave(team)) return false;
      for (size_t i = 0; i < many; i++) {
        int32_t sender = (int32_t)((self + n - first - i) % n);
        const char *theirs = tsr_sync_theirs(team, sender, many * now);
        tsr_copy(recv + (size_t)team->locals[sender] * bytes + from, theirs + i * now, now);
      }
    }
  return true;
}

bool tsr_local_exchange(tsr_team *team, const char *send, size_t bytes, char *recv) {
  size_t total = bytes * (size_t)team->locals_n, own = bytes * (size_t)team->self;
  if (team->locals_n == 1) return keep_own(recv + own, send + own, bytes);
  if (tsr_direct_pays(team, TSR_DIRECT_EXCHANGE, total)) {
    struct tsr_direct_shape shape = {TSR_DIRECT_EXCHANGE, -1, total, bytes};
    enum tsr_direct direct = tsr_direct_begin(team, &shape, send, (size_t)team->size * bytes, NULL);
    if (direct == TSR_DIRECT_FAILED) return false;
    if (direct == TSR_DIRECT_YES) {
      for (int32_t step = 1; step <= team->locals_n; step++) {
        int32_t i = member_after(team, step);
        tsr_direct_get(team, i, own, recv + (size_t)team->locals[i] * bytes, bytes);
      }
      return end_direct(team, true);
    }
  }
  return bytes == 0 || exchange_by_bounce_buffers(team, send, bytes, recv);
}
