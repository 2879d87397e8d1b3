/* MPI's own start and end, where weak.c has taken all of their names. */
#ifndef TSR_NET_MPI_OWN_H
#define TSR_NET_MPI_OWN_H

struct tsr_mpi_own {
  int (*init)(int *argc, char ***argv);
  int (*init_thread)(int *argc, char ***argv, int required, int *provided);
  int (*finalize)(void);
  int (*finalized)(int *flag);
};

/* Any thread. Ends the process with a message when MPI's library cannot be asked. */
const struct tsr_mpi_own *tsr_mpi_own(void);

#endif
