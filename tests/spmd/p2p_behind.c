/* A waiting thread that does not poll accepts a long message: the thread that polls for the unit, and may be asleep,
 * must wake up and move it.
 * Units: 2 4
 */
#include "check.h"

#include <pthread.h>
#include <string.h>

#include "base/wait.h"
#include "core/bootstrap.h"
#include "core/place.h"
#include "core/runtime.h"
#include "p2p/p2p.h"

enum { LONG = 300000, LETTER_FIRST = 1, LONG_ONE, LETTER_LAST };

static char data[LONG], expected[LONG];

static void receive_letter(tsr_unit from, int tag) {
  tsr_incoming in;
  char letter = 0;
  tsr_p2p_receive(&in, from, TSR_P2P_DART, tag, &letter, 1);
  CHECK_EQ(letter, 'x');
}

static void send_letter(tsr_unit to, int tag) {
  tsr_outgoing out;
  CHECK_EQ(tsr_p2p_send_start(&out, to, TSR_P2P_DART, tag, "x", 1), TESSERA_OK);
  tsr_p2p_send_wait(&out);
}

/* The thread that polls: the message that it waits for comes last. */
static void *lead(void *partner) {
  receive_letter(*(tsr_unit *)partner, LETTER_LAST);
  return NULL;
}

/* Gives the other thread time; with too little time the test only checks less. */
static void sleep_a_while(void) { tsr_wait_sleep_ns(20000000); }

static void receiver(tsr_unit partner) {
  pthread_t thread;
  pthread_create(&thread, NULL, lead, &partner);
  sleep_a_while(); /* until it polls */
  receive_letter(partner, LETTER_FIRST);
  sleep_a_while(); /* until it sleeps again */
  tsr_incoming in;
  tsr_p2p_receive(&in, partner, TSR_P2P_DART, LONG_ONE, data, LONG);
  CHECK(memcmp(data, expected, LONG) == 0);
  pthread_join(thread, NULL);
}

static void sender(tsr_unit partner) {
  tsr_outgoing out;
  memcpy(data, expected, LONG);
  CHECK_EQ(tsr_p2p_send_start(&out, partner, TSR_P2P_DART, LONG_ONE, data, LONG), TESSERA_OK);
  send_letter(partner, LETTER_FIRST);
  tsr_p2p_send_wait(&out);
  send_letter(partner, LETTER_LAST);
}

int main(int argc, char **argv) {
  if (tessera_init(&argc, &argv)) return EXIT_FAILURE;
  if (!tsr_threads_possible) return 77;
  tsr_threads = true;
  for (int i = 0; i < LONG; i++) expected[i] = (char)(i * 31 + i / 1000);
  int32_t self = tsr_place.self, half = tsr_place.units_n / 2;
  tsr_bootstrap_barrier(tsr_team_world);
  if (self < half) sender(TSR_UNIT(self + half));
  else receiver(TSR_UNIT(self - half));
  CHECK_EQ(tessera_exit(), TESSERA_OK);
  return check_result();
}
