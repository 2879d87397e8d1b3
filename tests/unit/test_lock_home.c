/* The homes of OpenSHMEM's locks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "api/shmem/lock_home.h"

enum { PES_MAX = 64, LOCKS_PER_PE = 16 };

/* An array of locks, whose distance may be that of a cache line or of a page: no PE keeps more than twice its share. */
static void locks_are_spread(void **state) {
  (void)state;
  static const uint64_t distances[] = {8, 16, 64, 4096};
  for (int32_t pes_n = 1; pes_n <= PES_MAX; pes_n++)
    for (int d = 0; d < 4; d++) {
      int locks_n[PES_MAX] = {0};
      for (uint64_t i = 0; i < (uint64_t)pes_n * LOCKS_PER_PE; i++)
        locks_n[tsr_shmem_lock_home(0x10000 + i * distances[d], pes_n)]++;
      for (int32_t pe = 0; pe < pes_n; pe++) assert_in_range(locks_n[pe], 1, 2 * LOCKS_PER_PE);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(locks_are_spread)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
