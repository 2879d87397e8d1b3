/* The last unit stays away until the others have reported that it is missing: FILE, their output, has a report (TSR-0007) for
 * each of WORDS, with these words in this order; words that begin with [ begin with the unit that reports.
 *   absent WHAT FILE WORDS...
 * WHAT: barrier, bcast, barrier_nb, allreduce_nb, named; asked: a barrier, and it sends SIGUSR1 to the first unit of its node
 * and to itself; asked-remote: signals to the first, and all wait for unit 0, which waits for the last one; cycle: the others
 * wait for each other, and in the end the last unit dies; with 8 units messages, or death: the last unit dies instead
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <tessera.h>
#include <tessera/coll.h>
#include <tessera/message.h>

#include <dash/dart/if/dart.h>
#include <dash/dart/if/dart_ext.h>

#include "../spmd/says.h"
#include "core/team.h"
#include "node/heap.h"

static bool has_report(const char *file, const char *words) {
  char line[2048];
  bool found = false;
  FILE *in = fopen(file, "r");
  while (in && !found && fgets(line, sizeof line, in))
    found = has_words(*words == '[' ? line : strstr(line, "warning: TSR-"), words);
  if (in) fclose(in);
  return found;
}

static tessera_status_t finish(tessera_status_t started, tessera_request_t *request) {
  return started ? started : tessera_wait(request);
}

/* The last unit is no part of it. */
static tessera_status_t wait_in_a_ring(void) {
  const int32_t self = tessera_unit(), last = tessera_units() - 1;
  if (self == last) _exit(7);
  return tessera_receive(&(char){0}, 1, (self + 1) % last, 5, NULL);
}

/* Each unit waits for unit 0, which waits for the last one. */
static tessera_status_t wait_for_first(void) {
  const int32_t self = tessera_unit(), last = tessera_units() - 1;
  char token = 0;
  if (self == last) return tessera_send(&token, 1, 0, 6);
  tessera_status_t status = tessera_receive(&token, 1, self ? 0 : last, 6, NULL);
  for (int32_t unit = 1; self == 0 && !status && unit < last; unit++) status = tessera_send(&token, 1, unit, 6);
  return status;
}

/* Each signal is answered, although no other one follows. The first answers may come before unit 0 waits. Ten of them are printed,
 * so the pause before each is twice as long as the one before. */
static void ask_one_by_one(const char *file) {
  static int asked_n;
  char line[2048];
  int answers_n = 0;
  FILE *in = fopen(file, "r");
  while (in && fgets(line, sizeof line, in)) answers_n += strstr(line, "TSR-0008") != NULL;
  if (in) fclose(in);
  if (answers_n < asked_n || tsr_wait_reason(&tsr_heap_unit(0)->why).kind != TSR_WAIT_MESSAGE) return;
  for (int i = 1; i < 1 << asked_n; i++) nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
  asked_n++;
  kill(atomic_load(&tsr_heap_unit(0)->pid), SIGUSR1);
}

/* The signals may arrive before the first unit of the node waits. */
static void ask(void) {
  kill(atomic_load(&tsr_heap_unit(0)->pid), SIGUSR1);
  raise(SIGUSR1);
}

static tessera_status_t call(const char *what) {
  static int64_t one = 1, sum;
  tessera_team_t all = tessera_team_world();
  tessera_request_t request = {0};
  if (!strcmp(what, "cycle")) return wait_in_a_ring();
  if (!strcmp(what, "asked-remote")) return wait_for_first();
  if (!strcmp(what, "barrier") || !strcmp(what, "asked")) return tessera_barrier(all);
  if (!strcmp(what, "bcast")) return tessera_bcast(all, &one, sizeof one, tessera_units() - 1);
  if (!strcmp(what, "barrier_nb")) return finish(tessera_barrier_nb(all, &request), &request);
  if (!strcmp(what, "allreduce_nb")) {
    tessera_reduction_t how = tessera_builtin(TESSERA_I64, TESSERA_SUM);
    return finish(tessera_allreduce_nb(all, &one, &sum, 1, how, &request), &request);
  }
  tessera_status_t status = tessera_barrier_notify(all, 7);
  return status ? status : tessera_barrier_wait(all);
}

/* Each unit waits for the last one in another way. */
enum { LONG_BYTES = 100000 };
static char data[LONG_BYTES];

static bool wait_native(tessera_status_t started, tessera_request_t *request) { return !started && !tessera_wait(request); }
static bool wait_dart(dart_ret_t started, dart_handle_t *handle) {
  return started == DART_OK && dart_wait(handle) == DART_OK;
}

static bool probe(void) {
  tessera_message_t found;
  bool good = !tessera_probe(TESSERA_ANY_UNIT, TESSERA_ANY_TAG, &found) && found.tag == 15;
  return good && !tessera_receive(data, 1, found.unit, found.tag, NULL);
}

static bool receive_two(int32_t last) {
  tessera_request_t requests[2];
  return !tessera_receive_nb(data, 1, TESSERA_ANY_UNIT, 10, NULL, &requests[0]) &&
         !tessera_receive_nb(data + 1, 1, last, 20, NULL, &requests[1]) && !tessera_wait_all(requests, 2);
}

static bool found_team(int32_t first, int32_t last) {
  const tsr_unit units[2] = {{first}, {last}};
  tsr_team *team;
  return !tsr_team_create_alone(2, units, 0, &team) && !tsr_team_destroy(team);
}

static bool meet_last(int32_t self, int32_t last) {
  dart_global_unit_t there = DART_GLOBAL_UNIT_ID(last);
  tessera_request_t request = {0};
  dart_handle_t handle;
  switch (self) {
    case 0: return receive_two(last);
    case 1: return wait_dart(dart_irecv(data, 1, DART_TYPE_BYTE, 11, there, NULL, &handle), &handle);
    case 2: return wait_dart(dart_issend(data, 1, DART_TYPE_BYTE, 12, there, &handle), &handle);
    case 3: return wait_native(tessera_send_sync_nb(data, 1, last, 13, &request), &request);
    case 4: return wait_native(tessera_send_nb(data, LONG_BYTES, last, 14, &request), &request);
    case 5: return probe();
    default: return found_team(self, last);
  }
}

static bool meet_all(int32_t last) {
  dart_global_unit_t one = DART_GLOBAL_UNIT_ID(1), two = DART_GLOBAL_UNIT_ID(2);
  return !tessera_send(data, 1, 0, 10) && !tessera_send(data, 1, 0, 20) && !dart_send(data, 1, DART_TYPE_BYTE, 11, one) &&
         !dart_recv(data, 1, DART_TYPE_BYTE, 12, two) && !tessera_receive(data, 1, 3, 13, NULL) &&
         !tessera_receive(data, LONG_BYTES, 4, 14, NULL) && !tessera_send(data, 1, 5, 15) && found_team(last - 1, last);
}

static tessera_status_t exchange(const char *what) {
  int32_t self = tessera_unit(), last = tessera_units() - 1;
  if (self == last && !strcmp(what, "death")) raise(SIGKILL);
  return (self == last ? meet_all(last) : meet_last(self, last)) ? TESSERA_OK : TESSERA_ERR_PEER;
}

int main(int argc, char **argv) {
  if (argc < 4 || tessera_init(&argc, &argv) || dart_init(&argc, &argv) || tessera_barrier(tessera_team_world()))
    return EXIT_FAILURE;
  bool stays_away = tessera_unit() == tessera_units() - 1;
  for (int i = 3; i < argc && stays_away; i++) {
    while (!has_report(argv[2], argv[i])) {
      if (!strcmp(argv[1], "asked")) ask();
      if (!strcmp(argv[1], "asked-remote")) ask_one_by_one(argv[2]);
      nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
  }
  bool by_messages = !strcmp(argv[1], "messages") || !strcmp(argv[1], "death");
  if (by_messages ? exchange(argv[1]) : call(argv[1])) return EXIT_FAILURE;
  return dart_exit() || tessera_exit() ? EXIT_FAILURE : EXIT_SUCCESS;
}
