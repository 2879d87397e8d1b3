/* The timeline as an archive of the Open Trace Format 2, for Vampir, Scalasca, Cube and others: a process for each unit, a location
 * for each of its threads, a region for each operation; messages, and one-sided transfers on one window. */
#include "trace.h"

#ifndef TRACE_HAS_OTF2
void write_otf2(const struct timeline *timeline, const struct flow flows[], size_t flows_n, const char *path) {
  (void)timeline, (void)flows, (void)flows_n;
  end_with_error("%s: this tool was built without the library of OTF2 (Debian: libotf2-trace-dev); write JSON", path);
}
#else
#include <errno.h>
#include <otf2/otf2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char put_name[] = "put", get_name[] = "get";

/* A thread of a unit, and its events: a range of the sorted ones. */
struct location {
  int32_t unit, thread;
  size_t first, events_n;
  uint64_t records_n; /* of the archive; known once they are written */
};

struct archive {
  const struct timeline *timeline;
  const struct flow *flows;
  const char *path;
  OTF2_Archive *otf2;
  size_t *sorted; /* indices of events, by location, then by begin; of two that begin together the longer one is first */
  struct location *locations;
  size_t locations_n;
  size_t *sends, *receives; /* by event: one more than the index of its flow; 0: none */
  int32_t put, get;         /* names */
};

static _Noreturn void end_for_archive(const struct archive *a, const char *reason) {
  end_with_error("%s: the archive cannot be written: %s", a->path, reason);
}
static void require(const struct archive *a, OTF2_ErrorCode code) {
  if (code != OTF2_SUCCESS) end_for_archive(a, OTF2_Error_GetDescription(code));
}

static OTF2_ErrorCode ignore_error(void *data, const char *file, uint64_t line, const char *function, OTF2_ErrorCode code,
                                   const char *format, va_list args) {
  (void)data, (void)file, (void)line, (void)function, (void)format, (void)args;
  return code;
}

static OTF2_FlushType flush_always(void *data, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool is_final) {
  (void)data, (void)type, (void)location, (void)caller, (void)is_final;
  return OTF2_FLUSH;
}

/* ---- the order of events ---- */

static const struct timeline *sorted_timeline; /* qsort passes no argument to its comparison */

static int compare_numbers(int64_t a, int64_t b) { return (a > b) - (a < b); }
static int compare_events(const void *a, const void *b) {
  const size_t i = *(const size_t *)a, j = *(const size_t *)b;
  const struct event *x = &sorted_timeline->events[i], *y = &sorted_timeline->events[j];
  int order = compare_numbers(x->unit, y->unit);
  if (!order) order = compare_numbers(x->thread, y->thread);
  if (!order) order = compare_numbers(x->at_ns, y->at_ns);
  if (!order) order = compare_numbers(y->took_ns, x->took_ns);
  return order ? order : compare_numbers((int64_t)j, (int64_t)i); /* what ends later stands later, and contains the other */
}

static void sort_events(struct archive *a) {
  const size_t n = a->timeline->events_n;
  a->sorted = resize_memory(NULL, n, sizeof *a->sorted);
  for (size_t i = 0; i < n; i++) a->sorted[i] = i;
  sorted_timeline = a->timeline;
  if (n) qsort(a->sorted, n, sizeof *a->sorted, compare_events);
}

static const struct event *event_at(const struct archive *a, size_t i) { return &a->timeline->events[a->sorted[i]]; }

static void add_location(struct archive *a, int32_t unit, int32_t thread, size_t first) {
  a->locations = resize_memory(a->locations, a->locations_n + 1, sizeof *a->locations);
  a->locations[a->locations_n++] = (struct location){unit, thread, first, 0, 0};
}

/* Units without events have a location, too. */
static void find_locations(struct archive *a) {
  size_t i = 0;
  for (int32_t u = 0; u < a->timeline->units_n; u++) {
    const int32_t unit = a->timeline->units[u].number;
    if (i == a->timeline->events_n || event_at(a, i)->unit != unit) add_location(a, unit, 0, i);
    for (; i < a->timeline->events_n && event_at(a, i)->unit == unit; i++) {
      const struct location *last = a->locations_n ? &a->locations[a->locations_n - 1] : NULL;
      if (!last || last->unit != unit || last->thread != event_at(a, i)->thread) add_location(a, unit, event_at(a, i)->thread, i);
      a->locations[a->locations_n - 1].events_n++;
    }
  }
}

static void find_messages(struct archive *a, size_t flows_n) {
  const size_t n = a->timeline->events_n;
  a->sends = resize_memory(NULL, n, sizeof *a->sends);
  a->receives = resize_memory(NULL, n, sizeof *a->receives);
  memset(a->sends, 0, n * sizeof *a->sends);
  memset(a->receives, 0, n * sizeof *a->receives);
  for (size_t i = 0; i < flows_n; i++) {
    a->sends[a->flows[i].from] = i + 1;
    a->receives[a->flows[i].to] = i + 1;
  }
}

/* The place of a unit among those that have a timeline. */
static uint32_t rank_of(const struct archive *a, int32_t number) {
  return (uint32_t)(find_unit(a->timeline, number) - a->timeline->units);
}

/* ---- definitions ---- */

/* Numbers of definitions that exist once. */
enum { NO_TEXT, NO_NAME, FIRST_TEXT };
enum { LOCATIONS_GROUP, UNITS_GROUP };
enum { WORLD, WINDOW = 0 };

struct definitions {
  const struct archive *archive;
  OTF2_GlobalDefWriter *out;
  OTF2_StringRef texts_n;
};

static OTF2_StringRef define_text(struct definitions *d, const char *text) {
  require(d->archive, OTF2_GlobalDefWriter_WriteString(d->out, d->texts_n, text));
  return d->texts_n++;
}

static void define_nodes(struct definitions *d) {
  const struct archive *a = d->archive;
  require(a, OTF2_GlobalDefWriter_WriteSystemTreeNode(d->out, 0, define_text(d, "job"), define_text(d, "machine"),
                                                      OTF2_UNDEFINED_SYSTEM_TREE_NODE));
  const OTF2_StringRef kind = define_text(d, "node");
  int32_t nodes_n = 0;
  for (int32_t u = 0; u < a->timeline->units_n; u++) {
    const struct unit *unit = &a->timeline->units[u];
    if (unit->node < nodes_n) continue; /* units are numbered node by node, or all nodes have been seen before */
    for (; nodes_n <= unit->node; nodes_n++) {
      char text[96];
      snprintf(text, sizeof text, "node %d, %s", nodes_n, nodes_n == unit->node ? unit->host : "?");
      require(a, OTF2_GlobalDefWriter_WriteSystemTreeNode(d->out, (OTF2_SystemTreeNodeRef)nodes_n + 1, define_text(d, text),
                                                          kind, 0));
    }
  }
}

static void define_locations(struct definitions *d) {
  const struct archive *a = d->archive;
  char text[64];
  for (int32_t u = 0; u < a->timeline->units_n; u++) {
    const struct unit *unit = &a->timeline->units[u];
    snprintf(text, sizeof text, "unit %d", unit->number);
    require(a, OTF2_GlobalDefWriter_WriteLocationGroup(d->out, (OTF2_LocationGroupRef)u, define_text(d, text),
                                                       OTF2_LOCATION_GROUP_TYPE_PROCESS, (OTF2_SystemTreeNodeRef)unit->node + 1,
                                                       OTF2_UNDEFINED_LOCATION_GROUP));
  }
  for (size_t i = 0; i < a->locations_n; i++) {
    const struct location *location = &a->locations[i];
    snprintf(text, sizeof text, "thread %d", location->thread);
    require(a, OTF2_GlobalDefWriter_WriteLocation(d->out, i, define_text(d, text), OTF2_LOCATION_TYPE_CPU_THREAD,
                                                  location->records_n, rank_of(a, location->unit)));
  }
}

static void define_regions(struct definitions *d) {
  for (int i = 0; i < d->archive->timeline->names_n; i++) {
    const OTF2_StringRef name = define_text(d, d->archive->timeline->names[i]);
    require(d->archive, OTF2_GlobalDefWriter_WriteRegion(d->out, (OTF2_RegionRef)i, name, name, NO_TEXT, OTF2_REGION_ROLE_FUNCTION,
                                                         OTF2_PARADIGM_USER, OTF2_REGION_FLAG_NONE, OTF2_UNDEFINED_STRING, 0, 0));
  }
}

/* Messages and transfers name units by their places in one communicator. The first location of a unit stands for it. */
static void define_world(struct definitions *d) {
  const struct archive *a = d->archive;
  const uint32_t n = (uint32_t)a->timeline->units_n;
  uint64_t *members = resize_memory(NULL, n, sizeof *members);
  for (size_t i = a->locations_n; i-- > 0;) members[rank_of(a, a->locations[i].unit)] = i;
  require(a, OTF2_GlobalDefWriter_WriteGroup(d->out, LOCATIONS_GROUP, NO_NAME, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
                                             OTF2_GROUP_FLAG_NONE, n, members));
  for (uint32_t u = 0; u < n; u++) members[u] = u;
  require(a, OTF2_GlobalDefWriter_WriteGroup(d->out, UNITS_GROUP, NO_NAME, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
                                             OTF2_GROUP_FLAG_NONE, n, members));
  require(a, OTF2_GlobalDefWriter_WriteComm(d->out, WORLD, define_text(d, "units"), UNITS_GROUP, OTF2_UNDEFINED_COMM,
                                            OTF2_COMM_FLAG_NONE));
  require(a, OTF2_GlobalDefWriter_WriteRmaWin(d->out, WINDOW, define_text(d, "heaps"), WORLD, OTF2_RMA_WIN_FLAG_NONE));
  free(members);
}

static void write_definitions(const struct archive *a) {
  struct definitions d = {a, OTF2_Archive_GetGlobalDefWriter(a->otf2), NO_TEXT};
  int64_t end_ns = 0;
  for (size_t i = 0; i < a->timeline->events_n; i++) {
    const struct event *event = &a->timeline->events[i];
    if (event->at_ns + event->took_ns > end_ns) end_ns = event->at_ns + event->took_ns;
  }
  if (!d.out) end_for_archive(a, "it has no definitions");
  require(a, OTF2_GlobalDefWriter_WriteClockProperties(d.out, 1000000000, 0, (uint64_t)end_ns + 1, OTF2_UNDEFINED_TIMESTAMP));
  define_text(&d, "");
  define_text(&d, "world");
  define_nodes(&d);
  define_locations(&d);
  define_regions(&d);
  define_world(&d);
}

/* ---- events ---- */

/* Whether the event is a one-sided transfer to or from a unit that has a timeline. */
static bool is_transfer(const struct archive *a, const struct event *event) {
  return event->peer >= 0 && (event->name == a->put || event->name == a->get) && find_unit(a->timeline, event->peer);
}

static void write_receive(const struct archive *a, OTF2_EvtWriter *out, const struct flow *flow, int64_t at_ns) {
  const struct event *from = &a->timeline->events[flow->from];
  require(a, OTF2_EvtWriter_MpiRecv(out, NULL, (uint64_t)at_ns, rank_of(a, from->unit), WORLD, 0, from->bytes));
}

static void begin_event(const struct archive *a, OTF2_EvtWriter *out, size_t i) {
  const struct event *event = &a->timeline->events[i];
  const uint64_t at_ns = (uint64_t)event->at_ns;
  require(a, OTF2_EvtWriter_Enter(out, NULL, at_ns, (OTF2_RegionRef)event->name));
  if (a->sends[i]) {
    const struct event *to = &a->timeline->events[a->flows[a->sends[i] - 1].to];
    require(a, OTF2_EvtWriter_MpiSend(out, NULL, at_ns, rank_of(a, to->unit), WORLD, 0, event->bytes));
  }
  if (a->receives[i] && a->flows[a->receives[i] - 1].is_active) write_receive(a, out, &a->flows[a->receives[i] - 1], event->at_ns);
  if (!is_transfer(a, event)) return;
  const uint32_t peer = rank_of(a, event->peer);
  require(a, event->name == a->put ? OTF2_EvtWriter_RmaPut(out, NULL, at_ns, WINDOW, peer, event->bytes, i)
                                   : OTF2_EvtWriter_RmaGet(out, NULL, at_ns, WINDOW, peer, event->bytes, i));
}

static void end_event(const struct archive *a, OTF2_EvtWriter *out, size_t i) {
  const struct event *event = &a->timeline->events[i];
  const int64_t end_ns = event->at_ns + event->took_ns;
  if (a->receives[i] && !a->flows[a->receives[i] - 1].is_active) write_receive(a, out, &a->flows[a->receives[i] - 1], end_ns);
  if (is_transfer(a, event)) require(a, OTF2_EvtWriter_RmaOpCompleteBlocking(out, NULL, (uint64_t)end_ns, WINDOW, i));
  require(a, OTF2_EvtWriter_Leave(out, NULL, (uint64_t)end_ns, (OTF2_RegionRef)event->name));
}

static int64_t end_of(const struct archive *a, size_t i) { return a->timeline->events[i].at_ns + a->timeline->events[i].took_ns; }

/* Operations of one thread contain each other or are apart. Those that have begun and not ended are on a stack. */
static void write_events(const struct archive *a, size_t number) {
  struct location *location = &a->locations[number];
  OTF2_EvtWriter *out = OTF2_Archive_GetEvtWriter(a->otf2, number);
  size_t *open = resize_memory(NULL, location->events_n, sizeof *open), open_n = 0;
  if (!out) end_for_archive(a, "a location has no events");
  for (size_t k = 0; k < location->events_n; k++) {
    const size_t i = a->sorted[location->first + k];
    while (open_n && end_of(a, open[open_n - 1]) <= a->timeline->events[i].at_ns) end_event(a, out, open[--open_n]);
    begin_event(a, out, i);
    open[open_n++] = i;
  }
  while (open_n) end_event(a, out, open[--open_n]);
  free(open);
  require(a, OTF2_EvtWriter_GetNumberOfEvents(out, &location->records_n));
  require(a, OTF2_Archive_CloseEvtWriter(a->otf2, out));
}

/* ---- the archive ---- */

static void open_archive(struct archive *a) {
  static const OTF2_FlushCallbacks flush = {.otf2_pre_flush = flush_always};
  OTF2_Error_RegisterCallback(ignore_error, NULL);
  a->otf2 = OTF2_Archive_Open(a->path, "traces", OTF2_FILEMODE_WRITE, OTF2_CHUNK_SIZE_EVENTS_DEFAULT,
                              OTF2_CHUNK_SIZE_DEFINITIONS_DEFAULT, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
  if (!a->otf2) end_for_archive(a, "it cannot be opened");
  require(a, OTF2_Archive_SetFlushCallbacks(a->otf2, &flush, NULL));
  require(a, OTF2_Archive_SetSerialCollectiveCallbacks(a->otf2));
}

static void write_archive(const struct archive *a) {
  require(a, OTF2_Archive_OpenEvtFiles(a->otf2));
  for (size_t i = 0; i < a->locations_n; i++) write_events(a, i);
  require(a, OTF2_Archive_CloseEvtFiles(a->otf2));
  require(a, OTF2_Archive_OpenDefFiles(a->otf2)); /* readers want a file for each location */
  for (size_t i = 0; i < a->locations_n; i++) {
    OTF2_DefWriter *none = OTF2_Archive_GetDefWriter(a->otf2, i);
    if (!none) end_for_archive(a, "a location has no definitions");
    require(a, OTF2_Archive_CloseDefWriter(a->otf2, none));
  }
  require(a, OTF2_Archive_CloseDefFiles(a->otf2));
  write_definitions(a);
  require(a, OTF2_Archive_Close(a->otf2));
}

void write_otf2(const struct timeline *timeline, const struct flow flows[], size_t flows_n, const char *path) {
  struct archive a = {.timeline = timeline, .flows = flows, .path = path, .put = find_name(timeline, put_name),
                      .get = find_name(timeline, get_name)};
  if (mkdir(path, 0777)) end_for_archive(&a, errno == EEXIST ? "it exists; remove it, or give another name" : strerror(errno));
  sort_events(&a);
  find_locations(&a);
  find_messages(&a, flows_n);
  open_archive(&a);
  write_archive(&a);
  free(a.sorted);
  free(a.locations);
  free(a.sends);
  free(a.receives);
}
#endif
