/* The exit warns of messages that were never received, once on each unit, with their number and the first; a unit
 * without such messages prints no warning.
 * Group: core_calls
 */
#include <tessera/message.h>

#include "check.h"
#include "says.h"

#define OK(call) CHECK_EQ(call, TESSERA_OK)

enum { SHORTS_N = 3, FIRST_TAG = 31, LONG = 100000 };

static char data[LONG];

static void begin(int32_t *next, int32_t *before) {
  OK(tessera_init(NULL, NULL));
  int32_t units_n = tessera_units();
  *next = (tessera_unit() + 1) % units_n;
  *before = (tessera_unit() + units_n - 1) % units_n;
}

static void nothing_is_lost(void) {
  int32_t next, before;
  char text[4096];
  begin(&next, &before);
  OK(tessera_send_buffered(data, LONG, next, 1));
  OK(tessera_receive(data, LONG, before, 1, NULL));
  listen();
  tessera_status_t status = tessera_exit();
  CHECK(!heard_one_line("", text, sizeof text));
  OK(status);
  CHECK_EQ(strlen(text), 0);
}

static void all_are_lost(void) {
  int32_t next, before;
  char words[200];
  begin(&next, &before);
  for (int i = 0; i < SHORTS_N; i++) OK(tessera_send(data, 8, next, FIRST_TAG + i));
  OK(tessera_send_buffered(data, LONG, next, FIRST_TAG + SHORTS_N));
  snprintf(words, sizeof words, "TSR-0803 %d %d %d", SHORTS_N + 1, before, FIRST_TAG);
  SAYS(words, TESSERA_OK, tessera_exit());
}

int main(void) {
  if (!open_ears()) return check_skip();
  nothing_is_lost();
  all_are_lost();
  nothing_is_lost();
  return check_result();
}
