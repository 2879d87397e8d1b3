/* The last unit does not call in, and unit 0 sends it more than its ring holds. `named FILE`: it goes on when the file
 * says what unit 0 waits for; `asleep`: when unit 0 sleeps for that; `dies`: then it is killed.
 */
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/agree.h"
#include "core/message.h"
#include "core/place.h"
#include "node/ring.h"

enum { MAILS_N = 2 * TSR_RING_SLOTS, TAG = 1, AWAY = 2 };

static bool file_says(const char *path, const char *words) {
  char line[1024];
  bool found = false;
  FILE *file = fopen(path, "r");
  while (file && !found && fgets(line, sizeof line, file)) found = strstr(line, words) != NULL;
  if (file) fclose(file);
  return found;
}

static void go_on_when_named(const char *path) {
  char words[64];
  snprintf(words, sizeof words, "for room in the ring of unit %d for a record of", tsr_place.self);
  while (!file_says(path, words)) sched_yield();
}

static void go_on_when_awaited(void) {
  const struct tsr_node_unit *sender = tsr_heap_unit(0), *own = tsr_heap_unit(tsr_heap.self);
  while (sender->why.kind != TSR_WAIT_ROOM || own->pid <= 0) sched_yield();
}

/* What comes while it still waits in the barrier would be taken from the ring. */
static void be_late(char **how) {
  tsr_mail_send(TSR_UNIT(0), AWAY, "", 1);
  if (strcmp(how[0], "named") == 0) go_on_when_named(how[1]);
  else go_on_when_awaited();
  if (strcmp(how[0], "dies") == 0) raise(SIGKILL);
}

static void send_all(tsr_unit to) {
  char word;
  tsr_mail_receive(to, AWAY, &word, sizeof word);
  for (int64_t i = 0; i < MAILS_N; i++) tsr_mail_send(to, TAG, &i, sizeof i);
}

static bool receive_all(void) {
  bool right = true;
  for (int64_t i = 0, got; i < MAILS_N; i++) {
    tsr_mail_receive(TSR_UNIT(0), TAG, &got, sizeof got);
    right = right && got == i;
  }
  return right;
}

int main(int argc, char **argv) {
  if (argc < 2 || tessera_init(&argc, &argv)) return EXIT_FAILURE;
  int32_t last = tsr_place.units_n - 1;
  bool right = true;
  tsr_agree_barrier(tsr_team_world);
  if (tsr_place.self == 0) send_all(TSR_UNIT(last));
  if (tsr_place.self == last) {
    be_late(argv + 1);
    right = receive_all();
  }
  tsr_agree_barrier(tsr_team_world);
  tessera_exit();
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
