#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "random_layout.h"

enum { CASES = 4000, RANGES = 4 };
static const uint64_t seed = 0xbac4;

static void random_layout(struct random *random, tsr_layout *layout) {
  random_shape(random, layout);
  random_strides(random, layout);
}

/* A range of the stream: any range, from the start, or to the end. */
static void random_range(struct random *random, size_t bytes, size_t *from, size_t *n) {
  *from = random_chance(random, 25) ? 0 : random_below(random, bytes + 1);
  *n = random_chance(random, 25) ? bytes - *from : random_below(random, bytes - *from + 1);
}

/* Packs one range; the buffer has guards of its own. */
static bool pack_is_right(struct random *random, const tsr_layout *layout, const struct arena *arena, size_t from,
                          size_t n) {
  tsr_layout line = tsr_layout_contiguous(n);
  struct arena packed = arena_new(random, &line), expected = arena_copy(&packed);
  for (size_t i = 0; i < n; i++) expected.base[i] = arena->base[naive_offset(layout, from + i)];
  tsr_layout_pack(packed.base, arena->base, layout, from, n);
  bool right = memcmp(packed.memory, expected.memory, packed.bytes) == 0;
  free(packed.memory);
  free(expected.memory);
  return right;
}

static bool unpack_is_right(struct random *random, const tsr_layout *layout, const struct arena *arena, size_t from,
                            size_t n) {
  tsr_layout line = tsr_layout_contiguous(n);
  struct arena packed = arena_new(random, &line), there = arena_copy(arena), expected = arena_copy(arena);
  for (size_t i = 0; i < n; i++) expected.base[naive_offset(layout, from + i)] = packed.base[i];
  tsr_layout_unpack(there.base, layout, from, n, packed.base);
  bool right = memcmp(there.memory, expected.memory, there.bytes) == 0;
  free(packed.memory);
  free(there.memory);
  free(expected.memory);
  return right;
}

static void test_random_ranges(void **state) {
  (void)state;
  struct random random = {seed};
  for (int i = 0; i < CASES; i++) {
    tsr_layout layout;
    random_layout(&random, &layout);
    struct arena arena = arena_new(&random, &layout);
    for (int k = 0; k < RANGES; k++) {
      size_t from, n;
      random_range(&random, naive_bytes(&layout), &from, &n);
      if (!pack_is_right(&random, &layout, &arena, from, n))
        fail_msg("seed %#llx case %d: packing %zu bytes from %zu", (unsigned long long)seed, i, n, from);
      if (!unpack_is_right(&random, &layout, &arena, from, n))
        fail_msg("seed %#llx case %d: unpacking %zu bytes from %zu", (unsigned long long)seed, i, n, from);
    }
    free(arena.memory);
  }
}

/* A transfer in chunks of any size has the same result as the whole transfer. */
static void test_chunks(void **state) {
  (void)state;
  struct random random = {seed + 1};
  for (int i = 0; i < CASES; i++) {
    tsr_layout layout;
    random_layout(&random, &layout);
    struct arena from = arena_new(&random, &layout), to = arena_copy(&from);
    size_t bytes = naive_bytes(&layout), chunk = 1 + random_below(&random, 700);
    for (size_t at = 0; at < bytes; at++) to.base[naive_offset(&layout, at)] ^= 0x55;
    for (size_t at = 0; at < bytes; at += chunk) {
      char message[700];
      size_t n = bytes - at < chunk ? bytes - at : chunk;
      tsr_layout_pack(message, from.base, &layout, at, n);
      tsr_layout_unpack(to.base, &layout, at, n, message);
    }
    if (memcmp(from.memory, to.memory, from.bytes) != 0)
      fail_msg("seed %#llx case %d: chunks of %zu", (unsigned long long)seed + 1, i, chunk);
    free(from.memory);
    free(to.memory);
  }
}

static void test_nothing(void **state) {
  (void)state;
  tsr_layout none = {.elem_bytes = 8, .dims = 2, .count = {3, 0}, .stride = {8, 24}};
  tsr_layout_pack(NULL, NULL, &none, 0, 0);
  tsr_layout_unpack(NULL, &none, 0, 0, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random_ranges),
      cmocka_unit_test(test_chunks),
      cmocka_unit_test(test_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
