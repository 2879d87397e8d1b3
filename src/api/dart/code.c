#include "api/dart/dart_api.h"

dart_ret_t tsr_dart_code(tessera_status_t status) {
  switch (status) {
    case TESSERA_OK: return DART_OK;
    case TESSERA_ERR_ARG:
    case TESSERA_ERR_RANGE:
    case TESSERA_ERR_NOT_FOUND:
    case TESSERA_ERR_UNSUPPORTED: return DART_ERR_INVAL;
    case TESSERA_ERR_STATE: return DART_ERR_NOTINIT;
    case TESSERA_ERR_MEMORY: return DART_ERR_NOMEM;
    default: return DART_ERR_OTHER;
  }
}
