/* OpenSHMEM, called at the wrong time, by the wrong thread, with objects that are gone, or not alike by all PEs; the argument
 * selects the mistake. */
#include <shmem.h>

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *what;
static int me, last;
static long word, other_word, lock_, list[8], dest[64];
static long sync_[SHMEM_SYNC_SIZE], work[SHMEM_REDUCE_MIN_WRKDATA_SIZE];
static uint64_t signal_;

static bool is(const char *name) { return strcmp(what, name) == 0; }

/* ---- before the start, and after the end ---- */

static void call_one(const char *family) {
  shmem_ctx_t ctx;
  shmem_team_t team;
  if (strcmp(family, "put") == 0) shmem_long_put(&word, &other_word, 1, 0);
  if (strcmp(family, "p") == 0) shmem_long_p(&word, 1, 0);
  if (strcmp(family, "g") == 0) other_word = shmem_long_g(&word, 0);
  if (strcmp(family, "get_nbi") == 0) shmem_getmem_nbi(&word, &other_word, 8, 0);
  if (strcmp(family, "iput") == 0) shmem_long_iput(&word, &other_word, 1, 1, 1, 0);
  if (strcmp(family, "atomic") == 0) shmem_long_atomic_inc(&word, 0);
  if (strcmp(family, "signal") == 0) shmem_long_put_signal(&word, &other_word, 1, &signal_, 1, SHMEM_SIGNAL_SET, 0);
  if (strcmp(family, "signal_fetch") == 0) other_word = (long)shmem_signal_fetch(&signal_);
  if (strcmp(family, "wait") == 0) shmem_long_wait_until(&word, SHMEM_CMP_EQ, 0);
  if (strcmp(family, "test") == 0) other_word = shmem_long_test(&word, SHMEM_CMP_EQ, 0);
  if (strcmp(family, "lock") == 0) shmem_set_lock(&lock_);
  if (strcmp(family, "malloc") == 0) other_word = shmem_malloc(8) != NULL;
  if (strcmp(family, "free") == 0) shmem_free(list);
  if (strcmp(family, "ptr") == 0) other_word = shmem_ptr(&word, 0) != NULL;
  if (strcmp(family, "ctx") == 0) shmem_ctx_create(0, &ctx);
  if (strcmp(family, "team") == 0) shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 1, NULL, 0, &team);
  if (strcmp(family, "sync") == 0) shmem_sync_all();
  if (strcmp(family, "barrier") == 0) shmem_barrier_all();
  if (strcmp(family, "broadcast") == 0) shmem_long_broadcast(SHMEM_TEAM_WORLD, dest, list, 1, 0);
  if (strcmp(family, "reduce") == 0) shmem_long_sum_reduce(SHMEM_TEAM_WORLD, dest, list, 1);
  if (strcmp(family, "set") == 0) shmem_long_sum_to_all(dest, list, 1, 0, 0, 1, work, sync_);
  if (strcmp(family, "finalize") == 0) shmem_finalize();
}

/* ---- objects that are gone, or others' ---- */

static void use_gone(void) {
  shmem_team_t team;
  shmem_ctx_t ctx;
  char *block = shmem_malloc(100);
  shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 1, NULL, 0, &team);
  if (is("other team's context") && me == 0) {
    shmem_team_create_ctx(team, 0, &ctx);
    shmem_ctx_long_p(ctx, &word, 1, last);
  }
  if (is("destroyed team's context")) {
    shmem_team_create_ctx(team, 0, &ctx);
    shmem_team_destroy(team);
    if (me == 0) shmem_ctx_long_p(ctx, &word, 1, 0);
  }
  if (is("freed twice")) {
    shmem_free(block);
    shmem_free(block);
  }
  if (is("resized after free")) {
    shmem_free(block);
    block = shmem_realloc(block, 200);
  }
  if (is("other's lock")) {
    if (me == last) shmem_set_lock(&lock_);
    shmem_barrier_all();
    if (me == 0) shmem_clear_lock(&lock_);
    shmem_barrier_all();
  }
}

/* ---- addresses beside an object ---- */

static void use_beside(void) {
  char *block = shmem_malloc(100), local[8] = {0};
  if (me != 0) return;
  if (is("behind a block")) shmem_putmem(block + 96, local, 8, last);
  if (is("beyond the heap")) shmem_getmem(local, block, (size_t)1 << 50, last);
  if (is("before the heap")) shmem_putmem(block - (1 << 30), local, 8, last);
}

/* ---- threads ---- */

static void *wait_in_thread(void *arg) {
  shmem_long_wait_until(&word, SHMEM_CMP_EQ, 1);
  return arg;
}
static void *put_in_thread(void *arg) {
  shmem_long_p(&word, 1, me);
  return arg;
}

static void use_threads(void) {
  pthread_t thread;
  const bool waits = is("two threads");
  if (!waits && !is("another thread") && !is("thread after thread")) return;
  pthread_create(&thread, NULL, waits ? wait_in_thread : put_in_thread, NULL);
  while (waits) { /* until the other thread is in its wait, which nothing ends */
    shmem_fence();
    sched_yield();
  }
  pthread_join(thread, NULL);
  shmem_long_wait_until(&word, SHMEM_CMP_EQ, 1);
}

static void start(void) {
  int level;
  if (is("another thread")) shmem_init_thread(SHMEM_THREAD_FUNNELED, &level);
  else if (strstr(what, "thread")) shmem_init_thread(SHMEM_THREAD_SERIALIZED, &level);
  else shmem_init();
}

/* ---- calls of all PEs, of which the last one's differs ---- */

static void call_differently(void) {
  const bool differs = me == last;
  if (is("kind")) {
    if (differs) shmem_long_fcollect(SHMEM_TEAM_WORLD, dest, list, 2);
    else shmem_long_broadcast(SHMEM_TEAM_WORLD, dest, list, 2, 0);
  }
  if (is("size")) shmem_long_alltoall(SHMEM_TEAM_WORLD, dest, list, differs ? 2 : 1);
  if (is("root")) shmem_int_broadcast(SHMEM_TEAM_WORLD, (int *)dest, (int *)list, 2, differs ? 1 : 0);
  if (is("operation")) {
    if (differs) shmem_long_max_reduce(SHMEM_TEAM_WORLD, dest, list, 2);
    else shmem_long_sum_reduce(SHMEM_TEAM_WORLD, dest, list, 2);
  }
  if (is("allocation")) {
    if (differs) shmem_long_sum_to_all(dest, list, 1, 0, 0, last + 1, work, sync_);
    else other_word = shmem_malloc(800) != NULL;
  }
  if (is("amount")) other_word = shmem_malloc(differs ? 900 : 800) != NULL;
  if (is("free or scan")) {
    char *block = shmem_malloc(64);
    if (differs) shmem_long_sum_inscan(SHMEM_TEAM_WORLD, dest, list, 1);
    else shmem_free(block);
  }
  if (is("barrier or not")) {
    if (differs) shmem_long_broadcast(SHMEM_TEAM_WORLD, dest, list, 2, 0);
    else shmem_barrier_all();
  }
}

int main(int argc, char **argv) {
  if (argc < 2) return 99;
  what = argv[1];
  if (strncmp(what, "early ", 6) == 0) call_one(what + 6);
  start();
  me = shmem_my_pe(), last = shmem_n_pes() - 1;
  if (strncmp(what, "late ", 5) == 0) {
    shmem_finalize();
    call_one(what + 5);
    return 0;
  }
  if (is("last one late")) { /* all return without shmem_finalize */
    if (me == last) sleep(33);
    return 0;
  }
  use_gone();
  use_beside();
  use_threads();
  call_differently();
  shmem_finalize();
  return 0;
}
