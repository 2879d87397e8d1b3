/* Data in which each byte identifies its writer. */
#ifndef TESTS_PATTERN_H
#define TESTS_PATTERN_H

#include <stddef.h>

/* Byte `i` of the data with number `key`. */
static inline unsigned char pattern(unsigned key, size_t i) {
  return (unsigned char)(key * 37 + i * 7 + (i >> 8));
}
static inline void fill(void *data, unsigned key, size_t bytes) {
  for (size_t i = 0; i < bytes; i++) ((unsigned char *)data)[i] = pattern(key, i);
}
/* The number of bytes that differ from the pattern. */
static inline size_t wrong(const void *data, unsigned key, size_t bytes) {
  size_t n = 0;
  for (size_t i = 0; i < bytes; i++) n += ((const unsigned char *)data)[i] != pattern(key, i);
  return n;
}

#endif
