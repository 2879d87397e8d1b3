/* OpenSHMEM's collectives on the works coll.*. They take symmetric buffers only. There is no gather, no scatter, and no
 * reduction to one unit. */
static void run_coll(struct perf *p, const struct perf_work *work) { perf_shmem_run_sets(p, work, "global"); }

static const struct perf_work coll_works[] = {
    {"coll.bcast", "shmem_broadcast64", run_coll, perf_shmem_bcast, PERF_COLL_SINGLE},
    {"coll.allreduce", "shmem_double_sum_to_all", run_coll, perf_shmem_reduce, PERF_COLL_SINGLE},
    {"coll.allgather", "shmem_fcollect64", run_coll, perf_shmem_fcollect, PERF_COLL_RECEIVES_ALL},
    {"coll.alltoall", "shmem_alltoall64", run_coll, perf_shmem_alltoall, PERF_COLL_ALL},
    {0},
};
