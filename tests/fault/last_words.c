/* Units make puts and two barriers. Then the last one ends as the first argument says, while the others wait for it.
 *
 * segv, abort: by a fatal signal; null, wild: by a null pointer, by a pointer that cannot be an address; sent: by a
 * signal that it sends itself; handler: as segv, with the program's own handler, installed before the start, which ends
 * the process; dart_abort; kill: by SIGKILL, without any output.
 */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <dash/dart/if/dart.h>

enum { PUTS_N = 700 };

static void on_segv(int number) {
  static const char text[] = "the program's own handler runs\n";
  (void)number;
  if (write(STDERR_FILENO, text, sizeof text - 1) < 0) _exit(1);
  _exit(4);
}

static volatile int *volatile nowhere = (volatile int *)8;

static void end(const char *how) {
  if (strcmp(how, "null") == 0) nowhere = NULL;
  if (strcmp(how, "wild") == 0) nowhere = (volatile int *)((uintptr_t)0x12345678 << 32);
  if (strcmp(how, "null") == 0 || strcmp(how, "wild") == 0) *nowhere = 1;
  if (strcmp(how, "sent") == 0) raise(SIGSEGV);
  if (strcmp(how, "segv") == 0 || strcmp(how, "handler") == 0) *nowhere = 1;
  if (strcmp(how, "abort") == 0) abort();
  if (strcmp(how, "dart_abort") == 0) dart_abort(7);
  if (strcmp(how, "kill") == 0) raise(SIGKILL);
}

int main(int argc, char **argv) {
  if (argc < 2) return EXIT_FAILURE;
  if (strcmp(argv[1], "handler") == 0) signal(SIGSEGV, on_segv);
  if (dart_init(&argc, &argv) != DART_OK) return EXIT_FAILURE;
  dart_global_unit_t self;
  size_t n;
  long value = 3;
  dart_gptr_t to;
  dart_myid(&self);
  dart_size(&n);
  dart_team_memalloc_aligned(DART_TEAM_ALL, 1, DART_TYPE_LONG, &to);
  dart_gptr_setunit(&to, DART_TEAM_UNIT_ID((self.id + 1) % (int)n));
  for (int i = 0; i < PUTS_N; i++) dart_put_blocking(to, &value, 1, DART_TYPE_LONG, DART_TYPE_LONG);
  dart_barrier(DART_TEAM_ALL);
  dart_barrier(DART_TEAM_ALL); /* its end shows that all have left the first one; the others may still be in this one */
  if (self.id == (dart_unit_t)n - 1) end(argv[1]);
  dart_barrier(DART_TEAM_ALL);
  dart_exit();
  return EXIT_SUCCESS;
}
