#include "coll/local.h"

#include <string.h>

#include "base/bits.h"
#include "coll/direct.h"
#include "core/sync.h"

/* Bytes [from, from + step) of a run that is `bytes` long: how many there are. */
static size_t part_bytes(size_t bytes, size_t from) { return bytes <= from ? 0 : tsr_min_size(bytes - from, TSR_BOUNCE_BYTES); }

static bool is_large(size_t bytes) { return bytes > TSR_DIRECT_BYTES; }

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

/* Whether members may leave a call's first step before all have arrived: only if it is the only step, because a member that fails
 * the call takes part in no other, and if no other node waits to hear of a failure. */
static bool may_leave(const tsr_team *team, bool is_first) { return !is_first || team->nodes_n == 1; }

/* A step in which one member shows its part to the others. */
static bool show_part(tsr_team *team, int32_t root, bool is_first) {
  if (!may_leave(team, is_first)) return tsr_sync_barrier(team);
  if (team->self_local != root) return tsr_sync_wait_root(team, root);
  tsr_sync_signal(team);
  return true;
}

/* The last step of a direct copy: a member that has given memory to others waits for them. */
static bool end_direct(tsr_team *team, bool has_given) {
  if (has_given) return tsr_sync_barrier(team);
  tsr_sync_arrive(team);
  return true;
}

/* The pieces as one stream, of which so much is done. */
struct stream {
  char *buffer;
  const struct tsr_piece *piece;
  size_t done; /* of this piece */
};

/* Copies the next bytes of the stream into a bounce buffer, or out of one. */
static void copy_next(struct stream *stream, char *out, const char *in, size_t bytes) {
  for (size_t at = 0, now; at < bytes; at += now) {
    char *place = stream->buffer + stream->piece->off + stream->done;
    now = tsr_min_size(stream->piece->bytes - stream->done, bytes - at);
    if (out) memcpy(out + at, place, now);
    else memcpy(place, in + at, now);
    stream->done += now;
    if (stream->done < stream->piece->bytes) continue;
    stream->piece++;
    stream->done = 0;
  }
}

bool tsr_local_bcast_pieces(tsr_team *team, char *buffer, const struct tsr_piece pieces[], size_t pieces_n, int32_t root) {
  bool is_root = team->self_local == root;
  size_t bytes = 0;
  if (team->locals_n == 1) return true;
  for (size_t i = 0; i < pieces_n; i++) bytes += pieces[i].bytes;
  if (is_large(bytes)) {
    enum tsr_direct direct = tsr_direct_begin(team, TSR_DIRECT_BCAST, root, is_root ? buffer : NULL, NULL, bytes);
    if (direct == TSR_DIRECT_REFUSED) return false;
    if (direct == TSR_DIRECT_YES) {
      for (size_t i = 0; !is_root && i < pieces_n; i++)
        memcpy(buffer + pieces[i].off, tsr_direct_source(team, root) + pieces[i].off, pieces[i].bytes);
      return end_direct(team, is_root);
    }
  }
  struct stream stream = {buffer, pieces, 0};
  for (size_t from = 0; from < bytes; from += TSR_BOUNCE_BYTES) {
    size_t now = part_bytes(bytes, from);
    if (is_root) copy_next(&stream, tsr_sync_mine(team, now), NULL, now);
    if (!show_part(team, root, !is_large(bytes))) return false;
    if (!is_root) copy_next(&stream, NULL, tsr_sync_theirs(team, root, now), now);
  }
  return true;
}

bool tsr_local_bcast(tsr_team *team, void *buffer, size_t bytes, int32_t root) {
  if (bytes && !is_large(bytes) && team->locals_n > 1) { /* the short case of what follows */
    bool is_root = team->self_local == root;
    if (is_root) memcpy(tsr_sync_mine(team, bytes), buffer, bytes);
    if (!show_part(team, root, true)) return false;
    if (!is_root) memcpy(buffer, tsr_sync_theirs(team, root, bytes), bytes);
    return true;
  }
  return tsr_local_bcast_pieces(team, buffer, &(struct tsr_piece){0, bytes}, 1, root);
}

/* For the only member of its node, whose part may lie in its place already. */
static bool keep_own(void *place, const void *own, size_t bytes) {
  if (place && place != own && bytes) memcpy(place, own, bytes);
  return true;
}

static size_t longest_of(const tsr_team *team, const struct tsr_count_list *counts_list) {
  size_t longest = 0;
  for (int32_t i = 0; i < team->locals_n; i++) {
    size_t bytes = tsr_count_bytes(counts_list, team->locals[i]);
    longest = bytes > longest ? bytes : longest;
  }
  return longest;
}

static void get_counts(const tsr_team *team, const void *send, const struct tsr_count_list *counts_list,
                       char *const places[]) {
  for (int32_t i = 0; i < team->locals_n; i++) {
    size_t bytes = tsr_count_bytes(counts_list, team->locals[i]);
    bool in_place = i == team->self_local && places[i] == send;
    if (bytes && !in_place) memcpy(places[i], tsr_direct_source(team, i), bytes);
  }
}

/* The step's parts of all shares, each to its place. */
static void take_counts(const tsr_team *team, const void *send, const struct tsr_count_list *counts_list,
                        char *const places[], size_t from, size_t step) {
  for (int32_t i = 0; i < team->locals_n; i++) {
    size_t now = part_bytes(tsr_count_bytes(counts_list, team->locals[i]), from);
    if (!now) continue;
    if (i != team->self_local) memcpy(places[i] + from, tsr_sync_theirs(team, i, step), now);
    else if (places[i] != send) memcpy(places[i] + from, (const char *)send + from, now);
  }
}

bool tsr_local_collect(tsr_team *team, const void *send, const struct tsr_count_list *counts_list,
                       char *const places[]) {
  size_t longest = longest_of(team, counts_list), own = tsr_count_bytes(counts_list, team->self);
  if (team->locals_n == 1) return keep_own(places ? places[0] : NULL, send, own);
  if (is_large(longest)) {
    enum tsr_direct direct = tsr_direct_begin(team, TSR_DIRECT_COLLECT, -1, own ? send : NULL, NULL, longest);
    if (direct == TSR_DIRECT_REFUSED) return false;
    if (direct == TSR_DIRECT_YES) {
      if (places) get_counts(team, send, counts_list, places);
      return end_direct(team, true);
    }
  }
  if (!longest) return tsr_sync_barrier(team); /* other nodes may have shares, so a member may come to refuse the call */
  bool leaves = !places && may_leave(team, !is_large(longest));
  for (size_t from = 0; from < longest; from += TSR_BOUNCE_BYTES) {
    size_t step = part_bytes(longest, from);
    if (part_bytes(own, from)) memcpy(tsr_sync_mine(team, step), (const char *)send + from, part_bytes(own, from));
    if (leaves) tsr_sync_arrive(team);
    else if (!tsr_sync_barrier(team)) return false;
    if (places) take_counts(team, send, counts_list, places, from, step);
  }
  return true;
}

/* Copies what [begin, end) of a stream has in common with the step [from, from + TSR_BOUNCE_BYTES) of it. */
static void copy_common(char *dest, size_t begin, size_t end, size_t from, const char *bounce) {
  size_t low = begin > from ? begin : from, high = tsr_min_size(end, from + TSR_BOUNCE_BYTES);
  if (low < high) memcpy(dest + (low - begin), bounce + (low - from), high - low);
}

bool tsr_local_distribute(tsr_team *team, const void *send, size_t bytes, void *recv, int32_t root) {
  size_t total = bytes * (size_t)team->locals_n, begin = bytes * (size_t)team->self_local;
  bool is_root = team->self_local == root;
  if (team->locals_n == 1) return keep_own(recv, send, bytes);
  if (is_large(total)) {
    enum tsr_direct direct = tsr_direct_begin(team, TSR_DIRECT_DISTRIBUTE, root, is_root ? send : NULL, NULL, total);
    if (direct == TSR_DIRECT_REFUSED) return false;
    if (direct == TSR_DIRECT_YES) {
      memcpy(recv, tsr_direct_source(team, root) + begin, bytes);
      return end_direct(team, is_root);
    }
  }
  for (size_t from = 0; from < total; from += TSR_BOUNCE_BYTES) {
    size_t now = part_bytes(total, from);
    if (is_root) memcpy(tsr_sync_mine(team, now), (const char *)send + from, now);
    if (!show_part(team, root, !is_large(total))) return false;
    copy_common(recv, begin, begin + bytes, from, tsr_sync_theirs(team, root, now));
  }
  return true;
}

/* In one step each member writes pieces for `many` others into its bounce buffer, beginning with the member `first` places after
 * it. All members then copy out equally much. */
struct exchange_step {
  size_t first, many;
  size_t from, bytes; /* of each piece */
};

static bool exchange_step(tsr_team *team, const char *const places[], char *const recv[], const struct exchange_step *step) {
  size_t n = (size_t)team->locals_n, self = (size_t)team->self_local, staged = step->many * step->bytes;
  char *bounce = tsr_sync_mine(team, staged);
  for (size_t i = 0; i < step->many; i++)
    memcpy(bounce + i * step->bytes, places[(self + step->first + i) % n] + step->from, step->bytes);
  if (!tsr_sync_barrier(team)) return false;
  for (size_t i = 0; i < step->many; i++) {
    size_t sender = (self + n - step->first - i) % n;
    const char *theirs = tsr_sync_theirs(team, (int32_t)sender, staged);
    memcpy(recv[sender] + step->from, theirs + i * step->bytes, step->bytes);
  }
  return true;
}

static bool exchange_by_bounce_buffers(tsr_team *team, const char *const places[], size_t bytes, char *const recv[]) {
  size_t n = (size_t)team->locals_n, at_once = bytes < TSR_BOUNCE_BYTES ? TSR_BOUNCE_BYTES / bytes : 1;
  for (size_t first = 1; first < n; first += at_once)
    for (size_t from = 0; from < bytes; from += TSR_BOUNCE_BYTES) {
      struct exchange_step step = {first, tsr_min_size(at_once, n - first), from, part_bytes(bytes, from)};
      if (!exchange_step(team, places, recv, &step)) return false;
    }
  return keep_own(recv[team->self_local], places[team->self_local], bytes);
}

bool tsr_local_exchange(tsr_team *team, const char *const places[], size_t bytes, char *const recv[]) {
  if (team->locals_n == 1) return keep_own(recv[0], places[0], bytes);
  size_t total = bytes * (size_t)team->locals_n;
  if (is_large(total)) {
    enum tsr_direct direct = tsr_direct_begin(team, TSR_DIRECT_EXCHANGE, -1, places[0], NULL, total);
    if (direct == TSR_DIRECT_REFUSED) return false;
    if (direct == TSR_DIRECT_YES) {
      size_t off = (size_t)(places[team->self_local] - places[0]);
      for (int32_t i = 0; i < team->locals_n; i++) memcpy(recv[i], tsr_direct_source(team, i) + off, bytes);
      return end_direct(team, true);
    }
  }
  return bytes == 0 || exchange_by_bounce_buffers(team, places, bytes, recv);
}
