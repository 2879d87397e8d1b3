/* GASNet-EX: its plain types and constants, for headers that must not drag in the rest. No functions. */
#ifndef TSR_GASNET_FWD_H
#define TSR_GASNET_FWD_H

#include <stddef.h>
#include <stdint.h>

/* ---- Answers of calls that return int ---- */

#define GASNET_OK 0
#define GASNET_ERR_NOT_INIT 10001
#define GASNET_ERR_RESOURCE 10002
#define GASNET_ERR_BAD_ARG 10003
#define GASNET_ERR_NOT_READY 10004
#define GASNET_ERR_BARRIER_MISMATCH 10005

/* ---- Ranks, endpoints, addresses ---- */

typedef uint32_t gex_Rank_t;
#define GEX_RANK_INVALID ((gex_Rank_t)UINT32_MAX)

typedef uint16_t gex_EP_Index_t;
typedef struct {
  gex_Rank_t gex_rank;
  gex_EP_Index_t gex_ep_index;
} gex_EP_Location_t;

typedef uint32_t gex_EP_Capabilities_t;
#define GEX_EP_CAPABILITY_RMA ((gex_EP_Capabilities_t)1 << 0)
#define GEX_EP_CAPABILITY_AM ((gex_EP_Capabilities_t)1 << 1)
#define GEX_EP_CAPABILITY_VIS ((gex_EP_Capabilities_t)1 << 2)
#define GEX_EP_CAPABILITY_COLL ((gex_EP_Capabilities_t)1 << 3)
#define GEX_EP_CAPABILITY_AD ((gex_EP_Capabilities_t)1 << 4)
#define GEX_EP_CAPABILITY_ALL (((gex_EP_Capabilities_t)1 << 5) - 1)

typedef void *gex_Addr_t; /* an address, or with an _OFFSET flag an offset */

typedef struct {
  void *gex_addr;
  size_t gex_len;
} gex_Memvec_t;

/* The widest value that calls take and give by value. */
typedef uint64_t gex_RMA_Value_t;
#define SIZEOF_GEX_RMA_VALUE_T 8

/* ---- Events ---- */

typedef struct gexi_event *gex_Event_t;

#define GEX_EVENT_INVALID ((gex_Event_t)(uintptr_t)0) /* complete */
#define GEX_EVENT_NO_OP ((gex_Event_t)(uintptr_t)1)   /* nothing was started */

/* Instead of the address of an event for local completion. */
#define GEX_EVENT_NOW ((gex_Event_t *)(uintptr_t)1)
#define GEX_EVENT_DEFER ((gex_Event_t *)(uintptr_t)2)
#define GEX_EVENT_GROUP ((gex_Event_t *)(uintptr_t)3)

/* Categories of what an event stands for. */
typedef uint32_t gex_EC_t;
#define GEX_EC_GET ((gex_EC_t)1 << 0)
#define GEX_EC_PUT ((gex_EC_t)1 << 1)
#define GEX_EC_AM ((gex_EC_t)1 << 2)
#define GEX_EC_LC ((gex_EC_t)1 << 3)
#define GEX_EC_RMW ((gex_EC_t)1 << 4)
#define GEX_EC_ALL (((gex_EC_t)1 << 5) - 1)

/* ---- Types and operations of atomics and reductions: one bit each ---- */

typedef uint32_t gex_DT_t;
#define GEX_DT_I32 ((gex_DT_t)1 << 0)
#define GEX_DT_U32 ((gex_DT_t)1 << 1)
#define GEX_DT_I64 ((gex_DT_t)1 << 2)
#define GEX_DT_U64 ((gex_DT_t)1 << 3)
#define GEX_DT_FLT ((gex_DT_t)1 << 4)
#define GEX_DT_DBL ((gex_DT_t)1 << 5)
#define GEX_DT_USER ((gex_DT_t)1 << 6)

/* The twelve that do not fetch, and twelve bits above each the one that does. */
typedef uint32_t gex_OP_t;
#define GEX_OP_AND ((gex_OP_t)1 << 0)
#define GEX_OP_OR ((gex_OP_t)1 << 1)
#define GEX_OP_XOR ((gex_OP_t)1 << 2)
#define GEX_OP_ADD ((gex_OP_t)1 << 3)
#define GEX_OP_SUB ((gex_OP_t)1 << 4)
#define GEX_OP_MULT ((gex_OP_t)1 << 5)
#define GEX_OP_MIN ((gex_OP_t)1 << 6)
#define GEX_OP_MAX ((gex_OP_t)1 << 7)
#define GEX_OP_INC ((gex_OP_t)1 << 8)
#define GEX_OP_DEC ((gex_OP_t)1 << 9)
#define GEX_OP_SET ((gex_OP_t)1 << 10)
#define GEX_OP_CAS ((gex_OP_t)1 << 11)
#define GEX_OP_FAND ((gex_OP_t)1 << 12)
#define GEX_OP_FOR ((gex_OP_t)1 << 13)
#define GEX_OP_FXOR ((gex_OP_t)1 << 14)
#define GEX_OP_FADD ((gex_OP_t)1 << 15)
#define GEX_OP_FSUB ((gex_OP_t)1 << 16)
#define GEX_OP_FMULT ((gex_OP_t)1 << 17)
#define GEX_OP_FMIN ((gex_OP_t)1 << 18)
#define GEX_OP_FMAX ((gex_OP_t)1 << 19)
#define GEX_OP_FINC ((gex_OP_t)1 << 20)
#define GEX_OP_FDEC ((gex_OP_t)1 << 21)
#define GEX_OP_SWAP ((gex_OP_t)1 << 22)
#define GEX_OP_FCAS ((gex_OP_t)1 << 23)
#define GEX_OP_GET ((gex_OP_t)1 << 24)
#define GEX_OP_USER ((gex_OP_t)1 << 25)
#define GEX_OP_USER_NC ((gex_OP_t)1 << 26)
#define GEX_OP_CSWAP GEX_OP_FCAS /* its old name */
#define GEX_OP_TO_FETCHING(op) ((gex_OP_t)(op) << 12)
#define GEX_OP_TO_NONFETCHING(op) ((gex_OP_t)(op) >> 12)

/* ---- Flags: those that one call may take together are distinct ---- */

typedef uint32_t gex_Flags_t;

/* Of what communicates: RMA, VIS, atomics, active messages. */
#define GEX_FLAG_IMMEDIATE ((gex_Flags_t)1 << 0)
#define GEX_FLAG_SELF_SEG_UNKNOWN ((gex_Flags_t)1 << 1)
#define GEX_FLAG_SELF_SEG_SOME ((gex_Flags_t)1 << 2)
#define GEX_FLAG_SELF_SEG_BOUND ((gex_Flags_t)1 << 3)
#define GEX_FLAG_SELF_SEG_OFFSET ((gex_Flags_t)1 << 4)
#define GEX_FLAG_PEER_SEG_UNKNOWN ((gex_Flags_t)1 << 5)
#define GEX_FLAG_PEER_SEG_SOME ((gex_Flags_t)1 << 6)
#define GEX_FLAG_PEER_SEG_BOUND ((gex_Flags_t)1 << 7)
#define GEX_FLAG_PEER_SEG_OFFSET ((gex_Flags_t)1 << 8)
#define GEX_FLAG_LC_COPY_YES ((gex_Flags_t)1 << 9)
#define GEX_FLAG_LC_COPY_NO ((gex_Flags_t)1 << 10)
#define GEX_FLAG_AM_PREPARE_LEAST_CLIENT ((gex_Flags_t)1 << 11) /* programs have this number */
#define GEX_FLAG_AM_PREPARE_LEAST_ALLOC ((gex_Flags_t)1 << 12)  /* and this one in headers of their own */
#define GEX_FLAG_RANK_IS_JOBRANK ((gex_Flags_t)1 << 13)
#define GEX_FLAG_ENABLE_LEAF_LC ((gex_Flags_t)1 << 14)
#define GEX_FLAG_PEER_NEVER_SELF ((gex_Flags_t)1 << 15)  /* a promise: the peer is another process */
#define GEX_FLAG_PEER_NEVER_NBRHD ((gex_Flags_t)1 << 16) /* and shares no memory with this one */
#define GEX_FLAG_AD_MY_RANK ((gex_Flags_t)1 << 17)
#define GEX_FLAG_AD_MY_NBRHD ((gex_Flags_t)1 << 18)
#define GEX_FLAG_AD_ACQ ((gex_Flags_t)1 << 19)
#define GEX_FLAG_AD_REL ((gex_Flags_t)1 << 20)
#define GEX_FLAG_IMMEDIATE_COMMIT ((gex_Flags_t)1 << 21)

/* Of gex_AD_Create. */
#define GEX_FLAG_AD_FAVOR_MY_RANK ((gex_Flags_t)1 << 22)
#define GEX_FLAG_AD_FAVOR_MY_NBRHD ((gex_Flags_t)1 << 23)
#define GEX_FLAG_AD_FAVOR_REMOTE ((gex_Flags_t)1 << 24)

/* Of gex_EP_RegisterHandlers. */
#define GEX_FLAG_AM_SHORT ((gex_Flags_t)1 << 0)
#define GEX_FLAG_AM_MEDIUM ((gex_Flags_t)1 << 1)
#define GEX_FLAG_AM_LONG ((gex_Flags_t)1 << 2)
#define GEX_FLAG_AM_MEDLONG (GEX_FLAG_AM_MEDIUM | GEX_FLAG_AM_LONG)
#define GEX_FLAG_AM_REQUEST ((gex_Flags_t)1 << 3)
#define GEX_FLAG_AM_REPLY ((gex_Flags_t)1 << 4)
#define GEX_FLAG_AM_REQREP (GEX_FLAG_AM_REQUEST | GEX_FLAG_AM_REPLY)

/* Of gex_Client_Init. */
#define GEX_FLAG_USES_GASNET1 ((gex_Flags_t)1 << 0)
#define GEX_FLAG_DEFER_THREADS ((gex_Flags_t)1 << 1)

/* Of teams; GEX_FLAG_RANK_IS_JOBRANK too. */
#define GEX_FLAG_TM_SCRATCH_SIZE_MIN ((gex_Flags_t)1 << 0)
#define GEX_FLAG_TM_SCRATCH_SIZE_RECOMMENDED ((gex_Flags_t)1 << 1)
#define GEX_FLAG_TM_GLOBAL_SCRATCH ((gex_Flags_t)1 << 2)
#define GEX_FLAG_TM_LOCAL_SCRATCH ((gex_Flags_t)1 << 3)
#define GEX_FLAG_TM_SYMMETRIC_SCRATCH ((gex_Flags_t)1 << 4)
#define GEX_FLAG_TM_NO_SCRATCH ((gex_Flags_t)1 << 5)
#define GEX_FLAG_SCRATCH_SEG_OFFSET ((gex_Flags_t)1 << 6)
#define GEX_FLAG_GLOBALLY_QUIESCED ((gex_Flags_t)1 << 7)

/* Of gex_EP_Create. */
#define GEX_FLAG_HINT_ACCEL_AD ((gex_Flags_t)1 << 0)
#define GEX_FLAG_HINT_ACCEL_COLL ((gex_Flags_t)1 << 1)
#define GEX_FLAG_HINT_ACCEL_ALL (((gex_Flags_t)1 << 2) - 1)

#endif
