/* The clocks of the nodes. In true time, no unit leaves a barrier before the last unit has entered it. This bounds how much one
 * node's clock is ahead of another's. A series of barriers makes the bounds tight. The series at the start and at the end of the
 * job show how the clocks drift. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/trace.h"
#include "trace.h"

enum { SERIES_N = TSR_TRACE_SYNC_N };

/* One barrier on one node: when the last unit entered it, and when the first unit left it. A node without timelines has {INT64_MIN,
 * INT64_MAX}. */
struct sync_point {
  int64_t entered_ns, left_ns;
};
static const struct sync_point unknown = {INT64_MIN, INT64_MAX};

/* How much a node's clock is ahead of the first node's at one time. */
struct offset {
  int64_t at_ns, ahead_ns, uncertainty_ns;
};

struct clocks {
  struct sync_point *points; /* by node, then by barrier */
  struct offset *offsets;    /* by node, then by series of barriers */
  size_t points_n, series_n; /* of each node */
  int32_t first;             /* the first node that has timelines */
};

static const struct unit *unit_of(const struct timeline *timeline, int32_t number) {
  const struct unit *unit = find_unit(timeline, number);
  if (!unit) end_with_error("an event names unit %d, of which there is no file", number);
  return unit;
}

/* How many synchronisation points each unit has. A unit that died has only those of the start. */
static size_t count_points(const struct timeline *timeline, int32_t name) {
  size_t least = SIZE_MAX, i = 0;
  for (int32_t unit = 0; unit < timeline->units_n; unit++) {
    size_t n = 0;
    for (; i < timeline->events_n && timeline->events[i].unit == timeline->units[unit].number; i++)
      n += timeline->events[i].name == name;
    if (n < least) least = n;
  }
  return least / SERIES_N * SERIES_N;
}

static void collect_points(struct clocks *clocks, const struct timeline *timeline, int32_t name) {
  const struct unit *unit = NULL;
  size_t k = 0, n = (size_t)timeline->nodes_n * clocks->points_n;
  clocks->points = resize_memory(NULL, n, sizeof *clocks->points);
  for (size_t i = 0; i < n; i++) clocks->points[i] = unknown;
  for (size_t i = 0; i < timeline->events_n; i++) {
    const struct event *event = &timeline->events[i];
    if (event->name != name) continue;
    if (!unit || unit->number != event->unit) {
      unit = unit_of(timeline, event->unit);
      k = 0;
    }
    if (k == clocks->points_n) continue;
    struct sync_point *point = &clocks->points[(size_t)unit->node * clocks->points_n + k++];
    if (event->at_ns > point->entered_ns) point->entered_ns = event->at_ns;
    if (event->at_ns + event->took_ns < point->left_ns) point->left_ns = event->at_ns + event->took_ns;
  }
}

static struct offset bound_offset(const struct sync_point first[], const struct sync_point node[]) {
  int64_t least = INT64_MIN, most = INT64_MAX;
  for (int i = 0; i < SERIES_N; i++) {
    int64_t lower = node[i].entered_ns - first[i].left_ns, upper = node[i].left_ns - first[i].entered_ns;
    if (lower > least) least = lower;
    if (upper < most) most = upper;
  }
  int64_t middle = least + (most - least) / 2, uncertainty = most > least ? (most - least) / 2 : (least - most) / 2;
  if (least <= 0 && most >= 0) return (struct offset){node[0].entered_ns, 0, uncertainty}; /* possibly one clock, as on one host */
  return (struct offset){node[0].entered_ns, middle, uncertainty};
}

static bool is_known(const struct sync_point *point) { return point->entered_ns != unknown.entered_ns; }

/* Nodes without timelines have no events that their offsets would move. */
static void find_offsets(struct clocks *clocks, int32_t nodes_n) {
  clocks->series_n = clocks->points_n / SERIES_N;
  clocks->offsets = resize_memory(NULL, (size_t)nodes_n * clocks->series_n, sizeof *clocks->offsets);
  while (!is_known(&clocks->points[(size_t)clocks->first * clocks->points_n])) clocks->first++;
  for (size_t node = 0; node < (size_t)nodes_n; node++) {
    for (size_t series = 0; series < clocks->series_n; series++) {
      const struct sync_point *first = &clocks->points[(size_t)clocks->first * clocks->points_n + series * SERIES_N],
                              *own = &clocks->points[node * clocks->points_n + series * SERIES_N];
      clocks->offsets[node * clocks->series_n + series] = is_known(own) ? bound_offset(first, own) : (struct offset){0, 0, 0};
    }
  }
}

/* Interpolates linearly between two series. Before the first series its offset is used, and after the last series that of the
 * last. */
static int64_t ahead_at(const struct offset offsets[], size_t n, int64_t at_ns) {
  if (at_ns <= offsets[0].at_ns) return offsets[0].ahead_ns;
  for (size_t i = 1; i < n; i++) {
    const struct offset *from = &offsets[i - 1], *to = &offsets[i];
    if (at_ns >= to->at_ns) continue;
    double part = (double)(at_ns - from->at_ns) / (double)(to->at_ns - from->at_ns);
    return from->ahead_ns + (int64_t)(part * (double)(to->ahead_ns - from->ahead_ns));
  }
  return offsets[n - 1].ahead_ns;
}

static void shift_events(struct timeline *timeline, const struct clocks *clocks) {
  const struct unit *unit = NULL;
  for (size_t i = 0; i < timeline->events_n; i++) {
    struct event *event = &timeline->events[i];
    if (!unit || unit->number != event->unit) unit = unit_of(timeline, event->unit);
    event->at_ns -= ahead_at(&clocks->offsets[(size_t)unit->node * clocks->series_n], clocks->series_n, event->at_ns);
  }
}

/* Prints the offset of the last series, since clocks that drift are apart by then. */
static void describe_clocks(const struct clocks *clocks, struct timeline *timeline) {
  for (int32_t node = 0; node < timeline->nodes_n; node++) {
    const struct offset *offsets = &clocks->offsets[(size_t)node * clocks->series_n], *last = &offsets[clocks->series_n - 1];
    int64_t uncertainty_ns = 0;
    for (size_t i = 0; i < clocks->series_n; i++)
      if (offsets[i].uncertainty_ns > uncertainty_ns) uncertainty_ns = offsets[i].uncertainty_ns;
    if (uncertainty_ns > timeline->uncertainty_ns) timeline->uncertainty_ns = uncertainty_ns;
    if (offsets[0].ahead_ns || last->ahead_ns)
      printf("the clock of node %d is %.6f ms ahead of that of node %d, known to %.3f us\n", node, (double)last->ahead_ns / 1e6,
             clocks->first, (double)uncertainty_ns / 1e3);
  }
}

static bool are_on_one_node(const struct timeline *timeline) {
  for (int32_t i = 1; i < timeline->units_n; i++) {
    if (timeline->units[i].node != timeline->units[0].node) return false;
  }
  return true;
}

static void join_nodes(struct timeline *timeline, int32_t name) {
  struct clocks clocks = {.points_n = name < 0 ? 0 : count_points(timeline, name)};
  if (!clocks.points_n) {
    printf("the clocks of the nodes are not synchronised: not all units had a timeline when the job had started\n");
    return;
  }
  collect_points(&clocks, timeline, name);
  find_offsets(&clocks, timeline->nodes_n);
  shift_events(timeline, &clocks);
  describe_clocks(&clocks, timeline);
  free(clocks.points);
  free(clocks.offsets);
}

void align_clocks(struct timeline *timeline) {
  int32_t name = find_name(timeline, TSR_TRACE_SYNC);
  int64_t first_ns = INT64_MAX;
  size_t n = 0;
  if (!are_on_one_node(timeline)) join_nodes(timeline, name);
  for (size_t i = 0; i < timeline->events_n; i++) {
    if (timeline->events[i].name == name) continue;
    timeline->events[n++] = timeline->events[i];
    if (timeline->events[i].at_ns < first_ns) first_ns = timeline->events[i].at_ns;
  }
  timeline->events_n = n;
  for (size_t i = 0; i < n; i++) timeline->events[i].at_ns -= first_ns;
}
