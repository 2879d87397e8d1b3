/* GASNet-EX on Tessera. A program defines exactly one of GASNET_SEQ (only one thread ever calls), GASNET_PARSYNC
 * (several threads call, one at a time) and GASNET_PAR (several threads call at the same time). One library serves
 * all three.
 *
 * All functions do what the specification of GASNet-EX says. The comments in these headers summarise them, and add
 * what the specification leaves open. Tessera's docs/migrate-gasnet.md lists the differences from other
 * implementations. */
#ifndef TSR_GASNETEX_H
#define TSR_GASNETEX_H

#if defined(GASNET_SEQ) + defined(GASNET_PARSYNC) + defined(GASNET_PAR) != 1
#error "define exactly one of GASNET_SEQ, GASNET_PARSYNC and GASNET_PAR before including gasnetex.h"
#endif

/* Each of these macros has the value 1, however the program has defined it, so that #if can test it. */
#if defined(GASNET_SEQ)
#undef GASNET_SEQ
#define GASNET_SEQ 1
#elif defined(GASNET_PARSYNC)
#undef GASNET_PARSYNC
#define GASNET_PARSYNC 1
#else
#undef GASNET_PAR
#define GASNET_PAR 1
#endif

#define _INCLUDED_GASNETEX_H 1

/* Programs rely on this header to include these standard headers. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#if defined(GASNET_PAR) || defined(GASNET_PARSYNC)
#include <pthread.h>
#include <sched.h>
#endif

/* Tools, such as upcxx-run, search executables for this text. */
#if defined(GASNET_CONDUIT_SMP)
static const char gexi_conduit_ident[] __attribute__((used)) = "$GASNetConduitName: SMP $";
#else
static const char gexi_conduit_ident[] __attribute__((used)) = "$GASNetConduitName: MPI $";
#endif

/* ---- Versions and properties ---- */

#define GEX_SPEC_VERSION_MAJOR 0
#define GEX_SPEC_VERSION_MINOR 19
#define GASNET_SPEC_VERSION_MAJOR 1
#define GASNET_SPEC_VERSION_MINOR 8
#define GASNET_VERSION GASNET_SPEC_VERSION_MAJOR

#define GASNET_CONDUIT_TESSERA 1
#define GASNET_PSHM 1
#define GASNET_SEGMENT_FAST 1
#define GASNET_ALIGNED_SEGMENTS 0
#define GASNET_NULL_ARGV_OK 1
#define GASNET_RCV_THREAD 0
#define GASNET_SND_THREAD 0
#define GASNET_PAGESIZE 4096
#define GASNET_MAXNODES INT32_MAX

#define GASNET_SUPPORTS_TI_SRCRANK 1
#define GASNET_SUPPORTS_TI_EP 1
#define GASNET_SUPPORTS_TI_ENTRY 1
#define GASNET_SUPPORTS_TI_IS_REQ 1
#define GASNET_SUPPORTS_TI_IS_LONG 1
#define GASNET_SUPPORTS_AM_COMMIT_V2 20240906L /* gex_AM_Commit..._v2 */
#define GASNET_SUPPORTS_AM_CANCEL 20240418L /* gex_AM_Cancel... */
#define GASNET_NATIVE_NP_ALLOC_REQ_MEDIUM 1
#define GASNET_NATIVE_NP_ALLOC_REP_MEDIUM 1
#define GASNET_NATIVE_NP_ALLOC_REQ_LONG 1
#define GASNET_NATIVE_NP_ALLOC_REP_LONG 1

#include <gasnet_fwd.h>
#include <gex/client.h>
#include <gex/segment.h>
#include <gex/team.h>
#include <gex/event.h>
#include <gex/rma.h>
#include <gex/barrier.h>
#include <gex/am.h>
#include <gex/hsl.h>
#include <gex/legacy.h>
#include <gasnet_coll.h> /* programs use it without including it */

#endif
