/* Overlap of ARMCI's non-blocking get. */
#include <armci.h>

#include <stdlib.h>

#include "overlap.h"

static void **memory; /* of each process */
static armci_hdl_t handle;

static void require(int result, const char *call) {
  if (result != 0) ARMCI_Error(call, result);
}

static void open_memory(size_t bytes, void **mine) {
  memory = calloc((size_t)armci_msg_nproc(), sizeof *memory);
  if (!memory) ARMCI_Error("overlap: no memory", 1);
  require(ARMCI_Malloc(memory, (armci_size_t)bytes), "ARMCI_Malloc");
  *mine = memory[armci_msg_me()];
}

static void close_memory(void) {
  require(ARMCI_Free(memory[armci_msg_me()]), "ARMCI_Free");
  free(memory);
}

static void agree(int *wrong) { armci_msg_igop(wrong, 1, "max"); }

static void start(void *to, size_t bytes) {
  const int last = armci_msg_nproc() - 1;
  ARMCI_INIT_HANDLE(&handle);
  require(ARMCI_NbGet(memory[last], to, (int)bytes, last, &handle), "ARMCI_NbGet");
}

static void complete(void) { require(ARMCI_Wait(&handle), "ARMCI_Wait"); }

int main(int argc, char **argv) {
  if (ARMCI_Init_args(&argc, &argv) != 0) return 1;
  const overlap_version armci = {armci_msg_me(), armci_msg_nproc(), open_memory, close_memory, ARMCI_Barrier, agree, start,
                                 complete};
  const int code = overlap(argc, argv, &armci);
  ARMCI_Finalize();
  return code;
}
