/* The outside program, as C and as C++: the headers of ARMCI are found by the names that programs know. */
#include <armci.h>
#include <armcix.h>
#include <message.h>
#include <tessera.h>

#include <stdio.h>

int main(int argc, char **argv) {
  void *memory[64];
  if (ARMCI_Init_args(&argc, &argv)) return 1;
  const int self = tessera_unit();
  if (ARMCI_Malloc(memory, 100) || ARMCI_PutValueInt(self, memory[self], self)) return 1;
  if (ARMCI_GetValueInt(memory[self], self) != self || ARMCI_Free(memory[self])) return 1;
  if (self == 0) printf("size %d\n", tessera_units());
  return ARMCI_Finalize() ? 1 : 0;
}
