/* The static variables of the program, moved into the heap: afterwards the pages of its writable data are a second mapping of pages
 * of the own heap, so that the other units of the node reach them there. Addresses and contents stay. */
#ifndef TSR_NODE_DATA_H
#define TSR_NODE_DATA_H

#include <stdbool.h>
#include <stddef.h>

#include <tessera.h>

/* The pages of the writable data of the program itself, without what the dynamic linker has made read-only. False: none was found. */
bool tsr_data_find(char **begin, size_t *bytes);

/* Copies [begin, begin + bytes), whole pages, to `alias` in the own heap, and maps those pages in their place. Pages that were never
 * touched stay so. No other thread may change the range meanwhile. After a fork the child has pages of its own. TESSERA_ERR_SYSTEM:
 * nothing has changed. */
tessera_status_t tsr_data_share(char *begin, size_t bytes, char *alias);
/* The reverse: private pages with the present contents. */
tessera_status_t tsr_data_unshare(void);

#endif
