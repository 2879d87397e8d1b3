/* GASNet tools: diagnostics that test whether GASNet works on this system, for programs and for error reports. Part
 * of gasnet_tools.h if gasnetex.h was included before. */
#ifndef TSR_GASNETT_DIAGNOSE_H
#define TSR_GASNETT_DIAGNOSE_H

#include <gasnet_fwd.h>
#include <gex/am.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Stores the handlers of the test messages; every process registers them before any process runs the diagnostics. The
 * library owns the table. */
void gasnett_diagnostic_gethandlers(gex_AM_Entry_t **table, int *entries_n);

/* Runs the diagnostics. Every member of the team calls it, with a peer that no other member has, and with the start
 * of both segments, whose first page is overwritten. `rounds` is the thoroughness, and `threads_n` the number of
 * threads that test locks (1 in a program without threads). `sections` is NULL for all, or letters: "A" clock and
 * sums, "B" atomics and locks, "C" puts and gets, "D" active messages. Lengths and data are random numbers from
 * `seed`, which may differ between processes; the same seed gives the same numbers. Returns the number of errors that
 * this process has found; for each it prints a line with the seed on standard error. */
int gasnett_run_diagnostics(int rounds, int threads_n, const char *sections, gex_TM_t team, void *own_segment, gex_Rank_t peer,
                            void *peer_segment, unsigned seed);

#ifdef __cplusplus
}
#endif
#endif
