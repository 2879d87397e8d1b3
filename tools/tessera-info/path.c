/* --explain FROM TO BYTES: the path of a transfer from one unit to another, and the reasons for it; unit FROM prints
 * them. */
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tessera/coll.h>
#include <tessera/memory.h>

#include "base/clock.h"
#include "base/config.h"
#include "core/place.h"
#include "info.h"
#include "net/net.h"
#include "net/start.h"
#include "node/attach.h"
#include "rma/offload.h"

enum { TIMES_N = 21 };

struct path {
  int32_t from, to, bytes;
};

/* Reads a number of bytes such as 64K; -1: it is none. */
static int32_t read_bytes(const char *text) {
  char number[16];
  const char *suffix = text ? text + strspn(text, "0123456789") : "";
  const char *at = *suffix ? strchr("KkMm", *suffix) : NULL;
  if (!at || suffix[1] || suffix - text >= (ptrdiff_t)sizeof number) return info_number(text, 1);
  snprintf(number, sizeof number, "%.*s", (int)(suffix - text), text);
  const int32_t value = info_number(number, 1), shift = *at == 'K' || *at == 'k' ? 10 : 20;
  return value < 0 || value > INT32_MAX >> shift ? -1 : value << shift;
}

static bool read_path(struct path *path) {
  *path = (struct path){info_number(info_words[0], 0), info_number(info_words[1], 0), read_bytes(info_words[2])};
  if (path->from >= 0 && path->to >= 0 && path->bytes >= 0) return true;
  fprintf(stderr, "tessera-info: --explain takes two units and a number of bytes, such as --explain 0 3 64K; to compare two units, "
                  "start it under mpiexec\n");
  return false;
}

static const char *server(void) {
  static const char *const by_kind[] = {"no process while its units compute: the request waits until one of them makes a call",
                                        "a progress thread in the first unit of that node"};
  if (strncmp(tsr_config.progress, "process", 7) == 0) return "a progress process of that node";
  return by_kind[strcmp(tsr_config.progress, "none") != 0];
}

static void explain_local(const struct path *path) {
  const bool is_self = path->from == path->to;
  const bool attaches = is_self || tsr_attach_works((uint32_t)tsr_place_local(TSR_UNIT(path->to)));
  printf("allocated memory     one copy by the caller: both heaps are mapped here. The target takes no part\n");
  printf("registered memory    %s\n",
         is_self    ? "one copy by the caller"
         : attaches ? "one copy by the kernel (cross-memory attach). The target takes no part"
                    : "the owner copies when it makes a call, or its progress thread does: the kernel refuses cross-memory attach. "
                      "Permit process_vm_readv (kernel.yama.ptrace_scope=0, the container's seccomp profile or CAP_SYS_PTRACE)");
}

/* What carries puts and gets of allocated memory: the wire of this job is up, so the result of its probe is known. */
static const char *carrier(void) {
  const bool is_ucx = tsr_net_prefers_ucx(), was_probed = is_ucx && tsr_config.ucx_rma == TSR_UCX_RMA_AUTO && tsr_net_has_verbs();
  if (tsr_net->has_window && is_ucx)
    return "one-sided by UCX: a probe at the start has shown that no process of the target is needed (TESSERA_UCX_RMA)";
  if (was_probed) return "requests: a probe at the start has shown that UCX needs the target (TESSERA_LOG=info prints how)";
  return tsr_net_explain_rma();
}

static void explain_remote(const struct path *path) {
  char wire[256];
  printf("wire                 %s\n", tsr_net_explain(wire, sizeof wire));
  printf("puts and gets        %s\n", carrier());
  if (tsr_net->has_window) {
    printf("other operations     are requests, served by %s (TESSERA_PROGRESS)\n", server());
    return;
  }
  printf("message              %s\n",
         (size_t)path->bytes <= tsr_net_limits.eager_bytes
             ? "the data travels inside the request (TESSERA_EAGER_LIMIT)"
             : "a request announces the data, which follows in messages of its own (TESSERA_EAGER_LIMIT)");
  printf("served by            %s (TESSERA_PROGRESS)\n", server());
}

static void explain_offload(const struct path *path) {
  if (tsr_offload_wants(TSR_UNIT(path->to), (size_t)path->bytes))
    printf("non-blocking         a progress agent of the caller's node copies or sends while the caller computes "
           "(TESSERA_OFFLOAD)\n");
}

static int by_value(const void *a, const void *b) {
  const uint64_t *x = a, *y = b;
  return (*x > *y) - (*x < *y);
}

static uint64_t median_ns(const struct path *path, tessera_address_t there, void *data, bool puts) {
  uint64_t times[TIMES_N];
  for (int i = 0; i < TIMES_N; i++) {
    uint64_t begun_ns = tsr_clock_ns();
    info_require("a transfer",
                 puts ? tessera_put(there, data, (size_t)path->bytes) : tessera_get(data, there, (size_t)path->bytes));
    times[i] = tsr_clock_ns() - begun_ns;
  }
  qsort(times, TIMES_N, sizeof *times, by_value);
  return times[TIMES_N / 2];
}

static void measure(const struct path *path, tessera_memory_t memory) {
  void *data = calloc(1, (size_t)path->bytes);
  if (!data) info_require("calloc", TESSERA_ERR_MEMORY);
  const tessera_address_t there = tessera_address(memory, path->to, 0);
  printf("measured             put %.2f us, get %.2f us (medians of %d blocking calls, while the other units wait)\n",
         (double)median_ns(path, there, data, true) / 1e3, (double)median_ns(path, there, data, false) / 1e3, TIMES_N);
  free(data);
}

int info_path(void) {
  struct path path;
  tessera_memory_t memory;
  if (!info_words[0]) return info_explain();
  if (!read_path(&path)) return 2;
  info_start();
  const int32_t self = tessera_unit(), units_n = tessera_units();
  if (path.from >= units_n || path.to >= units_n) {
    if (self == 0) fprintf(stderr, "tessera-info: --explain: the job has units 0 to %d; start more by mpiexec -n\n", units_n - 1);
    info_end();
    return 2;
  }
  info_require("tessera_memory_allocate",
               tessera_memory_allocate(tessera_team_world(), self == path.to ? (size_t)path.bytes : 0, &memory));
  if (self == path.from) {
    const bool is_local = tsr_place_is_local(TSR_UNIT(path.to));
    printf("%" PRId32 " bytes from unit %" PRId32 " to unit %" PRId32 ", %s\n", path.bytes, path.from, path.to,
           path.from == path.to ? "the same unit" : is_local ? "on the same node" : "on another node");
    if (is_local) explain_local(&path);
    else explain_remote(&path);
    explain_offload(&path);
    measure(&path, memory);
  }
  info_require("tessera_memory_free", tessera_memory_free(&memory));
  return info_end();
}
