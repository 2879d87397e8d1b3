/* flood: puts from unit 0 to the last unit, with and without early local completion; flood.h describes the ways. With one
 * unit it puts to itself. After each sample the target checks all slots.
 *
 * Options: --from and --to (bytes, multiples of 8; each size is four times the one before), --sources (source buffers),
 * --ms (of a sample), --samples. */
#include "client.h"
#include "flood.h"

static char *slots;   /* in the target's segment */
static char *sources; /* sources_n buffers of unit 0 */
static uint64_t put_n; /* since the start */

static char *next_source(long i, long bytes) {
  char *source = sources + i % sources_n * bytes;
  write_source(source, bytes, ++put_n);
  return source;
}

/* An event of GEX_EVENT_INVALID is complete: so is each source before its first put. */
static void window_late(long bytes) {
  gex_Event_t puts[FLOOD_WINDOW];
  for (long i = 0; i < FLOOD_WINDOW; i++) {
    if (i >= sources_n) gex_Event_Wait(puts[i - sources_n]);
    const char *source = next_source(i, bytes);
    puts[i] = gex_RMA_PutNB(job.team, job.last, slots + i * bytes, source, (size_t)bytes, GEX_EVENT_DEFER, 0);
  }
  gex_Event_WaitAll(puts + FLOOD_WINDOW - sources_n, (size_t)sources_n, 0);
}

static void window_early(long bytes) {
  gex_Event_t puts[FLOOD_WINDOW], free_again[FLOOD_WINDOW];
  for (long i = 0; i < FLOOD_WINDOW; i++) {
    if (i >= sources_n) gex_Event_Wait(free_again[i - sources_n]);
    const char *source = next_source(i, bytes);
    puts[i] = gex_RMA_PutNB(job.team, job.last, slots + i * bytes, source, (size_t)bytes, &free_again[i], 0);
  }
  gex_Event_WaitAll(puts, FLOOD_WINDOW, 0); /* completes their leaves, too */
}

static void window_now(long bytes) {
  for (long i = 0; i < FLOOD_WINDOW; i++) {
    const char *source = next_source(i, bytes);
    gex_RMA_PutNBI(job.team, job.last, slots + i * bytes, source, (size_t)bytes, GEX_EVENT_NOW, 0);
  }
  gex_NBI_Wait(GEX_EC_PUT, 0);
}

/* Seconds of unit 0. The target, which waits meanwhile, then checks what has arrived. */
static double sample(enum flood_way way, long bytes, long windows_n) {
  const double since = study_now();
  for (long k = 0; job.me == 0 && k < windows_n; k++) {
    if (way == LATE) window_late(bytes);
    else if (way == EARLY) window_early(bytes);
    else window_now(bytes);
  }
  const double seconds = study_now() - since;
  barrier();
  put_n = (uint64_t)of_first((long)put_n);
  require(job.me != job.last || slots_are(slots, bytes, put_n), "the data of a put");
  barrier();
  return seconds;
}

#include "flood_measure.h"

int main(int argc, char **argv) {
  start("flood_gasnet", argc, argv, FLOOD_OPTIONS_N, flood_options);
  sources = memory_of((size_t)(sources_n * to_bytes));
  attach((size_t)(FLOOD_WINDOW * to_bytes));
  slots = job.segments[job.last];
  for (long bytes = from_bytes / 8 * 8; bytes <= to_bytes; bytes *= FLOOD_FACTOR)
    for (enum flood_way way = LATE; way < FLOOD_WAYS_N; way++) measure(way, bytes);
  free(sources);
  gasnet_exit(0);
}
