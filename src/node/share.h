/* Handing a memory descriptor from one process to others of the same host and user: over a local socket with
 * an abstract name, so that nothing is left in any file system. Who receives the descriptor shares memory in
 * fact, whatever the host names say.
 */
#ifndef TSR_NODE_SHARE_H
#define TSR_NODE_SHARE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <tessera.h>

/* What a receiver must know; travels over MPI. */
struct tsr_share_ticket {
  uint8_t name[32];  /* of the socket */
  uint8_t token[32]; /* random; a connection that does not say it is turned away */
  int32_t places_n;  /* receivers call themselves 0 to places_n - 1, each differently; not all need to come */
};

/* Offers: opens a listening socket under a fresh random name, for receivers with places below `receivers_max`. From
 * here on they may connect, before anybody serves them. Returns the socket, which tsr_share_serve or close ends, or -1
 * (logged). */
int tsr_share_offer(struct tsr_share_ticket *ticket, int receivers_max);

/* Serves `receivers_n` receivers that hold the ticket and run under our user id, and turns others away; a connection
 * that says nothing stops nobody. Stores the process id of the receiver with place i in pids[i] (places_n entries,
 * the others are left alone); 0 where its process id cannot be seen from here. Ends when so many were served, or
 * after 10 s without one (a warning is logged). Closes the socket, not `fd`. Returns how many were served. */
int tsr_share_serve(int socket, const struct tsr_share_ticket *ticket, int fd, int receivers_n, pid_t pids[]);

/* Connects to an offer. Returns a connection, which tsr_share_receive or close ends, or -1 when there is nobody under
 * that name here (another host or network namespace) or the peer has another user id; not an error. */
int tsr_share_connect(const struct tsr_share_ticket *ticket);

/* Receives the descriptor as receiver `place`; waits until the offerer serves or closes. Stores the offerer's process
 * id, 0 where it cannot be seen from here. Closes the connection. Returns the descriptor (close-on-exec), or -1: turned
 * away (*offerer is left alone). */
int tsr_share_receive(int connection, const struct tsr_share_ticket *ticket, int place, pid_t *offerer);

#endif
