#include <stdio.h>

#include "base/log.h"
#include "net/mpi/comms.h"

bool tsr_net_mpi_failed(int code, const char *call) {
  if (code == MPI_SUCCESS) return false;
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  if (MPI_Error_string(code, text, &length) != MPI_SUCCESS) snprintf(text, sizeof text, "unknown code %d", code);
  for (char *c = text; *c; c++) { /* one message is one line */
    if (*c == '\n') *c = ' ';
  }
  tsr_error("TSR-0203 %s: %s", call, text);
  return true;
}

void tsr_mpi_failed(int code, const char *what) {
  tsr_net_mpi_failed(code, what);
  tsr_wire_fatal("TSR-0204 %s failed in MPI; the line before says why", what);
}

bool tsr_mpi_is_truncation(int code) {
  int kind = MPI_SUCCESS;
  MPI_Error_class(code, &kind);
  return kind == MPI_ERR_TRUNCATE;
}
