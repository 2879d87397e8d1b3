/* How units share the cells, and the messages that bring halos up to date. */
#ifndef BENCH_STUDIES_MG_HALO_H
#define BENCH_STUDIES_MG_HALO_H

#include "mg_grid.h"

/* ---- Units ---- */

static struct {
  int unit, units;
  int parts[MG_AXES], at[MG_AXES]; /* units along each axis, and which of them is this one */
} mg_me;

/* Axis Z is cut first, and X last: a face across Z lies in one piece in memory, and one across X has no two cells together. */
static inline void mg_place_units(int unit, int units) {
  mg_me.unit = unit, mg_me.units = units;
  for (int axis = 0; axis < MG_AXES; axis++) mg_me.parts[axis] = 1;
  for (int axis = MG_Z; units > 1; units /= 2, axis = axis ? axis - 1 : MG_Z) mg_me.parts[axis] *= 2;
  for (int axis = 0; axis < MG_AXES; unit /= mg_me.parts[axis++]) mg_me.at[axis] = unit % mg_me.parts[axis];
}

/* The unit some steps away along each axis. The cube is periodic. */
static inline int mg_neighbour(const int steps[MG_AXES], int sign) {
  int unit = 0;
  for (int axis = MG_Z; axis >= 0; axis--) {
    const int parts = mg_me.parts[axis];
    unit = unit * parts + (mg_me.at[axis] + sign * steps[axis] + parts) % parts;
  }
  return unit;
}

/* ---- Halos at the other end of the own block ---- */

static inline void mg_wrap_rows(const mg_grid *g, const mg_box *b) {
  const int n = g->n[MG_X];
  for (int z = b->lo[MG_Z]; z <= b->hi[MG_Z]; z++)
    for (int y = b->lo[MG_Y]; y <= b->hi[MG_Y]; y++) {
      double *row = mg_row(g, y, z);
      row[0] = row[n], row[n + 1] = row[1];
    }
}

/* Along the axes that are not cut, which the box spans, makes the halo of the box's cells. Axes after one that is cut are cut. */
static inline void mg_wrap(const mg_grid *g, const mg_box *b) {
  const int ny = g->n[MG_Y], nz = g->n[MG_Z];
  const size_t row = (size_t)g->row * sizeof(double), plane = (size_t)g->plane * sizeof(double);
  if (!g->cut[MG_X]) mg_wrap_rows(g, b);
  for (int z = b->lo[MG_Z]; z <= b->hi[MG_Z] && !g->cut[MG_Y]; z++) {
    memcpy(mg_row(g, 0, z), mg_row(g, ny, z), row);
    memcpy(mg_row(g, ny + 1, z), mg_row(g, 1, z), row);
  }
  if (g->cut[MG_Z]) return;
  memcpy(mg_row(g, 0, 0), mg_row(g, 0, nz), plane);
  memcpy(mg_row(g, 0, nz + 1), mg_row(g, 0, 1), plane);
}

/* ---- Halos of neighbours ---- */

/* A box that lies in one piece is sent from its place in the grid, and received into its place. Others are packed. They arrive in
 * one of two buffers of their direction, in turn: a neighbour sends a message only when it has the previous one of this unit, but
 * perhaps before this unit has unpacked the neighbour's previous one. */
static struct {
  double *out[MG_DIRECTIONS], *in[MG_DIRECTIONS][2];
  unsigned turn[MG_DIRECTIONS];
} mg_packed;

/* What is on its way. */
static struct {
  const mg_grid *grid;
  mg_message messages[MG_DIRECTIONS];
  mg_box halos[MG_DIRECTIONS];
  int n;
  double seconds; /* in calls of exchange since the start, all together */
} mg_exchange;

static inline int mg_direction(const int steps[MG_AXES]) { return steps[MG_X] + 3 * steps[MG_Y] + 9 * steps[MG_Z] + 13; }

/* Numbers in the largest box for this direction in a grid of n cells. */
static inline size_t mg_packed_numbers(int direction, const int n[MG_AXES]) {
  const int x = direction % 3 - 1, y = direction / 3 % 3 - 1, z = direction / 9 - 1;
  return (size_t)(x ? 1 : n[MG_X] + 2) * (size_t)(y ? 1 : n[MG_Y] + 2) * (size_t)(z ? 1 : n[MG_Z] + 2);
}

/* The cells that go to the neighbour some steps away, or (received) those that come from the neighbour in the other direction.
 * The box includes the halo along the axes whose halo is up to date. */
static inline mg_box mg_border(const mg_grid *g, const int steps[MG_AXES], const bool is_done[MG_AXES], bool received) {
  mg_box b;
  for (int axis = 0; axis < MG_AXES; axis++) {
    const int n = g->n[axis];
    const int upper = received ? n + 1 : n, lower = received ? 0 : 1;
    if (steps[axis]) b.lo[axis] = b.hi[axis] = (steps[axis] > 0) != received ? upper : lower;
    else b.lo[axis] = is_done[axis] ? 0 : 1, b.hi[axis] = is_done[axis] ? n + 1 : n;
  }
  return b;
}

static inline void mg_add_message(const mg_grid *g, const int steps[MG_AXES], const bool is_done[MG_AXES]) {
  const int d = mg_direction(steps);
  const mg_box border = mg_border(g, steps, is_done, false), halo = mg_border(g, steps, is_done, true);
  mg_message m = {d, mg_neighbour(steps, 1), mg_neighbour(steps, -1), mg_first(g, &border), mg_first(g, &halo),
                  mg_box_bytes(&border)};
  if (!mg_is_contiguous(g, &border)) {
    mg_pack(mg_packed.out[d], g, &border);
    m.out = mg_packed.out[d], m.in = mg_packed.in[d][mg_packed.turn[d]++ % 2];
  }
  mg_exchange.halos[mg_exchange.n] = halo;
  mg_exchange.messages[mg_exchange.n++] = m;
}

/* Starts an exchange with neighbours along the axes from `first` to `last`, also with those across edges and corners if these are
 * several. */
static inline void mg_exchange_start(const mg_grid *g, int first, int last) {
  const double since = study_now();
  bool is_done[MG_AXES];
  for (int axis = 0; axis < MG_AXES; axis++) is_done[axis] = axis < first || !g->cut[axis];
  mg_exchange.grid = g, mg_exchange.n = 0;
  for (int d = 0; d < MG_DIRECTIONS; d++) {
    const int steps[MG_AXES] = {d % 3 - 1, d / 3 % 3 - 1, d / 9 - 1};
    bool wanted = d != MG_DIRECTIONS / 2;
    for (int axis = 0; axis < MG_AXES; axis++) wanted &= !steps[axis] || (g->cut[axis] && axis >= first && axis <= last);
    if (wanted) mg_add_message(g, steps, is_done);
  }
  mg_start(mg_exchange.messages, mg_exchange.n);
  mg_exchange.seconds += study_now() - since;
}

static inline void mg_exchange_finish(void) {
  const double since = study_now();
  const mg_grid *g = mg_exchange.grid;
  mg_finish();
  for (int i = 0; i < mg_exchange.n; i++)
    if (!mg_is_contiguous(g, &mg_exchange.halos[i])) mg_unpack(g, &mg_exchange.halos[i], mg_exchange.messages[i].in);
  mg_exchange.seconds += study_now() - since;
}

/* ---- A step: an operator, and the halo of its result ---- */

static inline void mg_compute(mg_operator *op, const mg_grid *in, const mg_grid *right, const mg_grid *out, const mg_box *box) {
  op(in, right, out, box);
  mg_wrap(out, box);
}

/* First everything, then the exchange along one axis after the other. The later axes pass on the halos of the earlier ones, so
 * that no unit sends to neighbours across edges and corners. */
static inline void mg_step_blocking(mg_operator *op, const mg_grid *in, const mg_grid *right, const mg_grid *out) {
  const mg_box all = mg_all_cells(out);
  mg_compute(op, in, right, out, &all);
  for (int axis = 0; axis < MG_AXES; axis++) {
    if (!out->cut[axis]) continue;
    mg_exchange_start(out, axis, axis);
    mg_exchange_finish();
  }
}

/* Computes the cells that neighbours need, and returns the others. */
static inline mg_box mg_compute_border(mg_operator *op, const mg_grid *in, const mg_grid *right, const mg_grid *out) {
  mg_box inner = mg_all_cells(out);
  for (int axis = MG_Z; axis >= 0; axis--) {
    if (!out->cut[axis]) continue;
    mg_box lower = inner, upper = inner;
    lower.hi[axis] = lower.lo[axis], upper.lo[axis] = upper.hi[axis];
    mg_compute(op, in, right, out, &lower);
    mg_compute(op, in, right, out, &upper);
    inner.lo[axis]++, inner.hi[axis]--;
  }
  return inner;
}

/* The inner cells are computed while the others are on their way, to all neighbours at once. */
static inline void mg_step_overlapped(mg_operator *op, const mg_grid *in, const mg_grid *right, const mg_grid *out) {
  enum { PLANES_BETWEEN_PROGRESS = 8 };
  const mg_box inner = mg_compute_border(op, in, right, out);
  mg_exchange_start(out, MG_X, MG_Z);
  mg_box some = inner;
  for (; some.lo[MG_Z] <= inner.hi[MG_Z]; some.lo[MG_Z] = some.hi[MG_Z] + 1) {
    some.hi[MG_Z] = some.lo[MG_Z] + PLANES_BETWEEN_PROGRESS - 1;
    if (some.hi[MG_Z] > inner.hi[MG_Z]) some.hi[MG_Z] = inner.hi[MG_Z];
    mg_compute(op, in, right, out, &some);
    mg_progress();
  }
  mg_exchange_finish();
}

static inline bool mg_is_cut(const mg_grid *g) { return g->cut[MG_Z]; }

#endif
