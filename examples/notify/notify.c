/* notify: two ways to use notified puts.
 *
 * Producer and consumer: unit 0 fills the slots of a small queue in the last unit's memory. The consumer increases a
 * second counter, which tells the producer when a slot is free again. Pipeline: items travel through all units; each
 * unit adds its number to an item and passes it on. Each unit waits only for the item that it needs next.
 *
 * Usage: notify [ITEMS] */
#include <stdio.h>
#include <stdlib.h>

#include <dash/dart/if/dart.h>
#include <dash/dart/if/dart_ext.h>

#include "../arguments.h"

enum { SLOTS = 4, VALUES = 100 /* of one item */, ITEMS_MAX = 1000000 };

/* Counters of each unit. */
enum { FILLED, TAKEN, ARRIVED, COUNTERS };

typedef struct {
  dart_gptr_t slots;    /* SLOTS items on every unit */
  dart_gptr_t counters; /* COUNTERS of them on every unit */
  long *my_slots;
  dart_unit_t me, units;
  long items;
} job;

static dart_gptr_t at(dart_gptr_t base, dart_unit_t unit, size_t bytes)
{
  dart_gptr_setunit(&base, dart_create_team_unit(unit));
  dart_gptr_incaddr(&base, (int64_t)bytes);
  return base;
}

static dart_gptr_t counter(const job *j, dart_unit_t unit, int which)
{
  return at(j->counters, unit, (size_t)which * sizeof(uint64_t));
}

static dart_gptr_t slot(const job *j, dart_unit_t unit, long item)
{
  return at(j->slots, unit, (size_t)(item % SLOTS) * VALUES * sizeof(long));
}

/* Puts the data of `item` into the unit's slot and adds one to the counter. A unit that sees the new count sees the data. */
static void hand_over(const job *j, dart_unit_t unit, long item, const long *values, int which)
{
  const dart_gptr_t to = slot(j, unit, item);
  dart_put_notify(to, values, VALUES, DART_TYPE_LONG, DART_TYPE_LONG, counter(j, unit, which), 1);
  dart_flush_local(to); /* `values` may be reused */
}

static void fill(long *values, long item)
{
  for (long i = 0; i < VALUES; i++) values[i] = item * VALUES + i;
}

static long sum_of(const long *values)
{
  long sum = 0;
  for (int i = 0; i < VALUES; i++) sum += values[i];
  return sum;
}

static long sum_of_all(long items)
{
  const long n = items * VALUES;
  return n * (n - 1) / 2;
}

static void produce(const job *j)
{
  const dart_unit_t consumer = j->units - 1;
  long values[VALUES];
  for (long item = 0; item < j->items; item++) {
    fill(values, item);
    if (item >= SLOTS) dart_notify_wait(counter(j, j->me, TAKEN), (uint64_t)(item - SLOTS + 1));
    hand_over(j, consumer, item, values, FILLED);
  }
}

static int consume(const job *j)
{
  long sum = 0;
  for (long item = 0; item < j->items; item++) {
    dart_notify_wait(counter(j, j->me, FILLED), (uint64_t)item + 1);
    sum += sum_of(j->my_slots + item % SLOTS * VALUES);
    dart_notify(counter(j, 0, TAKEN), 1);
  }
  printf("notify: consumed %ld item%s, sum %ld (expected %ld)\n", j->items, j->items == 1 ? "" : "s", sum,
         sum_of_all(j->items));
  return sum == sum_of_all(j->items);
}

/* The next unit's slot is free again when that unit has notified this one on the counter for free slots. */
static int pass_through(const job *j)
{
  const dart_unit_t before = j->me - 1, next = j->me + 1;
  long values[VALUES], sum = 0;
  for (long item = 0; item < j->items; item++) {
    if (j->me == 0) {
      fill(values, item);
    } else {
      dart_notify_wait(counter(j, j->me, ARRIVED), (uint64_t)item + 1);
      for (int i = 0; i < VALUES; i++) values[i] = j->my_slots[item % SLOTS * VALUES + i] + j->me;
      dart_notify(counter(j, before, TAKEN), 1);
    }
    sum += sum_of(values);
    if (next == j->units) continue;
    if (item >= SLOTS) dart_notify_wait(counter(j, j->me, TAKEN), (uint64_t)(item - SLOTS + 1));
    hand_over(j, next, item, values, ARRIVED);
  }
  if (next < j->units) return 1;
  const long expected = sum_of_all(j->items) + j->items * VALUES * ((long)j->units * (j->units - 1) / 2);
  printf("notify: %ld item%s through %d unit%s, sum %ld (expected %ld)\n", j->items, j->items == 1 ? "" : "s",
         (int)j->units, j->units == 1 ? "" : "s", sum, expected);
  return sum == expected;
}

/* No unit waits for the last notifications: they must have arrived before the counters are set to 0. */
static void reset(const job *j)
{
  dart_flush_all(j->counters);
  dart_barrier(DART_TEAM_ALL);
  for (int i = 0; i < COUNTERS; i++) dart_notify_reset(counter(j, j->me, i), NULL);
  dart_barrier(DART_TEAM_ALL);
}

static void set_up(job *j)
{
  dart_global_unit_t me;
  size_t units = 0;
  void *address = NULL;
  dart_myid(&me);
  dart_size(&units);
  j->me = me.id;
  j->units = (dart_unit_t)units;
  if (dart_team_memalloc_aligned(DART_TEAM_ALL, SLOTS * VALUES, DART_TYPE_LONG, &j->slots) != DART_OK ||
      dart_team_memalloc_aligned(DART_TEAM_ALL, COUNTERS, DART_TYPE_ULONG, &j->counters) != DART_OK)
    dart_abort(DART_EXIT_ABORT);
  dart_gptr_getaddr(at(j->slots, j->me, 0), &address);
  j->my_slots = address;
  reset(j);
}

int main(int argc, char **argv)
{
  if (dart_init(&argc, &argv) != DART_OK) return 1;
  job j = {.items = 200};
  dart_global_unit_t me;
  dart_myid(&me);
  const struct argument wanted[] = {{"ITEMS", 1, ITEMS_MAX, &j.items}};
  if (!read_arguments("notify", argc, argv, me.id == 0, 1, wanted)) {
    dart_exit();
    return WRONG_ARGUMENTS;
  }
  set_up(&j);

  int good = 1;
  if (j.units > 1) {
    if (j.me == 0) produce(&j);
    if (j.me == j.units - 1) good = consume(&j);
    reset(&j);
  }
  good &= pass_through(&j);
  if (j.me == j.units - 1) printf("notify: check %s\n", good ? "passed" : "FAILED");
  dart_bcast(&good, 1, DART_TYPE_INT, dart_create_team_unit(j.units - 1), DART_TEAM_ALL);

  dart_team_memfree(j.counters);
  dart_team_memfree(j.slots);
  dart_exit();
  return good ? 0 : 1;
}
