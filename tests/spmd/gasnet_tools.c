/* GASNet's tools together with GASNet, before its start and after. */
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
  char text[1024];
  CHECK(gasnett_format_memveclist_bufsz(2) <= sizeof text && gasnett_format_addrlist_bufsz(2) <= sizeof text);
  CHECK(gasnett_format_strides_bufsz(2) <= sizeof text);
  CHECK_EQ(gasnett_format_memveclist(text, 2, pieces), 24);
  CHECK(strlen(text) < gasnett_format_memveclist_bufsz(2));
  CHECK_EQ(gasnett_format_addrlist(text, 2, places, 4), 8);
  CHECK(strlen(text) < gasnett_format_addrlist_bufsz(2));
  gasnett_format_strides(text, 2, strides);
  CHECK(!strcmp(text, "[-8, 100]"));
  CHECK(gasnett_format_putvgetv_bufsz(2, 1) <= sizeof text && gasnett_format_putigeti_bufsz(2, 1) <= sizeof text);
  CHECK_EQ(gasnett_format_putvgetv(text, NULL, 7, 2, pieces, 1, pieces + 1), 24);
  CHECK(!strncmp(text, "peer 7: 2 pieces of 24 bytes together: 0x", 41) && strstr(text, " from 1 piece of 16 bytes"));
  CHECK(strlen(text) < gasnett_format_putvgetv_bufsz(2, 1));
  CHECK_EQ(gasnett_format_putigeti(text, NULL, GEX_RANK_INVALID, 2, places, 4, 1, places, 8), 8);
  CHECK(strstr(text, "2 pieces of 8 bytes") && strstr(text, " from 1 piece of 8 bytes"));
  CHECK(strlen(text) < gasnett_format_putigeti_bufsz(2, 1));
  const size_t count[2] = {3, 5};
  CHECK(gasnett_format_putsgets_bufsz(2) <= sizeof text);
  CHECK_EQ(gasnett_format_putsgets(text, NULL, NULL, 1, places, strides, pieces, strides, 8, count, 2), 120);
  CHECK(!strncmp(text, "peer 1: 8 bytes * [3, 5] to 0x", 30) && strstr(text, " [-8, 100] from 0x"));
  CHECK(strlen(text) < gasnett_format_putsgets_bufsz(2));
  CHECK_EQ(gasnett_format_putsgets(text, NULL, NULL, 1, places, NULL, pieces, NULL, 8, NULL, 0), 8);
  CHECK_EQ(gasnett_format_dt(NULL, GEX_DT_I32 | GEX_DT_DBL), sizeof "GEX_DT_I32|GEX_DT_DBL");
  gasnett_format_dt(text, GEX_DT_I32 | GEX_DT_DBL);
  CHECK(!strcmp(text, "GEX_DT_I32|GEX_DT_DBL"));
  gasnett_format_op(text, GEX_OP_FCAS);
  CHECK(!strcmp(text, "GEX_OP_FCAS"));
  gasnett_format_ti(text, 0);
  CHECK(!strcmp(text, "0"));
}

enum { SEED = 4711 };

/* All sections pass, alone and together, and each has its effect: only one writes to the peer. */
static void diagnostics(gex_TM_t all, char *const bases[]) {
  gex_Rank_t self = gex_TM_QueryRank(all), peer = (self + 1) % gex_TM_QuerySize(all);
  static const char *const sections[] = {NULL, "A", "B", "C", "D", "DB", ""};
  for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++)
    CHECK_EQ(gasnett_run_diagnostics(50, 3, sections[i], all, bases[self], peer, bases[peer], SEED), 0);
  for (int i = 0; i < GASNETT_PAGESIZE; i++) bases[self][i] = 0;
  gasnett_run_diagnostics(50, 1, "ABD", all, bases[self], peer, bases[peer], SEED);
  CHECK_EQ(gasnett_count0s(bases[self], GASNETT_PAGESIZE), GASNETT_PAGESIZE);
  static char first[GASNETT_PAGESIZE];
  for (unsigned seed = SEED; seed < SEED + 3; seed++) { /* the same seed repeats the content, another one does not */
    gasnett_run_diagnostics(50, 1, "C", all, bases[self], peer, bases[peer], seed);
    CHECK(gasnett_count0s(bases[self], GASNETT_PAGESIZE) < GASNETT_PAGESIZE / 2);
    CHECK(seed == SEED || memcmp(first, bases[self], sizeof first));
    memcpy(first, bases[self], sizeof first);
    gasnett_run_diagnostics(50, 1, "C", all, bases[self], peer, bases[peer], seed);
    CHECK(!memcmp(first, bases[self], sizeof first));
  }
}

static void attach_and_diagnose(gex_TM_t all) {
  gex_Segment_t segment;
  gex_Rank_t n = gex_TM_QuerySize(all);
  char **bases = (char **)malloc(n * sizeof *bases);
  if (!bases) abort();
  CHECK_EQ(gex_Segment_Attach(&segment, all, GASNETT_PAGESIZE), GASNET_OK);
  for (gex_Rank_t rank = 0; rank < n; rank++)
    gex_Event_Wait(gex_EP_QueryBoundSegmentNB(all, rank, (void **)&bases[rank], NULL, NULL, 0));
  diagnostics(all, bases);
  free(bases);
}

int main(int argc, char **argv) {
  all_tools();
  formats();
  gex_Client_t client;
  gex_EP_t ep;
  gex_TM_t all;
  CHECK_EQ(gex_Client_Init(&client, &ep, &all, "TOOLS", &argc, &argv, 0), GASNET_OK);
  gex_AM_Entry_t *table;
  int entries_n;
  gasnett_diagnostic_gethandlers(&table, &entries_n);
  CHECK_EQ(gex_EP_RegisterHandlers(ep, table, (size_t)entries_n), GASNET_OK);
  attach_and_diagnose(all);
  times();
  atomics();
  numbers();
  environment();
  CHECK_EQ(tessera_gex_finalize(client), GASNET_OK);
  return check_result();
}
