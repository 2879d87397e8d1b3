/* The instruction sets of the kernels. */
#ifndef TSR_BASE_SIMD_H
#define TSR_BASE_SIMD_H

/* Each has all that those before it have. */
enum tsr_simd {
  TSR_SIMD_NONE,    /* C, for any machine and compiler */
  TSR_SIMD_VECTORS, /* vectors of 16 bytes, as the compiler makes them for any machine */
  TSR_SIMD_AVX2,
  TSR_SIMD_AVX512, /* with permutations and masks of bytes: AVX512BW, VL, VBMI */
};

/* The highest level that this CPU has, found before main. Kernels are chosen by it. */
extern enum tsr_simd tsr_simd;

/* For tests: kernels chosen from now on use at most this. Returns what they use. */
enum tsr_simd tsr_simd_limit(enum tsr_simd most);

#if defined __x86_64__
#define TSR_TARGET_AVX2 __attribute__((target("avx2")))
#define TSR_TARGET_AVX512 __attribute__((target("avx2,bmi2,avx512f,avx512bw,avx512vl,avx512vbmi")))
#else
#define TSR_TARGET_AVX2 /* never chosen */
#endif

#endif
