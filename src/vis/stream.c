#include "vis/stream.h"

#include <stdint.h>
#include <string.h>

#include "base/bits.h"

#if defined __x86_64__
#include <immintrin.h>

enum { LINE = TSR_CACHE_LINE };

void tsr_stream_copy(char *restrict dest, const char *restrict src, size_t bytes) {
  const size_t before = (0 - (uintptr_t)dest) % LINE;
  if (bytes < before + LINE) {
    memcpy(dest, src, bytes);
    return;
  }
  memcpy(dest, src, before);
  for (dest += before, src += before, bytes -= before; bytes >= LINE; dest += LINE, src += LINE, bytes -= LINE)
    for (int part = 0; part < LINE; part += (int)sizeof(__m128i))
      _mm_stream_si128((__m128i *)(void *)(dest + part), _mm_loadu_si128((const __m128i *)(const void *)(src + part)));
  memcpy(dest, src, bytes);
}

void tsr_stream_end(void) { _mm_sfence(); }

#else

void tsr_stream_copy(char *restrict dest, const char *restrict src, size_t bytes) { memcpy(dest, src, bytes); }
void tsr_stream_end(void) {}

#endif
