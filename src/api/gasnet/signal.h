/* Translates signals that would end the process to SIGQUIT, which GASNet clients may catch. */
#ifndef TSR_API_GASNET_SIGNAL_H
#define TSR_API_GASNET_SIGNAL_H

#include <stdbool.h>

/* Not collective. */
void tsr_gex_signals_start(void);
void tsr_gex_signals_stop(void);

/* Whether the calling thread runs the client's handler for such a signal, which may have interrupted any function, even
 * MPI. */
bool tsr_gex_in_signal(void);

/* Ends this process with the code if it is still running after so many seconds. */
void tsr_gex_signal_limit(int code, unsigned seconds);

#endif
