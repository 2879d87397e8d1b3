/* RandomAccess on the native interface. The table is collective memory: a unit reaches any word by its address, and the words of
 * its own node by a pointer.
 *
 * In the pattern "hpcc" a word of this node is changed by a load and a store. Updates of other nodes travel in active messages,
 * many in one, and their handler changes the words. */
#include <tessera.h>
#include <tessera/am.h>
#include <tessera/coll.h>
#include <tessera/memory.h>

#include <stdlib.h>

#include "random_access.h"

enum { WORD = sizeof(uint64_t), UPDATE_HANDLER = 0 };

static tessera_memory_t memory;
static uint64_t received; /* numbers, by the handler */

/* Ends the job if a call failed. The library has printed why. */
static void require(tessera_status_t status) {
  if (status != TESSERA_OK) exit(EXIT_FAILURE);
}

static void open_table(table *t) {
  void *mine;
  const size_t bytes = words_of(t, t->unit) * WORD;
  require(tessera_memory_allocate(tessera_team_world(), bytes, &memory));
  require(tessera_address_pointer(tessera_address(memory, t->unit, 0), bytes, &mine));
  t->mine = mine;
}

static void close_table(table *t) {
  require(tessera_memory_free(&memory));
  t->mine = NULL;
}

static void barrier(void) { require(tessera_barrier(tessera_team_world())); }

static long sum(long mine) {
  int64_t one = mine, all;
  require(tessera_allreduce(tessera_team_world(), &one, &all, 1, tessera_builtin(TESSERA_I64, TESSERA_SUM)));
  return all;
}

static inline tessera_address_t address_of(const table *t, uint64_t word) {
  const int owner = owner_of(t, word);
  return tessera_address(memory, owner, (word - t->first[owner]) * WORD);
}

/* ---- patterns of one call for each word ---- */

static uint64_t smaller(uint64_t a, uint64_t b) { return a < b ? a : b; }

static long read_words(const table *t, part p) {
  static uint64_t wanted[AHEAD], got[AHEAD];
  long wrong = 0;
  uint64_t number = p.before;
  for (uint64_t done = 0, n; done < p.n; done += n) {
    n = smaller(AHEAD, p.n - done);
    for (uint64_t i = 0; i < n; i++) {
      number = random_next(number);
      wanted[i] = word_of(t, number);
      require(tessera_get_nb(&got[i], address_of(t, wanted[i]), WORD, NULL));
    }
    require(tessera_flush_all());
    for (uint64_t i = 0; i < n; i++) wrong += got[i] != wanted[i];
  }
  return wrong;
}

static void write_words(const table *t, part p) {
  static uint64_t values[AHEAD]; /* a value stays as it is until the flush */
  uint64_t number = p.before;
  for (uint64_t i = 0; i < p.n; i++) {
    const uint64_t slot = i % AHEAD;
    if (slot == 0) require(tessera_flush_all());
    number = random_next(number);
    values[slot] = ~number;
    require(tessera_put_nb(address_of(t, word_of(t, number)), &values[slot], WORD, NULL));
  }
  require(tessera_flush_all());
}

static void update_words(const table *t, part p) {
  static uint64_t operands[AHEAD];
  uint64_t number = p.before;
  for (uint64_t i = 0; i < p.n; i++) {
    const uint64_t slot = i % AHEAD;
    if (slot == 0) require(tessera_flush_all());
    number = random_next(number);
    operands[slot] = number;
    const tessera_address_t at = address_of(t, word_of(t, number));
    require(tessera_accumulate_nb(at, TESSERA_U64, TESSERA_BXOR, &operands[slot], 1, NULL));
  }
  require(tessera_flush_all());
}

/* ---- HPCC's rules ---- */

/* Applies the numbers of a message to this unit's words. */
static void handle_update(const tessera_am_t *message, void *context) {
  const table *t = context;
  const uint64_t *numbers = message->data, n = message->bytes / WORD;
  changes soon = {0};
  for (uint64_t i = 0; i < n; i++) change_soon(&soon, &t->mine[word_of(t, numbers[i]) - t->first[t->unit]], numbers[i]);
  change_rest(&soon);
  received += n;
}

/* Sends a bucket, in as many messages as are needed, and serves what has arrived meanwhile. */
static void send_bucket(buckets *b, int unit, uint64_t *sent) {
  const int most = (int)(tessera_am_medium_max() / WORD), n = b->n[unit];
  for (int i = 0; i < n; i += most) {
    const int now = n - i < most ? n - i : most;
    require(tessera_am_request_medium(unit, UPDATE_HANDLER, bucket_of(b, unit) + i, (size_t)now * WORD, NULL, 0, 0));
  }
  sent[unit] += (uint64_t)n;
  bucket_clear(b, unit);
  require(tessera_am_poll());
}

static bool all_received(const void *expected) { return received >= *(const uint64_t *)expected; }

/* Waits for all updates of the other units' parts. Each unit tells each other one how many it has sent to it. */
static void await_updates(const uint64_t *sent, int units) {
  uint64_t *from = zeros((size_t)units, WORD), expected = 0;
  require(tessera_alltoall(tessera_team_world(), sent, from, WORD));
  for (int u = 0; u < units; u++) expected += from[u];
  require(tessera_am_wait(all_received, &expected));
  free(from);
}

/* A pointer to the words of each unit of this node, NULL for other units. */
static uint64_t **find_pointers(const table *t) {
  uint64_t **pointers = zeros((size_t)t->units, sizeof *pointers);
  for (int u = 0; u < t->units; u++) {
    void *words;
    require(tessera_address_pointer(tessera_address(memory, u, 0), words_of(t, u) * WORD, &words));
    pointers[u] = words;
  }
  return pointers;
}

static void update_by_rules(const table *t, part p) {
  buckets b = buckets_make(t->units);
  changes soon = {0};
  uint64_t **pointers = find_pointers(t), *sent = zeros((size_t)t->units, WORD), number = p.before;
  received = 0;
  require(tessera_am_register(UPDATE_HANDLER, handle_update, (void *)t));
  barrier(); /* all have the handler */
  for (uint64_t i = 0; i < p.n; i++) {
    number = random_next(number);
    const uint64_t word = word_of(t, number);
    const int owner = owner_of(t, word);
    if (pointers[owner]) {
      change_soon(&soon, &pointers[owner][word - t->first[owner]], number);
    } else {
      bucket_add(&b, owner, number);
      if (b.held == AHEAD) send_bucket(&b, buckets_fullest(&b), sent);
    }
  }
  change_rest(&soon);
  for (int i = 1; i < t->units; i++) send_bucket(&b, (t->unit + i) % t->units, sent);
  await_updates(sent, t->units);
  free(sent);
  free(pointers);
  buckets_free(&b);
}

int main(int argc, char **argv) {
  if (tessera_init(&argc, &argv) != TESSERA_OK) return 1;
  const version native = {tessera_unit(), tessera_units(), open_table, close_table, barrier, sum,
                          read_words,     write_words,     update_words, update_by_rules};
  const int code = random_access(argc, argv, &native);
  tessera_exit();
  return code;
}
