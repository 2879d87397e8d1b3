/* A program as written in 2017, on dart_v3.h: one type for each transfer, and handles by value.
 * Group: dart_calls
 */
#include <dash/dart/if/dart_v3.h>

#include "check.h"

#define OK(call) CHECK_EQ(call, DART_OK)

enum { WORDS = 1000 };

static void put(dart_gptr_t gptr, const int *values, int way) {
  dart_handle_t handle;
  if (way == 0) {
    OK(dart_put_blocking(gptr, values, WORDS, DART_TYPE_INT));
  } else if (way == 1) {
    OK(dart_put(gptr, values, WORDS, DART_TYPE_INT));
    OK(dart_flush(gptr));
  } else {
    OK(dart_put_handle(gptr, values, WORDS, DART_TYPE_INT, &handle));
    OK(dart_wait(handle));
    OK(dart_wait(handle)); /* the variable is as it was */
  }
}

static void get(int *values, dart_gptr_t gptr, int way) {
  dart_handle_t handle;
  int32_t done = 0;
  if (way == 0) {
    OK(dart_get_blocking(values, gptr, WORDS, DART_TYPE_INT));
  } else if (way == 1) {
    OK(dart_get(values, gptr, WORDS, DART_TYPE_INT));
    OK(dart_flush_local(gptr));
  } else {
    OK(dart_get_handle(values, gptr, WORDS, DART_TYPE_INT, &handle));
    while (!done) OK(dart_test_local(handle, &done));
    OK(dart_test_local(handle, &done));
    CHECK(done);
    OK(dart_wait_local(handle));
  }
}

int main(int argc, char **argv) {
  dart_global_unit_t me;
  size_t units;
  static int mine[WORDS], back[WORDS];
  OK(dart_init(&argc, &argv));
  OK(dart_myid(&me));
  OK(dart_size(&units));
  dart_gptr_t gptr, right;
  OK(dart_team_memalloc_aligned(DART_TEAM_ALL, WORDS, DART_TYPE_INT, &gptr));
  right = gptr;
  OK(dart_gptr_setunit(&right, DART_TEAM_UNIT_ID((me.id + 1) % (int)units)));
  for (int way = 0; way < 3; way++) {
    for (int i = 0; i < WORDS; i++) mine[i] = me.id * WORDS + i + way;
    put(right, mine, way);
    for (int i = 0; i < WORDS; i++) back[i] = -1;
    get(back, right, way);
    for (int i = 0; i < WORDS; i++) CHECK_EQ(back[i], mine[i]);
  }
  OK(dart_barrier(DART_TEAM_ALL));
  OK(dart_team_memfree(gptr));
  OK(dart_exit());
  return check_result();
}
