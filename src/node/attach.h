/* Memory of other processes of the node that is not shared: the kernel copies between it and our own (cross-memory
 * attach). It refuses where units may not trace each other, and some systems do not have it: then nothing can be
 * copied, and the caller asks the owner.
 */
#ifndef TSR_NODE_ATTACH_H
#define TSR_NODE_ATTACH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#include <tessera.h>

enum tsr_attach_way { TSR_ATTACH_GET /* theirs to ours */, TSR_ATTACH_PUT /* ours to theirs */ };

/* Publishes what others need to reach this unit's memory, and lets them; a barrier of the node comes before anybody
 * copies. The node's memory is mapped. TESSERA_ERR_MEMORY. */
tessera_status_t tsr_attach_start(void);
void tsr_attach_stop(void);

/* Whether memory of this unit of the node can be copied; found out by trying, the first time. Any thread. */
bool tsr_attach_works(uint32_t local);

/* Copies all bytes of one list to the other; both hold equally many. `theirs` are addresses as that unit knows them.
 * Any number of entries, also empty ones, of any size. Return: complete. Any thread. Cost: a system call for some
 * hundred entries or a GiB.
 * TESSERA_ERR_UNSUPPORTED: the unit cannot be reached (see tsr_attach_works; not logged again): ask it; part may have
 * been copied. TESSERA_ERR_SYSTEM: memory on one of the sides is not there, or may not be written; logged. */
tessera_status_t tsr_attach_copy(uint32_t local, enum tsr_attach_way way, const struct iovec *ours, size_t ours_n,
                                 const struct iovec *theirs, size_t theirs_n);

#endif
