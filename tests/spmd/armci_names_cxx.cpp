// A C++ program that includes ARMCI's headers first, inside extern "C", as headers without it needed.
// Units: 1 2
extern "C" {
#include <armci.h>
#include <armcix.h>
#include <message.h>
#include <mp3.h>
}

#include <vector>

#include "check.h"

int main() {
  MP_ASSERT(MP_INIT(no_such_name, argv));
  if (ARMCI_INIT(argc, argv)) return 1;
  std::vector<void *> memory(static_cast<std::size_t>(armci_msg_nproc()));
  const int last = armci_msg_nproc() - 1;
  CHECK_EQ(ARMCI_Malloc(memory.data(), sizeof(int)), 0);
  if (armci_msg_me() == last) CHECK_EQ(ARMCI_PutValueInt(42, memory[static_cast<std::size_t>(last)], last), 0);
  ARMCI_Barrier();
  CHECK_EQ(ARMCI_GetValueInt(memory[static_cast<std::size_t>(last)], last), 42);
  ARMCI_Barrier();
  CHECK_EQ(ARMCI_Free(memory[static_cast<std::size_t>(armci_msg_me())]), 0);
  CHECK_EQ(ARMCI_Finalize(), 0);
  MP_FINALIZE();
  return check_result();
}
