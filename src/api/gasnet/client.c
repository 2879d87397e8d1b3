/* The client: errors, start and end, and the objects of which each process has one. */
#include <gex/mk.h>
#include <stdarg.h>
#include <string.h>

#include "am/am.h"
#include "base/log.h"
#include "coll/coll.h"
#include "core/launch.h"
#include "core/place.h"
#include "api/gasnet/am.h"
#include "api/gasnet/gasnet_api.h"

struct gexi_client tsr_gex_client;
struct gexi_ep tsr_gex_ep;
bool tsr_gex_up;
enum gexi_threads tsr_gex_threads;
static bool verbose_errors = true;

/* ---- Errors ---- */

int gex_System_GetVerboseErrors(void) { return verbose_errors; }
void gex_System_SetVerboseErrors(int enable) { verbose_errors = enable != 0; }

int tsr_gex_fail(int code, const char *format, ...) {
  if (!verbose_errors) return code;
  va_list list;
  va_start(list, format);
  tsr_log_write_list(TSR_LOG_ERROR, format, list);
  va_end(list);
  return code;
}

void tsr_gex_poll(void) { tsr_am_poll(); }

void tsr_gex_not_up(const char *call) {
  tsr_gex_die("TSR-4104 %s: called before gex_Client_Init or after the end; initialise first", call);
}

/* ---- Start and end ---- */

void tsr_gex_stop(void) {
  tsr_am_quiesce(); /* first, since handlers may use everything */
  tsr_gex_events_stop();
  tsr_team_quiesce_all();
  tsr_op_flush_all();
  tsr_barrier_or_abort(tsr_team_world, "the end of GASNet"); /* no unit uses GASNet objects after this */
  tsr_gex_exit_stop();
  tsr_gex_near_stop(); /* before the rest: another thread may be in an inline call, whose data is freed below */
  tsr_gex_up = false;
  tsr_gex_am_stop();
  tsr_gex_hosts_stop();
  tsr_gex_legacy_reduce_stop();
  tsr_gex_teams_stop();
  tsr_gex_segments_stop();
  tsr_gex_addresses_stop();
  free(tsr_gex_client.name);
  tsr_runtime_down(TSR_API_GASNET);
}

/* Other implementations start that many processes of a program that was started without a launcher. */
static void warn_of_pshm_nodes(const char *call) {
  const char *wanted = tsr_config_foreign_text("GASNET_PSHM_NODES");
  const int n = wanted ? atoi(wanted) : 0;
  if (n > 1 && tsr_place.units_n == 1)
    tsr_warn("TSR-4213 %s: GASNET_PSHM_NODES=%d has no effect, and the program runs as one process; start it by gasnetrun_smp "
             "-n %d", call, n, n);
}

int gexi_client_init(gex_Client_t *client_p, gex_EP_t *ep_p, gex_TM_t *tm_p, const char *name, int *argc, char ***argv,
                     gex_Flags_t flags, enum gexi_threads threads, const struct gexi_near *near) {
  static const char call[] = "gex_Client_Init";
  if (!client_p || !ep_p || !tm_p)
    return tsr_gex_fail(GASNET_ERR_BAD_ARG, "TSR-4110 %s: client_p, ep_p or tm_p is NULL; pass where to store the objects",
                        call);
  if (tsr_gex_up)
    return tsr_gex_fail(GASNET_ERR_NOT_INIT, "TSR-4105 %s: GASNet is initialised already; call it once", call);
  if (!name || !name[0])
    return tsr_gex_fail(GASNET_ERR_BAD_ARG, "TSR-4106 %s: the client has no name; pass one such as \"MYCLIENT\"", call);
  if (flags & ~(GEX_FLAG_USES_GASNET1 | GEX_FLAG_DEFER_THREADS))
    return tsr_gex_fail(GASNET_ERR_BAD_ARG, "TSR-4107 %s: flags 0x%x: pass 0, GEX_FLAG_USES_GASNET1 or GEX_FLAG_DEFER_THREADS",
                        call, flags);
  char *own_name = strdup(name);
  if (!own_name)
    return tsr_gex_fail(GASNET_ERR_RESOURCE, "TSR-4109 %s: no private memory for the client's name; free some", call);
  tessera_status_t status = tsr_runtime_up(TSR_API_GASNET, &(struct tsr_launch){.argc = argc, .argv = argv});
  if (status) {
    free(own_name);
    return status == TESSERA_ERR_STATE ? GASNET_ERR_NOT_INIT : GASNET_ERR_RESOURCE;
  }
  tsr_runtime_at_finish(TSR_API_GASNET, tsr_gex_stop);
  tsr_gex_threads = threads;
  if (threads != GEXI_SEQ && !tsr_threads_possible) /* ends the job, as other units may be up */
    tsr_gex_die("TSR-4108 %s: MPI was started below MPI_THREAD_MULTIPLE, which programs with threads need on several nodes; "
                "start it with MPI_Init_thread and that level", call);
  if (threads != GEXI_SEQ) tsr_threads = true;
  tsr_gex_client = (struct gexi_client){.name = own_name, .flags = flags};
  tsr_gex_ep = (struct gexi_ep){.client = &tsr_gex_client};
  tsr_gex_addresses_start();
  tsr_gex_limits_start();
  tsr_gex_teams_start(near);
  tsr_gex_hosts_start();
  tsr_gex_barrier_start();
  tsr_gex_exit_start();
  tsr_gex_up = true;
  warn_of_pshm_nodes(call);
  tsr_barrier_or_abort(tsr_team_world, call);
  *client_p = &tsr_gex_client;
  *ep_p = &tsr_gex_ep;
  *tm_p = tsr_gex_tm0();
  return GASNET_OK;
}

int tessera_gex_finalize(gex_Client_t client) {
  tsr_gex_check_call(__func__);
  if (client != &tsr_gex_client)
    return tsr_gex_fail(GASNET_ERR_BAD_ARG, "TSR-4111 %s: client %p is unknown; pass the one that gex_Client_Init stored",
                        __func__, (void *)client);
  tsr_gex_stop();
  return GASNET_OK;
}

/* ---- The client ---- */

static struct gexi_client *client_of(const char *call, gex_Client_t client) {
  tsr_gex_check_up(call);
  if (client != &tsr_gex_client)
    tsr_gex_die("TSR-4068 %s: client %p is unknown; pass the one that gex_Client_Init stored", call, (void *)client);
  return client;
}

void gex_Client_SetCData(gex_Client_t client, const void *value) { client_of(__func__, client)->cdata = value; }
void *gex_Client_QueryCData(gex_Client_t client) { return (void *)client_of(__func__, client)->cdata; }
gex_Flags_t gex_Client_QueryFlags(gex_Client_t client) { return client_of(__func__, client)->flags; }
const char *gex_Client_QueryName(gex_Client_t client) { return client_of(__func__, client)->name; }

/* ---- Threads ---- */

/* The library has no limit; a program cannot start more threads than 1 << 16. */
uint64_t gex_System_QueryMaxThreads(void) { return tsr_gex_threads == GEXI_SEQ ? 1 : 1 << 16; }

int gex_System_QueryHiddenAMConcurrencyLevel(void) { return 0; }

int gex_System_QueryProgressThreads(gex_Client_t client, unsigned int *count_p, const gex_ProgressThreadInfo_t **info_p,
                                    gex_Flags_t flags) {
  gex_Flags_t given = client_of(__func__, client)->flags;
  if (!count_p || !info_p || flags)
    return tsr_gex_fail(GASNET_ERR_BAD_ARG, "TSR-4069 %s: count_p is %p, info_p %p, flags 0x%x; pass where to store both, and "
                        "flags 0", __func__, (void *)count_p, (const void *)info_p, (unsigned)flags);
  if (!(given & GEX_FLAG_DEFER_THREADS))
    return tsr_gex_fail(GASNET_ERR_RESOURCE, "TSR-4070 %s: the library starts its threads itself; to start them in the "
                        "program, pass GEX_FLAG_DEFER_THREADS to gex_Client_Init", __func__);
  *count_p = 0;
  *info_p = NULL;
  return GASNET_OK;
}

/* ---- The endpoint ---- */

static struct gexi_ep *ep_of(const char *call, gex_EP_t ep) {
  tsr_gex_check_up(call);
  if (ep != &tsr_gex_ep)
    tsr_gex_die("TSR-4081 %s: endpoint %p is unknown; pass the one that gex_Client_Init stored", call, (void *)ep);
  return ep;
}

void gex_EP_SetCData(gex_EP_t ep, const void *value) { ep_of(__func__, ep)->cdata = value; }
void *gex_EP_QueryCData(gex_EP_t ep) { return (void *)ep_of(__func__, ep)->cdata; }
gex_Client_t gex_EP_QueryClient(gex_EP_t ep) { return ep_of(__func__, ep)->client; }
gex_Flags_t gex_EP_QueryFlags(gex_EP_t ep) { return ep_of(__func__, ep), (gex_Flags_t)0; }
gex_Segment_t gex_EP_QuerySegment(gex_EP_t ep) { return ep_of(__func__, ep)->segment; }
gex_EP_Index_t gex_EP_QueryIndex(gex_EP_t ep) { return ep_of(__func__, ep), (gex_EP_Index_t)0; }

int gex_EP_Create(gex_EP_t *ep_p, gex_Client_t client, gex_EP_Capabilities_t capabilities, gex_Flags_t flags) {
  (void)ep_p, (void)capabilities, (void)flags;
  tsr_gex_check_up(__func__);
  if (client != &tsr_gex_client)
    return tsr_gex_fail(GASNET_ERR_BAD_ARG, "TSR-4082 %s: client %p is unknown; pass the one that gex_Client_Init stored",
                        __func__, (void *)client);
  return tsr_gex_fail(GASNET_ERR_RESOURCE, "TSR-4083 %s: GASNET_MAXEPS is 1; use the endpoint that gex_Client_Init stored",
                      __func__);
}

/* ---- Kinds of memory ---- */

int gex_MK_Create(gex_MK_t *memkind_p, gex_Client_t client, const gex_MK_Create_args_t *args, gex_Flags_t flags) {
  static const char *const names[] = {"HOST", "CUDA_UVA", "HIP", "ZE"};
  (void)client, (void)flags;
  tsr_gex_check_up(__func__);
  if (!memkind_p || !args)
    return tsr_gex_fail(GASNET_ERR_BAD_ARG, "TSR-4137 gex_MK_Create: memkind_p or args is NULL; pass both");
  if ((unsigned)args->gex_class >= sizeof names / sizeof names[0])
    return tsr_gex_fail(GASNET_ERR_BAD_ARG, "TSR-4138 gex_MK_Create: %d is not a class of memory; pass a GEX_MK_CLASS_ "
                        "constant", (int)args->gex_class);
  if (args->gex_class == GEX_MK_CLASS_HOST)
    return tsr_gex_fail(GASNET_ERR_BAD_ARG, "TSR-4139 gex_MK_Create: there is one kind of host memory; use GEX_MK_HOST");
  return tsr_gex_fail(GASNET_ERR_BAD_ARG, "TSR-4140 gex_MK_Create: GEX_MK_CLASS_%s is not supported; segments are host memory",
                      names[args->gex_class]);
}

void gex_MK_Destroy(gex_MK_t memkind, gex_Flags_t flags) {
  (void)flags;
  tsr_gex_check_up(__func__);
  tsr_gex_die("TSR-4141 gex_MK_Destroy: %p was not made by gex_MK_Create; do not destroy it", (void *)memkind);
}
