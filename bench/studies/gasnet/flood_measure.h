/* How a flood becomes a row: the same on both sides. Included behind their `sample`. */
#ifndef BENCH_STUDIES_GASNET_FLOOD_MEASURE_H
#define BENCH_STUDIES_GASNET_FLOOD_MEASURE_H

#include "flood.h"
#include "repeats.h"

static void measure(enum flood_way way, long bytes) {
  double samples[SAMPLES_MAX], each = 1;
  for (long i = 0; job.me == 0 && i < sources_n; i++) fill_source(sources + i * bytes, bytes);
  for (int i = 0; i < TRIALS_N; i++) each = shorter(each, sample(way, bytes, 1));
  const long windows_n = of_first(repeats_in(milliseconds, each));
  for (long k = 0; k < samples_n; k++)
    samples[k] = 1e-9 * (double)(windows_n * FLOOD_WINDOW * bytes) / sample(way, bytes, windows_n);
  if (job.me == 0) study_row(flood_name(way), flood_variant(), bytes, (int)job.n, "GB/s", (int)samples_n, samples);
}

#endif
