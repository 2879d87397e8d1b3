/* The halo of heat3d by MPI's one-sided calls, in place of examples/heat3d/halo.c: a barrier, then each unit gets the faces of its
 * neighbours' blocks, each as one vector type. MPI has no put that notifies its target. One barrier a step is enough, because the
 * states alternate between two windows: the one that a unit writes after a barrier was last read by its neighbours before it. */
#include "dart_on_mpi.h"
#include "heat3d_faces.h"

static face_shape source[SIDES];     /* the cells at the neighbour */
static dart_datatype_t types[SIDES]; /* their layouts */

static void make_type(const domain *d, const face *f, int side) {
  if (f->neighbour < 0) return;
  const block other = domain_block(d, f->neighbour);
  source[side] = face_of(&other, side ^ 1); /* beyond the west side lies the neighbour's east side */
  require(dart_type_create_strided(DART_TYPE_DOUBLE, source[side].stride, source[side].run, &types[side]),
          "dart_type_create_strided");
}

bool halo_make(const domain *d, int unit, bool elements, halo *out) {
  (void)elements; /* always one transfer for each side */
  *out = (halo){0};
  const bool good = make_faces(d, unit, out);
  for (int side = 0; side < SIDES; side++) {
    types[side] = DART_TYPE_UNDEFINED;
    make_type(d, &out->face[side], side);
  }
  return good;
}

void halo_free(halo *h) {
  for (int side = 0; side < SIDES; side++)
    if (types[side] != DART_TYPE_UNDEFINED) dart_type_destroy(&types[side]);
  free_faces(h);
}

static dart_gptr_t state; /* of all units in the present step */

void halo_start(halo *h, const double *own) {
  require(dart_barrier(DART_TEAM_ALL), "dart_barrier");
  state = dart_segment_at(own);
  for (int side = 0; side < SIDES; side++) {
    const face *f = &h->face[side];
    if (f->neighbour < 0) continue;
    dart_gptr_t from = state;
    dart_gptr_setunit(&from, dart_create_team_unit(f->neighbour));
    dart_gptr_incaddr(&from, (int64_t)(source[side].offset * sizeof(double)));
    require(dart_get(f->values, from, face_cells(&source[side]), types[side], DART_TYPE_DOUBLE), "dart_get");
  }
}

void halo_finish(halo *h) {
  (void)h;
  require(dart_flush_local_all(state), "dart_flush_local_all");
}
