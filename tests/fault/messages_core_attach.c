/* Processes that copy memory of others through the kernel, and cannot, a case for each message; see support/golden.h. */
#include "support/no_memory.h"

#include <dash/dart/if/dart_ext_message.h>
#include <signal.h>
#include <sys/uio.h>

#include "core/agent.h"
#include "core/progress.h"
#include "support/golden_dart.h"

enum { LONG_BYTES = 200 << 10, OTHER = 1 };
static char buffer[LONG_BYTES], region[2 * LONG_BYTES];
static dart_gptr_t there;
static dart_handle_t handle;

static bool is_first(void) { return unit() == 0; }

static bool await_end(void) {
  for (;;) tsr_progress();
  return false;
}

static void *nothing(void) { return mmap(NULL, LONG_BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); }

/* Memory of the other unit, once the progress process of this node has copied memory of this unit. */
static void prepare_agent(void) {
  dart_team_memalloc_aligned(DART_TEAM_ALL, LONG_BYTES, DART_TYPE_BYTE, &there);
  there.unitid = OTHER;
  while (!tsr_agent_reaches_us()) tsr_progress();
}

static bool put_unreadable(void) {
  prepare_agent();
  if (is_first()) dart_put_handle(there, nothing(), LONG_BYTES, DART_TYPE_BYTE, DART_TYPE_BYTE, &handle);
  return await_end();
}

/* The progress process does not return from the start: a unit of its node takes the memory from it by a signal. */
static void starve_agent(int number) {
  (void)number;
  no_memory.everywhere = true;
  no_memory_from(0, LONG_BYTES / 2);
}
static bool put_by_starved(void) {
  signal(SIGUSR2, starve_agent);
  if (!start(NULL, NULL)) return false;
  prepare_agent();
  if (is_first()) kill(tsr_heap_unit(tsr_heap.units_n - 1)->attach_pid, SIGUSR2);
  while (is_first()) {
    dart_put_handle(there, buffer, LONG_BYTES, DART_TYPE_BYTE, DART_TYPE_BYTE, &handle);
    dart_wait(&handle);
  }
  return await_end();
}

/* The receiver cannot read the message, so that the sender has to copy it. */
static bool send_unreadable(void) {
  if (!is_first()) dart_recv(region, LONG_BYTES, DART_TYPE_BYTE, 1, DART_GLOBAL_UNIT_ID(0));
  void *message = nothing();
  no_memory.everywhere = true;
  no_memory_after(2); /* for the record and the handle of the message */
  dart_isend(message, LONG_BYTES, DART_TYPE_BYTE, 1, DART_GLOBAL_UNIT_ID(OTHER), &handle);
  return await_end();
}

/* The kernel permits copies at first. */
static bool may_copy = true;
ssize_t process_vm_readv(pid_t pid, const struct iovec *to, unsigned long to_n, const struct iovec *from, unsigned long from_n,
                         unsigned long flags) {
  static ssize_t (*others)(pid_t, const struct iovec *, unsigned long, const struct iovec *, unsigned long, unsigned long);
  if (!others) *(void **)&others = dlsym(RTLD_NEXT, "process_vm_readv");
  if (may_copy) return others(pid, to, to_n, from, from_n, flags);
  errno = EPERM;
  return -1;
}
static bool gather(void) {
  dart_allgather(buffer, region, LONG_BYTES, DART_TYPE_BYTE, DART_TEAM_ALL);
  may_copy = !is_first();
  dart_allgather(buffer, region, LONG_BYTES, DART_TYPE_BYTE, DART_TEAM_ALL);
  return await_end();
}

static const struct golden_case cases[] = {
    {"0608", put_unreadable, GOLDEN_ALL | GOLDEN_OWN},
    {"0609", put_by_starved, GOLDEN_ONLY},
    {"0805", send_unreadable, GOLDEN_ALL | GOLDEN_OWN},
    {"0911", gather, GOLDEN_ALL | GOLDEN_OWN},
};

int main(int argc, char **argv) {
  size_t cases_n = NO_MEMORY_FAILS ? sizeof cases / sizeof cases[0] : 0;
  return golden_main(argc, argv, &(struct golden_program){cases, cases_n, start, end, unit, barrier});
}
