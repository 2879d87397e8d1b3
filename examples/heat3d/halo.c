/* halo: the cells beyond the six sides of a block, fetched from the neighbours' global memory. */
#include <stdlib.h>

#include "heat3d.h"

static bool face_make(const domain *d, int unit, int side, face *out)
{
  const block own = domain_block(d, unit);
  const face_shape shape = face_of(&own, side);
  out->values = malloc(face_cells(&shape) * sizeof *out->values);
  if (!out->values) return false;

  out->type = DART_TYPE_UNDEFINED;
  out->neighbour = domain_neighbour(d, unit, side);
  if (out->neighbour < 0) return true;

  /* Beyond this unit's west side lies the neighbour's east side. */
  const block other = domain_block(d, out->neighbour);
  out->source = face_of(&other, side ^ 1);
  require(dart_type_create_strided(DART_TYPE_DOUBLE, out->source.stride, out->source.run, &out->type),
          "dart_type_create_strided");
  return true;
}

bool halo_make(const domain *d, int unit, bool elements, halo *out)
{
  *out = (halo){.elements = elements};
  for (int side = 0; side < SIDES; side++) {
    if (!face_make(d, unit, side, &out->face[side])) {
      halo_free(out);
      return false;
    }
  }
  return true;
}

void halo_free(halo *h)
{
  for (int side = 0; side < SIDES; side++) {
    if (h->face[side].type != DART_TYPE_UNDEFINED) dart_type_destroy(&h->face[side].type);
    free(h->face[side].values);
  }
  *h = (halo){0};
}

static dart_gptr_t cell_of(dart_gptr_t field, int unit, size_t cell)
{
  dart_gptr_setunit(&field, dart_create_team_unit(unit));
  dart_gptr_incaddr(&field, (int64_t)(cell * sizeof(double)));
  return field;
}

static void fetch_face(const face *f, dart_gptr_t field)
{
  require(dart_get(f->values, cell_of(field, f->neighbour, f->source.offset), face_cells(&f->source), f->type,
                   DART_TYPE_DOUBLE),
          "dart_get");
}

static void fetch_elements(const face *f, dart_gptr_t field)
{
  double *to = f->values;
  for (size_t b = 0; b < f->source.blocks; b++) {
    for (size_t i = 0; i < f->source.run; i++) {
      const size_t cell = f->source.offset + b * f->source.stride + i;
      require(dart_get(to++, cell_of(field, f->neighbour, cell), 1, DART_TYPE_DOUBLE, DART_TYPE_DOUBLE), "dart_get");
    }
  }
}

/* One barrier a step is enough, because the states alternate between two segments: the one that a unit writes after this barrier
 * was last read by its neighbours before it. */
void halo_meet(void)
{
  require(dart_barrier(DART_TEAM_ALL), "dart_barrier");
}

void halo_start(halo *h, dart_gptr_t field)
{
  for (int side = 0; side < SIDES; side++) {
    if (h->face[side].neighbour < 0) continue;
    if (h->elements)
      fetch_elements(&h->face[side], field);
    else
      fetch_face(&h->face[side], field);
  }
}

void halo_finish(dart_gptr_t field)
{
  require(dart_flush_local_all(field), "dart_flush_local_all");
}
