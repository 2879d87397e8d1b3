#include "node/memory.h"

enum { HUGE_PAGE_BYTES = 2 << 20 };

static size_t rings_at(uint32_t units_n) {
  return tsr_round_up(sizeof(struct tsr_node_memory) + units_n * sizeof(struct tsr_node_unit), 4096);
}

static size_t rings_n(uint32_t units_n) { return (size_t)units_n * TSR_RING_CLASSES_N + TSR_NODE_AGENTS_MAX; }

static size_t common_at(uint32_t units_n) {
  return tsr_round_up(rings_at(units_n) + rings_n(units_n) * tsr_ring_bytes(), 4096);
}

size_t tsr_memory_control_bytes(uint32_t units_n) {
  return tsr_round_up(common_at(units_n) + (size_t)units_n * TSR_COMMON_BYTES_PER_UNIT, HUGE_PAGE_BYTES);
}

static tsr_ring *ring_at(struct tsr_node_memory *memory, size_t number) {
  return (tsr_ring *)((char *)memory + rings_at(memory->units_n) + number * tsr_ring_bytes());
}

void tsr_memory_init(struct tsr_node_memory *memory, uint32_t units_n, unsigned slice_shift, uint64_t nonce) {
  memory->nonce = nonce;
  memory->layout = TSR_NODE_LAYOUT;
  memory->units_n = units_n;
  memory->heaps_at = tsr_memory_control_bytes(units_n);
  memory->slice_shift = slice_shift;
  memory->awake_n = (int32_t)units_n;
  for (size_t ring = 0; ring < rings_n(units_n); ring++) tsr_ring_init(ring_at(memory, ring));
}

tsr_ring *tsr_memory_ring(struct tsr_node_memory *memory, uint32_t local, enum tsr_ring_class which) {
  return ring_at(memory, (size_t)local * TSR_RING_CLASSES_N + which);
}

tsr_ring *tsr_memory_agent_ring(struct tsr_node_memory *memory, uint32_t agent) {
  return ring_at(memory, (size_t)memory->units_n * TSR_RING_CLASSES_N + agent);
}

void *tsr_memory_common(struct tsr_node_memory *memory) { return (char *)memory + common_at(memory->units_n); }
