/* Memory of other processes of the node that is not shared: the kernel copies between it and our own (cross-memory attach). If it
 * does not permit that, the caller asks the owner. */
#ifndef TSR_NODE_ATTACH_H
#define TSR_NODE_ATTACH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include <tessera.h>

enum tsr_attach_way { TSR_ATTACH_GET /* theirs to ours */, TSR_ATTACH_PUT /* ours to theirs */ };

/* Publishes how to access this unit's memory, and permits it; a barrier of the node follows before the first copy.
 * The node's memory is mapped. TESSERA_ERR_MEMORY. */
tessera_status_t tsr_attach_start(void);
void tsr_attach_stop(void);

/* Whether memory of this unit of the node can be copied; found out by trying, the first time. Any thread. */
bool tsr_attach_works(uint32_t local);
/* The same, found out anew: the unit may have started again. */
bool tsr_attach_works_now(uint32_t local);

/* From this size on, one copy by the kernel is faster than two copies through the node's memory, as far as is known. For a caller
 * that has the choice. coll/direct_speed measures it when the runtime starts; it need not be the same in all units. */
enum { TSR_ATTACH_FROM = 8 << 10, TSR_ATTACH_FROM_IF_SLOW = 512 << 10 };
extern size_t tsr_attach_from;

/* Switches silent probing on or off, for a caller that only wants to know: while it is on, tsr_attach_works logs nothing if the
 * kernel does not permit a copy. Such units are probed again, and logged, when a transfer needs the kernel later. Call it before
 * other threads use these functions. */
void tsr_attach_try_silently(bool silently);

/* One side of a copy: memory, entry by entry, so that a list of any length and kind needs no array. */
struct tsr_attach_side {
  struct iovec entry;                         /* the first; later the one that `next` has written. May be empty */
  bool (*next)(struct tsr_attach_side *side); /* writes the entry that follows; false: there is none. NULL: one is all */
};
static inline struct tsr_attach_side tsr_attach_one(void *memory, size_t bytes) {
  return (struct tsr_attach_side){{memory, bytes}, NULL};
}

/* Copies all bytes of one side to the other; both hold equally many. `theirs` are addresses as that unit knows them. The
 * sides are consumed. Return: complete. Any thread. Cost: a system call for some hundred entries or two GiB.
 * TESSERA_ERR_UNSUPPORTED: the unit cannot be reached (see tsr_attach_works; not logged again): ask it; part may have
 * been copied. TESSERA_ERR_SYSTEM: memory on one of the sides is not there, or may not be written; logged. */
tessera_status_t tsr_attach_copy(uint32_t local, enum tsr_attach_way way, struct tsr_attach_side *ours,
                                 struct tsr_attach_side *theirs);

/* The same for a caller that has another way: TESSERA_ERR_SYSTEM is not logged; errno has the reason, theirs->entry
 * the position. After TESSERA_ERR_UNSUPPORTED errno is ESRCH if the unit has died, else EPERM. */
tessera_status_t tsr_attach_try(uint32_t local, enum tsr_attach_way way, struct tsr_attach_side *ours,
                                struct tsr_attach_side *theirs);

#endif
