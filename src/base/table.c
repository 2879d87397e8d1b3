#include "base/table.h"

#include <stdlib.h>

static uint32_t blocks_for(uint32_t entries_n) { return (entries_n + TSR_TABLE_BLOCK_N - 1) / TSR_TABLE_BLOCK_N; }

tsr_table tsr_table_make(uint32_t entries_n, size_t entry_bytes) {
  return (tsr_table){calloc(blocks_for(entries_n), sizeof(_Atomic(char *))), entries_n, (uint32_t)entry_bytes};
}

void tsr_table_free(tsr_table *table) {
  for (uint32_t i = 0; table->blocks && i < blocks_for(table->entries_n); i++) free(atomic_load(&table->blocks[i]));
  free(table->blocks);
  *table = (tsr_table){0};
}

size_t tsr_table_bytes(uint32_t entries_n, size_t entry_bytes, uint32_t blocks_n) {
  return blocks_for(entries_n) * sizeof(_Atomic(char *)) + (size_t)blocks_n * TSR_TABLE_BLOCK_N * entry_bytes;
}

/* Of two threads that make a block, one wins. */
void *tsr_table_add(tsr_table *table, uint32_t number) {
  _Atomic(char *) *place = &table->blocks[number / TSR_TABLE_BLOCK_N];
  char *mine = calloc(TSR_TABLE_BLOCK_N, table->entry_bytes), *before = NULL;
  if (!mine) return NULL;
  /* Partner: the acquire in tsr_table_find. */
  if (!atomic_compare_exchange_strong_explicit(place, &before, mine, memory_order_acq_rel, memory_order_acquire))
    free(mine);
  return tsr_table_find(table, number);
}

void tsr_table_each(tsr_table *table, void (*visit)(void *entry, uint32_t number)) {
  for (uint32_t first = 0; table->blocks && first < table->entries_n; first += TSR_TABLE_BLOCK_N) {
    char *block = atomic_load_explicit(&table->blocks[first / TSR_TABLE_BLOCK_N], memory_order_acquire);
    for (uint32_t i = 0; block && i < TSR_TABLE_BLOCK_N && first + i < table->entries_n; i++)
      visit(block + (size_t)i * table->entry_bytes, first + i);
  }
}
