/* FNV-1a over words; a byte is passed as a word, too. A hash starts as TSR_HASH_NOTHING, and the words are added one by one. */
#ifndef TSR_BASE_HASH_H
#define TSR_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define TSR_HASH_NOTHING UINT64_C(0xcbf29ce484222325)

static inline uint64_t tsr_hash_add(uint64_t hash, uint64_t word) { return (hash ^ word) * UINT64_C(0x100000001b3); }

static inline uint64_t tsr_hash_bytes(uint64_t hash, const void *bytes, size_t n) {
  for (size_t i = 0; i < n; i++) hash = tsr_hash_add(hash, ((const unsigned char *)bytes)[i]);
  return hash;
}

#endif
