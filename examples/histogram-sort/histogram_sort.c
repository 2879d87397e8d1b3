/* histogram-sort: sorts 64-bit keys that are spread over the units. Unit 0 gets the smallest keys, the last unit the
 * largest ones, and each unit gets as many as it had, unless equal keys would be cut between two units: these stay
 * together.
 *
 * Each unit sorts its own keys. Then the units find the splitters: for each unit the smallest key that it will get.
 * They guess all splitters, count the keys below each guess in one reduction, and improve the guesses bit by bit. The
 * keys that a unit has for another one are then adjacent. The unit reserves room for them on the other unit by a
 * fetch-and-add, and puts them there. The other unit takes no part: the units exchange no table of how many keys go
 * where, and no unit receives.
 *
 * The keys are squares of random numbers. Small ones are more frequent, so equal parts of the range would not do.
 *
 * Usage: histogram-sort [KEYS]   (of each unit) */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <dash/dart/if/dart.h>
#include <dash/dart/if/dart_ext.h>

#include "../arguments.h"
#include "../clock.h"
#include "../random.h"

enum { KEYS_MAX = 100000000, KEY_BITS = 64 };

static int me, units;
static uint64_t n, *keys;  /* of this unit at first */
static uint64_t *splitter; /* of each unit */

static dart_gptr_t at(dart_gptr_t base, int unit, uint64_t index)
{
  dart_gptr_setunit(&base, dart_create_team_unit(unit));
  dart_gptr_incaddr(&base, (int64_t)(index * sizeof(uint64_t)));
  return base;
}

/* Allocates `room` numbers on every unit, and stores where those of this unit are. */
static dart_gptr_t allocate(uint64_t room, uint64_t **mine)
{
  dart_gptr_t base;
  void *address;
  if (dart_team_memalloc_aligned(DART_TEAM_ALL, room, DART_TYPE_ULONG, &base) != DART_OK) dart_abort(DART_EXIT_ABORT);
  dart_gptr_getaddr(at(base, me, 0), &address);
  *mine = address;
  return base;
}

static uint64_t key(uint64_t index)
{
  const uint64_t number = random_number(index), high = number >> 32;
  return high * high + (uint32_t)number;
}

static int by_value(const void *a, const void *b)
{
  const uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
  return (left > right) - (left < right);
}

/* Counts this unit's keys below `limit`. They are sorted. */
static uint64_t keys_below(uint64_t limit)
{
  uint64_t low = 0, high = n;
  while (low < high) {
    const uint64_t middle = (low + high) / 2;
    if (keys[middle] < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/* Counts the keys of all units below each splitter plus `step`. */
static void count_all_below(uint64_t step, uint64_t *counts)
{
  for (int u = 0; u < units; u++) counts[u] = keys_below(splitter[u] + step);
  dart_allreduce(counts, counts, (size_t)units, DART_TYPE_ULONG, DART_OP_SUM, DART_TEAM_ALL);
}

/* Splitter u is the largest number below which there are at most u * n keys. Returns the most keys that a unit gets. */
static uint64_t find_splitters(void)
{
  uint64_t *counts = malloc((size_t)units * sizeof *counts), most = 0, end = (uint64_t)units * n;
  if (!counts) dart_abort(DART_EXIT_ABORT);
  for (int bit = KEY_BITS - 1; bit >= 0; bit--) {
    const uint64_t step = UINT64_C(1) << bit;
    count_all_below(step, counts);
    for (int u = 1; u < units; u++)
      if (counts[u] <= (uint64_t)u * n) splitter[u] += step;
  }
  count_all_below(0, counts);
  for (int u = units - 1; u >= 0; end = counts[u--])
    if (end - counts[u] > most) most = end - counts[u];
  free(counts);
  return most;
}

/* Puts this unit's keys for `unit` behind those that others put there. */
static void put_run(dart_gptr_t sorted, dart_gptr_t filled, int unit)
{
  const uint64_t first = keys_below(splitter[unit]), end = unit + 1 < units ? keys_below(splitter[unit + 1]) : n;
  const uint64_t length = end - first;
  uint64_t place;
  dart_fetch_and_op(at(filled, unit, 0), &length, &place, DART_TYPE_ULONG, DART_OP_SUM);
  dart_flush_local(at(filled, unit, 0)); /* `place` has arrived */
  dart_put(at(sorted, unit, place), keys + first, length, DART_TYPE_ULONG, DART_TYPE_ULONG);
}

/* Counts the keys of all units, and adds them up. Returns whether they ascend on each unit and from unit to unit. */
static int examine(const uint64_t *mine, uint64_t mine_n, uint64_t *count, uint64_t *sum)
{
  uint64_t largest = mine_n ? mine[mine_n - 1] : 0, before = 0, own[3] = {mine_n}, all[3];
  dart_exscan(&largest, &before, 1, DART_TYPE_ULONG, DART_OP_MAX, DART_TEAM_ALL); /* of the units before */
  for (uint64_t i = 0; i < mine_n; before = mine[i++]) {
    own[1] += mine[i];
    own[2] += mine[i] < before;
  }
  dart_allreduce(own, all, 3, DART_TYPE_ULONG, DART_OP_SUM, DART_TEAM_ALL);
  *count = all[0], *sum = all[1];
  return all[2] == 0;
}

int main(int argc, char **argv)
{
  if (dart_init(&argc, &argv) != DART_OK) return 1;
  long keys_n = 200000;
  size_t size;
  dart_global_unit_t unit;
  dart_myid(&unit);
  dart_size(&size);
  units = (int)size, me = unit.id;
  const struct argument wanted[] = {{"KEYS", 1, KEYS_MAX, &keys_n}};
  if (!read_arguments("histogram-sort", argc, argv, me == 0, 1, wanted)) {
    dart_exit();
    return WRONG_ARGUMENTS;
  }
  n = (uint64_t)keys_n;
  keys = malloc(n * sizeof *keys);
  splitter = calloc(size, sizeof *splitter);
  if (!keys || !splitter) dart_abort(DART_EXIT_ABORT);
  for (uint64_t i = 0; i < n; i++) keys[i] = key((uint64_t)me * n + i);
  uint64_t *filled_mine, *mine, count, sum, count_after, sum_after;
  const dart_gptr_t filled = allocate(1, &filled_mine); /* on each unit the number of keys for which room is reserved */
  *filled_mine = 0;
  examine(keys, n, &count, &sum);

  dart_barrier(DART_TEAM_ALL);
  const double start = now();
  qsort(keys, n, sizeof *keys, by_value);
  const dart_gptr_t sorted = allocate(find_splitters(), &mine);
  for (int i = 0; i < units; i++) put_run(sorted, filled, (me + i) % units); /* not all to the same unit at once */
  dart_flush_all(sorted);
  dart_barrier(DART_TEAM_ALL); /* all keys have arrived */
  qsort(mine, *filled_mine, sizeof *mine, by_value);
  dart_barrier(DART_TEAM_ALL);
  const double seconds = now() - start;

  const int ordered = examine(mine, *filled_mine, &count_after, &sum_after);
  const int good = ordered && count == count_after && sum == sum_after;
  if (me == 0) {
    printf("histogram-sort: %llu keys, %.6f s: %.3f million keys/s\n", (unsigned long long)count, seconds,
           1e-6 * (double)count / seconds);
    printf("histogram-sort: check %s\n", good ? "passed" : "FAILED");
  }
  dart_team_memfree(sorted);
  dart_team_memfree(filled);
  free(splitter);
  free(keys);
  dart_exit();
  return good ? 0 : 1;
}
