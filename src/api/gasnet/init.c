#include <stdarg.h>
#include <string.h>

#include "am/am.h"
#include "base/log.h"
#include "coll/coll.h"
#include "core/launch.h"
#include "core/heap_base.h"
#include "core/place.h"
#include "api/gasnet/barrier.h"
#include "api/gasnet/exit.h"
#include "api/gasnet/am.h"
#include "api/gasnet/gasnet_api.h"
#include "api/gasnet/legacy_coll.h"
#include "api/gasnet/limit.h"
#include "api/gasnet/local.h"
#include "api/gasnet/segment.h"
#include "api/gasnet/signal.h"

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

/* ---- Start ---- */

static int check_start(const struct tsr_gex_start *how) {
  if (tsr_gex_up) return tsr_gex_fail(GASNET_ERR_NOT_INIT, "TSR-4105 %s: GASNet is initialised already; call it once",
                                      how->call);
  if (!how->name || !how->name[0])
    return tsr_gex_fail(GASNET_ERR_BAD_ARG, "TSR-4106 %s: the client has no name; pass one such as \"MYCLIENT\"", how->call);
  if (how->flags & ~(GEX_FLAG_USES_GASNET1 | GEX_FLAG_DEFER_THREADS))
    return tsr_gex_fail(GASNET_ERR_BAD_ARG, "TSR-4107 %s: flags 0x%x: pass 0, GEX_FLAG_USES_GASNET1 or GEX_FLAG_DEFER_THREADS",
                        how->call, how->flags);
  return GASNET_OK;
}

/* Allows concurrent calls if the program was compiled for threads. An error ends the job, as other units may be up. */
static void start_threads(const struct tsr_gex_start *how) {
  tsr_gex_threads = how->threads;
  if (how->threads == GEXI_SEQ) return;
  if (!tsr_threads_possible)
    tsr_gex_die("TSR-4108 %s: MPI was started below MPI_THREAD_MULTIPLE, which programs with threads need on several nodes; "
                "start it with MPI_Init_thread and that level", how->call);
  tsr_threads = true;
}

int tsr_gex_start(const struct tsr_gex_start *how) {
  int code = check_start(how);
  if (code) return code;
  char *name = strdup(how->name);
  if (!name) return tsr_gex_fail(GASNET_ERR_RESOURCE, "TSR-4109 %s: no private memory for the client's name; free some",
                                 how->call);
  tessera_status_t status = tsr_runtime_up(TSR_API_GASNET, &(struct tsr_launch){.argc = how->argc, .argv = how->argv});
  if (status) {
    free(name);
    return status == TESSERA_ERR_STATE ? GASNET_ERR_NOT_INIT : GASNET_ERR_RESOURCE;
  }
  tsr_runtime_at_finish(TSR_API_GASNET, tsr_gex_stop);
  start_threads(how);
  tsr_gex_client = (struct gexi_client){.name = name, .flags = how->flags};
  tsr_gex_ep = (struct gexi_ep){.client = &tsr_gex_client};
  tsr_gex_addresses_start();
  tsr_gex_limits_start();
  tsr_gex_teams_start();
  tsr_gex_hosts_start();
  tsr_gex_barrier_start();
  tsr_gex_exit_start();
  tsr_gex_signals_start();
  tsr_gex_local_start(how->near);
  tsr_gex_up = true;
  tsr_barrier(tsr_team_world);
  return GASNET_OK;
}

int gexi_client_init(gex_Client_t *client_p, gex_EP_t *ep_p, gex_TM_t *tm_p, const char *name, int *argc, char ***argv,
                     gex_Flags_t flags, enum gexi_threads threads, const struct gexi_near *near) {
  static const char call[] = "gex_Client_Init";
  if (!client_p || !ep_p || !tm_p)
    return tsr_gex_fail(GASNET_ERR_BAD_ARG, "TSR-4110 %s: client_p, ep_p or tm_p is NULL; pass where to store the objects",
                        call);
  int code = tsr_gex_start(&(struct tsr_gex_start){call, name, argc, argv, flags, threads, near});
  if (code) return code;
  *client_p = &tsr_gex_client;
  *ep_p = &tsr_gex_ep;
  *tm_p = tsr_gex_tm0();
  return GASNET_OK;
}

/* ---- End ---- */

void tsr_gex_stop(void) {
  tsr_am_quiesce(); /* first, since handlers may use everything */
  tsr_gex_events_stop();
  tsr_team_quiesce_all();
  tsr_op_flush_all();
  tsr_barrier(tsr_team_world); /* no unit uses GASNet objects after this */
  tsr_gex_signals_stop();
  tsr_gex_local_stop();
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

int tessera_gex_finalize(gex_Client_t client) {
  static const char call[] = "tessera_gex_finalize";
  tsr_gex_check_up(call);
  tsr_gex_check_context(call);
  if (client != &tsr_gex_client)
    return tsr_gex_fail(GASNET_ERR_BAD_ARG, "TSR-4111 %s: client %p is unknown; pass the one that gex_Client_Init stored", call,
                        (void *)client);
  tsr_gex_stop();
  return GASNET_OK;
}
