/* Collectives by messages and by address exchange on Tessera's native interface, beside its own collectives.
 *
 * A unit tells another one an address by a notified put to the other's mailbox: the address and a count in one call, for which
 * the other unit can wait. A tessera_address_t is a plain value that every unit can use, within a node and between nodes.
 *
 * Options (collectives.c): --works of barrier,bcast,allreduce,allgather,alltoall; --bytes, a list; --samples; --milliseconds
 * for each row. Any number of units. */
#include "collectives.h"

#include <stdint.h>
#include <stdlib.h>

#include <tessera.h>
#include <tessera/coll.h>
#include <tessera/memory.h>
#include <tessera/message.h>

/* Ends the job if a call failed. The library has printed why. */
static void require(tessera_status_t status) {
  if (status != TESSERA_OK) exit(EXIT_FAILURE);
}

/* ---- messages ---- */

enum { TAG };

void link_send(const void *data, size_t bytes, int to) { require(tessera_send(data, bytes, to, TAG)); }
void link_receive(void *buffer, size_t bytes, int from) { require(tessera_receive(buffer, bytes, from, TAG, NULL)); }

void link_exchange(const void *data, size_t send_bytes, int to, void *buffer, size_t receive_bytes, int from) {
  require(tessera_send_receive(data, send_bytes, to, TAG, buffer, receive_bytes, from, TAG, NULL));
}

/* ---- memory that other units can read ---- */

/* What one unit has told another, in the mailbox of the latter. It is as long as two cache lines, so that no two senders share
 * one. */
struct slot {
  tessera_address_t told[2];
  uint64_t count; /* of what it has told and signalled so far */
  char unused[56];
};

static tessera_memory_t mailbox; /* a slot for each sender */
static struct slot *own_slots;
static uint64_t *awaited; /* for each sender, of its count */
static tessera_address_t part;
static char *part_begin_at;     /* where the caller's part is in its own memory */
static tessera_address_t shown[2]; /* what the caller tells */
static bool told_is_incomplete; /* the library may still read it */

bool heap_is_shared(void) { return true; }

void *heap_open(size_t bytes) {
  void *slots, *begin;
  const size_t slots_bytes = (size_t)units_n * sizeof(struct slot);
  require(tessera_memory_allocate(tessera_team_world(), slots_bytes, &mailbox));
  require(tessera_address_pointer(tessera_address(mailbox, me, 0), slots_bytes, &slots));
  own_slots = slots;
  for (int i = 0; i < units_n; i++) own_slots[i] = (struct slot){.count = 0};
  awaited = calloc((size_t)units_n, sizeof *awaited);
  if (!awaited) abort();
  require(tessera_local_allocate(bytes, &part));
  require(tessera_address_pointer(part, bytes, &begin));
  require(tessera_barrier(tessera_team_world())); /* all counts are 0 before the first unit tells something */
  return part_begin_at = begin;
}

void heap_close(void) {
  require(tessera_flush_all());
  require(tessera_memory_free(&mailbox)); /* returns when all units have come so far */
  require(tessera_local_free(part));
  free(awaited);
}

/* Where the caller's slot in the mailbox of a unit begins, and its count. */
static tessera_address_t slot_of(int unit) { return tessera_address(mailbox, unit, (uint64_t)me * sizeof(struct slot)); }
static tessera_address_t count_of(int unit) { return tessera_address_plus(slot_of(unit), offsetof(struct slot, count)); }

static tessera_address_t address_of(const void *data) { return tessera_address_plus(part, (const char *)data - part_begin_at); }

void heap_show(const void *first, const void *second) {
  if (told_is_incomplete) heap_complete();
  shown[FIRST] = address_of(first);
  shown[SECOND] = address_of(second);
}

void heap_tell(int unit) {
  told_is_incomplete = true;
  require(tessera_put_notify_nb(slot_of(unit), shown, sizeof shown, count_of(unit), 1, NULL));
}

void heap_signal(int unit) { require(tessera_put_notify_nb(slot_of(unit), NULL, 0, count_of(unit), 1, NULL)); }

void heap_await(int unit) {
  if (told_is_incomplete) heap_complete();
  require(tessera_notify_wait(tessera_address(mailbox, me, (uint64_t)unit * sizeof(struct slot) + offsetof(struct slot, count)),
                              ++awaited[unit]));
}

static tessera_address_t told_by(int unit, enum told which, size_t offset) {
  return tessera_address_plus(own_slots[unit].told[which], (int64_t)offset);
}

void heap_fetch(void *to, int unit, enum told which, size_t offset, size_t bytes) {
  require(tessera_get_nb(to, told_by(unit, which, offset), bytes, NULL));
}

void heap_complete(void) {
  require(tessera_flush_all());
  told_is_incomplete = false;
}

const void *heap_view(int unit, enum told which, size_t offset, size_t bytes, void *room) {
  const tessera_address_t there = told_by(unit, which, offset);
  void *in_place;
  require(tessera_address_pointer(there, bytes, &in_place));
  if (in_place) return in_place;
  require(tessera_get(room, there, bytes));
  return room;
}

/* ---- the library's own collectives ---- */

void library_barrier(void) { require(tessera_barrier(tessera_team_world())); }
void library_bcast(void *data, size_t bytes, int root) { require(tessera_bcast(tessera_team_world(), data, bytes, root)); }

void library_allgather(const void *from, void *to, size_t bytes) {
  require(tessera_allgather(tessera_team_world(), from, to, bytes));
}

void library_alltoall(const void *from, void *to, size_t bytes) {
  require(tessera_alltoall(tessera_team_world(), from, to, bytes));
}

void library_allreduce(const double *from, double *to, size_t n) {
  require(tessera_allreduce(tessera_team_world(), from, to, n, tessera_builtin(TESSERA_F64, TESSERA_SUM)));
}

double library_greatest(double value) {
  double greatest;
  require(tessera_allreduce(tessera_team_world(), &value, &greatest, 1, tessera_builtin(TESSERA_F64, TESSERA_MAX)));
  return greatest;
}

int main(int argc, char **argv) {
  if (tessera_init(&argc, &argv) != TESSERA_OK) return EXIT_FAILURE;
  me = tessera_unit(), units_n = tessera_units();
  const int code = collectives_run("collectives_native", argc, argv);
  require(tessera_exit());
  return code;
}
