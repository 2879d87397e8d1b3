/* Wrong calls of GASNet-EX and GASNet-1, one for each message; see support/golden.h. */
#define GASNET_SEQ 1
#include <gasnetex.h>
#include <gasnet.h>
#include <gasnet_coll.h>
#include <gasnet_ratomic.h>
#include <gasnet_vis.h>
#include <gex/mk.h>

#include <unistd.h>

#include "api/gasnet/gasnet_api.h"
#include "core/coll_error.h"
#include "support/golden.h"

static gex_Client_t client;
static gex_EP_t ep;
static gex_TM_t tm;
static gex_Segment_t segment;
static gex_Rank_t me;
static char here[64], *there; /* there: in the last one's segment */
static bool is_bystander;     /* another process makes the wrong call, or its call is to fail */

/* ---- start and end ---- */

static int init_as(const char *name, gex_Flags_t flags) { return gex_Client_Init(&client, &ep, &tm, name, NULL, NULL, flags); }

/* For calls before the segment is attached, too. */
static bool begin(void) {
  if (client) return true;
  if (init_as("MESSAGES", GEX_FLAG_USES_GASNET1)) return false;
  me = gex_System_QueryJobRank();
  return true;
}

static bool start(int *argc, char ***argv) {
  void *base;
  (void)argc, (void)argv;
  if (!begin() || gex_Segment_Attach(&segment, tm, GASNET_PAGESIZE)) return false;
  gex_Segment_QueryBound(tm, gex_System_QueryJobSize() - 1, &base, NULL, NULL);
  there = (char *)base;
  return true;
}

static void end(void) { tessera_gex_finalize(client); }
static int unit(void) { return (int)me; }
static void barrier(void) { gex_Event_Wait(gex_Coll_BarrierNB(tm, 0)); }

/* ---- objects ---- */

static void function(void) {}
static gex_AM_Entry_t entry(gex_AM_Fn_t given, unsigned args_n) {
  return (gex_AM_Entry_t){0, given, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REQUEST, args_n, NULL, "message"};
}

static int register_one(gex_AM_Fn_t given, unsigned args_n) {
  gex_AM_Entry_t one = entry(given, args_n);
  return gex_EP_RegisterHandlers(ep, &one, 1);
}

static int register_many(void) {
  enum { N = 200 };
  gex_AM_Entry_t many[N];
  for (int i = 0; i < N; i++) many[i] = entry(function, 0);
  return gex_EP_RegisterHandlers(ep, many, N);
}

static int create_kind(gex_MK_Class_t class) {
  gex_MK_t kind;
  return gex_MK_Create(&kind, client, &(gex_MK_Create_args_t){.gex_class = class}, 0);
}

static int create_endpoint(gex_Client_t given) {
  gex_EP_t made;
  return gex_EP_Create(&made, given, GEX_EP_CAPABILITY_ALL, 0);
}

static int query_threads(unsigned *count) {
  const gex_ProgressThreadInfo_t *info;
  return gex_System_QueryProgressThreads(client, count, &info, 0);
}

/* ---- segments ---- */

static int attach(uintptr_t bytes) {
  begin();
  return gex_Segment_Attach(&segment, tm, bytes);
}

static int create_segment(gex_MK_t kind, uintptr_t bytes) {
  gex_Segment_t made;
  return gex_Segment_Create(&made, client, NULL, bytes, kind, 0);
}

static bool attach_without_room(void) {
  gex_Segment_t made[64];
  int n = 0;
  begin();
  while (n < 64 && !gex_Segment_Create(&made[n], client, NULL, 4 << 20, GEX_MK_HOST, 0)) n++;
  int code = attach(gasnet_getMaxLocalSegmentSize());
  while (n > 0) gex_Segment_Destroy(made[--n], 0);
  return code == GASNET_ERR_RESOURCE;
}

static void destroy_bound(void) {
  gex_Segment_t made;
  begin();
  gex_Segment_Create(&made, client, NULL, 64, GEX_MK_HOST, 0);
  gex_EP_BindSegment(ep, made, 0);
  gex_Segment_Destroy(made, 0);
}

/* ---- teams ---- */

static gex_TM_t split_off_self(void) {
  gex_TM_t made;
  gex_TM_Split(&made, tm, (int)me, 0, NULL, 0, GEX_FLAG_TM_NO_SCRATCH);
  return made;
}

static void use_destroyed_team(void) {
  gex_TM_t made = split_off_self();
  gex_TM_Destroy(made, NULL, 0);
  gex_TM_QueryClient(made);
}

static void create_team(gex_TM_t *made, size_t members_n) {
  static gex_EP_Location_t members[64];
  gex_TM_Create(made, 1, tm, members, members_n, NULL, 0, GEX_FLAG_TM_NO_SCRATCH);
}

/* The first process cannot make the next call on the team, for which another interface of the program may be the reason. */
static bool first_fails(gex_TM_t team) {
  is_bystander = me == 0;
  if (is_bystander) tsr_call_fail_others(((const tsr_gex_tm *)team)->team);
  return is_bystander;
}

static void destroy_failed_team(void) {
  gex_TM_t made;
  gex_TM_Split(&made, tm, 0, 0, NULL, 0, GEX_FLAG_TM_NO_SCRATCH);
  if (!first_fails(made)) gex_TM_Destroy(made, NULL, 0);
}

static void broadcast_alone(void) {
  int flags = GASNET_COLL_IN_MYSYNC | GASNET_COLL_OUT_MYSYNC | GASNET_COLL_LOCAL;
  if (!first_fails(tm)) gasnet_coll_broadcast(GASNET_TEAM_ALL, here, 0, here, 8, flags);
}

static void register_functions_alone(void) {
  if (!first_fails(tm)) gasnet_coll_init(NULL, 0, NULL, 0, 0);
}

static void reduce(gex_DT_t type, size_t n) { gex_Coll_ReduceToAllNB(tm, here, here, type, 4, n, GEX_OP_ADD, NULL, NULL, 0); }

/* ---- messages, atomics, events, the end ---- */

static void prepare(unsigned args_n) { gex_AM_PrepareRequestMedium(tm, 0, NULL, 1, 8, NULL, 0, args_n); }

static void change_atomically(gex_TM_t team, gex_Flags_t flags) {
  gex_AD_t domain;
  gex_AD_Create(&domain, team, GEX_DT_I32, GEX_OP_INC, 0);
  is_bystander = me != 0;
  if (!is_bystander) gex_Event_Wait(gex_AD_OpNB_I32(domain, NULL, 1, there, GEX_OP_INC, 0, 0, flags));
}

static void query_leaf(gex_EC_t category) {
  gex_Event_QueryLeaf(gex_RMA_PutNB(tm, me == 0, there, here, 8, GEX_EVENT_DEFER, 0), category);
}

static void exit_alone(void) {
  if (me == 0) gasnet_exit(3);
  sleep(60);
}

/* ---- all calls: number, when and by whom, and whether the call has failed ---- */

#define EARLY (GOLDEN_EARLY | GOLDEN_OWN)
#define BAD_ARG == GASNET_ERR_BAD_ARG
#define RESOURCE == GASNET_ERR_RESOURCE

#define RETURNING(CALL)                                                                             \
  CALL(4019, 0, register_one(NULL, 0) BAD_ARG)                                                      \
  CALL(4020, 0, register_one(function, 99) BAD_ARG)                                                 \
  CALL(4024, 0, gex_EP_RegisterHandlers(ep, NULL, 2) BAD_ARG)                                       \
  CALL(4025, 0, register_many() RESOURCE)                                                           \
  CALL(4026, 0, gex_EP_RegisterHandlers(NULL, NULL, 0) BAD_ARG)                                     \
  CALL(4069, 0, query_threads(NULL) BAD_ARG)                                                        \
  CALL(4070, 0, query_threads(&me) RESOURCE)                                                        \
  CALL(4082, 0, create_endpoint(NULL) BAD_ARG)                                                      \
  CALL(4083, 0, create_endpoint(client) RESOURCE)                                                   \
  CALL(4105, 0, init_as("AGAIN", 0) == GASNET_ERR_NOT_INIT)                                         \
  CALL(4106, GOLDEN_EARLY, init_as("", 0) BAD_ARG)                                                  \
  CALL(4107, GOLDEN_EARLY, init_as("MESSAGES", 0x100) BAD_ARG)                                      \
  CALL(4110, GOLDEN_EARLY, gex_Client_Init(NULL, &ep, &tm, "MESSAGES", NULL, NULL, 0) BAD_ARG)      \
  CALL(4111, 0, tessera_gex_finalize(NULL) BAD_ARG)                                                 \
  CALL(4112, 0, gasnet_set_waitmode(17) BAD_ARG)                                                    \
  CALL(4113, 0, gasnet_getNodeInfo(NULL, 1) BAD_ARG)                                                \
  CALL(4115, GOLDEN_ALL | GOLDEN_OWN, gasnet_attach(NULL, 999, 0, 0) BAD_ARG)                       \
  CALL(4116, 0, gasnet_AMGetMsgSource(NULL, NULL) BAD_ARG)                                          \
  CALL(4136, EARLY, true)                                                                           \
  CALL(4213, EARLY, true)                                                                           \
  CALL(4137, 0, gex_MK_Create(NULL, client, NULL, 0) BAD_ARG)                                       \
  CALL(4138, 0, create_kind(99) BAD_ARG)                                                            \
  CALL(4139, 0, create_kind(GEX_MK_CLASS_HOST) BAD_ARG)                                             \
  CALL(4140, 0, create_kind(GEX_MK_CLASS_HIP) BAD_ARG)                                              \
  CALL(4153, GOLDEN_ALL, gex_Segment_Attach(&segment, NULL, GASNET_PAGESIZE) BAD_ARG)               \
  CALL(4154, GOLDEN_ALL, gex_Segment_Attach(NULL, tm, GASNET_PAGESIZE) BAD_ARG)                     \
  CALL(4155, GOLDEN_ALL, attach(GASNET_PAGESIZE) == GASNET_ERR_NOT_INIT)                            \
  CALL(4156, EARLY, attach(17) BAD_ARG)                                                             \
  CALL(4157, EARLY, attach((uintptr_t)1 << 50) BAD_ARG)                                             \
  CALL(4158, EARLY, attach_without_room())                                                          \
  CALL(4160, 0, gasnet_getSegmentInfo(NULL, 1) BAD_ARG)                                             \
  CALL(4161, 0, create_segment(GEX_MK_HOST, 0) BAD_ARG)                                             \
  CALL(4162, 0, create_segment((gex_MK_t)here, 64) BAD_ARG)                                         \
  CALL(4163, GOLDEN_OWN, create_segment(GEX_MK_HOST, (uintptr_t)1 << 50) RESOURCE)                    \
  CALL(4166, 0, gex_EP_BindSegment(ep, NULL, 0) BAD_ARG)                                            \
  CALL(4167, 0, gex_EP_BindSegment(ep, segment, 0) BAD_ARG)                                         \
  CALL(4170, GOLDEN_ALL, gex_EP_PublishBoundSegment(tm, NULL, 1, 0) BAD_ARG)

#define TWO_LEASTS (GEX_FLAG_AM_PREPARE_LEAST_CLIENT | GEX_FLAG_AM_PREPARE_LEAST_ALLOC)

#define ENDING(CALL)                                                                                \
  CALL(4032, 0, gex_Token_Info(NULL, (gex_Token_Info_t *)(void *)here, GEX_TI_SRCRANK))             \
  CALL(4033, 0, gex_Token_Info((gex_Token_t)here, (gex_Token_Info_t *)(void *)here, 0x8000))        \
  CALL(4035, 0, gex_AM_MaxRequestMedium(tm, 0, GEX_EVENT_NOW, TWO_LEASTS, 0))                       \
  CALL(4037, 0, prepare(99))                                                                        \
  CALL(4052, 0, change_atomically(tm, GEX_FLAG_AD_MY_NBRHD))                                        \
  CALL(4055, 0, change_atomically(split_off_self(), GEX_FLAG_RANK_IS_JOBRANK))                      \
  CALL(4065, 0, gex_AD_Create(NULL, tm, GEX_DT_I32, GEX_OP_INC, 0))                                 \
  CALL(4076, 0, reduce(0x8000, 1))                                                                  \
  CALL(4079, 0, reduce(GEX_DT_I32, SIZE_MAX / 2))                                                   \
  CALL(4089, 0, gex_Event_Wait((gex_Event_t)(uintptr_t)5))                                          \
  CALL(4091, 0, gex_Event_QueryLeaf((gex_Event_t)(uintptr_t)1, GEX_EC_PUT))                         \
  CALL(4092, 0, query_leaf(0))                                                                      \
  CALL(4093, 0, gex_Event_WaitAll(NULL, 2, 0))                                                      \
  CALL(4094, 0, exit_alone())                                                                       \
  CALL(4123, 0, broadcast_alone())                                                                  \
  CALL(4128, 0, gasnet_coll_init(NULL, 0, NULL, 2, 0))                                              \
  CALL(4130, 0, register_functions_alone())                                                         \
  CALL(4149, 0, gex_RMA_PutBlocking(tm, 0, there, NULL, 8, 0))                                      \
  CALL(4165, GOLDEN_EARLY, destroy_bound())                                                         \
  CALL(4173, 0, use_destroyed_team())                                                               \
  CALL(4181, 0, create_team(NULL, 1))                                                               \
  CALL(4182, 0, create_team(&tm, 64))                                                               \
  CALL(4186, 0, destroy_failed_team())                                                              \
  CALL(4199, 0, gex_VIS_SetPeerCompletionHandler(200, NULL, 8, 0))

#define DEFINE_ENDING(number, when, ...) \
  static bool call_##number(void) {      \
    __VA_ARGS__;                         \
    return is_bystander;                 \
  }
RETURNING(GOLDEN_DEFINE_RETURNING)
ENDING(DEFINE_ENDING)

static const struct golden_case cases[] = {RETURNING(GOLDEN_RETURNING) ENDING(GOLDEN_ENDING)};

int main(int argc, char **argv) {
  return golden_main(argc, argv, &(struct golden_program){cases, sizeof cases / sizeof cases[0], start, end, unit, barrier});
}
