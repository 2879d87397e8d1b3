/* Why a unit waits: for the watchdog, and for the last message when a unit dies. */
#ifndef TSR_BASE_WAIT_REASON_H
#define TSR_BASE_WAIT_REASON_H

#include <stdint.h>

enum tsr_wait_kind {
  TSR_WAIT_NONE, TSR_WAIT_BARRIER /* team, round */,
  TSR_WAIT_REPLY /* unit, requests */, TSR_WAIT_EVENTS /* events, pieces of theirs */, TSR_WAIT_NOTICE /* counters, first goal */,
  TSR_WAIT_SLOT /* rank, requests */, TSR_WAIT_BOUNCE /* from unit, buffers */, TSR_WAIT_HANDLE /* unit */,
  TSR_WAIT_MESSAGE /* from unit, tag; negative: any */, TSR_WAIT_RECEIVER /* unit, tag */,
  TSR_WAIT_MESSAGES /* how many */, TSR_WAIT_CTRL /* unit */,
  TSR_WAIT_LOCK /* unit before us, unit of the home */, TSR_WAIT_LOCK_USERS /* units */,
  TSR_WAIT_STARTED /* team, calls */, TSR_WAIT_COLLECTIVE /* team, number of the call */,
  TSR_WAIT_INNER /* team, number for core/hang_report */,
  TSR_WAIT_ROOM /* in the ring of unit, bytes */, TSR_WAIT_NODES /* unit, team */,
  TSR_WAIT_SEVERAL_NODES /* one of the units, team */,
  TSR_WAIT_SPLIT /* team, round */, TSR_WAIT_AM_BLOCK /* to unit, bytes */, TSR_WAIT_AM_TAKEN /* unit, negative: any; messages */,
  TSR_WAIT_AM /* nothing */,
  TSR_WAIT_VALUE /* variables, address of the first */, TSR_WAIT_END /* nothing */,
  TSR_WAIT_KINDS_N
};
struct tsr_wait_why {
  enum tsr_wait_kind kind;
  int32_t who;  /* team, unit, rank or a number, by kind */
  int64_t what; /* round, bytes, tag, unit, address or a number, by kind */
};
/* A reason in the node's memory, which other threads and processes read and write at any moment: each field is a value that was
 * stored once. */
static inline struct tsr_wait_why tsr_wait_reason(const struct tsr_wait_why *why) {
  return (struct tsr_wait_why){__atomic_load_n(&why->kind, __ATOMIC_RELAXED), __atomic_load_n(&why->who, __ATOMIC_RELAXED),
                               __atomic_load_n(&why->what, __ATOMIC_RELAXED)};
}
static inline void tsr_wait_set_reason(struct tsr_wait_why *published, struct tsr_wait_why why) {
  __atomic_store_n(&published->who, why.who, __ATOMIC_RELAXED);
  __atomic_store_n(&published->what, why.what, __ATOMIC_RELAXED);
  __atomic_store_n(&published->kind, why.kind, __ATOMIC_RELAXED);
}
/* Writes "barrier 17 of team 2" or the like. */
void tsr_wait_describe(const struct tsr_wait_why *why, char *text, int text_bytes);

#endif
