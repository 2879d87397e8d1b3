#include "api/gasnet/gasnet_api.h"

struct gexi_ep tsr_gex_ep;

static struct gexi_ep *ep_of(const char *call, gex_EP_t ep) {
  tsr_gex_check_up(call);
  if (ep != &tsr_gex_ep)
    tsr_gex_die("TSR-4081 %s: endpoint %p is unknown; pass the one that gex_Client_Init stored", call, (void *)ep);
  return ep;
}

void gex_EP_SetCData(gex_EP_t ep, const void *value) { ep_of("gex_EP_SetCData", ep)->cdata = value; }
void *gex_EP_QueryCData(gex_EP_t ep) { return (void *)ep_of("gex_EP_QueryCData", ep)->cdata; }
gex_Client_t gex_EP_QueryClient(gex_EP_t ep) { return ep_of("gex_EP_QueryClient", ep)->client; }
gex_Flags_t gex_EP_QueryFlags(gex_EP_t ep) { return ep_of("gex_EP_QueryFlags", ep), (gex_Flags_t)0; }
gex_Segment_t gex_EP_QuerySegment(gex_EP_t ep) { return ep_of("gex_EP_QuerySegment", ep)->segment; }
gex_EP_Index_t gex_EP_QueryIndex(gex_EP_t ep) { return ep_of("gex_EP_QueryIndex", ep), (gex_EP_Index_t)0; }

int gex_EP_Create(gex_EP_t *ep_p, gex_Client_t client, gex_EP_Capabilities_t capabilities, gex_Flags_t flags) {
  (void)ep_p, (void)capabilities, (void)flags;
  static const char call[] = "gex_EP_Create";
  tsr_gex_check_up(call);
  if (client != &tsr_gex_client)
    return tsr_gex_fail(GASNET_ERR_BAD_ARG, "TSR-4082 %s: client %p is unknown; pass the one that gex_Client_Init stored", call,
                        (void *)client);
  return tsr_gex_fail(GASNET_ERR_RESOURCE, "TSR-4083 %s: GASNET_MAXEPS is 1; use the endpoint that gex_Client_Init stored",
                      call);
}
