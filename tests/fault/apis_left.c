/* apis_left CALL: while the other units are in a call that contains a barrier, the last one makes a wrong collective call instead.
 * If the interface of the call has errors, the call returns one, and works when it is repeated. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <armci.h>
#include <dash/dart/if/dart.h>
#include <shmem.h>
#include <tessera.h>

static int barrier(void) { return ARMCI_Barrier(), 0; }
static int barrier_all(void) { return shmem_barrier_all(), 0; }
static int sync_all(void) { return shmem_sync_all(), 0; }
static int sync_set(void) {
  static long sync[SHMEM_SYNC_SIZE];
  shmem_sync(0, 0, shmem_n_pes(), sync);
  return 0;
}
static int leave_dart(void) { return dart_exit(); }
static int leave_native(void) { return tessera_exit(); }

static const struct {
  const char *name;
  int (*call)(void);
} calls[] = {{"ARMCI_Barrier", barrier}, {"shmem_barrier_all", barrier_all}, {"shmem_sync_all", sync_all},
             {"shmem_sync", sync_set}, {"dart_exit", leave_dart}, {"ARMCI_Finalize", ARMCI_Finalize},
             {"tessera_exit", leave_native}};

int main(int argc, char **argv) {
  dart_global_unit_t self;
  size_t units_n;
  long number = 0;
  if (argc != 2 || tessera_init(&argc, &argv) || dart_init(&argc, &argv) || ARMCI_Init()) return 99;
  shmem_init();
  dart_myid(&self);
  dart_size(&units_n);
  bool is_last = self.id == (int)units_n - 1;
  for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
    if (strcmp(argv[1], calls[i].name)) continue;
    if (is_last) dart_bcast(&number, 1, DART_TYPE_LONG, (dart_team_unit_t){-1}, DART_TEAM_ALL);
    else if (!calls[i].call()) return 98; /* the error was ignored */
    else printf("%s returned an error\n", calls[i].name);
    if (calls[i].call()) return 97;
    return EXIT_SUCCESS; /* the library ends the interfaces */
  }
  return 99;
}
