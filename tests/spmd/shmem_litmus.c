/* OpenSHMEM's memory model: short exchanges of which the specification forbids an outcome, repeated while the processes run against
 * each other. Each PE writes to the PE half of the PEs away, which with two nodes is often on the other one, and reads what
 * another one writes to it. An argument sets the number of rounds. */
#include <sched.h>

#include "shmem_check.h"

enum { WORDS_MAX = 20000, LONG_WORDS = 1000, SLOTS_N = 16 };

static int to, from, rounds;
static shmem_ctx_t ctx;
static bool calls_make_progress; /* and nothing else does */

/* Data lies in the heap, flags among the static variables: they may take different ways to one PE. */
static long *data, *mine;
static long flag, ack;
static uint64_t signal_word;

struct shape {
  int words, round;
};

/* ---- how data is written ---- */

static void write_put(struct shape s) { shmem_long_put(data, mine, (size_t)s.words, to); }
static void write_put_nbi(struct shape s) { shmem_long_put_nbi(data, mine, (size_t)s.words, to); }
static void write_ctx_put(struct shape s) { shmem_ctx_long_put(ctx, data, mine, (size_t)s.words, to); }
static void write_halves(struct shape s) {
  shmem_long_iput(data, mine, 2, 2, (size_t)s.words / 2, to);
  shmem_long_iput(data + 1, mine + 1, 2, 2, (size_t)s.words / 2, to);
}
static void write_words(struct shape s) {
  for (int i = 0; i < s.words; i++) shmem_long_p(&data[i], s.round, to);
}
static void write_sets(struct shape s) {
  for (int i = 0; i < s.words; i++) shmem_long_atomic_set(&data[i], s.round, to);
}
static void write_adds(struct shape s) {
  for (int i = 0; i < s.words; i++) shmem_long_atomic_add(&data[i], 1, to);
}
static void write_stores(struct shape s) {
  volatile long *there = shmem_ptr(data, to);
  if (!there) write_words(s);
  for (int i = 0; there && i < s.words; i++) there[i] = s.round;
}
/* While the default context has much under way. */
static void write_ctx_beside(struct shape s) {
  shmem_long_put_nbi(data + LONG_WORDS, mine + LONG_WORDS, WORDS_MAX - LONG_WORDS, to);
  write_ctx_put(s);
}

/* ---- what is between data and flag ---- */

static void do_fence(void) { shmem_fence(); }
static void do_quiet(void) { shmem_quiet(); }
static void do_ctx_fence(void) { shmem_ctx_fence(ctx); }
static void do_ctx_quiet(void) { shmem_ctx_quiet(ctx); }
static void do_pe_quiet(void) { shmem_pe_quiet(&to, 1); }
static void do_nothing(void) {}

/* ---- how the flag is set ---- */

static void flag_p(struct shape s) { shmem_long_p(&flag, s.round, to); }
static void flag_ctx_p(struct shape s) { shmem_ctx_long_p(ctx, &flag, s.round, to); }
static void flag_set(struct shape s) { shmem_long_atomic_set(&flag, s.round, to); }
static void flag_inc(struct shape s) {
  (void)s;
  shmem_long_atomic_inc(&flag, to);
}
static void flag_swap_nbi(struct shape s) {
  static long old;
  shmem_long_atomic_swap_nbi(&old, &flag, s.round, to);
}
static void flag_signal(struct shape s) { shmem_signal_set(&signal_word, (uint64_t)s.round, to); }
/* Data and signal in one call: instead of a write. */
static void flag_put_signal(struct shape s) {
  shmem_long_put_signal(data, mine, (size_t)s.words, &signal_word, (uint64_t)s.round, SHMEM_SIGNAL_SET, to);
}
static void flag_put_signal_nbi(struct shape s) {
  shmem_long_put_signal_nbi(data, mine, (size_t)s.words, &signal_word, 1, SHMEM_SIGNAL_ADD, to);
}
static void write_nothing(struct shape s) { (void)s; }

/* ---- how the reader waits for it ---- */

static void see_wait(long round) { shmem_long_wait_until(&flag, SHMEM_CMP_EQ, round); }
static void see_test(long round) {
  while (!shmem_long_test(&flag, SHMEM_CMP_GE, round)) sched_yield();
}
static void see_signal(long round) { shmem_signal_wait_until(&signal_word, SHMEM_CMP_GE, (uint64_t)round); }
static void see_fetch(long round) {
  while (shmem_long_atomic_fetch(&flag, me) != round) sched_yield();
}
/* No call at all until it comes. */
static void see_load(long round) {
  while (!calls_make_progress && *(volatile long *)&flag != round) sched_yield();
  see_test(round);
}

/* ---- message passing ---- */

/* The reader that sees the flag of a round sees all words of that round. */
static const struct exchange {
  const char *name;
  void (*write)(struct shape);
  void (*order)(void);
  void (*raise)(struct shape);
  void (*see)(long round);
  int words;
  bool fetched; /* the reader reads by atomics */
} exchanges[] = {
    {"put, fence, p", write_put, do_fence, flag_p, see_wait, 1, false},
    {"long put, fence, p", write_put, do_fence, flag_p, see_wait, WORDS_MAX, false},
    {"put, quiet, p", write_put, do_quiet, flag_p, see_test, 64, false},
    {"put, quiet of a PE, p", write_put, do_pe_quiet, flag_p, see_wait, 64, false},
    {"long put, fence, atomic add", write_put, do_fence, flag_inc, see_load, WORDS_MAX, false},
    {"put_nbi, fence, p", write_put_nbi, do_fence, flag_p, see_load, 64, false},
    {"put_nbi of 16 KiB, fence, p", write_put_nbi, do_fence, flag_p, see_wait, 2048, false}, /* an agent may send it */
    {"put_nbi of 2 KiB, fence, p", write_put_nbi, do_fence, flag_p, see_wait, 256, false}, /* with a lower TESSERA_OFFLOAD, too */
    {"long put_nbi, fence, swap_nbi", write_put_nbi, do_fence, flag_swap_nbi, see_fetch, WORDS_MAX, false},
    {"long put_nbi, quiet, p", write_put_nbi, do_quiet, flag_p, see_wait, WORDS_MAX, false},
    {"iput, fence, atomic set", write_halves, do_fence, flag_set, see_wait, 64, false},
    {"long iput, fence, p", write_halves, do_fence, flag_p, see_wait, WORDS_MAX, false},
    {"p, fence, signal", write_words, do_fence, flag_signal, see_signal, 8, false},
    {"atomic set, fence, p", write_sets, do_fence, flag_p, see_wait, 8, true},
    {"atomic add, fence, atomic add", write_adds, do_fence, flag_inc, see_fetch, 8, true},
    {"atomic add, quiet, p", write_adds, do_quiet, flag_p, see_test, 8, true},
    {"stores, fence, p", write_stores, do_fence, flag_p, see_wait, 8, false},
    {"stores, quiet, atomic set, read by fetch", write_stores, do_quiet, flag_set, see_fetch, 8, true},
    {"put_signal", write_nothing, do_nothing, flag_put_signal, see_signal, 64, false},
    {"long put_signal", write_nothing, do_nothing, flag_put_signal, see_signal, WORDS_MAX, false},
    {"long put_signal_nbi that adds", write_nothing, do_nothing, flag_put_signal_nbi, see_signal, WORDS_MAX, false},
    {"put, fence, p on a context", write_ctx_put, do_ctx_fence, flag_ctx_p, see_wait, 64, false},
    {"put, quiet on a context, p on the default one", write_ctx_put, do_ctx_quiet, flag_p, see_wait, 64, false},
    {"put, fence, p on a context beside a long put on the default one", write_ctx_beside, do_ctx_fence, flag_ctx_p, see_wait, 64,
     false},
};

static bool is_stale(const struct exchange *e, struct shape s) {
  for (int i = 0; i < s.words; i++)
    if ((e->fetched ? shmem_long_atomic_fetch(&data[i], me) : data[i]) != s.round) return true;
  return false;
}

static void run_exchange(const struct exchange *e) {
  const int n = e->words > LONG_WORDS ? rounds / 8 + 1 : rounds;
  int forbidden_n = 0;
  flag = ack = 0;
  signal_word = 0;
  memset(data, 0, WORDS_MAX * sizeof *data);
  shmem_barrier_all();
  for (int round = 1; round <= n; round++) {
    const struct shape s = {e->words, round};
    for (int i = 0; i < s.words; i++) mine[i] = round;
    e->write(s);
    e->order();
    e->raise(s);
    e->see(round);
    forbidden_n += is_stale(e, s);
    shmem_long_p(&ack, round, from);
    shmem_long_wait_until(&ack, SHMEM_CMP_EQ, round);
    shmem_quiet(); /* `mine` may be changed again */
    shmem_ctx_quiet(ctx);
  }
  if (forbidden_n) fprintf(stderr, "%s: forbidden in %d of %d rounds\n", e->name, forbidden_n, n);
  CHECK_EQ(forbidden_n, 0);
  shmem_barrier_all();
}

/* ---- other shapes ---- */

/* What a quiet has completed is visible to all PEs: to the one that a second PE tells of it, too. */
static int told_by_another(int round) {
  static long told, passed, word;
  shmem_long_p(&word, round, (me + 2) % pes);
  shmem_quiet();
  shmem_long_p(&told, round, next);
  shmem_long_wait_until(&told, SHMEM_CMP_GE, round);
  shmem_long_p(&passed, round, next);
  shmem_long_wait_until(&passed, SHMEM_CMP_GE, round);
  return word < round;
}

/* Two PEs write, call quiet, and then read what the other one writes, again and again. If one has written k and then reads j, the
 * other one, after it has written j + 1, reads k or more. */
static int neither_reads_new(bool at_reader, bool by_atomics) {
  enum { TURNS = 100, APART = 16 };
  static long words[2 * APART], seen[TURNS + 2], theirs[TURNS + 2];
  const int other = me ^ 1, own = me % 2 * APART, theirs_at = APART - own, write_to = at_reader ? other : me,
            read_from = at_reader ? me : other;
  int forbidden = 0;
  words[0] = words[APART] = 0;
  shmem_barrier_all();
  for (int k = 1; k <= TURNS && other < pes; k++) {
    if (by_atomics) shmem_long_atomic_set(&words[own], k, write_to);
    else shmem_long_p(&words[own], k, write_to);
    shmem_quiet();
    seen[k] = by_atomics ? shmem_long_atomic_fetch(&words[theirs_at], read_from) : shmem_long_g(&words[theirs_at], read_from);
  }
  shmem_barrier_all();
  if (other < pes) shmem_long_get(theirs, seen, TURNS + 2, other);
  for (int k = 1; k <= TURNS && other < pes; k++) forbidden += seen[k] < TURNS && theirs[seen[k] + 1] < k;
  shmem_barrier_all();
  return forbidden;
}
static int store_buffers(int round) { return neither_reads_new(round % 2, false); }
static int store_buffers_atomic(int round) { return neither_reads_new(round % 2, true); }

/* A barrier completes puts; a sync does not, but after a quiet they are complete, and stores are with it alone. */
static int barrier_completes(int round) {
  static long put_word, quiet_word, stored;
  shmem_long_put_nbi(&put_word, &mine[0], 1, to);
  shmem_barrier_all();
  int forbidden = put_word != mine[0];
  stored = round;
  shmem_long_p(&quiet_word, round, to);
  shmem_quiet();
  shmem_sync_all();
  forbidden += quiet_word != round;
  forbidden += shmem_long_g(&stored, to) != round;
  shmem_sync_all();
  return forbidden;
}

/* Fetched data is there after quiet, and not older than what the owner had stored before it sent the flag. */
static int gets_complete(int round) {
  static long ready, got[2];
  data[0] = data[WORDS_MAX - 1] = round;
  shmem_fence();
  shmem_long_p(&ready, round, from);
  shmem_long_wait_until(&ready, SHMEM_CMP_GE, round);
  shmem_long_get_nbi(&got[0], &data[0], 1, to);
  shmem_ctx_long_get_nbi(ctx, mine, data, WORDS_MAX, to);
  shmem_quiet();
  shmem_ctx_quiet(ctx);
  int forbidden = (got[0] != round) + (mine[WORDS_MAX - 1] != round);
  shmem_sync_all();
  return forbidden;
}

/* Each number is given to one PE, and later ones are higher. */
static int unique_numbers(int round) {
  static long counter, given[SLOTS_N], last;
  int forbidden = 0;
  const int home = round % pes;
  shmem_barrier_all();
  counter = 0, last = -1;
  memset(given, 0, sizeof given);
  shmem_barrier_all();
  for (int i = 0; i < SLOTS_N / pes; i++) {
    const long number = shmem_long_atomic_fetch_inc(&counter, home);
    forbidden += number <= last || number >= SLOTS_N;
    last = number;
    if (number >= 0 && number < SLOTS_N) shmem_long_atomic_inc(&given[number], home);
  }
  shmem_barrier_all();
  for (int i = 0; me == home && i < SLOTS_N / pes * pes; i++) forbidden += given[i] != 1;
  return forbidden;
}

/* The signals of all PEs add up; when they have, all data is there. */
static int signals_add(int round) {
  static uint64_t sum;
  static long slots[SLOTS_N];
  int forbidden = 0;
  for (int pe = 0; pe < pes; pe++) {
    const long value = round;
    shmem_long_put_signal(&slots[me], &value, 1, &sum, 1, SHMEM_SIGNAL_ADD, pe);
  }
  shmem_signal_wait_until(&sum, SHMEM_CMP_GE, (uint64_t)round * (uint64_t)pes);
  for (int pe = 0; pe < pes; pe++) forbidden += slots[pe] != round;
  shmem_sync_all();
  return forbidden;
}

static const struct shape_test {
  const char *name;
  int (*run)(int round); /* how many outcomes were forbidden */
} shape_tests[] = {
    {"put, quiet, told by another PE", told_by_another},
    {"two PEs write, quiet and read", store_buffers},
    {"the same with atomics", store_buffers_atomic},
    {"barrier, sync", barrier_completes},
    {"get_nbi", gets_complete},
    {"fetch_inc", unique_numbers},
    {"signals of all PEs", signals_add},
};

static void run_shape(const struct shape_test *test) {
  int forbidden_n = 0;
  for (int round = 1; round <= rounds / 2 + 1; round++) {
    mine[0] = round;
    forbidden_n += test->run(round);
  }
  if (forbidden_n) fprintf(stderr, "%s: %d forbidden outcomes\n", test->name, forbidden_n);
  CHECK_EQ(forbidden_n, 0);
  shmem_barrier_all();
}

int main(int argc, char **argv) {
  const char *progress = getenv("TESSERA_PROGRESS");
  calls_make_progress = progress && strcmp(progress, "none") == 0;
  rounds = argc > 1 ? atoi(argv[1]) : 40;
  start();
  to = (me + pes / 2) % pes;
  from = (me + pes - pes / 2) % pes;
  data = shmem_malloc(WORDS_MAX * sizeof *data);
  mine = malloc(WORDS_MAX * sizeof *mine);
  memset(mine, 0, WORDS_MAX * sizeof *mine);
  OK(shmem_ctx_create(SHMEM_CTX_SERIALIZED, &ctx));
  for (size_t i = 0; i < sizeof exchanges / sizeof exchanges[0]; i++) run_exchange(&exchanges[i]);
  for (size_t i = 0; i < sizeof shape_tests / sizeof shape_tests[0]; i++) run_shape(&shape_tests[i]);
  shmem_ctx_destroy(ctx);
  shmem_free(data);
  free(mine);
  return finish();
}
