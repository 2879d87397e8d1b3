/* A check of TESSERA_CHECK=1: two units of a node access the same bytes, one of them writes, and nothing orders the two.
 *
 * Contiguous accesses leave traces in the node's memory, for a sample of their cache lines: the first, the last and one more. A
 * trace counts until its unit synchronises: takes part in a collective call, releases a lock, changes a word atomically, notifies,
 * or sends a message. Before that no other unit can know that the access is over. So what is reported is a conflict, unless the
 * program orders its accesses by other means than Tessera's: MPI, or stores of its own. Many conflicts are not found: of units of
 * different nodes, of accesses through pointers, and those whose traces others have overwritten.
 *
 * An access of up to 8 bytes, aligned to their number, may be a flag, which orders others: it leaves no trace, and synchronises. */
#ifndef TSR_CORE_CONFLICT_H
#define TSR_CORE_CONFLICT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/config.h"
#include "core/address.h"

/* Called before an access to `bytes` from `address` on; warns of conflicts. `call`: the name of the program's call. Any thread. */
void tsr_conflict_note_slow(const char *call, bool writes, tsr_addr address, uint64_t bytes) __attribute__((cold));
static inline void tsr_conflict_note(const char *call, bool writes, tsr_addr address, uint64_t bytes) {
  if (__builtin_expect(tsr_config_check(), 0)) tsr_conflict_note_slow(call, writes, address, bytes);
}

/* Called before this unit synchronises, so that its traces no longer count when another unit knows of it. Any thread. */
void tsr_conflict_sync_slow(void) __attribute__((cold));
static inline void tsr_conflict_sync(void) {
  if (__builtin_expect(tsr_config_check(), 0)) tsr_conflict_sync_slow();
}

#endif
