#include "api/gasnet/gasnet_api.h"

struct gexi_client tsr_gex_client;

static struct gexi_client *client_of(const char *call, gex_Client_t client) {
  tsr_gex_check_up(call);
  if (client != &tsr_gex_client) tsr_gex_die("%s: client %p is none; pass what gex_Client_Init gave", call, (void *)client);
  return client;
}

void gex_Client_SetCData(gex_Client_t client, const void *value) { client_of("gex_Client_SetCData", client)->cdata = value; }
void *gex_Client_QueryCData(gex_Client_t client) { return (void *)client_of("gex_Client_QueryCData", client)->cdata; }
gex_Flags_t gex_Client_QueryFlags(gex_Client_t client) { return client_of("gex_Client_QueryFlags", client)->flags; }
const char *gex_Client_QueryName(gex_Client_t client) { return client_of("gex_Client_QueryName", client)->name; }

/* ---- Threads ---- */

/* There is no limit of ours; this one is what a program can start. */
enum { THREADS_MAX = 1 << 16 };

uint64_t gex_System_QueryMaxThreads(void) { return tsr_gex_threads == GEXI_SEQ ? 1 : THREADS_MAX; }

int gex_System_QueryHiddenAMConcurrencyLevel(void) { return 0; }

int gex_System_QueryProgressThreads(gex_Client_t client, unsigned int *count_p, const gex_ProgressThreadInfo_t **info_p,
                                    gex_Flags_t flags) {
  static const char call[] = "gex_System_QueryProgressThreads";
  gex_Flags_t given = client_of(call, client)->flags;
  if (!count_p || !info_p || flags)
    return tsr_gex_fail(GASNET_ERR_BAD_ARG, "%s: pass where the count and the list go, and flags 0", call);
  if (!(given & GEX_FLAG_DEFER_THREADS))
    return tsr_gex_fail(GASNET_ERR_RESOURCE, "%s: the client's threads are the library's own; to start them in the program, give "
                        "gex_Client_Init GEX_FLAG_DEFER_THREADS", call);
  *count_p = 0;
  *info_p = NULL;
  return GASNET_OK;
}
