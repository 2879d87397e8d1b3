/* Copies between strided and contiguous doubles: loops written by hand for a known size, stride and machine. */
#ifndef PERF_APART_H
#define PERF_APART_H

#include <stddef.h>

struct apart {
  double *apart, *line;
  size_t n, stride;     /* in doubles; 0: */
  const size_t *offset; /* each double's own place, in doubles */
};

typedef void (*apart_loop)(const struct apart *a);

/* The quickest that this CPU has, as tried out on these very doubles. */
apart_loop apart_gather(const struct apart *a);
apart_loop apart_scatter(const struct apart *a);

#endif
