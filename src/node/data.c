#include "node/data.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "base/status.h"

static struct {
  char *begin;
  size_t bytes; /* 0: nothing is shared */
} shared;

/* ---- where it lies ---- */

struct range {
  uintptr_t begin, end;
};

static uintptr_t page_bytes(void) { return (uintptr_t)sysconf(_SC_PAGESIZE); }
static uintptr_t page_down(uintptr_t at) { return at & ~(page_bytes() - 1); }
static uintptr_t page_up(uintptr_t at) { return page_down(at + page_bytes() - 1); }

/* The program is the first object. Its last writable segment holds .data and .bss, and begins with what is read-only after
 * relocation. */
static int find_in_program(struct dl_phdr_info *info, size_t size, void *arg) {
  struct range *range = arg, relro = {0, 0};
  (void)size;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[i];
    uintptr_t begin = info->dlpi_addr + header->p_vaddr, end = begin + header->p_memsz;
    if (header->p_type == PT_LOAD && header->p_flags & PF_W) *range = (struct range){page_down(begin), page_up(end)};
    if (header->p_type == PT_GNU_RELRO) relro = (struct range){begin, end};
  }
  if (relro.begin < range->end && relro.end > range->begin) range->begin = page_up(relro.end);
  return 1;
}

bool tsr_data_find(char **begin, size_t *bytes) {
  struct range range = {0, 0};
  dl_iterate_phdr(find_in_program, &range);
  *begin = (char *)range.begin;
  *bytes = range.end > range.begin ? range.end - range.begin : 0;
  return *bytes > 0;
}

/* ---- copies of pages ---- */

/* Which of n pages have contents: those that were never touched need no copy, and must not get memory of their own. */
typedef void (*look_fn)(const char *begin, size_t n, unsigned char used[]);
enum { BATCH_PAGES_N = 512 };

/* Of private pages: by the kernel's page map. Where it cannot be read, all have. */
static void look_at_private(const char *begin, size_t n, unsigned char used[]) {
  uint64_t entries[BATCH_PAGES_N];
  const size_t wanted = n * sizeof entries[0];
  int map = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
  const off_t at = (off_t)((uintptr_t)begin / page_bytes() * sizeof entries[0]);
  bool known = map >= 0 && pread(map, entries, wanted, at) == (ssize_t)wanted;
  for (size_t i = 0; i < n; i++) used[i] = !known || entries[i] >> 62; /* in memory, or swapped out */
  if (map >= 0) close(map);
}

/* Of shared pages, which another process may have touched. The kernel does not tell of those that are swapped out: where there is
 * swap, all have. */
static void look_at_shared(const char *begin, size_t n, unsigned char used[]) {
  struct sysinfo system;
  bool known = !sysinfo(&system) && !system.totalswap && !mincore((void *)(uintptr_t)begin, n * page_bytes(), used);
  for (size_t i = 0; i < n; i++) used[i] = !known || (used[i] & 1);
}

/* Word by word: sanitizers watch memcpy, and the gaps between the program's variables are no variables. */
__attribute__((no_sanitize("address"))) static void copy_page(char *to, const char *from) {
  volatile uint64_t *to_words = (volatile uint64_t *)(void *)to;
  const uint64_t *from_words = (const uint64_t *)(const void *)from;
  for (size_t i = 0; i < page_bytes() / sizeof *from_words; i++) to_words[i] = from_words[i];
}

static void copy_pages(char *to, const char *from, size_t bytes, look_fn look) {
  unsigned char used[BATCH_PAGES_N];
  const size_t page = page_bytes(), pages_n = bytes / page;
  for (size_t first = 0, n; first < pages_n; first += n) {
    n = pages_n - first < BATCH_PAGES_N ? pages_n - first : BATCH_PAGES_N;
    look(from + first * page, n, used);
    for (size_t i = 0; i < n; i++)
      if (used[i]) copy_page(to + (first + i) * page, from + (first + i) * page);
  }
}

/* ---- exchange of the pages ---- */

/* By the kernel itself: UCX replaces the C library's function in every process that loads it, and loses the new address. */
static bool move_pages(void *from, size_t old_bytes) {
  const long at = syscall(SYS_mremap, from, old_bytes, shared.bytes, MREMAP_MAYMOVE | MREMAP_FIXED, shared.begin);
  return at == (long)(intptr_t)shared.begin;
}

/* Private pages with the contents of the shared ones, built elsewhere and moved into their place at once. */
static tessera_status_t make_private(void) {
  void *made = mmap(NULL, shared.bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (made == MAP_FAILED) return TESSERA_ERR_MEMORY;
  copy_pages(made, shared.begin, shared.bytes, look_at_shared);
  if (move_pages(made, shared.bytes)) return TESSERA_OK;
  munmap(made, shared.bytes);
  return TESSERA_ERR_SYSTEM;
}

/* A child must not change its parent's variables. */
static void in_child(void) {
  if (shared.bytes && make_private() != TESSERA_OK) _exit(127);
  shared.bytes = 0;
}

tessera_status_t tsr_data_share(char *begin, size_t bytes, char *alias) {
  static bool watches_forks;
  if (page_down((uintptr_t)alias) != (uintptr_t)alias) return TESSERA_ERR_SYSTEM;
  if (!watches_forks && pthread_atfork(NULL, NULL, in_child)) return TESSERA_ERR_MEMORY;
  watches_forks = true;
  madvise(alias, bytes, MADV_REMOVE); /* the block may have been used before; what is not copied has to be zero */
  copy_pages(alias, begin, bytes, look_at_private);
  shared.begin = begin;
  shared.bytes = bytes;
  /* Of a shared mapping the old length 0 makes one more mapping of the same pages. */
  if (move_pages(alias, 0)) {
    if (madvise(begin, bytes, MADV_DOFORK) == 0) return TESSERA_OK; /* the heap's own mapping is not inherited */
    make_private();
  }
  shared.bytes = 0;
  return TESSERA_ERR_SYSTEM;
}

tessera_status_t tsr_data_unshare(void) {
  if (!shared.bytes) return TESSERA_OK;
  tessera_status_t status = make_private();
  if (!status) shared.bytes = 0;
  return status;
}
