/* ring: a token travels round all units; every holder adds its number to it and counts the hop on unit 0.
 *
 * Usage: ring [ROUNDS]
 */
#include <stdio.h>
#include <stdlib.h>

#include <dash/dart/if/dart.h>

#include "../arguments.h"

enum { ROUNDS_MAX = 1000000000 };

typedef struct {
  dart_gptr_t token; /* one long on every unit */
  dart_gptr_t hops;  /* one long on every unit; only that of unit 0 is used */
  long *my_token;
  dart_unit_t me, units;
} ring;

/* The memory of `unit` in the segment that `base` names. */
static dart_gptr_t at(dart_gptr_t base, dart_unit_t unit)
{
  dart_gptr_setunit(&base, dart_create_team_unit(unit));
  return base;
}

/* Passes the token on and counts the hop. Both operations are complete at their targets on return. */
static void pass_on(const ring *r)
{
  const long value = *r->my_token + r->me + 1, one = 1;
  const dart_gptr_t next = at(r->token, (r->me + 1) % r->units);

  dart_put(next, &value, 1, DART_TYPE_LONG, DART_TYPE_LONG);
  dart_accumulate(at(r->hops, 0), &one, 1, DART_TYPE_LONG, DART_OP_SUM);
  dart_flush(next);
  dart_flush(at(r->hops, 0));
}

/* Each barrier ends one hop: the next unit then reads what the holder put and flushed before the barrier. */
static void travel(const ring *r, long rounds)
{
  for (long round = 0; round < rounds; round++) {
    for (dart_unit_t holder = 0; holder < r->units; holder++) {
      if (r->me == holder) pass_on(r);
      dart_barrier(DART_TEAM_ALL);
    }
  }
}

static int check(const ring *r, long rounds)
{
  const long sum = rounds * r->units * (r->units + 1) / 2;
  long hops = 0;
  dart_get_blocking(&hops, at(r->hops, 0), 1, DART_TYPE_LONG, DART_TYPE_LONG);
  const int good = *r->my_token == sum && hops == rounds * r->units;
  printf("ring: %d unit%s, %ld hop%s, token %ld (expected %ld)\n", (int)r->units,
         r->units == 1 ? "" : "s", hops, hops == 1 ? "" : "s", *r->my_token, sum);
  printf("ring: check %s\n", good ? "passed" : "FAILED");
  return good;
}

int main(int argc, char **argv)
{
  if (dart_init(&argc, &argv) != DART_OK) return 1;
  long rounds = 10;
  const struct argument wanted[] = {{"ROUNDS", 1, ROUNDS_MAX, &rounds}};

  ring r;
  dart_global_unit_t me;
  size_t units = 0;
  dart_myid(&me);
  dart_size(&units);
  r.me = me.id;
  r.units = (dart_unit_t)units;
  if (!read_arguments("ring", argc, argv, r.me == 0, 1, wanted)) {
    dart_exit();
    return WRONG_ARGUMENTS;
  }
  if (dart_team_memalloc_aligned(DART_TEAM_ALL, 1, DART_TYPE_LONG, &r.token) != DART_OK ||
      dart_team_memalloc_aligned(DART_TEAM_ALL, 1, DART_TYPE_LONG, &r.hops) != DART_OK)
    dart_abort(DART_EXIT_ABORT);

  void *address = NULL;
  dart_gptr_getaddr(at(r.hops, r.me), &address);
  *(long *)address = 0;
  dart_gptr_getaddr(at(r.token, r.me), &address);
  r.my_token = address;
  *r.my_token = 0;
  dart_barrier(DART_TEAM_ALL);

  travel(&r, rounds);
  int good = r.me == 0 ? check(&r, rounds) : 1;
  dart_bcast(&good, 1, DART_TYPE_INT, dart_create_team_unit(0), DART_TEAM_ALL);

  dart_team_memfree(r.hops);
  dart_team_memfree(r.token);
  dart_exit();
  return good ? 0 : 1;
}
