#include "memory.h"

#include <stdio.h>
#include <string.h>

/* A line of /proc/self/status, in KiB; 0: there is none. */
static double status_kib(const char *name) {
  char line[256];
  double kib = 0;
  FILE *status = fopen("/proc/self/status", "r");
  while (status && fgets(line, sizeof line, status)) {
    if (strncmp(line, name, strlen(name)) == 0) sscanf(line + strlen(name), ": %lf", &kib);
  }
  if (status) fclose(status);
  return kib;
}

/* Before a figure is taken, all units have started. */
static void run_memory(struct perf *p, const struct perf_work *work) {
  p->barrier();
  perf_row_figure(p, work->name, "private", "KiB", 0, status_kib("RssAnon"), 0);
  perf_row_figure(p, work->name, "shared", "KiB", 0, status_kib("RssShmem"), 0);
}

const struct perf_work memory_works[] = {
    {"memory", "memory of unit 0 after the start: RssAnon (private) and RssShmem (shared)", run_memory, NULL, 0},
    {0},
};
