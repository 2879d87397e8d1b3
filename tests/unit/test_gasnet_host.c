/* Neighbourhoods and hosts of GASNet in a job that is too large for any test machine. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "api/gasnet/gasnet_api.h"
#include "core/bootstrap.h"
#include "core/place.h"

enum { UNITS_N = 100000, NODES_N = 1563, PER_NODE = 64, HOSTS_N = 500 };

/* The linker puts these functions between the library and the C library. */
static size_t allocated;
void *__real_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes) {
  allocated += bytes;
  return __real_malloc(bytes);
}
void *__real_calloc(size_t n, size_t bytes);
void *__wrap_calloc(size_t n, size_t bytes);
void *__wrap_calloc(size_t n, size_t bytes) {
  allocated += n * bytes;
  return __real_calloc(n, bytes);
}

/* The nodes of host h are h, h + 500, h + 1000 and h + 1500; later hosts have smaller numbers. */
void __wrap_tsr_bootstrap_gather_nodes(tsr_team *team, int64_t mine, int64_t all[]);
void __wrap_tsr_bootstrap_gather_nodes(tsr_team *team, int64_t mine, int64_t all[]) {
  (void)team, (void)mine;
  for (int64_t node = 0; node < NODES_N; node++) all[node] = INT64_MAX / 2 - node % HOSTS_N * (INT64_MAX / HOSTS_N);
}

static void numbers_of_hosts(void **state) {
  (void)state;
  const gex_Rank_t self = 777 * PER_NODE + 5;
  int32_t *first_of = malloc(UNITS_N * sizeof *first_of);
  assert_non_null(first_of);
  for (int32_t unit = 0; unit < UNITS_N; unit++) first_of[unit] = unit - unit % PER_NODE;
  struct tsr_place_plan plan = {UNITS_N, (int32_t)self, first_of, 0, true};
  assert_int_equal(tsr_place_fill(&plan), TESSERA_OK);
  assert_int_equal(tsr_place.nodes_n, NODES_N);
  allocated = 0;
  tsr_gex_hosts_start();
  assert_in_range(allocated, 1, 100 << 10); /* less than a number of each unit */
  tsr_gex_up = true;
  gex_Rank_t neighbourhoods_n, neighbourhood, hosts_n, host, n, index;
  gex_System_QueryMyPosition(&neighbourhoods_n, &neighbourhood, &hosts_n, &host);
  assert_int_equal(neighbourhoods_n, NODES_N);
  assert_int_equal(neighbourhood, 777);
  assert_int_equal(hosts_n, HOSTS_N);
  assert_int_equal(host, 277);
  for (gex_Rank_t rank = 0; rank < UNITS_N; rank++) {
    assert_int_equal(tsr_gex_neighbourhood_of(rank), rank / PER_NODE);
    assert_int_equal(tsr_gex_host_of(rank), rank / PER_NODE % HOSTS_N);
  }
  gex_RankInfo_t *ranks;
  gex_System_QueryHostInfo(&ranks, &n, &index);
  assert_int_equal(n, 3 * PER_NODE);
  assert_int_equal(index, PER_NODE + 5);
  for (gex_Rank_t i = 0; i < n; i++)
    assert_int_equal(ranks[i].gex_jobrank, (i / PER_NODE * HOSTS_N + 277) * PER_NODE + i % PER_NODE);
  gex_System_QueryNbrhdInfo(&ranks, &n, &index);
  assert_int_equal(n, PER_NODE);
  assert_int_equal(index, 5);
  assert_int_equal(ranks[0].gex_jobrank, 777 * PER_NODE);
  tsr_gex_hosts_stop();
  tsr_place_forget();
  free(first_of);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(numbers_of_hosts)};
  return cmocka_run_group_tests_name("gasnet_host", tests, NULL, NULL);
}
