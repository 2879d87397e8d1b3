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
 * Contract: log_enabled starts as 1 and is kept for programs that set it; how much the log says is up to TESSERA_LOG.
 * */
TESSERA_DART_API void dart_config(dart_config_t **config) DART_NOTHROW;

#ifdef __cplusplus
}
#endif
#endif
