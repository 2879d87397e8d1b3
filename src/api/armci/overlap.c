/* TESSERA_CHECK=1: reports puts and gets that write a byte twice: their result is undefined. */
#include "api/armci/move.h"

#include <stdlib.h>

enum { PIECES_MAX = 1 << 22 }; /* longer lists are not checked */

struct piece {
  ptrdiff_t off;
  size_t bytes;
};

static int by_place(const void *a, const void *b) {
  const struct piece *left = a, *right = b;
  return (left->off > right->off) - (left->off < right->off);
}

static int find_overlap(const char *call, struct piece *pieces, size_t n) {
  qsort(pieces, n, sizeof *pieces, by_place);
  for (size_t i = 1; i < n; i++) {
    if (pieces[i - 1].off + (ptrdiff_t)pieces[i - 1].bytes <= pieces[i].off) continue;
    return tsr_armci_fail(FAIL, "TSR-3090 %s: pieces of the destination overlap: %zu bytes at %td and %zu at %td from the "
                          "first piece; write each byte once, or accumulate", call, pieces[i - 1].bytes, pieces[i - 1].off,
                          pieces[i].bytes, pieces[i].off);
  }
  return 0;
}

static int find_in_iov(const char *call, const tsr_iov *iov) {
  struct piece *pieces = iov->n <= PIECES_MAX ? malloc(iov->n * sizeof *pieces) : NULL;
  if (!pieces) return 0;
  for (size_t i = 0; i < iov->n; i++)
    pieces[i] = (struct piece){tsr_iov_off_of(iov, i) - tsr_iov_off_of(iov, 0), tsr_iov_bytes_of(iov, i)};
  int code = find_overlap(call, pieces, iov->n);
  free(pieces);
  return code;
}

/* True: nothing overlaps, since each stride, in ascending order, is at least the extent of the dimensions with smaller
 * strides. */
static bool is_nested(const tsr_layout *layout) {
  size_t reach = layout->elem_bytes;
  bool taken[TSR_LAYOUT_DIMS] = {false};
  for (int round = 0; round < layout->dims; round++) {
    int next = -1;
    for (int d = 0; d < layout->dims; d++)
      if (!taken[d] && (next < 0 || labs(layout->stride[d]) < labs(layout->stride[next]))) next = d;
    taken[next] = true;
    size_t stride = (size_t)labs(layout->stride[next]);
    if (layout->count[next] > 1 && stride < reach) return false;
    reach += (layout->count[next] - 1) * stride;
  }
  return true;
}

static int find_in_layout(const char *call, const tsr_layout *layout) {
  if (is_nested(layout)) return 0;
  size_t pieces_n = tsr_layout_bytes(layout) / layout->elem_bytes, n = 1;
  struct piece *pieces = pieces_n <= PIECES_MAX ? malloc(pieces_n * sizeof *pieces) : NULL;
  if (!pieces) return 0;
  pieces[0] = (struct piece){0, layout->elem_bytes};
  for (int d = 0; d < layout->dims; n *= layout->count[d++]) /* repeats the n pieces of the dimensions before */
    for (size_t i = n; i < n * layout->count[d]; i++)
      pieces[i] = (struct piece){pieces[i - n].off + layout->stride[d], pieces[i - n].bytes};
  int code = find_overlap(call, pieces, n);
  free(pieces);
  return code;
}

int tsr_armci_check_overlap(const struct tsr_armci_call *call, const struct tsr_armci_move *move) {
  bool puts = call->kind == TSR_ARMCI_PUT;
  if (call->kind == TSR_ARMCI_ACC) return 0;
  if (move->their_iov) return find_in_iov(call->name, puts ? move->their_iov : move->our_iov);
  return move->their_layout ? find_in_layout(call->name, puts ? move->their_layout : move->our_layout) : 0;
}
