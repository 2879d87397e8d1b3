#include "limits.h"

#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "apart.h"
#include "shapes.h"
#include "stage.h"

static const struct stage *stage;
static char *private_data, *private_more;

void limits_open(const struct perf *p) {
  stage = stage_open(p);
  if (p->unit != 0) return; /* only unit 0 copies */
  private_data = perf_buffer(stage->data_bytes);
  private_more = perf_buffer(stage->data_bytes);
}

static const struct perf_op *if_target(const struct perf *p, const struct perf_op *op) {
  return p->limits && stage->has_target ? op : NULL;
}

static const struct perf_op *if_all(const struct perf *p, const struct perf_op *op) {
  return p->limits && stage->has_all ? op : NULL;
}

/* ---- copies ---- */

struct copy {
  char *to;
  const char *from;
  size_t bytes;
};

static void copy_loop(void *arg, uint64_t n) {
  const struct copy *c = arg;
  for (uint64_t i = 0; i < n; i++) {
    memcpy(c->to, c->from, c->bytes);
    __asm__ volatile("" ::: "memory"); /* each copy counts, even if it changes nothing */
  }
}

const struct perf_op *limits_copy(const struct perf *p, enum limits_copy way, size_t bytes) {
  static struct copy copy;
  static const struct perf_op op = {copy_loop, &copy, 1, false};
  copy = way == LIMITS_PUT ? (struct copy){stage->data, private_data, bytes}
                           : (struct copy){private_data, stage->data, bytes};
  return if_target(p, &op);
}

/* Two places of this distance, the lower one first; the same whenever the distance is the same. False: there are none. */
static bool map_apart(char *places[2], size_t apart, size_t bytes) {
  if (places[0] && places[0] + apart == places[1]) return true;
  const int access = PROT_READ | PROT_WRITE, kind = MAP_PRIVATE | MAP_ANONYMOUS;
  char *high = mmap(NULL, bytes, access, kind, -1, 0);
  if (high == MAP_FAILED || (uintptr_t)high <= apart) return false;
  char *low = mmap(high - apart, bytes, access, kind | MAP_FIXED_NOREPLACE, -1, 0);
  if (low != high - apart) return false;
  perf_touch(low, bytes);
  perf_touch(high, bytes);
  places[0] = low;
  places[1] = high;
  return true;
}

const struct perf_op *limits_copy_apart(const struct perf *p, enum limits_copy way, size_t bytes, size_t apart) {
  static char *places[2];
  static struct copy copy;
  static const struct perf_op op = {copy_loop, &copy, 1, false};
  if (p->unit != 0 || !if_target(p, &op) || !map_apart(places, apart, stage->data_bytes)) return NULL;
  copy = way == LIMITS_PUT ? (struct copy){places[1], places[0], bytes} : (struct copy){places[0], places[1], bytes};
  return &op;
}

static void store_loop(void *arg, uint64_t n) {
  const struct copy c = *(const struct copy *)arg;
  for (uint64_t i = 0; i < n; i++) {
    memcpy(c.to, c.from, sizeof(uint64_t));
    __asm__ volatile("" ::: "memory"); /* as above */
  }
}

const struct perf_op *limits_store(const struct perf *p, enum limits_copy way) {
  static struct copy copy;
  static const struct perf_op op = {store_loop, &copy, 1, false};
  copy = way == LIMITS_PUT ? (struct copy){stage->data, private_data, sizeof(uint64_t)}
                           : (struct copy){private_data, stage->data, sizeof(uint64_t)};
  return if_target(p, &op);
}

static void accumulate_loop(void *arg, uint64_t n) {
  const struct copy *c = arg;
  double *restrict to = (double *)(void *)c->to;
  const double *restrict from = (const double *)(const void *)c->from;
  for (uint64_t i = 0; i < n; i++) {
    for (size_t k = 0; k < c->bytes / sizeof(double); k++) to[k] += 0.5 * from[k];
    __asm__ volatile("" ::: "memory");
  }
}

/* Uses ordinary numbers: the bytes of copies could be denormal numbers, which are slower. */
const struct perf_op *limits_accumulate(const struct perf *p, size_t bytes) {
  static struct copy sum;
  static const struct perf_op op = {accumulate_loop, &sum, 1, false};
  sum = (struct copy){stage->data, private_data, bytes};
  for (size_t k = 0; p->unit == 0 && stage->has_target && k < bytes / sizeof(double); k++) {
    memcpy(private_data + k * sizeof(double), &(double){1}, sizeof(double));
    memcpy(stage->data + k * sizeof(double), &(double){0}, sizeof(double));
  }
  return if_target(p, &op);
}

/* ---- loops over blocks ---- */

struct blocks {
  double *apart, *line;
  enum limits_copy way;
  struct limits_blocks what;
};

/* The length of a block is a constant, as in a program, so that the compiler unrolls the inner loop. */
static inline __attribute__((always_inline)) void copy_blocks(const struct blocks *b, size_t blocklen) {
  double *restrict apart = b->apart, *restrict line = b->line;
  const size_t *restrict offset = b->what.offset;
  for (size_t i = 0; i < b->what.blocks_n; i++) {
    size_t at = offset ? offset[i] : 2 * i * blocklen;
    for (size_t k = 0; k < blocklen; k++) {
      if (b->way == LIMITS_PUT) apart[at + k] = line[i * blocklen + k];
      else line[i * blocklen + k] = apart[at + k];
    }
  }
}

static void blocks_loop(void *arg, uint64_t n) {
  const struct blocks *b = arg;
  for (uint64_t i = 0; i < n; i++) {
    if (b->what.blocklen == 1) copy_blocks(b, 1);
    else if (b->what.blocklen == 2) copy_blocks(b, 2);
    else if (b->what.blocklen == 8) copy_blocks(b, 8);
    else copy_blocks(b, b->what.blocklen);
    __asm__ volatile("" ::: "memory");
  }
}

const struct perf_op *limits_blocks(const struct perf *p, enum limits_copy way, const struct limits_blocks *what) {
  static struct blocks blocks;
  static const struct perf_op op = {blocks_loop, &blocks, 1, false};
  blocks = (struct blocks){(double *)(void *)stage->data, (double *)(void *)private_data, way, *what};
  return if_target(p, &op);
}

/* ---- doubles apart ---- */

struct apart_arg {
  struct apart what;
  apart_loop loop;
};

static void apart_ops(void *arg, uint64_t n) {
  const struct apart_arg *a = arg;
  for (uint64_t i = 0; i < n; i++) {
    a->loop(&a->what);
    __asm__ volatile("" ::: "memory");
  }
}

static size_t span_of(const struct apart *what) {
  size_t last = what->stride ? (what->n - 1) * what->stride : 0;
  for (size_t i = 0; !what->stride && i < what->n; i++) last = what->offset[i] > last ? what->offset[i] : last;
  return (last + 1) * sizeof(double);
}

/* Only unit 0 compares the loops. */
const struct perf_op *limits_apart(const struct perf *p, enum limits_copy way, const struct apart *what) {
  static struct apart_arg arg;
  static const struct perf_op op = {apart_ops, &arg, 1, false};
  if (!if_target(p, &op) || span_of(what) > stage->data_bytes) return NULL;
  if (p->unit != 0) return &op;
  arg.what = *what;
  arg.what.apart = (double *)(void *)stage->data;
  arg.what.line = (double *)(void *)private_data;
  arg.loop = way == LIMITS_PUT ? apart_scatter(&arg.what) : apart_gather(&arg.what);
  return &op;
}

static const struct perf_op *private_copy(size_t bytes) {
  static struct copy copy;
  static const struct perf_op op = {copy_loop, &copy, 1, false};
  copy = (struct copy){private_more, private_data, bytes};
  return &op;
}

struct attach {
  pid_t pid;
  struct iovec ours, theirs;
  ssize_t (*move)(pid_t, const struct iovec *, unsigned long, const struct iovec *, unsigned long, unsigned long);
};

static bool attach_once(const struct attach *a) {
  return a->move(a->pid, &a->ours, 1, &a->theirs, 1, 0) == (ssize_t)a->ours.iov_len;
}

static void attach_loop(void *arg, uint64_t n) {
  for (uint64_t i = 0; i < n; i++) attach_once(arg);
}

const struct perf_op *limits_attach(const struct perf *p, enum limits_copy way, size_t bytes, void *memory) {
  static struct attach attach;
  static const struct perf_op op = {attach_loop, &attach, 1, false};
  uint64_t works = 0;
  if (!stage->has_target) return NULL;
  if (p->unit == p->target) {
    atomic_store(&stage->memory->target_pid, (uint64_t)getpid());
    atomic_store(&stage->memory->target_at, (uintptr_t)memory);
  }
  p->barrier();
  if (p->unit == 0) {
    void *at = (void *)(uintptr_t)atomic_load(&stage->memory->target_at);
    attach = (struct attach){(pid_t)atomic_load(&stage->memory->target_pid), {private_data, bytes}, {at, bytes},
                             way == LIMITS_PUT ? process_vm_writev : process_vm_readv};
    works = attach_once(&attach);
  }
  p->share(&works);
  return works ? if_target(p, &op) : NULL;
}

/* ---- atomics ---- */

static void fetch_add_loop(void *arg, uint64_t n) {
  _Atomic uint64_t *word = arg;
  uint64_t sum = 0;
  for (uint64_t i = 0; i < n; i++) sum += atomic_fetch_add(word, 1);
  __asm__ volatile("" ::"r"(sum)); /* the old value is used: a fetch-add, not an add */
}

static void compare_swap_loop(void *arg, uint64_t n) {
  _Atomic uint64_t *word = arg;
  uint64_t old = atomic_load(word);
  for (uint64_t i = 0; i < n; i++) {
    uint64_t seen = old;
    if (atomic_compare_exchange_strong(word, &seen, old + 1)) old++;
  }
}

/* Unit 0 only: other units may not have mapped the stage. */
static void *own_word(const struct perf *p) {
  return p->unit == 0 && stage->memory ? stage->memory->own.word : NULL;
}

const struct perf_op *limits_fetch_add_own(const struct perf *p) {
  static struct perf_op op;
  op = (struct perf_op){fetch_add_loop, own_word(p), 1, false};
  return if_target(p, &op);
}

const struct perf_op *limits_fetch_add_hot(const struct perf *p) {
  static struct perf_op op;
  if (!stage->has_all) return NULL;
  op = (struct perf_op){fetch_add_loop, stage->memory->hot.word, p->units, p->units > 1};
  return if_all(p, &op);
}

const struct perf_op *limits_compare_swap(const struct perf *p) {
  static struct perf_op op;
  op = (struct perf_op){compare_swap_loop, own_word(p), 1, false};
  return if_target(p, &op);
}

/* ---- round trip of one line ---- */

static inline void relax(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

/* Unit 0 writes word 0 and waits for word 1, which the target writes; both words are in one cache line. */
static void round_trip_loop(void *arg, uint64_t n) {
  const struct perf *p = arg;
  _Atomic uint64_t *word = stage->memory->trip.word;
  int mine = p->unit == 0 ? 0 : 1;
  if (p->unit != 0 && p->unit != p->target) return;
  uint64_t turn = atomic_load_explicit(&word[mine], memory_order_relaxed);
  for (uint64_t last = turn + n; turn < last;) {
    turn++;
    if (mine == 0) atomic_store_explicit(&word[0], turn, memory_order_release);
    while (atomic_load_explicit(&word[!mine], memory_order_acquire) < turn) relax();
    if (mine == 1) atomic_store_explicit(&word[1], turn, memory_order_release);
  }
}

/* ---- messages ---- */

static uint64_t taken_n; /* messages that this unit has received so far */

static void send_one(struct stage_ring *to) {
  uint64_t place = atomic_fetch_add(&to->tail.word[0], 1);
  struct stage_line *slot = &to->slot[place % STAGE_SLOTS_N];
  atomic_store_explicit(&slot->word[1], place, memory_order_relaxed);
  atomic_exchange(&slot->word[0], place + 1); /* a full fence, as the library needs one before it checks for sleepers */
}

static void receive_one(struct stage_ring *from) {
  struct stage_line *slot = &from->slot[taken_n % STAGE_SLOTS_N];
  while (atomic_load_explicit(&slot->word[0], memory_order_acquire) != taken_n + 1) relax();
  uint64_t got = atomic_load_explicit(&slot->word[1], memory_order_relaxed);
  __asm__ volatile("" ::"r"(got));
  taken_n++;
}

/* At most one message is in a queue. */
static void message_loop(void *arg, uint64_t n) {
  const struct perf *p = arg;
  if (p->unit != 0 && p->unit != p->target) return;
  bool first = p->unit == 0;
  for (uint64_t i = 0; i < n; i++) {
    if ((i % 2 == 0) == first) send_one(&stage->memory->ring[first]);
    else receive_one(&stage->memory->ring[!first]);
  }
}

/* Trips in turns between unit 0 and the target. NULL unless every unit has a core. */
static const struct perf_op *one_way(const struct perf *p, perf_loop loop) {
  static struct perf_op op;
  op = (struct perf_op){loop, (void *)p, p->target + 1, true};
  return p->target > 0 && p->units <= stage->cores_n ? if_all(p, &op) : NULL;
}

const struct perf_op *limits_message(const struct perf *p) { return one_way(p, message_loop); }

/* ---- notifications ---- */

/* Unit 0 and the target add to the other one's counter in turns. */
static void counter_loop(void *arg, uint64_t n) {
  static uint64_t come_n; /* notifications of this unit so far */
  const struct perf *p = arg;
  if (p->unit != 0 && p->unit != p->target) return;
  bool first = p->unit == 0;
  _Atomic uint64_t *own = &stage->memory->counter[!first].word[0], *other = &stage->memory->counter[first].word[0];
  for (uint64_t i = 0; i < n; i++) {
    if ((i % 2 == 0) == first) {
      atomic_fetch_add(other, 1);
      continue;
    }
    come_n++;
    while (atomic_load_explicit(own, memory_order_acquire) < come_n) relax();
  }
}

const struct perf_op *limits_counter(const struct perf *p) { return one_way(p, counter_loop); }

/* ---- barriers ---- */

static void line_barrier_loop(void *arg, uint64_t n) {
  const struct perf *p = arg;
  _Atomic uint64_t *word = stage->memory->flags.word;
  uint64_t round = atomic_load_explicit(&word[p->unit], memory_order_relaxed);
  for (uint64_t last = round + n; round < last;) {
    atomic_store_explicit(&word[p->unit], ++round, memory_order_release);
    for (int u = 0; u < p->units; u++)
      while (atomic_load_explicit(&word[u], memory_order_acquire) < round) relax();
  }
}

/* True: this unit arrived last and has begun the next generation. */
static bool arrive(const struct perf *p, uint32_t generation) {
  struct stage_memory *m = stage->memory;
  if (atomic_fetch_add(&m->arrived_n, 1) + 1 != (uint32_t)p->units) return false;
  atomic_store(&m->arrived_n, 0);
  atomic_store(&m->generation, generation + 1);
  return true;
}

static void futex_barrier_loop(void *arg, uint64_t n) {
  const struct perf *p = arg;
  struct stage_memory *m = stage->memory;
  for (uint64_t i = 0; i < n; i++) {
    uint32_t generation = atomic_load(&m->generation);
    if (arrive(p, generation)) {
      if (p->units > 1) syscall(SYS_futex, &m->generation, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
    } else {
      while (atomic_load(&m->generation) == generation)
        syscall(SYS_futex, &m->generation, FUTEX_WAIT, generation, NULL, NULL, 0);
    }
  }
}

static void yield_barrier_loop(void *arg, uint64_t n) {
  const struct perf *p = arg;
  for (uint64_t i = 0; i < n; i++) {
    uint32_t generation = atomic_load(&stage->memory->generation);
    if (arrive(p, generation)) continue;
    while (atomic_load(&stage->memory->generation) == generation) sched_yield();
  }
}

static const struct perf_op *line_barrier(const struct perf *p) {
  static struct perf_op op;
  op = (struct perf_op){line_barrier_loop, (void *)p, p->units, false};
  return p->units <= STAGE_WORDS_N && p->units <= stage->cores_n ? if_all(p, &op) : NULL;
}

static const struct perf_op *futex_barrier(const struct perf *p) {
  static struct perf_op op;
  op = (struct perf_op){futex_barrier_loop, (void *)p, p->units, false};
  return if_all(p, &op);
}

/* Faster than sleeping on an idle machine and very slow on a busy one, so it is not used as a limit. */
static const struct perf_op *yield_barrier(const struct perf *p) {
  static struct perf_op op;
  op = (struct perf_op){yield_barrier_loop, (void *)p, p->units, false};
  return p->units > stage->cores_n ? if_all(p, &op) : NULL;
}

const struct perf_op *limits_barrier(const struct perf *p) {
  const struct perf_op *line = line_barrier(p);
  return line ? line : futex_barrier(p);
}

/* ---- as works of their own ---- */

static void run_copy(struct perf *p, const struct perf_work *work) {
  for (int way = LIMITS_PUT; way <= LIMITS_GET; way++)
    for (int i = 0; i < p->bytes_n; i++) {
      struct perf_result result;
      const struct perf_op *op = limits_copy(p, (enum limits_copy)way, p->bytes[i]);
      if (!op) return;
      perf_measure(p, op, NULL, &result);
      perf_row_copy(p, work->name, way == LIMITS_PUT ? "to-peer" : "from-peer", p->bytes[i], &result);
    }
}

static void run_memcpy(struct perf *p, const struct perf_work *work) {
  for (int i = 0; i < p->bytes_n; i++) {
    struct perf_result result;
    perf_measure(p, private_copy(p->bytes[i]), NULL, &result);
    perf_row_copy(p, work->name, "private", p->bytes[i], &result);
  }
}

/* 8 bytes of every 32, to or from the peer's mapping, as the work's choice says. */
static void run_apart(struct perf *p, const struct perf_work *work) {
  for (int i = 0; i < p->bytes_n; i++) {
    const struct apart what = {.n = p->bytes[i] / sizeof(double), .stride = PERF_APART};
    struct perf_result result;
    const struct perf_op *op = what.n ? limits_apart(p, (enum limits_copy)work->choice, &what) : NULL;
    if (!op) continue;
    perf_measure(p, op, NULL, &result);
    perf_row_copy(p, work->name, "8B/25%", what.n * sizeof(double), &result);
  }
}

static void run_round_trip(struct perf *p, const struct perf_work *work) {
  struct perf_result result;
  struct perf_op op = {round_trip_loop, p, p->units, false};
  if (p->target == 0 || !if_all(p, &op)) return;
  perf_measure(p, &op, NULL, &result);
  perf_row_time(p, work->name, "one-line", 8, &result);
}

static void run_one_way(struct perf *p, const struct perf_work *work) {
  struct perf_result result;
  const struct perf_op *op = one_way(p, work->loop);
  if (!op) return;
  perf_measure(p, op, NULL, &result);
  perf_row_time(p, work->name, "one-way", 8, &result);
}

static void run_atomic(struct perf *p, const struct perf_work *work) {
  struct { const char *variant; const struct perf_op *op; } ops[] = {
      {"fetch-add.own", limits_fetch_add_own(p)},
      {"fetch-add.hot", limits_fetch_add_hot(p)},
      {"compare-swap.own", limits_compare_swap(p)},
  };
  for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
    struct perf_result result;
    if (!ops[i].op) continue;
    perf_measure(p, ops[i].op, NULL, &result);
    perf_row_time(p, work->name, ops[i].variant, 8, &result);
    if (ops[i].op->takers_n > 1) perf_row_rate(p, work->name, ops[i].variant, 8, p->units, &result);
  }
}

static void run_barrier(struct perf *p, const struct perf_work *work) {
  struct { const char *variant; const struct perf_op *op; } ops[] = {
      {"one-line", line_barrier(p)},
      {"futex", futex_barrier(p)},
      {"yield", yield_barrier(p)},
  };
  for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
    struct perf_result result;
    if (!ops[i].op) continue;
    perf_measure(p, ops[i].op, NULL, &result);
    perf_row_time(p, work->name, ops[i].variant, 0, &result);
  }
}

const struct perf_work limits_works[] = {
    {"limits.copy", "bare copies into and out of the peer's mapping", run_copy, NULL, 0},
    {"limits.memcpy", "bare copy in private memory", run_memcpy, NULL, 0},
    {"limits.gather", "every fourth double of the peer's mapping to private memory: the best hand-written loop", run_apart, NULL,
     LIMITS_GET},
    {"limits.scatter", "the same, from private memory into the peer's mapping", run_apart, NULL, LIMITS_PUT},
    {"limits.round_trip", "request and reply of two units in one cache line", run_round_trip, NULL, 0},
    {"limits.message", "8 bytes one way through a bare queue of many writers (units <= cores)", run_one_way, message_loop, 0},
    {"limits.counter", "a bare fetch-and-add of a counter that the other unit polls, one way (units <= cores)", run_one_way,
     counter_loop, 0},
    {"limits.atomic", "bare atomics on a private cache line and on a shared one", run_atomic, NULL, 0},
    {"limits.barrier", "bare barriers: words in one cache line (units <= cores), else futex and yield", run_barrier, NULL, 0},
    {0},
};
