/* Signals that would end one process: the client hears of them by SIGQUIT. */
#ifndef TSR_API_GASNET_SIGNAL_H
#define TSR_API_GASNET_SIGNAL_H

#include <stdbool.h>

/* From here on; and no longer. Each process for itself. */
void tsr_gex_signals_start(void);
void tsr_gex_signals_stop(void);

/* Whether the calling thread runs the client's handler because of such a signal: it has stopped anywhere, inside MPI too. */
bool tsr_gex_in_signal(void);

/* The process ends with this code, alone, should its own way out not come to an end. */
void tsr_gex_signal_limit(int code, unsigned seconds);

#endif
