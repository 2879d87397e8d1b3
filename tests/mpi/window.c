/* window ORDER [multiple]: a window over 2^ORDER bytes of sparse shared memory, which is what a heap is: whether it can be
 * made, whether that touches pages, and whether what is put there arrives. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

enum { PUT_BYTES = 1 << 20 };

static long resident_kib(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

static char *map(size_t bytes) {
  int fd = memfd_create("window", 0);
  if (fd < 0 || ftruncate(fd, (off_t)bytes)) exit(77);
  void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
  if (memory == MAP_FAILED) exit(77);
  return memory;
}

int main(int argc, char **argv) {
  int level, rank, ranks_n;
  MPI_Init_thread(&argc, &argv, argc > 2 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks_n);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  size_t bytes = (size_t)1 << atoi(argv[1]), off = bytes / 2;
  char *memory = map(bytes), *source = malloc(PUT_BYTES);
  long before = resident_kib();
  MPI_Win window;
  if (MPI_Win_create(memory, (MPI_Aint)bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window) != MPI_SUCCESS) {
    if (rank == 0) printf("MPI_Win_create fails\n");
    MPI_Finalize();
    return 0;
  }
  MPI_Win_lock_all(MPI_MODE_NOCHECK, window);
  if (rank == 0) printf("a window of 2^%s bytes is made; %s\n", argv[1],
                        resident_kib() - before > 1 << 16 ? "its pages are touched" : "no pages are touched");
  memset(source, rank + 1, PUT_BYTES);
  MPI_Put(source, PUT_BYTES, MPI_BYTE, (rank + 1) % ranks_n, (MPI_Aint)off, PUT_BYTES, MPI_BYTE, window);
  MPI_Win_flush((rank + 1) % ranks_n, window);
  MPI_Barrier(MPI_COMM_WORLD);
  int expected = (rank + ranks_n - 1) % ranks_n + 1;
  int right = memory[off] == expected && memory[off + PUT_BYTES - 1] == expected, all_right;
  MPI_Allreduce(&right, &all_right, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (rank == 0) printf("what was put there %s\n", all_right ? "arrived" : "did NOT arrive");
  MPI_Win_unlock_all(window);
  MPI_Win_free(&window);
  MPI_Finalize();
  return 0;
}
