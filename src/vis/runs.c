#include "vis/runs.h"

#include <stdbool.h>
#include <stdint.h>

#include "base/bits.h"
#include "vis/kernels.h"
#include "vis/listed.h"

static inline size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

size_t tsr_runs_bytes(const tsr_runs *runs) {
  size_t once = 0, all;
  if (!runs->bytes && !tsr_mul_size(runs->n, runs->each, &once)) return SIZE_MAX;
  for (size_t i = 0; runs->bytes && i < runs->n; i++)
    if (__builtin_add_overflow(once, runs->bytes[i], &once)) return SIZE_MAX;
  return tsr_mul_size(once, runs->times, &all) ? all : SIZE_MAX;
}

/* The extent of the list itself. False: it overflows. *low > *high: nothing is touched. */
static bool find_extent_once(const tsr_runs *runs, ptrdiff_t *low, ptrdiff_t *high) {
  *low = PTRDIFF_MAX;
  *high = PTRDIFF_MIN;
  for (size_t i = 0; i < runs->n; i++) {
    ptrdiff_t off = tsr_runs_off_of(runs, i), end;
    if (tsr_runs_bytes_of(runs, i) == 0) continue;
    if (__builtin_add_overflow(off, tsr_runs_bytes_of(runs, i), &end)) return false;
    if (off < *low) *low = off;
    if (end > *high) *high = end;
  }
  return true;
}

void tsr_runs_extent(const tsr_runs *runs, ptrdiff_t *low, ptrdiff_t *high) {
  ptrdiff_t first_low, first_high, reach;
  bool fits = find_extent_once(runs, &first_low, &first_high);
  if (fits && (first_low > first_high || runs->times == 0)) {
    *low = *high = 0;
    return;
  }
  fits = fits && !__builtin_mul_overflow(runs->times - 1, runs->step, &reach) &&
         !__builtin_add_overflow(first_low, reach < 0 ? reach : 0, low) &&
         !__builtin_add_overflow(first_high, reach > 0 ? reach : 0, high);
  if (fits) return;
  *low = PTRDIFF_MIN;
  *high = PTRDIFF_MAX;
}

/* Reads the next run that has bytes into next_off and next_bytes; false at the end, when next_bytes is 0. */
static bool read_entry(tsr_runs_cursor *cursor) {
  const tsr_runs *runs = cursor->runs;
  while (cursor->time < runs->times) {
    if (cursor->index == runs->n) {
      cursor->index = 0;
      cursor->time++;
      continue;
    }
    size_t i = cursor->index++;
    cursor->next_bytes = tsr_runs_bytes_of(runs, i);
    cursor->next_off = tsr_runs_off_of(runs, i) + (ptrdiff_t)cursor->time * runs->step;
    if (cursor->next_bytes) return true;
  }
  cursor->next_bytes = 0;
  return false;
}

/* Passes parts that follow the run that was read last. Returns their bytes. */
static size_t pass_dense(tsr_runs_cursor *cursor) {
  const tsr_runs *runs = cursor->runs;
  size_t bytes = 0;
  while (!runs->bytes && runs->n - cursor->index >= TSR_LIST_PART_N &&
         tsr_list_is_dense(runs->offs + cursor->index - 1, TSR_LIST_PART_N + 1, (ptrdiff_t)runs->each)) {
    cursor->index += TSR_LIST_PART_N;
    bytes += TSR_LIST_PART_N * runs->each;
  }
  return bytes;
}

void tsr_runs_next(tsr_runs_cursor *cursor) {
  cursor->off = cursor->next_off;
  cursor->left_bytes = cursor->next_bytes;
  if (cursor->left_bytes == 0) return;
  while (read_entry(cursor) && cursor->next_off == cursor->off + (ptrdiff_t)cursor->left_bytes)
    cursor->left_bytes += cursor->next_bytes + pass_dense(cursor);
}

tsr_runs_cursor tsr_runs_begin(const tsr_runs *runs) {
  tsr_runs_cursor cursor = {.runs = runs, .time = runs->n ? 0 : runs->times};
  read_entry(&cursor);
  tsr_runs_next(&cursor);
  return cursor;
}

/* ---- copies to one place, and from there ---- */

/* The entries of one size that lie ahead of what is left of the current run, as far as `bytes` go; they are passed, and the
 * current run is then what comes after. None where it is not worth it. */
enum { AHEAD_LEAST = 8 };
static size_t take_ahead(tsr_runs_cursor *cursor, size_t bytes, const ptrdiff_t **offs, ptrdiff_t *begin) {
  const tsr_runs *runs = cursor->runs;
  if (runs->bytes || !runs->offs || !cursor->next_bytes || bytes < cursor->left_bytes + AHEAD_LEAST * runs->each) return 0;
  const size_t first = cursor->index - 1, n = smaller((bytes - cursor->left_bytes) / runs->each, runs->n - first);
  if (n < AHEAD_LEAST) return 0;
  *offs = runs->offs + first;
  *begin = (ptrdiff_t)cursor->time * runs->step;
  return n;
}

static void pass_ahead(tsr_runs_cursor *cursor, size_t n) {
  cursor->index += n - 1;
  read_entry(cursor);
  tsr_runs_next(cursor);
}

void tsr_runs_pack(void *packed, const void *base, tsr_runs_cursor *from, size_t bytes) {
  char *to = packed;
  const ptrdiff_t *offs;
  ptrdiff_t begin;
  for (size_t now; bytes > 0; bytes -= now, to += now) {
    const size_t ahead_n = take_ahead(from, bytes, &offs, &begin), each = from->runs->each;
    now = smaller(bytes, from->left_bytes);
    tsr_copy_run(to, (const char *)base + from->off, now);
    if (!ahead_n) {
      tsr_runs_pass(from, now);
      continue;
    }
    const tsr_blocks blocks = {{NULL, (ptrdiff_t)each, 0}, {offs, 0, 0}, ahead_n, 1, each};
    tsr_listed_copy(&blocks, to + now, (const char *)base + begin);
    now += ahead_n * each;
    pass_ahead(from, ahead_n);
  }
}

void tsr_runs_unpack(void *base, tsr_runs_cursor *to, size_t bytes, const void *packed) {
  const char *from = packed;
  const ptrdiff_t *offs;
  ptrdiff_t begin;
  for (size_t now; bytes > 0; bytes -= now, from += now) {
    const size_t ahead_n = take_ahead(to, bytes, &offs, &begin), each = to->runs->each;
    now = smaller(bytes, to->left_bytes);
    tsr_copy_run((char *)base + to->off, from, now);
    if (!ahead_n) {
      tsr_runs_pass(to, now);
      continue;
    }
    const tsr_blocks blocks = {{offs, 0, 0}, {NULL, (ptrdiff_t)each, 0}, ahead_n, 1, each};
    tsr_listed_copy(&blocks, (char *)base + begin, from + now);
    now += ahead_n * each;
    pass_ahead(to, ahead_n);
  }
}

/* ---- copies from list to list ---- */

/* The general copy: both lists are walked, each at its own pace. */
static void copy_side_by_side(char *dest, const tsr_runs *dest_runs, const char *src, const tsr_runs *src_runs) {
  tsr_runs_cursor to = tsr_runs_begin(dest_runs), from = tsr_runs_begin(src_runs);
  while (to.left_bytes && from.left_bytes) {
    size_t bytes = smaller(to.left_bytes, from.left_bytes);
    tsr_copy_run(dest + to.off, src + from.off, bytes);
    tsr_runs_pass(&to, bytes);
    tsr_runs_pass(&from, bytes);
  }
}

/* One side in the blocks of the other, whose list is uniform. False: its runs end elsewhere. */
static bool match(const tsr_runs *side, const tsr_runs *other, tsr_places *places) {
  bool same_size = !side->bytes && side->each == other->each;
  if (side->n == 1 && (side->times == 1 || (same_size && side->times == other->n * other->times))) {
    ptrdiff_t apart = side->times == 1 ? (ptrdiff_t)other->each : side->step;
    *places = (tsr_places){NULL, apart, (ptrdiff_t)other->n * apart};
    return true;
  }
  *places = (tsr_places){side->offs, 0, side->step};
  return same_size && side->n == other->n && side->times == other->times;
}

static void copy_matched(char *dest, const tsr_runs *dest_runs, const char *src, const tsr_runs *src_runs,
                         const tsr_blocks *blocks) {
  if (!blocks->to.offs) dest += tsr_runs_off_of(dest_runs, 0);
  if (!blocks->from.offs) src += tsr_runs_off_of(src_runs, 0);
  tsr_listed_copy(blocks, dest, src);
}

/* Run by run, of lists with the same lengths; what follows one another on both sides is one. */
static void copy_alike(char *dest, const tsr_runs *dest_runs, const char *src, const tsr_runs *src_runs) {
  const ptrdiff_t *to = dest_runs->offs, *from = src_runs->offs;
  const size_t *bytes = dest_runs->bytes, n = dest_runs->n;
  for (size_t t = 0; t < dest_runs->times; t++, dest += dest_runs->step, src += src_runs->step)
    for (size_t i = 0, last; i < n; i = last + 1) {
      size_t together = bytes[i];
      for (last = i; last + 1 < n; together += bytes[++last])
        if (to[last + 1] != to[i] + (ptrdiff_t)together || from[last + 1] != from[i] + (ptrdiff_t)together) break;
      tsr_copy_run(dest + to[i], src + from[i], together);
    }
}

static bool are_alike(const tsr_runs *a, const tsr_runs *b) {
  return a->bytes && a->bytes == b->bytes && a->offs && b->offs && a->n == b->n && a->times == b->times;
}

void tsr_runs_copy(void *dest, const tsr_runs *dest_runs, const void *src, const tsr_runs *src_runs) {
  const tsr_runs *uniform = !src_runs->bytes && src_runs->n > 1 ? src_runs : dest_runs;
  tsr_blocks blocks = {.n = uniform->n, .times = uniform->times, .bytes = uniform->each};
  bool matched = !uniform->bytes && uniform->each && match(dest_runs, uniform, &blocks.to) &&
                 match(src_runs, uniform, &blocks.from);
  if (are_alike(dest_runs, src_runs)) copy_alike(dest, dest_runs, src, src_runs);
  else if (matched) copy_matched(dest, dest_runs, src, src_runs, &blocks);
  else copy_side_by_side(dest, dest_runs, src, src_runs);
}
