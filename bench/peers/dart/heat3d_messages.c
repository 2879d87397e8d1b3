/* The halo of heat3d by MPI's messages, in place of examples/heat3d/halo.c. Each unit sends its own faces, so no barrier precedes
 * the exchange: a neighbour sends when its state is complete, and a state is not written again before its messages are sent. */
#include <mpi.h>

#include "heat3d_faces.h"

static MPI_Datatype types[SIDES]; /* layouts of the own faces */
static MPI_Request requests[2 * SIDES];
static int requests_n;

bool halo_make(const domain *d, int unit, bool elements, halo *out) {
  (void)elements; /* always one transfer for each side */
  *out = (halo){0};
  const bool good = make_faces(d, unit, out);
  for (int side = 0; side < SIDES; side++) {
    const face_shape *own = &out->face[side].shape;
    MPI_Type_vector((int)own->blocks, (int)own->run, (int)own->stride, MPI_DOUBLE, &types[side]);
    MPI_Type_commit(&types[side]);
  }
  return good;
}

void halo_free(halo *h) {
  for (int side = 0; side < SIDES; side++) MPI_Type_free(&types[side]);
  free_faces(h);
}

/* A message is marked with the side of its sender. */
void halo_start(halo *h, const double *own) {
  requests_n = 0;
  for (int side = 0; side < SIDES; side++) {
    const face *f = &h->face[side];
    if (f->neighbour < 0) continue;
    MPI_Irecv(f->values, (int)face_cells(&f->shape), MPI_DOUBLE, f->neighbour, side ^ 1, MPI_COMM_WORLD, &requests[requests_n++]);
  }
  for (int side = 0; side < SIDES; side++) {
    const face *f = &h->face[side];
    if (f->neighbour < 0) continue;
    MPI_Isend(own + f->shape.offset, 1, types[side], f->neighbour, side, MPI_COMM_WORLD, &requests[requests_n++]);
  }
}

void halo_finish(halo *h) {
  MPI_Status statuses[2 * SIDES];
  (void)h;
  MPI_Waitall(requests_n, requests, statuses);
}
