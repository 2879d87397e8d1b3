/* The configuration of the DART interface. */
#ifndef TESSERA_DART_CONFIG_H
#define TESSERA_DART_CONFIG_H

#include <dash/dart/if/dart_types.h>
#include <dash/dart/if/dart_util.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Stores a pointer to the configuration, which the program may change.
 * Who: any unit, any time. Owner: the library; valid until the process ends. Return: complete. Errors: none (a null
 * pointer is ignored). Threads: any, but the fields are plain variables. Cost: inline.
 * Contract: log_enabled starts as 1. While it is 0, the DART interface logs errors only; lines of other parts of the
 * library are not affected. TESSERA_LOG sets the log level. If it is not set, dart_init takes the level from
 * DART_LOG_LEVEL: ERROR, WARN, INFO, DEBUG or TRACE (the same as DEBUG). */
TESSERA_DART_API void dart_config(dart_config_t **config) DART_NOTHROW;

#ifdef __cplusplus
}
#endif
#endif
