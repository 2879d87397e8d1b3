#include <dash/dart/if/dart_config.h>

#include "base/config.h"
#include "base/log.h"
#include "core/place.h"
#include "api/dart/dart_api.h"

dart_config_t tsr_dart_config = {.log_enabled = 1};

void dart_config(dart_config_t **config) {
  if (config) *config = &tsr_dart_config;
}

void tsr_dart_log_start(void) {
  if (tsr_config_is_set("TESSERA_LOG")) return;
  int level = tsr_config_foreign("DART_LOG_LEVEL", "error|warn|info|debug|trace", tsr_place.self == 0);
  if (level >= 0) tsr_log_level = level > TSR_LOG_DEBUG ? TSR_LOG_DEBUG : (enum tsr_log_level)level;
}
