/* payload: negotiated payload by size, as the study of GASNet-EX on Aries measured it: a ping-pong of active messages
 * whose data the sender computes just before it sends them.
 *
 * With a fixed payload the program computes the data in a buffer of its own, from which the library copies it into the
 * message. With a negotiated payload the program asks the library for room first (Prepare), computes the data there, and
 * sends it (Commit): one copy less. Both for medium messages, whose data the handler gets in a buffer of the library, and
 * for long messages, whose data arrives at an address in the target's segment.
 *
 * Unit 0 and the last unit take part; the others wait. At least 2 units. The handler checks the first and the last word;
 * two round trips before the timed ones check all words.
 *
 * Options: --from and --to (bytes, each size doubles; medium messages end at the library's limit), --ms (of a
 * sample), --samples. */
#include "client.h"
#include "payload.h"

enum { REQUEST = 200, REPLY = 201, ARGS_N = 2 };
enum { NEGOTIATED = 1, LONG = 2, CHECK_ALL = 4 }; /* how a message is sent and checked */

static char *own;                  /* data of fixed payloads */
static volatile uint32_t answered; /* key of the last answer */

/* The limit of a fixed payload, which ends both kinds of rows: a negotiated one may be larger within a node. */
static size_t limit_of(int way) {
  return way & LONG ? gex_AM_MaxRequestLong(job.team, job.last, GEX_EVENT_NOW, 0, ARGS_N)
                    : gex_AM_MaxRequestMedium(job.team, job.last, GEX_EVENT_NOW, 0, ARGS_N);
}

/* ---- Requests: unit 0 to the last unit ---- */

static void request_fixed(size_t bytes, uint32_t key, int way) {
  compose(own, bytes, key);
  if (way & LONG) {
    gex_AM_RequestLong2(job.team, job.last, REQUEST, own, bytes, job.segments[job.last], GEX_EVENT_NOW, 0, (int32_t)key, way);
  } else {
    gex_AM_RequestMedium2(job.team, job.last, REQUEST, own, bytes, GEX_EVENT_NOW, 0, (int32_t)key, way);
  }
}

static void request_negotiated(size_t bytes, uint32_t key, int way) {
  void *const there = job.segments[job.last];
  gex_AM_SrcDesc_t room = way & LONG
      ? gex_AM_PrepareRequestLong(job.team, job.last, NULL, bytes, bytes, there, NULL, 0, ARGS_N)
      : gex_AM_PrepareRequestMedium(job.team, job.last, NULL, bytes, bytes, NULL, 0, ARGS_N);
  compose(gex_AM_SrcDescAddr(room), bytes, key);
  if (way & LONG) gex_AM_CommitRequestLong2(room, REQUEST, bytes, there, (int32_t)key, way);
  else gex_AM_CommitRequestMedium2(room, REQUEST, bytes, (int32_t)key, way);
}

/* ---- Replies, in the handler of the request: the same in the other direction ---- */

static void reply_fixed(gex_Token_t token, size_t bytes, uint32_t key, int way) {
  compose(own, bytes, key);
  if (way & LONG) gex_AM_ReplyLong2(token, REPLY, own, bytes, job.segments[0], GEX_EVENT_NOW, 0, (int32_t)key, way);
  else gex_AM_ReplyMedium2(token, REPLY, own, bytes, GEX_EVENT_NOW, 0, (int32_t)key, way);
}

static void reply_negotiated(gex_Token_t token, size_t bytes, uint32_t key, int way) {
  void *const there = job.segments[0];
  gex_AM_SrcDesc_t room = way & LONG ? gex_AM_PrepareReplyLong(token, NULL, bytes, bytes, there, NULL, 0, ARGS_N)
                                     : gex_AM_PrepareReplyMedium(token, NULL, bytes, bytes, NULL, 0, ARGS_N);
  compose(gex_AM_SrcDescAddr(room), bytes, key);
  if (way & LONG) gex_AM_CommitReplyLong2(room, REPLY, bytes, there, (int32_t)key, way);
  else gex_AM_CommitReplyMedium2(room, REPLY, bytes, (int32_t)key, way);
}

static void on_request(gex_Token_t token, void *data, size_t bytes, gex_AM_Arg_t key, gex_AM_Arg_t way) {
  require(is_composed(data, bytes, (uint32_t)key, way & CHECK_ALL), "the data of a request");
  if (way & NEGOTIATED) reply_negotiated(token, bytes, (uint32_t)key + 1, way);
  else reply_fixed(token, bytes, (uint32_t)key + 1, way);
}

static void on_reply(gex_Token_t token, void *data, size_t bytes, gex_AM_Arg_t key, gex_AM_Arg_t way) {
  (void)token;
  require(is_composed(data, bytes, (uint32_t)key, way & CHECK_ALL), "the data of a reply");
  answered = (uint32_t)key;
}

/* ---- The measurement ---- */

/* Keys are even for requests, and one more for their replies. They differ between round trips, so that the data of an
 * earlier one would be found out. */
static double round_trips(size_t bytes, long trips_n, int way) {
  static uint32_t key;
  const double since = study_now();
  for (long i = 0; i < trips_n; i++) {
    key += 2;
    if (way & NEGOTIATED) request_negotiated(bytes, key, way);
    else request_fixed(bytes, key, way);
    GASNET_BLOCKUNTIL(answered == key + 1);
  }
  return study_now() - since;
}

static void measure(size_t bytes, int way) {
  double samples[SAMPLES_MAX], each = round_trips(bytes, 2, way | CHECK_ALL);
  for (int i = 0; i < TRIALS_N; i++) each = shorter(each, round_trips(bytes, 1, way));
  const long trips_n = repeats_in(milliseconds, each);
  for (long k = 0; k < samples_n; k++)
    samples[k] = 2e-9 * (double)bytes * (double)trips_n / round_trips(bytes, trips_n, way);
  study_row(way & NEGOTIATED ? "payload.negotiated" : "payload.fixed", way & LONG ? "long" : "medium", (long)bytes,
            (int)job.n, "GB/s", (int)samples_n, samples);
}

int main(int argc, char **argv) {
  gex_AM_Entry_t handlers[] = {
      {REQUEST, (gex_AM_Fn_t)on_request, GEX_FLAG_AM_MEDLONG | GEX_FLAG_AM_REQUEST, ARGS_N, NULL, "request"},
      {REPLY, (gex_AM_Fn_t)on_reply, GEX_FLAG_AM_MEDLONG | GEX_FLAG_AM_REPLY, ARGS_N, NULL, "reply"},
  };
  start("payload_gasnet", argc, argv, PAYLOAD_OPTIONS_N, payload_options);
  need_units("payload_gasnet", 2);
  own = memory_of((size_t)to_bytes);
  attach((size_t)to_bytes);
  register_handlers(handlers, 2);
  for (long bytes = from_bytes / 8 * 8; job.me == 0 && bytes <= to_bytes; bytes *= 2)
    for (int way = 0; way <= (NEGOTIATED | LONG); way++)
      if ((size_t)bytes <= limit_of(way)) measure((size_t)bytes, way);
  barrier(); /* the last unit runs its handlers while it waits here */
  gasnet_exit(0);
}
