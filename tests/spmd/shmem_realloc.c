/* OpenSHMEM: shmem_realloc to smaller and larger sizes, with and without room for the old and the new block together, within
 * SHMEM_SYMMETRIC_SIZE and in a full heap. */
#include <unistd.h>

#include "shmem_check.h"

enum { MIB = 1 << 20, LIMIT = 4 * MIB, SHORT = 1000, BLOCKS_MAX = 64 };

static int saved = -1;
static FILE *said;

/* What the library prints until expect_silence goes to a file. */
static void listen(void) {
  said = tmpfile();
  saved = dup(STDERR_FILENO);
  CHECK(said && dup2(fileno(said), STDERR_FILENO) >= 0);
}

/* A way that was tried first, without success, is no error. */
static void expect_silence(void) {
  char line[200];
  dup2(saved, STDERR_FILENO);
  close(saved);
  rewind(said);
  while (fgets(line, sizeof line, said)) {
    fprintf(stderr, "printed: %s", line);
    CHECK(!strstr(line, "TSR-"));
  }
  fclose(said);
}

static int byte_at(size_t i, int pe) { return (int)((i * 7 + i / 4096 + (size_t)pe) % 127); }

static void fill(char *block, size_t bytes) {
  for (size_t i = 0; i < bytes; i++) block[i] = (char)byte_at(i, me);
}

static bool is_filled(const char *block, size_t bytes, int pe) {
  for (size_t i = 0; i < bytes; i++)
    if (block[i] != byte_at(i, pe)) return false;
  return true;
}

/* Another PE's part is complete when the call returns. */
static void check_next(const char *block, size_t bytes) {
  static char last[SHORT];
  const size_t n = bytes < sizeof last ? bytes : sizeof last;
  shmem_getmem(last, block + bytes - n, n, next);
  for (size_t i = 0; i < n; i++) CHECK_EQ(last[i], byte_at(bytes - n + i, next));
  shmem_barrier_all();
}

/* The block has `before` bytes of contents, and gets `after` bytes of contents. */
static char *resize(char *block, size_t before, size_t after) {
  const size_t kept = before < after ? before : after;
  listen();
  char *made = shmem_realloc(block, after);
  expect_silence();
  CHECK(made != NULL);
  if (!made) exit(check_result() ? check_result() : 1);
  CHECK(is_filled(made, kept, me));
  check_next(made, kept);
  fill(made, after);
  shmem_barrier_all();
  return made;
}

static void expect_no_room(char *block, size_t before, size_t after) {
  CHECK(!shmem_realloc(block, after));
  CHECK(is_filled(block, before, me));
  check_next(block, before);
}

/* The limit holds for the blocks that there are after the call, and all of it can be used again. */
static void within_limit(void) {
  char *block = shmem_malloc(LIMIT / 8 * 5), *other;
  CHECK(block != NULL);
  fill(block, LIMIT / 8 * 5);
  shmem_barrier_all();
  block = resize(block, LIMIT / 8 * 5, LIMIT / 2);
  CHECK((other = shmem_malloc(LIMIT / 2)) != NULL);
  CHECK(!shmem_malloc(16));
  expect_no_room(block, LIMIT / 2, LIMIT / 2 + 1);
  shmem_free(other);
  block = resize(block, LIMIT / 2, LIMIT / 4 * 3);
  expect_no_room(block, LIMIT / 4 * 3, LIMIT + 1);
  block = resize(block, LIMIT / 4 * 3, LIMIT);
  CHECK(!shmem_malloc(16));
  block = resize(block, LIMIT, 16);
  block = resize(block, 16, LIMIT);
  shmem_free(block);
  CHECK((block = shmem_malloc(LIMIT)) != NULL);
  shmem_free(block);
}

/* Fills the heap with blocks of at least 1 MiB, the largest first. Returns their number. */
static int fill_heap(char *blocks[], size_t sizes[]) {
  int n = 0;
  for (size_t bytes = 16 * MIB; bytes >= MIB; bytes /= 2)
    while (n < BLOCKS_MAX && (blocks[n] = shmem_malloc(bytes)) != NULL) sizes[n++] = bytes;
  return n;
}

/* No block of the old size is free besides. */
static void in_full_heap(size_t alignment) {
  char *blocks[BLOCKS_MAX];
  size_t sizes[BLOCKS_MAX];
  const int n = fill_heap(blocks, sizes);
  CHECK(n > 0 && n < BLOCKS_MAX);
  if (n == 0) return;
  const size_t most = sizes[0];
  shmem_free(blocks[0]);
  char *block = shmem_align(alignment, most);
  CHECK(block && (uintptr_t)block % alignment == 0);
  fill(block, most);
  shmem_barrier_all();
  expect_no_room(block, most, 2 * most);
  block = resize(block, most, most / 4 * 3);
  expect_no_room(block, most / 4 * 3, most);
  block = resize(block, most / 4 * 3, SHORT);
  expect_no_room(block, SHORT, 2 * most);
  shmem_free(block);
  for (int i = 1; i < n; i++) shmem_free(blocks[i]);
}

/* The end of a block that has become shorter belongs to it no more. */
static void beside_others(void) {
  char *first = shmem_malloc(3 * MIB), *second = shmem_malloc(3 * MIB);
  fill(first, 3 * MIB);
  fill(second, 3 * MIB);
  shmem_barrier_all();
  first = resize(first, 3 * MIB, MIB);
  char *third = shmem_malloc(2 * MIB);
  memset(third, 127, 2 * MIB);
  shmem_barrier_all();
  CHECK(is_filled(first, MIB, me) && is_filled(second, 3 * MIB, me));
  first = resize(first, MIB, 5 * MIB);
  CHECK(is_filled(second, 3 * MIB, me));
  shmem_free(third);
  shmem_free(second);
  shmem_free(first);
}

int main(void) {
  setenv("TESSERA_HEAP_SIZE", "32M", 1);
  setenv("SHMEM_SYMMETRIC_SIZE", "4M", 1);
  start();
  within_limit();
  shmem_finalize();
  unsetenv("SHMEM_SYMMETRIC_SIZE");
  start();
  beside_others();
  in_full_heap(16);
  in_full_heap(64 << 10);
  in_full_heap(16);
  return finish();
}
