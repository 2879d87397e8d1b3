#include "core/team.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/hash.h"
#include "base/status.h"
#include "base/wait.h"
#include "core/bootstrap.h"
#include "core/check.h"
#include "core/message.h"
#include "core/op.h"
#include "core/place.h"
#include "core/runtime.h"
#include "core/segment.h"
#include "core/sync.h"
#include "core/team_comm.h"
#include "core/team_shape.h"

tsr_team *tsr_teams[TSR_TEAM_IDS];
_Atomic int32_t tsr_teams_end;
enum { NO_AREA = -1 };
static tsr_team *world; /* lives as long as the job: its sync area is the node's common memory */

/* The members that create a team: all members of a parent, or only the listed units. */
struct participants {
  tsr_team *parent;
  int32_t units_n;
  const tsr_unit *units;
  int32_t self; /* place of this unit in the list; -1: not listed */
  uint64_t tag; /* of the control messages among listed units */
};

static int32_t find_self(int32_t units_n, const tsr_unit units[]) {
  for (int32_t i = 0; i < units_n; i++) {
    if (units[i].id == tsr_place.self) return i;
  }
  return -1;
}

/* Team numbers: candidates count up without end, and a number is the remainder of its candidate, so that a freed number
 * is reused last. A thread reserves the candidate that it proposes. */
static struct {
  pthread_mutex_t lock;
  int64_t next;
  bool reserved[TSR_TEAM_IDS];
} ids = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Guards changes of tsr_teams, and look-ups by threads that are not in a call on the team. */
static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;

void tsr_teams_lock(void) { pthread_mutex_lock(&table_lock); }
void tsr_teams_unlock(void) { pthread_mutex_unlock(&table_lock); }

static void enter_team(int32_t id, tsr_team *team) {
  tsr_teams_lock();
  tsr_teams[id] = team;
  if (id >= tsr_teams_end) tsr_teams_end = id + 1;
  tsr_teams_unlock();
}

static int32_t id_of(int64_t candidate) { return 1 + (int32_t)(candidate % (TSR_TEAM_IDS - 1)); }

/* Reserves the first free candidate from `from` on; -1: every number is in use. */
static int64_t reserve_id(int64_t from) {
  int64_t found = -1;
  pthread_mutex_lock(&ids.lock);
  if (from < ids.next) from = ids.next;
  for (int64_t c = from; found < 0 && c < from + TSR_TEAM_IDS - 1; c++) {
    if (!ids.reserved[id_of(c)]) found = c;
  }
  if (found >= 0) ids.reserved[id_of(found)] = true;
  pthread_mutex_unlock(&ids.lock);
  return found;
}

static void unreserve_id(int32_t id) {
  pthread_mutex_lock(&ids.lock);
  ids.reserved[id] = false;
  pthread_mutex_unlock(&ids.lock);
}

static void count_on(int64_t agreed) {
  pthread_mutex_lock(&ids.lock);
  if (ids.next <= agreed) ids.next = agreed + 1;
  pthread_mutex_unlock(&ids.lock);
}

/* Equal for equal lists and keys. Not used for a member that fails the creation. */
static uint64_t list_hash(const struct participants *participants, int32_t key) {
  uint64_t hash = tsr_hash_add(TSR_HASH_NOTHING, (uint32_t)key);
  for (int32_t i = 0; i < participants->units_n; i++) hash = tsr_hash_add(hash, (uint32_t)participants->units[i].id);
  return hash;
}

/* Receives the values of a listed unit. */
static void receive_max(const struct participants *participants, int32_t from, int64_t v[], int n) {
  int64_t theirs[TSR_BOOTSTRAP_MAX_N];
  tsr_ctrl_receive(participants->units[from], participants->tag, theirs, (size_t)n * sizeof v[0]);
  for (int k = 0; k < n; k++) v[k] = v[k] > theirs[k] ? v[k] : theirs[k];
}

/* The equivalent of tsr_bootstrap_max among listed units, along a binomial tree. Their lists are equal: others have another tag. */
static void list_max(const struct participants *participants, int64_t v[], int n) {
  const size_t bytes = (size_t)n * sizeof v[0];
  const int32_t self = participants->self, units_n = participants->units_n;
  int32_t step = 1; /* distance to the next child, or to the parent */
  for (; step < units_n && !(self & step); step *= 2) {
    if (self + step < units_n) receive_max(participants, self + step, v, n);
  }
  if (self) {
    tsr_ctrl_send(participants->units[self - step], participants->tag, v, bytes);
    tsr_ctrl_receive(participants->units[self - step], participants->tag, v, bytes);
  }
  while ((step /= 2) > 0) {
    if (self + step < units_n) tsr_ctrl_send(participants->units[self + step], participants->tag, v, bytes);
  }
}

/* False: a member of the parent has failed another call. */
static bool agree_on_max(const struct participants *participants, int64_t v[], int n) {
  if (participants->parent) return tsr_bootstrap_try_max(participants->parent, v, n);
  list_max(participants, v, n);
  return true;
}

/* What a member reports about itself. */
enum outcome { GOOD, NONE_FREE, FAILED, OUTCOMES_N };

/* The number that a member adds its outcome to. It differs from every number that a member in another call, or in an
 * earlier creation, sends in the same place. */
static int64_t count_step(const struct participants *participants) {
  uint32_t step = participants->parent ? participants->parent->creations_n++ : 0;
  return (int64_t)((uint64_t)0x7465616d << 32 | (uint64_t)(uint32_t)(step * OUTCOMES_N));
}

static bool is_outcome(int64_t word) { return word >= GOOD && word < OUTCOMES_N; }

/* What the members have agreed on. */
struct answers {
  int64_t most, least; /* of the proposed numbers */
  enum outcome worst;
  bool one_list;
};

/* The minimum of a number is found as the maximum of its complement. */
static struct answers gather_answers(const struct participants *participants, int64_t proposal, enum outcome own) {
  int64_t list = own == FAILED ? 0 : (int64_t)list_hash(participants, 0);
  int64_t step = count_step(participants), said = step + own, v[6] = {proposal, ~proposal, said, ~said, list, ~list};
  if (!agree_on_max(participants, v, 6) || !is_outcome(v[2] - step) || !is_outcome(~v[3] - step))
    tsr_abort(EXIT_FAILURE, "TSR-0379 unit %d creates a team while another member makes another collective call%s; let all "
              "members create the team, at the same place in the order of calls, and let either all or none of them pass an empty "
              "list (TESSERA_CHECK=1 gives details)", tsr_place.self, participants->parent ? " on the parent" : "");
  return (struct answers){v[0], ~v[1], (enum outcome)(v[2] - step), v[4] == ~v[5]};
}

/* Whether a member has failed; the same result on all members. */
static bool any_failed(const struct participants *participants, tessera_status_t status) {
  int64_t failed = status != TESSERA_OK;
  return !agree_on_max(participants, &failed, 1) || failed;
}

/* Whether all units that this member lists have the same list. If this is true on all members, different lists have no
 * unit in common. The same result on all members. */
static bool lists_fit(const struct participants *participants) {
  int64_t own = (int64_t)list_hash(participants, 0), *all = malloc((size_t)participants->parent->size * sizeof *all);
  if (!all) tsr_abort(1, "TSR-0380 no private memory to compare the lists of %d units; " TSR_REMEDY_MEMORY,
                      participants->parent->size); /* all members wait for this one */
  tsr_bootstrap_gather(participants->parent, own, all);
  tessera_status_t status = TESSERA_OK;
  for (int32_t i = 0; i < participants->units_n; i++) {
    if (all[tsr_team_member(participants->parent, participants->units[i]).id] != own) status = TESSERA_ERR_ARG;
  }
  free(all);
  return !any_failed(participants, status);
}

/* Each member proposes the first number that is free on it. If the proposals differ, the next try begins at the
 * largest. A member whose `status` is an error proposes none, and all members fail; they also fail if their lists
 * overlap. Teams that have no unit in common get the same number. */
static tessera_status_t agree_on_id(const struct participants *participants, tessera_status_t status, int32_t *id) {
  int64_t from = 0;
  bool fit = false;
  for (;;) {
    int64_t mine = status ? -1 : reserve_id(from);
    struct answers all = gather_answers(participants, mine, status ? FAILED : mine < 0 ? NONE_FREE : GOOD);
    if (!fit && all.worst != FAILED) fit = all.one_list || lists_fit(participants);
    if (all.worst == GOOD && fit && all.most == all.least) {
      count_on(mine);
      *id = id_of(mine);
      return TESSERA_OK;
    }
    if (mine >= 0) unreserve_id(id_of(mine));
    if (all.worst == FAILED) return status ? status : TESSERA_ERR_PEER;
    if (!fit)
      return tsr_fail(TESSERA_ERR_ARG, "TSR-0381 creation of a team: two members of the parent pass lists that overlap but differ "
                      "(the list of this unit has %d members); let all units of a list pass the same list, in the same order",
                      participants->units_n);
    if (all.worst == NONE_FREE)
      return tsr_fail(TESSERA_ERR_LIMIT, "TSR-0382 all %d team numbers are in use; destroy teams first", TSR_TEAM_IDS - 1);
    from = all.most;
  }
}

/* The first member on the node allocates the sync area and sends its place to the other members. */
static tessera_status_t share_area(tsr_team *team) {
  struct { int64_t status; uint64_t off; } word = {0};
  uint64_t tag = UINT64_C(0x7465616d) << 32 | (uint32_t)team->id;
  tsr_unit leader = tsr_team_unit(team, TSR_MEMBER(team->locals[0]));
  size_t bytes = tsr_sync_area_bytes(team->locals_n);
  if (tsr_leads(team)) {
    word.status = tsr_heap_alloc(bytes, TSR_HEAP_INTERNAL, &word.off);
    if (!word.status) memset(tsr_heap_at(tsr_heap.self, word.off), 0, bytes);
    for (int32_t i = 1; i < team->locals_n; i++)
      tsr_ctrl_send(tsr_team_unit(team, TSR_MEMBER(team->locals[i])), tag, &word, sizeof word);
  } else {
    tsr_ctrl_receive(leader, tag, &word, sizeof word);
  }
  if (word.status) return tsr_leads(team) ? (tessera_status_t)word.status : TESSERA_ERR_PEER;
  team->sync_off = word.off;
  return tsr_sync_attach(team, tsr_heap_at((uint32_t)tsr_place_local(leader), word.off));
}

static void free_team(tsr_team *team) {
  tsr_sync_forget(team);
  if (tsr_leads(team) && team->sync_off != (uint64_t)NO_AREA) tsr_heap_free(team->sync_off, TSR_HEAP_INTERNAL);
  tsr_team_shape_free(team);
  free(team->named);
  free(team);
}

static tessera_status_t build_team(const struct participants *participants, int32_t id, tsr_team **out) {
  tsr_team *team = calloc(1, sizeof *team);
  if (!team) return tsr_fail(TESSERA_ERR_MEMORY, "TSR-0383 no private memory for a team; " TSR_REMEDY_MEMORY);
  team->id = id;
  team->sync_off = (uint64_t)NO_AREA;
  team->fresh_id = 1;
  *out = team;
  return tsr_team_shape(team, participants->units_n, participants->units);
}

/* `status`: the status of this member before the creation. */
static tessera_status_t create_team(const struct participants *participants, tessera_status_t status, tsr_team **out) {
  int32_t id = 0;
  status = agree_on_id(participants, status, &id);
  if (status) return status;
  tsr_team *team = NULL;
  if (participants->self >= 0) status = build_team(participants, id, &team);
  bool failed = any_failed(participants, status); /* before a member may wait for the area of another one */
  if (!failed && team) status = share_area(team);
  if (!failed) failed = any_failed(participants, status);
  if (!failed) {
    if (team) enter_team(id, team);
    else unreserve_id(id);
    *out = team;
    return TESSERA_OK;
  }
  if (team) free_team(team);
  unreserve_id(id);
  return status ? status : TESSERA_ERR_PEER;
}

tessera_status_t tsr_team_create(tsr_team *parent, int32_t units_n, const tsr_unit units[], tsr_team **out) {
  if (units_n == 0) {
    *out = NULL;
    return TESSERA_OK;
  }
  if (!tsr_check_name(parent, "creation of a team (as tessera_team_create)")) return TESSERA_ERR_PEER;
  tessera_status_t status = units_n == TSR_TEAM_FAILED ? TESSERA_ERR_ARG : tsr_team_check_list(parent, units_n, units);
  const int32_t self = status ? -1 : find_self(units_n, units); /* a wrong list is not read */
  return create_team(&(struct participants){.parent = parent, .units_n = units_n, .units = units, .self = self}, status, out);
}

tessera_status_t tsr_team_create_alone(int32_t units_n, const tsr_unit units[], int32_t key, tsr_team **out) {
  tessera_status_t status = tsr_team_check_list(tsr_team_world, units_n, units);
  if (status) return status;
  struct participants participants = {.units_n = units_n, .units = units, .self = find_self(units_n, units)};
  participants.tag = list_hash(&participants, key); /* all members compute the same tag */
  if (participants.self < 0)
    return tsr_fail(TESSERA_ERR_ARG, "TSR-0384 a team of %d units is created by units that are not in its list; call from the "
                    "members only",
                    units_n);
  return create_team(&participants, TESSERA_OK, out);
}

/* Frees the communicator of the team, and waits until no member uses the sync area any more. Collective over the team;
 * all members end their teams in the same order. */
static void dismiss_team(tsr_team *team) {
  int32_t id = team->id;
  enter_team(id, NULL);
  tsr_segment_drop_all(team);
  tsr_team_comm_free(team);
  tsr_sync_detach(team);
  free_team(team);
  unreserve_id(id);
}

static bool is_quiet(const void *arg) {
  return atomic_load_explicit(&((const tsr_team *)arg)->going_n, memory_order_acquire) == 0;
}

void tsr_team_quiesce(tsr_team *team) {
  tsr_wait(is_quiet, team, (struct tsr_wait_why){TSR_WAIT_STARTED, team->id, atomic_load(&team->going_n)});
}

void tsr_team_quiesce_all(void) {
  for (int32_t id = 0; id < tsr_teams_end; id++) {
    if (tsr_teams[id]) tsr_team_quiesce(tsr_teams[id]);
  }
}

tessera_status_t tsr_team_destroy(tsr_team *team) {
  if (team->id == TSR_TEAM_WORLD)
    return tsr_fail(TESSERA_ERR_ARG, "TSR-0385 the team of all units cannot be destroyed; destroy only teams that the program "
                                     "made");
  if (!tsr_check_name(team, "end of a team (as tessera_team_free)")) return TESSERA_ERR_PEER;
  tsr_team_quiesce(team);
  tsr_op_flush_all(); /* operations that this unit has started must not write to memory after it has been freed */
  tsr_bootstrap_barrier(team);
  dismiss_team(team);
  return TESSERA_OK;
}

void tsr_team_drop_api(enum tsr_api api) {
  for (int32_t id = 0; id < tsr_teams_end; id++) {
    tsr_team *team = tsr_teams[id];
    if (!team) continue;
    if (team->api == api && id != TSR_TEAM_WORLD) dismiss_team(team);
    else tsr_segment_drop_api(team, api);
  }
}

/* The sync area of the world is at the beginning of the node's common memory; the bounce buffers follow it. */
static tessera_status_t attach_world(tsr_team *team) {
  char *memory = tsr_memory_common(tsr_heap.memory);
  tessera_status_t status = tsr_sync_attach(team, memory);
  if (status) return status;
  char *bounces = memory + tsr_round_up(tsr_sync_area_bytes(team->locals_n), TSR_CACHE_LINE);
  tsr_sync_give_bounce(team, bounces + (size_t)team->self_local * TSR_SYNC_BOUNCE_BYTES);
  return TESSERA_OK;
}

static tessera_status_t make_world(void) {
  tsr_team *team = calloc(1, sizeof *team);
  tsr_unit *units = malloc((size_t)tsr_place.units_n * sizeof *units);
  tessera_status_t status = TESSERA_ERR_MEMORY;
  if (!team || !units) goto fail;
  for (int32_t i = 0; i < tsr_place.units_n; i++) units[i] = TSR_UNIT(i);
  status = tsr_team_shape(team, tsr_place.units_n, units);
  if (!status) status = attach_world(team);
  if (status) goto fail;
  free(units);
  world = team;
  return TESSERA_OK;
fail:
  if (team) tsr_sync_forget(team);
  if (team) tsr_team_shape_free(team);
  free(team);
  free(units);
  return status;
}

tessera_status_t tsr_team_start(void) {
  tessera_status_t status = world ? TESSERA_OK : make_world();
  if (status) return status;
  world->started_n = world->inner_n = 0;
  world->fresh_id = 1;
  world->freed_first = 0;
  enter_team(TSR_TEAM_WORLD, world);
  return tsr_segment_start(world);
}

void tsr_team_forget_world(void) {
  if (!world) return;
  tsr_sync_forget(world);
  tsr_team_shape_free(world);
  free(world->named);
  free(world);
  world = NULL;
}

void tsr_team_stop(void) {
  tsr_segment_drop_all(world);
  enter_team(TSR_TEAM_WORLD, NULL);
}
