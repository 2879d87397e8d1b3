/* GASNet tools: a self-test of GASNet. */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include <gasnett/diagnose.h>
#include <gex/hsl.h>
#include <gex/rma.h>
#include <gasnet_tools.h>

#include "base/log.h"
#include "coll/coll.h"
#include "api/gasnet/am.h"
#include "api/gasnet/gasnet_api.h"

enum { PAGE_BYTES = 4096, THREADS_MAX = 64 };

struct run {
  int rounds, threads_n;
  gex_TM_t team;
  gex_Rank_t peer;
  char *remote_addr;
  unsigned seed;
  uint64_t drawn;
  int errors_n;
};

/* The next random number of the sequence that the seed determines. */
static uint32_t draw_number(struct run *run) {
  run->drawn = run->drawn * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(run->drawn >> 32);
}

static void check_result(struct run *run, bool good, const char *what, int round) {
  if (good) return;
  run->errors_n++;
  tsr_error("TSR-4187 gasnett_run_diagnostics: %s, in round %d (seed %u)", what, round, run->seed);
}

/* ---- A: tools ---- */

static void try_tools(struct run *run) {
  char text[64];
  gasnett_tick_t before = gasnett_ticks_now();
  for (int i = 0; i < run->rounds; i++) {
    gasnett_tick_t now = gasnett_ticks_now();
    check_result(run, now >= before, "the clock went backwards", i);
    before = now;
    int64_t number = (int64_t)draw_number(run) << i % 31;
    gasnett_format_number(number, text, sizeof text, i & 1);
    check_result(run, gasnett_parse_int(text, i & 1) == number, "a number differs after formatting and parsing", i);
    uint64_t sum = gasnett_checksum(text, sizeof text);
    text[draw_number(run) % sizeof text] ^= 1;
    check_result(run, gasnett_checksum(text, sizeof text) != sum, "a checksum does not change with a byte", i);
  }
}

/* ---- B: atomics and locks ---- */

struct shared {
  int rounds, guarded;
  gex_HSL_t lock;
  gasnett_atomic64_t counted;
};

static void *count_rounds(void *arg) {
  struct shared *shared = arg;
  for (int i = 0; i < shared->rounds; i++) {
    gasnett_atomic64_increment(&shared->counted, 0);
    gexi_hsl_lock(&shared->lock);
    shared->guarded++;
    gexi_hsl_unlock(&shared->lock);
  }
  return NULL;
}

static void try_locks(struct run *run) {
  struct shared shared = {.rounds = run->rounds, .lock = GEX_HSL_INITIALIZER};
  pthread_t threads[THREADS_MAX];
  int wanted_n = tsr_gex_threads == GEXI_SEQ ? 1 : run->threads_n < THREADS_MAX ? run->threads_n : THREADS_MAX, n = 1;
  while (n < wanted_n && !pthread_create(&threads[n], NULL, count_rounds, &shared)) n++;
  check_result(run, n >= wanted_n, "the system cannot start more threads", n);
  count_rounds(&shared);
  for (int i = 1; i < n; i++) pthread_join(threads[i], NULL);
  gex_HSL_Destroy(&shared.lock);
  uint64_t expected = (uint64_t)n * (uint64_t)run->rounds;
  check_result(run, gasnett_atomic64_read(&shared.counted, 0) == expected, "an atomic counter lost increments", n);
  check_result(run, shared.guarded == n * run->rounds, "a lock was held by two threads at once", n);
}

/* ---- C: transfers ---- */

static void try_transfers(struct run *run) {
  char out[PAGE_BYTES], back[PAGE_BYTES];
  for (int i = 0; i < run->rounds; i++) {
    size_t bytes = 1 + draw_number(run) % PAGE_BYTES;
    for (size_t at = 0; at < bytes; at++) out[at] = (char)draw_number(run);
    memset(back, ~out[0], bytes);
    switch (i % 3) {
    case 0:
      gexi_put_blocking(run->team, run->peer, run->remote_addr, out, bytes, 0);
      gexi_get_blocking(run->team, back, run->peer, run->remote_addr, bytes, 0);
      break;
    case 1:
      gex_Event_Wait(gexi_put_nb(run->team, run->peer, run->remote_addr, out, bytes, GEX_EVENT_NOW, 0));
      gex_Event_Wait(gexi_get_nb(run->team, back, run->peer, run->remote_addr, bytes, 0));
      break;
    default:
      gexi_put_nbi(run->team, run->peer, run->remote_addr, out, bytes, GEX_EVENT_DEFER, 0);
      gex_NBI_Wait(GEX_EC_PUT, 0);
      gexi_get_nbi(run->team, back, run->peer, run->remote_addr, bytes, 0);
      gex_NBI_Wait(GEX_EC_GET, 0);
    }
    check_result(run, !memcmp(out, back, bytes), "a get returned other data than was put", i);
  }
}

/* ---- D: active messages ---- */

static _Atomic uint64_t answers_n, answers_sum;

static void take_answer(gex_Token_t token, gex_AM_Arg_t round) {
  (void)token;
  atomic_fetch_add(&answers_sum, (uint32_t)round);
  atomic_fetch_add(&answers_n, 1);
}

static void answer_request(gex_Token_t token, gex_AM_Arg_t round, gex_AM_Arg_t handler) {
  gexi_reply_short(token, (gex_AM_Index_t)handler, 0, 1, &round);
}

enum { ANSWER, TAKE_ANSWER, HANDLERS_N };
static gex_AM_Entry_t handlers[HANDLERS_N] = {
    {0, (gex_AM_Fn_t)answer_request, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REQUEST, 2, NULL, "diagnostics"},
    {0, (gex_AM_Fn_t)take_answer, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REPLY, 1, NULL, "diagnostics"}};

void gasnett_diagnostic_gethandlers(gex_AM_Entry_t **table, int *entries_n) {
  *table = handlers;
  *entries_n = HANDLERS_N;
}

static void try_messages(struct run *run) {
  if (!handlers[ANSWER].gex_index)
    tsr_gex_die("TSR-4188 gasnett_run_diagnostics: its handlers are not registered; register the table that "
                "gasnett_diagnostic_gethandlers returns");
  uint64_t sum = 0, rounds = (uint64_t)run->rounds;
  atomic_store(&answers_sum, 0);
  atomic_store(&answers_n, 0);
  for (int i = 0; i < run->rounds; i++) {
    gex_AM_Arg_t args[] = {(gex_AM_Arg_t)draw_number(run), handlers[TAKE_ANSWER].gex_index};
    gexi_request_short(run->team, run->peer, handlers[ANSWER].gex_index, 0, 2, args);
    sum += (uint32_t)args[0];
  }
  while (atomic_load(&answers_n) < rounds) tsr_gex_poll();
  bool good = atomic_load(&answers_n) == rounds && atomic_load(&answers_sum) == sum;
  check_result(run, good, "messages were answered twice, or with wrong arguments", 0);
}

/* ---- All sections ---- */

int gasnett_run_diagnostics(int rounds, int threads_n, const char *sections, gex_TM_t team, void *own_segment, gex_Rank_t peer,
                            void *peer_segment, unsigned seed) {
  static void (*const tries[])(struct run *) = {try_tools, try_locks, try_transfers, try_messages};
  tsr_team *members = tsr_gex_team(__func__, team);
  tsr_gex_check_context(__func__);
  (void)own_segment; /* the peer's transfers use it */
  struct run run = {rounds, threads_n, team, peer, peer_segment, seed, (uint64_t)team->rank << 32 | seed, 0};
  for (int i = 0; i < (int)(sizeof tries / sizeof tries[0]); i++) {
    tsr_barrier_or_abort(members, __func__);
    if (!sections || strchr(sections, 'A' + i)) tries[i](&run);
  }
  tsr_barrier_or_abort(members, __func__);
  return run.errors_n;
}
