/* Teams, pairs of endpoints, and the record that inline functions of the installed headers read. */
#define GEXI_NEAR_CONST /* not const in this file, which writes it */
#include <gex/near.h>
#include <gex/team.h>
#include <pthread.h>

#include "coll/named.h"
#include "core/bootstrap.h"
#include "core/check.h"
#include "core/place.h"
#include "api/gasnet/gasnet_api.h"

/* All teams of this process without pairs; the team of all is the first. The lock protects this list and `graves`. */
static tsr_gex_tm *first;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The two possible pairs: with endpoint 0 of the other processes, and with any other index, which no process has. */
static tsr_gex_tm pair, no_pair;

struct gexi_near tsr_gex_near_2;
static struct gexi_near *programs; /* the program's copy, if a copy relocation has made one */

static void publish_near(void) {
  if (programs && programs != &tsr_gex_near_2) *programs = tsr_gex_near_2;
}

/* Fills in the peers of this node. All others stay zero, and their pages are never touched. */
static void fill_peers(tsr_gex_tm *tm) {
  struct gexi_peer *peers = (struct gexi_peer *)tm->near.peers;
  for (int32_t i = 0; i < tm->team->locals_n; i++) {
    int32_t rank = tm->team->locals[i];
    peers[rank] = tsr_gex_peer(tsr_team_unit(tm->team, TSR_MEMBER(rank)));
  }
}

/* Until the first call the record has no peers, and inline functions call the library. */
void tsr_gex_teams_refresh(void) {
  pthread_mutex_lock(&lock);
  for (tsr_gex_tm *tm = first; tm; tm = tm->next) fill_peers(tm);
  pthread_mutex_unlock(&lock);
  const struct gexi_tm *world = &first->near;
  gex_Rank_t n = world->size < GEXI_NEAR_PEERS_N ? world->size : GEXI_NEAR_PEERS_N;
  for (gex_Rank_t rank = 0; rank < n; rank++) {
    bool is_local_unit = world->peers[rank].bytes > 0;
    tsr_gex_near_2.peers[rank] = is_local_unit ? world->peers[rank] : (struct gexi_peer){.base = UINT64_MAX};
  }
  tsr_gex_near_2.peers_n = n;
  tsr_gex_near_2.world = world;
  publish_near();
}

tsr_team *tsr_gex_team_of_all(void) {
  int32_t n = tsr_team_world->size;
  tsr_team *team = NULL;
  tsr_unit *units = malloc((size_t)n * sizeof *units);
  for (int32_t i = 0; units && i < n; i++) units[i] = TSR_UNIT(i);
  tessera_status_t status = units ? tsr_team_create(tsr_team_world, n, units, &team) : TESSERA_ERR_MEMORY;
  free(units);
  if (status)
    tsr_abort(EXIT_FAILURE, "TSR-4171 the start of GASNet failed: no memory for the team of all units; free memory, or use fewer "
                            "units per node");
  team->api = TSR_API_GASNET;
  tsr_named_prepare(team);
  return team;
}

/* The teams destroyed last, with size 0, so that their use is recognised. */
enum { GRAVES_N = 1024 };
static tsr_gex_tm *graves[GRAVES_N];
static unsigned buried_n;

static tsr_gex_tm *adopt_team(tsr_team *team, gex_Flags_t flags) {
  tsr_gex_tm *tm = calloc(1, sizeof *tm);
  struct gexi_peer *peers = calloc((size_t)team->size, sizeof *peers);
  if (!tm || !peers) tsr_gex_die("TSR-4172 no private memory for a team of %d processes; free some", team->size);
  tm->near = (struct gexi_tm){peers, (gex_Rank_t)team->size, (gex_Rank_t)team->self};
  tm->team = tm->barrier.team = team;
  tm->flags = flags;
  pthread_mutex_lock(&lock);
  fill_peers(tm);
  tm->previous = first;
  tm->next = first ? first->next : NULL;
  if (tm->next) tm->next->previous = tm;
  if (first) first->next = tm;
  else first = tm;
  pthread_mutex_unlock(&lock);
  return tm;
}

/* Not for the team of all. */
static void discard_team(tsr_gex_tm *tm) {
  pthread_mutex_lock(&lock);
  tm->previous->next = tm->next;
  if (tm->next) tm->next->previous = tm->previous;
  free((void *)tm->near.peers);
  tm->near = (struct gexi_tm){0};
  tm->team = NULL;
  tsr_gex_tm **grave = &graves[buried_n++ % GRAVES_N];
  free(*grave);
  *grave = tm;
  pthread_mutex_unlock(&lock);
}

void tsr_gex_teams_start(const struct gexi_near *near) {
  adopt_team(tsr_team_world, 0);
  pair.near = first->near;
  no_pair.near = (struct gexi_tm){NULL, 0, first->near.rank};
  programs = (struct gexi_near *)near;
  tsr_gex_near_2 = (struct gexi_near){.implicit = tsr_gex_nbi_start(), .rank = first->near.rank, .size = first->near.size};
  publish_near();
}

void tsr_gex_near_stop(void) {
  tsr_gex_near_2 = (struct gexi_near){0};
  publish_near();
}

void tsr_gex_teams_stop(void) {
  static tsr_gex_tm *earlier; /* the record of the team of all is never freed: see gex/near.h */
  programs = NULL;
  while (first->next) discard_team(first->next);
  free((void *)first->near.peers);
  first->near = (struct gexi_tm){0};
  first->next = earlier;
  earlier = first;
  first = NULL;
  for (int i = 0; i < GRAVES_N; i++) {
    free(graves[i]);
    graves[i] = NULL;
  }
  pair = no_pair = (tsr_gex_tm){0};
}

gex_TM_t tsr_gex_tm0(void) { return &first->near; }

/* ---- Queries ---- */

/* A team or a pair; anything else ends the job. */
static tsr_gex_tm *tm_of(const char *call, gex_TM_t tm) {
  tsr_gex_check_up(call);
  if (!tm) gexi_no_tm(call);
  if (!tm->size && tm != &no_pair.near) tsr_gex_die("TSR-4173 %s: tm is destroyed; pass a live team", call);
  return (tsr_gex_tm *)tm;
}

gex_Rank_t gexi_no_tm(const char *call) {
  tsr_gex_check_up(call);
  tsr_gex_die("TSR-4174 %s: tm is GEX_TM_INVALID; pass a team", call);
}

void gex_TM_SetCData(gex_TM_t tm, const void *value) {
  tsr_gex_team(__func__, tm);
  tm_of(__func__, tm)->cdata = value;
}
void *gex_TM_QueryCData(gex_TM_t tm) { return (void *)tm_of(__func__, tm)->cdata; }
gex_Client_t gex_TM_QueryClient(gex_TM_t tm) { return tm_of(__func__, tm), &tsr_gex_client; }
gex_EP_t gex_TM_QueryEP(gex_TM_t tm) { return tm_of(__func__, tm), &tsr_gex_ep; }
gex_Flags_t gex_TM_QueryFlags(gex_TM_t tm) { return tm_of(__func__, tm)->flags; }

gex_TM_t gex_TM_Pair(gex_EP_t local_ep, gex_EP_Index_t remote_ep_index) {
  gex_EP_QueryIndex(local_ep);
  return remote_ep_index ? &no_pair.near : &pair.near;
}

gex_Rank_t gex_TM_TranslateRankToJobrank(gex_TM_t tm, gex_Rank_t rank) {
  return (gex_Rank_t)tsr_gex_unit(__func__, tm, rank).id;
}

gex_Rank_t gex_TM_TranslateJobrankToRank(gex_TM_t tm, gex_Rank_t jobrank) {
  const tsr_team *team = tm_of(__func__, tm)->team;
  if (jobrank >= (gex_Rank_t)tsr_place.units_n)
    tsr_gex_die("TSR-4175 %s: there is no job rank %u; pass 0 to %d", __func__, jobrank, tsr_place.units_n - 1);
  if (!team) return jobrank;
  int32_t member = tsr_team_member(team, TSR_UNIT((int32_t)jobrank)).id;
  return member < 0 ? GEX_RANK_INVALID : (gex_Rank_t)member;
}

gex_EP_Location_t gex_TM_TranslateRankToEP(gex_TM_t tm, gex_Rank_t rank, gex_Flags_t flags) {
  (void)flags;
  return (gex_EP_Location_t){(gex_Rank_t)tsr_gex_unit(__func__, tm, rank).id, 0};
}

/* ---- Creation and destruction ---- */

/* The size of scratch memory that queries return. The library does not use it. */
enum { SCRATCH_BYTES = 4096 };

/* The parent's id distinguishes teams of the same processes that several threads create at the same time. */
static gex_TM_t make_team(const char *call, const tsr_team *parent, const tsr_unit units[], int32_t units_n, gex_Flags_t flags,
                          gex_Memvec_t scratch) {
  tsr_team *team = NULL;
  if (tsr_team_create_alone(units_n, units, parent->id, &team))
    tsr_gex_die("TSR-4176 %s: the new team was not created; see the message above", call);
  team->api = TSR_API_GASNET;
  tsr_gex_tm *tm = adopt_team(team, flags);
  if (!(flags & GEX_FLAG_TM_NO_SCRATCH)) tm->scratch = scratch;
  return &tm->near;
}

static bool is_query(gex_Flags_t flags) {
  return flags & (GEX_FLAG_TM_SCRATCH_SIZE_MIN | GEX_FLAG_TM_SCRATCH_SIZE_RECOMMENDED);
}

/* A member with the caller's colour. */
struct choice {
  int32_t key, rank;
};

static int by_key(const void *a, const void *b) {
  const struct choice *x = a, *y = b;
  if (x->key != y->key) return x->key < y->key ? -1 : 1;
  return x->rank < y->rank ? -1 : x->rank > y->rank;
}

size_t gex_TM_Split(gex_TM_t *new_tm_p, gex_TM_t parent, int color, int key, void *scratch_addr, size_t scratch_size,
                    gex_Flags_t flags) {
  tsr_team *team = tsr_gex_team(__func__, parent);
  tsr_gex_check_context(__func__);
  if (is_query(flags)) return new_tm_p ? SCRATCH_BYTES : 0;
  if (!new_tm_p) color = -1;
  else if (color < 0)
    tsr_gex_die("TSR-4178 %s: color %d is negative; pass 0 or more, or new_tm_p NULL to stay out", __func__, color);
  size_t size = (size_t)team->size;
  tsr_unit *units = malloc(size * sizeof *units);
  struct choice *choices = malloc(size * sizeof *choices);
  int64_t *all = malloc(size * sizeof *all);
  if (!units || !choices || !all)
    tsr_gex_die("TSR-4179 %s: no private memory for a list of %d processes; free some", __func__, team->size);
  while (!tsr_check_name(team, __func__)) continue; /* false: a member has failed an earlier call */
  tsr_bootstrap_gather(team, (int64_t)((uint64_t)(uint32_t)color << 32 | (uint32_t)key), all);
  int32_t n = 0;
  for (int32_t rank = 0; new_tm_p && rank < team->size; rank++)
    if ((int32_t)(all[rank] >> 32) == color) choices[n++] = (struct choice){(int32_t)(uint32_t)all[rank], rank};
  qsort(choices, (size_t)n, sizeof *choices, by_key);
  for (int32_t i = 0; i < n; i++) units[i] = tsr_team_unit(team, TSR_MEMBER(choices[i].rank));
  if (new_tm_p) *new_tm_p = make_team(__func__, team, units, n, flags, (gex_Memvec_t){scratch_addr, scratch_size});
  free(all);
  free(choices);
  free(units);
  return 0;
}

size_t gex_TM_Create(gex_TM_t *new_tms, size_t num_new_tms, gex_TM_t parent, gex_EP_Location_t *args, size_t numargs,
                     gex_Addr_t *scratch_addrs, size_t scratch_size, gex_Flags_t flags) {
  tsr_team *team = tsr_gex_team(__func__, parent);
  tsr_gex_check_context(__func__);
  if (num_new_tms > 1)
    tsr_gex_die("TSR-4180 %s: %zu new teams; a process has one endpoint, so pass 1 or 0 and create more teams one after "
                "another", __func__, num_new_tms);
  if (is_query(flags)) return num_new_tms ? SCRATCH_BYTES : 0;
  if (!num_new_tms || !numargs) return 0;
  if (!new_tms || !args)
    tsr_gex_die("TSR-4181 %s: new_tms or args is NULL; pass where to store the team, and its members", __func__);
  if (numargs > (size_t)team->size)
    tsr_gex_die("TSR-4182 %s: %zu members, but the parent has %d; pass members of the parent only", __func__, numargs,
                team->size);
  tsr_unit *units = malloc(numargs * sizeof *units);
  if (!units) tsr_gex_die("TSR-4183 %s: no private memory for a list of %zu processes; free some", __func__, numargs);
  for (size_t i = 0; i < numargs; i++) {
    if (args[i].gex_ep_index)
      tsr_gex_die("TSR-4184 %s: there is no endpoint %u of rank %u; pass index 0", __func__, args[i].gex_ep_index,
                  args[i].gex_rank);
    units[i] = tsr_gex_unit(__func__, flags & GEX_FLAG_RANK_IS_JOBRANK ? &pair.near : parent, args[i].gex_rank);
  }
  /* The program passes the address of the caller's scratch memory, or with GEX_FLAG_TM_GLOBAL_SCRATCH those of all
   * members. */
  size_t self = 0;
  while ((flags & GEX_FLAG_TM_GLOBAL_SCRATCH) && self < numargs && units[self].id != tsr_place.self) self++;
  bool has_scratch = scratch_addrs && !(flags & GEX_FLAG_TM_NO_SCRATCH) && self < numargs;
  void *scratch = has_scratch ? scratch_addrs[self] : NULL;
  *new_tms = make_team(__func__, team, units, (int32_t)numargs, flags, (gex_Memvec_t){scratch, scratch_size});
  free(units);
  return 0;
}

int gex_TM_Destroy(gex_TM_t tm, gex_Memvec_t *scratch_p, gex_Flags_t flags) {
  (void)flags; /* destruction always includes a barrier */
  tsr_team *team = tsr_gex_team(__func__, tm);
  tsr_gex_check_context(__func__);
  if (tm == tsr_gex_tm0())
    tsr_gex_die("TSR-4185 %s: the team of all, from gex_Client_Init, cannot be destroyed; destroy only teams that the program made",
                __func__);
  tsr_gex_tm *own = (tsr_gex_tm *)tm;
  if (own->barrier.going)
    tsr_gex_die("TSR-4210 %s: a barrier of the team is in progress; complete it with gasnet_coll_barrier_wait or "
                "gasnet_coll_barrier_try first", __func__);
  gex_Memvec_t scratch = own->scratch;
  if (tsr_team_destroy(team)) tsr_gex_die("TSR-4186 %s: the team was not destroyed; see the message above", __func__);
  discard_team(own);
  if (!scratch_p || !scratch.gex_addr || !scratch.gex_len) return 0;
  *scratch_p = scratch;
  return 1;
}
