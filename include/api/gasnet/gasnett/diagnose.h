/* GASNet tools: a look at whether GASNet works here, for programs that are about to rely on it, and for who reports an error. Part
 * of gasnet_tools.h where gasnetex.h was included before. */
#ifndef TSR_GASNETT_DIAGNOSE_H
#define TSR_GASNETT_DIAGNOSE_H

#include <gasnet_fwd.h>
#include <gex/am.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The handlers of the messages that are tried; every process registers them, before any of them runs the diagnostics. The table is
 * the library's. */
void gasnett_diagnostic_gethandlers(gex_AM_Entry_t **table, int *entries_n);

/* Every member of the team calls this, with a peer that no other member has, and where the first page of both segments begins; what
 * lies there is overwritten. `rounds` says how thorough it is, `threads_n` how many threads try locks (1 in a program without
 * threads). `sections`: NULL for all, or letters of "A" clock and sums, "B" atomics and locks, "C" puts and gets, "D" active
 * messages. Lengths and data are drawn at random from `seed`, which may differ between processes: the same seed draws the same.
 * Returns how many errors this process has found; a line on standard error tells of each, and of the seed. */
int gasnett_run_diagnostics(int rounds, int threads_n, const char *sections, gex_TM_t team, void *own_segment, gex_Rank_t peer,
                            void *peer_segment, unsigned seed);

#ifdef __cplusplus
}
#endif
#endif
