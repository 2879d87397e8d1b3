#include "net/common/long.h"

#include <stdlib.h>

/* A free one holds the link to the next. They are kept: giving the memory back and asking for it again would cost more than
 * the copies for which it is taken. */
struct free_one {
  struct free_one *next;
};
static struct free_one *first;

struct tsr_wire_header *tsr_wire_long_take(int rank) {
  struct free_one *one = first;
  if (one) {
    first = one->next;
    return (struct tsr_wire_header *)one;
  }
  size_t room = tsr_wire_room_for(tsr_net_limits.payload_bytes);
  struct tsr_wire_header *made = aligned_alloc(TSR_WIRE_ALIGN, room);
  if (!made)
    tsr_wire_fatal("TSR-0213 no private memory for a message of %zu bytes to or from rank %d; lower TESSERA_WIRE_BUFFER_SIZE",
                  room, rank);
  return made;
}

void tsr_wire_long_give(void *buffer) {
  struct free_one *one = buffer;
  if (!one) return;
  one->next = first;
  first = one;
}

void tsr_wire_longs_stop(void) {
  for (struct free_one *one; (one = first);) {
    first = one->next;
    free(one);
  }
}
