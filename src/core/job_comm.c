#include "core/job_comm.h"

#include "base/status.h"
#include "base/wait.h"
#include "core/place.h"

static MPI_Group lost = MPI_GROUP_NULL; /* progress processes of earlier jobs, which did not return to the program */

void tsr_job_comm_lose_agents(MPI_Comm job, MPI_Comm units) {
  MPI_Group all, others, agents, before = lost;
  if (!tsr_place.agents_n || tsr_place_is_agent()) return;
  MPI_Comm_group(job, &all);
  MPI_Comm_group(units, &others);
  MPI_Group_difference(all, others, &agents);
  MPI_Group_union(agents, before == MPI_GROUP_NULL ? MPI_GROUP_EMPTY : before, &lost);
  MPI_Group_free(&all);
  MPI_Group_free(&others);
  MPI_Group_free(&agents);
  if (before != MPI_GROUP_NULL) MPI_Group_free(&before);
}

/* For an invalid handle MPI calls the error handler of MPI_COMM_WORLD or MPI_COMM_SELF, which may end the job. */
static bool ask_kind(MPI_Comm comm, int *is_inter) {
  MPI_Comm asked[] = {MPI_COMM_WORLD, MPI_COMM_SELF};
  MPI_Errhandler before[2];
  for (int i = 0; i < 2; i++) {
    MPI_Comm_get_errhandler(asked[i], &before[i]);
    MPI_Comm_set_errhandler(asked[i], MPI_ERRORS_RETURN);
  }
  bool is_known = MPI_Comm_test_inter(comm, is_inter) == MPI_SUCCESS;
  for (int i = 0; i < 2; i++) {
    MPI_Comm_set_errhandler(asked[i], before[i]);
    if (before[i] != MPI_ERRHANDLER_NULL) MPI_Errhandler_free(&before[i]);
  }
  return is_known;
}

tessera_status_t tsr_job_comm_check(const struct tsr_launch *how) {
  int is_inter = 0;
  if (*how->comm == MPI_COMM_NULL)
    return tsr_fail(TESSERA_ERR_ARG, "TSR-0323 %s: comm is MPI_COMM_NULL; pass a communicator that holds the calling process, "
                    "and do not call on the processes that take no part", how->call);
  if (!ask_kind(*how->comm, &is_inter))
    return tsr_fail(TESSERA_ERR_ARG, "TSR-0324 %s: MPI knows no communicator comm; pass one that was made and not freed",
                    how->call);
  if (is_inter)
    return tsr_fail(TESSERA_ERR_ARG, "TSR-0325 %s: comm is an inter-communicator, whose processes have no common numbers; pass "
                    "an intra-communicator, as MPI_Intercomm_merge makes", how->call);
  return TESSERA_OK;
}

bool tsr_job_comm_is_like(MPI_Comm comm, MPI_Comm other) {
  int how = MPI_UNEQUAL;
  if (comm == other) return true;
  return MPI_Comm_compare(comm, other, &how) == MPI_SUCCESS && (how == MPI_IDENT || how == MPI_CONGRUENT);
}

/* A communicator may contain a process that was a progress process of an earlier job. That process makes no call any
 * more, so a collective call on the communicator would not end. Members that were in that job know it, and notify the
 * other members by messages on the program's communicator. The other members are waiting for all members meanwhile. The
 * messages are sent in this case only. */
enum { LOST_TAG = 29779 };

static tessera_status_t fail_lost(const struct tsr_launch *how, int rank) {
  return tsr_fail(TESSERA_ERR_ARG, "TSR-0327 %s: rank %d of comm was a progress process of an earlier job, and does not come "
                  "back from it; pass a communicator without the progress processes of earlier jobs, as tessera_comm gives",
                  how->call, rank);
}

/* Rank in `comm` of a progress process of an earlier job; -1: there is none. */
static int find_lost(MPI_Comm comm) {
  MPI_Group members, both;
  int n, first = 0, rank = -1;
  if (lost == MPI_GROUP_NULL) return -1;
  MPI_Comm_group(comm, &members);
  MPI_Group_intersection(lost, members, &both);
  MPI_Group_size(both, &n);
  if (n > 0) MPI_Group_translate_ranks(both, 1, &first, members, &rank);
  MPI_Group_free(&members);
  MPI_Group_free(&both);
  return rank;
}

tessera_status_t tsr_job_comm_check_members(const struct tsr_launch *how) {
  static int told; /* buffer of messages whose completion is not awaited; later ones have the same content */
  int gone = find_lost(how->comm ? *how->comm : MPI_COMM_WORLD), n, self;
  if (gone < 0) return TESSERA_OK;
  if (!how->comm) return fail_lost(&(struct tsr_launch){.call = "the start on all processes"}, gone);
  told = gone;
  MPI_Comm_size(*how->comm, &n);
  MPI_Comm_rank(*how->comm, &self);
  for (int rank = 0; rank < n; rank++) {
    MPI_Request request;
    if (rank == self || rank == gone) continue;
    MPI_Isend(&told, 1, MPI_INT, rank, LOST_TAG, *how->comm, &request);
    MPI_Request_free(&request);
  }
  return fail_lost(how, gone);
}

/* The barrier may not end and is then left to MPI. A duplication that does not end would keep Open MPI from creating any other
 * communicator. */
tessera_status_t tsr_job_comm_await(const struct tsr_launch *how) {
  MPI_Request barrier;
  int is_done = 0, is_told = 0, gone;
  MPI_Ibarrier(*how->comm, &barrier);
  for (MPI_Test(&barrier, &is_done, MPI_STATUS_IGNORE); !is_done; MPI_Test(&barrier, &is_done, MPI_STATUS_IGNORE)) {
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, LOST_TAG, *how->comm, &is_told, &status);
    if (is_told) {
      MPI_Recv(&gone, 1, MPI_INT, status.MPI_SOURCE, LOST_TAG, *how->comm, MPI_STATUS_IGNORE);
      return fail_lost(how, gone);
    }
    tsr_wait_sleep_ns(10000);
  }
  return TESSERA_OK;
}
