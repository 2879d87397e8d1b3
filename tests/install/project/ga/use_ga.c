/* The outside program on Global Arrays: an array of doubles that all add to, and a counter. It asks Tessera for the number of
 * processes, which knows it only if Global Arrays runs on it. */
#include <ga.h>
#include <macdecls.h>
#include <mpi.h>
#include <tessera.h>

#include <stdio.h>
#include <stdlib.h>

static void fail(const char *what) { GA_Error((char *)what, 1); }

int main(int argc, char **argv) {
  int dims[2] = {20, 30}, one = 1, zero = 0, lo[2] = {3, 4}, hi[2] = {12, 24}, ld = 21;
  double values[10 * 21], scale = 0.5;
  MPI_Init(&argc, &argv);
  GA_Initialize();
  if (!MA_init(C_DBL, 100000, 100000)) fail("MA_init");
  int array = NGA_Create(C_DBL, 2, dims, "array", NULL), counter = NGA_Create(C_LONG, 1, &one, "counter", NULL);
  GA_Zero(array);
  GA_Zero(counter);
  for (int i = 0; i < 10 * 21; i++) values[i] = 2 * i;
  NGA_Acc(array, lo, hi, values, &ld, &scale);
  NGA_Read_inc(counter, &zero, 1);
  GA_Sync();
  NGA_Get(array, lo, hi, values, &ld);
  for (int i = 0; i < 10 * 21; i++)
    if (values[i] != i * GA_Nnodes()) fail("wrong sum");
  if (NGA_Read_inc(counter, &zero, 0) != GA_Nnodes()) fail("wrong counter");
  if (tessera_units() != GA_Nnodes()) fail("Global Arrays does not run on Tessera");
  if (GA_Nodeid() == 0) printf("size %d\n", tessera_units());
  GA_Terminate();
  MPI_Finalize();
  return EXIT_SUCCESS;
}
