/* Text in a buffer of fixed size; what does not fit is left out. All functions but tsr_text_print may be called in a signal
 * handler. */
#ifndef TSR_BASE_TEXT_H
#define TSR_BASE_TEXT_H

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The caller owns `data`, which has `room` bytes; the first n are the text. */
struct tsr_text {
  char *data;
  size_t room, n;
};

static inline void tsr_text_add_bytes(struct tsr_text *text, const char *more, size_t bytes) {
  size_t left = text->room - text->n, taken = bytes < left ? bytes : left;
  memcpy(text->data + text->n, more, taken);
  text->n += taken;
}

static inline void tsr_text_add(struct tsr_text *text, const char *more) { tsr_text_add_bytes(text, more, strlen(more)); }

/* For code that is not a signal handler; `data` stays terminated. */
__attribute__((format(printf, 2, 3))) static inline void tsr_text_print(struct tsr_text *text, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int n = vsnprintf(text->data + text->n, text->room - text->n, format, args);
  va_end(args);
  size_t left = text->room - text->n;
  if (n > 0) text->n += (size_t)n < left ? (size_t)n : left - 1;
}

/* Adds blanks until the text has grown to `column` bytes behind `from`. */
static inline void tsr_text_pad(struct tsr_text *text, size_t from, size_t column) {
  while (text->n < from + column && text->n < text->room) text->data[text->n++] = ' ';
}

/* Adds a number with at least digits_min digits, right-aligned in `width` columns. Radix 2 to 16. */
static inline void tsr_text_add_number(struct tsr_text *text, uint64_t number, unsigned radix, int digits_min, int width) {
  char digits[64];
  int n = 0;
  for (; number || n < digits_min; number /= radix) digits[sizeof digits - (size_t)++n] = "0123456789abcdef"[number % radix];
  if (n < width) tsr_text_pad(text, text->n, (size_t)(width - n));
  tsr_text_add_bytes(text, digits + sizeof digits - n, (size_t)n);
}

static inline void tsr_text_add_decimal(struct tsr_text *text, uint64_t number) {
  tsr_text_add_number(text, number, 10, 1, 0);
}

/* One write(2) where the kernel takes everything at once, as it does up to PIPE_BUF bytes. False: errno says why; part
 * may have been written. Changes errno. Usable in a signal handler. */
static inline bool tsr_write_all(int fd, const char *text, size_t bytes) {
  while (bytes > 0) {
    ssize_t written = write(fd, text, bytes);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text += written;
    bytes -= (size_t)written;
  }
  return true;
}

#endif
