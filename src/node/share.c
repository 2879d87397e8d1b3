#include "node/share.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/limit.h"
#include "base/log.h"
#include "base/status.h"

/* STRAYS_MAX: connections of other programs, besides those of the expected processes. */
enum { TIMEOUT_S = 10, RETRY_MS = 20, STRAYS_MAX = 64 };

/* The name is readable, so that a list of sockets shows that this one is Tessera's. A first byte of zero makes the name an abstract
 * one: it belongs to the network namespace and ends with the socket. */
static socklen_t make_address(const struct tsr_share_credentials *credentials, struct sockaddr_un *address) {
  *address = (struct sockaddr_un){.sun_family = AF_UNIX};
  int length = snprintf(address->sun_path + 1, sizeof address->sun_path - 1, "tessera-%016llx",
                        (unsigned long long)credentials->number);
  return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length);
}

int tsr_share_open(struct tsr_share_credentials *credentials, int callers_max) {
  struct tsr_share_credentials fresh;
  struct sockaddr_un address;
  int listener = -1;
  if (getrandom(&fresh, sizeof fresh, 0) != (ssize_t)sizeof fresh) goto fail;
  listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (listener < 0) goto fail;
  if (bind(listener, (struct sockaddr *)&address, make_address(&fresh, &address))) goto fail;
  if (listen(listener, callers_max + STRAYS_MAX)) goto fail;
  *credentials = fresh;
  return listener;

fail:
  tsr_fail(TESSERA_ERR_SYSTEM, "TSR-0110 cannot share memory with other units of this host: local socket: %s; this unit will "
           "be a node of its own; %s", strerror(errno), tsr_limit_remedy(errno));
  if (listener >= 0) close(listener);
  return -1;
}

static bool peer_is_ours(int connection) {
  struct ucred peer;
  socklen_t bytes = sizeof peer;
  return getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &bytes) == 0 && peer.uid == geteuid();
}

enum {
  NO_PROCESS = -1 /* no process is there, or none of our user id */,
  QUEUE_FULL = -2 /* no room in the queue at the listener */
};

/* Connects to the listener with these credentials. `waits`: waits for up to TIMEOUT_S while the queue of the listener is full.
 * Returns the connection, NO_PROCESS, or QUEUE_FULL. */
static int connect_to(const struct tsr_share_credentials *credentials, bool waits) {
  struct sockaddr_un address;
  socklen_t address_bytes = make_address(credentials, &address);
  struct timeval timeout = {.tv_sec = TIMEOUT_S};
  int error, connection = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | (waits ? 0 : SOCK_NONBLOCK), 0);
  if (connection < 0) return NO_PROCESS;
  setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof timeout);
  do error = connect(connection, (struct sockaddr *)&address, address_bytes);
  while (error && errno == EINTR);
  if (!error && peer_is_ours(connection)) return connection;
  bool is_full = error && errno == EAGAIN;
  close(connection);
  return is_full ? QUEUE_FULL : NO_PROCESS;
}

/* The message of a leader, with room for one descriptor. */
struct fd_message {
  uint64_t token[2];
  _Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int))];
  struct iovec data;
  struct msghdr header;
};

static void init_fd_message(struct fd_message *fd_message) {
  *fd_message = (struct fd_message){.data = {.iov_base = fd_message->token, .iov_len = sizeof fd_message->token}};
  fd_message->header = (struct msghdr){.msg_iov = &fd_message->data,
                                   .msg_iovlen = 1,
                                   .msg_control = fd_message->control,
                                   .msg_controllen = CMSG_LEN(sizeof(int))}; /* not CMSG_SPACE: room for two descriptors */
}

int tsr_share_give(const struct tsr_share_credentials *to, int fd) {
  int connection = connect_to(to, true);
  if (connection < 0) return -1;
  struct fd_message fd_message;
  init_fd_message(&fd_message);
  memcpy(fd_message.token, to->token, sizeof fd_message.token);
  struct cmsghdr *part = CMSG_FIRSTHDR(&fd_message.header);
  *part = (struct cmsghdr){.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof fd)};
  memcpy(CMSG_DATA(part), &fd, sizeof fd);
  if (sendmsg(connection, &fd_message.header, MSG_NOSIGNAL) == (ssize_t)sizeof fd_message.token) return connection;
  close(connection);
  return -1;
}

/* The descriptor that a caller hands over, if it knows our token; -1: it does not. */
static int receive_descriptor(int connection, const struct tsr_share_credentials *own) {
  struct fd_message fd_message;
  int fd;
  init_fd_message(&fd_message);
  ssize_t got = recvmsg(connection, &fd_message.header, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
  struct cmsghdr *part = got >= 0 ? CMSG_FIRSTHDR(&fd_message.header) : NULL;
  if (!part || part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS || part->cmsg_len != CMSG_LEN(sizeof fd))
    return -1;
  memcpy(&fd, CMSG_DATA(part), sizeof fd);
  if (got == (ssize_t)sizeof fd_message.token && memcmp(fd_message.token, own->token, sizeof fd_message.token) == 0)
    return fd;
  close(fd);
  return -1;
}

/* The poll set: our listener, our connection to the leader's listener, and connections without a message so far. */
enum { LISTENER, LEADER, CALLERS };
struct poll_set {
  struct pollfd polls[CALLERS + 1 + STRAYS_MAX];
  nfds_t n;
};

/* False: no more connections can be accepted. */
static bool admit_caller(struct poll_set *poll_set) {
  struct pollfd *callers = &poll_set->polls[CALLERS];
  int connection = accept4(poll_set->polls[LISTENER].fd, NULL, NULL, SOCK_CLOEXEC);
  if (connection < 0) return errno == EAGAIN || errno == EINTR || errno == ECONNABORTED;
  if (!peer_is_ours(connection)) {
    close(connection);
    return true;
  }
  if (poll_set->n == CALLERS + 1 + STRAYS_MAX) { /* the oldest is closed: a leader sends its message at once */
    close(callers[0].fd);
    memmove(&callers[0], &callers[1], STRAYS_MAX * sizeof callers[0]);
    poll_set->n--;
  }
  poll_set->polls[poll_set->n++] = (struct pollfd){.fd = connection, .events = POLLIN};
  return true;
}

/* Reads the messages that have come, and closes all connections but the one with the token. Returns that one, or -1. */
static int poll_callers(struct poll_set *poll_set, const struct tsr_share_credentials *own, int *fd) {
  nfds_t kept_n = CALLERS;
  int right = -1;
  for (nfds_t i = CALLERS; i < poll_set->n; i++) {
    bool speaks = poll_set->polls[i].revents && right < 0;
    int caller = poll_set->polls[i].fd, got = speaks ? receive_descriptor(caller, own) : -1;
    if (got >= 0) right = caller, *fd = got;
    else if (speaks) close(caller);
    else poll_set->polls[kept_n++] = poll_set->polls[i];
  }
  poll_set->n = kept_n;
  return right;
}

/* The leader accepts no connection at its listener. It closes the listener when it will not connect any more, or when it ends,
 * and our waiting connection shows that. If the queue is too short for all (net.core.somaxconn), we retry every RETRY_MS. False:
 * there is no listener any more. */
static bool watch_leader(struct poll_set *poll_set, const struct tsr_share_credentials *leader) {
  if (poll_set->polls[LEADER].fd >= 0) return !poll_set->polls[LEADER].revents;
  poll_set->polls[LEADER] = (struct pollfd){.fd = connect_to(leader, false)};
  return poll_set->polls[LEADER].fd != NO_PROCESS;
}

/* A leader that has connected reads our answer before it closes its listener. */
int tsr_share_take(int listener, const struct tsr_share_credentials *own, const struct tsr_share_credentials *leader,
                   int *fd) {
  struct poll_set poll_set = {.n = CALLERS};
  int connection = -1;
  poll_set.polls[LISTENER] = (struct pollfd){.fd = listener, .events = POLLIN};
  poll_set.polls[LEADER] = (struct pollfd){.fd = QUEUE_FULL};
  while (connection < 0 && watch_leader(&poll_set, leader)) {
    int timeout_ms = poll_set.polls[LEADER].fd >= 0 ? -1 : RETRY_MS;
    if (poll(poll_set.polls, poll_set.n, timeout_ms) < 0) {
      for (nfds_t i = 0; i < poll_set.n; i++) poll_set.polls[i].revents = 0;
      continue;
    }
    connection = poll_callers(&poll_set, own, fd);
    if (connection < 0 && poll_set.polls[LISTENER].revents && !admit_caller(&poll_set)) break;
  }
  while (poll_set.n > CALLERS) close(poll_set.polls[--poll_set.n].fd);
  if (poll_set.polls[LEADER].fd >= 0) close(poll_set.polls[LEADER].fd);
  close(listener);
  return connection;
}

bool tsr_share_send_data(int connection, const void *data, size_t bytes) {
  return send(connection, data, bytes, MSG_NOSIGNAL) == (ssize_t)bytes; /* there is room for a few words at any time */
}

bool tsr_share_receive_data(int connection, void *data, size_t bytes) {
  ssize_t got;
  do got = recv(connection, data, bytes, 0);
  while (got < 0 && errno == EINTR);
  return got == (ssize_t)bytes;
}
