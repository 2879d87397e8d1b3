/* The end of one interface waits only for its own messages: a long one of another interface is received after it.
 * Units: 2 4
 */
#include <dash/dart/if/dart.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/message.h>

#include "check.h"

#define OK(call) CHECK_EQ(call, TESSERA_OK)

enum { BYTES = 1 << 20, TAG = 3 };

int main(int argc, char **argv) {
  static char sent[BYTES], received[BYTES];
  tessera_request_t request;
  OK(tessera_init(&argc, &argv));
  CHECK_EQ(dart_init(&argc, &argv), DART_OK);
  const int32_t self = tessera_unit(), next = (self + 1) % tessera_units(), before = (self + tessera_units() - 1) % tessera_units();
  memset(sent, self + 1, sizeof sent);
  OK(tessera_send_nb(sent, sizeof sent, next, TAG, &request));
  CHECK_EQ(dart_exit(), DART_OK);
  OK(tessera_receive(received, sizeof received, before, TAG, NULL));
  OK(tessera_wait(&request));
  CHECK_EQ(received[0], before + 1);
  CHECK(!memcmp(received, received + 1, sizeof received - 1));
  OK(tessera_exit());
  return check_result();
}
