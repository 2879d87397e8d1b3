/* Runs into a limit of the operating system, which the first argument names; the second is its number.
 *
 * memfd ERRNO: memfd_create fails with it, as under a container's filter; files N: at most N open files; size N: files
 * of at most N MiB; space N: N MiB of address space besides that of MPI, in which a block does not fit; memory: a block
 * that is larger than the machine's memory.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <mpi.h>
#include <tessera.h>

#include "core/segment.h"
#include "node/topology.h"

static int refuse_memfd(int error) {
  struct sock_filter steps[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_memfd_create, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (uint32_t)error),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {sizeof steps / sizeof *steps, steps};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static int limit(int which, size_t most) {
  struct rlimit set;
  getrlimit(which, &set);
  set.rlim_cur = most;
  return setrlimit(which, &set);
}

/* Address space that the process uses. */
static size_t taken_bytes(void) {
  size_t pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file || fscanf(file, "%zu", &pages) != 1) exit(EXIT_FAILURE);
  fclose(file);
  return pages * (size_t)sysconf(_SC_PAGESIZE);
}

static int meet(const char *what, size_t n) {
  if (strcmp(what, "memfd") == 0) return refuse_memfd((int)n);
  if (strcmp(what, "files") == 0) return limit(RLIMIT_NOFILE, n);
  if (strcmp(what, "size") == 0) return limit(RLIMIT_FSIZE, n << 20);
  if (strcmp(what, "space") == 0) return limit(RLIMIT_AS, taken_bytes() + (n << 20));
  return 0;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const char *what = argc > 1 ? argv[1] : "";
  size_t n = argc > 2 ? (size_t)atol(argv[2]) : 0;
  uint64_t off;
  if (meet(what, n)) return 77;
  tessera_status_t status = tessera_init(&argc, &argv);
  if (!status) {
    size_t bytes = strcmp(what, "memory") == 0 ? 2 * tsr_topology_memory_total() : n << 20;
    if (tsr_segment_local_alloc(TSR_API_NATIVE, bytes, &off) != TESSERA_ERR_MEMORY) return EXIT_FAILURE;
    tessera_exit();
  } else {
    printf("%s\n", tessera_status_name(status));
  }
  MPI_Finalize();
  return EXIT_SUCCESS;
}
