/* Names of GASNet-1 that are part of GASNet-EX, too. Part of gasnetex.h. */
#ifndef TSR_GASNET_GEX_LEGACY_H
#define TSR_GASNET_GEX_LEGACY_H

#include <gasnett/annotate.h>
#include <gasnett/platform.h>
#include <gex/am.h>
#include <gex/client.h>
#include <gex/hsl.h>
#include <gex/segment.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Name of the conduit ---- */

#define GASNET_CONDUIT_NAME TESSERA
#define GASNET_CONDUIT_NAME_STR "TESSERA"
#define GASNET_CORE_NAME TESSERA
#define GASNET_CORE_NAME_STR "TESSERA"
#define GASNET_CORE_VERSION 0.1
#define GASNET_CORE_VERSION_STR "0.1"
#define GASNET_EXTENDED_NAME TESSERA
#define GASNET_EXTENDED_NAME_STR "TESSERA"
#define GASNET_EXTENDED_VERSION 0.1
#define GASNET_EXTENDED_VERSION_STR "0.1"

#if defined(GASNET_PAR)
#define GEXI_THREADMODEL "PAR"
#elif defined(GASNET_PARSYNC)
#define GEXI_THREADMODEL "PARSYNC"
#else
#define GEXI_THREADMODEL "SEQ"
#endif
#define GASNET_CONFIG_STRING                                                                                            \
  "RELEASE=2025.8.0,SPEC=0.19,CONDUIT=" GASNET_CONDUIT_NAME_STR "(" GASNET_CORE_NAME_STR "-" GASNET_CORE_VERSION_STR    \
  "/" GASNET_EXTENDED_NAME_STR "-" GASNET_EXTENDED_VERSION_STR "),THREADMODEL=" GEXI_THREADMODEL                        \
  ",SEGMENT=FAST,PTR=64bit,CACHE_LINE_BYTES=64,noalign,pshm,nodebug,notrace,nostats,nodebugmalloc,nosrclines,"          \
  "timers_native,membars_native,atomics_native,atomic32_native,atomic64_native,notiopt"

/* Return the name and the meaning of an error code. Any time. */
const char *gasnet_ErrorName(int code);
const char *gasnet_ErrorDesc(int code);

/* Returns a variable of the job's environment; NULL if it is not set. */
char *gasnet_getenv(const char *name);

/* ---- The end ---- */

/* Ends the job with this exit code, from any process and any thread, also in a handler. Does not return. If all
 * processes call it, call exit, or return from main within GASNET_EXITTIMEOUT seconds (5; half of one for a process
 * that ends with an error), the job ends in order, with the largest of the codes of this call. Otherwise the
 * processes that have not called are killed. A client with a handler for SIGQUIT also gets SIGINT, SIGTERM,
 * SIGHUP and SIGPIPE as SIGQUIT; the handler may call this function. */
void gasnet_exit(int exitcode) GASNETT_NORETURN;

/* ---- Progress, and waits for conditions of the program ---- */

/* Runs the handlers of all messages that have arrived. Returns GASNET_OK. */
int gasnet_AMPoll(void);

struct gexi_block {
  unsigned yields_n;
  uint64_t backoff_begun_ns, begun_ns;
};
void gexi_block(struct gexi_block *block);

/* Waits until an expression is true. Handlers, other threads, or stores of other processes make it true. The
 * expression is evaluated repeatedly, less and less often while nothing arrives, but at least every 0.1 s; a message
 * is handled at once. */
#define GASNET_BLOCKUNTIL(condition)                     \
  do {                                                   \
    struct gexi_block gexi_block_ = {0, 0, 0};           \
    while (!(condition)) gexi_block(&gexi_block_);       \
    __atomic_thread_fence(__ATOMIC_ACQUIRE);             \
  } while (0)

/* Sets how this process waits: with GASNET_WAIT_BLOCK it sleeps at once; otherwise it spins for a while if cores are
 * free. For programs with more threads than the library knows of. GASNET_ERR_BAD_ARG: not one of these. */
#define GASNET_WAIT_SPIN 0
#define GASNET_WAIT_BLOCK 1
#define GASNET_WAIT_SPINBLOCK 2
int gasnet_set_waitmode(int mode);

/* ---- The barrier of all processes, blocking or split-phase ----
 *
 * Only one is open at a time, and no other collective call on the first team is made while it is open. */

#define GASNET_BARRIERFLAG_ANONYMOUS 1
#define GASNET_BARRIERFLAG_MISMATCH 2
#define GASNET_BARRIERFLAG_IMAGES 4 /* all images of the process call; no effect, since a process is one image */
#define GASNET_BARRIERFLAG_UNNAMED (8 | GASNET_BARRIERFLAG_ANONYMOUS)

/* A barrier of all processes, blocking, or in two halves: notify and wait, or notify and try.
 *
 * All processes pass the same name `id`, except those that pass ANONYMOUS; UNNAMED promises that no process passes a
 * name. wait, try and gasnet_barrier return GASNET_OK, or on all processes GASNET_ERR_BARRIER_MISMATCH: the names
 * differ, or a process passed MISMATCH; and on a process whose second half has another id than the common name. try
 * returns GASNET_ERR_NOT_READY if not all have arrived; without a first half it returns GASNET_OK, but with
 * TESSERA_CHECK=1 it ends the job. */
void gasnet_barrier_notify(int id, int flags);
int gasnet_barrier_wait(int id, int flags);
int gasnet_barrier_try(int id, int flags);
int gasnet_barrier(int id, int flags);

/* Returns 0 if the last barrier was successful and had the name *id. */
int gasnet_barrier_result(int *id);

/* ---- Handlers and segments of GASNet-1 ---- */

typedef struct {
  gex_AM_Index_t index; /* 0: the call chooses an index and stores it here */
  gex_AM_Fn_t fnptr;
} gasnet_handlerentry_t;

/* Registers the handlers, whose numbers of arguments are not known, and attaches segments of these sizes, rounded up
 * to whole pages, at least one. For clients of GASNet-1: gasnet_init, or GEX_FLAG_USES_GASNET1. Collective over the
 * job, once. Errors as of gex_EP_RegisterHandlers and gex_Segment_Attach. `minheapoffset` is not used. */
int gasnet_attach(gasnet_handlerentry_t *table, int entries_n, uintptr_t segment_bytes, uintptr_t minheapoffset);

typedef struct {
  gex_Rank_t host;      /* number of the host */
  gex_Rank_t supernode; /* number of the set of processes that share memory */
  uintptr_t offset;     /* added to the peer's address this gives the address in this process; 0 if they share no
                         * memory */
} gasnet_nodeinfo_t;
/* Stores the entries of the first `entries_n` processes. GASNET_ERR_BAD_ARG. */
int gasnet_getNodeInfo(gasnet_nodeinfo_t *table, int entries_n);

/* ---- Handler-safe locks under their old names ----
 *
 * Handler-safe locks: the functions of gex/hsl.h. */

#define gasnet_hsl_t gex_HSL_t
#define gasnet_hsl_init gex_HSL_Init
#define gasnet_hsl_destroy gex_HSL_Destroy
#define gasnet_hsl_lock gex_HSL_Lock
#define gasnet_hsl_unlock gex_HSL_Unlock
#define gasnet_hsl_trylock gex_HSL_Trylock
#define GASNET_HSL_INITIALIZER GEX_HSL_INITIALIZER

/* ---- Macros for the beginning of functions ----
 *
 * For the beginning of functions; they need not be used here. GASNET_GET_THREADINFO returns a token, a different one for each
 * thread. */

typedef void *gasnet_threadinfo_t;
gasnet_threadinfo_t gexi_thread(void);
#define GASNET_BEGIN_FUNCTION() ((void)0)
#define GASNET_GET_THREADINFO() gexi_thread()
#define GASNET_POST_THREADINFO(info) ((void)(info))

/* Names that are in no published interface, but that programs use. */
#define gasneti_mynode gex_System_QueryJobRank()
#define gasneti_nodes gex_System_QueryJobSize()
#define gasneti_assert(expression) ((void)0)
#define GASNETI_MAX_THREADS GASNETT_MAX_THREADS /* in gasnet_tools.h */
#define gasneti_gethostname gasnett_gethostname /* in gasnet_tools.h, too */

#ifdef __cplusplus
}
#endif
#endif
