#include "core/leak.h"

#include <stddef.h>
#include <stdint.h>

#include "base/log.h"
#include "core/op.h"
#include "core/place.h"
#include "core/segment.h"
#include "core/team.h"

static bool reports_for(const tsr_team *team) { return team->self == 0; }

static void report_teams(enum tsr_api api, const char *name) {
  const tsr_team *first = NULL;
  int n = 0;
  for (int32_t id = 0; id < tsr_teams_end; id++) {
    const tsr_team *team = tsr_teams[id];
    if (!team || id == TSR_TEAM_WORLD || team->api != api || team->is_internal || !reports_for(team)) continue;
    if (n++ == 0) first = team;
  }
  if (n > 0)
    tsr_warn("TSR-0411 the end of %s leaves %d teams, the first is team %d with %d units; let all members destroy each "
             "team that the program has made", name, n, first->id, first->size);
}

/* Segments that were found. */
struct found {
  int n;
  uint64_t bytes; /* of this unit's parts */
  const tsr_segment *first;
};

static void add_segment(struct found *found, enum tsr_api api, const tsr_segment *segment) {
  if (!segment || segment->api != api || segment->is_internal) return;
  if (found->n++ == 0) found->first = segment;
  found->bytes += tsr_segment_bytes(segment, TSR_MEMBER(segment->team->self));
}

static void report_segments(enum tsr_api api, const char *name) {
  struct found found = {0};
  for (int32_t id = 0; id < tsr_teams_end; id++) {
    const tsr_team *team = tsr_teams[id];
    if (!team || !reports_for(team)) continue;
    for (int32_t number = 1; number < team->segments_n; number++) add_segment(&found, api, tsr_segment_find(team, number));
  }
  if (found.n > 0)
    tsr_warn("TSR-0412 the end of %s leaves %d segments of global memory, with %llu bytes on this unit; the first is "
             "segment %d of team %d, here at %p; let all members of its team free each", name, found.n,
             (unsigned long long)found.bytes,
             found.first->id, found.first->team->id,
             tsr_heap_at(tsr_heap.self, tsr_segment_off(found.first, TSR_MEMBER(found.first->team->self))));
}

/* A unit ends its part of registered memory alone. */
static void report_registered(enum tsr_api api, const char *name) {
  struct found found = {0};
  for (int32_t id = 0; id < tsr_teams_end; id++) {
    const tsr_team *team = tsr_teams[id];
    if (!team || !team->registrations) continue;
    for (int32_t number = 1; number < TSR_SEGMENT_IDS; number++) {
      const tsr_segment *segment = tsr_segment_registered(team, -number);
      if (segment && !tsr_registered_ended(segment, TSR_MEMBER(team->self))) add_segment(&found, api, segment);
    }
  }
  if (found.n > 0)
    tsr_warn("TSR-0413 the end of %s leaves %d segments of registered memory, with %llu bytes on this unit; the first "
             "is segment %d of team %d; deregister each", name, found.n, (unsigned long long)found.bytes, found.first->id,
             found.first->team->id);
}

static void report_local(enum tsr_api api, const char *name) {
  uint64_t first = 0, all = 0, n = 0;
  for (uint64_t off = 0, bytes; tsr_segment_local_next(api, &off, &bytes); off += bytes ? bytes : 1) {
    if (n++ == 0) first = off;
    all += bytes;
  }
  if (n > 0)
    tsr_warn("TSR-0414 the end of %s leaves %llu pieces of local memory, with %llu bytes; the first is at %p; free each",
             name, (unsigned long long)n, (unsigned long long)all, tsr_heap_at(tsr_heap.self, first));
}

static void report_handles(const char *name) {
  int n = tsr_handles_live();
  if (n > 0)
    tsr_warn("TSR-0415 the end of %s, the last interface, leaves %d handles of transfers; wait for each, or test "
             "it until it is complete", name, n);
}

void tsr_leak_report(enum tsr_api api, const char *name, bool is_last) {
  if (api == TSR_API_GASNET || api == TSR_API_SHMEM) return;
  report_teams(api, name);
  report_segments(api, name);
  report_registered(api, name);
  report_local(api, name);
  if (is_last) report_handles(name);
}
