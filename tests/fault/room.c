/* Unit 0 sends more messages to the last unit than its ring holds, while the last unit makes no calls. It continues: `named
 * FILE`: when the file, the output of the job, reports this wait of unit 0; `asleep`: when unit 0 sleeps in it; `dies`: it is
 * killed then.
 */
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../spmd/says.h"
#include "core/bootstrap.h"
#include "core/message.h"
#include "core/place.h"
#include "node/ring.h"

enum { MAILS_N = 2 * TSR_RING_SLOTS, TAG = 1, AWAY = 2 };

static bool file_reports(const char *path, const char *words) {
  char line[1024];
  bool found = false;
  FILE *file = fopen(path, "r");
  while (file && !found && fgets(line, sizeof line, file)) found = has_words(line, words);
  if (file) fclose(file);
  return found;
}

static void go_on_when_named(const char *path) {
  char words[64];
  snprintf(words, sizeof words, "warning: TSR-0007 room unit %d record", tsr_place.self);
  while (!file_reports(path, words)) sched_yield();
}

static void go_on_when_awaited(void) {
  const struct tsr_node_unit *sender = tsr_heap_unit(0), *own = tsr_heap_unit(tsr_heap.self);
  while (sender->why.kind != TSR_WAIT_ROOM || own->pid <= 0) sched_yield();
}

/* Unit 0 waits for a message before it begins: a barrier that is not over yet would empty the ring. */
static void be_late(char **how) {
  tsr_ctrl_send(TSR_UNIT(0), AWAY, "", 1);
  if (strcmp(how[0], "named") == 0) go_on_when_named(how[1]);
  else go_on_when_awaited();
  if (strcmp(how[0], "dies") == 0) raise(SIGKILL);
}

static void send_all(tsr_unit to) {
  char word;
  tsr_ctrl_receive(to, AWAY, &word, sizeof word);
  for (int64_t i = 0; i < MAILS_N; i++) tsr_ctrl_send(to, TAG, &i, sizeof i);
}

static bool receive_all(void) {
  bool right = true;
  for (int64_t i = 0, got; i < MAILS_N; i++) {
    tsr_ctrl_receive(TSR_UNIT(0), TAG, &got, sizeof got);
    right = right && got == i;
  }
  return right;
}

int main(int argc, char **argv) {
  if (argc < 2 || tessera_init(&argc, &argv)) return EXIT_FAILURE;
  int32_t last = tsr_place.units_n - 1;
  bool right = true;
  tsr_bootstrap_barrier(tsr_team_world);
  if (tsr_place.self == 0) send_all(TSR_UNIT(last));
  if (tsr_place.self == last) {
    be_late(argv + 1);
    right = receive_all();
  }
  tsr_bootstrap_barrier(tsr_team_world);
  tessera_exit();
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
