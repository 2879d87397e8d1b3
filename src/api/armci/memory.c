#include <limits.h>

#include "core/bootstrap.h"
#include "core/check.h"
#include "core/segment.h"
#include "core/stats.h"
#include "api/armci/address.h"
#include "api/armci/handle.h"

/* ---- Collective allocations ---- */

/* A process with wrong arguments still takes part in the collective, so that the others fail instead of waiting. */
static int allocate_memory(const char *call, void **ptrs, armci_size_t bytes, const ARMCI_Group *group) {
  uint64_t begun_ns = tsr_stats_begin();
  int code = tsr_armci_check_up(call);
  if (code) return code;
  tsr_team *team = tsr_armci_check_team(call, group);
  if (!team) return FAIL;
  if (!ptrs) code = tsr_armci_fail(FAIL2, "TSR-3057 %s: ptrs is NULL; pass room for one pointer for each process", call);
  else if (bytes < 0) code = tsr_armci_fail(FAIL3, "TSR-3058 %s: bytes is %ld; pass 0 or more", call, bytes);
  tsr_segment *segment = NULL;
  const size_t wanted = code ? TSR_SEGMENT_FAILED : (size_t)bytes;
  tessera_status_t status = tsr_segment_alloc(team, wanted, &segment);
  if (status && tsr_armci_give_back(team)) status = tsr_segment_alloc(team, wanted, &segment);
  if (status) return code ? code : FAIL8;
  segment->api = TSR_API_ARMCI;
  segment->flags = 0;
  for (int32_t i = 0; i < team->size; i++) {
    tsr_member member = TSR_MEMBER(i);
    bool any = tsr_segment_bytes(segment, member) > 0;
    ptrs[i] = any ? tsr_heap_base_pointer(tsr_team_unit(team, member), tsr_segment_off(segment, member)) : NULL;
  }
  bool empty = segment->bytes == 0 && !segment->table;
  if (empty && tsr_segment_free(segment)) return FAIL8; /* no process has a pointer to free it by */
  tsr_stats_end(TSR_STAT_ALLOC, begun_ns, (uint64_t)bytes);
  return 0;
}

/* The allocation of a team in which the caller's part begins at `off`; NULL: none. */
static tsr_segment *find_in(const tsr_team *team, uint64_t off) {
  for (int32_t id = 1; id < team->segments_n; id++) {
    tsr_segment *segment = tsr_segment_find(team, id);
    if (!segment || segment->api != TSR_API_ARMCI || tsr_armci_is_kept(segment)) continue;
    if (tsr_segment_off(segment, TSR_MEMBER(team->self)) == off) return segment;
  }
  return NULL;
}

static tsr_segment *find_allocation(const tsr_team *team, const void *ptr) {
  uint32_t local;
  uint64_t off;
  if (!tsr_heap_contains(ptr, &local, &off) || local != tsr_heap.self) return NULL;
  tsr_segment *found = find_in(team, off);
  tsr_teams_lock(); /* another thread may end a team */
  for (int32_t id = 0; id < tsr_teams_end && !found; id++) {
    if (tsr_team_find(id)) found = find_in(tsr_team_find(id), off);
  }
  tsr_teams_unlock();
  return found;
}

static int release_memory(const char *call, void *ptr, const ARMCI_Group *group) {
  uint64_t begun_ns = tsr_stats_begin();
  int code = tsr_armci_check_up(call);
  if (code) return code;
  tsr_team *team = tsr_armci_check_team(call, group);
  if (!team) return FAIL;
  tsr_segment *segment = ptr ? find_allocation(team, ptr) : NULL;
  bool wrong = ptr && !segment;
  if (wrong)
    code = tsr_armci_fail(FAIL6, "TSR-3060 %s: no allocation of this process begins at %p; pass the process's own pointer, and "
                          "free it once", call, ptr);
  if (segment) team = segment->team;
  if (!tsr_check_name(team, "ARMCI_Free")) return FAIL6;
  /* Members with a NULL pointer learn the allocation from the others. */
  int64_t v[3] = {segment ? segment->id : 0, segment ? -segment->id : INT_MIN, wrong};
  tsr_bootstrap_max(team, v, 3);
  int32_t id = (int32_t)v[0];
  bool same = !v[2] && (v[0] == -v[1] || v[1] == INT_MIN);
  if (code || (same && !id)) return code;
  if (!same)
    return tsr_armci_fail(FAIL6, "TSR-3061 %s: the processes passed pointers to different allocations; nothing was freed, pass "
                          "each process's pointer to the same one", call);
  tsr_armci_batches_flush(-1);
  tessera_status_t status = tsr_armci_free_later(tsr_segment_find(team, id));
  tsr_stats_end(TSR_STAT_FREE, begun_ns, 0);
  return tsr_armci_code(status);
}

int PARMCI_Malloc(void **ptrs, armci_size_t bytes) {
  return allocate_memory("ARMCI_Malloc", ptrs, bytes, tsr_armci_default_group());
}
int PARMCI_Malloc_group(void **ptrs, armci_size_t bytes, ARMCI_Group *group) {
  return allocate_memory("ARMCI_Malloc_group", ptrs, bytes, group);
}
int PARMCI_Malloc_memdev(void **ptrs, armci_size_t bytes, const char *device) {
  (void)device;
  return allocate_memory("ARMCI_Malloc_memdev", ptrs, bytes, tsr_armci_default_group());
}
int PARMCI_Malloc_group_memdev(void **ptrs, armci_size_t bytes, ARMCI_Group *group, const char *device) {
  (void)device;
  return allocate_memory("ARMCI_Malloc_group_memdev", ptrs, bytes, group);
}

int PARMCI_Free(void *ptr) { return release_memory("ARMCI_Free", ptr, tsr_armci_default_group()); }
int PARMCI_Free_group(void *ptr, ARMCI_Group *group) { return release_memory("ARMCI_Free_group", ptr, group); }
int PARMCI_Free_memdev(void *ptr) { return release_memory("ARMCI_Free_memdev", ptr, tsr_armci_default_group()); }

/* ---- Local allocations ---- */

void *PARMCI_Malloc_local(armci_size_t bytes) {
  if (tsr_armci_check_up("ARMCI_Malloc_local")) return NULL;
  if (bytes < 0) {
    (void)tsr_armci_fail(FAIL3, "TSR-3062 ARMCI_Malloc_local: bytes is %ld; pass 0 or more", bytes);
    return NULL;
  }
  uint64_t off;
  tessera_status_t status = tsr_segment_local_alloc(TSR_API_ARMCI, (size_t)bytes, &off);
  return status ? NULL : tsr_heap_at(tsr_heap.self, off);
}

int PARMCI_Free_local(void *ptr) {
  int code = tsr_armci_check_up("ARMCI_Free_local");
  if (code || !ptr) return code;
  uint32_t local;
  uint64_t off;
  bool own = tsr_heap_contains(ptr, &local, &off) && local == tsr_heap.self;
  if (own && tsr_segment_local_free(TSR_API_ARMCI, off) == TESSERA_OK) return 0;
  return tsr_armci_fail(FAIL6, "TSR-3063 ARMCI_Free_local: no local allocation begins at %p; pass a pointer that "
                        "ARMCI_Malloc_local returned, and free it once", ptr);
}

/* ---- Descriptions, by which other processes access local allocations ---- */

void PARMCI_Memget(size_t bytes, armci_meminfo_t *meminfo, int memflg) {
  tsr_armci_must_be_up("ARMCI_Memget");
  if (!meminfo) tsr_armci_die("TSR-3048 ARMCI_Memget: meminfo is NULL; pass where to store the description");
  if (!bytes || memflg)
    tsr_armci_die("TSR-3049 ARMCI_Memget: %zu bytes with flag %d; pass at least 1 byte, and flag 0", bytes, memflg);
  uint64_t off;
  if (tsr_segment_local_alloc(TSR_API_ARMCI, bytes, &off))
    tsr_armci_die("TSR-3050 ARMCI_Memget: no memory for %zu bytes; enlarge TESSERA_HEAP_SIZE", bytes);
  char *made = tsr_heap_at(tsr_heap.self, off);
  *meminfo = (armci_meminfo_t){.armci_addr = made, .addr = made, .size = bytes, .cpid = tsr_place.self};
}

/* An invalid description ends the job. */
static tsr_addr address_of(const char *call, const armci_meminfo_t *meminfo) {
  tsr_addr address;
  tsr_armci_must_be_up(call);
  if (!meminfo) tsr_armci_die("TSR-3052 %s: meminfo is NULL; pass a description that ARMCI_Memget stored", call);
  bool good = meminfo->armci_addr && tsr_armci_has(meminfo->cpid) && meminfo->size <= PTRDIFF_MAX;
  if (good) good = tsr_armci_address(meminfo->armci_addr, 0, (ptrdiff_t)meminfo->size, meminfo->cpid, &address);
  if (!good || tsr_addr_is_outside(address))
    tsr_armci_die("TSR-3053 %s: meminfo describes no memory: it was freed, or ARMCI_Memget did not fill it in; pass a live one",
                  call);
  return address;
}

void *PARMCI_Memat(armci_meminfo_t *meminfo, long offset) {
  tsr_addr address = address_of("ARMCI_Memat", meminfo);
  if (offset < 0 || (size_t)offset > meminfo->size)
    tsr_armci_die("TSR-3054 ARMCI_Memat: offset is %ld; pass 0 to %zu, the size of the memory", offset, meminfo->size);
  char *begin = tsr_place_pointer(address);
  return (begin ? begin : meminfo->armci_addr) + offset;
}

void PARMCI_Memdt(armci_meminfo_t *meminfo, long offset) {
  (void)offset;
  (void)address_of("ARMCI_Memdt", meminfo);
}

void PARMCI_Memctl(armci_meminfo_t *meminfo) {
  tsr_addr address = address_of("ARMCI_Memctl", meminfo);
  if (address.unit.id == tsr_place.self && tsr_segment_local_free(TSR_API_ARMCI, address.off))
    tsr_armci_die("TSR-3055 ARMCI_Memctl: no memory of ARMCI_Memget begins at %p; free it once", (void *)meminfo->armci_addr);
  meminfo->armci_addr = meminfo->addr = NULL;
}

TSR_ARMCI_NAME(Malloc);
TSR_ARMCI_NAME(Malloc_group);
TSR_ARMCI_NAME(Malloc_memdev);
TSR_ARMCI_NAME(Malloc_group_memdev);
TSR_ARMCI_NAME(Free);
TSR_ARMCI_NAME(Free_group);
TSR_ARMCI_NAME(Free_memdev);
TSR_ARMCI_NAME(Malloc_local);
TSR_ARMCI_NAME(Free_local);
TSR_ARMCI_NAME(Memget);
TSR_ARMCI_NAME(Memat);
TSR_ARMCI_NAME(Memdt);
TSR_ARMCI_NAME(Memctl);
