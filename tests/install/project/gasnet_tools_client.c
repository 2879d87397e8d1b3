/* A program of GASNet's tools alone. */
#include <gasnet_tools.h>

#include <stdio.h>

int main(void) {
  const char *mode = _STRINGIFY(GASNETT_THREAD_MODEL);
  printf("tools %s %d\n", mode, gasnett_cpu_count() > 0);
  return 0;
}
