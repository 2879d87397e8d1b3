#include "vis/iov.h"

#include <stdbool.h>
#include <stdint.h>

#include "base/bits.h"
#include "vis/kernels.h"
#include "vis/listed.h"

size_t tsr_iov_bytes(const tsr_iov *iov) {
  size_t once = 0, all;
  if (!iov->bytes && !tsr_mul_size(iov->n, iov->each, &once)) return SIZE_MAX;
  for (size_t i = 0; iov->bytes && i < iov->n; i++)
    if (__builtin_add_overflow(once, iov->bytes[i], &once)) return SIZE_MAX;
  return tsr_mul_size(once, iov->times, &all) ? all : SIZE_MAX;
}

/* The extent of one repetition. False: it overflows. *low > *high: no bytes are touched. */
static bool find_extent_once(const tsr_iov *iov, ptrdiff_t *low, ptrdiff_t *high) {
  *low = PTRDIFF_MAX;
  *high = PTRDIFF_MIN;
  for (size_t i = 0; i < iov->n; i++) {
    ptrdiff_t off = tsr_iov_off_of(iov, i), end;
    if (tsr_iov_bytes_of(iov, i) == 0) continue;
    if (__builtin_add_overflow(off, tsr_iov_bytes_of(iov, i), &end)) return false;
    if (off < *low) *low = off;
    if (end > *high) *high = end;
  }
  return true;
}

void tsr_iov_extent(const tsr_iov *iov, ptrdiff_t *low, ptrdiff_t *high) {
  ptrdiff_t first_low, first_high, reach;
  bool fits = find_extent_once(iov, &first_low, &first_high);
  if (fits && (first_low > first_high || iov->times == 0)) {
    *low = *high = 0;
    return;
  }
  fits = fits && !__builtin_mul_overflow(iov->times - 1, iov->step, &reach) &&
         !__builtin_add_overflow(first_low, reach < 0 ? reach : 0, low) &&
         !__builtin_add_overflow(first_high, reach > 0 ? reach : 0, high);
  if (fits) return;
  *low = PTRDIFF_MIN;
  *high = PTRDIFF_MAX;
}

/* Reads the next entry that has bytes into next_off and next_bytes. At the end it returns false, and next_bytes is 0.
 */
static bool read_entry(tsr_iov_cursor *cursor) {
  const tsr_iov *iov = cursor->iov;
  while (cursor->time < iov->times) {
    if (cursor->index == iov->n) {
      cursor->index = 0;
      cursor->time++;
      continue;
    }
    size_t i = cursor->index++;
    cursor->next_bytes = tsr_iov_bytes_of(iov, i);
    cursor->next_off = tsr_iov_off_of(iov, i) + (ptrdiff_t)cursor->time * iov->step;
    if (cursor->next_bytes) return true;
  }
  cursor->next_bytes = 0;
  return false;
}

/* Passes parts of the list that are contiguous with the entry that was read last. Returns their bytes. */
static size_t pass_dense(tsr_iov_cursor *cursor) {
  const tsr_iov *iov = cursor->iov;
  size_t bytes = 0;
  while (!iov->bytes && iov->n - cursor->index >= TSR_LIST_PART_N &&
         tsr_list_is_dense(&(tsr_places){iov->offs + cursor->index - 1, 1, 0}, TSR_LIST_PART_N + 1, iov->each)) {
    cursor->index += TSR_LIST_PART_N;
    bytes += TSR_LIST_PART_N * iov->each;
  }
  return bytes;
}

void tsr_iov_next(tsr_iov_cursor *cursor) {
  cursor->off = cursor->next_off;
  cursor->left_bytes = cursor->next_bytes;
  if (cursor->left_bytes == 0) return;
  while (read_entry(cursor) && cursor->next_off == cursor->off + (ptrdiff_t)cursor->left_bytes)
    cursor->left_bytes += cursor->next_bytes + pass_dense(cursor);
}

tsr_iov_cursor tsr_iov_begin(const tsr_iov *iov) {
  tsr_iov_cursor cursor = {.iov = iov, .time = iov->n ? 0 : iov->times};
  read_entry(&cursor);
  tsr_iov_next(&cursor);
  return cursor;
}

/* ---- copies to and from contiguous memory ---- */

/* Finds the entries of one size that a block kernel can copy: entries after the current one, within the next `bytes`. Returns
 * their number, and stores their list and its base; 0: too few. */
enum { AHEAD_LEAST = 8 };
static size_t find_ahead(const tsr_iov_cursor *cursor, size_t bytes, const ptrdiff_t **offs, ptrdiff_t *begin) {
  const tsr_iov *iov = cursor->iov;
  if (iov->bytes || !iov->offs || !cursor->next_bytes || bytes < cursor->left_bytes + AHEAD_LEAST * iov->each) return 0;
  const size_t first = cursor->index - 1, n = tsr_min_size((bytes - cursor->left_bytes) / iov->each, iov->n - first);
  if (n < AHEAD_LEAST) return 0;
  *offs = iov->offs + first;
  *begin = (ptrdiff_t)cursor->time * iov->step;
  return n;
}

void tsr_iov_pack(void *packed, const void *base, tsr_iov_cursor *from, size_t bytes) {
  const ptrdiff_t *offs;
  ptrdiff_t begin;
  char *to = packed;
  for (size_t now; bytes > 0; bytes -= now, to += now) {
    const size_t ahead_n = find_ahead(from, bytes, &offs, &begin), each = from->iov->each;
    now = tsr_min_size(bytes, from->left_bytes);
    tsr_copy_run(to, (const char *)base + from->off, now);
    if (!ahead_n) {
      tsr_iov_pass(from, now);
      continue;
    }
    const tsr_places dense = {NULL, (ptrdiff_t)each, 0}, listed = {offs, 1, 0};
    tsr_listed_copy(&(tsr_blocks){dense, listed, ahead_n, 1, each}, to + now, (const char *)base + begin);
    now += ahead_n * each;
    from->index += ahead_n - 1; /* the first of them has been read already */
    read_entry(from);
    tsr_iov_next(from);
  }
}

/* ---- copies from iovec to iovec ---- */

static void copy_side_by_side(char *dest, const tsr_iov *dest_iov, const char *src, const tsr_iov *src_iov) {
  tsr_iov_cursor to = tsr_iov_begin(dest_iov), from = tsr_iov_begin(src_iov);
  while (to.left_bytes && from.left_bytes) {
    size_t bytes = tsr_min_size(to.left_bytes, from.left_bytes);
    tsr_copy_run(dest + to.off, src + from.off, bytes);
    tsr_iov_pass(&to, bytes);
    tsr_iov_pass(&from, bytes);
  }
}

/* Describes one side by the blocks of `other`, whose entries have one size. False: this side is not divided into such blocks. */
static bool match_blocks(const tsr_iov *side, const tsr_iov *other, tsr_places *places) {
  bool same_size = !side->bytes && side->each == other->each;
  if (side->n == 1 && (side->times == 1 || (same_size && side->times == other->n * other->times))) {
    ptrdiff_t apart = side->times == 1 ? (ptrdiff_t)other->each : side->step;
    *places = (tsr_places){NULL, apart, (ptrdiff_t)other->n * apart};
    return true;
  }
  *places = (tsr_places){side->offs, 1, side->step};
  return same_size && side->n == other->n && side->times == other->times;
}

/* Copies entry by entry; entries that are adjacent on both sides are copied together. */
static void copy_alike(char *dest, const tsr_iov *dest_iov, const char *src, const tsr_iov *src_iov) {
  const ptrdiff_t *to = dest_iov->offs, *from = src_iov->offs;
  const size_t *bytes = dest_iov->bytes, n = dest_iov->n;
  for (size_t t = 0; t < dest_iov->times; t++, dest += dest_iov->step, src += src_iov->step)
    for (size_t i = 0, last; i < n; i = last + 1) {
      size_t together = bytes[i];
      for (last = i; last + 1 < n; together += bytes[++last])
        if (to[last + 1] != to[i] + (ptrdiff_t)together || from[last + 1] != from[i] + (ptrdiff_t)together) break;
      tsr_copy_run(dest + to[i], src + from[i], together);
    }
}

/* Whether both have entries of the same lengths. */
static bool are_alike(const tsr_iov *a, const tsr_iov *b) {
  return a->bytes && a->bytes == b->bytes && a->offs && b->offs && a->n == b->n && a->times == b->times;
}

void tsr_iov_copy(void *dest, const tsr_iov *dest_iov, const void *src, const tsr_iov *src_iov) {
  const tsr_iov *uniform = !src_iov->bytes && src_iov->n > 1 ? src_iov : dest_iov;
  tsr_blocks blocks = {.n = uniform->n, .times = uniform->times, .bytes = uniform->each};
  bool matched = !uniform->bytes && uniform->each && match_blocks(dest_iov, uniform, &blocks.to) &&
                 match_blocks(src_iov, uniform, &blocks.from);
  if (are_alike(dest_iov, src_iov)) {
    copy_alike(dest, dest_iov, src, src_iov);
  } else if (matched) {
    char *to = (char *)dest + (blocks.to.offs ? 0 : tsr_iov_off_of(dest_iov, 0));
    tsr_listed_copy(&blocks, to, (const char *)src + (blocks.from.offs ? 0 : tsr_iov_off_of(src_iov, 0)));
  } else {
    copy_side_by_side(dest, dest_iov, src, src_iov);
  }
}
