#include "coll/named.h"

#include <string.h>

#include "base/status.h"
#include "base/wait.h"
#include "coll/nb.h"

/* The least name is told turned over, so that both are maxima, which one reduction finds; who has no name tells the least of
 * all numbers as both. */
enum { MOST, LEAST_TURNED, WORDS_N };

struct tsr_named {
  tsr_op op;
  bool open;
  int64_t said[WORDS_N], heard[WORDS_N];
};

static struct tsr_named *named_of(tsr_team *team) {
  if (team->named) return team->named;
  team->named = tsr_coll_memory(sizeof *team->named);
  memset(team->named, 0, sizeof *team->named);
  return team->named;
}

bool tsr_named_is_open(const tsr_team *team) { return team->named && team->named->open; }

void tsr_named_notify(tsr_team *team, int64_t name) {
  struct tsr_named *named = named_of(team);
  tsr_reducer most = tsr_reducer_make(TSR_I64, TSR_MAX);
  named->said[MOST] = name;
  named->said[LEAST_TURNED] = name == TSR_UNNAMED ? TSR_UNNAMED : ~name;
  named->open = true;
  tsr_schedule_start(tsr_nb_allreduce(team, named->said, named->heard, WORDS_N, &most), &named->op, NULL, NULL);
}

bool tsr_named_is_over(const tsr_team *team) { return tsr_op_remote_done(&team->named->op); }

static bool is_over(const void *team) { return tsr_named_is_over(team); }

void tsr_named_await(tsr_team *team) {
  tsr_wait(is_over, team, (struct tsr_wait_why){TSR_WAIT_STARTED, team->id, atomic_load(&team->going_n)});
}

tessera_status_t tsr_named_close(tsr_team *team, const char *call) {
  int64_t most = team->named->heard[MOST], least = ~team->named->heard[LEAST_TURNED];
  team->named->open = false;
  if (most == TSR_UNNAMED || least == most) return TESSERA_OK;
  return tsr_fail(TESSERA_ERR_ARG, "%s: the members of team %d came to the barrier with different names, from %lld to %lld; "
                  "let all pass the same one, or none", call, team->id, (long long)least, (long long)most);
}
