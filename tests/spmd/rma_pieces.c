/* Short transfers between nodes move in requests that need no agreement of both ends on a longer message; longer ones in one
 * request. The data is right at each size. What the MPI is told at its start is as the settings say, and the environment is left
 * alone. Units: 2 3
 */
#include "check.h"

#include <mpi.h>
#include <string.h>

#include "core/bootstrap.h"
#include "core/place.h"
#include "core/progress.h"
#include "core/team.h"
#include "net/net.h"
#include "net/start.h"
#include "node/heap.h"
#include "rma/rma.h"

enum { MOST = 1 << 20 };
static unsigned char data[MOST], got[MOST];

/* What the unit has asked for since the last reset. */
static struct tsr_net_ops counted;
static const struct tsr_net_ops *wire;
static _Atomic int requests_n;
static _Atomic size_t longest; /* reply or bulk */
static tessera_status_t count_request(const struct tsr_net_request *request) {
  size_t bytes = tsr_max_size(request->reply_bytes, request->bulk_bytes);
  if (request->handler == TSR_H_PUT || request->handler == TSR_H_GET) {
    requests_n++;
    if (bytes > longest) longest = bytes;
  }
  return wire->request(request);
}

static void expect(size_t bytes, int least_n, bool is_put) {
  if (tsr_place.nodes_n == 1 || tsr_net->has_window) least_n = 0; /* no request at all */
  const bool is_short = least_n == 0 || tsr_net_is_short(bytes);
  CHECK_EQ(requests_n, is_short ? least_n : 1);
  if (is_short) CHECK(longest <= tsr_net_limits.at_once_bytes);
  else CHECK(longest >= bytes - (is_put ? tsr_net_limits.eager_bytes : 0));
  requests_n = 0;
  longest = 0;
}

static int pieces(size_t bytes, size_t most) { return (int)((bytes + most - 1) / most); }

static void move(tsr_addr there, size_t bytes) {
  const size_t eager = tsr_net_limits.eager_bytes, at_once = tsr_net_limits.at_once_bytes;
  for (size_t i = 0; i < bytes; i++) data[i] = (unsigned char)(i * 7 + bytes);
  memset(got, 0, bytes);
  CHECK_EQ(tsr_put_wait(there, data, bytes), TESSERA_OK);
  expect(bytes, pieces(bytes, at_once + eager), true);
  CHECK_EQ(tsr_get_wait(got, there, bytes), TESSERA_OK);
  expect(bytes, pieces(bytes, at_once), false);
  CHECK(!memcmp(got, data, bytes));
}

/* The MPIs' variables, and the limit that they lead to. */
static const char *const variables[] = {"UCX_RNDV_THRESH", "OMPI_MCA_btl_tcp_eager_limit"};
enum { VARIABLES_N = sizeof variables / sizeof *variables };

static void check_settings(const bool were_set[]) {
  const char *own = getenv("TESSERA_MPI_EAGER_LIMIT");
  bool any_set = false;
  for (int i = 0; i < VARIABLES_N; i++) {
    any_set |= were_set[i];
    CHECK_EQ(getenv(variables[i]) != NULL, were_set[i]);
  }
  char version[MPI_MAX_LIBRARY_VERSION_STRING + 1] = "";
  int length = 0;
  MPI_Get_library_version(version, &length);
  if (tsr_place.nodes_n == 1 || tsr_net_has_verbs() || !(strstr(version, "ch4:ucx") || strstr(version, "Open MPI"))) return;
  const bool is_raised = !any_set && (!own || strcmp(own, "0"));
  CHECK_EQ(tsr_net_limits.at_once_bytes, is_raised ? (size_t)128 << 10 : tsr_net_limits.eager_bytes);
  if (!getenv("TESSERA_EAGER_LIMIT")) CHECK_EQ(tsr_net_limits.eager_bytes, (size_t)(is_raised ? 32 : 16) << 10);
}

int main(int argc, char **argv) {
  bool were_set[VARIABLES_N];
  for (int i = 0; i < VARIABLES_N; i++) were_set[i] = getenv(variables[i]) != NULL;
  setenv("TESSERA_PROGRESS", "none", 1); /* no other thread uses the transport while it is replaced */
  if (tessera_init(&argc, &argv)) return EXIT_FAILURE;
  check_settings(were_set);
  uint64_t off = 0;
  CHECK_EQ(tsr_heap_alloc(MOST, TSR_HEAP_LOCAL, &off), TESSERA_OK);
  int64_t common = tsr_place.self == tsr_place.units_n - 1 ? (int64_t)off : 0;
  tsr_bootstrap_max(tsr_team_world, &common, 1);
  const size_t eager = tsr_net_limits.eager_bytes, at_once = tsr_net_limits.at_once_bytes;
  const size_t sizes[] = {1, eager - 1, eager, eager + 1, 2 * eager, 3 * eager + 5, 4 * eager,
                          4 * eager + 1, at_once, at_once + eager, at_once + eager + 1, 10 * eager};
  if (tsr_place.self == 0) {
    wire = tsr_net;
    counted = *tsr_net;
    counted.request = count_request;
    tsr_net = &counted;
    const tsr_addr there = {TSR_UNIT(tsr_place.units_n - 1), (uint64_t)common};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
      if (sizes[i] <= MOST && sizes[i] <= tsr_net_limits.chunk_bytes) move(there, sizes[i]);
    }
    tsr_net = wire;
  }
  tsr_bootstrap_barrier(tsr_team_world);
  CHECK_EQ(tsr_heap_free(off, TSR_HEAP_LOCAL), TESSERA_OK);
  CHECK_EQ(tessera_exit(), TESSERA_OK);
  return check_result();
}
