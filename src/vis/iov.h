/* Iovecs: lists of contiguous entries at any offsets, and copies between them. A layout is the faster description of a
 * regular shape. The functions compute and copy in the memory of this process; they know no units. Any thread may call
 * them. None of them waits, allocates or fails.
 */
#ifndef TSR_VIS_IOV_H
#define TSR_VIS_IOV_H

#include <stddef.h>

/* `n` entries at offsets from a base; the order of entries is that of the byte stream. The whole list is repeated
 * `times` times, `step` bytes apart. Entries of 0 bytes are allowed. The arrays are the caller's. */
typedef struct tsr_iov {
  const ptrdiff_t *offs; /* NULL: the only entry begins at the base (n is 1) */
  const size_t *bytes;   /* of each entry; NULL: every entry has `each` */
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

/* Bytes of all entries; SIZE_MAX if the sum overflows. */
size_t tsr_iov_bytes(const tsr_iov *iov);
/* The bytes touched, relative to the base: [*low, *high); both are 0 if there are none. If the extent overflows a
 * ptrdiff_t, the result is [PTRDIFF_MIN, PTRDIFF_MAX), which fails every range check. */
void tsr_iov_extent(const tsr_iov *iov, ptrdiff_t *low, ptrdiff_t *high);

/* The functions below require that neither tsr_iov_bytes nor tsr_iov_extent overflows. */

/* A place in the byte stream of an iovec: `left_bytes` are contiguous at `off` from the base; 0 at the end. Entries
 * that are adjacent in memory are merged. A cursor may be copied. It refers to the iovec, which does not move. */
typedef struct tsr_iov_cursor {
  ptrdiff_t off;
  size_t left_bytes;
  /* private: the entry that follows, and the next one to be read */
  ptrdiff_t next_off;
  size_t next_bytes;
  const tsr_iov *iov;
  size_t index, time;
} tsr_iov_cursor;
tsr_iov_cursor tsr_iov_begin(const tsr_iov *iov);
/* tsr_iov_pass passes `bytes` <= left_bytes. tsr_iov_next goes to the next place that is not adjacent. */
void tsr_iov_next(tsr_iov_cursor *cursor);
static inline void tsr_iov_pass(tsr_iov_cursor *cursor, size_t bytes) {
  cursor->off += (ptrdiff_t)bytes;
  cursor->left_bytes -= bytes;
  if (cursor->left_bytes == 0) tsr_iov_next(cursor);
}

/* Copies byte k of one stream to byte k of the other; both have the same number of bytes. Entries of the destination
 * overlap neither each other nor the source; entries of the source may overlap each other. */
void tsr_iov_copy(void *dest, const tsr_iov *dest_iov, const void *src, const tsr_iov *src_iov);

/* Copies the next `bytes` of a stream to contiguous memory, and advances the cursor by them. */
void tsr_iov_pack(void *packed, const void *base, tsr_iov_cursor *from, size_t bytes);

#endif
