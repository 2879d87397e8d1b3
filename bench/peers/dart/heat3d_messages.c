/* The halo of heat3d by MPI's messages, in place of examples/heat3d/halo.c. Each unit sends its own faces, so no barrier precedes
 * the exchange: a neighbour sends when its state is complete, and a state is not written again before its messages are sent. */
#include <stdlib.h>

#include <mpi.h>

#include "../../../examples/heat3d/heat3d.h"

static MPI_Datatype types[SIDES]; /* layouts of the own faces */
static MPI_Request requests[2 * SIDES];
static int requests_n;

static bool face_make(const domain *d, int unit, int side, face *out)
{
  const block own = domain_block(d, unit);
  const face_shape shape = face_of(&own, side);
  *out = (face){.neighbour = domain_neighbour(d, unit, side), .source = shape};
  out->values = malloc(face_cells(&shape) * sizeof *out->values);
  if (!out->values) return false;
  MPI_Type_vector((int)shape.blocks, (int)shape.run, (int)shape.stride, MPI_DOUBLE, &types[side]);
  MPI_Type_commit(&types[side]);
  return true;
}

bool halo_make(const domain *d, int unit, bool elements, halo *out)
{
  *out = (halo){.elements = elements};
  for (int side = 0; side < SIDES; side++) types[side] = MPI_DATATYPE_NULL;
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
    if (types[side] != MPI_DATATYPE_NULL) MPI_Type_free(&types[side]);
    free(h->face[side].values);
  }
  *h = (halo){0};
}

void halo_meet(void)
{
}

/* A message is marked with the side of its sender. */
void halo_start(halo *h, dart_gptr_t field)
{
  void *own;
  requests_n = 0;
  require(dart_gptr_getaddr(field, &own), "dart_gptr_getaddr");
  for (int side = 0; side < SIDES; side++) {
    const face *f = &h->face[side];
    if (f->neighbour < 0) continue;
    MPI_Irecv(f->values, (int)face_cells(&f->source), MPI_DOUBLE, f->neighbour, side ^ 1, MPI_COMM_WORLD, &requests[requests_n++]);
  }
  for (int side = 0; side < SIDES; side++) {
    const face *f = &h->face[side];
    if (f->neighbour < 0) continue;
    MPI_Isend((double *)own + f->source.offset, 1, types[side], f->neighbour, side, MPI_COMM_WORLD, &requests[requests_n++]);
  }
}

void halo_finish(dart_gptr_t field)
{
  MPI_Status statuses[2 * SIDES];
  (void)field;
  MPI_Waitall(requests_n, requests, statuses);
}
