/* GASNet's tools beside GASNet itself, before its start and after. */
#if !defined(GASNET_PAR) && !defined(GASNET_PARSYNC)
#define GASNET_SEQ 1
#endif
#include <gasnetex.h>

#include <gasnet_tools.h>

#include <signal.h>

#include "gasnet_tools_check.h"

#if GASNET_SEQ ? GASNETT_THREAD_SAFE || GASNETT_MAX_THREADS != 1 : !GASNETT_THREAD_SAFE || GASNETT_MAX_THREADS < 2
#error "the tools follow GASNet's mode"
#endif

int main(int argc, char **argv) {
  all_tools();
  gex_Client_t client;
  gex_EP_t ep;
  gex_TM_t all;
  CHECK_EQ(gex_Client_Init(&client, &ep, &all, "TOOLS", &argc, &argv, 0), GASNET_OK);
  times();
  atomics();
  numbers();
  environment();
  CHECK_EQ(tessera_gex_finalize(client), GASNET_OK);
  return check_result();
}
