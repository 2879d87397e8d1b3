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
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "node/share.h"

enum { MEMORY_BYTES = 4096, OTHER_USER = 65534, RECEIVERS_N = 5 };
static const uint64_t nonce = 0x7e55e2a0c0ffee11;

/* The exit code of a child. */
enum { FINE = 0, NOTHING_CAME = 1, SKIPPED = 77, BROKEN = 99 };

static int count_descriptors(void) {
  int n = 0;
  DIR *directory = opendir("/proc/self/fd");
  while (directory && readdir(directory)) n++;
  if (directory) closedir(directory);
  return n;
}

/* The shared memory, with the nonce in it. */
static int make_memory(void) {
  int fd = memfd_create("test_share", MFD_CLOEXEC);
  assert_true(fd >= 0);
  assert_int_equal(ftruncate(fd, MEMORY_BYTES), 0);
  assert_int_equal(pwrite(fd, &nonce, sizeof nonce, 0), sizeof nonce);
  return fd;
}

/* A process with a listener. */
struct party {
  struct tsr_share_credentials credentials;
  int listener;
};

static struct party open_listener(void) {
  struct party party;
  party.listener = tsr_share_open(&party.credentials, RECEIVERS_N);
  assert_true(party.listener >= 0);
  assert_true(fcntl(party.listener, F_GETFD) & FD_CLOEXEC);
  return party;
}

static struct party leader;
static int descriptors_before;

static int start_test(void **state) {
  (void)state;
  descriptors_before = count_descriptors();
  leader = open_listener();
  return 0;
}

static int nothing_is_left_open(void **state) {
  (void)state;
  if (leader.listener >= 0) close(leader.listener);
  return count_descriptors() == descriptors_before ? 0 : -1;
}

static bool is_the_memory(int fd) {
  uint64_t found = 0;
  if (!(fcntl(fd, F_GETFD) & FD_CLOEXEC)) return false;
  return pread(fd, &found, sizeof found, 0) == (ssize_t)sizeof found && found == nonce;
}

/* Both ends of a connection in this process. */
static void assert_connected(int a, int b) {
  int there = 17, back = 0;
  assert_true(tsr_share_send_data(a, &there, sizeof there) && tsr_share_receive_data(b, &back, sizeof back));
  assert_int_equal(back, there);
}

static void assert_broken(int connection) {
  char byte;
  assert_false(tsr_share_receive_data(connection, &byte, sizeof byte));
}

static void close_both(int a, int b) {
  close(a);
  close(b);
}

/* Runs in a child, which owns the listener `own`. */
typedef int (*role_fn)(const struct party *own);

struct child {
  pid_t pid;
  struct tsr_share_credentials credentials;
};

/* A child that opens a listener, after `prepare` has set its conditions, and sends its credentials. It counts its descriptors. */
static struct child start(int (*prepare)(void), role_fn role) {
  struct child child;
  int pipes[2];
  assert_int_equal(pipe(pipes), 0);
  child.pid = fork();
  assert_true(child.pid >= 0);
  if (child.pid == 0) {
    close(leader.listener);
    close(pipes[0]);
    int problem = prepare ? prepare() : 0, before = count_descriptors();
    struct party own = open_listener();
    if (write(pipes[1], &own.credentials, sizeof own.credentials) != (ssize_t)sizeof own.credentials) _exit(BROKEN);
    if (problem) _exit(problem);
    int end = role(&own);
    _exit(count_descriptors() == before ? end : BROKEN);
  }
  close(pipes[1]);
  assert_int_equal(read(pipes[0], &child.credentials, sizeof child.credentials), sizeof child.credentials);
  close(pipes[0]);
  return child;
}

static int end_of(struct child child) {
  int status;
  assert_int_equal(waitpid(child.pid, &status, 0), child.pid);
  return WIFEXITED(status) ? WEXITSTATUS(status) : BROKEN;
}

/* Receives and maps the memory, and writes a mark where the leader tells it to. */
static int receiver(const struct party *own) {
  int fd = -7, place = 0, connection = tsr_share_take(own->listener, &own->credentials, &leader.credentials, &fd);
  if (connection < 0) return fd == -7 ? NOTHING_CAME : BROKEN;
  if (!is_the_memory(fd) || !tsr_share_receive_data(connection, &place, sizeof place)) return BROKEN;
  uint64_t *memory = mmap(NULL, MEMORY_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (memory == MAP_FAILED) return BROKEN;
  memory[1 + place] = nonce + (uint64_t)place;
  munmap(memory, MEMORY_BYTES);
  bool said = tsr_share_send_data(connection, &place, sizeof place);
  close_both(connection, fd);
  return said ? FINE : BROKEN;
}

static void receivers_map_the_same_memory(void **state) {
  (void)state;
  struct child children[RECEIVERS_N];
  int connections[RECEIVERS_N], fd = make_memory();
  for (int i = 0; i < RECEIVERS_N; i++) children[i] = start(NULL, receiver);
  for (int i = 0; i < RECEIVERS_N; i++) {
    connections[i] = tsr_share_give(&children[i].credentials, fd);
    assert_true(connections[i] >= 0);
    assert_true(tsr_share_send_data(connections[i], &i, sizeof i));
  }
  for (int i = 0; i < RECEIVERS_N; i++) {
    int place = -1;
    uint64_t mark = 0;
    assert_true(tsr_share_receive_data(connections[i], &place, sizeof place));
    assert_int_equal(place, i);
    assert_int_equal(pread(fd, &mark, sizeof mark, 8 * (1 + i)), sizeof mark);
    assert_int_equal(mark, nonce + (uint64_t)i);
    assert_int_equal(end_of(children[i]), FINE);
    assert_broken(connections[i]); /* the leader learns from it that the child has ended */
    close(connections[i]);
  }
  close(fd);
}

/* As on a host where net.core.somaxconn is smaller than the number of units. */
static void a_short_queue_keeps_nobody_away(void **state) {
  assert_int_equal(listen(leader.listener, 0), 0);
  receivers_map_the_same_memory(state);
}

/* Neither end waits for the other before it has to. */
static void giving_precedes_taking(void **state) {
  (void)state;
  struct party receiver_party = open_listener();
  int fd = make_memory(), got = -1;
  int there = tsr_share_give(&receiver_party.credentials, fd);
  assert_true(there >= 0);
  int here = tsr_share_take(receiver_party.listener, &receiver_party.credentials, &leader.credentials, &got);
  assert_true(here >= 0);
  assert_true(is_the_memory(got));
  assert_connected(there, here);
  assert_connected(here, there);
  assert_int_equal(tsr_share_give(&receiver_party.credentials, fd), -1); /* its listener is closed now */
  close_both(there, here);
  close_both(fd, got);
}

static void tickets_are_fresh(void **state) {
  (void)state;
  struct party other = open_listener();
  assert_int_not_equal(other.credentials.number, leader.credentials.number);
  assert_memory_not_equal(other.credentials.token, leader.credentials.token, sizeof other.credentials.token);
  close(other.listener);
}

/* A connection made by hand, to misbehave. A leader sends the token and the descriptor in one message. */
static int call_by_hand(const struct tsr_share_credentials *credentials) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  int length = snprintf(address.sun_path + 1, sizeof address.sun_path - 1, "tessera-%016llx",
                        (unsigned long long)credentials->number);
  int connection = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  socklen_t bytes = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length);
  if (connect(connection, (struct sockaddr *)&address, bytes)) _exit(BROKEN);
  return connection;
}

static bool send_by_hand(int connection, const void *words, size_t bytes, const int fds[], size_t fds_n) {
  _Alignas(struct cmsghdr) char control[CMSG_SPACE(2 * sizeof(int))] = {0};
  struct iovec data = {.iov_base = (void *)words, .iov_len = bytes};
  struct msghdr header = {
      .msg_iov = &data, .msg_iovlen = 1, .msg_control = control, .msg_controllen = CMSG_LEN(fds_n * sizeof(int))};
  struct cmsghdr *part = CMSG_FIRSTHDR(&header);
  *part = (struct cmsghdr){.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
  part->cmsg_len = CMSG_LEN(fds_n * sizeof(int));
  memcpy(CMSG_DATA(part), fds, fds_n * sizeof(int));
  return sendmsg(connection, &header, MSG_NOSIGNAL) == (ssize_t)bytes;
}

static void the_right_one_is_taken_beside(struct party *receiver_party, const int wrong[], int wrong_n) {
  int fd = make_memory(), got = -1;
  int there = tsr_share_give(&receiver_party->credentials, fd);
  assert_true(there >= 0);
  int here = tsr_share_take(receiver_party->listener, &receiver_party->credentials, &leader.credentials, &got);
  assert_true(here >= 0);
  assert_true(is_the_memory(got));
  assert_connected(there, here);
  for (int i = 0; i < wrong_n; i++) {
    assert_broken(wrong[i]);
    close(wrong[i]);
  }
  close_both(there, here);
  close_both(fd, got);
}

static void wrong_words_are_turned_away(void **state) {
  (void)state;
  struct party receiver_party = open_listener();
  struct tsr_share_credentials wrong_credentials = receiver_party.credentials;
  wrong_credentials.token[1] ^= 1;
  int other = memfd_create("other", MFD_CLOEXEC), wrong[4];
  wrong[0] = tsr_share_give(&wrong_credentials, other);
  wrong[1] = call_by_hand(&receiver_party.credentials); /* too short */
  assert_true(send_by_hand(wrong[1], receiver_party.credentials.token, 8, &other, 1));
  wrong[2] = call_by_hand(&receiver_party.credentials); /* no descriptor */
  assert_int_equal(send(wrong[2], receiver_party.credentials.token, 16, MSG_NOSIGNAL), 16);
  wrong[3] = call_by_hand(&receiver_party.credentials); /* a wrong token, and more than one descriptor: none may stay open */
  assert_true(send_by_hand(wrong[3], wrong_credentials.token, 16, (int[]){other, other}, 2));
  the_right_one_is_taken_beside(&receiver_party, wrong, 4);
  close(other);
}

static void silent_callers_stop_nobody(void **state) {
  (void)state;
  enum { STRAYS_N = 68 }; /* and valid ones: as many as the queue takes */
  struct party receiver_party = open_listener();
  int strays[STRAYS_N];
  for (int i = 0; i < STRAYS_N; i++) strays[i] = call_by_hand(&receiver_party.credentials);
  close(strays[0]); /* this one leaves again */
  the_right_one_is_taken_beside(&receiver_party, strays + 1, STRAYS_N - 1);
}

static int become_other_user(void) { return setuid(OTHER_USER) ? BROKEN : 0; }
static int enter_other_network(void) { return unshare(CLONE_NEWNET) ? SKIPPED : 0; }

static void skip_unless_root(void) {
  if (geteuid() == 0) return;
  print_message("skipped: only root can become another user or enter another network\n");
  skip();
}

static void other_user_is_not_called_on(void **state) {
  (void)state;
  skip_unless_root();
  struct child child = start(become_other_user, receiver);
  int fd = make_memory();
  assert_int_equal(tsr_share_give(&child.credentials, fd), -1);
  assert_int_equal(end_of(child), NOTHING_CAME);
  close(fd);
}

static struct party called;

/* A caller that knows everything but has another user id. */
static int caller(const struct party *own) {
  int fd = make_memory(), connection = call_by_hand(&called.credentials);
  send_by_hand(connection, called.credentials.token, sizeof called.credentials.token, &fd, 1); /* may have been rejected already */
  char byte;
  bool heard = tsr_share_receive_data(connection, &byte, sizeof byte);
  close_both(connection, fd);
  close(own->listener);
  return heard ? BROKEN : FINE;
}

static int become_other_user_outside(void) {
  close(called.listener);
  return become_other_user();
}

static void other_user_is_turned_away(void **state) {
  (void)state;
  skip_unless_root();
  called = open_listener();
  struct child child = start(become_other_user_outside, caller);
  struct pollfd queue = {.fd = called.listener, .events = POLLIN};
  assert_int_equal(poll(&queue, 1, -1), 1); /* it is the first in the queue */
  the_right_one_is_taken_beside(&called, NULL, 0);
  assert_int_equal(end_of(child), FINE);
}

static void other_network_finds_nobody(void **state) {
  (void)state;
  skip_unless_root();
  struct child child = start(enter_other_network, receiver);
  int fd = make_memory(), connection = tsr_share_give(&child.credentials, fd), end = end_of(child);
  if (connection >= 0) close(connection);
  close(fd);
  if (end == SKIPPED) {
    print_message("skipped: no right to make a network namespace\n");
    skip();
  }
  assert_int_equal(connection, -1);
  assert_int_equal(end, NOTHING_CAME);
}

/* A leader that closes its listener or dies leaves no unit waiting. */
static void end_of_the_leader_ends_the_wait(void **state) {
  (void)state;
  struct child child = start(NULL, receiver);
  struct pollfd queue = {.fd = leader.listener, .events = POLLIN};
  assert_int_equal(poll(&queue, 1, -1), 1); /* the child waits */
  close(leader.listener);
  leader.listener = -1;
  assert_int_equal(end_of(child), NOTHING_CAME);
  child = start(NULL, receiver);
  assert_int_equal(end_of(child), NOTHING_CAME); /* it does not even begin to wait */
}

static void end_of_the_receiver_ends_the_wait(void **state) {
  (void)state;
  struct party receiver_party = open_listener();
  int fd = make_memory();
  int connection = tsr_share_give(&receiver_party.credentials, fd);
  assert_true(connection >= 0);
  close(receiver_party.listener); /* with the connection still in the queue */
  assert_broken(connection);
  close_both(connection, fd);
}

#define SHARE_TEST(test) cmocka_unit_test_setup_teardown(test, start_test, nothing_is_left_open)

int main(void) {
  const struct CMUnitTest tests[] = {
      SHARE_TEST(receivers_map_the_same_memory),
      SHARE_TEST(a_short_queue_keeps_nobody_away),
      SHARE_TEST(giving_precedes_taking),
      SHARE_TEST(tickets_are_fresh),
      SHARE_TEST(wrong_words_are_turned_away),
      SHARE_TEST(silent_callers_stop_nobody),
      SHARE_TEST(other_user_is_not_called_on),
      SHARE_TEST(other_user_is_turned_away),
      SHARE_TEST(other_network_finds_nobody),
      SHARE_TEST(end_of_the_leader_ends_the_wait),
      SHARE_TEST(end_of_the_receiver_ends_the_wait),
  };
  return cmocka_run_group_tests_name("share", tests, NULL, NULL);
}
