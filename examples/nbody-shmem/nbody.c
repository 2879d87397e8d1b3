/* nbody-shmem: two galaxies pass each other, and gravity draws long tails of stars out of both. Each body attracts
 * every other one. A PE moves a block of the bodies, and needs the places of all bodies for that.
 *
 * The blocks come to a PE one after the other, beginning with its own: while it computes with a block, it gets the next
 * one. The owner of a block takes no part. Bodies are in two arrays that are used in turns, so one barrier per step is
 * enough: before the barrier a step writes the array that no PE reads. Each PE draws its bodies into the picture on
 * PE 0.
 *
 * Checked: the energy is as at first. The file nbody.png shows the paths of the bodies in the last steps.
 *
 * Usage: nbody-shmem [BODIES [STEPS]] */
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <shmem.h>

#include "../arguments.h"
#include "../clock.h"
#include "../picture.h"
#include "../random.h"

enum { BODIES_MAX = 1000000, STEPS_MAX = 1000000, DRAWN = 25 /* steps */, EDGE = 480 /* of the picture */ };

/* Units of measure in which gravity, the mass of a galaxy's core and the radius of its disc are 1. */
static const double dt = 0.02, softening = 0.15, view = 8 /* edge of the picture */, drift_allowed = 1e-2;

/* The bodies move in a plane; places, velocities and pulls are x + iy. */
typedef struct {
  double complex at;
  double mass;
} body;

typedef struct {
  double complex pull;
  double potential;
} field; /* of all bodies, at the place of one of them */

static int me, pes;
static long bodies, mine;        /* of all PEs, and of this one */
static body *block[2];           /* symmetric: the PE's own bodies, before and after a step */
static body *fetched[2];         /* blocks of other PEs */
static double complex *velocity; /* of the PE's own bodies */
static field *fields;            /* where the PE's own bodies are */
static int *drawn;               /* symmetric; on PE 0 for each pixel: 0, or 1 + the galaxy of a body that was there */

static long first_of(int pe) { return bodies * pe / pes; }
static long number_of(int pe) { return first_of(pe + 1) - first_of(pe); }

/* Even bodies are in one galaxy, odd ones in the other. The first two are the cores; light ones circle them. */
static void place(uint64_t i, body *b, double complex *v)
{
  const double side = i % 2 ? -1 : 1, radius = i < 2 ? 0 : 0.3 + 0.7 * random_part(2 * i);
  const double speed = radius * pow(radius * radius + softening * softening, -0.75);
  const double complex direction = cexp(2 * M_PI * I * random_part(2 * i + 1));
  *b = (body){side * 2 + radius * direction, i < 2 ? 1 : 0.1 / (double)bodies};
  *v = side * (-0.4 + 0.3 * I) + speed * I * direction;
}

/* Adds the field of `n` bodies at a place. A body that is there itself does not pull. */
static field add_bodies(field f, double complex at, const body *others, long n)
{
  for (long i = 0; i < n; i++) {
    const double complex way = others[i].at - at;
    const double near = 1 / sqrt(creal(way) * creal(way) + cimag(way) * cimag(way) + softening * softening);
    f.pull += others[i].mass * near * near * near * way;
    f.potential -= others[i].mass * near;
  }
  return f;
}

/* `own` is the array in which the bodies of all PEs are now. */
static void find_fields(const body *own)
{
  const body *present = own;
  for (long i = 0; i < mine; i++) fields[i] = (field){0, own[i].mass / softening}; /* without the body itself */
  for (int hop = 0; hop < pes; hop++) {
    const int owner = (me + hop) % pes, next = (owner + 1) % pes;
    if (hop + 1 < pes) shmem_getmem_nbi(fetched[hop % 2], own, (size_t)number_of(next) * sizeof *own, next);
    for (long i = 0; i < mine; i++) fields[i] = add_bodies(fields[i], own[i].at, present, number_of(owner));
    shmem_quiet(); /* the next block has arrived */
    present = fetched[hop % 2];
  }
}

static void step(const body *from, body *to)
{
  for (long i = 0; i < mine; i++) {
    velocity[i] += dt / 2 * fields[i].pull;
    to[i] = (body){from[i].at + dt * velocity[i], from[i].mass};
  }
  shmem_barrier_all(); /* all bodies are in `to` */
  find_fields(to);
  for (long i = 0; i < mine; i++) velocity[i] += dt / 2 * fields[i].pull;
}

/* The energy of all bodies. */
static double energy(const body *own)
{
  static double sum, all;
  sum = 0;
  for (long i = 0; i < mine; i++)
    sum += own[i].mass / 2 * (creal(velocity[i] * conj(velocity[i])) + fields[i].potential);
  shmem_double_sum_reduce(SHMEM_TEAM_WORLD, &all, &sum, 1);
  return all;
}

static void draw(const body *own)
{
  for (long i = 0; i < mine; i++) {
    const double x = EDGE * (0.5 + creal(own[i].at) / view), y = EDGE * (0.5 - cimag(own[i].at) / view);
    if (x >= 0 && x < EDGE && y >= 0 && y < EDGE)
      shmem_int_atomic_set(&drawn[(int)y * EDGE + (int)x], 1 + (first_of(me) + i) % 2, 0);
  }
}

static int write_picture(void)
{
  static const colour shades[] = {{8, 8, 20}, {120, 180, 255}, {255, 170, 70}};
  picture p;
  if (!picture_make(&p, EDGE, EDGE, shades[0])) return 0;
  for (int i = 0; i < EDGE * EDGE; i++) p.pixel[i] = shades[drawn[i]];
  const int written = picture_write("nbody-shmem", &p, "nbody.png");
  free(p.pixel);
  return written;
}

static void set_up(void)
{
  const size_t most = (size_t)(bodies / pes + 1);
  for (int i = 0; i < 2; i++) block[i] = shmem_malloc(most * sizeof(body)), fetched[i] = malloc(most * sizeof(body));
  drawn = shmem_calloc(EDGE * EDGE, sizeof *drawn);
  velocity = malloc(most * sizeof *velocity);
  fields = malloc(most * sizeof *fields);
  if (!block[0] || !block[1] || !fetched[0] || !fetched[1] || !drawn || !velocity || !fields) {
    fprintf(stderr, "nbody-shmem: no memory for BODIES = %ld\n", bodies);
    shmem_global_exit(1);
  }
  mine = number_of(me);
  for (long i = 0; i < mine; i++) place((uint64_t)(first_of(me) + i), &block[0][i], &velocity[i]);
  shmem_barrier_all();
  find_fields(block[0]);
}

int main(int argc, char **argv)
{
  long steps = 300;
  shmem_init();
  me = shmem_my_pe(), pes = shmem_n_pes(), bodies = 1000;
  const struct argument wanted[] = {{"BODIES", 2, BODIES_MAX, &bodies}, {"STEPS", 1, STEPS_MAX, &steps}};
  if (!read_arguments("nbody-shmem", argc, argv, me == 0, 2, wanted)) {
    shmem_finalize();
    return WRONG_ARGUMENTS;
  }
  set_up();
  const double before = energy(block[0]), start = now();
  for (long s = 0; s < steps; s++) {
    step(block[s % 2], block[(s + 1) % 2]);
    if (s >= steps - DRAWN) draw(block[(s + 1) % 2]);
  }
  shmem_barrier_all(); /* everything is drawn */
  const double seconds = now() - start, drift = fabs(energy(block[steps % 2]) / before - 1);

  int good = drift < drift_allowed;
  if (me == 0) {
    good = write_picture() && good;
    printf("nbody-shmem: %ld bodies, %ld steps, %.6f s: %.3f million pairs/s\n", bodies, steps, seconds,
           1e-6 * (double)bodies * (double)bodies * (double)steps / seconds);
    printf("nbody-shmem: drift of energy %.2g (allowed: %g)\n", drift, drift_allowed);
    printf("nbody-shmem: check %s\n", good ? "passed" : "FAILED");
  }
  shmem_finalize();
  return good ? 0 : 1;
}
