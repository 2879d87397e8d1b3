/* GASNet tools (gasnett_*): functions that a program can use without GASNet itself, or before its start. Nothing here
 * needs a start, and everything works in a process that was not launched as part of a job.
 *
 * Threads: any, at any time. A program that includes gasnetex.h is multi-threaded with GASNET_PAR and GASNET_PARSYNC.
 * A program without it defines GASNETT_THREAD_SAFE or GASNETT_THREAD_SINGLE, or includes pthread.h first. This only
 * selects how weak the weak barriers are; everything is thread-safe in any case. */
#ifndef TSR_GASNET_TOOLS_H
#define TSR_GASNET_TOOLS_H

#define _INCLUDED_GASNET_TOOLS_H 1

#if defined(GASNETT_LITE_MODE) + defined(GASNETT_THREAD_SAFE) + defined(GASNETT_THREAD_SINGLE) > 1
#error "define at most one of GASNETT_THREAD_SAFE, GASNETT_THREAD_SINGLE and GASNETT_LITE_MODE"
#endif
#if defined(GASNETT_THREAD_SAFE) && defined(GASNET_SEQ)
#error "GASNETT_THREAD_SAFE contradicts GASNET_SEQ"
#endif
#if defined(GASNETT_THREAD_SINGLE) && (defined(GASNET_PAR) || defined(GASNET_PARSYNC))
#error "GASNETT_THREAD_SINGLE contradicts GASNET_PAR and GASNET_PARSYNC"
#endif

/* Each of these macros has the value 1, however the program has defined it, so that #if can test it. */
#if defined(GASNETT_LITE_MODE)
#undef GASNETT_LITE_MODE
#define GASNETT_LITE_MODE 1
#define GASNETT_THREAD_MODEL LITE
#elif defined(GASNETT_THREAD_SAFE) || defined(GASNET_PAR) || defined(GASNET_PARSYNC) ||  \
    (!defined(GASNET_SEQ) && !defined(GASNETT_THREAD_SINGLE) &&                          \
     (defined(_REENTRANT) || defined(_THREAD_SAFE) || defined(PTHREAD_MUTEX_INITIALIZER)))
#undef GASNETT_THREAD_SAFE
#define GASNETT_THREAD_SAFE 1
#define GASNETT_THREAD_MODEL PAR
#else
#undef GASNETT_THREAD_SINGLE
#define GASNETT_THREAD_SINGLE 1
#define GASNETT_THREAD_MODEL SEQ
#endif

/* Programs rely on this header to include these standard headers. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <gasnett/annotate.h>
#include <gasnett/atomic.h>
#include <gasnett/platform.h>
#include <gasnett/thread.h>
#include <gasnett/utility.h>
#if defined(_INCLUDED_GASNETEX_H)
#include <gasnett/diagnose.h>
#include <gasnett/format.h>
#endif

#define GASNETT_RELEASE_VERSION_MAJOR GASNET_RELEASE_VERSION_MAJOR
#define GASNETT_RELEASE_VERSION_MINOR GASNET_RELEASE_VERSION_MINOR
#define GASNETT_RELEASE_VERSION_PATCH GASNET_RELEASE_VERSION_PATCH
#define GASNETT_SPEC_VERSION_MAJOR 1
#define GASNETT_SPEC_VERSION_MINOR 20

#define GASNETT_PAGESIZE 4096
#define GASNETT_PAGESHIFT 12
#define GASNETT_CACHE_LINE_BYTES 64

/* Number of threads of a process that may use the library. */
#if defined(GASNET_SEQ)
#define GASNETT_MAX_THREADS 1
#else
#define GASNETT_MAX_THREADS 256
#endif

#define GASNETT_PLATFORM_COMPILER_IDSTR PLATFORM_COMPILER_IDSTR
#define GASNETT_PLATFORM_COMPILER_FAMILYID PLATFORM_COMPILER_FAMILYID
#define GASNETT_PLATFORM_COMPILER_ID PLATFORM_COMPILER_ID
#define GASNETT_PLATFORM_COMPILER_VERSION PLATFORM_COMPILER_VERSION
#define GASNETT_CONFIGURE_ARGS ""
#define GASNETT_DEBUG_CONFIG nodebug
#define GASNETT_PTR_CONFIG 64bit

#define GASNETT_CONFIG_STRING                                                                                           \
  "RELEASE=" _STRINGIFY(GASNETT_RELEASE_VERSION_MAJOR) "." _STRINGIFY(GASNETT_RELEASE_VERSION_MINOR) "." _STRINGIFY(    \
      GASNETT_RELEASE_VERSION_PATCH) ",SPEC=" _STRINGIFY(GASNETT_SPEC_VERSION_MAJOR) "." _STRINGIFY(                    \
      GASNETT_SPEC_VERSION_MINOR) ",PTR=" _STRINGIFY(GASNETT_PTR_CONFIG) "," _STRINGIFY(GASNETT_DEBUG_CONFIG) "," _STRINGIFY( \
      GASNETT_THREAD_MODEL) "," _STRINGIFY(GASNETT_TIMER_CONFIG) "," _STRINGIFY(GASNETT_MEMBAR_CONFIG) "," _STRINGIFY(  \
      GASNETT_ATOMIC_CONFIG) "," _STRINGIFY(GASNETT_ATOMIC32_CONFIG) "," _STRINGIFY(GASNETT_ATOMIC64_CONFIG)

#endif
