/* The collectives of message.h. */
#include <math.h>
#include <string.h>

#include "coll/coll.h"
#include "core/stats.h"
#include "api/armci/group.h"

/* Surrounds a call of the program. The call returns no result, so an error ends the job. */
struct run {
  const char *call;
  uint64_t begun_ns;
};
static struct run begin_run(const char *call) {
  return (struct run){call, tsr_stats_begin()};
}
static void end_run(struct run run, enum tsr_stat what, size_t bytes, tessera_status_t status) {
  if (!TSR_ARMCI_LIKELY(!status)) tsr_armci_die("TSR-3008 %s: the collective call failed; see the messages above, of this or "
                                                "another process", run.call);
  tsr_stats_end(what, run.begun_ns, bytes);
}

/* Ends the job if n is negative, or x is NULL and n is not 0. */
static void check_buffer(const char *call, const void *x, int n) {
  if (n < 0 || (n && !x)) tsr_armci_die("TSR-3009 %s: the buffer is %p, its size %d; pass a buffer, or size 0", call, x, n);
}

/* ---- barriers ---- */

static void run_barrier(const char *call, const ARMCI_Group *group) {
  struct run run = begin_run(call);
  end_run(run, TSR_STAT_BARRIER, 0, tsr_barrier(tsr_armci_group_must(call, group)->team));
}

void parmci_msg_barrier(void) { run_barrier("armci_msg_barrier", tsr_armci_default_group()); }
void parmci_msg_group_barrier(ARMCI_Group *group) { run_barrier("armci_msg_group_barrier", group); }
void armci_msg_barrier(void) __attribute__((weak, alias("parmci_msg_barrier")));
void armci_msg_group_barrier(ARMCI_Group *group) __attribute__((weak, alias("parmci_msg_group_barrier")));

/* ---- broadcasts ---- */

/* `root` is a rank in the team `numbering`. */
static void run_bcast(const char *call, const ARMCI_Group *group, int scope, void *buffer, int bytes, int root,
                      const tsr_team *numbering) {
  struct run run = begin_run(call);
  tsr_team *scope_team = tsr_armci_scope_team(call, group, scope);
  if (!scope_team) return;
  check_buffer(call, buffer, bytes);
  if (!tsr_team_has(numbering, TSR_MEMBER(root)))
    tsr_armci_die("TSR-3004 %s: there is no root %d; processes are 0 to %d", call, root, numbering->size - 1);
  tsr_member member = tsr_team_member(scope_team, tsr_team_unit(numbering, TSR_MEMBER(root)));
  if (member.id < 0)
    tsr_armci_die("TSR-3005 %s: the root %d is not in the caller's group and scope; pass a process of both", call, root);
  end_run(run, TSR_STAT_BCAST, (size_t)bytes, tsr_bcast(scope_team, buffer, (size_t)bytes, member));
}

static void bcast_default(const char *call, int scope, void *buffer, int bytes, int root) {
  const ARMCI_Group *group = tsr_armci_default_group();
  run_bcast(call, group, scope, buffer, bytes, root, tsr_armci_group_must(call, group)->team);
}

void armci_msg_bcast(void *buffer, int bytes, int root) { bcast_default(__func__, SCOPE_ALL, buffer, bytes, root); }
void armci_msg_brdcst(void *buffer, int bytes, int root) { bcast_default(__func__, SCOPE_ALL, buffer, bytes, root); }
void armci_msg_bcast_scope(int scope, void *buffer, int bytes, int root) {
  bcast_default(__func__, scope, buffer, bytes, root);
}
/* The root is a number in the world: Global Arrays passes one. */
void armci_msg_group_bcast_scope(int scope, void *buffer, int bytes, int root, ARMCI_Group *group) {
  run_bcast(__func__, group, scope, buffer, bytes, root, tsr_team_world);
}

void armci_msg_clus_brdcst(void *buffer, int bytes) {
  struct run run = begin_run(__func__);
  tsr_team *scope_team = tsr_armci_scope_team(__func__, tsr_armci_default_group(), SCOPE_NODE);
  check_buffer(__func__, buffer, bytes);
  end_run(run, TSR_STAT_BCAST, (size_t)bytes, tsr_bcast(scope_team, buffer, (size_t)bytes, TSR_MEMBER(0)));
}

/* ---- trees ---- */

/* -1: there is no such position. */
static int proc_at(const tsr_team *team, const struct tsr_armci_part *in, int32_t place) {
  if (place < 0 || place >= in->n) return -1;
  return tsr_team_unit(team, TSR_MEMBER(in->members ? in->members[place] : place)).id;
}

void armci_msg_bintree(int scope, int *root, int *up, int *left, int *right) {
  if (!root || !up || !left || !right) tsr_armci_die("TSR-3006 %s: a result is NULL; pass where to store all four", __func__);
  const tsr_team *team = tsr_armci_group_must(__func__, tsr_armci_default_group())->team;
  struct tsr_armci_part in = tsr_armci_part_of(__func__, team, scope);
  bool has = in.self >= 0;
  *root = proc_at(team, &in, 0);
  *up = has && in.self > 0 ? proc_at(team, &in, (in.self - 1) / 2) : -1;
  *left = has ? proc_at(team, &in, 2 * in.self + 1) : -1;
  *right = has ? proc_at(team, &in, 2 * in.self + 2) : -1;
}

/* ---- addresses ---- */

static void exchange_pointers(const char *call, void *pointers[], int n, const ARMCI_Group *group) {
  struct run run = begin_run(call);
  tsr_team *team = tsr_armci_group_must(call, group)->team;
  if (!pointers || n != team->size)
    tsr_armci_die("TSR-3007 %s: there are %d places at %p for the addresses of %d processes; pass one place for each", call, n,
                  (void *)pointers, team->size);
  tessera_status_t status = tsr_allgather(team, &pointers[team->self], pointers, sizeof *pointers);
  end_run(run, TSR_STAT_ALLGATHER, sizeof *pointers, status);
}

void armci_exchange_address(void *pointers[], int n) { exchange_pointers(__func__, pointers, n, tsr_armci_default_group()); }
void armci_exchange_address_grp(void *pointers[], int n, ARMCI_Group *group) {
  exchange_pointers(__func__, pointers, n, group);
}

/* ---- operations and types ---- */

/* "absmin" and "absmax" are the minimum and maximum of absolute values, which each process computes first. */
static const struct operation {
  const char *name;
  tsr_arith op;
  bool absolute;
} operations[] = {
    {"+", TSR_SUM, false},      {"*", TSR_PROD, false},     {"min", TSR_MIN, false}, {"max", TSR_MAX, false},
    {"absmin", TSR_MIN, true},  {"absmax", TSR_MAX, true},  {"or", TSR_BOR, false},  {"and", TSR_BAND, false},
    {"xor", TSR_BXOR, false},   {"||", TSR_LOR, false},     {"&&", TSR_LAND, false},
};
enum { OPERATIONS_N = sizeof operations / sizeof operations[0] };

/* By armci_type_e. Absolute values are unsigned, so that the smallest integer has one. */
static const struct {
  tsr_type type, absolute;
} types[] = {
    [ARMCI_INT] = {TSR_I32, TSR_U32},   [ARMCI_LONG] = {TSR_I64, TSR_U64},   [ARMCI_LONG_LONG] = {TSR_I64, TSR_U64},
    [ARMCI_FLOAT] = {TSR_F32, TSR_F32}, [ARMCI_DOUBLE] = {TSR_F64, TSR_F64},
};
enum { TYPES_N = sizeof types / sizeof types[0] };

static void check_type(const char *call, int type) {
  if (type < 0 || type >= TYPES_N)
    tsr_armci_die("TSR-3093 %s: %d is not a type; pass ARMCI_INT, ARMCI_LONG, ARMCI_LONG_LONG, ARMCI_FLOAT or ARMCI_DOUBLE",
                  call, type);
}

/* Compares only as many characters as the name has: strings of Fortran programs are padded with blanks or not
 * terminated. */
static bool starts_with(const char *op, const char *name) { return op && strncmp(op, name, strlen(name)) == 0; }

static const struct operation *find_operation(const char *call, const char *op, int type) {
  check_type(call, type);
  for (int i = 0; i < OPERATIONS_N; i++) {
    if (starts_with(op, operations[i].name) && tsr_arith_defined(types[type].type, operations[i].op)) return &operations[i];
  }
  tsr_armci_die("TSR-3094 %s: there is no operation \"%s\" for this type; pass +, *, min, max, absmin, absmax, or for "
                "integers or, and, xor, ||, &&", call, op ? op : "NULL");
}

#define MAKE_ABSOLUTE(element, expression) \
  for (int i = 0; i < n; i++) {            \
    element v = ((element *)x)[i];         \
    ((element *)x)[i] = (expression);      \
  }

/* An integer whose top bit is set is negative. */
static void make_absolute(void *x, int n, int type) {
  switch (type) {
  case ARMCI_INT: MAKE_ABSOLUTE(unsigned, v >> 31 ? -v : v) break;
  case ARMCI_LONG: MAKE_ABSOLUTE(unsigned long, v >> 63 ? -v : v) break;
  case ARMCI_LONG_LONG: MAKE_ABSOLUTE(unsigned long long, v >> 63 ? -v : v) break;
  case ARMCI_FLOAT: MAKE_ABSOLUTE(float, fabsf(v)) break;
  default: MAKE_ABSOLUTE(double, fabs(v)) break;
  }
}

/* ---- reductions ---- */

/* Checks the arguments. NULL: the caller does not take part. */
static tsr_team *begin_reduction(const char *call, const ARMCI_Group *group, int scope, void *x, int n, const char *op,
                                 int type, tsr_reducer *how) {
  tsr_team *scope_team = tsr_armci_scope_team(call, group, scope);
  if (!scope_team) return NULL;
  check_buffer(call, x, n);
  const struct operation *operation = find_operation(call, op, type);
  if (operation->absolute) make_absolute(x, n, type);
  *how = tsr_reducer_make(operation->absolute ? types[type].absolute : types[type].type, operation->op);
  return scope_team;
}

/* The result goes to all members, or to the first. */
static void reduce(bool to_all, const char *call, const ARMCI_Group *group, int scope, void *x, int n, const char *op, int type) {
  tsr_reducer how;
  struct run run = begin_run(call);
  tsr_team *scope_team = begin_reduction(call, group, scope, x, n, op, type, &how);
  if (!scope_team) return;
  tessera_status_t status = to_all ? tsr_allreduce(scope_team, x, x, (size_t)n, &how)
                                   : tsr_reduce(scope_team, x, x, (size_t)n, &how, TSR_MEMBER(0));
  end_run(run, to_all ? TSR_STAT_ALLREDUCE : TSR_STAT_REDUCE, (size_t)n * how.elem_bytes, status);
}

static void run_reduction(const char *call, const ARMCI_Group *group, int scope, void *x, int n, const char *op, int type) {
  reduce(true, call, group, scope, x, n, op, type);
}

static void combine_at_first(const char *call, int scope, void *x, int n, const char *op, int type) {
  reduce(false, call, tsr_armci_default_group(), scope, x, n, op, type);
}

void armci_msg_reduce(void *x, int n, const char *op, int type) { combine_at_first(__func__, SCOPE_ALL, x, n, op, type); }
void armci_msg_reduce_scope(int scope, void *x, int n, const char *op, int type) {
  combine_at_first(__func__, scope, x, n, op, type);
}

void armci_msg_gop_scope(int scope, void *x, int n, const char *op, int type) {
  run_reduction(__func__, tsr_armci_default_group(), scope, x, n, op, type);
}
void armci_msg_group_gop_scope(int scope, void *x, int n, const char *op, int type, ARMCI_Group *group) {
  run_reduction(__func__, group, scope, x, n, op, type);
}

/* For one type: over the default group, over a given group, and over the caller's node. */
#define REDUCTIONS(letters, element, type)                                                                 \
  void armci_msg_##letters##gop(element *x, int n, const char *op) {                                       \
    run_reduction(__func__, tsr_armci_default_group(), SCOPE_ALL, x, n, op, type);                         \
  }                                                                                                        \
  void armci_msg_group_##letters##gop(element *x, int n, const char *op, ARMCI_Group *group) {             \
    run_reduction(__func__, group, SCOPE_ALL, x, n, op, type);                                             \
  }                                                                                                        \
  void armci_msg_clus_##letters##gop(element *x, int n, const char *op) {                                  \
    run_reduction(__func__, tsr_armci_default_group(), SCOPE_NODE, x, n, op, type);                        \
  }

REDUCTIONS(i, int, ARMCI_INT)
REDUCTIONS(l, long, ARMCI_LONG)
REDUCTIONS(ll, long long, ARMCI_LONG_LONG)
REDUCTIONS(f, float, ARMCI_FLOAT)
REDUCTIONS(d, double, ARMCI_DOUBLE)

/* ---- selections ---- */

/* The contribution of one process. */
struct candidate {
  int64_t member; /* -1: none */
  union {
    int64_t integer;
    double real;
  } key;
};

struct choice {
  bool largest, real;
};

static struct candidate candidate_of(const void *x, int type, int32_t member) {
  struct candidate made = {.member = member};
  int i;
  float f;
  switch (type) {
  case ARMCI_INT: memcpy(&i, x, sizeof i), made.key.integer = i; break;
  case ARMCI_FLOAT: memcpy(&f, x, sizeof f), made.key.real = f; break;
  default: memcpy(&made.key, x, sizeof made.key); break;
  }
  return made;
}

static bool is_nan(const struct candidate *c, const struct choice *choice) { return choice->real && isnan(c->key.real); }

/* A number beats NaN, so that the result does not depend on the order of comparisons. */
static bool has_better_key(const struct candidate *a, const struct candidate *b, const struct choice *choice) {
  if (is_nan(a, choice) || is_nan(b, choice)) return !is_nan(a, choice);
  const struct candidate *large = choice->largest ? a : b, *small = choice->largest ? b : a;
  return choice->real ? large->key.real > small->key.real : large->key.integer > small->key.integer;
}

/* Keeps the better one of each pair. Of equal values, or of several NaNs, it keeps that of the lower member. */
static void choose_best(void *inout, const void *in, size_t n, const tsr_reducer *how) {
  struct candidate *best = inout;
  const struct candidate *others = in;
  for (size_t i = 0; i < n; i++) {
    const struct candidate *a = &others[i], *b = &best[i];
    bool better = a->member >= 0;
    if (better && b->member >= 0)
      better = has_better_key(a, b, how->user) || (!has_better_key(b, a, how->user) && a->member < b->member);
    if (better) best[i] = *a;
  }
}

static void check_selection(const char *call, const void *x, int n, const char *op, int type) {
  check_type(call, type);
  int least = (int)tsr_type_bytes(types[type].type);
  if (!x || n < least)
    tsr_armci_die("TSR-3095 %s: x is %p with %d bytes; pass at least one element of %d bytes", call, x, n, least);
  if (!starts_with(op, "min") && !starts_with(op, "max"))
    tsr_armci_die("TSR-3096 %s: there is no selection \"%s\"; pass min or max", call, op ? op : "NULL");
}

static void choose_and_spread(const char *call, int scope, void *x, int n, const char *op, int type, int contribute) {
  struct run run = begin_run(call);
  tsr_team *scope_team = tsr_armci_scope_team(call, tsr_armci_default_group(), scope);
  if (!scope_team) return;
  check_selection(call, x, n, op, type);
  struct choice choice = {.largest = starts_with(op, "max"), .real = type >= ARMCI_FLOAT};
  tsr_reducer how = {.elem_bytes = sizeof(struct candidate), .apply = choose_best, .commutes = true, .user = &choice};
  struct candidate best = {.member = -1};
  if (contribute) best = candidate_of(x, type, scope_team->self);
  end_run(run, TSR_STAT_ALLREDUCE, sizeof best, tsr_allreduce(scope_team, &best, &best, 1, &how));
  if (best.member < 0) tsr_armci_die("TSR-3097 %s: no process contributes; pass a non-zero `contribute` on at least one", call);
  run = begin_run(call);
  end_run(run, TSR_STAT_BCAST, (size_t)n, tsr_bcast(scope_team, x, (size_t)n, TSR_MEMBER((int32_t)best.member)));
}

void armci_msg_sel(void *x, int n, const char *op, int type, int contribute) {
  choose_and_spread(__func__, SCOPE_ALL, x, n, op, type, contribute);
}
void armci_msg_sel_scope(int scope, void *x, int n, const char *op, int type, int contribute) {
  choose_and_spread(__func__, scope, x, n, op, type, contribute);
}
