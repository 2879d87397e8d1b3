/* OpenSHMEM: the symmetric heap and its limit, static variables before, during and after, forks, locks, nested starts, and
 * questions. */
#include <sys/wait.h>
#include <unistd.h>

#include "shmem_check.h"

static int initialised[4] = {1, 2, 3, 4};
static char large[64 << 20]; /* never touched but at its ends */
enum { FILE_N = 256 << 10 };
static int from_file[FILE_N] = {[100 << 10] = 1,
                                [FILE_N - 1] = 2}; /* in pages of the file that were never touched before the start */
static long lock_, counter, word;
enum { PES_MAX = 64 };

static void blocks(void) {
  enum { BLOCKS_N = 200 };
  char *made[BLOCKS_N];
  CHECK(!shmem_malloc(0));
  for (int i = 0; i < BLOCKS_N; i++) {
    made[i] = shmem_malloc((size_t)(i * 37 + 1));
    CHECK(made[i] && (uintptr_t)made[i] % 16 == 0);
    memset(made[i], i, (size_t)(i * 37 + 1));
    CHECK(shmem_ptr(made[i], me) == made[i] && shmem_addr_accessible(made[i], next));
  }
  shmem_putmem(made[5], made[9], 5 * 37, next);
  shmem_barrier_all();
  for (int i = 0; i < 5 * 37; i++) CHECK_EQ(made[5][i], 9);
  made[5] = shmem_realloc(made[5], 100000);
  for (int i = 0; i < 5 * 37; i++) CHECK_EQ(made[5][i], 9);
  for (int i = BLOCKS_N; i-- > 0;) shmem_free(made[i]);
  shmem_free(NULL);
  char *page = shmem_align(4096, 10), *zeros = shmem_calloc(1000, 3);
  CHECK(page && (uintptr_t)page % 4096 == 0);
  for (int i = 0; i < 3000; i++) CHECK(!zeros[i]);
  shmem_free(page);
  shmem_free(zeros);
  CHECK(!shmem_calloc(SIZE_MAX / 2, 3));
  CHECK(!shmem_malloc((size_t)3 << 30)); /* SHMEM_SYMMETRIC_SIZE */
  CHECK(shmem_realloc(NULL, 8) != NULL);
}

/* Beyond the alignment that all heaps have in common: each operation finds the block by the caller's pointer. */
static void aligned(size_t alignment) {
  enum { N = 3000 };
  long *block = shmem_align(alignment, N * sizeof *block), got = 0;
  CHECK(block && (uintptr_t)block % alignment == 0);
  for (long i = 0; i < N; i++) block[i] = 1000 * me + i;
  CHECK(shmem_addr_accessible(block + N - 1, next) && shmem_ptr(block, me) == block);
  const long *there = shmem_ptr(block, next);
  shmem_barrier_all();
  shmem_get(&got, block + N - 1, 1, next);
  CHECK_EQ(got, 1000 * next + N - 1);
  if (there) CHECK_EQ(there[7], 1000 * next + 7);
  shmem_barrier_all();
  shmem_put(block, block + 100, 50, next);
  shmem_barrier_all();
  for (long i = 0; i < 50; i++) CHECK_EQ(block[i], 1000 * previous + 100 + i);
  block[0] = block[1] = 0;
  shmem_barrier_all();
  shmem_long_atomic_add(block, 5, next);
  shmem_put_signal(block + 2, &got, 1, (uint64_t *)(block + 1), 9, SHMEM_SIGNAL_SET, next);
  shmem_signal_wait_until((uint64_t *)(block + 1), SHMEM_CMP_EQ, 9);
  shmem_long_wait_until(block, SHMEM_CMP_EQ, 5);
  OK(shmem_broadcast(SHMEM_TEAM_WORLD, block + 1000, block + 2000, 1000, 0));
  for (long i = 0; i < 1000; i++) CHECK_EQ(block[1000 + i], 2000 + i);
  block = shmem_realloc(block, 2 * N * sizeof *block);
  CHECK_EQ(block[1999], 2999);
  shmem_free(block);
}

/* What others have put before is complete when an allocation is. */
static void allocation_completes(void) {
  for (int i = 1; i <= 20; i++) {
    shmem_long_p(&word, i, next);
    void *block = shmem_malloc(8);
    CHECK_EQ(word, i);
    shmem_free(block);
  }
  word = 0;
}

/* Blocks until there is no room, which is found on all PEs alike; freed ones are room again. */
static int fill_heap(void) {
  enum { BLOCKS_MAX = 100 };
  void *made[BLOCKS_MAX] = {NULL};
  int n = 0;
  static long mine, most, least;
  while (n < BLOCKS_MAX && (made[n] = shmem_malloc((size_t)16 << 20))) n++;
  mine = n;
  OK(shmem_long_max_reduce(SHMEM_TEAM_WORLD, &most, &mine, 1));
  OK(shmem_long_min_reduce(SHMEM_TEAM_WORLD, &least, &mine, 1));
  CHECK(most == n && least == n);
  for (int i = 0; i < n; i++) shmem_free(made[i]);
  return n;
}

static void exhaustion(void) {
  const int n = fill_heap();
  CHECK(n > 0 && n <= 96); /* SHMEM_SYMMETRIC_SIZE, which the last process has less of */
  CHECK_EQ(fill_heap(), n);
}

static void other_blocks(void) {
  long *hinted = shmem_malloc_with_hints(sizeof *hinted, SHMEM_MALLOC_ATOMICS_REMOTE | SHMEM_MALLOC_SIGNAL_REMOTE);
  char *old = shmalloc(20), *page = shmemalign(256, 10);
  CHECK(hinted && old && page && (uintptr_t)page % 256 == 0);
  memset(old, 7, 20);
  shmem_long_p(hinted, me, next);
  shmem_barrier_all();
  CHECK_EQ(*hinted, previous);
  old = shrealloc(old, 5000);
  for (int i = 0; i < 20; i++) CHECK_EQ(old[i], 7);
  shfree(old);
  shfree(page);
  shmem_free(hinted);
}

/* Blocks of no bytes may be anywhere. */
static void nothing_moves(void) {
  shmem_putmem(NULL, NULL, 0, next);
  shmem_getmem(NULL, NULL, 0, next);
  shmem_putmem_nbi(NULL, NULL, 0, next);
  shmem_getmem_nbi(NULL, NULL, 0, next);
  shmem_long_put(shmem_malloc(0), &word, 0, next);
  static uint64_t signal;
  shmem_long_put(&word, NULL, 0, next);
  shmem_long_get(NULL, &word, 0, next);
  shmem_long_put_signal(&word, NULL, 0, &signal, 1, SHMEM_SIGNAL_ADD, me);
  CHECK_EQ(signal, 1);
  OK(shmem_long_sum_reduce(SHMEM_TEAM_WORLD, NULL, NULL, 0));
  OK(shmem_long_broadcast(SHMEM_TEAM_WORLD, NULL, NULL, 0, 0));
  shmem_long_wait_until_all(NULL, 0, NULL, SHMEM_CMP_EQ, 0);
  shmem_iput64(NULL, NULL, 1, 1, 0, next);
  static long two[2], source[2] = {7, 8};
  shmem_ibput64(two, source, 1, 1, 2, 1, me); /* one block of two elements has no stride */
  CHECK(two[0] == 7 && two[1] == 8);
}

/* Collectives of no elements leave the buffers as they are, which may be NULL. The next call of the kind moves data. */
static void teams_move_nothing(shmem_team_t team) {
  if (team == SHMEM_TEAM_INVALID) return;
  const int n = shmem_team_n_pes(team), self = shmem_team_my_pe(team);
  static long source[PES_MAX], dest[PES_MAX];
  for (int i = 0; i < n; i++) source[i] = 100 * self + i;
  OK(shmem_long_broadcast(team, NULL, NULL, 0, n - 1));
  OK(shmem_long_broadcast(team, dest, source, 1, n - 1));
  CHECK_EQ(dest[0], 100 * (n - 1));
  OK(shmem_long_fcollect(team, NULL, NULL, 0));
  OK(shmem_long_fcollect(team, dest, source, 1));
  for (int i = 0; i < n; i++) CHECK_EQ(dest[i], 100 * i);
  OK(shmem_long_collect(team, NULL, NULL, 0));
  OK(shmem_long_collect(team, dest, self % 2 ? source : NULL, (size_t)(self % 2)));
  for (int i = 0; i < n / 2; i++) CHECK_EQ(dest[i], 100 * (2 * i + 1));
  OK(shmem_long_alltoall(team, NULL, NULL, 0));
  OK(shmem_long_alltoall(team, dest, source, 1));
  for (int i = 0; i < n; i++) CHECK_EQ(dest[i], 100 * i + self);
  for (int i = 0; i < n; i++) dest[i] = 7;
  OK(shmem_long_alltoalls(team, NULL, NULL, 3, 2, 0));
  for (int i = 0; i < n; i++) CHECK_EQ(dest[i], 7);
  OK(shmem_long_alltoalls(team, dest, source, 1, 1, 1));
  for (int i = 0; i < n; i++) CHECK_EQ(dest[i], 100 * i + self);
  OK(shmem_alltoallsmem(team, NULL, NULL, 1, 1, 0));
  OK(shmem_collectmem(team, NULL, NULL, 0));
  OK(shmem_long_sum_reduce(team, NULL, NULL, 0));
  OK(shmem_long_sum_reduce(team, dest, source, 1));
  CHECK_EQ(dest[0], 100 * n * (n - 1) / 2);
  OK(shmem_long_sum_inscan(team, NULL, NULL, 0));
  OK(shmem_long_sum_inscan(team, dest, source, 1));
  CHECK_EQ(dest[0], 100 * self * (self + 1) / 2);
  OK(shmem_long_sum_exscan(team, NULL, NULL, 0));
  OK(shmem_long_sum_exscan(team, dest, source, 1));
  CHECK_EQ(dest[0], 100 * self * (self - 1) / 2);
}

/* The same of every 2^log_stride-th PE. */
static void sets_move_nothing(int log_stride) {
  const int n = (pes + (1 << log_stride) - 1) >> log_stride, self = me >> log_stride;
  static long source[PES_MAX], dest[PES_MAX], work[SHMEM_REDUCE_MIN_WRKDATA_SIZE], sync_words[SHMEM_SYNC_SIZE];
  if (me != self << log_stride) return;
#define SET 0, log_stride, n
  for (int i = 0; i < n; i++) source[i] = 100 * self + i, dest[i] = 7;
  for (int i = 0; i < SHMEM_SYNC_SIZE; i++) sync_words[i] = SHMEM_SYNC_VALUE;
  shmem_sync(SET, sync_words);
  shmem_broadcast64(NULL, NULL, 0, 0, SET, sync_words);
  shmem_broadcast64(dest, source, 1, 0, SET, sync_words);
  CHECK_EQ(dest[0], self == 0 ? 7 : 0);
  shmem_sync(SET, sync_words);
  shmem_fcollect64(NULL, NULL, 0, SET, sync_words);
  shmem_fcollect64(dest, source, 1, SET, sync_words);
  for (int i = 0; i < n; i++) CHECK_EQ(dest[i], 100 * i);
  shmem_sync(SET, sync_words);
  shmem_collect64(NULL, NULL, 0, SET, sync_words);
  shmem_collect64(dest, self % 2 ? source : NULL, (size_t)(self % 2), SET, sync_words);
  for (int i = 0; i < n / 2; i++) CHECK_EQ(dest[i], 100 * (2 * i + 1));
  shmem_sync(SET, sync_words);
  shmem_alltoall64(NULL, NULL, 0, SET, sync_words);
  shmem_alltoall64(dest, source, 1, SET, sync_words);
  for (int i = 0; i < n; i++) CHECK_EQ(dest[i], 100 * i + self);
  for (int i = 0; i < n; i++) dest[i] = 7;
  shmem_sync(SET, sync_words);
  shmem_alltoalls64(NULL, NULL, 3, 2, 0, SET, sync_words);
  shmem_alltoalls64(dest, source, 1, 1, 1, SET, sync_words);
  for (int i = 0; i < n; i++) CHECK_EQ(dest[i], 100 * i + self);
  shmem_sync(SET, sync_words);
  shmem_long_sum_to_all(NULL, NULL, 0, SET, work, sync_words);
  shmem_long_max_to_all(NULL, NULL, 0, SET, work, sync_words);
  shmem_long_xor_to_all(NULL, NULL, 0, SET, work, sync_words);
  shmem_long_sum_to_all(dest, source, 1, SET, work, sync_words);
  CHECK_EQ(dest[0], 100 * n * (n - 1) / 2);
  shmem_long_max_to_all(dest, source, 1, SET, work, sync_words);
  CHECK_EQ(dest[0], 100 * (n - 1));
#undef SET
}

static void no_elements(void) {
  shmem_team_t every_second = SHMEM_TEAM_INVALID;
  OK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 2, (pes + 1) / 2, NULL, 0, &every_second));
  teams_move_nothing(SHMEM_TEAM_WORLD);
  teams_move_nothing(SHMEM_TEAM_SHARED);
  teams_move_nothing(every_second);
  shmem_team_destroy(every_second);
  sets_move_nothing(0);
  sets_move_nothing(1);
}

/* More locks than a table begins with. */
static void many_locks(void) {
  enum { LOCKS_N = 3000 };
  long *many = shmem_calloc(LOCKS_N, sizeof *many);
  for (int i = me; i < LOCKS_N; i += pes) shmem_set_lock(&many[i]);
  shmem_barrier_all();
  for (int i = 0; i < LOCKS_N; i += 7)
    if (i % pes != me) CHECK_EQ(shmem_test_lock(&many[i]), 1);
  shmem_barrier_all();
  for (int i = me; i < LOCKS_N; i += pes) shmem_clear_lock(&many[i]);
  shmem_free(many);
}

/* Calls without an effect, which old programs make. */
static void no_effects(void) {
  word = 3;
  shmem_set_cache_inv();
  shmem_clear_cache_inv();
  shmem_set_cache_line_inv(&word);
  shmem_clear_cache_line_inv(&word);
  shmem_udcflush();
  shmem_udcflush_line(&word);
  shmem_pcontrol(1);
  CHECK_EQ(word, 3);
}

static void statics(void) {
  int local = 0;
  CHECK(initialised[0] == 1 && initialised[3] == 4);
  CHECK(shmem_int_g(&from_file[100 << 10], next) == 1 && shmem_int_g(&from_file[FILE_N - 1], me) == 2);
  CHECK(shmem_addr_accessible(initialised, next) && !shmem_addr_accessible(&local, next));
  CHECK(!shmem_addr_accessible(NULL, next) && !shmem_ptr(&local, next));
  shmem_int_p(&initialised[1], me + 10, next);
  shmem_char_p(&large[0], 1, next);
  shmem_char_p(&large[sizeof large - 1], 2, next);
  shmem_barrier_all();
  CHECK_EQ(initialised[1], previous + 10);
  CHECK(large[0] == 1 && large[sizeof large - 1] == 2);
}

/* A child's variables are its own. */
static void forks(void) {
  int code = -1;
  word = 5;
  pid_t child = fork();
  if (child == 0) {
    const int good = word == 5;
    word = 6;
    _exit(good ? 0 : 1);
  }
  CHECK(child > 0 && waitpid(child, &code, 0) == child && code == 0);
  CHECK_EQ(word, 5);
}

static void locks(void) {
  enum { TURNS = 30 };
  for (int i = 0; i < TURNS; i++) {
    if (i % 2) shmem_set_lock(&lock_);
    else while (shmem_test_lock(&lock_)) continue;
    long seen = shmem_long_g(&counter, 0);
    shmem_long_p(&counter, seen + 1, 0);
    shmem_clear_lock(&lock_);
  }
  shmem_barrier_all();
  if (me == 0) CHECK_EQ(counter, TURNS * pes);
}

/* Before the start the launcher's variables tell. */
static bool is_last(void) {
  const char *rank = getenv("PMI_RANK"), *size = getenv("PMI_SIZE");
  if (!rank) rank = getenv("OMPI_COMM_WORLD_RANK");
  if (!size) size = getenv("OMPI_COMM_WORLD_SIZE");
  return rank && size && atoi(rank) == atoi(size) - 1;
}

int main(void) {
  int up = -1, level = -1, major = 0, minor = 0;
  char name[SHMEM_MAX_NAME_LEN];
  setenv("SHMEM_SYMMETRIC_SIZE", is_last() ? "1.1 g" : "1.5G", 1);
  shmem_query_initialized(&up);
  CHECK_EQ(up, 0);
  CHECK_EQ(shmem_my_pe(), -1);
  OK(shmem_init_thread(SHMEM_THREAD_SERIALIZED, &level));
  CHECK(level >= SHMEM_THREAD_SERIALIZED);
  shmem_query_thread(&up);
  CHECK_EQ(up, level);
  start();
  shmem_query_initialized(&up);
  CHECK_EQ(up, 1);
  shmem_info_get_version(&major, &minor);
  CHECK(major == SHMEM_MAJOR_VERSION && minor == SHMEM_MINOR_VERSION);
  shmem_info_get_name(name);
  CHECK(!strcmp(name, SHMEM_VENDOR_STRING));
  CHECK(shmem_pe_accessible(next) && !shmem_pe_accessible(-1) && !shmem_pe_accessible(pes));
  blocks();
  allocation_completes();
  for (size_t alignment = 8192; alignment <= (size_t)8 << 20; alignment *= 8) aligned(alignment);
  exhaustion();
  other_blocks();
  statics();
  no_effects();
  nothing_moves();
  no_elements();
  forks();
  locks();
  many_locks();
  shmem_finalize();
  CHECK_EQ(shmem_my_pe(), me); /* the first start counts, too */
  shmem_finalize();
  CHECK_EQ(shmem_my_pe(), -1);
  CHECK(initialised[1] == previous + 10 && large[sizeof large - 1] == 2); /* as they were */
  start_pes(0);
  start_pes(5);
  CHECK_EQ(shmem_my_pe(), me);
  shmem_long_p(&word, me, next);
  shmem_barrier_all();
  CHECK_EQ(word, previous);
  return finish();
}
