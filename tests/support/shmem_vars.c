#include "shmem_vars.h"

#ifndef VARS_VERSION
#define VARS_VERSION 1
#endif

static long word, lock_;
static int list[4] = {1, 2, 3, 4};
static char large[VARS_LARGE_BYTES];
static _Thread_local long thread_local_;
long VARS_NAME(VARS, exported) = 6 + VARS_VERSION;

struct vars VARS_NAME(VARS, vars)(void) {
  return (struct vars){.word = &word, .lock = &lock_, .list = list, .large = large, .thread_local_ = &thread_local_};
}
