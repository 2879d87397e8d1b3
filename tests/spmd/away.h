/* Units that make no progress: they sleep outside the library until a signal. They announce this by a signal, too, so
 * that the other unit does not begin earlier. For tests of GASNet, which poll by gasnet_AMPoll meanwhile. */
#ifndef AWAY_H
#define AWAY_H

#include <signal.h>
#include <sys/types.h>
#include <time.h>

#include "check.h"

static sigset_t away_signal;

/* Call it before threads are started. */
static inline void away_prepare(void) {
  sigemptyset(&away_signal);
  sigaddset(&away_signal, SIGUSR1);
  CHECK_EQ(sigprocmask(SIG_BLOCK, &away_signal, NULL), 0);
}

/* Returns when `other` has called come_back. */
static inline void stay_away(pid_t other) {
  int number;
  CHECK_EQ(kill(other, SIGUSR1), 0);
  CHECK_EQ(sigwait(&away_signal, &number), 0);
}

static inline void until_away(void) {
  const struct timespec now = {0, 0};
  while (sigtimedwait(&away_signal, NULL, &now) < 0) gasnet_AMPoll();
}
static inline void come_back(pid_t other) { CHECK_EQ(kill(other, SIGUSR1), 0); }

#endif
