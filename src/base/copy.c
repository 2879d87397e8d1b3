#include "base/copy.h"

void tsr_copy_parts(void *dest, const void *src, size_t bytes, size_t part) {
  for (size_t at = 0, now; at < bytes; at += now) {
    now = bytes - at < part ? bytes - at : part;
    memcpy((char *)dest + at, (const char *)src + at, now);
  }
}
