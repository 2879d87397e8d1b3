/* GASNet-EX: plain types and constants, for headers that do not need the rest. No functions. Integer constants are
 * preprocessor numbers: #if and _Static_assert may use them. */
#ifndef TSR_GASNET_FWD_H
#define TSR_GASNET_FWD_H

#include <stddef.h>
#include <stdint.h>

/* ---- Codes of calls that return int ---- */

#define GASNET_OK 0
#define GASNET_ERR_NOT_INIT 10001
#define GASNET_ERR_RESOURCE 10002
#define GASNET_ERR_BAD_ARG 10003
#define GASNET_ERR_NOT_READY 10004
#define GASNET_ERR_BARRIER_MISMATCH 10005

/* ---- Ranks, endpoints, addresses ---- */

typedef uint32_t gex_Rank_t;
#define GEX_RANK_INVALID 0xffffffffu

typedef uint16_t gex_EP_Index_t;
typedef struct {
  gex_Rank_t gex_rank;
  gex_EP_Index_t gex_ep_index;
} gex_EP_Location_t;

typedef uint32_t gex_EP_Capabilities_t;
#define GEX_EP_CAPABILITY_RMA (1u << 0)
#define GEX_EP_CAPABILITY_AM (1u << 1)
#define GEX_EP_CAPABILITY_VIS (1u << 2)
#define GEX_EP_CAPABILITY_COLL (1u << 3)
#define GEX_EP_CAPABILITY_AD (1u << 4)
#define GEX_EP_CAPABILITY_ALL ((1u << 5) - 1)

typedef void *gex_Addr_t; /* an address, or an offset with an _OFFSET flag */

typedef struct {
  void *gex_addr;
  size_t gex_len;
} gex_Memvec_t;

/* The widest type of calls that pass data by value. */
typedef uint64_t gex_RMA_Value_t;
#define SIZEOF_GEX_RMA_VALUE_T 8

/* ---- Events ---- */

typedef struct gexi_event *gex_Event_t;

#define GEX_EVENT_INVALID ((gex_Event_t)(uintptr_t)0) /* complete */
#define GEX_EVENT_NO_OP ((gex_Event_t)(uintptr_t)1)   /* nothing was started */

/* Constants for arguments that take the address of an event for local completion. */
#define GEX_EVENT_NOW ((gex_Event_t *)(uintptr_t)1)
#define GEX_EVENT_DEFER ((gex_Event_t *)(uintptr_t)2)
#define GEX_EVENT_GROUP ((gex_Event_t *)(uintptr_t)3)

/* Categories of operations that an event stands for. */
typedef uint32_t gex_EC_t;
#define GEX_EC_GET (1u << 0)
#define GEX_EC_PUT (1u << 1)
#define GEX_EC_AM (1u << 2)
#define GEX_EC_LC (1u << 3)
#define GEX_EC_RMW (1u << 4)
#define GEX_EC_ALL ((1u << 5) - 1)

/* ---- Types and operations of atomics and reductions: one bit each ---- */

typedef uint32_t gex_DT_t;
#define GEX_DT_I32 (1u << 0)
#define GEX_DT_U32 (1u << 1)
#define GEX_DT_I64 (1u << 2)
#define GEX_DT_U64 (1u << 3)
#define GEX_DT_FLT (1u << 4)
#define GEX_DT_DBL (1u << 5)
#define GEX_DT_USER (1u << 6)

/* The twelve operations that do not fetch; each fetching operation is twelve bits above its counterpart. */
typedef uint32_t gex_OP_t;
#define GEX_OP_AND (1u << 0)
#define GEX_OP_OR (1u << 1)
#define GEX_OP_XOR (1u << 2)
#define GEX_OP_ADD (1u << 3)
#define GEX_OP_SUB (1u << 4)
#define GEX_OP_MULT (1u << 5)
#define GEX_OP_MIN (1u << 6)
#define GEX_OP_MAX (1u << 7)
#define GEX_OP_INC (1u << 8)
#define GEX_OP_DEC (1u << 9)
#define GEX_OP_SET (1u << 10)
#define GEX_OP_CAS (1u << 11)
#define GEX_OP_FAND (1u << 12)
#define GEX_OP_FOR (1u << 13)
#define GEX_OP_FXOR (1u << 14)
#define GEX_OP_FADD (1u << 15)
#define GEX_OP_FSUB (1u << 16)
#define GEX_OP_FMULT (1u << 17)
#define GEX_OP_FMIN (1u << 18)
#define GEX_OP_FMAX (1u << 19)
#define GEX_OP_FINC (1u << 20)
#define GEX_OP_FDEC (1u << 21)
#define GEX_OP_SWAP (1u << 22)
#define GEX_OP_FCAS (1u << 23)
#define GEX_OP_GET (1u << 24)
#define GEX_OP_USER (1u << 25)
#define GEX_OP_USER_NC (1u << 26)
#define GEX_OP_CSWAP GEX_OP_FCAS /* its old name */

/* The fetching operation of one that does not fetch, and the other way round. */
#define GEX_OP_TO_FETCHING(op) ((op) << 12)
#define GEX_OP_TO_NONFETCHING(op) ((op) >> 12)

/* ---- Flags; flags that one call accepts together have different bits ---- */

typedef uint32_t gex_Flags_t;

/* Flags of communication: RMA, VIS, atomics, active messages. The _SEG_ flags describe the addresses in a call; with
 * OFFSET they are byte offsets in the endpoint's bound segment instead of addresses. PEER: the remote addresses,
 * including the destination of a long message's data, also when the message is committed. SELF: the local addresses,
 * including a message's data; offset 0 is then not NULL. Calls by value have no local address. */
#define GEX_FLAG_IMMEDIATE (1u << 0)
#define GEX_FLAG_SELF_SEG_UNKNOWN (1u << 1)
#define GEX_FLAG_SELF_SEG_SOME (1u << 2)
#define GEX_FLAG_SELF_SEG_BOUND (1u << 3)
#define GEX_FLAG_SELF_SEG_OFFSET (1u << 4)
#define GEX_FLAG_PEER_SEG_UNKNOWN (1u << 5)
#define GEX_FLAG_PEER_SEG_SOME (1u << 6)
#define GEX_FLAG_PEER_SEG_BOUND (1u << 7)
#define GEX_FLAG_PEER_SEG_OFFSET (1u << 8)
#define GEX_FLAG_LC_COPY_YES (1u << 9)
#define GEX_FLAG_LC_COPY_NO (1u << 10)
#define GEX_FLAG_AM_PREPARE_LEAST_CLIENT (1u << 11) /* programs repeat this value in their own headers */
#define GEX_FLAG_AM_PREPARE_LEAST_ALLOC (1u << 12)  /* programs repeat this value in their own headers */
#define GEX_FLAG_RANK_IS_JOBRANK (1u << 13)
#define GEX_FLAG_ENABLE_LEAF_LC (1u << 14)
#define GEX_FLAG_PEER_NEVER_SELF (1u << 15)  /* a promise: the peer is another process */
#define GEX_FLAG_PEER_NEVER_NBRHD (1u << 16) /* a promise: the peer shares no memory with this process */
#define GEX_FLAG_AD_MY_RANK (1u << 17)
#define GEX_FLAG_AD_MY_NBRHD (1u << 18)
#define GEX_FLAG_AD_ACQ (1u << 19)
#define GEX_FLAG_AD_REL (1u << 20)
#define GEX_FLAG_IMMEDIATE_COMMIT (1u << 21)

/* Flags of gex_AD_Create. */
#define GEX_FLAG_AD_FAVOR_MY_RANK (1u << 22)
#define GEX_FLAG_AD_FAVOR_MY_NBRHD (1u << 23)
#define GEX_FLAG_AD_FAVOR_REMOTE (1u << 24)

/* Flags of gex_EP_RegisterHandlers. */
#define GEX_FLAG_AM_SHORT (1u << 0)
#define GEX_FLAG_AM_MEDIUM (1u << 1)
#define GEX_FLAG_AM_LONG (1u << 2)
#define GEX_FLAG_AM_MEDLONG (GEX_FLAG_AM_MEDIUM | GEX_FLAG_AM_LONG)
#define GEX_FLAG_AM_REQUEST (1u << 3)
#define GEX_FLAG_AM_REPLY (1u << 4)
#define GEX_FLAG_AM_REQREP (GEX_FLAG_AM_REQUEST | GEX_FLAG_AM_REPLY)

/* Flags of gex_Client_Init. */
#define GEX_FLAG_USES_GASNET1 (1u << 0)
#define GEX_FLAG_DEFER_THREADS (1u << 1)

/* Flags of teams; also GEX_FLAG_RANK_IS_JOBRANK. */
#define GEX_FLAG_TM_SCRATCH_SIZE_MIN (1u << 0)
#define GEX_FLAG_TM_SCRATCH_SIZE_RECOMMENDED (1u << 1)
#define GEX_FLAG_TM_GLOBAL_SCRATCH (1u << 2)
#define GEX_FLAG_TM_LOCAL_SCRATCH (1u << 3)
#define GEX_FLAG_TM_SYMMETRIC_SCRATCH (1u << 4)
#define GEX_FLAG_TM_NO_SCRATCH (1u << 5)
#define GEX_FLAG_SCRATCH_SEG_OFFSET (1u << 6)
#define GEX_FLAG_GLOBALLY_QUIESCED (1u << 7)

/* Flags of gex_EP_Create. */
#define GEX_FLAG_HINT_ACCEL_AD (1u << 0)
#define GEX_FLAG_HINT_ACCEL_COLL (1u << 1)
#define GEX_FLAG_HINT_ACCEL_ALL ((1u << 2) - 1)

#endif
