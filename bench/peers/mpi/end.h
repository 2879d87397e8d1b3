/* The end of a program on MPI. Between hosts, MPICH's MPI_Finalize sometimes never returns: one rank closes its
 * connections while the other waits for the launcher without serving them. To keep the results, all ranks meet in a
 * barrier, and then each one tells the launcher that it ends. */
#ifndef BENCH_MPI_END_H
#define BENCH_MPI_END_H

#include <mpi.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

static inline bool end_with_launcher(void) {
#ifdef MPICH_VERSION
  static const char farewell[] = "cmd=finalize\n";
  const ssize_t length = sizeof farewell - 1;
  const char *fd = getenv("PMI_FD");
  char answer[128];
  MPI_Barrier(MPI_COMM_WORLD);
  return fd && write(atoi(fd), farewell, (size_t)length) == length && read(atoi(fd), answer, sizeof answer) > 0;
#else
  return false;
#endif
}

static inline void end_mpi(void) {
  if (!end_with_launcher()) MPI_Finalize();
}

#endif
