/* Functions of GASNet-1: those that GASNet-EX has, too, and those for clients of GASNet-1 only. */
#define GASNET_PAR 1 /* required by gasnet.h; only inline functions depend on the value */
#include <gasnet.h>

#include <string.h>

#include "base/wait.h"
#include "core/place.h"
#include "api/gasnet/am.h"
#include "api/gasnet/gasnet_api.h"

/* ---- Error codes, progress, GASNET_BLOCKUNTIL, queries ---- */

static const struct {
  int code;
  const char *name, *text;
} errors[] = {
    {GASNET_OK, "GASNET_OK", "no error"},
    {GASNET_ERR_NOT_INIT, "GASNET_ERR_NOT_INIT", "GASNet is not initialised, or a call that is allowed once was repeated"},
    {GASNET_ERR_RESOURCE, "GASNET_ERR_RESOURCE", "memory or another resource is exhausted"},
    {GASNET_ERR_BAD_ARG, "GASNET_ERR_BAD_ARG", "an argument is invalid"},
    {GASNET_ERR_NOT_READY, "GASNET_ERR_NOT_READY", "the operation is not complete yet"},
    {GASNET_ERR_BARRIER_MISMATCH, "GASNET_ERR_BARRIER_MISMATCH", "processes gave a barrier different names"},
};

static const char *text_of(int code, bool is_name) {
  for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++) {
    if (errors[i].code == code) return is_name ? errors[i].name : errors[i].text;
  }
  return is_name ? "*unknown*" : "not a code of GASNet";
}

const char *gasnet_ErrorName(int code) { return text_of(code, true); }
const char *gasnet_ErrorDesc(int code) { return text_of(code, false); }

int gasnet_AMPoll(void) {
  tsr_gex_check_leaving();
  tsr_gex_check_call(__func__);
  tsr_gex_poll();
  return GASNET_OK;
}

_Static_assert(sizeof(struct gexi_block) >= sizeof(struct tsr_timed_sleep), "a zeroed gexi_block is a valid initial state");

void gexi_block(struct gexi_block *block) {
  tsr_gex_check_leaving();
  tsr_gex_check_call("GASNET_BLOCKUNTIL");
  struct tsr_timed_sleep timed_sleep = {{block->yields_n, block->backoff_begun_ns}, block->begun_ns};
  tsr_wait_timed(&timed_sleep, (struct tsr_wait_why){TSR_WAIT_AM, 0, 0});
  *block = (struct gexi_block){timed_sleep.backoff.yields_n, timed_sleep.backoff.begun_ns, timed_sleep.begun_ns};
}

int gasnet_set_waitmode(int mode) {
  static int spin_us = -1; /* the configured value; -1: not read yet */
  if (mode != GASNET_WAIT_SPIN && mode != GASNET_WAIT_BLOCK && mode != GASNET_WAIT_SPINBLOCK)
    return tsr_gex_fail(GASNET_ERR_BAD_ARG, "TSR-4112 %s: %d is not a mode; pass GASNET_WAIT_SPIN, _BLOCK or _SPINBLOCK",
                        __func__, mode);
  if (spin_us < 0) spin_us = tsr_config.spin_us;
  tsr_config.spin_us = mode == GASNET_WAIT_BLOCK ? 0 : spin_us;
  return GASNET_OK;
}

gasnet_threadinfo_t gexi_thread(void) {
  static _Thread_local char place;
  return &place;
}

int gasnet_getNodeInfo(gasnet_nodeinfo_t *table, int entries_n) {
  tsr_gex_check_up(__func__);
  if (entries_n < 0 || (entries_n > 0 && !table))
    return tsr_gex_fail(GASNET_ERR_BAD_ARG, "TSR-4113 %s: the table is %p with %d entries; pass a table and its number of "
                        "entries", __func__, (void *)table, entries_n);
  for (int32_t rank = 0; rank < entries_n && rank < tsr_place.units_n; rank++) {
    bool is_local_unit = tsr_place_is_local(TSR_UNIT(rank));
    struct tsr_gex_bound bound = is_local_unit ? *tsr_gex_bound(TSR_UNIT(rank)) : (struct tsr_gex_bound){0};
    char *local_addr = bound.bytes ? tsr_gex_local_pointer(TSR_UNIT(rank), (void *)(uintptr_t)bound.base, bound.bytes) : NULL;
    table[rank] = (gasnet_nodeinfo_t){tsr_gex_host_of((gex_Rank_t)rank), tsr_gex_neighbourhood_of((gex_Rank_t)rank),
                                      local_addr ? (uintptr_t)local_addr - (uintptr_t)bound.base : 0};
  }
  return GASNET_OK;
}

/* ---- Clients of GASNet-1 ---- */

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

/* Entries of GASNet-1 declare neither arguments nor flags. A process that cannot register still takes part in the
 * collective, so that all others fail, too. */
int gasnet_attach(gasnet_handlerentry_t *table, int entries_n, uintptr_t segment_bytes, uintptr_t minheapoffset) {
  gex_AM_Entry_t entries[GEX_AM_INDEX_BASE];
  gex_Segment_t segment;
  int code = GASNET_OK;
  (void)minheapoffset;
  check_legacy(__func__);
  if (entries_n < 0 || entries_n > GEX_AM_INDEX_BASE || (entries_n > 0 && !table))
    code = tsr_gex_fail(GASNET_ERR_BAD_ARG, "TSR-4115 %s: %d handlers; pass a table of at most %d", __func__, entries_n,
                        GEX_AM_INDEX_BASE);
  for (int i = 0; i < entries_n && !code; i++)
    entries[i] = (gex_AM_Entry_t){table[i].index, table[i].fnptr, TSR_GEX_AM_ANY, TSR_GEX_ARGS_ANY, NULL, NULL};
  if (!code) code = tsr_gex_register(__func__, entries, (size_t)entries_n);
  for (int i = 0; i < entries_n && !code; i++) table[i].index = entries[i].gex_index;
  uintptr_t pages_n = segment_bytes ? (segment_bytes + GASNET_PAGESIZE - 1) / GASNET_PAGESIZE : 1;
  if (code) return tsr_gex_attach_failing(code);
  return tsr_gex_attach(__func__, &segment, tsr_gex_tm0(), pages_n * GASNET_PAGESIZE);
}

int gasnet_AMGetMsgSource(gasnet_token_t token, gasnet_node_t *source_p) {
  if (!source_p)
    return tsr_gex_fail(GASNET_ERR_BAD_ARG, "TSR-4116 %s: source_p is NULL; pass where to store the node's number", __func__);
  gex_Token_Info_t info;
  gex_Token_Info(token, &info, GEX_TI_SRCRANK);
  *source_p = info.gex_srcrank;
  return GASNET_OK;
}

/* ---- Memset ---- */

static const char memset_call[] = "gasnet_memset"; /* and its non-blocking forms */

static tsr_unit check_memset(gasnet_node_t node, const void *dest, size_t nbytes) {
  check_legacy(memset_call);
  tsr_unit unit = tsr_gex_unit(memset_call, tsr_gex_tm0(), node);
  if (nbytes) tsr_gex_address(memset_call, unit, dest, nbytes);
  return unit;
}

/* Memory that this process has not mapped is set by repeated puts of one pattern, counted in the op. */
static void set_memory(tsr_unit unit, void *dest, int value, size_t nbytes, tsr_op *op) {
  char pattern[4096];
  void *local_addr = tsr_gex_local_pointer(unit, dest, nbytes);
  memset(local_addr ? local_addr : pattern, value, local_addr || nbytes < sizeof pattern ? nbytes : sizeof pattern);
  for (size_t at = 0; !local_addr && at < nbytes; at += sizeof pattern) {
    size_t left = nbytes - at;
    tsr_addr to = tsr_gex_address(memset_call, unit, (char *)dest + at, 1);
    tsr_gex_put_nb(memset_call, to, pattern, left < sizeof pattern ? left : sizeof pattern, op);
  }
  tsr_op_wait_local(op, unit);
}

void gasnet_memset_nbi(gasnet_node_t node, void *dest, int value, size_t nbytes) {
  tsr_unit unit = check_memset(node, dest, nbytes);
  set_memory(unit, dest, value, nbytes, tsr_gex_nbi(TSR_GEX_PUT));
}

gasnet_handle_t gasnet_memset_nb(gasnet_node_t node, void *dest, int value, size_t nbytes) {
  tsr_unit unit = check_memset(node, dest, nbytes);
  tsr_op *op;
  gasnet_handle_t handle = tsr_gex_event(&op, TSR_GEX_PUT);
  set_memory(unit, dest, value, nbytes, op);
  return tsr_gex_event_from(handle, unit);
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
  if (!nbytes || nbytes > sizeof(gasnet_register_value_t))
    tsr_gex_die("TSR-4117 %s: a value of %zu bytes; pass 1 to %zu", __func__, nbytes, sizeof(gasnet_register_value_t));
  struct gexi_valget *get = malloc(sizeof *get);
  if (!get) tsr_gex_die("TSR-4118 %s: no private memory for one more get; complete some first", __func__);
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
