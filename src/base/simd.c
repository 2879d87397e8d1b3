#include "base/simd.h"

#include <stdbool.h>

#include "base/poison.h"

enum tsr_simd tsr_simd;

static enum tsr_simd best_simd(void) {
#if !__has_builtin(__builtin_shufflevector)
  return TSR_SIMD_NONE;
#elif defined __x86_64__
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("bmi2")) return TSR_SIMD_VECTORS;
  bool permutes = __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
                  __builtin_cpu_supports("avx512vbmi");
  /* AVX-512 kernels read what lies between elements, which may be another thread's: harmless, but TSan cannot know. */
  return permutes && !TSR_TSAN ? TSR_SIMD_AVX512 : TSR_SIMD_AVX2;
#else
  return TSR_SIMD_VECTORS;
#endif
}

__attribute__((constructor)) static void use_best(void) { tsr_simd = best_simd(); }

enum tsr_simd tsr_simd_limit(enum tsr_simd most) {
  enum tsr_simd all = best_simd();
  return tsr_simd = most < all ? most : all;
}
