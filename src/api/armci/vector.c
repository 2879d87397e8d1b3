#include <stdlib.h>

#include "base/bits.h"
#include "api/armci/move.h"
#include "api/armci/local.h"
#include "vis/listed.h"

/* The pieces of all descriptors: their offsets from the first piece, remote and local. */
struct pieces {
  size_t n, each; /* each: their size; 0: sizes differ, see `bytes` */
  ptrdiff_t *theirs, *ours;
  size_t *bytes;
  void *memory;  /* memory of long lists; NULL: they lie in a struct few */
};
enum { FEW = 32 };
struct few {
  ptrdiff_t theirs[FEW], ours[FEW];
  size_t bytes[FEW];
};

/* Totals of all descriptors; pieces without bytes do not count. */
struct sum {
  size_t pieces_n, bytes, each; /* each: the size of a piece; 0: sizes differ */
};

static int check_vector(const struct tsr_armci_call *call, const armci_giov_t giov[], int n, size_t elem_bytes,
                        struct sum *sum) {
  if (n < 0) return tsr_armci_fail(FAIL3, "TSR-3110 %s: the number of descriptors is %d; pass 0 or more", call->name, n);
  if (n > 0 && !giov) return tsr_armci_fail(FAIL2, "TSR-3111 %s: the descriptors are NULL; pass %d of them", call->name, n);
  *sum = (struct sum){0};
  for (int i = 0; i < n; i++) {
    const armci_giov_t *one = &giov[i];
    if (one->ptr_array_len < 0 || one->bytes < 0)
      return tsr_armci_fail(FAIL3, "TSR-3107 %s: descriptor %d has %d pieces of %d bytes; pass 0 or more", call->name, i,
                            one->ptr_array_len, one->bytes);
    const size_t pieces_n = (size_t)one->ptr_array_len, bytes = (size_t)one->bytes;
    if (bytes & (elem_bytes - 1))
      return tsr_armci_fail(FAIL, "TSR-3108 %s: descriptor %d has pieces of %d bytes, not a multiple of the element size %zu; "
                            "pass whole elements", call->name, i, one->bytes, elem_bytes);
    if (!pieces_n || !bytes) continue;
    if (!(one->src_ptr_array && one->dst_ptr_array))
      return tsr_armci_fail(FAIL2, "TSR-3109 %s: descriptor %d has a NULL array of pointers; pass both", call->name, i);
    if (!sum->pieces_n) sum->each = bytes;
    else if (sum->each != bytes) sum->each = 0;
    sum->pieces_n += pieces_n;
    sum->bytes += pieces_n * bytes;
  }
  return 0;
}

static bool make_room(struct pieces *pieces, struct few *few, const struct sum *sum) {
  const size_t n = sum->pieces_n;
  *pieces = (struct pieces){0, sum->each, few->theirs, few->ours, few->bytes, NULL};
  if (n <= FEW) return true;
  size_t bytes;
  pieces->memory = tsr_mul_size(n, (sum->each ? 2 : 3) * sizeof(size_t), &bytes) ? malloc(bytes) : NULL;
  pieces->theirs = pieces->memory;
  pieces->ours = pieces->theirs + n;
  pieces->bytes = (size_t *)(pieces->ours + n);
  return pieces->memory;
}

static void **theirs_of(const struct tsr_armci_call *call, const armci_giov_t *one) {
  return call->kind == TSR_ARMCI_GET ? one->src_ptr_array : one->dst_ptr_array;
}
static void **ours_of(const struct tsr_armci_call *call, const armci_giov_t *one) {
  return call->kind == TSR_ARMCI_GET ? one->dst_ptr_array : one->src_ptr_array;
}

/* Reports the first invalid piece. 0: there is none. */
__attribute__((cold)) static int check_each(const struct tsr_armci_call *call, const armci_giov_t *one) {
  for (int k = 0; k < one->ptr_array_len; k++) {
    const void *theirs = theirs_of(call, one)[k];
    tsr_addr unused;
    if (!tsr_armci_address(theirs, 0, one->bytes, call->proc, &unused))
      return tsr_armci_no_address(call->name, theirs, 0, one->bytes, call->proc);
    if (!ours_of(call, one)[k])
      return tsr_armci_fail(FAIL2, "TSR-3112 %s: the local pointer of piece %d is NULL; pass its address", call->name, k);
  }
  return 0;
}

/* Appends the pieces of one descriptor, as offsets from the two bases. Its loop only finds out whether any piece is
 * invalid; check_each then reports which one. */
static int list_pieces(const struct tsr_armci_call *call, const armci_giov_t *one, const char *their_base, const char *our_base,
                       struct pieces *pieces) {
  const size_t n = one->bytes > 0 ? (size_t)one->ptr_array_len : 0, bytes = (size_t)one->bytes;
  void *const *theirs = theirs_of(call, one), *const *ours = ours_of(call, one);
  ptrdiff_t *their_offs = pieces->theirs + pieces->n, *our_offs = pieces->ours + pieces->n;
  const uintptr_t heap = tsr_heap_base(TSR_UNIT(call->proc)), slice_bytes = tsr_heap_slice_bytes();
  uintptr_t furthest = 0;
  bool null = false;
  for (size_t k = 0; k < n; k++) {
    const uintptr_t at = (uintptr_t)theirs[k], off = at - heap;
    furthest = off > furthest ? off : furthest;
    null |= !ours[k];
    their_offs[k] = (ptrdiff_t)(at - (uintptr_t)their_base);
    our_offs[k] = (ptrdiff_t)((uintptr_t)ours[k] - (uintptr_t)our_base);
  }
  const bool outside = bytes > slice_bytes || furthest > slice_bytes - bytes;
  const bool suspect = (outside && call->proc != tsr_place.self) || null || tsr_config_check();
  int code = suspect && n ? check_each(call, one) : 0;
  if (code) return code;
  for (size_t k = 0; !pieces->each && k < n; k++) pieces->bytes[pieces->n + k] = bytes;
  pieces->n += n;
  return 0;
}

/* ---- Fast path: puts and gets within the node, directly from the program's lists. False: take the general path, which
 * repeats all of the call and reports errors ---- */

/* False: a pointer is outside the heap or NULL. */
static bool copy_local(const struct tsr_armci_call *call, const armci_giov_t *one, uintptr_t heap, uintptr_t shift,
                      size_t slice_bytes) {
  const bool gets = call->kind == TSR_ARMCI_GET;
  const size_t n = (size_t)one->ptr_array_len, bytes = (size_t)one->bytes;
  const tsr_bounds theirs = {heap, slice_bytes - bytes}, ours = {1, PTRDIFF_MAX};
  const tsr_blocks blocks = {{(const tsr_off *)one->dst_ptr_array, 1, 0}, {(const tsr_off *)one->src_ptr_array, 1, 0}, n, 1,
                             bytes};
  return tsr_listed_copy_inside(&blocks, (char *)(gets ? 0 : shift), gets ? &ours : &theirs, (const char *)(gets ? shift : 0),
                                gets ? &theirs : &ours) == n;
}

static bool vector_local(const struct tsr_armci_call *call, const armci_giov_t giov[], int n) {
  if (!tsr_armci_plain || call->kind == TSR_ARMCI_ACC || !tsr_armci_has(call->proc) || !giov) return false;
  const int32_t local = tsr_place_local(TSR_UNIT(call->proc));
  const uintptr_t heap = tsr_heap_base(TSR_UNIT(call->proc));
  const size_t slice_bytes = tsr_heap_slice_bytes();
  bool good = n > 0 && local >= 0;
  for (const armci_giov_t *one = giov; good && one < giov + n; one++)
    good = one->ptr_array_len > 0 && one->bytes > 0 && (size_t)one->bytes <= slice_bytes && one->src_ptr_array &&
           one->dst_ptr_array;
  if (!good || (!call->waits && !tsr_armci_handle_use_local(call->handle, call->proc))) return false;
  const uintptr_t shift = (uintptr_t)tsr_heap_at((uint32_t)local, 0) - heap;
  for (int i = 0; i < n && good; i++) good = copy_local(call, &giov[i], heap, shift, slice_bytes);
  if (!good) return false;
  if (call->waits) atomic_thread_fence(memory_order_release); /* as in run_blocking of move.c */
  tsr_progress_throttled();
  return true;
}

/* ---- General path ---- */

static int move_vector(const struct tsr_armci_call *call, const armci_giov_t giov[], int n) {
  if (TSR_ARMCI_LIKELY(vector_local(call, giov, n))) return 0;
  size_t elem_bytes;
  struct sum sum = {0};
  int code = tsr_armci_begin(call, &elem_bytes);
  if (!code) code = check_vector(call, giov, n, elem_bytes, &sum);
  if (code || !sum.pieces_n) return code;
  struct few few;
  struct pieces pieces;
  if (!make_room(&pieces, &few, &sum))
    return tsr_armci_fail(FAIL8, "TSR-3113 %s: no private memory for %zu pieces; pass fewer at a time", call->name,
                          sum.pieces_n);
  const armci_giov_t *first = giov;
  while (!first->bytes || !first->ptr_array_len) first++;
  char *their_base = theirs_of(call, first)[0], *our_base = ours_of(call, first)[0];
  for (int i = 0; i < n && !code; i++) code = list_pieces(call, &giov[i], their_base, our_base, &pieces);
  if (!code) {
    const size_t *bytes = sum.each ? NULL : pieces.bytes;
    tsr_iov theirs = {.offs = pieces.theirs, .bytes = bytes, .each = sum.each, .n = pieces.n, .times = 1};
    tsr_iov ours = {.offs = pieces.ours, .bytes = bytes, .each = sum.each, .n = pieces.n, .times = 1};
    struct tsr_armci_move move = {.local_addr = our_base, .bytes = sum.bytes, .their_iov = &theirs, .our_iov = &ours};
    /* The caller's own pieces may lie outside its heap. Pieces of other processes were checked to lie in theirs. */
    if (call->proc == tsr_place.self) move.remote_addr = tsr_addr_outside(TSR_UNIT(call->proc), their_base);
    else tsr_armci_translate(their_base, 0, 0, call->proc, &move.remote_addr);
    code = tsr_armci_run(call, &move);
  }
  free(pieces.memory);
  return code;
}

int PARMCI_PutV(armci_giov_t giov[], int n, int proc) {
  return move_vector(&(struct tsr_armci_call){"ARMCI_PutV", TSR_ARMCI_PUT, proc, .waits = true}, giov, n);
}

int PARMCI_GetV(armci_giov_t giov[], int n, int proc) {
  return move_vector(&(struct tsr_armci_call){"ARMCI_GetV", TSR_ARMCI_GET, proc, .waits = true}, giov, n);
}

int PARMCI_AccV(int type, void *scale, armci_giov_t giov[], int n, int proc) {
  struct tsr_armci_call call = {"ARMCI_AccV", TSR_ARMCI_ACC, proc, .waits = true, .type = type, .scale = scale};
  return move_vector(&call, giov, n);
}

int PARMCI_NbPutV(armci_giov_t giov[], int n, int proc, armci_hdl_t *handle) {
  return move_vector(&(struct tsr_armci_call){"ARMCI_NbPutV", TSR_ARMCI_PUT, proc, .handle = handle}, giov, n);
}

int PARMCI_NbGetV(armci_giov_t giov[], int n, int proc, armci_hdl_t *handle) {
  return move_vector(&(struct tsr_armci_call){"ARMCI_NbGetV", TSR_ARMCI_GET, proc, .handle = handle}, giov, n);
}

int PARMCI_NbAccV(int type, void *scale, armci_giov_t giov[], int n, int proc, armci_hdl_t *handle) {
  struct tsr_armci_call call = {"ARMCI_NbAccV", TSR_ARMCI_ACC, proc, .handle = handle, .type = type, .scale = scale};
  return move_vector(&call, giov, n);
}

TSR_ARMCI_NAME(PutV);
TSR_ARMCI_NAME(GetV);
TSR_ARMCI_NAME(AccV);
TSR_ARMCI_NAME(NbPutV);
TSR_ARMCI_NAME(NbGetV);
TSR_ARMCI_NAME(NbAccV);
