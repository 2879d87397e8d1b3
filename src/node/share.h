/* Handing a memory descriptor from one process to others of the same host and user: over local sockets with abstract names, so
 * that no file is left. A process that receives the descriptor shares memory, whatever its host name is. The leader connects to
 * the receivers, so that it need not know their number before. The connections stay open, and break when the process at the other
 * end ends. */
#ifndef TSR_NODE_SHARE_H
#define TSR_NODE_SHARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How to connect to a process; sent over MPI. */
struct tsr_share_credentials {
  uint64_t number;   /* random; in the name of the socket, which all processes of the host can see */
  uint64_t token[2]; /* random; a connection without it is rejected */
};

/* Opens a listener: a socket under a fresh random name, where `callers_max` processes may wait for an answer.
 * Returns the socket (close-on-exec), or -1 (logged); then no process can connect with the credentials. */
int tsr_share_open(struct tsr_share_credentials *credentials, int callers_max);

/* Leader: connects to the process with these credentials and sends it `fd`, which also stays open here. Waits for at most 10 s,
 * and only if the queue of the receiver's listener is full. Returns the connection, or -1, which is no error: no process of our
 * user id has that name here (another host or network namespace). A process that takes the descriptor confirms that over the
 * connection. */
int tsr_share_give(const struct tsr_share_credentials *to, int fd);

/* Receiver: waits for a connection with our token and a descriptor, *fd (close-on-exec). Returns the connection, or -1: `leader`
 * cannot be reached, or closes its listener, which it keeps open while it may still call. Closes our listener in any case. */
int tsr_share_take(int listener, const struct tsr_share_credentials *own, const struct tsr_share_credentials *leader,
                   int *fd);

/* One message of `bytes`, both ways; false: the connection is broken. Receiving waits. */
bool tsr_share_send_data(int connection, const void *data, size_t bytes);
bool tsr_share_receive_data(int connection, void *data, size_t bytes);

#endif
