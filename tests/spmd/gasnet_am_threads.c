/* Threads that send at once, fixed and negotiated, and wait for their own replies, which any of them may receive.
 * Group: gasnet_all_threads
 */
#define GASNET_PAR 1
#include "gasnet_am.h"

#include <pthread.h>
#include <stdatomic.h>

enum { ASK = 190, ASK_DATA, ANSWER, ANSWER_DATA, THREADS = 4, ROUNDS = 120, BYTES = 2500 };

struct worker {
  pthread_t thread;
  int number;
  atomic_int answers_n;
};
static struct worker workers[THREADS];
static atomic_int requests_n;

/* Programs send pointers as two arguments. */
#define HIGH(pointer) (gex_AM_Arg_t)((uint64_t)(uintptr_t)(pointer) >> 32)
#define LOW(pointer) (gex_AM_Arg_t)(uint32_t)(uintptr_t)(pointer)
static struct worker *worker_of(gex_AM_Arg_t high, gex_AM_Arg_t low) {
  return (struct worker *)(uintptr_t)((uint64_t)(uint32_t)high << 32 | (uint32_t)low);
}

static void ask(gex_Token_t token, gex_AM_Arg_t high, gex_AM_Arg_t low) {
  atomic_fetch_add(&requests_n, 1);
  gex_AM_ReplyShort2(token, ANSWER, 0, high, low);
}
static void ask_data(gex_Token_t token, void *buffer, size_t bytes, gex_AM_Arg_t high, gex_AM_Arg_t low) {
  atomic_fetch_add(&requests_n, 1);
  CHECK_EQ(wrong(buffer, 9, bytes), 0);
  gex_AM_SrcDesc_t sd = gex_AM_PrepareReplyMedium(token, NULL, 16, bytes + 16, NULL, 0, 2);
  size_t got = gex_AM_SrcDescSize(sd);
  fill(gex_AM_SrcDescAddr(sd), 11, got);
  gex_AM_CommitReplyMedium2(sd, ANSWER_DATA, got, high, low);
}
static void answer(gex_Token_t token, gex_AM_Arg_t high, gex_AM_Arg_t low) {
  (void)token;
  atomic_fetch_add(&worker_of(high, low)->answers_n, 1);
}
static void answer_data(gex_Token_t token, void *buffer, size_t bytes, gex_AM_Arg_t high, gex_AM_Arg_t low) {
  CHECK_EQ(wrong(buffer, 11, bytes), 0);
  answer(token, high, low);
}

static void send_negotiated(gex_Rank_t to, size_t bytes, struct worker *worker) {
  gex_AM_SrcDesc_t sd = gex_AM_PrepareRequestMedium(all, to, NULL, bytes / 2, bytes, NULL, 0, 2);
  size_t got = gex_AM_SrcDescSize(sd);
  fill(gex_AM_SrcDescAddr(sd), 9, got);
  gex_AM_CommitRequestMedium2(sd, ASK_DATA, got, HIGH(worker), LOW(worker));
}

static void *work(void *arg) {
  struct worker *worker = arg;
  unsigned char data[BYTES];
  fill(data, 9, BYTES);
  for (int i = 0; i < ROUNDS; i++) {
    gex_Rank_t to = (gex_Rank_t)((self + i + worker->number) % units_n);
    size_t bytes = (size_t)(i * 97) % BYTES;
    char *place = segments[to] + ((size_t)self * THREADS + (size_t)worker->number) * BYTES;
    gex_Event_t event = GEX_EVENT_INVALID;
    gex_AM_RequestShort2(all, to, ASK, 0, HIGH(worker), LOW(worker));
    gex_AM_RequestMedium2(all, to, ASK_DATA, data, bytes, &event, 0, HIGH(worker), LOW(worker));
    gex_AM_RequestLong2(all, to, ASK_DATA, data, bytes, place, GEX_EVENT_GROUP, 0, HIGH(worker), LOW(worker));
    send_negotiated(to, bytes + 2, worker);
    gex_Event_Wait(event);
    gex_NBI_Wait(GEX_EC_AM, 0);
    while (gex_AM_RequestShort2(all, to, ASK, i % 2 ? GEX_FLAG_IMMEDIATE : 0, HIGH(worker), LOW(worker))) gasnet_AMPoll();
    GASNET_BLOCKUNTIL(atomic_load(&worker->answers_n) == 5 * (i + 1)); /* the place of the long message is free again */
  }
  return NULL;
}

int main(int argc, char **argv) {
  gex_AM_Entry_t table[] = {
      {ASK, (gex_AM_Fn_t)ask, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REQUEST, 2, NULL, NULL},
      {ASK_DATA, (gex_AM_Fn_t)ask_data, GEX_FLAG_AM_MEDLONG | GEX_FLAG_AM_REQUEST, 2, NULL, NULL},
      {ANSWER, (gex_AM_Fn_t)answer, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REPLY, 2, NULL, NULL},
      {ANSWER_DATA, (gex_AM_Fn_t)answer_data, GEX_FLAG_AM_MEDIUM | GEX_FLAG_AM_REPLY, 2, NULL, NULL},
  };
  start(&argc, &argv, table, LENGTH(table), (size_t)THREADS * BYTES);
  for (int i = 0; i < THREADS; i++) {
    workers[i].number = i;
    pthread_create(&workers[i].thread, NULL, work, &workers[i]);
  }
  for (int i = 0; i < THREADS; i++) pthread_join(workers[i].thread, NULL);
  barrier();
  CHECK_EQ(atomic_load(&requests_n), 5 * THREADS * ROUNDS);
  return finish();
}
