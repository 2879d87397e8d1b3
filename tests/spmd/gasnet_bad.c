/* GASNet-EX: wrong calls that have an error to return: the code, one line that names the call, and no effect.
 * Group: gasnet_calls
 */
#include "gasnet_check.h"
#include "says.h"

static void before(void) {
  BAD(GASNET_ERR_BAD_ARG, gex_Client_Init(&client, &ep, NULL, "TEST", NULL, NULL, 0));
  BAD(GASNET_ERR_BAD_ARG, gex_Client_Init(&client, &ep, &tm, NULL, NULL, NULL, 0));
  BAD(GASNET_ERR_BAD_ARG, gex_Client_Init(&client, &ep, &tm, "", NULL, NULL, 0));
  BAD(GASNET_ERR_BAD_ARG, gex_Client_Init(&client, &ep, &tm, "TEST", NULL, NULL, 0x40));
  CHECK(client == GEX_CLIENT_INVALID);
}

static void objects(void) {
  gex_EP_t more = GEX_EP_INVALID;
  gex_Client_t twice;
  unsigned int count = 99;
  const gex_ProgressThreadInfo_t *threads = NULL;
  BAD(GASNET_ERR_NOT_INIT, gex_Client_Init(&twice, &ep, &tm, "TEST", NULL, NULL, 0));
  BAD(GASNET_ERR_RESOURCE, gex_EP_Create(&more, client, GEX_EP_CAPABILITY_RMA, 0));
  BAD(GASNET_ERR_BAD_ARG, gex_EP_Create(&more, GEX_CLIENT_INVALID, GEX_EP_CAPABILITY_RMA, 0));
  CHECK(more == GEX_EP_INVALID);
  BAD(GASNET_ERR_BAD_ARG, gex_System_QueryProgressThreads(client, &count, NULL, 0));
  BAD(GASNET_ERR_RESOURCE, gex_System_QueryProgressThreads(client, &count, &threads, 0)); /* they were not deferred */
  CHECK(count == 99 && !threads);
  BAD(GASNET_ERR_BAD_ARG, tessera_gex_finalize(GEX_CLIENT_INVALID));
}

static void segments(void) {
  gex_Segment_t made = GEX_SEGMENT_INVALID;
  gex_TM_t other = gex_TM_Pair(ep, 0);
  char own[64];
  /* all units except the last one pass a valid argument, and get an error */
  bool bad = self == units_n - 1;
  BAD(bad ? GASNET_ERR_BAD_ARG : GASNET_ERR_RESOURCE, gex_Segment_Attach(&made, tm, bad ? 0 : GASNET_PAGESIZE));
  BAD(bad ? GASNET_ERR_BAD_ARG : GASNET_ERR_RESOURCE, gex_Segment_Attach(&made, tm, GASNET_PAGESIZE + bad));
  BAD(GASNET_ERR_BAD_ARG, gex_Segment_Attach(&made, tm, gasnet_getMaxLocalSegmentSize() + GASNET_PAGESIZE));
  BAD(GASNET_ERR_BAD_ARG, gex_Segment_Attach(&made, other, GASNET_PAGESIZE));
  BAD(GASNET_ERR_BAD_ARG, gex_Segment_Attach(NULL, tm, GASNET_PAGESIZE));
  CHECK(made == GEX_SEGMENT_INVALID && gex_EP_QuerySegment(ep) == GEX_SEGMENT_INVALID);
  BAD(GASNET_ERR_BAD_ARG, gex_Segment_Create(&made, client, own, 0, GEX_MK_HOST, 0));
  BAD(GASNET_ERR_BAD_ARG, gex_Segment_Create(&made, client, own, 64, GEX_MK_INVALID, 0));
  BAD(GASNET_ERR_BAD_ARG, gex_EP_BindSegment(ep, GEX_SEGMENT_INVALID, 0));
  attach(GASNET_PAGESIZE);
  BAD(GASNET_ERR_NOT_INIT, gex_Segment_Attach(&made, tm, GASNET_PAGESIZE));
  OK(gex_Segment_Create(&made, client, own, 64, GEX_MK_HOST, 0));
  BAD(GASNET_ERR_BAD_ARG, gex_EP_BindSegment(ep, made, 0));
  gex_Segment_Destroy(made, 0);
  BAD(GASNET_ERR_BAD_ARG, gex_EP_PublishBoundSegment(tm, NULL, 1, 0));
  BAD(GASNET_ERR_BAD_ARG, gasnet_getSegmentInfo(NULL, 1));
}

/* A program may switch off the message. */
static void quiet(void) {
  char text[4096];
  gex_EP_t more;
  gex_System_SetVerboseErrors(0);
  listen();
  CHECK_EQ(gex_EP_Create(&more, client, GEX_EP_CAPABILITY_ALL, 0), GASNET_ERR_RESOURCE);
  CHECK(!heard_one_line("", text, sizeof text));
  CHECK_EQ(strlen(text), 0);
}

int main(int argc, char **argv) {
  if (!open_ears()) return 77;
  before();
  start(&argc, &argv);
  objects();
  segments();
  quiet();
  return finish();
}
