/* What both versions of the strided test share: shapes, their data, and how a program packs them itself.
 *
 * A shape is a nest of dimensions over elements of equal size; source and destination have the same one. All shapes of a
 * run have the same number of elements, 2^e, in 1, 3, 8 or 32 dimensions. With 32 there are more dimensions than factors
 * of two: the rest have an extent of 1, as in a program that passes all dimensions of its array.
 *
 *   foldable  No dimension has padding: every nest is the 1-d vector in other words (every second element). A library
 *             that normalises the description is as fast as in 1-d.
 *   padded    Each dimension is followed by one element of padding: nothing but extents of 1 can be folded. */
#ifndef BENCH_STUDIES_GASNET_STRIDED_H
#define BENCH_STUDIES_GASNET_STRIDED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../options.h"
#include "repeats.h"

enum { DIMENSIONS_MAX = 32, STRIDED_OPTIONS_N = 5 };

struct shape {
  int dimensions;
  size_t element;
  size_t extents[DIMENSIONS_MAX]; /* innermost first */
  ptrdiff_t strides[DIMENSIONS_MAX];
  size_t elements_n, span; /* span: bytes from the first to the last */
  uint32_t *offsets;       /* of each element, in bytes */
};

/* The command line: --log2-elements, --from and --to (bytes of an element; each is eight times the one before), --ms (of a
 * sample), --samples. */
extern const struct option strided_options[STRIDED_OPTIONS_N];
extern long log2_elements, from_element, to_element, milliseconds, samples_n;

/* All combinations of the dimensions and the two kinds, for one size of elements. */
enum { STRIDED_SHAPES_N = 8 };
struct shape *make_shapes(size_t element);
void free_shapes(struct shape *shapes);
size_t shape_bytes(const struct shape *s); /* of data */
const char *shape_variant(int i);          /* of shape i: "foldable", "padded" */
const char *shape_work(const char *way, const struct shape *s); /* "WAY.3d"; valid until the next call */
size_t largest_span(void);                 /* of all shapes of this run */

/* Copy elements first to first + n - 1 of a shape to or from a buffer without gaps. The offsets were computed beforehand,
 * as by a program that transfers the same shape many times. */
void pack(char *to, const struct shape *s, const char *base, size_t first, size_t n);
void unpack(const struct shape *s, char *base, const char *from, size_t first, size_t n);

/* Fills a source: each element is different, and different for each key. */
void fill_section(const struct shape *s, char *base, uint32_t key);
/* Overwrites a destination, its gaps included, before a transfer. Then tells whether the elements have arrived and the gaps
 * are as before. */
void clear_section(const struct shape *s, char *base);
bool section_is(const struct shape *s, const char *base, uint32_t key);

#endif
