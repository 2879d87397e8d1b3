#include "api/gasnet/gasnet_api.h"

struct gexi_client tsr_gex_client;

static struct gexi_client *client_of(const char *call, gex_Client_t client) {
  tsr_gex_check_up(call);
  if (client != &tsr_gex_client)
    tsr_gex_die("TSR-4068 %s: client %p is unknown; pass the one that gex_Client_Init stored", call, (void *)client);
  return client;
}

void gex_Client_SetCData(gex_Client_t client, const void *value) { client_of("gex_Client_SetCData", client)->cdata = value; }
void *gex_Client_QueryCData(gex_Client_t client) { return (void *)client_of("gex_Client_QueryCData", client)->cdata; }
gex_Flags_t gex_Client_QueryFlags(gex_Client_t client) { return client_of("gex_Client_QueryFlags", client)->flags; }
const char *gex_Client_QueryName(gex_Client_t client) { return client_of("gex_Client_QueryName", client)->name; }

/* ---- Threads ---- */

/* The library has no limit; a program cannot start more threads than this. */
enum { THREADS_MAX = 1 << 16 };

uint64_t gex_System_QueryMaxThreads(void) { return tsr_gex_threads == GEXI_SEQ ? 1 : THREADS_MAX; }

int gex_System_QueryHiddenAMConcurrencyLevel(void) { return 0; }

int gex_System_QueryProgressThreads(gex_Client_t client, unsigned int *count_p, const gex_ProgressThreadInfo_t **info_p,
                                    gex_Flags_t flags) {
  static const char call[] = "gex_System_QueryProgressThreads";
  gex_Flags_t given = client_of(call, client)->flags;
  if (!count_p || !info_p || flags)
    return tsr_gex_fail(GASNET_ERR_BAD_ARG, "TSR-4069 %s: count_p is %p, info_p %p, flags 0x%x; pass where to store both, and "
                        "flags 0", call, (void *)count_p, (const void *)info_p, (unsigned)flags);
  if (!(given & GEX_FLAG_DEFER_THREADS))
    return tsr_gex_fail(GASNET_ERR_RESOURCE, "TSR-4070 %s: the library starts its threads itself; to start them in the "
                        "program, "
                        "pass GEX_FLAG_DEFER_THREADS to gex_Client_Init", call);
  *count_p = 0;
  *info_p = NULL;
  return GASNET_OK;
}
