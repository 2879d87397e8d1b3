/* Allocators: blocks compared with a model, exhaustion, pools of odd sizes, teams, stale and foreign pointers and
 * handles.
 * Group: dart_calls
 */
#include "dart_check.h"

static dart_allocator_t new_allocator(size_t bytes, dart_team_t team) {
  dart_allocator_t made = DART_ALLOCATOR_NULL;
  OK(dart_allocator_new(bytes, team, &made));
  CHECK(made != DART_ALLOCATOR_NULL);
  return made;
}

static void destroy(dart_allocator_t allocator) {
  OK(dart_allocator_destroy(&allocator));
  CHECK(allocator == DART_ALLOCATOR_NULL);
}

static void *address_of(dart_gptr_t gptr) {
  void *address = NULL;
  OK(dart_gptr_getaddr(gptr, &address));
  return address;
}

static bool is_null(dart_gptr_t gptr) { return DART_GPTR_ISNULL(gptr); }

static uint64_t seed;
static unsigned draw(unsigned below) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)(seed >> 33) % below;
}

enum { BLOCKS_N = 100, ROUNDS_N = 4000 };
static struct block {
  dart_gptr_t gptr;
  size_t bytes;
  unsigned key;
} blocks[BLOCKS_N];

/* Live blocks keep their content, so they do not overlap; each lies in the pool. */
static void check_block(const struct block *block, size_t pool) {
  CHECK_EQ(wrong(address_of(block->gptr), block->key, block->bytes), 0);
  CHECK(block->gptr.addr_or_offs.offset + block->bytes <= pool);
}

static void random_blocks(size_t pool, dart_team_t team) {
  static const struct basic_type *basic = basic_types;
  dart_allocator_t allocator = new_allocator(pool, team);
  seed = pool + (uint64_t)self;
  memset(blocks, 0, sizeof blocks);
  for (unsigned round = 0; round < ROUNDS_N; round++) {
    struct block *block = &blocks[draw(BLOCKS_N)];
    if (block->bytes) {
      check_block(block, pool);
      OK(dart_allocator_free(&block->gptr, allocator));
      CHECK(is_null(block->gptr));
      block->bytes = 0;
      continue;
    }
    size_t type = draw(BASIC_TYPES_N), nelem = 1 + draw(60);
    OK(dart_allocator_alloc(nelem, basic[type].type, &block->gptr, allocator));
    block->bytes = nelem * basic[type].bytes;
    block->key = round;
    CHECK_EQ(block->gptr.unitid, team_self(team));
    CHECK_EQ(block->gptr.teamid, team);
    CHECK_EQ((uintptr_t)address_of(block->gptr) % basic[type].bytes, 0);
    fill(address_of(block->gptr), round, block->bytes);
  }
  for (int i = 0; i < BLOCKS_N; i++) {
    if (blocks[i].bytes) check_block(&blocks[i], pool);
    if (blocks[i].bytes && i % 2) OK(dart_allocator_free(&blocks[i].gptr, allocator));
  }
  destroy(allocator); /* with blocks still allocated */
}

/* All of a pool of any size can be allocated in the smallest blocks, and no more, repeatedly. */
static void exhaust(size_t pool) {
  enum { SMALLEST = 16 };
  dart_allocator_t allocator = new_allocator(pool, DART_TEAM_ALL);
  static dart_gptr_t all[4096];
  static bool taken[4096];
  size_t n = (pool + SMALLEST - 1) / SMALLEST;
  for (int round = 0; round < 2; round++) {
    memset(taken, 0, sizeof taken);
    for (size_t i = 0; i < n; i++) {
      OK(dart_allocator_alloc(i % SMALLEST, DART_TYPE_BYTE, &all[i], allocator));
      size_t place = all[i].addr_or_offs.offset / SMALLEST;
      CHECK(all[i].addr_or_offs.offset % SMALLEST == 0 && place < n);
      if (place < n) {
        CHECK(!taken[place]);
        taken[place] = true;
      }
    }
    dart_gptr_t more = all[0];
    CHECK_EQ(dart_allocator_alloc(1, DART_TYPE_BYTE, &more, allocator), DART_ERR_NOMEM);
    CHECK(is_null(more));
    for (size_t i = n; i-- > 0;) OK(dart_allocator_free(&all[i], allocator));
  }
  destroy(allocator);
}

/* Other units use a block by the pointer that they received. */
static void shared_block(dart_team_t team) {
  dart_allocator_t allocator = new_allocator(1000 + 100 * (size_t)team_self(team), team);
  int me = team_self(team), n = team_units_n(team), right = (me + 1) % n, left = (me + n - 1) % n;
  dart_gptr_t skipped = DART_GPTR_NULL, mine = DART_GPTR_NULL, all[32];
  for (int i = 0; i < me; i++) OK(dart_allocator_alloc(3, DART_TYPE_INT, &skipped, allocator));
  OK(dart_allocator_alloc(25, DART_TYPE_INT, &mine, allocator));
  OK(dart_allgather(&mine, all, sizeof mine, DART_TYPE_BYTE, team));
  unsigned char data[100];
  fill(data, (unsigned)me, sizeof data);
  OK(dart_put_blocking(all[right], data, 25, DART_TYPE_INT, DART_TYPE_INT));
  OK(dart_barrier(team));
  CHECK_EQ(wrong(address_of(mine), (unsigned)left, sizeof data), 0);
  OK(dart_barrier(team));
  if (n > 1) {
    CHECK_EQ(dart_allocator_free(&all[right], allocator), DART_ERR_INVAL);
    CHECK(!is_null(all[right]));
  }
  OK(dart_allocator_free(&mine, allocator));
  OK(dart_barrier(team));
  destroy(allocator);
}

static void errors(void) {
  dart_allocator_t first = new_allocator(4096, DART_TEAM_ALL), second = new_allocator(4096, DART_TEAM_ALL);
  dart_gptr_t block = DART_GPTR_NULL, same, inside, segment = team_alloc(DART_TEAM_ALL, 8, DART_TYPE_INT);
  OK(dart_allocator_alloc(10, DART_TYPE_LONG, &block, first));
  same = block;
  inside = at(block, self, 16);
  CHECK_EQ(dart_allocator_free(&same, second), DART_ERR_INVAL);
  CHECK_EQ(dart_allocator_free(&inside, first), DART_ERR_INVAL);
  CHECK_EQ(dart_allocator_free(&segment, first), DART_ERR_INVAL);
  CHECK_EQ(dart_memfree(block), DART_ERR_INVAL);
  CHECK(DART_GPTR_EQUAL(same, block));
  OK(dart_allocator_free(&same, first));
  CHECK_EQ(dart_allocator_free(&same, first), DART_ERR_INVAL);
  CHECK_EQ(dart_allocator_free(&block, first), DART_ERR_INVAL);
  CHECK_EQ(dart_allocator_free(NULL, first), DART_ERR_INVAL);
  CHECK_EQ(dart_allocator_alloc(1, DART_TYPE_INT, NULL, first), DART_ERR_INVAL);
  CHECK_EQ(dart_allocator_alloc(1, DART_TYPE_UNDEFINED, &block, first), DART_ERR_INVAL);
  CHECK_EQ(dart_allocator_alloc(SIZE_MAX / 4, DART_TYPE_LONG, &block, first), DART_ERR_INVAL);
  CHECK_EQ(dart_allocator_alloc(513, DART_TYPE_LONG, &block, first), DART_ERR_NOMEM);
  CHECK_EQ(dart_allocator_alloc(1, DART_TYPE_INT, &block, DART_ALLOCATOR_NULL), DART_ERR_INVAL);
  CHECK_EQ(dart_allocator_alloc(1, DART_TYPE_INT, &block, (dart_allocator_t)&block), DART_ERR_INVAL);
  CHECK_EQ(dart_allocator_destroy(NULL), DART_ERR_INVAL);
  dart_allocator_t stale = first;
  destroy(first);
  CHECK_EQ(dart_allocator_alloc(1, DART_TYPE_INT, &block, stale), DART_ERR_INVAL);
  CHECK_EQ(dart_allocator_free(&segment, stale), DART_ERR_INVAL);
  CHECK_EQ(dart_allocator_destroy(&stale), DART_ERR_INVAL);
  CHECK(stale != DART_ALLOCATOR_NULL);
  OK(dart_team_memfree(segment));
  destroy(second);
}

/* One unit's mistake is an error on all. */
static void failed_creations(void) {
  dart_allocator_t made = DART_ALLOCATOR_NULL;
  dart_ret_t mine = self == 0 ? DART_ERR_INVAL : DART_ERR_OTHER;
  CHECK_EQ(dart_allocator_new(self == 0 ? SIZE_MAX : 64, DART_TEAM_ALL, &made), mine);
  CHECK_EQ(dart_allocator_new(64, DART_TEAM_ALL, self == 0 ? NULL : &made), mine);
  CHECK_EQ(dart_allocator_new(64, DART_TEAM_NULL, &made), DART_ERR_INVAL);
  CHECK(made == DART_ALLOCATOR_NULL);
}

/* An allocator ends with its team, and with DART. */
static void outlived(int *argc, char ***argv) {
  dart_team_t team = team_of((1u << units_n) - 1);
  dart_allocator_t of_team = new_allocator(64, team), of_all = new_allocator(64, DART_TEAM_ALL);
  dart_gptr_t block = DART_GPTR_NULL;
  OK(dart_team_destroy(&team));
  CHECK_EQ(dart_allocator_alloc(1, DART_TYPE_INT, &block, of_team), DART_ERR_INVAL);
  CHECK_EQ(dart_allocator_destroy(&of_team), DART_ERR_INVAL);
  OK(dart_allocator_alloc(1, DART_TYPE_INT, &block, of_all));
  OK(dart_exit());
  CHECK(dart_allocator_alloc(1, DART_TYPE_INT, &block, of_all) != DART_OK);
  start(argc, argv);
  dart_allocator_t next = new_allocator(64, DART_TEAM_ALL);
  CHECK_EQ(dart_allocator_alloc(1, DART_TYPE_INT, &block, of_all), DART_ERR_INVAL);
  OK(dart_allocator_alloc(1, DART_TYPE_INT, &block, next));
  destroy(next);
}

int main(int argc, char **argv) {
  start(&argc, &argv);
  random_blocks(1 << 20, DART_TEAM_ALL);
  random_blocks(300000, DART_TEAM_ALL);
  dart_team_t even = team_of(EVEN_UNITS & ((1u << units_n) - 1)), odd = DART_TEAM_NULL;
  if (units_n > 1) odd = team_of(ODD_UNITS & ((1u << units_n) - 1));
  dart_team_t half = self % 2 ? odd : even;
  random_blocks(250001, half);
  static const size_t pools[] = {0, 1, 15, 16, 17, 48, 1000, 4096, 4097, 6000, 65520};
  for (size_t i = 0; i < sizeof pools / sizeof *pools; i++) exhaust(pools[i]);
  shared_block(DART_TEAM_ALL);
  shared_block(half);
  errors();
  failed_creations();
  OK(dart_team_destroy(&half));
  outlived(&argc, &argv);
  return finish();
}
