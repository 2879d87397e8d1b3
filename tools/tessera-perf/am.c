/* Active messages of the native interface: round trips and floods from unit 0 to the target, or in pairs of units at once. */
#include <tessera/am.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "limits.h"
#include "works.h"

enum { COUNT, ANSWER, ANSWER_DATA, ANSWER_PLACED, ANSWERED };
enum kind { SHORT, MEDIUM, LONG };

static uint64_t arrived_n, answered_n; /* requests, replies */
static uint64_t sent_n;                /* messages expected by the end of this batch; some may arrive before it starts */

static void check(tessera_status_t status, const char *call) {
  if (!status) return;
  fprintf(stderr, "tessera-perf: %s: %s\n", call, tessera_status_text(status));
  dart_abort(1);
}

static void count(const tessera_am_t *message, void *context) {
  (void)message, (void)context;
  arrived_n++;
}
static void count_answer(const tessera_am_t *message, void *context) {
  (void)message, (void)context;
  answered_n++;
}
static void answer(const tessera_am_t *message, void *context) {
  (void)context;
  arrived_n++;
  check(tessera_am_reply_short(message, ANSWERED, NULL, 0, 0), "tessera_am_reply_short");
}
static void answer_data(const tessera_am_t *message, void *context) {
  (void)context;
  arrived_n++;
  check(tessera_am_reply_medium(message, ANSWERED, message->data, message->bytes, NULL, 0, 0), "tessera_am_reply_medium");
}
static void answer_placed(const tessera_am_t *message, void *place) {
  arrived_n++;
  check(tessera_am_reply_long(message, ANSWERED, message->data, message->bytes, *(uint64_t *)place, NULL, 0, 0),
        "tessera_am_reply_long");
}

static bool has_arrived(const void *goal) { return arrived_n >= *(const uint64_t *)goal; }
static bool is_answered(const void *goal) { return answered_n >= *(const uint64_t *)goal; }

static void await(bool (*reached)(const void *), uint64_t goal) {
  check(tessera_am_wait(reached, &goal), "tessera_am_wait");
}

struct traffic {
  enum kind kind;
  int unit, to, from; /* sends if `to` is not negative; receives if `from` is not */
  bool negotiated, generated;
  uint64_t place;
  size_t bytes;
  char *data;
};

static void start(struct perf *p, uint64_t *place) {
  check(tessera_init(NULL, NULL), "tessera_init");
  check(tessera_am_register(COUNT, count, NULL), "tessera_am_register");
  check(tessera_am_register(ANSWER, answer, NULL), "tessera_am_register");
  check(tessera_am_register(ANSWER_DATA, answer_data, NULL), "tessera_am_register");
  check(tessera_am_register(ANSWER_PLACED, answer_placed, place), "tessera_am_register");
  check(tessera_am_register(ANSWERED, count_answer, NULL), "tessera_am_register");
  p->barrier();
}

/* The first unit of each pair sends, the second receives. */
static struct traffic traffic_of(const struct perf *p, enum kind kind, bool all) {
  int half = all ? p->units / 2 : p->target;
  bool sends = all ? p->unit < half : p->unit == 0, receives = all ? p->unit >= half && p->unit < 2 * half : p->unit == half;
  return (struct traffic){.kind = kind, .unit = p->unit, .to = sends ? p->unit + half : -1,
                          .from = receives ? p->unit - half : -1};
}

static void send(const struct traffic *t, bool answered) {
  static const int32_t answering[] = {ANSWER, ANSWER_DATA, ANSWER_PLACED};
  int32_t handler = answered ? answering[t->kind] : COUNT;
  if (t->kind == SHORT)
    check(tessera_am_request_short(t->to, handler, NULL, 0, 0), "tessera_am_request_short");
  else if (t->kind == MEDIUM)
    check(tessera_am_request_medium(t->to, handler, t->data, t->bytes, NULL, 0, 0), "tessera_am_request_medium");
  else
    check(tessera_am_request_long(t->to, handler, t->data, t->bytes, t->place, NULL, 0, 0), "tessera_am_request_long");
}

static void round_trips(void *arg, uint64_t n) {
  const struct traffic *t = arg;
  if (t->to >= 0) {
    for (uint64_t i = 0; i < n; i++) {
      uint64_t before = answered_n;
      send(t, true);
      await(is_answered, before + 1);
    }
  }
  if (t->from >= 0) await(has_arrived, sent_n += n);
}

static void generate(char *data, size_t bytes, uint64_t number) { memset(data, (int)(number & 0xff), bytes); }

static void send_room(const struct traffic *t, uint64_t number) {
  tessera_am_room_t room;
  check(tessera_am_prepare_medium(&room, t->to, t->bytes, t->bytes, 0), "tessera_am_prepare_medium");
  generate(room.data, t->bytes, number);
  check(tessera_am_commit(&room, COUNT, t->bytes, NULL, 0, 0), "tessera_am_commit");
}

/* The messages of a batch arrive before the batch ends. */
static void one_way(void *arg, uint64_t n) {
  const struct traffic *t = arg;
  for (uint64_t i = 0; t->to >= 0 && i < n; i++) {
    if (t->negotiated) {
      send_room(t, i);
    } else {
      if (t->generated) generate(t->data, t->bytes, i);
      send(t, false);
    }
  }
  if (t->from >= 0) await(has_arrived, sent_n += n);
}

static void measure(struct perf *p, struct traffic *t, const struct perf_work *work, const char *variant, int takers_n) {
  struct perf_op op = {work->loop, t, takers_n, work->loop == one_way};
  struct perf_result result;
  const struct perf_op *limit = t->bytes >= PERF_BANDWIDTH_FROM && p->target > 0 && work->loop == one_way
                                    ? limits_copy(p, LIMITS_PUT, t->bytes) : NULL;
  perf_measure(p, &op, limit, &result);
  if (work->loop == one_way) perf_row_copy(p, work->name, variant, t->bytes, &result);
  else perf_row_time(p, work->name, variant, t->bytes, &result);
}

/* A collective allocation has the same offset in all heaps. */
static dart_gptr_t prepare(struct perf *p, struct traffic *t, size_t bytes, uint64_t *place) {
  dart_gptr_t memory = works_alloc(p, bytes, p->unit);
  void *own;
  works_check(dart_gptr_getaddr(memory, &own), "dart_gptr_getaddr");
  start(p, place);
  check(tessera_am_place(own, place), "tessera_am_place");
  t->place = *place;
  t->bytes = bytes;
  t->data = perf_buffer(bytes);
  p->barrier();
  return memory;
}

static void finish(struct traffic *t, dart_gptr_t memory) {
  check(tessera_exit(), "tessera_exit");
  free(t->data);
  works_free(memory);
}

static void run_short(struct perf *p, const struct perf_work *work) {
  uint64_t place;
  struct traffic t = traffic_of(p, SHORT, work->choice != 0);
  if (work->choice && p->units < 2) return;
  dart_gptr_t memory = prepare(p, &t, 64, &place);
  t.bytes = 0;
  measure(p, &t, work, work->choice ? "all pairs" : "", work->choice ? p->units : p->target + 1);
  finish(&t, memory);
}

static void run_data(struct perf *p, const struct perf_work *work) {
  for (int i = 0; i < p->bytes_n; i++) {
    uint64_t place;
    struct traffic t = traffic_of(p, (enum kind)work->choice, false);
    if (t.kind == MEDIUM && p->bytes[i] > 65536) continue;
    dart_gptr_t memory = prepare(p, &t, p->bytes[i], &place);
    measure(p, &t, work, "", p->target + 1);
    finish(&t, memory);
  }
}

static void run_flood(struct perf *p, const struct perf_work *work) {
  run_short(p, work);
  for (int i = 0; i < p->bytes_n; i++) {
    uint64_t place;
    struct traffic t = traffic_of(p, MEDIUM, false);
    if (p->bytes[i] > 65536) continue;
    dart_gptr_t memory = prepare(p, &t, p->bytes[i], &place);
    measure(p, &t, work, "medium", p->target + 1);
    finish(&t, memory);
  }
}

/* Each message has new data: written to a buffer that is then sent, or directly into the space that the library grants.
 */
static void run_negotiated(struct perf *p, const struct perf_work *work) {
  for (int i = 0; i < p->bytes_n; i++) {
    uint64_t place;
    struct traffic t = traffic_of(p, MEDIUM, false);
    if (p->bytes[i] > 65536) continue;
    dart_gptr_t memory = prepare(p, &t, p->bytes[i], &place);
    t.generated = true;
    measure(p, &t, work, "fixed", p->target + 1);
    t.negotiated = true;
    measure(p, &t, work, "negotiated", p->target + 1);
    finish(&t, memory);
  }
}

const struct perf_work am_works[] = {
    {"am.short", "active messages: request and reply without data, round trip", run_short, round_trips, 0},
    {"am.pairs", "the same, by one half of the units to the other at once", run_short, round_trips, 1},
    {"am.medium", "request and reply with data, round trip", run_data, round_trips, MEDIUM},
    {"am.long", "request and reply that store data in the heap, round trip", run_data, round_trips, LONG},
    {"am.flood", "requests one way, without and with data", run_flood, one_way, 0},
    {"am.negotiated", "requests one way with new data for each: in the program's buffer (fixed), in the library's",
     run_negotiated, one_way, 0},
    {0},
};
