/* Programs that end without ending GASNet: by gasnet_exit(0) on some units, by exit, and by returning from main on
 * others, at different times. */
#define GASNET_SEQ 1
#include <gasnetex.h>

#include <unistd.h>

#include "check.h"

int main(int argc, char **argv) {
  gex_Client_t client;
  gex_EP_t ep;
  gex_TM_t all;
  if (gex_Client_Init(&client, &ep, &all, "EXIT", &argc, &argv, 0)) return EXIT_FAILURE;
  int self = (int)gex_TM_QueryRank(all);
  CHECK_EQ(gasnet_barrier(1, 0), GASNET_OK);
  usleep(20000 * (unsigned)(self % 3));
  if (check_failures) gasnet_exit(EXIT_FAILURE);
  if (self % 3 == 0) gasnet_exit(0);
  if (self % 3 == 1) exit(EXIT_SUCCESS);
  return EXIT_SUCCESS;
}
