/* GASNet-EX: kinds of memory. This library has host memory only (GEX_MK_HOST); no GASNET_HAVE_MK_CLASS_... is
 * defined. */
#ifndef TSR_GASNET_GEX_MK_H
#define TSR_GASNET_GEX_MK_H

#include <gex/client.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum { GEX_MK_CLASS_HOST, GEX_MK_CLASS_CUDA_UVA, GEX_MK_CLASS_HIP, GEX_MK_CLASS_ZE } gex_MK_Class_t;

typedef struct {
  uint64_t gex_flags; /* 0 */
  gex_MK_Class_t gex_class;
  union {
    struct {
      int gex_CUdevice;
    } gex_class_cuda_uva;
    struct {
      int gex_hipDevice;
    } gex_class_hip;
    struct {
      void *gex_zeContext;
      void *gex_zeDevice;
      uint32_t gex_zeMemoryOrdinal;
    } gex_class_ze;
  } gex_args;
} gex_MK_Create_args_t;

/* Makes a kind of memory; not collective. Always returns GASNET_ERR_BAD_ARG: the library was built without this class, or the
 * class is the host's, whose only kind GEX_MK_HOST need not be created. */
int gex_MK_Create(gex_MK_t *memkind_p, gex_Client_t client, const gex_MK_Create_args_t *args, gex_Flags_t flags);
/* Ends the job, because no kind was created. */
void gex_MK_Destroy(gex_MK_t memkind, gex_Flags_t flags);

#ifdef __cplusplus
}
#endif
#endif
