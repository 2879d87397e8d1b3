/* Transfers of Global Arrays, to compare with the bare messages of wire_mpi.c. The process that owns the data waits in GA_Sync
 * and takes no part in the transfers; what serves them is up to the ARMCI below.
 *
 * Options (wire.c): --works of get,stream,puts; --bytes of one transfer, a list; --repeat; --samples. At least 2 processes. */
#include "wire.h"

#include <mpi.h>

#include <ga.h>
#include <macdecls.h>

#include "../../peers/mpi/end_ga.h"

static int array, part_first; /* the element with which the target's part begins */

/* Every process has a part, although only that of the target is used: an equal distribution is what Global Arrays makes itself.
 */
char *wire_open(const struct wire *w, size_t bytes) {
  int length = (int)(bytes / WIRE_WORD), elements = length * w->processes, last, ld;
  char *part = NULL;
  if (bytes / WIRE_WORD * (size_t)w->processes > INT32_MAX)
    GA_Error("wire: too many bytes for an array; pass smaller --bytes", 1);
  array = NGA_Create(C_DBL, 1, &elements, "wire", &length);
  if (!array) GA_Error("wire: no memory for an array; pass smaller --bytes", length);
  NGA_Distribution(array, w->target, &part_first, &last);
  if (last - part_first + 1 < length) GA_Error("wire: the array is not distributed equally", last - part_first + 1);
  if (w->me == w->target) NGA_Access(array, &part_first, &last, &part, &ld);
  GA_Sync();
  return part;
}

void wire_close(void) { GA_Destroy(array); }

void wire_own_begin(void) { GA_Sync(); }
void wire_own_end(void) { GA_Sync(); }

/* The elements of place i of the target's part. */
static void place(const struct wire *w, int i, int *lo, int *hi) {
  const int length = (int)(w->bytes / WIRE_WORD);
  *lo = part_first + i * length;
  *hi = *lo + length - 1;
}

void wire_get(const struct wire *w) {
  int lo, hi, ld = 1;
  if (w->me != 0) return;
  place(w, 0, &lo, &hi);
  for (long n = 0; n < w->count; n++) NGA_Get(array, &lo, &hi, w->local, &ld);
}

void wire_stream(const struct wire *w) {
  int lo, hi, ld = 1;
  ga_nbhdl_t handles[WIRE_STREAM_N];
  if (w->me != 0) return;
  place(w, 0, &lo, &hi);
  for (long n = 0; n < w->count; n++) {
    for (int i = 0; i < WIRE_STREAM_N; i++) NGA_NbGet(array, &lo, &hi, w->local + (size_t)i * w->bytes, &ld, &handles[i]);
    for (int i = 0; i < WIRE_STREAM_N; i++) NGA_NbWait(&handles[i]);
  }
}

void wire_puts(const struct wire *w) {
  int lo, hi, ld = 1;
  if (w->me != 0) return;
  for (long n = 0; n < w->count; n++) {
    GA_Init_fence();
    for (int i = 0; i < WIRE_PUTS_N; i++) {
      place(w, i, &lo, &hi);
      NGA_Put(array, &lo, &hi, w->local + (size_t)i * w->bytes, &ld);
    }
    GA_Fence();
  }
}

void wire_sync(void) { GA_Sync(); }

long wire_sum(long value) {
  GA_Lgop(&value, 1, "+");
  return value;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  GA_Initialize();
  if (!MA_init(C_DBL, 10000, 10000)) GA_Error("wire: no memory for MA", 1);
  const int code = wire_run("wire_ga", GA_Nodeid(), GA_Nnodes(), argc, argv);
  end_ga();
  return code;
}
