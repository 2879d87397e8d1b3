#include <stdlib.h>

#include "base/bits.h"
#include "faces/armci/move.h"
#include "faces/armci/overlap.h"

/* The pieces of all descriptors as two lists: offsets of the pieces of each side from one of them. */
struct pieces {
  size_t n;
  ptrdiff_t *theirs, *ours;
  size_t *bytes;
  void *memory; /* what the lists lie in, when they are long */
};
enum { FEW = 32 };
struct few {
  ptrdiff_t theirs[FEW], ours[FEW];
  size_t bytes[FEW];
};

static int check_one(const char *name, const armci_giov_t *one, int i, size_t elem_bytes) {
  if (one->ptr_array_len < 0 || one->bytes < 0)
    return tsr_armci_fail(FAIL3, "%s: descriptor %d has %d pieces of %d bytes; pass numbers from 0 on", name, i,
                          one->ptr_array_len, one->bytes);
  if ((size_t)one->bytes & (elem_bytes - 1))
    return tsr_armci_fail(FAIL, "%s: descriptor %d has pieces of %d bytes, no whole number of elements of %zu bytes", name, i,
                          one->bytes, elem_bytes);
  if (one->ptr_array_len > 0 && one->bytes > 0 && !(one->src_ptr_array && one->dst_ptr_array))
    return tsr_armci_fail(FAIL2, "%s: descriptor %d has no array of pointers", name, i);
  return 0;
}

/* Counts pieces and bytes; those without bytes do not count. */
static int check(const struct tsr_armci_call *call, const armci_giov_t giov[], int n, size_t elem_bytes, size_t *pieces_n,
                 size_t *bytes) {
  if (n < 0) return tsr_armci_fail(FAIL3, "%s: %d descriptors; pass a number from 0 on", call->name, n);
  if (n > 0 && !giov) return tsr_armci_fail(FAIL2, "%s: the descriptors are NULL; pass %d of them", call->name, n);
  *pieces_n = *bytes = 0;
  for (int i = 0; i < n; i++) {
    int code = check_one(call->name, &giov[i], i, elem_bytes);
    if (code) return code;
    if (giov[i].bytes == 0) continue;
    *pieces_n += (size_t)giov[i].ptr_array_len;
    *bytes += (size_t)giov[i].ptr_array_len * (size_t)giov[i].bytes;
  }
  return 0;
}

static bool make_room(struct pieces *pieces, struct few *few, size_t n) {
  *pieces = (struct pieces){0, few->theirs, few->ours, few->bytes, NULL};
  if (n <= FEW) return true;
  size_t bytes;
  pieces->memory = tsr_mul_size(n, 3 * sizeof(size_t), &bytes) ? malloc(bytes) : NULL;
  pieces->theirs = pieces->memory;
  pieces->ours = pieces->theirs + n;
  pieces->bytes = (size_t *)(pieces->ours + n);
  return pieces->memory;
}

/* Pieces of one descriptor, from two pointers on. */
static int list(const struct tsr_armci_call *call, const armci_giov_t *one, const char *their_base, const char *our_base,
                size_t align, struct pieces *pieces) {
  for (int k = 0; one->bytes > 0 && k < one->ptr_array_len; k++) {
    const char *theirs = tsr_armci_theirs(call, one->src_ptr_array[k], one->dst_ptr_array[k]);
    const char *ours = tsr_armci_ours(call, one->src_ptr_array[k], one->dst_ptr_array[k]);
    tsr_addr unused;
    if (!tsr_armci_address(theirs, 0, one->bytes, call->proc, &unused))
      return tsr_armci_no_address(call->name, theirs, 0, one->bytes, call->proc);
    if ((uintptr_t)theirs & (align - 1)) return tsr_armci_not_aligned(call->name, theirs, align);
    if (!ours) return tsr_armci_fail(FAIL2, "%s: the local pointer of piece %d is NULL", call->name, k);
    pieces->theirs[pieces->n] = (ptrdiff_t)((uintptr_t)theirs - (uintptr_t)their_base);
    pieces->ours[pieces->n] = (ptrdiff_t)((uintptr_t)ours - (uintptr_t)our_base);
    pieces->bytes[pieces->n++] = (size_t)one->bytes;
  }
  return 0;
}

static int run(const struct tsr_armci_call *call, const struct pieces *pieces, struct tsr_armci_move *move) {
  tsr_runs theirs = {.offs = pieces->theirs, .bytes = pieces->bytes, .n = pieces->n, .times = 1};
  tsr_runs ours = {.offs = pieces->ours, .bytes = pieces->bytes, .n = pieces->n, .times = 1};
  move->their_runs = &theirs;
  move->our_runs = &ours;
  int code = tsr_armci_check_overlap(call, move);
  return code ? code : tsr_armci_run(call, move);
}

/* Of the caller itself pieces may lie anywhere, and are named as such; others' all lie in their heap. */
static tsr_addr base_of(const struct tsr_armci_call *call, const void *pointer) {
  tsr_addr address;
  if (call->proc == tsr_place.self) return tsr_addr_outside(TSR_UNIT(call->proc), pointer);
  tsr_armci_translate(pointer, 0, 0, call->proc, &address);
  return address;
}

static int vector(const struct tsr_armci_call *call, const armci_giov_t giov[], int n) {
  size_t elem_bytes, align, pieces_n = 0, bytes = 0;
  int code = tsr_armci_begin(call, &elem_bytes, &align);
  if (!code) code = check(call, giov, n, elem_bytes, &pieces_n, &bytes);
  if (code || !pieces_n) return code;
  struct few few;
  struct pieces pieces;
  if (!make_room(&pieces, &few, pieces_n))
    return tsr_armci_fail(FAIL8, "%s: no private memory for %zu pieces; pass fewer at a time", call->name, pieces_n);
  const armci_giov_t *first = giov;
  while (!first->bytes || !first->ptr_array_len) first++;
  char *their_base = tsr_armci_theirs(call, first->src_ptr_array[0], first->dst_ptr_array[0]);
  char *our_base = tsr_armci_ours(call, first->src_ptr_array[0], first->dst_ptr_array[0]);
  for (int i = 0; i < n && !code; i++) code = list(call, &giov[i], their_base, our_base, align, &pieces);
  if (!code) {
    struct tsr_armci_move move = {.there = base_of(call, their_base), .here = our_base, .bytes = bytes};
    code = run(call, &pieces, &move);
  }
  free(pieces.memory);
  return code;
}

int PARMCI_PutV(armci_giov_t giov[], int n, int proc) {
  return vector(&(struct tsr_armci_call){"ARMCI_PutV", TSR_ARMCI_PUT, proc, .waits = true}, giov, n);
}

int PARMCI_GetV(armci_giov_t giov[], int n, int proc) {
  return vector(&(struct tsr_armci_call){"ARMCI_GetV", TSR_ARMCI_GET, proc, .waits = true}, giov, n);
}

int PARMCI_AccV(int type, void *scale, armci_giov_t giov[], int n, int proc) {
  struct tsr_armci_call call = {"ARMCI_AccV", TSR_ARMCI_ACC, proc, .waits = true, .type = type, .scale = scale};
  return vector(&call, giov, n);
}

int PARMCI_NbPutV(armci_giov_t giov[], int n, int proc, armci_hdl_t *handle) {
  return vector(&(struct tsr_armci_call){"ARMCI_NbPutV", TSR_ARMCI_PUT, proc, .handle = handle}, giov, n);
}

int PARMCI_NbGetV(armci_giov_t giov[], int n, int proc, armci_hdl_t *handle) {
  return vector(&(struct tsr_armci_call){"ARMCI_NbGetV", TSR_ARMCI_GET, proc, .handle = handle}, giov, n);
}

int PARMCI_NbAccV(int type, void *scale, armci_giov_t giov[], int n, int proc, armci_hdl_t *handle) {
  struct tsr_armci_call call = {"ARMCI_NbAccV", TSR_ARMCI_ACC, proc, .handle = handle, .type = type, .scale = scale};
  return vector(&call, giov, n);
}

TSR_ARMCI_NAME(PutV);
TSR_ARMCI_NAME(GetV);
TSR_ARMCI_NAME(AccV);
TSR_ARMCI_NAME(NbPutV);
TSR_ARMCI_NAME(NbGetV);
TSR_ARMCI_NAME(NbAccV);
