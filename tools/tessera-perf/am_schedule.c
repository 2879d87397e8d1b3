/* The purpose of immediate operations: unit 0 has many messages for each other unit, and each of these is busy for a
 * while after its first message. In a fixed order unit 0 waits for one unit after the other. If it skips units without
 * room, the waits overlap. */
#include <tessera/am.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "works.h"

enum { ROUNDS_MAX = 64, AWAY_NS = 2000000, MESSAGES_N = 2500 /* more than a ring has room for */ };

static uint64_t arrived_n, before_n; /* messages received in all; messages of earlier rounds */

static void count(const tessera_am_t *message, void *context) {
  (void)message, (void)context;
  arrived_n++;
}

static bool has_arrived(const void *goal) { return arrived_n >= *(const uint64_t *)goal; }

static void check(tessera_status_t status, const char *call) {
  if (!status || status == TESSERA_ERR_AGAIN) return;
  fprintf(stderr, "tessera-perf: %s: %s\n", call, tessera_status_text(status));
  dart_abort(1);
}

static double now_us(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e6 + (double)time.tv_nsec * 1e-3;
}

static int least(int a, int b) { return a < b ? a : b; }

/* `block` messages for one unit, then for the next. */
static void send_in_order(int units, int block) {
  for (int at = 0; at < MESSAGES_N; at += block) {
    for (int to = 1; to < units; to++) {
      for (int i = 0; i < least(block, MESSAGES_N - at); i++) check(tessera_am_request_short(to, 0, NULL, 0, 0), "request");
    }
  }
}

/* The same, but units without room are skipped and retried later. If no unit has room, unit 0 polls. */
static void send_to_who_has_room(int units, int block) {
  int *left = malloc((size_t)units * sizeof *left);
  for (int to = 0; to < units; to++) left[to] = to ? MESSAGES_N : 0;
  for (bool any = true; any;) {
    any = false;
    for (int to = 1; to < units; to++) {
      for (int i = least(block, left[to]); i > 0; i--) {
        if (tessera_am_request_short(to, 0, NULL, 0, TESSERA_AM_IMMEDIATE)) break;
        left[to]--;
      }
      any |= left[to] > 0;
    }
    if (any) check(tessera_am_poll(), "tessera_am_poll");
  }
  free(left);
}

typedef void (*send_fn)(int units, int block);

/* The time of one round in microseconds: until all units have all messages. */
static double round_us(struct perf *p, send_fn send, int block) {
  p->barrier();
  double begun = now_us();
  if (p->unit == 0) {
    send(p->units, block);
  } else {
    uint64_t first = before_n + 1, all = before_n + MESSAGES_N;
    check(tessera_am_wait(has_arrived, &first), "tessera_am_wait");
    nanosleep(&(struct timespec){.tv_nsec = AWAY_NS}, NULL);
    check(tessera_am_wait(has_arrived, &all), "tessera_am_wait");
  }
  before_n += MESSAGES_N;
  p->barrier();
  return now_us() - begun;
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void measure(struct perf *p, const struct perf_work *work, const char *variant, send_fn send, int block) {
  double taken[ROUNDS_MAX];
  int n = least(p->batches_n, ROUNDS_MAX);
  for (int i = 0; i < n; i++) taken[i] = round_us(p, send, block);
  qsort(taken, (size_t)n, sizeof *taken, compare);
  perf_row_figure(p, work->name, variant, "us", 0, taken[n / 2], 0);
}

static void run(struct perf *p, const struct perf_work *work) {
  check(tessera_init(NULL, NULL), "tessera_init");
  check(tessera_am_register(0, count, NULL), "tessera_am_register");
  p->barrier();
  if (p->units > 1) {
    measure(p, work, "static, full block", send_in_order, MESSAGES_N);
    measure(p, work, "immediate, full block", send_to_who_has_room, MESSAGES_N);
    measure(p, work, "static, block of 5", send_in_order, 5);
    measure(p, work, "immediate, block of 5", send_to_who_has_room, 5);
  }
  check(tessera_exit(), "tessera_exit");
}

const struct perf_work am_schedule_works[] = {
    {"am.immediate", "many requests to units that poll late: in a fixed order, or first to units with room",
     run, NULL, 0},
    {0},
};
