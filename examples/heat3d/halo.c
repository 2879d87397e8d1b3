/* halo: the cells beyond the six sides of a block, put there by the neighbours.
 *
 * A unit puts its faces into its neighbours' memory as soon as its state is complete, and each put adds 1 to a counter there. No
 * barrier is needed, because the faces of even and odd steps have different places. The face of step t overwrites that of step
 * t - 2. Its unit has then received the neighbour's face of step t - 1, which the neighbour has computed from that older face. */
#include <stdlib.h>
#include <string.h>

#include <dash/dart/if/dart_ext_notify.h>

#include "heat3d.h"

static bool face_make(const domain *d, int unit, int side, face *out)
{
  const block own = domain_block(d, unit);
  *out = (face){.neighbour = domain_neighbour(d, unit, side), .shape = face_of(&own, side)};
  if (out->neighbour < 0 || out->shape.blocks == 1) return true;
  out->packed = malloc(face_cells(&out->shape) * sizeof *out->packed);
  return out->packed;
}

/* Element `at` of a segment on `unit`; the elements of both segments have 8 bytes. */
static dart_gptr_t element_of(dart_gptr_t segment, int unit, size_t at)
{
  dart_gptr_setunit(&segment, dart_create_team_unit(unit));
  dart_gptr_incaddr(&segment, (int64_t)(at * sizeof(double)));
  return segment;
}

/* Where the segment of faces has the one beyond `side`, in the present step. */
static size_t place_of(const halo *h, int side)
{
  return (size_t)(h->step % 2 * SIDES + side) * h->largest;
}

bool halo_make(const domain *d, int unit, bool elements, halo *out)
{
  const size_t cells = 2 * SIDES * domain_largest_face(d);
  *out = (halo){.elements = elements, .unit = unit, .largest = domain_largest_face(d)};
  bool good = dart_team_memalloc_aligned(DART_TEAM_ALL, cells, DART_TYPE_DOUBLE, &out->faces) == DART_OK;
  good = dart_team_memalloc_aligned(DART_TEAM_ALL, SIDES, DART_TYPE_ULONG, &out->arrived) == DART_OK && good;
  for (int side = 0; good && side < SIDES; side++) {
    require(dart_notify_reset(element_of(out->arrived, unit, (size_t)side), NULL), "dart_notify_reset");
    good = face_make(d, unit, side, &out->face[side]);
  }
  good = all_agree(good); /* Counters are 0 on all units before one of them puts. */
  if (!good) halo_free(out);
  return good;
}

void halo_free(halo *h)
{
  if (h->largest == 0) return; /* empty */
  for (int side = 0; side < SIDES; side++) free(h->face[side].packed);
  require(dart_team_memfree(h->arrived), "dart_team_memfree");
  require(dart_team_memfree(h->faces), "dart_team_memfree");
  *h = (halo){0};
}

/* The cells of a face without gaps. */
static const double *pack(const face *f, const double *own)
{
  const face_shape *shape = &f->shape;
  if (!f->packed) return own + shape->offset;
  double *to = f->packed;
  for (size_t b = 0; b < shape->blocks; b++, to += shape->run)
    memcpy(to, own + shape->offset + b * shape->stride, shape->run * sizeof *to);
  return f->packed;
}

static void put_face(const double *cells, size_t n, dart_gptr_t to, dart_gptr_t arrived)
{
  require(dart_put_notify(to, cells, n, DART_TYPE_DOUBLE, DART_TYPE_DOUBLE, arrived, 1), "dart_put_notify");
}

static void put_elements(const double *cells, size_t n, dart_gptr_t to, dart_gptr_t arrived)
{
  dart_gptr_t at = to;
  for (size_t i = 0; i < n; i++, dart_gptr_incaddr(&at, sizeof *cells))
    require(dart_put(at, cells + i, 1, DART_TYPE_DOUBLE, DART_TYPE_DOUBLE), "dart_put");
  require(dart_flush(to), "dart_flush");
  require(dart_notify(arrived, 1), "dart_notify");
}

void halo_start(halo *h, const double *own)
{
  for (int side = 0; side < SIDES; side++) {
    const face *f = &h->face[side];
    if (f->neighbour < 0) continue;
    /* This unit's west side is beyond the east side of the neighbour in the west. */
    const dart_gptr_t to = element_of(h->faces, f->neighbour, place_of(h, side ^ 1));
    const dart_gptr_t arrived = element_of(h->arrived, f->neighbour, (size_t)(side ^ 1));
    (h->elements ? put_elements : put_face)(pack(f, own), face_cells(&f->shape), to, arrived);
  }
}

void halo_finish(halo *h)
{
  for (int side = 0; side < SIDES; side++) {
    void *values;
    require(dart_gptr_getaddr(element_of(h->faces, h->unit, place_of(h, side)), &values), "dart_gptr_getaddr");
    h->face[side].values = values;
    if (h->face[side].neighbour < 0) continue;
    require(dart_notify_wait(element_of(h->arrived, h->unit, (size_t)side), (uint64_t)h->step + 1), "dart_notify_wait");
  }
  /* The own faces have left, so that the next step may pack others and overwrite the state. */
  require(dart_flush_local_all(h->faces), "dart_flush_local_all");
  h->step++;
}
