/* GASNet-1's collectives: each against a serial reference, with each pair of synchronisation flags, LOCAL and SINGLE, all roots,
 * blocking and not; many under way at once, completed in another order; what ALLSYNC promises; and reductions, lists of
 * addresses and teams, which only GASNet-1 has.
 */
#define _GNU_SOURCE 1
#include "gasnet_am.h"

#include <stdlib.h>
#include <sys/mman.h>

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0
#endif

enum operation { BROADCAST, SCATTER, GATHER, GATHER_ALL, EXCHANGE, OPERATIONS_N };

static gex_TM_t team; /* what is tried on */
static int rank, size;

static void on(gex_TM_t which) {
  team = which;
  rank = (int)gex_TM_QueryRank(which);
  size = (int)gex_TM_QuerySize(which);
}

/* ---- The reference ---- */

static bool has_root(int operation) { return operation <= GATHER; }

/* How many shares a member's buffers have. */
static int src_shares_n(int operation, int member, int root) {
  if (operation == BROADCAST) return member == root;
  if (operation == SCATTER) return member == root ? size : 0;
  return operation == EXCHANGE ? size : 1;
}
static int dst_shares_n(int operation, int member, int root) {
  if (operation == GATHER) return member == root ? size : 0;
  return operation == GATHER_ALL || operation == EXCHANGE ? size : 1;
}

static unsigned key_of(int round, int from, int share) { return (unsigned)(round * 101 + from * 13 + share * 5); }

static void fill_src(char *src, int operation, int root, int round, size_t bytes) {
  for (int i = 0; i < src_shares_n(operation, rank, root); i++) fill(src + (size_t)i * bytes, key_of(round, rank, i), bytes);
}

/* How many bytes of a member's dst are wrong. */
static size_t wrong_dst(const char *dst, int operation, int member, int root, int round, size_t bytes) {
  size_t n = 0;
  for (int i = 0; i < dst_shares_n(operation, member, root); i++) {
    int from = operation == BROADCAST || operation == SCATTER ? root : i;
    int share = operation == SCATTER || operation == EXCHANGE ? member : 0;
    n += wrong(dst + (size_t)i * bytes, key_of(round, from, share), bytes);
  }
  return n;
}

/* ---- Calls ---- */

static gasnet_coll_handle_t call_nb(int operation, int root, char *dst, char *src, size_t bytes, int flags) {
  gasnet_image_t image = (gasnet_image_t)root;
  switch (operation) {
    case BROADCAST: return gasnet_coll_broadcast_nb(team, dst, image, src, bytes, flags);
    case SCATTER: return gasnet_coll_scatter_nb(team, dst, image, src, bytes, flags);
    case GATHER: return gasnet_coll_gather_nb(team, image, dst, src, bytes, flags);
    case GATHER_ALL: return gasnet_coll_gather_all_nb(team, dst, src, bytes, flags);
    default: return gasnet_coll_exchange_nb(team, dst, src, bytes, flags);
  }
}

static void call_blocking(int operation, int root, char *dst, char *src, size_t bytes, int flags) {
  gasnet_image_t image = (gasnet_image_t)root;
  switch (operation) {
    case BROADCAST: gasnet_coll_broadcast(team, dst, image, src, bytes, flags); break;
    case SCATTER: gasnet_coll_scatter(team, dst, image, src, bytes, flags); break;
    case GATHER: gasnet_coll_gather(team, image, dst, src, bytes, flags); break;
    case GATHER_ALL: gasnet_coll_gather_all(team, dst, src, bytes, flags); break;
    default: gasnet_coll_exchange(team, dst, src, bytes, flags); break;
  }
}

static void call(bool nb, int operation, int root, char *dst, char *src, size_t bytes, int flags) {
  if (!nb) call_blocking(operation, root, dst, src, bytes, flags);
  else gasnet_coll_wait_sync(call_nb(operation, root, dst, src, bytes, flags));
}

/* ---- Every call, with all flags, roots and sizes ---- */

static const int ins[] = {GASNET_COLL_IN_NOSYNC, GASNET_COLL_IN_MYSYNC, GASNET_COLL_IN_ALLSYNC};
static const int outs[] = {GASNET_COLL_OUT_NOSYNC, GASNET_COLL_OUT_MYSYNC, GASNET_COLL_OUT_ALLSYNC};
enum { PAIRS_N = 9, GUARD_BYTES = 8 };

static char *src_memory, *dst_memory; /* for SINGLE, at the same place in each process, where that is free */
static size_t memory_bytes;

static char *memory_at(uintptr_t place) {
  void *memory = mmap((void *)place, memory_bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    memory = mmap(NULL, memory_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) abort();
  return (char *)memory;
}

static void try_one(bool nb, int operation, int root, int pair, bool single, size_t bytes) {
  static int round;
  static const char guard[GUARD_BYTES] = "guarded";
  int in = ins[pair / 3], out = outs[pair % 3], dst_n = dst_shares_n(operation, rank, root);
  char *src = src_memory, *dst = dst_memory;
  round++;
  fill_src(src, operation, root, round, bytes);
  memset(dst, 0xEE, (size_t)dst_n * bytes);
  memcpy(dst + (size_t)dst_n * bytes, guard, sizeof guard);
  if (!single && !src_shares_n(operation, rank, root)) src = NULL;
  if (!single && !dst_n) dst = NULL;
  if (in == GASNET_COLL_IN_NOSYNC) gex_Event_Wait(gex_Coll_BarrierNB(team, 0));
  call(nb, operation, root, dst, src, bytes,
       in | out | (single ? GASNET_COLL_SINGLE : GASNET_COLL_LOCAL) | (round % 2 ? GASNET_COLL_NO_IMAGES : 0));
  if (out == GASNET_COLL_OUT_NOSYNC) gex_Event_Wait(gex_Coll_BarrierNB(team, 0));
  size_t wrong_n = wrong_dst(dst_memory, operation, rank, root, round, bytes);
  CHECK_EQ(wrong_n, 0);
  CHECK(memcmp(dst_memory + (size_t)dst_n * bytes, guard, sizeof guard) == 0);
  if (wrong_n) fprintf(stderr, "unit %d: nb %d, operation %d, root %d, flags %#x, %zu bytes\n", self, nb, operation, root,
                       (unsigned)(in | out), bytes);
}

/* All pairs of flags, or one after another. */
static void try_size(size_t bytes, bool all_pairs) {
  int next = 0;
  for (int operation = 0; operation < OPERATIONS_N; operation++)
    for (int root = 0; root < (has_root(operation) ? size : 1); root++)
      for (int form = 0; form < 4; form++)
        for (int i = 0; i < (all_pairs ? PAIRS_N : 1); i++, next++)
          try_one(form % 2, operation, root, next % PAIRS_N, form / 2, bytes);
}

static void try_sizes(bool large) {
  for (int k = 0; k < 3; k++) try_size(k ? k == 1 ? 1 : 8 : 0, true);
  try_size(4096, false);
  if (large) try_size(1 << 20, false);
}

/* Where the result may lie in place. */
static void in_place(void) {
  enum { BYTES = 24 };
  int flags = GASNET_COLL_IN_MYSYNC | GASNET_COLL_OUT_MYSYNC | GASNET_COLL_LOCAL;
  char *own = src_memory + (size_t)rank * BYTES;
  for (int form = 0; form < 2; form++)
    for (int root = 0; root < size; root++) {
      fill_src(src_memory, BROADCAST, root, 1, BYTES);
      call(form, BROADCAST, root, src_memory, src_memory, BYTES, flags);
      CHECK_EQ(wrong_dst(src_memory, BROADCAST, rank, root, 1, BYTES), 0);
      fill_src(src_memory, SCATTER, root, 2, BYTES);
      call(form, SCATTER, root, own, src_memory, BYTES, flags);
      CHECK_EQ(wrong_dst(own, SCATTER, rank, root, 2, BYTES), 0);
      fill_src(own, GATHER, root, 3, BYTES);
      call(form, GATHER, root, src_memory, own, BYTES, flags);
      CHECK_EQ(wrong_dst(src_memory, GATHER, rank, root, 3, BYTES), 0);
      fill_src(own, GATHER_ALL, root, 4, BYTES);
      call(form, GATHER_ALL, root, src_memory, own, BYTES, flags);
      CHECK_EQ(wrong_dst(src_memory, GATHER_ALL, rank, root, 4, BYTES), 0);
    }
}

/* ---- Many at once ---- */

static void complete(gasnet_coll_handle_t *handles, size_t n, int way) {
  if (way == 0) gasnet_coll_wait_sync_all(handles, n);
  for (size_t i = n; way == 1 && i-- > 0;) gasnet_coll_wait_sync(handles[i]);
  for (size_t i = n; way == 2 && i-- > 0;)
    while (gasnet_coll_try_sync(handles[i])) continue;
  while (way == 3 && gasnet_coll_try_sync_all(handles, n)) {
    gasnet_coll_wait_sync_some(handles, n);
    CHECK_EQ(gasnet_coll_try_sync_some(handles, 0), GASNET_OK);
  }
}

static void many(void) {
  enum { MANY = 40, BYTES = 200 };
  static gasnet_coll_handle_t handles[MANY];
  size_t room = (size_t)size * BYTES;
  for (int way = 0; way < 4; way++) {
    for (int i = 0; i < MANY; i++) {
      int operation = i % OPERATIONS_N, root = i % size, pair = (i + way) % PAIRS_N;
      /* All IN and OUT modes but NOSYNC, which asks for barriers between. */
      int in = ins[pair / 3 ? pair / 3 : 1], out = outs[pair % 3 ? pair % 3 : 1];
      char *src = src_memory + (size_t)i * room, *dst = dst_memory + (size_t)i * room;
      fill_src(src, operation, root, i, BYTES);
      handles[i] = call_nb(operation, root, dst, src, BYTES, in | out | GASNET_COLL_LOCAL);
    }
    /* Each member completes them in a way of its own. */
    complete(handles, MANY, (way + rank) % 4);
    for (int i = 0; i < MANY; i++)
      CHECK_EQ(wrong_dst(dst_memory + (size_t)i * room, i % OPERATIONS_N, rank, i % size, i, BYTES), 0);
  }
  gasnet_coll_handle_t none = GASNET_COLL_INVALID_HANDLE;
  gasnet_coll_wait_sync(none);
  CHECK_EQ(gasnet_coll_try_sync(none), GASNET_OK);
  CHECK_EQ(gasnet_coll_try_sync_all(&none, 1), GASNET_OK);
}

/* ---- What ALLSYNC promises; on the team of all ---- */

/* The segment of each unit: words that others set, a source and a destination with a word for each unit. */
static int64_t *flags_of(int unit) { return (int64_t *)(void *)segments[unit]; }
static int64_t *src_of(int unit) { return flags_of(unit) + units_n; }
static int64_t *dst_of(int unit) { return src_of(unit) + units_n; }

static void put_word(int unit, int64_t *place, int64_t value) {
  gex_RMA_PutBlocking(all, (gex_Rank_t)unit, place, &value, sizeof value, 0);
}
static int64_t get_word(int unit, int64_t *place) {
  int64_t value;
  gex_RMA_GetBlocking(all, &value, (gex_Rank_t)unit, place, sizeof value, 0);
  return value;
}
static void await_word(int from, int64_t value) {
  volatile int64_t *word = flags_of(self) + from;
  GASNET_BLOCKUNTIL(*word == value);
}

/* One unit comes late, and before it comes it writes everybody's source: nothing of it may have moved before. Nor may anybody
 * be told of the end before it comes. */
static void late_writer(int operation, int late, int64_t round) {
  int flags = GASNET_COLL_IN_ALLSYNC | GASNET_COLL_OUT_ALLSYNC | GASNET_COLL_LOCAL, root = (late + 1) % size;
  gasnet_coll_handle_t handle = GASNET_COLL_INVALID_HANDLE;
  if (self != late) {
    handle = call_nb(operation, root, (char *)dst_of(self), (char *)src_of(self), sizeof round, flags);
    for (int i = 0; i < 20; i++) CHECK_EQ(gasnet_coll_try_sync(handle), GASNET_ERR_NOT_READY);
    put_word(late, flags_of(late) + self, round);
  } else {
    for (int unit = 0; unit < size; unit++)
      if (unit != late) await_word(unit, round);
    for (int unit = 0; unit < size; unit++)
      for (int i = 0; i < size; i++) put_word(unit, src_of(unit) + i, round * 1000 + unit * 10 + i);
    handle = call_nb(operation, root, (char *)dst_of(self), (char *)src_of(self), sizeof round, flags);
  }
  gasnet_coll_wait_sync(handle);
  /* Everybody's results are there. */
  for (int unit = 0; unit < size; unit++)
    for (int i = 0; i < dst_shares_n(operation, unit, root); i++) {
      int from = operation == BROADCAST || operation == SCATTER ? root : i;
      int share = operation == SCATTER || operation == EXCHANGE ? unit : 0;
      CHECK_EQ(get_word(unit, dst_of(unit) + i), round * 1000 + from * 10 + share);
    }
  barrier();
}

/* OUT_ALLSYNC alone: the root knows that all have it. The last unit comes when the root says so. */
static void root_learns(int64_t round) {
  int flags = GASNET_COLL_IN_MYSYNC | GASNET_COLL_OUT_ALLSYNC | GASNET_COLL_LOCAL, last = size - 1;
  if (self == last) await_word(0, round);
  src_of(self)[0] = round;
  gasnet_coll_handle_t handle =
    gasnet_coll_broadcast_nb(all, dst_of(self), 0, self ? NULL : src_of(0), sizeof round, flags);
  if (self == 0) {
    for (int i = 0; i < 20; i++) CHECK_EQ(gasnet_coll_try_sync(handle), GASNET_ERR_NOT_READY);
    put_word(last, flags_of(last), round);
  }
  gasnet_coll_wait_sync(handle);
  for (int unit = 0; unit < size; unit++) CHECK_EQ(get_word(unit, dst_of(unit)), round);
  barrier();
}

/* Blocking: everybody writes the right neighbour's source before, and reads the left one's result afterwards. */
static void neighbours(int operation, int64_t round) {
  int flags = GASNET_COLL_IN_ALLSYNC | GASNET_COLL_OUT_ALLSYNC | GASNET_COLL_LOCAL, root = (int)round % size;
  int right = (self + 1) % size, left = (self + size - 1) % size;
  for (int i = 0; i < size; i++) put_word(right, src_of(right) + i, round * 1000 + right * 10 + i);
  call_blocking(operation, root, (char *)dst_of(self), (char *)src_of(self), sizeof round, flags);
  for (int i = 0; i < dst_shares_n(operation, left, root); i++) {
    int from = operation == BROADCAST || operation == SCATTER ? root : i;
    int share = operation == SCATTER || operation == EXCHANGE ? left : 0;
    CHECK_EQ(get_word(left, dst_of(left) + i), round * 1000 + from * 10 + share);
  }
  barrier();
}

static void all_sync(void) {
  int64_t round = 0;
  for (int operation = 0; operation < OPERATIONS_N; operation++) {
    for (int late = 0; late < size && size > 1; late++) late_writer(operation, late, ++round);
    for (int i = 0; i < 20; i++) neighbours(operation, ++round);
  }
  if (size > 1) root_learns(++round);
}

/* ---- Reductions ---- */

enum { SUM, LAST, COMPOSE, FUNCTIONS_N, FACTOR = 3 };

static void check_counts(size_t result_count, size_t left_count, int flags, int expected, int arg) {
  CHECK_EQ(result_count, 1);
  CHECK_EQ(left_count, 1);
  CHECK_EQ(flags & GASNET_COLL_NONCOMM, expected);
  CHECK_EQ(arg, FACTOR);
}

static void sum(void *results, size_t result_count, const void *left, size_t left_count, const void *right, size_t elem_size,
                int flags, int arg) {
  check_counts(result_count, left_count, flags, 0, arg);
  CHECK_EQ(elem_size, sizeof(int64_t));
  *(int64_t *)results = *(const int64_t *)left;
  *(int64_t *)results += *(const int64_t *)right;
}

/* The right one, in elements of any size; does not commute. */
static void last(void *results, size_t result_count, const void *left, size_t left_count, const void *right, size_t elem_size,
                 int flags, int arg) {
  check_counts(result_count, left_count, flags, GASNET_COLL_NONCOMM, arg);
  memcpy(results, left, elem_size); /* before the right one is read */
  memcpy(results, right, elem_size);
}

/* Functions x -> a x + b, the left one first: the order counts. */
struct affine {
  uint32_t a, b;
};
static void compose(void *results, size_t result_count, const void *left, size_t left_count, const void *right,
                    size_t elem_size, int flags, int arg) {
  struct affine *h = (struct affine *)results;
  const struct affine *f = (const struct affine *)left, *g = (const struct affine *)right;
  check_counts(result_count, left_count, flags, GASNET_COLL_NONCOMM, arg);
  CHECK_EQ(elem_size, sizeof *h);
  h->b = f->b; /* before the right one is read */
  h->b = g->a * h->b + g->b;
  h->a = g->a * f->a;
}
static struct affine affine_of(int member, size_t i) {
  struct affine f = {(uint32_t)(2 * member + 3), (uint32_t)i * 11 + (uint32_t)member * 101};
  return f;
}

static void register_functions(void) {
  gasnet_coll_fn_entry_t functions[FUNCTIONS_N] = {{sum, GASNET_COLL_AMSAFE}, {last, GASNET_COLL_NONCOMM},
                                                   {compose, GASNET_COLL_NONCOMM}};
  gasnet_image_t images[UNITS_MAX];
  for (int i = 0; i < units_n; i++) images[i] = 1;
  gasnet_coll_init(images, (gasnet_image_t)self, functions, FUNCTIONS_N, 0);
}

static void call_reduce(bool nb, int root, void *dst, void *src, size_t elem_size, size_t n, int function, int flags) {
  gasnet_image_t image = (gasnet_image_t)root;
  if (!nb) gasnet_coll_reduce(team, image, dst, src, 0, 0, elem_size, n, function, FACTOR, flags);
  else gasnet_coll_wait_sync(gasnet_coll_reduce_nb(team, image, dst, src, 0, 0, elem_size, n, function, FACTOR, flags));
}

static void sums(bool nb, int root, size_t n, int flags, bool same) {
  int64_t *src = (int64_t *)(void *)src_memory, *dst = same ? src : (int64_t *)(void *)dst_memory;
  for (size_t i = 0; i < n; i++) src[i] = (int64_t)i * (rank + 1);
  call_reduce(nb, root, rank == root ? dst : NULL, src, sizeof *src, n, SUM, flags);
  for (size_t i = 0; i < n && rank == root; i++) CHECK_EQ(dst[i], (int64_t)i * size * (size + 1) / 2);
}

static void compositions(bool nb, int root, size_t n, int flags) {
  struct affine *src = (struct affine *)(void *)src_memory, *dst = (struct affine *)(void *)dst_memory;
  for (size_t i = 0; i < n; i++) src[i] = affine_of(rank, i);
  call_reduce(nb, root, rank == root ? dst : NULL, src, sizeof *src, n, COMPOSE, flags);
  for (size_t i = 0; i < n && rank == root; i++) {
    struct affine expected = affine_of(0, i);
    for (int member = 1; member < size; member++) {
      struct affine next = affine_of(member, i);
      expected.b = next.a * expected.b + next.b;
      expected.a *= next.a;
    }
    CHECK(dst[i].a == expected.a && dst[i].b == expected.b);
  }
}

static void reductions(void) {
  for (int form = 0; form < 2; form++)
    for (int root = 0; root < size; root++)
      for (int pair = 4; pair < PAIRS_N; pair++) {
        int flags = ins[pair / 3] | (pair % 3 ? outs[pair % 3] : GASNET_COLL_OUT_MYSYNC) | GASNET_COLL_LOCAL;
        sums(form, root, pair % 2 ? 1 : 1000, flags, pair % 3 == 0);
        compositions(form, root, pair % 2 ? 300 : 1, flags);
        fill(src_memory, (unsigned)rank, 1000);
        call_reduce(form, root, rank == root ? dst_memory : NULL, src_memory, 1000, 1, LAST, flags);
        if (rank == root) CHECK_EQ(wrong(dst_memory, (unsigned)size - 1, 1000), 0);
      }
}

/* ---- Lists of addresses ---- */

static void lists(int place) {
  enum { BYTES = 40 };
  int flags = GASNET_COLL_IN_MYSYNC | GASNET_COLL_OUT_MYSYNC | place, own = place == GASNET_COLL_SINGLE ? rank : 0;
  void *srcs[UNITS_MAX] = {NULL}, *dsts[UNITS_MAX] = {NULL};
  int64_t word = rank, total = 0, *words = &word;
  srcs[own] = src_memory;
  dsts[own] = dst_memory;
  for (int root = 0; root < size; root++)
    for (int form = 0; form < 2; form++)
      for (int operation = 0; operation < OPERATIONS_N; operation++) {
        gasnet_image_t image = (gasnet_image_t)root;
        gasnet_coll_handle_t handle = GASNET_COLL_INVALID_HANDLE;
        fill_src(src_memory, operation, root, root, BYTES);
        switch (operation * 2 + form) {
          case BROADCAST * 2: gasnet_coll_broadcastM(team, dsts, image, src_memory, BYTES, flags); break;
          case BROADCAST * 2 + 1: handle = gasnet_coll_broadcastM_nb(team, dsts, image, src_memory, BYTES, flags); break;
          case SCATTER * 2: gasnet_coll_scatterM(team, dsts, image, src_memory, BYTES, flags); break;
          case SCATTER * 2 + 1: handle = gasnet_coll_scatterM_nb(team, dsts, image, src_memory, BYTES, flags); break;
          case GATHER * 2: gasnet_coll_gatherM(team, image, dst_memory, srcs, BYTES, flags); break;
          case GATHER * 2 + 1: handle = gasnet_coll_gatherM_nb(team, image, dst_memory, srcs, BYTES, flags); break;
          case GATHER_ALL * 2: gasnet_coll_gather_allM(team, dsts, srcs, BYTES, flags); break;
          case GATHER_ALL * 2 + 1: handle = gasnet_coll_gather_allM_nb(team, dsts, srcs, BYTES, flags); break;
          case EXCHANGE * 2: gasnet_coll_exchangeM(team, dsts, srcs, BYTES, flags); break;
          default: handle = gasnet_coll_exchangeM_nb(team, dsts, srcs, BYTES, flags); break;
        }
        gasnet_coll_wait_sync(handle);
        CHECK_EQ(wrong_dst(dst_memory, operation, rank, root, root, BYTES), 0);
      }
  srcs[own] = words;
  gasnet_coll_reduceM(team, 0, &total, srcs, 0, 0, sizeof word, 1, SUM, FACTOR, flags);
  if (rank == 0) CHECK_EQ(total, (int64_t)size * (size - 1) / 2);
  gasnet_coll_wait_sync(gasnet_coll_reduceM_nb(team, 0, &total, srcs, 0, 0, sizeof word, 1, LAST, FACTOR, flags));
  if (rank == 0) CHECK_EQ(total, size - 1);
}

/* ---- Barriers ---- */

static void barriers(void) {
  int id = -1;
  for (int i = 0; i < 50; i++) {
    gasnet_coll_barrier_notify(GASNET_TEAM_ALL, i, 0);
    if (i % 2) CHECK_EQ(gasnet_coll_barrier_wait(GASNET_TEAM_ALL, i, 0), GASNET_OK);
    else while (gasnet_coll_barrier_try(GASNET_TEAM_ALL, i, 0) == GASNET_ERR_NOT_READY) continue;
    CHECK_EQ(gasnet_coll_barrier_result(GASNET_TEAM_ALL, &id), 0);
    CHECK_EQ(id, i);
  }
  CHECK_EQ(gasnet_coll_barrier(GASNET_TEAM_ALL, self, 0), units_n > 1 ? GASNET_ERR_BARRIER_MISMATCH : GASNET_OK);
  CHECK_EQ(gasnet_coll_barrier(GASNET_TEAM_ALL, 0, GASNET_BARRIERFLAG_UNNAMED), GASNET_OK);
  CHECK(gasnet_coll_barrier_result(GASNET_TEAM_ALL, &id) != 0);
}

int main(int argc, char **argv) {
  enum { PLACE_SRC = 0, PLACE_DST = 1 };
  const uintptr_t places = (uintptr_t)0x7ea0 << 32;
  start(&argc, &argv, NULL, 0, PAGE);
  CHECK(GASNET_TEAM_ALL == all);
  register_functions();
  on(all);
  memory_bytes = ((size_t)units_n + 1) * (1 << 20);
  src_memory = memory_at(places + PLACE_SRC * memory_bytes);
  dst_memory = memory_at(places + PLACE_DST * memory_bytes);
  try_sizes(true);
  in_place();
  many();
  all_sync();
  barriers();
  reductions();
  lists(GASNET_COLL_LOCAL);
  lists(GASNET_COLL_SINGLE);
  gasnet_team_handle_t backwards =
    gasnet_coll_team_split(GASNET_TEAM_ALL, (gex_Rank_t)self % 2, (gex_Rank_t)(units_n - self), NULL);
  on(backwards);
  CHECK_EQ(gasnet_coll_team_size(backwards), (units_n + 1 - self % 2) / 2);
  CHECK_EQ(gasnet_coll_team_rank2node(backwards, rank), self);
  CHECK_EQ(gasnet_coll_team_node2rank(backwards, self), rank);
  CHECK(gasnet_coll_team_rank2node(backwards, 0) >= gasnet_coll_team_rank2node(backwards, size - 1));
  try_sizes(false);
  reductions();
  lists(GASNET_COLL_SINGLE);
  in_place();
  many();
  gex_TM_Destroy(backwards, NULL, 0);
  /* What has no effect is there, too. */
  gasnet_coll_set_tree_kind(all, 0, 2, GASNET_COLL_EXCHANGE_OP);
  gasnet_coll_set_dissem_limit(all, 64, GASNET_COLL_GATHER_ALL_OP);
  CHECK_EQ(gasnet_coll_get_num_tree_classes(all, GASNET_COLL_BROADCAST_OP), 0);
  gasnet_coll_loadTuningState(NULL, GASNET_TEAM_ALL);
  gasnet_coll_dumpTuningState(NULL, GASNET_TEAM_ALL);
  gasnet_coll_dumpProfile(NULL, GASNET_TEAM_ALL);
  return finish();
}
