/* A program as written in 2016, on dart_v2.h: every name of that time, and its behaviour. Also compiled as C++.
 * Group: dart_calls
 */
#include <dash/dart/if/dart_v2.h>

#include <dash/dart/if/dart.h> /* the include line of such a program: the header is empty today */

#include <string.h>

#include "check.h"

#define OK(call) CHECK_EQ(call, DART_OK)

enum { WORDS = 16, BYTES = WORDS * (int)sizeof(int) };

static dart_unit_t me;
static size_t units;

static dart_group_t *new_group(void) {
  size_t bytes = 0;
  OK(dart_group_sizeof(&bytes));
  dart_group_t *group = (dart_group_t *)malloc(bytes);
  if (!group) abort();
  memset((void *)group, 0xa5, bytes); /* cast as C++ needs it */
  return group;
}

static void drop_group(dart_group_t *group) {
  OK(dart_group_fini(group));
  free(group);
}

/* Whether the group contains exactly the units whose bit is set. */
static void check_group(const dart_group_t *group, unsigned bits) {
  size_t n = 99, expected = 0;
  dart_unit_t members[32];
  OK(dart_group_size(group, &n));
  OK(dart_group_getmembers(group, members));
  for (int unit = 0; unit < 32; unit++) {
    int32_t is_member = -1;
    OK(dart_group_ismember(group, unit, &is_member));
    CHECK_EQ(is_member, bits >> unit & 1);
    if (bits >> unit & 1) CHECK_EQ(members[expected++], unit);
  }
  CHECK_EQ(n, expected);
}

static void groups(void) {
  dart_group_t first, second, result;
  OK(dart_group_init(&first));
  OK(dart_group_init(&second));
  check_group(&first, 0);
  for (int unit = 6; unit >= 0; unit--) OK(dart_group_addmember(&first, unit));
  OK(dart_group_delmember(&first, 3));
  OK(dart_group_addmember(&second, 9));
  OK(dart_group_addmember(&second, 5));
  check_group(&first, 0x77);
  OK(dart_group_union(&first, &second, &result));
  check_group(&result, 0x277);
  OK(dart_group_fini(&result));
  OK(dart_group_intersect(&first, &second, &result));
  check_group(&result, 0x20);
  OK(dart_group_copy(&first, &first));
  OK(dart_group_union(&second, &result, &second));
  check_group(&second, 0x220);
  OK(dart_group_fini(&result));
  OK(dart_group_copy(&first, &result));
  OK(dart_group_delmember(&first, 0));
  check_group(&result, 0x77);
  OK(dart_group_fini(&first));
  OK(dart_group_fini(&second));
  OK(dart_group_fini(&result));
}

/* Every function, every group. */
static void null_groups(void) {
  dart_group_t first, result;
  dart_team_t team;
  dart_unit_t members[1];
  size_t n;
  int32_t yes;
  OK(dart_group_init(&first));
  CHECK_EQ(dart_group_init(NULL), DART_ERR_INVAL);
  CHECK_EQ(dart_group_fini(NULL), DART_ERR_INVAL);
  CHECK_EQ(dart_group_copy(NULL, &result), DART_ERR_INVAL);
  CHECK_EQ(dart_group_copy(&first, NULL), DART_ERR_INVAL);
  CHECK_EQ(dart_group_union(NULL, &first, &result), DART_ERR_INVAL);
  CHECK_EQ(dart_group_union(&first, NULL, &result), DART_ERR_INVAL);
  CHECK_EQ(dart_group_union(&first, &first, NULL), DART_ERR_INVAL);
  CHECK_EQ(dart_group_intersect(NULL, &first, &result), DART_ERR_INVAL);
  CHECK_EQ(dart_group_intersect(&first, NULL, &result), DART_ERR_INVAL);
  CHECK_EQ(dart_group_intersect(&first, &first, NULL), DART_ERR_INVAL);
  CHECK_EQ(dart_group_addmember(NULL, 0), DART_ERR_INVAL);
  CHECK_EQ(dart_group_delmember(NULL, 0), DART_ERR_INVAL);
  CHECK_EQ(dart_group_ismember(NULL, 0, &yes), DART_ERR_INVAL);
  CHECK_EQ(dart_group_size(NULL, &n), DART_ERR_INVAL);
  CHECK_EQ(dart_group_getmembers(NULL, members), DART_ERR_INVAL);
  CHECK_EQ(dart_team_get_group(DART_TEAM_ALL, NULL), DART_ERR_INVAL);
  CHECK_EQ(dart_team_create(DART_TEAM_ALL, NULL, &team), DART_ERR_INVAL);
  OK(dart_group_fini(&first));
}

static void group_split(void) {
  dart_group_t *all = new_group(), *pieces[3];
  OK(dart_group_init(all));
  for (int unit = 0; unit < 7; unit++) OK(dart_group_addmember(all, unit));
  for (int i = 0; i < 3; i++) pieces[i] = new_group();
  OK(dart_group_init(pieces[1])); /* some programs call it, some do not */
  OK(dart_group_split(all, 3, pieces));
  check_group(pieces[0], 0x07);
  check_group(pieces[1], 0x38);
  check_group(pieces[2], 0x40);
  CHECK_EQ(dart_group_split(all, 3, NULL), DART_ERR_INVAL);
  dart_group_t *some[3] = {pieces[0], NULL, pieces[2]};
  CHECK_EQ(dart_group_split(all, 3, some), DART_ERR_INVAL);
  check_group(pieces[0], 0x07);
  for (int i = 0; i < 3; i++) drop_group(pieces[i]);
  drop_group(all);
}

static void errors(void) {
  dart_gptr_t null = DART_GPTR_NULL, lost = DART_GPTR_NULL;
  dart_unit_t unit = 7;
  CHECK(DART_GPTR_ISNULL(null));
  CHECK(DART_GPTR_EQUAL(null, lost));
  lost.segid = 12345;
  lost.unitid = 0;
  CHECK(!DART_GPTR_EQUAL(null, lost));
  CHECK_EQ(dart_put_blocking(null, &unit, sizeof unit), DART_ERR_INVAL);
  CHECK_EQ(dart_get(&unit, lost, sizeof unit), DART_ERR_INVAL);
  CHECK_EQ(dart_team_myid(DART_TEAM_NULL, &unit), DART_ERR_INVAL);
  CHECK_EQ(unit, -1);
  CHECK_EQ(dart_barrier(100000), DART_ERR_INVAL);
  CHECK_EQ(dart_team_unit_g2l(DART_TEAM_ALL, (dart_unit_t)units, &unit), DART_ERR_INVAL);
  OK(dart_team_memfree(DART_TEAM_ALL, null));
  OK(dart_team_destroy(DART_TEAM_NULL));
  OK(dart_usage("dart_v2"));
}

/* Local memory of the right neighbour, by a pointer that it sends. */
static void local_memory(void) {
  dart_gptr_t mine = DART_GPTR_NULL, theirs[32];
  void *address = NULL;
  int value = 100 + me, got = -1;
  dart_unit_t right = (me + 1) % (dart_unit_t)units;
  OK(dart_memalloc(BYTES, &mine));
  CHECK_EQ(mine.unitid, me);
  CHECK_EQ(mine.segid, 0);
  OK(dart_allgather(&mine, theirs, sizeof mine, DART_TEAM_ALL));
  OK(dart_put_blocking(theirs[right], &value, sizeof value));
  OK(dart_barrier(DART_TEAM_ALL));
  OK(dart_gptr_getaddr(mine, &address));
  CHECK_EQ(*(int *)address, 100 + (me + (int)units - 1) % (int)units);
  OK(dart_get_blocking(&got, theirs[right], sizeof got));
  CHECK_EQ(got, value);
  OK(dart_gptr_getaddr(theirs[right], &address));
  CHECK((address == NULL) == (units > 1));
  OK(dart_barrier(DART_TEAM_ALL));
  OK(dart_memfree(mine));
}

/* Each unit writes to its successor in the team and reads from its predecessor. */
static void team_memory(dart_team_t team, dart_unit_t self, size_t size) {
  dart_gptr_t base = DART_GPTR_NULL, to, from;
  dart_unit_t next = -7, previous = -7;
  int values[WORDS], got[WORDS] = {0}, *own;
  void *address = NULL;
  OK(dart_team_memalloc_aligned(team, BYTES, &base));
  OK(dart_team_unit_l2g(team, (self + 1) % (dart_unit_t)size, &next));
  OK(dart_team_unit_l2g(team, (self + (dart_unit_t)size - 1) % (dart_unit_t)size, &previous));
  DART_GPTR_COPY(to, base);
  from = base;
  OK(dart_gptr_setunit(&to, next));
  OK(dart_gptr_setunit(&from, me));
  OK(dart_gptr_getaddr(from, &address));
  own = (int *)address;
  for (int i = 0; i < WORDS; i++) values[i] = 10 * me + i;

  OK(dart_put(to, values, BYTES / 2));
  OK(dart_gptr_incaddr(&to, BYTES));
  OK(dart_gptr_incaddr(&to, -BYTES / 2));
  OK(dart_put(to, values + WORDS / 2, BYTES / 2));
  OK(dart_flush_local(to));
  OK(dart_flush(to));
  OK(dart_barrier(team));
  for (int i = 0; i < WORDS; i++) CHECK_EQ(own[i], 10 * previous + i);
  OK(dart_barrier(team));

  OK(dart_gptr_setaddr(&from, own + 1));
  CHECK_EQ(from.addr_or_offs.offset, sizeof(int));
  OK(dart_gptr_setunit(&from, next));
  OK(dart_get(got, from, 3 * sizeof(int)));
  OK(dart_flush_local_all(from));
  OK(dart_flush_all(from));
  CHECK_EQ(got[2], values[3]);
  OK(dart_barrier(team));
  OK(dart_team_memfree(team, base));
}

/* Arrays on the stack, of equal and of different sizes; the last int of the next unit's array is fetched. */
static void registered_memory(dart_team_t team, dart_unit_t self, size_t size) {
  dart_gptr_t equal = DART_GPTR_NULL, different = DART_GPTR_NULL;
  int numbers[WORDS], got = -1;
  size_t own_n = 1 + (size_t)self % WORDS, next_n = 1 + ((size_t)self + 1) % size % WORDS;
  dart_unit_t next = -7;
  for (int i = 0; i < WORDS; i++) numbers[i] = 1000 * self + i;
  OK(dart_team_unit_l2g(team, (self + 1) % (dart_unit_t)size, &next));
  OK(dart_team_memregister_aligned(team, BYTES, numbers, &equal));
  OK(dart_team_memregister(team, own_n * sizeof(int), numbers, &different));
  OK(dart_gptr_setunit(&equal, next));
  OK(dart_gptr_setunit(&different, next));
  OK(dart_gptr_incaddr(&equal, BYTES - (int)sizeof(int)));
  OK(dart_get_blocking(&got, equal, sizeof got));
  CHECK_EQ(got % 1000, WORDS - 1);
  OK(dart_gptr_incaddr(&different, (int)((next_n - 1) * sizeof(int))));
  OK(dart_get_blocking(&got, different, sizeof got));
  CHECK_EQ(got, 1000 * ((self + 1) % (int)size) + (int)next_n - 1);
  OK(dart_gptr_incaddr(&different, (int)sizeof(int)));
  CHECK_EQ(dart_get_blocking(&got, different, sizeof got), DART_ERR_INVAL);
  OK(dart_barrier(team));
  OK(dart_team_memderegister(team, equal));
  OK(dart_team_memderegister(team, different));
}

/* Handles are passed by value and stay valid: a second test returns "complete". */
static void handles(void) {
  dart_gptr_t base = DART_GPTR_NULL;
  dart_handle_t one, several[3];
  int32_t done = 0;
  int value = 7 + me, got = -1, all[3] = {-1, -1, -1};
  OK(dart_team_memalloc_aligned(DART_TEAM_ALL, BYTES, &base));
  OK(dart_gptr_setunit(&base, (me + 1) % (dart_unit_t)units));
  OK(dart_put_handle(base, &value, sizeof value, &one));
  OK(dart_wait_local(one));
  OK(dart_wait(one));
  OK(dart_wait(one));
  OK(dart_get_handle(&got, base, sizeof got, &one));
  while (!done) OK(dart_test_local(one, &done));
  CHECK_EQ(got, value);
  OK(dart_test(one, &done));
  CHECK_EQ(done, 1);
  OK(dart_wait(one));
  for (int round = 0; round < 3; round++) {
    for (int i = 0; i < 3; i++) OK(dart_get_handle(&all[i], base, sizeof all[i], &several[i]));
    if (round == 0) OK(dart_waitall(several, 3));
    if (round == 1) OK(dart_wait(several[1]));
    for (done = 0; !done;) OK(dart_testall_local(several, 3, &done));
    OK(dart_testall(several, 3, &done));
    OK(dart_waitall_local(several, 3));
    for (int i = 0; i < 3; i++) CHECK_EQ(all[i], value);
  }
  OK(dart_barrier(DART_TEAM_ALL));
  OK(dart_team_memfree(DART_TEAM_ALL, base));
}

static void atomics(dart_team_t team, dart_unit_t self, size_t size) {
  dart_gptr_t counter = DART_GPTR_NULL;
  int ones[2] = {1, 2}, before = -1, after[2] = {0, 0};
  double sum = 0;
  void *address = NULL;
  OK(dart_team_memalloc_aligned(team, sizeof ones, &counter));
  if (self == 0) {
    OK(dart_gptr_getaddr(counter, &address));
    memset(address, 0, sizeof ones);
  }
  OK(dart_barrier(team));
  OK(dart_accumulate_int(counter, ones, 2, DART_OP_SUM, team));
  OK(dart_accumulate(counter, ones, 1, DART_TYPE_INT, DART_OP_SUM, team));
  OK(dart_fetch_and_op(counter, ones, &before, DART_TYPE_INT, DART_OP_SUM, team));
  OK(dart_flush(counter));
  CHECK(before >= 2 && before < 3 * (int)size);
  OK(dart_barrier(team));
  OK(dart_get_blocking(after, counter, sizeof after));
  CHECK_EQ(after[0], 3 * (int)size);
  CHECK_EQ(after[1], 2 * (int)size);
  OK(dart_barrier(team));
  double mine = 0.5 + self;
  OK(dart_reduce_double(&mine, &sum, team));
  if (self == 0) CHECK(sum == 0.5 + (double)size - 1);
  OK(dart_team_memfree(team, counter));
}

static void collectives(dart_team_t team, dart_unit_t self, size_t size) {
  int parts[32], all[32], part = -1, n = (int)size, sum = -1;
  int counts[32], displacements[32];
  dart_unit_t root = (dart_unit_t)size - 1;
  for (int i = 0; i < n; i++) {
    parts[i] = self == root ? 50 + i : -1;
    counts[i] = i % 2 ? (int)sizeof(int) : 0;
    displacements[i] = i * (int)sizeof(int);
    all[i] = -1;
  }
  OK(dart_scatter(parts, &part, sizeof part, root, team));
  CHECK_EQ(part, 50 + self);
  OK(dart_gather(&part, all, sizeof part, root, team));
  OK(dart_bcast(all, size * sizeof(int), root, team));
  for (int i = 0; i < n; i++) CHECK_EQ(all[i], 50 + i);
  OK(dart_allgather(&self, all, sizeof self, team));
  for (int i = 0; i < n; i++) CHECK_EQ(all[i], i);
  memset(all, 0, sizeof all);
  OK(dart_allgatherv(&part, (size_t)counts[self], all, counts, displacements, team));
  for (int i = 0; i < n; i++) CHECK_EQ(all[i], i % 2 ? 50 + i : 0);
  CHECK_EQ(dart_allgatherv(&part, (size_t)counts[self], all, NULL, displacements, team), DART_ERR_INVAL);
  OK(dart_allreduce(&self, &sum, 1, DART_TYPE_INT, DART_OP_SUM, team));
  CHECK_EQ(sum, n * (n - 1) / 2);
}

/* A number that is right only if one unit at a time reads and writes it. */
static void locks(dart_team_t team, dart_unit_t self, size_t size) {
  enum { TURNS = 5 };
  dart_gptr_t number = DART_GPTR_NULL;
  dart_lock_t lock;
  int value = 0;
  OK(dart_team_memalloc_aligned(team, sizeof value, &number));
  if (self == 0) OK(dart_put_blocking(number, &value, sizeof value));
  OK(dart_team_lock_init(team, &lock));
  for (int turn = 0; turn < TURNS; turn++) {
    int32_t mine = 0;
    if (turn % 2) OK(dart_lock_acquire(lock));
    while (turn % 2 == 0 && !mine) OK(dart_lock_try_acquire(lock, &mine));
    OK(dart_get_blocking(&value, number, sizeof value));
    value++;
    OK(dart_put_blocking(number, &value, sizeof value));
    OK(dart_lock_release(lock));
  }
  OK(dart_barrier(team));
  OK(dart_get_blocking(&value, number, sizeof value));
  CHECK_EQ(value, TURNS * (int)size);
  OK(dart_team_lock_free(team, &lock));
  OK(dart_team_memfree(team, number));
}

static void in_team(dart_team_t team) {
  dart_unit_t self = -7, global = -7, back = -7;
  size_t size = 0;
  OK(dart_team_myid(team, &self));
  OK(dart_team_size(team, &size));
  OK(dart_team_unit_l2g(team, self, &global));
  OK(dart_team_unit_g2l(team, global, &back));
  CHECK_EQ(global, me);
  CHECK_EQ(back, self);
  team_memory(team, self, size);
  atomics(team, self, size);
  collectives(team, self, size);
  locks(team, self, size);
  registered_memory(team, self, size);
}

/* The units with odd numbers, and half of those. */
static void teams(void) {
  dart_group_t *odd = new_group(), *members = new_group();
  dart_team_t team = DART_TEAM_NULL;
  dart_unit_t self = -7;
  OK(dart_group_init(odd));
  for (size_t unit = 1; unit < units; unit += 2) OK(dart_group_addmember(odd, (dart_unit_t)unit));
  OK(dart_team_create(DART_TEAM_ALL, odd, &team));
  CHECK_EQ(team != DART_TEAM_NULL, me % 2);
  CHECK_EQ(dart_team_myid(team, &self) == DART_OK, me % 2);
  CHECK_EQ(self, me % 2 ? me / 2 : -1);
  if (team != DART_TEAM_NULL) {
    int32_t is_member = -1;
    OK(dart_team_get_group(team, members));
    OK(dart_group_ismember(members, me, &is_member));
    CHECK_EQ(is_member, 1);
    drop_group(members);
    in_team(team);
    OK(dart_team_destroy(team));
  } else {
    free(members);
  }
  drop_group(odd);
}

/* Each unit adds 1 to a word of unit 0. Teams are constants; units have a record of their hardware. */
static void compare_and_swap(void) {
  static dart_team_t all = DART_TEAM_ALL, none = DART_TEAM_NIL;
  dart_unit_locality_t *record = NULL;
  dart_gptr_t word = DART_GPTR_NULL;
  int old = 0, sum = -1;
  CHECK(all == 0 && none == DART_TEAM_NULL);
  OK(dart_team_memalloc_aligned(all, sizeof(int), &word));
  OK(dart_gptr_setunit(&word, 0));
  if (me == 0) OK(dart_put_blocking(word, &old, sizeof old));
  OK(dart_barrier(all));
  for (int seen = 0;; seen = old) {
    int next = seen + 1;
    OK(dart_compare_and_swap(word, &next, &seen, &old, DART_TYPE_INT));
    OK(dart_fence(word));
    if (old == seen) break;
  }
  OK(dart_barrier(all));
  OK(dart_get_blocking(&sum, word, sizeof sum));
  CHECK_EQ(sum, (int)units);
  OK(dart_unit_locality(all, me, &record));
  CHECK(record && record->unit.id == me);
  OK(dart_barrier(all));
  OK(dart_team_memfree(all, word));
}

int main(int argc, char **argv) {
  printf("%s, %s\n", DART_VERSION_STR, DART_BUILD_STR);
  OK(dart_init(&argc, &argv));
  OK(dart_myid(&me));
  OK(dart_size(&units));
  groups();
  null_groups();
  group_split();
  errors();
  local_memory();
  in_team(DART_TEAM_ALL);
  handles();
  teams();
  compare_and_swap();
  OK(dart_exit());
  return check_result();
}
