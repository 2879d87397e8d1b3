#include <gex/team.h>
#include <pthread.h>
#include <stdlib.h>

#include "coll/named.h"
#include "core/agree.h"
#include "core/check.h"
#include "core/place.h"
#include "core/runtime.h"
#include "api/gasnet/gasnet_api.h"
#include "api/gasnet/local.h"
#include "api/gasnet/team.h"

/* All teams of this process without pairs; the team of all is the first. The lock protects this list and `graves`. */
static tsr_gex_tm *first;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The two possible pairs: with endpoint 0 of the other processes, and with any other index, which no process has. */
static tsr_gex_tm pair, no_pair;

/* Fills in the peers of this node. All others stay zero, and their pages are never touched. */
static void fill_peers(tsr_gex_tm *tm) {
  struct gexi_peer *peers = (struct gexi_peer *)tm->near.peers;
  for (int32_t i = 0; i < tm->team->locals_n; i++) {
    int32_t rank = tm->team->locals[i];
    peers[rank] = tsr_gex_peer(tsr_team_unit(tm->team, TSR_MEMBER(rank)));
  }
}

void tsr_gex_teams_refresh(void) {
  pthread_mutex_lock(&lock);
  for (tsr_gex_tm *tm = first; tm; tm = tm->next) fill_peers(tm);
  pthread_mutex_unlock(&lock);
  tsr_gex_local_refresh(&first->near);
}

tsr_team *tsr_gex_team_of_all(void) {
  int32_t n = tsr_team_world->size;
  tsr_team *team = NULL;
  tsr_unit *units = malloc((size_t)n * sizeof *units);
  for (int32_t i = 0; units && i < n; i++) units[i] = TSR_UNIT(i);
  tessera_status_t status = units ? tsr_team_create(tsr_team_world, n, units, &team) : TESSERA_ERR_MEMORY;
  free(units);
  if (status) tsr_abort(EXIT_FAILURE, "TSR-4171 the start of GASNet failed: no team of all units: %s",
                        tessera_status_text(status));
  team->api = TSR_API_GASNET;
  tsr_named_prepare(team);
  return team;
}

static void link_in(tsr_gex_tm *tm) {
  tsr_gex_tm *after = first;
  tm->previous = after;
  tm->next = after ? after->next : NULL;
  if (tm->next) tm->next->previous = tm;
  if (after) after->next = tm;
  else first = tm;
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
  tm->team = team;
  tm->flags = flags;
  pthread_mutex_lock(&lock);
  fill_peers(tm);
  link_in(tm);
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

/* The record of the team of all is never freed: see gex/near.h. */
static void retire_first(void) {
  static tsr_gex_tm *earlier;
  free((void *)first->near.peers);
  first->near = (struct gexi_tm){0};
  first->next = earlier;
  earlier = first;
  first = NULL;
}

void tsr_gex_teams_start(void) {
  adopt_team(tsr_team_world, 0);
  pair.near = first->near;
  no_pair.near = (struct gexi_tm){NULL, 0, first->near.rank};
}

void tsr_gex_teams_stop(void) {
  while (first->next) discard_team(first->next);
  retire_first();
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
  static const char call[] = "gex_TM_SetCData";
  tsr_gex_team(call, tm);
  tm_of(call, tm)->cdata = value;
}
void *gex_TM_QueryCData(gex_TM_t tm) { return (void *)tm_of("gex_TM_QueryCData", tm)->cdata; }
gex_Client_t gex_TM_QueryClient(gex_TM_t tm) { return tm_of("gex_TM_QueryClient", tm), &tsr_gex_client; }
gex_EP_t gex_TM_QueryEP(gex_TM_t tm) { return tm_of("gex_TM_QueryEP", tm), &tsr_gex_ep; }
gex_Flags_t gex_TM_QueryFlags(gex_TM_t tm) { return tm_of("gex_TM_QueryFlags", tm)->flags; }

gex_TM_t gex_TM_Pair(gex_EP_t local_ep, gex_EP_Index_t remote_ep_index) {
  gex_EP_QueryIndex(local_ep);
  return remote_ep_index ? &no_pair.near : &pair.near;
}

gex_Rank_t gex_TM_TranslateRankToJobrank(gex_TM_t tm, gex_Rank_t rank) {
  return (gex_Rank_t)tsr_gex_unit("gex_TM_TranslateRankToJobrank", tm, rank).id;
}

gex_Rank_t gex_TM_TranslateJobrankToRank(gex_TM_t tm, gex_Rank_t jobrank) {
  static const char call[] = "gex_TM_TranslateJobrankToRank";
  const tsr_team *team = tm_of(call, tm)->team;
  if (jobrank >= (gex_Rank_t)tsr_place.units_n)
    tsr_gex_die("TSR-4175 %s: there is no job rank %u; pass 0 to %d", call, jobrank, tsr_place.units_n - 1);
  if (!team) return jobrank;
  int32_t member = tsr_team_member(team, TSR_UNIT((int32_t)jobrank)).id;
  return member < 0 ? GEX_RANK_INVALID : (gex_Rank_t)member;
}

gex_EP_Location_t gex_TM_TranslateRankToEP(gex_TM_t tm, gex_Rank_t rank, gex_Flags_t flags) {
  (void)flags;
  return (gex_EP_Location_t){(gex_Rank_t)tsr_gex_unit("gex_TM_TranslateRankToEP", tm, rank).id, 0};
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

/* The arguments of one member of a split. */
struct choice {
  int64_t key;
  int32_t color, rank;
};

static int by_key(const void *a, const void *b) {
  const struct choice *x = a, *y = b;
  if (x->key != y->key) return x->key < y->key ? -1 : 1;
  return x->rank < y->rank ? -1 : x->rank > y->rank;
}

/* Stores the units of the caller's colour, ordered by key, and returns their number. */
static int32_t choose_members(tsr_team *team, int32_t color, int32_t key, tsr_unit units[], struct choice choices[]) {
  int64_t *all = malloc((size_t)team->size * sizeof *all);
  if (!all) tsr_gex_die("TSR-4177 gex_TM_Split: no private memory for a list of %d processes; free some", team->size);
  while (!tsr_check_name(team, "gex_TM_Split")) continue; /* false: a member has failed an earlier call */
  tsr_agree_gather(team, (int64_t)((uint64_t)(uint32_t)color << 32 | (uint32_t)key), all);
  int32_t n = 0;
  for (int32_t rank = 0; rank < team->size; rank++) {
    if (color < 0 || (int32_t)(all[rank] >> 32) != color) continue;
    choices[n++] = (struct choice){(int32_t)(uint32_t)all[rank], color, rank};
  }
  qsort(choices, (size_t)n, sizeof *choices, by_key);
  for (int32_t i = 0; i < n; i++) units[i] = tsr_team_unit(team, TSR_MEMBER(choices[i].rank));
  free(all);
  return n;
}

size_t gex_TM_Split(gex_TM_t *new_tm_p, gex_TM_t parent, int color, int key, void *scratch_addr, size_t scratch_size,
                    gex_Flags_t flags) {
  static const char call[] = "gex_TM_Split";
  tsr_team *team = tsr_gex_team(call, parent);
  tsr_gex_check_context(call);
  if (is_query(flags)) return new_tm_p ? SCRATCH_BYTES : 0;
  if (new_tm_p && color < 0)
    tsr_gex_die("TSR-4178 %s: color %d is negative; pass 0 or more, or new_tm_p NULL to stay out", call, color);
  tsr_unit *units = malloc((size_t)team->size * sizeof *units);
  struct choice *choices = malloc((size_t)team->size * sizeof *choices);
  if (!units || !choices) tsr_gex_die("TSR-4179 %s: no private memory for a list of %d processes; free some", call, team->size);
  int32_t n = choose_members(team, new_tm_p ? color : -1, key, units, choices);
  if (new_tm_p) *new_tm_p = make_team(call, team, units, n, flags, (gex_Memvec_t){scratch_addr, scratch_size});
  free(units);
  free(choices);
  return 0;
}

/* The caller's scratch memory. The program passes its address, or with GEX_FLAG_TM_GLOBAL_SCRATCH those of all
 * members. */
static void *own_scratch(gex_Addr_t *addrs, gex_Flags_t flags, const tsr_unit units[], size_t n) {
  if (!addrs || (flags & GEX_FLAG_TM_NO_SCRATCH)) return NULL;
  size_t self = 0;
  while ((flags & GEX_FLAG_TM_GLOBAL_SCRATCH) && self < n && units[self].id != tsr_place.self) self++;
  return self < n ? addrs[self] : NULL;
}

size_t gex_TM_Create(gex_TM_t *new_tms, size_t num_new_tms, gex_TM_t parent, gex_EP_Location_t *args, size_t numargs,
                     gex_Addr_t *scratch_addrs, size_t scratch_size, gex_Flags_t flags) {
  static const char call[] = "gex_TM_Create";
  tsr_team *team = tsr_gex_team(call, parent);
  tsr_gex_check_context(call);
  if (num_new_tms > 1)
    tsr_gex_die("TSR-4180 %s: %zu new teams; a process has one endpoint, so pass 1 or 0 and create more teams one after "
                "another",
                call, num_new_tms);
  if (is_query(flags)) return num_new_tms ? SCRATCH_BYTES : 0;
  if (!num_new_tms || !numargs) return 0;
  if (!new_tms || !args) tsr_gex_die("TSR-4181 %s: new_tms or args is NULL; pass where to store the team, and its members",
                                     call);
  if (numargs > (size_t)team->size)
    tsr_gex_die("TSR-4182 %s: %zu members, but the parent has %d; pass members of the parent only", call, numargs, team->size);
  tsr_unit *units = malloc(numargs * sizeof *units);
  if (!units) tsr_gex_die("TSR-4183 %s: no private memory for a list of %zu processes; free some", call, numargs);
  for (size_t i = 0; i < numargs; i++) {
    if (args[i].gex_ep_index)
      tsr_gex_die("TSR-4184 %s: there is no endpoint %u of rank %u; pass index 0", call, args[i].gex_ep_index,
                  args[i].gex_rank);
    units[i] = tsr_gex_unit(call, flags & GEX_FLAG_RANK_IS_JOBRANK ? &pair.near : parent, args[i].gex_rank);
  }
  gex_Memvec_t scratch = {own_scratch(scratch_addrs, flags, units, numargs), scratch_size};
  *new_tms = make_team(call, team, units, (int32_t)numargs, flags, scratch);
  free(units);
  return 0;
}

int gex_TM_Destroy(gex_TM_t tm, gex_Memvec_t *scratch_p, gex_Flags_t flags) {
  static const char call[] = "gex_TM_Destroy";
  (void)flags; /* destruction always includes a barrier */
  tsr_team *team = tsr_gex_team(call, tm);
  tsr_gex_check_context(call);
  if (tm == tsr_gex_tm0()) tsr_gex_die("TSR-4185 %s: the team of all, from gex_Client_Init, cannot be destroyed", call);
  tsr_gex_tm *own = (tsr_gex_tm *)tm;
  gex_Memvec_t scratch = own->scratch;
  if (tsr_team_destroy(team)) tsr_gex_die("TSR-4186 %s: the team was not destroyed; see the message above", call);
  discard_team(own);
  if (!scratch_p || !scratch.gex_addr || !scratch.gex_len) return 0;
  *scratch_p = scratch;
  return 1;
}
