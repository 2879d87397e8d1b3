/* Assumptions of DASH's containers and allocators on memory and pointers: the places of local blocks, the numbers of
 * segments, exhausted pools, pointers past the end, and objects that are destroyed after dart_exit.
 * Group: dash_calls
 */
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include <dash/dart/if/dart_locality.h>

#include "dart_check.h"

namespace {

/* Null pointers are constants, also as members and in larger expressions. */
struct Pointer {
  dart_gptr_t gptr = DART_GPTR_NULL;
  constexpr Pointer() = default;
  constexpr explicit operator bool() const noexcept { return !DART_GPTR_ISNULL(gptr); }
  constexpr bool operator==(const Pointer &other) const noexcept { return DART_GPTR_EQUAL(gptr, other.gptr); }
};
static_assert(!Pointer() && Pointer() == Pointer(), "");
static_assert(DART_GPTR_ISNULL(DART_GPTR_NULL) && DART_GPTR_NULL.unitid == DART_UNDEFINED_UNIT_ID, "");

/* Types and operations are arguments of templates. */
template <dart_operation_t op> struct Operation { static constexpr dart_operation_t value = op; };
template <dart_datatype_t type> struct Type { static constexpr dart_datatype_t value = type; };
static_assert(Operation<DART_OP_SUM>::value == DART_OP_SUM, "");
static_assert(Type<DART_TYPE_LONGLONG>::value == DART_TYPE_LONGLONG, "");
static_assert(sizeof DART_VERSION_STR > 1 && sizeof DART_BUILD_STR > 1, "");

/* Programs derive classes from units. */
struct TeamUnit : dart_team_unit_t {
  constexpr explicit TeamUnit(dart_unit_t unit) noexcept : dart_team_unit_t(unit) {}
  constexpr operator dart_unit_t() const noexcept { return id; }
};
static_assert(sizeof(TeamUnit) == sizeof(dart_unit_t) && TeamUnit(3) == 3, "");

int *address_of(dart_gptr_t gptr) {
  void *address = nullptr;
  OK(dart_gptr_getaddr(gptr, &address));
  return static_cast<int *>(address);
}

dart_gptr_t local_ints(std::size_t n) {
  dart_gptr_t gptr;
  OK(dart_memalloc(n, DART_TYPE_INT, &gptr));
  CHECK(!DART_GPTR_ISNULL(gptr));
  return gptr;
}

dart_gptr_t team_ints(dart_team_t team, std::size_t n) {
  dart_gptr_t gptr;
  OK(dart_team_memalloc_aligned(team, n, DART_TYPE_INT, &gptr));
  return gptr;
}

/* The second of two small local blocks lies behind the first. */
void local_blocks_ascend() {
  std::vector<dart_gptr_t> blocks;
  for (std::size_t n : {3, 1, 2, 7}) blocks.push_back(local_ints(n));
  for (std::size_t i = 1; i < blocks.size(); i++) {
    CHECK(address_of(blocks[i - 1]) + 4 <= address_of(blocks[i]));
    CHECK(!DART_GPTR_EQUAL(blocks[i - 1], blocks[i]));
  }
  for (dart_gptr_t block : blocks) OK(dart_memfree(block));
}

/* Each unit sets its own number in a pointer to another unit's local block: the pointer is invalid, but forming it is
 * no error. */
void local_blocks_of_others_have_no_address() {
  dart_gptr_t shared = DART_GPTR_NULL;
  if (self == units_n - 1) shared = local_ints(1);
  OK(dart_bcast(&shared, sizeof shared, DART_TYPE_BYTE, units_n - 1, DART_TEAM_ALL));
  CHECK((address_of(shared) != nullptr) == (self == units_n - 1));
  dart_gptr_t mine = shared;
  OK(dart_gptr_setunit(&mine, TeamUnit(self)));
  address_of(mine);
  int value = 11;
  if (self == 0) OK(dart_put_blocking(shared, &value, 1, DART_TYPE_INT, DART_TYPE_INT));
  OK(dart_barrier(DART_TEAM_ALL));
  if (self == units_n - 1) CHECK_EQ(*address_of(shared), 11);
  if (self == units_n - 1) OK(dart_memfree(shared));
}

/* Freed numbers are used before new ones, and every team counts for itself. */
void segment_numbers_are_reused() {
  dart_gptr_t first = team_ints(DART_TEAM_ALL, 10), other = team_ints(DART_TEAM_ALL, 1), third;
  CHECK(first.segid > 0 && other.segid > 0 && first.segid != other.segid);
  std::int16_t number = first.segid;
  std::vector<std::int16_t> numbers(static_cast<std::size_t>(units_n));
  OK(dart_allgather(&number, numbers.data(), 1, DART_TYPE_SHORT, DART_TEAM_ALL));
  for (std::int16_t each : numbers) CHECK_EQ(each, number);
  OK(dart_team_memfree(first));
  first = team_ints(DART_TEAM_ALL, 10);
  CHECK_EQ(first.segid, number);
  third = team_ints(DART_TEAM_ALL, 0);
  CHECK(third.segid != first.segid && third.segid != other.segid);
  std::int16_t last = third.segid;
  OK(dart_team_memfree(first));
  OK(dart_team_memfree(other));
  OK(dart_team_memfree(third));
  for (int i = 0; i < 100; i++) {
    first = team_ints(DART_TEAM_ALL, 1);
    CHECK(first.segid <= last);
    OK(dart_team_memfree(first));
  }
}

void teams_number_alike() {
  dart_team_t copy = DART_TEAM_NULL;
  OK(dart_team_clone(DART_TEAM_ALL, &copy));
  dart_gptr_t all = team_ints(DART_TEAM_ALL, 5), part = team_ints(copy, 5);
  CHECK(all.segid > 0);
  CHECK_EQ(part.segid, 1);
  CHECK(!DART_GPTR_EQUAL(all, part));
  int memory[5] = {self, self, self, self, self}, got[5];
  dart_gptr_t registered;
  OK(dart_team_memregister(copy, 5, DART_TYPE_INT, memory, &registered));
  CHECK(registered.segid < 0);
  registered.unitid = (self + 1) % units_n;
  OK(dart_get_blocking(got, registered, 5, DART_TYPE_INT, DART_TYPE_INT));
  CHECK_EQ(got[4], (self + 1) % units_n);
  OK(dart_barrier(copy));
  OK(dart_team_memderegister(registered));
  OK(dart_team_memfree(part));
  OK(dart_team_memfree(all));
  OK(dart_team_destroy(&copy));
}

/* The pointer past the last unit's part is formed, compared and flushed, never dereferenced. */
void pointers_pass_the_end() {
  dart_gptr_t base = team_ints(DART_TEAM_ALL, 4), end = base;
  end.unitid = units_n;
  CHECK(address_of(end) == nullptr);
  OK(dart_flush_all(end));
  OK(dart_flush_local_all(end));
  dart_gptr_t mine = base;
  mine.unitid = self;
  int *begin = address_of(mine);
  OK(dart_gptr_incaddr(&mine, 4 * sizeof(int)));
  CHECK(address_of(mine) == begin + 4);
  OK(dart_team_memfree(base));
}

/* One unit uses its whole pool, in one piece and in many; another writes into a piece. */
void pools_are_used_up() {
  constexpr std::size_t ints_n = 1024, piece = 8;
  dart_allocator_t pool;
  dart_gptr_t gptr = DART_GPTR_NULL;
  OK(dart_allocator_new(ints_n * sizeof(int), DART_TEAM_ALL, &pool));
  if (self == 0) {
    OK(dart_allocator_alloc(ints_n, DART_TYPE_INT, &gptr, pool));
    OK(dart_allocator_free(&gptr, pool));
    CHECK(DART_GPTR_ISNULL(gptr));
    std::vector<dart_gptr_t> pieces(ints_n / piece);
    for (dart_gptr_t &one : pieces) OK(dart_allocator_alloc(piece, DART_TYPE_INT, &one, pool));
    CHECK_EQ(dart_allocator_alloc(piece, DART_TYPE_INT, &gptr, pool), DART_ERR_NOMEM);
    CHECK(DART_GPTR_ISNULL(gptr));
    for (dart_gptr_t &one : pieces) OK(dart_allocator_free(&one, pool));
    OK(dart_allocator_alloc(static_cast<std::size_t>(units_n), DART_TYPE_INT, &gptr, pool));
  }
  OK(dart_bcast(&gptr, sizeof gptr, DART_TYPE_BYTE, 0, DART_TEAM_ALL));
  dart_gptr_t mine = gptr;
  mine.addr_or_offs.offset += static_cast<std::uint64_t>(self) * sizeof(int);
  OK(dart_put_blocking(mine, &self, 1, DART_TYPE_INT, DART_TYPE_INT));
  OK(dart_barrier(DART_TEAM_ALL));
  for (int i = 0; self == 0 && i < units_n; i++) CHECK_EQ(address_of(gptr)[i], i);
  if (self == 0) OK(dart_allocator_free(&gptr, pool));
  OK(dart_allocator_destroy(&pool));
}

struct EndLock {
  void operator()(dart_lock_t lock) const { OK(dart_team_lock_destroy(&lock)); }
};
using Mutex = std::unique_ptr<struct dart_lock_struct, EndLock>;

Mutex new_mutex(dart_team_t team) {
  dart_lock_t lock = DART_LOCK_NULL;
  CHECK(!dart_lock_initialized(nullptr));
  OK(dart_team_lock_init(team, &lock));
  CHECK(dart_lock_initialized(lock));
  return Mutex(lock);
}

} // namespace

int main(int argc, char **argv) {
  for (int life = 0; life < 3; life++) {
    start(&argc, &argv);
    local_blocks_ascend();
    Mutex used = new_mutex(DART_TEAM_ALL), left = new_mutex(DART_TEAM_ALL);
    OK(dart_lock_acquire(used.get()));
    OK(dart_lock_release(used.get()));
    used.reset();
    local_blocks_of_others_have_no_address();
    segment_numbers_are_reused();
    teams_number_alike();
    pointers_pass_the_end();
    pools_are_used_up();
    dart_team_t team = DART_TEAM_NULL;
    OK(dart_team_clone(DART_TEAM_ALL, &team));
    OK(dart_team_locality_init(team));
    OK(dart_exit());
    /* Objects that outlive the runtime: their destructors have no effect, as that of `left` at the end of the block. */
    CHECK(!dart_lock_initialized(left.get()));
    OK(dart_team_locality_finalize(team));
  }
  return check_result();
}
