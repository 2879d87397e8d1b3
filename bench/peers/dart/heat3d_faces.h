/* What the two other forms of examples/heat3d/halo.c have in common: private memory for the cells beyond the sides. */
#ifndef HEAT3D_FACES_H
#define HEAT3D_FACES_H

#include <stdlib.h>

#include "../../../examples/heat3d/heat3d.h"

/* Memory for all faces. False: there is none; free_faces is needed in both cases. */
static bool make_faces(const domain *d, int unit, halo *out) {
  const block own = domain_block(d, unit);
  bool good = true;
  for (int side = 0; side < SIDES; side++) {
    face *f = &out->face[side];
    *f = (face){.neighbour = domain_neighbour(d, unit, side), .shape = face_of(&own, side)};
    f->values = malloc(face_cells(&f->shape) * sizeof *f->values);
    good = good && f->values;
  }
  return good;
}

static void free_faces(halo *h) {
  for (int side = 0; side < SIDES; side++) free(h->face[side].values);
  *h = (halo){0};
}

#endif
