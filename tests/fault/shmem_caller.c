/* Wrong calls; the argument selects one, which first prints its line. The line below its error has to name it. */
#include <shmem.h>
#include <tessera/mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long word;

#define AT_THIS_LINE (printf("line %d\n", __LINE__), fflush(stdout))

static int compare(const void *a, const void *b) {
  AT_THIS_LINE, tessera_comm(NULL);
  return *(const int *)a - *(const int *)b;
}

__attribute__((noinline)) static void ordinary_call(void) { AT_THIS_LINE, tessera_comm(NULL); }
static void function_of_header(int last) { AT_THIS_LINE, shmem_long_p(&word, 1, last + 1); }
static void callback_of_libc(void) { qsort((int[]){1, 0}, 2, sizeof(int), compare); }

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  shmem_init();
  if (strcmp(what, "ordinary") == 0) ordinary_call();
  if (strcmp(what, "header") == 0) function_of_header(shmem_n_pes() - 1);
  if (strcmp(what, "callback") == 0) callback_of_libc();
  shmem_finalize();
  return EXIT_SUCCESS;
}
