#include "net/mpi/faults.h"

#include <stdio.h>
#include <string.h>

/* Stores the first word behind `key`, up to the end of the line. False: the text has no such key. */
static bool find_field(const char *text, const char *key, char field[32]) {
  const char *found = strstr(text, key);
  return found && sscanf(found + strlen(key), " %31s", field) == 1;
}

bool tsr_mpi_finalize_may_hang(const char *version) {
  enum { FIXED_MAJOR = 4, FIXED_MINOR = 2 };
  char number[32], device[32];
  int major, minor;
  if (!find_field(version, "MPICH Version:", number) || !find_field(version, "MPICH Device:", device)) return false;
  if (strcmp(device, "ch4:ucx") != 0 || sscanf(number, "%d.%d", &major, &minor) != 2) return false;
  return major < FIXED_MAJOR || (major == FIXED_MAJOR && minor < FIXED_MINOR);
}
