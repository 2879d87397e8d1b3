/* GASNet-1's collectives: each compared with a serial reference, with each pair of synchronisation flags, LOCAL and
 * SINGLE, all roots, blocking and not; many outstanding at once, completed in another order; the guarantees of ALLSYNC;
 * and reductions, lists of addresses and teams, which only GASNet-1 has.
 * Group: gasnet_calls
 */
#define _GNU_SOURCE 1
#include "gasnet_am.h"

#include <sys/mman.h>

#include "coll_moves.h"

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0
#endif

enum operation { BROADCAST, SCATTER, GATHER, GATHER_ALL, EXCHANGE, OPERATIONS_N };

static gex_TM_t team; /* the sizes */
static int rank, size;

static void on(gex_TM_t which) {
  team = which;
  rank = (int)gex_TM_QueryRank(which);
  size = (int)gex_TM_QuerySize(which);
  coll.self = rank;
  coll.size = size;
}

/* The number of shares in a member's buffers. */
static int src_shares_n(int operation, int member, int root) {
  if (operation == BROADCAST) return member == root;
  if (operation == SCATTER) return member == root ? size : 0;
  return operation == EXCHANGE ? size : 1;
}
static int dst_shares_n(int operation, int member, int root) {
  if (operation == GATHER) return member == root ? size : 0;
  return operation == GATHER_ALL || operation == EXCHANGE ? size : 1;
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

/* With lists of addresses. */
static gasnet_coll_handle_t call_list(bool nb, int operation, int root, char *dst, char *src, size_t bytes, int flags) {
  gasnet_image_t image = (gasnet_image_t)root;
  void *srcs[UNITS_MAX] = {NULL}, *dsts[UNITS_MAX] = {NULL};
  int own = flags & GASNET_COLL_SINGLE ? rank : 0;
  srcs[own] = src;
  dsts[own] = dst;
  switch (operation * 2 + nb) {
    case BROADCAST * 2: gasnet_coll_broadcastM(team, dsts, image, src, bytes, flags); break;
    case BROADCAST * 2 + 1: return gasnet_coll_broadcastM_nb(team, dsts, image, src, bytes, flags);
    case SCATTER * 2: gasnet_coll_scatterM(team, dsts, image, src, bytes, flags); break;
    case SCATTER * 2 + 1: return gasnet_coll_scatterM_nb(team, dsts, image, src, bytes, flags);
    case GATHER * 2: gasnet_coll_gatherM(team, image, dst, srcs, bytes, flags); break;
    case GATHER * 2 + 1: return gasnet_coll_gatherM_nb(team, image, dst, srcs, bytes, flags);
    case GATHER_ALL * 2: gasnet_coll_gather_allM(team, dsts, srcs, bytes, flags); break;
    case GATHER_ALL * 2 + 1: return gasnet_coll_gather_allM_nb(team, dsts, srcs, bytes, flags);
    case EXCHANGE * 2: gasnet_coll_exchangeM(team, dsts, srcs, bytes, flags); break;
    default: return gasnet_coll_exchangeM_nb(team, dsts, srcs, bytes, flags);
  }
  return GASNET_COLL_INVALID_HANDLE;
}

static const int ins[] = {GASNET_COLL_IN_NOSYNC, GASNET_COLL_IN_MYSYNC, GASNET_COLL_IN_ALLSYNC};
static const int outs[] = {GASNET_COLL_OUT_NOSYNC, GASNET_COLL_OUT_MYSYNC, GASNET_COLL_OUT_ALLSYNC};
enum { PAIRS_N = 9, GUARD_BYTES = 8, MANY = 40 };

/* The form of the next calls. */
static int in, out;             /* flags */
static bool nb, single, listed; /* listed: with lists of addresses */
static bool starts;             /* and waited for later */
static gasnet_coll_handle_t handles[MANY];
static size_t handles_n;

static char *src_memory, *dst_memory; /* for SINGLE, at the same place in each process, if that is free */
static size_t memory_bytes;

static char *memory_at(uintptr_t place) {
  void *memory = mmap((void *)place, memory_bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    memory = mmap(NULL, memory_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) abort();
  return (char *)memory;
}

static size_t with_guard(size_t n) { return n + GUARD_BYTES - 1; }
static void meet(void) { gex_Event_Wait(gex_Coll_BarrierNB(team, 0)); }

static void call(int operation, int root, void *send, void *recv, size_t bytes) {
  static unsigned calls_n;
  size_t src_bytes = (size_t)src_shares_n(operation, rank, root) * bytes;
  size_t dst_bytes = (size_t)dst_shares_n(operation, rank, root) * bytes + GUARD_BYTES;
  char *src = single ? src_memory : (char *)send, *dst = single ? dst_memory : (char *)recv;
  int flags = in | out | (single ? GASNET_COLL_SINGLE : GASNET_COLL_LOCAL) | (calls_n++ % 2 ? GASNET_COLL_NO_IMAGES : 0);
  if (single && send) memcpy(src, send, src_bytes);
  if (single && recv) memcpy(dst, recv, dst_bytes);
  if (in == GASNET_COLL_IN_NOSYNC) meet();
  gasnet_coll_handle_t handle = GASNET_COLL_INVALID_HANDLE;
  if (listed) handle = call_list(nb, operation, root, dst, src, bytes, flags);
  else if (nb) handle = call_nb(operation, root, dst, src, bytes, flags);
  else call_blocking(operation, root, dst, src, bytes, flags);
  if (starts) handles[handles_n++] = handle;
  else gasnet_coll_wait_sync(handle);
  if (out == GASNET_COLL_OUT_NOSYNC) meet();
  if (single && recv) memcpy(recv, dst, dst_bytes);
}

/* In place, the data is a part of the other buffer. */
static void *own_share(void *all_shares, size_t bytes) { return (char *)all_shares + (size_t)rank * bytes; }

static void bcast_from(void *send, void *recv, size_t n, int root) { call(BROADCAST, root, send, recv, n); }
static void bcast(void *data, size_t n, int root) { call(BROADCAST, root, data, data, n); }
static void scatter(void *send, void *recv, size_t n, int root) {
  call(SCATTER, root, send, recv == COLL_IN_PLACE ? own_share(send, n) : recv, n);
}
static void gather(void *send, void *recv, size_t n, int root) {
  call(GATHER, root, send == COLL_IN_PLACE ? own_share(recv, n) : send, recv, n);
}
static void allgather(void *send, void *recv, size_t n) {
  call(GATHER_ALL, 0, send == COLL_IN_PLACE ? own_share(recv, n) : send, recv, n);
}
static void alltoall(void *send, void *recv, size_t n) { call(EXCHANGE, 0, send, recv, n); }

static void reduce(void *send, void *recv, size_t n, int root, const struct coll_how *how);
static struct coll_calls calls;

static void prepare_calls(void) {
  calls.bcast = bcast;
  calls.bcast_from = bcast_from;
  calls.scatter = scatter;
  calls.gather = gather;
  calls.allgather = allgather;
  calls.alltoall = alltoall;
  calls.reduce = reduce;
  coll.calls = &calls;
  coll.room = with_guard;
}

/* ---- Every call, with all flags, roots and sizes ---- */

static void move(int operation, size_t bytes, int root, bool is_in_place) {
  coll.elem_bytes = 1;
  coll.first += 2;
  switch (operation) {
    case BROADCAST: is_in_place ? coll_bcast(bytes, root) : coll_bcast_from(bytes, root); break;
    case SCATTER: coll_scatter(bytes, root, is_in_place); break;
    case GATHER: coll_gather(bytes, root, is_in_place); break;
    case GATHER_ALL: coll_allgather(bytes, is_in_place); break;
    default: coll_alltoall(bytes, false); break;
  }
}

static void choose(int pair, bool is_nb, bool is_single) {
  in = ins[pair / 3];
  out = outs[pair % 3];
  nb = is_nb;
  single = is_single;
}
static void choose_mine(bool is_nb, bool is_single) { choose(4, is_nb, is_single); }

/* All pairs of flags, or one after another. */
static void try_size(size_t bytes, bool all_pairs) {
  int next = 0;
  for (int operation = 0; operation < OPERATIONS_N; operation++)
    for (int root = 0; root < (operation <= GATHER ? size : 1); root++)
      for (int form = 0; form < 4; form++)
        for (int i = 0; i < (all_pairs ? PAIRS_N : 1); i++, next++) {
          int failures = check_failures;
          choose(next % PAIRS_N, form % 2, form / 2);
          move(operation, bytes, root, false);
          coll_check(-1);
          if (check_failures > failures) fprintf(stderr, "unit %d: nb %d, single %d, operation %d, root %d, flags %#x\n", self, nb,
                                                 single, operation, root, (unsigned)(in | out));
        }
}

static void try_sizes(bool large) {
  for (int k = 0; k < 3; k++) try_size(k ? k == 1 ? 1 : 8 : 0, true);
  try_size(4096, false);
  if (large) try_size(1 << 20, false);
}

/* The place of an in-place result. */
static void in_place(void) {
  for (int form = 0; form < 2; form++)
    for (int root = 0; root < size; root++)
      for (int operation = 0; operation < EXCHANGE; operation++) {
        choose_mine(form, false);
        move(operation, 24, root, true);
        coll_check(-1);
      }
}

/* ---- Many at once ---- */

static void complete(size_t n, int way) {
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
  for (int way = 0; way < 4; way++) {
    starts = true;
    handles_n = 0;
    for (int i = 0; i < MANY; i++) {
      int pair = (i + way) % PAIRS_N;
      /* All IN and OUT modes but NOSYNC, which needs barriers between the calls. */
      choose((pair / 3 ? pair / 3 : 1) * 3 + (pair % 3 ? pair % 3 : 1), true, false);
      move(i % OPERATIONS_N, 200, i % size, false);
    }
    starts = false;
    /* Each member completes them in its own order. */
    complete(MANY, (way + rank) % 4);
    coll_check(-1);
  }
  gasnet_coll_handle_t none = GASNET_COLL_INVALID_HANDLE;
  gasnet_coll_wait_sync(none);
  CHECK_EQ(gasnet_coll_try_sync(none), GASNET_OK);
  CHECK_EQ(gasnet_coll_try_sync_all(&none, 1), GASNET_OK);
}

/* ---- The guarantees of ALLSYNC, on the team of all ---- */

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

/* One unit comes late, and before it does so it writes the source of all units: no data may have moved before, and no
 * unit may return before. */
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
  /* The results of all units have arrived. */
  for (int unit = 0; unit < size; unit++)
    for (int i = 0; i < dst_shares_n(operation, unit, root); i++) {
      int from = operation == BROADCAST || operation == SCATTER ? root : i;
      int share = operation == SCATTER || operation == EXCHANGE ? unit : 0;
      CHECK_EQ(get_word(unit, dst_of(unit) + i), round * 1000 + from * 10 + share);
    }
  barrier();
}

/* OUT_ALLSYNC alone: the root knows that all units have the data. The last unit starts when the root tells it to. */
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

/* Blocking: each unit writes the right neighbour's source before the call, and reads the left one's result after it. */
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

/* Returns the right operand, for elements of any size; does not commute. */
static void last(void *results, size_t result_count, const void *left, size_t left_count, const void *right, size_t elem_size,
                 int flags, int arg) {
  check_counts(result_count, left_count, flags, GASNET_COLL_NONCOMM, arg);
  memcpy(results, left, elem_size); /* runs before the right operand is read */
  memcpy(results, right, elem_size);
}

/* Functions x -> a x + b, the left one first: the order matters. */
static void compose(void *results, size_t result_count, const void *left, size_t left_count, const void *right,
                    size_t elem_size, int flags, int arg) {
  struct coll_affine *h = (struct coll_affine *)results;
  const struct coll_affine *f = (const struct coll_affine *)left, *g = (const struct coll_affine *)right;
  check_counts(result_count, left_count, flags, GASNET_COLL_NONCOMM, arg);
  CHECK_EQ(elem_size, sizeof *h);
  h->b = f->b; /* runs before the right operand is read */
  h->b = g->a * h->b + g->b;
  h->a = g->a * f->a;
}
static void register_functions(void) {
  gasnet_coll_fn_entry_t functions[FUNCTIONS_N] = {{sum, GASNET_COLL_AMSAFE}, {last, GASNET_COLL_NONCOMM},
                                                   {compose, GASNET_COLL_NONCOMM}};
  gasnet_image_t images[UNITS_MAX];
  for (int i = 0; i < units_n; i++) images[i] = 1;
  gasnet_coll_init(images, (gasnet_image_t)self, functions, FUNCTIONS_N, 0);
}

static void reduce(void *send, void *recv, size_t n, int root, const struct coll_how *how) {
  gasnet_image_t image = (gasnet_image_t)root;
  int flags = in | out | (single ? GASNET_COLL_SINGLE : GASNET_COLL_LOCAL);
  void *src = send == COLL_IN_PLACE ? recv : send, *srcs[UNITS_MAX] = {NULL};
  srcs[single ? rank : 0] = src;
  gasnet_coll_handle_t handle = GASNET_COLL_INVALID_HANDLE;
  size_t bytes = how->elem_bytes;
  if (listed && nb) handle = gasnet_coll_reduceM_nb(team, image, recv, srcs, 0, 0, bytes, n, how->op, FACTOR, flags);
  else if (listed) gasnet_coll_reduceM(team, image, recv, srcs, 0, 0, bytes, n, how->op, FACTOR, flags);
  else if (nb) handle = gasnet_coll_reduce_nb(team, image, recv, src, 0, 0, bytes, n, how->op, FACTOR, flags);
  else gasnet_coll_reduce(team, image, recv, src, 0, 0, bytes, n, how->op, FACTOR, flags);
  gasnet_coll_wait_sync(handle);
}

/* The same for the generator of cases: the members' data, and how it is combined. */
static void fill_sums(const struct coll_how *how, void *data, int who, size_t from, size_t n) {
  (void)how;
  for (size_t i = 0; i < n; i++) ((int64_t *)data)[i] = (int64_t)(from + i) * (who + 1);
}
static void join_sums(const struct coll_how *how, void *inout, const void *in_before, size_t from, size_t n) {
  (void)how, (void)from;
  for (size_t i = 0; i < n; i++) ((int64_t *)inout)[i] += ((const int64_t *)in_before)[i];
}
static void fill_last(const struct coll_how *how, void *data, int who, size_t from, size_t n) {
  fill(data, (unsigned)who + (unsigned)from, n * how->elem_bytes);
}
static void join_last(const struct coll_how *how, void *inout, const void *in_before, size_t from, size_t n) {
  (void)how, (void)inout, (void)in_before, (void)from, (void)n;
}
static const struct coll_how sums = {sizeof(int64_t), fill_sums, join_sums, NULL, NULL, 0, SUM, NULL};
static const struct coll_how lasts = {1000, fill_last, join_last, NULL, NULL, 0, LAST, NULL};
static const struct coll_how compositions =
    {sizeof(struct coll_affine), coll_affine_fill, coll_affine_join, NULL, NULL, 0, COMPOSE, NULL};

static void reductions(void) {
  for (int form = 0; form < 2; form++)
    for (int root = 0; root < size; root++)
      for (int pair = 4; pair < PAIRS_N; pair++) {
        choose(pair % 3 ? pair : pair + 1, form, false);
        coll.first += 2;
        coll_reduce(&sums, pair % 2 ? 1 : 1000, root, pair % 3 == 0);
        coll_reduce(&compositions, pair % 2 ? 300 : 1, root, false);
        coll_reduce(&lasts, 1, root, false);
        coll_check(-1);
      }
}

/* ---- Lists of addresses ---- */

static void lists(bool is_single) {
  listed = true;
  for (int root = 0; root < size; root++)
    for (int form = 0; form < 2; form++) {
      choose_mine(form, is_single);
      for (int operation = 0; operation < OPERATIONS_N; operation++) {
        move(operation, 40, root, false);
        coll_check(-1);
      }
      coll_reduce(&sums, 1, root, false);
      coll_reduce(&lasts, 1, root, false);
      coll_check(-1);
    }
  listed = false;
}

/* ---- Barriers ---- */

enum { IMAGES = GASNET_BARRIERFLAG_IMAGES };

/* A name that all members pass, names that differ, and none. */
static void names_of_barriers(void) {
  int id = -1;
  for (int i = 0; i < 50; i++) {
    gasnet_coll_barrier_notify(team, i, IMAGES);
    if (i % 2) CHECK_EQ(gasnet_coll_barrier_wait(team, i, IMAGES), GASNET_OK);
    else while (gasnet_coll_barrier_try(team, i, IMAGES) == GASNET_ERR_NOT_READY) continue;
    CHECK_EQ(gasnet_coll_barrier_result(team, &id), 0);
    CHECK_EQ(id, i);
  }
  CHECK_EQ(gasnet_coll_barrier(team, rank, 0), size > 1 ? GASNET_ERR_BARRIER_MISMATCH : GASNET_OK);
  CHECK_EQ(gasnet_coll_barrier(team, 7, rank ? GASNET_BARRIERFLAG_ANONYMOUS : 0), GASNET_OK);
  CHECK_EQ(gasnet_coll_barrier_result(team, &id), 0);
  CHECK_EQ(id, 7);
  CHECK_EQ(gasnet_coll_barrier(team, 0, GASNET_BARRIERFLAG_UNNAMED), GASNET_OK);
  CHECK(gasnet_coll_barrier_result(team, &id) != 0);
}

/* The last member notifies when the first one, which has notified, has found the barrier open. */
static void late_member(int64_t round) {
  int last = (int)gex_TM_TranslateRankToJobrank(team, (gex_Rank_t)size - 1);
  int first = (int)gex_TM_TranslateRankToJobrank(team, 0);
  if (self == last && last != first) await_word(first, round);
  gasnet_coll_barrier_notify(team, 0, GASNET_BARRIERFLAG_ANONYMOUS);
  if (self == first && last != first) {
    for (int i = 0; i < 20; i++)
      CHECK_EQ(gasnet_coll_barrier_try(team, 0, GASNET_BARRIERFLAG_ANONYMOUS), GASNET_ERR_NOT_READY);
    put_word(last, flags_of(last) + first, round);
  }
  CHECK_EQ(gasnet_coll_barrier_wait(team, 0, GASNET_BARRIERFLAG_ANONYMOUS), GASNET_OK);
}

/* Barriers of the team and of all are open at the same time, with other names, and end in another order. */
static void two_barriers(void) {
  int id = -1;
  gasnet_coll_barrier_notify(team, 3, 0);
  gasnet_coll_barrier_notify(GASNET_TEAM_ALL, 4, 0);
  if (self % 2) CHECK_EQ(gasnet_coll_barrier_wait(team, 3, 0), GASNET_OK);
  CHECK_EQ(gasnet_coll_barrier_wait(GASNET_TEAM_ALL, 4, 0), GASNET_OK);
  if (self % 2 == 0) CHECK_EQ(gasnet_coll_barrier_wait(team, 3, 0), GASNET_OK);
  CHECK_EQ(gasnet_coll_barrier_result(team, &id), 0);
  CHECK_EQ(id, 3);
  CHECK_EQ(gasnet_coll_barrier_result(GASNET_TEAM_ALL, &id), 0);
  CHECK_EQ(id, 4);
}

static void barriers(int64_t round) {
  names_of_barriers();
  late_member(round);
}

/* The flag has no effect: the call's handle is its own. */
static void aggregate(void) {
  choose_mine(true, false);
  in |= GASNET_COLL_AGGREGATE;
  for (int operation = 0; operation < OPERATIONS_N; operation++) {
    move(operation, 40, 0, false);
    coll_check(-1);
  }
}

int main(int argc, char **argv) {
  enum { PLACE_SRC = 0, PLACE_DST = 1 };
  const uintptr_t places = (uintptr_t)0x7ea0 << 32;
  start(&argc, &argv, NULL, 0, PAGE);
  CHECK(GASNET_TEAM_ALL == all);
  register_functions();
  prepare_calls();
  on(all);
  memory_bytes = ((size_t)units_n + 1) * (1 << 20);
  src_memory = memory_at(places + PLACE_SRC * memory_bytes);
  dst_memory = memory_at(places + PLACE_DST * memory_bytes);
  try_sizes(true);
  in_place();
  many();
  aggregate();
  all_sync();
  barriers(1 << 20);
  reductions();
  lists(false);
  lists(true);
  gasnet_team_handle_t backwards =
    gasnete_coll_team_split(gasnete_coll_team_all, (gex_Rank_t)self % 2, (gex_Rank_t)(units_n - self), NULL);
  on(backwards);
  CHECK_EQ(gasnet_coll_team_size(backwards), (units_n + 1 - self % 2) / 2);
  CHECK_EQ(gasnet_coll_team_rank2node(backwards, rank), self);
  CHECK_EQ(gasnet_coll_team_node2rank(backwards, self), rank);
  CHECK(gasnet_coll_team_rank2node(backwards, 0) >= gasnet_coll_team_rank2node(backwards, size - 1));
  try_sizes(false);
  reductions();
  lists(true);
  in_place();
  many();
  barriers(2 << 20);
  two_barriers();
  gex_TM_Destroy(backwards, NULL, 0);
  /* Calls without effect exist, too. */
  gasnet_coll_set_tree_kind(all, 0, 2, GASNET_COLL_EXCHANGE_OP);
  gasnet_coll_set_dissem_limit(all, 64, GASNET_COLL_GATHER_ALL_OP);
  CHECK_EQ(gasnet_coll_get_num_tree_classes(all, GASNET_COLL_BROADCAST_OP), 0);
  gasnet_coll_loadTuningState(NULL, GASNET_TEAM_ALL);
  gasnet_coll_dumpTuningState(NULL, GASNET_TEAM_ALL);
  gasnet_coll_dumpProfile(NULL, GASNET_TEAM_ALL);
  gasnet_coll_tuning_param_type_t last = GASNET_COLL_TREE_TYPE;
  gasnet_coll_overlap_sample_work_t no_work = NULL;
  CHECK(last + 1 == GASNET_COLL_NUM_PARAM_TYPES && !no_work);
  return finish();
}
