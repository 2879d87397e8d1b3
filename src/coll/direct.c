#include "coll/direct.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/config.h"
#include "base/copy.h"
#include "core/place.h"
#include "core/runtime.h"
#include "core/sync.h"
#include "node/attach.h"

/* The location of a buffer, with the same meaning for all members: 0 (no buffer), its offset from the base of the heaps plus 1,
 * or, for private memory, its address in its owner with the highest bit set. */
typedef uint64_t location;
enum { NOWHERE = 0 };
#define PRIVATE (UINT64_C(1) << 63)

/* What a member publishes for a call. `step` distinguishes it from that of an earlier call. */
struct locations {
  location source, dest;
  uint64_t bytes, step, given; /* given: bytes of the source */
  int32_t root;
  uint16_t call;
  bool attaches; /* the member can have the kernel copy from and to all others */
};

/* ---- whether to try ---- */

enum { SHORTEST_BITS = 11 /* of TSR_DIRECT_BYTES */, AGAIN_AFTER_ROUNDS = 1000 };
_Static_assert(TSR_DIRECT_BYTES == 1 << SHORTEST_BITS, "the entries begin there");
_Static_assert(TSR_DIRECT_REMEMBERED_BYTES == TSR_DIRECT_BYTES << TSR_TEAM_BOUNCED_LENGTHS, "one entry for each doubling");
/* Members may leave a call that tries no direct copies in its first round, which must then be the only one. */
_Static_assert((int)TSR_DIRECT_REMEMBERED_BYTES <= (int)TSR_BOUNCE_BYTES / 2, "one step through the bounce buffers");
_Static_assert((int)TSR_DIRECT_REDUCE < (int)TSR_TEAM_BOUNCED_CALLS, "one entry for each kind of call");

/* The entry for calls like this one; NULL: they always try. */
static uint32_t *when_bounced(tsr_team *team, enum tsr_direct_call call, size_t bytes) {
  if (bytes <= TSR_DIRECT_BYTES || bytes > TSR_DIRECT_REMEMBERED_BYTES) return NULL;
  return &team->bounced[call][63 - __builtin_clzll(bytes - 1) - SHORTEST_BITS];
}

/* Depends only on what all members have in common: the calls before, the number of rounds so far, and whether the node is
 * oversubscribed. */
bool tsr_direct_pays_slow(tsr_team *team, enum tsr_direct_call call, size_t bytes) {
  size_t most = tsr_wait_oversubscribed() ? TSR_DIRECT_OVERSUBSCRIBED_BYTES : TSR_DIRECT_BYTES;
  if (call == TSR_DIRECT_BCAST) most = TSR_DIRECT_BCAST_BYTES;
  if (bytes <= most) return false;
  const uint32_t *bounced = when_bounced(team, call, bytes);
  return !bounced || !*bounced || (uint32_t)tsr_sync_next(team) - *bounced > AGAIN_AFTER_ROUNDS;
}

/* Stores the number of the last round, which has shown that direct copies are impossible. */
static void remember_bounced(tsr_team *team, enum tsr_direct_call call, size_t bytes) {
  uint32_t *bounced = when_bounced(team, call, bytes);
  if (bounced) *bounced = (uint32_t)tsr_sync_next(team) - 1;
}

/* ---- locations ---- */

static location location_of(const void *memory) {
  uint32_t local;
  uint64_t off;
  if (!memory) return NOWHERE;
  return tsr_heap_contains(memory, &local, &off) ? (location)((const char *)memory - tsr_heap.base) + 1
                                                 : PRIVATE | (uintptr_t)memory;
}
static bool is_private(location at) { return at & PRIVATE; }

static const struct locations *locations_of(const tsr_team *team, int32_t local) {
  return tsr_sync_theirs(team, local, sizeof(struct locations));
}

static tsr_unit unit_of(const tsr_team *team, int32_t local) { return tsr_team_unit(team, TSR_MEMBER(team->locals[local])); }
static uint32_t node_number(const tsr_team *team, int32_t local) { return (uint32_t)tsr_place_local(unit_of(team, local)); }

static bool attaches_all(const tsr_team *team) {
  for (int32_t i = 0; i < team->locals_n; i++) {
    if (i != team->self_local && !tsr_attach_works(node_number(team, i))) return false;
  }
  return true;
}

static bool same_call(const struct locations *a, const struct locations *b) {
  return a->step == b->step && a->call == b->call && a->root == b->root && a->bytes == b->bytes;
}

static _Noreturn void end_different(const tsr_team *team, int32_t local) {
  tsr_abort(EXIT_FAILURE, "TSR-0904 unit %d makes another collective call on team %d than unit %d, or passes another size, other "
            "counts or another root; let all members make the same calls in the same order (TESSERA_CHECK=1 names both calls)",
            unit_of(team, local).id, team->id, tsr_place.self);
}

enum tsr_direct tsr_direct_begin(tsr_team *team, const struct tsr_direct_shape *shape, const void *source, size_t given,
                                 void *dest) {
  struct locations *mine = tsr_sync_mine(team, sizeof *mine);
  bool any_private = false, all_attach = true;
  *mine = (struct locations){.source = location_of(source), .dest = location_of(dest), .bytes = shape->bytes,
                             .step = tsr_sync_next(team), .given = given, .call = (uint16_t)shape->call, .root = shape->root,
                             .attaches = shape->each >= tsr_attach_from && attaches_all(team) && !tsr_config_under_valgrind()};
  if (!tsr_sync_barrier(team)) return TSR_DIRECT_FAILED;
  for (int32_t i = 0; i < team->locals_n; i++) {
    const struct locations *theirs = locations_of(team, i);
    if (!same_call(theirs, mine)) end_different(team, i);
    any_private = any_private || is_private(theirs->source) || is_private(theirs->dest);
    all_attach = all_attach && theirs->attaches;
  }
  if (!any_private || all_attach) return TSR_DIRECT_YES;
  remember_bounced(team, shape->call, shape->bytes);
  return TSR_DIRECT_NO;
}

/* ---- copies ---- */

static bool never_done(const void *nothing) {
  (void)nothing;
  return false;
}

/* Waits for the end of the job: the process has died, and its monitor soon ends the job with an error message. */
static _Noreturn void await_end(const tsr_team *team) {
  for (;;) tsr_wait(never_done, NULL, (struct tsr_wait_why){TSR_WAIT_BARRIER, team->id, (int64_t)tsr_sync_next(team)});
}

static _Noreturn void end_for_copy_error(const tsr_team *team, int32_t local, enum tsr_attach_way way, const void *own,
                                  const void *other, size_t bytes, int reason) {
  if (reason == ESRCH) await_end(team);
  if (reason == EPERM)
    tsr_abort(EXIT_FAILURE, "TSR-0911 collective call on team %d: the kernel no longer permits unit %d to copy memory of unit %d; "
              "keep that permission (PR_SET_PTRACER, PR_SET_DUMPABLE), or set TESSERA_ATTACH=off", team->id, tsr_place.self,
              unit_of(team, local).id);
  tsr_abort(EXIT_FAILURE, "TSR-0910 collective call on team %d: unit %d cannot copy %zu bytes %s unit %d, between its own address "
            "%p and address %p of that unit: %s; let each member pass readable memory of the whole size, writable if it receives; "
            "for memory of a device set TESSERA_ATTACH=off", team->id, tsr_place.self, bytes, way == TSR_ATTACH_GET ? "from" : "to",
            unit_of(team, local).id, own, other, strerror(reason));
}

static void attach_copy(const tsr_team *team, int32_t local, enum tsr_attach_way way, void *own, void *other, size_t bytes) {
  struct tsr_attach_side ours = tsr_attach_one(own, bytes), theirs = tsr_attach_one(other, bytes);
  if (tsr_attach_try(node_number(team, local), way, &ours, &theirs)) end_for_copy_error(team, local, way, own, other, bytes, errno);
}

/* Returns a pointer through which this process can access the buffer; NULL: private memory of another process. */
static char *pointer_at(const tsr_team *team, int32_t local, location at, size_t off) {
  if (!is_private(at)) return tsr_heap.base + (at - 1) + off;
  return local == team->self_local ? (char *)(uintptr_t)(at & ~PRIVATE) + off : NULL;
}
static void *address_at(location at, size_t off) { return (char *)(uintptr_t)(at & ~PRIVATE) + off; }

const void *tsr_direct_view(const tsr_team *team, int32_t local, size_t off, void *room, size_t bytes) {
  const struct locations *theirs = locations_of(team, local);
  location at = theirs->source;
  if (at == NOWHERE || off > theirs->given || bytes > theirs->given - off) end_different(team, local);
  const char *place = pointer_at(team, local, at, off);
  if (place) return place;
  attach_copy(team, local, TSR_ATTACH_GET, room, address_at(at, off), bytes);
  return room;
}

void tsr_direct_get(const tsr_team *team, int32_t local, size_t off, void *into, size_t bytes) {
  const void *data = tsr_direct_view(team, local, off, into, bytes);
  if (data != into) tsr_copy(into, data, bytes);
}

void tsr_direct_put(const tsr_team *team, int32_t local, size_t off, const void *from, size_t bytes) {
  location at = locations_of(team, local)->dest;
  char *place = pointer_at(team, local, at, off);
  if (place && place != from) tsr_copy(place, from, bytes);
  if (!place) attach_copy(team, local, TSR_ATTACH_PUT, (void *)(uintptr_t)from, address_at(at, off), bytes);
}

bool tsr_direct_has_dest(const tsr_team *team, int32_t local) { return locations_of(team, local)->dest != NOWHERE; }

int32_t tsr_direct_only_dest(const tsr_team *team) {
  int32_t found = -1;
  for (int32_t i = 0; i < team->locals_n; i++) {
    if (!tsr_direct_has_dest(team, i)) continue;
    if (found >= 0) return -1;
    found = i;
  }
  return found;
}
