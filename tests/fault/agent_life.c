/* Prints a line for each stage that a process reaches: the begin of the program, each start of the runtime, the exit
 * handlers, the end. There are two lives. With the argument "init" the program starts and ends MPI itself.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tessera.h>

static void say(const char *what) {
  char line[64];
  int length = snprintf(line, sizeof line, "comes by: %s\n", what);
  if (write(STDOUT_FILENO, line, (size_t)length) != length) abort();
}

static void at_exit(void) { say("atexit"); }
static void quick_exit_too(void) { say("at_quick_exit"); }
__attribute__((destructor)) static void destroy(void) { say("destructor"); }

int main(int argc, char **argv) {
  int own_mpi = argc > 1 && strcmp(argv[1], "init") == 0;
  say("begin");
  atexit(at_exit);
  at_quick_exit(quick_exit_too);
  if (own_mpi) MPI_Init(&argc, &argv);
  for (int life = 0; life < 2; life++) {
    if (tessera_init(&argc, &argv)) return EXIT_FAILURE;
    say("start");
    if (tessera_exit()) return EXIT_FAILURE;
  }
  if (own_mpi) MPI_Finalize();
  say("end");
  return EXIT_SUCCESS;
}
