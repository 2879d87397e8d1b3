/* random-access-native: updates of single words all over the memory of the job, as in RandomAccess of the HPC Challenge.
 *
 * A table of 2^BITS words is spread over the units; word i is i at first. Together the units make UPDATES updates per
 * word: an update takes the next number of a random sequence, and xors it to the word that its lowest bits select. Each
 * update is one atomic call. It needs no window, no epoch, no bucket that collects the updates for a unit, and no code
 * that the owner of the word runs.
 *
 * Check: each unit goes through the whole sequence again, and xors the numbers that belong to its own words. Xor undoes
 * itself, so every word must then be as at first. No error is allowed, because the updates are atomic. (The benchmark
 * allows errors in 1 % of the words, for programs whose updates are not.)
 *
 * Usage: random-access-native [BITS [UPDATES]] */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <tessera.h>
#include <tessera/coll.h>
#include <tessera/memory.h>

#include "../arguments.h"
#include "../clock.h"
#include "../random.h"

enum { BITS_MAX = 40, UPDATES_MAX = 1000 };
enum { AHEAD = 1024 /* updates of a unit that are under way; the benchmark allows so many */ };

typedef struct {
  uint64_t words; /* of all units, a power of two */
  uint64_t updates;
  uint64_t unit, units;
  tessera_memory_t memory;
  uint64_t *mine; /* this unit's words */
} table;

/* Words are distributed cyclically over the units. */
static uint64_t owner_of(const table *t, uint64_t word) { return word % t->units; }
static uint64_t place_of(const table *t, uint64_t word) { return word / t->units; }
static uint64_t word_of(const table *t, uint64_t number) { return number & (t->words - 1); }

/* Ends the job if a call failed. The library has printed why. */
static void require(tessera_status_t status)
{
  if (status != TESSERA_OK) exit(EXIT_FAILURE);
}

static void set_up(table *t)
{
  void *mine;
  const size_t bytes = (place_of(t, t->words - 1) + 1) * sizeof(uint64_t);
  require(tessera_memory_allocate(tessera_team_world(), bytes, &t->memory));
  require(tessera_address_pointer(tessera_address(t->memory, (int32_t)t->unit, 0), bytes, &mine));
  t->mine = mine;
  for (uint64_t word = t->unit; word < t->words; word += t->units) t->mine[place_of(t, word)] = word;
}

static void update(const table *t, uint64_t number, const uint64_t *operand)
{
  const uint64_t word = word_of(t, number);
  const tessera_address_t at = tessera_address(t->memory, (int32_t)owner_of(t, word), place_of(t, word) * sizeof word);
  require(tessera_accumulate_nb(at, TESSERA_U64, TESSERA_BXOR, operand, 1, NULL));
}

/* Makes this unit's part of the updates. */
static void update_all(const table *t)
{
  const uint64_t first = t->updates * t->unit / t->units, end = t->updates * (t->unit + 1) / t->units;
  static uint64_t numbers[AHEAD]; /* a number stays as it is until its update is complete */
  for (uint64_t i = first; i < end; i++) {
    const uint64_t slot = (i - first) % AHEAD;
    if (slot == 0) require(tessera_flush_all());
    numbers[slot] = random_number(i);
    update(t, numbers[slot], &numbers[slot]);
  }
  require(tessera_flush_all());
}

/* Repeats all updates of this unit's words. Returns how many words of all units are then not as at first. */
static int64_t wrong_words(const table *t)
{
  int64_t mine = 0, all = 0;
  for (uint64_t i = 0; i < t->updates; i++) {
    const uint64_t number = random_number(i), word = word_of(t, number);
    if (owner_of(t, word) == t->unit) t->mine[place_of(t, word)] ^= number;
  }
  for (uint64_t word = t->unit; word < t->words; word += t->units) mine += t->mine[place_of(t, word)] != word;
  require(tessera_allreduce(tessera_team_world(), &mine, &all, 1, tessera_builtin(TESSERA_I64, TESSERA_SUM)));
  return all;
}

int main(int argc, char **argv)
{
  if (tessera_init(&argc, &argv) != TESSERA_OK) return 1;
  table t = {.unit = (uint64_t)tessera_unit(), .units = (uint64_t)tessera_units()};
  long bits = 18, updates = 4;
  const struct argument wanted[] = {{"BITS", 1, BITS_MAX, &bits}, {"UPDATES", 1, UPDATES_MAX, &updates}};
  if (!read_arguments("random-access-native", argc, argv, t.unit == 0, 2, wanted)) {
    tessera_exit();
    return WRONG_ARGUMENTS;
  }
  t.words = UINT64_C(1) << bits;
  t.updates = (uint64_t)updates << bits;
  set_up(&t);

  require(tessera_barrier(tessera_team_world()));
  const double start = now();
  update_all(&t);
  require(tessera_barrier(tessera_team_world())); /* all updates are complete, and plain loads see them */
  const double seconds = now() - start;

  const int64_t wrong = wrong_words(&t);
  if (t.unit == 0) {
    printf("random-access-native: 2^%ld words, %llu updates, %.6f s: %.3f million updates/s\n", bits,
           (unsigned long long)t.updates, seconds, 1e-6 * (double)t.updates / seconds);
    printf("random-access-native: %lld words are wrong (allowed: 0)\n", (long long)wrong);
    printf("random-access-native: check %s\n", wrong ? "FAILED" : "passed");
  }
  require(tessera_memory_free(&t.memory));
  tessera_exit();
  return wrong ? 1 : 0;
}
