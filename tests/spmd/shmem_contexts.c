/* OpenSHMEM: a thousand contexts at once, and what PE numbers are on contexts of teams.
 * Group: shmem_calls
 */
#include "shmem_check.h"

/* ---- many contexts ---- */

enum { CONTEXTS_N = 1000, STEP = 7, CREATED_ROUNDS = 5 };

static bool is_used(int i) { return i % STEP == 0; }
static long text(int pe, int i, int round) { return 1 + i + CONTEXTS_N * (pe + 100L * round); }

/* Each context that is used has a word of its own in the next PE's list. */
static void use_contexts(shmem_ctx_t *ctxs, long *words, int round) {
  static long counter;
  counter = 0;
  for (int i = 0; i < CONTEXTS_N; i++) words[i] = -1;
  shmem_barrier_all();
  for (int i = 0; i < CONTEXTS_N; i++) {
    if (!is_used(i)) continue;
    const long word = text(me, i, round);
    if (i % 2) shmem_ctx_long_p(ctxs[i], &words[i], word, next);
    else shmem_ctx_long_put_nbi(ctxs[i], &words[i], &word, 1, next);
    shmem_ctx_long_atomic_inc(ctxs[i], &counter, next);
    shmem_ctx_quiet(ctxs[i]);
    CHECK_EQ(shmem_ctx_long_g(ctxs[i], &words[i], next), word);
  }
  shmem_sync_all(); /* the quiets have completed everything */
  for (int i = 0; i < CONTEXTS_N; i++) CHECK_EQ(words[i], is_used(i) ? text(previous, i, round) : -1);
  CHECK_EQ(counter, (CONTEXTS_N + STEP - 1) / STEP);
}

/* Without a quiet: the end of a context completes what was started on it. */
static void end_contexts(shmem_ctx_t *ctxs, long *words, int round) {
  shmem_sync_all();
  for (int k = 0; k < CONTEXTS_N; k++) {
    const int i = round % 2 ? k : CONTEXTS_N - 1 - k;
    if (is_used(i)) shmem_ctx_long_p(ctxs[i], &words[i], -text(me, i, round), next);
    shmem_ctx_destroy(ctxs[i]);
  }
  shmem_sync_all();
  for (int i = 0; i < CONTEXTS_N; i++) CHECK_EQ(words[i], is_used(i) ? -text(previous, i, round) : -1);
}

static void many_contexts(void) {
  static shmem_ctx_t ctxs[CONTEXTS_N];
  const long options[] = {0, SHMEM_CTX_SERIALIZED, SHMEM_CTX_PRIVATE, SHMEM_CTX_PRIVATE | SHMEM_CTX_NOSTORE};
  long *words = shmem_malloc(CONTEXTS_N * sizeof *words);
  for (int round = 0; round < CREATED_ROUNDS; round++) {
    for (int i = 0; i < CONTEXTS_N; i++) {
      ctxs[i] = SHMEM_CTX_INVALID;
      OK(shmem_ctx_create(options[i % 4], &ctxs[i]));
      CHECK(ctxs[i] != SHMEM_CTX_INVALID && (i == 0 || ctxs[i] != ctxs[i - 1]));
    }
    use_contexts(ctxs, words, round);
    end_contexts(ctxs, words, round);
  }
  shmem_free(words);
}

/* ---- contexts of a team ----
 *
 * Each member writes to the member after it, and reads from there; what is written tells the writer. Words of PEs that are not
 * members stay as they are. */

enum { LONG_N = 40000, UNTOUCHED = -9 };
static struct {
  long put, put_nbi, strided[4], single, added, swapped, set, compared, incremented;
  int small;
  double real;
  unsigned bits;
  uint64_t signals[3];
} cells;
static long *many, *many_mine;

/* The member's number, and those before and after it. */
struct ring {
  shmem_ctx_t ctx;
  long self, before, after;
  int n, to;
};

static void clear_cells(void) {
  memset(&cells, 0, sizeof cells);
  for (int i = 0; i < LONG_N; i++) many[i] = UNTOUCHED;
}

static void write_ring(const struct ring *r) {
  const long mine[4] = {r->self + 1, 10 + r->self, 20 + r->self, 30 + r->self};
  long fetched = -1;
  shmem_ctx_long_put(r->ctx, &cells.put, mine, 1, r->to);
  shmem_ctx_long_put_nbi(r->ctx, &cells.put_nbi, &mine[1], 1, r->to);
  shmem_ctx_long_iput(r->ctx, cells.strided, mine + 2, 2, 1, 2, r->to);
  shmem_ctx_long_p(r->ctx, &cells.single, 40 + r->self, r->to);
  shmem_ctx_long_atomic_set(r->ctx, &cells.set, 50 + r->self, r->to);
  shmem_ctx_int_p(r->ctx, &cells.small, (int)(60 + r->self), r->to);
  shmem_ctx_double_atomic_set(r->ctx, &cells.real, 70.5 + (double)r->self, r->to);
  shmem_ctx_long_atomic_add(r->ctx, &cells.added, 80 + r->self, r->to);
  CHECK_EQ(shmem_ctx_long_atomic_swap(r->ctx, &cells.swapped, 90 + r->self, r->to), 0);
  CHECK_EQ(shmem_ctx_long_atomic_compare_swap(r->ctx, &cells.compared, 0, 100 + r->self, r->to), 0);
  for (int i = 0; i <= r->self; i++) shmem_ctx_long_atomic_inc(r->ctx, &cells.incremented, r->to);
  shmem_ctx_long_atomic_fetch_add_nbi(r->ctx, &fetched, &cells.incremented, 1000, r->to);
  shmem_ctx_quiet(r->ctx);
  CHECK_EQ(fetched, r->self + 1);
  for (int pe = 0; pe < r->n; pe++) shmem_ctx_uint_atomic_or(r->ctx, &cells.bits, 1u << (r->self + pe) % r->n, pe);
  shmem_ctx_quiet(r->ctx);
}

static void check_cells(const struct ring *r) {
  const long b = r->before;
  CHECK_EQ(cells.put, b + 1);
  CHECK_EQ(cells.put_nbi, b + 10);
  CHECK(cells.strided[0] == b + 20 && cells.strided[1] == 0 && cells.strided[2] == b + 30 && cells.strided[3] == 0);
  CHECK_EQ(cells.single, b + 40);
  CHECK_EQ(cells.set, b + 50);
  CHECK_EQ(cells.small, b + 60);
  CHECK(cells.real == 70.5 + (double)b);
  CHECK_EQ(cells.added, b + 80);
  CHECK_EQ(cells.swapped, b + 90);
  CHECK_EQ(cells.compared, b + 100);
  CHECK_EQ(cells.incremented, b + 1 + 1000);
  CHECK_EQ(cells.bits, (1u << r->n) - 1);
}

/* What the member after this one holds is what this one has written. */
static void read_ring(const struct ring *r) {
  long got[3] = {-1, -1, -1};
  shmem_ctx_long_get(r->ctx, got, &cells.put, 2, r->to);
  CHECK(got[0] == r->self + 1 && got[1] == r->self + 10);
  shmem_ctx_long_get_nbi(r->ctx, got, &cells.single, 1, r->to);
  shmem_ctx_long_iget(r->ctx, got + 1, cells.strided, 1, 2, 2, r->to);
  shmem_ctx_quiet(r->ctx);
  CHECK(got[0] == r->self + 40 && got[1] == r->self + 20 && got[2] == r->self + 30);
  shmem_ctx_getmem(r->ctx, got, &cells.added, sizeof got[0], r->to);
  CHECK_EQ(got[0], r->self + 80);
  CHECK_EQ(shmem_ctx_int_g(r->ctx, &cells.small, r->to), r->self + 60);
  CHECK_EQ(shmem_ctx_long_atomic_fetch(r->ctx, &cells.set, r->to), r->self + 50);
  CHECK(shmem_ctx_double_atomic_fetch(r->ctx, &cells.real, r->to) == 70.5 + (double)r->self);
  CHECK_EQ(shmem_ctx_long_atomic_compare_swap(r->ctx, &cells.compared, -1, 0, r->to), r->self + 100);
}

/* One word, and more than a message takes; the signal's variable and the data are both the member's. */
static void signal_ring(const struct ring *r) {
  const long word = 500 + r->self;
  for (int i = 0; i < LONG_N; i++) many_mine[i] = r->self + i;
  shmem_ctx_long_put_signal(r->ctx, &cells.put, &word, 1, &cells.signals[0], (uint64_t)r->self + 7, SHMEM_SIGNAL_SET, r->to);
  shmem_ctx_long_put_signal_nbi(r->ctx, many, many_mine, LONG_N, &cells.signals[1], (uint64_t)r->self + 3, SHMEM_SIGNAL_ADD, r->to);
  CHECK_EQ(shmem_signal_wait_until(&cells.signals[0], SHMEM_CMP_NE, 0), r->before + 7);
  CHECK_EQ(cells.put, r->before + 500);
  CHECK_EQ(shmem_signal_wait_until(&cells.signals[1], SHMEM_CMP_NE, 0), r->before + 3);
  for (int i = 0; i < LONG_N; i++) CHECK_EQ(many[i], r->before + i);
  shmem_ctx_signal_set(r->ctx, &cells.signals[2], (uint64_t)r->self + 5, r->to);
  CHECK_EQ(shmem_signal_wait_until(&cells.signals[2], SHMEM_CMP_NE, 0), r->before + 5);
  shmem_ctx_quiet(r->ctx);
}

static void use_team(shmem_team_t team) {
  const int n = shmem_team_n_pes(team), self = shmem_team_my_pe(team);
  struct ring ring = {SHMEM_CTX_INVALID, self, (self + n - 1) % n, (self + 1) % n, n, (self + 1) % n};
  shmem_team_t of = SHMEM_TEAM_INVALID;
  OK(shmem_team_create_ctx(team, 0, &ring.ctx));
  OK(shmem_ctx_get_team(ring.ctx, &of));
  CHECK(of == team);
  write_ring(&ring);
  OK(shmem_team_sync(team));
  check_cells(&ring);
  read_ring(&ring);
  OK(shmem_team_sync(team));
  signal_ring(&ring);
  OK(shmem_team_sync(team));
  shmem_ctx_destroy(ring.ctx);
}

static void check_untouched(void) {
  static const __typeof__(cells) zeros;
  CHECK(memcmp(&cells, &zeros, sizeof cells) == 0);
  for (int i = 0; i < LONG_N; i++) CHECK_EQ(many[i], UNTOUCHED);
}

/* Collective over the world; no member keeps the team. */
static void on_team(shmem_team_t team) {
  shmem_barrier_all();
  clear_cells();
  shmem_barrier_all();
  if (team != SHMEM_TEAM_INVALID) use_team(team);
  shmem_barrier_all();
  if (team == SHMEM_TEAM_INVALID) check_untouched();
  if (team != SHMEM_TEAM_SHARED) shmem_team_destroy(team);
}

static void team_contexts(void) {
  shmem_team_t team = SHMEM_TEAM_INVALID, back = SHMEM_TEAM_INVALID, other = SHMEM_TEAM_INVALID;
  many = shmem_malloc(LONG_N * sizeof *many);
  many_mine = malloc(LONG_N * sizeof *many_mine);
  on_team(SHMEM_TEAM_SHARED);
  OK(shmem_team_split_strided(SHMEM_TEAM_WORLD, pes / 2, 1, pes - pes / 2, NULL, 0, &team));
  on_team(team); /* the second half */
  OK(shmem_team_split_strided(SHMEM_TEAM_WORLD, pes > 1, 2, pes > 1 ? pes / 2 : 1, NULL, 0, &team));
  on_team(team); /* odd numbers */
  OK(shmem_team_split_strided(SHMEM_TEAM_WORLD, pes - 1, -1, pes, NULL, 0, &back));
  CHECK_EQ(shmem_team_my_pe(back), pes - 1 - me);
  OK(shmem_team_split_strided(back, 0, 2, (pes + 1) / 2, NULL, 0, &team));
  on_team(team); /* every other one of those */
  OK(shmem_team_split_2d(back, 2, NULL, 0, &team, NULL, 0, &other));
  on_team(team);
  on_team(other);
  on_team(back);
  free(many_mine);
  shmem_free(many);
}

int main(void) {
  start();
  many_contexts();
  team_contexts();
  return finish();
}
