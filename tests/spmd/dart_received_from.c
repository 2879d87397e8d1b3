/* The statistics count a message that was received from any unit as remote if its sender is on another node. The message is
 * the name of the sender's host.
 * Units: 1 3
 * Nodes: 1 */
#include "dart_check.h"

#include <dash/dart/if/dart_ext_message.h>
#include <limits.h>
#include <sys/mman.h>
#include <unistd.h>

enum { BYTES = HOST_NAME_MAX + 1 };

int main(int argc, char **argv) {
  static char host[BYTES], received[BYTES], text[1 << 16];
  int capture = memfd_create("stderr", 0), before = dup(STDERR_FILENO);
  if (capture < 0 || before < 0 || gethostname(host, sizeof host)) return 77;
  setenv("TESSERA_STATS", "1", 1);
  dup2(capture, STDERR_FILENO);
  start(&argc, &argv);
  dart_handle_t handle = DART_HANDLE_NULL;
  dart_message_status_t status;
  OK(dart_irecv(received, BYTES, DART_TYPE_BYTE, DART_ANY_TAG, DART_ANY_UNIT, &status, &handle));
  OK(dart_send(host, BYTES, DART_TYPE_BYTE, 7, DART_GLOBAL_UNIT_ID((self + 1) % units_n)));
  OK(dart_wait(&handle));
  CHECK_EQ(status.unit.id, (self + units_n - 1) % units_n);
  int remote_n = strcmp(received, host) != 0, all_remote_n = 0;
  OK(dart_allreduce(&remote_n, &all_remote_n, 1, DART_TYPE_INT, DART_OP_SUM, DART_TEAM_ALL));
  OK(dart_exit());
  dup2(before, STDERR_FILENO);
  if (self != 0) return check_result(); /* unit 0 prints what all have received */
  if (pread(capture, text, sizeof text - 1, 0) < 0) abort();
  const char *row = strstr(text, "] receive ");
  long calls_n = -1, bytes = -1, remote_bytes = -1;
  CHECK(row && sscanf(row, "] receive %ld %ld %ld", &calls_n, &bytes, &remote_bytes) == 3);
  CHECK_EQ(calls_n, (long)units_n);
  CHECK_EQ(bytes, (long)units_n * BYTES);
  CHECK_EQ(remote_bytes, all_remote_n * BYTES);
  return check_result();
}
