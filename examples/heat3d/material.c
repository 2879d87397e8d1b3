/* material: properties that depend on temperature, and their integral. */
#include <math.h>

#include "heat3d.h"

void material_at(const problem *in, double temperature, double *conductivity, double *heat_capacity)
{
  const material_row *row = in->material;
  const int last = in->material_rows - 1;
  int i = 0;
  while (i + 1 < last && temperature > row[i + 1].temperature) i++;

  const material_row *low = &row[i], *high = &row[i < last ? i + 1 : last];
  const double span = high->temperature - low->temperature;
  const double part = span > 0.0 ? (temperature - low->temperature) / span : 0.0;
  *conductivity = low->conductivity + part * (high->conductivity - low->conductivity);
  *heat_capacity = low->heat_capacity + part * (high->heat_capacity - low->heat_capacity);
}

/* The greatest conductivity over the smallest heat capacity: both extremes lie at the ends or at a row between. They
 * are taken separately, because the heat between two cells flows by the mean conductivity between their temperatures,
 * while each cell warms by its own heat capacity. */
double material_diffusivity(const problem *in)
{
  double k, rho_c, most, least;
  material_at(in, in->coldest, &most, &least);
  material_at(in, in->hottest, &k, &rho_c);
  most = fmax(most, k);
  least = fmin(least, rho_c);
  for (int i = 0; i < in->material_rows; i++) {
    const material_row *row = &in->material[i];
    if (row->temperature <= in->coldest || row->temperature >= in->hottest) continue;
    most = fmax(most, row->conductivity);
    least = fmin(least, row->heat_capacity);
  }
  return most / least;
}

void material_make(const problem *in, material *out)
{
  /* A problem of one temperature still needs bins of some width. */
  const double width = fmax(in->hottest - in->coldest, 1.0) / MATERIAL_BINS;
  double theta = 0.0, k, rho_c, next_k, next_rho_c;

  out->coldest = in->coldest;
  out->width = width;
  out->per_kelvin = 1.0 / width;
  material_at(in, in->coldest, &k, &rho_c);
  for (int i = 0; i < MATERIAL_BINS; i++) {
    material_at(in, in->coldest + (i + 1) * width, &next_k, &next_rho_c);
    out->bin[i].theta = theta;
    out->bin[i].conductivity = k;
    out->bin[i].half_slope = 0.5 * (next_k - k) / width;
    out->bin[i].heat_capacity = rho_c;
    out->bin[i].slope = (next_rho_c - rho_c) / width;
    theta += 0.5 * (k + next_k) * width;
    k = next_k;
    rho_c = next_rho_c;
  }
}
