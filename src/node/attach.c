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

#ifndef PR_SET_PTRACER
#define PR_SET_PTRACER 0x59616d61
#endif
#ifndef PR_SET_PTRACER_ANY
#define PR_SET_PTRACER_ANY ((unsigned long)-1)
#endif

/* What is known of each unit of the node. */
enum verdict { UNKNOWN, WORKS, REFUSED };
static _Atomic uint8_t *verdicts;

/* What others read here to be sure that they read this process: a pid may mean another one to them. */
static uint64_t token;

/* One call takes this much: the kernel's own limits are 1024 entries and just below 2 GiB. */
enum { WINDOW_N = 512, WINDOW_BYTES = 1 << 30 };

tessera_status_t tsr_attach_start(void) {
  struct tsr_node_unit *unit = tsr_heap_unit(tsr_heap.self);
  unit->attach_pid = 0;
  verdicts = calloc(tsr_heap.units_n, sizeof *verdicts);
  if (!verdicts) return tsr_fail(TESSERA_ERR_MEMORY, "no private memory for %u units of the node", tsr_heap.units_n);
  if (tsr_config.attach == TSR_ATTACH_OFF) return TESSERA_OK;
  if (!token && getrandom(&token, sizeof token, 0) != (ssize_t)sizeof token) return TESSERA_OK;
  prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0); /* a kernel without Yama knows no such thing, nor needs it */
  unit->attach_token = token;
  unit->attach_at = (uintptr_t)&token;
  unit->attach_pid = getpid();
  return TESSERA_OK;
}

void tsr_attach_stop(void) {
  free(verdicts);
  verdicts = NULL;
}

/* Said once: from now on such transfers wait for their owners. */
static void say_refused(uint32_t local, const char *why) {
  int32_t unit = tsr_heap_unit(local)->unit;
  if (tsr_config.attach == TSR_ATTACH_OFF) {
    TSR_ONCE(tsr_info("TESSERA_ATTACH=off: long messages from private memory take a copy more, and transfers to and "
                      "from registered memory of other units wait until its owner calls the library"));
  } else {
    TSR_ONCE(tsr_warn("the kernel does not let us copy memory of unit %d (%s): long messages from private memory take a "
                      "copy more, and transfers to and from registered memory of other units wait until its owner calls "
                      "the library; allow process_vm_readv "
                      "(kernel.yama.ptrace_scope, the container's seccomp profile or CAP_SYS_PTRACE), or set "
                      "TESSERA_ATTACH=off", unit, why));
  }
}

static enum verdict probe(uint32_t local) {
  const struct tsr_node_unit *unit = tsr_heap_unit(local);
  uint64_t found = 0;
  struct iovec ours = {&found, sizeof found}, theirs = {(void *)(uintptr_t)unit->attach_at, sizeof found};
  const char *why = "it has switched this off";
  if (tsr_config.attach == TSR_ATTACH_AUTO && unit->attach_pid) {
    ssize_t got = process_vm_readv(unit->attach_pid, &ours, 1, &theirs, 1, 0);
    if (got == (ssize_t)sizeof found && found == unit->attach_token) return WORKS;
    why = got < 0 ? strerror(errno) : "its pid names another process here";
  }
  say_refused(local, why);
  return REFUSED;
}

bool tsr_attach_works(uint32_t local) {
  enum verdict verdict = (enum verdict)atomic_load_explicit(&verdicts[local], memory_order_relaxed);
  if (__builtin_expect(verdict == UNKNOWN, 0)) {
    verdict = probe(local);
    atomic_store_explicit(&verdicts[local], (uint8_t)verdict, memory_order_relaxed);
  }
  return verdict == WORKS;
}

/* What is left of a list: entries, and bytes of the first that are done. */
struct cursor {
  const struct iovec *at;
  size_t left_n, done_bytes;
};

/* The next entries, at most WINDOW_N of them and `most` bytes. */
static size_t fill(struct cursor cursor, struct iovec window[], size_t most, size_t *bytes) {
  size_t n = 0, sum = 0;
  for (; cursor.left_n && n < WINDOW_N && sum < most; cursor.at++, cursor.left_n--, cursor.done_bytes = 0) {
    size_t length = cursor.at->iov_len - cursor.done_bytes;
    if (length == 0) continue;
    if (length > most - sum) length = most - sum;
    window[n++] = (struct iovec){(char *)cursor.at->iov_base + cursor.done_bytes, length};
    sum += length;
  }
  *bytes = sum;
  return n;
}

static void advance(struct cursor *cursor, size_t bytes) {
  while (cursor->left_n && bytes >= cursor->at->iov_len - cursor->done_bytes) {
    bytes -= cursor->at->iov_len - cursor->done_bytes;
    cursor->at++;
    cursor->left_n--;
    cursor->done_bytes = 0;
  }
  cursor->done_bytes += bytes;
}

static ssize_t move(uint32_t local, enum tsr_attach_way way, const struct iovec *ours, size_t ours_n,
                    const struct iovec *theirs, size_t theirs_n) {
  pid_t pid = tsr_heap_unit(local)->attach_pid;
  return way == TSR_ATTACH_PUT ? process_vm_writev(pid, ours, ours_n, theirs, theirs_n, 0)
                               : process_vm_readv(pid, ours, ours_n, theirs, theirs_n, 0);
}

/* What the call's failure means. */
static tessera_status_t fail(uint32_t local, enum tsr_attach_way way, const struct iovec *theirs, int error) {
  if (error == EPERM || error == ESRCH || error == ENOSYS) {
    say_refused(local, strerror(error));
    atomic_store_explicit(&verdicts[local], REFUSED, memory_order_relaxed);
    return TESSERA_ERR_UNSUPPORTED;
  }
  return tsr_fail(TESSERA_ERR_SYSTEM, "cannot copy %s memory of unit %d at %p: %s; registered memory must stay mapped, "
                  "and writable for puts, until it is deregistered, and so must the buffer during the transfer",
                  way == TSR_ATTACH_PUT ? "to" : "from", tsr_heap_unit(local)->unit, theirs->iov_base, strerror(error));
}

/* Window by window, as far as each call comes. */
static __attribute__((noinline)) tessera_status_t copy_lists(uint32_t local, enum tsr_attach_way way,
                                                             struct cursor ours, struct cursor theirs) {
  struct iovec here[WINDOW_N], there[WINDOW_N];
  for (;;) {
    size_t here_bytes, bytes;
    size_t here_n = fill(ours, here, WINDOW_BYTES, &here_bytes);
    size_t there_n = fill(theirs, there, here_bytes, &bytes);
    if (here_n == 0 || there_n == 0) return TESSERA_OK;
    ssize_t moved = move(local, way, here, here_n, there, there_n);
    if (moved < 0 && errno == EINTR) continue;
    if (moved <= 0) return fail(local, way, there, moved < 0 ? errno : EFAULT);
    advance(&ours, (size_t)moved);
    advance(&theirs, (size_t)moved);
  }
}

tessera_status_t tsr_attach_copy(uint32_t local, enum tsr_attach_way way, const struct iovec *ours, size_t ours_n,
                                 const struct iovec *theirs, size_t theirs_n) {
  if (!tsr_attach_works(local)) return TESSERA_ERR_UNSUPPORTED;
  bool at_once = ours_n == 1 && theirs_n == 1 && ours->iov_len <= WINDOW_BYTES;
  if (at_once && move(local, way, ours, 1, theirs, 1) == (ssize_t)ours->iov_len) return TESSERA_OK;
  return copy_lists(local, way, (struct cursor){ours, ours_n, 0}, (struct cursor){theirs, theirs_n, 0});
}
