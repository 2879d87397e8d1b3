#include <stdlib.h>

#include "core/stats.h"
#include "trace.h"

static const char *const names[TSR_STATS_N] = {
#define NAME(id, name) [TSR_STAT_##id] = name,
    TSR_STATS_TABLE(NAME)
#undef NAME
};

/* One end of a message. */
struct end {
  int32_t from, to; /* units */
  int32_t is_active;
  uint64_t bytes;
  int64_t at_ns;
  size_t event;
};

struct ends {
  struct end *ends;
  size_t n, room;
};

static void add_end(struct ends *list, const struct event *event, size_t i, bool sends, bool is_active) {
  if (list->n == list->room) {
    list->room = list->room ? 2 * list->room : 256;
    list->ends = resize_memory(list->ends, list->room, sizeof *list->ends);
  }
  list->ends[list->n++] = (struct end){.from = sends ? event->unit : event->peer,
                                       .to = sends ? event->peer : event->unit,
                                       .is_active = is_active,
                                       .bytes = event->bytes,
                                       .at_ns = event->at_ns,
                                       .event = i};
}

static int compare_channels(const struct end *a, const struct end *b) {
  if (a->is_active != b->is_active) return a->is_active - b->is_active;
  if (a->from != b->from) return a->from < b->from ? -1 : 1;
  if (a->to != b->to) return a->to < b->to ? -1 : 1;
  return (a->bytes > b->bytes) - (a->bytes < b->bytes);
}

static int compare_ends(const void *a, const void *b) {
  const struct end *x = a, *y = b;
  int channels = compare_channels(x, y);
  return channels ? channels : (x->at_ns > y->at_ns) - (x->at_ns < y->at_ns);
}

static void sort_ends(struct ends *list) {
  if (list->n) qsort(list->ends, list->n, sizeof *list->ends, compare_ends);
}

static void collect_ends(const struct timeline *timeline, struct ends *sent, struct ends *received) {
  const int32_t send = find_name(timeline, names[TSR_STAT_SEND]), receive = find_name(timeline, names[TSR_STAT_RECEIVE]),
                request = find_name(timeline, names[TSR_STAT_AM_REQUEST]), reply = find_name(timeline, names[TSR_STAT_AM_REPLY]),
                handler = find_name(timeline, names[TSR_STAT_AM_HANDLER]);
  for (size_t i = 0; i < timeline->events_n; i++) {
    const struct event *event = &timeline->events[i];
    if (event->peer < 0) continue;
    if (event->name == send) add_end(sent, event, i, true, false);
    else if (event->name == receive) add_end(received, event, i, false, false);
    else if (event->name == request || event->name == reply) add_end(sent, event, i, true, true);
    else if (event->name == handler) add_end(received, event, i, false, true);
  }
}

static bool has_gap(const struct timeline *timeline, const struct event *event) {
  const struct unit *unit = find_unit(timeline, event->unit);
  return unit && unit->has_gap;
}

static struct flow flow_between(const struct timeline *timeline, const struct end *sent, const struct end *received) {
  const struct event *to = &timeline->events[received->event];
  int64_t arrival_ns = to->at_ns + (sent->is_active || !to->took_ns ? 0 : to->took_ns - 1);
  return (struct flow){sent->event, received->event, sent->is_active, arrival_ns};
}

/* No message arrives before it is sent: such a pair shows that the ends do not belong together. */
static bool is_possible(const struct timeline *timeline, const struct flow *flow) {
  const struct event *from = &timeline->events[flow->from], *to = &timeline->events[flow->to];
  return flow->arrival_ns + 2 * timeline->uncertainty_ns >= from->at_ns && !has_gap(timeline, from) && !has_gap(timeline, to);
}

size_t find_flows(const struct timeline *timeline, struct flow **flows) {
  struct ends sent = {0}, received = {0};
  size_t n = 0;
  collect_ends(timeline, &sent, &received);
  sort_ends(&sent);
  sort_ends(&received);
  *flows = resize_memory(NULL, sent.n + 1, sizeof **flows);
  for (size_t i = 0, j = 0; i < sent.n && j < received.n;) {
    int channels = compare_channels(&sent.ends[i], &received.ends[j]);
    if (channels == 0) (*flows)[n] = flow_between(timeline, &sent.ends[i], &received.ends[j]);
    if (channels == 0) n += is_possible(timeline, &(*flows)[n]);
    i += channels <= 0;
    j += channels >= 0;
  }
  free(sent.ends);
  free(received.ends);
  return n;
}
