#include "coll/local.h"

#include <string.h>

#include "core/agree.h"

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

/* Bytes [from, from + step) of a run that is `bytes` long: how many there are. */
static size_t part(size_t bytes, size_t from) { return bytes <= from ? 0 : smaller(bytes - from, TSR_STAGE_BYTES); }

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

bool tsr_local_bcast(tsr_team *team, void *buffer, size_t bytes, int32_t root) {
  if (team->locals_n == 1) return true;
  char *data = buffer;
  for (size_t from = 0; from < bytes; from += TSR_STAGE_BYTES) {
    size_t now = part(bytes, from);
    if (team->self_local == root) memcpy(tsr_agree_stage(team), data + from, now);
    if (!tsr_agree_turn(team)) return false;
    if (team->self_local != root) memcpy(data + from, tsr_agree_stage_of(team, root), now);
  }
  return true;
}

bool tsr_local_collect(tsr_team *team, const void *send, const struct tsr_share_list *shares, char *const places[]) {
  size_t longest = 0, own = tsr_share_bytes(shares, team->self);
  for (int32_t i = 0; i < team->locals_n; i++) {
    size_t bytes = tsr_share_bytes(shares, team->locals[i]);
    longest = bytes > longest ? bytes : longest;
  }
  for (size_t from = 0; from < longest; from += TSR_STAGE_BYTES) {
    if (part(own, from)) memcpy(tsr_agree_stage(team), (const char *)send + from, part(own, from));
    if (!tsr_agree_turn(team)) return false;
    for (int32_t i = 0; places && i < team->locals_n; i++) {
      size_t now = part(tsr_share_bytes(shares, team->locals[i]), from);
      bool in_place = i == team->self_local && places[i] == send;
      if (now && !in_place) memcpy(places[i] + from, tsr_agree_stage_of(team, i), now);
    }
  }
  return true;
}

/* Copies what [begin, end) of a stream has in common with the step [from, from + TSR_STAGE_BYTES) of it. */
static void copy_common(char *dest, size_t begin, size_t end, size_t from, const char *stage) {
  size_t low = begin > from ? begin : from, high = smaller(end, from + TSR_STAGE_BYTES);
  if (low < high) memcpy(dest + (low - begin), stage + (low - from), high - low);
}

bool tsr_local_distribute(tsr_team *team, const void *send, size_t bytes, void *recv, int32_t root) {
  size_t total = bytes * (size_t)team->locals_n, begin = bytes * (size_t)team->self_local;
  for (size_t from = 0; from < total; from += TSR_STAGE_BYTES) {
    if (team->self_local == root) memcpy(tsr_agree_stage(team), (const char *)send + from, part(total, from));
    if (!tsr_agree_turn(team)) return false;
    copy_common(recv, begin, begin + bytes, from, tsr_agree_stage_of(team, root));
  }
  return true;
}

/* Fills a step of the stream of all pieces, one after another, from where the pieces lie. */
static void fill_step(char *stage, const char *const places[], size_t bytes, size_t total, size_t from) {
  for (size_t at = from; at < from + part(total, from);) {
    size_t piece = at / bytes, within = at % bytes;
    size_t now = smaller(bytes - within, from + part(total, from) - at);
    memcpy(stage + (at - from), places[piece] + within, now);
    at += now;
  }
}

bool tsr_local_exchange(tsr_team *team, const char *const places[], size_t bytes, char *const recv[]) {
  size_t total = bytes * (size_t)team->locals_n, begin = bytes * (size_t)team->self_local;
  for (size_t from = 0; from < total; from += TSR_STAGE_BYTES) {
    fill_step(tsr_agree_stage(team), places, bytes, total, from);
    if (!tsr_agree_turn(team)) return false;
    for (int32_t i = 0; i < team->locals_n; i++)
      copy_common(recv[i], begin, begin + bytes, from, tsr_agree_stage_of(team, i));
  }
  return true;
}

bool tsr_local_reduce(tsr_team *team, const void *send, void *recv, size_t n, const tsr_reducer *how) {
  size_t most = TSR_STAGE_BYTES / how->elem_bytes;
  int32_t last = team->locals_n - 1;
  for (size_t from = 0; from < n; from += most) {
    size_t now = smaller(n - from, most), at = from * how->elem_bytes;
    memcpy(tsr_agree_stage(team), (const char *)send + at, now * how->elem_bytes);
    if (!tsr_agree_turn(team)) return false;
    if (!recv) continue;
    char *sum = (char *)recv + at;
    memcpy(sum, tsr_agree_stage_of(team, last), now * how->elem_bytes);
    for (int32_t i = last - 1; i >= 0; i--) how->apply(sum, tsr_agree_stage_of(team, i), now, how);
  }
  return true;
}
