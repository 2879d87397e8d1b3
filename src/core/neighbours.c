#include "core/neighbours.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/log.h"
#include "core/runtime.h"
#include "node/heap.h"

/* What the cards tell one unit. */
struct view {
  const struct tsr_card *cards;
  int32_t units_n, self;
};

static const struct tsr_share_ticket *ticket_of(const struct view *view, int32_t unit) {
  return &view->cards[unit].ticket;
}

static bool is_proposed(const struct view *view, int32_t unit) {
  return view->cards[unit].host == view->cards[view->self].host;
}

static void *table(const struct view *view, size_t entry_bytes) {
  void *entries = malloc((size_t)view->units_n * entry_bytes);
  if (!entries) tsr_abort(EXIT_FAILURE, "no private memory for a table of %d units", view->units_n);
  return entries;
}

static int compare_hosts(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/* Units of the host that has most. */
static uint32_t most_on_a_host(const struct view *view) {
  uint64_t *hosts = table(view, sizeof *hosts);
  for (int32_t i = 0; i < view->units_n; i++) hosts[i] = view->cards[i].host;
  qsort(hosts, (size_t)view->units_n, sizeof *hosts, compare_hosts);
  uint32_t most = 0, run = 0;
  for (int32_t i = 0; i < view->units_n; i++) {
    run = i > 0 && hosts[i] == hosts[i - 1] ? run + 1 : 1;
    if (run > most) most = run;
  }
  free(hosts);
  return most;
}

static unsigned common_slice_order(const struct view *view) {
  unsigned order = tsr_heap_slice_order_max(most_on_a_host(view));
  for (int32_t i = 0; i < view->units_n; i++) {
    if (view->cards[i].slice_order < order) order = view->cards[i].slice_order;
  }
  return order;
}

/* The memory starts with the nonce: who reads it there has the right memory. */
static int make_memory(const struct view *view, uint32_t units_n, unsigned slice_order) {
  uint64_t nonce = ticket_of(view, view->self)->number;
  int fd = tsr_heap_make(units_n, slice_order);
  if (fd >= 0 && pwrite(fd, &nonce, sizeof nonce, 0) == (ssize_t)sizeof nonce) return fd;
  if (fd >= 0) close(fd);
  return -1;
}

static bool holds_nonce(int fd, uint64_t nonce) {
  uint64_t found = 0;
  return pread(fd, &found, sizeof found, 0) == (ssize_t)sizeof found && found == nonce;
}

/* What the first unit of a node tells each of the others. */
struct seat {
  int32_t index, units_n;
};

/* Of those who got the memory, the ones that say so are on the node. */
static void keep_who_answers(struct tsr_neighbours *n) {
  int kept_n = 0;
  for (int i = 0; i < n->ties_n; i++) {
    char yes;
    if (tsr_share_hear(n->ties[i], &yes, sizeof yes)) n->ties[kept_n++] = n->ties[i];
    else close(n->ties[i]);
  }
  n->ties_n = kept_n;
}

/* The first unit of a proposal hands its memory to the others. Who still waits when it closes its door is not
 * called on. */
static void lead(struct tsr_neighbours *n, const struct view *view, int door) {
  uint32_t proposed_n = 0;
  for (int32_t unit = 0; unit < view->units_n; unit++) proposed_n += is_proposed(view, unit);
  n->fd = make_memory(view, proposed_n, n->slice_order);
  for (int32_t unit = n->first + 1; unit < view->units_n && n->fd >= 0; unit++) {
    int tie = is_proposed(view, unit) ? tsr_share_give(ticket_of(view, unit), n->fd) : -1;
    if (tie >= 0) n->ties[n->ties_n++] = tie;
  }
  keep_who_answers(n);
  if (door >= 0) close(door);
  n->units_n = 1 + n->ties_n;
  for (int i = 0; i < n->ties_n; i++) tsr_share_say(n->ties[i], &(struct seat){1 + i, n->units_n}, sizeof(struct seat));
}

/* False: the memory of the proposal's first unit cannot be had. */
static bool follow(struct tsr_neighbours *n, const struct view *view, int door) {
  const struct tsr_share_ticket *first = ticket_of(view, n->first);
  int tie = tsr_share_take(door, ticket_of(view, view->self), first, &n->fd);
  if (tie < 0) return false;
  n->ties[n->ties_n++] = tie;
  char yes = 1;
  struct seat seat;
  if (!holds_nonce(n->fd, first->number)) return false;
  if (!tsr_share_say(tie, &yes, sizeof yes) || !tsr_share_hear(tie, &seat, sizeof seat)) return false;
  n->index = seat.index;
  n->units_n = seat.units_n;
  return true;
}

static void close_all(struct tsr_neighbours *n) {
  while (n->ties_n > 0) close(n->ties[--n->ties_n]);
  if (n->fd >= 0) close(n->fd);
  n->fd = -1;
}

static void be_a_node_alone(struct tsr_neighbours *n, const struct view *view) {
  tsr_info("shares no memory with unit %d, although it is on a host of the same name: a node of its own", n->first);
  close_all(n);
  n->first = view->self;
  n->units_n = 1;
  n->fd = make_memory(view, 1, n->slice_order);
}

void tsr_neighbours_find(struct tsr_neighbours *n, const struct tsr_card cards[], int32_t units_n, int32_t self,
                         int door) {
  struct view view = {cards, units_n, self};
  *n = (struct tsr_neighbours){.fd = -1, .slice_order = common_slice_order(&view)};
  n->ties = table(&view, sizeof *n->ties);
  while (!is_proposed(&view, n->first)) n->first++;
  if (n->first == self) lead(n, &view, door);
  else if (!follow(n, &view, door)) be_a_node_alone(n, &view);
}

int32_t tsr_neighbours_least(const struct tsr_neighbours *n, int32_t mine) {
  int32_t least = mine, theirs = mine;
  bool leads = n->index == 0, heard = leads || tsr_share_say(n->ties[0], &mine, sizeof mine);
  for (int i = 0; i < n->ties_n && heard; i++) {
    heard = tsr_share_hear(n->ties[i], &theirs, sizeof theirs);
    if (theirs < least) least = theirs;
  }
  if (!heard) tsr_abort(EXIT_FAILURE, "a unit of this node ended while the nodes formed");
  for (int i = 0; i < n->ties_n && leads; i++) tsr_share_say(n->ties[i], &least, sizeof least);
  return least;
}

void tsr_neighbours_forget(struct tsr_neighbours *n) {
  close_all(n);
  free(n->ties);
}
