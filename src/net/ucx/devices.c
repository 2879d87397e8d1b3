#include "net/ucx/devices.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net/ucx/library.h"

void tsr_ucx_each_setting(void (*row)(const char *text, void *arg), void *arg) {
  static const char *const names[] = {"UCX_NET_DEVICES", "UCX_TLS"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    bool is_own = false;
    char text[512];
    const char *value = tsr_ucx_setting(names[i], &is_own);
    if (value) snprintf(text, sizeof text, "%s=%s, by %s%s", names[i], value, is_own ? "TESSERA_" : "", names[i]);
    else snprintf(text, sizeof text, "%s=all (default)", names[i]);
    row(text, arg);
  }
}

/* ---- UCX's own list ---- */

/* Returns what UCX prints of a context, or NULL with the error; free it. */
static char *print_context(ucs_status_t *status) {
  char *text = NULL;
  size_t bytes = 0;
  ucp_config_t *config = NULL;
  ucp_context_h context = NULL;
  const ucp_params_t params = {.field_mask = UCP_PARAM_FIELD_FEATURES,
                               .features = UCP_FEATURE_AM | UCP_FEATURE_TAG | UCP_FEATURE_WAKEUP};
  *status = tsr_ucx.ucp_config_read("TESSERA", NULL, &config);
  if (*status != UCS_OK) return NULL;
  *status = tsr_ucx.ucp_init_version(UCP_API_MAJOR, UCP_API_MINOR, &params, config, &context);
  tsr_ucx.ucp_config_release(config);
  if (*status != UCS_OK) return NULL;
  FILE *stream = open_memstream(&text, &bytes);
  if (stream) {
    tsr_ucx.ucp_context_print_info(context, stream);
    fclose(stream);
  }
  tsr_ucx.ucp_cleanup(context);
  *status = text ? UCS_OK : UCS_ERR_NO_MEMORY;
  return text;
}

/* A line of UCX's list: "#   resource 2  :  md 1  dev 2  flags -- tcp/eth0". False: it is another one. */
struct resource {
  char transport[64], device[64];
};
static bool read_resource(const char *line, struct resource *resource) {
  const char *flags = strstr(line, " flags "), *end = line + strcspn(line, "\n");
  if (!strstr(line, " resource ") || !flags || flags > end) return false;
  return sscanf(flags, " flags %*s %63[^/ \n]/%63[^ \n]", resource->transport, resource->device) == 2;
}

static const char *next_line(const char *line) {
  line += strcspn(line, "\n");
  return *line ? line + 1 : line;
}

/* The transports of a device, from the line on where it comes first. */
static void describe_device(const char *line, const char *device, char *text, size_t bytes) {
  struct resource resource;
  size_t n = (size_t)snprintf(text, bytes, "%s:", device);
  for (; *line; line = next_line(line)) {
    if (read_resource(line, &resource) && strcmp(resource.device, device) == 0 && n < bytes)
      n += (size_t)snprintf(text + n, bytes - n, " %s", resource.transport);
  }
}

static bool came_before(const char *list, const char *line, const char *device) {
  struct resource resource;
  for (; list < line; list = next_line(list)) {
    if (read_resource(list, &resource) && strcmp(resource.device, device) == 0) return true;
  }
  return false;
}

bool tsr_ucx_each_device(void (*row)(const char *text, void *arg), void *arg) {
  ucs_status_t status;
  struct resource resource;
  char text[512], *list = print_context(&status);
  if (!list) {
    snprintf(text, sizeof text, "none: %s; name others in UCX_NET_DEVICES and UCX_TLS", tsr_ucx.ucs_status_string(status));
    row(text, arg);
    return false;
  }
  for (const char *line = list; *line; line = next_line(line)) {
    if (!read_resource(line, &resource) || came_before(list, line, resource.device)) continue;
    describe_device(line, resource.device, text, sizeof text);
    row(text, arg);
  }
  free(list);
  return true;
}
