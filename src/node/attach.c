#include "node/attach.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/config.h"
#include "base/log.h"
#include "base/status.h"
#include "node/heap.h"

/* The state of each unit of the node. */
enum verdict { UNKNOWN, WORKS, DENIED };
static _Atomic uint8_t *verdicts;

/* Other units read this token to be sure that they read this process: in their namespace the pid may name another process. */
static uint64_t token;

size_t tsr_attach_from = TSR_ATTACH_FROM;

/* One call takes so many entries of each side; the kernel's own limits are 1024, and just below 2 GiB, where it stops
 * by itself. */
enum { ENTRIES_N = 512 };

tessera_status_t tsr_attach_start(void) {
  struct tsr_node_unit *unit = tsr_heap_unit(tsr_heap.self);
  unit->attach_pid = 0;
  tsr_attach_from = TSR_ATTACH_FROM;
  verdicts = calloc(tsr_heap.units_n, sizeof *verdicts);
  if (!verdicts)
    return tsr_fail(TESSERA_ERR_MEMORY, "TSR-0100 no private memory for %u units of the node; " TSR_REMEDY_MEMORY,
                    tsr_heap.units_n);
  if (tsr_config.attach == TSR_ATTACH_OFF) return TESSERA_OK;
  if (!token && getrandom(&token, sizeof token, 0) != (ssize_t)sizeof token) return TESSERA_OK;
  prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0); /* a kernel without Yama neither has nor needs it */
  unit->attach_token = token;
  unit->attach_at = (uintptr_t)&token;
  unit->attach_pid = getpid();
  return TESSERA_OK;
}

void tsr_attach_stop(void) {
  free(verdicts);
  verdicts = NULL;
}

/* Logged once: from now on such transfers wait for the owner of the memory. */
static void report_failure(uint32_t local, const char *why) {
  int32_t unit = tsr_heap_unit(local)->unit;
  if (tsr_config.attach == TSR_ATTACH_OFF) {
    TSR_ONCE(tsr_info("TESSERA_ATTACH=off: messages and collectives of private memory take one more copy, and transfers to "
                      "and from registered memory of other units wait until its owner calls the library"));
  } else {
    TSR_ONCE(tsr_warn("TSR-0101 the kernel does not permit copies of memory of unit %d (%s): messages and collectives of private "
                      "memory take one more copy, and transfers to and from registered memory of other units wait until its owner "
                      "calls the library; allow process_vm_readv (kernel.yama.ptrace_scope, the container's seccomp profile or "
                      "CAP_SYS_PTRACE), or set TESSERA_ATTACH=off", unit, why));
  }
}

static atomic_bool is_silent; /* another thread may probe */

void tsr_attach_try_silently(bool silently) {
  atomic_store_explicit(&is_silent, silently, memory_order_relaxed);
  for (uint32_t i = 0; i < tsr_heap.units_n; i++) {
    if (verdicts[i] == DENIED) verdicts[i] = UNKNOWN;
  }
}

static enum verdict probe_unit(uint32_t local) {
  const struct tsr_node_unit *unit = tsr_heap_unit(local);
  uint64_t found = 0;
  struct iovec ours = {&found, sizeof found}, theirs = {(void *)(uintptr_t)unit->attach_at, sizeof found};
  const char *why = "it has switched this off";
  if (tsr_config.attach != TSR_ATTACH_OFF && unit->attach_pid) {
    ssize_t got = process_vm_readv(unit->attach_pid, &ours, 1, &theirs, 1, 0);
    if (got == (ssize_t)sizeof found && found == unit->attach_token) return WORKS;
    why = got < 0 ? strerror(errno) : "its pid names another process here";
  }
  if (!atomic_load_explicit(&is_silent, memory_order_relaxed)) report_failure(local, why);
  return DENIED;
}

bool tsr_attach_works(uint32_t local) {
  enum verdict verdict = (enum verdict)atomic_load_explicit(&verdicts[local], memory_order_relaxed);
  if (__builtin_expect(verdict == UNKNOWN, 0)) {
    verdict = probe_unit(local);
    atomic_store_explicit(&verdicts[local], (uint8_t)verdict, memory_order_relaxed);
  }
  return verdict == WORKS;
}

bool tsr_attach_works_now(uint32_t local) {
  atomic_store_explicit(&verdicts[local], UNKNOWN, memory_order_relaxed);
  return tsr_attach_works(local);
}

/* The next entries of a side, for one call. The first may be the rest of an entry. */
struct batch {
  struct tsr_attach_side *side;
  bool has_more; /* side->entry is not in `entries` yet */
  size_t n;
  struct iovec entries[ENTRIES_N];
};

static void fill_batch(struct batch *batch) {
  for (struct tsr_attach_side *side = batch->side; batch->has_more && batch->n < ENTRIES_N;) {
    if (side->entry.iov_len) batch->entries[batch->n++] = side->entry;
    batch->has_more = side->next && side->next(side);
  }
}

static void pass_bytes(struct iovec *entry, size_t bytes) {
  entry->iov_base = (char *)entry->iov_base + bytes;
  entry->iov_len -= bytes;
}

/* Skips the bytes that a call has moved; they may end inside an entry. */
static void advance_batch(struct batch *batch, size_t bytes) {
  size_t done_n = 0;
  for (; done_n < batch->n && bytes >= batch->entries[done_n].iov_len; done_n++) bytes -= batch->entries[done_n].iov_len;
  batch->n -= done_n;
  memmove(batch->entries, batch->entries + done_n, batch->n * sizeof *batch->entries);
  if (batch->n) pass_bytes(batch->entries, bytes);
}

static ssize_t move_entries(uint32_t local, enum tsr_attach_way way, const struct iovec *ours, size_t ours_n,
                            const struct iovec *theirs, size_t theirs_n) {
  pid_t pid = tsr_heap_unit(local)->attach_pid;
  return way == TSR_ATTACH_PUT ? process_vm_writev(pid, ours, ours_n, theirs, theirs_n, 0)
                               : process_vm_readv(pid, ours, ours_n, theirs, theirs_n, 0);
}

/* Copies batch by batch. A call ends at the end of the shorter batch, or where memory is missing. */
static __attribute__((noinline)) tessera_status_t copy_lists(uint32_t local, enum tsr_attach_way way,
                                                             struct tsr_attach_side *our_side,
                                                             struct tsr_attach_side *their_side) {
  struct batch ours, theirs; /* not cleared: their entries are long */
  ours.side = our_side;
  theirs.side = their_side;
  ours.has_more = theirs.has_more = true;
  ours.n = theirs.n = 0;
  for (;;) {
    fill_batch(&ours);
    fill_batch(&theirs);
    if (ours.n == 0 || theirs.n == 0) return TESSERA_OK;
    ssize_t moved = move_entries(local, way, ours.entries, ours.n, theirs.entries, theirs.n);
    if (moved < 0 && errno == EINTR) continue;
    if (moved <= 0) {
      their_side->entry = theirs.entries[0];
      if (moved == 0) errno = EFAULT;
      if (errno == ESRCH) return TESSERA_ERR_UNSUPPORTED; /* it has died, which the monitors say */
      if (errno != EPERM && errno != ENOSYS) return TESSERA_ERR_SYSTEM;
      if (!is_silent) report_failure(local, strerror(errno));
      atomic_store_explicit(&verdicts[local], DENIED, memory_order_relaxed);
      errno = EPERM;
      return TESSERA_ERR_UNSUPPORTED;
    }
    advance_batch(&ours, (size_t)moved);
    advance_batch(&theirs, (size_t)moved);
  }
}

tessera_status_t tsr_attach_try(uint32_t local, enum tsr_attach_way way, struct tsr_attach_side *ours,
                                struct tsr_attach_side *theirs) {
  if (!tsr_attach_works(local)) {
    errno = EPERM;
    return TESSERA_ERR_UNSUPPORTED;
  }
  if (!ours->next && !theirs->next) {
    ssize_t moved = move_entries(local, way, &ours->entry, 1, &theirs->entry, 1);
    if (moved == (ssize_t)ours->entry.iov_len) return TESSERA_OK;
    if (moved > 0) pass_bytes(&ours->entry, (size_t)moved);
    if (moved > 0) pass_bytes(&theirs->entry, (size_t)moved);
  }
  return copy_lists(local, way, ours, theirs);
}

tessera_status_t tsr_attach_copy(uint32_t local, enum tsr_attach_way way, struct tsr_attach_side *ours,
                                 struct tsr_attach_side *theirs) {
  tessera_status_t status = tsr_attach_try(local, way, ours, theirs);
  if (status != TESSERA_ERR_SYSTEM) return status;
  return tsr_fail(status, "TSR-0102 cannot copy %s memory of unit %d at %p: %s; registered memory must stay mapped, and "
                  "writable for puts, until it is deregistered, and so must the buffer during the transfer",
                  way == TSR_ATTACH_PUT ? "to" : "from", tsr_heap_unit(local)->unit, theirs->entry.iov_base,
                  strerror(errno));
}
