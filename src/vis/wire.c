#include "vis/wire.h"

#include <stdlib.h>

#include "core/place.h"
#include "vis/kernels.h"

struct tsr_net_request tsr_wire_request(enum tsr_handler handler, tsr_addr target, size_t runs_n, size_t bytes) {
  return (struct tsr_net_request){.rank = tsr_place_endpoint(target),
                                  .handler = (uint8_t)handler,
                                  .args = {(uint64_t)target.unit.id, runs_n, bytes},
                                  .payload_bytes = runs_n * TSR_WIRE_RUN_BYTES};
}

struct tsr_landing *tsr_landing_new(size_t places_n, size_t bytes) {
  size_t list_bytes = places_n * sizeof(struct tsr_landing_place);
  struct tsr_landing *landing = malloc(sizeof *landing + list_bytes + bytes);
  if (!landing) return NULL;
  landing->data = (char *)(landing + 1) + list_bytes;
  landing->places_n = places_n;
  return landing;
}

void tsr_landing_unpack(void *arg) {
  struct tsr_landing *landing = arg;
  const char *data = landing->data;
  for (size_t i = 0; i < landing->places_n; i++) {
    tsr_copy_run(landing->place[i].to, data, landing->place[i].bytes);
    data += landing->place[i].bytes;
  }
  free(landing);
}
