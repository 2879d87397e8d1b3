/* The placement of units: the choice of a core for each unit of a node. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/topology.h"

enum { CPUS_N = 8, UNITS_MAX = 16 };

/* Four cores of two threads: CPUs c and c + 4 are core c. */
static struct tsr_cpu cpus[CPUS_N];
static const struct tsr_machine machine = {.cpus_n = CPUS_N, .cores_n = 4};

static struct tsr_cpu_set sets[UNITS_MAX];
static struct tsr_placement placements[UNITS_MAX];

/* Places units that may run on these CPUs (bits) and were started on those. */
static void place(int n, const uint64_t allowed[], const int32_t started_on[]) {
  const struct tsr_cpu_set *list[UNITS_MAX];
  for (int i = 0; i < CPUS_N; i++) cpus[i] = (struct tsr_cpu){.os = (int16_t)i, .core = (int16_t)(i % 4)};
  memset(placements, 0, sizeof placements);
  for (int i = 0; i < n; i++) {
    atomic_store(&sets[i].word[0], allowed[i]);
    list[i] = &sets[i];
  }
  tsr_topology_place(&machine, cpus, n, placements, list, started_on);
}

static void check(int n, const int expected_cpus[], const int expected_cores_n[]) {
  for (int i = 0; i < n; i++) {
    assert_int_equal(placements[i].cpu, expected_cpus[i]);
    assert_int_equal(placements[i].cores_n, expected_cores_n[i]);
  }
}

static void bound_units_sit_where_they_are_bound(void **state) {
  (void)state;
  place(4, (uint64_t[]){0x8, 0x11, 0x8, 0x1}, (int32_t[]){3, 4, 3, 0});
  check(4, (int[]){3, 4, 3, 0}, (int[]){1, 1, 1, 1});
}

static void free_units_sit_where_they_started(void **state) {
  (void)state;
  place(2, (uint64_t[]){0xff, 0xff}, (int32_t[]){6, 1});
  check(2, (int[]){6, 1}, (int[]){2, 2});
}

static void free_units_make_room_for_each_other(void **state) {
  (void)state;
  place(6, (uint64_t[]){0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, (int32_t[]){2, 2, 6, 2, 2, 0});
  check(6, (int[]){2, 0, 1, 3, 2, 0}, (int[]){1, 1, 1, 1, 1, 1});
}

static void shares_are_of_what_units_may_use_together(void **state) {
  (void)state;
  place(3, (uint64_t[]){0x33, 0x33, 0xcc}, (int32_t[]){0, 0, 7}); /* two units have two cores, two share one */
  check(3, (int[]){0, 1, 7}, (int[]){1, 1, 2});
}

static void a_unit_on_no_known_cpu_sits_on_the_first(void **state) {
  (void)state;
  place(1, (uint64_t[]){(uint64_t)1 << 40}, (int32_t[]){40});
  check(1, (int[]){0}, (int[]){1});
  place(1, (uint64_t[]){0}, (int32_t[]){-1});
  check(1, (int[]){0}, (int[]){1});
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(bound_units_sit_where_they_are_bound),
    cmocka_unit_test(free_units_sit_where_they_started),
    cmocka_unit_test(free_units_make_room_for_each_other),
    cmocka_unit_test(shares_are_of_what_units_may_use_together),
    cmocka_unit_test(a_unit_on_no_known_cpu_sits_on_the_first),
  };
  return cmocka_run_group_tests_name("core_topology", tests, NULL, NULL);
}
