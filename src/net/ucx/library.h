/* UCX, opened at run time: a build with this wire needs UCX's headers only, and the wire over MPI needs nothing of it. */
#ifndef TSR_NET_UCX_LIBRARY_H
#define TSR_NET_UCX_LIBRARY_H

#include <stdbool.h>

#include <ucp/api/ucp.h>

#include <tessera.h>

#define TSR_UCX_FUNCTIONS(ROW)                                                                                              \
  ROW(ucp_get_version) ROW(ucp_config_read) ROW(ucp_config_modify) ROW(ucp_config_release) ROW(ucp_init_version)            \
  ROW(ucp_cleanup) ROW(ucp_worker_create) ROW(ucp_worker_destroy) ROW(ucp_worker_get_address)                               \
  ROW(ucp_worker_release_address) ROW(ucp_worker_progress) ROW(ucp_worker_arm) ROW(ucp_worker_get_efd)                      \
  ROW(ucp_worker_flush_nbx) ROW(ucp_worker_set_am_recv_handler) ROW(ucp_ep_create) ROW(ucp_ep_close_nbx)                    \
  ROW(ucp_am_send_nbx) ROW(ucp_tag_send_nbx) ROW(ucp_tag_send_sync_nbx) ROW(ucp_tag_recv_nbx) ROW(ucp_request_cancel)       \
  ROW(ucp_request_check_status) ROW(ucp_request_free) ROW(ucs_status_string) ROW(ucp_mem_map) ROW(ucp_mem_unmap)            \
  ROW(ucp_rkey_pack) ROW(ucp_rkey_buffer_release) ROW(ucp_rkey_destroy) ROW(ucp_ep_rkey_unpack) ROW(ucp_ep_flush_nbx)      \
  ROW(ucp_put_nbx) ROW(ucp_get_nbx) ROW(ucp_context_print_info)

struct tsr_ucx {
#define ROW(name) __typeof__(name) *name;
  TSR_UCX_FUNCTIONS(ROW)
#undef ROW
};
extern struct tsr_ucx tsr_ucx; /* after tsr_ucx_open */

/* Opens the library that TESSERA_UCX_LIBRARY names. TESSERA_ERR_UNSUPPORTED: it is missing, too old or lacks a function;
 * logged if `report`. Open already: nothing happens. It stays open. */
tessera_status_t tsr_ucx_open(bool report);

/* The value of a variable of UCX: that of TESSERA_`name` if it is set (*is_own is true then), else that of `name`. NULL: neither is
 * set. */
const char *tsr_ucx_setting(const char *name, bool *is_own);

/* One line: the version and the file of that library, or what is wrong with it. Returns whether it can be used. */
bool tsr_ucx_describe(char *text, size_t bytes);

#endif
