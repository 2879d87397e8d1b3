#include "coll/select.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/config.h"
#include "base/log.h"
#include "coll/direct.h"
#include "core/bootstrap.h"
#include "core/layers.h"
#include "core/place.h"

/* At 1 MiB, with more members than this, the many rounds of a ring cost more than the ring saves. */
enum { MANY = 256 };

/* The first row that fits a call is used. On one node receivers copy from the memory of the sender, several at a time,
 * so large data moves directly. Between nodes all messages of a member share one link. */
static const struct tsr_select_row table[] = {
    {TSR_COLL_BARRIER, TSR_ONE_NODE, false, TSR_ANY_TEAM, TSR_ANY_SIZE, TSR_BY_DOUBLING},
    {TSR_COLL_BARRIER, TSR_NODES, false, TSR_ANY_TEAM, TSR_ANY_SIZE, TSR_BY_NODES},

    {TSR_COLL_BCAST, TSR_ONE_NODE, false, TSR_ANY_TEAM, 8 << 10, TSR_BY_TREE},
    {TSR_COLL_BCAST, TSR_ONE_NODE, false, TSR_ANY_TEAM, TSR_ANY_SIZE, TSR_BY_DIRECT},
    {TSR_COLL_BCAST, TSR_NODES, false, TSR_ANY_TEAM, TSR_ANY_SIZE, TSR_BY_NODES},

    {TSR_COLL_SCATTER, TSR_NODES, false, TSR_ANY_TEAM, 4 << 10, TSR_BY_NODES},
    {TSR_COLL_SCATTER, TSR_ONE_NODE, false, 8, TSR_ANY_SIZE, TSR_BY_DIRECT},
    {TSR_COLL_SCATTER, TSR_ONE_NODE, false, TSR_ANY_TEAM, 512, TSR_BY_TREE},
    {TSR_COLL_SCATTER, TSR_ANYWHERE, false, TSR_ANY_TEAM, TSR_ANY_SIZE, TSR_BY_DIRECT},

    {TSR_COLL_GATHER, TSR_NODES, false, TSR_ANY_TEAM, 4 << 10, TSR_BY_NODES},
    {TSR_COLL_GATHER, TSR_ONE_NODE, false, 8, TSR_ANY_SIZE, TSR_BY_DIRECT},
    {TSR_COLL_GATHER, TSR_ONE_NODE, false, TSR_ANY_TEAM, 512, TSR_BY_TREE},
    {TSR_COLL_GATHER, TSR_ANYWHERE, false, TSR_ANY_TEAM, TSR_ANY_SIZE, TSR_BY_DIRECT},

    {TSR_COLL_ALLGATHER, TSR_NODES, false, TSR_ANY_TEAM, 4 << 10, TSR_BY_NODES},
    {TSR_COLL_ALLGATHER, TSR_ONE_NODE, false, 4, 512, TSR_BY_DIRECT},
    {TSR_COLL_ALLGATHER, TSR_ONE_NODE, false, TSR_ANY_TEAM, 512, TSR_BY_DOUBLING},
    {TSR_COLL_ALLGATHER, TSR_ONE_NODE, false, 32, TSR_ANY_SIZE, TSR_BY_DIRECT},
    {TSR_COLL_ALLGATHER, TSR_ANYWHERE, false, TSR_ANY_TEAM, TSR_ANY_SIZE, TSR_BY_RING},

    {TSR_COLL_REDUCE, TSR_NODES, true, TSR_ANY_TEAM, TSR_ANY_SIZE, TSR_BY_NODES},
    {TSR_COLL_REDUCE, TSR_ANYWHERE, false, TSR_ANY_TEAM, 16 << 10, TSR_BY_TREE},
    {TSR_COLL_REDUCE, TSR_ONE_NODE, false, 32, TSR_ANY_SIZE, TSR_BY_DIRECT},
    {TSR_COLL_REDUCE, TSR_ONE_NODE, true, TSR_ANY_TEAM, TSR_ANY_SIZE, TSR_BY_HALVING},
    {TSR_COLL_REDUCE, TSR_ANYWHERE, false, TSR_ANY_TEAM, TSR_ANY_SIZE, TSR_BY_TREE},

    {TSR_COLL_ALLREDUCE, TSR_NODES, true, TSR_ANY_TEAM, 64 << 10, TSR_BY_NODES},
    {TSR_COLL_ALLREDUCE, TSR_NODES, true, MANY, TSR_ANY_SIZE, TSR_BY_RING},
    {TSR_COLL_ALLREDUCE, TSR_NODES, true, TSR_ANY_TEAM, TSR_ANY_SIZE, TSR_BY_NODES},
    {TSR_COLL_ALLREDUCE, TSR_ANYWHERE, false, TSR_ANY_TEAM, 16 << 10, TSR_BY_DOUBLING},
    {TSR_COLL_ALLREDUCE, TSR_ONE_NODE, false, 32, TSR_ANY_SIZE, TSR_BY_DIRECT},
    {TSR_COLL_ALLREDUCE, TSR_ONE_NODE, true, TSR_ANY_TEAM, TSR_ANY_SIZE, TSR_BY_HALVING},
    {TSR_COLL_ALLREDUCE, TSR_ANYWHERE, false, TSR_ANY_TEAM, TSR_ANY_SIZE, TSR_BY_DOUBLING},

    {TSR_COLL_REDUCE_SCATTER, TSR_NODES, true, TSR_ANY_TEAM, 64 << 10, TSR_BY_NODES},
    {TSR_COLL_REDUCE_SCATTER, TSR_NODES, true, MANY, TSR_ANY_SIZE, TSR_BY_RING},
    {TSR_COLL_REDUCE_SCATTER, TSR_NODES, true, TSR_ANY_TEAM, TSR_ANY_SIZE, TSR_BY_NODES},
    {TSR_COLL_REDUCE_SCATTER, TSR_ONE_NODE, false, 32, TSR_ANY_SIZE, TSR_BY_DIRECT},
    {TSR_COLL_REDUCE_SCATTER, TSR_ANYWHERE, true, TSR_ANY_TEAM, TSR_ANY_SIZE, TSR_BY_RING},
    {TSR_COLL_REDUCE_SCATTER, TSR_ANYWHERE, false, TSR_ANY_TEAM, TSR_ANY_SIZE, TSR_BY_DIRECT},

    /* Rows for few nodes were measured on up to four hosts. With many nodes a chain is too long, or has too few pieces,
     * by the model of docs/collectives-scaling.md. */
    {TSR_COLL_BARRIER, TSR_LEADERS, false, TSR_ANY_TEAM, TSR_ANY_SIZE, TSR_BY_DOUBLING},

    {TSR_COLL_BCAST, TSR_LEADERS, false, 2, TSR_ANY_SIZE, TSR_BY_TREE},
    {TSR_COLL_BCAST, TSR_LEADERS, false, 4, 64 << 10, TSR_BY_TREE},
    {TSR_COLL_BCAST, TSR_LEADERS, false, TSR_ANY_TEAM, 8 << 10, TSR_BY_TREE},
    {TSR_COLL_BCAST, TSR_LEADERS, false, 4, TSR_ANY_SIZE, TSR_BY_RING},
    {TSR_COLL_BCAST, TSR_LEADERS, false, TSR_ANY_TEAM, 8 << 20, TSR_BY_HALVING},
    {TSR_COLL_BCAST, TSR_LEADERS, false, 64, TSR_ANY_SIZE, TSR_BY_RING},
    {TSR_COLL_BCAST, TSR_LEADERS, false, TSR_ANY_TEAM, TSR_ANY_SIZE, TSR_BY_HALVING},

    {TSR_COLL_SCATTER, TSR_LEADERS, false, 8, TSR_ANY_SIZE, TSR_BY_DIRECT},
    {TSR_COLL_SCATTER, TSR_LEADERS, false, TSR_ANY_TEAM, 8 << 10, TSR_BY_TREE},
    {TSR_COLL_SCATTER, TSR_LEADERS, false, TSR_ANY_TEAM, TSR_ANY_SIZE, TSR_BY_DIRECT},

    {TSR_COLL_GATHER, TSR_LEADERS, false, 8, TSR_ANY_SIZE, TSR_BY_DIRECT},
    {TSR_COLL_GATHER, TSR_LEADERS, false, TSR_ANY_TEAM, 32 << 10, TSR_BY_TREE},
    {TSR_COLL_GATHER, TSR_LEADERS, false, TSR_ANY_TEAM, TSR_ANY_SIZE, TSR_BY_DIRECT},

    {TSR_COLL_ALLGATHER, TSR_LEADERS, false, 256, 32 << 10, TSR_BY_DOUBLING},
    {TSR_COLL_ALLGATHER, TSR_LEADERS, false, TSR_ANY_TEAM, 8 << 10, TSR_BY_DOUBLING},
    {TSR_COLL_ALLGATHER, TSR_LEADERS, false, TSR_ANY_TEAM, TSR_ANY_SIZE, TSR_BY_RING},

    {TSR_COLL_REDUCE, TSR_LEADERS, false, 2, TSR_ANY_SIZE, TSR_BY_TREE},
    {TSR_COLL_REDUCE, TSR_LEADERS, false, 4, 64 << 10, TSR_BY_TREE},
    {TSR_COLL_REDUCE, TSR_LEADERS, false, TSR_ANY_TEAM, 16 << 10, TSR_BY_TREE},
    {TSR_COLL_REDUCE, TSR_LEADERS, false, 4, TSR_ANY_SIZE, TSR_BY_RING},
    {TSR_COLL_REDUCE, TSR_LEADERS, false, TSR_ANY_TEAM, 8 << 20, TSR_BY_HALVING},
    {TSR_COLL_REDUCE, TSR_LEADERS, false, 64, TSR_ANY_SIZE, TSR_BY_RING},
    {TSR_COLL_REDUCE, TSR_LEADERS, false, TSR_ANY_TEAM, TSR_ANY_SIZE, TSR_BY_HALVING},

    {TSR_COLL_ALLREDUCE, TSR_LEADERS, false, 2, 1 << 20, TSR_BY_DOUBLING},
    {TSR_COLL_ALLREDUCE, TSR_LEADERS, false, 2, TSR_ANY_SIZE, TSR_BY_HALVING},
    {TSR_COLL_ALLREDUCE, TSR_LEADERS, false, TSR_ANY_TEAM, 16 << 10, TSR_BY_DOUBLING},
    {TSR_COLL_ALLREDUCE, TSR_LEADERS, false, 4, TSR_ANY_SIZE, TSR_BY_RING},
    {TSR_COLL_ALLREDUCE, TSR_LEADERS, false, TSR_ANY_TEAM, TSR_ANY_SIZE, TSR_BY_HALVING},

    {TSR_COLL_REDUCE_SCATTER, TSR_LEADERS, false, 32, TSR_ANY_SIZE, TSR_BY_DIRECT},
    {TSR_COLL_REDUCE_SCATTER, TSR_LEADERS, false, TSR_ANY_TEAM, 64 << 10, TSR_BY_DIRECT},
    {TSR_COLL_REDUCE_SCATTER, TSR_LEADERS, false, TSR_ANY_TEAM, TSR_ANY_SIZE, TSR_BY_RING},
};

/* The rows of the file TESSERA_COLL_TABLE. */
enum { FILE_ROWS_MAX = 256, FILE_BYTES_MAX = 64 << 10 };
static struct tsr_select_row file_rows[FILE_ROWS_MAX];
static int file_rows_n;

/* The call for which an algorithm is selected. */
struct call {
  enum tsr_coll_kind kind;
  enum tsr_where where;
  int32_t members;
  size_t bytes;
  bool commutes;
};

static bool fits_call(const struct tsr_select_row *row, const struct call *call) {
  return row->kind == call->kind && (row->where & call->where) && (call->commutes || !row->commutes) &&
         call->members <= row->most_members && call->bytes <= row->most_bytes;
}

/* The first row of `table` for each kind and place. */
static uint8_t first_rows[TSR_COLL_KINDS_N][TSR_LEADERS + 1];

static void index_table(void) {
  _Static_assert(sizeof table / sizeof *table <= UINT8_MAX, "first_rows has numbers of rows");
  for (size_t i = sizeof table / sizeof *table; i-- > 0;) {
    for (int where = TSR_ONE_NODE; where <= TSR_LEADERS; where++)
      if (table[i].where & where) first_rows[table[i].kind][where] = (uint8_t)i;
  }
}

static enum tsr_algorithm find_algorithm(const struct call *call) {
  for (int i = 0; i < file_rows_n; i++) {
    if (fits_call(&file_rows[i], call)) return file_rows[i].algorithm;
  }
  const struct tsr_select_row *row = &table[first_rows[call->kind][call->where]];
  while (!fits_call(row, call)) row++; /* the last row of each kind and place fits all calls */
  return row->algorithm;
}

enum tsr_algorithm tsr_select(enum tsr_coll_kind kind, const tsr_team *team, size_t bytes, bool commutes) {
  return find_algorithm(&(struct call){kind, team->nodes_n > 1 ? TSR_NODES : TSR_ONE_NODE, team->size, bytes, commutes});
}

enum tsr_algorithm tsr_select_leaders(enum tsr_coll_kind kind, const tsr_team *team, size_t bytes) {
  return find_algorithm(&(struct call){kind, TSR_LEADERS, team->nodes_n, bytes, true});
}

enum tsr_algorithm tsr_select_locals(enum tsr_coll_kind kind, const tsr_team *team, size_t bytes) {
  return find_algorithm(&(struct call){kind, TSR_ONE_NODE, team->locals_n, bytes, true});
}

/* Returns the text of the file; NULL, with a warning, if it cannot be read. */
static char *read_file(const char *path) {
  FILE *file = fopen(path, "r");
  char *text = file ? calloc(1, FILE_BYTES_MAX) : NULL;
  size_t bytes = text ? fread(text, 1, FILE_BYTES_MAX, file) : 0;
  bool whole = text && !ferror(file) && bytes < FILE_BYTES_MAX;
  if (!whole)
    tsr_warn("TSR-0908 TESSERA_COLL_TABLE=%s cannot be read (%s); the built-in table is used", path,
             bytes == FILE_BYTES_MAX ? "it is longer than any table" : strerror(errno));
  if (file) fclose(file);
  if (whole) return text;
  free(text);
  return NULL;
}

/* For unit 0. Returns the number of rows; 0, with a warning, if the file is wrong. */
static int load_rows(void) {
  if (!*tsr_config.coll_table) return 0;
  char *text = read_file(tsr_config.coll_table);
  if (!text) return 0;
  const char *fault = NULL;
  int n = tsr_select_parse(text, file_rows, FILE_ROWS_MAX, &fault);
  if (n < 0)
    tsr_warn("TSR-0909 TESSERA_COLL_TABLE=%s, line %d: %s; the built-in table is used (docs/tuning-collectives.md)",
             tsr_config.coll_table, -n, fault);
  free(text);
  return n < 0 ? 0 : n;
}

/* Encodes a row as numbers >= 0. Unit 0 passes these and the other units pass 0, so the maximum is the row. */
static void encode_row(const struct tsr_select_row *row, int64_t v[2]) {
  v[0] = row->most_members | (int64_t)row->kind << 32 | (int64_t)row->where << 40 | (int64_t)row->commutes << 43 |
         (int64_t)row->algorithm << 44;
  v[1] = row->most_bytes > INT64_MAX ? INT64_MAX : (int64_t)row->most_bytes;
}

static struct tsr_select_row decode_row(const int64_t v[2]) {
  return (struct tsr_select_row){.kind = (enum tsr_coll_kind)(v[0] >> 32 & 0xff),
                                 .where = (enum tsr_where)(v[0] >> 40 & 7),
                                 .commutes = v[0] >> 43 & 1,
                                 .most_members = (int32_t)(v[0] & INT32_MAX),
                                 .most_bytes = v[1] == INT64_MAX ? TSR_ANY_SIZE : (size_t)v[1],
                                 .algorithm = (enum tsr_algorithm)(v[0] >> 44)};
}

static void share_table(void) {
  bool reads = tsr_place.self == 0;
  int64_t n = reads ? load_rows() : 0;
  tsr_bootstrap_max(tsr_team_world, &n, 1);
  for (int i = 0; i < (int)n; i++) {
    int64_t v[2] = {0, 0};
    if (reads) encode_row(&file_rows[i], v);
    tsr_bootstrap_max(tsr_team_world, v, 2);
    file_rows[i] = decode_row(v);
  }
  file_rows_n = (int)n;
}

static void init_coll(void) {
  share_table();
  tsr_direct_measure();
}

__attribute__((constructor)) static void register_layer(void) {
  static const struct tsr_layer layer = {.name = "coll", .init = init_coll};
  index_table();
  tsr_layers_register(&layer);
}
