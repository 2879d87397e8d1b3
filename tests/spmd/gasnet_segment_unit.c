/* GASNET_MAX_SEGSIZE takes the units of gasnett_parse_int, and fractions of the host's memory.
 * Units: 1 2 */
#include "gasnet_check.h"

#include <gasnet_tools.h>

int main(int argc, char **argv) {
  static const char *const texts[] = {"2MB", "2 MiB/P", "2048k", "2097152", "0.001953125GB"};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    setenv("GASNET_MAX_SEGSIZE", texts[i], 1);
    start(&argc, &argv);
    CHECK_EQ(gasnet_getMaxLocalSegmentSize(), 2 << 20);
    CHECK_EQ(gasnet_getMaxGlobalSegmentSize(), 2 << 20);
    OK(tessera_gex_finalize(client));
  }
  setenv("GASNET_MAX_SEGSIZE", "1%", 1);
  start(&argc, &argv);
  uintptr_t most = gasnet_getMaxLocalSegmentSize(), memory = gasnett_getPhysMemSz(1);
  CHECK(most > 0 && most <= memory / 100);
  return finish();
}
