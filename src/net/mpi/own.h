/* MPI's own functions that weak.c redefines, under all of their names. */
#ifndef TSR_NET_MPI_OWN_H
#define TSR_NET_MPI_OWN_H

struct tsr_mpi_own {
  int (*init)(int *argc, char ***argv);
  int (*init_thread)(int *argc, char ***argv, int required, int *provided);
  int (*finalize)(void);
  int (*finalized)(int *flag);
};

/* Any thread. Ends the process with a message if MPI's library is not found. */
const struct tsr_mpi_own *tsr_mpi_own(void);

#endif
