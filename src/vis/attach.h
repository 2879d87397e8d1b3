/* Layouts and iovecs in private memory of another process of the node: the kernel copies (node/attach). */
#ifndef TSR_VIS_ATTACH_H
#define TSR_VIS_ATTACH_H

#include "core/address.h"
#include "node/attach.h"
#include "vis/layout.h"
#include "vis/iov.h"

/* Copies the byte stream of one layout to the other; both have the same number of bytes. `ours` is memory of this
 * process, `theirs` lies outside the heaps. On return the copy is complete. TESSERA_ERR_UNSUPPORTED: the unit is on
 * another node, or the kernel denies the copy; the caller then sends requests. Other errors are those of
 * tsr_attach_copy. */
tessera_status_t tsr_attach_layout(enum tsr_attach_way way, void *ours, const tsr_layout *our_layout, tsr_addr theirs,
                                   const tsr_layout *their_layout);
/* The same for iovecs. */
tessera_status_t tsr_attach_iov(enum tsr_attach_way way, void *ours, const tsr_iov *our_iov, tsr_addr theirs,
                                 const tsr_iov *their_iov);

#endif
