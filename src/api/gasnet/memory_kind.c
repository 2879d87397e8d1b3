#include <gex/mk.h>

#include "api/gasnet/gasnet_api.h"

int gex_MK_Create(gex_MK_t *memkind_p, gex_Client_t client, const gex_MK_Create_args_t *args, gex_Flags_t flags) {
  static const char *const names[] = {"HOST", "CUDA_UVA", "HIP", "ZE"};
  (void)client;
  (void)flags;
  tsr_gex_check_up(__func__);
  if (!memkind_p || !args) return tsr_gex_fail(GASNET_ERR_BAD_ARG, "TSR-4137 gex_MK_Create: memkind_p or args is NULL; pass "
                                               "both");
  if ((unsigned)args->gex_class >= sizeof names / sizeof names[0])
    return tsr_gex_fail(GASNET_ERR_BAD_ARG, "TSR-4138 gex_MK_Create: %d is not a class of memory; pass a GEX_MK_CLASS_ "
                        "constant",
                        (int)args->gex_class);
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
