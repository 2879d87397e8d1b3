/* Makes one file of the timelines that the units of a job have written (TESSERA_TRACE). All times are on one clock, and messages
 * are drawn as arrows. */
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tessera.h>

#include "trace.h"

static const char usage[] =
    "usage: tessera-trace FILE [--output NAME]\n"
    "Makes one file of the timelines FILE.0, FILE.1 ... that the units of a job wrote with TESSERA_TRACE=FILE, for\n"
    "https://ui.perfetto.dev and chrome://tracing. All times are on the clock of the first node. Arrows lead from each\n"
    "message's sender to its receiver.\n"
    "  --output NAME   the file to write; compressed if the name ends with .gz (default: FILE.json.gz). A name that ends\n"
    "                  with .otf2 is a new folder, for an archive of the Open Trace Format 2\n"
    "  --version, --help\n";

void end_with_error(const char *format, ...) {
  va_list args;
  va_start(args, format);
  fprintf(stderr, "tessera-trace: ");
  vfprintf(stderr, format, args);
  fprintf(stderr, "\n");
  va_end(args);
  exit(EXIT_FAILURE);
}

void *resize_memory(void *memory, size_t n, size_t each_bytes) {
  void *more = realloc(memory, (n ? n : 1) * each_bytes);
  if (!more) end_with_error("no memory for %zu events", n);
  return more;
}

static _Noreturn void wrong_use(void) {
  fputs(usage, stderr);
  exit(2);
}

int main(int argc, char **argv) {
  char path[PATH_MAX];
  const char *input = NULL, *output = NULL;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--help") == 0) return fputs(usage, stdout) < 0;
    if (strcmp(argv[i], "--version") == 0) return printf("tessera-trace %s\n", TESSERA_VERSION_STRING) < 0;
    if (strcmp(argv[i], "--output") == 0 && i + 1 < argc) output = argv[++i];
    else if (argv[i][0] == '-' || input) wrong_use();
    else input = argv[i];
  }
  if (!input) wrong_use();
  if (!output) {
    if (snprintf(path, sizeof path, "%s.json.gz", input) >= (int)sizeof path)
      end_with_error("the name has more than %d bytes", PATH_MAX - 9);
    output = path;
  }
  static struct timeline timeline;
  struct flow *flows;
  read_timeline(&timeline, input);
  align_clocks(&timeline);
  size_t flows_n = find_flows(&timeline, &flows);
  (ends_with(output, ".otf2") ? write_otf2 : write_timeline)(&timeline, flows, flows_n, output);
  printf("%s: %zu operations of %d unit%s on %d node%s, %zu message%s\n", output, timeline.events_n, timeline.units_n,
         timeline.units_n == 1 ? "" : "s", timeline.nodes_n, timeline.nodes_n == 1 ? "" : "s", flows_n, flows_n == 1 ? "" : "s");
  free(flows);
  free(timeline.events);
  free(timeline.units);
  return EXIT_SUCCESS;
}
