#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "api/armci/armci_api.h"

/* The message of the program's next failed assertion. */
static _Thread_local char said[1024];

void derr_printf(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int n = vsnprintf(said, sizeof said, format, arguments);
  va_end(arguments);
  if (n < 0) said[0] = 0;
  said[strcspn(said, "\n")] = 0;
}

int dassertp_fail(const char *condition, const char *file, const char *function, unsigned int line, int code) {
  tsr_abort(code ? code : EXIT_FAILURE, "TSR-3014 %s:%u: %s: %s does not hold%s%s", file, line, function, condition,
            said[0] ? ": " : "", said);
}
