/* The representation of a group. */
#ifndef TSR_API_DART_GROUP_H
#define TSR_API_DART_GROUP_H

#include <stddef.h>

#include <dash/dart/if/dart_team_group.h>

#include "core/unit.h"

struct dart_group_struct {
  tsr_unit *units; /* ascending, distinct; `room` of them allocated */
  size_t n, room;
};

#endif
