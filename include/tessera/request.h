/* Requests: what a non-blocking call of the native interface stores. Id 0: complete.
 *
 * A request is the caller's until a wait, or a test that finds it complete, sets it to 0; a copy of it is stale then. Any
 * unit, not collective; any thread, one at a time on one request. What it stands for goes on whenever the unit waits for
 * anything or calls in, so one that waits for nothing tests now and then. Every error is logged with its remedy. */
#ifndef TESSERA_REQUEST_H
#define TESSERA_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tessera.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tessera_request {
  uint64_t id;
} tessera_request_t;

/* Stores whether the call is complete on this unit: its buffers are the program's again. TESSERA_ERR_ARG: request or
 * complete is NULL. TESSERA_ERR_NOT_FOUND: a stale request. TESSERA_ERR_STATE: not initialised. */
TESSERA_API tessera_status_t tessera_test(tessera_request_t *request, bool *complete);

/* Return when it is, or all n are. Errors as above; when any is wrong none was waited for. */
TESSERA_API tessera_status_t tessera_wait(tessera_request_t *request);
TESSERA_API tessera_status_t tessera_wait_all(tessera_request_t requests[], size_t n);

#ifdef __cplusplus
}
#endif
#endif
