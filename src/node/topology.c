#include "node/topology.h"

#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "node/topology_parse.h"

/* CPUs */

void tsr_topology_add_own_cpus(struct tsr_cpu_set *set) {
  /* The kernel accepts no mask that is smaller than its own, and does not tell its size. */
  for (int cpus_n = TSR_CPUS_MAX; cpus_n <= 1 << 20; cpus_n *= 2) {
    cpu_set_t *own = CPU_ALLOC((size_t)cpus_n);
    if (!own) return;
    size_t own_bytes = CPU_ALLOC_SIZE((size_t)cpus_n);
    int error = sched_getaffinity(0, own_bytes, own) ? errno : 0;
    for (size_t cpu = 0; !error && cpu < TSR_CPUS_MAX; cpu++) {
      if (CPU_ISSET_S(cpu, own_bytes, own)) atomic_fetch_or(&set->word[cpu / 64], (uint64_t)1 << cpu % 64);
    }
    CPU_FREE(own);
    if (error != EINVAL) return;
  }
}

void tsr_topology_use_cpus(const struct tsr_cpu_set *set) {
  cpu_set_t *cpus = CPU_ALLOC(TSR_CPUS_MAX);
  if (!cpus) return;
  size_t bytes = CPU_ALLOC_SIZE(TSR_CPUS_MAX);
  CPU_ZERO_S(bytes, cpus);
  for (int i = 0; i < TSR_CPUS_MAX; i++) {
    if (atomic_load(&set->word[i / 64]) >> i % 64 & 1) CPU_SET_S((size_t)i, bytes, cpus);
  }
  sched_setaffinity(0, bytes, cpus);
  CPU_FREE(cpus);
}

int tsr_topology_count(const struct tsr_cpu_set *set) {
  int n = 0;
  for (int i = 0; i < TSR_CPUS_MAX / 64; i++)
    n += __builtin_popcountll(atomic_load_explicit(&set->word[i], memory_order_relaxed));
  return n;
}

/* Small files of the kernel */

FILE *tsr_topology_open(const char *root, const char *directory, const char *name) {
  char path[PATH_MAX];
  int length = snprintf(path, sizeof path, "%s%s/%s", root, directory, name);
  return length < (int)sizeof path ? fopen(path, "re") : NULL;
}

bool tsr_topology_read_number(const char *root, const char *directory, const char *name, const char *key, uint64_t *number) {
  FILE *file = tsr_topology_open(root, directory, name);
  if (!file) return false;
  char line[256], *end;
  bool found = false;
  size_t key_length = key ? strlen(key) : 0;
  while (!found && fgets(line, sizeof line, file)) {
    const char *at = key ? strstr(line, key) : line;
    if (!at || (at > line && at[-1] != ' ') || (key && !strchr(": \t", at[key_length]))) continue;
    const char *digits = at + key_length + strspn(at + key_length, ": \t");
    unsigned long long value = strtoull(digits, &end, 10);
    if (end != digits) *number = value;
    found = end != digits;
    if (!key) break;
  }
  fclose(file);
  return found;
}

static size_t read_meminfo(const char *root, const char *key) {
  uint64_t kib = 0;
  tsr_topology_read_number(root, "/proc", "meminfo", key, &kib);
  return (size_t)kib * 1024;
}

/* Control groups */

/* What the two versions call the same things. */
struct version {
  const char *type;       /* of the file system */
  const char *controller; /* on its line in /proc/self/cgroup; version 2 has one line, without controllers */
  const char *limit, *usage;
  const char *idle_key;   /* in memory.stat: cached file pages that the kernel drops before it kills */
  const char *events;     /* file that counts kills */
};
static const struct version versions[] = {
    {"cgroup2", "", "memory.max", "memory.current", "inactive_file", "memory.events"},
    {"cgroup", "memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file", "memory.oom_control"},
};

/* Our group's directory, below the root of the tests; its first `mount_length` bytes are where the hierarchy, or the
 * part of it that we are shown, is mounted. */
struct group {
  char directory[PATH_MAX];
  size_t mount_length;
};

/* Whether a comma-separated list has this word; an empty list has the empty one. */
static bool list_has(const char *list, const char *word) {
  size_t length = strlen(word);
  for (;; list++) {
    size_t item = strcspn(list, ",");
    if (item == length && strncmp(list, word, length) == 0) return true;
    list += item;
    if (*list == '\0') return false;
  }
}

/* Stores the path of our group inside the hierarchy, from a line such as "4:memory:/job/step". */
static bool find_group_path(const char *root, const struct version *version, char path[PATH_MAX]) {
  FILE *file = tsr_topology_open(root, "/proc/self", "cgroup");
  if (!file) return false;
  char line[PATH_MAX + 256];
  bool found = false;
  while (!found && fgets(line, sizeof line, file)) {
    line[strcspn(line, "\n")] = '\0';
    char *list = strchr(line, ':'), *tail = list ? strchr(list + 1, ':') : NULL;
    if (!tail) continue;
    *tail = '\0';
    found = list_has(list + 1, version->controller);
    if (found) snprintf(path, PATH_MAX, "%s", tail + 1);
  }
  fclose(file);
  return found;
}

/* Undoes the octal escapes of mountinfo ("\040" for a blank), in place. */
static void unescape_path(char *text) {
  char *to = text;
  for (const char *from = text; *from; to++) {
    bool is_escape = *from == '\\' && strspn(from + 1, "01234567") >= 3;
    *to = is_escape ? (char)((from[1] - '0') * 64 + (from[2] - '0') * 8 + (from[3] - '0')) : *from;
    from += is_escape ? 4 : 1;
  }
  *to = '\0';
}

struct mount {
  char root[PATH_MAX];  /* path inside the hierarchy that is mounted */
  char point[PATH_MAX];
};

/* Reads a line "36 31 0:33 ROOT POINT options [more] - TYPE source SUPER-OPTIONS". False: another hierarchy. */
static bool parse_mount(const char *line, const struct version *version, struct mount *mount) {
  char type[64], options[1024];
  const char *tail = strstr(line, " - ");
  if (!tail || sscanf(tail, " - %63s %*s %1023s", type, options) != 2) return false;
  if (strcmp(type, version->type) || (*version->controller && !list_has(options, version->controller))) return false;
  if (sscanf(line, "%*s %*s %*s %4095s %4095s", mount->root, mount->point) != 2) return false;
  unescape_path(mount->root);
  unescape_path(mount->point);
  return true;
}

/* The part of `path` below the root of the mount; NULL: it lies elsewhere (another namespace, a foreign bind mount). */
static const char *path_below(const struct mount *mount, const char *path) {
  size_t length = strcmp(mount->root, "/") ? strlen(mount->root) : 0;
  if (strncmp(path, mount->root, length) || strncmp(path, "/..", 3) == 0) return NULL;
  if (path[length] != '/' && path[length] != '\0') return NULL;
  return strcmp(path + length, "/") ? path + length : "";
}

/* Finds the directory of our group: below the first mount that shows it, else the first mount itself, which in a
 * container is the container's own group. */
static bool find_group(const char *root, const struct version *version, struct group *group) {
  char path[PATH_MAX];
  if (!find_group_path(root, version, path)) return false;
  FILE *file = tsr_topology_open(root, "/proc/self", "mountinfo");
  if (!file) return false;
  struct mount mount;
  char *line = NULL;
  size_t line_bytes = 0;
  bool found = false, shown = false;
  while (!shown && getline(&line, &line_bytes, file) > 0) {
    if (!parse_mount(line, version, &mount)) continue;
    const char *below = path_below(&mount, path);
    shown = below != NULL;
    if (found && !shown) continue;
    found = snprintf(group->directory, sizeof group->directory, "%s%s", mount.point, shown ? below : "") <
            (int)sizeof group->directory;
    group->mount_length = strlen(mount.point);
  }
  free(line);
  fclose(file);
  return found;
}

/* What the limits of our group and of all its ancestors leave. */
static uint64_t room_in_groups(const char *root, const struct version *version) {
  struct group group;
  uint64_t room = UINT64_MAX;
  if (!find_group(root, version, &group)) return room;
  for (;;) {
    const char *directory = group.directory;
    uint64_t limit, usage = 0, idle = 0;
    if (tsr_topology_read_number(root, directory, version->limit, NULL, &limit)) {
      tsr_topology_read_number(root, directory, version->usage, NULL, &usage);
      tsr_topology_read_number(root, directory, "memory.stat", version->idle_key, &idle);
      uint64_t held = usage > idle ? usage - idle : 0, here = limit > held ? limit - held : 0;
      if (here < room) room = here;
    }
    if (strlen(group.directory) <= group.mount_length) return room;
    *strrchr(group.directory, '/') = '\0';
  }
}

size_t tsr_topology_memory_total_in(const char *root) { return read_meminfo(root, "MemTotal"); }

static uint64_t room_in_any_group(const char *root) {
  uint64_t room_2 = room_in_groups(root, &versions[0]), room_1 = room_in_groups(root, &versions[1]);
  return room_1 < room_2 ? room_1 : room_2;
}

size_t tsr_topology_memory_available_in(const char *root) {
  uint64_t available = read_meminfo(root, "MemAvailable"), room = room_in_any_group(root);
  return (size_t)(room < available ? room : available);
}

bool tsr_topology_memory_is_grouped_in(const char *root) {
  return room_in_any_group(root) < read_meminfo(root, "MemAvailable");
}

int64_t tsr_topology_oom_kills_in(const char *root) {
  uint64_t kills;
  for (int i = 0; i < 2; i++) {
    struct group group;
    if (find_group(root, &versions[i], &group) &&
        tsr_topology_read_number(root, group.directory, versions[i].events, "oom_kill", &kills))
      return (int64_t)kills;
  }
  return tsr_topology_read_number(root, "/proc", "vmstat", "oom_kill", &kills) ? (int64_t)kills : -1;
}

size_t tsr_topology_memory_total(void) { return tsr_topology_memory_total_in(""); }
size_t tsr_topology_memory_available(void) { return tsr_topology_memory_available_in(""); }
bool tsr_topology_memory_is_grouped(void) { return tsr_topology_memory_is_grouped_in(""); }
int64_t tsr_topology_oom_kills(void) { return tsr_topology_oom_kills_in(""); }
