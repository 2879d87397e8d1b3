/* Runs: bytes that lie anywhere, as a list, and the engine that moves them. What has a regular shape is better off as a
 * layout. Pure computation on memory of this process: knows nothing of units. Any thread; nothing here waits, allocates
 * or fails.
 */
#ifndef TSR_VIS_IOV_H
#define TSR_VIS_IOV_H

#include <stddef.h>

/* `n` runs of bytes at offsets from a base, in the order in which their bytes count; the whole list `times` times over,
 * each `step` bytes behind the one before. Runs of 0 bytes are allowed. The lists are the caller's. */
typedef struct tsr_iov {
  const ptrdiff_t *offs; /* NULL: the one run begins at the base (n is 1) */
  const size_t *bytes;   /* of each run; NULL: every one has `each` */
  size_t each;
  size_t n, times;
  ptrdiff_t step;
} tsr_iov;

static inline void tsr_iov_set_contiguous(tsr_iov *iov, size_t bytes) {
  iov->offs = NULL;
  iov->bytes = NULL;
  iov->each = bytes;
  iov->n = iov->times = 1;
  iov->step = 0;
}
static inline tsr_iov tsr_iov_contiguous(size_t bytes) {
  tsr_iov iov;
  tsr_iov_set_contiguous(&iov, bytes);
  return iov;
}
static inline size_t tsr_iov_bytes_of(const tsr_iov *iov, size_t i) {
  return iov->bytes ? iov->bytes[i] : iov->each;
}
static inline ptrdiff_t tsr_iov_off_of(const tsr_iov *iov, size_t i) { return iov->offs ? iov->offs[i] : 0; }

/* Bytes of all runs; SIZE_MAX when they are more than a size_t holds. */
size_t tsr_iov_bytes(const tsr_iov *iov);
/* The bytes touched, relative to the base: [*low, *high); both 0 when there are none. Runs that reach further than a
 * ptrdiff_t give [PTRDIFF_MIN, PTRDIFF_MAX), which no range check admits. */
void tsr_iov_extent(const tsr_iov *iov, ptrdiff_t *low, ptrdiff_t *high);

/* What follows takes runs of real memory: neither of the two overflows. */

/* A place in the byte stream of a list: `left_bytes` lie at `off` from the base; 0 at the end. Runs that follow one
 * another in memory are one. Copies of a cursor are cursors of their own; the list stays where it is. */
typedef struct tsr_iov_cursor {
  ptrdiff_t off;
  size_t left_bytes;
  /* private: what comes after, and where the list is read on */
  ptrdiff_t next_off;
  size_t next_bytes;
  const tsr_iov *iov;
  size_t index, time;
} tsr_iov_cursor;
tsr_iov_cursor tsr_iov_begin(const tsr_iov *iov);
/* Passes `bytes` <= left_bytes. */
void tsr_iov_next(tsr_iov_cursor *cursor);
static inline void tsr_iov_pass(tsr_iov_cursor *cursor, size_t bytes) {
  cursor->off += (ptrdiff_t)bytes;
  cursor->left_bytes -= bytes;
  if (cursor->left_bytes == 0) tsr_iov_next(cursor);
}

/* Copies byte k of one list to byte k of the other; both have the same number of bytes. Runs of the destination overlap
 * neither each other nor the source; those of the source may overlap each other. */
void tsr_iov_copy(void *dest, const tsr_iov *dest_iov, const void *src, const tsr_iov *src_iov);

/* Copies the next `bytes` of a list to one place, or from there, and passes them. */
void tsr_iov_pack(void *packed, const void *base, tsr_iov_cursor *from, size_t bytes);
void tsr_iov_unpack(void *base, tsr_iov_cursor *to, size_t bytes, const void *packed);

#endif
