/* Copies of memory of this process. Any thread; nothing here waits. */
#ifndef TSR_BASE_COPY_H
#define TSR_BASE_COPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Copies from TSR_COPY_PARTS_FROM to TSR_COPY_PARTS_TO bytes are made in parts. For lengths beyond the size of the second-level
 * cache, glibc's memcpy does not use the CPU's own string copy, which is faster up to TSR_COPY_PARTS_TO (on an AMD EPYC 15.7
 * instead of 18.4 us for 1 MiB). For still longer copies it may be better to bypass the caches; memcpy decides that. */
enum { TSR_COPY_PARTS_FROM = 1 << 20, TSR_COPY_PARTS_TO = 4 << 20, TSR_COPY_PART = 128 << 10 };
void tsr_copy_parts(void *dest, const void *src, size_t bytes, size_t part);

/* The string copy of AMD's processors takes up to 20 times as long if `dest` is a few bytes further within its page than `src`
 * (on that EPYC 1 to 31 bytes: 2200 instead of 90 ns for 4 KiB), as memory of malloc is than the start of a segment. memcpy copies
 * up to TSR_COPY_BY_VECTORS bytes without it. */
enum { TSR_COPY_BY_VECTORS = 2048 };
static inline bool tsr_copy_stalls(const void *dest, const void *src) {
#ifdef __x86_64__
  enum { PAGE = 4096, STALLS_TO = 63 };
  return ((uintptr_t)dest - (uintptr_t)src - 1) % PAGE < STALLS_TO;
#else
  (void)dest, (void)src;
  return false;
#endif
}

/* From 16 to 64 bytes: two or four vectors from both ends, which overlap in the middle. The call of memcpy, through the linkage
 * table, and its choice by the length cost as much as such a copy. */
enum { TSR_COPY_SHORT_FROM = 16, TSR_COPY_SHORT_TO = 64 };
static inline void tsr_copy_short(void *dest, const void *src, size_t bytes) {
  enum { VECTOR = 16 };
  char *to = (char *)dest, first[VECTOR], second[VECTOR], third[VECTOR], last[VECTOR];
  const char *from = (const char *)src;
  memcpy(first, from, VECTOR);
  memcpy(last, from + bytes - VECTOR, VECTOR);
  if (bytes > 2 * VECTOR) {
    memcpy(second, from + VECTOR, VECTOR);
    memcpy(third, from + bytes - 2 * VECTOR, VECTOR);
    memcpy(to + VECTOR, second, VECTOR);
    memcpy(to + bytes - 2 * VECTOR, third, VECTOR);
  }
  memcpy(to, first, VECTOR);
  memcpy(to + bytes - VECTOR, last, VECTOR);
}

/* memcpy with the sizes that matter kept out of the general routine. */
static inline void tsr_copy(void *dest, const void *src, size_t bytes) {
  const bool in_parts = bytes - TSR_COPY_PARTS_FROM <= TSR_COPY_PARTS_TO - TSR_COPY_PARTS_FROM;
  const bool by_string = bytes > TSR_COPY_BY_VECTORS && bytes <= TSR_COPY_PARTS_TO;
  if (bytes == 8) memcpy(dest, src, 8);
  else if (bytes == 4) memcpy(dest, src, 4);
  else if (bytes - TSR_COPY_SHORT_FROM <= TSR_COPY_SHORT_TO - TSR_COPY_SHORT_FROM) tsr_copy_short(dest, src, bytes);
  else if (by_string && tsr_copy_stalls(dest, src)) tsr_copy_parts(dest, src, bytes, TSR_COPY_BY_VECTORS);
  else if (__builtin_expect(in_parts, 0)) tsr_copy_parts(dest, src, bytes, TSR_COPY_PART);
  else memcpy(dest, src, bytes);
}

#endif
