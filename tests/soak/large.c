/* More than 2 GiB, and more elements than an int counts, in every kind of call. Takes about 14 GiB of memory; units from
 * the third on only take part where all do. */
#include "../spmd/dart_check.h"

#include <sys/mman.h>

#define WORDS_N (((size_t)5 << 26) + 512) /* of 8 bytes: 2.5 GiB and a bit */
#define BYTES (WORDS_N * 8)

static uint64_t *buffer(size_t bytes) {
  void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) abort();
  return memory;
}

static uint64_t word(uint64_t key, size_t i) { return (i + key) * UINT64_C(0x9e3779b97f4a7c15); }
static void fill_words(uint64_t *words, size_t n, uint64_t key) {
  for (size_t i = 0; i < n; i++) words[i] = word(key, i);
}
static size_t wrong_words(const uint64_t *words, size_t n, uint64_t key) {
  size_t bad = 0;
  for (size_t i = 0; i < n; i++) bad += words[i] != word(key, i);
  return bad;
}

/* Unit 0 on the memory of the last one, which has it all. */
static void one_sided(uint64_t *data) {
  dart_unit_t last = units_n - 1;
  dart_gptr_t base = team_alloc(DART_TEAM_ALL, self == last ? WORDS_N : 0, DART_TYPE_ULONG);
  dart_gptr_t there = at(base, last, 0);
  if (self == 0) {
    fill_words(data, WORDS_N, 1);
    OK(dart_put_blocking(there, data, BYTES, DART_TYPE_BYTE, DART_TYPE_BYTE));
  }
  barrier();
  if (self == last) CHECK_EQ(wrong_words(own_part(base, last), WORDS_N, 1), 0);
  barrier();
  if (self == 0) {
    dart_handle_t handle = DART_HANDLE_NULL;
    memset(data, 0, BYTES);
    OK(dart_get_handle(data, there, BYTES / 2, DART_TYPE_SHORT, DART_TYPE_SHORT, &handle));
    OK(dart_wait(&handle));
    CHECK_EQ(wrong_words(data, WORDS_N, 1), 0);
    /* Back once more, as every other word of the first half. */
    dart_datatype_t every_other = DART_TYPE_UNDEFINED;
    OK(dart_type_create_strided(DART_TYPE_ULONG, 2, 1, &every_other));
    OK(dart_put(there, data, WORDS_N / 2, DART_TYPE_ULONG, every_other));
    OK(dart_flush(there));
    OK(dart_get_blocking(data, there, WORDS_N / 2, every_other, DART_TYPE_ULONG));
    CHECK_EQ(wrong_words(data, WORDS_N / 2, 1), 0);
    OK(dart_type_destroy(&every_other));
    memset(data, 1, BYTES);
    OK(dart_accumulate(there, data, BYTES, DART_TYPE_BYTE, DART_OP_REPLACE));
    OK(dart_accumulate(there, data, BYTES, DART_TYPE_BYTE, DART_OP_SUM));
    OK(dart_flush(there));
  }
  barrier();
  size_t bad = 0;
  const unsigned char *own = self == last ? own_part(base, last) : NULL;
  for (size_t i = 0; own && i < BYTES; i++) bad += own[i] != 2;
  CHECK_EQ(bad, 0);
  OK(dart_team_memfree(base));
}

/* Units 0 and 1: each gives or takes a whole buffer. */
static void collectives(dart_team_t pair, uint64_t *data, uint64_t *other) {
  dart_team_unit_t root = {0};
  if (self == 0) fill_words(data, WORDS_N, 2);
  OK(dart_bcast(data, BYTES, DART_TYPE_BYTE, root, pair));
  CHECK_EQ(wrong_words(data, WORDS_N, 2), 0);
  memset(data, self, BYTES);
  OK(dart_allreduce(data, other, BYTES, DART_TYPE_BYTE, DART_OP_SUM, pair));
  size_t bad = 0;
  for (size_t i = 0; i < BYTES; i++) bad += ((unsigned char *)other)[i] != 1;
  CHECK_EQ(bad, 0);
  size_t half = WORDS_N / 2;
  fill_words(data, half, 3 + (uint64_t)self);
  OK(dart_allgather(data, other, half * 8, DART_TYPE_BYTE, pair));
  CHECK_EQ(wrong_words(other, half, 3), 0);
  CHECK_EQ(wrong_words(other + half, half, 4), 0);
  OK(dart_scatter(self == 0 ? other : NULL, data, half * 8, DART_TYPE_BYTE, root, pair));
  CHECK_EQ(wrong_words(data, half, 3 + (uint64_t)self), 0);
  OK(dart_alltoall(NULL, other, half * 8, DART_TYPE_BYTE, pair));
  CHECK_EQ(wrong_words(other, half, self == 0 ? 3 : 4), 0);
}

int main(int argc, char **argv) {
  start(&argc, &argv);
  uint64_t *data = buffer(BYTES), *other = buffer(BYTES);
  one_sided(data);
  dart_team_t pair = team_of(3);
  if (pair != DART_TEAM_NULL) {
    collectives(pair, data, other);
    OK(dart_team_destroy(&pair));
  }
  return finish();
}
