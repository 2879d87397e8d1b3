/* The last unit makes another collective call than the others; or a wrong call of MPI. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <dash/dart/if/dart.h>

#include "coll/coll.h"
#include "core/check.h"
#include "core/place.h"
#include "core/sync.h"
#include "node/heap.h"

/* What a wrong call returns does not matter: a message ends the job, here or in another unit. */
static void ignore(tessera_status_t status) { (void)status; }

/* Large data in heaps is moved directly, by addresses that members publish. The addresses of an earlier call must not
 * be taken for those of this one. */
enum { LARGE_N = 1 << 17, REPEATS_N = 4 /* as many rounds as the sync area has copies */ };
static void large(const char *what, bool odd) {
  const tsr_reducer sum = tsr_reducer_make(TSR_I64, TSR_SUM);
  uint64_t off;
  if (tsr_heap_alloc(2 * LARGE_N * sizeof(int64_t), TSR_HEAP_INTERNAL, &off)) exit(EXIT_FAILURE);
  int64_t *data = memset(tsr_heap_at(tsr_heap.self, off), 0, 2 * LARGE_N * sizeof *data);
  for (int i = 0; i < REPEATS_N; i++) ignore(tsr_allreduce(tsr_team_world, data, data + LARGE_N, LARGE_N, &sum));
  if (!strcmp(what, "large-root")) {
    ignore(tsr_bcast(tsr_team_world, data, LARGE_N, TSR_MEMBER(odd)));
  } else if (!strcmp(what, "large-scatter")) {
    ignore(tsr_scatter(tsr_team_world, data, data + LARGE_N, LARGE_N, TSR_MEMBER(odd)));
  } else if (odd) {
    ignore(tsr_barrier(tsr_team_world));
  } else {
    ignore(tsr_allreduce(tsr_team_world, data, data + LARGE_N, LARGE_N, &sum));
  }
}

/* The root's private buffer lacks the part of the last unit, in a scatter or a gather. */
static void unmapped(bool scatters) {
  size_t part = 1 << 16, all = part * (size_t)tsr_place.units_n;
  bool is_root = tsr_place.self == 0;
  char *data = mmap(NULL, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED || mprotect(data + all - part, part, is_root ? PROT_NONE : PROT_READ | PROT_WRITE)) exit(EXIT_FAILURE);
  char *own = data + all - part;
  const tsr_member root = TSR_MEMBER(0);
  if (scatters) ignore(tsr_scatter(tsr_team_world, is_root ? data : NULL, is_root ? data : own, part, root));
  else ignore(tsr_gather(tsr_team_world, is_root ? data : own, is_root ? data : NULL, part, root));
}

/* If the sender's message is longer than the receiver's buffer, the receiver must not write beyond the buffer. */
enum { LONG_BYTES = 300000, GUARD_BYTES = 4096, GUARD = 0x5a };
static void guarded(size_t bytes) {
  static unsigned char data[LONG_BYTES + GUARD_BYTES];
  memset(data, GUARD, sizeof data);
  ignore(tsr_bcast(tsr_team_world, data, bytes, TSR_MEMBER(0)));
  for (size_t i = bytes; i < sizeof data; i++) {
    if (data[i] == GUARD) continue;
    printf("byte %zu behind the buffer was written\n", i - bytes);
    exit(EXIT_FAILURE);
  }
}

/* Two members whose counts have the same sum, and the same longest entry. */
enum { COUNT_MOST = 40000 };
static void gather_counts(size_t one, size_t other, bool odd) {
  static char mine[COUNT_MOST], all[2 * COUNT_MOST];
  const size_t counts[2][2] = {{one, other}, {other, one}}, offs[2][2] = {{0, one}, {0, other}};
  ignore(tsr_allgatherv(tsr_team_world, mine, all, counts[odd], offs[odd]));
}
static void short_counts(bool odd) { gather_counts(8, 16, odd); }

/* The digest that members compare has few bits. */
static uint16_t digest_of(size_t one, size_t other) {
  tsr_team team;
  tsr_sync_set_call(&team, TSR_CALL_ALLGATHERV, tsr_check_digest((size_t[]){one, other}, 2), -1, 0);
  return team.call_digest;
}

/* Counts of the same digest. */
static void other_counts(bool odd) {
  size_t one = COUNT_MOST / 2;
  while (digest_of(one, COUNT_MOST) != digest_of(COUNT_MOST, one)) one++;
  gather_counts(one, COUNT_MOST, odd);
}

/* One member takes the other for the one that passes data, when both know that direct copies are impossible. */
static void nothing_passed(bool odd) {
  static char mine[COUNT_MOST], all[COUNT_MOST];
  size_t bytes = COUNT_MOST / 2;
  while (digest_of(0, bytes) != digest_of(bytes, 0)) bytes++;
  const size_t counts[2][2] = {{0, bytes}, {bytes, 0}}, offs[2] = {0, 0};
  const tsr_unit units[2] = {TSR_UNIT(0), TSR_UNIT(1)};
  tsr_team *team = NULL;
  ignore(tsr_team_create(tsr_team_world, 2, units, &team)); /* a new one: its members have made no bounce buffer */
  for (int i = 0; i < 3; i++) ignore(tsr_allgatherv(team, mine, all, counts[odd && i == 2], offs));
}

int main(int argc, char **argv) {
  if (argc < 2 || tessera_init(&argc, &argv)) return EXIT_FAILURE;
  bool odd = tsr_place.self == tsr_place.units_n - 1;
  char data[64] = {0};
  ignore(tsr_bcast(tsr_team_world, data, 8, TSR_MEMBER(0))); /* all alike, so nothing is wrong */
  if (strcmp(argv[1], "root") == 0) ignore(tsr_bcast(tsr_team_world, data, 8, TSR_MEMBER(odd)));
  const tsr_member last = TSR_MEMBER(tsr_place.units_n - 1);
  if (strcmp(argv[1], "own-root") == 0) ignore(tsr_bcast(tsr_team_world, data, 8, odd ? last : TSR_MEMBER(0)));
  if (strcmp(argv[1], "size") == 0) ignore(tsr_bcast(tsr_team_world, data, odd ? 16 : 8, TSR_MEMBER(0)));
  if (strcmp(argv[1], "longer") == 0) guarded(odd ? 8 : 16);
  if (strcmp(argv[1], "algorithm") == 0) guarded(odd ? 100 : LONG_BYTES);
  if (strcmp(argv[1], "mpi") == 0) MPI_Send(data, 1, MPI_BYTE, tsr_place.units_n, 0, MPI_COMM_WORLD);
  tsr_reducer sum = tsr_reducer_make(TSR_I64, TSR_SUM), other = sum;
  if (strcmp(argv[1], "operation") == 0) other = tsr_reducer_make(TSR_I64, TSR_MAX);
  if (strcmp(argv[1], "type") == 0) other = tsr_reducer_make(TSR_F64, TSR_SUM);
  if (strcmp(argv[1], "both-leave") == 0) {
    if (odd) ignore(tsr_bcast(tsr_team_world, data, 8, last));
    else ignore(tsr_reduce(tsr_team_world, data, data + 8, 1, &sum, last));
  }
  if (strcmp(argv[1], "all-leave") == 0) {
    if (odd) ignore(tsr_gather(tsr_team_world, data, data, 8, TSR_MEMBER(0)));
    else ignore(tsr_reduce(tsr_team_world, data, data + 8, 1, &sum, last));
  }
  if (other.op != sum.op || other.type != sum.type) ignore(tsr_allreduce(tsr_team_world, data, data + 8, 1, odd ? &other : &sum));
  if (strcmp(argv[1], "call") == 0) {
    if (odd) ignore(tsr_barrier(tsr_team_world));
    else ignore(tsr_bcast(tsr_team_world, data, 8, TSR_MEMBER(0)));
  }
  if (strcmp(argv[1], "nothing") == 0 && dart_init(NULL, NULL) == DART_OK) {
    dart_bcast(data, odd ? 0 : 8, DART_TYPE_BYTE, (dart_team_unit_t){0}, DART_TEAM_ALL);
    dart_exit();
  }
  if (strcmp(argv[1], "dart") == 0 && dart_init(NULL, NULL) == DART_OK) {
    dart_allreduce(data, data + 32, odd ? 4 : 3, DART_TYPE_LONG, DART_OP_SUM, DART_TEAM_ALL);
    dart_exit();
  }
  for (size_t i = 48; strcmp(argv[1], "dart") != 0 && i < sizeof data; i++) {
    if (data[i]) return EXIT_FAILURE;
  }
  if (!strcmp(argv[1], "counts")) other_counts(odd);
  if (!strcmp(argv[1], "short-counts")) short_counts(odd);
  if (!strcmp(argv[1], "no-part")) nothing_passed(odd);
  if (!strncmp(argv[1], "unmapped", 8)) unmapped(!strcmp(argv[1], "unmapped-scatter"));
  if (!strncmp(argv[1], "large", 5)) large(argv[1], odd);
  tessera_exit();
  return EXIT_SUCCESS;
}
