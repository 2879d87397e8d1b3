/* A reduced C++ library in the style of DASH: templates over element types, a global pointer and reference, an array
 * over uneven blocks, teams that split; started and ended many times while MPI stays active. */
#define MPICH_SKIP_MPICXX
#define OMPI_SKIP_MPICXX
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <type_traits>
#include <utility>
#include <vector>

#include <dash/dart/if/dart.h>

#include "check.h"

namespace {

#define OK(call) CHECK_EQ(call, DART_OK)

/* The DART type of an element, and its number of base elements; an element without a type of its own moves as bytes. */
template <class T> constexpr dart_datatype_t type_of = DART_TYPE_UNDEFINED;
template <> constexpr dart_datatype_t type_of<char> = DART_TYPE_BYTE;
template <> constexpr dart_datatype_t type_of<short> = DART_TYPE_SHORT;
template <> constexpr dart_datatype_t type_of<int> = DART_TYPE_INT;
template <> constexpr dart_datatype_t type_of<unsigned> = DART_TYPE_UINT;
template <> constexpr dart_datatype_t type_of<long> = DART_TYPE_LONG;
template <> constexpr dart_datatype_t type_of<unsigned long> = DART_TYPE_ULONG;
template <> constexpr dart_datatype_t type_of<long long> = DART_TYPE_LONGLONG;
template <> constexpr dart_datatype_t type_of<unsigned long long> = DART_TYPE_ULONGLONG;
template <> constexpr dart_datatype_t type_of<float> = DART_TYPE_FLOAT;
template <> constexpr dart_datatype_t type_of<double> = DART_TYPE_DOUBLE;
template <> constexpr dart_datatype_t type_of<long double> = DART_TYPE_LONG_DOUBLE;

template <class T> struct storage {
  static_assert(std::is_trivially_copyable_v<T>, "elements travel as bytes");
  static constexpr bool has_type = type_of<T> != DART_TYPE_UNDEFINED;
  static constexpr dart_datatype_t type = has_type ? type_of<T> : DART_TYPE_BYTE;
  static constexpr std::size_t count(std::size_t n) { return has_type ? n : n * sizeof(T); }
};

static_assert(std::is_trivially_copyable_v<dart_gptr_t> && sizeof(dart_gptr_t) == 16, "pointers travel too");
static_assert(dart_team_unit_t().id == DART_UNDEFINED_UNIT_ID && dart_global_unit_t(3).id == 3, "units are constants");
static_assert(!std::is_convertible_v<dart_team_unit_t, dart_global_unit_t>, "units of different kinds do not mix");

/* A reference to an element: assignment puts, conversion gets. */
template <class T> class GlobRef {
public:
  explicit GlobRef(dart_gptr_t where) : where_(where) {}
  operator T() const {
    T value{};
    OK(dart_get_blocking(&value, where_, storage<T>::count(1), storage<T>::type, storage<T>::type));
    return value;
  }
  GlobRef &operator=(const T &value) {
    OK(dart_put_blocking(where_, &value, storage<T>::count(1), storage<T>::type, storage<T>::type));
    return *this;
  }
  GlobRef &operator=(const GlobRef &other) { return *this = static_cast<T>(other); }

  T fetch_op(dart_operation_t op, const T &operand) {
    T before{};
    OK(dart_fetch_and_op(where_, &operand, &before, storage<T>::type, op));
    OK(dart_flush_local(where_));
    return before;
  }
  bool compare_exchange(const T &expected, const T &desired) {
    T before{};
    OK(dart_compare_and_swap(where_, &desired, &expected, &before, storage<T>::type));
    OK(dart_flush(where_));
    return before == expected;
  }

private:
  dart_gptr_t where_;
};

/* A pointer into one unit's block; arithmetic changes its offset. */
template <class T> class GlobPtr {
public:
  GlobPtr() : gptr_(DART_GPTR_NULL) {}
  explicit GlobPtr(dart_gptr_t gptr) : gptr_(gptr) {}
  GlobPtr on(dart_team_unit_t unit) const {
    GlobPtr other(*this);
    OK(dart_gptr_setunit(&other.gptr_, unit));
    return other;
  }
  GlobPtr operator+(std::ptrdiff_t n) const {
    GlobPtr other(*this);
    other.gptr_.addr_or_offs.offset += static_cast<std::uint64_t>(n * static_cast<std::ptrdiff_t>(sizeof(T)));
    return other;
  }
  std::ptrdiff_t operator-(const GlobPtr &other) const {
    return static_cast<std::ptrdiff_t>(gptr_.addr_or_offs.offset - other.gptr_.addr_or_offs.offset) /
           static_cast<std::ptrdiff_t>(sizeof(T));
  }
  bool operator==(const GlobPtr &other) const { return DART_GPTR_EQUAL(gptr_, other.gptr_); }
  explicit operator bool() const { return !DART_GPTR_ISNULL(gptr_); }
  GlobRef<T> operator*() const { return GlobRef<T>(gptr_); }
  GlobRef<T> operator[](std::ptrdiff_t n) const { return *(*this + n); }
  T *local() const {
    void *address = nullptr;
    OK(dart_gptr_getaddr(gptr_, &address));
    return static_cast<T *>(address);
  }
  dart_gptr_t gptr() const { return gptr_; }

private:
  dart_gptr_t gptr_;
};

/* A team that knows its number, and destroys it if it created it. */
class Team {
public:
  explicit Team(dart_team_t id, bool owns = true) : id_(id), owns_(owns) {}
  Team(Team &&other) noexcept : id_(other.id_), owns_(std::exchange(other.owns_, false)) {}
  Team(const Team &) = delete;
  ~Team() {
    if (owns_) OK(dart_team_destroy(&id_));
  }
  static Team all() { return Team(DART_TEAM_ALL, false); }

  explicit operator bool() const { return id_ != DART_TEAM_NULL; }
  dart_team_t id() const { return id_; }
  std::size_t size() const {
    std::size_t n = 0;
    OK(dart_team_size(id_, &n));
    return n;
  }
  dart_team_unit_t self() const {
    dart_team_unit_t unit;
    OK(dart_team_myid(id_, &unit));
    return unit;
  }
  void barrier() const { OK(dart_barrier(id_)); }

  /* The one of `n` parts that contains the caller; all parts are created. The number that split stores is the group's size. */
  Team split(std::size_t n) const {
    dart_group_t group = DART_GROUP_NULL;
    std::vector<dart_group_t> parts(n, DART_GROUP_NULL);
    std::size_t stored = 0;
    dart_team_t mine = DART_TEAM_NULL;
    OK(dart_team_get_group(id_, &group));
    OK(dart_group_split(group, n, &stored, parts.data()));
    CHECK_EQ(stored, size());
    for (dart_group_t &part : parts) {
      dart_team_t made = DART_TEAM_NULL;
      OK(dart_team_create(id_, part, &made));
      if (made != DART_TEAM_NULL) mine = made;
      OK(dart_group_destroy(&part));
    }
    OK(dart_group_destroy(&group));
    return Team(mine);
  }

  template <class T> T reduce(const T &value, dart_operation_t op) const {
    T result{};
    OK(dart_allreduce(&value, &result, storage<T>::count(1), storage<T>::type, op, id_));
    return result;
  }

private:
  dart_team_t id_;
  bool owns_;
};

/* Elements in blocks of different sizes, one on each unit of a team, in the order of units. */
template <class T> class Array {
public:
  Array(const Team &team, std::size_t own_n) : team_(team), sizes_(team.size()), first_(team.size() + 1) {
    dart_gptr_t base = DART_GPTR_NULL;
    OK(dart_team_memalloc_aligned(team.id(), storage<T>::count(own_n), storage<T>::type, &base));
    base_ = GlobPtr<T>(base);
    OK(dart_allgather(&own_n, sizes_.data(), 1, type_of<std::size_t>, team.id()));
    std::partial_sum(sizes_.begin(), sizes_.end(), first_.begin() + 1);
  }
  Array(const Array &) = delete;
  ~Array() { OK(dart_team_memfree(base_.gptr())); }

  std::size_t size() const { return first_.back(); }
  std::size_t first() const { return first_[own()]; }
  T *begin_local() const { return base_.on(team_.self()).local(); }
  T *end_local() const { return begin_local() + sizes_[own()]; }
  GlobPtr<T> at(std::size_t i) const {
    auto block = std::prev(std::upper_bound(first_.begin(), first_.end(), i));
    auto unit = static_cast<dart_unit_t>(block - first_.begin());
    return base_.on(unit) + static_cast<std::ptrdiff_t>(i - *block);
  }
  GlobRef<T> operator[](std::size_t i) const { return *at(i); }

  /* Starts a copy of elements [from, to), which may lie on several units; wait() completes it. */
  class Copy {
  public:
    Copy(const Array &array, std::size_t from, std::size_t to, T *out) {
      for (std::size_t i = from, n; i < to; i += n, out += n) {
        n = std::min(to, *std::upper_bound(array.first_.begin(), array.first_.end(), i)) - i;
        dart_handle_t handle = DART_HANDLE_NULL;
        OK(dart_get_handle(out, array.at(i).gptr(), storage<T>::count(n), storage<T>::type, storage<T>::type, &handle));
        if (handle != DART_HANDLE_NULL) handles_.push_back(handle);
      }
    }
    bool test() {
      std::int32_t done = 0;
      OK(dart_testall_local(handles_.data(), handles_.size(), &done));
      if (done) handles_.clear();
      return done != 0;
    }
    void wait() { OK(dart_waitall(handles_.data(), handles_.size())); }

  private:
    std::vector<dart_handle_t> handles_;
  };

private:
  std::size_t own() const { return static_cast<std::size_t>(team_.self().id); }

  const Team &team_;
  GlobPtr<T> base_;
  std::vector<std::size_t> sizes_, first_; /* by unit; first_ has one more entry, the size */
};

struct Particle {
  double x, y;
  int id;
  bool operator==(const Particle &other) const { return x == other.x && y == other.y && id == other.id; }
};

template <class T> T element(std::size_t i) { return static_cast<T>(3 * i + 1); }
template <> Particle element<Particle>(std::size_t i) {
  return {0.5 * static_cast<double>(i), 2.0, static_cast<int>(i)};
}

/* Every unit fills its own block through memory, and reads all others' through references and copies. */
template <class T> void fill_and_copy(const Team &team, std::size_t own_n) {
  Array<T> array(team, own_n);
  std::size_t i = array.first();
  for (T *p = array.begin_local(); p != array.end_local(); ++p) *p = element<T>(i++);
  team.barrier();
  for (i = 0; i < array.size(); i++) CHECK(static_cast<T>(array[i]) == element<T>(i));
  std::vector<T> copy(array.size());
  typename Array<T>::Copy whole(array, 0, array.size(), copy.data());
  whole.wait();
  for (i = 0; i < copy.size(); i++) CHECK(copy[i] == element<T>(i));
  if (array.size() > 2) {
    typename Array<T>::Copy inner(array, 1, array.size() - 1, copy.data());
    while (!inner.test()) {}
    CHECK(copy[0] == element<T>(1));
  }
  team.barrier();
  if (team.self().id == 0 && array.size() > 1) array[array.size() - 1] = array[0];
  team.barrier();
  if (array.size() > 1) CHECK(static_cast<T>(array[array.size() - 1]) == element<T>(0));
  team.barrier();
}

template <class... Ts> void fill_and_copy_each(const Team &team) {
  auto self = static_cast<std::size_t>(team.self().id);
  (fill_and_copy<Ts>(team, (self * 5 + sizeof(Ts)) % 7), ...); /* some blocks are empty */
}

void pointers(const Team &team) {
  Array<long> array(team, 10);
  GlobPtr<long> first = array.at(0), fifth = first + 5;
  CHECK(first && !GlobPtr<long>());
  CHECK_EQ(fifth - first, 5);
  CHECK(fifth + -5 == first);
  CHECK((first.local() != nullptr) == (team.self().id == 0));
  fifth = array.at(array.size() - 1);
  CHECK((fifth.local() == array.end_local() - 1) == (fifth.local() != nullptr));
}

/* A counter that all units add to, a lock made of compare-and-swap, and reductions over the team. */
void atomics(const Team &team) {
  auto n = static_cast<long>(team.size()), self = static_cast<long>(team.self().id);
  Array<long> array(team, 2);
  std::fill(array.begin_local(), array.end_local(), 0);
  team.barrier();
  long before = array[0].fetch_op(DART_OP_SUM, 1);
  CHECK(before >= 0 && before < n);
  CHECK_EQ(team.reduce(before, DART_OP_SUM), n * (n - 1) / 2);
  while (!array[1].compare_exchange(0, self + 1)) {}
  CHECK_EQ(array[1].fetch_op(DART_OP_NO_OP, 0), self + 1);
  CHECK_EQ(array[1].fetch_op(DART_OP_REPLACE, 0), self + 1);
  CHECK_EQ(team.reduce(self, DART_OP_MAX), n - 1);
  CHECK(team.reduce(1.5, DART_OP_SUM) == 1.5 * static_cast<double>(n));
  CHECK_EQ(static_cast<long>(array[0]), n);
  team.barrier();
}

/* Splits repeatedly until every team is one unit, and uses each team. */
void split_down(const Team &team) {
  fill_and_copy_each<int>(team);
  atomics(team);
  if (team.size() == 1) return;
  Team part = team.split(2);
  CHECK(static_cast<bool>(part));
  CHECK(part.id() != team.id());
  CHECK(part.size() < team.size());
  split_down(part);
}

void one_life() {
  CHECK(!dart_initialized());
  OK(dart_init(nullptr, nullptr));
  CHECK(dart_initialized());
  Team all = Team::all();
  fill_and_copy_each<char, short, int, unsigned, long, unsigned long, long long, unsigned long long, float, double,
                     long double, Particle>(all);
  pointers(all);
  split_down(all);
  OK(dart_exit());
}

} // namespace

int main(int argc, char **argv) {
  enum { LIVES = 4 };
  MPI_Init(&argc, &argv);
  for (int life = 0; life < LIVES; life++) one_life();
  MPI_Finalize();
  return check_result();
}
