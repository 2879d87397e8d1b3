#include "apart.h"

#include <stdbool.h>
#include <stdint.h>
#include <time.h>
#if defined __x86_64__
#include <immintrin.h>
#endif

/* ---- plain ---- */

static void gather_plain(const struct apart *a) {
  const double *restrict from = a->apart;
  double *restrict to = a->line;
  if (a->stride)
    for (size_t i = 0, n = a->n, stride = a->stride; i < n; i++) to[i] = from[i * stride];
  else
    for (size_t i = 0, n = a->n; i < n; i++) to[i] = from[a->offset[i]];
}

static void scatter_plain(const struct apart *a) {
  const double *restrict from = a->line;
  double *restrict to = a->apart;
  if (a->stride)
    for (size_t i = 0, n = a->n, stride = a->stride; i < n; i++) to[i * stride] = from[i];
  else
    for (size_t i = 0, n = a->n; i < n; i++) to[a->offset[i]] = from[i];
}

/* ---- with vectors ---- */

#if defined __x86_64__
#define AVX2 __attribute__((target("avx2")))
#define AVX512 __attribute__((target("avx512f")))

static inline size_t place(const struct apart *a, size_t i) { return a->stride ? i * a->stride : a->offset[i]; }

static inline __m128d pair(const struct apart *a, size_t i) {
  return _mm_loadh_pd(_mm_load_sd(a->apart + place(a, i)), a->apart + place(a, i + 1));
}

static void gather_pairs(const struct apart *a) {
  size_t i = 0;
  for (; i + 4 <= a->n; i += 4) {
    const __m128d first = pair(a, i), second = pair(a, i + 2);
    _mm_storeu_pd(a->line + i, first);
    _mm_storeu_pd(a->line + i + 2, second);
  }
  for (; i < a->n; i++) a->line[i] = a->apart[place(a, i)];
}

AVX2 static void gather_fours(const struct apart *a) {
  size_t i = 0;
  for (; i + 4 <= a->n; i += 4) _mm256_storeu_pd(a->line + i, _mm256_set_m128d(pair(a, i + 2), pair(a, i)));
  for (; i < a->n; i++) a->line[i] = a->apart[place(a, i)];
}

AVX512 static void gather_eights(const struct apart *a) {
  size_t i = 0;
  for (; i + 8 <= a->n; i += 8) {
    const __m256d low = _mm256_insertf128_pd(_mm256_castpd128_pd256(pair(a, i)), pair(a, i + 2), 1);
    const __m256d high = _mm256_insertf128_pd(_mm256_castpd128_pd256(pair(a, i + 4)), pair(a, i + 6), 1);
    _mm512_storeu_pd(a->line + i, _mm512_insertf64x4(_mm512_castpd256_pd512(low), high, 1));
  }
  for (; i < a->n; i++) a->line[i] = a->apart[place(a, i)];
}

/* The CPU's own gather and scatter. */
AVX512 static void gather_instruction(const struct apart *a) {
  size_t i = 0;
  const __m512i lane = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7), step = _mm512_set1_epi64((long long)a->stride);
  const __m512i steps = _mm512_mullox_epi64(lane, step);
  for (; i + 8 <= a->n; i += 8) {
    const __m512i at = a->stride ? steps : _mm512_loadu_si512(a->offset + i);
    _mm512_storeu_pd(a->line + i, _mm512_i64gather_pd(at, a->apart + i * a->stride, sizeof(double)));
  }
  for (; i < a->n; i++) a->line[i] = a->apart[place(a, i)];
}

AVX512 static void scatter_instruction(const struct apart *a) {
  size_t i = 0;
  const __m512i lane = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7), step = _mm512_set1_epi64((long long)a->stride);
  const __m512i steps = _mm512_mullox_epi64(lane, step);
  for (; i + 8 <= a->n; i += 8) {
    const __m512i at = a->stride ? steps : _mm512_loadu_si512(a->offset + i);
    _mm512_i64scatter_pd(a->apart + i * a->stride, at, _mm512_loadu_pd(a->line + i), sizeof(double));
  }
  for (; i < a->n; i++) a->apart[place(a, i)] = a->line[i];
}

/* One double in four: loads whole cache lines and keeps two doubles of each, or stores two doubles under a mask. */
enum { IN_FOUR = 4 };

AVX512 static void gather_in_four(const struct apart *a) {
  const __m512i kept = _mm512_setr_epi64(0, 4, 8, 12, 0, 4, 8, 12);
  const double *from = a->apart;
  size_t i = 0;
  for (; i + 8 < a->n; i += 8, from += 8 * IN_FOUR) {
    const __m512d low = _mm512_permutex2var_pd(_mm512_loadu_pd(from), kept, _mm512_loadu_pd(from + 8));
    const __m512d high = _mm512_permutex2var_pd(_mm512_loadu_pd(from + 16), kept, _mm512_loadu_pd(from + 24));
    _mm512_storeu_pd(a->line + i, _mm512_shuffle_f64x2(low, high, 0x44));
  }
  for (; i < a->n; i++) a->line[i] = a->apart[i * IN_FOUR];
}

AVX512 static void scatter_in_four(const struct apart *a) {
  const __m512i two = _mm512_setr_epi64(0, 0, 0, 0, 1, 1, 1, 1), next = _mm512_set1_epi64(2);
  double *to = a->apart;
  size_t i = 0;
  for (; i + 8 < a->n; i += 8) {
    const __m512d line = _mm512_loadu_pd(a->line + i);
    __m512i from = two;
    for (int k = 0; k < 4; k++, to += 8, from = _mm512_add_epi64(from, next))
      _mm512_mask_storeu_pd(to, 0x11, _mm512_permutexvar_pd(from, line));
  }
  for (; i < a->n; i++) a->apart[i * IN_FOUR] = a->line[i];
}

static bool has_avx2(const struct apart *a) {
  (void)a;
  return __builtin_cpu_supports("avx2");
}
static bool has_avx512(const struct apart *a) {
  (void)a;
  return __builtin_cpu_supports("avx512f");
}
static bool has_avx512_in_four(const struct apart *a) { return a->stride == IN_FOUR && __builtin_cpu_supports("avx512f"); }
#endif

/* ---- choosing ---- */

struct way {
  apart_loop loop;
  bool (*works)(const struct apart *a); /* NULL: always */
};

static double time_ns(apart_loop loop, const struct apart *a, int times) {
  struct timespec start, end;
  clock_gettime(CLOCK_MONOTONIC, &start);
  for (int i = 0; i < times; i++) {
    loop(a);
    __asm__ volatile("" ::: "memory");
  }
  clock_gettime(CLOCK_MONOTONIC, &end);
  return (double)(end.tv_sec - start.tv_sec) * 1e9 + (double)(end.tv_nsec - start.tv_nsec);
}

/* Takes the best of some short batches of each loop, in turns, because a disturbance never makes a batch faster. */
static apart_loop quickest(const struct way *ways, size_t ways_n, const struct apart *a) {
  enum { ROUNDS = 30, DOUBLES = 1 << 14, WAYS_MOST = 8 };
  double best_ns[WAYS_MOST];
  size_t best = 0;
  const int times = a->n < DOUBLES ? (int)(DOUBLES / a->n) : 1;
  for (int round = 0; round < ROUNDS; round++)
    for (size_t w = 0; w < ways_n; w++) {
      if (ways[w].works && !ways[w].works(a)) continue;
      double ns = time_ns(ways[w].loop, a, times);
      if (round == 0 || ns < best_ns[w]) best_ns[w] = ns;
    }
  for (size_t w = 1; w < ways_n; w++)
    if ((!ways[w].works || ways[w].works(a)) && best_ns[w] < best_ns[best]) best = w;
  return ways[best].loop;
}

apart_loop apart_gather(const struct apart *a) {
  static const struct way ways[] = {
      {gather_plain, NULL},
#if defined __x86_64__
      {gather_pairs, NULL}, {gather_fours, has_avx2}, {gather_eights, has_avx512}, {gather_instruction, has_avx512},
      {gather_in_four, has_avx512_in_four},
#endif
  };
  return quickest(ways, sizeof ways / sizeof *ways, a);
}

apart_loop apart_scatter(const struct apart *a) {
  static const struct way ways[] = {
      {scatter_plain, NULL},
#if defined __x86_64__
      {scatter_instruction, has_avx512}, {scatter_in_four, has_avx512_in_four},
#endif
  };
  return quickest(ways, sizeof ways / sizeof *ways, a);
}
