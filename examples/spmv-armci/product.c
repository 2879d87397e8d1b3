/* product: the timed products, and the check of their results. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "spmv.h"

/* Returns element j of the x of a product. */
static double x_at(int j, int product) { return 1.0 + (double)((j + 7L * product) % 1009) / 1009.0; }

static void fill(double *x, int first, int behind, int product)
{
  for (int j = first; j < behind; j++) x[j - first] = x_at(j, product);
}

/* Computes one product into y, timed from the point where all units are ready until all have finished. */
static void multiply(const problem *p, const plan *f, int way, double *y, cost *spent)
{
  armci_msg_barrier();
  const double start = armci_timer();
  plan_fetch(f, way);
  const double fetched = armci_timer();
  matrix_multiply(&p->part, f->x, y);
  armci_msg_barrier();
  spent->fetch += fetched - start;
  spent->whole += armci_timer() - start;
}

bool product_repeat(const problem *p, const plan *f, int times, cost costs[WAYS])
{
  const int first = share_first(p->columns, p->unit, p->units), behind = share_first(p->columns, p->unit + 1, p->units);
  const size_t bytes = (size_t)p->part.rows * sizeof(double);
  double *y = p->y.of[p->unit], *other = memory((size_t)p->part.rows + 1, sizeof *other);
  int differing = 0;
  for (int product = 0; product <= times; product++) {
    if (product == 1) memset(costs, 0, WAYS * sizeof *costs); /* the first use of everything takes longer */
    fill(p->x.of[p->unit], first, behind, product); /* no unit reads it: all have finished the product before */
    for (int w = 0; w < WAYS; w++) {
      multiply(p, f, w, w ? other : y, &costs[w]);
      differing |= w > 0 && bytes > 0 && memcmp(y, other, bytes) != 0;
    }
  }
  free(other);
  armci_msg_igop(&differing, 1, "max");
  armci_msg_dgop(&costs[0].whole, 2 * WAYS, "max");
  return !differing;
}

/* Each row is summed in the same order on both sides, so the results agree to the last bit. */
static bool check_all(const problem *p, const matrix *whole, int times, double *sum)
{
  double *x = memory((size_t)p->columns, sizeof *x), *y = memory((size_t)p->rows, sizeof *y);
  double *got = memory((size_t)p->rows, sizeof *got);
  fill(x, 0, p->columns, times);
  matrix_multiply(whole, x, y);
  for (int u = 0; u < p->units; u++) {
    const int first = share_first(p->rows, u, p->units), behind = share_first(p->rows, u + 1, p->units);
    require(ARMCI_Get(p->y.of[u], got + first, (behind - first) * (int)sizeof *got, u), "ARMCI_Get");
  }
  *sum = 0.0;
  for (int i = 0; i < p->rows; i++) *sum += fabs(got[i]);
  const bool good = memcmp(y, got, (size_t)p->rows * sizeof *y) == 0;
  free(x);
  free(y);
  free(got);
  return good;
}

bool product_check(const problem *p, const matrix *whole, int times, double *sum)
{
  int good = p->unit != 0 || check_all(p, whole, times, sum);
  armci_msg_igop(&good, 1, "min");
  return good;
}
