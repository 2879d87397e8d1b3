/* Makes allocations of the library fail, as if private memory were used up. Included by one file of a program, whose malloc and
 * others it replaces. MPI, the C library and the program itself get memory as before.
 *
 * Sanitizers have their own malloc, which cannot be replaced: a program is then to have no cases (NO_MEMORY_FAILS). */
#ifndef TESTS_NO_MEMORY_H
#define TESTS_NO_MEMORY_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <mpi.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/runtime.h"
#include "node/heap.h"
#include "rma/rma.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define NO_MEMORY_FAILS 0
#else
#define NO_MEMORY_FAILS 1
#endif

static struct {
  _Atomic bool fails;             /* some time from now on */
  bool everywhere;                /* in all threads, not only in the calling one */
  _Atomic int after;              /* so many allocations succeed before */
  bool is_once;                   /* one fails, and later ones succeed */
  size_t least_bytes, most_bytes; /* others always succeed */
  int after_start;                /* the same from when the runtime is up, for the interface that starts; negative: all succeed */
} no_memory = {.after_start = -1};
static _Thread_local bool no_memory_here;

/* From now on, `after` allocations of the calling thread, of so many bytes, succeed, and later ones fail. */
static inline void no_memory_between(int after, size_t least_bytes, size_t most_bytes) {
  atomic_store(&no_memory.after, after);
  no_memory.least_bytes = least_bytes;
  no_memory.most_bytes = most_bytes;
  no_memory_here = true;
  atomic_store(&no_memory.fails, true);
}
static inline void no_memory_from(int after, size_t least_bytes) { no_memory_between(after, least_bytes, SIZE_MAX); }
static inline void no_memory_after(int after) { no_memory_from(after, 0); }
/* The same for the next request to `unit`, which sleeps on another node. `block`: symmetric memory. */
static inline void no_memory_for_requests(int32_t unit, const void *block) {
  enum { REQUESTS_N = 64 }; /* that memory is taken for at once */
  static tsr_op op;
  uint32_t local;
  uint64_t off;
  if (!tsr_heap_contains(block, &local, &off)) return;
  for (int i = 0; i < REQUESTS_N; i++) tsr_put_nb((tsr_addr){TSR_UNIT(unit), off}, &off, 1, &op);
  no_memory_after(0);
}
/* Of two units, unit 0 sleeps from here on and answers no request any more; unit 1 returns when it does. MPI carries the message:
 * in a call of the library unit 0 would answer requests of unit 1. */
static inline void no_memory_unit_0_sleeps(int32_t self) {
  if (self == 1) {
    MPI_Recv(NULL, 0, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return;
  }
  MPI_Send(NULL, 0, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
  sleep(60);
}
/* From now on one allocation fails, after so many that succeed. */
static inline void no_memory_once(int after) {
  no_memory.is_once = true;
  no_memory_after(after);
}
/* How many allocations a call makes: `begin`, the call, `end`. */
static inline void no_memory_count_begin(void) { no_memory_after(INT_MAX); }
static inline int no_memory_count_end(void) {
  atomic_store(&no_memory.fails, false);
  return INT_MAX - atomic_load(&no_memory.after);
}
static inline void no_memory_end(void) { atomic_store(&no_memory.fails, false); }

#if NO_MEMORY_FAILS

/* The C library's own names of the functions that this file replaces. */
extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t n, size_t bytes);
extern void *__libc_realloc(void *memory, size_t bytes);
extern void *__libc_memalign(size_t align, size_t bytes);

static bool no_memory_for(size_t bytes, const void *caller) {
  Dl_info info;
  if (!atomic_load(&no_memory.fails) || !(no_memory_here || no_memory.everywhere)) return false;
  if (bytes < no_memory.least_bytes || bytes > no_memory.most_bytes) return false;
  if (!dladdr(caller, &info) || !info.dli_fname || !strstr(info.dli_fname, "libtessera")) return false;
  if (atomic_fetch_sub(&no_memory.after, 1) > 0) return false;
  if (no_memory.is_once) atomic_store(&no_memory.fails, false);
  else atomic_store(&no_memory.after, 0);
  errno = ENOMEM;
  return true;
}

#define NO_MEMORY_OR(bytes, result) (no_memory_for(bytes, __builtin_return_address(0)) ? NULL : (result))
void *malloc(size_t bytes) { return NO_MEMORY_OR(bytes, __libc_malloc(bytes)); }
void *calloc(size_t n, size_t bytes) { return NO_MEMORY_OR(n * bytes, __libc_calloc(n, bytes)); }
void *realloc(void *memory, size_t bytes) { return NO_MEMORY_OR(bytes, __libc_realloc(memory, bytes)); }
void *aligned_alloc(size_t align, size_t bytes) { return NO_MEMORY_OR(bytes, __libc_memalign(align, bytes)); }
int posix_memalign(void **memory, size_t align, size_t bytes) {
  *memory = NO_MEMORY_OR(bytes, __libc_memalign(align, bytes));
  return *memory ? 0 : ENOMEM;
}
char *strdup(const char *text) {
  size_t bytes = strlen(text) + 1;
  char *made = NO_MEMORY_OR(bytes, __libc_malloc(bytes));
  return made ? memcpy(made, text, bytes) : NULL;
}
void *mmap(void *at, size_t bytes, int access, int flags, int file, off_t off) {
  static void *(*others)(void *, size_t, int, int, int, off_t);
  if (no_memory_for(bytes, __builtin_return_address(0))) return MAP_FAILED;
  if (!others) *(void **)&others = dlsym(RTLD_NEXT, "mmap");
  return others(at, bytes, access, flags, file, off);
}

/* How each interface starts the runtime, before its own parts. */
tessera_status_t tsr_runtime_up(enum tsr_api api, const struct tsr_launch *how) {
  tessera_status_t (*own)(enum tsr_api, const struct tsr_launch *);
  *(void **)&own = dlsym(RTLD_NEXT, "tsr_runtime_up");
  tessera_status_t status = own(api, how);
  if (no_memory.after_start >= 0) no_memory_after(no_memory.after_start);
  return status;
}

#endif
#endif
