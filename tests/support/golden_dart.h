/* What the programs of tests/fault/messages_dart*.c have in common. Each has a list CALLS(CALL) of calls
 *
 *   CALL(NUMBER, HOW, ERROR, CALL)   number of the message; when and by whom (support/golden.h); the error that is returned; the
 *                                    call */
#ifndef TESTS_GOLDEN_DART_H
#define TESTS_GOLDEN_DART_H

#include <stdint.h>

#include <dash/dart/if/dart.h>

#include "support/golden.h"

enum { ELEMS = 128, BYTES = ELEMS * sizeof(long) };
static dart_team_t own;   /* the calling unit alone */
static dart_gptr_t data;  /* ELEMS elements of each unit */

static int unit(void) {
  dart_global_unit_t self;
  dart_myid(&self);
  return self.id;
}

static bool start(int *argc, char ***argv) {
  dart_group_t alone;
  if (dart_init(argc, argv) || dart_group_create(&alone)) return false;
  dart_group_addmember(alone, DART_GLOBAL_UNIT_ID(unit()));
  bool is_ready = !dart_team_create(DART_TEAM_ALL, alone, &own) &&
                  !dart_team_memalloc_aligned(DART_TEAM_ALL, ELEMS, DART_TYPE_LONG, &data);
  dart_group_destroy(&alone);
  return is_ready;
}

static void end(void) { dart_exit(); }
static void barrier(void) { dart_barrier(DART_TEAM_ALL); }

#define GOLDEN_FUNCTION(number, how, error, call) \
  static bool wrong_##number(void) { return (call) == DART_ERR_##error; }
#define GOLDEN_ROW(number, how, error, call) {#number, wrong_##number, how},

#define GOLDEN_MAIN(start, end)                                                                                               \
  CALLS(GOLDEN_FUNCTION)                                                                                                      \
  static const struct golden_case cases[] = {CALLS(GOLDEN_ROW)};                                                              \
  int main(int argc, char **argv) {                                                                                           \
    return golden_main(argc, argv, &(struct golden_program){cases, sizeof cases / sizeof *cases, start, end, unit, barrier}); \
  }

#endif
