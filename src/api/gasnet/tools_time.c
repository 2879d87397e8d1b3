/* GASNet tools: time. */
#include <sys/time.h>

#include <gasnet_tools.h>

#include "base/clock.h"
#include "base/wait.h"

gasnett_tick_t gasnett_ticks_now(void) { return tsr_clock_ns(); }

enum { SAMPLES_N = 1000 };

double gasnett_tick_granularityus(void) {
  uint64_t least = 0, before = tsr_clock_ns();
  for (int i = 0; i < SAMPLES_N || !least; i++) {
    uint64_t now = tsr_clock_ns();
    if (now != before && (!least || now - before < least)) least = now - before;
    before = now;
  }
  return (double)least / 1000.0;
}

double gasnett_tick_overheadus(void) {
  uint64_t begun = tsr_clock_ns();
  for (int i = 0; i < SAMPLES_N; i++) tsr_clock_ns();
  return (double)(tsr_clock_ns() - begun + 1) / (1000.0 * SAMPLES_N);
}

uint64_t gasnett_gettimeofday_us(void) {
  struct timeval now;
  gettimeofday(&now, NULL);
  return (uint64_t)now.tv_sec * 1000000u + (uint64_t)now.tv_usec;
}

int gasnett_nsleep(uint64_t ns) {
  uint64_t begun = tsr_clock_ns();
  for (uint64_t gone = 0; gone < ns; gone = tsr_clock_ns() - begun) tsr_wait_sleep_ns(ns - gone);
  return 0;
}
