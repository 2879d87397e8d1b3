/* What both versions of the put flood share: the options, the three ways, the data, and its check.
 *
 * A flood is a sequence of puts from few source buffers, each of which is written anew before every put, as by a program
 * that computes what it sends. The ways differ in what a program knows about the source after the call:
 *
 *   flood.late   It may be written again when the put is complete at the target. (No early local completion.)
 *   flood.early  It may be written again when the put is complete locally, for which the program waits.
 *   flood.now    It may be written again when the call returns. (The put of the study that is not "bulk".)
 *
 * The puts of a window go to slots of their own, and are complete at the target at the window's end. */
#ifndef BENCH_STUDIES_GASNET_FLOOD_H
#define BENCH_STUDIES_GASNET_FLOOD_H

#include <stdbool.h>
#include <stdint.h>

#include "../options.h"
#include "repeats.h"

enum { FLOOD_WINDOW = 64, FLOOD_LEAST = 16, FLOOD_MOST = 1 << 20, FLOOD_FACTOR = 4 };
enum flood_way { LATE, EARLY, NOW, FLOOD_WAYS_N };

static long from_bytes = 16, to_bytes = 256 << 10, sources_n = 1, milliseconds = 20, samples_n = 5;

static const struct option flood_options[] = {
    {"from", FLOOD_LEAST, FLOOD_MOST, &from_bytes, NULL, NULL},
    {"to", FLOOD_LEAST, FLOOD_MOST, &to_bytes, NULL, NULL},
    {"sources", 1, FLOOD_WINDOW, &sources_n, NULL, NULL},
    {"ms", 1, MS_MAX, &milliseconds, NULL, NULL},
    {"samples", 1, SAMPLES_MAX, &samples_n, NULL, NULL},
};
enum { FLOOD_OPTIONS_N = sizeof flood_options / sizeof *flood_options };

static inline uint64_t flood_word(size_t i) { return i * 0x9e3779b97f4a7c15u; }

/* A source's words; those at its ends change with each put. Writing all words anew would measure the memory. */
static inline void fill_source(char *source, long bytes) {
  uint64_t *words = (uint64_t *)(void *)source;
  for (size_t i = 0; i < (size_t)bytes / 8; i++) words[i] = flood_word(i);
}
static inline void write_source(char *source, long bytes, uint64_t number) {
  uint64_t *words = (uint64_t *)(void *)source;
  words[0] = number;
  words[bytes / 8 - 1] = ~number;
}

/* Whether a slot holds the data of this put. A source that is written too early shows here: its slot then has the number of
 * a later put. */
static inline bool slot_is(const char *slot, long bytes, uint64_t number) {
  const uint64_t *words = (const uint64_t *)(const void *)slot;
  const size_t last = (size_t)bytes / 8 - 1;
  bool good = words[0] == number && words[last] == ~number;
  for (size_t i = 1; i < last; i++) good &= words[i] == flood_word(i);
  return good;
}

/* All slots, after this number of puts since the program started; clears them for the next sample. */
static inline bool slots_are(char *slots, long bytes, uint64_t put_n) {
  const uint64_t before = put_n - FLOOD_WINDOW; /* puts before the last window */
  bool good = true;
  for (long i = 0; i < FLOOD_WINDOW; i++) good &= slot_is(slots + i * bytes, bytes, before + (uint64_t)i + 1);
  memset(slots, 0, (size_t)bytes * FLOOD_WINDOW);
  return good;
}

static inline const char *flood_name(enum flood_way way) {
  return way == LATE ? "flood.late" : way == EARLY ? "flood.early" : "flood.now";
}

/* The variant of the rows: the number of sources. */
static inline const char *flood_variant(void) {
  static char name[32];
  snprintf(name, sizeof name, "%ld-source%s", sources_n, sources_n == 1 ? "" : "s");
  return name;
}

#endif
