/* Assumptions of DASH's algorithms and halos on transfers, handles, reductions and progress.
 * Group: dash_calls
 */
#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numeric>
#include <thread>
#include <vector>

#include "dart_check.h"

namespace {

dart_unit_t right;

/* `n` ints on each unit, which hold `start` and the following numbers. */
class Ints {
public:
  Ints(std::size_t n, int start) : base_(DART_GPTR_NULL), mine_(nullptr) {
    OK(dart_team_memalloc_aligned(DART_TEAM_ALL, n, DART_TYPE_INT, &base_));
    void *address = nullptr;
    OK(dart_gptr_getaddr(on(self), &address));
    mine_ = static_cast<int *>(address);
    std::iota(mine_, mine_ + n, start);
    OK(dart_barrier(DART_TEAM_ALL));
  }
  Ints(const Ints &) = delete;
  ~Ints() {
    OK(dart_barrier(DART_TEAM_ALL));
    OK(dart_team_memfree(base_));
  }
  dart_gptr_t on(dart_unit_t unit) const {
    dart_gptr_t gptr = base_;
    gptr.unitid = unit;
    return gptr;
  }
  int *mine() const { return mine_; }

private:
  dart_gptr_t base_;
  int *mine_;
};

struct Blocks {
  std::vector<std::size_t> lengths, offs;
  dart_datatype_t type = DART_TYPE_UNDEFINED;
  std::size_t n = 0;
  Blocks(int count, std::size_t first, std::size_t more, std::size_t apart) {
    for (int i = 0; i < count; i++) {
      lengths.push_back(first + static_cast<std::size_t>(i) * more);
      offs.push_back(static_cast<std::size_t>(i) * apart);
      n += lengths.back();
    }
    OK(dart_type_create_indexed(DART_TYPE_INT, lengths.size(), lengths.data(), offs.data(), &type));
  }
  Blocks(const Blocks &) = delete;
  ~Blocks() { OK(dart_type_destroy(&type)); }
  std::vector<std::size_t> places() const {
    std::vector<std::size_t> all;
    for (std::size_t i = 0; i < lengths.size(); i++)
      for (std::size_t j = 0; j < lengths[i]; j++) all.push_back(offs[i] + j);
    return all;
  }
};

/* Blocks that overlap where data is written: the later ones win. */
void overlapping_blocks_follow_their_order() {
  constexpr std::size_t room = 120;
  Blocks from(5, 9, 1, 10), to(10, 1, 1, 5);
  CHECK_EQ(from.n, to.n);
  Ints data(room, self * 1000);
  std::vector<int> got(room, -1), expected(room, -1);
  std::vector<std::size_t> there = from.places(), here = to.places();
  for (std::size_t i = 0; i < here.size(); i++) expected[here[i]] = right * 1000 + static_cast<int>(there[i]);
  OK(dart_get_blocking(got.data(), data.on(right), from.n, from.type, to.type));
  CHECK(got == expected);
  OK(dart_barrier(DART_TEAM_ALL));
  std::vector<int> source(room);
  std::iota(source.begin(), source.end(), self * 1000);
  std::fill(data.mine(), data.mine() + room, -1);
  OK(dart_barrier(DART_TEAM_ALL));
  OK(dart_put_blocking(data.on(right), source.data(), from.n, from.type, to.type));
  OK(dart_barrier(DART_TEAM_ALL));
  int left = (self + units_n - 1) % units_n;
  for (std::size_t i = 0; i < room; i++)
    CHECK_EQ(data.mine()[i], expected[i] < 0 ? -1 : expected[i] - right * 1000 + left * 1000);
}

/* A halo of one block, whose stride is arbitrary, is fetched repeatedly with the same handle. */
void halos_are_updated_repeatedly() {
  constexpr std::size_t width = 16, rows = 8;
  Ints data(width * rows, self * 1000);
  dart_datatype_t row = DART_TYPE_UNDEFINED, column = DART_TYPE_UNDEFINED;
  OK(dart_type_create_strided(DART_TYPE_INT, 1, width, &row));
  OK(dart_type_create_strided(DART_TYPE_INT, width, 1, &column));
  std::array<int, width> top{};
  std::array<int, rows> side{};
  dart_handle_t handles[3] = {DART_HANDLE_NULL, DART_HANDLE_NULL, DART_HANDLE_NULL};
  for (int i = 0; i < 5; i++) {
    top.fill(0), side.fill(0);
    OK(dart_get_handle(top.data(), data.on(right), width, row, DART_TYPE_INT, &handles[0]));
    OK(dart_get_handle(side.data(), data.on(right), rows, column, DART_TYPE_INT, &handles[2]));
    if (i % 2) {
      OK(dart_waitall_local(handles, 3));
    } else {
      OK(dart_wait_local(&handles[0]));
      OK(dart_wait(&handles[2]));
    }
    CHECK_EQ(top[width - 1], right * 1000 + static_cast<int>(width) - 1);
    CHECK_EQ(side[rows - 1], right * 1000 + static_cast<int>((rows - 1) * width));
    CHECK(handles[0] == DART_HANDLE_NULL && handles[2] == DART_HANDLE_NULL);
  }
  OK(dart_type_destroy(&row));
  OK(dart_type_destroy(&column));
}

/* A future without a wait frees its handles; tests of no handles and of null handles succeed. */
void handles_may_be_dropped() {
  Ints data(5000, self * 10000);
  std::vector<int> copy(5000 * static_cast<std::size_t>(units_n));
  std::vector<dart_handle_t> handles(static_cast<std::size_t>(units_n));
  std::int32_t done = 0;
  for (int round = 0; round < 3; round++) {
    for (dart_unit_t u = 0; u < units_n; u++)
      OK(dart_get_handle(copy.data() + 5000 * u, data.on(u), 5000, DART_TYPE_INT, DART_TYPE_INT,
                         &handles[static_cast<std::size_t>(u)]));
    if (round == 0) {
      for (dart_handle_t &handle : handles) OK(dart_handle_free(&handle));
      OK(dart_flush_all(data.on(0)));
    } else if (round == 1) {
      do OK(dart_testall_local(handles.data(), handles.size(), &done));
      while (!done);
    } else {
      OK(dart_waitall(handles.data(), handles.size()));
    }
    for (int u = 0; u < units_n; u++) CHECK_EQ(copy[static_cast<std::size_t>(u * 5000 + 4999)], u * 10000 + 4999);
    std::fill(copy.begin(), copy.end(), 0);
  }
  done = 0;
  OK(dart_testall(handles.data(), handles.size(), &done));
  CHECK_EQ(done, 1);
  done = 0;
  OK(dart_testall_local(nullptr, 0, &done));
  CHECK_EQ(done, 1);
  OK(dart_waitall_local(nullptr, 0));
}

/* Sorting passes its handles to a thread of a pool, while the thread that started them sleeps. */
void another_thread_may_wait() {
  Ints data(3000, self * 10000);
  std::vector<int> copy(3000);
  for (int i = 0; i < 5; i++) {
    dart_handle_t handle;
    OK(dart_get_handle(copy.data(), data.on(right), 3000, DART_TYPE_INT, DART_TYPE_INT, &handle));
    std::thread other([&handle] {
      if (handle != DART_HANDLE_NULL) OK(dart_wait(&handle));
      OK(dart_barrier(DART_TEAM_ALL));
    });
    other.join();
    CHECK_EQ(copy[2999], right * 10000 + 2999);
  }
}

/* A unit that reads its own memory in a loop, until a neighbour has put something there, does not delay the put. */
void signals_arrive() {
  Ints flags(2, 0);
  std::fill(flags.mine(), flags.mine() + 2, 0);
  OK(dart_barrier(DART_TEAM_ALL));
  const int one = 1;
  for (int round = 1; round <= 5; round++) {
    int seen = 0;
    OK(dart_put_blocking(flags.on(right), &round, 1, DART_TYPE_INT, DART_TYPE_INT));
    while (seen < round) OK(dart_get_blocking(&seen, flags.on(self), 1, DART_TYPE_INT, DART_TYPE_INT));
    dart_gptr_t counter = flags.on(right);
    OK(dart_gptr_incaddr(&counter, sizeof(int)));
    OK(dart_accumulate(counter, &one, 1, DART_TYPE_INT, DART_OP_SUM));
    OK(dart_flush(counter));
    counter.unitid = self;
    int nothing = 0;
    do {
      OK(dart_fetch_and_op(counter, &nothing, &seen, DART_TYPE_INT, DART_OP_NO_OP));
      OK(dart_flush_local(counter));
    } while (seen < round);
    OK(dart_barrier(DART_TEAM_ALL));
  }
}

struct Candidate {
  int value;
  dart_unit_t unit;
  bool valid;
};

void pick_largest(const void *in, void *inout, std::size_t n, void *calls) {
  auto *other = static_cast<const Candidate *>(in);
  auto *best = static_cast<Candidate *>(inout);
  CHECK_EQ(n, 1);
  ++*static_cast<int *>(calls);
  if (other->valid && (!best->valid || other->value > best->value)) *best = *other;
}

/* Only some units have data to reduce; type and operation are destroyed in either order. */
void candidates_are_reduced() {
  for (int round = 0; round < 2; round++) {
    dart_datatype_t type = DART_TYPE_UNDEFINED;
    dart_operation_t op = DART_OP_UNDEFINED;
    int calls = 0;
    OK(dart_type_create_custom(sizeof(Candidate), &type));
    OK(dart_op_create(&pick_largest, &calls, true, type, round == 1, &op));
    CHECK(op != DART_OP_UNDEFINED && op > DART_OP_LAST);
    Candidate mine{}, best{};
    mine = {100 - self, self, self % 2 == units_n % 2};
    OK(dart_allreduce(&mine, &best, 1, type, op, DART_TEAM_ALL));
    bool any = units_n % 2 == 0 || units_n > 1;
    CHECK_EQ(best.valid, any);
    if (any) CHECK_EQ(best.unit, units_n % 2);
    if (round) OK(dart_type_destroy(&type));
    OK(dart_op_destroy(&op));
    if (!round) OK(dart_type_destroy(&type));
  }
}

void flags_and_extremes_are_reduced() {
  char yes = static_cast<char>(self != units_n - 1), all = 1, any = 0;
  OK(dart_allreduce(&yes, &all, 1, DART_TYPE_BYTE, DART_OP_BAND, DART_TEAM_ALL));
  OK(dart_allreduce(&yes, &any, 1, DART_TYPE_BYTE, DART_OP_LOR, DART_TEAM_ALL));
  CHECK_EQ(all, 0);
  CHECK_EQ(any, units_n > 1);
  std::array<long, 2> ends{-900L - self, 900L + self}, both{};
  OK(dart_allreduce(&ends, &both, 2, DART_TYPE_LONG, DART_OP_MINMAX, DART_TEAM_ALL));
  CHECK_EQ(both[DART_OP_MINMAX_MIN], -900L - (units_n - 1));
  CHECK_EQ(both[DART_OP_MINMAX_MAX], 900L + (units_n - 1));
  if (!std::numeric_limits<char>::is_signed) return;
  std::array<char, 2> letters{static_cast<char>(2 - 4 * self), static_cast<char>(self ? self : -1)}, extremes{};
  OK(dart_allreduce(&letters, &extremes, 2, DART_TYPE_BYTE, DART_OP_MINMAX, DART_TEAM_ALL));
  CHECK_EQ(extremes[DART_OP_MINMAX_MIN], 2 - 4 * (units_n - 1));
  CHECK_EQ(extremes[DART_OP_MINMAX_MAX], units_n > 1 ? units_n - 1 : -1);
}

/* Counts lie in global memory when they are exchanged, as bytes or as numbers. */
void counts_are_exchanged() {
  auto n = static_cast<std::size_t>(units_n);
  Ints data(2 * n, 0);
  auto *counts = reinterpret_cast<std::size_t *>(data.mine());
  for (std::size_t i = 0; i < n; i++) counts[i] = 100 * static_cast<std::size_t>(self) + i;
  std::vector<std::size_t> got(n), sum(n);
  OK(dart_alltoall(counts, got.data(), 1, DART_TYPE_ULONG, DART_TEAM_ALL));
  for (std::size_t i = 0; i < n; i++) CHECK_EQ(got[i], 100 * i + static_cast<std::size_t>(self));
  OK(dart_alltoall(counts, got.data(), sizeof(std::size_t), DART_TYPE_BYTE, DART_TEAM_ALL));
  for (std::size_t i = 0; i < n; i++) CHECK_EQ(got[i], 100 * i + static_cast<std::size_t>(self));
  OK(dart_allreduce(counts, sum.data(), n, DART_TYPE_ULONG, DART_OP_SUM, DART_TEAM_ALL));
  for (std::size_t i = 0; i < n; i++) CHECK_EQ(sum[i], 100 * (n * (n - 1) / 2) + n * i);
}

/* Small structures are swapped and compared as numbers of their size. */
void structures_are_atomic() {
  struct Pair {
    short a, b;
  };
  Ints data(1, 0);
  Pair before{}, one{1, 2}, two{3, 4};
  dart_gptr_t word = data.on(units_n - 1);
  if (self == 0) {
    OK(dart_accumulate(word, &one, 1, DART_TYPE_INT, DART_OP_REPLACE));
    OK(dart_flush(word));
    OK(dart_compare_and_swap(word, &two, &one, &before, DART_TYPE_INT));
    OK(dart_flush(word));
    CHECK(before.a == 1 && before.b == 2);
    OK(dart_compare_and_swap(word, &one, &one, &before, DART_TYPE_INT));
    OK(dart_flush(word));
    CHECK(before.a == 3 && before.b == 4);
  }
  OK(dart_barrier(DART_TEAM_ALL));
  unsigned char bits[2] = {0xf0, 0x0f}, seen[2];
  OK(dart_fetch_and_op(word, bits, seen, DART_TYPE_SHORT, DART_OP_BXOR));
  OK(dart_flush(word));
  CHECK((seen[0] == 3 && seen[1] == 0) || (seen[0] == 0xf3 && seen[1] == 0x0f));
}

} // namespace

int main(int argc, char **argv) {
  start(&argc, &argv);
  right = (self + 1) % units_n;
  overlapping_blocks_follow_their_order();
  halos_are_updated_repeatedly();
  handles_may_be_dropped();
  another_thread_may_wait();
  candidates_are_reduced();
  flags_and_extremes_are_reduced();
  counts_are_exchanged();
  structures_are_atomic();
  signals_arrive();
  return finish();
}
