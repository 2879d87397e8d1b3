#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "node/share.h"

enum { MEMORY_BYTES = 4096, OTHER_USER = 65534, RECEIVERS_N = 5 };
static const uint64_t nonce = 0x7e55e2a0c0ffee11;

/* How a child ends. */
enum { SERVED = 0, TURNED_AWAY = 1, NOBODY_THERE = 2, SKIPPED = 77, BROKEN = 99 };

static int count_descriptors(void) {
  int n = 0;
  DIR *directory = opendir("/proc/self/fd");
  while (directory && readdir(directory)) n++;
  if (directory) closedir(directory);
  return n;
}

/* What is offered: memory with the nonce in it. */
static int make_memory(void) {
  int fd = memfd_create("test_share", MFD_CLOEXEC);
  assert_true(fd >= 0);
  assert_int_equal(ftruncate(fd, MEMORY_BYTES), 0);
  assert_int_equal(pwrite(fd, &nonce, sizeof nonce, 0), sizeof nonce);
  return fd;
}

static int descriptors_before;

static int count_before(void **state) {
  (void)state;
  descriptors_before = count_descriptors();
  return 0;
}

static int nothing_is_left_open(void **state) {
  (void)state;
  return count_descriptors() == descriptors_before ? 0 : -1;
}

/* The rest of a child that has a connection: fetches, maps, checks, leaves a mark in the shared memory. */
static int fetch(int connection, const struct tsr_share_ticket *ticket, int place) {
  pid_t offerer = -7;
  int fd = tsr_share_receive(connection, ticket, place, &offerer);
  if (fd < 0) return offerer == -7 ? TURNED_AWAY : BROKEN;
  if (offerer != getppid() || !(fcntl(fd, F_GETFD) & FD_CLOEXEC)) return BROKEN;
  uint64_t *memory = mmap(NULL, MEMORY_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  if (memory == MAP_FAILED || memory[0] != nonce) return BROKEN;
  memory[1 + place] = nonce + (uint64_t)place;
  munmap(memory, MEMORY_BYTES);
  return SERVED;
}

static int receiver(const struct tsr_share_ticket *ticket, int place) {
  int connection = tsr_share_connect(ticket);
  return connection < 0 ? NOBODY_THERE : fetch(connection, ticket, place);
}

static int receiver_with_wrong_token(const struct tsr_share_ticket *ticket, int place) {
  struct tsr_share_ticket wrong = *ticket;
  wrong.token[sizeof wrong.token - 1] ^= 1;
  return receiver(&wrong, place);
}

static int receiver_with_other_user(const struct tsr_share_ticket *ticket, int place) {
  return setuid(OTHER_USER) ? BROKEN : receiver(ticket, place);
}

static int receiver_in_other_network(const struct tsr_share_ticket *ticket, int place) {
  return unshare(CLONE_NEWNET) ? SKIPPED : receiver(ticket, place);
}

/* A client by hand, to misbehave: what goes over the socket is the token and the place, in one piece or not. */
static int connect_by_hand(const struct tsr_share_ticket *ticket) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  memcpy(address.sun_path + 1, ticket->name, sizeof ticket->name);
  int connection = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  socklen_t bytes = offsetof(struct sockaddr_un, sun_path) + 1 + sizeof ticket->name;
  if (connect(connection, (struct sockaddr *)&address, bytes)) _exit(BROKEN);
  return connection;
}

struct words {
  uint8_t token[32];
  int32_t place;
};

static struct words right_words(const struct tsr_share_ticket *ticket, int place) {
  struct words words = {.place = place};
  memcpy(words.token, ticket->token, sizeof words.token);
  return words;
}

/* Whether a descriptor comes back. */
static int hear_by_hand(int connection) {
  char byte, control[CMSG_SPACE(sizeof(int))] = {0};
  struct iovec data = {.iov_base = &byte, .iov_len = 1};
  struct msghdr header = {.msg_iov = &data, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
  ssize_t got = recvmsg(connection, &header, MSG_CMSG_CLOEXEC);
  close(connection);
  if (got <= 0) return TURNED_AWAY;
  struct cmsghdr *part = CMSG_FIRSTHDR(&header);
  if (!part) return BROKEN;
  int fd;
  memcpy(&fd, CMSG_DATA(part), sizeof fd);
  close(fd);
  return SERVED;
}

static int client_by_hand(const struct tsr_share_ticket *ticket, int place) {
  int connection = connect_by_hand(ticket);
  struct words words = right_words(ticket, place);
  send(connection, &words, sizeof words, MSG_NOSIGNAL);
  return hear_by_hand(connection);
}

/* Knows everything but has another user id, and does not ask whom it talks to. */
static int client_with_other_user(const struct tsr_share_ticket *ticket, int place) {
  return setuid(OTHER_USER) ? BROKEN : client_by_hand(ticket, place);
}

typedef int (*child_fn)(const struct tsr_share_ticket *ticket, int place);

/* Runs `role` in a child; it counts its own descriptors. The offer's socket is not the child's. */
static pid_t start(child_fn role, int listener, int fd, const struct tsr_share_ticket *ticket, int place) {
  pid_t child = fork();
  assert_true(child >= 0);
  if (child) return child;
  close(listener);
  close(fd);
  int before = count_descriptors();
  int end = role(ticket, place);
  _exit(count_descriptors() == before ? end : BROKEN);
}

static int end_of(pid_t child) {
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : BROKEN;
}

/* Whether the receiver with this place has mapped the memory. */
static bool has_mark(int fd, int place) {
  uint64_t mark = 0;
  assert_int_equal(pread(fd, &mark, sizeof mark, 8 * (1 + place)), sizeof mark);
  return mark == nonce + (uint64_t)place;
}

static void receivers_map_the_same_memory(void **state) {
  (void)state;
  struct tsr_share_ticket ticket;
  pid_t children[RECEIVERS_N], pids[RECEIVERS_N];
  int fd = make_memory(), listener = tsr_share_offer(&ticket, RECEIVERS_N);
  assert_true(listener >= 0);
  assert_true(fcntl(listener, F_GETFD) & FD_CLOEXEC);
  for (int i = 0; i < RECEIVERS_N; i++) children[i] = start(receiver, listener, fd, &ticket, i);
  assert_int_equal(tsr_share_serve(listener, &ticket, fd, RECEIVERS_N, pids), RECEIVERS_N);
  for (int i = 0; i < RECEIVERS_N; i++) {
    assert_int_equal(end_of(children[i]), SERVED);
    assert_int_equal(pids[i], children[i]);
    assert_true(has_mark(fd, i));
  }
  assert_int_equal(tsr_share_connect(&ticket), -1); /* the offer has ended */
  close(fd);
}

/* Connecting needs nobody who accepts: an agreement may lie between connecting and serving. */
static void connecting_precedes_serving(void **state) {
  (void)state;
  struct tsr_share_ticket ticket;
  int connections[RECEIVERS_N];
  pid_t children[RECEIVERS_N], pids[RECEIVERS_N];
  int fd = make_memory(), listener = tsr_share_offer(&ticket, RECEIVERS_N);
  for (int i = 0; i < RECEIVERS_N; i++) {
    connections[i] = tsr_share_connect(&ticket);
    assert_true(connections[i] >= 0);
  }
  for (int i = 0; i < RECEIVERS_N; i++) {
    children[i] = fork();
    assert_true(children[i] >= 0);
    if (children[i] == 0) _exit(fetch(connections[i], &ticket, i));
    close(connections[i]);
  }
  assert_int_equal(tsr_share_serve(listener, &ticket, fd, RECEIVERS_N, pids), RECEIVERS_N);
  for (int i = 0; i < RECEIVERS_N; i++) {
    assert_int_equal(end_of(children[i]), SERVED);
    assert_true(has_mark(fd, i));
    assert_int_equal(pids[i], getpid()); /* who connected */
  }
  close(fd);
}

static void names_and_tokens_are_fresh(void **state) {
  (void)state;
  struct tsr_share_ticket a, b;
  int listeners[] = {tsr_share_offer(&a, 1), tsr_share_offer(&b, 1)};
  assert_true(listeners[0] >= 0 && listeners[1] >= 0);
  assert_memory_not_equal(a.name, b.name, sizeof a.name);
  assert_memory_not_equal(a.token, b.token, sizeof a.token);
  close(listeners[0]);
  close(listeners[1]);
  assert_int_equal(tsr_share_connect(&a), -1);
}

/* Starts `wrong` first and waits until it hangs in the queue or has given up; then serves one that is right. */
static int end_beside_a_right_one(child_fn wrong, int wrong_place) {
  struct tsr_share_ticket ticket;
  pid_t pids[2] = {-5, -5};
  int fd = make_memory(), listener = tsr_share_offer(&ticket, 2);
  assert_true(listener >= 0);
  pid_t stranger = start(wrong, listener, fd, &ticket, wrong_place);
  struct pollfd queue = {.fd = listener, .events = POLLIN};
  siginfo_t ended = {0};
  while (poll(&queue, 1, 10) == 0 && ended.si_pid == 0)
    waitid(P_PID, (id_t)stranger, &ended, WEXITED | WNOHANG | WNOWAIT);
  pid_t right = start(receiver, listener, fd, &ticket, 0);
  assert_int_equal(tsr_share_serve(listener, &ticket, fd, 1, pids), 1);
  int end = end_of(stranger);
  assert_int_equal(end_of(right), SERVED);
  assert_int_equal(pids[0], right);
  assert_int_equal(pids[1], -5);
  assert_true(has_mark(fd, 0));
  assert_false(has_mark(fd, 1));
  close(fd);
  return end;
}

static void wrong_token_is_turned_away(void **state) {
  (void)state;
  assert_int_equal(end_beside_a_right_one(receiver_with_wrong_token, 1), TURNED_AWAY);
}

static void wrong_place_is_turned_away(void **state) {
  (void)state;
  assert_int_equal(end_beside_a_right_one(receiver, 2), TURNED_AWAY);
  assert_int_equal(end_beside_a_right_one(receiver, -1), TURNED_AWAY);
}

static void skip_unless_root(void) {
  if (geteuid() == 0) return;
  print_message("skipped: only root can become another user or enter another network\n");
  skip();
}

static void other_user_is_turned_away(void **state) {
  (void)state;
  skip_unless_root();
  assert_int_equal(end_beside_a_right_one(receiver_with_other_user, 1), NOBODY_THERE); /* sees whose offer it is */
  assert_int_equal(end_beside_a_right_one(client_with_other_user, 1), TURNED_AWAY);
}

static void other_network_finds_nobody(void **state) {
  (void)state;
  skip_unless_root();
  int end = end_beside_a_right_one(receiver_in_other_network, 1);
  if (end == SKIPPED) {
    print_message("skipped: no right to make a network namespace\n");
    skip();
  }
  assert_int_equal(end, NOBODY_THERE);
}

static void silent_and_slow_connections_stop_nobody(void **state) {
  (void)state;
  struct tsr_share_ticket ticket;
  pid_t pids[2] = {0};
  int fd = make_memory(), listener = tsr_share_offer(&ticket, 2);
  int silent = connect_by_hand(&ticket), slow = connect_by_hand(&ticket), gone = connect_by_hand(&ticket);
  close(gone);
  struct words words = right_words(&ticket, 1);
  assert_int_equal(send(slow, &words, 20, MSG_NOSIGNAL), 20);
  pid_t right = start(receiver, listener, fd, &ticket, 0);
  pid_t server = fork(); /* serves while this process plays the slow client */
  assert_true(server >= 0);
  if (server == 0) {
    close(silent);
    close(slow);
    _exit(tsr_share_serve(listener, &ticket, fd, 2, pids));
  }
  close(listener);
  assert_int_equal(end_of(right), SERVED); /* although the other two were first */
  assert_int_equal(send(slow, (char *)&words + 20, sizeof words - 20, MSG_NOSIGNAL), sizeof words - 20);
  assert_int_equal(hear_by_hand(slow), SERVED);
  assert_int_equal(end_of(server), 2);
  assert_int_equal(hear_by_hand(silent), TURNED_AWAY);
  close(fd);
}

/* More strays than may be open at once: they leave, and the right one has its turn. */
static void many_strays_stop_nobody(void **state) {
  (void)state;
  enum { STRAYS_N = 64 };
  struct tsr_share_ticket ticket;
  int strays[STRAYS_N];
  pid_t pids[1];
  int fd = make_memory(), listener = tsr_share_offer(&ticket, 1);
  for (int i = 0; i < STRAYS_N; i++) strays[i] = connect_by_hand(&ticket);
  pid_t right = start(receiver, listener, fd, &ticket, 0);
  assert_int_equal(tsr_share_serve(listener, &ticket, fd, 1, pids), 1);
  assert_int_equal(end_of(right), SERVED);
  for (int i = 0; i < STRAYS_N; i++) close(strays[i]);
  close(fd);
}

/* An offerer that dies or gives up leaves nobody waiting. */
static void end_of_the_offer_ends_the_wait(void **state) {
  (void)state;
  struct tsr_share_ticket ticket;
  int fd = make_memory(), listener = tsr_share_offer(&ticket, 1);
  int connection = tsr_share_connect(&ticket);
  assert_true(connection >= 0);
  assert_int_equal(tsr_share_serve(listener, &ticket, fd, 0, NULL), 0);
  pid_t offerer = -7;
  assert_int_equal(tsr_share_receive(connection, &ticket, 0, &offerer), -1);
  assert_int_equal(offerer, -7);
  close(fd);
}

#define SHARE_TEST(test) cmocka_unit_test_setup_teardown(test, count_before, nothing_is_left_open)

int main(void) {
  const struct CMUnitTest tests[] = {
      SHARE_TEST(receivers_map_the_same_memory),
      SHARE_TEST(connecting_precedes_serving),
      SHARE_TEST(names_and_tokens_are_fresh),
      SHARE_TEST(wrong_token_is_turned_away),
      SHARE_TEST(wrong_place_is_turned_away),
      SHARE_TEST(other_user_is_turned_away),
      SHARE_TEST(other_network_finds_nobody),
      SHARE_TEST(silent_and_slow_connections_stop_nobody),
      SHARE_TEST(many_strays_stop_nobody),
      SHARE_TEST(end_of_the_offer_ends_the_wait),
  };
  return cmocka_run_group_tests_name("share", tests, NULL, NULL);
}
