/* The known faults of versions of MPI. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "net/mpi/faults.h"

#define MPICH(version, device) "MPICH Version:\t" version "\nMPICH Release date:\tThu Apr  7 12:34:45 CDT 2022\n" \
                               "MPICH ABI:\t14:2:2\n" \
                               "MPICH Device:\t" device "\nMPICH configure:\t--with-device=ch4:ucx --with-ucx=/usr\n"

static void mpich_over_ucx_hangs_before_4_2(void **state) {
  (void)state;
  assert_true(tsr_mpi_finalize_may_hang(MPICH("4.0.2", "ch4:ucx")));
  assert_true(tsr_mpi_finalize_may_hang(MPICH("3.4.3", "ch4:ucx")));
  assert_true(tsr_mpi_finalize_may_hang(MPICH("4.1.2", "ch4:ucx")));
  assert_false(tsr_mpi_finalize_may_hang(MPICH("4.2.0", "ch4:ucx")));
  assert_false(tsr_mpi_finalize_may_hang(MPICH("4.10.1", "ch4:ucx")));
  assert_false(tsr_mpi_finalize_may_hang(MPICH("5.0.0", "ch4:ucx")));
  assert_true(tsr_mpi_finalize_may_hang("MPICH Version:      4.1\nMPICH Device:        ch4:ucx\n")); /* as later versions do */
}

static void other_devices_and_libraries_do_not(void **state) {
  (void)state;
  assert_false(tsr_mpi_finalize_may_hang(MPICH("4.0.2", "ch4:ofi")));
  assert_false(tsr_mpi_finalize_may_hang(MPICH("4.0.2", "ch3:nemesis")));
  assert_false(tsr_mpi_finalize_may_hang("Open MPI v4.1.4, package: Debian OMPI, ident: 4.1.4, repo rev: v4.1.4, May 26, 2022"));
  assert_false(tsr_mpi_finalize_may_hang("Intel(R) MPI Library 2021.9 for Linux* OS\n"));
}

static void damaged_texts_are_survived(void **state) {
  (void)state;
  assert_false(tsr_mpi_finalize_may_hang(""));
  assert_false(tsr_mpi_finalize_may_hang("MPICH Version:"));
  assert_false(tsr_mpi_finalize_may_hang("MPICH Version:\t4.0.2\n"));
  assert_false(tsr_mpi_finalize_may_hang(MPICH("unknown", "ch4:ucx")));
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(mpich_over_ucx_hangs_before_4_2),
    cmocka_unit_test(other_devices_and_libraries_do_not),
    cmocka_unit_test(damaged_texts_are_survived),
  };
  return cmocka_run_group_tests_name("mpi_faults", tests, NULL, NULL);
}
