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

/* Callers of no use may be there beside those we wait for. */
enum { PATIENCE_S = 10, RETRY_MS = 20, STRAYS_MAX = 64 };

/* Readable, so that a list of sockets shows whose it is. A first byte of zero makes the name an abstract one: it
 * belongs to the network namespace and ends with the socket. */
static socklen_t make_address(const struct tsr_share_ticket *ticket, struct sockaddr_un *address) {
  *address = (struct sockaddr_un){.sun_family = AF_UNIX};
  int length = snprintf(address->sun_path + 1, sizeof address->sun_path - 1, "tessera-%016llx",
                        (unsigned long long)ticket->number);
  return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length);
}

int tsr_share_open(struct tsr_share_ticket *ticket, int callers_max) {
  struct tsr_share_ticket fresh;
  struct sockaddr_un address;
  int door = -1;
  if (getrandom(&fresh, sizeof fresh, 0) != (ssize_t)sizeof fresh) goto fail;
  door = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (door < 0) goto fail;
  if (bind(door, (struct sockaddr *)&address, make_address(&fresh, &address))) goto fail;
  if (listen(door, callers_max + STRAYS_MAX)) goto fail;
  *ticket = fresh;
  return door;

fail:
  tsr_fail(TESSERA_ERR_SYSTEM, "cannot share memory with other units of this host: local socket: %s; this unit will be "
           "a node of its own; %s", strerror(errno), tsr_limit_remedy(errno));
  if (door >= 0) close(door);
  return -1;
}

static bool peer_is_ours(int connection) {
  struct ucred peer;
  socklen_t bytes = sizeof peer;
  return getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &bytes) == 0 && peer.uid == geteuid();
}

enum { NOBODY = -1 /* nobody is there, or not of our user id */, CROWDED = -2 /* no room in the queue at the door */ };

/* A caller with patience waits for its turn when the queue is full; not forever. */
static int call_on(const struct tsr_share_ticket *ticket, bool patiently) {
  struct sockaddr_un address;
  socklen_t address_bytes = make_address(ticket, &address);
  struct timeval patience = {.tv_sec = PATIENCE_S};
  int refused, connection = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | (patiently ? 0 : SOCK_NONBLOCK), 0);
  if (connection < 0) return NOBODY;
  setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  do refused = connect(connection, (struct sockaddr *)&address, address_bytes);
  while (refused && errno == EINTR);
  if (!refused && peer_is_ours(connection)) return connection;
  bool crowded = refused && errno == EAGAIN;
  close(connection);
  return crowded ? CROWDED : NOBODY;
}

/* What a giver says, with room for one descriptor. */
struct parcel {
  uint64_t token[2];
  _Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int))];
  struct iovec data;
  struct msghdr header;
};

static void wrap(struct parcel *parcel) {
  *parcel = (struct parcel){.data = {.iov_base = parcel->token, .iov_len = sizeof parcel->token}};
  parcel->header = (struct msghdr){.msg_iov = &parcel->data,
                                   .msg_iovlen = 1,
                                   .msg_control = parcel->control,
                                   .msg_controllen = CMSG_LEN(sizeof(int))}; /* not of two, which would fit */
}

int tsr_share_give(const struct tsr_share_ticket *to, int fd) {
  int connection = call_on(to, true);
  if (connection < 0) return -1;
  struct parcel parcel;
  wrap(&parcel);
  memcpy(parcel.token, to->token, sizeof parcel.token);
  struct cmsghdr *part = CMSG_FIRSTHDR(&parcel.header);
  *part = (struct cmsghdr){.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof fd)};
  memcpy(CMSG_DATA(part), &fd, sizeof fd);
  if (sendmsg(connection, &parcel.header, MSG_NOSIGNAL) == (ssize_t)sizeof parcel.token) return connection;
  close(connection);
  return -1;
}

/* The descriptor that a caller hands over, if it knows our token; -1: it does not. */
static int unpack(int connection, const struct tsr_share_ticket *own) {
  struct parcel parcel;
  int fd;
  wrap(&parcel);
  ssize_t got = recvmsg(connection, &parcel.header, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
  struct cmsghdr *part = got >= 0 ? CMSG_FIRSTHDR(&parcel.header) : NULL;
  if (!part || part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS || part->cmsg_len != CMSG_LEN(sizeof fd))
    return -1;
  memcpy(&fd, CMSG_DATA(part), sizeof fd);
  if (got == (ssize_t)sizeof parcel.token && memcmp(parcel.token, own->token, sizeof parcel.token) == 0) return fd;
  close(fd);
  return -1;
}

/* Who is at our door: its socket, our connection to the giver's door, and callers that have said nothing yet. */
enum { DOOR, GIVER, CALLERS };
struct hall {
  struct pollfd polls[CALLERS + 1 + STRAYS_MAX];
  nfds_t n;
};

/* Who says nothing longest makes room: the right one speaks as soon as it has called. */
static void add_caller(struct hall *hall, int connection) {
  struct pollfd *callers = &hall->polls[CALLERS];
  if (hall->n == CALLERS + 1 + STRAYS_MAX) {
    close(callers[0].fd);
    memmove(&callers[0], &callers[1], STRAYS_MAX * sizeof callers[0]);
    hall->n--;
  }
  hall->polls[hall->n++] = (struct pollfd){.fd = connection, .events = POLLIN};
}

/* False: no caller can be let in any more. */
static bool admit(struct hall *hall) {
  int connection = accept4(hall->polls[DOOR].fd, NULL, NULL, SOCK_CLOEXEC);
  if (connection < 0) return errno == EAGAIN || errno == EINTR || errno == ECONNABORTED;
  if (peer_is_ours(connection)) add_caller(hall, connection);
  else close(connection);
  return true;
}

/* Hears the callers that say something, and shows all but the right one out. Returns the right one, or -1. */
static int attend(struct hall *hall, const struct tsr_share_ticket *own, int *fd) {
  nfds_t kept_n = CALLERS;
  int right = -1;
  for (nfds_t i = CALLERS; i < hall->n; i++) {
    bool speaks = hall->polls[i].revents && right < 0;
    int caller = hall->polls[i].fd, got = speaks ? unpack(caller, own) : -1;
    if (got >= 0) right = caller, *fd = got;
    else if (speaks) close(caller);
    else hall->polls[kept_n++] = hall->polls[i];
  }
  hall->n = kept_n;
  return right;
}

/* The giver answers no calls at its door, but closes it when it will not call on us any more, or ends: we stand there to
 * see that. Where the queue is too short for all (net.core.somaxconn) we come back now and then. False: nobody is there. */
static bool watch_giver(struct hall *hall, const struct tsr_share_ticket *giver) {
  if (hall->polls[GIVER].fd >= 0) return !hall->polls[GIVER].revents;
  hall->polls[GIVER] = (struct pollfd){.fd = call_on(giver, false)};
  return hall->polls[GIVER].fd != NOBODY;
}

/* Before the giver closes its door it has heard our answer, had it called. */
static int wait_for_giver(struct hall *hall, const struct tsr_share_ticket *own, const struct tsr_share_ticket *giver,
                          int *fd) {
  int connection = -1;
  while (connection < 0 && watch_giver(hall, giver)) {
    int timeout_ms = hall->polls[GIVER].fd >= 0 ? -1 : RETRY_MS;
    if (poll(hall->polls, hall->n, timeout_ms) < 0) {
      for (nfds_t i = 0; i < hall->n; i++) hall->polls[i].revents = 0;
      continue;
    }
    connection = attend(hall, own, fd);
    if (connection < 0 && hall->polls[DOOR].revents && !admit(hall)) break;
  }
  return connection;
}

int tsr_share_take(int door, const struct tsr_share_ticket *own, const struct tsr_share_ticket *giver, int *fd) {
  struct hall hall = {.n = CALLERS};
  hall.polls[DOOR] = (struct pollfd){.fd = door, .events = POLLIN};
  hall.polls[GIVER] = (struct pollfd){.fd = CROWDED};
  int connection = wait_for_giver(&hall, own, giver, fd);
  while (hall.n > CALLERS) close(hall.polls[--hall.n].fd);
  if (hall.polls[GIVER].fd >= 0) close(hall.polls[GIVER].fd);
  close(door);
  return connection;
}

bool tsr_share_say(int connection, const void *data, size_t bytes) {
  return send(connection, data, bytes, MSG_NOSIGNAL) == (ssize_t)bytes; /* there is room for a few words at any time */
}

bool tsr_share_hear(int connection, void *data, size_t bytes) {
  ssize_t got;
  do got = recv(connection, data, bytes, 0);
  while (got < 0 && errno == EINTR);
  return got == (ssize_t)bytes;
}
