/* Messages that were sent before the end arrive, and are answered, before tessera_exit returns: active messages, and
 * messages whose receives were started and not waited for. The program runs two jobs of all processes and two jobs on
 * each half of them. After the latter each unit frees the memory of its heap as soon as it leaves. */
#include <mpi.h>
#include <string.h>

#include <tessera/am.h>
#include <tessera/coll.h>
#include <tessera/message.h>
#include <tessera/mpi.h>

#include "check.h"

#define OK(call) CHECK_EQ(call, TESSERA_OK)

enum { ASK, ANSWER, EACH = 400, LIVES = 4, LETTERS_N = 8, LETTER_LONGS = 40000 };
static long asked_n, answered_n, wrong_n;
static char data[2000];
static long letters[2][LETTERS_N][LETTER_LONGS]; /* to send, received */
static tessera_request_t requests[LETTERS_N];

static void look(const tessera_am_t *message) {
  const char *came = message->data;
  for (size_t i = 0; i < message->bytes; i++) wrong_n += came[i] != data[i];
}

static void ask(const tessera_am_t *message, void *context) {
  (void)context;
  asked_n++;
  look(message);
  if (message->bytes) OK(tessera_am_reply_medium(message, ANSWER, data, sizeof data, NULL, 0, 0));
  else OK(tessera_am_reply_short(message, ANSWER, NULL, 0, 0));
}

static void answer(const tessera_am_t *message, void *context) {
  (void)context;
  answered_n++;
  look(message);
}

static void ask_all(int32_t units_n) {
  for (int i = 0; i < EACH; i++) {
    size_t n = i % 3 ? 0 : sizeof data;
    for (int32_t to = 0; to < units_n; to++) OK(tessera_am_request_medium(to, ASK, data, n, NULL, 0, 0));
  }
}

/* Short and long ones, to the next unit. */
static size_t letter_bytes(int i) { return i % 2 ? sizeof letters[0][0] : 8 + (size_t)i; }

static void write_letters(int32_t self, int32_t units_n) {
  for (int i = 0; i < LETTERS_N; i++) {
    for (int k = 0; k < LETTER_LONGS; k++) letters[0][i][k] = 1000 * self + 7 * i + k;
    memset(letters[1][i], 0, sizeof letters[1][i]);
    OK(tessera_receive_nb(letters[1][i], sizeof letters[1][i], (self + units_n - 1) % units_n, i, NULL, &requests[i]));
  }
  for (int i = 0; i < LETTERS_N; i++) OK(tessera_send_buffered(letters[0][i], letter_bytes(i), (self + 1) % units_n, i));
}

static void read_letters(int32_t self, int32_t units_n) {
  int32_t before = (self + units_n - 1) % units_n;
  for (int i = 0; i < LETTERS_N; i++)
    for (size_t k = 0; k < letter_bytes(i) / sizeof(long); k++) wrong_n += letters[1][i][k] != 1000 * before + 7 * i + (long)k;
}

static void live(void) {
  int32_t self = tessera_unit(), units_n = tessera_units();
  asked_n = answered_n = wrong_n = 0;
  OK(tessera_am_register(ASK, ask, NULL));
  OK(tessera_am_register(ANSWER, answer, NULL));
  OK(tessera_barrier(tessera_team_world()));
  write_letters(self, units_n);
  ask_all(units_n);
  OK(tessera_exit());
  read_letters(self, units_n);
  CHECK_EQ(asked_n, (long)EACH * units_n);
  CHECK_EQ(answered_n, (long)EACH * units_n);
  CHECK_EQ(wrong_n, 0);
  CHECK_EQ(tessera_am_poll(), TESSERA_ERR_STATE);
}

static tessera_status_t start_on_half(void) {
  int rank, size;
  MPI_Comm half;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_split(MPI_COMM_WORLD, rank < size / 2, rank, &half);
  tessera_status_t status = tessera_init_comm(half);
  MPI_Comm_free(&half);
  return status;
}

/* Progress processes do not return to the program, so with them the halves cannot be made. */
static int lives(void) {
  const char *progress = getenv("TESSERA_PROGRESS");
  return progress && strncmp(progress, "process", 7) == 0 ? LIVES / 2 : LIVES;
}

int main(int argc, char **argv) {
  for (size_t i = 0; i < sizeof data; i++) data[i] = (char)(i * 31 + 1);
  for (int i = 0; i < lives(); i++) {
    if (i < LIVES / 2 ? tessera_init(&argc, &argv) : start_on_half()) return EXIT_FAILURE;
    live();
  }
  return check_result();
}
