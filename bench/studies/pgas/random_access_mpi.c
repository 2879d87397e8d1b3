/* RandomAccess on MPI. Patterns of one call for each word: one-sided calls on a window, in one lock-all epoch.
 *
 * The pattern "hpcc" is two-sided, as HPCC's own version: a rank collects the numbers for each other rank in a bucket. When it
 * holds 1024 it sends the fullest bucket, and applies what it has received meanwhile. */
#include <mpi.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "../../peers/mpi/end.h"
#include "random_access.h"

enum { WORD = sizeof(uint64_t) };

static MPI_Win window;

/* MPICH 4.0 mixes up the parts of a node if their length is no multiple of 16. */
static void open_table(table *t) {
  const size_t bytes = (words_of(t, t->unit) * WORD + 63) / 64 * 64;
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "accumulate_ordering", "none");
  MPI_Info_set(info, "accumulate_ops", "same_op");
  MPI_Info_set(info, "same_disp_unit", "true");
  MPI_Win_allocate((MPI_Aint)bytes, WORD, info, MPI_COMM_WORLD, &t->mine, &window);
  MPI_Info_free(&info);
  MPI_Win_lock_all(MPI_MODE_NOCHECK, window);
}

static void close_table(table *t) {
  MPI_Win_unlock_all(window);
  MPI_Win_free(&window);
  t->mine = NULL;
}

/* Also orders loads and stores of the own words with the calls of other ranks. */
static void barrier(void) {
  MPI_Win_sync(window);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_sync(window);
}

static long sum(long mine) {
  long all;
  MPI_Allreduce(&mine, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

/* MPICH 4.0's flushes of all ranks return before gets and puts are complete, those of one rank do not. */
static void flush(const table *t) {
  for (int rank = 0; rank < t->units; rank++) MPI_Win_flush(rank, window);
}

/* ---- patterns of one call for each word ---- */

static uint64_t smaller(uint64_t a, uint64_t b) { return a < b ? a : b; }
static MPI_Aint place_of(const table *t, uint64_t word, int owner) { return (MPI_Aint)(word - t->first[owner]); }

static long read_words(const table *t, part p) {
  static uint64_t wanted[AHEAD], got[AHEAD];
  long wrong = 0;
  uint64_t number = p.before;
  for (uint64_t done = 0, n; done < p.n; done += n) {
    n = smaller(AHEAD, p.n - done);
    for (uint64_t i = 0; i < n; i++) {
      number = random_next(number);
      wanted[i] = word_of(t, number);
      const int owner = owner_of(t, wanted[i]);
      MPI_Get(&got[i], 1, MPI_UINT64_T, owner, place_of(t, wanted[i], owner), 1, MPI_UINT64_T, window);
    }
    flush(t);
    for (uint64_t i = 0; i < n; i++) wrong += got[i] != wanted[i];
  }
  return wrong;
}

static void write_words(const table *t, part p) {
  static uint64_t values[AHEAD]; /* a value stays as it is until the flush */
  uint64_t number = p.before;
  for (uint64_t i = 0; i < p.n; i++) {
    const uint64_t slot = i % AHEAD;
    if (slot == 0) flush(t);
    number = random_next(number);
    values[slot] = ~number;
    const uint64_t word = word_of(t, number);
    const int owner = owner_of(t, word);
    MPI_Put(&values[slot], 1, MPI_UINT64_T, owner, place_of(t, word, owner), 1, MPI_UINT64_T, window);
  }
  flush(t);
}

static void update_words(const table *t, part p) {
  static uint64_t operands[AHEAD];
  uint64_t number = p.before;
  for (uint64_t i = 0; i < p.n; i++) {
    const uint64_t slot = i % AHEAD;
    if (slot == 0) flush(t);
    number = random_next(number);
    operands[slot] = number;
    const uint64_t word = word_of(t, number);
    const int owner = owner_of(t, word);
    MPI_Accumulate(&operands[slot], 1, MPI_UINT64_T, owner, place_of(t, word, owner), 1, MPI_UINT64_T, MPI_BXOR, window);
  }
  flush(t);
}

/* ---- HPCC's rules ---- */

/* A message has numbers, or (tag END) tells how many messages with numbers its sender has sent. */
enum { NUMBERS, END, RECEIVES = 4 };

typedef struct {
  const table *t;
  buckets buckets;
  uint64_t sending[AHEAD];
  MPI_Request sent;
  uint64_t arriving[RECEIVES][AHEAD];
  MPI_Request receives[RECEIVES];
  uint64_t *messages;          /* sent to each rank */
  uint64_t expected, arrived;  /* messages with numbers; `expected` is complete after the ends of all other ranks */
  int ends;
} exchange;

static void receive(exchange *e, int slot) {
  MPI_Irecv(e->arriving[slot], AHEAD, MPI_UINT64_T, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &e->receives[slot]);
}

static void apply(const table *t, const uint64_t *numbers, int n) {
  changes soon = {0};
  for (int i = 0; i < n; i++) change_soon(&soon, &t->mine[word_of(t, numbers[i]) - t->first[t->unit]], numbers[i]);
  change_rest(&soon);
}

/* Applies all messages that have arrived. */
static void serve(exchange *e) {
  for (;;) {
    int slot, any, n;
    MPI_Status status;
    MPI_Testany(RECEIVES, e->receives, &slot, &any, &status);
    if (!any || slot == MPI_UNDEFINED) return;
    MPI_Get_count(&status, MPI_UINT64_T, &n);
    if (status.MPI_TAG == END) {
      e->expected += e->arriving[slot][0];
      e->ends++;
    } else {
      apply(e->t, e->arriving[slot], n);
      e->arrived++;
    }
    receive(e, slot);
  }
}

/* The buffer for sending is free on return. A rank that waits for it serves the others, or they would wait for each other. */
static void await_sent(exchange *e) {
  for (int done = 0; !done;) {
    serve(e);
    MPI_Test(&e->sent, &done, MPI_STATUS_IGNORE);
  }
}

static void send_bucket(exchange *e, int rank) {
  const int n = e->buckets.n[rank];
  if (n == 0) return;
  await_sent(e);
  memcpy(e->sending, bucket_of(&e->buckets, rank), (size_t)n * WORD);
  bucket_clear(&e->buckets, rank);
  MPI_Isend(e->sending, n, MPI_UINT64_T, rank, NUMBERS, MPI_COMM_WORLD, &e->sent);
  e->messages[rank]++;
}

static exchange *exchange_start(const table *t) {
  exchange *e = zeros(1, sizeof *e);
  e->t = t;
  e->buckets = buckets_make(t->units);
  e->messages = zeros((size_t)t->units, WORD);
  e->sent = MPI_REQUEST_NULL;
  for (int slot = 0; slot < RECEIVES; slot++) receive(e, slot);
  return e;
}

/* Sends what is left, and serves until the other ranks' numbers have arrived. Returns without a message under way. */
static void exchange_finish(exchange *e) {
  const table *t = e->t;
  for (int i = 1; i < t->units; i++) {
    const int rank = (t->unit + i) % t->units;
    send_bucket(e, rank);
    await_sent(e);
    MPI_Isend(&e->messages[rank], 1, MPI_UINT64_T, rank, END, MPI_COMM_WORLD, &e->sent);
  }
  await_sent(e);
  while (e->ends < t->units - 1 || e->arrived < e->expected) serve(e);
  for (int slot = 0; slot < RECEIVES; slot++) MPI_Cancel(&e->receives[slot]);
  MPI_Status statuses[RECEIVES];
  MPI_Waitall(RECEIVES, e->receives, statuses);
  buckets_free(&e->buckets);
  free(e->messages);
  free(e);
}

static void update_by_rules(const table *t, part p) {
  exchange *e = exchange_start(t);
  changes soon = {0};
  uint64_t number = p.before;
  for (uint64_t i = 0; i < p.n; i++) {
    number = random_next(number);
    const uint64_t word = word_of(t, number);
    const int owner = owner_of(t, word);
    if (owner == t->unit) {
      change_soon(&soon, &t->mine[word - t->first[owner]], number);
    } else {
      bucket_add(&e->buckets, owner, number);
      if (e->buckets.held == AHEAD) send_bucket(e, buckets_fullest(&e->buckets));
    }
  }
  change_rest(&soon);
  exchange_finish(e);
}

int main(int argc, char **argv) {
  version mpi = {0, 0, open_table, close_table, barrier, sum, read_words, write_words, update_words, update_by_rules};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &mpi.unit);
  MPI_Comm_size(MPI_COMM_WORLD, &mpi.units);
  const int code = random_access(argc, argv, &mpi);
  end_mpi();
  return code;
}
