/* Global memory of the native interface: segments, and addresses in them. */
#include <tessera/memory.h>

#include "api/native/native_api.h"
#include "core/segment.h"

static tessera_status_t null_argument(const char *name, const char *which) {
  return tsr_fail(TESSERA_ERR_ARG, "TSR-1062 %s: %s is NULL; pass where to store the result", name, which);
}

/* ---- addresses ---- */

static tessera_status_t no_memory(const char *name, tessera_memory_t memory) {
  if (!tsr_native_team((tessera_team_t){memory.team})) return tsr_native_no_team(name, (tessera_team_t){memory.team});
  return tsr_fail(TESSERA_ERR_NOT_FOUND, "TSR-1063 %s: team %d has no memory %d; it was freed, or never allocated", name,
                  memory.team, memory.id);
}

/* The whole heaps are segment 0 of the world. In this interface their id is TESSERA_HEAP_ID, since a tessera_memory_t with id 0,
 * such as one that was freed or never set, is no memory. */
static tsr_segment *segment_of(tessera_memory_t memory) {
  tsr_team *team = tsr_native_team((tessera_team_t){memory.team});
  if (!team || memory.id == TSR_SEGMENT_LOCAL) return NULL;
  if (memory.id == TESSERA_HEAP_ID) return team == tsr_team_world ? tsr_segment_find(team, TSR_SEGMENT_LOCAL) : NULL;
  return tsr_segment_find(team, memory.id);
}

static tessera_status_t out_of_range(const char *name, tessera_address_t address, size_t bytes) {
  const tsr_segment *segment = segment_of(address.memory);
  if (!segment) return no_memory(name, address.memory);
  if (!tsr_team_has(segment->team, TSR_MEMBER(address.member)))
    return tsr_fail(TESSERA_ERR_RANGE, "TSR-1064 %s: member %d is not in team %d; pass 0 to %d", name, address.member,
                    address.memory.team, segment->team->size - 1);
  if (!tsr_segment_lasts(segment, TSR_MEMBER(address.member)))
    return tsr_fail(TESSERA_ERR_NOT_FOUND, "TSR-1065 %s: member %d has deregistered memory %d of team %d; let it do so after all "
                    "transfers", name, address.member, address.memory.id, address.memory.team);
  return tsr_fail(TESSERA_ERR_RANGE,
                  "TSR-1066 %s: %zu bytes at offset %llu exceed the %llu bytes of member %d in memory %d of team "
                  "%d; correct offset or size",
                  name, bytes, (unsigned long long)address.offset,
                  (unsigned long long)tsr_segment_bytes(segment, TSR_MEMBER(address.member)), address.member, address.memory.id,
                  address.memory.team);
}

tessera_status_t tsr_native_address(const char *name, tessera_address_t address, size_t bytes, tsr_addr *found) {
  const tsr_segment *segment = segment_of(address.memory);
  const tsr_member member = TSR_MEMBER(address.member);
  if (!segment || !tsr_team_has(segment->team, member) || !tsr_segment_holds(segment, member, address.offset, bytes) ||
      !tsr_segment_lasts(segment, member))
    return out_of_range(name, address, bytes);
  *found = tsr_segment_address(segment, member, address.offset);
  return TESSERA_OK;
}

tessera_status_t tessera_address_pointer(tessera_address_t address, size_t bytes, void **pointer) {
  tsr_addr found = {.off = 0};
  if (!pointer) return null_argument(__func__, "pointer");
  tessera_status_t status = tsr_native_address(__func__, address, bytes, &found);
  if (!status) *pointer = tsr_place_pointer(found);
  return status;
}

tessera_status_t tessera_memory_bytes(tessera_memory_t memory, int32_t member, size_t *bytes) {
  tsr_addr found = {.off = 0};
  if (!bytes) return null_argument(__func__, "bytes");
  tessera_status_t status = tsr_native_address(__func__, tessera_address(memory, member, 0), 0, &found);
  if (!status) *bytes = tsr_segment_bytes(segment_of(memory), TSR_MEMBER(member));
  return status;
}

/* ---- allocation ---- */

/* A member with wrong arguments takes part nevertheless, so that the others fail instead of waiting. */
static tessera_status_t make_memory(const char *name, tessera_team_t number, bool registers, void *data, size_t bytes,
                                    tessera_memory_t *memory) {
  uint64_t begun_ns = tsr_stats_begin();
  tsr_team *team = tsr_native_team(number);
  tsr_segment *segment = NULL;
  if (!team) return tsr_native_no_team(name, number);
  tessera_status_t wrong = TESSERA_OK;
  if (!memory) wrong = null_argument(name, "memory");
  else if (bytes > PTRDIFF_MAX)
    wrong = tsr_fail(TESSERA_ERR_ARG, "TSR-1067 %s: %zu bytes exceed the address space; correct the size", name, bytes);
  else if (registers && bytes && !data)
    wrong = tsr_fail(TESSERA_ERR_ARG, "TSR-1068 %s: data is NULL for %zu bytes; pass their address, or register none", name, bytes);
  size_t asked = wrong ? TSR_SEGMENT_FAILED : bytes;
  tessera_status_t status =
      registers ? tsr_segment_register(team, data, asked, &segment) : tsr_segment_alloc(team, asked, &segment);
  if (wrong || status) return wrong ? wrong : status;
  segment->api = TSR_API_NATIVE;
  *memory = (tessera_memory_t){team->id, segment->id};
  tsr_stats_end(registers ? TSR_STAT_REGISTER : TSR_STAT_ALLOC, begun_ns, bytes);
  return TESSERA_OK;
}

tessera_status_t tessera_memory_allocate(tessera_team_t team, size_t bytes, tessera_memory_t *memory) {
  return make_memory(__func__, team, false, NULL, bytes, memory);
}
tessera_status_t tessera_memory_register(tessera_team_t team, void *data, size_t bytes, tessera_memory_t *memory) {
  return make_memory(__func__, team, true, data, bytes, memory);
}

static tessera_status_t end_memory(const char *name, tessera_memory_t *memory, bool registers) {
  uint64_t begun_ns = tsr_stats_begin();
  if (!memory)
    return tsr_fail(TESSERA_ERR_ARG, "TSR-1069 %s: memory is NULL; pass a pointer to the memory to free or deregister", name);
  tsr_segment *segment = memory->id == TESSERA_HEAP_ID ? NULL : segment_of(*memory);
  if (!segment) return no_memory(name, *memory);
  if (segment->api != TSR_API_NATIVE || registers != (memory->id < 0))
    return tsr_fail(TESSERA_ERR_UNSUPPORTED, "TSR-1070 %s: memory %d of team %d was %s; end it with the call that belongs to that",
                    name, memory->id, memory->team,
                    segment->api != TSR_API_NATIVE ? "made by another interface"
                    : memory->id < 0               ? "registered"
                                                   : "allocated");
  tessera_status_t status = registers ? tsr_segment_deregister(segment) : tsr_segment_free(segment);
  if (status == TESSERA_ERR_ARG) return no_memory(name, *memory);
  if (status) return status;
  memory->id = 0;
  tsr_stats_end(registers ? TSR_STAT_DEREGISTER : TSR_STAT_FREE, begun_ns, 0);
  return TESSERA_OK;
}

tessera_status_t tessera_memory_free(tessera_memory_t *memory) { return end_memory(__func__, memory, false); }
tessera_status_t tessera_memory_deregister(tessera_memory_t *memory) { return end_memory(__func__, memory, true); }

tessera_status_t tessera_local_allocate(size_t bytes, tessera_address_t *address) {
  uint64_t begun_ns = tsr_stats_begin(), off;
  if (!tsr_api_is_up[TSR_API_NATIVE]) return tsr_native_no_team(__func__, tessera_team_world());
  if (!address) return null_argument(__func__, "address");
  tessera_status_t status = tsr_segment_local_alloc(TSR_API_NATIVE, bytes, &off);
  if (status) return status;
  *address = tessera_address((tessera_memory_t){tsr_team_world->id, TESSERA_HEAP_ID}, tsr_place.self, off);
  tsr_stats_end(TSR_STAT_ALLOC, begun_ns, bytes);
  return TESSERA_OK;
}

tessera_status_t tessera_local_free(tessera_address_t address) {
  uint64_t begun_ns = tsr_stats_begin();
  if (!tsr_api_is_up[TSR_API_NATIVE]) return tsr_native_no_team(__func__, tessera_team_world());
  bool is_own =
      address.memory.team == tsr_team_world->id && address.memory.id == TESSERA_HEAP_ID && address.member == tsr_place.self;
  tessera_status_t status = is_own ? tsr_segment_local_free(TSR_API_NATIVE, address.offset) : TESSERA_ERR_NOT_FOUND;
  if (status == TESSERA_ERR_NOT_FOUND)
    return tsr_fail(status,
                    "TSR-1071 %s: offset %llu of member %d in memory %d of team %d is no local allocation of this unit; pass an "
                    "address of tessera_local_allocate, once",
                    __func__, (unsigned long long)address.offset, address.member, address.memory.id, address.memory.team);
  tsr_stats_end(TSR_STAT_FREE, begun_ns, 0);
  return status;
}
