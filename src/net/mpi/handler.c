#include "net/mpi/handler.h"

#include "net/mpi/comms.h"

#ifdef MPICH_VERSION
#include <stdlib.h>

static MPI_Errhandler ours = MPI_ERRHANDLER_NULL;

/* MPICH holds a lock of its own meanwhile. Of the calls that would end the job, only the error handler of another
 * communicator does not take that lock. If it returns, too, the process logs the text and aborts. */
static void on_mpi_error(MPI_Comm *comm, int *code, ...) {
  (void)comm;
  if (tsr_wire_is_inside()) return;
  MPI_Comm_call_errhandler(MPI_COMM_SELF, *code);
  tsr_net_mpi_failed(*code, "a call of MPI");
  abort();
}

static bool replace_handler(MPI_Errhandler before, MPI_Errhandler after) {
  MPI_Errhandler now;
  if (MPI_Comm_get_errhandler(MPI_COMM_WORLD, &now) != MPI_SUCCESS) return false;
  bool found = now == before;
  if (found) MPI_Comm_set_errhandler(MPI_COMM_WORLD, after);
  MPI_Errhandler_free(&now);
  return found;
}

/* If there is no handler, MPI reports errors in its own words. */
void tsr_mpi_handler_start(void) {
  if (MPI_Comm_create_errhandler(on_mpi_error, &ours) != MPI_SUCCESS) ours = MPI_ERRHANDLER_NULL;
  else if (!replace_handler(MPI_ERRORS_ARE_FATAL, ours)) MPI_Errhandler_free(&ours);
}

void tsr_mpi_handler_stop(void) {
  if (ours == MPI_ERRHANDLER_NULL) return;
  replace_handler(ours, MPI_ERRORS_ARE_FATAL);
  MPI_Errhandler_free(&ours);
}
#else
void tsr_mpi_handler_start(void) {}
void tsr_mpi_handler_stop(void) {}
#endif
