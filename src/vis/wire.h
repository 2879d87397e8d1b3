/* Lists of runs on the wire: the requests in which vector.c and batch.c send them, and where replies go. */
#ifndef TSR_VIS_WIRE_H
#define TSR_VIS_WIRE_H

#include <stddef.h>
#include <stdint.h>

#include "core/address.h"
#include "core/handlers.h"
#include "net/net.h"

/* A list: the offsets in the target's heap, then the bytes of each run; the data of a put follow. */
typedef uint64_t tsr_wire_off;
typedef uint32_t tsr_wire_bytes;
enum { TSR_WIRE_RUN_BYTES = sizeof(tsr_wire_off) + sizeof(tsr_wire_bytes) };

/* A request with a list of `runs_n` runs of `bytes` in all; the caller adds what packs it, and room for data or reply. */
struct tsr_net_request tsr_wire_request(enum tsr_handler handler, tsr_addr target, size_t runs_n, size_t bytes);

/* A reply on its way, and where its bytes go when it is here: the caller's lists are gone by then. */
struct tsr_landing_place {
  char *to;
  size_t bytes;
};
struct tsr_landing {
  char *data; /* room for the reply, behind the places in the same block */
  size_t places_n;
  struct tsr_landing_place place[];
};

/* The caller fills in the places, and frees it unless it is unpacked. NULL: no memory. */
struct tsr_landing *tsr_landing_new(size_t places_n, size_t bytes);

/* Distributes the reply and frees the landing; for tsr_op_request. */
void tsr_landing_unpack(void *landing);

#endif
