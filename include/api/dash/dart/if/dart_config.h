/* The configuration descriptor of the DART interface. */
#ifndef TESSERA_DART_CONFIG_H
#define TESSERA_DART_CONFIG_H

#include <dash/dart/if/dart_types.h>
#include <dash/dart/if/dart_util.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Stores a pointer to the live descriptor.
 * Who: any unit, any time. Owner: the library; valid until the process ends. Return: complete. Errors: none (a null
 * pointer is ignored). Threads: any, but fields are plain. Cost: inline.
 * Contract: log_enabled starts as 1. While it is 0 the DART interface writes no line below an error; errors, and lines
 * of other parts of the library, are not its business. How much the log says is up to TESSERA_LOG, or, where that is
 * not set, from dart_init on to DART_LOG_LEVEL: ERROR, WARN, INFO, DEBUG or TRACE (which is DEBUG here). */
TESSERA_DART_API void dart_config(dart_config_t **config) DART_NOTHROW;

#ifdef __cplusplus
}
#endif
#endif
