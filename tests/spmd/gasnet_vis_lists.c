/* GASNet's vector and indexed transfers: random pieces on both sides, cut differently, compared with copies byte by
 * byte.
 * Group: gasnet_calls
 */
#include "gasnet_vis.h"

enum { ROUNDS = 240, PIECES = 1500 };

/* One side: disjoint pieces of an area, in any order. */
struct pieces {
  size_t n, off[PIECES], bytes[PIECES];
};

static void swap(size_t *a, size_t *b) {
  size_t c = *a;
  *a = *b;
  *b = c;
}

static void shuffle(struct pieces *p) {
  for (size_t i = 0; i < p->n; i++) {
    size_t j = below(i + 1);
    swap(&p->off[i], &p->off[j]);
    swap(&p->bytes[i], &p->bytes[j]);
  }
}

/* Pieces of any length, `total` bytes in all, some empty. */
static void cut(struct pieces *p, size_t total) {
  size_t at = 0, gaps = AREA - total, longest = 1 + below(chance(20) ? 2000 : 60);
  p->n = 0;
  if (chance(10)) p->off[p->n] = 0, p->bytes[p->n++] = 0;
  while (total > 0) {
    size_t bytes = 1 + below(longest), gap = gaps ? below(gaps / 4 + 1) : 0;
    if (bytes > total || p->n + 4 >= PIECES) bytes = total;
    if (chance(50)) gap = 0;
    p->off[p->n] = at += gap;
    p->bytes[p->n++] = bytes;
    at += bytes;
    gaps -= gap;
    total -= bytes;
    if (chance(5)) p->off[p->n] = below(AREA), p->bytes[p->n++] = 0;
  }
  if (chance(70)) shuffle(p);
}

/* `n` pieces of one length. */
static void cut_evenly(struct pieces *p, size_t n, size_t bytes) {
  size_t slots = AREA / bytes, slot = 0;
  p->n = n;
  for (size_t i = 0; i < n; i++, slot++) {
    size_t spare = slots - slot - (n - i);
    slot += spare && chance(50) ? below(spare / 2 + 1) : 0;
    p->off[i] = slot * bytes;
    p->bytes[i] = bytes;
  }
  if (chance(70)) shuffle(p);
}

static void copy(char *to, const struct pieces *dst, const char *from, const struct pieces *src) {
  static char stream[AREA];
  size_t at = 0;
  for (size_t i = 0; i < src->n; at += src->bytes[i], i++) memcpy(stream + at, from + src->off[i], src->bytes[i]);
  at = 0;
  for (size_t i = 0; i < dst->n; at += dst->bytes[i], i++) memcpy(to + dst->off[i], stream + at, dst->bytes[i]);
}

static char local[ROOM], expected[ROOM];
static struct pieces dst, src;
static gex_Memvec_t dst_vector[PIECES], src_vector[PIECES];
static void *dst_list[PIECES], *src_list[PIECES];

/* An empty piece may lie anywhere, also at an invalid address. */
static void list(const struct pieces *p, char *base, gex_Memvec_t vector[], void *addresses[]) {
  for (size_t i = 0; i < p->n; i++) {
    vector[i].gex_addr = addresses[i] = base + p->off[i];
    vector[i].gex_len = p->bytes[i];
    if (!p->bytes[i] && chance(70)) vector[i].gex_addr = chance(50) ? NULL : (void *)expected;
  }
}

static void put(int target, enum way way, int round, bool indexed) {
  const gex_Rank_t rank = (gex_Rank_t)target;
  const gex_Flags_t flags = flags_of(way, true);
  write_area(target);
  scribble(local, ROOM);
  copy(image + GUARD, &dst, local + GUARD, &src);
  list(&dst, area_of(target), dst_vector, dst_list);
  list(&src, local + GUARD, src_vector, src_list);
#define PUT_I(name) gex_VIS_IndexedPut##name(all, rank, dst.n, dst_list, dst.bytes[0], src.n, src_list, src.bytes[0], flags)
#define PUT_V(name) gex_VIS_VectorPut##name(all, rank, dst.n, dst_vector, src.n, src_vector, flags)
  if (indexed) COMPLETE(target, way, true, local, ROOM, PUT_I(NB), PUT_I(NBI), PUT_I(Blocking));
  else COMPLETE(target, way, true, local, ROOM, PUT_V(NB), PUT_V(NBI), PUT_V(Blocking));
  if (!area_is_as_expected(target)) report(indexed ? "an indexed put" : "a vector put", round, target, way);
}

static void get(int target, enum way way, int round, bool indexed) {
  const gex_Rank_t rank = (gex_Rank_t)target;
  write_area(target);
  scribble(local, ROOM);
  memcpy(expected, local, ROOM);
  copy(expected + GUARD, &dst, image + GUARD, &src);
  list(&dst, local + GUARD, dst_vector, dst_list);
  list(&src, area_of(target), src_vector, src_list);
#define GET_I(name) gex_VIS_IndexedGet##name(all, dst.n, dst_list, dst.bytes[0], rank, src.n, src_list, src.bytes[0], 0)
#define GET_V(name) gex_VIS_VectorGet##name(all, dst.n, dst_vector, rank, src.n, src_vector, 0)
  if (indexed) COMPLETE(target, way, false, local, ROOM, GET_I(NB), GET_I(NBI), GET_I(Blocking));
  else COMPLETE(target, way, false, local, ROOM, GET_V(NB), GET_V(NBI), GET_V(Blocking));
  if (memcmp(local, expected, ROOM) != 0) report(indexed ? "an indexed get" : "a vector get", round, target, way);
}

/* The same number of bytes on both sides: in one piece, or in pieces whose lengths divide each other, or not. */
static void cut_both_evenly(void) {
  static const size_t lengths[] = {1, 2, 4, 8, 8, 8, 12, 16, 24, 48, 64, 120};
  size_t a = lengths[below(LENGTH(lengths))], b = lengths[below(LENGTH(lengths))], most = AREA / 2 / (a * b);
  size_t times = 1 + below(most < 150 ? most + 1 : 150);
  while (times > 1 && (times * a > PIECES || times * b > PIECES)) times--;
  if (a * b > AREA / 2) b = a = 8, times = 10;
  cut_evenly(&dst, times * a, b);
  cut_evenly(&src, times * b, a);
  if (chance(15)) cut_evenly(&dst, 1, times * a * b);
  else if (chance(15)) cut_evenly(&src, 1, times * a * b);
}

static void nothing_to_do(gex_Rank_t target) {
  void *somewhere[1] = {NULL};
  gex_Memvec_t empty[2] = {{NULL, 0}, {NULL, 0}};
  check_nothing((int)target, gex_VIS_VectorPutNB(all, target, 0, NULL, 0, NULL, 0));
  check_nothing((int)target, gex_VIS_VectorGetNB(all, 2, empty, target, 1, empty, 0));
  check_nothing((int)target, gex_VIS_IndexedPutNB(all, target, 1, somewhere, 0, 0, NULL, 8, 0));
  check_nothing((int)target, gex_VIS_IndexedGetNB(all, 0, NULL, 8, target, 1, somewhere, 0, 0));
  CHECK_EQ(gex_VIS_IndexedPutNBI(all, target, 1, somewhere, 0, 0, NULL, 8, 0), 0);
  CHECK_EQ(gex_VIS_IndexedGetBlocking(all, 0, NULL, 8, target, 1, somewhere, 0, 0), 0);
}

/* Pieces of one length, few and many; the last one ends where the area does; in some lists one has another length. */
static void edges(int target, int round) {
  static const size_t numbers[] = {1, 2, 7, 8, 64, 65, 300};
  for (size_t k = 0; k < LENGTH(numbers); k++)
    for (size_t bytes = 1; bytes <= 33; bytes = bytes * 2 + (bytes == 4))
      for (int odd = 0; odd < 4; odd++) {
        const size_t n = numbers[k];
        dst.n = n;
        for (size_t i = 0; i < n; i++) dst.off[i] = AREA - (i + 1) * (bytes + 3) + 3, dst.bytes[i] = bytes;
        src.n = n;
        for (size_t i = 0; i < n; i++) src.off[i] = (i * 7 + 3) % n * bytes + 1, src.bytes[i] = bytes;
        if (n % 7 == 0) src.off[n - 1] = n * bytes + 1;
        if (odd == 1) src.n = 1, src.off[0] = 5, src.bytes[0] = n * bytes;
        if (odd == 2) dst.bytes[n / 2] = bytes - 1, src.bytes[n / 2] = bytes - 1;
        if (odd == 3 && n > 1) src.bytes[0] = bytes + 1, src.bytes[n - 1] = bytes - 1, src.off[0] = AREA / 2;
        const bool indexed = odd < 2 && round % 2 == 0;
        if (k % 2) put(target, BLOCKING, round, indexed);
        else get(target, BLOCKING, round, indexed);
      }
}

int main(int argc, char **argv) {
  start(&argc, &argv, NULL, 0, ROOM);
  random_state = 99 + (uint64_t)self;
  for (int round = 0; round < ROUNDS; round++) {
    int target = (self + round) % units_n;
    bool indexed = round % 3 == 0;
    size_t total = 1 + below(AREA * 3 / 4);
    if (indexed) cut_both_evenly();
    else cut(&dst, total), cut(&src, total);
    if (chance(50)) put(target, (enum way)below(WAYS_N), round, indexed);
    else get(target, (enum way)below(WAYS_N), round, indexed);
    if (round % 16 == 0) nothing_to_do((gex_Rank_t)target);
    if (round < 4) edges(target, round);
    barrier();
  }
  return finish();
}
