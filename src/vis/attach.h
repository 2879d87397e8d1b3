/* Layouts and runs on memory of another process of the node that is not shared: the kernel copies (node/attach). */
#ifndef TSR_VIS_ATTACH_H
#define TSR_VIS_ATTACH_H

#include "core/address.h"
#include "node/attach.h"
#include "vis/layout.h"
#include "vis/iov.h"

/* Copies the elements of one layout to the other, in order of visit; both hold equally many bytes. `ours` is memory of
 * this process, `theirs` lies outside the heaps. Return: complete. TESSERA_ERR_UNSUPPORTED: another node, or the kernel
 * refuses: it takes requests; otherwise as tsr_attach_copy. */
tessera_status_t tsr_attach_layout(enum tsr_attach_way way, void *ours, const tsr_layout *our_layout, tsr_addr theirs,
                                   const tsr_layout *their_layout);
/* The same for lists of runs. */
tessera_status_t tsr_attach_iov(enum tsr_attach_way way, void *ours, const tsr_iov *our_iov, tsr_addr theirs,
                                 const tsr_iov *their_iov);

#endif
