#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "net/mpi/mpi.h"

#ifdef MPICH_VERSION
/* The launcher's end of a process started by MPICH's mpiexec: lines of text (PMI, version 1). -1: another launcher. */
static int launcher_fd(void) {
  const char *text = getenv("PMI_FD");
  char *end = NULL;
  long fd = text ? strtol(text, &end, 10) : -1;
  return text && *text && !*end && fd >= 0 ? (int)fd : -1;
}

static bool read_line(int fd, char *line, size_t room) {
  size_t n = 0;
  while (n + 1 < room && read(fd, line + n, 1) == 1) {
    if (line[n] == '\n') {
      line[n] = 0;
      return true;
    }
    n++;
  }
  return false;
}

bool tsr_net_mpi_leave(void) {
  static const char farewell[] = "cmd=finalize\n";
  char answer[128];
  int fd = launcher_fd();
  if (fd < 0 || MPI_Barrier(MPI_COMM_WORLD) != MPI_SUCCESS) return false;
  return write(fd, farewell, sizeof farewell - 1) == (ssize_t)sizeof farewell - 1 && read_line(fd, answer, sizeof answer) &&
         strstr(answer, "finalize_ack");
}
#else
bool tsr_net_mpi_leave(void) { return false; }
#endif
