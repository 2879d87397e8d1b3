/* Entries by number, made when they are first used: for data on many peers of which the process uses few. A block of consecutive
 * entries is made at a time. An entry is all zeros at first, and stays where it is until the end. Any thread may find and make
 * entries. */
#ifndef TSR_BASE_TABLE_H
#define TSR_BASE_TABLE_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

enum { TSR_TABLE_BLOCK_N = 16 };

/* All zeros: a table without entries. */
typedef struct tsr_table {
  _Atomic(char *) *blocks;
  uint32_t entries_n; /* numbers are below */
  uint32_t entry_bytes;
} tsr_table;

/* NULL blocks: no private memory (not logged). `entry_bytes` is a size, as of sizeof. */
tsr_table tsr_table_make(uint32_t entries_n, size_t entry_bytes);
/* No other thread uses the table. */
void tsr_table_free(tsr_table *table);

/* Bytes of a table of which that many blocks are made. */
size_t tsr_table_bytes(uint32_t entries_n, size_t entry_bytes, uint32_t blocks_n);

/* NULL: its block is not made yet. */
static inline void *tsr_table_find(const tsr_table *table, uint32_t number) {
  char *block = atomic_load_explicit(&table->blocks[number / TSR_TABLE_BLOCK_N], memory_order_acquire);
  return __builtin_expect(block != NULL, 1) ? block + (size_t)(number % TSR_TABLE_BLOCK_N) * table->entry_bytes : NULL;
}

/* Makes its block if need be. NULL: no private memory (not logged). */
void *tsr_table_add(tsr_table *table, uint32_t number);
static inline void *tsr_table_use(tsr_table *table, uint32_t number) {
  void *entry = tsr_table_find(table, number);
  return __builtin_expect(entry != NULL, 1) ? entry : tsr_table_add(table, number);
}

/* Calls visit(entry, number) for each entry of the blocks that are made, in the order of their numbers. */
void tsr_table_each(tsr_table *table, void (*visit)(void *entry, uint32_t number));

#endif
