/* Matching: a table of receives that wait for a message, and of messages that wait for a receive.
 *
 * A message matches the oldest receive that fits, and a receive the oldest message that fits. Messages of one source,
 * context and tag are therefore received in the order of arrival, also by wildcards. Exact keys are found through a
 * hash, however many entries wait. A wildcard searches the waiting entries in their order.
 *
 * The table holds links only. Entries are members of their owner's objects, which do not move while they wait. The
 * table has no lock: the caller serialises all calls.
 */
#ifndef TSR_P2P_MATCH_H
#define TSR_P2P_MATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TSR_ANY_SOURCE = -1, TSR_ANY_TAG = -1 }; /* in receives only */

struct tsr_match_key {
  int32_t source, tag; /* >= 0, or a wildcard */
  uint16_t context;    /* messages match receives of the same context only */
};

typedef struct tsr_match_entry {
  struct tsr_match_key key;
  uint64_t order;                                            /* receives: position in the order of starts */
  struct { struct tsr_match_entry *before, *after; } way[2]; /* by key; messages also by arrival */
} tsr_match_entry;

struct tsr_match_list {
  struct tsr_match_entry *first, *last;
};

enum { TSR_MATCH_BUCKETS_N = 256 };

/* All zeros: empty. */
typedef struct tsr_match {
  struct tsr_match_list receives[TSR_MATCH_BUCKETS_N], messages[TSR_MATCH_BUCKETS_N];
  struct tsr_match_list wild;     /* receives with a wildcard */
  struct tsr_match_list arrivals; /* all messages */
  uint64_t receives_n;            /* receives so far: the `order` of the next */
} tsr_match;

/* Takes out and returns the message for a new receive, whose key is set. NULL: there is none, and the receive waits. */
tsr_match_entry *tsr_match_receive(tsr_match *table, tsr_match_entry *receive);

/* Takes out and returns the receive for a new message. NULL: there is none; the caller sets the message's key and keeps
 * it before it matches anything else. */
tsr_match_entry *tsr_match_message(tsr_match *table, const struct tsr_match_key *key);
void tsr_match_keep(tsr_match *table, tsr_match_entry *message);

/* Returns the message that a receive of this key would get, and leaves it in the table. */
tsr_match_entry *tsr_match_probe(const tsr_match *table, const struct tsr_match_key *key);

/* Takes out and returns the message that tsr_match_probe would return. NULL: there is none. */
tsr_match_entry *tsr_match_take(tsr_match *table, const struct tsr_match_key *key);

/* Takes out any receive of this context. NULL: none waits. */
tsr_match_entry *tsr_match_any_receive(tsr_match *table, uint16_t context);

/* Takes out the oldest message, whatever its key. NULL: none waits. */
tsr_match_entry *tsr_match_oldest(tsr_match *table);

#endif
