/* OpenSHMEM and other interfaces in one program: DART's collective memory is symmetric; ARMCI and GASNet access blocks of
 * shmem_malloc by the owner's address. */
#include <armci.h>
#include <dash/dart/if/dart.h>

#define GASNET_PAR 1
#include <gasnetex.h>

#include "shmem_check.h"

/* Without DART, and GASNet without a segment. */
static void pass_by_addresses(void) {
  static long *theirs; /* of the next PE, as it knows it */
  long *words = shmem_calloc(2, sizeof *words), value = me + 1;
  gex_Client_t client;
  gex_EP_t endpoint;
  gex_TM_t all;
  CHECK_EQ(ARMCI_Init(), 0);
  shmem_putmem(&theirs, &words, sizeof words, previous);
  shmem_barrier_all();
  CHECK_EQ(ARMCI_Put(&value, &theirs[0], sizeof value, next), 0);
  ARMCI_AllFence();
  CHECK_EQ(ARMCI_Finalize(), 0);
  CHECK_EQ(gex_Client_Init(&client, &endpoint, &all, "SHMEM", NULL, NULL, 0), GASNET_OK);
  gex_RMA_PutBlocking(all, (gex_Rank_t)next, &theirs[1], &value, sizeof value, 0);
  shmem_barrier_all();
  CHECK_EQ(words[0], previous + 1);
  CHECK_EQ(words[1], previous + 1);
  CHECK_EQ(tessera_gex_finalize(client), GASNET_OK);
}

/* Blocks of teams of one member leave no common place at the bottoms of the heaps: there shmem_malloc finds one further up. */
static void different_heaps(void) {
  enum { BLOCKS_N = 12 };
  dart_group_t own;
  dart_team_t alone = DART_TEAM_NULL;
  dart_gptr_t kept[BLOCKS_N];
  for (int pe = 0; pe < pes; pe++) {
    dart_team_t team = DART_TEAM_NULL;
    CHECK_EQ(dart_group_create(&own), DART_OK);
    CHECK_EQ(dart_group_addmember(own, DART_GLOBAL_UNIT_ID(pe)), DART_OK);
    CHECK_EQ(dart_team_create(DART_TEAM_ALL, own, &team), DART_OK);
    if (pe == me) alone = team;
    dart_group_destroy(&own);
  }
  for (int i = 0; i < BLOCKS_N; i++)
    CHECK_EQ(dart_team_memalloc_aligned(alone, 64, DART_TYPE_BYTE, &kept[i]), DART_OK);
  for (int i = 0; i < BLOCKS_N; i++)
    if ((i + me) % 2) dart_team_memfree(kept[i]); /* every second place is free, on every second PE another one */
  long *words = shmem_malloc(sizeof *words);
  CHECK(words != NULL);
  if (!words) return;
  shmem_long_p(words, me + 7, next);
  shmem_barrier_all();
  CHECK_EQ(*words, previous + 7);
  shmem_free(words);
  for (int i = 0; i < BLOCKS_N; i++)
    if ((i + me) % 2 == 0) dart_team_memfree(kept[i]);
  CHECK_EQ(dart_team_destroy(&alone), DART_OK);
}

int main(int argc, char **argv) {
  dart_gptr_t gptr;
  void *address = NULL;
  CHECK_EQ(dart_init(&argc, &argv), DART_OK);
  start();
  CHECK_EQ(dart_team_memalloc_aligned(DART_TEAM_ALL, 4, DART_TYPE_LONG, &gptr), DART_OK);
  dart_gptr_setunit(&gptr, DART_TEAM_UNIT_ID(me));
  CHECK_EQ(dart_gptr_getaddr(gptr, &address), DART_OK);
  long *words = address;
  words[0] = 0;
  shmem_barrier_all();
  shmem_long_p(&words[1], me + 1, next);
  for (int pe = 0; pe < pes; pe++) {
    const long one = 1;
    shmem_long_atomic_add(words, 1, pe);
    dart_gptr_setunit(&gptr, DART_TEAM_UNIT_ID(pe));
    CHECK_EQ(dart_accumulate(gptr, &one, 1, DART_TYPE_LONG, DART_OP_SUM), DART_OK);
    dart_flush(gptr);
  }
  shmem_barrier_all();
  CHECK_EQ(words[0], 2 * pes);
  CHECK_EQ(words[1], previous + 1);
  different_heaps();
  CHECK_EQ(dart_exit(), DART_OK);
  pass_by_addresses();
  shmem_finalize();
  return check_result();
}
