/* Functions that the tests of DART share: start and end, pointers, basic types, patterns of bytes. */
#ifndef DART_CHECK_H
#define DART_CHECK_H

#include <stdbool.h>
#include <string.h>

#include <dash/dart/if/dart.h>

#include "check.h"
#include "pattern.h"

/* The call succeeds. */
#define OK(call) CHECK_EQ(call, DART_OK)

/* The caller and the number of units, while DART is active. */
static dart_unit_t self;
static dart_unit_t units_n;

static inline void learn_units(void) {
  dart_global_unit_t me = {-7};
  size_t n = 0;
  OK(dart_myid(&me));
  OK(dart_size(&n));
  self = me.id;
  units_n = (dart_unit_t)n;
}

static inline void start(int *argc, char ***argv) {
  if (dart_init(argc, argv) != DART_OK) exit(EXIT_FAILURE);
  learn_units();
}

static inline int finish(void) {
  OK(dart_exit());
  return check_result();
}

static inline void barrier(void) { OK(dart_barrier(DART_TEAM_ALL)); }

/* The pointer to `off` bytes after `base`, on another unit of its team. */
static inline dart_gptr_t at(dart_gptr_t base, dart_unit_t unit, int64_t off) {
  OK(dart_gptr_setunit(&base, DART_TEAM_UNIT_ID(unit)));
  OK(dart_gptr_incaddr(&base, off));
  return base;
}

/* The address of this unit's part of a segment; the caller is `unit` in the team. */
static inline void *own_part(dart_gptr_t base, dart_unit_t unit) {
  void *address = NULL;
  OK(dart_gptr_getaddr(at(base, unit, 0), &address));
  CHECK(address != NULL);
  return address;
}

static inline dart_gptr_t team_alloc(dart_team_t team, size_t nelem, dart_datatype_t type) {
  dart_gptr_t base = DART_GPTR_NULL;
  if (dart_team_memalloc_aligned(team, nelem, type, &base) == DART_OK) return base;
  CHECK(!"a segment could be allocated");
  exit(EXIT_FAILURE);
}

/* The team of the units whose bit is set, or DART_TEAM_NULL. Collective over all units. */
static inline dart_team_t team_of(unsigned bits) {
  dart_group_t group = DART_GROUP_NULL;
  dart_team_t team = DART_TEAM_NULL;
  OK(dart_group_create(&group));
  for (int unit = units_n - 1; unit >= 0; unit--) {
    if (bits >> unit & 1) OK(dart_group_addmember(group, DART_GLOBAL_UNIT_ID(unit)));
  }
  OK(dart_team_create(DART_TEAM_ALL, group, &team));
  OK(dart_group_destroy(&group));
  return team;
}

enum { EVEN_UNITS = 0x55555555, ODD_UNITS = 0x2aaaaaaa };

static inline dart_unit_t team_self(dart_team_t team) {
  dart_team_unit_t me = {-7};
  OK(dart_team_myid(team, &me));
  return me.id;
}
static inline dart_unit_t team_units_n(dart_team_t team) {
  size_t n = 0;
  OK(dart_team_size(team, &n));
  return (dart_unit_t)n;
}

static const struct basic_type {
  dart_datatype_t type;
  size_t bytes;
  bool is_integer;
} basic_types[] = {
  {DART_TYPE_BYTE, 1, true},        {DART_TYPE_SHORT, sizeof(short), true},
  {DART_TYPE_INT, 4, true},         {DART_TYPE_UINT, 4, true},
  {DART_TYPE_LONG, 8, true},        {DART_TYPE_ULONG, 8, true},
  {DART_TYPE_LONGLONG, 8, true},    {DART_TYPE_ULONGLONG, 8, true},
  {DART_TYPE_FLOAT, 4, false},      {DART_TYPE_DOUBLE, 8, false},
  {DART_TYPE_LONG_DOUBLE, sizeof(long double), false},
};
enum { BASIC_TYPES_N = sizeof basic_types / sizeof basic_types[0] };

/* Memory that must not change. */
enum { GUARD = 0xee };

static inline void *private_buffer(size_t bytes) {
  void *memory = malloc(bytes + 1);
  if (!memory) abort();
  return memset(memory, GUARD, bytes + 1);
}

/* The number of bytes that differ from the guard. */
static inline size_t touched(const void *data, size_t bytes) {
  size_t n = 0;
  for (size_t i = 0; i < bytes; i++) n += ((const unsigned char *)data)[i] != GUARD;
  return n;
}

#endif
