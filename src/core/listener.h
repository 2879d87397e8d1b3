/* Listener: a thread of each process that sleeps until something comes from other nodes, where the transport has a descriptor to
 * sleep on. It serves requests while the unit computes, and wakes the unit if the unit sleeps in a wait. While the unit polls, the
 * listener does nothing. */
#ifndef TSR_CORE_LISTENER_H
#define TSR_CORE_LISTENER_H

#include <stdbool.h>

/* Starts it if the transport has a descriptor and progress threads serve the nodes. A process without a listener polls the
 * transport by the clock. Before other threads of the library start, and after they have ended. */
void tsr_listener_start(void);
void tsr_listener_stop(void); /* also if there is none */
bool tsr_listener_runs(void);

/* Before the unit sleeps: what comes from now on wakes the listener. False: something has come; poll instead. */
bool tsr_listener_arm(void);

/* Called after a poll that has found something: it may have taken what would have woken the listener. Wakes the listener if it
 * was armed. While the unit computes, the listener sends the acknowledgements and requests that the poll has held back. */
void tsr_listener_overtaken(void);

#endif
