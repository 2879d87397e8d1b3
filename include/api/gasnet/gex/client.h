/* GASNet-EX: the client, its endpoint, and queries about the job. */
#ifndef TSR_GASNET_GEX_CLIENT_H
#define TSR_GASNET_GEX_CLIENT_H

#include <gex/near.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gexi_client *gex_Client_t;
typedef struct gexi_ep *gex_EP_t;
typedef struct gexi_segment *gex_Segment_t;
typedef struct gexi_tm *gex_TM_t;
typedef struct gexi_mk *gex_MK_t;
#define GEX_CLIENT_INVALID ((gex_Client_t)(uintptr_t)0)
#define GEX_EP_INVALID ((gex_EP_t)(uintptr_t)0)
#define GEX_SEGMENT_INVALID ((gex_Segment_t)(uintptr_t)0)
#define GEX_TM_INVALID ((gex_TM_t)(uintptr_t)0)
#define GEX_MK_INVALID ((gex_MK_t)(uintptr_t)0)
#define GEX_MK_HOST ((gex_MK_t)(uintptr_t)1)

/* ---- Start ---- */

/* The thread mode with which the program was compiled: how many threads may be inside the library, and when. */
enum gexi_threads { GEXI_SEQ, GEXI_PARSYNC, GEXI_PAR };

int gexi_client_init(gex_Client_t *client_p, gex_EP_t *ep_p, gex_TM_t *tm_p, const char *name, int *argc, char ***argv,
                     gex_Flags_t flags, enum gexi_threads threads, const struct gexi_near *near);

#if defined(GASNET_SEQ) || defined(GASNET_PAR) || defined(GASNET_PARSYNC)
#if defined(GASNET_PAR)
#define GEXI_THREADS GEXI_PAR
#elif defined(GASNET_PARSYNC)
#define GEXI_THREADS GEXI_PARSYNC
#else
#define GEXI_THREADS GEXI_SEQ
#endif
/* Starts GASNet-EX. Collective over the job, once; returns when every process has called. All processes pass the same
 * `name` and `flags`; argc and argv may be NULL. GASNET_ERR_NOT_INIT: a second call, or a call after MPI was
 * finalised; GASNET_ERR_BAD_ARG; GASNET_ERR_RESOURCE: the log names the cause. */
static inline int gex_Client_Init(gex_Client_t *client_p, gex_EP_t *ep_p, gex_TM_t *tm_p, const char *name, int *argc,
                                  char ***argv, gex_Flags_t flags) {
  return gexi_client_init(client_p, ep_p, tm_p, name, argc, argv, flags, GEXI_THREADS, &tsr_gex_near_2);
}
#endif

/* An extension by Tessera: ends GASNet-EX as MPI_Finalize ends MPI. Collective over the job. It completes all
 * operations and destroys all objects; gex_Client_Init may be called again. Programs that end with gasnet_exit or
 * exit do not need it. */
int tessera_gex_finalize(gex_Client_t client);
/* An extension by Tessera: writes to standard error which operations of this process are under way, and what each
 * unit of its node waits for. */
void tessera_gex_dump(void);

/* ---- The client ---- */

/* Store and return a pointer of the program, which is NULL at first. The library does not use it. */
void gex_Client_SetCData(gex_Client_t client, const void *value);
void *gex_Client_QueryCData(gex_Client_t client);
/* Return the flags and the name that gex_Client_Init got. The library owns the string. */
gex_Flags_t gex_Client_QueryFlags(gex_Client_t client);
const char *gex_Client_QueryName(gex_Client_t client);

/* ---- Endpoints; each process has one ---- */

#define GASNET_MAXEPS 1

/* Store and return a pointer of the program, which is NULL at first. The library does not use it. */
void gex_EP_SetCData(gex_EP_t ep, const void *value);
void *gex_EP_QueryCData(gex_EP_t ep);
/* Return the client, the flags (always 0), the bound segment (GEX_SEGMENT_INVALID: there is none), and the index (always
 * 0). */
gex_Client_t gex_EP_QueryClient(gex_EP_t ep);
gex_Flags_t gex_EP_QueryFlags(gex_EP_t ep);
gex_Segment_t gex_EP_QuerySegment(gex_EP_t ep);
gex_EP_Index_t gex_EP_QueryIndex(gex_EP_t ep);

/* Returns GASNET_ERR_RESOURCE, because there is already one endpoint. */
int gex_EP_Create(gex_EP_t *ep_p, gex_Client_t client, gex_EP_Capabilities_t capabilities, gex_Flags_t flags);

/* ---- The job; all calls are allowed in handlers ---- */

/* Return the rank of this process in the job, and the number of processes. */
static inline gex_Rank_t gex_System_QueryJobRank(void) { return *(const volatile gex_Rank_t *)&tsr_gex_near_2.rank; }
static inline gex_Rank_t gex_System_QueryJobSize(void) { return *(const volatile gex_Rank_t *)&tsr_gex_near_2.size; }

typedef const struct {
  gex_Rank_t gex_jobrank;
} gex_RankInfo_t;

/* Store the processes that share memory with the caller (neighbourhood), or are on the same host, by job rank. The
 * library owns the list. */
void gex_System_QueryNbrhdInfo(gex_RankInfo_t **info_p, gex_Rank_t *info_count_p, gex_Rank_t *my_info_index_p);
void gex_System_QueryHostInfo(gex_RankInfo_t **info_p, gex_Rank_t *info_count_p, gex_Rank_t *my_info_index_p);
/* Stores the number of neighbourhoods and of hosts, and the numbers of the caller's. Any pointer may be NULL. */
void gex_System_QueryMyPosition(gex_Rank_t *nbrhd_set_size, gex_Rank_t *nbrhd_set_rank, gex_Rank_t *host_set_size,
                                gex_Rank_t *host_set_rank);

/* Returns how many threads of a process may use the library: 1 with GASNET_SEQ, else 65536. */
uint64_t gex_System_QueryMaxThreads(void);

/* Whether handlers run in threads other than the program's: never. */
#define GASNET_HIDDEN_AM_CONCURRENCY_LEVEL 0
int gex_System_QueryHiddenAMConcurrencyLevel(void);

/* Stores the threads that a program has to start for the library: none. For clients that passed
 * GEX_FLAG_DEFER_THREADS to gex_Client_Init; GASNET_ERR_RESOURCE: this client did not. */
typedef struct {
  unsigned int gex_thread_roles;
  const char *gex_device_list;
  void *(*gex_progress_fn)(void *);
  void *gex_progress_arg;
} gex_ProgressThreadInfo_t;
#define GEX_THREAD_ROLE_RCV (1U << 0)
#define GEX_THREAD_ROLE_SND (1U << 1)
int gex_System_QueryProgressThreads(gex_Client_t client, unsigned int *count_p, const gex_ProgressThreadInfo_t **info_p,
                                    gex_Flags_t flags);

/* Whether calls that return an error also print it on standard error. */
int gex_System_GetVerboseErrors(void);
void gex_System_SetVerboseErrors(int enable);

#ifdef __cplusplus
}
#endif
#endif
