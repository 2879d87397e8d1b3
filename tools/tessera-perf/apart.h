/* Copies between doubles with gaps and contiguous doubles: the loops that a programmer would write for a known size,
 * distance and machine. */
#ifndef PERF_APART_H
#define PERF_APART_H

#include <stddef.h>

struct apart {
  double *apart, *line;
  size_t n, stride;     /* stride: in doubles; 0: see `offset` */
  const size_t *offset; /* the place of each double, in doubles, if `stride` is 0 */
};

typedef void (*apart_loop)(const struct apart *a);

/* The fastest loop of this CPU, measured on these doubles. */
apart_loop apart_gather(const struct apart *a);
apart_loop apart_scatter(const struct apart *a);

#endif
