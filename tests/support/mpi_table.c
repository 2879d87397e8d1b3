/* Functions of MPI in a table whose addresses, in a program that is linked to a fixed place, are the program's own. */
#include <mpi.h>

int (*const mpi_table[2])(MPI_Comm, int *) = {PMPI_Comm_rank, PMPI_Comm_size};
