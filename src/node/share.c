#include "node/share.h"

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/status.h"

enum { PATIENCE_S = 10, STRAYS_MAX = 64 /* connections of no use that may be open beside the receivers' */ };

/* What a receiver says, once; the answer is one byte with the descriptor, or the end of the connection. */
struct hello {
  uint8_t token[sizeof((struct tsr_share_ticket *)0)->token];
  int32_t place;
};

static bool draw_random(void *to, size_t bytes) { return getrandom(to, bytes, 0) == (ssize_t)bytes; }

/* Readable, so that a list of sockets shows whose it is: 8 letters and 96 random bits. */
static bool make_name(struct tsr_share_ticket *ticket) {
  uint8_t random[12];
  char text[sizeof ticket->name + 1] = "tessera-";
  if (!draw_random(random, sizeof random)) return false;
  for (size_t i = 0; i < sizeof random; i++) snprintf(text + 8 + 2 * i, 3, "%02x", random[i]);
  memcpy(ticket->name, text, sizeof ticket->name);
  return true;
}

/* A first byte of zero makes the name an abstract one: it belongs to the network namespace and ends with the socket. */
static socklen_t make_address(const struct tsr_share_ticket *ticket, struct sockaddr_un *address) {
  *address = (struct sockaddr_un){.sun_family = AF_UNIX};
  memcpy(address->sun_path + 1, ticket->name, sizeof ticket->name);
  return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + sizeof ticket->name);
}

/* Whether the other end has our user id; stores its process id, 0 when it is in a process namespace that we cannot
 * see into. */
static bool peer_is_ours(int connection, pid_t *pid) {
  struct ucred peer;
  socklen_t bytes = sizeof peer;
  if (getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &bytes) || peer.uid != geteuid()) return false;
  *pid = peer.pid;
  return true;
}

int tsr_share_offer(struct tsr_share_ticket *ticket, int receivers_max) {
  struct tsr_share_ticket fresh = {.places_n = receivers_max};
  struct sockaddr_un address;
  int listener = -1;
  if (!make_name(&fresh) || !draw_random(fresh.token, sizeof fresh.token)) goto fail;
  listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (listener < 0) goto fail;
  if (bind(listener, (struct sockaddr *)&address, make_address(&fresh, &address))) goto fail;
  /* The queue holds all receivers at once, so that they connect before anybody accepts. */
  if (listen(listener, receivers_max + STRAYS_MAX)) goto fail;
  *ticket = fresh;
  return listener;

fail:
  tsr_fail(TESSERA_ERR_SYSTEM, "cannot offer the node's memory to %d other units: local socket: %s; each of them will "
           "be a node of its own; check the limit of open files (ulimit -n)", receivers_max, strerror(errno));
  if (listener >= 0) close(listener);
  return -1;
}

/* A connection that has not said its whole hello yet. */
struct guest {
  struct hello hello;
  size_t heard_bytes;
  pid_t pid;
};

/* The offer while it is served. Guest i is polled as polls[1 + i]. */
struct door {
  const struct tsr_share_ticket *ticket;
  int listener, fd;
  pid_t *pids;
  int guests_n, guests_max;
  struct guest *guests;
  struct pollfd *polls; /* [0]: the listener; a negative descriptor while nobody is let in */
};

static void admit(struct door *door) {
  int connection = accept4(door->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (connection < 0) {
    bool passing = errno == EAGAIN || errno == EINTR || errno == ECONNABORTED;
    if (!passing) door->polls[0].fd = -1; /* no descriptor left: until a guest leaves */
    return;
  }
  struct guest guest = {.heard_bytes = 0};
  if (!peer_is_ours(connection, &guest.pid)) {
    close(connection);
    return;
  }
  door->guests[door->guests_n++] = guest;
  door->polls[door->guests_n] = (struct pollfd){.fd = connection, .events = POLLIN};
  if (door->guests_n == door->guests_max) door->polls[0].fd = -1;
}

/* Ends a guest's connection; the last guest takes its place. */
static void dismiss(struct door *door, int i) {
  close(door->polls[1 + i].fd);
  door->guests_n--;
  door->guests[i] = door->guests[door->guests_n];
  door->polls[1 + i] = door->polls[1 + door->guests_n];
  door->polls[0].fd = door->listener;
}

/* Takes the same time wherever the two differ. */
static bool is_token(const struct tsr_share_ticket *ticket, const struct hello *hello) {
  volatile uint8_t difference = 0;
  for (size_t i = 0; i < sizeof ticket->token; i++) difference |= ticket->token[i] ^ hello->token[i];
  return difference == 0;
}

/* A message of one byte with room for one descriptor. */
struct parcel {
  char byte;
  _Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof(int))];
  struct iovec data;
  struct msghdr header;
};

static void wrap(struct parcel *parcel) {
  *parcel = (struct parcel){.data = {.iov_base = &parcel->byte, .iov_len = 1}};
  parcel->header = (struct msghdr){.msg_iov = &parcel->data,
                                   .msg_iovlen = 1,
                                   .msg_control = parcel->control,
                                   .msg_controllen = sizeof parcel->control};
}

static bool send_descriptor(int connection, int fd) {
  struct parcel parcel;
  wrap(&parcel);
  struct cmsghdr *part = CMSG_FIRSTHDR(&parcel.header);
  *part = (struct cmsghdr){.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof fd)};
  memcpy(CMSG_DATA(part), &fd, sizeof fd);
  return sendmsg(connection, &parcel.header, MSG_NOSIGNAL) == 1; /* one byte always fits into a fresh connection */
}

/* Hears a guest out, and serves it or turns it away. True: served. */
static bool attend(struct door *door, int i) {
  struct guest *guest = &door->guests[i];
  int connection = door->polls[1 + i].fd;
  char *to = (char *)&guest->hello + guest->heard_bytes;
  ssize_t got = recv(connection, to, sizeof guest->hello - guest->heard_bytes, 0);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return false;
  if (got > 0) guest->heard_bytes += (size_t)got;
  if (got > 0 && guest->heard_bytes < sizeof guest->hello) return false;
  int32_t place = guest->hello.place;
  bool served = got > 0 && is_token(door->ticket, &guest->hello) && place >= 0 && place < door->ticket->places_n &&
                send_descriptor(connection, door->fd);
  if (served && door->pids) door->pids[place] = guest->pid;
  dismiss(door, i);
  return served;
}

static bool open_door(struct door *door, int receivers_n) {
  door->guests_max = receivers_n + STRAYS_MAX;
  door->guests = malloc((size_t)door->guests_max * sizeof *door->guests);
  if (!door->guests) goto fail;
  door->polls = malloc((size_t)(1 + door->guests_max) * sizeof *door->polls);
  if (!door->polls) goto fail_polls;
  door->polls[0] = (struct pollfd){.fd = door->listener, .events = POLLIN};
  return true;

fail_polls:
  free(door->guests);
fail:
  tsr_fail(TESSERA_ERR_MEMORY, "no private memory to serve %d units of this node", receivers_n);
  return false;
}

static void close_door(struct door *door) {
  while (door->guests_n) dismiss(door, door->guests_n - 1);
  free(door->polls);
  free(door->guests);
}

/* Milliseconds until then, rounded up; 0: past. */
static int left_ms(uint64_t deadline_ns) {
  uint64_t now_ns = tsr_clock_ns();
  return now_ns < deadline_ns ? (int)((deadline_ns - now_ns + 999999) / 1000000) : 0;
}

/* Attends to whoever has something to say. Returns how many were served. */
static int attend_all(struct door *door) {
  int served_n = 0;
  for (int i = door->guests_n - 1; i >= 0; i--) { /* downwards: who takes a place here was attended to already */
    if (door->polls[1 + i].revents && attend(door, i)) served_n++;
  }
  return served_n;
}

int tsr_share_serve(int socket, const struct tsr_share_ticket *ticket, int fd, int receivers_n, pid_t pids[]) {
  struct door door = {.ticket = ticket, .listener = socket, .fd = fd, .pids = pids};
  int served_n = 0;
  if (!open_door(&door, receivers_n)) goto done;
  uint64_t deadline_ns = tsr_clock_ns() + PATIENCE_S * 1000000000ull;
  while (served_n < receivers_n && left_ms(deadline_ns) > 0) {
    int ready = poll(door.polls, (nfds_t)(1 + door.guests_n), left_ms(deadline_ns));
    if (ready <= 0) continue; /* a signal, or the deadline */
    int now_n = attend_all(&door);
    if (now_n) deadline_ns = tsr_clock_ns() + PATIENCE_S * 1000000000ull;
    served_n += now_n;
    if (door.polls[0].revents) admit(&door);
  }
  close_door(&door);
  if (served_n < receivers_n)
    tsr_warn("only %d of %d units came for the memory of this node within %d s; the others will not share it; look for "
             "units that are stopped, or for a limit of open files (ulimit -n)", served_n, receivers_n, PATIENCE_S);
done:
  close(socket);
  return served_n;
}

int tsr_share_connect(const struct tsr_share_ticket *ticket) {
  struct sockaddr_un address;
  socklen_t address_bytes = make_address(ticket, &address);
  struct timeval patience = {.tv_sec = PATIENCE_S};
  pid_t offerer;
  int refused, connection = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (connection < 0) return -1;
  /* When strays fill the offerer's queue, connecting waits for its turn; not forever. */
  setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  do refused = connect(connection, (struct sockaddr *)&address, address_bytes);
  while (refused && errno == EINTR);
  if (!refused && peer_is_ours(connection, &offerer)) return connection;
  close(connection);
  return -1;
}

/* The descriptor in the answer; -1: turned away. */
static int receive_descriptor(int connection) {
  struct parcel parcel;
  ssize_t got;
  int fd;
  wrap(&parcel);
  do got = recvmsg(connection, &parcel.header, MSG_CMSG_CLOEXEC);
  while (got < 0 && errno == EINTR);
  struct cmsghdr *part = got == 1 ? CMSG_FIRSTHDR(&parcel.header) : NULL;
  if (!part || part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS || part->cmsg_len != CMSG_LEN(sizeof fd))
    return -1;
  memcpy(&fd, CMSG_DATA(part), sizeof fd);
  return fd;
}

int tsr_share_receive(int connection, const struct tsr_share_ticket *ticket, int place, pid_t *offerer) {
  struct hello hello = {.place = place};
  pid_t pid = 0;
  int fd = -1;
  memcpy(hello.token, ticket->token, sizeof hello.token);
  if (peer_is_ours(connection, &pid) && send(connection, &hello, sizeof hello, MSG_NOSIGNAL) == (ssize_t)sizeof hello)
    fd = receive_descriptor(connection);
  close(connection);
  if (fd >= 0) *offerer = pid;
  return fd;
}
