/* The state of another process, for tests that stop it or wait until it sleeps. */
#ifndef TESTS_PROCESS_STATE_H
#define TESTS_PROCESS_STATE_H

#include <stdio.h>
#include <string.h>
#include <sys/types.h>

/* The letter that /proc has for it: R, S, T (stopped), Z and so on; '?': there is none. */
static inline char process_state(pid_t pid) {
  char path[64], line[512] = "";
  snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
  FILE *file = fopen(path, "r");
  if (file && !fgets(line, sizeof line, file)) line[0] = 0;
  if (file) fclose(file);
  const char *end = strrchr(line, ')');
  return end ? end[2] : '?';
}

#endif
