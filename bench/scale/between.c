/* The part of collectives between nodes, one rank for each node, message by message as src/coll and src/core/agree.c have
 * them: to be run on simulated hosts (SimGrid's smpirun) by bench/scale-model.
 *
 * between ALGORITHM BYTES REPETITIONS: rank 0 prints the time of one in ns, from the last rank's begin to the last one's
 * end. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REPETITIONS_MAX = 1000 };

static int self, nodes_n;
static char *data, *theirs;

static void exchange(int to, const void *out, int from, void *in, int bytes) {
  MPI_Sendrecv(out, bytes, MPI_BYTE, to, 0, in, bytes, MPI_BYTE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void dissemination(int bytes) {
  for (int distance = 1; distance < nodes_n; distance *= 2)
    exchange((self + distance) % nodes_n, data, (self - distance + nodes_n) % nodes_n, theirs, bytes);
}

static void bcast(int bytes) {
  int bit = 1;
  while (bit < nodes_n && !(self & bit)) bit <<= 1;
  if (self) MPI_Recv(data, bytes, MPI_BYTE, self - bit, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (bit >>= 1; bit > 0; bit >>= 1)
    if (self + bit < nodes_n) MPI_Send(data, bytes, MPI_BYTE, self + bit, 0, MPI_COMM_WORLD);
}

static void reduce(int bytes) {
  for (int bit = 1; bit < nodes_n; bit <<= 1) {
    if (self & bit) {
      MPI_Send(data, bytes, MPI_BYTE, self - bit, 0, MPI_COMM_WORLD);
      return;
    }
    if (self + bit < nodes_n) MPI_Recv(theirs, bytes, MPI_BYTE, self + bit, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

static void trees(int bytes) {
  reduce(bytes);
  bcast(bytes);
}

/* Rabenseifner's: halves of what is left are summed, then collected again. The number of nodes is a power of two. */
static void swap_part(int bit, int bytes) {
  int part = (int)((long)bytes * bit / nodes_n);
  exchange(self ^ bit, data, self ^ bit, theirs, part ? part : 1);
}

static void halves(int bytes) {
  for (int bit = nodes_n / 2; bit > 0; bit /= 2) swap_part(bit, bytes);
  for (int bit = 1; bit < nodes_n; bit *= 2) swap_part(bit, bytes);
}

static const struct {
  const char *name;
  void (*run)(int bytes);
} algorithms[] = {{"dissemination", dissemination}, {"bcast", bcast}, {"trees", trees}, {"halves", halves}};

static void (*find(const char *name))(int) {
  for (size_t i = 0; i < sizeof algorithms / sizeof *algorithms; i++)
    if (!strcmp(name, algorithms[i].name)) return algorithms[i].run;
  return NULL;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &self);
  MPI_Comm_size(MPI_COMM_WORLD, &nodes_n);
  void (*run)(int) = argc == 4 ? find(argv[1]) : NULL;
  int bytes = argc == 4 ? atoi(argv[2]) : 0, times = argc == 4 ? atoi(argv[3]) : 0;
  if (!run || bytes < 1 || times < 1 || times > REPETITIONS_MAX) {
    if (self == 0) fprintf(stderr, "usage: between dissemination|bcast|trees|halves BYTES REPETITIONS\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  data = calloc(2, (size_t)bytes + 1);
  theirs = data ? data + bytes + 1 : NULL;
  if (!data) MPI_Abort(MPI_COMM_WORLD, 1);
  double whole = 0;
  for (int i = 0; i < times; i++) {
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime(), end, first, last;
    run(bytes);
    end = MPI_Wtime();
    MPI_Allreduce(&start, &first, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    MPI_Allreduce(&end, &last, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    whole += last - first;
  }
  if (self == 0) printf("%.1f\n", whole / times * 1e9);
  free(data);
  MPI_Finalize();
  return 0;
}
