/* Moves a known number of bytes from each unit to its partner in the other half of the units, and back, and checks the
 * data. The first unit prints how many bytes left and entered each half. On two hosts each host is one of the halves.
 */
#include "../spmd/dart_check.h"

enum { PART = 2 << 20, WORDS_N = PART / sizeof(long), PUTS_N = 3, GETS_N = 2 };

static dart_gptr_t base; /* a part for each kind of put, and one that is fetched */
static unsigned char *own, *mine;

static dart_unit_t partner(void) { return (self + units_n / 2) % units_n; }
static unsigned seed(dart_unit_t of, int kind) { return (unsigned)(of * 10 + kind); }
static dart_gptr_t place(int kind) { return at(base, partner(), (int64_t)kind * PART); }

static void put_all(void) {
  memset(own, 0, PUTS_N * PART);
  barrier();
  for (int kind = 0; kind < PUTS_N; kind++) fill(mine + kind * PART, seed(self, kind), PART);
  OK(dart_put_blocking(place(0), mine, PART, DART_TYPE_BYTE, DART_TYPE_BYTE));
  OK(dart_put(place(1), mine + PART, PART, DART_TYPE_BYTE, DART_TYPE_BYTE));
  OK(dart_accumulate(place(2), mine + 2 * PART, WORDS_N, DART_TYPE_LONG, DART_OP_SUM));
  OK(dart_flush_all(base));
  barrier();
  for (int kind = 0; kind < PUTS_N; kind++) CHECK_EQ(wrong(own + kind * PART, seed(partner(), kind), PART), 0);
}

static void get_all(void) {
  fill(own + PUTS_N * PART, seed(self, PUTS_N), PART);
  memset(mine, 0, GETS_N * PART);
  barrier();
  OK(dart_get_blocking(mine, place(PUTS_N), PART, DART_TYPE_BYTE, DART_TYPE_BYTE));
  OK(dart_get(mine + PART, place(PUTS_N), PART, DART_TYPE_BYTE, DART_TYPE_BYTE));
  OK(dart_flush_all(base));
  for (int i = 0; i < GETS_N; i++) CHECK_EQ(wrong(mine + i * PART, seed(partner(), PUTS_N), PART), 0);
  barrier();
}

int main(int argc, char **argv) {
  start(&argc, &argv);
  CHECK_EQ(units_n % 2, 0);
  base = team_alloc(DART_TEAM_ALL, (PUTS_N + 1) * PART, DART_TYPE_BYTE);
  own = own_part(base, self);
  mine = private_buffer(PUTS_N * PART);
  put_all();
  get_all();
  free(mine);
  OK(dart_team_memfree(base));
  if (self == 0) printf("carried %d bytes each way\n", units_n / 2 * (PUTS_N + GETS_N) * PART);
  return finish();
}
