/* Every name that GASNet programs use exists, with the arguments that they pass. It is enough that this compiles and
 * links: almost nothing of it runs. */
#if !defined(GASNET_PAR) && !defined(GASNET_PARSYNC)
#define GASNET_SEQ 1
#endif
#include <gasnetex.h>

/* Clients of GASNet-EX ask for these before they include anything else. */
#if GASNET_RELEASE_VERSION_MAJOR < 2000 || !GASNET_RELEASE_VERSION_MINOR || !defined(GASNET_RELEASE_VERSION_PATCH) || \
    GEX_SPEC_VERSION_MINOR < 19 || GASNET_SUPPORTS_AM_CANCEL < 20240418L || GASNET_SUPPORTS_AM_COMMIT_V2 < 20240906L || \
    !GEX_FLAG_IMMEDIATE
#error "gasnetex.h alone has versions, features and flags"
#endif

#include <gasnet_coll.h>
#include <gasnet_fwd.h>
#include <gasnet_mk.h>
#include <gasnet_portable_platform.h>
#include <gasnet_ratomic.h>
#include <gasnet_vis.h>
#include <gasnet.h>
#include <gasnet_tools.h>

#include <signal.h>
#include <string.h>

#include "check.h"

/* ---- Values for the preprocessor ---- */

#if !_INCLUDED_GASNETEX_H || !_INCLUDED_GASNET_H || !_INCLUDED_GASNET_TOOLS_H
#error "what is included says so"
#endif
#if GASNET_RELEASE_VERSION_MAJOR < 2000 || GASNET_RELEASE_VERSION_MINOR < 0 || GASNET_RELEASE_VERSION_PATCH < 0 || \
    GEX_SPEC_VERSION_MAJOR != 0 || GEX_SPEC_VERSION_MINOR < 19 || GASNET_SPEC_VERSION_MAJOR != 1 ||               \
    GASNET_SPEC_VERSION_MINOR < 8 || GASNET_VERSION != GASNET_SPEC_VERSION_MAJOR || GASNETT_SPEC_VERSION_MAJOR != 1 || \
    GASNETT_SPEC_VERSION_MINOR < 20 || GASNETT_RELEASE_VERSION_MAJOR != GASNET_RELEASE_VERSION_MAJOR ||           \
    GASNETT_RELEASE_VERSION_MINOR != GASNET_RELEASE_VERSION_MINOR ||                                              \
    GASNETT_RELEASE_VERSION_PATCH != GASNET_RELEASE_VERSION_PATCH
#error "versions"
#endif
#if !GASNET_SUPPORTS_AM_COMMIT_V2 || !GASNET_SUPPORTS_AM_CANCEL || !GASNET_SUPPORTS_TI_SRCRANK || !GASNET_SUPPORTS_TI_EP || \
    !GASNET_SUPPORTS_TI_ENTRY || !GASNET_SUPPORTS_TI_IS_REQ || !GASNET_SUPPORTS_TI_IS_LONG ||                      \
    !GASNET_NATIVE_NP_ALLOC_REQ_MEDIUM || !GASNET_NATIVE_NP_ALLOC_REP_MEDIUM || !GASNET_NATIVE_NP_ALLOC_REQ_LONG || \
    !GASNET_NATIVE_NP_ALLOC_REP_LONG || !GASNET_NDEBUG || GASNET_DEBUG || !GASNET_SEGMENT_FAST || GASNET_SEGMENT_EVERYTHING
#error "features"
#endif
#if GASNET_SEQ + GASNET_PAR + GASNET_PARSYNC != 1 || GASNET_MAXEPS < 1 || GASNET_PAGESIZE != GASNETT_PAGESIZE || \
    GASNETT_MAX_THREADS < 1 || SIZEOF_GEX_RMA_VALUE_T != 8 || SIZEOF_GASNET_REGISTER_VALUE_T != 8 ||              \
    GASNET_HIDDEN_AM_CONCURRENCY_LEVEL != 0 || GASNET_PSHM != 1 || GASNET_ALIGNED_SEGMENTS > 1 ||                 \
    GASNET_NULL_ARGV_OK != 1 || GASNET_RCV_THREAD || GASNET_SND_THREAD || !HAVE_PTHREAD_H || !HAVE_MMAP
#error "sizes"
#endif
#if GASNET_SUPPORTS_AM_CANCEL < 20240418L || GASNET_SUPPORTS_AM_COMMIT_V2 < 20240906L
#error "features since when"
#endif

/* Constants are numbers for the preprocessor, too. Flags of one call differ. */
#define SUM(a, b, c, d) ((a) + (b) + (c) + (d))
#define ALL_OF(a, b, c, d) ((a) | (b) | (c) | (d))
#define DIFFER(a, b, c, d) (SUM(a, b, c, d) == ALL_OF(a, b, c, d) && (a) && (b) && (c) && (d))
#if !DIFFER(GEX_FLAG_IMMEDIATE, GEX_FLAG_SELF_SEG_UNKNOWN, GEX_FLAG_SELF_SEG_SOME, GEX_FLAG_SELF_SEG_BOUND) || \
    !DIFFER(GEX_FLAG_SELF_SEG_OFFSET, GEX_FLAG_PEER_SEG_UNKNOWN, GEX_FLAG_PEER_SEG_SOME, GEX_FLAG_PEER_SEG_BOUND) || \
    !DIFFER(GEX_FLAG_PEER_SEG_OFFSET, GEX_FLAG_LC_COPY_YES, GEX_FLAG_LC_COPY_NO, GEX_FLAG_RANK_IS_JOBRANK) || \
    !DIFFER(GEX_FLAG_AM_PREPARE_LEAST_CLIENT, GEX_FLAG_AM_PREPARE_LEAST_ALLOC, GEX_FLAG_IMMEDIATE, GEX_FLAG_IMMEDIATE_COMMIT) || \
    !DIFFER(GEX_FLAG_ENABLE_LEAF_LC, GEX_FLAG_PEER_NEVER_SELF, GEX_FLAG_PEER_NEVER_NBRHD, GEX_FLAG_IMMEDIATE) || \
    !DIFFER(GEX_FLAG_AD_MY_RANK, GEX_FLAG_AD_MY_NBRHD, GEX_FLAG_AD_ACQ, GEX_FLAG_AD_REL) || \
    !DIFFER(GEX_FLAG_AD_FAVOR_MY_RANK, GEX_FLAG_AD_FAVOR_MY_NBRHD, GEX_FLAG_AD_FAVOR_REMOTE, GEX_FLAG_RANK_IS_JOBRANK) || \
    !DIFFER(GEX_FLAG_AM_SHORT, GEX_FLAG_AM_MEDLONG, GEX_FLAG_AM_REQUEST, GEX_FLAG_AM_REPLY) || \
    GEX_FLAG_AM_MEDLONG != GEX_FLAG_AM_MEDIUM + GEX_FLAG_AM_LONG || GEX_FLAG_AM_REQREP != GEX_FLAG_AM_REQUEST + GEX_FLAG_AM_REPLY
#error "flags of what communicates"
#endif
#if !DIFFER(GEX_FLAG_TM_SCRATCH_SIZE_MIN, GEX_FLAG_TM_SCRATCH_SIZE_RECOMMENDED, GEX_FLAG_TM_GLOBAL_SCRATCH, \
            GEX_FLAG_TM_LOCAL_SCRATCH) || \
    !DIFFER(GEX_FLAG_TM_SYMMETRIC_SCRATCH, GEX_FLAG_TM_NO_SCRATCH, GEX_FLAG_SCRATCH_SEG_OFFSET, GEX_FLAG_GLOBALLY_QUIESCED) || \
    GEX_FLAG_USES_GASNET1 == GEX_FLAG_DEFER_THREADS || GEX_FLAG_HINT_ACCEL_ALL != GEX_FLAG_HINT_ACCEL_AD + GEX_FLAG_HINT_ACCEL_COLL
#error "flags of objects"
#endif
#if !DIFFER(GEX_DT_I32, GEX_DT_U32, GEX_DT_I64, GEX_DT_U64) || !DIFFER(GEX_DT_FLT, GEX_DT_DBL, GEX_DT_USER, GEX_DT_I32) || \
    !DIFFER(GEX_OP_AND, GEX_OP_OR, GEX_OP_XOR, GEX_OP_ADD) || !DIFFER(GEX_OP_SUB, GEX_OP_MULT, GEX_OP_MIN, GEX_OP_MAX) || \
    !DIFFER(GEX_OP_INC, GEX_OP_DEC, GEX_OP_SET, GEX_OP_CAS) || !DIFFER(GEX_OP_SWAP, GEX_OP_FCAS, GEX_OP_GET, GEX_OP_USER) || \
    GEX_OP_TO_FETCHING(GEX_OP_MAX) != GEX_OP_FMAX || GEX_OP_TO_NONFETCHING(GEX_OP_SWAP) != GEX_OP_SET || \
    GEX_OP_CSWAP != GEX_OP_FCAS || GEX_OP_USER == GEX_OP_USER_NC
#error "types and operations"
#endif
#if !DIFFER(GEX_EC_GET, GEX_EC_PUT, GEX_EC_AM, GEX_EC_LC) || !(GEX_EC_ALL & GEX_EC_RMW) || \
    !DIFFER(GEX_TI_SRCRANK, GEX_TI_EP, GEX_TI_ENTRY, GEX_TI_IS_REQ) || !(GEX_TI_ALL & GEX_TI_IS_LONG) || \
    !DIFFER(GEX_EP_CAPABILITY_RMA, GEX_EP_CAPABILITY_AM, GEX_EP_CAPABILITY_VIS, GEX_EP_CAPABILITY_COLL) || \
    !(GEX_EP_CAPABILITY_ALL & GEX_EP_CAPABILITY_AD) || GEX_AM_INDEX_BASE > 128 || GEX_VIS_MAX_PEERCOMPLETION < 127 || \
    GEX_RANK_INVALID <= GASNET_MAXNODES || GEX_THREAD_ROLE_RCV == GEX_THREAD_ROLE_SND
#error "what else is a number"
#endif
#if GASNET_OK || GASNET_ERR_NOT_INIT == GASNET_ERR_RESOURCE || GASNET_ERR_BAD_ARG == GASNET_ERR_NOT_READY || \
    !GASNET_ERR_BARRIER_MISMATCH || GASNET_WAIT_SPIN + GASNET_WAIT_BLOCK == GASNET_WAIT_SPINBLOCK || \
    (GASNET_BARRIERFLAG_UNNAMED & GASNET_BARRIERFLAG_ANONYMOUS) != GASNET_BARRIERFLAG_ANONYMOUS || GASNET_BARRIERFLAG_MISMATCH == 0
#error "numbers of GASNet-1"
#endif

#if PLATFORM_OS_CYGWIN || PLATFORM_OS_DARWIN || PLATFORM_COMPILER_PGI || PLATFORM_ARCH_CRAYX1 || !PLATFORM_OS_LINUX
#error "platforms"
#endif

/* UPC++ tests whether these are macros, and copies their expansions into headers that do not include GASNet's. */
#if !defined(gasnett_spinloop_hint) || !defined(gasneti_builtin_unreachable) || !defined(gasnett_assume) ||   \
    !defined(GASNETT_PREDICT_TRUE) || !defined(GASNETT_PREDICT_FALSE) || !defined(GASNETT_NEVER_INLINE) ||    \
    !defined(GASNETT_NORETURN) || !defined(GASNETT_PURE) || !defined(GASNETT_CONST)
#error "what others copy"
#endif
static const char *const copied[] = {
    _STRINGIFY(gasnett_spinloop_hint()), _STRINGIFY(gasneti_builtin_unreachable()), _STRINGIFY(gasnett_assume(1)),
    _STRINGIFY(GASNETT_PREDICT_TRUE(1)), _STRINGIFY(GASNETT_PREDICT_FALSE(1)), _STRINGIFY(GASNETT_NEVER_INLINE(name, f)),
    _STRINGIFY(GASNETT_NORETURN), _STRINGIFY(GASNETT_PURE), _STRINGIFY(GASNETT_CONST), _STRINGIFY(GASNET_MAXEPS),
};
static void check_copied(void) {
  for (size_t i = 0; i < sizeof copied / sizeof copied[0]; i++) CHECK(!strcasestr(copied[i], "gasnet"));
  gasnett_assume(sizeof copied > 1);
  gasnett_spinloop_hint();
}

/* All arguments are used, whatever they are, and the macros can be part of an expression. */
static int unused_n;
static int use_one(void) { return ++unused_n; }
static int leave_unused(int a, int b, int c, int d, int e, int f, int g, const char *h) {
  GASNETT_UNUSED_ARGS1(use_one());
  GASNETT_UNUSED_ARGS2(a, use_one());
  GASNETT_UNUSED_ARGS3(use_one(), b, c);
  GASNETT_UNUSED_ARGS4(a, b, use_one(), d);
  GASNETT_UNUSED_ARGS5(a, use_one(), c, d, e);
  GASNETT_UNUSED_ARGS6(a, b, c, d, use_one(), f);
  GASNETT_UNUSED_ARGS7(a, b, c, d, e, f, use_one());
  return GASNETT_UNUSED_ARGS8(a, b, c, d, e, f, g, h), unused_n;
}

static const char *const texts[] = {
    GASNET_CONFIG_STRING, GASNETT_CONFIG_STRING, GASNET_CONDUIT_NAME_STR, GASNET_CORE_NAME_STR, GASNET_CORE_VERSION_STR,
    GASNET_EXTENDED_NAME_STR, GASNET_EXTENDED_VERSION_STR, _STRINGIFY(GASNET_CONDUIT_NAME), _STRINGIFY(GASNET_CORE_NAME),
    _STRINGIFY(GASNET_CORE_VERSION), _STRINGIFY(GASNET_EXTENDED_NAME), _STRINGIFY(GASNET_EXTENDED_VERSION),
    GASNETT_SYSTEM_TUPLE, GASNETT_CONFIGURE_ARGS, GASNETT_PLATFORM_COMPILER_IDSTR, PLATFORM_COMPILER_IDSTR,
    PLATFORM_COMPILER_VERSION_STR, _STRINGIFY(PLATFORM_COMPILER_FAMILYNAME), _STRINGIFY(PLATFORM_OS_FAMILYNAME),
    _STRINGIFY(PLATFORM_ARCH_FAMILYNAME), _STRINGIFY(GASNETT_THREAD_MODEL), _STRINGIFY(GASNETT_PTR_CONFIG),
    _STRINGIFY(GASNETT_DEBUG_CONFIG), _STRINGIFY(GASNETT_TIMER_CONFIG), _STRINGIFY(GASNETT_MEMBAR_CONFIG),
    _STRINGIFY(GASNETT_ATOMIC_CONFIG), _STRINGIFY(GASNETT_ATOMIC32_CONFIG), _STRINGIFY(GASNETT_ATOMIC64_CONFIG),
    "%" PRIuSZ "%" PRId64 "%" PRIx64 "%" PRIuPTR,
};
/* The expansion of a misspelt macro would be its own name. */
static void check_texts(void) {
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    CHECK(strncmp(texts[i], "GASNET", 6) != 0 && strncmp(texts[i], "PLATFORM", 8) != 0);
  }
}

/* Flags of one call differ; so do categories, types and operations. */
static const gex_Flags_t transfer_flags[] = {
    GEX_FLAG_IMMEDIATE, GEX_FLAG_SELF_SEG_UNKNOWN, GEX_FLAG_SELF_SEG_SOME, GEX_FLAG_SELF_SEG_BOUND, GEX_FLAG_SELF_SEG_OFFSET,
    GEX_FLAG_PEER_SEG_UNKNOWN, GEX_FLAG_PEER_SEG_SOME, GEX_FLAG_PEER_SEG_BOUND, GEX_FLAG_PEER_SEG_OFFSET, GEX_FLAG_LC_COPY_YES,
    GEX_FLAG_LC_COPY_NO, GEX_FLAG_PEER_NEVER_SELF, GEX_FLAG_PEER_NEVER_NBRHD, GEX_FLAG_RANK_IS_JOBRANK, GEX_FLAG_ENABLE_LEAF_LC,
    GEX_FLAG_AM_PREPARE_LEAST_CLIENT, GEX_FLAG_AM_PREPARE_LEAST_ALLOC, GEX_FLAG_AD_MY_RANK, GEX_FLAG_AD_MY_NBRHD,
    GEX_FLAG_AD_ACQ, GEX_FLAG_AD_REL,
};
static const gex_Flags_t domain_flags[] = {GEX_FLAG_AD_FAVOR_MY_RANK, GEX_FLAG_AD_FAVOR_MY_NBRHD, GEX_FLAG_AD_FAVOR_REMOTE};
static const gex_Flags_t handler_flags[] = {GEX_FLAG_AM_SHORT, GEX_FLAG_AM_MEDIUM, GEX_FLAG_AM_LONG, GEX_FLAG_AM_REQUEST,
                                            GEX_FLAG_AM_REPLY};
static const gex_Flags_t client_flags[] = {GEX_FLAG_USES_GASNET1, GEX_FLAG_DEFER_THREADS};
static const gex_Flags_t team_flags[] = {
    GEX_FLAG_TM_SCRATCH_SIZE_MIN, GEX_FLAG_TM_SCRATCH_SIZE_RECOMMENDED, GEX_FLAG_TM_GLOBAL_SCRATCH, GEX_FLAG_TM_LOCAL_SCRATCH,
    GEX_FLAG_TM_SYMMETRIC_SCRATCH, GEX_FLAG_TM_NO_SCRATCH, GEX_FLAG_RANK_IS_JOBRANK, GEX_FLAG_GLOBALLY_QUIESCED};
static const gex_Flags_t endpoint_flags[] = {GEX_FLAG_HINT_ACCEL_AD, GEX_FLAG_HINT_ACCEL_COLL};
static const gex_Flags_t capabilities[] = {GEX_EP_CAPABILITY_RMA, GEX_EP_CAPABILITY_AM, GEX_EP_CAPABILITY_VIS,
                                           GEX_EP_CAPABILITY_COLL, GEX_EP_CAPABILITY_AD};
static const gex_Flags_t categories[] = {GEX_EC_GET, GEX_EC_PUT, GEX_EC_AM, GEX_EC_LC, GEX_EC_RMW};
static const gex_Flags_t infos[] = {GEX_TI_SRCRANK, GEX_TI_EP, GEX_TI_ENTRY, GEX_TI_IS_REQ, GEX_TI_IS_LONG};
static const gex_Flags_t types[] = {GEX_DT_I32, GEX_DT_U32, GEX_DT_I64, GEX_DT_U64, GEX_DT_FLT, GEX_DT_DBL, GEX_DT_USER};
static const gex_Flags_t operations[] = {
    GEX_OP_AND,  GEX_OP_OR,   GEX_OP_XOR,  GEX_OP_ADD,   GEX_OP_SUB,  GEX_OP_MULT, GEX_OP_MIN,  GEX_OP_MAX,  GEX_OP_INC,
    GEX_OP_DEC,  GEX_OP_FAND, GEX_OP_FOR,  GEX_OP_FXOR,  GEX_OP_FADD, GEX_OP_FSUB, GEX_OP_FMULT, GEX_OP_FMIN, GEX_OP_FMAX,
    GEX_OP_FINC, GEX_OP_FDEC, GEX_OP_SET,  GEX_OP_GET,   GEX_OP_SWAP, GEX_OP_FCAS, GEX_OP_CAS,  GEX_OP_USER, GEX_OP_USER_NC};

static void distinct(const gex_Flags_t bits[], size_t n) {
  gex_Flags_t seen = 0;
  for (size_t i = 0; i < n; i++) {
    CHECK(bits[i] != 0 && !(bits[i] & (bits[i] - 1)) && !(bits[i] & seen));
    seen |= bits[i];
  }
}
#define DISTINCT(bits) distinct(bits, sizeof bits / sizeof bits[0])

/* Programs that load GASNet at run time have these numbers in their own headers, and compare. */
static void check_numbers(void) {
  CHECK_EQ(GEX_FLAG_IMMEDIATE, 1u << 0);
  CHECK_EQ(GEX_FLAG_AM_PREPARE_LEAST_CLIENT, 1u << 11);
  CHECK_EQ(GEX_FLAG_AM_PREPARE_LEAST_ALLOC, 1u << 12);
  CHECK_EQ(GEX_EP_CAPABILITY_RMA, 1u << 0);
  CHECK_EQ(GEX_DT_U64, 1u << 3);
  CHECK_EQ(GEX_OP_ADD, 1u << 3);
  CHECK_EQ((uintptr_t)GEX_MK_HOST, 1u);
  CHECK_EQ(GASNET_ERR_NOT_READY, 10004);
}

static void check_bits(void) {
  check_numbers();
  DISTINCT(transfer_flags);
  DISTINCT(domain_flags);
  DISTINCT(handler_flags);
  DISTINCT(client_flags);
  DISTINCT(team_flags);
  DISTINCT(endpoint_flags);
  DISTINCT(capabilities);
  DISTINCT(categories);
  DISTINCT(infos);
  DISTINCT(types);
  DISTINCT(operations);
  CHECK(GEX_FLAG_AM_MEDLONG == (GEX_FLAG_AM_MEDIUM | GEX_FLAG_AM_LONG));
  CHECK(GEX_FLAG_AM_REQREP == (GEX_FLAG_AM_REQUEST | GEX_FLAG_AM_REPLY));
  CHECK(GEX_OP_TO_FETCHING(GEX_OP_ADD) == GEX_OP_FADD && GEX_OP_TO_NONFETCHING(GEX_OP_SWAP) == GEX_OP_SET);
  CHECK(GEX_OP_CSWAP == GEX_OP_FCAS && GEX_EP_CAPABILITY_ALL && GEX_EC_ALL && GEX_TI_ALL && GEX_FLAG_HINT_ACCEL_ALL);
  CHECK(GEX_AM_INDEX_BASE <= 128 && GASNET_OK == 0 && GASNET_MAXNODES <= GEX_RANK_INVALID);
  CHECK(GEX_EVENT_INVALID == 0 && GEX_EVENT_NO_OP != GEX_EVENT_INVALID && GEX_AM_SRCDESC_NO_OP == 0);
  CHECK(GEX_EVENT_NOW != GEX_EVENT_DEFER && GEX_EVENT_DEFER != GEX_EVENT_GROUP && GEX_EVENT_NOW != GEX_EVENT_GROUP);
  CHECK(GEX_CLIENT_INVALID == 0 && GEX_EP_INVALID == 0 && GEX_TM_INVALID == 0 && GEX_SEGMENT_INVALID == 0 &&
        GEX_MK_INVALID == 0 && GEX_AD_INVALID == 0 && GEX_MK_HOST != GEX_MK_INVALID);
  CHECK(GASNET_ERR_NOT_INIT && GASNET_ERR_RESOURCE && GASNET_ERR_BAD_ARG && GASNET_ERR_NOT_READY && GASNET_ERR_BARRIER_MISMATCH);
  CHECK((GASNET_BARRIERFLAG_UNNAMED & GASNET_BARRIERFLAG_ANONYMOUS) && GASNET_BARRIERFLAG_MISMATCH);
  CHECK(GASNET_WAIT_SPIN != GASNET_WAIT_BLOCK && GASNET_WAIT_BLOCK != GASNET_WAIT_SPINBLOCK);
  CHECK(GEX_VIS_MAX_PEERCOMPLETION >= 127);
}

/* ---- Calls. Their results are used, since the attributes of some ask for it. ---- */

static gex_Client_t client;
static gex_EP_t ep;
static gex_TM_t tm;
static gex_Segment_t segment;
static gex_Token_t token;
static gex_Rank_t rank;
static void *place;
static void *places[1];
static size_t bytes;
static uintptr_t size;
static gex_Flags_t flags;
static gex_AM_Index_t handler;
static gex_Event_t event, *lc = GEX_EVENT_NOW;
static uint64_t sink;

static void use(uint64_t value) { sink += value; }
static void use_pointer(const void *pointer) { sink += (uintptr_t)pointer; }
#define EVENT(call) (event = (call))

static void of_client(void) {
  gex_RankInfo_t *info;
  gex_Rank_t n, self;
  unsigned int threads_n;
  const gex_ProgressThreadInfo_t *threads;
  use((uint64_t)gex_Client_Init(&client, &ep, &tm, "NAMES", NULL, NULL, flags));
  gex_Client_SetCData(client, place), use_pointer(gex_Client_QueryCData(client));
  use(gex_Client_QueryFlags(client)), use_pointer(gex_Client_QueryName(client));
  gex_EP_SetCData(ep, place), use_pointer(gex_EP_QueryCData(ep));
  use_pointer(gex_EP_QueryClient(ep)), use(gex_EP_QueryFlags(ep)), use_pointer(gex_EP_QuerySegment(ep)), use(gex_EP_QueryIndex(ep));
  use((uint64_t)gex_EP_Create(&ep, client, GEX_EP_CAPABILITY_ALL, flags));
  use(gex_System_QueryJobRank() + gex_System_QueryJobSize() + gex_System_QueryMaxThreads());
  gex_System_QueryNbrhdInfo(&info, &n, &self), gex_System_QueryHostInfo(&info, &n, &self), use(info[0].gex_jobrank);
  gex_System_QueryMyPosition(&n, &n, &n, &n);
  use((uint64_t)gex_System_QueryHiddenAMConcurrencyLevel());
  use((uint64_t)gex_System_QueryProgressThreads(client, &threads_n, &threads, flags));
  use(GEX_THREAD_ROLE_RCV | GEX_THREAD_ROLE_SND | threads->gex_thread_roles);
  gex_System_SetVerboseErrors(gex_System_GetVerboseErrors());
}

static void of_segments(void) {
  gex_MK_Create_args_t args;
  gex_MK_t kind;
  memset(&args, 0, sizeof args);
  args.gex_class = GEX_MK_CLASS_HOST;
  use((uint64_t)gex_Segment_Attach(&segment, tm, size));
  use((uint64_t)gex_Segment_Create(&segment, client, place, size, GEX_MK_HOST, flags)), gex_Segment_Destroy(segment, flags);
  (void)gex_EP_BindSegment(ep, segment, flags);
  use((uint64_t)gex_EP_PublishBoundSegment(tm, &ep, 1, flags));
  use((uint64_t)gex_Segment_QueryBound(tm, rank, &place, &place, &size));
  EVENT(gex_EP_QueryBoundSegmentNB(tm, rank, &place, &place, &size, flags));
  gex_Segment_SetCData(segment, place), use_pointer(gex_Segment_QueryCData(segment));
  use_pointer(gex_Segment_QueryClient(segment)), use(gex_Segment_QueryFlags(segment));
  use_pointer(gex_Segment_QueryAddr(segment)), use(gex_Segment_QuerySize(segment));
  use((uint64_t)gex_MK_Create(&kind, client, &args, flags)), gex_MK_Destroy(kind, flags);
  use(gasnet_getMaxLocalSegmentSize() + gasnet_getMaxGlobalSegmentSize());
}

static void of_teams(void) {
  gex_EP_Location_t at = {0, 0};
  gex_Addr_t scratch = place;
  gex_Memvec_t piece;
  gex_TM_SetCData(tm, place), use_pointer(gex_TM_QueryCData(tm));
  use_pointer(gex_TM_QueryClient(tm)), use_pointer(gex_TM_QueryEP(tm)), use(gex_TM_QueryFlags(tm));
  use(gex_TM_QueryRank(tm) + gex_TM_QuerySize(tm));
  use(gex_TM_Split(&tm, tm, 0, 0, scratch, bytes, flags));
  use(gex_TM_Create(&tm, 1, tm, &at, 1, &scratch, bytes, flags));
  use((uint64_t)gex_TM_Destroy(tm, &piece, flags)), use_pointer(piece.gex_addr), use(piece.gex_len);
  tm = gex_TM_Pair(ep, (gex_EP_Index_t)0);
  use(gex_TM_TranslateRankToJobrank(tm, rank) + gex_TM_TranslateJobrankToRank(tm, rank));
  at = gex_TM_TranslateRankToEP(tm, rank, flags), use(at.gex_rank + at.gex_ep_index);
}

static void of_events(void) {
  use((uint64_t)gex_Event_Test(event)), gex_Event_Wait(event);
  use((uint64_t)gex_Event_TestSome(&event, 1, flags) + (uint64_t)gex_Event_TestAll(&event, 1, flags));
  gex_Event_WaitSome(&event, 1, flags), gex_Event_WaitAll(&event, 1, flags);
  EVENT(gex_Event_QueryLeaf(event, GEX_EC_LC));
  use((uint64_t)gex_NBI_Test(GEX_EC_ALL, flags)), gex_NBI_Wait(GEX_EC_ALL, flags);
  gex_NBI_BeginAccessRegion(flags), EVENT(gex_NBI_EndAccessRegion(flags));
}

static void of_transfers(void) {
  use((uint64_t)gex_RMA_PutBlocking(tm, rank, place, place, bytes, flags));
  use((uint64_t)gex_RMA_GetBlocking(tm, place, rank, place, bytes, flags));
  EVENT(gex_RMA_PutNB(tm, rank, place, place, bytes, lc, flags)), EVENT(gex_RMA_GetNB(tm, place, rank, place, bytes, flags));
  use((uint64_t)gex_RMA_PutNBI(tm, rank, place, place, bytes, lc, flags));
  use((uint64_t)gex_RMA_GetNBI(tm, place, rank, place, bytes, flags));
  gex_RMA_Value_t value = gex_RMA_GetBlockingVal(tm, rank, place, bytes, flags);
  use((uint64_t)gex_RMA_PutBlockingVal(tm, rank, place, value, bytes, flags));
  EVENT(gex_RMA_PutNBVal(tm, rank, place, value, bytes, flags));
  use((uint64_t)gex_RMA_PutNBIVal(tm, rank, place, value, bytes, flags));
}

#define VIS_EACH(form, arguments)                                                         \
  use((uint64_t)gex_VIS_##form##Blocking arguments), EVENT(gex_VIS_##form##NB arguments), \
      use((uint64_t)gex_VIS_##form##NBI arguments)

static void of_pieces(void) {
  gex_Memvec_t list[1] = {{place, bytes}};
  ptrdiff_t strides[1] = {8};
  size_t counts[1] = {1};
  VIS_EACH(VectorPut, (tm, rank, 1, list, 1, list, flags));
  VIS_EACH(VectorGet, (tm, 1, list, rank, 1, list, flags));
  VIS_EACH(IndexedPut, (tm, rank, 1, places, bytes, 1, places, bytes, flags));
  VIS_EACH(IndexedGet, (tm, 1, places, bytes, rank, 1, places, bytes, flags));
  VIS_EACH(StridedPut, (tm, rank, place, strides, place, strides, bytes, counts, 1, flags));
  VIS_EACH(StridedGet, (tm, place, strides, rank, place, strides, bytes, counts, 1, flags));
  gex_VIS_SetPeerCompletionHandler(handler, place, bytes, flags);
}

#define AD_EACH(name, type)                                                                    \
  {                                                                                            \
    type result = 0;                                                                           \
    EVENT(gex_AD_OpNB_##name(ad, &result, rank, place, GEX_OP_FADD, 1, 0, flags));             \
    use((uint64_t)gex_AD_OpNBI_##name(ad, &result, rank, place, GEX_OP_FCAS, 1, 2, flags));    \
    use((uint64_t)result);                                                                     \
  }

static void of_atomics(void) {
  gex_AD_t ad;
  gex_AD_Create(&ad, tm, GEX_DT_I32, GEX_OP_FADD | GEX_OP_FCAS, flags);
  AD_EACH(I32, int32_t)
  AD_EACH(U32, uint32_t)
  AD_EACH(I64, int64_t)
  AD_EACH(U64, uint64_t)
  AD_EACH(FLT, float)
  AD_EACH(DBL, double)
  gex_AD_SetCData(ad, place), use_pointer(gex_AD_QueryCData(ad));
  use_pointer(gex_AD_QueryTM(ad)), use(gex_AD_QueryFlags(ad) + gex_AD_QueryDT(ad) + gex_AD_QueryOps(ad));
  gex_AD_Destroy(ad);
}

static void of_collectives(void) {
  gex_Coll_ReduceFn_t function = NULL;
  EVENT(gex_Coll_BarrierNB(tm, flags));
  gex_Coll_BarrierBlocking(tm, flags);
  EVENT(gex_Coll_BroadcastNB(tm, rank, place, place, bytes, flags));
  EVENT(gex_Coll_ReduceToOneNB(tm, rank, place, place, GEX_DT_USER, 8, 1, GEX_OP_USER, function, place, flags));
  EVENT(gex_Coll_ReduceToAllNB(tm, place, place, GEX_DT_DBL, 8, 1, GEX_OP_ADD, NULL, NULL, flags));
}

/* gasnet_am_args and gasnet_legacy_am call the numbered functions. */
static void of_messages(void) {
  gex_AM_Entry_t entry = {handler, NULL, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REQUEST, 0, place, "name"};
  gex_Token_Info_t info;
  use((uint64_t)gex_EP_RegisterHandlers(ep, &entry, 1));
  use(gex_Token_Info(token, &info, GEX_TI_ALL) + info.gex_srcrank + (uint64_t)info.gex_is_req + (uint64_t)info.gex_is_long);
  use_pointer(info.gex_ep), use_pointer(info.gex_entry->gex_cdata);
  use(gex_AM_MaxArgs() + gex_AM_LUBRequestMedium() + gex_AM_LUBReplyMedium() + gex_AM_LUBRequestLong() + gex_AM_LUBReplyLong());
  use(gex_AM_MaxRequestMedium(tm, rank, lc, flags, 0) + gex_AM_MaxReplyMedium(tm, rank, lc, flags, 0));
  use(gex_AM_MaxRequestLong(tm, rank, lc, flags, 0) + gex_AM_MaxReplyLong(tm, rank, lc, flags, 0));
  use(gex_Token_MaxReplyMedium(token, lc, flags, 0) + gex_Token_MaxReplyLong(token, lc, flags, 0));
  use((uint64_t)gex_AM_RequestShort(tm, rank, handler, flags, 1, 2));
  use((uint64_t)gex_AM_RequestMedium(tm, rank, handler, place, bytes, lc, flags, 1));
  use((uint64_t)gex_AM_RequestLong(tm, rank, handler, place, bytes, place, lc, flags));
  use((uint64_t)gex_AM_ReplyShort(token, handler, flags) +
      (uint64_t)gex_AM_ReplyMedium(token, handler, place, bytes, lc, flags, 1));
  use((uint64_t)gex_AM_ReplyLong(token, handler, place, bytes, place, lc, flags, 1, 2, 3));
  gex_AM_SrcDesc_t sd = gex_AM_PrepareRequestMedium(tm, rank, place, 0, bytes, lc, flags, 1);
  gex_AM_CommitRequestMedium1(sd, handler, bytes, 1), use((uint64_t)gex_AM_CancelRequestMedium(sd, flags));
  sd = gex_AM_PrepareRequestLong(tm, rank, place, 0, bytes, place, lc, flags, 0);
  use((uint64_t)gex_AM_CommitRequestLong0_v2(sd, handler, bytes, place, flags) + (uint64_t)gex_AM_CancelRequestLong(sd, flags));
  sd = gex_AM_PrepareReplyMedium(token, place, 0, bytes, lc, flags, 0);
  gex_AM_CommitReplyMedium0(sd, handler, bytes), use((uint64_t)gex_AM_CancelReplyMedium(sd, flags));
  sd = gex_AM_PrepareReplyLong(token, place, 0, bytes, place, lc, flags, 2);
  gex_AM_CommitReplyLong2(sd, handler, bytes, place, 1, 2), use((uint64_t)gex_AM_CancelReplyLong(sd, flags));
  use_pointer(gex_AM_SrcDescAddr(sd)), use(gex_AM_SrcDescSize(sd));
}

static gex_HSL_t lock = GEX_HSL_INITIALIZER;
static gasnet_hsl_t old_lock = GASNET_HSL_INITIALIZER;

static void of_locks(void) {
  gex_HSL_Init(&lock), gex_HSL_Lock(&lock), gex_HSL_Unlock(&lock), use((uint64_t)gex_HSL_Trylock(&lock)), gex_HSL_Destroy(&lock);
  gasnet_hsl_init(&old_lock), gasnet_hsl_lock(&old_lock), gasnet_hsl_unlock(&old_lock);
  use((uint64_t)gasnet_hsl_trylock(&old_lock)), gasnet_hsl_destroy(&old_lock);
}

static void of_legacy(void) {
  GASNET_BEGIN_FUNCTION();
  gasnet_threadinfo_t thread = GASNET_GET_THREADINFO();
  GASNET_POST_THREADINFO(thread);
  gasnet_handlerentry_t entry = {handler, NULL};
  gasnet_nodeinfo_t node;
  gasnet_seginfo_t info;
  gasnet_node_t source;
  use((uint64_t)gasnet_init(NULL, NULL) + (uint64_t)gasnet_attach(&entry, 1, size, size));
  use(gasnet_mynode() + gasnet_nodes() + gasneti_mynode + gasneti_nodes);
  use(GASNETI_MAX_THREADS);
  gasneti_assert(false);
  use_pointer(gasneti_gethostname());
  use_pointer((const void *)(uintptr_t)_gasneti_threadkey_init);
  use_pointer((const void *)(uintptr_t)_gasnett_trace_printf_noop);
  use((uint64_t)gasnet_getNodeInfo(&node, 1) + node.host + node.supernode + node.offset);
  use((uint64_t)gasnet_getSegmentInfo(&info, 1) + info.size), use_pointer(info.addr);
  use((uint64_t)gasnet_AMGetMsgSource((gasnet_token_t)token, &source));
  use(gasnet_AMMaxArgs() + gasnet_AMMaxMedium() + gasnet_AMMaxLongRequest() + gasnet_AMMaxLongReply());
  gasnet_QueryGexObjects(&client, &ep, &tm, &segment);
  use((uint64_t)gasnet_AMPoll() + (uint64_t)gasnet_set_waitmode(GASNET_WAIT_SPINBLOCK));
  use_pointer(gasnet_getenv("A")), use_pointer(gasnet_ErrorName(0)), use_pointer(gasnet_ErrorDesc(0));
  gasnet_barrier_notify(0, 0);
  use((uint64_t)gasnet_barrier_wait(0, 0) + (uint64_t)gasnet_barrier_try(0, 0) + (uint64_t)gasnet_barrier(0, 0));
  int name;
  use((uint64_t)gasnet_barrier_result(&name));
  GASNET_BLOCKUNTIL(sink > 0);
  gasnet_exit(0);
}

static void of_tools(void) {
  char text[8];
  static volatile int frozen;
  use_pointer(gasnett_format_number(1, text, sizeof text, 0));
  gasnett_freezeForDebuggerNow(&frozen, "frozen"), gasnett_freezeForDebuggerErr(), gasnett_close_streams();
  use((uint64_t)gasnett_print_backtrace_ifenabled(2) + (uint64_t)gasnett_maximize_rlimit(0, "name"));
  use((uint64_t)gasnett_constant_p(1) + GASNETT_CACHE_LINE_BYTES + GASNETT_STATS_INIT(NULL));
  use(GASNETT_PLATFORM_COMPILER_FAMILYID + GASNETT_PLATFORM_COMPILER_ID + GASNETT_PLATFORM_COMPILER_VERSION);
  if (GASNETT_PREDICT_FALSE(sink == 0)) gasnett_unreachable();
  if (GASNETT_PREDICT_TRUE(sink == 1)) gasnett_killmyprocess(0);
#ifdef gasnett_fatalerror_nopos
  gasnett_fatalerror_nopos("%d", 1);
#endif
}

static void nothing_of_it(void) {
  of_client();
  of_segments();
  of_teams();
  of_events();
  of_transfers();
  of_pieces();
  of_atomics();
  of_collectives();
  of_messages();
  of_locks();
  of_legacy();
  of_tools();
}

/* Hydra may die of a broken pipe if a program that never called MPI ends at once, so this starts the job. */
int main(int argc, char **argv) {
  gex_Client_t client;
  gex_EP_t ep;
  gex_TM_t tm;
  CHECK_EQ(gex_Client_Init(&client, &ep, &tm, "NAMES", &argc, &argv, 0), GASNET_OK);
  check_copied();
  check_texts();
  check_bits();
  CHECK_EQ(leave_unused(1, 2, 3, 4, 5, 6, 7, "8"), 7);
  if (argc < 0) nothing_of_it();
  tessera_gex_finalize(client);
  return check_result();
}
