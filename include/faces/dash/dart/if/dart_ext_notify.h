/* Notified access: a put whose target learns of it. An extension by Tessera. */
#ifndef TESSERA_DART_EXT_NOTIFY_H
#define TESSERA_DART_EXT_NOTIFY_H

#include <stddef.h>
#include <stdint.h>

#include <dash/dart/if/dart_communication.h>
#include <dash/dart/if/dart_types.h>
#include <dash/dart/if/dart_util.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __cplusplus
}
#endif
#endif
