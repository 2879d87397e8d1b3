/* GASNet-1's names that belong to GASNet-EX, too. Part of gasnetex.h. */
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

/* ---- What this is ---- */

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

/* The name of a code that a call has returned, and what it means. Any time. */
const char *gasnet_ErrorName(int code);
const char *gasnet_ErrorDesc(int code);

/* The environment of the job; a variable that is not set: NULL. */
char *gasnet_getenv(const char *name);

/* ---- The end ---- */

/* Ends the job with this exit code; from any process, in any thread, in a handler too. Does not return. When all processes
 * call it within GASNET_EXITTIMEOUT seconds (5; half of one for who ends with an error), or exit, or return from main, the job
 * ends in order, and this call's code becomes the highest of all; else those that have not called are ended, wherever they
 * are. SIGINT, SIGTERM, SIGHUP and SIGPIPE come as SIGQUIT to a client that has a handler for it, which may call this. */
void gasnet_exit(int exitcode) GASNETT_NORETURN;

/* ---- Progress, and waiting for what the library does not know ---- */

/* Runs the handlers of what has come. GASNET_OK. */
int gasnet_AMPoll(void);

struct gexi_block {
  unsigned yields_n;
  uint64_t nap_begun_ns, begun_ns;
};
void gexi_block(struct gexi_block *block);

/* Waits until an expression is true that handlers, other threads, or stores of other processes make so; it is looked at again
 * and again, ever more rarely when nothing comes, at last every 0.1 s; a message is served at once. */
#define GASNET_BLOCKUNTIL(condition)                     \
  do {                                                   \
    struct gexi_block gexi_block_ = {0, 0, 0};           \
    while (!(condition)) gexi_block(&gexi_block_);       \
    __atomic_thread_fence(__ATOMIC_ACQUIRE);             \
  } while (0)

/* How this process waits: GASNET_WAIT_BLOCK sleeps at once, the others spin for a while when cores are free. For who has more
 * threads than the library knows of. GASNET_ERR_BAD_ARG: none of these. */
#define GASNET_WAIT_SPIN 0
#define GASNET_WAIT_BLOCK 1
#define GASNET_WAIT_SPINBLOCK 2
int gasnet_set_waitmode(int mode);

/* ---- The barrier of all, in one or two halves; one at a time, and no other collective call of the first team between ---- */

#define GASNET_BARRIERFLAG_ANONYMOUS 1
#define GASNET_BARRIERFLAG_MISMATCH 2
#define GASNET_BARRIERFLAG_UNNAMED (8 | GASNET_BARRIERFLAG_ANONYMOUS)

/* `id` is a name that all must agree on, but for those who pass ANONYMOUS; UNNAMED: nobody has one, as all know. wait, try and
 * gasnet_barrier return GASNET_OK, or, on all processes, GASNET_ERR_BARRIER_MISMATCH: names differ, or somebody has passed
 * MISMATCH; also where the id of the second half is not that of the first halves. try: GASNET_ERR_NOT_READY: not all have come
 * yet; without a first half GASNET_OK, but with TESSERA_CHECK=1 that ends the job. */
void gasnet_barrier_notify(int id, int flags);
int gasnet_barrier_wait(int id, int flags);
int gasnet_barrier_try(int id, int flags);
int gasnet_barrier(int id, int flags);

/* 0: the last barrier went well and had the name *id. */
int gasnet_barrier_result(int *id);

/* ---- Handlers, segments and places, as GASNet-1 has them ---- */

typedef struct {
  gex_AM_Index_t index; /* 0: the call chooses one and stores it here */
  gex_AM_Fn_t fnptr;
} gasnet_handlerentry_t;

/* Registers the handlers, whose numbers of arguments are not known, and attaches segments of these sizes, rounded up to
 * pages, at least one. For clients of GASNet-1: gasnet_init, or GEX_FLAG_USES_GASNET1. Collective over the job, once. Errors
 * as of gex_EP_RegisterHandlers and gex_Segment_Attach. `minheapoffset` is not used. */
int gasnet_attach(gasnet_handlerentry_t *table, int entries_n, uintptr_t segment_bytes, uintptr_t minheapoffset);

typedef struct {
  gex_Rank_t host;      /* number of the host, */
  gex_Rank_t supernode; /* and of those that share memory, */
  uintptr_t offset;     /* of which this process adds this to the peer's address to get its own; 0 for others */
} gasnet_nodeinfo_t;
/* Of the first `entries_n` processes. GASNET_ERR_BAD_ARG, GASNET_ERR_NOT_INIT. */
int gasnet_getNodeInfo(gasnet_nodeinfo_t *table, int entries_n);

/* ---- Handler-safe locks by their old names ---- */

#define gasnet_hsl_t gex_HSL_t
#define gasnet_hsl_init gex_HSL_Init
#define gasnet_hsl_destroy gex_HSL_Destroy
#define gasnet_hsl_lock gex_HSL_Lock
#define gasnet_hsl_unlock gex_HSL_Unlock
#define gasnet_hsl_trylock gex_HSL_Trylock
#define GASNET_HSL_INITIALIZER GEX_HSL_INITIALIZER

/* ---- What functions that call often may begin with: nothing is needed, but each thread has a token of its own ---- */

typedef void *gasnet_threadinfo_t;
gasnet_threadinfo_t gexi_thread(void);
#define GASNET_BEGIN_FUNCTION() ((void)0)
#define GASNET_GET_THREADINFO() gexi_thread()
#define GASNET_POST_THREADINFO(info) ((void)(info))

/* Names that are nobody's interface, but that programs use. */
#define gasneti_mynode gex_System_QueryJobRank()
#define gasneti_nodes gex_System_QueryJobSize()
#define gasneti_assert(expression) ((void)0)
#define GASNETI_MAX_THREADS GASNETT_MAX_THREADS /* of gasnet_tools.h, */
#define gasneti_gethostname gasnett_gethostname /* as this is */

#ifdef __cplusplus
}
#endif
#endif
