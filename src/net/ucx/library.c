#include "net/ucx/library.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/config.h"
#include "base/status.h"

struct tsr_ucx tsr_ucx;

#define REMEDY "install UCX (Debian: libucx0), name its libucp in TESSERA_UCX_LIBRARY, or set TESSERA_NET=mpi"

/* The name of a function that the library lacks; NULL: none. */
static const char *find_functions(void *library) {
#define ROW(name)                                      \
  *(void **)&tsr_ucx.name = dlsym(library, #name);     \
  if (!tsr_ucx.name) return #name;
  TSR_UCX_FUNCTIONS(ROW)
#undef ROW
  return NULL;
}

enum { LEAST_MAJOR = 1, LEAST_MINOR = 12 };

static tessera_status_t check_version(bool report, const char *missing) {
  unsigned major = 0, minor = 0, release = 0;
  if (!tsr_ucx.ucp_get_version)
    return !report ? TESSERA_ERR_UNSUPPORTED
                   : tsr_fail(TESSERA_ERR_UNSUPPORTED, "TSR-0253 TESSERA_NET=ucx: %s has no ucp_get_version, so it is not "
                              "UCX; " REMEDY, tsr_config.ucx_library);
  tsr_ucx.ucp_get_version(&major, &minor, &release);
  if (!missing && major == LEAST_MAJOR && minor >= LEAST_MINOR) return TESSERA_OK;
  return !report ? TESSERA_ERR_UNSUPPORTED
                 : tsr_fail(TESSERA_ERR_UNSUPPORTED, "TSR-0245 TESSERA_NET=ucx: %s is UCX %u.%u%s%s, and %d.%d or a later %d.x is "
                            "needed; " REMEDY, tsr_config.ucx_library, major, minor, missing ? " without " : "",
                            missing ? missing : "", LEAST_MAJOR, LEAST_MINOR, LEAST_MAJOR);
}

tessera_status_t tsr_ucx_open(bool report) {
  static bool is_open;
  if (is_open) return TESSERA_OK;
  void *library = dlopen(tsr_config.ucx_library, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!library) {
    const char *why = dlerror();
    return !report ? TESSERA_ERR_UNSUPPORTED
                   : tsr_fail(TESSERA_ERR_UNSUPPORTED, "TSR-0244 TESSERA_NET=ucx: UCX cannot be opened: %s; " REMEDY, why);
  }
  tessera_status_t status = check_version(report, find_functions(library));
  is_open = status == TESSERA_OK;
  return status;
}

const char *tsr_ucx_setting(const char *name, bool *is_own) {
  char own[64];
  snprintf(own, sizeof own, "TESSERA_%s", name);
  const char *text = tsr_config_foreign_text(own);
  if (is_own) *is_own = text != NULL;
  return text ? text : tsr_config_foreign_text(name);
}

bool tsr_ucx_describe(char *text, size_t bytes) {
  unsigned major = 0, minor = 0, release = 0;
  const bool usable = tsr_ucx_open(false) == TESSERA_OK;
  if (!tsr_ucx.ucp_get_version) {
    dlerror();
    bool opens = dlopen(tsr_config.ucx_library, RTLD_NOW | RTLD_LOCAL) != NULL;
    const char *why = opens ? "it is not UCX's libucp" : dlerror();
    snprintf(text, bytes, "cannot be opened: %s", why ? why : "no reason given");
    return false;
  }
  Dl_info file = {0};
  dladdr(*(void **)&tsr_ucx.ucp_get_version, &file);
  tsr_ucx.ucp_get_version(&major, &minor, &release);
  snprintf(text, bytes, "%u.%u.%u, %s", major, minor, release, file.dli_fname ? file.dli_fname : tsr_config.ucx_library);
  if (!usable) {
    size_t n = strlen(text);
    snprintf(text + n, bytes - n, ": cannot be used, as it lacks functions or is not %d.%d or a later %d.x", LEAST_MAJOR,
             LEAST_MINOR, LEAST_MAJOR);
  }
  return usable;
}
