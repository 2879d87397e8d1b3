/* OpenSHMEM: put and get of 3 GiB in one call, and of more elements than an int counts, from PE 0 to the last one, which with two
 * virtual nodes is on another node. Takes about 7 GiB of memory: the data is the same page over and over, marked at a few places.
 */
#include "../spmd/shmem_check.h"

#include <sys/mman.h>

#define BYTES ((size_t)3 << 30)
enum { MARK_STEP = 4096 * 251 + 8, TAIL = 64 };

static char *private_buffer(void) {
  char *memory = mmap(NULL, BYTES + TAIL, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) abort();
  return memory;
}

static size_t marks_n(void) { return (BYTES - 8) / MARK_STEP + 1; }
static uint64_t mark(size_t i, uint64_t key) { return (i + key) * UINT64_C(0x9e3779b97f4a7c15); }

/* The first word, one in each step, and the last word. */
static void set_marks(char *data, uint64_t key) {
  for (size_t i = 0; i < marks_n(); i++) {
    const uint64_t word = mark(i, key);
    memcpy(data + i * MARK_STEP, &word, 8);
  }
  memcpy(data + BYTES - 8, &(uint64_t){mark(marks_n(), key)}, 8);
}

/* The marks, and zeros between them and behind the data. */
static size_t wrong_marks(const char *data, uint64_t key) {
  static const char zeros[TAIL];
  size_t wrong_n = 0;
  for (size_t i = 0; i < marks_n(); i++) {
    const uint64_t word = mark(i, key);
    wrong_n += memcmp(data + i * MARK_STEP, &word, 8) != 0;
    if (i + 1 < marks_n()) wrong_n += memcmp(data + i * MARK_STEP + 8, zeros, TAIL) != 0;
  }
  return wrong_n + (memcmp(data + BYTES - 8, &(uint64_t){mark(marks_n(), key)}, 8) != 0) + (memcmp(data + BYTES, zeros, TAIL) != 0);
}

/* Each puts from PE 0's private memory with another call, then the last PE looks. */
static void put_all(char *heap, char *data) {
  const int last = pes - 1;
  static uint64_t signal;
  for (uint64_t way = 1; way <= 4; way++) {
    if (me == 0) {
      set_marks(data, way);
      switch (way) {
      case 1: shmem_putmem(heap, data, BYTES, last); break;
      case 2: shmem_putmem_nbi(heap, data, BYTES, last); break;
      case 3: shmem_char_put(heap, data, BYTES, last); break;
      default: shmem_putmem_signal(heap, data, BYTES, &signal, 1, SHMEM_SIGNAL_SET, last); break;
      }
    }
    if (way < 4) shmem_barrier_all();
    else if (me == last) CHECK_EQ(shmem_signal_wait_until(&signal, SHMEM_CMP_NE, 0), 1);
    if (me == last) CHECK_EQ(wrong_marks(heap, way), 0);
    shmem_barrier_all();
  }
}

static void get_all(const char *heap, char *data) {
  if (me == 0) {
    memset(data, 0, BYTES);
    shmem_getmem(data, heap, BYTES, pes - 1);
    CHECK_EQ(wrong_marks(data, 4), 0);
    memset(data, 1, BYTES);
    shmem_getmem_nbi(data, heap, BYTES, pes - 1);
    shmem_quiet();
    CHECK_EQ(wrong_marks(data, 4), 0);
  }
  shmem_barrier_all();
}

int main(void) {
  setenv("SHMEM_SYMMETRIC_SIZE", "4G", 1);
  start();
  char *heap = shmem_malloc(BYTES + TAIL), *data = private_buffer();
  CHECK(heap != NULL);
  if (heap) {
    if (me == pes - 1) memset(heap + BYTES, 0, TAIL);
    shmem_barrier_all();
    put_all(heap, data);
    get_all(heap, data);
  }
  shmem_free(heap);
  return finish();
}
