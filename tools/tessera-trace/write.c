#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

#include "trace.h"

bool ends_with(const char *text, const char *end) {
  size_t length = strlen(text), end_length = strlen(end);
  return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

/* Microseconds with three decimals; never negative. */
#define US_FORMAT "%" PRId64 ".%03d"
#define US(ns) (ns) / 1000, (int)((ns) % 1000)

static void write_units(gzFile out, const struct timeline *timeline) {
  for (int32_t i = 0; i < timeline->units_n; i++) {
    const struct unit *unit = &timeline->units[i];
    gzprintf(out, "%s\n{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":%d,\"args\":{\"name\":\"unit %d\"}},\n", i ? "," : "",
             unit->number, unit->number);
    gzprintf(out, "{\"ph\":\"M\",\"name\":\"process_labels\",\"pid\":%d,\"args\":{\"labels\":\"node %d, %s\"}},\n", unit->number,
             unit->node, unit->host);
    gzprintf(out, "{\"ph\":\"M\",\"name\":\"process_sort_index\",\"pid\":%d,\"args\":{\"sort_index\":%d}}", unit->number,
             unit->number);
  }
}

static void write_event(gzFile out, const struct timeline *timeline, const struct event *event) {
  gzprintf(out, ",\n{\"ph\":\"X\",\"name\":\"%s\",\"pid\":%d,\"tid\":%d,\"ts\":" US_FORMAT ",\"dur\":" US_FORMAT,
           timeline->names[event->name], event->unit, event->thread, US(event->at_ns), US(event->took_ns));
  gzprintf(out, ",\"args\":{\"bytes\":%" PRIu64, event->bytes);
  if (event->peer >= 0) gzprintf(out, ",\"unit\":%d", event->peer);
  gzprintf(out, "}}");
}

/* A flow binds to the operations that contain its two ends. */
static void write_flow(gzFile out, const struct timeline *timeline, const struct flow *flow, size_t id) {
  const struct event *from = &timeline->events[flow->from], *to = &timeline->events[flow->to];
  gzprintf(out, ",\n{\"ph\":\"s\",\"name\":\"message\",\"cat\":\"message\",\"id\":%zu,\"pid\":%d,\"tid\":%d,\"ts\":" US_FORMAT "}",
           id, from->unit, from->thread, US(from->at_ns));
  gzprintf(
      out,
      ",\n{\"ph\":\"f\",\"bp\":\"e\",\"name\":\"message\",\"cat\":\"message\",\"id\":%zu,\"pid\":%d,\"tid\":%d,\"ts\":" US_FORMAT
      "}",
      id, to->unit, to->thread, US(flow->arrival_ns));
}

void write_timeline(const struct timeline *timeline, const struct flow flows[], size_t flows_n, const char *path) {
  gzFile out = gzopen(path, ends_with(path, ".gz") ? "wb" : "wbT");
  if (!out) end_with_error("%s: %s", path, strerror(errno));
  gzprintf(out, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
  write_units(out, timeline);
  for (size_t i = 0; i < timeline->events_n; i++) write_event(out, timeline, &timeline->events[i]);
  for (size_t i = 0; i < flows_n; i++) write_flow(out, timeline, &flows[i], i);
  gzprintf(out, "\n]}\n");
  int error = 0;
  errno = 0;
  gzerror(out, &error);
  if (gzclose(out) == Z_OK && error == Z_OK) return;
  int reason = errno;
  struct stat status;
  if (stat(path, &status) == 0 && S_ISREG(status.st_mode)) remove(path);
  end_with_error("%s: it cannot be written: %s", path, reason ? strerror(reason) : "the disk may be full");
}
