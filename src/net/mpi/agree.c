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

/* One call, since a collective of MPI takes milliseconds if units outnumber cores. */
tessera_status_t tsr_mpi_agree_on_settings(MPI_Comm comm, const int settings[TSR_MPI_SETTINGS_N], size_t at_once_bytes,
                                           bool same[TSR_MPI_SETTINGS_N]) {
  enum { N = TSR_WIRE_LIMITS_N + 2 * TSR_MPI_SETTINGS_N };
  long long all[N], *least = all + TSR_WIRE_LIMITS_N, *most_turned = least + TSR_MPI_SETTINGS_N;
  tsr_wire_propose_limits(all, at_once_bytes);
  for (int i = 0; i < TSR_MPI_SETTINGS_N; i++) {
    least[i] = settings[i];
    most_turned[i] = -settings[i];
  }
  int code = MPI_Allreduce(MPI_IN_PLACE, all, N, MPI_LONG_LONG, MPI_MIN, comm);
  if (tsr_net_mpi_failed(code, "MPI_Allreduce of the settings")) return TESSERA_ERR_NET;
  tsr_wire_adopt_limits(all);
  for (int i = 0; i < TSR_MPI_SETTINGS_N; i++) same[i] = least[i] == -most_turned[i];
  return TESSERA_OK;
}

tessera_status_t tsr_mpi_agree_on_status(MPI_Comm comm, tessera_status_t status) {
  int worst = status;
  int code = MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_INT, MPI_MAX, comm);
  if (tsr_net_mpi_failed(code, "MPI_Allreduce of the status")) return TESSERA_ERR_NET;
  return status || !worst ? status : TESSERA_ERR_PEER;
}

bool tsr_mpi_has_threads(void) {
  int level = MPI_THREAD_SINGLE;
  MPI_Query_thread(&level);
  return level == MPI_THREAD_MULTIPLE;
}

bool tsr_mpi_is_first(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank == 0;
}

bool tsr_mpi_test_barrier(MPI_Comm comm) {
  static MPI_Request request = MPI_REQUEST_NULL;
  int over = false, code = MPI_SUCCESS;
  if (request == MPI_REQUEST_NULL) code = MPI_Ibarrier(comm, &request);
  if (code == MPI_SUCCESS) code = MPI_Test(&request, &over, MPI_STATUS_IGNORE);
  if (code != MPI_SUCCESS) tsr_mpi_failed(code, "MPI_Ibarrier");
  return over;
}
