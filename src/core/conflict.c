#include "core/conflict.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/log.h"
#include "core/place.h"

enum { REPORTS_MOST = 5, FLAG_BYTES = 8 };

/* What an access has in common in all of its traces. */
struct access {
  const char *call;
  bool writes;
  uint32_t local; /* unit of the node whose heap it is */
  uint64_t begin, end;
};

static bool may_be_flag(uint64_t off, uint64_t bytes) {
  return bytes <= FLAG_BYTES && (bytes & (bytes - 1)) == 0 && off % bytes == 0;
}

static uint32_t count_syncs(uint32_t local) {
  return atomic_load_explicit(&tsr_heap_unit(local)->syncs_n, memory_order_acquire);
}

void tsr_conflict_sync_slow(void) {
  if (tsr_heap.memory) atomic_fetch_add_explicit(&tsr_heap_unit(tsr_heap.self)->syncs_n, 1, memory_order_release);
}

static bool is_conflict(const struct tsr_trace_slot *trace, const struct access *access) {
  return trace->end && trace->unit != tsr_heap.self && trace->heap == access->local && (trace->writes || access->writes) &&
         trace->begin < access->end && access->begin < trace->end && trace->syncs_n == count_syncs(trace->unit);
}

static void report_conflict(const struct tsr_trace_slot *trace, const struct access *access) {
  static _Atomic int reports_n;
  const int number = atomic_fetch_add(&reports_n, 1);
  if (number == REPORTS_MOST) tsr_warn("TSR-0421 further conflicts of this unit are not reported; mend the first ones");
  if (number >= REPORTS_MOST) return;
  const uint64_t begin = trace->begin > access->begin ? trace->begin : access->begin;
  const uint64_t end = trace->end < access->end ? trace->end : access->end;
  tsr_warn("TSR-0420 %s %s bytes %llu to %llu of the heap of unit %d, which %s of unit %d has %s without a synchronisation "
           "since; let that unit complete its access, and then a barrier, a notification, a lock or a message follow (an order by "
           "MPI, or by stores of the program, is not seen here)", access->call, access->writes ? "writes" : "reads",
           (unsigned long long)begin, (unsigned long long)end - 1, tsr_place_unit(access->local).id, trace->call,
           tsr_place_unit(trace->unit).id, trace->writes ? "written" : "read");
}

static void leave_trace(struct tsr_trace_slot *trace, const struct access *access) {
  trace->unit = tsr_heap.self;
  trace->syncs_n = count_syncs(tsr_heap.self);
  trace->heap = access->local;
  trace->writes = access->writes;
  trace->begin = access->begin;
  trace->end = access->end;
  snprintf(trace->call, sizeof trace->call, "%s", access->call);
}

/* Leaves a trace and reports a conflict with the one before. A slot that another thread uses at the moment is left out. True: there
 * is a conflict. */
static bool check_line(uint64_t line, const struct access *access) {
  const uint64_t hash = tsr_hash_add(tsr_hash_add(TSR_HASH_NOTHING, access->local), line);
  struct tsr_trace_slot *trace = &tsr_heap.memory->traces[hash % TSR_TRACES_N];
  if (atomic_exchange_explicit(&trace->taken, 1, memory_order_acquire)) return false;
  struct tsr_trace_slot found = {.unit = trace->unit, .syncs_n = trace->syncs_n, .heap = trace->heap, .writes = trace->writes,
                                 .begin = trace->begin, .end = trace->end};
  memcpy(found.call, trace->call, sizeof found.call);
  leave_trace(trace, access);
  atomic_store_explicit(&trace->taken, 0, memory_order_release);
  if (!is_conflict(&found, access)) return false;
  report_conflict(&found, access);
  return true;
}

void tsr_conflict_note_slow(const char *call, bool writes, tsr_addr address, uint64_t bytes) {
  const int32_t local = tsr_place_local(address.unit);
  if (local < 0 || tsr_addr_is_outside(address) || !bytes) return;
  if (may_be_flag(address.off, bytes)) {
    tsr_conflict_sync_slow();
    return;
  }
  const struct access access = {call, writes, (uint32_t)local, address.off, address.off + bytes};
  const uint64_t first = access.begin / TSR_CACHE_LINE, last = (access.end - 1) / TSR_CACHE_LINE;
  if (check_line(first, &access) || last == first) return;
  if (check_line(last, &access) || last == first + 1) return;
  check_line(first + 1 + tsr_hash_add(TSR_HASH_NOTHING, last) % (last - first - 1), &access);
}
