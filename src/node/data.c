#include "node/data.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "base/status.h"
#include "node/heap.h"

static struct {
  const struct tsr_image *images;
  size_t n; /* how many of them are shared */
} shared;

static uintptr_t page_bytes(void) { return (uintptr_t)sysconf(_SC_PAGESIZE); }

/* ---- copies of pages ---- */

/* Which of n pages have contents: those that were never touched need no copy, and must not get memory of their own. */
typedef void (*find_used_fn)(const char *begin, size_t n, unsigned char used[]);
enum { BATCH_PAGES_N = 512 };

/* For private pages, from the kernel's page map. If that cannot be read, all pages count as used. */
static void find_used_private(const char *begin, size_t n, unsigned char used[]) {
  uint64_t entries[BATCH_PAGES_N];
  const size_t wanted = n * sizeof entries[0];
  int map = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
  const off_t at = (off_t)((uintptr_t)begin / page_bytes() * sizeof entries[0]);
  bool known = map >= 0 && pread(map, entries, wanted, at) == (ssize_t)wanted;
  for (size_t i = 0; i < n; i++) used[i] = !known || entries[i] >> 62; /* in memory, or swapped out */
  if (map >= 0) close(map);
}

/* For shared pages, which another process may have touched. The kernel does not report pages that are swapped out, so all pages
 * count as used if the system has swap. */
static void find_used_shared(const char *begin, size_t n, unsigned char used[]) {
  struct sysinfo system;
  bool known = !sysinfo(&system) && !system.totalswap && !mincore((void *)(uintptr_t)begin, n * page_bytes(), used);
  for (size_t i = 0; i < n; i++) used[i] = !known || (used[i] & 1);
}

/* For pages with contents of a file: all count as used, since the page map does not know untouched pages, which are not zero. */
static void find_used_file(const char *begin, size_t n, unsigned char used[]) {
  (void)begin;
  memset(used, 1, n);
}

/* Copies word by word: sanitizers check memcpy, and would report the gaps between the program's variables. */
__attribute__((no_sanitize("address"))) static void copy_page(char *to, const char *from) {
  volatile uint64_t *to_words = (volatile uint64_t *)(void *)to;
  const uint64_t *from_words = (const uint64_t *)(const void *)from;
  for (size_t i = 0; i < page_bytes() / sizeof *from_words; i++) to_words[i] = from_words[i];
}

static void copy_pages(char *to, const char *from, size_t bytes, find_used_fn find_used) {
  unsigned char used[BATCH_PAGES_N];
  const size_t page = page_bytes(), pages_n = bytes / page;
  for (size_t first = 0, n; first < pages_n; first += n) {
    n = pages_n - first < BATCH_PAGES_N ? pages_n - first : BATCH_PAGES_N;
    find_used(from + first * page, n, used);
    for (size_t i = 0; i < n; i++)
      if (used[i]) copy_page(to + (first + i) * page, from + (first + i) * page);
  }
}

/* ---- exchange of the pages ---- */

/* Calls the kernel directly: UCX replaces mremap of the C library in every process that loads UCX, and drops the new address. */
static bool move_pages(void *from, size_t old_bytes, const struct tsr_image *image) {
  const long at = syscall(SYS_mremap, from, old_bytes, image->bytes, MREMAP_MAYMOVE | MREMAP_FIXED, image->begin);
  return at == (long)(intptr_t)image->begin;
}

/* Private pages with the contents of the shared ones, built elsewhere and moved into their place at once. */
static tessera_status_t make_private(const struct tsr_image *image) {
  void *made = mmap(NULL, image->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (made == MAP_FAILED) return TESSERA_ERR_MEMORY;
  copy_pages(made, image->begin, image->bytes, find_used_shared);
  if (move_pages(made, image->bytes, image)) return TESSERA_OK;
  munmap(made, image->bytes);
  return TESSERA_ERR_SYSTEM;
}

/* If the library is linked statically, `shared` itself lies in an image: it is written only while its pages are in place. */
tessera_status_t tsr_data_unshare(void) {
  for (size_t i = 0; i < shared.n; i++) {
    tessera_status_t status = make_private(&shared.images[i]);
    if (status) return status;
  }
  shared.n = 0;
  return TESSERA_OK;
}

/* A child must not change its parent's variables. */
static void in_child(void) {
  if (tsr_data_unshare()) _exit(127);
}

static tessera_status_t share_image(const struct tsr_image *image) {
  if ((uintptr_t)image->alias % page_bytes()) return TESSERA_ERR_SYSTEM;
  tsr_heap_clear(image->alias, image->bytes); /* the block may have been used before; what is not copied has to be zero */
  copy_pages(image->alias, image->begin, image->filled, find_used_file);
  copy_pages(image->alias + image->filled, image->begin + image->filled, image->bytes - image->filled, find_used_private);
  /* The old length 0 makes mremap map the same pages once more, if their mapping is a shared one. */
  if (!move_pages(image->alias, 0, image)) return TESSERA_ERR_SYSTEM;
  if (madvise(image->begin, image->bytes, MADV_DOFORK) == 0) return TESSERA_OK; /* the heap's own mapping is not inherited */
  make_private(image);
  return TESSERA_ERR_SYSTEM;
}

tessera_status_t tsr_data_share(const struct tsr_image images[], size_t n) {
  static bool watches_forks;
  if (!watches_forks && pthread_atfork(NULL, NULL, in_child)) return TESSERA_ERR_MEMORY;
  watches_forks = true;
  shared.images = images;
  for (size_t i = 0; i < n; i++) {
    tessera_status_t status = share_image(&images[i]);
    if (!status) {
      shared.n = i + 1;
      continue;
    }
    tsr_data_unshare();
    return status;
  }
  return TESSERA_OK;
}
