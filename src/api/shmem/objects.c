/* Symmetric objects: blocks of the heap and images of static variables, for messages about addresses that are in none of them. */
#include "api/shmem/shmem_api.h"

#include <stdio.h>

struct object {
  const char *what, *begin;
  uint64_t bytes; /* 0: there is none */
};

/* Bytes between the address and the object; 0: it is inside. */
static uint64_t distance_to(const struct object *object, const void *address) {
  const uint64_t at = (uintptr_t)address, begin = (uintptr_t)object->begin, end = begin + object->bytes;
  return at < begin ? begin - at : at >= end ? at - end + 1 : 0;
}

static void keep_nearer(struct object *nearest, const struct object *other, const void *address) {
  if (!nearest->bytes || distance_to(other, address) < distance_to(nearest, address)) *nearest = *other;
}

static struct object find_nearest(const void *address) {
  struct object nearest = {0}, other = {.what = "the static variables"};
  for (size_t i = 0; tsr_shmem_static_range(i, &other.begin, &other.bytes); i++) keep_nearer(&nearest, &other, address);
  other.what = "the block";
  for (uint64_t off = 0; tsr_heap_next(TSR_HEAP_SYMMETRIC, &off, &other.bytes); off++) {
    other.begin = tsr_heap_at(tsr_heap.self, off);
    keep_nearer(&nearest, &other, address);
  }
  return nearest;
}

static void describe_nearest(const void *address, char *text, size_t room) {
  const struct object nearest = find_nearest(address);
  const uint64_t distance = distance_to(&nearest, address);
  char place[48] = "begin in, and go beyond,";
  if (!nearest.bytes) {
    snprintf(text, room, "there is no block of shmem_malloc, and no symmetric variable");
    return;
  }
  if (distance && (const char *)address < nearest.begin)
    snprintf(place, sizeof place, "begin %llu bytes before", (unsigned long long)distance);
  else if (distance) snprintf(place, sizeof place, "begin %llu bytes behind", (unsigned long long)distance - 1);
  snprintf(text, room, "they %s %s of %llu bytes at %p", place, nearest.what, (unsigned long long)nearest.bytes, nearest.begin);
}

void tsr_shmem_die_address(const void *address, size_t bytes, const char *call) {
  uint32_t local;
  uint64_t off;
  char nearest[160];
  if (tsr_heap_contains(address, &local, &off) && local != tsr_heap.self)
    tsr_shmem_die("TSR-5008 %s: %p is an address of PE %d, as shmem_ptr returns them; pass the caller's own address of the "
                  "variable", call, address, tsr_place_unit(local).id);
  if (!tsr_shmem_is_symmetric(address, 1, &off)) tsr_shmem_die_if_variable(address, call);
  describe_nearest(address, nearest, sizeof nearest);
  tsr_shmem_die("TSR-5009 %s: %zu bytes at %p are not symmetric: %s; pass memory of shmem_malloc, or global or static variables of "
                "the program and of libraries that it was linked with", call, bytes, address, nearest);
}

void tsr_shmem_require_live(const void *address, uint64_t off, size_t bytes, const char *call) {
  uint64_t start, size;
  const int use = tsr_heap_find(off, &start, &size);
  if (use < 0)
    tsr_shmem_die("TSR-5062 %s: %zu bytes at %p are in no live block of the symmetric heap: the block was freed, or never "
                  "allocated; pass memory of shmem_malloc before shmem_free", call, bytes, address);
  if (use == TSR_HEAP_SYMMETRIC && (off - start > size || bytes > size - (off - start)))
    tsr_shmem_die_address(address, bytes, call);
}
