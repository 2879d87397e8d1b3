/* OpenSHMEM: each function exists, can be named, and is the same as the one for profiling tools.
 * Group: shmem_calls
 */
#include "shmem_check.h"

typedef void (*function)(void);
struct pair {
  const char *name;
  function plain, profiled;
};

/* The type selects among the overloads of C++. */
#define SHMEMI_FN(result, name, ...) \
  {"shmem_" #name, (function)(__typeof__(&pshmem_##name))shmem_##name, (function)pshmem_##name},
#define SHMEMI_CTX_FN(result, name, ...) \
  SHMEMI_FN(result, name) {"shmem_ctx_" #name, (function)shmem_ctx_##name, (function)pshmem_ctx_##name},
static const struct pair all[] = {
#include <shmem/active_set.h>
#include <shmem/atomic.h>
#include <shmem/collective.h>
#include <shmem/context.h>
#include <shmem/lock.h>
#include <shmem/memory.h>
#include <shmem/old.h>
#include <shmem/rma.h>
#include <shmem/setup.h>
#include <shmem/signal.h>
#include <shmem/team.h>
#include <shmem/wait.h>
};

int main(void) {
  enum { LEAST = 1700 };
  const size_t n = sizeof all / sizeof all[0];
  CHECK(n >= LEAST);
  for (size_t i = 0; i < n; i++) {
    if (all[i].plain && all[i].plain == all[i].profiled) continue;
    fprintf(stderr, "%s is missing, or not the profiled one\n", all[i].name);
    CHECK(false);
  }
  start();
  CHECK_EQ(_my_pe(), me);
  CHECK_EQ(_num_pes(), pes);
  return finish();
}
