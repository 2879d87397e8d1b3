/* Random traffic of GASNet-EX in several threads of each unit, with checksums: active messages of all kinds, sizes and
 * numbers of arguments, fixed and negotiated, some cancelled, immediate or not, with every kind of local completion,
 * each answered at random; between them puts, gets, VIS transfers and atomics, some of them immediate. For five
 * minutes, or as many seconds as the argument says. Unit 0 has four threads, or as many as a second argument says;
 * other units have fewer.
 *
 * Units: 2 4 */
#define GASNET_PAR 1
#include "../spmd/gasnet_am.h"

#include <gasnet_ratomic.h>
#include <gasnet_vis.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "gasnet_random.h"

enum { THREADS_MAX = 4, SLOTS_N = 6, PART = 70000, BOARD = 24 << 10 };

/* What each thread of each unit has in a segment: places for its long requests, and memory that only this thread writes. */
struct guest {
  char requests[SLOTS_N][PART];
  char board[BOARD];
};
/* What each thread of the segment's owner has: places for long replies. */
struct own {
  char replies[SLOTS_N][PART];
};

struct thread {
  int number;
  uint64_t state;
  atomic_bool busy[SLOTS_N];
  char *shadows; /* the content of the boards, by unit */
  uint64_t sent_n, back_n, moved_n, added;
};
static struct thread threads[THREADS_MAX];
static int threads_n;
static _Atomic uint64_t asked_n, cancelled_n;
static gex_AD_t domain;
static time_t over;

/* Used by handlers, which run in any thread, and by threads that send requests. */
static _Thread_local uint64_t dice = 1;
static _Thread_local char request_data[PART], reply_data[PART], scratch[BOARD];
static _Thread_local gex_Event_t reply_event; /* while it is outstanding, so is reply_data_later */
static _Thread_local char reply_data_later[PART];

static uint64_t next(uint64_t below) {
  dice += UINT64_C(0x9e3779b97f4a7c15);
  return mix(dice) % below;
}
static gex_Flags_t some_immediate(void) { return next(3) ? 0 : GEX_FLAG_IMMEDIATE; }

static int64_t *sum_of(int unit) { return (int64_t *)(void *)segments[unit]; }
static struct own *own_of(int unit, int thread) { return (struct own *)(void *)(segments[unit] + PAGE) + thread; }
static struct guest *guest_of(int unit, int sender, int thread) {
  return (struct guest *)(void *)own_of(unit, THREADS_MAX) + sender * THREADS_MAX + thread;
}

/* ---- Messages ---- */

/* The first two arguments are the slot, with its thread, and the seed, which determines the rest. */
enum { ARGS_LEAST = 2, ARGS_MOST = 16 };
static int args_of(uint32_t seed) { return ARGS_LEAST + (int)(word(seed, 2) % (ARGS_MOST - ARGS_LEAST + 1)); }
static enum kind kind_of(uint32_t seed) { return (enum kind)(word(seed, 1) % 3); }
static size_t bytes_of(uint32_t seed) {
  static const size_t below[] = {1, 9, 65, 700, 5000, 20000, 60000, PART + 1};
  size_t n = word(seed, 3) % below[word(seed, 4) % 8], most = gex_AM_LUBReplyMedium();
  if (kind_of(seed) == SHORT) return 0;
  return kind_of(seed) == MEDIUM && n > most ? most : n;
}

static void fill_words(void *data, size_t n, uint32_t seed) {
  for (size_t i = 0; i < n; i += 8) {
    uint64_t value = word(seed, 100 + i);
    memcpy((char *)data + i, &value, n - i < 8 ? n - i : 8);
  }
}

static void check_message(const char *data, size_t bytes, const gex_AM_Arg_t *args, int args_n) {
  uint32_t seed = (uint32_t)args[1];
  long wrong_n = 0;
  CHECK_EQ(args_n, args_of(seed));
  CHECK_EQ(bytes, bytes_of(seed));
  for (int i = ARGS_LEAST; i < args_n; i++) wrong_n += args[i] != (gex_AM_Arg_t)word(seed, 20 + (size_t)i);
  for (size_t i = 0; i < bytes; i += 8) {
    uint64_t value = word(seed, 100 + i);
    wrong_n += memcmp(data + i, &value, bytes - i < 8 ? bytes - i : 8) != 0;
  }
  CHECK_EQ(wrong_n, 0);
}

static struct message message_of(gex_Token_t token, int unit, gex_AM_Arg_t slot, uint32_t seed) {
  int from = slot >> 8, at = slot & 255;
  struct message m = {.token = token, .tm = all, .rank = (gex_Rank_t)unit, .kind = kind_of(seed), .args_n = args_of(seed),
                      .bytes = bytes_of(seed), .args = {slot, (gex_AM_Arg_t)seed}};
  for (int i = ARGS_LEAST; i < m.args_n; i++) m.args[i] = (gex_AM_Arg_t)word(seed, 20 + (size_t)i);
  m.there = token ? own_of(unit, from)->replies[at] : guest_of(unit, self, from)->requests[at];
  return m;
}

/* Returns 0 if the message was sent. */
static int send_fixed(struct message *m, gex_Flags_t flags) {
  gex_Event_t local = GEX_EVENT_INVALID, *lc = GEX_EVENT_NOW;
  bool later = m->token && reply_event == GEX_EVENT_INVALID && m->kind != SHORT && next(4) == 0;
  uint64_t way = m->token ? 0 : next(3);
  char *data = !m->token ? request_data : later ? reply_data_later : reply_data;
  if (way == 1) lc = GEX_EVENT_GROUP;
  if (way == 2) lc = &local;
  if (later) lc = &reply_event;
  fill_words(data, m->bytes, (uint32_t)m->args[1]);
  m->data = data;
  int back = call_fixed(m, lc, flags);
  if (back && later) reply_event = GEX_EVENT_INVALID;
  if (!back && way == 1) gex_NBI_Wait(GEX_EC_AM, 0);
  if (!back && way == 2 && m->kind != SHORT) gex_Event_Wait(local);
  if (!later) memset(data, 0x5a, m->bytes);
  return back;
}

static int send_negotiated(struct message *m, gex_Flags_t flags) {
  uint32_t seed = (uint32_t)m->args[1];
  char *own = next(2) ? NULL : m->token ? reply_data : request_data;
  gex_Event_t *lc = own ? GEX_EVENT_NOW : NULL;
  gex_AM_SrcDesc_t sd = call_prepare(m, own, m->bytes + next(3000), lc, next(2) ? m->there : NULL, flags);
  if (sd == GEX_AM_SRCDESC_NO_OP) return 1;
  memset(gex_AM_SrcDescAddr(sd), 0x5a, gex_AM_SrcDescSize(sd) < PART ? gex_AM_SrcDescSize(sd) : PART);
  if (next(8)) {
    fill_words(gex_AM_SrcDescAddr(sd), m->bytes, seed);
    if (!call_commit(sd, m, flags)) return 0;
  }
  atomic_fetch_add(&cancelled_n, 1);
  call_cancel(sd, m);
  return 1;
}

static int send(struct message *m, gex_Flags_t flags) {
  uint32_t seed = (uint32_t)m->args[1];
  bool fits = m->bytes <= 60000 && m->kind != SHORT;
  return fits && word(seed, 6) % 2 ? send_negotiated(m, flags) : send_fixed(m, flags);
}

void on_request(gex_Token_t token, void *data, size_t bytes, const gex_AM_Arg_t *args, int args_n) {
  check_message((const char *)data, bytes, args, args_n);
  gex_Token_Info_t info = info_of(token);
  int from = (int)info.gex_srcrank;
  CHECK(info.gex_is_req);
  if (info.gex_is_long) CHECK(data == guest_of(self, from, args[0] >> 8)->requests[args[0] & 255]);
  atomic_fetch_add(&asked_n, 1);
  int back;
  do {
    struct message m = message_of(token, from, args[0], (uint32_t)next(UINT32_MAX));
    back = send(&m, some_immediate());
  } while (back);
}

void on_reply(gex_Token_t token, void *data, size_t bytes, const gex_AM_Arg_t *args, int args_n) {
  check_message((const char *)data, bytes, args, args_n);
  int from = args[0] >> 8, slot = args[0] & 255;
  if (info_of(token).gex_is_long) CHECK(data == own_of(self, from)->replies[slot]);
  CHECK(atomic_exchange(&threads[from].busy[slot], false));
}

static void one_request(struct thread *me) {
  int slot = (int)next(SLOTS_N), to = (int)next((uint64_t)units_n);
  GASNET_BLOCKUNTIL(!atomic_load(&me->busy[slot]));
  atomic_store(&me->busy[slot], true);
  for (;;) {
    struct message m = message_of(NULL, to, (gex_AM_Arg_t)(me->number << 8 | slot), (uint32_t)next(UINT32_MAX));
    if (!send(&m, some_immediate())) break;
    me->back_n++;
    if (next(2)) gasnet_AMPoll();
  }
  me->sent_n++;
}

/* ---- Transfers on the thread's own boards, whose content it knows ---- */

/* Waits for an event or for the implicit operations; false: the call returned without effect. */
static bool done(gex_Event_t event, bool implicit) {
  if (event == GEX_EVENT_NO_OP) return false;
  if (implicit) gex_NBI_Wait(GEX_EC_ALL, 0);
  else gex_Event_Wait(event);
  return true;
}
static gex_Event_t of_code(int back) { return back ? GEX_EVENT_NO_OP : GEX_EVENT_INVALID; }

static bool put(int unit, char *there, char *data, size_t n, gex_Flags_t flags) {
  gex_Rank_t rank = (gex_Rank_t)unit;
  gex_Event_t local = GEX_EVENT_INVALID, event;
  switch (next(5)) {
  case 0: return !gex_RMA_PutBlocking(all, rank, there, data, n, flags);
  case 1: return done(of_code(gex_RMA_PutNBI(all, rank, there, data, n, next(2) ? GEX_EVENT_NOW : GEX_EVENT_GROUP, flags)), true);
  case 2: return done(gex_RMA_PutNB(all, rank, there, data, n, GEX_EVENT_NOW, flags), false);
  case 3: return done(gex_RMA_PutNB(all, rank, there, data, n, GEX_EVENT_DEFER, flags), false);
  default:
    event = gex_RMA_PutNB(all, rank, there, data, n, &local, flags);
    if (event != GEX_EVENT_NO_OP) gex_Event_Wait(local);
    return done(event, false);
  }
}

static void move_whole(struct thread *me, int unit) {
  char *shadow = me->shadows + (size_t)unit * BOARD, *there = guest_of(unit, self, me->number)->board;
  size_t at = next(BOARD), n = next(next(3) ? 200 : BOARD) % (BOARD - at);
  if (next(2)) {
    memset(scratch, 0, n);
    bool went = next(2) ? done(gex_RMA_GetNB(all, scratch, (gex_Rank_t)unit, there + at, n, some_immediate()), false)
                        : done(of_code(gex_RMA_GetNBI(all, scratch, (gex_Rank_t)unit, there + at, n, some_immediate())), true);
    if (went) CHECK_EQ(memcmp(scratch, shadow + at, n), 0);
    return;
  }
  fill_words(scratch, n, (uint32_t)next(UINT32_MAX));
  if (put(unit, there + at, scratch, n, some_immediate())) memcpy(shadow + at, scratch, n);
}

/* `n` pieces of `each` bytes, `pitch` bytes apart there, contiguous here. */
struct comb {
  size_t n, each, pitch, at;
};
static struct comb some_comb(void) {
  struct comb c = {.each = 1 + next(40)};
  c.pitch = c.each + next(60);
  c.n = 1 + next(BOARD / c.pitch);
  c.at = next(BOARD - c.n * c.pitch + 1);
  return c;
}

static bool move_strided(bool puts, int unit, char *there, const struct comb *c, gex_Flags_t flags) {
  gex_Rank_t rank = (gex_Rank_t)unit;
  ptrdiff_t apart[] = {(ptrdiff_t)c->pitch}, dense[] = {(ptrdiff_t)c->each};
  size_t n[] = {c->n};
  if (next(2)) {
    gex_Event_t event = puts ? gex_VIS_StridedPutNB(all, rank, there, apart, scratch, dense, c->each, n, 1, flags)
                             : gex_VIS_StridedGetNB(all, scratch, dense, rank, there, apart, c->each, n, 1, flags);
    apart[0] = dense[0] = (ptrdiff_t)next(7), n[0] = 1;
    return done(event, false);
  }
  int back = puts ? gex_VIS_StridedPutNBI(all, rank, there, apart, scratch, dense, c->each, n, 1, flags)
                  : gex_VIS_StridedGetNBI(all, scratch, dense, rank, there, apart, c->each, n, 1, flags);
  return done(of_code(back), true);
}

static bool move_listed(bool puts, int unit, char *there, const struct comb *c, gex_Flags_t flags) {
  static _Thread_local void *list[BOARD];
  void *one[] = {scratch};
  gex_Rank_t rank = (gex_Rank_t)unit;
  size_t whole = c->n * c->each;
  for (size_t i = 0; i < c->n; i++) list[i] = there + i * c->pitch;
  gex_Event_t event = puts ? gex_VIS_IndexedPutNB(all, rank, c->n, list, c->each, 1, one, whole, flags)
                           : gex_VIS_IndexedGetNB(all, 1, one, whole, rank, c->n, list, c->each, flags);
  memset((void *)list, 0, c->n * sizeof *list);
  return done(event, false);
}

static void move_pieces(struct thread *me, int unit) {
  const struct comb c = some_comb();
  bool puts = next(2);
  char *shadow = me->shadows + (size_t)unit * BOARD + c.at, *there = guest_of(unit, self, me->number)->board + c.at;
  if (puts) fill_words(scratch, c.n * c.each, (uint32_t)next(UINT32_MAX));
  bool went =
      next(2) ? move_strided(puts, unit, there, &c, some_immediate()) : move_listed(puts, unit, there, &c, some_immediate());
  long wrong_n = 0;
  for (size_t i = 0; went && i < c.n; i++) {
    if (puts) memcpy(shadow + i * c.pitch, scratch + i * c.each, c.each);
    else wrong_n += memcmp(shadow + i * c.pitch, scratch + i * c.each, c.each) != 0;
  }
  CHECK_EQ(wrong_n, 0);
}

static void add(struct thread *me, int unit) {
  int64_t old = -1, n = (int64_t)next(1000);
  bool went =
      next(2)
          ? done(gex_AD_OpNB_I64(domain, &old, (gex_Rank_t)unit, sum_of(unit), GEX_OP_FADD, n, 0, some_immediate()), false)
          : done(of_code(gex_AD_OpNBI_I64(domain, NULL, (gex_Rank_t)unit, sum_of(unit), GEX_OP_ADD, n, 0, some_immediate())), true);
  if (went) me->added += (uint64_t)n;
}

/* Handlers that run meanwhile leave the event and its data alone. */
static void wait_for_reply_data(void) {
  if (reply_event == GEX_EVENT_INVALID) return;
  gex_Event_Wait(reply_event);
  reply_event = GEX_EVENT_INVALID;
}

static void *work(void *arg) {
  struct thread *me = (struct thread *)arg;
  dice = me->state;
  while (time(NULL) < over && !check_failures) {
    uint64_t what = next(10);
    int unit = (int)next((uint64_t)units_n);
    if (what < 6) one_request(me);
    else if (what < 7) move_whole(me, unit);
    else if (what < 9) move_pieces(me, unit);
    else add(me, unit);
    me->moved_n += what >= 6;
    wait_for_reply_data();
    if (next(3000) == 0) nanosleep(&(struct timespec){.tv_nsec = (long)next(3000000)}, NULL);
  }
  for (int slot = 0; slot < SLOTS_N; slot++) GASNET_BLOCKUNTIL(!atomic_load(&me->busy[slot]));
  wait_for_reply_data();
  return NULL;
}

/* The sums of all units. */
enum { SENT, ASKED, ADDED, FOUND, MOVED, BACK, CANCELLED, SUMS_N };
static void add_up(uint64_t sums[SUMS_N]) {
  uint64_t own[SUMS_N] = {[ASKED] = asked_n, [FOUND] = (uint64_t)*sum_of(self), [CANCELLED] = cancelled_n};
  for (int i = 0; i < threads_n; i++) {
    own[SENT] += threads[i].sent_n;
    own[ADDED] += threads[i].added;
    own[MOVED] += threads[i].moved_n;
    own[BACK] += threads[i].back_n;
  }
  gex_Event_Wait(gex_Coll_ReduceToAllNB(all, sums, own, GEX_DT_U64, sizeof *own, SUMS_N, GEX_OP_ADD, NULL, NULL, 0));
}

static void run(void) {
  pthread_t handles[THREADS_MAX];
  for (int i = 0; i < threads_n; i++) {
    threads[i].number = i;
    threads[i].state = (uint64_t)self * 100 + (uint64_t)i + 1;
    threads[i].shadows = (char *)calloc((size_t)units_n, BOARD);
    if (!threads[i].shadows || pthread_create(&handles[i], NULL, work, &threads[i])) abort();
  }
  for (int i = 0; i < threads_n; i++) {
    pthread_join(handles[i], NULL);
    free(threads[i].shadows);
  }
}

int main(int argc, char **argv) {
  gex_AM_Entry_t table[4 * (ARGS_MOST - ARGS_LEAST + 1)];
  size_t entries_n = make_table(table);
  start(&argc, &argv, table, entries_n, sizeof(struct guest) * THREADS_MAX + sizeof(struct own) * THREADS_MAX + PAGE);
  threads_n = (argc > 2 ? atoi(argv[2]) : THREADS_MAX) - (argc > 2 ? 0 : self % THREADS_MAX);
  over = time(NULL) + (argc > 1 ? atoi(argv[1]) : 300);
  gex_AD_Create(&domain, all, GEX_DT_I64, GEX_OP_ADD | GEX_OP_FADD, 0);
  barrier();
  run();
  barrier();
  uint64_t sums[SUMS_N];
  add_up(sums);
  CHECK_EQ(sums[SENT], sums[ASKED]);
  CHECK_EQ(sums[ADDED], sums[FOUND]);
  if (self == 0)
    printf("%llu requests, %llu transfers and atomics; %llu times no request was sent; %llu messages cancelled\n",
           (unsigned long long)sums[SENT], (unsigned long long)sums[MOVED], (unsigned long long)sums[BACK],
           (unsigned long long)sums[CANCELLED]);
  gex_AD_Destroy(domain);
  return finish();
}
