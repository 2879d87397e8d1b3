/* Two-sided messages beyond the published interface: modes, non-blocking, any source and tag, probe. An extension by Tessera. */
#ifndef TESSERA_DART_EXT_MESSAGE_H
#define TESSERA_DART_EXT_MESSAGE_H

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
