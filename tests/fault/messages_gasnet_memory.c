/* GASNet without private memory, a case for each message; see support/golden.h. */
#include "support/no_memory.h"

#define GASNET_SEQ 1
#include <gasnetex.h>
#include <gasnet.h>
#include <gasnet_ratomic.h>
#include <gasnet_vis.h>

#include "support/golden.h"

static gex_Client_t client;
static gex_EP_t ep;
static gex_TM_t tm;
static gex_Segment_t segment;
static gex_Rank_t me;
static char here[64], *theirs; /* theirs: of process 0 */

static bool begin(void) {
  if (client) return true;
  if (gex_Client_Init(&client, &ep, &tm, "MESSAGES", NULL, NULL, GEX_FLAG_USES_GASNET1)) return false;
  me = gex_System_QueryJobRank();
  return true;
}

static bool start(int *argc, char ***argv) {
  void *base;
  (void)argc, (void)argv;
  if (!begin() || gex_Segment_Attach(&segment, tm, GASNET_PAGESIZE)) return false;
  gex_Segment_QueryBound(tm, 0, &base, NULL, NULL);
  theirs = (char *)base;
  return true;
}

static void end(void) { tessera_gex_finalize(client); }
static int unit(void) { return (int)me; }
static void barrier(void) { gex_Event_Wait(gex_Coll_BarrierNB(tm, 0)); }

/* ---- the start: a later allocation each ---- */

static bool start_without(int after) {
  no_memory.after_start = after;
  begin();
  return false;
}
static bool start_without_bounds(void) { return start_without(0); }
static bool start_without_teams(void) { return start_without(3); }
static bool start_without_bound(void) { return start_without(5); }
static bool start_without_hosts(void) { return start_without(8); }
static bool start_without_team(void) { return start_without(17); }

static bool start_without_name(void) {
  no_memory_after(0);
  bool failed = !begin();
  no_memory_end();
  return failed;
}

/* ---- segments ---- */

static bool bind_segment(void) {
  gex_Segment_t made;
  begin();
  gex_Segment_Create(&made, client, here, sizeof here, GEX_MK_HOST, 0);
  no_memory_after(0);
  int code = gex_EP_BindSegment(ep, made, 0);
  no_memory_end();
  return code == GASNET_ERR_RESOURCE;
}

static bool publish_segment(void) {
  no_memory_after(0);
  gex_EP_PublishBoundSegment(tm, &ep, 1, 0);
  return false;
}

/* ---- teams ---- */

static bool split_team(int after) {
  gex_TM_t made;
  no_memory_after(after);
  gex_TM_Split(&made, tm, 0, 0, NULL, 0, GEX_FLAG_TM_NO_SCRATCH);
  return false;
}
static bool list_split(void) { return split_team(0); }
static bool make_split(void) { return split_team(5); }

static void create_team(void) {
  gex_TM_t made;
  gex_EP_Location_t self = {me, 0};
  gex_TM_Create(&made, 1, tm, &self, 1, NULL, 0, GEX_FLAG_TM_NO_SCRATCH);
}

static bool list_created(void) {
  no_memory_after(0);
  create_team();
  return false;
}

/* ---- events and domains ---- */

static bool begin_region(int after) {
  no_memory_after(after);
  gex_NBI_BeginAccessRegion(0);
  return false;
}
static bool keep_thread(void) { return begin_region(0); }
static bool keep_event(void) { return begin_region(1); }

static bool create_domain(void) {
  gex_AD_t domain;
  no_memory_after(0);
  gex_AD_Create(&domain, tm, GEX_DT_I32, GEX_OP_INC, 0);
  return false;
}

static bool get_value(void) {
  no_memory_after(0);
  gasnet_get_nb_val(0, theirs, 8);
  return false;
}

static bool put_many(void) {
  enum { N = 500 };
  void *pieces[N], *own[N];
  for (int i = 0; i < N; i++) pieces[i] = theirs + 2 * i, own[i] = here;
  no_memory_after(0);
  gex_VIS_IndexedPutBlocking(tm, 0, N, pieces, 1, N, own, 1, 0);
  return false;
}

/* ---- process 1, with process 0 of another node, which sleeps: requests wait ---- */

static void use_up_requests(void) {
  no_memory_unit_0_sleeps((int32_t)me);
  no_memory_for_requests(0, gex_Segment_QueryAddr(segment));
}

static bool put(void) {
  use_up_requests();
  gex_RMA_PutBlocking(tm, 0, theirs, here, 8, 0);
  return false;
}

static bool change_atomically(void) {
  gex_AD_t domain;
  gex_AD_Create(&domain, tm, GEX_DT_I32, GEX_OP_INC, 0);
  gex_NBI_BeginAccessRegion(0); /* takes memory for operations without events */
  gex_Event_Wait(gex_NBI_EndAccessRegion(0));
  use_up_requests();
  gex_AD_OpNBI_I32(domain, NULL, 0, theirs, GEX_OP_INC, 0, 0, 0);
  return false;
}

static bool put_pieces(void) {
  void *to[] = {theirs, theirs + 32}, *from[] = {here, here + 8};
  use_up_requests();
  gex_VIS_IndexedPutBlocking(tm, 0, 2, to, 8, 2, from, 8, 0);
  return false;
}

static bool send_message(void) {
  use_up_requests();
  gex_AM_RequestMedium0(tm, 0, 200, here, 8, GEX_EVENT_NOW, 0);
  return false;
}

static bool notify_peer(void) {
  gex_VIS_SetPeerCompletionHandler(200, here, 8, 0);
  use_up_requests();
  gex_VIS_IndexedPutBlocking(tm, 0, 0, NULL, 8, 0, NULL, 8, 0);
  return false;
}

/* To memory outside the heap, whose bytes are put before. */
static bool bind_own_memory(void) {
  static char own[GASNET_PAGESIZE];
  void *base;
  begin();
  gex_Segment_Create(&segment, client, own, sizeof own, GEX_MK_HOST, 0);
  gex_EP_BindSegment(ep, segment, 0);
  gex_EP_PublishBoundSegment(tm, &ep, 1, 0);
  gex_Segment_QueryBound(tm, 0, &base, NULL, NULL);
  no_memory_unit_0_sleeps((int32_t)me);
  gex_Segment_t other;
  gex_Segment_Create(&other, client, NULL, 64, GEX_MK_HOST, 0);
  no_memory_for_requests(0, gex_Segment_QueryAddr(other));
  gex_AM_RequestLong0(tm, 0, 200, here, 8, base, GEX_EVENT_NOW, 0);
  return false;
}

static const struct golden_case cases[] = {
    {"4000", start_without_bounds, GOLDEN_OWN | GOLDEN_EARLY},
    {"4001", start_without_bound, GOLDEN_OWN | GOLDEN_EARLY},
    {"4017", bind_own_memory, GOLDEN_OWN | GOLDEN_EARLY},
    {"4018", send_message, GOLDEN_OWN | GOLDEN_ALL},
    {"4057", change_atomically, GOLDEN_OWN | GOLDEN_ALL},
    {"4058", create_domain, GOLDEN_OWN},
    {"4087", keep_event, GOLDEN_OWN},
    {"4095", start_without_hosts, GOLDEN_OWN | GOLDEN_EARLY},
    {"4109", start_without_name, GOLDEN_EARLY},
    {"4118", get_value, GOLDEN_OWN},
    {"4142", keep_thread, GOLDEN_OWN},
    {"4150", put, GOLDEN_OWN | GOLDEN_ALL},
    {"4168", bind_segment, GOLDEN_OWN | GOLDEN_EARLY},
    {"4169", publish_segment, GOLDEN_OWN},
    {"4171", start_without_team, GOLDEN_OWN | GOLDEN_EARLY},
    {"4172", start_without_teams, GOLDEN_OWN | GOLDEN_EARLY},
    {"4176", make_split, GOLDEN_OWN},
    {"4179", list_split, GOLDEN_OWN},
    {"4183", list_created, GOLDEN_OWN},
    {"4200", notify_peer, GOLDEN_OWN | GOLDEN_ALL},
    {"4201", put_pieces, GOLDEN_OWN | GOLDEN_ALL},
    {"4204", put_many, GOLDEN_OWN},
};

int main(int argc, char **argv) {
  size_t cases_n = NO_MEMORY_FAILS ? sizeof cases / sizeof cases[0] : 0;
  return golden_main(argc, argv, &(struct golden_program){cases, cases_n, start, end, unit, barrier});
}
