#include <dash/dart/if/dart_team_group.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "api/dart/dart_api.h"

#define REQUIRE(argument) \
  if (!(argument))        \
  return tsr_dart_invalid("TSR-2050 %s: %s is NULL; pass a valid pointer", __func__, #argument)

static dart_ret_t no_memory(const char *call, size_t members_n) {
  return tsr_dart_fail(TESSERA_ERR_MEMORY, "TSR-2051 %s: no private memory for a group of %zu units; free some", call,
                       members_n);
}

static struct dart_group_struct *make_group(size_t room) {
  struct dart_group_struct *group = calloc(1, sizeof *group);
  if (!group) return NULL;
  group->room = room ? room : 1;
  group->units = malloc(group->room * sizeof *group->units);
  if (group->units) return group;
  free(group);
  return NULL;
}

static struct dart_group_struct *make_of(const tsr_unit units[], size_t n) {
  struct dart_group_struct *group = make_group(n);
  if (!group) return NULL;
  if (n) memcpy(group->units, units, n * sizeof *units);
  group->n = n;
  return group;
}

static bool grow_group(struct dart_group_struct *group) {
  tsr_unit *units = realloc(group->units, 2 * group->room * sizeof *units);
  if (!units) return false;
  group->units = units;
  group->room *= 2;
  return true;
}

/* The index of the first member whose number is at least `id`. */
static size_t place_of(const struct dart_group_struct *group, int32_t id) {
  size_t low = 0, high = group->n;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (group->units[middle].id < id) low = middle + 1;
    else high = middle;
  }
  return low;
}

static bool has_at(const struct dart_group_struct *group, size_t place, int32_t id) {
  return place < group->n && group->units[place].id == id;
}

dart_ret_t dart_group_create(dart_group_t *group) {
  REQUIRE(group);
  *group = DART_GROUP_NULL;
  struct dart_group_struct *made = make_group(0);
  if (!made) return no_memory(__func__, 0);
  *group = made;
  return DART_OK;
}

dart_ret_t dart_group_destroy(dart_group_t *group) {
  REQUIRE(group);
  if (*group) free((*group)->units);
  free(*group);
  *group = DART_GROUP_NULL;
  return DART_OK;
}

dart_ret_t dart_group_clone(const dart_group_t gin, dart_group_t *gout) {
  REQUIRE(gout);
  *gout = DART_GROUP_NULL;
  REQUIRE(gin);
  struct dart_group_struct *made = make_of(gin->units, gin->n);
  if (!made) return no_memory(__func__, gin->n);
  *gout = made;
  return DART_OK;
}

dart_ret_t dart_group_union(const dart_group_t g1, const dart_group_t g2, dart_group_t *gout) {
  REQUIRE(gout);
  *gout = DART_GROUP_NULL;
  REQUIRE(g1);
  REQUIRE(g2);
  struct dart_group_struct *made = make_group(g1->n + g2->n);
  if (!made) return no_memory(__func__, g1->n + g2->n);
  for (size_t i = 0, j = 0; i < g1->n || j < g2->n;) {
    bool from_first = j == g2->n || (i < g1->n && g1->units[i].id <= g2->units[j].id);
    tsr_unit next = from_first ? g1->units[i++] : g2->units[j++];
    if (!made->n || made->units[made->n - 1].id != next.id) made->units[made->n++] = next;
  }
  *gout = made;
  return DART_OK;
}

dart_ret_t dart_group_intersect(const dart_group_t g1, const dart_group_t g2, dart_group_t *gout) {
  REQUIRE(gout);
  *gout = DART_GROUP_NULL;
  REQUIRE(g1);
  REQUIRE(g2);
  struct dart_group_struct *made = make_group(g1->n < g2->n ? g1->n : g2->n);
  if (!made) return no_memory(__func__, g1->n);
  for (size_t i = 0, j = 0; i < g1->n && j < g2->n;) {
    if (g1->units[i].id < g2->units[j].id) i++;
    else if (g1->units[i].id > g2->units[j].id) j++;
    else made->units[made->n++] = g1->units[i++];
  }
  *gout = made;
  return DART_OK;
}

dart_ret_t dart_group_addmember(dart_group_t g, dart_global_unit_t unitid) {
  REQUIRE(g);
  if (unitid.id < 0)
    return tsr_dart_invalid("TSR-2052 dart_group_addmember: unit %d is negative; units are numbered from 0", unitid.id);
  size_t place = place_of(g, unitid.id);
  if (has_at(g, place, unitid.id)) return DART_OK;
  if (g->n == g->room && !grow_group(g)) return no_memory(__func__, g->n + 1);
  memmove(g->units + place + 1, g->units + place, (g->n - place) * sizeof *g->units);
  g->units[place] = TSR_UNIT(unitid.id);
  g->n++;
  return DART_OK;
}

dart_ret_t dart_group_delmember(dart_group_t g, dart_global_unit_t unitid) {
  REQUIRE(g);
  size_t place = place_of(g, unitid.id);
  if (!has_at(g, place, unitid.id)) return DART_OK;
  g->n--;
  memmove(g->units + place, g->units + place + 1, (g->n - place) * sizeof *g->units);
  return DART_OK;
}

dart_ret_t dart_group_ismember(const dart_group_t g, dart_global_unit_t unitid, int32_t *ismember) {
  REQUIRE(ismember);
  *ismember = 0;
  REQUIRE(g);
  *ismember = has_at(g, place_of(g, unitid.id), unitid.id);
  return DART_OK;
}

dart_ret_t dart_group_size(const dart_group_t g, size_t *size) {
  REQUIRE(g);
  REQUIRE(size);
  *size = g->n;
  return DART_OK;
}

dart_ret_t dart_group_getmembers(const dart_group_t g, dart_global_unit_t *unitids) {
  REQUIRE(g);
  if (g->n) REQUIRE(unitids);
  for (size_t i = 0; i < g->n; i++) unitids[i].id = g->units[i].id;
  return DART_OK;
}

dart_ret_t dart_group_split(const dart_group_t g, size_t n, size_t *nout, dart_group_t *gout) {
  REQUIRE(g);
  REQUIRE(nout);
  REQUIRE(gout);
  if (n == 0) return tsr_dart_invalid("TSR-2053 dart_group_split: n is 0; ask for at least one piece");
  size_t share = g->n / n + (g->n % n != 0);
  for (size_t i = 0, from = 0; i < n; i++) {
    size_t take = share < g->n - from ? share : g->n - from;
    gout[i] = make_of(g->units + from, take);
    if (!gout[i]) {
      while (i > 0) dart_group_destroy(&gout[--i]);
      return no_memory(__func__, take);
    }
    from += take;
  }
  *nout = g->n;
  return DART_OK;
}
