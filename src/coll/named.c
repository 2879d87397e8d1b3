#include "coll/named.h"

#include <string.h>

#include "base/config.h"
#include "base/status.h"
#include "base/wait.h"
#include "coll/nb.h"
#include "core/sync.h"

/* The least name is sent as its complement, so that one reduction to the maximum finds both. A member without a name
 * sends INT64_MIN for both. */
enum { MOST, LEAST_TURNED, WORDS_N };
struct tsr_named {
  tsr_op op;      /* counts the allreduce, if the barrier uses messages */
  uint64_t round; /* in the sync area; 0: the barrier uses messages */
  bool open;
  int64_t sent[WORDS_N], combined[WORDS_N];
};

static struct tsr_named *named_of(tsr_team *team) {
  if (team->named) return team->named;
  team->named = tsr_coll_memory(sizeof *team->named);
  memset(team->named, 0, sizeof *team->named);
  return team->named;
}

void tsr_named_prepare(tsr_team *team) { named_of(team); }

bool tsr_named_is_open(const tsr_team *team) { return team->named && team->named->open; }

static void store_name(int64_t sent[], int64_t name) {
  if (name == TSR_NAME_NOT_COMPARED) name = TSR_UNNAMED;
  sent[MOST] = name;
  sent[LEAST_TURNED] = name == TSR_UNNAMED || name == TSR_NAME_CLASHES ? name : ~name;
}

void tsr_named_notify(tsr_team *team, int64_t name, bool compares) {
  struct tsr_named *named = named_of(team);
  named->open = true;
  if (team->nodes_n == 1 && !(compares && tsr_config_check())) {
    if (name != TSR_NAME_NOT_COMPARED) *tsr_sync_name(team, team->self_local, named->round + 1) = name;
    named->round = tsr_sync_split(team);
    return;
  }
  tsr_reducer most = tsr_reducer_make(TSR_I64, TSR_MAX);
  store_name(named->sent, name);
  tsr_schedule_start(tsr_nb_allreduce(team, named->sent, named->combined, WORDS_N, &most), &named->op, NULL, NULL);
}

bool tsr_named_is_over(const tsr_team *team) {
  const struct tsr_named *named = team->named;
  return named->round ? tsr_sync_is_complete(team, TSR_SYNC_SPLIT, named->round) : tsr_op_remote_done(&named->op);
}

static bool is_over(const void *team) { return tsr_named_is_over(team); }

void tsr_named_await(tsr_team *team) {
  if (team->named->round) tsr_sync_await(team, team->named->round);
  else tsr_wait(is_over, team, (struct tsr_wait_why){TSR_WAIT_STARTED, team->id, atomic_load(&team->going_n)});
}

void tsr_named_end_uncompared(tsr_team *team) { team->named->open = false; }

struct tsr_named_result tsr_named_end(tsr_team *team) {
  struct tsr_named *named = team->named;
  named->open = false;
  for (int32_t i = 0; named->round && i < team->locals_n; i++) {
    int64_t sent[WORDS_N];
    store_name(sent, *tsr_sync_name(team, i, named->round));
    for (int k = 0; k < WORDS_N; k++) named->combined[k] = i == 0 || sent[k] > named->combined[k] ? sent[k] : named->combined[k];
  }
  return (struct tsr_named_result){named->combined[MOST] != TSR_UNNAMED, ~named->combined[LEAST_TURNED], named->combined[MOST]};
}

tessera_status_t tsr_named_close(tsr_team *team, const char *call) {
  struct tsr_named_result result = tsr_named_end(team);
  if (!result.named || result.least == result.most) return TESSERA_OK;
  return tsr_fail(TESSERA_ERR_ARG, "TSR-0905 %s: the members of team %d passed different names to the barrier, from %lld to %lld; "
                  "let all pass the same name, or none", call, team->id, (long long)result.least, (long long)result.most);
}
