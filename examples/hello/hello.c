/* hello: every unit leaves a greeting in its own global memory; unit 0 reads them and prints them in order.
 *
 * Usage: hello
 */
#include <stdio.h>
#include <string.h>

#include <dash/dart/if/dart.h>
#include <tessera.h>

#include "../arguments.h"

enum { GREETING_BYTES = 64 };

static void compose(char text[GREETING_BYTES], int unit, size_t units, int node)
{
  memset(text, 0, GREETING_BYTES);
  snprintf(text, GREETING_BYTES, "hello from unit %d of %zu on node %d", unit, units, node);
}

/* Reads each unit's greeting and prints it. Returns whether each came from the unit that it was read from. */
static int print_in_order(dart_gptr_t greetings, size_t units)
{
  int good = 1;
  for (size_t unit = 0; unit < units; unit++) {
    char text[GREETING_BYTES];
    dart_gptr_t from = greetings;
    dart_gptr_setunit(&from, dart_create_team_unit((dart_unit_t)unit));
    if (dart_get_blocking(text, from, GREETING_BYTES, DART_TYPE_BYTE, DART_TYPE_BYTE) != DART_OK) return 0;
    printf("%.*s\n", GREETING_BYTES, text);

    int sender = -1;
    good = good && sscanf(text, "hello from unit %d", &sender) == 1 && sender == (int)unit;
  }
  return good;
}

int main(int argc, char **argv)
{
  if (dart_init(&argc, &argv) != DART_OK) return 1;

  dart_global_unit_t me;
  size_t units = 0;
  dart_myid(&me);
  dart_size(&units);
  if (!read_arguments("hello", argc, argv, me.id == 0, 0, NULL)) {
    dart_exit();
    return WRONG_ARGUMENTS;
  }

  dart_gptr_t greetings;
  if (dart_team_memalloc_aligned(DART_TEAM_ALL, GREETING_BYTES, DART_TYPE_BYTE, &greetings) != DART_OK) {
    dart_exit();
    return 1;
  }

  void *mine = NULL;
  dart_gptr_t here = greetings;
  dart_gptr_setunit(&here, dart_create_team_unit(me.id));
  dart_gptr_getaddr(here, &mine);
  compose(mine, me.id, units, (int)tessera_node());
  dart_barrier(DART_TEAM_ALL); /* a plain store is visible to the other units after the barrier */

  int good = 1;
  if (me.id == 0) {
    const int nodes = (int)tessera_nodes();
    printf("hello: %zu unit%s on %d node%s\n", units, units == 1 ? "" : "s", nodes, nodes == 1 ? "" : "s");
    good = print_in_order(greetings, units);
    printf("hello: check %s\n", good ? "passed" : "FAILED");
  }

  /* Every unit ends with the same code; the broadcast also keeps the memory alive until unit 0 has read it. */
  dart_bcast(&good, 1, DART_TYPE_INT, dart_create_team_unit(0), DART_TEAM_ALL);
  dart_team_memfree(greetings);
  dart_exit();
  return good ? 0 : 1;
}
