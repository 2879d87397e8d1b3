/* Which MPI library the process has. */
#ifndef TSR_NET_MPI_LIBRARY_H
#define TSR_NET_MPI_LIBRARY_H

#include <stdbool.h>

/* Ends the process with a message when it has the library of another MPI than the one whose headers Tessera was compiled with:
 * their handles differ, so that no call would be safe. To be called before MPI is started, and before any other call of MPI,
 * which could already go wrong. Any thread. */
void tsr_net_mpi_check_library(void);

/* Whether a function is one of the MPI library's. */
bool tsr_net_mpi_has_code(const void *code);

#endif
