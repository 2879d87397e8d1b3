/* Static variables, moved into the heap: afterwards the pages of an image's writable data are a second mapping of pages of the own
 * heap, so that the other units of the node reach them there. Addresses and contents stay. */
#ifndef TSR_NODE_DATA_H
#define TSR_NODE_DATA_H

#include <stddef.h>

#include <tessera.h>

#include "node/images.h"

/* Copies the pages of n images to their `alias`, which is a page boundary in the own heap, and maps the copies in place of the
 * originals. Zero pages that were never touched still take no memory. No other thread may change the pages meanwhile. After a fork
 * the child has pages of its own. The caller keeps the list, unchanged, until the end. TESSERA_ERR_SYSTEM: nothing has changed. */
tessera_status_t tsr_data_share(const struct tsr_image images[], size_t n);

/* Gives the images private pages again, with what is in them now; does nothing if they have. The other units must have stopped
 * using them. TESSERA_ERR_SYSTEM or TESSERA_ERR_MEMORY: some of them are still shared. */
tessera_status_t tsr_data_unshare(void);

#endif
