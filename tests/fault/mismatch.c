/* The last unit makes another collective call than the others. */
#include <stdlib.h>
#include <string.h>

#include <dash/dart/if/dart.h>

#include "coll/coll.h"
#include "core/place.h"

int main(int argc, char **argv) {
  if (argc < 2 || tessera_init(&argc, &argv)) return EXIT_FAILURE;
  bool odd = tsr_place.self == tsr_place.units_n - 1;
  char data[64] = {0};
  tsr_bcast(tsr_team_world, data, 8, TSR_MEMBER(0)); /* all alike */
  if (strcmp(argv[1], "root") == 0) tsr_bcast(tsr_team_world, data, 8, TSR_MEMBER(odd));
  if (strcmp(argv[1], "size") == 0) tsr_bcast(tsr_team_world, data, odd ? 16 : 8, TSR_MEMBER(0));
  tsr_reducer sum = tsr_reducer_make(TSR_I64, TSR_SUM), other = sum;
  if (strcmp(argv[1], "operation") == 0) other = tsr_reducer_make(TSR_I64, TSR_MAX);
  if (strcmp(argv[1], "type") == 0) other = tsr_reducer_make(TSR_F64, TSR_SUM);
  if (other.op != sum.op || other.type != sum.type) tsr_allreduce(tsr_team_world, data, data + 8, 1, odd ? &other : &sum);
  if (strcmp(argv[1], "call") == 0) {
    if (odd) tsr_barrier(tsr_team_world);
    else tsr_bcast(tsr_team_world, data, 8, TSR_MEMBER(0));
  }
  if (strcmp(argv[1], "nothing") == 0 && dart_init(NULL, NULL) == DART_OK) {
    dart_bcast(data, odd ? 0 : 8, DART_TYPE_BYTE, (dart_team_unit_t){0}, DART_TEAM_ALL);
    dart_exit();
  }
  tessera_exit();
  return EXIT_SUCCESS;
}
