/* The communicator that the program passes for a job. */
#ifndef TSR_CORE_JOB_COMM_H
#define TSR_CORE_JOB_COMM_H

#include <mpi.h>
#include <stdbool.h>

#include <tessera.h>

#include "base/status.h"
#include "core/launch.h"

/* Whether how->comm is a communicator that a job may have. Logs TESSERA_ERR_ARG. */
tessera_status_t tsr_job_comm_check(const struct tsr_launch *how) TSR_MUST_USE;

/* Whether both communicators have the same processes in the same order. */
bool tsr_job_comm_is_like(MPI_Comm comm, MPI_Comm other);

/* At the end of a job: its progress processes cannot be members of later ones. */
void tsr_job_comm_lose_agents(MPI_Comm job, MPI_Comm units);

/* Whether all processes of how->comm (NULL: of MPI_COMM_WORLD) may start a job, as far as this process knows. Logs TESSERA_ERR_ARG,
 * and notifies the other members. */
tessera_status_t tsr_job_comm_check_members(const struct tsr_launch *how) TSR_MUST_USE;

/* Waits for all members. Logs TESSERA_ERR_ARG: another member knows of one that does not come. */
tessera_status_t tsr_job_comm_await(const struct tsr_launch *how) TSR_MUST_USE;

#endif
