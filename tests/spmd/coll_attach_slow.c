/* Where the kernel's copies are slow, the start finds that out, and messages and collectives do without them, unless
 * TESSERA_ATTACH=on asks for them. Members that judge differently get the right data, too.
 * Units: 2 3
 */
#include "check.h"

#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/wait.h"
#include "coll/coll.h"
#include "core/place.h"
#include "node/attach.h"
#include "node/heap.h"
#include "p2p/p2p.h"

enum { BYTES = 64 << 10, UNITS_MAX = 3, MOMENT_NS = 20000000 };

/* In place of the C library's function, which the library would call. */
static bool is_slow;
static _Atomic int long_reads_n;
ssize_t process_vm_readv(pid_t pid, const struct iovec *ours, unsigned long ours_n, const struct iovec *theirs,
                         unsigned long theirs_n, unsigned long flags) {
  const struct timespec moment = {0, MOMENT_NS};
  if (is_slow) nanosleep(&moment, NULL);
  if (theirs[0].iov_len >= TSR_ATTACH_FROM) long_reads_n++;
  return syscall(SYS_process_vm_readv, pid, ours, ours_n, theirs, theirs_n, flags);
}

static char mine[BYTES], all[UNITS_MAX * BYTES];

static void gather_all(void) {
  memset(mine, 'a' + tsr_place.self, BYTES);
  memset(all, 0, sizeof all);
  CHECK_EQ(tsr_allgather(tsr_team_world, mine, all, BYTES), TESSERA_OK);
  for (int i = 0; i < tsr_place.units_n; i++) {
    CHECK_EQ(all[i * BYTES], 'a' + i);
    CHECK_EQ(all[(i + 1) * BYTES - 1], 'a' + i);
  }
}

/* To the next unit, from the one before. */
static void pass_on(void) {
  const int n = tsr_place.units_n, before = (tsr_place.self + n - 1) % n;
  tsr_incoming in;
  tsr_outgoing out;
  memset(all, 0, BYTES);
  CHECK_EQ(tsr_p2p_send_start(&out, TSR_UNIT((tsr_place.self + 1) % n), TSR_P2P_DART, 1, mine, BYTES), TESSERA_OK);
  tsr_p2p_receive(&in, TSR_UNIT(before), TSR_P2P_DART, 1, all, BYTES);
  tsr_p2p_send_wait(&out);
  CHECK_EQ(all[0], 'a' + before);
  CHECK_EQ(all[BYTES - 1], 'a' + before);
}

/* Whether this unit has others on its node, and all of them may read each other's memory. */
static bool attaches(void) {
  bool all_work = tsr_team_world->locals_n > 1;
  for (int i = 0; i < tsr_place.units_n; i++) {
    int32_t local = tsr_place_local(TSR_UNIT(i));
    all_work = all_work && (local < 0 || i == tsr_place.self || tsr_attach_works((uint32_t)local));
  }
  return all_work;
}

/* The measurement leaves no trace in memory that programs may expect to be zero. */
static void memory_is_fresh(void) {
  uint64_t off = 0;
  CHECK_EQ(tsr_heap_alloc(BYTES, TSR_HEAP_LOCAL, &off), TESSERA_OK);
  const char *memory = tsr_heap_at(tsr_heap.self, off);
  int used_n = 0;
  for (int i = 0; i < BYTES; i++) used_n += memory[i] != 0;
  CHECK_EQ(used_n, 0);
  CHECK_EQ(tsr_heap_free(off, TSR_HEAP_LOCAL), TESSERA_OK);
}

int main(int argc, char **argv) {
  const char *attach = getenv("TESSERA_ATTACH");
  is_slow = true;
  if (tessera_init(&argc, &argv)) return EXIT_FAILURE;
  is_slow = false;
  memory_is_fresh();
  bool finds_out = !(attach && !strcmp(attach, "on")) && attaches() && !tsr_wait_oversubscribed();
  CHECK_EQ(tsr_attach_from, finds_out ? TSR_ATTACH_FROM_IF_SLOW : TSR_ATTACH_FROM);
  long_reads_n = 0;
  gather_all();
  pass_on();
  if (tsr_place.nodes_n == 1)
    CHECK_EQ(long_reads_n > 0, attaches() && !finds_out); /* MPI may call the function between virtual nodes */
  tsr_attach_from = tsr_place.self % 2 ? TSR_ATTACH_FROM : TSR_ATTACH_FROM_IF_SLOW;
  gather_all();
  pass_on();
  CHECK_EQ(tessera_exit(), TESSERA_OK);
  return check_result();
}
