/* The address sanitizer reports accesses to memory that is not allocated: without this, its other tests would show
 * nothing. A child process makes such an access, and must die of it. Skipped in other builds. */
#include "dart_check.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/poison.h"

/* Whether a process that reads this byte survives. */
static bool may_read(const volatile char *byte) {
  pid_t child = fork();
  if (child < 0) abort();
  if (child == 0) {
    int null = open("/dev/null", O_WRONLY);
    dup2(null, STDERR_FILENO);
    (void)*byte;
    _exit(EXIT_SUCCESS);
  }
  int status = -1;
  if (waitpid(child, &status, 0) != child) abort();
  return WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS;
}

enum { BYTES = 1000 };

static void check_local(void) {
  dart_gptr_t gptr;
  void *address = NULL;
  OK(dart_memalloc(BYTES, DART_TYPE_BYTE, &gptr));
  OK(dart_gptr_getaddr(gptr, &address));
  char *byte = address;
  CHECK(may_read(byte));
  CHECK(may_read(byte + BYTES - 1));
  CHECK(!may_read(byte + BYTES));
  OK(dart_memfree(gptr));
  CHECK(!may_read(byte));
  CHECK(!may_read(byte + BYTES - 1));
}

static void check_segment(void) {
  dart_gptr_t gptr = team_alloc(DART_TEAM_ALL, BYTES, DART_TYPE_BYTE);
  char *byte = own_part(gptr, self);
  CHECK(may_read(byte));
  CHECK(!may_read(byte + BYTES));
  OK(dart_team_memfree(gptr));
  CHECK(!may_read(byte));
}

int main(int argc, char **argv) {
  if (!TSR_ASAN) return check_skip();
  start(&argc, &argv);
  check_local();
  check_segment();
  return finish();
}
