/* Functions for clients of GASNet-1 only. */
#define GASNET_PAR 1 /* required by gasnet.h; only inline functions depend on the value */
#include <gasnet.h>

#include <stdlib.h>
#include <string.h>

#include "core/place.h"
#include "api/gasnet/am.h"
#include "api/gasnet/gasnet_api.h"
#include "api/gasnet/limit.h"

static void check_legacy(const char *call) {
  tsr_gex_check_up(call);
  if (!(tsr_gex_client.flags & GEX_FLAG_USES_GASNET1))
    tsr_gex_die("TSR-4114 %s: the program is no client of GASNet-1; call gasnet_init, or pass GEX_FLAG_USES_GASNET1", call);
}

gex_TM_t gexi_legacy_tm(void) {
  check_legacy("a call of GASNet-1");
  return tsr_gex_tm0();
}

void gasnet_QueryGexObjects(gex_Client_t *client_p, gex_EP_t *endpoint_p, gex_TM_t *tm_p, gex_Segment_t *segment_p) {
  check_legacy(__func__);
  if (client_p) *client_p = &tsr_gex_client;
  if (endpoint_p) *endpoint_p = &tsr_gex_ep;
  if (tm_p) *tm_p = tsr_gex_tm0();
  if (segment_p) *segment_p = tsr_gex_ep.segment;
}

char *gasnet_getenv(const char *name) { return gasnett_getenv(name); }

/* ---- Attach ---- */

/* Entries of GASNet-1 declare neither arguments nor flags. */
static int register_handlers(const char *call, gasnet_handlerentry_t *table, int entries_n) {
  gex_AM_Entry_t entries[GEX_AM_INDEX_BASE];
  if (entries_n < 0 || entries_n > GEX_AM_INDEX_BASE || (entries_n > 0 && !table))
    return tsr_gex_fail(GASNET_ERR_BAD_ARG, "TSR-4115 %s: %d handlers; pass a table of at most %d", call, entries_n,
                        GEX_AM_INDEX_BASE);
  for (int i = 0; i < entries_n; i++)
    entries[i] = (gex_AM_Entry_t){table[i].index, table[i].fnptr, TSR_GEX_AM_ANY, TSR_GEX_ARGS_ANY, NULL, NULL};
  int code = tsr_gex_register(call, entries, (size_t)entries_n);
  for (int i = 0; i < entries_n && !code; i++) table[i].index = entries[i].gex_index;
  return code;
}

/* A process that cannot register still takes part in the collective, so that all others fail, too. */
int gasnet_attach(gasnet_handlerentry_t *table, int entries_n, uintptr_t segment_bytes, uintptr_t minheapoffset) {
  static const char call[] = "gasnet_attach";
  (void)minheapoffset;
  check_legacy(call);
  int code = register_handlers(call, table, entries_n);
  uintptr_t bytes = segment_bytes ? (segment_bytes + GASNET_PAGESIZE - 1) / GASNET_PAGESIZE * GASNET_PAGESIZE : GASNET_PAGESIZE;
  gex_Segment_t segment;
  int attached = tsr_gex_attach(call, code ? NULL : &segment, tsr_gex_tm0(), bytes);
  return code ? code : attached;
}

int gasnet_AMGetMsgSource(gasnet_token_t token, gasnet_node_t *source_p) {
  if (!source_p)
    return tsr_gex_fail(GASNET_ERR_BAD_ARG, "TSR-4116 %s: source_p is NULL; pass where to store the node's number", __func__);
  gex_Token_Info_t info;
  gex_Token_Info(token, &info, GEX_TI_SRCRANK);
  *source_p = info.gex_srcrank;
  return GASNET_OK;
}

/* ---- Memset: repeated puts of one pattern ---- */

enum { PATTERN_BYTES = 4096 };

static void put_pattern(gasnet_node_t node, char *dest, int value, size_t nbytes) {
  char pattern[PATTERN_BYTES];
  memset(pattern, value, nbytes < sizeof pattern ? nbytes : sizeof pattern);
  for (size_t at = 0; at < nbytes; at += sizeof pattern) {
    size_t left = nbytes - at;
    gasnet_put_nbi(node, dest + at, pattern, left < sizeof pattern ? left : sizeof pattern);
  }
}

void gasnet_memset_nbi(gasnet_node_t node, void *dest, int value, size_t nbytes) {
  static const char call[] = "gasnet_memset";
  check_legacy(call);
  tsr_unit unit = tsr_gex_unit(call, tsr_gex_tm0(), node);
  if (nbytes) tsr_gex_address(call, unit, dest, nbytes);
  void *local_addr = tsr_gex_local_pointer(unit, dest, nbytes);
  if (local_addr) memset(local_addr, value, nbytes);
  else put_pattern(node, dest, value, nbytes);
}

gasnet_handle_t gasnet_memset_nb(gasnet_node_t node, void *dest, int value, size_t nbytes) {
  gasnet_begin_nbi_accessregion();
  gasnet_memset_nbi(node, dest, value, nbytes);
  return gasnet_end_nbi_accessregion();
}

void gasnet_memset(gasnet_node_t node, void *dest, int value, size_t nbytes) {
  gasnet_wait_syncnb(gasnet_memset_nb(node, dest, value, nbytes));
}

/* ---- Gets of values with a handle ---- */

struct gexi_valget {
  gasnet_register_value_t value;
  gasnet_handle_t handle;
};

gasnet_valget_handle_t gasnet_get_nb_val(gasnet_node_t node, void *src, size_t nbytes) {
  static const char call[] = "gasnet_get_nb_val";
  if (!nbytes || nbytes > sizeof(gasnet_register_value_t))
    tsr_gex_die("TSR-4117 %s: a value of %zu bytes; pass 1 to %zu", call, nbytes, sizeof(gasnet_register_value_t));
  struct gexi_valget *get = malloc(sizeof *get);
  if (!get) tsr_gex_die("TSR-4118 %s: no private memory for one more get; complete some first", call);
  get->value = 0;
  size_t skipped = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? sizeof get->value - nbytes : 0;
  get->handle = gasnet_get_nb((char *)&get->value + skipped, node, src, nbytes);
  return get;
}

gasnet_register_value_t gasnet_wait_syncnb_valget(gasnet_valget_handle_t handle) {
  if (!handle) tsr_gex_die("TSR-4119 gasnet_wait_syncnb_valget: the handle is NULL; pass one that gasnet_get_nb_val returned");
  gasnet_wait_syncnb(handle->handle);
  gasnet_register_value_t value = handle->value;
  free(handle);
  return value;
}
