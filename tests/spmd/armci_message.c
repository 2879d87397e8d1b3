/* Messages and collectives of ARMCI, compared with plain arithmetic, in all scopes, of the world and of overlapping groups. */
#include <armci.h>

#include <float.h>
#include <limits.h>
#include <math.h>

#include "armci_domains.h"
#include "coll_moves.h"

enum { N = 5, MOST = 3000, LONG_BYTES = 200000 };

static int me, procs_n;
static int domain_of[64]; /* by process */

/* ---- messages ---- */

static unsigned char byte_of(int from, int tag, size_t i) { return (unsigned char)(i * 7 + (size_t)from * 31 + (size_t)tag); }

static void send(int to, int tag, int bytes) {
  static unsigned char out[LONG_BYTES];
  for (size_t i = 0; i < (size_t)bytes; i++) out[i] = byte_of(me, tag, i);
  armci_msg_snd(tag, out, bytes, to);
}

/* from < 0: any process. Returns the sender. */
static int receive(int from, int tag, int bytes) {
  static unsigned char in[LONG_BYTES];
  int got = -1, wrong = 0;
  if (from < 0) from = armci_msg_rcvany(tag, in, LONG_BYTES, &got);
  else armci_msg_rcv(tag, in, LONG_BYTES, &got, from);
  CHECK_EQ(got, bytes);
  for (size_t i = 0; i < (size_t)bytes; i++) wrong += in[i] != byte_of(from, tag, i);
  CHECK_EQ(wrong, 0);
  return from;
}

/* Around the ring: every second process sends first, so that long messages find their receive. */
static void sends(void) {
  static const int sizes[] = {0, 1, 513, 9000, LONG_BYTES};
  int next = (me + 1) % procs_n, before = (me + procs_n - 1) % procs_n;
  for (int i = 0; i < 5 && procs_n > 1; i++) {
    if (me % 2 || me == procs_n - 1) {
      receive(before, i, sizes[i]);
      send(next, i, sizes[i]);
    } else {
      send(next, i, sizes[i]);
      receive(before, i, sizes[i]);
    }
  }
  send(me, 9, 100);
  receive(me, 9, 100);
  armci_msg_snd(10, NULL, 0, me);
  armci_msg_rcv(10, NULL, 0, NULL, me);
}

static void receives_from_anybody(void) {
  int seen[64] = {0};
  send(0, 20, 50 + me);
  if (me != 0) return;
  for (int i = 0; i < procs_n; i++) {
    unsigned char in[200];
    int got, from = armci_msg_rcvany(20, in, sizeof in, &got);
    CHECK_EQ(got, 50 + from);
    CHECK_EQ(in[49], byte_of(from, 20, 49));
    seen[from]++;
  }
  for (int i = 0; i < procs_n; i++) CHECK_EQ(seen[i], 1);
}

/* ---- members of a scope ---- */

/* The processes of a list that are in a scope, as the caller sees it. Returns whether the caller is one of them. */
static int narrow(int n, const int list[], int scope, int out[]) {
  int out_n = 0;
  for (int i = 0; i < n; i++) {
    bool first = true;
    for (int k = 0; k < i; k++) first = first && domain_of[list[k]] != domain_of[list[i]];
    bool in = scope == SCOPE_ALL || (scope == SCOPE_NODE ? domain_of[list[i]] == domain_of[me] : first);
    if (in) out[out_n++] = list[i];
  }
  return out_n;
}

static bool has(int n, const int list[], int proc) {
  for (int i = 0; i < n; i++) {
    if (list[i] == proc) return true;
  }
  return false;
}

/* ---- reductions ---- */

static long value_of(int proc, int i) { return (proc * 7 + i * 3) % 11 - 5; }

static long combine(const char *op, long a, long b) {
  if (strcmp(op, "+") == 0) return a + b;
  if (strcmp(op, "*") == 0) return a * b;
  if (strcmp(op, "min") == 0) return a < b ? a : b;
  if (strcmp(op, "max") == 0) return a > b ? a : b;
  if (strcmp(op, "absmin") == 0) return labs(a) < labs(b) ? labs(a) : labs(b);
  if (strcmp(op, "absmax") == 0) return labs(a) > labs(b) ? labs(a) : labs(b);
  if (strcmp(op, "or") == 0) return a | b;
  if (strcmp(op, "and") == 0) return a & b;
  if (strcmp(op, "xor") == 0) return a ^ b;
  return strcmp(op, "||") == 0 ? a || b : a && b;
}

/* Types by their names in ARMCI. */
#define TYPES(X) X(ARMCI_INT, int) X(ARMCI_LONG, long) X(ARMCI_LONG_LONG, long long) X(ARMCI_FLOAT, float) X(ARMCI_DOUBLE, double)
static size_t bytes_of(int type) {
#define CASE(TYPE, T) \
  if (type == TYPE) return sizeof(T);
  TYPES(CASE)
#undef CASE
  abort();
}
static void set(int type, void *data, size_t i, long value) {
#define CASE(TYPE, T) \
  if (type == TYPE) ((T *)data)[i] = (T)value;
  TYPES(CASE)
#undef CASE
}
static long get(int type, const void *data, size_t i) {
#define CASE(TYPE, T) \
  if (type == TYPE) return (long)((const T *)data)[i];
  TYPES(CASE)
#undef CASE
  abort();
}

static const char *const operations[] = {"+", "*", "min", "max", "absmin", "absmax", "or", "and", "xor", "||", "&&"};
enum { OPERATIONS_N = 11, FOR_ALL_N = 6 };

/* A logical operation of a single member changes nothing. */
static bool makes_sense(int op, int type, int n) { return type >= ARMCI_FLOAT ? op < FOR_ALL_N : n > 1 || op < 9; }

static void fill_values(const struct coll_how *how, void *data, int proc, size_t from, size_t n) {
  for (size_t i = 0; i < n; i++) set(how->type, data, i, value_of(proc, (int)(from + i)));
}
static void join_values(const struct coll_how *how, void *inout, const void *in, size_t from, size_t n) {
  (void)from;
  for (size_t i = 0; i < n; i++)
    set(how->type, inout, i, combine(operations[how->op], get(how->type, in, i), get(how->type, inout, i)));
}
/* A product of floating-point numbers may be -0. */
static bool same_values(const struct coll_how *how, const void *a, const void *b) {
  return get(how->type, a, 0) == get(how->type, b, 0);
}
/* Also for a single member. */
static void make_absolute(const struct coll_how *how, void *data, size_t n) {
  for (size_t i = 0; strncmp(operations[how->op], "abs", 3) == 0 && i < n; i++)
    set(how->type, data, i, labs(get(how->type, data, i)));
}
static struct coll_how how_of(const char *op, int type) {
  struct coll_how how = {.elem_bytes = bytes_of(type),
                         .fill = fill_values,
                         .join = join_values,
                         .same = same_values,
                         .type = type,
                         .finish = make_absolute};
  while (strcmp(operations[how.op], op) != 0) how.op++;
  return how;
}

/* The calls for the cases of coll_moves.h: all work in place. */
static int scope;
static ARMCI_Group *group;
static void allreduce(void *send, void *recv, size_t n, const struct coll_how *how) {
  (void)send;
  armci_msg_group_gop_scope(scope, recv, (int)n, operations[how->op], how->type, group);
}
/* In all scopes the root is numbered as in the world. */
static void bcast(void *data, size_t n, int root) {
  armci_msg_group_bcast_scope(scope, data, (int)n, coll.numbers[root], group);
}
static const struct coll_calls calls = {.bcast = bcast, .allreduce = allreduce};

/* The members are those of a list; the caller may be outside. */
static void work_on(int n, const int list[]) {
  coll.calls = &calls;
  coll.numbers = list;
  coll.size = n;
  coll.self = -1;
  for (int i = 0; i < n; i++) {
    if (list[i] == me) coll.self = i;
  }
}

/* Over a group, whose members are listed in order. */
static void reduces(ARMCI_Group *of, int n, const int list[]) {
  int part[64];
  group = of;
  for (scope = SCOPE_ALL; scope <= SCOPE_MASTERS; scope++) {
    work_on(narrow(n, list, scope, part), part);
    for (int type = ARMCI_INT; type <= ARMCI_DOUBLE; type++) {
      for (int op = 0; op < OPERATIONS_N; op++) {
        if (!makes_sense(op, type, coll.size)) continue;
        const struct coll_how how = how_of(operations[op], type);
        coll_allreduce(&how, op == 0 ? MOST : N, true);
        coll_check(-1);
      }
    }
  }
}

/* The caller's data for a call of another name, and whether it gets the result. */
static void *begin(const char *op, int type, int n, const int list[], bool has_result) {
  static struct coll_how how;
  how = how_of(op, type);
  work_on(n, list);
  struct coll_buffer *data = coll_part(&how, N);
  if (has_result) coll_wish_sum(data, &how, n - 1, 0, N);
  data->anything = !has_result;
  return coll_data(data);
}

/* The short names, which contain the type; the same for the default group, a named one, and the node. */
#define TRY(letters, T, type)                                                                                      \
  do {                                                                                                             \
    armci_msg_##letters##gop((T *)begin("max", type, procs_n, all, true), N, "max");                               \
    coll_check(-1);                                                                                                \
    armci_msg_group_##letters##gop((T *)begin("absmax", type, procs_n, all, true), N, "absmax", &world);           \
    coll_check(-1);                                                                                                \
    armci_msg_clus_##letters##gop((T *)begin("+", type, local_n, here, true), N, "+");                             \
    coll_check(-1);                                                                                                \
    armci_msg_gop_scope(SCOPE_NODE, begin("*", type, local_n, here, true), N, "*", type);                          \
    coll_check(-1);                                                                                                \
    armci_msg_reduce(begin("+", type, procs_n, all, me == 0), N, "+", type);                                       \
    coll_check(-1);                                                                                                \
    armci_msg_reduce_scope(SCOPE_NODE, begin("min", type, local_n, here, me == here[0]), N, "min", type);          \
    coll_check(-1);                                                                                                \
  } while (0)

static void reduces_by_short_names(const int all[]) {
  ARMCI_Group world;
  int here[64], local_n = narrow(procs_n, all, SCOPE_NODE, here);
  ARMCI_Group_get_world(&world);
  TRY(i, int, ARMCI_INT);
  TRY(l, long, ARMCI_LONG);
  TRY(ll, long long, ARMCI_LONG_LONG);
  TRY(f, float, ARMCI_FLOAT);
  TRY(d, double, ARMCI_DOUBLE);
  armci_msg_igop(NULL, 0, "+");
}

/* The string begins with it: a Fortran string is filled up with blanks, and has no end. */
static void reads_names_of_fortran(void) {
  static const char sum[2] = "+ ", largest[] = "max     ", least[] = "absmin  ";
  long pair[2] = {me, me};
  int i = -me - 1;
  armci_msg_lgop(pair, 1, sum);
  CHECK_EQ(pair[0], (long)procs_n * (procs_n - 1) / 2);
  armci_msg_lgop(pair + 1, 1, largest);
  CHECK_EQ(pair[1], procs_n - 1);
  armci_msg_igop(&i, 1, least);
  CHECK_EQ(i, 1);
  pair[0] = me;
  armci_msg_sel(pair, sizeof pair, largest, ARMCI_LONG, 1);
  CHECK_EQ(pair[0], procs_n - 1);
}

static void knows_extremes(void) {
  int i = INT_MIN;
  double d = me == procs_n - 1 ? -DBL_MAX : 1;
  armci_msg_igop(&i, 1, "absmax");
  CHECK_EQ(i, INT_MIN); /* has no positive counterpart */
  armci_msg_dgop(&d, 1, "absmax");
  CHECK(d == DBL_MAX);
  i = me ? 3 : -2;
  armci_msg_igop(&i, 1, "absmin");
  CHECK_EQ(i, 2);
}

/* ---- broadcasts, trees, selections ---- */

static void broadcasts(ARMCI_Group *of, int n, const int list[]) {
  static const size_t lengths[] = {0, 1, 40, LONG_BYTES};
  int part[64];
  group = of;
  for (scope = SCOPE_ALL; scope <= SCOPE_MASTERS; scope++) {
    work_on(narrow(n, list, scope, part), part);
    coll.elem_bytes = 1;
    for (int root = 0; root < coll.size; root++) {
      for (int l = 0; l < 4; l++) {
        coll.first += 2;
        coll_bcast(lengths[l], root);
        coll_check(-1);
      }
    }
    coll.first = 0;
  }
}

static void broadcasts_by_short_names(const int all[]) {
  int here[64], last = procs_n - 1;
  narrow(procs_n, all, SCOPE_NODE, here);
  int word = me + 100;
  armci_msg_bcast(&word, sizeof word, last);
  CHECK_EQ(word, last + 100);
  word = me;
  armci_msg_brdcst(&word, sizeof word, last);
  CHECK_EQ(word, last);
  word = me;
  armci_msg_bcast_scope(SCOPE_NODE, &word, sizeof word, here[0]);
  CHECK_EQ(word, here[0]);
  word = me + 7;
  armci_msg_clus_brdcst(&word, sizeof word);
  CHECK_EQ(word, here[0] + 7);
}

/* Every process except the root has one parent, which has it as a child; the sum climbs up the tree. */
static void has_trees(const int all[]) {
  int part[64];
  for (int scope = SCOPE_ALL; scope <= SCOPE_MASTERS; scope++) {
    int part_n = narrow(procs_n, all, scope, part), root, up, left, right, got, theirs = 0, sum = 1;
    armci_msg_bintree(scope, &root, &up, &left, &right);
    CHECK_EQ(root, part[0]);
    if (!has(part_n, part, me)) {
      CHECK(up == -1 && left == -1 && right == -1);
      continue;
    }
    CHECK_EQ(up == -1, me == root);
    if (left >= 0) armci_msg_rcv(30 + scope, &theirs, sizeof theirs, &got, left);
    sum += left >= 0 ? theirs : 0;
    if (right >= 0) armci_msg_rcv(30 + scope, &theirs, sizeof theirs, &got, right);
    sum += right >= 0 ? theirs : 0;
    if (up >= 0) armci_msg_snd(30 + scope, &sum, sizeof sum, up);
    else CHECK_EQ(sum, part_n);
  }
}

struct choice {
  double key;
  int who;
};

static void selects(const int all[]) {
  int part[64];
  for (int scope = SCOPE_ALL; scope <= SCOPE_MASTERS; scope++) {
    int part_n = narrow(procs_n, all, scope, part);
    struct choice mine = {-(double)(me / 2), me}; /* pairs of the same key: the lower one is chosen */
    int least = part[part_n - 1];
    if (part_n > 1 && part[part_n - 2] / 2 == least / 2) least = part[part_n - 2];
    armci_msg_sel_scope(scope, &mine, sizeof mine, "min", ARMCI_DOUBLE, 1);
    CHECK_EQ(mine.who, has(part_n, part, me) ? least : me);
    CHECK(mine.key == -(double)(mine.who / 2));
  }
  int last = procs_n - 1;
  float real[2] = {me == last ? NAN : (float)me, (float)me}; /* a NaN is chosen last */
  armci_msg_sel(real, sizeof real, "max", ARMCI_FLOAT, 1);
  CHECK_EQ((int)real[1], last ? last - 1 : 0);
  long words[40] = {LONG_MIN + me, [39] = me};
  armci_msg_sel(words, sizeof words, "max", ARMCI_LONG, me == last || me == 0);
  CHECK_EQ(words[39], last);
  int word[2] = {me, me}; /* only one contributes, and not the best value */
  armci_msg_sel(word, sizeof word, "min", ARMCI_INT, me == last);
  CHECK_EQ(word[1], last);
  long long lone = -me;
  armci_msg_sel(&lone, sizeof lone, "min", ARMCI_LONG_LONG, 1);
  CHECK_EQ(lone, -last);
}

static void exchanges(ARMCI_Group *group, int n, const int list[]) {
  void *pointers[64];
  for (int i = 0; i < n; i++) pointers[i] = list[i] == me ? (void *)(uintptr_t)(8 + 64 * me) : NULL;
  armci_exchange_address_grp(pointers, n, group);
  for (int i = 0; i < n; i++) CHECK_EQ((uintptr_t)pointers[i], 8 + 64 * list[i]);
}

/* Two groups by parity, the odd one reversed, at the same time; then the world again. */
static void works_in_groups(void) {
  int list[64], n = 0;
  for (int i = 0; i < procs_n; i++) {
    int proc = me % 2 ? procs_n - 1 - i : i;
    if (proc % 2 == me % 2) list[n++] = proc;
  }
  ARMCI_Group half;
  ARMCI_Group_create(n, list, &half);
  reduces(&half, n, list);
  broadcasts(&half, n, list);
  exchanges(&half, n, list);
  armci_msg_group_barrier(&half);
  ARMCI_Group_free(&half);
}

int main(int argc, char **argv) {
  int all[64];
  ARMCI_Group world;
  armci_msg_init(&argc, &argv);
  me = armci_msg_me();
  procs_n = armci_msg_nproc();
  for (int life = 0; life < 2; life++) {
    CHECK_EQ(ARMCI_Init_args(&argc, &argv), 0);
    CHECK_EQ(me, armci_msg_me());
    CHECK_EQ(procs_n, armci_msg_nproc());
    double begun = armci_timer();
    int node_of[64] = {0};
    node_of[me] = tessera_node();
    armci_msg_igop(node_of, procs_n, "+");
    domains_of_nodes(procs_n, node_of, domain_of);
    for (int i = 0; i < procs_n; i++) all[i] = i;
    ARMCI_Group_get_world(&world);
    sends();
    receives_from_anybody();
    reduces(&world, procs_n, all);
    reduces_by_short_names(all);
    knows_extremes();
    reads_names_of_fortran();
    broadcasts(&world, procs_n, all);
    broadcasts_by_short_names(all);
    has_trees(all);
    selects(all);
    works_in_groups();
    exchanges(&world, procs_n, all);
    armci_msg_barrier();
    parmci_msg_barrier();
    CHECK(armci_timer() >= begun);
    CHECK_EQ(ARMCI_Finalize(), 0);
  }
  int result = check_result();
  armci_msg_finalize();
  return result;
}
