#include <string.h>

#include "am/local.h"
#include "base/copy.h"
#include "base/wait.h"
#include "core/place.h"
#include "core/progress.h"
#include "core/runtime.h"
#include "core/stats.h"

static tsr_am_dispatch_fn families[TSR_AM_FAMILIES_N];
static _Thread_local const tsr_am_token *running __attribute__((tls_model("initial-exec")));

void tsr_am_register(enum tsr_am_family family, tsr_am_dispatch_fn dispatch) { families[family] = dispatch; }

const tsr_am_token *tsr_am_running(void) { return running; }

int tsr_am_poll(void) {
  int done = tsr_progress_messages();
  if (!done) done = tsr_progress();
  if (!done) tsr_wait_give_way();
  return done;
}

static tsr_am_token token_of(const struct tsr_am_head *head) {
  return (tsr_am_token){.source = TSR_UNIT(head->source),
                        .family = head->family,
                        .handler = head->handler,
                        .kind = head->kind,
                        .args_n = head->args_n,
                        .is_request = !head->is_reply,
                        .bytes = head->bytes};
}

static __attribute__((noinline)) void dispatch_counted(tsr_am_dispatch_fn dispatch, tsr_am_token *token) {
  uint64_t begun_ns = tsr_stats_begin();
  dispatch(token);
  tsr_stats_end_at(TSR_STAT_AM_HANDLER, begun_ns, token->bytes, token->source);
}

/* Calls may nest: while the handler of a request waits for room, handlers of replies run. */
static void run_handler(tsr_am_token *token) {
  tsr_am_dispatch_fn dispatch = families[token->family];
  if (!dispatch)
    tsr_abort(1, "TSR-0504 an active message of unit %d for handler %d belongs to an interface that this unit has not started; "
              "start the same interfaces on all units", token->source.id, token->handler);
  const tsr_am_token *outer = running;
  running = token;
  if (tsr_stats_are_on()) dispatch_counted(dispatch, token);
  else dispatch(token);
  running = outer;
}

/* Copies small data, because it is not aligned in the record. */
static void take_packed(const struct tsr_ring_record *record) {
  TSR_ALIGNED_LINE char data[TSR_AM_SMALL_BYTES];
  const char *at = record->payload;
  struct tsr_am_head head;
  memcpy(&head, at, sizeof head);
  tsr_am_token token = token_of(&head);
  token.args = (const int32_t *)(at + TSR_AM_HEAD_BYTES);
  if (head.kind == TSR_AM_MEDIUM) {
    token.data = data;
    tsr_copy(data, at + TSR_AM_HEAD_BYTES + 4u * head.args_n, head.bytes);
  }
  run_handler(&token);
}

static void take_run(const struct tsr_ring_record *record) {
  struct tsr_am_head head;
  int32_t args[TSR_AM_ARGS_MAX];
  memcpy(&head, record->aside, sizeof head);
  tsr_am_token token = token_of(&head);
  token.args = (const int32_t *)((const char *)record->aside + TSR_AM_HEAD_BYTES);
  token.data = record->payload;
  if (head.args_n > TSR_AM_LINE_ARGS) {
    memcpy(args, token.args, 4 * TSR_AM_LINE_ARGS);
    memcpy(args + TSR_AM_LINE_ARGS, record->payload, 4u * (head.args_n - TSR_AM_LINE_ARGS));
    token.args = args;
    token.data = (char *)record->payload + TSR_CACHE_LINE;
  }
  run_handler(&token);
}

static void take_reference(const struct tsr_ring_record *record) {
  struct tsr_am_reference reference;
  memcpy(&reference, record->payload, sizeof reference);
  tsr_am_token token = token_of(&reference.head);
  token.args = (const int32_t *)((const char *)record->payload + TSR_AM_REFERENCE_BYTES);
  token.bytes = reference.bytes;
  token.data = tsr_heap.base + ((uint64_t)reference.at_high << 32 | reference.at_low);
  run_handler(&token);
  if (token.kind == TSR_AM_MEDIUM) tsr_am_block_give((struct tsr_am_block *)token.data - 1);
}

__attribute__((constructor)) static void register_records(void) {
  tsr_progress_register(TSR_RECORD_AM, take_packed);
  tsr_progress_register(TSR_RECORD_AM_RUN, take_run);
  tsr_progress_register(TSR_RECORD_AM_REFERENCE, take_reference);
}
