/* GASNet-EX: start and end, several times; properties of client and endpoint.
 * Group: gasnet_calls
 */
#include "gasnet_check.h"

static void objects(void) {
  int here;
  CHECK(client != GEX_CLIENT_INVALID && ep != GEX_EP_INVALID && tm != GEX_TM_INVALID);
  CHECK(strcmp(gex_Client_QueryName(client), "TEST") == 0);
  CHECK(gex_EP_QueryClient(ep) == client);
  CHECK(gex_EP_QuerySegment(ep) == GEX_SEGMENT_INVALID);
  CHECK_EQ(gex_EP_QueryIndex(ep), 0);
  CHECK_EQ(gex_EP_QueryFlags(ep), 0);
  CHECK(gex_TM_QueryClient(tm) == client && gex_TM_QueryEP(tm) == ep);
  CHECK_EQ(gex_TM_QueryRank(tm), self);
  CHECK_EQ(gex_TM_QuerySize(tm), units_n);
  CHECK(gex_Client_QueryCData(client) == NULL && gex_EP_QueryCData(ep) == NULL && gex_TM_QueryCData(tm) == NULL);
  gex_Client_SetCData(client, &here);
  gex_EP_SetCData(ep, &client);
  gex_TM_SetCData(tm, &ep);
  CHECK(gex_Client_QueryCData(client) == &here);
  CHECK(gex_EP_QueryCData(ep) == (void *)&client);
  CHECK(gex_TM_QueryCData(tm) == (void *)&ep);
}

/* There is one endpoint. */
static void more(void) {
  gex_EP_t other = GEX_EP_INVALID;
  gex_System_SetVerboseErrors(0);
  CHECK_EQ(gex_EP_Create(&other, client, GEX_EP_CAPABILITY_ALL, 0), GASNET_ERR_RESOURCE);
  CHECK(other == GEX_EP_INVALID);
  gex_System_SetVerboseErrors(1);
}

static void threads(void) {
  unsigned int count = 99;
  const gex_ProgressThreadInfo_t *info = NULL;
  OK(gex_System_QueryProgressThreads(client, &count, &info, 0)); /* a client that announced that it would create some */
  CHECK_EQ(count, 0);
#if defined(GASNET_SEQ)
  CHECK_EQ(gex_System_QueryMaxThreads(), 1);
#else
  CHECK(gex_System_QueryMaxThreads() > 1);
#endif
  CHECK_EQ(gex_System_QueryHiddenAMConcurrencyLevel(), GASNET_HIDDEN_AM_CONCURRENCY_LEVEL);
}

int main(int argc, char **argv) {
  CHECK_EQ(gex_System_QueryJobSize(), 0);
  start_flags(&argc, &argv, GEX_FLAG_DEFER_THREADS);
  CHECK_EQ(self, tessera_unit());
  CHECK_EQ(units_n, tessera_units());
  CHECK_EQ(gex_Client_QueryFlags(client), GEX_FLAG_DEFER_THREADS);
  objects();
  more();
  threads();
  barrier();
  OK(tessera_gex_finalize(client));
  CHECK_EQ(gex_System_QueryJobSize(), 0);
  for (int i = 0; i < 20; i++) {
    start_flags(NULL, NULL, i % 2 ? GEX_FLAG_USES_GASNET1 : GEX_FLAG_DEFER_THREADS);
    CHECK_EQ(gex_Client_QueryFlags(client), i % 2 ? GEX_FLAG_USES_GASNET1 : GEX_FLAG_DEFER_THREADS);
    if (i % 5 == 0) attach(1);
    CHECK_EQ(gex_TM_QuerySize(tm), units_n);
    CHECK(gex_TM_QueryCData(tm) == NULL);
    OK(tessera_gex_finalize(client));
  }
  return check_result();
}
