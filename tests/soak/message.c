/* Messages of more than 2 GiB: from heap to private memory, and from private memory to heap and private memory. */
#include "../spmd/check.h"

#include <string.h>

#include <dash/dart/if/dart.h>

#define WORDS ((((size_t)2 << 30) + (3 << 20)) / 8 + 5)

static uint64_t word_at(int key, size_t i) { return i * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)key; }

static size_t wrong(const uint64_t *data, int key) {
  size_t n = 0;
  for (size_t i = 0; i < WORDS; i++) n += data[i] != word_at(key, i);
  return n;
}

int main(int argc, char **argv) {
  dart_global_unit_t self, zero = {0}, last;
  dart_gptr_t block = DART_GPTR_NULL;
  void *place = NULL;
  size_t n;
  if (dart_init(&argc, &argv) != DART_OK) return EXIT_FAILURE;
  dart_myid(&self);
  dart_size(&n);
  last.id = (dart_unit_t)n - 1;
  bool sends = self.id == 0, receives = self.id == last.id && n > 1;
  uint64_t *data = sends || receives ? malloc(WORDS * 8) : NULL;
  if (data) CHECK_EQ(dart_memalloc(WORDS, DART_TYPE_ULONG, &block), DART_OK);
  if (data) CHECK_EQ(dart_gptr_getaddr(block, &place), DART_OK);
  for (size_t i = 0; data && i < WORDS; i++) data[i] = word_at(sends ? 1 : 2, i);
  if (sends && place) memcpy(place, data, WORDS * 8);
  uint64_t *from[] = {place, data, data}, *to[] = {data, place, data};
  for (int i = 0; i < 3; i++) {
    if (sends && n > 1) CHECK_EQ(dart_send(from[i], WORDS, DART_TYPE_ULONG, i, last), DART_OK);
    if (!receives) continue;
    memset(to[i], 0, WORDS * 8);
    CHECK_EQ(dart_recv(to[i], WORDS, DART_TYPE_ULONG, i, zero), DART_OK);
    CHECK_EQ(wrong(to[i], 1), 0);
  }
  if (data) CHECK_EQ(dart_memfree(block), DART_OK);
  free(data);
  CHECK_EQ(dart_exit(), DART_OK);
  return check_result();
}
