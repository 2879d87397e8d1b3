/* Many units change the same numbers at once.
 * Group: gasnet_calls
 */
#include "gasnet_atomic_shared.h"

int main(int argc, char **argv) {
  begin(&argc, &argv);
  change_all(self);
  return end(1);
}
