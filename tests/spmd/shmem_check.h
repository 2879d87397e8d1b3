/* What the tests of OpenSHMEM share. */
#ifndef SHMEM_CHECK_H
#define SHMEM_CHECK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <shmem.h>

#include "check.h"

#define OK(call) CHECK_EQ(call, 0)

static int me, pes, next, previous;

static inline void start(void) {
  shmem_init();
  me = shmem_my_pe();
  pes = shmem_n_pes();
  next = (me + 1) % pes;
  previous = (me + pes - 1) % pes;
}

static inline int finish(void) {
  shmem_finalize();
  return check_result();
}

#endif
