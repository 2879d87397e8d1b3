/* dart_mix [SECONDS [SEED]]: random operations of all kinds, compared with a model. All units draw the same list of
 * steps from the seed. Each unit executes its own steps, on several threads, and applies the steps of all units to a
 * copy of all memory. Between two barriers no two steps access the same bytes, except additions. With SECONDS 0 the
 * number of rounds is fixed. A soak test includes this file and runs for minutes.
 * Group: dart_demanding
 */
#include "dart_check.h"

#include <pthread.h>
#include <time.h>

#ifndef SECONDS
#define SECONDS 0
#endif

enum {
  ROUNDS = 24,
  NEW_TEAMS_EVERY = 8, /* rounds */
  SPACES_N = 3,        /* teams with memory: all units, and drawn ones */
  PART = 1 << 18,      /* bytes of each unit in a space */
  STEPS_N = 60,        /* in a round of one space */
  THREADS_MAX = 3,
  UNITS_MAX = 64
};

static uint64_t seed;
static int round_number;
static bool may_thread;

/* ---- drawing ---- */

static uint64_t random_state;
static unsigned draw(unsigned below) {
  random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (unsigned)(random_state >> 33) % below;
}
static void draw_from(uint64_t a, uint64_t b) {
  random_state = seed ^ (a * UINT64_C(0x9e3779b97f4a7c15)) ^ (b * UINT64_C(0xc2b2ae3d27d4eb4f));
  for (int i = 0; i < 4; i++) draw(1);
}

/* Mostly small; some around the limit of data inside a request; some much longer. */
static size_t draw_bytes(void) {
  switch (draw(12)) {
    case 0: return 8192 - 80 + draw(160);
    case 1: return 20000 + draw(30000);
    case 2: return 8;
    default: return 1 + draw(500);
  }
}
static uint64_t draw_some(dart_unit_t n) {
  uint64_t bits = (uint64_t)draw(1 << 30) << 34 ^ (uint64_t)draw(1 << 30) << 12 ^ draw(1 << 12);
  return n < 64 ? bits & ((UINT64_C(1) << n) - 1) : bits;
}

/* The places of the elements of a transfer: position i of each. */
struct layout {
  enum { CONTIGUOUS, STRIDED, INDEXED } kind;
  unsigned stride, block, variant;
};
static const size_t index_lengths[] = {2, 1, 3}, index_places[][3] = {{4, 0, 8}, {0, 3, 5}, {9, 7, 2}};
static const size_t index_extents[] = {11, 8, 9}; /* from the lowest place to the highest end */
enum { INDEX_SUM = 6, TYPED_UNIT = 12 /* elements; lengths are multiples of it in any layout */ };

static struct layout draw_layout(void) {
  static const unsigned blocks[] = {1, 2, 3, 4, 6};
  struct layout layout = {.kind = draw(3), .block = blocks[draw(5)], .variant = draw(3)};
  layout.stride = layout.block + draw(7);
  return layout;
}

static size_t place_of(const struct layout *layout, size_t i) {
  if (layout->kind == CONTIGUOUS) return i;
  if (layout->kind == STRIDED) return i / layout->block * layout->stride + i % layout->block;
  size_t within = i % INDEX_SUM, part = within < 2 ? 0 : within < 3 ? 1 : 2;
  static const size_t before[] = {0, 2, 3};
  return i / INDEX_SUM * index_extents[layout->variant] + index_places[layout->variant][part] + within - before[part];
}

/* The elements from the first to the end of the last. */
static size_t span_of(const struct layout *layout, size_t n) {
  size_t span = 0;
  for (size_t i = 0; i < n; i++) {
    if (place_of(layout, i) >= span) span = place_of(layout, i) + 1;
  }
  return span;
}

static dart_datatype_t make_type(const struct layout *layout) {
  dart_datatype_t type = DART_TYPE_INT;
  if (layout->kind == STRIDED) OK(dart_type_create_strided(DART_TYPE_INT, layout->stride, layout->block, &type));
  if (layout->kind == INDEXED)
    OK(dart_type_create_indexed(DART_TYPE_INT, 3, index_lengths, index_places[layout->variant], &type));
  return type;
}

/* An operation of one unit, or of several. */
enum kind { PUT, GET, TYPED_PUT, TYPED_GET, ACCUMULATE, FETCH, SWAP, LOCKED, MESSAGE, KINDS_N };
enum how { BLOCKING, HANDLE, IMPLICIT, DROPPED, HOWS_N };
struct step {
  enum kind kind;
  enum how how;
  dart_unit_t origin, target; /* in the team */
  uint64_t origins;           /* bits: the kinds of additions */
  unsigned key;
  size_t off, bytes;          /* in the target's part */
  size_t n;                   /* elements */
  struct layout there, here;
  int type;                   /* the unit that adds */
  void *data;                 /* buffer of the origin while the step is outstanding */
  unsigned char *expected;    /* and the result that a get or a receive must have */
};

static const struct adder {
  dart_datatype_t type;
  size_t bytes;
} adders[] = {{DART_TYPE_UINT, 4}, {DART_TYPE_ULONG, 8}, {DART_TYPE_DOUBLE, 8}};

/* A team, its memory, and the expected content. */
struct space {
  dart_team_t team;
  dart_unit_t self, n;
  dart_gptr_t base;
  dart_lock_t lock;
  unsigned char *mine;
  unsigned char *model;      /* of all members, one after the other */
  size_t used[UNITS_MAX];    /* in this round, of each member's part */
  struct step steps[STEPS_N];
  int steps_n;
};

static unsigned char *model_of(const struct space *s, const struct step *step) {
  return s->model + (size_t)step->target * PART + step->off;
}

/* Bytes of the target's part that no other step of this round touches. False: there are none left. */
static bool reserve(struct space *s, struct step *step, size_t bytes) {
  size_t off = (s->used[step->target] + draw(40) + 7) / 8 * 8;
  if (step->kind < TYPED_PUT) off += draw(8);
  if (off + bytes > PART) return false;
  step->off = off;
  step->bytes = bytes;
  s->used[step->target] = off + bytes;
  return true;
}

static size_t draw_size(struct step *step) {
  switch (step->kind) {
    case TYPED_PUT:
    case TYPED_GET:
      step->n = TYPED_UNIT * (1 + (size_t)draw(draw(4) ? 10 : 300));
      step->there = draw_layout();
      step->here = draw_layout();
      return 4 * span_of(&step->there, step->n);
    case ACCUMULATE:
      step->type = (int)draw(3);
      step->n = 1 + (size_t)draw(draw(4) ? 20 : 2000);
      return step->n * adders[step->type].bytes;
    case FETCH:
    case SWAP:
    case LOCKED: step->type = 1; return 8;
    case MESSAGE: step->n = draw_bytes(); return 0;
    default: return draw_bytes();
  }
}

static bool draw_step(struct space *s, struct step *step) {
  *step = (struct step){.kind = (enum kind)draw(KINDS_N), .how = (enum how)draw(HOWS_N)};
  step->origin = (dart_unit_t)draw((unsigned)s->n);
  step->target = (dart_unit_t)draw((unsigned)s->n);
  step->origins = draw_some(s->n) | UINT64_C(1) << step->origin;
  step->key = draw(1 << 20);
  return reserve(s, step, draw_size(step));
}

/* ---- the model ---- */

/* Element i of a unit's addition; whole numbers, so that the order of adding does not matter. */
static unsigned share_of(const struct step *step, dart_unit_t unit, size_t i) {
  return (step->key + 77 * (unsigned)unit + (unsigned)i) % 1000;
}

static void add_share(const struct step *step, unsigned char *there, dart_unit_t unit) {
  for (size_t i = 0; i < (step->kind == ACCUMULATE ? step->n : 1); i++) {
    unsigned share = share_of(step, unit, i);
    if (step->type == 0) ((uint32_t *)(void *)there)[i] += share;
    else if (step->type == 1) ((uint64_t *)(void *)there)[i] += share;
    else ((double *)(void *)there)[i] += share;
  }
}

/* Numbers that are added to start at zero: some patterns are no numbers. */
static bool starts_at_zero(const struct step *step) { return step->kind == ACCUMULATE && step->type == 2; }

static unsigned char *copy_of(const void *data, size_t bytes) {
  unsigned char *copy = private_buffer(bytes);
  return memcpy(copy, data, bytes);
}

/* Local data of a typed step; holes keep the guard. */
static int *typed_data(const struct step *step, const int *from) {
  size_t span = span_of(&step->here, step->n);
  int *data = private_buffer(4 * span);
  for (size_t i = 0; i < step->n; i++) {
    size_t k = place_of(&step->here, i);
    if (from) data[k] = from[place_of(&step->there, i)];
    else fill(&data[k], step->key + (unsigned)i, sizeof data[k]);
  }
  return data;
}

static void apply(const struct space *s, struct step *step) {
  unsigned char *there = model_of(s, step);
  bool mine = step->origin == s->self;
  if (starts_at_zero(step)) {
    memset(there, 0, step->bytes);
    if (step->target == s->self) memset(s->mine + step->off, 0, step->bytes);
  }
  switch (step->kind) {
    case PUT:
      fill(there, step->key, step->bytes);
      if (mine) step->data = copy_of(there, step->bytes);
      break;
    case GET:
      if (!mine) break;
      step->data = private_buffer(step->bytes);
      step->expected = copy_of(there, step->bytes);
      break;
    case TYPED_PUT: {
      int *data = typed_data(step, NULL);
      for (size_t i = 0; i < step->n; i++)
        memcpy(there + 4 * place_of(&step->there, i), &data[place_of(&step->here, i)], 4);
      if (mine) step->data = data;
      else free(data);
      break;
    }
    case TYPED_GET:
      if (!mine) break;
      step->data = private_buffer(4 * span_of(&step->here, step->n));
      step->expected = (unsigned char *)typed_data(step, (const int *)(const void *)there);
      break;
    case MESSAGE:
      step->data = private_buffer(step->n);
      step->expected = private_buffer(step->n);
      fill(step->expected, step->key, step->n);
      break;
    default:
      for (dart_unit_t unit = 0; unit < s->n; unit++) {
        if (step->origins >> unit & 1) add_share(step, there, unit);
      }
  }
}

static void draw_steps(struct space *s) {
  memset(s->used, 0, sizeof s->used);
  s->steps_n = 0;
  while (s->steps_n < STEPS_N && draw_step(s, &s->steps[s->steps_n])) apply(s, &s->steps[s->steps_n++]);
}

/* ---- the steps ---- */

static dart_gptr_t place(const struct space *s, const struct step *step) {
  return at(s->base, step->target, (int64_t)step->off);
}

struct transfer {
  dart_gptr_t there;
  void *data;
  size_t n;
  dart_datatype_t type_there, type_here;
};

static dart_handle_t start_put(const struct transfer *t, enum how how) {
  dart_handle_t handle = DART_HANDLE_NULL;
  if (how == BLOCKING) OK(dart_put_blocking(t->there, t->data, t->n, t->type_here, t->type_there));
  else if (how == IMPLICIT) OK(dart_put(t->there, t->data, t->n, t->type_here, t->type_there));
  else OK(dart_put_handle(t->there, t->data, t->n, t->type_here, t->type_there, &handle));
  if (how == DROPPED) OK(dart_handle_free(&handle));
  return handle;
}

static dart_handle_t start_get(const struct transfer *t, enum how how) {
  dart_handle_t handle = DART_HANDLE_NULL;
  if (how == BLOCKING) OK(dart_get_blocking(t->data, t->there, t->n, t->type_there, t->type_here));
  else if (how == IMPLICIT) OK(dart_get(t->data, t->there, t->n, t->type_there, t->type_here));
  else OK(dart_get_handle(t->data, t->there, t->n, t->type_there, t->type_here, &handle));
  if (how == DROPPED) OK(dart_handle_free(&handle));
  return handle;
}

static dart_handle_t transfer(const struct space *s, struct step *step) {
  bool typed = step->kind >= TYPED_PUT, put = step->kind == PUT || step->kind == TYPED_PUT;
  struct transfer t = {place(s, step), step->data, typed ? step->n : step->bytes, DART_TYPE_BYTE, DART_TYPE_BYTE};
  if (typed) {
    t.type_there = make_type(&step->there);
    t.type_here = make_type(&step->here);
  }
  dart_handle_t handle = put ? start_put(&t, step->how) : start_get(&t, step->how);
  if (typed && step->there.kind) OK(dart_type_destroy(&t.type_there));
  if (typed && step->here.kind) OK(dart_type_destroy(&t.type_here));
  return handle;
}

static void accumulate(const struct space *s, struct step *step) {
  const struct adder *adder = &adders[step->type];
  size_t bytes = step->n * adder->bytes;
  step->data = memset(private_buffer(bytes), 0, bytes);
  add_share(step, step->data, s->self);
  if (step->how == BLOCKING)
    OK(dart_accumulate_blocking_local(place(s, step), step->data, step->n, adder->type, DART_OP_SUM));
  else OK(dart_accumulate(place(s, step), step->data, step->n, adder->type, DART_OP_SUM));
}

static void fetch(const struct space *s, const struct step *step) {
  uint64_t share = share_of(step, s->self, 0), before = 0;
  OK(dart_fetch_and_op(place(s, step), &share, &before, DART_TYPE_ULONG, DART_OP_SUM));
  OK(dart_flush_local(place(s, step)));
}

static void swap(const struct space *s, const struct step *step) {
  uint64_t seen = 0, before = 1, next;
  while (seen != before) {
    before = seen;
    next = before + share_of(step, s->self, 0);
    OK(dart_compare_and_swap(place(s, step), &next, &before, &seen, DART_TYPE_ULONG));
    OK(dart_flush_local(place(s, step)));
  }
}

static void add_under_lock(const struct space *s, const struct step *step) {
  uint64_t value = 0;
  OK(dart_lock_acquire(s->lock));
  OK(dart_get_blocking(&value, place(s, step), 1, DART_TYPE_ULONG, DART_TYPE_ULONG));
  value += share_of(step, s->self, 0);
  OK(dart_put_blocking(place(s, step), &value, 1, DART_TYPE_ULONG, DART_TYPE_ULONG));
  OK(dart_lock_release(s->lock));
}

static dart_global_unit_t global(const struct space *s, dart_unit_t unit) {
  dart_global_unit_t found = {-1};
  OK(dart_team_unit_l2g(s->team, DART_TEAM_UNIT_ID(unit), &found));
  return found;
}

static void message(const struct space *s, struct step *step) {
  int tag = 1 + (int)(step - s->steps);
  bool sends = step->origin == s->self, receives = step->target == s->self;
  dart_global_unit_t to = global(s, step->target), from = global(s, step->origin);
  if (sends && receives)
    OK(dart_sendrecv(step->expected, step->n, DART_TYPE_BYTE, tag, to, step->data, step->n, DART_TYPE_BYTE, tag, from));
  else if (sends) OK(dart_send(step->expected, step->n, DART_TYPE_BYTE, tag, to));
  else if (receives) OK(dart_recv(step->data, step->n, DART_TYPE_BYTE, tag, from));
}

static dart_handle_t take_step(const struct space *s, struct step *step) {
  if (step->kind == MESSAGE) message(s, step);
  else if (step->kind <= TYPED_GET) return step->origin == s->self ? transfer(s, step) : DART_HANDLE_NULL;
  else if (!(step->origins >> s->self & 1)) return DART_HANDLE_NULL;
  else if (step->kind == ACCUMULATE) accumulate(s, step);
  else if (step->kind == FETCH) fetch(s, step);
  else if (step->kind == SWAP) swap(s, step);
  else add_under_lock(s, step);
  return DART_HANDLE_NULL;
}

/* A thread executes every n-th step, the same ones on all units, so that each receive meets its send. */
struct runner {
  struct space *space;
  int first, stride;
};

static void *take_steps(void *arg) {
  const struct runner *r = arg;
  dart_handle_t handles[STEPS_N];
  size_t n = 0;
  for (int i = r->first; i < r->space->steps_n; i += r->stride) {
    handles[n] = take_step(r->space, &r->space->steps[i]);
    if (handles[n] != DART_HANDLE_NULL) n++;
  }
  OK(dart_waitall(handles, n));
  return NULL;
}

static void take_all_steps(struct space *s, int threads_n) {
  pthread_t threads[THREADS_MAX];
  struct runner runners[THREADS_MAX];
  for (int i = 0; i < threads_n; i++) {
    runners[i] = (struct runner){s, i, threads_n};
    if (i > 0) pthread_create(&threads[i], NULL, take_steps, &runners[i]);
  }
  take_steps(&runners[0]);
  for (int i = 1; i < threads_n; i++) pthread_join(threads[i], NULL);
}

/* ---- checks ---- */

static void complain(const struct space *s, const char *what, const struct step *step, size_t byte) {
  check_failures++;
  fprintf(stderr, "unit %d: seed %llu, round %d, team of %d: %s is wrong at byte %zu (step %d: kind %d, how %d, %d to %d, "
                  "%zu bytes at %zu)\n",
          self, (unsigned long long)seed, round_number, s->n, what, byte, step ? (int)(step - s->steps) : -1,
          step ? (int)step->kind : -1, step ? (int)step->how : -1, step ? step->origin : -1, step ? step->target : -1,
          step ? step->bytes : 0, step ? step->off : 0);
}

static size_t first_difference(const unsigned char *a, const unsigned char *b, size_t bytes) {
  if (memcmp(a, b, bytes) == 0) return bytes;
  size_t i = 0;
  while (a[i] == b[i]) i++;
  return i;
}

static void check_memory(const struct space *s) {
  size_t i = first_difference(s->mine, s->model + (size_t)s->self * PART, PART);
  if (i == PART) return;
  const struct step *guilty = NULL;
  for (int k = 0; k < s->steps_n; k++) {
    const struct step *step = &s->steps[k];
    if (step->target == s->self && i >= step->off && i < step->off + step->bytes) guilty = step;
  }
  complain(s, "the own memory", guilty, i);
}

static void end_step(const struct space *s, struct step *step) {
  bool receives = step->kind == MESSAGE ? step->target == s->self : step->expected != NULL;
  size_t bytes = step->kind == TYPED_GET ? 4 * span_of(&step->here, step->n) : step->kind == MESSAGE ? step->n : step->bytes;
  if (receives) {
    size_t i = first_difference(step->data, step->expected, bytes + 1); /* with the guard */
    if (i <= bytes) complain(s, "what came", step, i);
  }
  free(step->data);
  free(step->expected);
}

/* Each unit's share, and the whole, in any team and size. */
static void collectives(const struct space *s) {
  size_t bytes = draw_bytes() % 30000 + 1, n = (size_t)s->n;
  dart_team_unit_t root = DART_TEAM_UNIT_ID((int)draw((unsigned)n));
  unsigned key = draw(1 << 20);
  unsigned char *one = private_buffer(bytes), *all = private_buffer(n * bytes);
  uint64_t sum = key + (unsigned)s->self;
  fill(one, key + (unsigned)s->self, bytes);
  switch (draw(4)) {
    case 0:
      OK(dart_allgather(one, all, bytes, DART_TYPE_BYTE, s->team));
      for (size_t i = 0; i < n; i++) CHECK_EQ(wrong(all + i * bytes, key + (unsigned)i, bytes), 0);
      break;
    case 1:
      OK(dart_bcast(one, bytes, DART_TYPE_BYTE, root, s->team));
      CHECK_EQ(wrong(one, key + (unsigned)root.id, bytes), 0);
      break;
    case 2:
      OK(dart_gather(one, all, bytes, DART_TYPE_BYTE, root, s->team));
      OK(dart_scatter(all, one, bytes, DART_TYPE_BYTE, root, s->team));
      CHECK_EQ(wrong(one, key + (unsigned)s->self, bytes), 0);
      break;
    case 3:
      for (size_t i = 0; i < n; i++) fill(all + i * bytes, key + (unsigned)(s->self * 100) + (unsigned)i, bytes);
      OK(dart_alltoall(NULL, all, bytes, DART_TYPE_BYTE, s->team));
      for (size_t i = 0; i < n; i++) CHECK_EQ(wrong(all + i * bytes, key + (unsigned)(i * 100) + (unsigned)s->self, bytes), 0);
  }
  CHECK_EQ(one[bytes], GUARD);
  CHECK_EQ(all[n * bytes], GUARD);
  OK(dart_allreduce(&sum, &sum, 1, DART_TYPE_ULONG, DART_OP_SUM, s->team));
  CHECK_EQ(sum, n * key + n * (n - 1) / 2);
  free(one), free(all);
}

static void one_round(struct space *s, int which) {
  draw_from((uint64_t)round_number, (uint64_t)which + 1);
  draw_steps(s);
  OK(dart_barrier(s->team));
  take_all_steps(s, may_thread ? 1 + (int)draw(THREADS_MAX) : 1);
  OK(dart_flush_all(s->base));
  collectives(s);
  OK(dart_barrier(s->team));
  check_memory(s);
  for (int i = 0; i < s->steps_n; i++) end_step(s, &s->steps[i]);
}

/* ---- teams and memory ---- */

static dart_team_t draw_team(void) {
  dart_group_t group = DART_GROUP_NULL;
  dart_team_t team = DART_TEAM_NULL;
  uint64_t bits = draw_some(units_n) | UINT64_C(1) << draw((unsigned)units_n);
  OK(dart_group_create(&group));
  for (int unit = 0; unit < units_n; unit++) {
    if (bits >> unit & 1) OK(dart_group_addmember(group, DART_GLOBAL_UNIT_ID(unit)));
  }
  OK(dart_team_create(DART_TEAM_ALL, group, &team));
  OK(dart_group_destroy(&group));
  return team;
}

/* Collective over all units; a unit that is no member has a space without a team. */
static void open_space(struct space *s, dart_team_t team) {
  *s = (struct space){.team = team};
  if (team == DART_TEAM_NULL) return;
  s->self = team_self(team);
  s->n = team_units_n(team);
  s->base = team_alloc(team, PART, DART_TYPE_BYTE);
  s->mine = own_part(s->base, s->self);
  s->model = private_buffer((size_t)s->n * PART);
  memset(s->model, 0, (size_t)s->n * PART);
  memset(s->mine, 0, PART);
  OK(dart_team_lock_init(team, &s->lock));
}

static void close_space(struct space *s) {
  if (s->team == DART_TEAM_NULL) return;
  OK(dart_team_lock_destroy(&s->lock));
  OK(dart_team_memfree(s->base));
  if (s->team != DART_TEAM_ALL) OK(dart_team_destroy(&s->team));
  free(s->model);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Unit 0 reads the clock. */
static bool goes_on(double end, bool by_clock) {
  int more = by_clock ? now() < end : round_number < ROUNDS;
  OK(dart_bcast(&more, 1, DART_TYPE_INT, DART_TEAM_UNIT_ID(0), DART_TEAM_ALL));
  return more && !check_failures;
}

static void some_rounds(void) {
  static struct space spaces[SPACES_N];
  draw_from((uint64_t)round_number, 0);
  for (int i = 0; i < SPACES_N; i++) open_space(&spaces[i], i == 0 ? DART_TEAM_ALL : draw_team());
  for (int k = 0; k < NEW_TEAMS_EVERY; k++, round_number++) {
    for (int i = 0; i < SPACES_N; i++) {
      if (spaces[i].team != DART_TEAM_NULL) one_round(&spaces[i], i);
    }
  }
  for (int i = 0; i < SPACES_N; i++) close_space(&spaces[i]);
}

static void set_seed(const char *wish, bool by_clock) {
  seed = wish ? strtoull(wish, NULL, 0) : by_clock ? (uint64_t)time(NULL) : 1;
  OK(dart_bcast(&seed, 1, DART_TYPE_ULONG, DART_TEAM_UNIT_ID(0), DART_TEAM_ALL));
  if (self == 0) printf("dart_mix: seed %llu\n", (unsigned long long)seed); /* at once: the end may hang */
  fflush(stdout);
}

static void start_threaded(int *argc, char ***argv) {
  dart_thread_support_level_t level = DART_THREAD_SINGLE;
  dart_global_unit_t me = {-1};
  size_t n = 0;
  if (dart_init_thread(argc, argv, &level) != DART_OK) exit(EXIT_FAILURE);
  OK(dart_myid(&me));
  OK(dart_size(&n));
  self = me.id;
  units_n = (dart_unit_t)n;
  may_thread = level == DART_THREAD_MULTIPLE;
}

int main(int argc, char **argv) {
  start_threaded(&argc, &argv);
  double seconds = argc > 1 ? strtod(argv[1], NULL) : SECONDS;
  if (units_n <= UNITS_MAX) {
    set_seed(argc > 2 ? argv[2] : NULL, seconds > 0);
    for (double end = now() + seconds; goes_on(end, seconds > 0);) some_rounds();
    if (self == 0) printf("dart_mix: %d rounds\n", round_number);
  }
  int result = finish();
  return units_n <= UNITS_MAX ? result : 77;
}
