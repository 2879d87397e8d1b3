/* GASNet tools: processors, memory, limits, streams, signals, time, checksums. */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include <gasnet_tools.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/libc.h"
#include "base/space.h"
#include "base/wait.h"
#include "node/topology.h"

int gasnett_cpu_count(void) {
  long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count > 0 ? (int)count : 0;
}

uint64_t gasnett_getPhysMemSz(int failure_is_fatal) {
  uint64_t bytes = tsr_topology_memory_total();
  if (!bytes && failure_is_fatal)
    gasnett_fatalerror("TSR-4193 gasnett_getPhysMemSz: the system does not report the size of its memory; pass 0 to get 0 instead");
  return bytes;
}

const char *gasnett_gethostname(void) {
  static char name[256];
  if (!name[0] && gethostname(name, sizeof name - 1))
    gasnett_fatalerror("TSR-4194 gasnett_gethostname: gethostname: %s; check the name of this host", strerror(errno));
  return name;
}

const char *gasnett_exe_name(void) {
  static _Thread_local char name[4096];
  ssize_t bytes = readlink("/proc/self/exe", name, sizeof name - 1);
  name[bytes > 0 ? bytes : 0] = 0;
  return name;
}

int gasnett_isLittleEndian(void) { return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__; }

int gasnett_set_affinity(int rank) {
  cpu_set_t may, one;
  if (sched_getaffinity(getpid(), sizeof may, &may)) return 1;
  int left = (rank < 0 ? 0 : rank) % CPU_COUNT(&may), cpu = 0;
  while (!CPU_ISSET(cpu, &may) || left-- > 0) cpu++;
  CPU_ZERO(&one);
  CPU_SET(cpu, &one);
  return sched_setaffinity(0, sizeof one, &one) != 0;
}

int gasnett_maximize_rlimit(int resource, const char *name) {
  (void)name;
  struct rlimit limit;
  if (getrlimit(resource, &limit)) return 0;
  limit.rlim_cur = limit.rlim_max;
  return setrlimit(resource, &limit) == 0;
}

int gasnett_maximize_rlimits(void) {
  static const int resources[] = {RLIMIT_CPU, RLIMIT_FSIZE, RLIMIT_DATA, RLIMIT_STACK, RLIMIT_RSS, RLIMIT_AS};
  int raised = 0;
  for (size_t i = 0; i < sizeof resources / sizeof resources[0]; i++) raised |= gasnett_maximize_rlimit(resources[i], "");
  return raised;
}

void *gasnett_mmap(uintptr_t bytes) {
  void *space = tsr_space_reserve(bytes);
  if (!space) gasnett_fatalerror("TSR-4195 gasnett_mmap: no address space for %llu bytes; map less", (unsigned long long)bytes);
  return space;
}

void gasnett_flush_streams(void) { fflush(NULL); }

void gasnett_close_streams(void) {
  fflush(NULL);
  fclose(stdin);
  fclose(stdout);
  fclose(stderr);
}

gasnett_sighandlerfn_t gasnett_reghandler(int signal_number, gasnett_sighandlerfn_t handler) {
  gasnett_sighandlerfn_t before = signal(signal_number, handler);
  if (before == SIG_ERR)
    gasnett_fatalerror("TSR-4196 gasnett_reghandler: no handler for signal %d (%s): %s; pass a signal that can be caught",
                       signal_number, strsignal(signal_number), strerror(errno));
  return before;
}

const char *gasnett_signame_fromval(int signal_number) {
  static _Thread_local char name[16];
  const char *known = tsr_libc_signal_name(signal_number);
  snprintf(name, sizeof name, "SIG%s", known ? known : "???");
  return name;
}

/* ---- Time ---- */

gasnett_tick_t gasnett_ticks_now(void) { return tsr_clock_ns(); }

enum { SAMPLES_N = 1000 };

double gasnett_tick_granularityus(void) {
  uint64_t least = 0, before = tsr_clock_ns();
  for (int i = 0; i < SAMPLES_N || !least; i++) {
    uint64_t now = tsr_clock_ns();
    if (now != before && (!least || now - before < least)) least = now - before;
    before = now;
  }
  return (double)least / 1000.0;
}

double gasnett_tick_overheadus(void) {
  uint64_t begun = tsr_clock_ns();
  for (int i = 0; i < SAMPLES_N; i++) tsr_clock_ns();
  return (double)(tsr_clock_ns() - begun + 1) / (1000.0 * SAMPLES_N);
}

uint64_t gasnett_gettimeofday_us(void) {
  struct timeval now;
  gettimeofday(&now, NULL);
  return (uint64_t)now.tv_sec * 1000000u + (uint64_t)now.tv_usec;
}

int gasnett_nsleep(uint64_t ns) {
  uint64_t begun = tsr_clock_ns();
  for (uint64_t gone = 0; gone < ns; gone = tsr_clock_ns() - begun) tsr_wait_sleep_ns(ns - gone);
  return 0;
}

/* ---- Contents of memory ---- */

uint64_t gasnett_checksum(const void *data, int bytes) {
  return tsr_hash_bytes(TSR_HASH_NOTHING, data, bytes > 0 ? (size_t)bytes : 0);
}

size_t gasnett_count0s(const void *data, size_t bytes) {
  const unsigned char *byte = data;
  size_t zeros_n = 0;
  for (size_t i = 0; i < bytes; i++) zeros_n += byte[i] == 0;
  return zeros_n;
}

size_t gasnett_count0s_copy(void *restrict to, const void *restrict from, size_t bytes) {
  memcpy(to, from, bytes);
  return gasnett_count0s(from, bytes);
}
