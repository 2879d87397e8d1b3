/* Four threads of every unit, each on its own team: transfers, handles, types, atomics, locks, collectives,
 * allocations, messages, registered memory, allocators and teams at the same time, in an order that each thread draws
 * from the seed. Soak includes this file with a time instead of a number of rounds; a seed may be the first argument.
 * Group: dart_demanding
 */
#include "dart_check.h"

#include <pthread.h>
#include <time.h>

#include <dash/dart/if/dart_locality.h>

#ifndef SECONDS
#define SECONDS 0 /* 0: ROUNDS rounds of all works */
#endif

enum { THREADS_N = 4, ROUNDS = 6, PART = 1 << 17 /* bytes of each unit in a thread's segment */, LARGE = 100000 };

struct worker {
  int number;
  dart_team_t team;
  dart_unit_t self, n; /* in the team */
  dart_gptr_t base;    /* PART bytes */
  unsigned char *mine; /* of this unit */
  uint64_t random;     /* the same on all units of the team */
  unsigned key;        /* of the next data; the same on all units of the team */
  int64_t added;       /* to each of the shared words, by this thread */
  int64_t counted;     /* in this unit's registered word */
};

/* Data that all threads share. */
static struct {
  dart_gptr_t words; /* of DART_TEAM_ALL: two int64_t, a double, and the one that the lock guards */
  dart_lock_t lock;
  int64_t under_lock; /* plain; the lock guards it among the threads of this unit */
} shared;
enum { FETCHED = 0, SWAPPED = 8, SUMMED = 16, LOCKED = 24, WORDS = 4 };

/* Accesses to memory that one thread freed and another one allocated are ordered by actions of other processes, which
 * the thread sanitizer does not see. */
static void pass_on_memory(void) {
  static _Atomic unsigned steps_n;
  steps_n++;
}

static unsigned draw(struct worker *w, unsigned below) {
  w->random = w->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (unsigned)(w->random >> 33) % below;
}
static size_t draw_bytes(struct worker *w) { return draw(w, 8) ? 1 + draw(w, 400) : LARGE - draw(w, 100); }

static dart_unit_t right_of(const struct worker *w) { return (w->self + 1) % w->n; }
static dart_unit_t left_of(const struct worker *w) { return (w->self + w->n - 1) % w->n; }
static dart_global_unit_t global(const struct worker *w, dart_unit_t unit) {
  dart_global_unit_t found = {-1};
  OK(dart_team_unit_l2g(w->team, DART_TEAM_UNIT_ID(unit), &found));
  return found;
}
static void meet(const struct worker *w) { OK(dart_barrier(w->team)); }

/* The data of this round from one unit to another. */
static unsigned key_of(const struct worker *w, dart_unit_t from, dart_unit_t to) {
  return w->key + (unsigned)(from * 31 + to) + 101 * (unsigned)w->number;
}

static void put_and_get_blocking(struct worker *w) {
  size_t bytes = draw_bytes(w);
  unsigned char *out = private_buffer(bytes), *in = private_buffer(bytes);
  fill(out, key_of(w, w->self, right_of(w)), bytes);
  OK(dart_put_blocking(at(w->base, right_of(w), 0), out, bytes, DART_TYPE_BYTE, DART_TYPE_BYTE));
  meet(w);
  CHECK_EQ(wrong(w->mine, key_of(w, left_of(w), w->self), bytes), 0);
  OK(dart_get_blocking(in, at(w->base, right_of(w), 0), bytes, DART_TYPE_BYTE, DART_TYPE_BYTE));
  CHECK_EQ(wrong(in, key_of(w, w->self, right_of(w)), bytes), 0);
  CHECK_EQ(in[bytes], GUARD);
  meet(w);
  free(out), free(in);
}

enum { UNITS_MAX = 64, SHARE = 1024 };

static void test_until_done(dart_handle_t handles[], int n, bool locally) {
  int32_t done = 0;
  while (!done) OK(locally ? dart_testall_local(handles, (size_t)n, &done) : dart_testall(handles, (size_t)n, &done));
}

static void complete(struct worker *w, dart_handle_t handles[]) {
  switch (draw(w, 5)) {
    case 0: OK(dart_waitall(handles, (size_t)w->n)); return;
    case 1: test_until_done(handles, w->n, false); return;
    case 2: test_until_done(handles, w->n, true); break;
    case 3: OK(dart_waitall_local(handles, (size_t)w->n)); break;
    case 4:
      for (int i = 0; i < w->n; i++) OK(i % 2 ? dart_handle_free(&handles[i]) : dart_wait_local(&handles[i]));
  }
  OK(dart_flush_all(w->base));
}

/* Every unit writes a share of each unit's part, and reads it back. */
static void handles(struct worker *w) {
  dart_handle_t under_way[UNITS_MAX];
  size_t room = (size_t)w->n * SHARE;
  unsigned char(*out)[SHARE] = private_buffer(room), (*in)[SHARE] = private_buffer(room);
  size_t bytes = 1 + draw(w, SHARE);
  for (int i = 0; i < w->n; i++) {
    fill(out[i], key_of(w, w->self, i), bytes);
    OK(dart_put_handle(at(w->base, i, w->self * SHARE), out[i], bytes, DART_TYPE_BYTE, DART_TYPE_BYTE, &under_way[i]));
  }
  complete(w, under_way);
  for (int i = 0; i < w->n; i++) CHECK(under_way[i] == DART_HANDLE_NULL);
  meet(w);
  for (int i = 0; i < w->n; i++) CHECK_EQ(wrong(w->mine + i * SHARE, key_of(w, i, w->self), bytes), 0);
  for (int i = 0; i < w->n; i++)
    OK(dart_get_handle(in[i], at(w->base, i, w->self * SHARE), bytes, DART_TYPE_BYTE, DART_TYPE_BYTE, &under_way[i]));
  for (int i = 0; i < w->n; i++) {
    int32_t done = 0;
    OK(dart_test(&under_way[i], &done));
    if (!done) OK(dart_wait(&under_way[i]));
    CHECK_EQ(wrong(in[i], key_of(w, w->self, i), bytes), 0);
  }
  meet(w);
  free(out), free(in);
}

static void implicit(struct worker *w) {
  size_t room = (size_t)w->n * SHARE;
  unsigned char(*out)[SHARE] = private_buffer(room), (*in)[SHARE] = private_buffer(room);
  for (int i = 0; i < w->n; i++) {
    fill(out[i], key_of(w, w->self, i), SHARE);
    OK(dart_put(at(w->base, i, w->self * SHARE), out[i], SHARE, DART_TYPE_BYTE, DART_TYPE_BYTE));
  }
  if (draw(w, 2)) OK(dart_flush_all(w->base));
  else
    for (int i = 0; i < w->n; i++) OK(dart_flush(at(w->base, i, 0)));
  meet(w);
  for (int i = 0; i < w->n; i++) {
    CHECK_EQ(wrong(w->mine + i * SHARE, key_of(w, i, w->self), SHARE), 0);
    OK(dart_get(in[i], at(w->base, i, w->self * SHARE), SHARE, DART_TYPE_BYTE, DART_TYPE_BYTE));
    if (i % 2) OK(dart_flush_local(at(w->base, i, 0)));
  }
  OK(dart_flush_local_all(w->base));
  for (int i = 0; i < w->n; i++) CHECK_EQ(wrong(in[i], key_of(w, w->self, i), SHARE), 0);
  meet(w);
  free(out), free(in);
}

/* Numbers are sent contiguous and stored in pairs; a list of blocks reads them back. */
static void types(struct worker *w) {
  enum { N = 60 };
  size_t lengths[] = {2, 1, 3}, places[] = {4, 0, 8}; /* of eleven */
  int out[N], in[11 * N / 6] = {0};
  const int *mine = (const int *)(const void *)w->mine;
  dart_datatype_t pairs = DART_TYPE_UNDEFINED, listed = DART_TYPE_UNDEFINED;
  OK(dart_type_create_strided(DART_TYPE_INT, 5, 2, &pairs));
  OK(dart_type_create_indexed(DART_TYPE_INT, 3, lengths, places, &listed));
  for (int i = 0; i < N; i++) out[i] = (int)w->key + w->self * 1000 + i;
  memset(w->mine, 0, 5 * N / 2 * sizeof(int));
  meet(w);
  dart_gptr_t there = at(w->base, right_of(w), 0);
  OK(dart_put(there, out, N, DART_TYPE_INT, pairs));
  OK(dart_flush(there));
  meet(w);
  for (int i = 0; i < N; i++) CHECK_EQ(mine[i / 2 * 5 + i % 2], (int)w->key + left_of(w) * 1000 + i);
  for (int i = 0; i < N / 2 - 1; i++) CHECK(!mine[5 * i + 2] && !mine[5 * i + 3] && !mine[5 * i + 4]);
  OK(dart_get_blocking(in, there, N, pairs, listed));
  for (int i = 0; i < N; i++) {
    static const int place[] = {4, 5, 0, 8, 9, 10};
    CHECK_EQ(in[i / 6 * 11 + place[i % 6]], out[i]);
  }
  OK(dart_type_destroy(&pairs));
  OK(dart_type_destroy(&listed));
  meet(w);
}

/* All threads of all units on the same words. */
static void atomics(struct worker *w) {
  dart_gptr_t there = at(shared.words, (dart_unit_t)draw(w, (unsigned)units_n), 0);
  for (int i = 0; i < 10; i++) {
    int64_t one = 1, before = -1, seen = -1, next;
    double half = 0.5;
    OK(dart_fetch_and_op(at(there, there.unitid, FETCHED), &one, &before, DART_TYPE_LONG, DART_OP_SUM));
    OK(dart_accumulate(at(there, there.unitid, SUMMED), &half, 1, DART_TYPE_DOUBLE, DART_OP_SUM));
    OK(dart_flush(there));
    CHECK(before >= 0);
    dart_gptr_t swapped = at(there, there.unitid, SWAPPED);
    OK(dart_fetch_and_op(swapped, NULL, &seen, DART_TYPE_LONG, DART_OP_NO_OP));
    OK(dart_flush_local(swapped));
    for (before = seen - 1; before != seen;) {
      before = seen;
      next = before + 1;
      OK(dart_compare_and_swap(swapped, &next, &before, &seen, DART_TYPE_LONG));
      OK(dart_flush(swapped));
    }
    w->added++;
  }
}

/* The word of the last unit, and a plain one for the threads of this unit. */
static void locks(struct worker *w) {
  dart_gptr_t word = at(shared.words, units_n - 1, LOCKED);
  for (int i = 0; i < 3; i++) {
    int32_t got = 0;
    int64_t value = -1;
    if (i % 2) OK(dart_lock_try_acquire(shared.lock, &got));
    if (!got) OK(dart_lock_acquire(shared.lock));
    OK(dart_get_blocking(&value, word, 1, DART_TYPE_LONG, DART_TYPE_LONG));
    value++;
    OK(dart_put_blocking(word, &value, 1, DART_TYPE_LONG, DART_TYPE_LONG));
    shared.under_lock++;
    OK(dart_lock_release(shared.lock));
  }
  dart_lock_t own = DART_LOCK_NULL;
  OK(dart_team_lock_init(w->team, &own));
  pass_on_memory();
  OK(dart_lock_acquire(own));
  CHECK(dart_lock_initialized(own));
  OK(dart_lock_release(own));
  pass_on_memory();
  OK(dart_team_lock_destroy(&own));
}

static void larger(const void *in, void *inout, size_t n, void *calls) {
  const int *a = in;
  int *b = inout;
  for (size_t i = 0; i < n; i++) b[i] = a[i] > b[i] ? a[i] : b[i];
  ++*(int *)calls;
}

static void reductions(struct worker *w) {
  int mine = w->self + (int)w->key % 1000, sum = -1, most = -1, calls = 0, n = w->n;
  int low = (int)w->key % 1000, expected = n * low + n * (n - 1) / 2;
  dart_operation_t op = DART_OP_UNDEFINED;
  OK(dart_allreduce(&mine, &sum, 1, DART_TYPE_INT, DART_OP_SUM, w->team));
  CHECK_EQ(sum, expected);
  OK(dart_op_create(larger, &calls, true, DART_TYPE_INT, false, &op));
  OK(dart_allreduce(&mine, &most, 1, DART_TYPE_INT, op, w->team));
  CHECK_EQ(most, low + n - 1);
  dart_unit_t root = (dart_unit_t)draw(w, (unsigned)n);
  OK(dart_reduce(&mine, &sum, 1, DART_TYPE_INT, DART_OP_MIN, DART_TEAM_UNIT_ID(root), w->team));
  CHECK_EQ(sum, w->self == root ? low : expected);
  OK(dart_op_destroy(&op));
}

static void collectives(struct worker *w) {
  size_t bytes = draw_bytes(w), n = (size_t)w->n;
  dart_unit_t root = (dart_unit_t)draw(w, (unsigned)w->n);
  unsigned char *one = private_buffer(bytes), *all = private_buffer(n * bytes), *across = private_buffer(n * bytes);
  fill(one, key_of(w, w->self, 0), bytes);
  OK(dart_allgather(one, all, bytes, DART_TYPE_BYTE, w->team));
  for (int i = 0; i < w->n; i++) CHECK_EQ(wrong(all + (size_t)i * bytes, key_of(w, i, 0), bytes), 0);
  OK(dart_bcast(one, bytes, DART_TYPE_BYTE, DART_TEAM_UNIT_ID(root), w->team));
  CHECK_EQ(wrong(one, key_of(w, root, 0), bytes), 0);
  for (int i = 0; i < w->n; i++) fill(all + (size_t)i * bytes, key_of(w, w->self, i), bytes);
  OK(dart_alltoall(all, across, bytes, DART_TYPE_BYTE, w->team));
  for (int i = 0; i < w->n; i++) CHECK_EQ(wrong(across + (size_t)i * bytes, key_of(w, i, w->self), bytes), 0);
  OK(dart_scatter(all, one, bytes, DART_TYPE_BYTE, DART_TEAM_UNIT_ID(root), w->team));
  CHECK_EQ(wrong(one, key_of(w, root, w->self), bytes), 0);
  OK(dart_gather(one, across, bytes, DART_TYPE_BYTE, DART_TEAM_UNIT_ID(root), w->team));
  for (int i = 0; i < w->n && w->self == root; i++)
    CHECK_EQ(wrong(across + (size_t)i * bytes, key_of(w, root, i), bytes), 0);
  reductions(w);
  free(one), free(all), free(across);
}

/* A segment with parts of different sizes; each unit writes to the right. */
static void segments(struct worker *w) {
  size_t bytes = 1 + draw(w, 3000), more = 100 * (size_t)(draw(w, 2) ? w->self : 0);
  dart_gptr_t base = team_alloc(w->team, bytes + more, DART_TYPE_BYTE);
  pass_on_memory();
  unsigned char *data = private_buffer(bytes);
  uint16_t flags = 77;
  fill(data, key_of(w, w->self, 0), bytes);
  OK(dart_put_blocking(at(base, right_of(w), 0), data, bytes, DART_TYPE_BYTE, DART_TYPE_BYTE));
  OK(dart_gptr_setflags(&base, (uint16_t)w->key));
  OK(dart_gptr_getflags(base, &flags));
  CHECK_EQ(flags, (uint16_t)w->key);
  meet(w);
  CHECK_EQ(wrong(own_part(base, w->self), key_of(w, left_of(w), 0), bytes), 0);
  pass_on_memory();
  OK(dart_team_memfree(base));
  free(data);
}

/* Memory of one unit; the others receive its pointer. */
static void local_memory(struct worker *w) {
  size_t bytes = 1 + draw(w, 3000);
  dart_gptr_t mine = DART_GPTR_NULL, all[UNITS_MAX];
  void *place = NULL;
  OK(dart_memalloc(bytes, DART_TYPE_BYTE, &mine));
  pass_on_memory();
  OK(dart_gptr_getaddr(mine, &place));
  fill(place, key_of(w, w->self, 0), bytes);
  OK(dart_allgather(&mine, all, sizeof mine, DART_TYPE_BYTE, w->team));
  unsigned char *data = private_buffer(bytes);
  OK(dart_get_blocking(data, all[left_of(w)], bytes, DART_TYPE_BYTE, DART_TYPE_BYTE));
  CHECK_EQ(wrong(data, key_of(w, left_of(w), 0), bytes), 0);
  pass_on_memory();
  meet(w);
  OK(dart_memfree(mine));
  free(data);
}

static void blocks_of_an_allocator(struct worker *w) {
  enum { N = 20 };
  dart_allocator_t pool = DART_ALLOCATOR_NULL;
  dart_gptr_t blocks[N], all[UNITS_MAX];
  OK(dart_allocator_new(N * 64, w->team, &pool));
  pass_on_memory();
  for (int i = 0; i < N; i++) OK(dart_allocator_alloc(8, DART_TYPE_LONG, &blocks[i], pool));
  OK(dart_allgather(&blocks[N / 2], all, sizeof *all, DART_TYPE_BYTE, w->team));
  int64_t out[8], in[8];
  fill(out, key_of(w, w->self, 0), sizeof out);
  OK(dart_put_blocking(all[right_of(w)], out, 8, DART_TYPE_LONG, DART_TYPE_LONG));
  meet(w);
  OK(dart_get_blocking(in, blocks[N / 2], 8, DART_TYPE_LONG, DART_TYPE_LONG));
  CHECK_EQ(wrong(in, key_of(w, left_of(w), 0), sizeof in), 0);
  for (int i = 0; i < N; i += 2) OK(dart_allocator_free(&blocks[i], pool));
  pass_on_memory();
  OK(dart_allocator_destroy(&pool)); /* with the rest allocated */
}

/* Each thread has its own tags. */
static void messages(struct worker *w) {
  size_t bytes = draw_bytes(w);
  int tag = 100 * (w->number + 1) + (int)draw(w, 100);
  unsigned char *out = private_buffer(bytes), *in = private_buffer(bytes);
  dart_global_unit_t right = global(w, right_of(w)), left = global(w, left_of(w));
  fill(out, key_of(w, w->self, 0), bytes);
  OK(dart_sendrecv(out, bytes, DART_TYPE_BYTE, tag, right, in, bytes, DART_TYPE_BYTE, tag, left));
  CHECK_EQ(wrong(in, key_of(w, left_of(w), 0), bytes), 0);
  CHECK_EQ(in[bytes], GUARD);
  bytes = bytes < 500 ? bytes : 500; /* its sender does not wait for it */
  OK(dart_send(out, bytes, DART_TYPE_BYTE, tag, right));
  OK(dart_recv(in, bytes, DART_TYPE_BYTE, tag, left));
  CHECK_EQ(wrong(in, key_of(w, left_of(w), 0), bytes), 0);
  free(out), free(in);
}

static void registered_memory(struct worker *w) {
  size_t bytes = 8 + 8 * (size_t)draw(w, 1000);
  unsigned char *mine = private_buffer(bytes), *data = private_buffer(bytes);
  dart_gptr_t base = DART_GPTR_NULL;
  OK(dart_team_memregister(w->team, bytes, DART_TYPE_BYTE, mine, &base));
  dart_gptr_t there = at(base, right_of(w), 0);
  fill(data, key_of(w, w->self, 0), bytes);
  OK(dart_put_blocking(there, data, bytes, DART_TYPE_BYTE, DART_TYPE_BYTE));
  meet(w);
  CHECK_EQ(wrong(mine, key_of(w, left_of(w), 0), bytes), 0);
  memset(data, 0, bytes);
  OK(dart_get_blocking(data, there, bytes, DART_TYPE_BYTE, DART_TYPE_BYTE));
  CHECK_EQ(wrong(data, key_of(w, w->self, 0), bytes), 0);
  meet(w); /* all have read the memory that this unit is about to free */
  OK(dart_team_memderegister(base));
  free(data), free(mine);
}

/* Any thread of the owner serves the atomics of others. This thread's own ones are neither freed nor read in other
 * ways, as the thread sanitizer does not see their order. */
static void registered_word(struct worker *w) {
  static int64_t words[THREADS_N];
  dart_gptr_t base = DART_GPTR_NULL;
  int64_t one = 1, before = -1;
  OK(dart_team_memregister_aligned(w->team, 1, DART_TYPE_LONG, &words[w->number], &base));
  OK(dart_fetch_and_op(at(base, right_of(w), 0), &one, &before, DART_TYPE_LONG, DART_OP_SUM));
  OK(dart_flush_all(base));
  CHECK_EQ(before, w->counted++);
  meet(w);
  OK(dart_fetch_and_op(at(base, w->self, 0), NULL, &before, DART_TYPE_LONG, DART_OP_NO_OP));
  OK(dart_flush_local(at(base, w->self, 0)));
  CHECK_EQ(before, w->counted);
  OK(dart_team_memderegister(base));
}

static dart_team_t first_half(const struct worker *w) {
  dart_group_t group = DART_GROUP_NULL, halves[2];
  dart_team_t made = DART_TEAM_NULL;
  size_t n = 0;
  OK(dart_team_get_group(w->team, &group));
  OK(dart_group_split(group, 2, &n, halves));
  OK(dart_team_create(w->team, halves[0], &made));
  OK(dart_group_destroy(&halves[0]));
  OK(dart_group_destroy(&halves[1]));
  OK(dart_group_destroy(&group));
  return made;
}

/* A sub-team, used like the team itself. */
static void teams(struct worker *w) {
  bool whole = draw(w, 2);
  dart_team_t made = DART_TEAM_NULL;
  if (whole) OK(dart_team_clone(w->team, &made));
  else made = first_half(w);
  pass_on_memory();
  CHECK_EQ(made != DART_TEAM_NULL, whole || w->self < (w->n + 1) / 2);
  if (made == DART_TEAM_NULL) return;
  struct worker below = *w;
  below.team = made;
  below.self = team_self(made);
  below.n = team_units_n(made);
  reductions(&below);
  segments(&below);
  pass_on_memory();
  OK(dart_team_destroy(&made));
}

static void locality(struct worker *w) {
  dart_domain_locality_t *root = NULL;
  dart_unit_locality_t *record = NULL;
  OK(dart_team_locality_init(w->team));
  OK(dart_domain_team_locality(w->team, ".", &root));
  if (root) CHECK_EQ(root->num_units, w->n);
  OK(dart_unit_locality(w->team, DART_TEAM_UNIT_ID(left_of(w)), &record));
  if (record) CHECK_EQ(record->unit.id, left_of(w));
  if (draw(w, 2)) OK(dart_team_locality_finalize(w->team));
}

static void (*const works[])(struct worker *) = {
  put_and_get_blocking, handles,  implicit, types,    atomics,           locks, collectives, segments, local_memory,
  blocks_of_an_allocator, messages, teams,    locality, registered_memory, registered_word,
};
enum { WORKS_N = sizeof works / sizeof works[0] };

/* Every work once, each thread in its own order. */
static void one_round(struct worker *w) {
  int order[WORKS_N];
  for (int i = 0; i < WORKS_N; i++) {
    int k = (int)draw(w, (unsigned)i + 1);
    order[i] = order[k];
    order[k] = i;
  }
  for (int i = 0; i < WORKS_N; i++) {
    w->key = draw(w, 1 << 20);
    works[order[i]](w);
  }
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* The first member of the team reads the clock. */
static bool goes_on(const struct worker *w, int round, double end) {
  int more = SECONDS ? now() < end : round < ROUNDS;
  if (SECONDS) OK(dart_bcast(&more, 1, DART_TYPE_INT, DART_TEAM_UNIT_ID(0), w->team));
  return more;
}

static void *run(void *arg) {
  struct worker *w = arg;
  double end = now() + SECONDS;
  for (int round = 0; goes_on(w, round, end); round++) one_round(w);
  return NULL;
}

/* The flushes of one thread complete although the others keep putting to the same unit. */
static _Atomic bool enough;

static void *put_all_the_time(void *arg) {
  const struct worker *w = arg;
  static const unsigned char data[256];
  while (!enough) OK(dart_put(at(w->base, right_of(w), 0), data, sizeof data, DART_TYPE_BYTE, DART_TYPE_BYTE));
  OK(dart_flush_all(w->base));
  return NULL;
}

static void *flush_meanwhile(void *arg) {
  const struct worker *w = arg;
  dart_gptr_t there = at(w->base, right_of(w), SHARE);
  for (unsigned i = 0; i < 5; i++) {
    unsigned back = i - 1;
    OK(dart_put(there, &i, 1, DART_TYPE_UINT, DART_TYPE_UINT));
    OK(i % 2 ? dart_flush(there) : dart_flush_all(there));
    OK(dart_get(&back, there, 1, DART_TYPE_UINT, DART_TYPE_UINT));
    OK(i % 2 ? dart_flush_local(there) : dart_flush_local_all(there));
    CHECK_EQ(back, i);
  }
  enough = true;
  return NULL;
}

static void run_threads(void *(*first)(void *), void *(*others)(void *), struct worker workers[]) {
  pthread_t threads[THREADS_N];
  for (int i = 0; i < THREADS_N; i++) {
    if (pthread_create(&threads[i], NULL, i ? others : first, &workers[i])) abort();
  }
  for (int i = 0; i < THREADS_N; i++) pthread_join(threads[i], NULL);
  barrier();
}

/* Two teams of all units, one of each parity, one of each half: they overlap. */
static dart_team_t team_for(int number) {
  unsigned all = (1u << units_n) - 1, low = (1u << (units_n + 1) / 2) - 1;
  unsigned first = number == 2 ? EVEN_UNITS & all : number == 3 ? low : all, second = all & ~first;
  dart_team_t one = team_of(first), other = second ? team_of(second) : DART_TEAM_NULL;
  return one != DART_TEAM_NULL ? one : other;
}

static struct worker worker_of(int number, uint64_t seed) {
  struct worker w = {.number = number, .team = team_for(number)};
  w.self = team_self(w.team);
  w.n = team_units_n(w.team);
  w.base = team_alloc(w.team, PART, DART_TYPE_BYTE);
  w.mine = own_part(w.base, w.self);
  w.random = seed * 1000003 + (uint64_t)number * 101 + (uint64_t)global(&w, 0).id;
  return w;
}

static int64_t sum_of_all(int64_t mine) {
  int64_t sum = -1;
  OK(dart_allreduce(&mine, &sum, 1, DART_TYPE_LONG, DART_OP_SUM, DART_TEAM_ALL));
  return sum;
}

/* Checks the additions of all threads, and the counters under the lock. */
static void check_totals(const struct worker workers[]) {
  int64_t added = 0;
  const int64_t *mine = own_part(shared.words, self);
  for (int i = 0; i < THREADS_N; i++) added += workers[i].added;
  added = sum_of_all(added);
  CHECK_EQ(sum_of_all(mine[FETCHED / 8]), added);
  CHECK_EQ(sum_of_all(mine[SWAPPED / 8]), added);
  CHECK_EQ(sum_of_all((int64_t)(2 * *(const double *)(const void *)&mine[SUMMED / 8])), added);
  CHECK_EQ(sum_of_all(mine[LOCKED / 8]), sum_of_all(shared.under_lock));
}

static void all_threads(uint64_t seed) {
  struct worker workers[THREADS_N];
  shared.words = team_alloc(DART_TEAM_ALL, WORDS, DART_TYPE_LONG);
  memset(own_part(shared.words, self), 0, WORDS * 8);
  OK(dart_team_lock_init(DART_TEAM_ALL, &shared.lock));
  for (int i = 0; i < THREADS_N; i++) workers[i] = worker_of(i, seed);
  barrier();
  run_threads(run, run, workers);
  run_threads(flush_meanwhile, put_all_the_time, workers);
  check_totals(workers);
  OK(dart_team_lock_destroy(&shared.lock));
  OK(dart_team_memfree(shared.words));
  for (int i = 0; i < THREADS_N; i++) OK(dart_team_destroy(&workers[i].team));
}

static uint64_t common_seed(int argc, char **argv) {
  uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : SECONDS ? (uint64_t)time(NULL) : 1;
  OK(dart_bcast(&seed, 1, DART_TYPE_ULONG, DART_TEAM_UNIT_ID(0), DART_TEAM_ALL));
  if (self == 0) printf("dart_threads: seed %llu\n", (unsigned long long)seed); /* at once: the end may hang */
  fflush(stdout);
  return seed;
}

int main(int argc, char **argv) {
  dart_thread_support_level_t level = DART_THREAD_SINGLE;
  if (dart_init_thread(&argc, &argv, &level) != DART_OK) return EXIT_FAILURE;
  learn_units();
  uint64_t seed = common_seed(argc, argv);
  if (level == DART_THREAD_MULTIPLE) all_threads(seed);
  int result = finish();
  if (result) fprintf(stderr, "dart_threads: failed with seed %llu\n", (unsigned long long)seed);
  return level == DART_THREAD_MULTIPLE ? result : 77;
}
