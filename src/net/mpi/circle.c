#include "net/mpi/circle.h"

#include "net/mpi/pending.h"

static void on_arrived(void *arg, enum tsr_net_event event, size_t bytes) {
  (void)event;
  struct tsr_mpi_inbox *inbox = arg;
  inbox->bytes = bytes;
  inbox->arrived = true;
}

static void post(const struct tsr_mpi_circle *circle, struct tsr_mpi_inbox *inbox) {
  inbox->arrived = false;
  tsr_mpi_pending_receive(tsr_mpi.requests, inbox->message,
                          (struct tsr_mpi_pending){.done = on_arrived, .arg = inbox, .what = circle->what,
                                                   .bytes = circle->most, .rank = MPI_ANY_SOURCE, .tag = circle->tag,
                                                   .source = &inbox->rank});
}

void tsr_mpi_circle_open(struct tsr_mpi_circle *circle) {
  circle->head = 0;
  for (int i = 0; i < circle->n; i++) post(circle, &circle->inboxes[i]);
}

struct tsr_mpi_inbox *tsr_mpi_circle_oldest(struct tsr_mpi_circle *circle) {
  struct tsr_mpi_inbox *oldest = &circle->inboxes[circle->head];
  return oldest->arrived ? oldest : NULL;
}

void tsr_mpi_circle_taken(struct tsr_mpi_circle *circle) {
  post(circle, &circle->inboxes[circle->head]);
  circle->head = (circle->head + 1) % circle->n;
}
