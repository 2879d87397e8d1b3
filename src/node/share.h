/* Handing a memory descriptor from one process to others of the same host and user: over local sockets with
 * abstract names, so that nothing is left in any file system. Who receives the descriptor shares memory in fact,
 * whatever the host names say. The leader calls on the receivers, so that it need not be told how many will come.
 * The connections stay, and break when the process at the other end ends.
 */
#ifndef TSR_NODE_SHARE_H
#define TSR_NODE_SHARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How to call on a process; travels over MPI. */
struct tsr_share_credentials {
  uint64_t number;   /* random; in the name of the socket, which all processes of the host can see */
  uint64_t token[2]; /* random; a caller that does not say it is turned away */
};

/* Opens a listener: a socket under a fresh random name, where `callers_max` processes may call before anybody answers.
 * Returns the socket (close-on-exec), or -1 (logged); then nobody reaches us under the credentials either. */
int tsr_share_open(struct tsr_share_credentials *credentials, int callers_max);

/* Leader: calls on the credentials' process and hands it `fd`, which stays the caller's, too. Waits for nobody. Returns
 * the connection, or -1: nobody is under that name here (another host or network namespace), or under another user
 * id; not an error. Whether the other side takes the descriptor is what it says over the connection, or that it
 * breaks. */
int tsr_share_give(const struct tsr_share_credentials *to, int fd);

/* Receiver: waits for a caller that says our token and hands us a descriptor, *fd (close-on-exec). Callers that say
 * something else or nothing stop nobody. Returns the connection, or -1: `leader` cannot be reached, or closes its
 * listener, which it keeps open while it may still call. Closes our listener in any case. */
int tsr_share_take(int listener, const struct tsr_share_credentials *own, const struct tsr_share_credentials *leader,
                   int *fd);

/* One message of `bytes`, both ways; false: the connection is broken. Receiving waits. */
bool tsr_share_say(int connection, const void *data, size_t bytes);
bool tsr_share_hear(int connection, void *data, size_t bytes);

#endif
