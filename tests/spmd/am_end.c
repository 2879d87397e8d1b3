/* What was sent before the end arrives, and is answered, before tessera_exit returns; twice in one program. */
#include <tessera/am.h>
#include <tessera/coll.h>

#include "check.h"

#define OK(call) CHECK_EQ(call, TESSERA_OK)

enum { ASK, ANSWER, EACH = 400 };
static long asked_n, answered_n;
static char data[2000];

static void ask(const tessera_am_t *message, void *context) {
  (void)context;
  asked_n++;
  if (message->bytes) OK(tessera_am_reply_medium(message, ANSWER, data, sizeof data, NULL, 0, 0));
  else OK(tessera_am_reply_short(message, ANSWER, NULL, 0, 0));
}

static void answer(const tessera_am_t *message, void *context) {
  (void)message, (void)context;
  answered_n++;
}

int main(int argc, char **argv) {
  for (int life = 0; life < 2; life++) {
    if (tessera_init(&argc, &argv)) return EXIT_FAILURE;
    int32_t units_n = tessera_units();
    asked_n = answered_n = 0;
    OK(tessera_am_register(ASK, ask, NULL));
    OK(tessera_am_register(ANSWER, answer, NULL));
    OK(tessera_barrier(tessera_team_world()));
    for (int i = 0; i < EACH; i++) {
      size_t n = i % 3 ? 0 : sizeof data;
      for (int32_t to = 0; to < units_n; to++) OK(tessera_am_request_medium(to, ASK, data, n, NULL, 0, 0));
    }
    OK(tessera_exit());
    CHECK_EQ(asked_n, (long)EACH * units_n);
    CHECK_EQ(answered_n, (long)EACH * units_n);
    CHECK_EQ(tessera_am_poll(), TESSERA_ERR_STATE);
  }
  return check_result();
}
