/* What both versions of the payload test share: the sizes, the data, and the rows. */
#ifndef BENCH_STUDIES_GASNET_PAYLOAD_H
#define BENCH_STUDIES_GASNET_PAYLOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "../options.h"
#include "repeats.h"

enum { PAYLOAD_LEAST = 64, PAYLOAD_MOST = 4 << 20 };

static long from_bytes = 512, to_bytes = 256 << 10, milliseconds = 20, samples_n = 5;

static const struct option payload_options[] = {
    {"from", PAYLOAD_LEAST, PAYLOAD_MOST, &from_bytes, NULL, NULL},
    {"to", PAYLOAD_LEAST, PAYLOAD_MOST, &to_bytes, NULL, NULL},
    {"ms", 1, MS_MAX, &milliseconds, NULL, NULL},
    {"samples", 1, SAMPLES_MAX, &samples_n, NULL, NULL},
};
enum { PAYLOAD_OPTIONS_N = sizeof payload_options / sizeof *payload_options };

/* The data of a message is a sequence of words that depends on the message's key. */
static inline uint64_t word_of(uint32_t key, size_t i) { return (uint64_t)key << 32 | (uint32_t)(i * 2654435761u); }

/* The work of a program that computes what it sends. */
static inline void compose(void *to, size_t bytes, uint32_t key) {
  uint64_t *words = to;
  for (size_t i = 0; i < bytes / 8; i++) words[i] = word_of(key, i);
}

/* Compares the first and the last word; or all words, in the round trip that is not timed. */
static inline bool is_composed(const void *data, size_t bytes, uint32_t key, bool all) {
  const uint64_t *words = data;
  const size_t last = bytes / 8 - 1;
  bool good = words[0] == word_of(key, 0) && words[last] == word_of(key, last);
  for (size_t i = 0; all && i <= last; i++) good &= words[i] == word_of(key, i);
  return good;
}

#endif
