/* The statistics of a whole job. Unit 0 asks one unit after the other for its counters, a few of them ahead, and writes what
 * comes: it holds the counters of one unit at a time, and the sums. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/config.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/status.h"
#include "base/text.h"
#include "core/bootstrap.h"
#include "core/message.h"
#include "core/op.h"
#include "core/place.h"
#include "core/stats.h"

/* ---- the counters of a unit, as units pass them on ---- */

struct node_traffic {
  uint64_t node, calls, bytes;
};
struct unit_counts {
  struct tsr_stats_counts operations[TSR_STATS_N];
  uint64_t nodes_n; /* entries of `traffic` */
};
static struct unit_counts counts;    /* of the unit that is read */
static struct node_traffic *traffic; /* of the same unit; room for all nodes */
static struct node_traffic *totals;  /* to each node, of all units that were read; behind `traffic` */

static void take_own(void) {
  counts.nodes_n = 0;
  for (int what = 0; what < TSR_STATS_N; what++) tsr_stats_take(&counts.operations[what], (enum tsr_stat)what);
  for (int32_t node = 0; tsr_stats_traffic && node < tsr_place.nodes_n; node++) {
    struct tsr_stats_traffic *from = &tsr_stats_traffic[node];
    struct node_traffic to = {(uint64_t)node, tsr_stats_take_count(&from->calls), tsr_stats_take_count(&from->bytes)};
    if (to.calls) traffic[counts.nodes_n++] = to;
  }
}

/* ---- from all units to unit 0 ---- */

enum { AHEAD_N = 8 /* units that unit 0 asks before it reads them */ };
static const uint64_t ctrl_tag = UINT64_C(0x7374617473) << 16;

static void send_bytes(const void *data, size_t bytes) {
  if (!tsr_place_is_local(TSR_UNIT(0))) {
    tsr_exchange exchange;
    tsr_exchange_begin(&exchange, TSR_TAG_TEAM);
    tsr_exchange_send(&exchange, TSR_UNIT(0), data, bytes);
    tsr_exchange_end(&exchange);
    return;
  }
  for (size_t done = 0, piece; done < bytes; done += piece) {
    piece = bytes - done < TSR_CTRL_BYTES ? bytes - done : TSR_CTRL_BYTES;
    tsr_ctrl_send(TSR_UNIT(0), ctrl_tag, (const char *)data + done, piece);
  }
}

static void receive_bytes(tsr_unit from, void *data, size_t bytes) {
  if (!tsr_place_is_local(from)) {
    tsr_exchange exchange;
    tsr_exchange_begin(&exchange, TSR_TAG_TEAM);
    tsr_exchange_receive(&exchange, from, data, bytes);
    tsr_exchange_end(&exchange);
    return;
  }
  for (size_t done = 0, piece; done < bytes; done += piece) {
    piece = bytes - done < TSR_CTRL_BYTES ? bytes - done : TSR_CTRL_BYTES;
    tsr_ctrl_receive(from, ctrl_tag, (char *)data + done, piece);
  }
}

static void ask_unit(int32_t unit) {
  char ask = 0;
  if (unit > 0 && unit < tsr_place.units_n) tsr_ctrl_send(TSR_UNIT(unit), ctrl_tag, &ask, sizeof ask);
}

static void answer_unit_0(void) {
  char ask;
  tsr_ctrl_receive(TSR_UNIT(0), ctrl_tag, &ask, sizeof ask);
  take_own();
  send_bytes(&counts, sizeof counts);
  send_bytes(traffic, counts.nodes_n * sizeof *traffic);
}

static void read_unit(int32_t unit) {
  if (unit == 0) {
    take_own();
    return;
  }
  receive_bytes(TSR_UNIT(unit), &counts, sizeof counts);
  receive_bytes(TSR_UNIT(unit), traffic, counts.nodes_n * sizeof *traffic);
}

/* ---- output ---- */

enum form { NONE, TABLE, JSON, CSV };
struct output {
  enum form form;
  int fd;
  int error; /* errno of the first failure */
  int rows_n;
  struct tsr_text page;
  char data[PIPE_BUF];
};

/* Writes the page; the table is written line by line. */
static void flush_page(struct output *out) {
  if (out->page.n && !out->error && !tsr_write_all(out->fd, out->page.data, out->page.n)) out->error = errno;
  out->page.n = 0;
}

__attribute__((format(printf, 2, 3))) static void print_to(struct output *out, const char *format, ...) {
  char text[512];
  va_list args;
  va_start(args, format);
  int n = vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (n < 0) return;
  size_t bytes = (size_t)n < sizeof text ? (size_t)n : sizeof text - 1;
  if (out->page.room - out->page.n < bytes) flush_page(out);
  tsr_text_add_bytes(&out->page, text, bytes);
}

/* With three decimals, whatever the program's locale. */
struct thousandths {
  char text[32];
};
static struct thousandths in_thousandths(uint64_t number) {
  struct thousandths as;
  snprintf(as.text, sizeof as.text, "%" PRIu64 ".%03u", number / 1000, (unsigned)(number % 1000));
  return as;
}

/* ---- the table: sums of all units ---- */

static struct sums {
  struct tsr_stats_counts all;
  uint64_t least_ns, most_ns;
  int32_t most_unit;
} sums[TSR_STATS_N];

static void add_to_sums(int32_t unit) {
  for (int what = 0; what < TSR_STATS_N; what++) {
    const struct tsr_stats_counts *one = &counts.operations[what];
    struct sums *sum = &sums[what];
    sum->all.calls += one->calls;
    sum->all.bytes += one->bytes;
    sum->all.remote_bytes += one->remote_bytes;
    sum->all.ns += one->ns;
    if (one->longest_ns > sum->all.longest_ns) sum->all.longest_ns = one->longest_ns;
    if (unit == 0 || one->ns < sum->least_ns) sum->least_ns = one->ns;
    if (unit == 0 || one->ns > sum->most_ns) sum->most_ns = one->ns, sum->most_unit = unit;
  }
  for (uint64_t i = 0; i < counts.nodes_n; i++) {
    totals[traffic[i].node].calls += traffic[i].calls;
    totals[traffic[i].node].bytes += traffic[i].bytes;
  }
}

static void put_table_head(struct output *out) {
  print_to(out, "[tessera] statistics of %d unit%s on %d node%s; times are of one unit: mean, least and most\n", tsr_place.units_n,
           tsr_place.units_n == 1 ? "" : "s", tsr_place.nodes_n, tsr_place.nodes_n == 1 ? "" : "s");
  print_to(out, "[tessera] %-16s %12s %16s %16s %12s %12s %12s %8s %12s %12s\n", "operation", "calls", "bytes", "remote bytes",
           "ms", "least ms", "most ms", "of unit", "us per call", "longest us");
}

/* Nothing is printed when no operation ran. */
static void put_table(struct output *out) {
  for (int what = 0; what < TSR_STATS_N; what++) {
    const struct sums *sum = &sums[what];
    const struct tsr_stats_counts *all = &sum->all;
    if (!all->calls) continue;
    if (out->rows_n++ == 0) put_table_head(out);
    print_to(out, "[tessera] %-16s %12" PRIu64 " %16" PRIu64 " %16" PRIu64 " %12s %12s %12s %8d %12s %12s\n", tsr_stats_names[what],
             all->calls, all->bytes, all->remote_bytes, in_thousandths(all->ns / (uint64_t)tsr_place.units_n / 1000).text,
        in_thousandths(sum->least_ns / 1000).text, in_thousandths(sum->most_ns / 1000).text, sum->most_unit,
        in_thousandths(all->ns / all->calls).text, in_thousandths(all->longest_ns).text);
    flush_page(out);
  }
}

enum { TABLE_NODES_MAX = 16 };

static void put_table_nodes(struct output *out) {
  if (!out->rows_n || tsr_place.nodes_n == 1) return;
  if (tsr_place.nodes_n > TABLE_NODES_MAX)
    print_to(out, "[tessera] for the traffic with each of %d nodes see a TESSERA_STATS_FILE\n", tsr_place.nodes_n);
  for (int32_t node = 0; node < tsr_place.nodes_n && tsr_place.nodes_n <= TABLE_NODES_MAX; node++) {
    print_to(out, "[tessera] to node %-8d %12" PRIu64 " %16" PRIu64 "\n", node, totals[node].calls, totals[node].bytes);
    flush_page(out);
  }
}

/* ---- CSV: a row for each unit and operation, and for each unit and node that it has sent to or read from ---- */

static void put_csv_head(struct output *out) {
  print_to(out, "operation,unit,node,calls,bytes,remote_bytes,ns,longest_ns");
  for (int i = 0; i < TSR_STATS_SIZES_N; i++) print_to(out, ",calls_from_%" PRIu64 "_bytes", tsr_stats_size_least(i));
  print_to(out, "\n");
}

static void put_csv_rows(struct output *out, int32_t unit) {
  for (int what = 0; what < TSR_STATS_N; what++) {
    const struct tsr_stats_counts *one = &counts.operations[what];
    if (!one->calls) continue;
    print_to(out, "%s,%d,%d,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64, tsr_stats_names[what], unit,
             tsr_place_node(TSR_UNIT(unit)), one->calls, one->bytes, one->remote_bytes, one->ns, one->longest_ns);
    for (int i = 0; i < TSR_STATS_SIZES_N; i++) print_to(out, ",%" PRIu64, one->sizes[i]);
    print_to(out, "\n");
  }
  for (uint64_t i = 0; i < counts.nodes_n; i++) {
    print_to(out, "to_node_%" PRIu64 ",%d,%d,%" PRIu64 ",%" PRIu64 ",,,", traffic[i].node, unit, tsr_place_node(TSR_UNIT(unit)),
             traffic[i].calls, traffic[i].bytes);
    for (int size = 0; size < TSR_STATS_SIZES_N; size++) print_to(out, ",");
    print_to(out, "\n");
  }
}

/* ---- JSON: an object for each unit ---- */

static void put_json_head(struct output *out) {
  print_to(out, "{\"units\":%d,\"nodes\":%d,\"sizes_from\":[", tsr_place.units_n, tsr_place.nodes_n);
  for (int i = 0; i < TSR_STATS_SIZES_N; i++) print_to(out, "%s%" PRIu64, i ? "," : "", tsr_stats_size_least(i));
  print_to(out, "],\n\"by_unit\":[");
}

static void put_json_operation(struct output *out, const char *name, const struct tsr_stats_counts *one, bool is_first) {
  print_to(out, "%s\n\"%s\":{\"calls\":%" PRIu64 ",\"bytes\":%" PRIu64 ",\"remote_bytes\":%" PRIu64 ",\"ns\":%" PRIu64
           ",\"longest_ns\":%" PRIu64 ",\"sizes\":[", is_first ? "" : ",", name, one->calls, one->bytes, one->remote_bytes, one->ns,
      one->longest_ns);
  for (int i = 0; i < TSR_STATS_SIZES_N; i++) print_to(out, "%s%" PRIu64, i ? "," : "", one->sizes[i]);
  print_to(out, "]}");
}

static void put_json_unit(struct output *out, int32_t unit) {
  bool is_first = true;
  print_to(out, "%s\n{\"unit\":%d,\"node\":%d,\"operations\":{", unit ? "," : "", unit, tsr_place_node(TSR_UNIT(unit)));
  for (int what = 0; what < TSR_STATS_N; what++) {
    if (!counts.operations[what].calls) continue;
    put_json_operation(out, tsr_stats_names[what], &counts.operations[what], is_first);
    is_first = false;
  }
  print_to(out, "},\n\"to_node\":[");
  for (uint64_t i = 0; i < counts.nodes_n; i++)
    print_to(out, "%s{\"node\":%" PRIu64 ",\"calls\":%" PRIu64 ",\"bytes\":%" PRIu64 "}", i ? "," : "", traffic[i].node,
             traffic[i].calls, traffic[i].bytes);
  print_to(out, "]}");
}

/* ---- the file ---- */

static void begin_output(struct output *out) {
  if (out->form == CSV) put_csv_head(out);
  if (out->form == JSON) put_json_head(out);
}

static void add_unit(struct output *out, int32_t unit) {
  if (out->form == CSV) put_csv_rows(out, unit);
  if (out->form == JSON) put_json_unit(out, unit);
}

static void end_output(struct output *out) {
  if (out->form == TABLE) {
    put_table(out);
    put_table_nodes(out);
  }
  if (out->form == JSON) print_to(out, "]}\n");
  flush_page(out);
}

static enum form form_of(const char *file) {
  const char *end = strrchr(file, '.');
  if (!*file) return NONE;
  if (end && strcmp(end, ".json") == 0) return JSON;
  return end && strcmp(end, ".csv") == 0 ? CSV : TABLE;
}

static bool is_regular(int fd) {
  struct stat status;
  return fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
}

static void warn_of_file(const char *path, int error) {
  tsr_warn("TSR-0410 TESSERA_STATS_FILE=%s: the statistics cannot be written: %s; name a file in a folder that can be written and "
           "has room", path, strerror(error));
}

/* A file that is not whole is removed, a device is not. */
static void close_file(struct output *file, const char *path) {
  bool is_file = is_regular(file->fd);
  if (close(file->fd) && !file->error) file->error = errno;
  if (!file->error) return;
  warn_of_file(path, file->error);
  if (is_file) unlink(path);
}

/* ---- all together ---- */

static void open_outputs(struct output *table, struct output *file, char path[PATH_MAX]) {
  table->page = (struct tsr_text){.data = table->data, .room = sizeof table->data};
  file->page = (struct tsr_text){.data = file->data, .room = sizeof file->data};
  table->fd = STDERR_FILENO;
  table->form = tsr_config.stats ? TABLE : NONE;
  file->form = form_of(tsr_config.stats_file);
  if (file->form == NONE) return;
  tsr_stats_name(path, tsr_config.stats_file);
  file->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file->fd >= 0) return;
  warn_of_file(path, errno);
  file->form = NONE;
}

static void report_all_units(void) {
  static struct output table, file; /* too large for a stack */
  static char path[PATH_MAX];
  table = file = (struct output){.form = NONE};
  memset(sums, 0, sizeof sums);
  open_outputs(&table, &file, path);
  begin_output(&file);
  for (int32_t unit = 1; unit < AHEAD_N; unit++) ask_unit(unit);
  for (int32_t unit = 0; unit < tsr_place.units_n; unit++) {
    ask_unit(unit + AHEAD_N);
    read_unit(unit);
    add_to_sums(unit);
    add_unit(&file, unit);
  }
  end_output(&table);
  end_output(&file);
  if (file.form != NONE) close_file(&file, path);
}

/* Whether all units can report together: they have the same settings, and memory. Collective. */
static bool can_report(tsr_team *team, bool has_memory) {
  const uint64_t file = tsr_hash_bytes(TSR_HASH_NOTHING, tsr_config.stats_file, strlen(tsr_config.stats_file));
  int64_t settings = (int64_t)(file >> 3 << 1 | (uint64_t)tsr_config.stats);
  int64_t agreed[] = {settings, -settings, !has_memory};
  tsr_bootstrap_max(team, agreed, 3);
  if (agreed[0] == -agreed[1]) return !agreed[2];
  if (tsr_place.self == 0)
    tsr_warn("TSR-0416 TESSERA_STATS or TESSERA_STATS_FILE differ between units, so that each prints its own statistics; set both "
             "for all processes alike, as with mpiexec -genv (MPICH) or -x (Open MPI)");
  return false;
}

void tsr_stats_report(tsr_team *team) {
  traffic = calloc(2 * (size_t)tsr_place.nodes_n, sizeof *traffic);
  totals = traffic ? traffic + tsr_place.nodes_n : NULL;
  if (!traffic)
    tsr_warn("TSR-0418 no private memory to report the traffic with %d nodes, so that each unit prints its own statistics; "
             TSR_REMEDY_MEMORY, tsr_place.nodes_n);
  if (!can_report(team, traffic != NULL)) tsr_stats_print();
  else if (tsr_place.self == 0) report_all_units();
  else answer_unit_0();
  tsr_op_flush_all();      /* completes the messages that asked the units */
  tsr_bootstrap_barrier(team); /* a unit that ends with an error may take unit 0 with it */
  free(traffic);
  traffic = NULL;
}
