#include "net/mpi/group.h"

#include <stdlib.h>

#include "base/status.h"
#include "net/mpi/pending.h"

struct tsr_net_group {
  MPI_Comm comm;
  int self;
};

/* MPI makes its communicator between these ranks alone; others do not hear of it. */
static int make_comm(int tag, const int ranks[], int n, MPI_Comm *comm) {
  MPI_Group all, some;
  int code = MPI_Comm_group(tsr_mpi.requests, &all);
  if (code != MPI_SUCCESS) return code;
  code = MPI_Group_incl(all, n, ranks, &some);
  MPI_Group_free(&all);
  if (code != MPI_SUCCESS) return code;
  code = MPI_Comm_create_group(tsr_mpi.requests, some, TSR_MPI_TAG_GROUP + tag, comm);
  MPI_Group_free(&some);
  return code == MPI_SUCCESS ? MPI_Comm_set_errhandler(*comm, MPI_ERRORS_RETURN) : code;
}

tessera_status_t tsr_mpi_group_create(int tag, const int ranks[], int n, struct tsr_net_group **group) {
  struct tsr_net_group *made = malloc(sizeof *made);
  if (!made) return tsr_fail(TESSERA_ERR_MEMORY, "no private memory for a group of %d ranks", n);
  if (tsr_net_mpi_failed(make_comm(tag, ranks, n, &made->comm), "MPI_Comm_create_group")) {
    free(made);
    return TESSERA_ERR_NET;
  }
  MPI_Comm_rank(made->comm, &made->self);
  *group = made;
  return TESSERA_OK;
}

void tsr_mpi_group_free(struct tsr_net_group *group) {
  MPI_Comm_free(&group->comm);
  free(group);
}

static MPI_Datatype type_of(tsr_type type) {
  switch (type) {
  case TSR_I8:
    return MPI_INT8_T;
  case TSR_U8:
    return MPI_UINT8_T;
  case TSR_I16:
    return MPI_INT16_T;
  case TSR_U16:
    return MPI_UINT16_T;
  case TSR_I32:
    return MPI_INT32_T;
  case TSR_U32:
    return MPI_UINT32_T;
  case TSR_I64:
    return MPI_INT64_T;
  case TSR_U64:
    return MPI_UINT64_T;
  case TSR_F32:
    return MPI_FLOAT;
  case TSR_F64:
    return MPI_DOUBLE;
  case TSR_F80:
    return MPI_LONG_DOUBLE;
  case TSR_C64:
    return MPI_C_FLOAT_COMPLEX;
  case TSR_C128:
    return MPI_C_DOUBLE_COMPLEX;
  default:
    return MPI_DATATYPE_NULL;
  }
}

static MPI_Op op_of(tsr_arith op) {
  switch (op) {
  case TSR_MIN:
    return MPI_MIN;
  case TSR_MAX:
    return MPI_MAX;
  case TSR_SUM:
    return MPI_SUM;
  case TSR_PROD:
    return MPI_PROD;
  case TSR_BAND:
    return MPI_BAND;
  case TSR_LAND:
    return MPI_LAND;
  case TSR_BOR:
    return MPI_BOR;
  case TSR_LOR:
    return MPI_LOR;
  case TSR_BXOR:
    return MPI_BXOR;
  case TSR_LXOR:
    return MPI_LXOR;
  default:
    return MPI_OP_NULL;
  }
}

bool tsr_mpi_group_combines(tsr_type type, tsr_arith op) {
  return type_of(type) != MPI_DATATYPE_NULL && op_of(op) != MPI_OP_NULL;
}

static int start(const struct tsr_net_group *group, const struct tsr_net_collective *what, void *data, int n,
                 MPI_Request *request) {
  MPI_Datatype type = type_of(what->type);
  MPI_Op op = op_of(what->op);
  switch (what->kind) {
  case TSR_NET_BCAST:
    return MPI_Ibcast(data, n, MPI_BYTE, what->root, group->comm, request);
  case TSR_NET_ALLREDUCE:
    return MPI_Iallreduce(MPI_IN_PLACE, data, n, type, op, group->comm, request);
  case TSR_NET_REDUCE:
    if (group->self != what->root) return MPI_Ireduce(data, NULL, n, type, op, what->root, group->comm, request);
    return MPI_Ireduce(MPI_IN_PLACE, data, n, type, op, what->root, group->comm, request);
  }
  return MPI_ERR_OTHER;
}

/* MPI counts in int, so long ones go in parts, of which the last to complete tells. */
enum { PART_N = 1 << 27 };

struct parts {
  int left_n;
  tsr_net_done_fn done;
  void *done_arg;
};

static void part_done(void *arg, enum tsr_net_event event, size_t bytes) {
  struct parts *parts = arg;
  if (--parts->left_n > 0) return;
  struct parts over = *parts;
  free(parts);
  over.done(over.done_arg, event, bytes);
}

void tsr_mpi_group_start(struct tsr_net_group *group, const struct tsr_net_collective *what) {
  size_t elem_bytes = what->kind == TSR_NET_BCAST ? 1 : tsr_type_bytes(what->type);
  struct parts *parts = malloc(sizeof *parts);
  if (!parts) tsr_mpi_fatal("no private memory to follow a collective of %zu elements", what->n);
  *parts = (struct parts){
      .left_n = what->n ? (int)((what->n + PART_N - 1) / PART_N) : 1, .done = what->done, .done_arg = what->done_arg};
  size_t at = 0;
  do {
    size_t left = what->n - at;
    int n = left < PART_N ? (int)left : PART_N;
    MPI_Request request;
    tsr_mpi_check(start(group, what, (char *)what->data + at * elem_bytes, n, &request), "a collective of the leaders");
    tsr_mpi_pending_follow(request, (struct tsr_mpi_pending){.done = part_done,
                                                             .arg = parts,
                                                             .what = "a collective's part",
                                                             .rank = what->root,
                                                             .bytes = (size_t)n * elem_bytes});
    at += (size_t)n;
  } while (at < what->n);
}
