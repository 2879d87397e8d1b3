#include "api/gasnet/split_barrier.h"

#include <stdlib.h>
#include <string.h>

#include "coll/nb.h"
#include "core/agree.h"
#include "core/progress.h"
#include "core/runtime.h"

static bool is_local(const struct tsr_gex_split_barrier *split_barrier) { return split_barrier->team->nodes_n == 1; }

void tsr_gex_split_barrier_make(struct tsr_gex_split_barrier *split_barrier) {
  int32_t n = tsr_team_world->size;
  tsr_unit *units = malloc((size_t)n * sizeof *units);
  for (int32_t i = 0; units && i < n; i++) units[i] = TSR_UNIT(i);
  *split_barrier = (struct tsr_gex_split_barrier){.team = NULL};
  tessera_status_t status =
      units ? tsr_team_create(tsr_team_world, n, units, &split_barrier->team) : TESSERA_ERR_MEMORY;
  free(units);
  if (status) tsr_abort(EXIT_FAILURE, "the start of GASNet failed: %s", tessera_status_text(status));
  split_barrier->team->api = TSR_API_GASNET;
}

/* The least and the most are told as two maxima, which is what combines words between nodes. */
enum { MOST, LEAST_NEGATED, OBJECTS };

static void put_into_words(struct tsr_gex_word word, int64_t said[3]) {
  said[MOST] = word.speaks ? word.value : INT64_MIN;
  said[LEAST_NEGATED] = word.speaks ? -(int64_t)word.value : INT64_MIN;
  said[OBJECTS] = word.objects;
}

static void hear(int64_t heard[3], const int64_t said[3]) {
  for (int i = 0; i < 3; i++) heard[i] = heard[i] > said[i] ? heard[i] : said[i];
}

static void come_from_remote(struct tsr_gex_split_barrier *split_barrier) {
  tsr_reducer most = tsr_reducer_make(TSR_I64, TSR_MAX);
  tsr_schedule *schedule = tsr_nb_allreduce(split_barrier->team, split_barrier->said, split_barrier->heard, 3, &most);
  tsr_schedule_start(schedule, &split_barrier->op, NULL, NULL);
}

/* On one node the word is a part of the step that is small enough for the line that tells of the arrival. */
void tsr_gex_split_barrier_come(struct tsr_gex_split_barrier *split_barrier, struct tsr_gex_word word) {
  if (is_local(split_barrier)) {
    memcpy(tsr_agree_mine(split_barrier->team, sizeof word), &word, sizeof word);
    tsr_agree_pass(split_barrier->team);
    return;
  }
  put_into_words(word, split_barrier->said);
  come_from_remote(split_barrier);
}

void tsr_gex_split_barrier_come_silently(struct tsr_gex_split_barrier *split_barrier) {
  if (is_local(split_barrier)) tsr_agree_pass(split_barrier->team);
  else tsr_gex_split_barrier_come(split_barrier, (struct tsr_gex_word){0});
}

bool tsr_gex_split_barrier_is_over(struct tsr_gex_split_barrier *split_barrier) {
  return is_local(split_barrier) ? tsr_agree_all_came(split_barrier->team) : tsr_op_remote_done(&split_barrier->op);
}

void tsr_gex_split_barrier_await(struct tsr_gex_split_barrier *split_barrier) {
  if (is_local(split_barrier)) tsr_agree_await_all(split_barrier->team);
  else tsr_op_wait_remote(&split_barrier->op, TSR_UNIT(-1));
}

struct tsr_gex_heard tsr_gex_split_barrier_heard(struct tsr_gex_split_barrier *split_barrier) {
  int64_t *heard = split_barrier->heard;
  if (is_local(split_barrier)) {
    put_into_words((struct tsr_gex_word){0}, heard);
    for (int32_t i = 0; i < split_barrier->team->locals_n; i++) {
      struct tsr_gex_word word;
      int64_t said[3];
      memcpy(&word, tsr_agree_theirs(split_barrier->team, i, sizeof word), sizeof word);
      put_into_words(word, said);
      hear(heard, said);
    }
  }
  struct tsr_gex_heard all = {.spoken = heard[MOST] != INT64_MIN, .objected = heard[OBJECTS] != 0};
  if (all.spoken) all.least = (int32_t)-heard[LEAST_NEGATED], all.most = (int32_t)heard[MOST];
  return all;
}
