// A program of Global Arrays' kind knows the headers of ARMCI and the name of one library.
#include <armci.h>

#include <cstdio>

int main(int argc, char **argv) {
  void *counters[64] = {};
  int size = 0, turn = 0;
  if (ARMCI_Init_args(&argc, &argv) || ARMCI_Malloc(counters, sizeof(int))) return 1;
  while (counters[size]) size++;
  if (ARMCI_PutValueInt(0, counters[0], 0)) return 1;
  ARMCI_Barrier();
  if (ARMCI_Rmw(ARMCI_FETCH_AND_ADD, &turn, counters[0], 1, 0)) return 1;
  if (turn == 0) std::printf("size %d\n", size);
  return ARMCI_Finalize();
}
