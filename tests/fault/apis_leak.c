/* apis_leak WHAT: ends DART, ARMCI and the native interface and gives all back that it has made but WHAT: one thing, "nothing" or
 * "everything". */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <armci.h>
#include <dash/dart/if/dart.h>
#include <tessera/coll.h>
#include <tessera/memory.h>

static const char *what;
static bool leaves(const char *name) { return strcmp(what, name) == 0 || strcmp(what, "everything") == 0; }

static void use_team(void) {
  dart_group_t all;
  dart_team_t team;
  dart_team_get_group(DART_TEAM_ALL, &all);
  dart_team_create(DART_TEAM_ALL, all, &team);
  dart_group_destroy(&all);
  if (!leaves("team")) dart_team_destroy(&team);
}

static void use_segment(void) {
  dart_gptr_t block;
  dart_team_memalloc_aligned(DART_TEAM_ALL, 24, DART_TYPE_INT, &block);
  if (!leaves("segment")) dart_team_memfree(block);
}

static void use_registered(void) {
  static int registered[16];
  dart_gptr_t block;
  dart_team_memregister(DART_TEAM_ALL, 16, DART_TYPE_INT, registered, &block);
  if (!leaves("registered")) dart_team_memderegister(block);
}

static void use_local(void) {
  dart_gptr_t block;
  dart_memalloc(40, DART_TYPE_INT, &block);
  if (!leaves("local")) dart_memfree(block);
}

/* A handle is one only to another node. */
static void use_handle(void) {
  dart_gptr_t block;
  dart_handle_t handle;
  dart_global_unit_t self;
  size_t units_n;
  static int from[4];
  dart_myid(&self);
  dart_size(&units_n);
  dart_team_memalloc_aligned(DART_TEAM_ALL, 4, DART_TYPE_INT, &block);
  dart_gptr_setunit(&block, DART_TEAM_UNIT_ID(((size_t)self.id + 1) % units_n));
  dart_put_handle(block, from, 4, DART_TYPE_INT, DART_TYPE_INT, &handle);
  if (!leaves("handle")) dart_wait(&handle);
  dart_gptr_setunit(&block, DART_TEAM_UNIT_ID(self.id));
  dart_flush_all(block);
  dart_team_memfree(block);
}

static void use_armci(void) {
  ARMCI_Init();
  void **parts = malloc((size_t)armci_msg_nproc() * sizeof *parts);
  ARMCI_Malloc(parts, 64);
  ARMCI_Create_mutexes(1);
  long sum = 1;
  armci_msg_gop_scope(SCOPE_MASTERS, &sum, 1, "+", ARMCI_LONG); /* makes teams of the library's own */
  if (!leaves("ARMCI")) ARMCI_Free(parts[armci_msg_me()]);
  ARMCI_Destroy_mutexes();
  free(parts);
  ARMCI_Finalize();
}

static void use_native(void) {
  tessera_memory_t memory;
  tessera_init(NULL, NULL);
  tessera_memory_allocate(tessera_team_world(), 72, &memory);
  if (!leaves("native")) tessera_memory_free(&memory);
  tessera_exit();
}

int main(int argc, char **argv) {
  what = argc > 1 ? argv[1] : "nothing";
  dart_init(&argc, &argv);
  use_armci();
  use_native();
  use_team();
  use_segment();
  use_registered();
  use_local();
  use_handle();
  dart_exit();
  return EXIT_SUCCESS;
}
