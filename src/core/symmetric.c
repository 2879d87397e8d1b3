#include "core/symmetric.h"

#include <errno.h>

#include "base/hash.h"
#include "core/bootstrap.h"
#include "core/place.h"

/* This unit's part of an allocation. */
struct part {
  uint64_t off;
  tessera_status_t status; /* of the heap; not 0: there is no block */
  int error;               /* errno of that failure */
};

static void take_part(struct part *part, uint64_t from, size_t bytes) {
  part->status = tsr_heap_alloc_from(from, bytes, TSR_HEAP_SYMMETRIC, &part->off);
  part->error = errno;
}

static void give_part(const struct part *part) {
  if (!part->status) tsr_heap_free(part->off, TSR_HEAP_SYMMETRIC);
}

/* v[0]: the largest value of all units; v[1]: the largest complement of all, which is that of the smallest value. */
static bool are_equal(const int64_t v[]) { return v[0] == ~v[1]; }

/* Equal on all units if all have a block of this size at this offset. */
static int64_t describe_part(const struct part *part, size_t bytes) {
  return (int64_t)tsr_hash_add(tsr_hash_add(tsr_hash_add(TSR_HASH_NOTHING, part->off), bytes), part->status != TESSERA_OK);
}

/* Moves the parts to the lowest place that is free on all units, upwards from the largest offset. */
static tessera_status_t move_parts(struct part *part, size_t bytes) {
  for (;;) {
    const int64_t off = (int64_t)part->off;
    int64_t v[] = {off, ~off, part->status != TESSERA_OK};
    tsr_bootstrap_max(tsr_team_world, v, 3);
    if (v[2]) return TESSERA_ERR_RANGE;
    if (are_equal(v)) return TESSERA_OK;
    if (off == v[0]) continue;
    give_part(part);
    take_part(part, (uint64_t)v[0], bytes);
  }
}

/* The first unit without room knows the reason, and logs it. */
static tessera_status_t explain_lack(const struct part *part, int32_t first, bool allowed, size_t bytes, bool logs) {
  if (first != tsr_place.self) return TESSERA_ERR_PEER;
  if (!allowed) return TESSERA_ERR_LIMIT;
  if (!logs) return TESSERA_ERR_MEMORY;
  errno = part->error;
  return tsr_heap_explain(part->status, bytes);
}

/* Called after a round in which the parts differed. The round was a barrier: the frees before this call are done on all units, so
 * there may be room now where there was none. */
static tessera_status_t agree_on_parts(struct part *part, size_t bytes, bool allowed, bool logs) {
  if (part->status && allowed) take_part(part, 0, bytes);
  const int64_t size = (int64_t)bytes;
  int64_t v[] = {size, ~size, part->status ? tsr_place.units_n - tsr_place.self : 0};
  tsr_bootstrap_max(tsr_team_world, v, 3);
  if (!are_equal(v)) return TESSERA_ERR_ARG;
  if (v[2]) return explain_lack(part, tsr_place.units_n - (int32_t)v[2], allowed, bytes, logs);
  return move_parts(part, bytes);
}

static tessera_status_t allocate(size_t bytes, bool allowed, bool logs, uint64_t *off) {
  struct part part = {.status = TESSERA_ERR_LIMIT};
  if (allowed) take_part(&part, 0, bytes);
  const int64_t word = describe_part(&part, bytes);
  int64_t v[] = {word, ~word};
  tsr_bootstrap_max(tsr_team_world, v, 2);
  if (__builtin_expect(part.status || !are_equal(v), 0)) {
    tessera_status_t status = agree_on_parts(&part, bytes, allowed, logs);
    if (status) {
      give_part(&part);
      return status;
    }
  }
  *off = part.off;
  return TESSERA_OK;
}

tessera_status_t tsr_symmetric_alloc(size_t bytes, bool allowed, uint64_t *off) { return allocate(bytes, allowed, true, off); }
tessera_status_t tsr_symmetric_try(size_t bytes, bool allowed, uint64_t *off) { return allocate(bytes, allowed, false, off); }

bool tsr_symmetric_find(uint64_t off, uint64_t *bytes) {
  uint64_t start;
  return tsr_heap_find(off, &start, bytes) == TSR_HEAP_SYMMETRIC && start == off;
}

bool tsr_symmetric_same(uint64_t off) {
  int64_t v[] = {(int64_t)off, ~(int64_t)off};
  tsr_bootstrap_max(tsr_team_world, v, 2);
  return are_equal(v);
}

void tsr_symmetric_shrink(uint64_t off, size_t bytes) { tsr_heap_shrink(off, bytes, TSR_HEAP_SYMMETRIC); }
void tsr_symmetric_free(uint64_t off) { tsr_heap_free(off, TSR_HEAP_SYMMETRIC); }
void tsr_symmetric_drop_all(void) { tsr_heap_free_all(TSR_HEAP_SYMMETRIC); }
