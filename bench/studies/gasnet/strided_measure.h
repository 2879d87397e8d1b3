/* How strided puts become a row: the same on both sides. Included behind their `sample`. */
#ifndef BENCH_STUDIES_GASNET_STRIDED_MEASURE_H
#define BENCH_STUDIES_GASNET_STRIDED_MEASURE_H

#include "repeats.h"
#include "strided.h"

static void measure(const struct way *way, int which) {
  const struct shape *s = &shapes[which];
  double samples[SAMPLES_MAX], each = 1;
  uint32_t key = 0;
  for (int i = 0; i < TRIALS_N; i++) each = shorter(each, sample(way, which, ++key, 1));
  const long repeats_n = of_first(repeats_in(milliseconds, each));
  for (long k = 0; k < samples_n; k++)
    samples[k] = 1e-9 * (double)repeats_n * (double)shape_bytes(s) / sample(way, which, ++key, repeats_n);
  if (job.me == 0) {
    study_row(shape_work(way->name, s), shape_variant(which), (long)shape_bytes(s), (int)job.n, "GB/s", (int)samples_n,
              samples);
  }
}

#endif
