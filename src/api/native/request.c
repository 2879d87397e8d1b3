#include "api/native/native_api.h"

/* All requests are checked before any of them is used. */
static tessera_status_t check_requests(const char *name, const tessera_request_t requests[], size_t n) {
  if (!tsr_api_is_up[TSR_API_NATIVE]) return tsr_native_no_team(name, tessera_team_world());
  if (n && !requests) return tsr_fail(TESSERA_ERR_ARG, "TSR-1049 %s: the request is NULL; pass its address", name);
  for (size_t i = 0; i < n; i++) {
    if (requests[i].id && !tsr_handle_op(requests[i].id))
      return tsr_fail(TESSERA_ERR_NOT_FOUND, "TSR-1050 %s: request %llx at index %zu is stale or not a request; use a request "
                      "until it was waited for or tested as complete", name, (unsigned long long)requests[i].id, i);
  }
  return TESSERA_OK;
}

static void release_request(tessera_request_t *request) {
  tsr_handle_release(request->id);
  request->id = 0;
}

static tessera_status_t wait_for(const char *name, tessera_request_t requests[], size_t n) {
  uint64_t begun_ns = tsr_stats_begin();
  tessera_status_t status = check_requests(name, requests, n);
  if (status) return status;
  for (size_t i = 0; i < n; i++) {
    const tsr_op *op = requests[i].id ? tsr_handle_op(requests[i].id) : NULL; /* also NULL if listed twice */
    if (op) tsr_handle_wait_remote(op);
    if (requests[i].id) release_request(&requests[i]);
  }
  tsr_stats_end(TSR_STAT_WAIT, begun_ns, 0, 0);
  return TESSERA_OK;
}

tessera_status_t tessera_wait(tessera_request_t *request) { return wait_for(__func__, request, 1); }
tessera_status_t tessera_wait_all(tessera_request_t requests[], size_t n) { return wait_for(__func__, requests, n); }

tessera_status_t tessera_test(tessera_request_t *request, bool *complete) {
  tessera_status_t status = check_requests(__func__, request, 1);
  if (status) return status;
  if (!complete) return tsr_fail(TESSERA_ERR_ARG, "TSR-1051 %s: complete is NULL; pass where to store the answer", __func__);
  const tsr_op *op = request->id ? tsr_handle_op(request->id) : NULL;
  if (op && !tsr_op_remote_done(op)) tsr_progress();
  *complete = !op || tsr_op_remote_done(op);
  if (op && *complete) release_request(request);
  return TESSERA_OK;
}
