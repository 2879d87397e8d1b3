/* Requests, which the non-blocking calls of the native interface store. Id 0 means complete.
 *
 * A request belongs to the caller until a wait, or a test that finds it complete, sets its id to 0; any copy of it is
 * then stale. Any unit, not collective. Threads: any, but one at a time on one request. An operation progresses
 * whenever its unit waits in any call, or enters the library; a unit that computes for a long time should therefore
 * test now and then. Every error is logged with its remedy. */
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

/* Stores whether the operation is complete on this unit; if so, the program may use its buffers again.
 * TESSERA_ERR_ARG: request or complete is NULL. TESSERA_ERR_NOT_FOUND: a stale request. TESSERA_ERR_STATE: not
 * initialised. */
TESSERA_API tessera_status_t tessera_test(tessera_request_t *request, bool *complete);

/* Return when the operation, or all n operations, are complete on this unit. Errors as above; if any request is
 * invalid, the call waits for none of them. */
TESSERA_API tessera_status_t tessera_wait(tessera_request_t *request);
TESSERA_API tessera_status_t tessera_wait_all(tessera_request_t requests[], size_t n);

#ifdef __cplusplus
}
#endif
#endif
