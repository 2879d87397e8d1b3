#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "net/common/wire.h"
#include "net/mpi/mpi.h"

/* The connection to MPICH's mpiexec, which understands lines of text (PMI, version 1). -1: another launcher started the process;
 * its protocol may differ. */
static int launcher_fd(void) {
  const char *text = getenv("MPI_LOCALNRANKS") ? getenv("PMI_FD") : NULL;
  char *end = NULL;
  long fd = text ? strtol(text, &end, 10) : -1;
  return text && *text && !*end && fd >= 0 ? (int)fd : -1;
}

/* The launcher sends nothing after this answer, so its text does not matter. */
static void await_answer(int fd) {
  enum { TIMEOUT_MS = 10000 };
  char answer[128];
  struct pollfd readable = {.fd = fd, .events = POLLIN};
  if (poll(&readable, 1, TIMEOUT_MS) == 1 && read(fd, answer, sizeof answer) < 0) return;
}

/* The line that MPICH's MPI_Abort sends. */
bool tsr_net_mpi_abort_inside(int code) {
  const int fd = tsr_wire_is_inside() ? launcher_fd() : -1;
  return fd >= 0 && dprintf(fd, "cmd=abort exitcode=%d\n", code) > 0;
}

bool tsr_net_mpi_can_leave(void) { return launcher_fd() >= 0; }

bool tsr_net_mpi_leave(void) {
  static const char finalize[] = "cmd=finalize\n";
  int fd = launcher_fd();
  if (fd < 0 || MPI_Barrier(MPI_COMM_WORLD) != MPI_SUCCESS) return false;
  if (write(fd, finalize, sizeof finalize - 1) != (ssize_t)sizeof finalize - 1) return false;
  await_answer(fd);
  return true;
}
