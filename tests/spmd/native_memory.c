/* Global memory of the native interface, through its public headers only: parts of equal and different sizes, teams, local and
 * registered memory, put and get in all forms, blocks, atomics, notified puts, wrong arguments; the same memory in DART.
 * Nodes: 3
 */
#include <string.h>

#include <dash/dart/if/dart.h>
#include <tessera/memory.h>
#include <tessera/message.h>

#include "check.h"

#define OK(call) CHECK_EQ(call, TESSERA_OK)

enum { N = 40000 };

static int32_t me, units_n, next, before;
static long out[N], in[N];

static long value(int32_t who, long i) { return 1000000L * (who + 1) + i; }
static void fill(int32_t who) {
  for (long i = 0; i < N; i++) out[i] = value(who, i);
}
static void check_in(int32_t who, size_t n) {
  size_t wrong = 0;
  for (size_t i = 0; i < n; i++) wrong += in[i] != value(who, (long)i);
  CHECK_EQ(wrong, 0);
  memset(in, 0, sizeof in);
}
static void meet(tessera_team_t team) { OK(tessera_barrier(team)); }

/* Puts to the next member, in each form, and gets from it. */
static void ring(tessera_team_t team, tessera_memory_t memory) {
  static const size_t sizes[] = {1, 5, 1000, N};
  const int32_t self = tessera_team_rank(team), n = tessera_team_size(team), to = (self + 1) % n;
  const tessera_address_t there = tessera_address(memory, to, 0), own = tessera_address(memory, self, 0);
  for (int form = 0; form < 4; form++)
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
      const size_t bytes = sizes[i] * sizeof(long);
      tessera_request_t request = {0};
      fill(self + form);
      if (form == 0) OK(tessera_put(there, out, bytes));
      else OK(tessera_put_nb(there, out, bytes, form == 1 ? NULL : &request));
      if (form == 1) OK(tessera_flush(tessera_team_unit(team, to)));
      if (form == 2) OK(tessera_wait(&request));
      if (form == 3) {
        OK(tessera_wait_local(&request));
        memset(out, 0, bytes); /* the buffer is the program's again */
        OK(tessera_flush_all());
        OK(tessera_wait(&request));
      }
      meet(team);
      OK(tessera_get(in, own, bytes));
      check_in((self + n - 1) % n + form, sizes[i]);
      request.id = 0;
      OK(tessera_get_nb(in, there, bytes, form % 2 ? &request : NULL));
      OK(form % 2 ? tessera_wait(&request) : tessera_flush_all());
      check_in(self + form, sizes[i]);
      meet(team);
    }
}

static void whole_world(void) {
  tessera_memory_t memory = {0, 0};
  size_t bytes = 0;
  OK(tessera_memory_allocate(tessera_team_world(), sizeof out, &memory));
  OK(tessera_memory_bytes(memory, next, &bytes));
  CHECK_EQ(bytes, sizeof out);
  ring(tessera_team_world(), memory);
  OK(tessera_memory_free(&memory));
  CHECK_EQ(memory.id, 0);
  /* What was freed, or never set, is no memory. */
  static tessera_memory_t unset;
  CHECK_EQ(tessera_put(tessera_address(memory, next, 0), out, 1), TESSERA_ERR_NOT_FOUND);
  CHECK_EQ(tessera_put(tessera_address(unset, me, 0), out, 1), TESSERA_ERR_NOT_FOUND);
  CHECK_EQ(tessera_memory_free(&memory), TESSERA_ERR_NOT_FOUND);
}

/* The members in reverse order. */
static void reversed_team(void) {
  int32_t members[64];
  tessera_team_t team;
  tessera_memory_t memory;
  for (int32_t i = 0; i < units_n; i++) members[i] = units_n - 1 - i;
  OK(tessera_team_create(tessera_team_world(), members, units_n, &team));
  OK(tessera_memory_allocate(team, sizeof out, &memory));
  ring(team, memory);
  OK(tessera_memory_free(&memory));
  OK(tessera_team_free(&team));
}

static void registered(void) {
  static long data[N];
  tessera_memory_t memory;
  void *pointer = data;
  OK(tessera_memory_register(tessera_team_world(), data, sizeof data, &memory));
  ring(tessera_team_world(), memory);
  data[0] = 5;
  meet(tessera_team_world());
  long old = 0;
  OK(tessera_fetch(tessera_address(memory, next, 0), TESSERA_I64, TESSERA_SUM, &(int64_t){10}, &old));
  CHECK_EQ(old, 5);
  meet(tessera_team_world());
  CHECK_EQ(data[0], 15);
  CHECK_EQ(tessera_put_notify(tessera_address(memory, next, 0), out, 8, tessera_address(memory, next, 8), 1), TESSERA_ERR_ARG);
  OK(tessera_address_pointer(tessera_address(memory, next, 0), 8, &pointer));
  CHECK(next == me ? pointer == data : pointer == NULL);
  meet(tessera_team_world());
  OK(tessera_memory_deregister(&memory));
  CHECK_EQ(memory.id, 0);
}

/* Member i has i * 8 bytes. */
static void parts_that_differ(void) {
  tessera_memory_t memory;
  size_t bytes = 1;
  long word = 0;
  OK(tessera_memory_allocate(tessera_team_world(), (size_t)me * sizeof(long), &memory));
  for (int32_t i = 0; i < units_n; i++) {
    OK(tessera_memory_bytes(memory, i, &bytes));
    CHECK_EQ(bytes, (size_t)i * sizeof(long));
  }
  if (next) OK(tessera_put(tessera_address(memory, next, (uint64_t)(next - 1) * 8), &(long){value(me, 0)}, sizeof(long)));
  CHECK_EQ(tessera_put(tessera_address(memory, next, (uint64_t)next * 8), &word, 1), TESSERA_ERR_RANGE);
  meet(tessera_team_world());
  if (me) OK(tessera_get(&word, tessera_address(memory, me, (uint64_t)(me - 1) * 8), sizeof word));
  if (me) CHECK_EQ(word, value(before, 0));
  OK(tessera_memory_free(&memory));
}

/* A ring of blocks, each in the heap of one unit, that names the next one. */
static void local_blocks(void) {
  tessera_address_t mine, of_next, at;
  void *own;
  OK(tessera_local_allocate(sizeof(tessera_address_t), &mine));
  OK(tessera_send_receive(&mine, sizeof mine, before, 1, &of_next, sizeof of_next, next, 1, NULL));
  OK(tessera_address_pointer(mine, sizeof mine, &own));
  CHECK(own != NULL);
  memcpy(own, &of_next, sizeof of_next);
  meet(tessera_team_world());
  at = mine;
  for (int32_t i = 0; i < units_n; i++) {
    CHECK_EQ(at.member, (me + i) % units_n);
    OK(tessera_get(&at, at, sizeof at));
  }
  CHECK_EQ(memcmp(&at, &mine, sizeof at), 0);
  meet(tessera_team_world());
  OK(tessera_local_free(mine));
  CHECK_EQ(tessera_local_free(mine), TESSERA_ERR_NOT_FOUND);
}

/* A matrix of ROWS by COLUMNS, put transposed and from the last row up, and got back. */
static void blocks(void) {
  enum { ROWS = 30, COLUMNS = 7 };
  tessera_memory_t memory;
  const ptrdiff_t word = sizeof(long);
  const size_t count[] = {COLUMNS, ROWS};
  const ptrdiff_t transposed[] = {ROWS * word, word}, upwards[] = {word, -COLUMNS * word};
  const tessera_blocks_t shape = {sizeof(long), 2, count, transposed, upwards};
  const size_t last = (ROWS - 1) * COLUMNS;
  tessera_request_t request;
  OK(tessera_memory_allocate(tessera_team_world(), ROWS * COLUMNS * sizeof(long), &memory));
  const tessera_address_t there = tessera_address(memory, next, 0);
  fill(me);
  OK(tessera_put_blocks(there, out + last, &shape));
  meet(tessera_team_world());
  OK(tessera_get(in, tessera_address(memory, me, 0), ROWS * COLUMNS * sizeof(long)));
  for (size_t r = 0; r < ROWS; r++)
    for (size_t c = 0; c < COLUMNS; c++) CHECK_EQ(in[c * ROWS + r], value(before, (long)((ROWS - 1 - r) * COLUMNS + c)));
  memset(in, 0, sizeof in);
  OK(tessera_get_blocks_nb(in + last, there, &shape, &request));
  OK(tessera_wait(&request));
  check_in(me, ROWS * COLUMNS);
  meet(tessera_team_world());
  OK(tessera_put_blocks_nb(there, out + last, &shape, NULL));
  OK(tessera_flush(next));
  OK(tessera_get_blocks(in + last, there, &shape));
  check_in(me, ROWS * COLUMNS);
  const size_t too_many[] = {COLUMNS, ROWS + 1};
  const tessera_blocks_t longer = {sizeof(long), 2, too_many, transposed, upwards};
  CHECK_EQ(tessera_put_blocks(there, out + N / 2, &longer), TESSERA_ERR_RANGE);
  CHECK_EQ(tessera_put_blocks(there, out, &(tessera_blocks_t){8, 33, count, transposed, upwards}), TESSERA_ERR_ARG);
  CHECK_EQ(tessera_put_blocks(there, out, &(tessera_blocks_t){8, 1, NULL, transposed, upwards}), TESSERA_ERR_ARG);
  CHECK_EQ(tessera_put_blocks(there, out, NULL), TESSERA_ERR_ARG);
  meet(tessera_team_world());
  OK(tessera_memory_free(&memory));
}

static void atomics(void) {
  tessera_memory_t memory;
  int64_t old = -1, zero[8] = {0};
  double half = 0.5, sum = 0;
  OK(tessera_memory_allocate(tessera_team_world(), sizeof zero, &memory));
  OK(tessera_put(tessera_address(memory, me, 0), zero, sizeof zero));
  meet(tessera_team_world());
  const tessera_address_t counter = tessera_address(memory, 0, 0), real = tessera_address(memory, 0, 8),
                          swapped = tessera_address(memory, 0, 16), row = tessera_address(memory, 0, 24);
  for (int i = 0; i < 100; i++) {
    OK(tessera_fetch(counter, TESSERA_I64, TESSERA_SUM, &(int64_t){1}, i % 2 ? &old : NULL));
    OK(tessera_accumulate_nb(real, TESSERA_F64, TESSERA_SUM, &half, 1, NULL));
    if (i % 2) CHECK(old >= i && old < 100 * units_n);
  }
  OK(tessera_accumulate(row, TESSERA_I32, TESSERA_BOR, (int32_t[]){1 << me, 2, 4}, 3));
  for (int64_t found = 0, expected; ; expected = found) { /* each unit adds 1 by compare-and-swap */
    tessera_request_t request;
    expected = found;
    OK(tessera_compare_swap_nb(swapped, TESSERA_I64, &expected, &(int64_t){expected + 1}, &found, &request));
    OK(tessera_wait(&request));
    if (found == expected) break;
  }
  OK(tessera_flush_all());
  meet(tessera_team_world());
  tessera_request_t request;
  OK(tessera_fetch_nb(counter, TESSERA_I64, TESSERA_NO_OP, NULL, &old, &request));
  OK(tessera_wait(&request));
  CHECK_EQ(old, 100 * units_n);
  OK(tessera_get(&sum, real, sizeof sum));
  CHECK(sum == 50.0 * units_n);
  OK(tessera_get(&old, swapped, sizeof old));
  CHECK_EQ(old, units_n);
  int32_t bits[3];
  OK(tessera_get(bits, row, sizeof bits));
  CHECK(bits[0] == (1 << units_n) - 1 && bits[1] == 2 && bits[2] == 4);
  meet(tessera_team_world());
  OK(tessera_fetch(tessera_address(memory, next, 0), TESSERA_I64, TESSERA_REPLACE, &(int64_t){7 + me}, NULL));
  meet(tessera_team_world());
  int64_t is_same = -1;
  OK(tessera_compare_swap(tessera_address(memory, me, 0), TESSERA_I64, &(int64_t){7 + before}, &(int64_t){-2}, &is_same));
  CHECK_EQ(is_same, 7 + before);
  CHECK_EQ(tessera_fetch(counter, TESSERA_F64, TESSERA_BXOR, &half, NULL), TESSERA_ERR_UNSUPPORTED);
  CHECK_EQ(tessera_fetch(counter, TESSERA_TYPE_USER, TESSERA_SUM, &half, NULL), TESSERA_ERR_ARG);
  CHECK_EQ(tessera_fetch(counter, TESSERA_I64, TESSERA_SUM, NULL, &old), TESSERA_ERR_ARG);
  CHECK_EQ(tessera_fetch(tessera_address(memory, 0, 60), TESSERA_I64, TESSERA_NO_OP, NULL, &old), TESSERA_ERR_RANGE);
  CHECK_EQ(tessera_compare_swap(tessera_address(memory, 0, 4), TESSERA_I64, &old, &old, &old), TESSERA_ERR_ARG);
  CHECK_EQ(tessera_compare_swap(counter, TESSERA_F80, &old, &old, &old), TESSERA_ERR_UNSUPPORTED);
  meet(tessera_team_world());
  OK(tessera_memory_free(&memory));
}

/* Data and counter behind it, around the ring; each unit passes on what it was notified of. */
static void notified(void) {
  enum { TURNS = 20, ROOM = N * sizeof(long) };
  tessera_memory_t memory;
  bool reached = true;
  OK(tessera_memory_allocate(tessera_team_world(), ROOM + 8, &memory));
  const tessera_address_t own = tessera_address(memory, me, ROOM), there = tessera_address(memory, next, 0);
  OK(tessera_put(own, &(uint64_t){0}, 8));
  meet(tessera_team_world());
  OK(tessera_notify_test(own, 1, &reached));
  if (units_n > 1) CHECK(!reached);
  meet(tessera_team_world());
  for (uint64_t turn = 1; turn <= TURNS; turn++) {
    const size_t n = turn % 3 ? turn : N;
    fill(me + (int32_t)turn);
    if (turn % 2) OK(tessera_put_notify(there, out, n * sizeof(long), tessera_address_plus(there, ROOM), 1));
    else OK(tessera_put_notify_nb(there, out, n * sizeof(long), tessera_address_plus(there, ROOM), 1, NULL));
    OK(tessera_notify_wait(own, turn));
    OK(tessera_get(in, tessera_address(memory, me, 0), n * sizeof(long)));
    check_in(before + (int32_t)turn, n);
    OK(tessera_flush_all());
    meet(tessera_team_world());
  }
  OK(tessera_put_notify(there, NULL, 0, tessera_address_plus(there, ROOM), 100));
  OK(tessera_notify_wait(own, TURNS + 100));
  OK(tessera_notify_test(own, TURNS + 101, &reached));
  CHECK(!reached);
  if (units_n > 1) {
    CHECK_EQ(tessera_put_notify(there, out, 8, own, 1), TESSERA_ERR_ARG);
    CHECK_EQ(tessera_notify_wait(tessera_address_plus(there, ROOM), 1), TESSERA_ERR_ARG);
  }
  CHECK_EQ(tessera_put_notify(there, out, 8, tessera_address_plus(there, ROOM - 4), 1), TESSERA_ERR_ARG);
  CHECK_EQ(tessera_notify_test(own, 1, NULL), TESSERA_ERR_ARG);
  meet(tessera_team_world());
  OK(tessera_memory_free(&memory));
}

static void wrong_calls(void) {
  tessera_memory_t memory, none = {0, 77};
  void *pointer;
  size_t bytes;
  tessera_address_t address;
  OK(tessera_memory_allocate(tessera_team_world(), 100, &memory));
  const tessera_address_t there = tessera_address(memory, next, 0);
  CHECK_EQ(tessera_put(there, NULL, 1), TESSERA_ERR_ARG);
  CHECK_EQ(tessera_get(NULL, there, 1), TESSERA_ERR_ARG);
  CHECK_EQ(tessera_put(there, out, 101), TESSERA_ERR_RANGE);
  CHECK_EQ(tessera_put(tessera_address_plus(there, -1), out, 1), TESSERA_ERR_RANGE);
  CHECK_EQ(tessera_get(in, tessera_address(memory, units_n, 0), 1), TESSERA_ERR_RANGE);
  CHECK_EQ(tessera_get(in, tessera_address(memory, -1, 0), 1), TESSERA_ERR_RANGE);
  CHECK_EQ(tessera_get(in, tessera_address(none, 0, 0), 1), TESSERA_ERR_NOT_FOUND);
  CHECK_EQ(tessera_get(in, tessera_address((tessera_memory_t){12345, 1}, 0, 0), 1), TESSERA_ERR_NOT_FOUND);
  CHECK_EQ(tessera_address_pointer(there, 1, NULL), TESSERA_ERR_ARG);
  CHECK_EQ(tessera_address_pointer(there, 101, &pointer), TESSERA_ERR_RANGE);
  CHECK_EQ(tessera_memory_bytes(memory, next, NULL), TESSERA_ERR_ARG);
  CHECK_EQ(tessera_memory_bytes(memory, units_n, &bytes), TESSERA_ERR_RANGE);
  CHECK_EQ(tessera_memory_free(NULL), TESSERA_ERR_ARG);
  CHECK_EQ(tessera_memory_free(&none), TESSERA_ERR_NOT_FOUND);
  CHECK_EQ(tessera_memory_deregister(&memory), TESSERA_ERR_UNSUPPORTED);
  CHECK_EQ(tessera_local_allocate(8, NULL), TESSERA_ERR_ARG);
  CHECK_EQ(tessera_local_free(there), TESSERA_ERR_NOT_FOUND);
  CHECK_EQ(tessera_flush(units_n), TESSERA_ERR_RANGE);
  CHECK_EQ(tessera_wait_local(NULL), TESSERA_ERR_ARG);
  OK(tessera_put(there, NULL, 0));
  OK(tessera_local_allocate(0, &address));
  OK(tessera_local_free(address));
  meet(tessera_team_world());
  /* Collective: an error of one fails all. */
  tessera_memory_t other;
  const tessera_status_t status = tessera_memory_allocate(tessera_team_world(), me ? 8 : SIZE_MAX, &other);
  CHECK_EQ(status, me ? TESSERA_ERR_PEER : TESSERA_ERR_ARG);
  OK(tessera_memory_free(&memory));
  CHECK_EQ(tessera_get(in, there, 1), TESSERA_ERR_NOT_FOUND);
}

/* Team, segment and offset of DART are those of the address. */
static void same_in_dart(void) {
  tessera_memory_t memory;
  long word = 0;
  CHECK_EQ(dart_init(NULL, NULL), DART_OK);
  OK(tessera_memory_allocate(tessera_team_world(), 64, &memory));
  OK(tessera_put(tessera_address(memory, next, 8), &(long){value(me, 3)}, sizeof(long)));
  meet(tessera_team_world());
  const dart_gptr_t own = {.unitid = me, .segid = (int16_t)memory.id, .teamid = (int16_t)memory.team, .addr_or_offs.offset = 8};
  CHECK_EQ(dart_get_blocking(&word, own, 1, DART_TYPE_LONG, DART_TYPE_LONG), DART_OK);
  CHECK_EQ(word, value(before, 3));
  CHECK_EQ(dart_team_memfree(own), DART_ERR_INVAL);
  CHECK_EQ(dart_team_memderegister(own), DART_ERR_INVAL);
  OK(tessera_memory_free(&memory));
  dart_gptr_t gptr;
  CHECK_EQ(dart_team_memalloc_aligned(DART_TEAM_ALL, 8, DART_TYPE_LONG, &gptr), DART_OK);
  memory = (tessera_memory_t){gptr.teamid, gptr.segid};
  OK(tessera_put(tessera_address(memory, me, 8), &(long){5}, sizeof(long)));
  CHECK_EQ(tessera_memory_free(&memory), TESSERA_ERR_UNSUPPORTED);
  CHECK_EQ(dart_team_memfree(gptr), DART_OK);
  CHECK_EQ(dart_memalloc(1, DART_TYPE_LONG, &gptr), DART_OK);
  memory = (tessera_memory_t){gptr.teamid, TESSERA_HEAP_ID};
  OK(tessera_put(tessera_address(memory, gptr.unitid, gptr.addr_or_offs.offset), &(long){9}, sizeof(long)));
  CHECK_EQ(dart_get_blocking(&word, gptr, 1, DART_TYPE_LONG, DART_TYPE_LONG), DART_OK);
  CHECK_EQ(word, 9);
  CHECK_EQ(tessera_memory_free(&memory), TESSERA_ERR_NOT_FOUND);
  CHECK_EQ(dart_memfree(gptr), DART_OK);
  CHECK_EQ(dart_exit(), DART_OK);
}

int main(int argc, char **argv) {
  tessera_memory_t left;
  CHECK_EQ(tessera_put(tessera_address((tessera_memory_t){0, 1}, 0, 0), out, 1), TESSERA_ERR_STATE);
  OK(tessera_init(&argc, &argv));
  me = tessera_unit();
  units_n = tessera_units();
  next = (me + 1) % units_n;
  before = (me + units_n - 1) % units_n;
  whole_world();
  reversed_team();
  registered();
  parts_that_differ();
  local_blocks();
  blocks();
  atomics();
  notified();
  wrong_calls();
  same_in_dart();
  OK(tessera_memory_allocate(tessera_team_world(), 1000, &left)); /* the exit frees it */
  OK(tessera_exit());
  CHECK_EQ(tessera_flush_all(), TESSERA_ERR_STATE);
  return check_result();
}
