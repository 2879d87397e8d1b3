/* --check: starts and ends the runtime, and reports what limits it on each node, with the remedy. */
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <tessera/coll.h>
#include <tessera/memory.h>

#include "base/clock.h"
#include "check.h"
#include "core/place.h"
#include "info.h"
#include "net/start.h"
#include "node/attach.h"
#include "node/memory.h"
#include "node/topology.h"

enum { ROWS_N = 12 };

void info_found(struct finding *finding, bool is_note, const char *format, ...) {
  va_list list;
  va_start(list, format);
  finding->is_note = is_note;
  vsnprintf(finding->value, sizeof finding->value, format, list);
  va_end(list);
}

/* The first line of a file below /proc or /sys; empty if there is none. */
static const char *first_line(const char *path) {
  static char line[INFO_VALUE_BYTES];
  FILE *file = fopen(path, "r");
  line[0] = 0;
  if (file && !fgets(line, sizeof line, file)) line[0] = 0;
  if (file) fclose(file);
  line[strcspn(line, "\n")] = 0;
  return line;
}

static void check_mpi(struct finding *f) {
  const char *text = info_mpi_version();
  char version[INFO_VALUE_BYTES];
  size_t n = 0;
  for (; *text && *text != ',' && n + 1 < sizeof version; text++) { /* in one line, with single spaces */
    if (*text != ' ' || (n > 0 && version[n - 1] != ' ')) version[n++] = *text;
  }
  version[n] = '\0';
  info_found(f, false, "%s", version);
}

static void check_attach(struct finding *f) {
  bool works = true;
  for (uint32_t local = 0; local < tsr_place_local_units(); local++)
    works = works && (local == tsr_heap.self || tsr_attach_works(local));
  info_found(f, !works, "%s", tsr_place_local_units() == 1 ? "not needed by one unit" : works ? "permitted" : "refused");
}

static void check_huge_pages(struct finding *f) {
  const char *line = first_line("/sys/kernel/mm/transparent_hugepage/shmem_enabled"), *chosen = strchr(line, '[');
  info_found(f, chosen && !strncmp(chosen, "[never]", 7), "%.*s", chosen ? (int)strcspn(chosen + 1, "]") : 7,
             chosen ? chosen + 1 : "unknown");
}

static void check_memory(struct finding *f) {
  const double mib = (double)tsr_topology_memory_available() / (1 << 20);
  info_found(f, mib > 0 && mib < 64.0 * tsr_place_local_units(), "%.1f GiB for the heaps of %u unit%s", mib / 1024,
             tsr_place_local_units(), tsr_place_local_units() == 1 ? "" : "s");
}

static void check_address_space(struct finding *f) {
  struct rlimit limit;
  getrlimit(RLIMIT_AS, &limit);
  if (limit.rlim_cur == RLIM_INFINITY) info_found(f, false, "unlimited");
  else info_found(f, true, "%.1f GiB", (double)limit.rlim_cur / (1 << 30));
}

static void check_shm(struct finding *f) {
  struct statvfs shm;
  if (statvfs("/dev/shm", &shm)) info_found(f, true, "missing");
  else {
    const double mib = (double)shm.f_bavail * (double)shm.f_frsize / (1 << 20);
    info_found(f, mib < 4.2 * tsr_place_local_units(), "%.0f MiB free for the MPI", mib);
  }
}

static void check_locked(struct finding *f) {
  struct rlimit limit;
  getrlimit(RLIMIT_MEMLOCK, &limit);
  const bool is_low = limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < (rlim_t)1 << 30;
  if (!tsr_net_has_verbs()) info_found(f, false, "not needed: no active device for verbs");
  else if (limit.rlim_cur == RLIM_INFINITY) info_found(f, false, "unlimited");
  else info_found(f, is_low, "%.0f MiB", (double)limit.rlim_cur / (1 << 20));
}

static void check_clock(struct finding *f) {
  const char *source = first_line("/sys/devices/system/clocksource/clocksource0/current_clocksource");
  enum { BATCHES_N = 50, READS_N = 50 };
  double each_ns = 0;
  for (int batch = 0; batch < BATCHES_N; batch++) { /* the fastest: others may have been interrupted */
    const uint64_t begun_ns = tsr_clock_ns();
    for (int i = 0; i < READS_N; i++) (void)tsr_clock_ns();
    const double took_ns = (double)(tsr_clock_ns() - begun_ns) / READS_N;
    if (batch == 0 || took_ns < each_ns) each_ns = took_ns;
  }
  if (each_ns > 200) info_found(f, true, "%s, %.0f ns for each reading", source, each_ns);
  else info_found(f, false, "%s", *source ? source : "unknown");
}

/* The least time and the best rate of some transfers from this unit to another one. */
static void measure_link(int32_t unit, tessera_memory_t memory, size_t bytes, double *us, double *mb_per_s) {
  static char data[1 << 20];
  int64_t word = 0;
  *us = *mb_per_s = 0;
  for (int i = 0; i < 20; i++) {
    uint64_t begun_ns = tsr_clock_ns();
    info_require("tessera_get", tessera_get(&word, tessera_address(memory, unit, 0), sizeof word));
    const double took_us = (double)(tsr_clock_ns() - begun_ns) / 1e3;
    begun_ns = tsr_clock_ns();
    if (i % 4 == 0) info_require("tessera_put", tessera_put(tessera_address(memory, unit, 0), data, bytes));
    const double rate = (double)bytes * 1e3 / (double)(tsr_clock_ns() - begun_ns);
    if (i == 0 || took_us < *us) *us = took_us;
    if (i % 4 == 0 && rate > *mb_per_s) *mb_per_s = rate;
  }
}

/* Unit 0 measures the links to the first unit of each node, one after another. A link that is several times slower than the best
 * one is a note. `findings` has an element for each node. */
enum { SLOW_FACTOR = 5 };
static void check_links(struct finding *findings, tessera_memory_t memory, size_t bytes) {
  double best_us = 0, best_rate = 0;
  struct link { double us, mb_per_s; } *links = calloc((size_t)tsr_place.nodes_n, sizeof *links);
  if (!links) info_require("calloc", TESSERA_ERR_MEMORY);
  for (int32_t node = 1; node < tsr_place.nodes_n; node++) {
    struct link *link = &links[node];
    measure_link(tsr_place_first(node).id, memory, bytes, &link->us, &link->mb_per_s);
    if (node == 1 || link->us < best_us) best_us = link->us;
    if (link->mb_per_s > best_rate) best_rate = link->mb_per_s;
  }
  for (int32_t node = 1; node < tsr_place.nodes_n; node++) {
    const bool is_slow = links[node].us > SLOW_FACTOR * best_us || links[node].mb_per_s * SLOW_FACTOR < best_rate;
    info_found(&findings[node], is_slow, "from node 0: get of 8 bytes %.1f us, put of 1 MiB %.0f MB/s", links[node].us,
               links[node].mb_per_s);
  }
  free(links);
}

static const struct {
  const char *what, *remedy;
  void (*check)(struct finding *finding); /* NULL: measured by unit 0 */
} rows[ROWS_N] = {
  {"MPI", "the nodes load different libraries: install one MPI on all, or set the same PATH and LD_LIBRARY_PATH on all", check_mpi},
  {"launcher", "start the program with the mpiexec of Tessera's MPI, or with srun --mpi=pmi2 (MPICH) or pmix (Open MPI), and "
               "without TESSERA_ALONE", info_check_launcher},
  {"cores", "the launcher binds the units to few CPUs: give it more (--bind-to none, srun --cpu-bind=none)", info_check_cores},
  {"binding", "the thread that serves other nodes takes time from a unit: give the units more CPUs (--bind-to none, srun "
              "--cpu-bind=none or --cpus-per-task=2), or set TESSERA_PROGRESS=none", info_check_binding},
  {"kernel copies", "private memory is copied twice: set kernel.yama.ptrace_scope=0, or let the container use process_vm_readv "
                    "(seccomp profile, CAP_SYS_PTRACE)", check_attach},
  {"huge pages", "heaps have small pages only: echo advise > /sys/kernel/mm/transparent_hugepage/shmem_enabled", check_huge_pages},
  {"memory", "heaps may run out of it: raise the limit of the control group or the batch job, or start fewer units", check_memory},
  {"address space", "heaps need address space: ulimit -v unlimited", check_address_space},
  {"/dev/shm", "the MPI needs more: start the container with --shm-size=1g, or set UCX_TLS=^posix (MPICH)", check_shm},
  {"locked memory", "the network registers memory: ulimit -l unlimited, in limits.conf or in the batch system", check_locked},
  {"clock", "each reading is a system call: boot with the time stamp counter as clock (clocksource=tsc)", check_clock},
  {"links", "this link is much slower than the best one: look whether the node uses another network or port (tessera-info "
            "--explain on that node), and whether it is busy", NULL},
};

/* Makes notes of the results if they differ. */
static void require_agreement(struct finding *findings, int32_t nodes_n) {
  bool agree = true;
  for (int32_t node = 1; node < nodes_n; node++) agree = agree && !strcmp(findings[node].value, findings[0].value);
  for (int32_t node = 0; node < nodes_n; node++) findings[node].is_note = !agree;
}

/* Prints a row: one line for all nodes with the same result. Returns the number of notes. */
static int print_row(int row, const struct finding *findings, int32_t nodes_n) {
  int notes_n = 0;
  for (int32_t node = 0; node < nodes_n; node++) {
    const struct finding *one = &findings[node];
    int32_t first = 0, same_n = 0;
    if (!one->value[0]) continue;
    while (strcmp(findings[first].value, one->value) != 0) first++;
    if (first < node) continue; /* printed with an earlier node */
    for (int32_t i = node; i < nodes_n; i++) same_n += !strcmp(findings[i].value, one->value);
    printf("%-5s %-14s ", one->is_note ? "note" : "ok", rows[row].what);
    if (nodes_n == 1 || same_n == nodes_n) printf("%s", one->value);
    else printf("node %d%s: %s", node, same_n > 1 ? " and others" : "", one->value);
    printf("%s%s\n", one->is_note ? "; " : "", one->is_note ? rows[row].remedy : "");
    notes_n += one->is_note;
  }
  return notes_n;
}

/* The findings of each node's first unit, collected on unit 0. */
static int compare_nodes(void) {
  const int32_t nodes_n = tessera_nodes(), units_n = tessera_units();
  const size_t link_bytes = 1 << 20;
  struct finding own[ROWS_N] = {0}, *all = calloc((size_t)units_n, sizeof own), *row = calloc((size_t)nodes_n, sizeof *row);
  const bool is_first = tessera_unit() == tsr_place_first(tsr_place.node).id;
  tessera_memory_t memory;
  int notes_n = 0;
  if (!all || !row) info_require("calloc", TESSERA_ERR_MEMORY);
  for (int i = 0; i < ROWS_N && is_first; i++) {
    if (rows[i].check) rows[i].check(&own[i]);
  }
  info_require("tessera_gather", tessera_gather(tessera_team_world(), own, all, sizeof own, 0));
  info_require("tessera_memory_allocate", tessera_memory_allocate(tessera_team_world(), is_first ? link_bytes : 0, &memory));
  for (int i = 0; i < ROWS_N && tessera_unit() == 0; i++) {
    for (int32_t node = 0; node < nodes_n; node++) row[node] = all[(size_t)tsr_place_first(node).id * ROWS_N + (size_t)i];
    if (!rows[i].check) check_links(row, memory, link_bytes);
    if (rows[i].check == check_mpi) require_agreement(row, nodes_n);
    notes_n += print_row(i, row, nodes_n);
  }
  info_require("tessera_memory_free", tessera_memory_free(&memory));
  free(all), free(row);
  return notes_n;
}

int info_check(void) {
  info_find_launcher();
  info_start();
  const bool prints = tessera_unit() == 0;
  if (prints) printf("units: %d, nodes: %d\n", tessera_units(), tessera_nodes());
  const int notes_n = compare_nodes();
  const int code = info_end();
  if (prints && notes_n) printf("OK, with %d note%s\n", notes_n, notes_n == 1 ? "" : "s");
  else if (prints) puts("OK");
  return code;
}
