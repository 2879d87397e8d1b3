/* What the library allocates, apart from the MPI's and UCX's memory; and what the kernel says of the process. Included by one file
 * of a program, whose malloc it replaces. */
#ifndef OWN_MEMORY_H
#define OWN_MEMORY_H

#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static _Atomic int64_t own_bytes, own_allocations_n __attribute__((unused));
static _Atomic bool own_is_counted;

/* Sanitizers have their own malloc, which cannot be replaced. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { OWN_COUNTS = 0 };
#else
enum { OWN_COUNTS = 1 };

/* The C library's own names of the functions that this file replaces. */
extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t n, size_t bytes);
extern void *__libc_realloc(void *memory, size_t bytes);
extern void *__libc_memalign(size_t align, size_t bytes);
extern void __libc_free(void *memory);

/* Called from the library, or from this program. */
static bool own_is_caller(const void *caller) {
  Dl_info info;
  if (!atomic_load(&own_is_counted) || !dladdr(caller, &info) || !info.dli_fname) return false;
  Dl_info own;
  return strstr(info.dli_fname, "libtessera") ||
         (dladdr((void *)(uintptr_t)&own_is_caller, &own) && own.dli_fbase == info.dli_fbase);
}
static void *own_count(void *memory, const void *caller) {
  if (!memory || !own_is_caller(caller)) return memory;
  atomic_fetch_add(&own_bytes, (int64_t)malloc_usable_size(memory));
  atomic_fetch_add(&own_allocations_n, 1);
  return memory;
}
static void own_discount(void *memory, const void *caller) {
  if (memory && own_is_caller(caller)) atomic_fetch_sub(&own_bytes, (int64_t)malloc_usable_size(memory));
}
#define OWN_CALLER __builtin_return_address(0)
void *malloc(size_t bytes) { return own_count(__libc_malloc(bytes), OWN_CALLER); }
void *calloc(size_t n, size_t bytes) { return own_count(__libc_calloc(n, bytes), OWN_CALLER); }
void *aligned_alloc(size_t align, size_t bytes) { return own_count(__libc_memalign(align, bytes), OWN_CALLER); }
int posix_memalign(void **memory, size_t align, size_t bytes) {
  *memory = own_count(__libc_memalign(align, bytes), OWN_CALLER);
  return *memory ? 0 : ENOMEM;
}
void *realloc(void *memory, size_t bytes) {
  own_discount(memory, OWN_CALLER);
  return own_count(__libc_realloc(memory, bytes), OWN_CALLER);
}
void free(void *memory) {
  own_discount(memory, OWN_CALLER);
  __libc_free(memory);
}
#endif

/* Private memory of the process that is resident. */
static int64_t own_private_bytes(void) {
  char line[256];
  long long kib = 0;
  FILE *status = fopen("/proc/self/status", "r");
  while (status && fgets(line, sizeof line, status)) sscanf(line, "RssAnon: %lld kB", &kib);
  if (status) fclose(status);
  return kib * 1024;
}

#endif
