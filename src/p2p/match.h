/* Who gets which message: receives that wait for a message, and messages that wait for a receive.
 *
 * A message meets the oldest receive that fits it, a receive the oldest message that fits it: so messages of one
 * source, context and tag are received in the order in which they arrived, and wildcards change nothing about that.
 * Exact keys are found through a hash, whatever else waits; wildcards look through what waits in its order.
 *
 * Only links, no data and no locks: entries are parts of their owner's objects, which stay where they are while they
 * wait, and the caller orders all calls on one table.
 */
#ifndef TSR_P2P_MATCH_H
#define TSR_P2P_MATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TSR_ANY_SOURCE = -1, TSR_ANY_TAG = -1 }; /* in receives only */

struct tsr_match_key {
  int32_t source, tag; /* >= 0, or a wildcard */
  uint16_t context;    /* whose messages: nothing of one context ever meets another */
};

typedef struct tsr_match_entry {
  struct tsr_match_key key;
  uint64_t order;                                            /* of receives */
  struct { struct tsr_match_entry *before, *after; } way[2]; /* by key; messages also in the order of arrival */
} tsr_match_entry;

struct tsr_match_list {
  struct tsr_match_entry *first, *last;
};

enum { TSR_MATCH_BUCKETS_N = 256 };

/* All zeros: nothing waits. */
typedef struct tsr_match {
  struct tsr_match_list receives[TSR_MATCH_BUCKETS_N], messages[TSR_MATCH_BUCKETS_N];
  struct tsr_match_list wild;     /* receives with a wildcard */
  struct tsr_match_list arrivals; /* all messages */
  uint64_t receives_n;            /* so far: gives them their order */
} tsr_match;

/* A new receive, with its key filled in: takes out and returns the message for it; NULL: there is none, and the receive
 * waits. */
tsr_match_entry *tsr_match_receive(tsr_match *table, tsr_match_entry *receive);

/* A new message: takes out and returns the receive for it. NULL: there is none; then the caller lets the message wait,
 * with its key filled in, before anything else is matched. */
tsr_match_entry *tsr_match_message(tsr_match *table, const struct tsr_match_key *key);
void tsr_match_keep(tsr_match *table, tsr_match_entry *message);

/* The message that a receive of this key would get; it goes on waiting. */
tsr_match_entry *tsr_match_probe(const tsr_match *table, const struct tsr_match_key *key);

/* Takes that message out; NULL: there is none. */
tsr_match_entry *tsr_match_take(tsr_match *table, const struct tsr_match_key *key);

/* Takes out a receive of this context; NULL: none waits. */
tsr_match_entry *tsr_match_any_receive(tsr_match *table, uint16_t context);

/* Takes out the message that has waited longest, whatever its key; NULL: none waits. */
tsr_match_entry *tsr_match_oldest(tsr_match *table);

#endif
