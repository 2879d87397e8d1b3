/* Transfers of several steps. A thread that makes progress runs the next step of each. A unit of the node that has done
 * its part of a transfer calls tsr_work_signal. Without a signal or tsr_work_poll no step runs. */
#ifndef TSR_P2P_WORK_H
#define TSR_P2P_WORK_H

#include <stdint.h>

enum tsr_work_result {
  TSR_WORK_WAITS, /* nothing was done; waits for a signal of another unit */
  TSR_WORK_RETRY, /* nothing was done; waits for a resource of this unit that sends no signal */
  TSR_WORK_MOVED, /* something was done; the rest waits for a signal of another unit */
  TSR_WORK_MORE,  /* something was done, and the next step can run at once */
  TSR_WORK_OVER   /* finished; the object may have been freed */
};

/* A member of the transfer's object, which does not move until the work is over. */
struct tsr_work {
  struct tsr_work *next;
  enum tsr_work_result (*step)(struct tsr_work *work); /* never concurrent; never waits; returns soon */
};

/* The most bytes that one step copies. */
enum { TSR_WORK_BYTES = 1 << 20 };

/* Any thread, also from the function of a ring record, a handler or a step. */
void tsr_work_add(struct tsr_work *work);

/* Makes the next progress run a step of each work. */
void tsr_work_poll(void);

/* Signals a unit of the node that shared memory of one of its works has changed; called after the change. */
void tsr_work_signal(uint32_t local);

/* Runs the next step of each work after a signal or tsr_work_poll; returns how many steps did something. */
int tsr_work_progress(void);

/* Drops all works. No other thread is in this module. */
void tsr_work_drop(void);

#endif
