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

static void formats(void) {
  gex_Memvec_t pieces[2] = {{&pieces[0], 8}, {&pieces[1], 16}};
  void *places[2] = {&pieces[0], NULL};
  const ptrdiff_t strides[2] = {-8, 100};
  char text[512];
  CHECK(gasnett_format_memveclist_bufsz(2) <= sizeof text && gasnett_format_addrlist_bufsz(2) <= sizeof text);
  CHECK(gasnett_format_strides_bufsz(2) <= sizeof text);
  CHECK_EQ(gasnett_format_memveclist(text, 2, pieces), 24);
  CHECK(strlen(text) < gasnett_format_memveclist_bufsz(2));
  CHECK_EQ(gasnett_format_addrlist(text, 2, places, 4), 8);
  CHECK(strlen(text) < gasnett_format_addrlist_bufsz(2));
  gasnett_format_strides(text, 2, strides);
  CHECK(!strcmp(text, "[-8, 100]"));
  CHECK_EQ(gasnett_format_dt(NULL, GEX_DT_I32 | GEX_DT_DBL), sizeof "GEX_DT_I32|GEX_DT_DBL");
  gasnett_format_dt(text, GEX_DT_I32 | GEX_DT_DBL);
  CHECK(!strcmp(text, "GEX_DT_I32|GEX_DT_DBL"));
  gasnett_format_op(text, GEX_OP_FCAS);
  CHECK(!strcmp(text, "GEX_OP_FCAS"));
  gasnett_format_ti(text, 0);
  CHECK(!strcmp(text, "0"));
}

int main(int argc, char **argv) {
  all_tools();
  formats();
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
