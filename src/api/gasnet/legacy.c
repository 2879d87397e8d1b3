/* Functions of GASNet-1 that GASNet-EX has, too: texts of error codes, progress, GASNET_BLOCKUNTIL, queries. */
#include <gex/legacy.h>

#include "base/config.h"
#include "base/wait.h"
#include "core/place.h"
#include "api/gasnet/exit.h"
#include "api/gasnet/gasnet_api.h"
#include "api/gasnet/host.h"

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
  tsr_gex_check_up(__func__);
  tsr_gex_check_context(__func__);
  tsr_gex_poll();
  return GASNET_OK;
}

_Static_assert(sizeof(struct gexi_block) >= sizeof(struct tsr_timed_sleep), "a zeroed gexi_block is a valid initial state");

void gexi_block(struct gexi_block *block) {
  tsr_gex_check_leaving();
  tsr_gex_check_up("GASNET_BLOCKUNTIL");
  tsr_gex_check_context("GASNET_BLOCKUNTIL");
  struct tsr_timed_sleep timed_sleep = {{block->yields_n, block->nap_begun_ns}, block->begun_ns};
  tsr_wait_timed(&timed_sleep);
  *block = (struct gexi_block){timed_sleep.backoff.yields_n, timed_sleep.backoff.begun_ns, timed_sleep.begun_ns};
}

int gasnet_set_waitmode(int mode) {
  static int spin_us = -1; /* as it was configured */
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
