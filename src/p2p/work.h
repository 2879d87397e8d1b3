/* Transfers that take more than one step, advanced by progress: whoever makes progress lets each do its next step. A
 * neighbour on the node that has done its part of one says so by tsr_work_signal; nothing is looked at without cause. */
#ifndef TSR_P2P_WORK_H
#define TSR_P2P_WORK_H

#include <stdint.h>

enum tsr_work_result {
  TSR_WORK_WAITS, /* for a neighbour */
  TSR_WORK_RETRY, /* for something of our own that says nothing when it comes */
  TSR_WORK_MOVED, /* something was done; the rest waits for a neighbour */
  TSR_WORK_MORE,  /* something was done, and more can be at once */
  TSR_WORK_OVER   /* the object is forgotten, and need no longer exist */
};

/* Part of the object it stands for, which stays where it is until it is over. */
struct tsr_work {
  struct tsr_work *next;
  enum tsr_work_result (*step)(struct tsr_work *work); /* one at a time; never waits, nor holds others up for long */
};

/* How much one step copies at most. */
enum { TSR_WORK_BYTES = 1 << 20 };

/* Any thread, also from a record's function, a handler or a step. */
void tsr_work_add(struct tsr_work *work);

/* Something has changed for works that retry or wait. */
void tsr_work_poll(void);

/* Tells a unit of the node that shared memory has changed for one of its works: call it after the change. */
void tsr_work_signal(uint32_t local);

/* Lets each work that has cause do its next step; returns how many did something. */
int tsr_work_progress(void);

/* Forgets all. Nobody else is inside. */
void tsr_work_drop(void);

#endif
