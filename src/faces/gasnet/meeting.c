#include "faces/gasnet/meeting.h"

#include <stdlib.h>
#include <string.h>

#include "coll/nb.h"
#include "core/agree.h"
#include "core/progress.h"
#include "core/runtime.h"

static bool is_near(const struct tsr_gex_meeting *meeting) { return meeting->team->nodes_n == 1; }

void tsr_gex_meeting_make(struct tsr_gex_meeting *meeting) {
  int32_t n = tsr_team_world->size;
  tsr_unit *units = malloc((size_t)n * sizeof *units);
  for (int32_t i = 0; units && i < n; i++) units[i] = TSR_UNIT(i);
  *meeting = (struct tsr_gex_meeting){.team = NULL};
  tessera_status_t status = units ? tsr_team_create(tsr_team_world, n, units, &meeting->team) : TESSERA_ERR_MEMORY;
  free(units);
  if (status) tsr_abort(EXIT_FAILURE, "the start of GASNet failed: %s", tessera_status_text(status));
  meeting->team->face = TSR_FACE_GASNET;
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

static void come_far(struct tsr_gex_meeting *meeting) {
  tsr_reducer most = tsr_reducer_make(TSR_I64, TSR_MAX);
  tsr_schedule *schedule = tsr_nb_allreduce(meeting->team, meeting->said, meeting->heard, 3, &most);
  tsr_schedule_start(schedule, &meeting->op, NULL, NULL);
}

/* On one node the word is a part of the step that is small enough for the line that tells of the arrival. */
void tsr_gex_meeting_come(struct tsr_gex_meeting *meeting, struct tsr_gex_word word) {
  if (is_near(meeting)) {
    memcpy(tsr_agree_mine(meeting->team, sizeof word), &word, sizeof word);
    tsr_agree_pass(meeting->team);
    return;
  }
  put_into_words(word, meeting->said);
  come_far(meeting);
}

void tsr_gex_meeting_come_silently(struct tsr_gex_meeting *meeting) {
  if (is_near(meeting)) tsr_agree_pass(meeting->team);
  else tsr_gex_meeting_come(meeting, (struct tsr_gex_word){0});
}

bool tsr_gex_meeting_is_over(struct tsr_gex_meeting *meeting) {
  return is_near(meeting) ? tsr_agree_all_came(meeting->team) : tsr_op_remote_done(&meeting->op);
}

void tsr_gex_meeting_await(struct tsr_gex_meeting *meeting) {
  if (is_near(meeting)) tsr_agree_await_all(meeting->team);
  else tsr_op_wait_remote(&meeting->op, TSR_UNIT(-1));
}

struct tsr_gex_heard tsr_gex_meeting_heard(struct tsr_gex_meeting *meeting) {
  int64_t *heard = meeting->heard;
  if (is_near(meeting)) {
    put_into_words((struct tsr_gex_word){0}, heard);
    for (int32_t i = 0; i < meeting->team->locals_n; i++) {
      struct tsr_gex_word word;
      int64_t said[3];
      memcpy(&word, tsr_agree_theirs(meeting->team, i, sizeof word), sizeof word);
      put_into_words(word, said);
      hear(heard, said);
    }
  }
  struct tsr_gex_heard all = {.spoken = heard[MOST] != INT64_MIN, .objected = heard[OBJECTS] != 0};
  if (all.spoken) all.least = (int32_t)-heard[LEAST_NEGATED], all.most = (int32_t)heard[MOST];
  return all;
}
