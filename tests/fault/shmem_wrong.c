/* OpenSHMEM, used wrongly; the argument selects the mistake. PE 0 makes it towards the last PE, or all PEs do. */
#include <shmem.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *what;
static long word, lock_, sync_[SHMEM_SYNC_SIZE], work[SHMEM_REDUCE_MIN_WRKDATA_SIZE];
static char bytes[64];
static long *released;

static bool is(const char *name) { return strcmp(what, name) == 0; }

static void use_addresses(int last) {
  long local = 0, *block = shmem_malloc(sizeof *block);
  if (is("pe")) shmem_long_p(&word, 1, last + 1);
  if (is("negative pe")) shmem_long_g(&word, -1);
  if (is("stack")) shmem_long_p(&local, 1, last);
  if (is("malloc")) shmem_putmem(malloc(8), &local, 8, last);
  if (is("their address")) shmem_long_p(shmem_ptr(block, last), 1, last);
  if (is("beyond")) shmem_getmem(bytes, &word, (size_t)1 << 40, last);
  if (is("strides")) shmem_long_iput(&word, &local, 0, 1, 1, last);
  if (is("unaligned")) shmem_int_atomic_inc((int *)(void *)(bytes + 1), last);
  if (is("free")) shmem_free(block + 1);
  if (is("freed")) shmem_long_p(released, 1, last);
  if (is("freed waited")) shmem_long_wait_until(released, SHMEM_CMP_EQ, 1);
  if (is("signal")) shmem_putmem_signal(bytes, bytes, 1, (uint64_t *)(void *)&word, 1, 7, last);
  if (is("comparison")) shmem_long_wait_until(&word, 9, 1);
  if (is("unlock")) shmem_clear_lock(&lock_);
  if (is("lock twice")) {
    shmem_set_lock(&lock_);
    shmem_set_lock(&lock_);
  }
}

static void use_objects(int last) {
  shmem_ctx_t ctx = SHMEM_CTX_INVALID;
  if (is("invalid context")) shmem_ctx_long_p(ctx, &word, 1, last);
  shmem_ctx_create(0, &ctx);
  if (is("options")) shmem_ctx_create(64, &ctx);
  if (is("destroyed context")) {
    shmem_ctx_destroy(ctx);
    shmem_ctx_long_p(ctx, &word, 1, last);
  }
  if (is("quiet destroyed")) {
    shmem_ctx_destroy(ctx);
    shmem_ctx_quiet(ctx);
  }
  if (is("set")) shmem_long_sum_to_all(&word, &word, 1, 0, 0, last + 2, work, sync_);
  if (is("not in set")) shmem_barrier(1, 0, 1, sync_);
}

/* All PEs. */
static void use_together(int me, int last) {
  shmem_team_t team;
  shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, last + 1, NULL, 0, &team);
  if (is("destroyed team")) {
    shmem_team_destroy(team);
    shmem_team_sync(team);
  }
  if (is("root")) shmem_long_broadcast(team, &word, &word, 1, last + 1);
  if (is("stride")) shmem_long_alltoalls(team, &word, &word, 1, PTRDIFF_MAX, 1);
  if (is("sizes")) shmem_malloc(me == 0 ? 100 : 5000);
  if (is("alignment") && shmem_align(24, 8)) shmem_global_exit(1);
  if (is("one alignment") && shmem_align(me == 0 ? 24 : 32, 64)) shmem_global_exit(1); /* no PE waits */
  if (is("other block") || is("other resized")) {
    void *blocks[] = {shmem_malloc(5000), shmem_malloc(5000)};
    if (is("other block")) shmem_free(blocks[me == 0]);
    else shmem_realloc(blocks[me == 0], 9000);
  }
  if (is("freed") || is("freed waited") || is("freed collected")) shmem_free(released = shmem_malloc(100000));
  if (is("freed collected")) shmem_long_sum_reduce(team, released, &word, 1);
  if (is("private collected")) shmem_long_sum_reduce(team, &word, (long[]){1}, 1);
  if (is("beyond collected")) shmem_long_fcollect(team, shmem_malloc(8), &word, 4000);
  if (is("too much")) while (shmem_malloc((size_t)48 << 20)) continue;
}

/* An exit handler may still communicate. */
static void close_up(void) { printf("closed %ld\n", shmem_long_g(&word, 0) + 1000); }

int main(int argc, char **argv) {
  if (argc < 2) return 99;
  what = argv[1];
  if (is("early")) shmem_quiet();
  shmem_init();
  const int me = shmem_my_pe(), last = shmem_n_pes() - 1;
  if (is("global exit") && me == last) {
    atexit(close_up);
    printf("unflushed ");
    shmem_global_exit(17);
  }
  if (is("global exit")) shmem_long_wait_until(&word, SHMEM_CMP_EQ, 1);
  if (is("late")) {
    shmem_finalize();
    shmem_barrier_all();
  }
  use_together(me, last);
  if (me == 0) use_addresses(last);
  else shmem_malloc(sizeof(long));
  if (me == 0) use_objects(last);
  shmem_finalize();
  return 0;
}
