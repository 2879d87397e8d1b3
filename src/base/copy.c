#include "base/copy.h"

void tsr_copy_parts(void *dest, const void *src, size_t bytes) {
  for (size_t at = 0, now; at < bytes; at += now) {
    now = bytes - at < TSR_COPY_PART ? bytes - at : TSR_COPY_PART;
    memcpy((char *)dest + at, (const char *)src + at, now);
  }
}
