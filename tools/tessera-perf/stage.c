#include "stage.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <tessera.h>

enum { DATA_OFFSET = 2 << 20, CORE_WORDS_N = 16 };
_Static_assert(sizeof(struct stage_memory) <= DATA_OFFSET, "the lines lie before the data");

static struct stage stage;

/* Data of unit 0 for all units; each word is sent by perf's share. */
struct invitation { uint64_t pid, fd, node, nonce; };

static struct stage_memory *map(int fd) {
  void *memory = mmap(NULL, DATA_OFFSET + stage.data_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

/* Returns the descriptor, which stays open until all units have mapped the memory. */
static int create(struct invitation *inv) {
  int fd = memfd_create("tessera-perf", MFD_CLOEXEC);
  if (fd < 0) return -1;
  if (!ftruncate(fd, (off_t)(DATA_OFFSET + stage.data_bytes))) stage.memory = map(fd);
  if (stage.memory) {
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    inv->nonce = (uint64_t)t.tv_nsec << 32 ^ (uint64_t)t.tv_sec ^ inv->pid << 16;
    atomic_store(&stage.memory->nonce, inv->nonce);
  }
  return fd;
}

/* Compares the node first: on another host the path would name a descriptor of another process. */
static void join(const struct invitation *inv) {
  char path[64];
  if (!inv->nonce || inv->node != (uint64_t)tessera_node()) return;
  snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)inv->pid, (int)inv->fd);
  int fd = open(path, O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  if (fd < 0) return;
  stage.memory = map(fd);
  close(fd);
  if (!stage.memory || atomic_load(&stage.memory->nonce) == inv->nonce) return;
  munmap(stage.memory, DATA_OFFSET + stage.data_bytes);
  stage.memory = NULL;
}

static void add_cores(void) {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set)) return;
  for (int core = 0; core < CORE_WORDS_N * 64 && core < CPU_SETSIZE; core++)
    if (CPU_ISSET(core, &set)) atomic_fetch_or(&stage.memory->cores[core / 64], UINT64_C(1) << core % 64);
}

static int count_cores(void) {
  int n = 0;
  for (int i = 0; i < CORE_WORDS_N; i++) n += __builtin_popcountll(atomic_load(&stage.memory->cores[i]));
  return n;
}

/* Unit 0 counts the units that have mapped the stage, by one byte of the data for each unit. It shares whether the
 * target and whether all units are among them. */
static void take_attendance(const struct perf *p) {
  _Atomic unsigned char *in = stage.memory ? (_Atomic unsigned char *)stage.data : NULL;
  uint64_t answer = 0;
  if (in) atomic_store(&in[p->unit], 1);
  p->barrier();
  if (in && p->unit == 0) {
    int in_n = 0;
    for (int u = 0; u < p->units; u++) in_n += atomic_load(&in[u]);
    answer = (uint64_t)(atomic_load(&in[p->target]) != 0) | (uint64_t)(in_n == p->units) << 1;
  }
  p->share(&answer);
  stage.has_target = answer & 1;
  stage.has_all = answer >> 1 & 1;
  stage.cores_n = stage.has_all ? count_cores() : 0;
}

/* Room for doubles with gaps, up to the largest default size of vis.*. */
enum { APART_BYTES = 8 << 20 };

static size_t longest(const struct perf *p) {
  size_t bytes = (size_t)p->units > APART_BYTES ? (size_t)p->units : APART_BYTES; /* room for the attendance */
  for (int i = 0; i < p->bytes_n; i++) bytes = p->bytes[i] > bytes ? p->bytes[i] : bytes;
  return (bytes + 4095) & ~(size_t)4095;
}

const struct stage *stage_open(const struct perf *p) {
  struct invitation inv = {.pid = (uint64_t)getpid(), .node = (uint64_t)tessera_node()};
  stage.data_bytes = longest(p);
  int fd = p->unit == 0 ? create(&inv) : -1;
  inv.fd = (uint64_t)fd;
  uint64_t *words[] = {&inv.pid, &inv.fd, &inv.node, &inv.nonce};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) p->share(words[i]);
  if (p->unit != 0) join(&inv);
  if (stage.memory) {
    stage.data = (char *)stage.memory + DATA_OFFSET;
    if (p->unit == p->target) memset(stage.data, 0, stage.data_bytes); /* its pages lie near the target */
    add_cores();
  }
  p->barrier();
  take_attendance(p);
  if (fd >= 0) close(fd);
  return &stage;
}
