#include "net/mpi/agree.h"

#include "net/common/wire.h"
#include "net/mpi/comms.h"
#include "net/mpi/mpi.h"

tessera_status_t tsr_mpi_duplicate_comm(MPI_Comm comm, MPI_Comm *copy) {
  if (tsr_net_mpi_failed(MPI_Comm_dup(comm, copy), "MPI_Comm_dup") ||
      tsr_net_mpi_failed(MPI_Comm_set_errhandler(*copy, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler"))
    return TESSERA_ERR_NET;
  return TESSERA_OK;
}

tessera_status_t tsr_mpi_agree_on_limits(MPI_Comm comm) {
  long long limits[TSR_WIRE_LIMITS_N];
  tsr_wire_propose_limits(limits);
  int code = MPI_Allreduce(MPI_IN_PLACE, limits, TSR_WIRE_LIMITS_N, MPI_LONG_LONG, MPI_MIN, comm);
  if (tsr_net_mpi_failed(code, "MPI_Allreduce of the limits")) return TESSERA_ERR_NET;
  tsr_wire_settle_limits(limits);
  return TESSERA_OK;
}

tessera_status_t tsr_mpi_agree_on_status(MPI_Comm comm, tessera_status_t status) {
  int worst = status;
  int code = MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_INT, MPI_MAX, comm);
  if (tsr_net_mpi_failed(code, "MPI_Allreduce of the status")) return TESSERA_ERR_NET;
  return status || !worst ? status : TESSERA_ERR_PEER;
}

tessera_status_t tsr_mpi_agree_on_value(MPI_Comm comm, int value, bool *same) {
  int both[2] = {value, -value};
  int code = MPI_Allreduce(MPI_IN_PLACE, both, 2, MPI_INT, MPI_MIN, comm);
  if (tsr_net_mpi_failed(code, "MPI_Allreduce of a setting")) return TESSERA_ERR_NET;
  *same = both[0] == -both[1];
  return TESSERA_OK;
}

bool tsr_mpi_test_barrier(MPI_Comm comm) {
  static MPI_Request request = MPI_REQUEST_NULL;
  int over = false, code = MPI_SUCCESS;
  if (request == MPI_REQUEST_NULL) code = MPI_Ibarrier(comm, &request);
  if (code == MPI_SUCCESS) code = MPI_Test(&request, &over, MPI_STATUS_IGNORE);
  if (code != MPI_SUCCESS) tsr_mpi_failed(code, "MPI_Ibarrier");
  return over;
}
