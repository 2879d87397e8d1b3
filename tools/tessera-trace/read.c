#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace.h"

int32_t find_name(const struct timeline *timeline, const char *name) {
  for (int i = 0; i < timeline->names_n; i++) {
    if (strcmp(timeline->names[i], name) == 0) return i;
  }
  return -1;
}

const struct unit *find_unit(const struct timeline *timeline, int32_t number) {
  for (int32_t low = 0, high = timeline->units_n; low < high;) {
    int32_t middle = low + (high - low) / 2;
    if (timeline->units[middle].number == number) return &timeline->units[middle];
    if (timeline->units[middle].number < number) low = middle + 1;
    else high = middle;
  }
  return NULL;
}

static int32_t number_of_name(struct timeline *timeline, const char *name) {
  int32_t number = find_name(timeline, name);
  if (number >= 0) return number;
  if (timeline->names_n == NAMES_MAX) end_with_error("the files name more than %d operations", NAMES_MAX);
  snprintf(timeline->names[timeline->names_n], NAME_BYTES, "%s", name);
  return timeline->names_n++;
}

static struct event *add_event(struct timeline *timeline) {
  if (timeline->events_n == timeline->events_room) {
    timeline->events_room = timeline->events_room ? 2 * timeline->events_room : 4096;
    timeline->events = resize_memory(timeline->events, timeline->events_room, sizeof *timeline->events);
  }
  return &timeline->events[timeline->events_n++];
}

/* False: the line is no event, for example one that a unit did not finish before it died. */
static bool read_event(struct timeline *timeline, const char *line) {
  char name[NAME_BYTES];
  int64_t at_us, took_us;
  unsigned at_ns, took_ns;
  struct event event;
  int end = 0; /* of the whole event */
  if (sscanf(line,
             "{\"ph\":\"X\",\"name\":\"%64[^\"]\",\"pid\":%" SCNd32 ",\"tid\":%" SCNd32 ",\"ts\":%" SCNd64 ".%3u,\"dur\":%" SCNd64
             ".%3u,\"args\":{\"bytes\":%" SCNu64 ",\"unit\":%" SCNd32 "}}%n",
             name, &event.unit, &event.thread, &at_us, &at_ns, &took_us, &took_ns, &event.bytes, &event.peer, &end) != 9 ||
      !end)
    return false;
  event.at_ns = 1000 * at_us + at_ns;
  event.took_ns = 1000 * took_us + took_ns;
  event.name = number_of_name(timeline, name);
  *add_event(timeline) = event;
  return true;
}

/* False, and *unit is unchanged: the line is another one. The name of the host may be empty. */
static bool read_unit(struct unit *unit, const char *line) {
  struct unit found = *unit;
  found.host[0] = 0;
  if (sscanf(line,
             "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":%" SCNd32 ",\"args\":{\"name\":\"unit %*d\",\"node\":%" SCNd32
             ",\"host\":\"%64[^\"]\"",
             &found.number, &found.node, found.host) < 2)
    return false;
  *unit = found;
  return true;
}

/* Reads the record of a job that the unit was in. Drops the events of an earlier job; the unit's events begin at index
 * `first`. */
static bool read_job(struct timeline *timeline, struct unit *unit, size_t first, const char *line) {
  int end = 0;
  uint64_t number;
  int32_t units_n, nodes_n;
  if (sscanf(line, "{\"ph\":\"M\",\"name\":\"job\",\"pid\":%*d,\"args\":{\"job\":%" SCNu64 ",\"units\":%" SCNd32
                   ",\"nodes\":%" SCNd32 "}}%n", &number, &units_n, &nodes_n, &end) != 3 || !end)
    return false;
  if (unit->job) {
    timeline->events_n = first;
    unit->has_gap = false;
  }
  unit->job = number;
  if (number < timeline->job) return true;
  timeline->job = number;
  timeline->job_units_n = units_n;
  timeline->nodes_n = nodes_n;
  return true;
}

static bool read_gap(struct unit *unit, const char *line) {
  static const char gap[] = "{\"ph\":\"M\",\"name\":\"gap\"";
  if (strncmp(line, gap, sizeof gap - 1) != 0) return false;
  unit->has_gap = true;
  return true;
}

/* False: it is no timeline. */
static bool read_file(struct timeline *timeline, struct unit *unit, const char *path) {
  FILE *in = fopen(path, "r");
  char *line = NULL;
  size_t room = 0, unread_n = 0;
  bool is_known = false;
  if (!in) end_with_error("%s: %s", path, strerror(errno));
  *unit = (struct unit){.number = -1};
  size_t before_n = timeline->events_n;
  while (getline(&line, &room, in) >= 0) {
    if (line[0] != '{') continue; /* brackets and blanks */
    if (read_unit(unit, line)) is_known = true;
    else if (!read_job(timeline, unit, before_n, line) && !read_gap(unit, line) && !read_event(timeline, line)) unread_n++;
  }
  unit->events_n = timeline->events_n - before_n;
  free(line);
  fclose(in);
  if (!is_known) fprintf(stderr, "tessera-trace: %s: no timeline of this version of Tessera; left out\n", path);
  else if (unread_n)
    fprintf(stderr, "tessera-trace: %s: %zu incomplete line%s left out\n", path, unread_n, unread_n == 1 ? "" : "s");
  return is_known;
}

static int compare_numbers(const void *a, const void *b) {
  const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
  return (x > y) - (x < y);
}

/* The numbers N of the files PATH.N, in their order. */
static int32_t find_files(const char *path, int32_t **numbers) {
  char folder[PATH_MAX];
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
  DIR *dir = opendir(folder);
  if (!dir) end_with_error("%s: %s", folder, strerror(errno));
  int32_t n = 0;
  size_t length = strlen(name);
  *numbers = NULL;
  for (struct dirent *entry; (entry = readdir(dir));) {
    const char *number = entry->d_name + length + 1;
    if (strncmp(entry->d_name, name, length) != 0 || entry->d_name[length] != '.') continue;
    if (!*number || strspn(number, "0123456789") != strlen(number) || (number[0] == '0' && number[1])) continue;
    *numbers = resize_memory(*numbers, (size_t)n + 1, sizeof **numbers);
    (*numbers)[n++] = (int32_t)strtol(number, NULL, 10);
  }
  closedir(dir);
  if (n) qsort(*numbers, (size_t)n, sizeof **numbers, compare_numbers);
  return n;
}

static void read_files(struct timeline *timeline, const char *path) {
  char file[PATH_MAX];
  int32_t *numbers, n = find_files(path, &numbers);
  if (!n) end_with_error("there is no file %s.0, nor of another unit; give the name that TESSERA_TRACE had", path);
  timeline->units = resize_memory(NULL, (size_t)n, sizeof *timeline->units);
  for (int32_t i = 0; i < n; i++) {
    snprintf(file, sizeof file, "%s.%d", path, numbers[i]);
    timeline->units_n += read_file(timeline, &timeline->units[timeline->units_n], file);
  }
  free(numbers);
  if (!timeline->units_n) end_with_error("%s: no timeline; give the name that TESSERA_TRACE had", path);
}

/* Files of earlier jobs, with more units, may lie beside those of the last one. */
static void keep_last_job(struct timeline *timeline, const char *path) {
  int32_t units_n = 0;
  size_t from = 0, to = 0;
  for (int32_t i = 0; i < timeline->units_n; i++) {
    struct unit unit = timeline->units[i];
    if (unit.job == timeline->job) {
      if (to != from) memmove(&timeline->events[to], &timeline->events[from], unit.events_n * sizeof *timeline->events);
      to += unit.events_n;
      timeline->units[units_n++] = unit;
    } else {
      fprintf(stderr, "tessera-trace: %s.%d: of another job; left out\n", path, unit.number);
    }
    from += unit.events_n;
  }
  timeline->units_n = units_n;
  timeline->events_n = to;
}

static void say_what_is_missing(const struct timeline *timeline, const char *path) {
  int32_t missing_n = timeline->job_units_n - timeline->units_n, first = 0;
  if (missing_n <= 0) return;
  while (first < timeline->units_n && timeline->units[first].number == first) first++;
  fprintf(stderr, "tessera-trace: the timelines of %d of %d units are missing, the first is %s.%d\n", missing_n,
          timeline->job_units_n, path, first);
}

void read_timeline(struct timeline *timeline, const char *path) {
  read_files(timeline, path);
  keep_last_job(timeline, path);
  say_what_is_missing(timeline, path);
  for (int32_t i = 0; i < timeline->units_n; i++) {
    int32_t node = timeline->units[i].node;
    if (!timeline->job && node >= timeline->nodes_n) timeline->nodes_n = node + 1;
    if (node < 0 || node >= timeline->nodes_n)
      end_with_error("%s.%d: node %d of %d; the file is damaged", path, timeline->units[i].number, node, timeline->nodes_n);
  }
}
