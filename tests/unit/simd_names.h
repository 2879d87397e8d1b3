/* For tests that run once with each set of vector instructions of the CPU. */
#ifndef TESTS_UNIT_SIMD_NAMES_H
#define TESTS_UNIT_SIMD_NAMES_H

#include <stdbool.h>

#include "base/simd.h"

static const char *const simd_names[] = {
    [TSR_SIMD_NONE] = "portable", [TSR_SIMD_VECTORS] = "vectors", [TSR_SIMD_AVX2] = "AVX2", [TSR_SIMD_AVX512] = "AVX-512"};

/* Selects a set, from the smallest one on. False: the CPU has no more. */
static inline bool simd_use(int most) {
  return most <= TSR_SIMD_AVX512 && (int)tsr_simd_limit((enum tsr_simd)most) == most;
}

#endif
